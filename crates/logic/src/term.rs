//! The arena: each term is stored once and known by its number.

use std::hash::BuildHasher;

use base::{Idx, IndexVec, index_type};
use hashbrown::HashTable;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use smallvec::SmallVec;

use crate::{Op, Sort, Value};

index_type! {
    /// A term of one arena: with another one it means nothing.
    pub struct Term = "t";
    /// A symbol without arguments that a model gives a value.
    pub struct SymbolId = "s";
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Node {
    pub op: Op,
    pub args: SmallVec<[Term; 3]>,
    pub sort: Sort,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Symbol {
    pub name: Box<str>,
    pub sort: Sort,
}

#[derive(Clone, Default)]
pub struct Terms {
    nodes: IndexVec<Term, Node>,
    known: HashTable<Term>,
    symbols: IndexVec<SymbolId, Symbol>,
    by_name: FxHashMap<Box<str>, SymbolId>,
}

impl Terms {
    pub fn new() -> Terms {
        Terms::default()
    }

    /// The symbol of that name, new unless it is known. Panics if it is known with another sort, or cannot be printed: names that
    /// begin with a question mark are those of shared terms.
    pub fn symbol(&mut self, name: &str, sort: Sort) -> SymbolId {
        assert!(sort.is_valid(), "no sort: {sort}");
        assert!(!name.starts_with('?') && !name.contains(['|', '\\']), "{name} cannot be printed");
        if let Some(known) = self.symbol_named(name) {
            assert_eq!(self.symbols[known].sort, sort, "{name} is known with another sort");
            return known;
        }
        let id = self.symbols.push(Symbol { name: name.into(), sort });
        self.by_name.insert(name.into(), id);
        id
    }

    pub fn symbol_named(&self, name: &str) -> Option<SymbolId> {
        self.by_name.get(name).copied()
    }

    pub fn describe(&self, symbol: SymbolId) -> &Symbol {
        &self.symbols[symbol]
    }

    pub fn symbols(&self) -> impl Iterator<Item = SymbolId> + use<> {
        self.symbols.ids()
    }

    pub fn node(&self, term: Term) -> &Node {
        &self.nodes[term]
    }

    pub fn sort(&self, term: Term) -> Sort {
        self.nodes[term].sort
    }

    /// How many bits a bit-vector has. Panics if it is none.
    pub fn width(&self, term: Term) -> u8 {
        match self.sort(term) {
            Sort::Bits(width) => width,
            sort => panic!("{} is a {sort}, not a bit-vector", self.print(term)),
        }
    }

    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Is it a term of this arena, by its number?
    pub fn contains(&self, term: Term) -> bool {
        term.index() < self.nodes.len()
    }

    /// The value of a constant. Arrays have none, even if all elements are known.
    pub fn constant(&self, term: Term) -> Option<Value> {
        match self.nodes[term].op {
            Op::Bool(value) => Some(Value::Bool(value)),
            Op::Bits { width, value } => Some(Value::Bits { width, value }),
            _ => None,
        }
    }

    /// As it is, without any rewriting.
    pub(crate) fn intern(&mut self, op: Op, args: &[Term], sort: Sort) -> Term {
        let node = Node { op, args: args.into(), sort };
        let hash = FxBuildHasher.hash_one(&node);
        if let Some(known) = self.known.find(hash, |term| self.nodes[*term] == node) {
            return *known;
        }
        let term = self.nodes.push(node);
        self.known.insert_unique(hash, term, |term| FxBuildHasher.hash_one(&self.nodes[*term]));
        term
    }

    /// The terms and all that they are made of, each once, arguments first.
    pub fn postorder(&self, roots: &[Term]) -> Vec<Term> {
        let mut seen = FxHashSet::default();
        let mut stack = roots.to_vec();
        let mut found = Vec::new();
        while let Some(term) = stack.pop() {
            if seen.insert(term) {
                found.push(term);
                stack.extend(&self.nodes[term].args);
            }
        }
        // Arguments have smaller numbers.
        found.sort_unstable();
        found
    }

    /// The symbols that occur in the terms, in order.
    pub fn symbols_of(&self, roots: &[Term]) -> impl Iterator<Item = SymbolId> + use<> {
        let mut found: Vec<SymbolId> = self.postorder(roots).into_iter().filter_map(|t| self.as_symbol(t)).collect();
        found.sort_unstable();
        found.into_iter()
    }

    pub fn as_symbol(&self, term: Term) -> Option<SymbolId> {
        if let Op::Symbol(symbol, _) = self.nodes[term].op { Some(symbol) } else { None }
    }
}

impl std::fmt::Debug for Terms {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} terms over {} symbols", self.nodes.len(), self.symbols.len())
    }
}
