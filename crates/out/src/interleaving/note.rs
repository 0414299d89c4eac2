//! What one step does, in a few words.

use base::Span;
use program::{
    Access, Allocation, BarrierOp, ConditionOp, Edge, End, ErrorKind, ExprId, Input, LocalId, LocalKind, MutexOp, Op,
    RwLockOp, SemaphoreOp, Storage, ThreadOp,
};
use semantics::{Base, LockKind, Machine, Pointer, State, ThreadId, Value};

use super::{Note, Recorder};
use crate::names::Block;

/// More than this in one row says no more.
const MOST: usize = 6;

impl<'p> Recorder<'_, 'p> {
    /// What is known before the step: where it writes, whom it wakes.
    pub(super) fn note_before(&mut self, state: &State, thread: ThreadId, edge: &'p Edge) {
        match &edge.op {
            Op::Store { to, value } => {
                let value = self.machine.peek(state, thread, *value);
                self.access(state, thread, "writes", to, value);
            }
            Op::Free(pointer) => self.free(state, thread, *pointer),
            Op::Allocate(allocate) => {
                if let Allocation::Realloc(old) = allocate.kind {
                    self.free(state, thread, old);
                }
            }
            Op::Thread(op) => self.thread_op(state, thread, op),
            Op::Error(ErrorKind::Assert) => self.say("fails", "the assertion"),
            Op::Error(ErrorKind::ErrorCall) => self.say("reaches", "the error"),
            Op::Error(ErrorKind::Label) => self.say("reaches", "the label ERROR"),
            Op::End(End::Exit) => self.say("ends", "the program"),
            Op::End(End::Abort) => self.say("aborts", "the program"),
            _ => {}
        }
    }

    /// What is known only then: values read, blocks made.
    pub(super) fn note_after(&mut self, state: &State, thread: ThreadId, edge: &'p Edge) {
        let local = |local: LocalId| state.thread(thread).frames.last().map(|f| f.locals[local.0 as usize]);
        match &edge.op {
            Op::Load { to, from } => self.access(state, thread, "reads", from, local(*to)),
            Op::Modify(modify) => {
                let new = self.machine.peek(state, thread, modify.new);
                self.access(state, thread, "reads", &modify.access, local(modify.old));
                self.access(state, thread, "writes", &modify.access, new);
            }
            Op::CompareExchange(exchange) => {
                self.access(state, thread, "reads", &exchange.access, local(exchange.old));
                if local(exchange.success) == Some(Value::truth(true)) {
                    let new = self.machine.peek(state, thread, exchange.desired);
                    self.access(state, thread, "writes", &exchange.access, new);
                }
            }
            Op::Overwrite(overwrite) if overwrite.writes() => self.overwritten(state, thread, overwrite.address),
            Op::Assign(to, _) => self.own(state, thread, "", *to, local(*to)),
            Op::Havoc(to, Input::Nondet) => self.own(state, thread, "input", *to, local(*to)),
            Op::Havoc(to, _) => self.own(state, thread, "", *to, local(*to)),
            Op::Allocate(allocate) => {
                if let Some(Value::Pointer(Pointer { base: Base::Object(object), .. })) = local(allocate.to)
                    && !matches!(allocate.kind, Allocation::Frame | Allocation::Variable(_))
                {
                    let allocated = self.own_span(thread);
                    self.names.blocks.insert(object, Block { allocated, freed: None });
                }
            }
            _ => {}
        }
    }

    pub(super) fn say(&mut self, verb: &'static str, subject: &str) {
        self.add(Note { verb, subject: subject.to_owned(), value: None, object: None, matters: true });
    }

    /// A second value of the same object takes the place of the first.
    pub(super) fn add(&mut self, note: Note) {
        let Some(row) = self.interleaving.rows.last_mut() else { return };
        match row.notes.iter().position(|old| old.verb == note.verb && old.subject == note.subject) {
            Some(old) => row.notes[old] = note,
            None if row.notes.len() < MOST || note.matters => row.notes.push(note),
            None => {}
        }
    }

    fn access(&mut self, state: &State, thread: ThreadId, verb: &'static str, access: &Access, value: Option<Value>) {
        let Some(Value::Pointer(Pointer { base: Base::Object(object), offset })) =
            self.machine.peek(state, thread, access.address)
        else {
            return;
        };
        if state.objects.get(object.0 as usize).is_none_or(|known| known.read_only) {
            return;
        }
        let (subject, ty) = self.names.part(state, object, offset);
        if subject.starts_with("__") || subject.starts_with('<') {
            return;
        }
        let value = value.map(|value| self.names.value(state, value, access.ty, ty));
        self.add(Note { verb, subject, value, object: Some(object), matters: false });
    }

    /// By a function without a body.
    fn overwritten(&mut self, state: &State, thread: ThreadId, address: ExprId) {
        if let Some(Value::Pointer(Pointer { base: Base::Object(object), offset })) =
            self.machine.peek(state, thread, address)
        {
            let (subject, _) = self.names.part(state, object, offset);
            self.add(Note { verb: "may write", subject, value: None, object: Some(object), matters: false });
        }
    }

    /// A variable of the thread's own, if the user named it, or an input.
    fn own(&mut self, state: &State, thread: ThreadId, verb: &'static str, local: LocalId, value: Option<Value>) {
        let Some(frame) = state.thread(thread).frames.last() else { return };
        let function = self.machine.function(frame.function);
        if function.result == Some(local) {
            return;
        }
        let local = &function.locals[local];
        let Storage::Plain(scalar) = local.storage else { return };
        // Macros of system headers bring variables of their own.
        let named = local.kind != LocalKind::Temporary && !local.name.starts_with("__") && self.is_own(function.span);
        let is_input = verb == "input";
        if named || is_input {
            let value = value.map(|value| self.names.value(state, value, scalar, Some(local.ty)));
            let subject = if named { local.name.to_string() } else { String::new() };
            self.add(Note { verb, subject, value, object: None, matters: is_input });
        }
    }

    fn is_own(&self, span: Span) -> bool {
        let place = self.machine.program.sources.place(span);
        place.is_some_and(|place| self.files.contains(&place.file))
    }

    /// Where the thread is, in the user's own text.
    pub(super) fn own_span(&self, thread: ThreadId) -> Span {
        let spans = self.at[thread.0 as usize].iter().rev();
        spans.copied().find(|span| self.is_own(*span)).unwrap_or_default()
    }

    fn free(&mut self, state: &State, thread: ThreadId, pointer: ExprId) {
        let pointer = self.machine.peek(state, thread, pointer);
        let Some(Value::Pointer(pointer @ Pointer { base: Base::Object(object), .. })) = pointer else { return };
        let subject = self.names.pointer(state, pointer);
        self.add(Note { verb: "frees", subject, value: None, object: Some(object), matters: true });
        let here = self.own_span(thread);
        // A second time is what the ending tells.
        if let Some(block) = self.names.blocks.get_mut(&object) {
            block.freed.get_or_insert(here);
        }
    }

    /// The name of the lock at an address.
    pub(super) fn lock(&self, state: &State, thread: ThreadId, address: ExprId, kind: LockKind) -> String {
        let key = self.machine.lock_at(state, thread, address, kind);
        let name = key.map(|key| self.names.pointer(state, key.at));
        name.map_or_else(|| "?".to_owned(), |name| name.trim_start_matches('&').to_owned())
    }

    fn thread_op(&mut self, state: &State, thread: ThreadId, op: &ThreadOp) {
        let lock = |address: ExprId, kind| self.lock(state, thread, address, kind);
        let (verb, subject) = match op {
            ThreadOp::Create { .. } => ("starts", ThreadId(state.threads.len() as u32).to_string()),
            ThreadOp::Join { thread: handle, .. } => {
                let other = self.machine.thread_at(state, thread, *handle);
                ("joins", other.map_or_else(|| "?".to_owned(), |t| t.to_string()))
            }
            ThreadOp::Mutex { op, mutex, .. } => (mutex_verb(*op), lock(*mutex, LockKind::Mutex)),
            ThreadOp::RwLock { op, lock: at, .. } => (rwlock_verb(*op), lock(*at, LockKind::RwLock)),
            ThreadOp::Condition { op, condition, .. } => (condition_verb(*op), lock(*condition, LockKind::Condition)),
            ThreadOp::Barrier { op, barrier, .. } => (barrier_verb(*op), lock(*barrier, LockKind::Barrier)),
            ThreadOp::Semaphore { op, semaphore, .. } => (semaphore_verb(*op), lock(*semaphore, LockKind::Semaphore)),
            _ => return,
        };
        if !verb.is_empty() {
            self.add(Note { verb, subject, value: None, object: None, matters: true });
        }
    }
}

