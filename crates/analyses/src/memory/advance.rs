//! Transition caching: steps made in place, and values of expressions, are cached by what they depend on (Blom, van de Pol and
//! Weber, "LTSmin: Distributed and Symbolic Reachability", 2010).
//!
//! An expression reads nothing but the running frame and which objects are the thread's own globals. Where the state has no
//! symbols, its value depends on these alone, so that it is cached by the numbers of the frame and of the thread's extras. A
//! step that evaluates expressions and sets locals changes the frame only; one that reads or writes memory besides this the
//! one object that its address leads to; a call makes a new frame, a return changes the caller's; a thread's end changes its extras
//! and ends its objects. So what such a step makes of these is cached by the edge and the numbers of what it reads. It is
//! found out by the step itself, the first time; what had findings, ended runs, made symbols or touched anything else is made anew
//! each time.

use base::Idx;
use program::{Access, Callee, EdgeId, ExprId, ExprKind, FunctionId, Input, Op};
use semantics::{Base, Life, ObjectId, Pointer};
use smallvec::SmallVec;

use super::contents::object_of;
use super::{Extras, Frame, Join, Memory, MemoryState, Object, Own};
use crate::analysis::Analysis;
use crate::cache::Cache;
use crate::intern::Shared;
use crate::step::{Advance, Control, Known, NoAnswers, Post, Step, Then};

/// What a step in place takes away from a state.
pub struct Before {
    /// So many frames are new; these were there instead, the innermost first.
    added: usize,
    frames: SmallVec<[Shared<Frame>; 2]>,
    extras: Option<Shared<Extras>>,
    objects: SmallVec<[(usize, Shared<Object>); 1]>,
}

impl Before {
    pub(super) fn restore(self, state: &mut MemoryState, thread: u32) {
        let own = &mut state.threads[thread as usize];
        for _ in 0..self.added {
            own.frames.pop();
        }
        for frame in self.frames.into_iter().rev() {
            own.frames.push(frame);
        }
        if let Some(extras) = self.extras {
            own.extras = extras;
        }
        for (index, object) in self.objects {
            state.objects[index] = object;
        }
    }
}

