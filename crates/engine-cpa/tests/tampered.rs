//! Proofs that were tampered with, or that are taken for more than they prove: the checker refuses each for its reason.

mod support;

use std::any::Any;
use std::rc::Rc;

use analyses::ReachedSet;
use engine_cpa::{CpaEngine, Options, Reduction};
use program::Program;
use verify::{Certificate, Proof, SharedFacts, Target, Verdict};

/// What the programs need.
const HEAD: &str = "typedef unsigned long pthread_t; typedef union { char size[40]; long align; } pthread_mutex_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);\n\
    int pthread_mutex_lock(pthread_mutex_t *); void *malloc(unsigned long); void reach_error(void); int x, y;\n";

const RACY: &str = "void *f(void *p) { x = 1; x = 2; return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x = 3; y = x; if (y == 2) reach_error(); return 0; }";
const STUCK: &str = "pthread_mutex_t m; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); return 0; }";
const LEAKING: &str = "int main(void) { char *p = malloc(4); p = 0; return 0; }";
const KEEPING: &str = "char *p; int main(void) { p = malloc(4); return 0; }";
const SPINNING: &str = "void *spin(void *p) { for (;;) { } }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, spin, 0); x = 1; y = x; for (;;) { x = x + 1 & 1; } }";

fn built(text: &str) -> Program {
    testing::program(&format!("{HEAD}{text}"))
}

/// The states by which the engine proves that the target is not reached.
fn proved(program: &Program, reduction: Reduction, target: Target) -> ReachedSet {
    let options = Options { reduction, always: true, ..Options::default() };
    let outcome = support::run(&mut CpaEngine::value(options), program, &SharedFacts::default(), target);
    let Verdict::Holds(Proof::Reached(set)) = outcome.verdict else { panic!("{target:?}: {:?}", outcome.verdict) };
    let set: Rc<ReachedSet> = (set as Rc<dyn Any>).downcast().expect("it is from these analyses");
    Rc::into_inner(set).expect("it is not shared")
}

#[track_caller]
fn refused(program: &Program, set: ReachedSet, target: Target, why: &str) {
    let proof = Proof::Reached(Rc::new(set));
    assert_eq!(certify::check(program, [target].into_iter().collect(), None, &proof), Err(why.to_owned()));
}

#[derive(Debug)]
struct Elsewhere;

impl Certificate for Elsewhere {
    fn states(&self) -> usize {
        0
    }
}

#[test]
fn a_reached_set_of_another_analysis_is_refused() {
    let proof = Proof::Reached(Rc::new(Elsewhere));
    let why = "it is from an analysis that the checker does not know";
    assert_eq!(certify::check(&built(RACY), [Target::Deadlock].into_iter().collect(), None, &proof), Err(why.into()));
}

#[test]
fn an_untampered_proof_passes() {
    let program = built(RACY);
    let proof = Proof::Reached(Rc::new(proved(&program, Reduction::None, Target::Deadlock)));
    assert_eq!(certify::check(&program, [Target::Deadlock].into_iter().collect(), None, &proof), Ok(()));
}

#[test]
fn no_state_may_be_missing() {
    let program = built(RACY);
    let states = proved(&program, Reduction::None, Target::Deadlock).states.len();
    for missing in 0..states {
        let mut set = proved(&program, Reduction::None, Target::Deadlock);
        set.states.remove(missing);
        refused(&program, set, Target::Deadlock, "a state is not in the reached set");
    }
}

#[test]
fn other_targets_are_found_in_the_states() {
    let (racy, stuck) = (built(RACY), built(STUCK));
    let set = || proved(&racy, Reduction::None, Target::Deadlock);
    refused(&racy, set(), Target::Error, "a step from a state shows a target");
    refused(&racy, set(), Target::Race, "a state has a race");
    refused(&racy, set(), Target::Endless, "reached states say nothing of endless runs");
    refused(&racy, set(), Target::Specification, "which specification is meant is not known");
    refused(&stuck, proved(&stuck, Reduction::None, Target::Error), Target::Deadlock, "a state is a deadlock");
    let (leaking, keeping) = (built(LEAKING), built(KEEPING));
    let set = |program, reduction| proved(program, reduction, Target::Error);
    refused(&leaking, set(&leaking, Reduction::None), Target::Lost, "a state has lost memory");
    let reduced = set(&keeping, Reduction::Source);
    refused(&keeping, reduced, Target::NotFreed, "the reduction does not preserve lost memory");
    let all = set(&keeping, Reduction::None);
    refused(&keeping, all, Target::NotFreed, "a state ends with memory that is not freed");
}

#[test]
fn threads_that_are_left_out_must_be_independent() {
    let program = built(RACY);
    let tampered = |chosen: &[u16]| {
        let mut set = proved(&program, Reduction::Source, Target::Deadlock);
        let all = set.states.iter_mut().filter(|state| state.chosen.is_none());
        all.skip(1).for_each(|state| state.chosen = Some(chosen.iter().copied().collect()));
        set
    };
    // One that is there twice is no other.
    for chosen in [&[0][..], &[0, 0]] {
        let why = "the chosen threads do not suffice at a state";
        refused(&program, tampered(chosen), Target::Deadlock, why);
    }
    refused(&program, tampered(&[7]), Target::Deadlock, "a chosen thread cannot go on");
}

#[test]
fn no_thread_is_put_off_for_ever() {
    let program = built(SPINNING);
    let states = proved(&program, Reduction::Source, Target::Error).states.len();
    let said = (0..states).map(|state| {
        let mut set = proved(&program, Reduction::Source, Target::Error);
        set.states[state].chosen = Some([1].into_iter().collect());
        let proof = Proof::Reached(Rc::new(set));
        certify::check(&program, [Target::Error].into_iter().collect(), None, &proof)
    });
    // Where the thread that spins is the only one that goes on.
    assert!(said.into_iter().any(|said| said == Err("a thread may be put off for ever".to_owned())));
}

#[test]
fn states_that_are_looked_at_elsewhere_prove_nothing() {
    let program = built(RACY);
    let set = proved(&program, Reduction::None, Target::Deadlock);
    set.tables.take();
    refused(&program, set, Target::Deadlock, "its states are in use elsewhere");
}
