//! What becomes of an engine's word: a proof counts only if it passes the check and the ledger allows it.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};

use clap::Parser;
use engine_static::StaticEngine;
use program::{AssumptionKind, Direction};
use verify::{Condition, EngineError, Observer};

use super::*;

/// What the engine says, whatever it is asked.
enum Says {
    Holds,
    /// It had to leave out behaviours.
    HoldsBut,
}

impl Engine for Says {
    fn name(&self) -> &'static str {
        "says"
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, _: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let facts = task.facts.get(task.program, budget).expect("there are facts");
        let mut ledger = Ledger::default();
        let verdict = match self {
            Says::HoldsBut => {
                let span = task.program.functions[task.program.main].span;
                ledger.assume(AssumptionKind::Construct, Direction::Under, "loops", "end after ten rounds", span);
                Verdict::Holds(Proof::Facts(facts))
            }
            Says::Holds => Verdict::Holds(Proof::Facts(facts)),
        };
        Ok(Outcome { condition: Condition::of(&verdict), verdict, ledger, statistics: Vec::new() })
    }
}

#[derive(Parser)]
struct Arguments {
    #[command(flatten)]
    check: CheckArgs,
}

const ALONE: &str = "int x;\nint main(void) { x = 1; return x; }\n";
const RACY: &str = "#include <pthread.h>\nint x;\nvoid *f(void *p) { x = 1; return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }\n";

/// What becomes of what the engine says about a program, or the code of the failure.
fn report(name: &str, text: &str, options: &[&str], mut engine: impl Engine) -> Result<Report, Exit> {
    let folder = Folder::new(name);
    let file = folder.0.join(name).with_extension("c");
    fs::write(&file, text).expect("the file can be written");
    let path = file.to_str().expect("a readable path");
    let arguments = Arguments::parse_from([&["check", path], options].concat());
    let (program, identity) = front::lower_identified(&arguments.check.files, &arguments.check.front)
        .unwrap_or_else(|failure| panic!("{}", failure.message));
    let mut check = Check::new(&arguments.check, &program, identity, Instant::now());
    check.goal(Goal::Property(Property::NoDataRace), &mut engine, 1).map_err(|failure| failure.exit)
}

/// Gone with the test.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("heddle-{}-{number}-{name}", std::process::id()));
        fs::create_dir_all(&path).expect("the folder can be made");
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn verdict(report: Result<Report, Exit>) -> Result<(Exit, String), Exit> {
    report.map(|report| (exit(std::slice::from_ref(&report)), report.answer.verdict()))
}

fn unknown(reason: &str) -> Result<(Exit, String), Exit> {
    Ok((Exit::Unknown, format!("unknown({reason})")))
}

#[test]
fn a_proof_that_passes_the_check_is_told() {
    let report = report("alone", ALONE, &[], Says::Holds);
    let reports = [report.expect("the proof passes")];
    let text = out::details(&reports, 80, Detail::Short);
    assert!(text.starts_with("no-data-race: proved by static facts, checked again\n  "), "{text}");
    assert_eq!((exit(&reports), out::verdict_lines(&reports).as_str()), (Exit::Done, "VERDICT: true\n"));
}

#[test]
fn a_proof_that_does_not_pass_is_our_bug() {
    assert_eq!(verdict(report("claimed", RACY, &[], Says::Holds)), Err(Exit::Internal));
}

#[test]
fn no_proof_rests_on_what_was_left_out() {
    let text = "int raise(int);\nint main(void) { return raise(2); }\n";
    assert_eq!(verdict(report("left_out", text, &[], Says::Holds)), unknown("left out: raise"));
    assert_eq!(verdict(report("left_out", text, &[], StaticEngine)), unknown("left out: raise"));
    assert_eq!(verdict(report("bounded", ALONE, &[], Says::HoldsBut)), unknown("left out: loops"));
}

