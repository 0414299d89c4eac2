//! Programs that start no thread.

use base::{Budget, Limit, Span};
use program::{Op, Program, ThreadOp};

use crate::Candidate;

/// What is known of a program. Made by [`analyze`] only.
#[derive(Debug)]
pub struct Facts {
    alone: bool,
}

/// Why there are no facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Limit(Limit),
    Unsupported(Box<str>),
}

pub fn analyze(program: &Program, budget: &Budget) -> Result<Facts, Stop> {
    match budget.exhausted() {
        Some(limit) => Err(Stop::Limit(limit)),
        None => Ok(Facts { alone: is_alone(program) }),
    }
}

/// Are these facts right? Law: looks at the program and the facts only, not at how they were found.
pub fn recheck(program: &Program, facts: &Facts) -> Result<(), String> {
    match facts.alone && !is_alone(program) {
        true => Err("a thread is started".to_owned()),
        false => Ok(()),
    }
}

pub fn text(_program: &Program, facts: &Facts) -> String {
    if facts.alone { "no thread is started\n".to_owned() } else { String::new() }
}

/// Facts about places of the source.
pub fn notes(program: &Program, facts: &Facts) -> Vec<(Span, String)> {
    let main = &program.functions[program.main];
    facts.alone.then(|| (main.span, "runs alone".to_owned())).into_iter().collect()
}

impl Facts {
    /// Accesses that may race; none means that no run has a race. `None` if that cannot be told.
    pub fn races(&self, _program: &Program) -> Option<Vec<Candidate>> {
        self.alone.then(Vec::new)
    }

    /// What a proof from these facts rests on, one line each.
    pub fn grounds(&self, _program: &Program) -> Vec<String> {
        self.alone.then(|| "no thread is started".to_owned()).into_iter().collect()
    }

    pub fn statistics(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }
}

fn is_alone(program: &Program) -> bool {
    let mut edges = program.functions.iter().flat_map(|function| function.edges.iter());
    !edges.any(|edge| matches!(&edge.op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. })))
}
