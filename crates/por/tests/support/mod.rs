//! Programs from text, and the states of their runs as an engine would describe them.
#![allow(dead_code)]

use base::{Budget, Idx};
use facts::blocks::Mover;
use facts::{Facts, Movers};
use por::{Action, RemainingEffects, Site, Sync, SyncOp, Touch, View, sync_ops};
use program::{Allocation, EdgeId, ExprId, Input, LocalId, MutexOp, Op, Program, Scalar, ThreadOp};
use semantics::{
    Base, Environment, Lock, LockKind, Machine, Next, ObjectId, ObjectKind, Pointer, Random, State, ThreadId, Value,
    for_each_choice,
};
use smallvec::SmallVec;

pub const INPUTS: &[i64] = &[0, 1];

pub const PRELUDE: &str = "
typedef unsigned long pthread_t; typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
void *malloc(unsigned long); void free(void *); void reach_error(void);
void __VERIFIER_atomic_begin(void); void __VERIFIER_atomic_end(void); int __VERIFIER_nondet_int(void);
";

/// `None` if it is not understood.
pub fn facts_of(program: &Program) -> Option<Facts> {
    facts::analyze(program, &Budget::unlimited()).ok()
}

/// How much of what the facts show an engine makes use of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Manner {
    /// Every access is told.
    Plain,
    /// Steps that move to the left are local.
    Movers,
}

pub struct Watch<'p> {
    pub machine: Machine<'p>,
    pub movers: Movers,
    pub remaining: RemainingEffects,
    pub manner: Manner,
}

/// Where the objects of a state were made.
pub type Sites = Vec<Site>;

impl<'p> Watch<'p> {
    pub fn new(program: &'p Program, facts: &Facts, manner: Manner) -> Self {
        let movers = facts.movers(program);
        let remaining = RemainingEffects::with_movers(program, facts, &movers);
        Watch { machine: Machine::new(program), movers, remaining, manner }
    }

    pub fn first_sites(&self, state: &State) -> Sites {
        state.objects.iter().map(|object| site_of_kind(object.kind)).collect()
    }

    /// A step was made.
    pub fn follow(&self, sites: &mut Sites, before: &State, after: &State, (thread, edge): (ThreadId, EdgeId)) {
        let function = before.frame(thread).function;
        for object in &after.objects[before.objects.len()..] {
            let site = match &self.machine.edge(before, thread, edge).op {
                _ if matches!(object.kind, ObjectKind::Indeterminate(_)) => site_of_kind(object.kind),
                Op::Enter(local) => Site::Local(function, *local),
                Op::Allocate(_) => Site::Block(function, edge),
                _ => site_of_kind(object.kind),
            };
            sites.push(site);
        }
    }

    pub fn views(&mut self, state: &State, sites: &Sites) -> Vec<View> {
        let runnable = self.machine.runnable(state);
        state.thread_ids().map(|thread| self.view(state, sites, thread, &runnable)).collect()
    }

    fn view(&mut self, state: &State, sites: &Sites, thread: ThreadId, runnable: &[(ThreadId, EdgeId)]) -> View {
        let frames = state.thread(thread).frames.iter().rev().map(|frame| (frame.function, frame.location));
        let remaining = self.remaining.of(frames);
        let enabled = runnable.iter().any(|(other, _)| *other == thread);
        let (next, mut waits_for) = (self.machine.next(state, thread), SmallVec::new());
        if next == Next::Finished {
            return View { action: Action::Local, enabled: false, waits_for, finished: true, remaining };
        }
        match &next {
            Next::Blocked(threads) => waits_for.extend(threads.iter().map(|thread| thread.index())),
            _ if !enabled => {
                let inside = |other: &ThreadId| state.thread(*other).atomic > 0;
                waits_for.extend(state.thread_ids().filter(inside).map(|thread| thread.index()));
            }
            _ => {}
        }
        let mut edges = self.machine.function(state.frame(thread).function).edges_from(state.frame(thread).location);
        let first = edges.next().map(|(edge, _)| edge);
        let action = match next.edge().or(first) {
            Some(edge) => self.action(state, sites, thread, edge, enabled),
            None => Action::Local,
        };
        View { action, enabled, waits_for, finished: false, remaining }
    }

    fn action(&self, state: &State, sites: &Sites, thread: ThreadId, edge: EdgeId, enabled: bool) -> Action {
        if enabled && self.may_end(state, thread, edge) {
            return Action::Everything;
        }
        let function = state.frame(thread).function;
        let mover: Mover = self.movers.mover(function, edge);
        if self.manner == Manner::Movers && mover.moves_left() {
            return Action::Local;
        }
        let step = Step { watch: self, state, sites, thread, edge };
        let op = &self.machine.edge(state, thread, edge).op;
        if *op == Op::AtomicBegin && state.thread(thread).atomic == 0 {
            return Action::Section(function, edge);
        }
        let (touches, syncs) = (step.touches(op), step.syncs(op));
        let is_indeterminate = |touch: &Touch| matches!(touch.site, Site::Indeterminate { .. });
        if touches.iter().any(is_indeterminate) {
            return Action::Everything;
        }
        if touches.is_empty() && syncs.is_empty() { Action::Local } else { Action::Does { touches, syncs } }
    }

    fn may_end(&self, state: &State, thread: ThreadId, edge: EdgeId) -> bool {
        let mut ends = false;
        for_each_choice(INPUTS, |choices| {
            ends |= self.machine.step(&mut state.clone(), thread, edge, choices).ending.is_some();
        });
        ends
    }
}

