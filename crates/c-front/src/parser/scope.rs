//! Which names stand for types at the current place.

use base::Symbol;

/// One flag for each name, and what to undo when a scope ends: looking a name up is one access.
#[derive(Default)]
pub(super) struct Scopes {
    typedefs: Vec<bool>,
    changed: Vec<Symbol>,
    marks: Vec<usize>,
}

impl Scopes {
    #[inline]
    pub fn is_typedef(&self, name: Symbol) -> bool {
        self.typedefs.get(name.0 as usize).copied().unwrap_or(false)
    }

    pub fn declare(&mut self, name: Symbol, is_typedef: bool) {
        if self.is_typedef(name) == is_typedef {
            return;
        }
        let index = name.0 as usize;
        if index >= self.typedefs.len() {
            self.typedefs.resize(index + 1, false);
        }
        self.typedefs[index] = is_typedef;
        if !self.marks.is_empty() {
            self.changed.push(name);
        }
    }

    pub fn enter(&mut self) {
        self.marks.push(self.changed.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        for name in self.changed.drain(mark..).rev() {
            self.typedefs[name.0 as usize] ^= true;
        }
    }

    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    pub fn leave_to(&mut self, depth: usize) {
        while self.marks.len() > depth {
            self.leave();
        }
    }
}
