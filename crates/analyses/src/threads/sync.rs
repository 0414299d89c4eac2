//! Threads, locks and the other means to wait.

use program::{BarrierOp, ConditionOp, ExprId, FunctionId, ThreadOp};
use semantics::locks::{self, EDEADLK, ETIMEDOUT, Locker};
use semantics::{Base, Lock, LockKey, LockKind, MOST_THREADS, Pointer, ThreadId};

use super::status::Life;
use super::thread_id;
use super::transfer::{Run, Transfer, TransferStop};
use crate::step::{Control, Known, Unknown};

impl Transfer<'_, '_> {
    /// What the step does; `None` if the successors are already there.
    pub fn thread_op(&mut self, op: &ThreadOp) -> Run<Option<Control>> {
        Ok(Some(match op {
            ThreadOp::Create { entry, detached, .. } => self.create(*entry, *detached)?,
            ThreadOp::Join { thread, .. } => self.join(*thread)?,
            ThreadOp::Detach { thread, .. } => {
                let thread = self.thread_of(*thread)?;
                self.threads.change(self.state, thread, |status| status.detached = true);
                match self.threads.is_finished(self.state, thread) {
                    true => Control::Detach { thread },
                    false => Control::Yield(0),
                }
            }
            ThreadOp::Exit { .. } => self.exit()?,
            ThreadOp::Current { .. } => Control::Plain,
            ThreadOp::CleanupPush { routine, .. } => {
                let routine = self.routine(*routine)?.ok_or(not_a_function())?;
                self.change(|status| status.cleanup.push(routine));
                Control::Plain
            }
            ThreadOp::CleanupPop { .. } => self.pop_handler(),
            ThreadOp::KeyCreate { destructor, .. } => {
                let destructor = self.routine(*destructor)?;
                let keys = &mut self.state.keys.edit().0;
                keys.push(Some(destructor));
                Control::Key(keys.len() as u32 - 1)
            }
            ThreadOp::KeyDelete { key } => {
                let key = self.key_index(*key)?;
                self.state.keys.edit().0[key as usize] = None;
                Control::Key(key)
            }
            ThreadOp::KeySet { key, .. } | ThreadOp::KeyGet { key, .. } => Control::Key(self.key_index(*key)?),
            ThreadOp::Condition { op, condition, size, .. } => {
                let key = self.key(*condition, *size, LockKind::Condition)?;
                return self.condition(*op, key);
            }
            op => Control::Yield(self.lock_op(op)?),
        }))
    }

    // Threads.

    fn create(&mut self, entry: ExprId, detached: ExprId) -> Run<Control> {
        let detached = self.number(detached)?;
        let entry = self.callee(entry)?;
        if self.state.threads.len() >= MOST_THREADS {
            return Err(Unknown::TooLarge("too many threads").into());
        }
        let place = self.threads.begin(entry, detached != 0);
        self.state.threads.push(place);
        Ok(Control::Create { thread: self.state.threads.len() as u32 - 1, entry })
    }

    fn thread_of(&mut self, handle: ExprId) -> Run<u32> {
        match self.value(handle) {
            Known::Pointer(Pointer { base: Base::Thread(id), offset: 0 })
                if !self.threads.status(self.state, id.0).joined =>
            {
                Ok(id.0)
            }
            Known::Unknown => Err(Unknown::Imprecise("which thread is meant is not known").into()),
            _ => Err(TransferStop::Undefined),
        }
    }

    fn join(&mut self, handle: ExprId) -> Run<Control> {
        let thread = self.thread_of(handle)?;
        let status = self.threads.status(self.state, thread);
        if status.detached {
            return Err(TransferStop::Undefined);
        }
        if thread == self.step.thread {
            return Ok(Control::Yield(EDEADLK));
        }
        if status.life != Life::Finished {
            return Err(TransferStop::Blocked);
        }
        self.threads.change(self.state, thread, |status| status.joined = true);
        Ok(Control::Join { thread })
    }

    // Handlers and keys.

    /// A function to be called later; `None` for null.
    fn routine(&mut self, pointer: ExprId) -> Run<Option<FunctionId>> {
        match self.value(pointer) {
            Known::Pointer(Pointer { base: Base::Function(function), offset: 0 }) => Ok(Some(function)),
            Known::Bits(0) => Ok(None),
            _ => Err(not_a_function()),
        }
    }

    fn pop_handler(&mut self) -> Control {
        let mut newest = None;
        self.change(|status| newest = status.cleanup.pop());
        Control::Pop(newest)
    }

    fn key_index(&mut self, key: ExprId) -> Run<u32> {
        let key = self.number(key)?;
        let key = u32::try_from(key).ok().filter(|key| self.state.keys.is_valid(*key));
        key.ok_or(TransferStop::Undefined)
    }

    // Locks and the like.

