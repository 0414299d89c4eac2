//! Locks and other synchronisation: how locksets change, and which locks may be released by others than who holds them.

use program::{ConditionOp, ExprId, LocalId, MutexOp, RwLockOp, SemaphoreOp, ThreadOp};

use super::Step;
use crate::eval::plain_type;
use crate::guard::is_alone;
use crate::locks::{self, Condition, Kind, Lock, LockName, LockPlace, Mode};
use crate::tables::Role;
use crate::value::{Symbol, Term, Value};

const EBUSY: i64 = 16;
pub(super) const EDEADLK: i64 = 35;
const ETIMEDOUT: i64 = 110;

impl Step<'_, '_> {
    pub fn sync_op(&mut self, op: &ThreadOp) -> Option<()> {
        match op {
            ThreadOp::Mutex { op, mutex, to, .. } => {
                let mutex = self.lock_at(*mutex)?;
                self.mutex(*op, &mutex, *to);
            }
            ThreadOp::RwLock { op, lock, to, .. } => {
                let lock = self.lock_at(*lock)?;
                self.rwlock(*op, &lock, *to);
            }
            ThreadOp::Condition { op, to, .. } => self.condition(*op, *to)?,
            ThreadOp::Barrier { to, .. } => self.assign_int(*to, &[0, -1]),
            ThreadOp::Semaphore { op, semaphore, to, .. } => {
                let semaphore = self.lock_at(*semaphore)?;
                self.semaphore(*op, &semaphore, *to)?;
            }
            ThreadOp::OnceBegin { control, to, .. } => self.once_begin(*control, *to)?,
            ThreadOp::OnceEnd { control } => {
                let control = self.lock_at(*control)?;
                // That it has run stays known.
                locks::map(&mut self.state.locks, |lock| {
                    let ends = lock.mode == Mode::Exclusive && lock.may_be(Kind::Once, &control.pointers);
                    (!ends).then(|| lock.clone())
                });
            }
            _ => {}
        }
        Some(())
    }

    /// Where a lock may be.
    fn lock_at(&mut self, expr: ExprId) -> Option<Value> {
        let value = self.value(expr)?;
        Some(self.reach(&value))
    }

    fn mutex(&mut self, op: MutexOp, mutex: &Value, to: LocalId) {
        match op {
            // One that is held is neither made anew nor given up.
            MutexOp::Init { .. } => self.assign_int(to, &[0]),
            MutexOp::Destroy => self.assign_int(to, &[0, EBUSY]),
            MutexOp::Lock => {
                let results = if self.analysis.error_checking { &[0, EDEADLK][..] } else { &[0] };
                self.assign_int(to, results);
                self.acquire(Kind::Mutex, mutex, Mode::Exclusive, None);
            }
            MutexOp::TryLock => self.try_acquire(Kind::Mutex, mutex, Mode::Exclusive, to, &[0, EBUSY]),
            MutexOp::TimedLock => {
                self.try_acquire(Kind::Mutex, mutex, Mode::Exclusive, to, &[0, EDEADLK, ETIMEDOUT]);
            }
            MutexOp::Unlock => {
                self.release_held(Kind::Mutex, mutex);
                let ty = plain_type(self.function(), to);
                self.assign(to, Value::top(ty));
            }
        }
    }

    fn rwlock(&mut self, op: RwLockOp, lock: &Value, to: LocalId) {
        let busy = [0, EBUSY, ETIMEDOUT];
        match op {
            RwLockOp::Init | RwLockOp::Destroy => {}
            RwLockOp::ReadLock => self.acquire(Kind::RwLock, lock, Mode::Shared, None),
            RwLockOp::WriteLock => self.acquire(Kind::RwLock, lock, Mode::Exclusive, None),
            RwLockOp::TryReadLock | RwLockOp::TimedReadLock => {
                return self.try_acquire(Kind::RwLock, lock, Mode::Shared, to, &busy);
            }
            RwLockOp::TryWriteLock | RwLockOp::TimedWriteLock => {
                return self.try_acquire(Kind::RwLock, lock, Mode::Exclusive, to, &busy);
            }
            RwLockOp::Unlock => {
                self.release(Kind::RwLock, lock);
            }
        }
        self.assign_int(to, &[0]);
    }

    fn condition(&mut self, op: ConditionOp, to: LocalId) -> Option<()> {
        match op {
            ConditionOp::Sleep { mutex } => {
                let mutex = self.lock_at(mutex)?;
                self.release_held(Kind::Mutex, &mutex);
                self.assign_int(to, &[0]);
            }
            ConditionOp::Wake { timed: true } => self.assign_int(to, &[0, ETIMEDOUT]),
            _ => self.assign_int(to, &[0]),
        }
        Some(())
    }

    /// A semaphore is a lock if it begins with at most one and only who took it gives it back.
    fn semaphore(&mut self, op: SemaphoreOp, semaphore: &Value, to: LocalId) -> Option<()> {
        match op {
            SemaphoreOp::Init { value } => {
                let value = self.value(value)?;
                self.reset(Kind::Semaphore, semaphore);
                if value.as_range().is_none_or(|range| range.max_unsigned() > 1) {
                    self.break_locks(Kind::Semaphore, semaphore);
                }
                self.assign_int(to, &[0]);
            }
            SemaphoreOp::Destroy => {
                self.reset(Kind::Semaphore, semaphore);
                self.assign_int(to, &[0]);
            }
            SemaphoreOp::Wait => {
                self.acquire(Kind::Semaphore, semaphore, Mode::Exclusive, None);
                self.assign_int(to, &[0]);
            }
            SemaphoreOp::TryWait | SemaphoreOp::TimedWait => {
                self.try_acquire(Kind::Semaphore, semaphore, Mode::Exclusive, to, &[0, -1]);
            }
            SemaphoreOp::Post => {
                if !self.release(Kind::Semaphore, semaphore) {
                    self.break_locks(Kind::Semaphore, semaphore);
                }
                self.assign_int(to, &[0]);
            }
            SemaphoreOp::Value => {
                let ty = plain_type(self.function(), to);
                self.assign(to, Value::top(ty));
            }
        }
        Some(())
    }

