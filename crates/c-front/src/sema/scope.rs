//! Names in nested scopes: one chain of bindings per symbol, undone when a scope ends. Lookup is two array reads.

use base::{Span, Symbol};

const NONE: u32 = u32::MAX;

struct Binding<T> {
    symbol: Symbol,
    previous: u32,
    span: Span,
    entity: T,
}

pub struct Scopes<T> {
    /// Newest binding of each symbol.
    heads: Vec<u32>,
    bindings: Vec<Binding<T>>,
    /// Number of bindings when each scope began. File scope is not in here.
    marks: Vec<u32>,
}

impl<T: Copy> Scopes<T> {
    pub fn new() -> Self {
        Scopes { heads: Vec::new(), bindings: Vec::new(), marks: Vec::new() }
    }

    pub fn push(&mut self) {
        self.marks.push(self.bindings.len() as u32);
    }

    pub fn pop(&mut self) {
        let mark = self.marks.pop().expect("a scope ends that never began");
        self.truncate(mark);
    }

    /// Ends a scope; gives what it bound, oldest first.
    pub fn pop_bindings(&mut self) -> Vec<(Symbol, T, Span)> {
        let mark = self.marks.last().map_or(0, |&mark| mark as usize);
        let bound = self.bindings[mark..].iter().map(|b| (b.symbol, b.entity, b.span)).collect();
        self.pop();
        bound
    }

    /// Forgets everything, file scope included.
    pub fn clear(&mut self) {
        self.marks.clear();
        self.truncate(0);
    }

    fn truncate(&mut self, mark: u32) {
        while self.bindings.len() > mark as usize {
            let binding = self.bindings.pop().expect("length was checked");
            self.heads[binding.symbol.0 as usize] = binding.previous;
        }
    }

    pub fn get(&self, symbol: Symbol) -> Option<T> {
        self.head(symbol).map(|index| self.bindings[index].entity)
    }

    /// What the innermost scope itself binds.
    pub fn get_here(&self, symbol: Symbol) -> Option<(T, Span)> {
        let index = self.head(symbol)?;
        let start = self.marks.last().map_or(0, |&mark| mark as usize);
        (index >= start).then(|| (self.bindings[index].entity, self.bindings[index].span))
    }

    pub fn bind(&mut self, symbol: Symbol, entity: T, span: Span) {
        let slot = symbol.0 as usize;
        if slot >= self.heads.len() {
            self.heads.resize(slot + 64, NONE);
        }
        let previous = self.heads[slot];
        self.heads[slot] = self.bindings.len() as u32;
        self.bindings.push(Binding { symbol, previous, span, entity });
    }

    /// Replaces the newest binding's entity.
    pub fn update(&mut self, symbol: Symbol, entity: T) {
        if let Some(index) = self.head(symbol) {
            self.bindings[index].entity = entity;
        }
    }

    fn head(&self, symbol: Symbol) -> Option<usize> {
        self.heads.get(symbol.0 as usize).copied().filter(|&index| index != NONE).map(|index| index as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inner_bindings_hide_outer_ones_and_end_with_their_scope() {
        let mut scopes = Scopes::new();
        scopes.bind(Symbol(3), 'a', Span::NONE);
        scopes.push();
        assert_eq!(scopes.get(Symbol(3)), Some('a'));
        assert_eq!(scopes.get_here(Symbol(3)), None);
        scopes.bind(Symbol(3), 'b', Span::NONE);
        assert_eq!(scopes.get_here(Symbol(3)), Some(('b', Span::NONE)));
        scopes.pop();
        assert_eq!(scopes.get(Symbol(3)), Some('a'));
        assert_eq!(scopes.get(Symbol(999)), None);
    }
}
