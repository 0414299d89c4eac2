//! Locksets at accesses (Savage et al., "Eraser", TOCS 1997), also symbolic ones: a lock that lies at a fixed distance from the
//! accessed memory protects it, whichever object that is (per-element locks in Goblint: Vojdani et al., ASE 2016).

use program::Program;

use super::AbstractAccess;
use crate::analysis::Facts;
use crate::locks::{Lock, LockPlace, Mode};
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{Base, Role};
use crate::value::{Symbol, Term};

impl Facts {
    /// Is there a lock that all of them hold, all but readers exclusively?
    pub(super) fn have_common_lock(&self, accesses: &[AbstractAccess]) -> bool {
        accesses.iter().all(|access| access.state.sections > 0) || !self.protecting_lockset(accesses).is_empty()
    }

    /// Locks that are surely held and that no other thread opens.
    pub fn useful_locks<'c>(&'c self, access: &'c AbstractAccess) -> impl Iterator<Item = &'c Lock> {
        self.unbroken_locks(&access.state)
    }

    pub fn unbroken_locks<'c>(&'c self, state: &'c ThreadState) -> impl Iterator<Item = &'c Lock> {
        state.locks.iter().filter(|lock| {
            let broken = |base: &Base, at: Offsets| {
                let base = self.tables.as_role(*base, Role::Shared);
                self.solution.broken.get(&(lock.name.kind, base)).is_some_and(|spoiled| spoiled.overlaps(1, at, 1))
            };
            lock.condition.is_none() && !lock.targets.iter().any(|(base, at)| broken(base, *at))
        })
    }

    pub(crate) fn hold_same_lock(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        self.useful_locks(a).any(|first| {
            self.useful_locks(b).any(|second| {
                let exclusive = first.mode == Mode::Exclusive || second.mode == Mode::Exclusive;
                let same = || same_lock(a, first, b, second) || self.are_alike(program, a, first, b, second);
                exclusive && first.name.kind == second.name.kind && same()
            })
        })
    }

    /// Both locks lie as far from what is touched, and what is touched is the same if it overlaps.
    fn are_alike(
        &self,
        program: &Program,
        a: &AbstractAccess,
        first: &Lock,
        b: &AbstractAccess,
        second: &Lock,
    ) -> bool {
        let (mine, theirs) = (self.displacement(program, a, first), self.displacement(program, b, second));
        mine.is_some() && mine == theirs && a.at.coincides(a.size, b.at, b.size)
    }

    /// How far the lock is from what is touched.
    fn displacement(&self, program: &Program, access: &AbstractAccess, lock: &Lock) -> Option<i64> {
        match (lock.name.place, access.term) {
            (LockPlace::Relative(at), Some(term)) => {
                let alike = at.base == term.base && at.coefficient == term.coefficient && at.symbol == term.symbol;
                at.offset.filter(|_| alike)?.checked_sub(term.offset?)
            }
            (LockPlace::At(base, offset), _) => {
                let one = base == access.base && self.tables.is_single(program, base);
                offset.checked_sub(access.at.as_constant().filter(|_| one)?)
            }
            _ => None,
        }
    }
}

/// Is it the same lock, if the accesses overlap?
pub(crate) fn same_lock(a: &AbstractAccess, first: &Lock, b: &AbstractAccess, second: &Lock) -> bool {
    match (first.name.place, second.name.place) {
        (LockPlace::At(base, offset), LockPlace::At(other, place)) => base == other && offset == place,
        (LockPlace::Relative(x), LockPlace::Relative(y)) => {
            let constant = matches!(x.symbol, Symbol::Cell(..)) && x == y;
            constant || follows(a, x, b, y)
        }
        _ => false,
    }
}

/// Both locks follow from the address in the same way, and equal addresses come from equal values.
pub(super) fn follows(a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> bool {
    let (Some(p), Some(q)) = (a.term, b.term) else { return false };
    let alike = |s: Term, t: Term| s.base == t.base && s.coefficient == t.coefficient && s.offset == t.offset;
    let tied = x.symbol == p.symbol && y.symbol == q.symbol && alike(p, q) && alike(x, y) && p.offset.is_some();
    let equal = if p.base.is_none() && p.coefficient.unsigned_abs() == 1 {
        a.at.coincides(a.size, b.at, b.size)
    } else {
        p.coefficient.unsigned_abs() >= a.size.max(b.size)
    };
    tied && equal
}
