//! Threads, locks and the other means to wait.

use std::rc::Rc;

use base::Idx;
use program::{BarrierOp, ConditionOp, Edge, ExprId, LocalId, ThreadOp};

use crate::locks::{self, EDEADLK, ETIMEDOUT, Locker, lock_key};
use crate::state::{Life, Lock, LockKey, LockKind, ThreadLife};
use crate::step::{Ending, Run, Step, Undefined};
use crate::value::{Base, Pointer, ThreadId, Value};

/// Rounds of destructors of thread-specific keys, as in glibc.
pub const ROUNDS: u32 = 4;
/// More end the run.
pub const MOST_THREADS: usize = 100_000;

impl<'p> Step<'_, 'p> {
    pub fn thread_op(&mut self, edge: &'p Edge, op: &ThreadOp) -> Run<()> {
        match op {
            ThreadOp::Create { handle, entry, arg, detached, to } => {
                let (entry, arg, detached) = (self.value(*entry)?, self.value(*arg)?, self.number(*detached)?);
                let entry = self.callee(entry)?;
                self.create(handle, entry, arg, detached != 0, *to)?;
            }
            ThreadOp::Join { thread, value, to } => self.join(*thread, *value, *to)?,
            ThreadOp::Detach { thread, to } => {
                let id = self.thread_of(*thread)?;
                self.state.thread_mut(id).detached = true;
                self.set_int(*to, 0);
            }
            ThreadOp::Exit { value } => {
                let result = self.value(*value)?;
                return self.exit(result);
            }
            ThreadOp::Current { to } => {
                let handle = Value::Pointer(Pointer::to(Base::Thread(self.thread)));
                self.set(*to, handle);
            }
            ThreadOp::CleanupPush { routine, arg } => {
                let handler = (self.value(*routine)?, self.value(*arg)?);
                self.state.thread_mut(self.thread).cleanup.push(handler);
            }
            ThreadOp::CleanupPop { routine, arg } => {
                let handler = self.state.thread_mut(self.thread).cleanup.pop();
                let (function, value) = handler.unwrap_or((Value::NULL, Value::NULL));
                self.set(*routine, function);
                self.set(*arg, value);
            }
            ThreadOp::Mutex { op, mutex, size, to } => {
                let key = self.key(*mutex, *size, LockKind::Mutex)?;
                let result = locks::mutex(self, *op, key)?;
                self.set_int(*to, result);
            }
            ThreadOp::RwLock { op, lock, size, to } => {
                let key = self.key(*lock, *size, LockKind::RwLock)?;
                let result = locks::rwlock(self, *op, key)?;
                self.set_int(*to, result);
            }
            ThreadOp::Condition { op, condition, size, to } => {
                let key = self.key(*condition, *size, LockKind::Condition)?;
                let result = self.condition(*op, key)?;
                self.set_int(*to, result);
            }
            ThreadOp::Barrier { op, barrier, size, to } => {
                let key = self.key(*barrier, *size, LockKind::Barrier)?;
                let result = self.barrier(*op, key)?;
                self.set_int(*to, result);
            }
            ThreadOp::Semaphore { op, semaphore, size, to } => {
                let key = self.key(*semaphore, *size, LockKind::Semaphore)?;
                let result = locks::semaphore(self, *op, key)?;
                self.set_int(*to, result);
            }
            ThreadOp::OnceBegin { control, size, to } => {
                let key = self.key(*control, *size, LockKind::Once)?;
                let first = locks::begin_once(self, key);
                self.set_int(*to, first);
            }
            ThreadOp::OnceEnd { control } => {
                let key = self.key(*control, 1, LockKind::Once)?;
                self.state.set_lock(key, Some(Lock::Once { running: None }));
            }
            ThreadOp::KeyCreate { destructor, to } => {
                let destructor = self.value(*destructor)?;
                let keys = Rc::make_mut(&mut self.state.keys);
                keys.push(Some(destructor));
                let key = keys.len() as i64 - 1;
                self.set_int(*to, key);
            }
            ThreadOp::KeyDelete { key } => {
                let key = self.key_index(*key)?;
                Rc::make_mut(&mut self.state.keys)[key] = None;
            }
            ThreadOp::KeySet { key, value } => {
                let (key, value) = (self.key_index(*key)?, self.value(*value)?);
                let specific = &mut self.state.thread_mut(self.thread).specific;
                if specific.len() <= key {
                    specific.resize(key + 1, Value::NULL);
                }
                specific[key] = value;
            }
            ThreadOp::KeyGet { key, to } => {
                let key = self.key_index(*key)?;
                let value = self.state.thread(self.thread).specific.get(key).copied().unwrap_or(Value::NULL);
                self.set(*to, value);
            }
        }
        self.go(edge);
        Ok(())
    }

    /// The lock at an address, of so many bytes.
    fn key(&mut self, address: ExprId, size: u64, kind: LockKind) -> Run<LockKey> {
        let value = self.value(address)?;
        let is_there = match value {
            Value::Pointer(Pointer { base: Base::Object(id), offset }) => {
                self.state.decide_fresh(id);
                let object = self.state.object(id);
                object.life == Life::Live && object.contents.contains(offset, size)
            }
            _ => false,
        };
        if is_there {
            return Ok(lock_key(value, kind));
        }
        let (id, offset) = self.resolve(value, size, true)?;
        let place = Pointer { base: Base::Object(id), offset: offset as i64 };
        Ok(lock_key(Value::Pointer(place), kind))
    }

    fn key_index(&mut self, key: ExprId) -> Run<usize> {
        let key = self.number(key)? as usize;
        match self.state.keys.get(key) {
            Some(Some(_)) => Ok(key),
            _ => Err(Ending::Undefined(Undefined::Handle)),
        }
    }

    // Threads.

    fn create(
        &mut self,
        handle: &program::Access,
        entry: program::FunctionId,
        arg: Value,
        detached: bool,
        to: LocalId,
    ) -> Run<()> {
        if self.state.threads.len() >= MOST_THREADS {
            return Err(Ending::Limit("too many threads to be interpreted"));
        }
        let parent = self.state.thread_mut(self.thread);
        parent.children += 1;
        let path: Rc<[u32]> = parent.path.iter().copied().chain([parent.children - 1]).collect();
        let id = ThreadId::from_usize(self.state.threads.len());
        self.store(handle, Value::Pointer(Pointer::to(Base::Thread(id))))?;
        let program = self.program();
        let id = self.state.new_thread(program, path, entry, &[arg]);
        self.state.thread_mut(id).detached = detached;
        self.settle_thread(id);
        self.set_int(to, 0);
        Ok(())
    }

    fn thread_of(&mut self, handle: ExprId) -> Run<ThreadId> {
        match self.value(handle)? {
            Value::Pointer(Pointer { base: Base::Thread(id), offset: 0 }) if !self.state.thread(id).joined => Ok(id),
            _ => Err(Ending::Undefined(Undefined::Handle)),
        }
    }

    fn join(&mut self, handle: ExprId, value: LocalId, to: LocalId) -> Run<()> {
        let id = self.thread_of(handle)?;
        if self.state.thread(id).detached {
            return Err(Ending::Undefined(Undefined::Handle));
        }
        if id == self.thread {
            self.set_int(to, EDEADLK);
            return Ok(());
        }
        let result = self.state.thread(id).result;
        self.state.thread_mut(id).joined = true;
        self.set(value, result);
        self.set_int(to, 0);
        Ok(())
    }

    /// `pthread_exit`: handlers run while the frames are still there, for they may use locals; then the frames end, and destructors
    /// run.
    fn exit(&mut self, result: Value) -> Run<()> {
        let thread = self.state.thread_mut(self.thread);
        thread.life = ThreadLife::Leaving;
        thread.left = thread.frames.len();
        thread.result = result;
        self.leave_thread()
    }

    /// A thread on its way out: the newest clean-up handler, then destructors of keys, then the end.
    pub fn leave_thread(&mut self) -> Run<()> {
        if let Some((routine, arg)) = self.state.thread_mut(self.thread).cleanup.pop() {
            let function = self.callee(routine)?;
            return self.push_frame(function, &[arg], None);
        }
        while !self.state.thread(self.thread).frames.is_empty() {
            self.pop_frame();
        }
        self.state.thread_mut(self.thread).left = 0;
        if let Some((destructor, value)) = self.next_destructor() {
            let function = self.callee(destructor)?;
            return self.push_frame(function, &[value], None);
        }
        let thread = self.state.thread_mut(self.thread);
        thread.life = ThreadLife::Finished;
        thread.atomic = 0;
        thread.specific = Vec::new();
        let own = std::mem::take(&mut thread.thread_locals);
        for (_, object) in own {
            self.state.end_object(object, Life::Ended);
        }
        if self.state.atomic == Some(self.thread) {
            self.state.atomic = None;
        }
        Ok(())
    }

    /// The next value with a destructor; it is set to null before the destructor runs.
    fn next_destructor(&mut self) -> Option<(Value, Value)> {
        let keys = self.state.keys.clone();
        let thread = self.state.thread_mut(self.thread);
        while thread.round.0 < ROUNDS {
            let (round, next) = thread.round;
            for (key, destructor) in keys.iter().enumerate().skip(next as usize) {
                let value = thread.specific.get(key).copied().unwrap_or(Value::NULL);
                if let Some(destructor) = destructor.filter(|d| *d != Value::NULL && value != Value::NULL) {
                    thread.specific[key] = Value::NULL;
                    thread.round = (round, key as u32 + 1);
                    return Some((destructor, value));
                }
            }
            thread.round = (round + 1, 0);
        }
        None
    }

    // What waits for other threads.

    fn condition(&mut self, op: ConditionOp, key: LockKey) -> Run<i64> {
        Ok(match op {
            ConditionOp::Init | ConditionOp::Destroy => 0,
            ConditionOp::Sleep { mutex } => {
                let mutex = self.key(mutex, 1, LockKind::Mutex)?;
                locks::unlock(self, mutex);
                self.state.thread_mut(self.thread).sleeping = Some((key, false));
                0
            }
            ConditionOp::Wake { timed } => {
                let signalled = matches!(self.state.thread(self.thread).sleeping, Some((_, true)));
                self.state.thread_mut(self.thread).sleeping = None;
                // Not signalled: time is up, or it woke for no reason.
                if !signalled && timed && self.environment.choose(2) == 0 { ETIMEDOUT } else { 0 }
            }
            ConditionOp::Signal => {
                let waiters = self.waiters(key);
                if !waiters.is_empty() {
                    let chosen = self.choose(waiters.len()) as usize;
                    self.wake(waiters[chosen], key);
                }
                0
            }
            ConditionOp::Broadcast => {
                for waiter in self.waiters(key) {
                    self.wake(waiter, key);
                }
                0
            }
        })
    }

    fn choose(&mut self, options: usize) -> u32 {
        if options == 1 { 0 } else { self.environment.choose(options as u32) }
    }

    fn waiters(&self, key: LockKey) -> Vec<ThreadId> {
        self.state.thread_ids().filter(|t| self.state.thread(*t).sleeping == Some((key, false))).collect()
    }

    fn wake(&mut self, thread: ThreadId, key: LockKey) {
        self.state.thread_mut(thread).sleeping = Some((key, true));
    }

    fn barrier(&mut self, op: BarrierOp, key: LockKey) -> Run<i64> {
        match op {
            BarrierOp::Init { count } => {
                let count = self.number(count)? as u32;
                self.state.set_lock(key, Some(Lock::Barrier { count, arrived: 0 }));
            }
            BarrierOp::Destroy => self.state.set_lock(key, None),
            BarrierOp::Arrive => self.arrive(key)?,
            BarrierOp::Pass => {
                let last = self.state.thread_mut(self.thread).at_barrier.take();
                return Ok(if last.is_some_and(|(_, last)| last == Some(true)) { -1 } else { 0 });
            }
        }
        Ok(0)
    }

    fn arrive(&mut self, key: LockKey) -> Run<()> {
        let last = locks::arrive(self, key)?;
        self.state.thread_mut(self.thread).at_barrier = Some((key, last.then_some(true)));
        if last {
            for thread in self.state.thread_ids() {
                if self.state.thread(thread).at_barrier == Some((key, None)) {
                    self.state.thread_mut(thread).at_barrier = Some((key, Some(false)));
                }
            }
        }
        Ok(())
    }
}

impl Locker for Step<'_, '_> {
    type Stop = Ending;

    fn me(&self) -> ThreadId {
        self.thread
    }

    fn lock(&self, key: LockKey) -> Option<&Lock> {
        self.state.lock(key)
    }

    fn set_lock(&mut self, key: LockKey, lock: Option<Lock>) {
        self.state.set_lock(key, lock);
    }

    fn number(&mut self, expr: ExprId) -> Run<u64> {
        Step::number(self, expr).map(|number| number as u64)
    }

    fn undefined(&mut self) -> Ending {
        Ending::Undefined(Undefined::Handle)
    }
}
