//! What keeps the threads of a program from accessing a global at once, an owner or a protecting lockset: then one that may access it can
//! privatise it (Vojdani et al., ASE 2016).
//!
//! Guards are guessed at the first touch once there are threads, and checked at every other. A guess that turns out to be wrong makes
//! the analysis begin again with a weaker one.

use std::collections::BTreeSet;

use program::Program;

use crate::analysis::{Again, Analysis};
use crate::locks::{Kind, LockName, LockPlace, Mode};
use crate::state::ThreadState;
use crate::tables::{AbstractObject, AbstractThread, Base, Phase};

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Guard {
    /// Only one thread touches it, this abstract thread's. All of the locks are held, too, but need not be.
    Owner(AbstractThread, BTreeSet<LockName>),
    /// Whoever touches it holds all of these.
    Locks(BTreeSet<LockName>),
    None,
}

/// The lock of atomic sections.
pub const SECTION: LockName = LockName { kind: Kind::Section, place: LockPlace::At(Base(u32::MAX), 0) };

impl Analysis<'_> {
    /// A thread touches a global. True if the guard lets no other thread touch it until the thread gives it back.
    pub fn touch_guarded(
        &mut self,
        base: Base,
        abstract_thread: AbstractThread,
        state: &ThreadState,
        write: bool,
    ) -> bool {
        if self.marks.unguarded || !self.may_be_guarded(base) || state.phase == Phase::Before {
            return false;
        }
        if is_alone(state, abstract_thread) {
            return true;
        }
        let held = self.guard_locks(state, write);
        let many = self.abstract_thread(abstract_thread).many;
        let guard = match self.solution.guards.get(&base) {
            Some(guard) => guard.clone(),
            None => {
                let first = self.first_guess(base, abstract_thread, many, &held);
                if self.objects(|| format!("a guard of {base} is missing")) {
                    return false;
                }
                self.solution.guards.insert(base, first.clone());
                first
            }
        };
        let weaker = match &guard {
            Guard::None => return false,
            Guard::Owner(owner, _) if *owner == abstract_thread && !many => {
                self.keep_common(base, &held);
                return true;
            }
            Guard::Owner(_, locks) => locks.intersection(&held).copied().collect::<BTreeSet<_>>(),
            Guard::Locks(locks) if locks.is_subset(&held) => return true,
            Guard::Locks(locks) => locks.intersection(&held).copied().collect(),
        };
        if !self.objects(|| format!("the guard of {base} does not hold")) {
            self.solution.guards.insert(base, Guard::None);
            self.weaken(base, weaker);
        }
        false
    }

    /// Locks that all touches of an owner have in common, should it turn out to be none.
    fn keep_common(&mut self, base: Base, held: &BTreeSet<LockName>) {
        if let (false, Some(Guard::Owner(_, locks))) = (self.is_frozen(), self.solution.guards.get_mut(&base)) {
            locks.retain(|lock| held.contains(lock));
        }
    }

    fn first_guess(&self, base: Base, abstract_thread: AbstractThread, many: bool, held: &BTreeSet<LockName>) -> Guard {
        match self.marks.guards.get(&base) {
            None if !many => Guard::Owner(abstract_thread, held.clone()),
            None if held.is_empty() => Guard::None,
            None => Guard::Locks(held.clone()),
            Some(locks) if locks.is_empty() => Guard::None,
            Some(locks) => Guard::Locks(locks.clone()),
        }
    }

    fn weaken(&mut self, base: Base, locks: BTreeSet<LockName>) {
        self.marks.guards.insert(base, locks);
        self.again.get_or_insert(Again::Guards);
    }

    /// Globals of which there is one.
    fn may_be_guarded(&self, base: Base) -> bool {
        matches!(self.tables.abstract_object(base), AbstractObject::Global(global) if !self.program.globals[global].thread_local)
    }

    /// May this thread keep the global privatised as long as the state lasts?
    pub fn is_guarded(&self, base: Base, abstract_thread: AbstractThread, state: &ThreadState) -> bool {
        is_alone(state, abstract_thread)
            || match self.solution.guards.get(&base) {
                Some(Guard::Owner(owner, _)) => *owner == abstract_thread,
                Some(Guard::Locks(locks)) => !locks.is_disjoint(&self.guard_locks(state, false)),
                Some(Guard::None) | None => false,
            }
    }

    /// Locks that are good for guards: those that keep their names when the analysis begins again.
    fn guard_locks(&self, state: &ThreadState, write: bool) -> BTreeSet<LockName> {
        let stable = |place: LockPlace| match place {
            LockPlace::At(base, _) => matches!(self.tables.abstract_object(base), AbstractObject::Global(_)),
            LockPlace::Relative(_) => false,
        };
        let held = state.locks.iter().filter(|lock| lock.condition.is_none() && stable(lock.name.place));
        let held = held.filter(|lock| lock.mode == Mode::Exclusive || !write && lock.name.kind == Kind::RwLock);
        let held = held.filter(|lock| matches!(lock.name.kind, Kind::Mutex | Kind::RwLock)).map(|lock| lock.name);
        held.chain((state.sections > 0).then_some(SECTION)).collect()
    }

    /// After all: owners must be alone, and locks must not be opened by others.
    pub fn check_guards(&mut self) {
        for (base, guard) in self.solution.guards.clone() {
            let (mut right, locks) = match guard {
                Guard::Owner(abstract_thread, locks) => (!self.abstract_thread(abstract_thread).many, locks),
                Guard::Locks(locks) => (true, locks),
                Guard::None => continue,
            };
            let good: BTreeSet<_> = locks.iter().copied().filter(|lock| !self.is_broken(lock)).collect();
            right &= good == locks || matches!(self.solution.guards.get(&base), Some(Guard::Owner(..)));
            if !right && !self.objects(|| format!("the guard of {base} does not hold")) {
                self.weaken(base, good);
            }
        }
    }
}

impl Analysis<'_> {
    fn is_broken(&self, lock: &LockName) -> bool {
        match lock.place {
            LockPlace::At(of, offset) => {
                self.solution.broken.get(&(lock.kind, of)).is_some_and(|at| at.contains(offset))
            }
            LockPlace::Relative(_) => true,
        }
    }
}

/// Can no other thread run?
pub fn is_alone(state: &ThreadState, abstract_thread: AbstractThread) -> bool {
    state.phase == Phase::Before || abstract_thread == AbstractThread(0) && state.alive.is_empty()
}

/// The globals that guards are about.
pub fn globals(program: &Program) -> impl Iterator<Item = Base> + use<> {
    (0..program.globals.len() as u32).map(Base)
}
