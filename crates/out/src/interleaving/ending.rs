//! What happened at the end of a run that violates something.

use base::{Idx, Span};
use program::{BarrierOp, ConditionOp, Op, SemaphoreOp, ThreadOp};
use semantics::{
    Base, Life, LockKind, Next, ObjectId, Pointer, State, ThreadId, Touch, Value, live_blocks, lost_block,
};
use spec::{Automaton, How, Known, Reached, Said};
use verify::Target;

use super::{Note, Recorder};

impl Recorder<'_, '_> {
    /// `last` made the last step; `state` is the one behind it.
    pub(super) fn finish(&mut self, state: &State, target: Target, last: Option<ThreadId>, steps: usize) {
        let thread = last.unwrap_or(ThreadId(0));
        match target {
            Target::Overflow => self.say("overflows", ""),
            Target::InvalidAccess => self.say("accesses", "what is not there"),
            Target::InvalidFree => self.say("frees", "what cannot be freed"),
            Target::Undefined => self.say("is", "undefined behaviour"),
            _ => {}
        }
        let lines = match target {
            Target::Error => vec![self.error(thread)],
            Target::Race => self.race(state, steps),
            Target::Deadlock => self.deadlock(state, steps),
            Target::Overflow => vec![format!("signed overflow in `{}`{}", self.snippet(), self.by(thread))],
            Target::InvalidAccess => vec![self.invalid("access", state, thread)],
            Target::InvalidFree => vec![self.invalid("free", state, thread)],
            Target::Undefined => vec![format!("undefined behaviour in `{}`{}", self.snippet(), self.by(thread))],
            Target::Lost => self.lost(state),
            Target::NotFreed => self.not_freed(state),
            // Of a specification there is more to say: see `finish_specification`.
            Target::Endless | Target::Specification => Vec::new(),
        };
        self.interleaving.ending.extend(lines);
    }

    /// The same for an automaton that came to an error state.
    pub(super) fn finish_specification(
        &mut self,
        state: &State,
        automaton: &Automaton,
        reached: &Reached,
        steps: usize,
    ) {
        let thread = reached.thread;
        let mut lines = match reached.how {
            How::Deadlock => self.deadlock(state, steps),
            How::Step => Vec::new(),
            How::Waits => {
                self.stand_next(state, thread);
                let place = self.place(thread);
                self.row(thread, place, steps);
                self.say("waits", &self.waits(state, thread));
                Vec::new()
            }
        };
        let said = |said: &Said| match said {
            Said::Text(text) => text.clone(),
            Said::Value(Known::Place(pointer)) => self.names.pointer(state, *pointer),
            Said::Value(Known::Number(bits)) => (*bits as i128).to_string(),
            Said::Value(Known::Gone) | Said::Unknown => "?".to_owned(),
        };
        let message: String = reached.message.iter().map(said).collect();
        match lines.first_mut() {
            Some(head) => *head = format!("{automaton}: {message}:"),
            None => lines.push(format!("{automaton}: {message},{}", self.by(thread))),
        }
        self.interleaving.ending.extend(lines);
    }

    /// ` by T1 at x.c:3`
    fn by(&self, thread: ThreadId) -> String {
        let at = self.names.place(self.own_span(thread));
        if at.is_empty() { format!(" by {thread}") } else { format!(" by {thread} at {at}") }
    }

