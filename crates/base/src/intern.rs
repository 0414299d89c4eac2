//! Names as small integers: equal text, equal symbol.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

crate::index_type! {
    /// An interned name.
    pub struct Symbol = "#";
}

/// Maps text to symbols and back. Symbols are numbered in order of first appearance, so runs repeat exactly.
#[derive(Default)]
pub struct Interner {
    text: String,
    ends: Vec<u32>,
    /// Open addressing over symbol ids + 1; zero is empty.
    slots: Vec<u32>,
}

impl Interner {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn intern(&mut self, name: &str) -> Symbol {
        if self.ends.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            match self.slots[slot] {
                0 => break,
                id if self.resolve(Symbol(id - 1)) == name => return Symbol(id - 1),
                _ => slot = (slot + 1) & mask,
            }
        }
        let id = self.ends.len() as u32;
        self.text.push_str(name);
        self.ends.push(u32::try_from(self.text.len()).expect("names exceed 4 GB"));
        self.slots[slot] = id + 1;
        Symbol(id)
    }

    /// The symbol of `name` if it was interned before.
    pub fn lookup(&self, name: &str) -> Option<Symbol> {
        if self.slots.is_empty() {
            return None;
        }
        let mask = self.slots.len() - 1;
        let mut slot = hash(name) & mask;
        loop {
            match self.slots[slot] {
                0 => return None,
                id if self.resolve(Symbol(id - 1)) == name => return Some(Symbol(id - 1)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    pub fn resolve(&self, symbol: Symbol) -> &str {
        let index = symbol.0 as usize;
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.text[start..self.ends[index] as usize]
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(1024);
        self.slots = vec![0; size];
        for id in 0..self.ends.len() as u32 {
            let mut slot = hash(self.resolve(Symbol(id))) & (size - 1);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = id + 1;
        }
    }
}

fn hash(name: &str) -> usize {
    let hash = FxBuildHasher.hash_one(name);
    (hash ^ (hash >> 32)) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_text_has_one_symbol_also_after_growth() {
        let mut names = Interner::new();
        let symbols: Vec<_> = (0..5000).map(|i| names.intern(&format!("name{i}"))).collect();
        for (i, symbol) in symbols.iter().enumerate() {
            assert_eq!(names.intern(&format!("name{i}")), *symbol);
            assert_eq!(names.resolve(*symbol), format!("name{i}"));
        }
        assert_eq!(names.len(), 5000);
        assert_eq!(names.lookup("name7"), Some(symbols[7]));
        assert_eq!(names.lookup("absent"), None);
    }
}
