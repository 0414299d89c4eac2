//! All interleavings, states at one place joined: what the analyses prove together.

use std::collections::BTreeMap;

use analyses::bdd::{self, Bdd};
use analyses::memory::{self, Memory};
use analyses::{Analysis, Answers, Control, Known, NoAnswers, Post, Product, Queries, States, Step, Threads};
use program::{ExprId, FunctionId, Program};
use semantics::{Pointer, Violation};

/// What a search found.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Found {
    /// Places of all threads together.
    pub places: usize,
    pub error: bool,
    pub overflow: bool,
}

type Data<'p> = Product<Memory<'p>, Bdd<'p>>;

struct AtState<'a, 'p> {
    data: &'a mut Data<'p>,
    state: &'a <Data<'p> as States>::State,
}

impl Queries for AtState<'_, '_> {
    fn value(&mut self, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        self.data.value(self.state, thread, function, expr)
    }

    fn specific(&mut self, thread: u32, key: u32) -> Known {
        self.data.specific(self.state, thread, key)
    }

    fn is_alive(&mut self, pointer: Pointer, size: u64) -> bool {
        self.data.is_alive(self.state, pointer, size)
    }
}

pub fn explore(program: &Program) -> Result<Found, String> {
    let pointers = memory::Options { pointers_only: true, ..Default::default() };
    let options = bdd::Options { nodes: 1 << 20, cache: 1 << 18 };
    let mut whole = Product(Threads::new(program), Product(Memory::new(program, pointers), Bdd::new(program, options)));
    let mut found = Found::default();
    let first = whole.initial().map_err(|unknown| unknown.describe().to_owned())?;
    let mut sets = BTreeMap::new();
    // The first place in order of control comes first: most often nothing leads back to it.
    let mut waiting = std::collections::BTreeSet::new();
    let mut reached = vec![first];
    loop {
        for mut state in reached.drain(..) {
            let (threads, (pointers, set)) = whole.store(&mut state);
            let joined = match sets.get(&(threads, pointers)) {
                Some(old) if whole.1.1.leq(set, *old) => continue,
                Some(old) => whole.1.1.merge(set, *old, 1).ok_or("states at one place cannot be joined")?,
                None => set,
            };
            sets.insert((threads, pointers), joined);
            waiting.insert((threads, pointers));
        }
        let Some((threads, pointers)) = waiting.pop_first() else { break };
        let key = (threads, (pointers, sets[&(threads, pointers)]));
        let state = whole.load(key);
        let mut answers = AtState { data: &mut whole.1, state: &state.1 };
        let possible = whole.0.runnable(&state.0, &mut answers).map_err(|unknown| unknown.describe().to_owned())?;
        for step in possible {
            let function = whole.0.function(&state.0, step.thread);
            let step = Step { thread: step.thread, function, edge: step.edge, choice: None, control: Control::Open };
            let mut parts = Vec::new();
            whole.prepare(state.clone(), &step, &mut parts);
            for part in parts {
                let mut post = Post::default();
                let done = whole.transfer(part, &step, &mut NoAnswers, &mut post);
                done.map_err(|unknown| unknown.describe().to_owned())?;
                found.error |= post.findings.iter().any(|f| matches!(f.violation, Violation::Error(_)));
                found.overflow |= post.findings.iter().any(|f| f.violation == Violation::Overflow);
                reached.extend(post.successors.into_iter().map(|(state, _)| state));
            }
        }
    }
    found.places = sets.len();
    Ok(found)
}
