//! Threads, locks and the other means to wait.

use std::rc::Rc;

use program::{BarrierOp, ConditionOp, ExprId, FunctionId, ThreadOp};

use crate::execute::{Control, Then};
use crate::locks::{self, EDEADLK, ETIMEDOUT, Locker, lock_key};
use crate::state::{Life, Lock, LockKey, LockKind, ThreadLife};
use crate::step::{Ending, Run, Step, Undefined};
use crate::value::{Base, Pointer, ThreadId, Value};

/// Rounds of destructors of thread-specific keys, as in glibc.
pub const ROUNDS: u32 = 4;
/// More end the run.
pub const MOST_THREADS: usize = 100_000;

impl Step<'_, '_> {
    /// What a thread operation does to control, and what it yields.
    pub fn thread_control(&mut self, op: &ThreadOp) -> Run<Control> {
        Ok(match op {
            ThreadOp::Create { entry, detached, .. } => self.create(*entry, *detached)?,
            ThreadOp::Join { thread, .. } => self.join(*thread)?,
            ThreadOp::Detach { thread, .. } => {
                let id = self.thread_of(*thread)?;
                self.state.thread_mut(id).detached = true;
                Control::Yield(0)
            }
            // Handlers run while the frames are still there, for they may use locals; then the frames end, and destructors run.
            ThreadOp::Exit { .. } => {
                let thread = self.state.thread_mut(self.thread);
                thread.left = thread.frames.len();
                Control::Leave(self.then()?)
            }
            ThreadOp::Current { .. } | ThreadOp::CleanupPush { .. } => Control::Plain,
            ThreadOp::CleanupPop { .. } => {
                let routine = self.state.thread(self.thread).cleanup.last().map(|(routine, _)| *routine);
                Control::Pop(routine.and_then(function_of))
            }
            ThreadOp::Mutex { op, mutex, size, .. } => {
                let key = self.key(*mutex, *size, LockKind::Mutex)?;
                Control::Yield(locks::mutex(self, *op, key)?)
            }
            ThreadOp::RwLock { op, lock, size, .. } => {
                let key = self.key(*lock, *size, LockKind::RwLock)?;
                Control::Yield(locks::rwlock(self, *op, key)?)
            }
            ThreadOp::Condition { op, condition, size, .. } => {
                let key = self.key(*condition, *size, LockKind::Condition)?;
                Control::Yield(self.condition(*op, key)?)
            }
            ThreadOp::Barrier { op, barrier, size, .. } => {
                let key = self.key(*barrier, *size, LockKind::Barrier)?;
                Control::Yield(self.barrier(*op, key)?)
            }
            ThreadOp::Semaphore { op, semaphore, size, .. } => {
                let key = self.key(*semaphore, *size, LockKind::Semaphore)?;
                Control::Yield(locks::semaphore(self, *op, key)?)
            }
            ThreadOp::OnceBegin { control, size, .. } => {
                let key = self.key(*control, *size, LockKind::Once)?;
                Control::Yield(locks::begin_once(self, key))
            }
            ThreadOp::OnceEnd { control } => {
                let key = self.key(*control, 1, LockKind::Once)?;
                self.state.set_lock(key, Some(Lock::Once { running: None }));
                Control::Yield(0)
            }
            ThreadOp::KeyCreate { destructor, .. } => {
                let destructor = self.value(*destructor)?;
                let keys = Rc::make_mut(&mut self.state.keys);
                keys.push(Some(destructor));
                Control::Key(keys.len() as u32 - 1)
            }
            ThreadOp::KeyDelete { key } => {
                let key = self.key_index(*key)?;
                Rc::make_mut(&mut self.state.keys)[key as usize] = None;
                Control::Key(key)
            }
            ThreadOp::KeySet { key, .. } | ThreadOp::KeyGet { key, .. } => Control::Key(self.key_index(*key)?),
        })
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

    fn key_index(&mut self, key: ExprId) -> Run<u32> {
        let key = Step::number(self, key)?;
        match self.state.keys.get(key as usize) {
            Some(Some(_)) => Ok(key as u32),
            _ => Err(Ending::Undefined(Undefined::Handle)),
        }
    }

    // Threads.

    fn create(&mut self, entry: ExprId, detached: ExprId) -> Run<Control> {
        let (entry, detached) = (self.value(entry)?, Step::number(self, detached)?);
        let entry = self.callee(entry)?;
        if self.state.threads.len() >= MOST_THREADS {
            return Err(Ending::Limit("too many threads to be interpreted"));
        }
        self.starts_detached = detached != 0;
        Ok(Control::Create { thread: self.state.threads.len() as u32, entry })
    }

    pub fn new_thread(&mut self, entry: FunctionId, arg: Value) {
        let parent = self.state.thread_mut(self.thread);
        parent.children += 1;
        let path: Rc<[u32]> = parent.path.iter().copied().chain([parent.children - 1]).collect();
        let program = self.program();
        let id = self.state.new_thread(program, path, entry, &[arg]);
        self.state.thread_mut(id).detached = self.starts_detached;
        self.settle_thread(id);
    }

    fn thread_of(&mut self, handle: ExprId) -> Run<ThreadId> {
        match self.value(handle)? {
            Value::Pointer(Pointer { base: Base::Thread(id), offset: 0 }) if !self.state.thread(id).joined => Ok(id),
            _ => Err(Ending::Undefined(Undefined::Handle)),
        }
    }

    fn join(&mut self, handle: ExprId) -> Run<Control> {
        let id = self.thread_of(handle)?;
        if self.state.thread(id).detached {
            return Err(Ending::Undefined(Undefined::Handle));
        }
        if id == self.thread {
            return Ok(Control::Yield(EDEADLK));
        }
        self.state.thread_mut(id).joined = true;
        Ok(Control::Join { thread: id.0 })
    }

    /// A terminating thread: the newest clean-up handler, then destructors of keys, then the end.
    pub fn then(&mut self) -> Run<Then> {
        if let Some((routine, _)) = self.state.thread(self.thread).cleanup.last().copied() {
            return self.callee(routine).map(Then::Handler);
        }
        self.state.thread_mut(self.thread).left = 0;
        if let Some((destructor, key)) = self.next_destructor() {
            return Ok(Then::Destructor(self.callee(destructor)?, key));
        }
        Ok(if self.state.thread(self.thread).detached { Then::Vanish } else { Then::Finish })
    }

    pub fn finish_thread(&mut self) {
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
    }

    /// The next key with a destructor and a value.
    fn next_destructor(&mut self) -> Option<(Value, u32)> {
        let keys = self.state.keys.clone();
        let thread = self.state.thread_mut(self.thread);
        while thread.round.0 < ROUNDS {
            let (round, next) = thread.round;
            for (key, destructor) in keys.iter().enumerate().skip(next as usize) {
                let value = thread.specific.get(key).copied().unwrap_or(Value::NULL);
                if let Some(destructor) = destructor.filter(|d| *d != Value::NULL && value != Value::NULL) {
                    thread.round = (round, key as u32 + 1);
                    return Some((destructor, key as u32));
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

fn function_of(routine: Value) -> Option<FunctionId> {
    match routine {
        Value::Pointer(Pointer { base: Base::Function(function), offset: 0 }) => Some(function),
        _ => None,
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
