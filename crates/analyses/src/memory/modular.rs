//! Joins of threads apart from each other: what is known of a thread's frames depends on where that thread is, what is known of objects
//! on the locks that are held (Flanagan and Qadeer, "Thread-Modular Model Checking", 2003; Miné, "Relational Thread-Modular Static
//! Value Analysis by Abstract Interpretation", 2014). A state that is reached is cut into parts; each part is joined with all that were
//! seen of it, wherever the other threads were, and the state is kept with these. So there are few states for each location
//! vector, and relations between the data of different threads are lost.

use std::hash::{Hash, Hasher};

use rustc_hash::{FxHashMap, FxHasher};

use super::canonical::map_values;
use super::value::{Info, Symbol, Symbols, Value};
use super::{Memory, MemoryState, Own};
use crate::analysis::Around;
use crate::intern::Shared;

/// The join of each part over all states so far.
#[derive(Default)]
pub struct Seen(FxHashMap<Part, Vec<Entry>>);

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct Part {
    of: Of,
    /// States whose pointers differ are not joined: a hash of them all.
    pointers: u64,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum Of {
    /// Its frames, at a location, while there are so many threads: else a loop that creates threads would create ever more.
    Thread(u32, [u32; 2], usize),
    /// The globals together, or one other object, while some locks are held.
    Objects(usize, [u32; 2]),
}

/// A state without all other parts, joined so many times.
struct Entry {
    part: MemoryState,
    times: u32,
}

impl Memory<'_> {
    /// Makes the state one that covers it and what was seen of each of its parts. False if it stays.
    pub(super) fn join_parts(&mut self, state: &mut MemoryState, around: &Around) -> bool {
        // What a single thread does depends on no other.
        if around.active < 2 {
            return false;
        }
        let mut parts = Vec::with_capacity(state.threads.len() + 1);
        for (thread, place) in (0..).zip(&around.places) {
            let own = std::slice::from_ref(&state.threads[thread as usize]);
            parts.push((Of::Thread(thread, *place, state.threads.len()), self.part(state, own, &[])));
        }
        let (globals, others) = state.objects.split_at(self.changing);
        parts.push((Of::Objects(0, around.locks), self.part(state, &[], globals)));
        for (i, object) in (1..).zip(others) {
            parts.push((Of::Objects(i, around.locks), self.part(state, &[], std::slice::from_ref(object))));
        }
        let mut whole = self.part(state, &[], &[]);
        for (of, part) in parts {
            let part = self.see(of, part);
            add(&mut whole, part);
        }
        self.settle_symbols(&mut whole);
        *state = whole;
        true
    }

    /// A state that has some threads and objects only. How its values follow from others is forgotten.
    fn part(&self, state: &MemoryState, threads: &[Own], objects: &[Shared<super::Object>]) -> MemoryState {
        let mut part = MemoryState {
            threads: threads.into(),
            objects: objects.to_vec(),
            symbols: self.no_symbols.clone(),
            addresses: state.addresses,
            inputs: Vec::new(),
        };
        if state.symbols.all.is_empty() {
            return part;
        }
        let (mut all, mut new) = (Vec::new(), FxHashMap::default());
        map_values(&mut part, &mut |value| match state.symbols.value(value) {
            Value::Unknown(symbol) => *new.entry(symbol).or_insert_with(|| {
                all.push(Info { def: None, depth: 0, ..*state.symbols.info(symbol) });
                Value::Unknown(Symbol(all.len() as u32 - 1))
            }),
            value => value,
        });
        if !all.is_empty() {
            part.symbols = Shared::new(Symbols { all });
        }
        part
    }

    /// The part joined with what was seen of it.
    fn see(&mut self, of: Of, part: MemoryState) -> MemoryState {
        let key = Part { of, pointers: hash_of_pointers(&part) };
        let mut entries = self.seen.0.remove(&key).unwrap_or_default();
        let known = entries.iter_mut().find_map(|entry| self.grown(entry, &part));
        let seen = known.unwrap_or_else(|| {
            entries.push(Entry { part: part.clone(), times: 0 });
            part
        });
        self.seen.0.insert(key, entries);
        seen
    }

    /// The entry, if it can be made to cover the part, too.
    fn grown(&self, entry: &mut Entry, part: &MemoryState) -> Option<MemoryState> {
        if !self.covers(part, &entry.part) {
            entry.part = self.joined(part, &entry.part, entry.times)?;
            entry.times += 1;
        }
        Some(entry.part.clone())
    }
}

/// Puts a part at the end of a state. They have no symbol in common.
fn add(whole: &mut MemoryState, mut part: MemoryState) {
    let first = whole.symbols.all.len() as u32;
    if !part.symbols.all.is_empty() {
        if first > 0 {
            map_values(&mut part, &mut |value| match value {
                Value::Unknown(symbol) => Value::Unknown(Symbol(first + symbol.0)),
                value => value,
            });
        }
        whole.symbols.edit().all.extend_from_slice(&part.symbols.all);
    }
    whole.threads.extend(part.threads);
    whole.objects.extend(part.objects);
}

/// Of all pointers and where they are.
fn hash_of_pointers(part: &MemoryState) -> u64 {
    let mut hasher = FxHasher::default();
    let mut look = |at: (usize, u32), value: Value| {
        if matches!(value, Value::Pointer(_) | Value::Part(..)) {
            (at, value).hash(&mut hasher);
        }
    };
    for own in &part.threads {
        for (depth, frame) in own.frames.iter().enumerate() {
            (0..).zip(&frame.locals).for_each(|(local, value)| look((depth, local), *value));
        }
    }
    for (i, object) in part.objects.iter().enumerate() {
        object.cells.iter().for_each(|cell| look((i, cell.at), cell.value));
    }
    hasher.finish()
}