    /// What an operation on a lock yields.
    fn lock_op(&mut self, op: &ThreadOp) -> Run<i64> {
        match op {
            ThreadOp::Mutex { op: change, mutex, size, .. } => {
                let key = self.free_key(op, *mutex, *size, LockKind::Mutex)?;
                locks::mutex(self, *change, key)
            }
            ThreadOp::RwLock { op: change, lock, size, .. } => {
                let key = self.free_key(op, *lock, *size, LockKind::RwLock)?;
                locks::rwlock(self, *change, key)
            }
            ThreadOp::Semaphore { op: change, semaphore, size, .. } => {
                let key = self.free_key(op, *semaphore, *size, LockKind::Semaphore)?;
                locks::semaphore(self, *change, key)
            }
            ThreadOp::Barrier { op, barrier, size, .. } => {
                let key = self.key(*barrier, *size, LockKind::Barrier)?;
                self.barrier(*op, key)
            }
            ThreadOp::OnceBegin { control, size, .. } => {
                let key = self.free_key(op, *control, *size, LockKind::Once)?;
                Ok(locks::begin_once(self, key))
            }
            ThreadOp::OnceEnd { control } => {
                let key = self.key(*control, 1, LockKind::Once)?;
                self.set_lock(key, Some(Lock::Once { running: None }));
                Ok(0)
            }
            _ => unreachable!("no lock is meant by {op:?}"),
        }
    }

    /// The lock, if the thread need not wait for it.
    fn free_key(&mut self, op: &ThreadOp, address: ExprId, size: u64, kind: LockKind) -> Run<LockKey> {
        let key = self.key(address, size, kind)?;
        let waits = locks::waits(op, self.lock(key), self.me());
        if waits.is_some() { Err(TransferStop::Blocked) } else { Ok(key) }
    }

    fn condition(&mut self, op: ConditionOp, key: LockKey) -> Run<Option<Control>> {
        match op {
            ConditionOp::Init | ConditionOp::Destroy => {}
            ConditionOp::Sleep { mutex } => {
                let mutex = self.key(mutex, 1, LockKind::Mutex)?;
                locks::unlock(self, mutex);
                self.change(|status| status.sleeping = Some((key, false)));
            }
            ConditionOp::Wake { timed } => {
                let signalled = matches!(self.status().sleeping, Some((_, true)));
                self.change(|status| status.sleeping = None);
                if !signalled && timed {
                    // Time is up, or it woke for no reason.
                    self.choose(self.state.clone(), Control::Yield(ETIMEDOUT), 0);
                    self.choose(self.state.clone(), Control::Yield(0), 1);
                    return Ok(None);
                }
            }
            ConditionOp::Signal => return Ok(self.signal(key)),
            ConditionOp::Broadcast => self.waiters(key).into_iter().for_each(|waiter| self.wake(waiter, key)),
        }
        Ok(Some(Control::Yield(0)))
    }

    /// One successor for each waiter, if there are several.
    fn signal(&mut self, key: LockKey) -> Option<Control> {
        let waiters = self.waiters(key);
        if let [] | [_] = waiters[..] {
            waiters.into_iter().for_each(|waiter| self.wake(waiter, key));
            return Some(Control::Yield(0));
        }
        let before = self.state.clone();
        for (i, waiter) in waiters.into_iter().enumerate() {
            self.wake(waiter, key);
            let state = std::mem::replace(self.state, before.clone());
            self.choose(state, Control::Wake { thread: waiter }, i);
        }
        None
    }

    fn waiters(&self, key: LockKey) -> Vec<u32> {
        let sleeps = |thread: &u32| self.threads.status(self.state, *thread).sleeping == Some((key, false));
        (0..self.state.threads.len() as u32).filter(sleeps).collect()
    }

    fn wake(&mut self, thread: u32, key: LockKey) {
        self.threads.change(self.state, thread, |status| status.sleeping = Some((key, true)));
    }

    fn barrier(&mut self, op: BarrierOp, key: LockKey) -> Run<i64> {
        match op {
            BarrierOp::Init { count } => {
                let count = self.number(count)? as u32;
                self.set_lock(key, Some(Lock::Barrier { count, arrived: 0 }));
            }
            BarrierOp::Destroy => self.set_lock(key, None),
            BarrierOp::Arrive => self.arrive(key)?,
            BarrierOp::Pass => {
                let last = match self.status().at_barrier {
                    Some((_, None)) => return Err(TransferStop::Blocked),
                    at => at.is_some_and(|(_, last)| last == Some(true)),
                };
                self.change(|status| status.at_barrier = None);
                return Ok(if last { -1 } else { 0 });
            }
        }
        Ok(0)
    }

    fn arrive(&mut self, key: LockKey) -> Run<()> {
        let last = locks::arrive(self, key)?;
        self.change(|status| status.at_barrier = Some((key, last.then_some(true))));
        let waits = |m: &Self, thread: u32| m.threads.status(m.state, thread).at_barrier == Some((key, None));
        for thread in 0..self.state.threads.len() as u32 {
            if last && waits(self, thread) {
                self.threads.change(self.state, thread, |status| status.at_barrier = Some((key, Some(false))));
            }
        }
        Ok(())
    }
}

impl Locker for Transfer<'_, '_> {
    type Stop = TransferStop;

    fn me(&self) -> ThreadId {
        thread_id(self.step.thread)
    }

    fn lock(&self, key: LockKey) -> Option<&Lock> {
        self.state.locks.get(key)
    }

    fn set_lock(&mut self, key: LockKey, lock: Option<Lock>) {
        if self.state.locks.get(key) != lock.as_ref() {
            self.state.locks.edit().set(key, lock);
        }
    }

    fn number(&mut self, expr: ExprId) -> Run<u64> {
        match self.value(expr) {
            Known::Bits(bits) => Ok(bits),
            _ => Err(Unknown::Imprecise("a number that a thread operation needs is not known").into()),
        }
    }

    fn undefined(&mut self) -> TransferStop {
        TransferStop::Undefined
    }
}

fn not_a_function() -> TransferStop {
    Unknown::Imprecise("which function is to be called later is not known").into()
}