#[derive(Default)]
pub(super) struct Memo {
    values: Cache<ValueKey, Known>,
    steps: Cache<StepKey, Option<Outcome>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct ValueKey {
    expr: ExprId,
    /// It has the function.
    frame: u32,
    extras: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct StepKey {
    edge: EdgeId,
    frame: u32,
    extras: u32,
    /// The number of the object that is accessed, or of the frame of a caller that is returned to; how a thread ends.
    other: u32,
}

/// No object that can change is accessed.
const NOTHING: u32 = u32::MAX;

#[derive(Clone, Copy)]
struct Outcome {
    /// The frame that was running, or that of the caller.
    frame: u32,
    /// The object that is accessed, the new frame, or the extras behind the end.
    other: u32,
    /// The frames and the object mention the objects that they did, in the same order.
    keeps_names: bool,
}

impl Memory<'_> {
    /// Where there are no symbols.
    pub(super) fn cached_value(
        &mut self,
        state: &MemoryState,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
    ) -> Known {
        let own = &state.threads[thread as usize];
        if let ExprKind::Const(bits) = self.function(function).exprs[expr].kind {
            return Known::Bits(bits);
        }
        let frame = own.frames.last().filter(|frame| frame.function == function).and_then(|frame| frame.number());
        let (Some(frame), Some(extras)) = (frame, own.extras.number()) else {
            return self.find_value(state, thread, function, expr);
        };
        let key = ValueKey { expr, frame, extras };
        if let Some(value) = self.cache.values.get(&key) {
            return value;
        }
        let value = self.find_value(state, thread, function, expr);
        self.cache.values.insert(key, value);
        value
    }

    pub(super) fn advance_in_place(&mut self, state: &mut MemoryState, step: &Step) -> Option<Advance<Before>> {
        let is_plain = self.is_exact(state) && !self.options.pointers_only && !self.records;
        if !is_plain || self.anew || !self.cache.steps.helps() {
            return None;
        }
        let kind = kind(&self.function(step.function).edges[step.edge].op, step.control);
        let (key, index) = self.reads(state, step, &kind)?;
        let outcome = match self.cache.steps.get(&key) {
            Some(outcome) => outcome,
            None => {
                let outcome = self.find_outcome(state, step, &kind, index);
                self.cache.steps.insert(key, outcome);
                outcome
            }
        };
        let outcome = outcome?;
        let keeps_names = self.has_names(state, outcome);
        let before = self.put(state, step.thread, &kind, index, outcome);
        Some(Advance { control: step.control, before, keeps_names })
    }

    /// Joined states need not have the right names; objects that ended may lose theirs when their locks are forgotten.
    fn has_names(&self, state: &MemoryState, outcome: Outcome) -> bool {
        let mut dynamic = state.objects[self.changing..].iter();
        dynamic.len() == 0
            || outcome.keeps_names && self.options.join == Join::None && dynamic.all(|object| object.life == Life::Live)
    }

    /// Puts in place what a step leads to.
    fn put(&self, state: &mut MemoryState, thread: u32, kind: &Kind, index: Option<usize>, outcome: Outcome) -> Before {
        let own = &mut state.threads[thread as usize];
        let mut before = Before { added: 1, frames: SmallVec::new(), extras: None, objects: SmallVec::new() };
        if let Kind::Leave(_) = kind {
            let extras = self.tables.extras.get(outcome.other).clone();
            before.extras = Some(std::mem::replace(&mut own.extras, extras));
            before.objects = self.ended(state, thread, before.extras.as_deref());
            for (index, _) in &before.objects {
                state.objects[*index].edit().end(Life::Ended);
            }
            before.added = 0;
            let frames = &mut state.threads[thread as usize].frames;
            while let Some(frame) = frames.pop() {
                before.frames.push(frame);
            }
            return before;
        }
        for _ in 0..if matches!(kind, Kind::Return) { 2 } else { 1 } {
            before.frames.extend(own.frames.pop());
        }
        own.frames.push(self.tables.frames.get(outcome.frame).clone());
        if let Kind::Call = kind {
            own.frames.push(self.tables.frames.get(outcome.other).clone());
            before.added = 2;
        }
        if let Some(index) = index {
            let object = self.tables.objects.get(outcome.other).clone();
            before.objects.push((index, std::mem::replace(&mut state.objects[index], object)));
        }
        before
    }

    /// The objects that end with a thread.
    fn ended(
        &self,
        state: &MemoryState,
        thread: u32,
        extras: Option<&Extras>,
    ) -> SmallVec<[(usize, Shared<Object>); 1]> {
        let frames = &state.threads[thread as usize].frames;
        let locals = frames.iter().flat_map(|frame| {
            let locals = self.memory_locals[frame.function].iter();
            let locals = locals.filter_map(|local| object_of(frame.locals[local.index()]));
            locals.chain(frame.allocated.iter().copied())
        });
        let own = extras.into_iter().flat_map(|extras| extras.thread_locals.iter().map(|(_, object)| *object));
        let indices = locals.chain(own).filter_map(|object| self.index(object));
        indices.map(|index| (index, state.objects[index].clone())).collect()
    }

    /// The object behind an address, if it may change. `None` if that is not known.
    fn accessed(&mut self, state: &MemoryState, step: &Step, access: &Access) -> Option<Option<usize>> {
        match self.look(state, step.thread, step.function, access.address) {
            Known::Pointer(Pointer { base: Base::Object(id), .. }) => {
                let index = self.index(id);
                index.is_none_or(|index| index < state.objects.len()).then_some(index)
            }
            _ => None,
        }
    }

    /// What the outcome of a step depends on, and which object may change.
    fn reads(&mut self, state: &mut MemoryState, step: &Step, kind: &Kind) -> Option<(StepKey, Option<usize>)> {
        let index = match kind {
            Kind::Access(access) => self.accessed(state, step, access)?,
            Kind::Other => return None,
            _ => None,
        };
        let own = &mut state.threads[step.thread as usize];
        let (frame, callers) = own.frames.split_last_mut()?;
        let other = match (kind, index) {
            (Kind::Return, _) => self.tables.frames.number(callers.last_mut()?),
            (Kind::Leave(then), _) => u32::from(*then == Then::Vanish),
            (_, Some(index)) => self.tables.objects.number(&mut state.objects[index]),
            _ => NOTHING,
        };
        let (frame, extras) = (self.tables.frames.number(frame), self.tables.extras.number(&mut own.extras));
        Some((StepKey { edge: step.edge, frame, extras, other }, index))
    }

    /// `None` if the step has another result than one successor.
    fn find_outcome(&mut self, state: &MemoryState, step: &Step, kind: &Kind, index: Option<usize>) -> Option<Outcome> {
        let mut post = Post::default();
        self.step(state.clone(), step, &mut NoAnswers, &mut post).ok()?;
        let is_plain = post.findings.is_empty() && !post.ends && post.missing.is_none() && post.errors.is_empty();
        let [(after, taken)] = &mut post.successors[..] else { return None };
        if !is_plain || *taken != *step || !self.is_exact(after) {
            return None;
        }
        let ended = match kind {
            Kind::Leave(_) => self.ended(state, step.thread, Some(&state.threads[step.thread as usize].extras)),
            _ => SmallVec::new(),
        };
        let changes = |i: usize| Some(i) == index || ended.iter().any(|(ended, _)| *ended == i);
        if !has_same_objects(state, after, changes) || !has_same_threads(state, after, step.thread, kind) {
            return None;
        }
        let (old, own) = (&state.threads[step.thread as usize], &mut after.threads[step.thread as usize]);
        if let Kind::Leave(_) = kind {
            let other = self.tables.extras.number(&mut own.extras);
            return Some(Outcome { frame: NOTHING, other, keeps_names: false });
        }
        // Only of frames that the key has: what others mention may be different another time.
        let same = old.frames.len() - if let Kind::Return = kind { 2 } else { 1 };
        let mut keeps_names = mentioned(&old.frames[same..]) == mentioned(&own.frames[same..]);
        let callee = if let Kind::Call = kind { own.frames.pop() } else { None };
        let frame = self.tables.frames.number(own.frames.last_mut()?);
        let other = match (callee, index) {
            (Some(mut callee), _) => self.tables.frames.number(&mut callee),
            (None, Some(index)) => {
                let (old, new) = (&state.objects[index], &mut after.objects[index]);
                keeps_names &= old.values().filter_map(object_of).eq(new.values().filter_map(object_of));
                self.tables.objects.number(new)
            }
            (None, None) => NOTHING,
        };
        Some(Outcome { frame, other, keeps_names })
    }
}

/// What a step needs to know of the state, besides the running frame and the thread's extras.
enum Kind<'p> {
    Frame,
    /// The object that the access leads to.
    Access(&'p Access),
    /// A frame is pushed.
    Call,
    /// The caller's frame.
    Return,
    /// The thread ends.
    Leave(Then),
    Other,
}

fn kind(op: &Op, control: Control) -> Kind<'_> {
    match (op, control) {
        (Op::Skip | Op::AtomicBegin | Op::AtomicEnd | Op::Assume(_) | Op::Assign(..), Control::Plain) => Kind::Frame,
        (Op::Havoc(_, Input::Uninitialised), Control::Plain) => Kind::Frame,
        (Op::Thread(_), Control::Yield(0)) => Kind::Frame,
        (Op::Load { from: access, .. } | Op::Store { to: access, .. }, Control::Plain) => Kind::Access(access),
        (Op::Modify(modify), Control::Plain) => Kind::Access(&modify.access),
        (Op::CompareExchange(exchange), Control::Plain) => Kind::Access(&exchange.access),
        (Op::Call(call), Control::Call(_)) if matches!(call.callee, Callee::Direct(_)) => Kind::Call,
        (Op::Return, Control::Return) => Kind::Return,
        (_, Control::Leave(then @ (Then::Finish | Then::Vanish))) => Kind::Leave(then),
        _ => Kind::Other,
    }
}

