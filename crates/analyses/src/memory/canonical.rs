//! Canonical forms, for states that differ only in names are the same: objects are named in the order in which they are reached, symbols in the order
//! in which they appear; ended objects that no pointer leads to are dropped, and symbols that are not mentioned.

use base::Idx;
use semantics::{Life, ObjectId};

use super::contents::object_of;
use super::value::{Operand, Symbol, Symbols, Value};
use super::{Memory, MemoryState};
use crate::analysis::Names;

impl Memory<'_> {
    /// Renames the state's objects and symbols; the new names of objects, if any changed or ended ones are mentioned elsewhere.
    pub(super) fn rename_all(&mut self, state: &mut MemoryState, mentioned: &[ObjectId]) -> Option<Names> {
        self.settle_symbols(state);
        let names = self.names(state, mentioned);
        let ended: Vec<ObjectId> = mentioned
            .iter()
            .copied()
            .filter(|id| self.find(state, *id).is_some_and(|object| object.life != Life::Live))
            .collect();
        match names {
            Some(mut names) => {
                self.apply_names(state, &names);
                names.ended = ended;
                Some(names)
            }
            None if ended.is_empty() => None,
            None => Some(Names { objects: Vec::new(), ended }),
        }
    }

    /// `None` if all keep theirs.
    fn names(&self, state: &MemoryState, mentioned: &[ObjectId]) -> Option<Names> {
        if state.addresses || state.objects.len() == self.changing {
            return None;
        }
        let order = self.reached(state, mentioned);
        let dynamic = state.objects.len() - self.changing;
        if order.len() == dynamic && order.is_sorted() {
            return None;
        }
        let mut objects = vec![None; self.slots.len() + dynamic];
        for (global, name) in objects.iter_mut().enumerate().take(self.slots.len()) {
            *name = Some(ObjectId::from_usize(global));
        }
        for (new, old) in order.iter().enumerate() {
            objects[self.slots.len() + old] = Some(ObjectId::from_usize(self.slots.len() + new));
        }
        Some(Names { objects, ended: Vec::new() })
    }

    /// Objects beyond the globals, by how they are reached; live blocks that nothing leads to come last.
    fn reached(&self, state: &MemoryState, mentioned: &[ObjectId]) -> Vec<usize> {
        let mut seen = vec![false; state.objects.len() - self.changing];
        let mut order = Vec::new();
        self.meet_all(state, &mut |id| self.meet(id, &mut seen, &mut order));
        let mut followed = 0;
        self.follow(state, &mut seen, &mut order, &mut followed);
        for id in mentioned {
            self.meet(*id, &mut seen, &mut order);
        }
        self.follow(state, &mut seen, &mut order, &mut followed);
        for (i, object) in state.objects[self.changing..].iter().enumerate() {
            if !seen[i] && object.heap && object.life == Life::Live {
                seen[i] = true;
                order.push(i);
            }
        }
        self.follow(state, &mut seen, &mut order, &mut followed);
        order
    }

    fn meet(&self, id: ObjectId, seen: &mut [bool], order: &mut Vec<usize>) {
        if let Some(i) = id.index().checked_sub(self.slots.len())
            && let Some(seen @ false) = seen.get_mut(i)
        {
            *seen = true;
            order.push(i);
        }
    }

    fn follow(&self, state: &MemoryState, seen: &mut [bool], order: &mut Vec<usize>, followed: &mut usize) {
        while *followed < order.len() {
            let object = &state.objects[self.changing + order[*followed]];
            for id in object.values().filter_map(object_of) {
                self.meet(id, seen, order);
            }
            *followed += 1;
        }
    }

    /// What globals and threads lead to at once, in a fixed order.
    fn meet_all(&self, state: &MemoryState, meet: &mut impl FnMut(ObjectId)) {
        for object in &state.objects[..self.changing] {
            object.values().filter_map(object_of).for_each(&mut *meet);
        }
        for own in &state.threads {
            own.extras.thread_locals.iter().for_each(|(_, id)| meet(*id));
            for frame in &own.frames {
                frame.locals.iter().copied().filter_map(object_of).for_each(&mut *meet);
                frame.allocated.iter().copied().for_each(&mut *meet);
            }
            let extras = &own.extras;
            extras.specific.iter().copied().filter_map(object_of).for_each(&mut *meet);
            extras.cleanup.iter().copied().filter_map(object_of).for_each(&mut *meet);
            extras.result.and_then(object_of).into_iter().for_each(&mut *meet);
        }
    }

    /// A heap block that nothing leads to any more. Exact only if dead variables are kept, see [`super::Options`].
    pub fn has_lost_block(&self, state: &MemoryState) -> bool {
        if self.live_blocks(state) == 0 {
            return false;
        }
        let mut seen = vec![false; state.objects.len() - self.changing];
        let mut order = Vec::new();
        self.meet_all(state, &mut |id| self.meet(id, &mut seen, &mut order));
        self.follow(state, &mut seen, &mut order, &mut 0);
        let dynamic = state.objects[self.changing..].iter().zip(seen);
        dynamic.into_iter().any(|(object, seen)| !seen && object.heap && object.life == Life::Live)
    }

    fn apply_names(&self, state: &mut MemoryState, names: &Names) {
        self.forget_apart(state, names);
        let dynamic = &names.objects[self.slots.len()..];
        let kept = dynamic.iter().take_while(|name| name.is_some()).count();
        let keeps_name = |(i, name): (usize, &Option<ObjectId>)| *name == Some(self.name(self.changing + i));
        if dynamic[..kept].iter().enumerate().all(keeps_name) && dynamic[kept..].iter().all(|name| name.is_none()) {
            // Those that are gone are not mentioned.
            state.objects.truncate(self.changing + kept);
            return;
        }
        let old = state.objects.split_off(self.changing);
        let mut placed: Vec<_> = old
            .into_iter()
            .enumerate()
            .filter_map(|(i, object)| names.objects[self.slots.len() + i].map(|name| (name, object)))
            .collect();
        placed.sort_by_key(|(name, _)| *name);
        state.objects.extend(placed.into_iter().map(|(_, object)| object));
        map_values(state, &mut |value| match value {
            Value::Pointer(pointer) => Value::Pointer(names.pointer(pointer)),
            Value::Part(pointer, index) => Value::Part(names.pointer(pointer), index),
            value => value,
        });
        for own in &mut state.threads {
            for frame in &mut own.frames {
                if frame.allocated.iter().any(|id| names.object(*id) != *id) {
                    frame.edit().allocated.iter_mut().for_each(|id| *id = names.object(*id));
                }
            }
            if own.extras.thread_locals.iter().any(|(_, id)| names.object(*id) != *id) {
                own.extras.edit().thread_locals.iter_mut().for_each(|(_, id)| *id = names.object(*id));
            }
        }
    }

    /// Symbols that are known by now become values, others are numbered as they appear.
    pub(super) fn settle_symbols(&self, state: &mut MemoryState) {
        if state.symbols.all.is_empty() {
            return;
        }
        let mut order = Order { symbols: (*state.symbols).clone(), new: vec![None; state.symbols.all.len()], count: 0 };
        // Numbers are given out by looking; nothing is changed yet.
        for_each_value(state, &mut |value| {
            order.value(value);
        });
        let is_same = |value: Value| match value {
            Value::Unknown(symbol) => {
                order.new[symbol.index()] == Some(symbol.0) && order.symbols.value(value) == value
            }
            _ => true,
        };
        let mut same = order.count as usize == state.symbols.all.len();
        for_each_value(state, &mut |value| same &= is_same(value));
        if same && order.new.iter().enumerate().all(|(i, new)| *new == Some(i as u32)) {
            return;
        }
        map_values(state, &mut |value| order.renamed(value));
        let mut all = vec![None; order.count as usize];
        for (old, new) in order.new.iter().enumerate() {
            if let Some(new) = new {
                let mut info = order.symbols.all[old];
                info.def = info.def.map(|def| def.map(|operand| order.operand(operand)));
                info.same = None;
                all[*new as usize] = Some(info);
            }
        }
        *state.symbols.edit() = Symbols { all: all.into_iter().flatten().collect() };
    }
}

