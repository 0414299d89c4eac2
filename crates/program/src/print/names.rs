//! Names that are never ambiguous: the C name, with `#2`, `#3`, … behind it where it is taken.

use std::ops::Index;

use base::{Idx, IndexVec};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Function, FunctionId, GlobalId, LocalId, LocalKind, Program};

/// Of globals and functions, which share one name space.
pub struct Names {
    globals: IndexVec<GlobalId, Box<str>>,
    functions: IndexVec<FunctionId, Box<str>>,
    taken: FxHashSet<Box<str>>,
}

impl Names {
    pub fn of(program: &Program) -> Names {
        let mut fresh = Fresh::default();
        let functions = program.functions.iter().map(|function| fresh.name(&function.name, None)).collect();
        let globals = program.globals.iter().map(|global| fresh.name(&global.name, None)).collect();
        Names { globals, functions, taken: fresh.taken }
    }

    /// Ids out of range, in a program that is not well-formed, are shown as they are.
    pub fn global(&self, id: GlobalId) -> String {
        self.globals.get(id).map_or_else(|| id.to_string(), |name| name.to_string())
    }

    pub fn function(&self, id: FunctionId) -> String {
        self.functions.get(id).map_or_else(|| id.to_string(), |name| name.to_string())
    }
}

pub struct LocalNames(Vec<Box<str>>);

impl LocalNames {
    pub fn of(function: &Function, names: &Names) -> LocalNames {
        let mut fresh = Fresh::default();
        let mut chosen: Vec<Box<str>> = vec!["".into(); function.locals.len()];
        for (id, local) in function.locals.iter_enumerated().filter(|(_, l)| l.kind != LocalKind::Temporary) {
            let name = if local.name.is_empty() { "unnamed" } else { &local.name };
            chosen[id.index()] = fresh.name(name, Some(&names.taken));
        }
        let mut number = 0;
        for (id, _) in function.locals.iter_enumerated().filter(|(_, l)| l.kind == LocalKind::Temporary) {
            chosen[id.index()] = loop {
                number += 1;
                let name = format!("t{number}").into_boxed_str();
                if !fresh.taken.contains(&name) && !names.taken.contains(&name) {
                    break name;
                }
            };
        }
        LocalNames(chosen)
    }
}

impl Index<LocalId> for LocalNames {
    type Output = str;
    fn index(&self, id: LocalId) -> &str {
        self.0.get(id.index()).map_or("?", |name| name)
    }
}

#[derive(Default)]
struct Fresh {
    taken: FxHashSet<Box<str>>,
    /// The last number given to a name, so that a thousand equal names cost no thousand tries each.
    last: FxHashMap<Box<str>, u32>,
}

impl Fresh {
    fn name(&mut self, wish: &str, also_taken: Option<&FxHashSet<Box<str>>>) -> Box<str> {
        let is_taken = |taken: &FxHashSet<Box<str>>, name: &str| {
            taken.contains(name) || also_taken.is_some_and(|others| others.contains(name))
        };
        if !is_taken(&self.taken, wish) {
            self.taken.insert(wish.into());
            return wish.into();
        }
        let last = self.last.entry(wish.into()).or_insert(1);
        loop {
            *last += 1;
            let name = format!("{wish}#{last}");
            if !is_taken(&self.taken, &name) {
                self.taken.insert(name.as_str().into());
                return name.into();
            }
        }
    }
}