#[test]
fn with_strict_no_proof_rests_on_functions_without_a_body() {
    let text = "int f(void);\nint main(void) { return f(); }\n";
    assert_eq!(verdict(report("missing", text, &["--strict"], Says::Holds)), unknown("missing body of f"));
    assert_eq!(verdict(report("missing", text, &[], Says::Holds)), Ok((Exit::Done, "true".to_owned())));
}

const NEVER_CREATED: &str = "#include <pthread.h>\nint x, go;\nvoid *f(void *p) { x = 1; return p; }\n\
    int main(void) { pthread_t t;\nif (go) pthread_create(&t, 0, f, 0);\nreturn x; }\n";

#[test]
fn a_vacuous_proof_is_told_as_such() {
    let reports = [report("vacuous", NEVER_CREATED, &[], Says::Holds).expect("the proof passes")];
    let text = out::details(&reports, 200, Detail::Short);
    let head = text.lines().next().unwrap_or_default();
    assert!(head.starts_with("no-data-race: proved by static facts, checked again; vacuous: the thread cr"), "{text}");
    assert!(head.ends_with("vacuous.c:5 is not reached"), "{text}");
    assert!(text.contains("\n  covered: 1 of 2 functions, 0 of 1 thread creation, 2 of 3 accesses to sh"), "{text}");
    assert_eq!(exit(&reports), Exit::Done);
}

#[test]
fn a_vacuous_proof_is_none_if_behaviours_are_left_out_or_with_strict() {
    for (options, engine) in [(&[][..], Says::HoldsBut), (&["--strict"], Says::Holds)] {
        let (exit, verdict) = verdict(report("vacuous", NEVER_CREATED, options, engine)).expect("the proof passes");
        assert_eq!(exit, Exit::Unknown);
        assert!(verdict.starts_with("unknown(vacuous: the thread creation at "), "{verdict}");
    }
    assert_eq!(verdict(report("alone", ALONE, &["--strict"], Says::Holds)), Ok((Exit::Done, "true".to_owned())));
}

#[test]
fn candidates_are_told_with_both_places() {
    let text = "#include <pthread.h>\nint w, x, y, z;\nvoid *f(void *p) { w = x = y = z = 1; return p; }\n\
        int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return w + x + y + z; }\n";
    let report = report("candidates", text, &[], StaticEngine).expect("unknown is no failure");
    assert_eq!(report.answer.verdict(), "unknown(possible data race)");
    let reports = [report];
    let text = out::details(&reports, 200, Detail::Short);
    assert!(text.contains("static: 4 pairs of accesses may race (below)"), "{text}");
    assert!(text.contains("candidates.c:4  int main(void)"), "{text}");
    assert!(text.contains("f writes x, holding no lock\n"), "{text}");
    assert!(text.contains("main reads x, holding no lock\n"), "{text}");
    assert!(text.contains("may run together: f is created in line 4 and may still run in line 4"), "{text}");
    assert!(text.contains("… and 1 more"), "{text}");
}

#[test]
fn proved_takes_all_and_violated_one() {
    let unknown =
        || Answer::Unknown { reason: String::new(), details: Vec::new(), alarms: Vec::new(), interleaving: None };
    let violated = || Answer::Violated { name: "no-data-race".to_owned(), interleaving: out::Interleaving::default() };
    let proved = || Answer::Proved { by: "luck", grounds: Vec::new(), coverage: Coverage::default(), assumes: None };
    let code = |answers: Vec<Answer>| {
        let report = |answer| Report {
            property: "no-data-race".to_owned(),
            specification: None,
            answer,
            ledger: Ledger::default(),
            statistics: Vec::new(),
        };
        exit(&answers.into_iter().map(report).collect::<Vec<_>>())
    };
    assert_eq!(code(vec![proved(), proved()]), Exit::Done);
    assert_eq!(code(vec![proved(), unknown()]), Exit::Unknown);
    assert_eq!(code(vec![unknown(), violated(), proved()]), Exit::Violated);
}

#[test]
fn what_is_not_said_is_as_the_engines_have_it() {
    let arguments = Arguments::parse_from(["check", "x.c"]);
    assert_eq!(crate::engines::search_options(&arguments.check), engine_cpa::Options::default());
}