fn site_of_kind(kind: ObjectKind) -> Site {
    match kind {
        ObjectKind::Global(global) => Site::Global(global),
        ObjectKind::ThreadLocal(global) => Site::ThreadLocal(global),
        ObjectKind::Indeterminate(why) => {
            Site::Indeterminate { promised: matches!(why, Input::Unknown | Input::Imprecise) }
        }
        ObjectKind::Arguments(_) | ObjectKind::Argument => Site::CommandLine,
        ObjectKind::Local | ObjectKind::Heap => unreachable!("it comes from an edge"),
    }
}

/// A next step.
struct Step<'a, 'p> {
    watch: &'a Watch<'p>,
    state: &'a State,
    sites: &'a Sites,
    thread: ThreadId,
    edge: EdgeId,
}

impl Step<'_, '_> {
    fn touches(&self, op: &Op) -> SmallVec<[Touch; 2]> {
        let accesses = self.watch.machine.touches(self.state, self.thread);
        let mut touches: SmallVec<[Touch; 2]> = accesses
            .into_iter()
            .map(|touch| {
                let semantics::Touch { object, start, length, write, atomic } = touch;
                Touch { object: object.0, site: self.sites[object.index()], start, length, write, atomic }
            })
            .collect();
        let thread = self.state.thread(self.thread);
        match op {
            Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => touches.extend(self.end_of(*local)),
            Op::Allocate(allocate) => {
                if let Allocation::Variable(local) = allocate.kind {
                    touches.extend(self.end_of(local));
                }
            }
            Op::Return if thread.frames.len() - 1 > thread.left => {
                touches.extend(self.ends_of_frame(thread.frames.len() - 1))
            }
            op if self.ends_thread(op) => {
                (0..thread.frames.len()).for_each(|frame| touches.extend(self.ends_of_frame(frame)));
                touches.extend(thread.thread_locals.iter().map(|(_, object)| self.whole(*object)));
            }
            _ => {}
        }
        touches
    }

    fn ends_thread(&self, op: &Op) -> bool {
        let exits = matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Exit { .. }));
        let thread = self.state.thread(self.thread);
        exits || *op == Op::Return && thread.frames.len() - 1 == thread.left
    }

    fn whole(&self, object: ObjectId) -> Touch {
        let length = self.state.object(object).contents.size;
        Touch { object: object.0, site: self.sites[object.index()], start: 0, length, write: true, atomic: false }
    }

    fn end_of(&self, local: LocalId) -> Option<Touch> {
        match self.state.frame(self.thread).locals[local.index()] {
            Value::Pointer(Pointer { base: Base::Object(object), .. }) => Some(self.whole(object)),
            _ => None,
        }
    }

    fn ends_of_frame(&self, index: usize) -> Vec<Touch> {
        let frame = &self.state.thread(self.thread).frames[index];
        let locals = self.watch.machine.function(frame.function).locals.iter().zip(&frame.locals);
        let objects = locals.filter(|(local, _)| local.storage == program::Storage::Memory);
        let objects = objects.filter_map(|(_, value)| match value {
            Value::Pointer(Pointer { base: Base::Object(object), .. }) => Some(*object),
            _ => None,
        });
        objects.chain(frame.allocated.iter().copied()).map(|object| self.whole(object)).collect()
    }

    fn syncs(&self, op: &Op) -> SmallVec<[Sync; 2]> {
        let key_use = Sync { object: 0, site: None, offset: 0, op: SyncOp::KeyUse };
        match op {
            Op::Return if self.ends_thread(op) => SmallVec::from_elem(key_use, 1),
            Op::Thread(op) => sync_ops(op).into_iter().map(|(sync, lock)| self.sync(op, sync, lock)).collect(),
            _ => SmallVec::new(),
        }
    }

    fn sync(&self, op: &ThreadOp, sync: SyncOp, lock: Option<ExprId>) -> Sync {
        let machine = &self.watch.machine;
        let Some(lock) = lock else { return Sync { object: 0, site: None, offset: 0, op: sync } };
        if sync == SyncOp::Thread {
            let other = machine.thread_at(self.state, self.thread, lock);
            return Sync { object: other.map_or(u32::MAX, |other| other.0), site: None, offset: 0, op: sync };
        }
        let kind = match op {
            ThreadOp::Mutex { .. } => LockKind::Mutex,
            ThreadOp::Condition { .. } if sync == SyncOp::Unlock => LockKind::Mutex,
            ThreadOp::Condition { .. } => LockKind::Condition,
            ThreadOp::RwLock { .. } => LockKind::RwLock,
            ThreadOp::Barrier { .. } => LockKind::Barrier,
            ThreadOp::Semaphore { .. } => LockKind::Semaphore,
            _ => LockKind::Once,
        };
        let Some(key) = machine.lock_at(self.state, self.thread, lock, kind) else {
            return Sync { object: u32::MAX, site: None, offset: 0, op: sync };
        };
        let held = matches!(self.state.lock(key), Some(Lock::Mutex { owner, .. }) if *owner == Some(self.thread));
        let unlocks = matches!(op, ThreadOp::Mutex { op: MutexOp::Unlock, .. }) || sync == SyncOp::Unlock;
        let sync = if unlocks && !held { SyncOp::OtherMutex } else { sync };
        let object = match key.at.base {
            Base::Object(object) => object.0,
            _ => u32::MAX,
        };
        Sync { object, site: self.sites.get(object as usize).copied(), offset: key.at.offset, op: sync }
    }
}

pub struct Guesses(pub Random);

impl Environment for Guesses {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.0.pick(INPUTS) as u128
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.0.below(options as usize) as u32
    }

    fn print(&mut self, _: &[u8]) {}
}

/// The first option, each time.
pub struct First;

impl Environment for First {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        0
    }

    fn choose(&mut self, _: u32) -> u32 {
        0
    }

    fn print(&mut self, _: &[u8]) {}
}
