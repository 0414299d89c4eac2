//! A small symbolic engine over the public seams: it agrees with the exhaustive explorer, its violations are confirmed, its proofs
//! are well-formed, and what it leaves under a bound another run takes up by the condition.

mod engine;

use base::Budget;
use engine::Toy;
use program::Program;
use semantics::{Limits, Machine};
use verify::{Condition, Engine, Outcome, Proof, Reason, SharedFacts, Silent, Statistic, Target, Task, Verdict};

const HEAD: &str = "typedef unsigned long pthread_t; typedef union { char size[40]; long align; } pthread_mutex_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);\n\
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);\n\
    int __VERIFIER_nondet_int(void); void reach_error(void);\n\
    int x, y; unsigned char a[4]; pthread_mutex_t m, n;\n";

/// What is declared above, two threads `f` and `main`, and a check behind the join.
const PROGRAMS: [(&str, &str, &str, &str); 8] = [
    ("lost_update", "x = x + 1;", "x = x + 1;", "if (x != 2) reach_error();"),
    (
        "locked",
        "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x = x + 1; pthread_mutex_unlock(&m);",
        "if (x != 2) reach_error();",
    ),
    (
        "two_locks",
        "pthread_mutex_lock(&m); pthread_mutex_lock(&n); pthread_mutex_unlock(&n); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&n); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); pthread_mutex_unlock(&n);",
        "",
    ),
    ("input", "y = x;", "int i = __VERIFIER_nondet_int(); if (i > 1) x = i; ", "if (y == 3) reach_error();"),
    ("excluded", "y = x;", "int i = __VERIFIER_nondet_int(); if (i > 1) x = i; ", "if (y == 1) reach_error();"),
    ("division", "x = 1;", "int i = __VERIFIER_nondet_int(); y = 7 / (x + i);", "if (y == 2) reach_error();"),
    ("overflow", "y = 1;", "int i = __VERIFIER_nondet_int(); x = i * 1000000000 + y;", ""),
    (
        "index",
        "x = 5;",
        "int i = __VERIFIER_nondet_int(); a[i & 7] = x; a[x & 3] = 1;",
        "if (a[3] == 5) reach_error();",
    ),
];
const TARGETS: [Target; 5] =
    [Target::Error, Target::Overflow, Target::Undefined, Target::InvalidAccess, Target::Deadlock];
const INPUTS: [i64; 4] = [0, 1, 3, -1];

fn built((name, thread, main, after): (&str, &str, &str, &str)) -> Program {
    let text = format!(
        "{HEAD}void *f(void *p) {{ {thread} return p; }}\n\
         int main(void) {{ pthread_t t; pthread_create(&t, 0, f, 0); {main} pthread_join(t, 0); {after} return 0; }}"
    );
    testing::try_program(&text).unwrap_or_else(|problem| panic!("{name}: {problem}"))
}

fn run(program: &Program, target: Target, most_nodes: Option<u64>, condition: Option<&Condition>) -> Outcome {
    let (targets, facts) = ([target].into_iter().collect(), SharedFacts::default());
    let task = Task { program, targets, specification: None, facts: &facts, condition };
    let mut engine = Toy { inputs: INPUTS.to_vec(), most_nodes };
    engine.run(&task, &Budget::unlimited(), &mut Silent).expect("it does not fail")
}

/// Does the exhaustive explorer reach the target?
fn is_reached(program: &Program, target: Target) -> bool {
    let limits = Limits { inputs: INPUTS.to_vec(), ..Limits::default() };
    let exploration = Machine::new(program).explore(&limits);
    assert!(exploration.complete);
    exploration.outcomes.keys().any(|outcome| match outcome {
        semantics::Outcome::Error(_) => target == Target::Error,
        semantics::Outcome::Overflow => target == Target::Overflow,
        semantics::Outcome::Undefined(_) => target == Target::Undefined,
        semantics::Outcome::InvalidAccess => target == Target::InvalidAccess,
        semantics::Outcome::Deadlock => target == Target::Deadlock,
        _ => false,
    })
}

fn statistic(outcome: &Outcome, wanted: Statistic) -> u64 {
    outcome.statistics.iter().find(|(name, _)| *name == wanted).map_or(0, |(_, count)| *count)
}

/// Each violation is confirmed by the interpreter; each proof has its form, and is refused for want of a solver only.
#[test]
fn it_agrees_with_the_explorer() {
    let (mut held, mut violated) = (0, 0);
    for described in PROGRAMS {
        let (name, program) = (described.0, built(described));
        for target in TARGETS {
            match run(&program, target, None, None).verdict {
                Verdict::Violated { target: found, trace } => {
                    assert!(found == target && is_reached(&program, target), "{name}: {target:?}");
                    let confirmed = certify::confirm(&Machine::new(&program), target, &trace).err();
                    assert_eq!(confirmed, None, "{name}: {target:?}");
                    violated += 1;
                }
                Verdict::Holds(proof @ Proof::Tree(_)) => {
                    assert!(!is_reached(&program, target), "{name}: {target:?}");
                    let refused = certify::check(&program, [target].into_iter().collect(), None, &proof);
                    assert_eq!(refused, Err("there is no solver to check its formulas with".to_owned()), "{name}");
                    held += 1;
                }
                verdict => panic!("{name}: {target:?}: {verdict:?}"),
            }
        }
    }
    assert_eq!((held, violated), (31, 9));
}

/// A bounded run, then one without a bound that verifies what is left: the verdict is that of one run over everything.
#[test]
fn a_condition_is_taken_up() {
    let (mut saved, mut open) = (0, 0);
    for described in PROGRAMS {
        let (name, program) = (described.0, built(described));
        for target in [Target::Error, Target::Undefined, Target::Deadlock] {
            let whole = run(&program, target, None, None);
            for bound in [0, 1, 20, 300] {
                let bounded = run(&program, target, Some(bound), None);
                if !matches!(bounded.verdict, Verdict::Open(Reason::Partly(..))) {
                    continue;
                }
                assert_eq!(bounded.condition.check(&program), Ok(()), "{name}");
                assert!(!bounded.condition.is_trivial() && !bounded.condition.is_empty());
                let rest = run(&program, target, None, Some(&bounded.condition));
                let same = std::mem::discriminant(&rest.verdict) == std::mem::discriminant(&whole.verdict);
                assert!(same, "{name}: {target:?} after {bound} nodes: {:?}", rest.verdict);
                let (all, left) = (statistic(&whole, Statistic::States), statistic(&rest, Statistic::States));
                saved += u32::from(left < all);
                open += 1;
            }
        }
    }
    assert!(open > 50 && saved > 20, "{saved} of {open} runs had less to do");
}

/// Conditions of everything and of nothing are the two ends.
#[test]
fn everything_verified_leaves_nothing() {
    let program = built(PROGRAMS[0]);
    let none = run(&program, Target::Error, None, Some(&Condition::everything()));
    assert!(matches!(none.verdict, Verdict::Holds(_)) && none.condition.is_trivial());
    assert_eq!(statistic(&none, Statistic::StopChecks), 0);
    let all = run(&program, Target::Error, None, Some(&Condition::nothing()));
    assert!(matches!(all.verdict, Verdict::Violated { .. }) && all.condition.is_empty());
}

#[test]
fn what_it_cannot_see_stays_open() {
    let outcome = run(&built(PROGRAMS[1]), Target::Race, None, None);
    assert!(matches!(outcome.verdict, Verdict::Open(Reason::Beyond(Target::Race))));
    assert!(outcome.condition.is_empty());
}