    /// The C text of the last step, on one line.
    fn snippet(&self) -> String {
        let span = self.last.as_ref().map_or(Span::NONE, |last| last.span);
        let text = self.machine.program.sources.snippet(span);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    fn error(&self, thread: ThreadId) -> String {
        let subject = match self.last.as_ref().map(|last| &last.op) {
            Some(Op::Error(program::ErrorKind::ErrorCall)) => "the error function is called",
            Some(Op::Error(program::ErrorKind::Label)) => "the label ERROR is reached",
            _ => "assertion failed",
        };
        format!("{subject}{}", self.by(thread))
    }

    // Races.

    fn race(&mut self, state: &State, steps: usize) -> Vec<String> {
        let Some((first, second)) = self.machine.race(state) else { return Vec::new() };
        let (a, b) = (self.machine.touches(state, first), self.machine.touches(state, second));
        let pair = a.iter().flat_map(|a| b.iter().map(move |b| (a, b))).find(|(a, b)| a.conflicts(b));
        let Some((one, other)) = pair else { return Vec::new() };
        let subject = self.names.part(state, one.object, one.start.max(other.start)).0;
        let mut said = Vec::new();
        for (thread, touch) in [(first, one), (second, other)] {
            self.stand_next(state, thread);
            let place = self.place(thread);
            self.row(thread, place, steps);
            let verb = if touch.write { "is about to write" } else { "is about to read" };
            self.add(Note { verb, subject: subject.clone(), value: None, object: Some(touch.object), matters: true });
            said.push(format!("{thread} {} it at {}", does(touch), self.names.place(self.own_span(thread))));
        }
        vec![format!("data race on {subject}: {} while {}", said[0], said[1])]
    }

    /// The thread is at the step that it would make next.
    fn stand_next(&mut self, state: &State, thread: ThreadId) {
        self.meet_threads(state);
        let Some(frame) = state.thread(thread).frames.last() else { return };
        let edge = self.machine.function(frame.function).edges_from(frame.location).next();
        if let Some((_, edge)) = edge {
            self.stand(state, thread, edge.span);
        }
    }

    // Deadlocks.

    fn deadlock(&mut self, state: &State, steps: usize) -> Vec<String> {
        let mut lines = vec!["deadlock:".to_owned()];
        for thread in state.thread_ids() {
            if matches!(self.machine.next(state, thread), Next::Step(_) | Next::Finished) {
                continue;
            }
            self.stand_next(state, thread);
            let place = self.place(thread);
            self.row(thread, place, steps);
            let waits = self.waits(state, thread);
            self.add(Note { verb: "waits", subject: waits.clone(), value: None, object: None, matters: true });
            lines.push(format!("  {thread} waits {waits}, at {}", self.names.place(self.own_span(thread))));
        }
        lines
    }

    fn waits(&self, state: &State, thread: ThreadId) -> String {
        let frame = state.frame(thread);
        let edge = self.machine.function(frame.function).edges_from(frame.location).next();
        let Some(Op::Thread(op)) = edge.map(|(_, edge)| &edge.op) else { return "for ever".to_owned() };
        let held = self.held(state, thread);
        match &**op {
            ThreadOp::Mutex { mutex, .. } => {
                format!("for mutex {}{held}", self.lock(state, thread, *mutex, LockKind::Mutex))
            }
            ThreadOp::RwLock { lock, .. } => {
                format!("for lock {}{held}", self.lock(state, thread, *lock, LockKind::RwLock))
            }
            ThreadOp::Join { thread: handle, .. } => match self.machine.thread_at(state, thread, *handle) {
                Some(other) => format!("for {other} to end"),
                None => "for a thread to end".to_owned(),
            },
            ThreadOp::Condition { op: ConditionOp::Wake { .. }, condition, .. } => {
                format!("for a signal on {}", self.lock(state, thread, *condition, LockKind::Condition))
            }
            ThreadOp::Barrier { op: BarrierOp::Pass, barrier, .. } => {
                format!("at barrier {}", self.lock(state, thread, *barrier, LockKind::Barrier))
            }
            ThreadOp::Semaphore { op: SemaphoreOp::Wait, semaphore, .. } => {
                format!("for semaphore {}", self.lock(state, thread, *semaphore, LockKind::Semaphore))
            }
            ThreadOp::OnceBegin { .. } => format!("for a routine that runs once{held}"),
            _ => "for ever".to_owned(),
        }
    }

    /// ` held by T1, T2`
    fn held(&self, state: &State, thread: ThreadId) -> String {
        let Next::Blocked(on) = self.machine.next(state, thread) else { return String::new() };
        let holder = |t: &ThreadId| if *t == thread { "itself".to_owned() } else { t.to_string() };
        let holders: Vec<_> = on.iter().map(holder).collect();
        if holders.is_empty() { String::new() } else { format!(" held by {}", holders.join(", ")) }
    }

    // Memory.

    fn invalid(&self, subject: &str, state: &State, thread: ThreadId) -> String {
        let pointer = self.last.as_ref().and_then(|last| last.pointer);
        let why = match pointer {
            Some(Value::NULL) => "the pointer is null".to_owned(),
            Some(Value::Pointer(pointer)) => self.why(state, pointer),
            Some(value) => format!("no object is at {:#x}", value.bits().unwrap_or(0)),
            None => format!("in `{}`", self.snippet()),
        };
        format!("invalid {subject}{}: {why}", self.by(thread))
    }

    fn why(&self, state: &State, pointer: Pointer) -> String {
        let Base::Object(object) = pointer.base else { return "the pointer leads to no object".to_owned() };
        let Some(known) = state.objects.get(object.index()) else { return "no object is there".to_owned() };
        let name = match self.names.whole(state, object) {
            Some((name, _)) => name,
            None if known.kind == semantics::ObjectKind::Heap => self.block(object),
            None => "a variable".to_owned(),
        };
        let size = known.contents.size;
        match known.life {
            Life::Freed => match self.names.blocks.get(&object).and_then(|block| block.freed) {
                Some(freed) => format!("{name} was freed at {}", self.names.place(freed)),
                None => format!("{name} was freed"),
            },
            Life::Ended => format!("{name} is out of scope"),
            Life::Live if matches!(known.kind, semantics::ObjectKind::Indeterminate(_)) => {
                "the pointer is indeterminate".to_owned()
            }
            Life::Live if known.read_only => format!("{name} is read-only, or byte {} is outside", pointer.offset),
            Life::Live => format!("byte {} of {name}, which has {size} byte{}", pointer.offset, plural(size)),
        }
    }

    fn block(&self, object: ObjectId) -> String {
        match self.names.blocks.get(&object) {
            Some(block) => format!("the block allocated at {}", self.names.place(block.allocated)),
            None => "a heap block".to_owned(),
        }
    }

    fn lost(&self, state: &State) -> Vec<String> {
        let lost = lost_block(state).map(|block| self.block(block));
        lost.map(|block| format!("memory lost: nothing leads to {block} any more")).into_iter().collect()
    }

    fn not_freed(&self, state: &State) -> Vec<String> {
        let mut blocks: Vec<_> = live_blocks(state).map(|block| self.block(block)).collect();
        blocks.dedup();
        blocks.iter().map(|block| format!("not freed at the end: {block}")).collect()
    }
}

fn does(touch: &Touch) -> &'static str {
    if touch.write { "writes" } else { "reads" }
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
