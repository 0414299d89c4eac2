//! The control of all threads: stacks, locations, locks, who waits for what. Knows no data: which function, thread or lock an
//! expression names is a query to other components. Waiting and locking mean what they mean to the interpreter, see [`semantics::locks`].
//!
//! Stacks and statuses are stored once, so that a step that only passes along an edge writes one number.

mod advance;
mod leave;
mod next;
mod stack;
mod status;
mod symmetry;
mod sync;
mod table;
mod transfer;

use base::Idx;
use program::{FunctionId, Location, Program};
use semantics::{Base, LockKey, ObjectId, ThreadId};
use smallvec::SmallVec;

use crate::analysis::{Analysis, Answers, Around, InPlace, Names, Naming, States};
use crate::cache::Cache;
use crate::intern::{Lists, Shared, Store};
use crate::step::{Advance, Post, Queries, Step, Unknown};
use crate::symmetry::{Order, Signatures};

pub use advance::Before;
pub use next::{Edges, Next, Possible, is_deadlock};
pub use stack::{Frame, StackId};
pub use status::{Life, Status};
pub use table::{Keys, Locks};

use stack::Stacks;
use status::StatusId;

pub struct Threads<'p> {
    program: &'p Program,
    tables: Tables,
    /// A cache of the effects of operations on locks.
    cache: Cache<advance::LockStep, Option<u32>>,
    /// Numbers of a state that is stored; empty in between.
    list: Vec<u32>,
}

/// The components of states, stored once; independent of the program, so that they can be kept in a certificate.
#[derive(Default)]
pub struct Tables {
    stacks: Stacks,
    statuses: Store<Status>,
    locks: Store<Locks>,
    keys: Store<Keys>,
    lists: Lists,
}

#[derive(Clone, Debug)]
pub struct ControlState {
    threads: SmallVec<[Place; 6]>,
    locks: Shared<Locks>,
    keys: Shared<Keys>,
    /// The thread inside an atomic section.
    atomic: Option<u32>,
}

/// The location of a thread, with its stack.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    stack: StackId,
    /// In the running function.
    location: Location,
    status: StatusId,
}

/// Numbers before those of the threads in a key: locks, keys, atomic.
const HEAD: usize = 3;
/// Numbers of a thread: stack, location, status.
const PER_THREAD: usize = 3;
/// No thread is in an atomic section.
const NO_THREAD: u32 = u32::MAX;

impl<'p> Threads<'p> {
    pub fn new(program: &'p Program) -> Self {
        Threads::with(program, Tables::default())
    }

    /// Goes on with the states of another one, of the same program.
    pub fn with(program: &'p Program, tables: Tables) -> Self {
        Threads { program, tables, cache: Cache::default(), list: Vec::new() }
    }

    pub fn into_tables(self) -> Tables {
        self.tables
    }

    /// How many there are, ended ones included.
    pub fn threads(&self, state: &ControlState) -> usize {
        state.threads.len()
    }

    /// From the running frame outwards. Frames that `pthread_exit` left are among them.
    pub fn frames(&self, state: &ControlState, thread: u32) -> impl Iterator<Item = (FunctionId, Location)> {
        let Place { stack, location, .. } = state.threads[thread as usize];
        self.tables.stacks.frames(stack, location)
    }

    /// The running function of a thread that has not finished.
    pub fn function(&self, state: &ControlState, thread: u32) -> FunctionId {
        self.tables.stacks.get(state.threads[thread as usize].stack).function
    }

    /// Where a thread is that has not finished.
    pub fn location(&self, state: &ControlState, thread: u32) -> Location {
        state.threads[thread as usize].location
    }

    /// Equal stacks have equal numbers.
    pub fn stack_number(&self, state: &ControlState, thread: u32) -> u32 {
        state.threads[thread as usize].stack.0
    }

    pub fn status(&self, state: &ControlState, thread: u32) -> &Status {
        self.tables.statuses.get(state.threads[thread as usize].status.0)
    }

    pub fn is_finished(&self, state: &ControlState, thread: u32) -> bool {
        self.status(state, thread).life == Life::Finished
    }

    /// Inside an atomic section, perhaps waiting there.
    pub fn in_section(&self, state: &ControlState, thread: u32) -> bool {
        self.status(state, thread).atomic > 0
    }

    /// The thread inside an atomic section.
    pub fn atomic(&self, state: &ControlState) -> Option<u32> {
        state.atomic
    }

