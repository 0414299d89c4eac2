//! The engine with automata beside it, against all runs: what some run shows is never said to hold, what is found is repeated by
//! the interpreter, what is proved passes the check.
//!
//! `HEDDLE_RANDOM_PROGRAMS`, `HEDDLE_RANDOM_PROGRAMS_SEED` and `HEDDLE_PROGRAM` as in the other tests of agreement.

mod automata;
mod oracle;
#[path = "../support/mod.rs"]
mod support;

use std::collections::BTreeMap;
use std::time::Duration;

use base::Budget;
use engine_cpa::{CpaEngine, Options, Reduction};
use program::Program;
use semantics::{Machine, Trace};
use spec::Automaton;
use testing::generate::GenerateOptions;
use testing::{Listed, files};
use verify::{Engine, SharedFacts, Silent, Target, Task, Verdict};

use automata::{automata, automaton};
use oracle::{Answer, search};

const MOST_STATES: usize = 2_000;
const MOST_KEPT: u64 = 1_000;

const LONGEST: Duration = Duration::from_secs(5);

/// The first four know values.
const FORMS: [&str; 6] = ["plain", "source", "local", "sleep", "interval", "bdd"];

/// Whose automata they are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Whose {
    /// The program's own: known values decide them.
    Own,
    /// Made of names: forms but the first two take turns.
    MadeUp,
}

fn engine(form: &str) -> CpaEngine {
    let options = Options { most_states: Some(MOST_KEPT), ..Options::default() };
    match form {
        "plain" => CpaEngine::value(Options { reduction: Reduction::None, facts: false, ..options }),
        "local" => CpaEngine::value(Options { reduction: Reduction::LocalGlobal, ..options }),
        "source" => CpaEngine::value(options),
        "sleep" => CpaEngine::value(Options { sleep: true, ..options }),
        "interval" => CpaEngine::interval(options),
        "bdd" => CpaEngine::bdd(options),
        _ => unreachable!("one of the forms"),
    }
}

