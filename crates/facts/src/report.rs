//! Facts in words.

use std::collections::BTreeSet;

use base::{Idx, Span};
use program::Program;

use crate::analysis::Facts;
use crate::candidate::{Candidate, Touch};
use crate::race::Contact;
use crate::tables::{Base, Crew, Thing};

pub fn text(_program: &Program, _facts: &Facts) -> String {
    String::new()
}

/// Facts about places of the source.
pub fn notes(_program: &Program, _facts: &Facts) -> Vec<(Span, String)> {
    Vec::new()
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "facts about {} nodes", self.solution.states.len())
    }
}

impl Facts {
    /// Accesses that may race; none means that no run has a race. `None` if that cannot be told.
    pub fn races(&self, program: &Program) -> Option<Vec<Candidate>> {
        let pairs = self.pairs(program);
        if pairs.too_many {
            return None;
        }
        let mut seen = BTreeSet::new();
        let mut candidates = Vec::new();
        for (a, b) in &pairs.racing {
            if seen.insert((self.span(program, a), self.span(program, b))) {
                let why_parallel = "nothing keeps them apart".to_owned();
                candidates.push(Candidate {
                    first: self.touch(program, a),
                    second: self.touch(program, b),
                    why_parallel,
                });
            }
        }
        Some(candidates)
    }

    fn span(&self, program: &Program, contact: &Contact) -> Span {
        let node = self.tables.nodes[contact.node as usize];
        program.functions[self.tables.instances[node.instance].function].edges[contact.edge].span
    }

    fn touch(&self, program: &Program, contact: &Contact) -> Touch {
        Touch {
            span: self.span(program, contact),
            thread: self.crew_name(program, contact.crew),
            what: format!("{}+{:?}", self.base_name(program, contact.base), contact.at),
            write: contact.write,
            atomic: contact.atomic,
            locks: contact.state.locks.iter().map(|lock| format!("{:?}", lock.name.place)).collect(),
        }
    }

    fn crew_name(&self, program: &Program, crew: Crew) -> String {
        program.functions[self.tables.crews[crew].entry].name.to_string()
    }

    fn base_name(&self, program: &Program, base: Base) -> String {
        match self.tables.thing(base) {
            Thing::Global(global) => program.globals[global].name.to_string(),
            thing => format!("{thing:?}"),
        }
    }

    /// What a proof from these facts rests on, one line each.
    pub fn grounds(&self, _program: &Program) -> Vec<String> {
        Vec::new()
    }

    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        let states = self.solution.states.iter().flatten().count() as u64;
        let _ = Crew(0).index();
        vec![("states", states), ("instances", self.tables.instances.len() as u64)]
    }
}
