//! Under which condition a program was verified: an assumption automaton over the steps of threads (Beyer, Henzinger, Keremoglu and
//! Wendler, "Conditional Model Checking", technical report MIP-1107, University of Passau, 2011: section III-B has the assumptions, the
//! example of section I the automaton made of them).
//!
//! The automaton runs beside a run of the program. A step with which it has a transition, whose assumption holds in the state behind
//! the step, stays inside; with any other step the run leaves. What is said of runs: no step that stays inside, and no state that is
//! come to inside, the first one included, shows a target. What happens behind a step that leaves is left to be verified, and so is
//! the step itself. So what a search did not look at has no transition: states that still wait, steps at which something was not
//! supported, and steps that a reduction put off, unless the search was finished.

use base::{IndexVec, index_type};
use logic::{Sort, Term};
use program::{EdgeId, FunctionId, Location, Program};
use semantics::ThreadId;

use crate::{Formulas, Verdict};

index_type! {
    /// A state of a condition's automaton.
    pub struct StateId = "q";
}

/// An edge of a thread; the function is that of its newest frame. Threads are numbered in order of creation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct ThreadStep {
    pub thread: ThreadId,
    pub function: FunctionId,
    pub edge: EdgeId,
}

#[derive(Clone, Debug)]
pub struct Condition {
    pub formulas: Formulas,
    /// `None` if nothing was verified, not even the first state of the program.
    initial: Option<StateId>,
    /// The first one is [`Condition::VERIFIED`] and has no transitions of its own.
    states: IndexVec<StateId, Vec<Transition>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Transition {
    step: ThreadStep,
    /// `None` for true.
    assumption: Option<Term>,
    to: StateId,
}

/// What becomes of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Follow {
    Inside(StateId),
    /// Inside if the formula holds in the state behind the step.
    If(Term, StateId),
    Outside,
}

/// The sizes of an unfinished search: the summary of its condition. Steps that a reduction put off are not counted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Summary {
    pub expanded: u64,
    pub left: u64,
    /// Where the threads of states that are left are, from the first thread on, with how many there are; the most first.
    pub places: Vec<(Vec<(FunctionId, Location)>, u64)>,
}

impl Condition {
    /// From here on every step stays inside.
    pub const VERIFIED: StateId = StateId(0);

    /// Everything is left.
    pub fn nothing() -> Condition {
        Condition { formulas: Formulas::default(), initial: None, states: IndexVec::from_iter([Vec::new()]) }
    }

    /// Nothing is left.
    pub fn everything() -> Condition {
        Condition { initial: Some(Condition::VERIFIED), ..Condition::nothing() }
    }

    /// The first state of the program was verified, and no step yet.
    pub fn of_first_state() -> Condition {
        let mut condition = Condition::nothing();
        condition.initial = Some(condition.add_state());
        condition
    }

    /// What follows from a verdict alone.
    pub fn of(verdict: &Verdict) -> Condition {
        match verdict {
            Verdict::Holds(_) => Condition::everything(),
            Verdict::Violated { .. } | Verdict::Open(_) => Condition::nothing(),
        }
    }

    /// Where runs begin, if they are inside at all.
    pub fn initial(&self) -> Option<StateId> {
        self.initial
    }

    pub fn add_state(&mut self) -> StateId {
        self.states.push(Vec::new())
    }

    /// A step stays inside, where the assumption holds behind it. Panics if there is a transition with that step, or if the state is
    /// [`Condition::VERIFIED`], which has all.
    pub fn add(&mut self, from: StateId, step: ThreadStep, assumption: Option<Term>, to: StateId) {
        assert_ne!(from, Condition::VERIFIED, "every step stays inside there");
        let transitions = &mut self.states[from];
        match transitions.binary_search_by_key(&step, |transition| transition.step) {
            Ok(_) => panic!("{from} has two transitions with one step"),
            Err(place) => transitions.insert(place, Transition { step, assumption, to }),
        }
    }

    /// Does a step stay inside?
    pub fn follow(&self, state: StateId, step: ThreadStep) -> Follow {
        if state == Condition::VERIFIED {
            return Follow::Inside(state);
        }
        let transitions = &self.states[state];
        let Ok(found) = transitions.binary_search_by_key(&step, |transition| transition.step) else {
            return Follow::Outside;
        };
        let Transition { assumption, to, .. } = transitions[found];
        assumption.map_or(Follow::Inside(to), |assumption| Follow::If(assumption, to))
    }

    /// Was nothing verified?
    pub fn is_empty(&self) -> bool {
        self.initial.is_none()
    }

    /// Is nothing left, by the automaton alone? Whether assumptions always hold, or whether steps that leave are possible, it
    /// does not.
    pub fn is_trivial(&self) -> bool {
        self.initial == Some(Condition::VERIFIED)
    }

    pub fn states(&self) -> usize {
        self.states.len()
    }

    /// Is it a condition of this program: are its states, steps and formulas there?
    pub fn check(&self, program: &Program) -> Result<(), String> {
        let transitions = self.states.iter_enumerated().flat_map(|(from, all)| all.iter().map(move |t| (from, t)));
        for (from, Transition { step, assumption, to }) in transitions {
            let edges = program.functions.get(step.function).map_or(0, |function| function.edges.len());
            if step.edge.0 as usize >= edges {
                return Err(format!("{from}: the program has no edge {} {}", step.function, step.edge));
            }
            if self.states.get(*to).is_none() {
                return Err(format!("{from}: there is no state {to}"));
            }
            if let Some(assumption) = assumption {
                let result = self.formulas.check(program, *assumption, Sort::Bool);
                result.map_err(|why| format!("{from}, {} {}: {why}", step.function, step.edge))?;
            }
        }
        Ok(())
    }
}
