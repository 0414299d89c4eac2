//! What a run must not reach. Properties are made of targets; engines know only these.

use program::End;
use semantics::{Effects, Ending, Machine, State, Violation, live_blocks, lost_block};

/// One kind of event or state.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Target {
    /// The program says that something is wrong: an error function, a failed assertion.
    Error,
    /// Two accesses that conflict are both next.
    Race,
    /// No thread can go on, or threads wait for each other in a circle.
    Deadlock,
    /// A signed operation leaves the range of its type.
    Overflow,
    InvalidAccess,
    InvalidFree,
    /// A heap block that nothing leads to.
    Lost,
    /// A heap block that is still there when the program ends.
    NotFreed,
    /// The run never ends. No finite run shows that, so nothing finds it yet; but a proof of termination must exclude it.
    Endless,
    /// An error state of the task's specification.
    Specification,
    /// The run ends by undefined behaviour, whatever it is.
    Undefined,
}

impl Target {
    pub const ALL: [Target; 11] = [
        Target::Error,
        Target::Race,
        Target::Deadlock,
        Target::Overflow,
        Target::InvalidAccess,
        Target::InvalidFree,
        Target::Lost,
        Target::NotFreed,
        Target::Endless,
        Target::Specification,
        Target::Undefined,
    ];

    /// The kind that a violation at a step is of.
    pub fn of(violation: Violation) -> Target {
        match violation {
            Violation::Error(_) => Target::Error,
            Violation::Overflow => Target::Overflow,
            Violation::InvalidAccess => Target::InvalidAccess,
            Violation::InvalidFree => Target::InvalidFree,
            Violation::Undefined => Target::Undefined,
        }
    }

    /// Does a run show the target that ends with a step of these effects, or with the state behind it? What a specification forbids
    /// is decided by its monitor automaton.
    pub fn is_shown(self, machine: &Machine<'_>, state: &State, last: &Effects) -> bool {
        last.violations.iter().any(|violation| Target::of(*violation) == self)
            || self.is_shown_by_state(machine, state, last.ending.as_ref())
    }

    /// Does a run show the target that comes to this state and goes on from it, or ends so? Memory is lost, or not freed, in a run
    /// that returns from `main` or whose threads have all ended, lost also in one that goes on: who exits, aborts or is cut
    /// checks nothing.
    pub fn is_shown_by_state(self, machine: &Machine<'_>, state: &State, ending: Option<&Ending>) -> bool {
        let returns = ending == Some(&Ending::Program(End::Return));
        match self {
            Target::Race => ending.is_none() && machine.race(state).is_some(),
            Target::Deadlock => ending.is_none() && machine.is_deadlock(state),
            Target::Lost => (ending.is_none() || returns) && lost_block(state).is_some(),
            Target::NotFreed => {
                let finished = || ending.is_none() && state.threads.iter().all(|thread| thread.frames.is_empty());
                (returns || finished()) && live_blocks(state).next().is_some()
            }
            Target::Error | Target::Overflow | Target::InvalidAccess | Target::InvalidFree | Target::Undefined => false,
            Target::Endless | Target::Specification => false,
        }
    }

    pub fn describe(self) -> &'static str {
        match self {
            Target::Error => "an error that the program itself reports",
            Target::Race => "a data race",
            Target::Deadlock => "a deadlock",
            Target::Overflow => "a signed overflow",
            Target::InvalidAccess => "an invalid access",
            Target::InvalidFree => "an invalid free",
            Target::Lost => "lost memory",
            Target::NotFreed => "memory that is not freed",
            Target::Endless => "an endless run",
            Target::Specification => "the specification's error state",
            Target::Undefined => "undefined behaviour",
        }
    }
}

/// A set of targets.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Targets(u16);

impl Targets {
    pub fn contains(self, target: Target) -> bool {
        self.0 & 1 << target as u8 != 0
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn iter(self) -> impl Iterator<Item = Target> {
        Target::ALL.into_iter().filter(move |target| self.contains(*target))
    }

    pub fn remove(&mut self, target: Target) {
        self.0 &= !(1 << target as u8);
    }
}

impl FromIterator<Target> for Targets {
    fn from_iter<I: IntoIterator<Item = Target>>(targets: I) -> Self {
        Targets(targets.into_iter().fold(0, |set, target| set | 1 << target as u8))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_put_in() {
        let mut set: Targets = Target::ALL.into_iter().collect();
        assert!(set.iter().eq(Target::ALL));
        set.remove(Target::Endless);
        assert!(!set.contains(Target::Endless) && set.contains(Target::Error));
        assert_eq!(set.iter().count(), Target::ALL.len() - 1);
        assert!(Targets::default().iter().next().is_none() && Targets::default().is_empty());
    }
}