/// The objects that frames mention, in the order in which they are met.
fn mentioned(frames: &[Shared<Frame>]) -> Vec<ObjectId> {
    let mut met = Vec::new();
    for frame in frames {
        let objects = frame.locals.iter().copied().filter_map(object_of).chain(frame.allocated.iter().copied());
        for object in objects {
            if !met.contains(&object) {
                met.push(object);
            }
        }
    }
    met
}

fn has_same_objects(before: &MemoryState, after: &MemoryState, changes: impl Fn(usize) -> bool) -> bool {
    let mut objects = before.objects.iter().zip(&after.objects).enumerate();
    before.objects.len() == after.objects.len() && objects.all(|(i, (a, b))| changes(i) || a.is(b))
}

/// Is nothing of threads changed but what the kind of step says?
fn has_same_threads(before: &MemoryState, after: &MemoryState, thread: u32, kind: &Kind) -> bool {
    let frames = before.threads[thread as usize].frames.len();
    let (kept, length) = match kind {
        Kind::Call => (frames - 1, frames + 1),
        Kind::Return => (frames - 2, frames - 1),
        Kind::Leave(_) => (0, 0),
        _ => (frames - 1, frames),
    };
    let is_same = |(i, (a, b)): (usize, (&Own, &Own))| {
        let own = i == thread as usize;
        let (kept, length) = if own { (kept, length) } else { (a.frames.len(), a.frames.len()) };
        let is_end = own && matches!(kind, Kind::Leave(_));
        b.frames.len() == length
            && a.frames[..kept].iter().zip(&b.frames).all(|(a, b)| a.is(b))
            && (is_end || a.extras.is(&b.extras))
    };
    let mut threads = before.threads.iter().zip(&after.threads).enumerate();
    before.threads.len() == after.threads.len() && threads.all(is_same)
}