/// The pointer that a step goes through.
pub(super) fn pointer(machine: &Machine<'_>, state: &State, thread: ThreadId, op: &Op) -> Option<Value> {
    let address = match op {
        Op::Load { from, .. } => from.address,
        Op::Store { to, .. } => to.address,
        Op::Modify(modify) => modify.access.address,
        Op::CompareExchange(exchange) => exchange.access.address,
        Op::Free(pointer) => *pointer,
        Op::Allocate(allocate) => match allocate.kind {
            Allocation::Realloc(old) => old,
            _ => return None,
        },
        _ => return None,
    };
    machine.peek(state, thread, address)
}

fn mutex_verb(op: MutexOp) -> &'static str {
    match op {
        MutexOp::Lock => "locks",
        MutexOp::TryLock | MutexOp::TimedLock => "tries to lock",
        MutexOp::Unlock => "unlocks",
        MutexOp::Init { .. } | MutexOp::Destroy => "",
    }
}

fn rwlock_verb(op: RwLockOp) -> &'static str {
    match op {
        RwLockOp::ReadLock => "locks for reading",
        RwLockOp::WriteLock => "locks for writing",
        RwLockOp::TryReadLock | RwLockOp::TimedReadLock => "tries to lock for reading",
        RwLockOp::TryWriteLock | RwLockOp::TimedWriteLock => "tries to lock for writing",
        RwLockOp::Unlock => "unlocks",
        RwLockOp::Init | RwLockOp::Destroy => "",
    }
}

fn condition_verb(op: ConditionOp) -> &'static str {
    match op {
        ConditionOp::Sleep { .. } => "waits on",
        ConditionOp::Wake { .. } => "wakes from",
        ConditionOp::Signal => "signals",
        ConditionOp::Broadcast => "broadcasts",
        ConditionOp::Init | ConditionOp::Destroy => "",
    }
}

fn barrier_verb(op: BarrierOp) -> &'static str {
    match op {
        BarrierOp::Arrive => "arrives at",
        BarrierOp::Pass => "passes",
        BarrierOp::Init { .. } | BarrierOp::Destroy => "",
    }
}

fn semaphore_verb(op: SemaphoreOp) -> &'static str {
    match op {
        SemaphoreOp::Post => "posts",
        SemaphoreOp::Wait => "takes",
        SemaphoreOp::TryWait | SemaphoreOp::TimedWait => "tries to take",
        SemaphoreOp::Init { .. } | SemaphoreOp::Destroy | SemaphoreOp::Value => "",
    }
}