struct Order {
    symbols: Symbols,
    new: Vec<Option<u32>>,
    count: u32,
}

impl Order {
    fn value(&mut self, value: Value) {
        if let Value::Unknown(symbol) = self.symbols.value(value) {
            self.number(symbol);
        }
    }

    /// Operands of definitions follow the symbol.
    fn number(&mut self, symbol: Symbol) {
        if self.new[symbol.index()].is_some() {
            return;
        }
        self.new[symbol.index()] = Some(self.count);
        self.count += 1;
        if let Some(def) = self.symbols.info(symbol).def {
            for operand in def.operands() {
                if let Operand::Symbol(symbol) = self.symbols.resolve(operand) {
                    self.number(symbol);
                }
            }
        }
    }

    fn operand(&self, operand: Operand) -> Operand {
        match self.symbols.resolve(operand) {
            Operand::Symbol(symbol) => Operand::Symbol(Symbol(self.new[symbol.index()].expect("it was numbered"))),
            bits => bits,
        }
    }

    fn renamed(&self, value: Value) -> Value {
        match self.symbols.value(value) {
            Value::Unknown(symbol) => Value::Unknown(Symbol(self.new[symbol.index()].expect("it was numbered"))),
            value => value,
        }
    }
}

/// Every value of a state, in a fixed order.
fn for_each_value(state: &MemoryState, look: &mut impl FnMut(Value)) {
    for own in &state.threads {
        own.frames.iter().flat_map(|frame| frame.locals.iter()).for_each(|value| look(*value));
        let extras = &own.extras;
        extras.result.iter().chain(&extras.cleanup).chain(&extras.specific).for_each(|value| look(*value));
    }
    for object in &state.objects {
        object.values().for_each(&mut *look);
    }
}

pub(super) fn map_values(state: &mut MemoryState, map: &mut impl FnMut(Value) -> Value) {
    for own in &mut state.threads {
        for frame in &mut own.frames {
            if frame.locals.iter().any(|value| map(*value) != *value) {
                frame.edit().locals.iter_mut().for_each(|value| *value = map(*value));
            }
        }
        let extras = &own.extras;
        let mut all = extras.result.iter().chain(&extras.cleanup).chain(&extras.specific);
        if all.any(|value| map(*value) != *value) {
            let extras = own.extras.edit();
            let all = extras.result.iter_mut().chain(&mut extras.cleanup).chain(&mut extras.specific);
            all.for_each(|value| *value = map(*value));
        }
    }
    for object in &mut state.objects {
        if object.cells.iter().any(|cell| map(cell.value) != cell.value) {
            object.edit().cells.iter_mut().for_each(|cell| cell.value = map(cell.value));
            let absent = match object.fill {
                super::Fill::Zero => Value::Bits(0),
                super::Fill::Undefined => Value::Undefined,
            };
            object.edit().cells.retain(|cell| cell.value != absent);
        }
        if object.undecided.as_ref().is_some_and(|undecided| !undecided.apart.is_empty()) {
            super::indeterminate::map_apart(object.edit(), map);
        }
    }
}