    pub fn locks<'s>(&self, state: &'s ControlState) -> &'s Locks {
        &state.locks
    }

    pub fn keys<'s>(&self, state: &'s ControlState) -> &'s Keys {
        &state.keys
    }

    /// The location vector and locks of a stored state, for analyses of data.
    pub fn around(&self, state: &ControlState) -> Around {
        let active = (0..state.threads.len() as u32).filter(|thread| !self.is_finished(state, *thread)).count();
        Around {
            places: state.threads.iter().map(|place| [place.stack.0, place.location.0]).collect(),
            locks: [state.locks.number().unwrap_or(NO_THREAD), state.atomic.unwrap_or(NO_THREAD)],
            active: active as u32,
        }
    }

    /// Locks in objects that ended are forgotten.
    pub fn forget_locks(&self, state: &mut ControlState, is_ended: impl Fn(ObjectId) -> bool) {
        let is_gone = |key: &LockKey| object_of(key).is_some_and(&is_ended);
        if state.locks.iter().any(|(key, _)| is_gone(key)) {
            state.locks.edit().forget(is_gone);
        }
    }

    fn number_of(&mut self, status: Status) -> StatusId {
        let known = self.tables.statuses.find(&status);
        StatusId(known.unwrap_or_else(|| self.tables.statuses.number(&mut Shared::new(status))))
    }

    fn change(&mut self, state: &mut ControlState, thread: u32, change: impl FnOnce(&mut Status)) {
        let mut status = self.status(state, thread).clone();
        change(&mut status);
        state.threads[thread as usize].status = self.number_of(status);
    }

    /// A thread that goes on inside its atomic section may have been blocked there while another had one.
    fn resume_section(&self, state: &mut ControlState, thread: u32) {
        if self.in_section(state, thread) {
            state.atomic = Some(thread);
        }
    }

    fn begin_atomic(&mut self, state: &mut ControlState, thread: u32) {
        self.change(state, thread, |status| status.atomic += 1);
        state.atomic = Some(thread);
    }

    fn end_atomic(&mut self, state: &mut ControlState, thread: u32) {
        self.change(state, thread, |status| status.atomic = status.atomic.saturating_sub(1));
        if self.status(state, thread).atomic == 0 && state.atomic == Some(thread) {
            state.atomic = None;
        }
    }

    /// A thread that begins.
    fn begin(&mut self, entry: FunctionId, detached: bool) -> Place {
        let stack = self.tables.stacks.push(StackId::EMPTY, Location(0), entry);
        let status = self.number_of(Status { detached, ..Status::default() });
        Place { stack, location: self.program.functions[entry].entry, status }
    }
}

/// The object that a lock lies in, if its address is one.
fn object_of(key: &LockKey) -> Option<ObjectId> {
    match key.at.base {
        Base::Object(id) if id.0 != u32::MAX => Some(id),
        _ => None,
    }
}

impl States for Threads<'_> {
    type State = ControlState;
    /// The number of the list of all numbers of a state.
    type Key = u32;

    fn store(&mut self, state: &mut ControlState) -> u32 {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        let (locks, keys) = (self.tables.locks.number(&mut state.locks), self.tables.keys.number(&mut state.keys));
        list.extend_from_slice(&[locks, keys, state.atomic.unwrap_or(NO_THREAD)]);
        for place in &state.threads {
            list.extend_from_slice(&[place.stack.0, place.location.0, place.status.0]);
        }
        let number = self.tables.lists.number(&list);
        self.list = list;
        number
    }

    fn load(&self, key: u32) -> ControlState {
        let (head, threads) = self.tables.lists.get(key).split_at(HEAD);
        let mut places = SmallVec::with_capacity(threads.len() / PER_THREAD);
        for numbers in threads.chunks_exact(PER_THREAD) {
            let (stack, location, status) = (StackId(numbers[0]), Location(numbers[1]), StatusId(numbers[2]));
            places.push(Place { stack, location, status });
        }
        ControlState {
            threads: places,
            locks: self.tables.locks.get(head[0]).clone(),
            keys: self.tables.keys.get(head[1]).clone(),
            atomic: Some(head[2]).filter(|thread| *thread != NO_THREAD),
        }
    }
}

impl Analysis for Threads<'_> {
    fn initial(&mut self) -> Result<ControlState, Unknown> {
        let first = self.begin(self.program.entry, false);
        Ok(ControlState {
            threads: smallvec::smallvec![first],
            locks: Shared::new(Locks::default()),
            keys: Shared::new(Keys::default()),
            atomic: None,
        })
    }

    fn transfer(
        &mut self,
        state: ControlState,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<ControlState>,
    ) -> Result<(), Unknown> {
        transfer::transfer(self, state, step, others, post)
    }

    fn is_exact(&self, _: &ControlState) -> bool {
        true
    }
}

impl InPlace for Threads<'_> {
    type Before = Before;

    fn advance(&mut self, state: &mut ControlState, step: &Step, others: &mut dyn Queries) -> Option<Advance<Before>> {
        self.advance_in_place(state, step, others)
    }

    fn take_back(&mut self, state: &mut ControlState, thread: u32, before: Before) {
        before.restore(state, thread);
    }
}

impl Answers for Threads<'_> {}

impl Naming for Threads<'_> {
    fn rename(&mut self, state: &mut ControlState, names: &Names) {
        self.forget_locks(state, |object| names.ended.contains(&object));
        let new = |key: &LockKey| LockKey { kind: key.kind, at: names.pointer(key.at) };
        if state.locks.iter().any(|(key, _)| new(key) != *key) {
            state.locks.edit().rename(new);
        }
        for thread in 0..state.threads.len() as u32 {
            if self.status(state, thread).lock_keys().any(|key| new(&key) != key) {
                self.change(state, thread, |status| status.rename(new));
            }
        }
    }

    fn sign(&self, state: &ControlState, signatures: &mut Signatures) -> bool {
        self.sign_threads(state, signatures);
        true
    }

    fn reorder(&mut self, state: &mut ControlState, order: &Order) {
        self.reorder_threads(state, order);
    }

    fn mentions(&self, state: &ControlState, meet: &mut dyn FnMut(ObjectId)) {
        let waited_for = (0..state.threads.len() as u32).flat_map(|thread| self.status(state, thread).lock_keys());
        let held = state.locks.iter().map(|(key, _)| *key);
        held.chain(waited_for).filter_map(|key| object_of(&key)).for_each(meet);
    }
}

fn thread_id(thread: u32) -> ThreadId {
    ThreadId::from_usize(thread as usize)
}
