//! What Heddle says of a program, and whether that can be, given what was seen.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;

use program::ErrorKind;
use semantics::{Exploration, HowEnded, Limits, Machine, Outcome};

use crate::batch::Case;
use crate::seen::Seen;

const PROPERTIES: [&str; 6] =
    ["unreach-call", "no-data-race", "no-deadlock", "no-overflow", "valid-memsafety", "valid-memcleanup"];

/// Counts are the limits; this one is for decision diagrams that explode.
const TIME: &str = "2s";
const AUTO: &[&str] = &["--engine", "auto", "--limit", "runs=60", "--limit", "states=2000"];

/// Besides `auto`, they take turns.
const ENGINES: [&[&str]; 6] = [
    &["--engine", "static"],
    &["--engine", "value", "--reduction", "none", "--limit", "states=2000"],
    &["--engine", "interval", "--limit", "states=1000"],
    &["--engine", "interval", "--join", "threads", "--limit", "states=1000"],
    &["--engine", "value", "--track", "refine", "--limit", "states=1000"],
    &["--engine", "interval+bdd", "--limit", "states=60"],
];

/// In the first line of a proof that does not exclude undefined behaviour.
const ASSUMPTION: &str = "assuming no undefined behaviour";
/// Values of inputs, as in `runtime.c`.
const INPUTS: [i64; 3] = [0, 1, -2];
const EXPLORED_STATES: usize = 10_000;

/// What cannot be; a line each.
pub type Differences = Vec<String>;

#[derive(Default)]
pub struct Judged {
    pub differences: Differences,
    /// Verdicts, with how often.
    pub verdicts: BTreeMap<String, usize>,
    pub explored: bool,
    /// A run was shown that comes to undefined behaviour; compilers may leave no trace of it (`x / x`).
    undefined: bool,
}

pub fn judge(case: &Case, seen: &Seen, folder: &Path) -> Judged {
    let mut judged = Judged::default();
    let text = case.program.with("");
    // A run that comes to an error is not there for the other properties.
    let files = [("other.i", text.clone()), ("program.i", case.program.with(&check_of_result(case, seen)))];
    for options in [AUTO, ENGINES[case.seed as usize % ENGINES.len()]] {
        for ((name, text), properties) in files.iter().zip([&PROPERTIES[1..], &PROPERTIES[..1]]) {
            let file = folder.join(name);
            std::fs::write(&file, text).expect("the program is written");
            ask(options, properties, &file, seen, &mut judged);
        }
    }
    explore(&text, seen, &mut judged);
    judged
}

/// A result that was seen is an error: so there is one that can be reached.
fn check_of_result(case: &Case, seen: &Seen) -> String {
    let results: Vec<&String> = seen.results.iter().filter(|result| !result.is_empty()).collect();
    if results.is_empty() {
        return String::new();
    }
    let result: Vec<&str> = results[case.seed as usize % results.len()].split_whitespace().collect();
    let [a, b, c] = result[..] else { panic!("a result is three numbers") };
    format!("if (end0 == {a} && end1 == {b} && end2 == {c}u) reach_error();")
        .replace("-2147483648", "(-2147483647 - 1)")
}

fn ask(options: &[&str], properties: &[&str], file: &Path, seen: &Seen, judged: &mut Judged) {
    let binary = std::env::var("HEDDLE_NATIVE_BINARY").unwrap_or_else(|_| env!("CARGO_BIN_EXE_heddle").into());
    let mut command = Command::new(binary);
    command.args(["check", "--time-limit", TIME]);
    properties.iter().for_each(|property| _ = command.args(["--property", property]));
    let output = command.args(options).arg(file).output().expect("heddle runs");
    let (printed, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !matches!(output.status.code(), Some(0..=2)) {
        let first = errors.lines().next().unwrap_or("no message");
        return judged.differences.push(format!("{}: exit {:?}: {first}", options.join(" "), output.status.code()));
    }
    let verdicts = printed.lines().filter(|line| line.starts_with("VERDICT"));
    for (property, verdict) in properties.iter().zip(verdicts) {
        let verdict = verdict.split_once(": ").map_or("nothing", |(_, verdict)| verdict);
        let short = verdict.split('(').next().unwrap_or_default();
        *judged.verdicts.entry(format!("{property} {short}")).or_default() += 1;
        let names = |line: &str| line.split(": ").next().is_some_and(|names| names.split(", ").any(|n| n == *property));
        let assumes = printed.lines().any(|line| names(line) && line.contains(ASSUMPTION));
        judged.undefined |= verdict.starts_with("unknown(undefined behaviour");
        let is_claim = verdict == "true" && !(assumes && (seen.undefined.is_some() || judged.undefined));
        if let Some(why) = is_claim.then(|| against(property, seen)).flatten() {
            judged.differences.push(format!("{}: {property} is true, but {why}", options.join(" ")));
        }
    }
}

/// What was seen that excludes a proof.
fn against(property: &str, seen: &Seen) -> Option<String> {
    let own = match property {
        "unreach-call" if seen.failed => Some("an assertion failed".to_owned()),
        "unreach-call" if seen.results.iter().any(|r| !r.is_empty()) => Some("the result was seen".to_owned()),
        "no-data-race" => seen.race.clone(),
        "no-overflow" => seen.overflow.clone(),
        "valid-memsafety" => seen.memory.clone(),
        "valid-memcleanup" if seen.not_freed => Some("a block was not freed".to_owned()),
        _ => None,
    };
    own.or_else(|| seen.undefined.as_ref().map(|what| format!("undefined: {what}")))
}

fn explore(text: &str, seen: &Seen, judged: &mut Judged) {
    // What is given from outside is not among the explorer's inputs.
    if text.contains("argc") || text.contains("missing_") {
        return;
    }
    let program = testing::program(text);
    let limits = Limits { inputs: INPUTS.to_vec(), states: EXPLORED_STATES, canonical: true };
    let exploration = Machine::new(&program).explore(&limits);
    if exploration.complete {
        judged.explored = true;
        compare(&exploration, seen, &mut judged.differences);
    }
}

fn compare(exploration: &Exploration, seen: &Seen, differences: &mut Differences) {
    let has = |outcome: &Outcome| exploration.outcomes.contains_key(outcome);
    let undefined = exploration.outcomes.keys().any(|outcome| {
        matches!(
            outcome,
            Outcome::Undefined(_) | Outcome::InvalidAccess | Outcome::InvalidFree | Outcome::Unsupported(_)
        )
    });
    if undefined {
        return;
    }
    let mut miss = |what: String| differences.push(format!("explorer: misses {what}"));
    if let Some(what) = &seen.undefined {
        return miss(format!("undefined behaviour: {what}"));
    }
    if let Some(what) = seen.race.as_ref().filter(|_| !has(&Outcome::Race)) {
        miss(what.clone());
    }
    if let Some(what) = seen.overflow.as_ref().filter(|_| !has(&Outcome::Overflow)) {
        miss(what.clone());
    }
    if seen.failed && ![ErrorKind::Assert, ErrorKind::ErrorCall].into_iter().any(|kind| has(&Outcome::Error(kind))) {
        miss("a failed assertion".into());
    }
    for result in &seen.results {
        let ends = [HowEnded::Normally, HowEnded::Exit];
        if !ends.into_iter().any(|how| has(&Outcome::Ended(how, result.as_bytes().to_vec()))) {
            miss(format!("the result {result:?}{}", if has(&Outcome::Race) { " (races)" } else { "" }));
        }
    }
}