    /// Who runs the routine holds the control alone; everyone who gets past it has a share in it for ever.
    fn once_begin(&mut self, control: ExprId, to: LocalId) -> Option<()> {
        let control = self.lock_at(control)?;
        self.assign_int(to, &[0, 1]);
        self.acquire(Kind::Once, &control, Mode::Shared, None);
        if !self.is_recursive() {
            let variable = self.analysis.tables.variable(self.call_string, to);
            let condition = Condition { variable, zero: false };
            self.acquire(Kind::Once, &control, Mode::Exclusive, Some(condition));
            self.state.mention(Term::of(Symbol::Variable(variable)));
        }
        Some(())
    }

    fn try_acquire(&mut self, kind: Kind, lock: &Value, mode: Mode, to: LocalId, results: &[i64]) {
        self.assign_int(to, results);
        if self.is_recursive() {
            return;
        }
        let variable = self.analysis.tables.variable(self.call_string, to);
        self.acquire(kind, lock, mode, Some(Condition { variable, zero: true }));
        self.state.mention(Term::of(Symbol::Variable(variable)));
    }

    fn acquire(&mut self, kind: Kind, lock: &Value, mode: Mode, condition: Option<Condition>) {
        for place in self.names(lock) {
            let name = LockName { kind, place };
            let held = self.state.locks.iter().any(|lock| lock.name == name && lock.mode == mode);
            // One that is held already is locked once more if that works at all; one that reports errors is not.
            let counts = !(held && self.analysis.error_checking && kind == Kind::Mutex);
            if let LockPlace::Relative(term) = place {
                self.state.mention(term);
            }
            if counts && (!held || kind != Kind::Once) {
                let new = Lock { name, mode, targets: lock.pointers.clone(), condition, depth: 1 };
                locks::insert(&mut self.state.locks, new);
            }
        }
    }

    /// Under which names the lock at an address is known.
    fn names(&self, lock: &Value) -> Vec<LockPlace> {
        let mut names = Vec::new();
        if let Some((base, offset)) = lock.place().filter(|_| !lock.is_loose())
            && self.analysis.tables.is_single(self.program(), base)
        {
            names.push(LockPlace::At(base, offset));
        }
        if let Some(term) = lock.term.filter(|term| term.offset.is_some()) {
            names.push(LockPlace::Relative(term));
        }
        names
    }

    /// Gives one lock back. True if it was surely held.
    fn release(&mut self, kind: Kind, lock: &Value) -> bool {
        let names = self.names(lock);
        let is = |held: &Lock| held.name.kind == kind && names.contains(&held.name.place) && held.condition.is_none();
        let exclusive = self.state.locks.iter().any(|held| is(held) && held.mode == Mode::Exclusive);
        let mode = if exclusive { Mode::Exclusive } else { Mode::Shared };
        let held = self.state.locks.iter().any(|held| is(held) && held.mode == mode);
        locks::map(&mut self.state.locks, |held| {
            if is(held) {
                let mut held = held.clone();
                held.depth -= u8::from(held.mode == mode);
                return (held.depth > 0).then_some(held);
            }
            let apart = apart(held, &names) || !held.may_be(kind, &lock.pointers);
            apart.then(|| held.clone())
        });
        held
    }

    /// Gives a mutex back. If another thread may hold it, it opens that one's.
    fn release_held(&mut self, kind: Kind, lock: &Value) {
        if !self.release(kind, lock) && !is_alone(&self.state, self.abstract_thread()) {
            self.break_locks(kind, lock);
        }
    }

    /// A lock is as new: no thread holds it any more.
    fn reset(&mut self, kind: Kind, lock: &Value) {
        locks::map(&mut self.state.locks, |held| (!held.may_be(kind, &lock.pointers)).then(|| held.clone()));
        if !is_alone(&self.state, self.abstract_thread()) {
            self.break_locks(kind, lock);
        }
    }

    fn break_locks(&mut self, kind: Kind, lock: &Value) {
        for (base, at) in &lock.pointers {
            let shared = match self.analysis.tables.abstract_object(*base).role() {
                Some(Role::Own | Role::Older) => kind == Kind::Semaphore,
                _ => true,
            };
            if shared {
                let base = self.analysis.tables.as_role(*base, Role::Shared);
                self.analysis.break_lock(kind, base, *at);
            }
        }
    }
}

/// Surely another lock: at another place of the same object.
fn apart(held: &Lock, names: &[LockPlace]) -> bool {
    names.iter().any(|name| match (held.name.place, name) {
        (LockPlace::Relative(a), LockPlace::Relative(b)) => {
            let same = a.base == b.base && a.coefficient == b.coefficient && a.symbol == b.symbol;
            same && a.offset != b.offset
                && matches!(a.symbol, Symbol::Variable(_) | Symbol::Cell(..) | Symbol::Argument(_))
        }
        _ => false,
    })
}
