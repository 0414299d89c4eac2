//! What is known of functions without any analysis: cycles (Tarjan, 1972), recursion by direct calls, live variables.

use std::collections::{BTreeMap, BTreeSet};

use base::Idx;
use program::{Allocation, EdgeId, Function, FunctionId, LocalId, Op, Program, Storage};
use semantics::live::Liveness;

use super::{Base, MOST_GUARDED};
use crate::locks::LockName;

/// What is known of a function without any analysis.
pub struct FunctionShape {
    pub liveness: Liveness,
    /// Can the location be reached from itself?
    pub in_cycle: Vec<bool>,
    /// Locals that take the results of calls, or give the function's own.
    pub results: Vec<bool>,
    /// Of locals: whether they are entered at one place at most, which no cycle passes.
    pub(super) entered_once: Vec<bool>,
    /// Of locals: arrays of variable length.
    pub variable_length: Vec<bool>,
}

/// What an analysis learned that makes it begin again.
#[derive(Clone)]
pub struct Marks {
    pub recursive: Vec<bool>,
    /// Places where threads create, perhaps by others, threads at the same place again.
    pub repeated: BTreeSet<(FunctionId, EdgeId)>,
    pub merged: bool,
    /// The program is too large for guards to be worth their cost.
    pub unguarded: bool,
    /// Globals that are not only one thread's, and the locks that may guard them.
    pub guards: BTreeMap<Base, BTreeSet<LockName>>,
}

impl Marks {
    /// Recursion by direct calls is known beforehand.
    pub fn of(program: &Program) -> Marks {
        let calls: Vec<Vec<usize>> = program.functions.iter().map(direct_callees).collect();
        let variables = program.globals.iter().filter(|global| !global.read_only).count();
        let unguarded = variables > MOST_GUARDED;
        Marks {
            recursive: on_cycles(&calls),
            repeated: BTreeSet::new(),
            merged: false,
            unguarded,
            guards: BTreeMap::new(),
        }
    }
}

fn direct_callees(function: &Function) -> Vec<usize> {
    let callee = |edge: &program::Edge| match &edge.op {
        program::Op::Call(call) => match call.callee {
            program::Callee::Direct(callee) => Some(callee.index()),
            program::Callee::Indirect(_) => None,
        },
        _ => None,
    };
    function.edges.iter().filter_map(callee).collect()
}

impl FunctionShape {
    pub(super) fn of(function: &Function) -> FunctionShape {
        let successors: Vec<Vec<usize>> =
            function.locations().map(|l| function.edges_from(l).map(|(_, edge)| edge.to.index()).collect()).collect();
        let in_cycle = on_cycles(&successors);
        let mut results = vec![false; function.locals.len()];
        function.result.into_iter().for_each(|result| results[result.index()] = true);
        for edge in function.edges.iter() {
            match &edge.op {
                program::Op::Call(call) => call.to.into_iter().for_each(|to| results[to.index()] = true),
                program::Op::Assign(to, value) if Some(*to) == function.result => {
                    if let program::ExprKind::Local(from) = function.exprs[*value].kind {
                        results[from.index()] = true;
                    }
                }
                _ => {}
            }
        }
        let mut entered = vec![0u32; function.locals.len()];
        let mut variable_length = vec![false; function.locals.len()];
        for edge in function.edges.iter() {
            let local = match &edge.op {
                Op::Enter(local) => *local,
                Op::Allocate(allocate) => match allocate.kind {
                    Allocation::Variable(local) => {
                        variable_length[local.index()] = true;
                        local
                    }
                    _ => continue,
                },
                _ => continue,
            };
            // Twice is once too often.
            entered[local.index()] += if in_cycle[edge.from.index()] { 2 } else { 1 };
        }
        let entered_once = entered.iter().map(|times| *times <= 1).collect();
        FunctionShape { liveness: Liveness::of_plain(function), in_cycle, results, entered_once, variable_length }
    }
}

/// Which nodes of a graph can be reached from themselves (Tarjan's components, without recursion).
fn on_cycles(successors: &[Vec<usize>]) -> Vec<bool> {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let (mut order, mut low, mut open) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut count, mut result) = (Vec::new(), 0, vec![false; n]);
    for start in 0..n {
        if order[start] != NEW {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if *next == 0 {
                (order[node], low[node], open[node]) = (count, count, true);
                count += 1;
                stack.push(node);
            }
            if let Some(to) = successors[node].get(*next).copied() {
                *next += 1;
                if order[to] == NEW {
                    calls.push((to, 0));
                } else if open[to] {
                    low[node] = low[node].min(order[to]);
                    result[node] |= to == node;
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|x| *x == node).expect("it was pushed");
                let component = stack.split_off(from);
                let cycle = component.len() > 1;
                for member in component {
                    open[member] = false;
                    result[member] |= cycle;
                }
            }
        }
    }
    result
}

/// Locals that live in memory.
pub fn memory_locals(function: &Function) -> impl Iterator<Item = LocalId> + '_ {
    function.locals.iter_enumerated().filter(|(_, local)| local.storage == Storage::Memory).map(|(id, _)| id)
}