/// How often there was which verdict: proved, violated, open, open though there is a run.
#[derive(Default)]
struct Tally(BTreeMap<&'static str, [usize; 4]>);

#[test]
fn agrees_on_the_listed_programs() {
    check_files("tests/programs");
}

/// With automata of their own, `// spec: …`.
#[test]
fn decides_small_programs() {
    check_files("crates/engine-cpa/tests/specifications/programs");
}

/// A proof is one for its automaton only.
#[test]
fn proofs_are_not_mistaken_for_others() {
    let program = testing::program("void f(int n) {} int main(void) { f(1); f(2); return 0; }");
    let of = |text| automaton(&program, text).expect("it fits the program");
    let kept = of("{ initial state s { on call f(2) goto t; } state t { on call f(1) goto error \"e\"; } }");
    let broken = of("{ initial state s { on call f(1) goto t; } state t { on call f(2) goto error \"e\"; } }");
    let facts = SharedFacts::default();
    let targets = [Target::Specification].into_iter().collect();
    let task = Task { program: &program, targets, facts: &facts, specification: Some(&kept), condition: None };
    let outcome = engine("source").run(&task, &Budget::unlimited(), &mut Silent).expect("this engine does not fail");
    let Verdict::Holds(proof) = outcome.verdict else { panic!("it is proved") };
    assert_eq!(certify::check(&program, targets, Some(&kept), &proof), Ok(()));
    assert!(certify::check(&program, targets, Some(&broken), &proof).is_err());
    assert!(certify::check(&program, targets, None, &proof).is_err());
    assert_eq!(certify::check(&program, targets, Some(&kept), &proof), Ok(()), "the first ones have not harmed it");
}

fn check_files(folder: &str) {
    let tallies = testing::on_files(&files(folder), |path, Listed { program, inputs }| {
        let text = std::fs::read_to_string(path).expect("it was read before");
        let own = text.lines().filter_map(|line| line.strip_prefix("// spec: "));
        let own = own.map(|text| (text.to_owned(), automaton(program, text).expect("it fits the program")));
        let mut tally = Tally::default();
        let mut wrong = check(program, inputs, own.collect(), Whose::Own, &mut tally);
        wrong.extend(check(program, inputs, automata(program), Whose::MadeUp, &mut tally));
        if wrong.is_empty() { Ok(tally) } else { Err(wrong.join("\n")) }
    });
    Tally::sum(tallies).finish();
}

#[test]
fn agrees_on_random_programs() {
    let options = |_| GenerateOptions { threads: 2, statements: 4, ..GenerateOptions::default() };
    let tallies = testing::on_random_programs(40, options, |_, program| {
        let mut tally = Tally::default();
        let wrong = check(program, &[0, 1, -2], automata(program), Whose::MadeUp, &mut tally);
        if wrong.is_empty() { Ok(tally) } else { Err(wrong.join("\n")) }
    });
    Tally::sum(tallies).finish();
}

/// What is wrong with what the engine says in its forms.
fn check(
    program: &Program,
    inputs: &[i64],
    automata: Vec<(String, Automaton)>,
    whose: Whose,
    tally: &mut Tally,
) -> Vec<String> {
    let machine = Machine::new(program);
    let facts = SharedFacts::default();
    let mut wrong = Vec::new();
    for (turn, (text, automaton)) in automata.into_iter().enumerate() {
        let answer = search(&machine, &automaton, inputs, MOST_STATES);
        let forms = match whose {
            Whose::Own => FORMS.to_vec(),
            Whose::MadeUp => vec![FORMS[0], FORMS[1], FORMS[2 + turn % 3]],
        };
        for form in forms {
            let targets = [Target::Specification].into_iter().collect();
            let task = Task { program, targets, facts: &facts, specification: Some(&automaton), condition: None };
            let outcome = engine(form)
                .run(&task, &Budget::unlimited().with_time(LONGEST), &mut Silent)
                .expect("this engine does not fail");
            tally.add(form, answer, &outcome.verdict);
            let judged = judge(
                &machine,
                &automaton,
                answer,
                whose == Whose::Own && FORMS[..4].contains(&form),
                &outcome.verdict,
            );
            wrong.extend(judged.err().map(|problem| format!("{form}: {problem}: {text}")));
        }
    }
    wrong
}

fn judge(
    machine: &Machine<'_>,
    automaton: &Automaton,
    answer: Answer,
    is_exact: bool,
    verdict: &Verdict,
) -> Result<(), String> {
    match verdict {
        Verdict::Holds(_) if answer.found => Err("said to hold, but a run shows an error".into()),
        Verdict::Holds(proof) => {
            let targets = [Target::Specification].into_iter().collect();
            certify::check(machine.program, targets, Some(automaton), proof)
                .map_err(|why| format!("the proof fails: {why}"))?;
            match certify::check(machine.program, targets, None, proof) {
                Ok(()) => Err("the proof passes without a specification".into()),
                Err(_) => Ok(()),
            }
        }
        Verdict::Violated { trace, .. } => {
            certify::confirm_specification(machine, automaton, trace)
                .map_err(|why| format!("the run is not confirmed: {why}"))?;
            // Only some inputs are tried.
            let known = answer.found || !answer.complete || has_choices(trace);
            if known { Ok(()) } else { Err("a run is confirmed that is not among all".into()) }
        }
        Verdict::Open(reason) if is_exact => Err(format!("open: {reason:?}")),
        Verdict::Open(_) => Ok(()),
    }
}

fn has_choices(trace: &Trace) -> bool {
    !trace.start.is_empty() || trace.steps.iter().any(|step| !step.choices.is_empty())
}

impl Tally {
    fn add(&mut self, form: &'static str, answer: Answer, verdict: &Verdict) {
        let line = self.0.entry(form).or_default();
        match verdict {
            Verdict::Holds(_) => line[0] += 1,
            Verdict::Violated { .. } => line[1] += 1,
            Verdict::Open(_) => {
                line[2] += 1;
                line[3] += usize::from(answer.found);
            }
        }
    }

    fn sum(all: Vec<Tally>) -> Tally {
        let mut sum = Tally::default();
        for (form, line) in all.into_iter().flat_map(|tally| tally.0) {
            sum.0.entry(form).or_default().iter_mut().zip(line).for_each(|(all, one)| *all += one);
        }
        sum
    }

    /// Prints the table. Agreement means something only if most is decided.
    fn finish(&self) {
        self.print();
        let [decided, open] = self.0.values().fold([0, 0], |[decided, all_open], [proved, violated, open, _]| {
            [decided + proved + violated, all_open + open]
        });
        assert!(decided >= open, "{open} verdicts are open, {decided} are not");
    }

    fn print(&self) {
        println!("{:10} {:>8} {:>8} {:>8} {:>8}", "engine", "proved", "violated", "open", "missed");
        for (form, [proved, violated, open, missed]) in &self.0 {
            println!("{form:10} {proved:>8} {violated:>8} {open:>8} {missed:>8}");
        }
    }
}
