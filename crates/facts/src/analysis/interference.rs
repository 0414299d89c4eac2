//! Interference: what threads may write to objects that others can reach, kept once for the whole program and not per interleaving
//! (Miné, ESOP 2011). An object that escapes is published with its contents; every later write is joined to them.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::solution::Shared;
use super::widening::SHARED_PATIENCE;
use super::{Analysis, Source};
use crate::contents::Contents;
use crate::exposure::Exposure;
use crate::locks::Kind;
use crate::offsets::Offsets;
use crate::tables::{Base, CallString};
use crate::value::Value;

impl<'p> Analysis<'p> {
    /// What is in a shared object. The node depends on it.
    pub fn shared_contents(&mut self, base: Base) -> Option<Arc<Contents>> {
        self.depend(Source::Shared(base));
        self.solution.shared.get(&base).map(|shared| shared.contents.clone())
    }

    /// Is this true of all edges that write to a shared object? The node is looked at again when there are more.
    pub fn all_writers(&mut self, base: Base, is: impl Fn((CallString, program::EdgeId)) -> bool) -> bool {
        let all = self.solution.shared.get(&base).is_some_and(|shared| shared.writers.iter().all(|w| is(*w)));
        if all {
            self.depend(Source::Writers(base));
        } else if !self.solution.shared.contains_key(&base) {
            self.depend(Source::Shared(base));
        }
        all
    }

    /// An object becomes reachable for others, with these contents.
    pub fn publish(&mut self, base: Base, contents: &Contents) {
        match self.solution.shared.get(&base) {
            None => self.set_shared(base, contents.clone(), None),
            Some(old) => {
                let contents = old.contents.join(contents, &self.tables, self.program);
                self.set_shared(base, contents, None);
            }
        }
    }

    /// The same to an object that others may be able to reach already: what was there is lost.
    pub fn publish_again(&mut self, base: Base, contents: &Contents, writer: (CallString, program::EdgeId)) {
        self.publish(base, contents);
        if let Some(shared) = self.solution.shared.get(&base) {
            let contents = (*shared.contents).clone();
            self.set_shared(base, contents, Some(writer));
        }
    }

    /// A value may be written to a shared object.
    pub fn write_shared(
        &mut self,
        base: Base,
        at: Offsets,
        ty: program::Scalar,
        value: &Value,
        writer: (CallString, program::EdgeId),
    ) {
        // If it is shared later, the value is there, too.
        self.depend(Source::Shared(base));
        let Some(old) = self.solution.shared.get(&base) else { return };
        let value = Value { term: None, ..value.clone() };
        let mut contents = (*old.contents).clone();
        contents.write_weakly(&self.tables, self.program, at, ty, &value);
        self.set_shared(base, contents, Some(writer));
    }

    fn set_shared(&mut self, base: Base, contents: Contents, writer: Option<(CallString, program::EdgeId)>) {
        let contents = contents.without_terms(|_| true).unwrap_or(contents);
        let old = self.solution.shared.get(&base);
        let new_writer = writer.filter(|writer| old.is_none_or(|old| !old.writers.contains(writer)));
        let grown = match old {
            None => Some(Arc::new(contents)),
            Some(old) if contents.leq(&old.contents, &self.tables, self.program) => None,
            Some(old) if old.updates >= SHARED_PATIENCE => {
                let widen = |a: &Value, b: &Value| a.widen(b, self.resting_places(old.updates));
                Some(Arc::new(old.contents.combine(&contents, &self.tables, self.program, widen)))
            }
            Some(old) => Some(Arc::new(old.contents.join(&contents, &self.tables, self.program))),
        };
        if grown.is_none() && new_writer.is_none() || self.objects(|| format!("shared contents of {base} are missing"))
        {
            return;
        }
        if let Some(contents) = grown {
            match self.solution.shared.get_mut(&base) {
                Some(shared) => (shared.contents, shared.updates) = (contents, shared.updates + 1),
                None => {
                    self.solution.shared.insert(base, Shared { contents, writers: BTreeSet::new(), updates: 0 });
                }
            }
            self.wake(Source::Shared(base));
        }
        if let Some(writer) = new_writer {
            self.note_writer(base, writer);
        }
    }

    /// A shared object is written to, perhaps by a thread that has privatised it.
    pub fn note_writer(&mut self, base: Base, writer: (CallString, program::EdgeId)) {
        let known = self.solution.shared.get(&base).is_none_or(|shared| shared.writers.contains(&writer));
        if known || self.objects(|| format!("a writer of {base} is missing")) {
            return;
        }
        if let Some(shared) = self.solution.shared.get_mut(&base) {
            shared.writers.insert(writer);
        }
        self.wake(Source::Writers(base));
    }

    pub fn break_lock(&mut self, kind: Kind, base: Base, at: Offsets) {
        let new = match self.solution.broken.get(&(kind, base)) {
            Some(old) if at.leq(*old) => return,
            Some(old) => old.widen(at),
            None => at,
        };
        if !self.objects(|| "a lock may be opened by others".to_owned()) {
            self.solution.broken.insert((kind, base), new);
        }
    }

    /// What numbers may lead to. The node depends on it.
    pub fn exposed(&mut self) -> &Exposure {
        self.depend(Source::Exposed);
        &self.solution.exposed
    }

    /// Addresses are looked at.
    pub fn expose(&mut self, exposure: &Exposure) {
        if self.solution.exposed.includes(exposure) || self.objects(|| "an exposed object is missing".to_owned()) {
            return;
        }
        self.solution.exposed.join(exposure);
        self.wake(Source::Exposed);
    }

    /// A global is written such that it need not rise.
    pub fn note_falling(&mut self, base: Base) {
        if !self.solution.falling.contains(&base) && !self.objects(|| format!("{base} may fall")) {
            self.solution.falling.insert(base);
        }
    }

    /// A block of at least this size is made.
    pub fn note_size(&mut self, own: Base, size: i64) {
        let known = self.solution.sizes.get(&own).is_some_and(|known| *known <= size);
        if !known && !self.objects(|| format!("a size of {own} is missing")) {
            self.solution.sizes.insert(own, size);
        }
    }

    pub fn note_freed(&mut self, own: Base) {
        if !self.solution.freed.contains(&own) && !self.objects(|| format!("an end of {own} is missing")) {
            self.solution.freed.insert(own);
        }
    }

    pub fn meet_unsupported(&mut self, construct: &str) {
        if !self.solution.unsupported.contains(construct) && !self.objects(|| format!("{construct} is not understood"))
        {
            self.solution.unsupported.insert(construct.into());
        }
    }
}
