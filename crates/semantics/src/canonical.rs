//! States that differ only in names are the same: threads are put in order of who created them, objects in order of how they are
//! reached, and ended objects that no pointer leads to are dropped. Not done once the program looked at addresses as numbers.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Idx;

use crate::indeterminate::Undecided;
use crate::reach::Reach;
use crate::state::{Lock, LockKey, Object, ObjectKind, State, Thread};
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value};

/// The representative of all states that are the same as this one.
pub fn canonical(state: State) -> State {
    renamed(&state).unwrap_or(state)
}

/// The same, `None` if it is the state itself.
pub(crate) fn renamed(state: &State) -> Option<State> {
    if state.addresses_seen {
        return None;
    }
    let sorted = sort_threads(state);
    rename_objects(sorted.as_ref().unwrap_or(state)).or(sorted)
}

fn sort_threads(state: &State) -> Option<State> {
    if state.threads.is_sorted_by(|a, b| a.path <= b.path) {
        return None;
    }
    let mut order: Vec<usize> = (0..state.threads.len()).collect();
    order.sort_by(|a, b| state.threads[*a].path.cmp(&state.threads[*b].path));
    let mut names = vec![ThreadId(0); order.len()];
    for (new, old) in order.iter().enumerate() {
        names[*old] = ThreadId::from_usize(new);
    }
    let mut state = state.clone();
    state.threads = order.iter().map(|old| state.threads[*old].clone()).collect();
    Renaming { threads: Some(&names), objects: None }.apply(&mut state);
    Some(state)
}

fn rename_objects(state: &State) -> Option<State> {
    let reach = Reach::of(state);
    let is_kept = |i: usize| {
        // Frames' objects are reached by their locals; a lock keeps its object too, which is alive then.
        reach.is_reached(ObjectId::from_usize(i)) || is_live_heap(&state.objects[i])
    };
    let lost = (0..state.objects.len()).filter(|i| is_kept(*i) && !reach.is_reached(ObjectId::from_usize(*i)));
    let order: Vec<ObjectId> = reach.order.iter().copied().chain(lost.map(ObjectId::from_usize)).collect();
    if order.len() == state.objects.len() && order.is_sorted() {
        return None;
    }
    let mut names = vec![None; state.objects.len()];
    for (new, old) in order.iter().enumerate() {
        names[old.index()] = Some(ObjectId::from_usize(new));
    }
    let mut state = state.clone();
    state.objects = order.iter().map(|old| state.objects[old.index()].clone()).collect();
    Renaming { threads: None, objects: Some(&names) }.apply(&mut state);
    Some(state)
}

/// A lost block is part of the state: that it was lost may matter.
fn is_live_heap(object: &Object) -> bool {
    object.kind == ObjectKind::Heap && object.life == crate::state::Life::Live
}

struct Renaming<'n> {
    threads: Option<&'n [ThreadId]>,
    objects: Option<&'n [Option<ObjectId>]>,
}

impl Renaming<'_> {
    fn apply(&self, state: &mut State) {
        for thread in &mut state.threads {
            if self.changes_thread(thread) {
                self.rename_thread(Rc::make_mut(thread));
            }
        }
        for object in &mut state.objects {
            if object.contents.pointers().any(|p| self.pointer(p) != p) {
                Rc::make_mut(object).contents.map_pointers(|p| self.pointer(p));
            }
            if let Some(undecided) = object.undecided.as_ref().filter(|undecided| !undecided.apart.is_empty()) {
                // What nothing leads to is never compared again.
                let mut apart: Vec<Value> = undecided.apart.iter().filter_map(|value| self.kept(*value)).collect();
                apart.sort_unstable();
                Rc::make_mut(object).undecided = Some(Box::new(Undecided { apart }));
            }
        }
        if !state.locks.is_empty() {
            state.locks = Rc::new(self.rename_locks(&state.locks));
        }
        state.atomic = state.atomic.map(|thread| self.thread(thread));
    }

    fn thread(&self, thread: ThreadId) -> ThreadId {
        self.threads.map_or(thread, |names| names[thread.index()])
    }

    fn pointer(&self, pointer: Pointer) -> Pointer {
        let base = match pointer.base {
            Base::Object(object) => match self.objects.and_then(|names| names.get(object.index())) {
                Some(Some(new)) => Base::Object(*new),
                _ => pointer.base,
            },
            Base::Thread(thread) => Base::Thread(self.thread(thread)),
            Base::Function(_) => pointer.base,
        };
        Pointer { base, offset: pointer.offset }
    }

    fn value(&self, value: Value) -> Value {
        match value {
            Value::Pointer(pointer) => Value::Pointer(self.pointer(pointer)),
            Value::Part(pointer, index) => Value::Part(self.pointer(pointer), index),
            value => value,
        }
    }

    /// `None` if the object that it leads to is dropped.
    fn kept(&self, value: Value) -> Option<Value> {
        match value {
            Value::Pointer(Pointer { base: Base::Object(object), .. })
                if self.objects.is_some_and(|names| names[object.index()].is_none()) =>
            {
                None
            }
            value => Some(self.value(value)),
        }
    }

    fn changes_thread(&self, thread: &Thread) -> bool {
        let values = thread.frames.iter().flat_map(|frame| frame.locals.iter()).chain(&thread.specific);
        let handlers = thread.cleanup.iter().flat_map(|(routine, arg)| [routine, arg]);
        values.chain(handlers).chain([&thread.result]).any(|value| self.value(*value) != *value)
            || thread.frames.iter().any(|frame| !frame.allocated.is_empty())
            || !thread.thread_locals.is_empty()
            || thread.sleeping.is_some()
            || thread.at_barrier.is_some()
    }

    fn rename_thread(&self, thread: &mut Thread) {
        let rename = |values: &mut [Value]| values.iter_mut().for_each(|value| *value = self.value(*value));
        let object = |id: ObjectId| match self.pointer(Pointer::to(Base::Object(id))).base {
            Base::Object(new) => new,
            _ => id,
        };
        for frame in &mut thread.frames {
            let frame = Rc::make_mut(frame);
            rename(&mut frame.locals);
            frame.allocated.iter_mut().for_each(|id| *id = object(*id));
        }
        rename(&mut thread.specific);
        for (routine, arg) in &mut thread.cleanup {
            *routine = self.value(*routine);
            *arg = self.value(*arg);
        }
        thread.result = self.value(thread.result);
        thread.thread_locals.iter_mut().for_each(|(_, id)| *id = object(*id));
        thread.sleeping = thread.sleeping.map(|(key, woken)| (self.key(key), woken));
        thread.at_barrier = thread.at_barrier.map(|(key, last)| (self.key(key), last));
    }

    fn key(&self, key: LockKey) -> LockKey {
        LockKey { kind: key.kind, at: self.pointer(key.at) }
    }

    fn rename_locks(&self, locks: &BTreeMap<LockKey, Lock>) -> BTreeMap<LockKey, Lock> {
        locks.iter().map(|(key, lock)| (self.key(*key), lock.renamed(|thread| self.thread(thread)))).collect()
    }
}
