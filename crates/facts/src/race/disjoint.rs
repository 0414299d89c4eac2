//! Accesses to different parts of one object: threads that were given different numbers or objects, or took different numbers from a
//! counter that only rises.

use base::Idx;
use program::Program;

use super::AbstractAccess;
use crate::analysis::{ArgumentShape, Facts};
use crate::guard::Guard;
use crate::offsets::Offsets;
use crate::replicas::Bound;
use crate::tables::{AbstractObject, Base};
use crate::value::{Symbol, Term};

impl Facts {
    /// Do two threads of an abstract thread touch different parts, because what they were given differs?
    pub(crate) fn are_disjoint(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        let (Some(x), Some(y)) = (a.term, b.term) else { return false };
        if self.have_taken(a, x, b, y) {
            return true;
        }
        if self.is_ahead(a, x, b, y) || self.is_ahead(b, y, a, x) {
            return true;
        }
        let own = Symbol::Argument(a.abstract_thread);
        if a.abstract_thread != b.abstract_thread || x.symbol != own || y.symbol != own || x.base != y.base {
            return false;
        }
        match self.solution.abstract_threads[a.abstract_thread.index()].shape {
            ArgumentShape::Objects => x.coefficient == 1 && y.coefficient == 1 && x.base.is_none(),
            ArgumentShape::Numbers { .. } => {
                let reach = reach(a, x, b, y);
                x.coefficient == y.coefficient
                    && reach.is_some_and(|reach| reach <= u128::from(x.coefficient.unsigned_abs()))
            }
            ArgumentShape::None | ArgumentShape::Unknown => false,
        }
    }

    /// Do both touch what belongs to a number that they took from one counter?
    fn have_taken(&self, a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> bool {
        let taken = |access: &AbstractAccess, term: Term| match term.symbol {
            Symbol::Variable(variable) => access.state.taken.get(variable).copied(),
            _ => None,
        };
        let (Some((of_a, by_a)), Some((of_b, by_b))) = (taken(a, x), taken(b, y)) else { return false };
        let Some(reach) = reach(a, x, b, y) else { return false };
        let apart = u128::from(x.coefficient.unsigned_abs()) * u128::from(by_a.min(by_b).unsigned_abs());
        of_a == of_b
            && !self.solution.falling.contains(&of_a)
            && matches!(self.solution.guards.get(&of_a), Some(Guard::Locks(_)))
            && x.base == y.base
            && x.coefficient == y.coefficient
            && reach <= apart
    }

    /// Has one of them seen a global that only rises higher than it is for the other, which has privatised it?
    pub(super) fn is_too_early(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        b.state.seen.iter().any(|(base, seen)| {
            let AbstractObject::Global(global) = self.tables.abstract_object(Base(base)) else { return false };
            let held = a.state.privatised.contains(base) && !self.solution.falling.contains(&Base(base));
            let guarded = matches!(self.solution.guards.get(&Base(base)), Some(Guard::Locks(_)));
            let ty = program.types.scalar(program.globals[global].ty);
            let (Some(ty), Some(contents)) = (ty, a.state.memory.get(base)) else { return false };
            let now = contents.read(&self.tables, program, Offsets::ZERO, ty).as_range();
            held && guarded && now.is_some_and(|now| now.max_signed() < *seen)
        })
    }

    /// Does the creator of an abstract thread touch a part that it has given to none of its threads yet?
    fn is_ahead(&self, creator: &AbstractAccess, mine: Term, member: &AbstractAccess, theirs: Term) -> bool {
        let replicas = creator.state.replicas.get(member.abstract_thread.0).and_then(|replicas| replicas.arguments);
        let (Some(arguments), Symbol::Argument(abstract_thread)) = (replicas, theirs.symbol) else { return false };
        let Some(reach) = reach(creator, mine, member, theirs) else { return false };
        abstract_thread == member.abstract_thread
            && !self.is_many(creator.abstract_thread)
            && matches!(self.solution.abstract_threads[abstract_thread.index()].shape, ArgumentShape::Numbers { .. })
            && mine.base == theirs.base
            && mine.coefficient == theirs.coefficient
            && reach <= u128::from(mine.coefficient.unsigned_abs())
            && creator.state.is_below(arguments.below, Bound::of(mine.symbol, 0))
    }
}

/// How many bytes both touch together, with those between, if their symbols had one value.
pub(super) fn reach(a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> Option<u128> {
    Some(u128::from(x.offset?.abs_diff(y.offset?)) + u128::from(a.size.max(b.size)))
}
