//! Which objects a state can still reach, and which heap blocks are lost.

use base::Idx;

use crate::state::{Life, ObjectKind, State, ThreadLife};
use crate::value::{Base, ObjectId, Value};

/// Visits every pointer of a state in a fixed order: globals first, then thread by thread, then what they lead to.
pub struct Reach<'s> {
    state: &'s State,
    seen: Vec<bool>,
    /// In order of discovery.
    pub order: Vec<ObjectId>,
    /// So many of them were visited.
    followed: usize,
}

impl<'s> Reach<'s> {
    /// From all that belongs to the state.
    pub fn of(state: &'s State) -> Self {
        let mut reach = Reach::of_program(state);
        for key in state.locks.keys() {
            reach.meet(Value::Pointer(key.at));
        }
        reach.follow();
        reach
    }

    /// From what the program can reach: the table of locks is no part of that.
    fn of_program(state: &'s State) -> Self {
        let mut reach = Reach { state, seen: vec![false; state.objects.len()], order: Vec::new(), followed: 0 };
        for (i, object) in state.objects.iter().enumerate() {
            if let ObjectKind::Global(_) = object.kind {
                reach.meet_object(ObjectId::from_usize(i));
            }
        }
        for key in state.keys.iter().flatten() {
            reach.meet(*key);
        }
        for thread in &state.threads {
            for (_, object) in &thread.thread_locals {
                reach.meet_object(*object);
            }
            for frame in &thread.frames {
                frame.locals.iter().for_each(|value| reach.meet(*value));
                frame.allocated.iter().for_each(|object| reach.meet_object(*object));
            }
            let keys = [thread.sleeping.map(|(key, _)| key), thread.at_barrier.map(|(key, _)| key)];
            keys.iter().flatten().for_each(|key| reach.meet(Value::Pointer(key.at)));
            thread.specific.iter().for_each(|value| reach.meet(*value));
            for (routine, arg) in &thread.cleanup {
                reach.meet(*routine);
                reach.meet(*arg);
            }
            if thread.life != ThreadLife::Finished || !(thread.joined || thread.detached) {
                reach.meet(thread.result);
            }
        }
        reach.follow();
        reach
    }

    fn meet(&mut self, value: Value) {
        if let Value::Pointer(pointer) | Value::Part(pointer, _) = value
            && let Base::Object(object) = pointer.base
        {
            self.meet_object(object);
        }
    }

    fn meet_object(&mut self, object: ObjectId) {
        // Locks whose address is no address have an object id of their own that names none.
        if let Some(seen @ false) = self.seen.get_mut(object.index()) {
            *seen = true;
            self.order.push(object);
        }
    }

    fn follow(&mut self) {
        while self.followed < self.order.len() {
            let state = self.state;
            for pointer in state.object(self.order[self.followed]).contents.pointers() {
                self.meet(Value::Pointer(pointer));
            }
            self.followed += 1;
        }
    }

    pub fn is_reached(&self, object: ObjectId) -> bool {
        self.seen[object.index()]
    }
}

/// A heap block that nothing leads to any more.
pub fn lost_block(state: &State) -> Option<ObjectId> {
    let mut blocks = live_blocks(state).peekable();
    blocks.peek()?;
    let reach = Reach::of_program(state);
    blocks.find(|block| !reach.is_reached(*block))
}

/// A heap block that was not freed.
pub fn live_blocks(state: &State) -> impl Iterator<Item = ObjectId> + '_ {
    let objects = state.objects.iter().enumerate();
    objects.filter(|(_, o)| o.kind == ObjectKind::Heap && o.life == Life::Live).map(|(i, _)| ObjectId::from_usize(i))
}
