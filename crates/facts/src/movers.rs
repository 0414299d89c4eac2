//! Which steps are movers by the facts (Lipton, CACM 1975; Flanagan and Qadeer, PLDI 2003), and the reducible blocks that follow.

mod contention;
mod evaluation;

use std::collections::BTreeSet;

use base::Idx;
use program::{Callee, EdgeId, FunctionId, Location, Op, Program};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::analysis::Facts;
use crate::blocks::{Blocks, Circumstances, Mover, edge_kind};
use crate::transfer::AT_END;

/// An edge of a function.
type EdgeKey = (FunctionId, EdgeId);

/// What the facts say of every edge. Of edges that no run reaches they say the best.
pub struct Movers {
    callees: FxHashMap<EdgeKey, Vec<FunctionId>>,
    starts: Vec<FunctionId>,
    contended: FxHashSet<EdgeKey>,
    may_fail: FxHashSet<EdgeKey>,
    reached: FxHashSet<(FunctionId, Location)>,
    kinds: Vec<Box<[Mover]>>,
    guesses: bool,
}

impl Facts {
    pub fn movers(&self, program: &Program) -> Movers {
        let evaluated = evaluation::edges(self, program);
        let guesses = evaluated.addresses == evaluation::Addresses::Guessed;
        let contended = contention::edges(self, program, evaluated.addresses);
        let kinds = program.functions.iter_enumerated().map(|(id, function)| {
            let edges = function.edges.iter_enumerated();
            edges.map(|(edge, e)| edge_kind(&e.op, contended.contains(&(id, edge)))).collect()
        });
        Movers {
            callees: self.callees(program),
            starts: self.starts(program),
            kinds: kinds.collect(),
            contended,
            guesses,
            may_fail: evaluated.may_fail,
            reached: self
                .reached()
                .map(|(n, _)| (self.tables.call_strings[n.call_string].function, n.location))
                .collect(),
        }
    }

    fn callees(&self, program: &Program) -> FxHashMap<EdgeKey, Vec<FunctionId>> {
        let mut callees: FxHashMap<EdgeKey, Vec<FunctionId>> = FxHashMap::default();
        for (callee, callers) in self.tables.call_strings.iter().zip(&self.solution.callers) {
            for (caller, edge) in callers.iter().filter(|(_, edge)| *edge != AT_END) {
                let known = callees.entry((self.tables.call_strings[*caller].function, *edge)).or_default();
                if !known.contains(&callee.function) {
                    known.push(callee.function);
                }
            }
        }
        debug_assert!(callees.iter().all(|((function, edge), callees)| {
            match &program.functions[*function].edges[*edge].op {
                Op::Call(call) => matches!(call.callee, Callee::Indirect(_)) || callees.len() == 1,
                _ => false,
            }
        }));
        callees
    }

    fn starts(&self, program: &Program) -> Vec<FunctionId> {
        let mut starts = BTreeSet::from([program.entry]);
        starts.extend(self.tables.abstract_threads.iter().map(|abstract_thread| abstract_thread.entry));
        let at_end = self.tables.call_strings.iter().zip(&self.solution.callers);
        let at_end = at_end.filter(|(_, callers)| callers.iter().any(|(_, edge)| *edge == AT_END));
        starts.extend(at_end.map(|(call_string, _)| call_string.function));
        starts.into_iter().collect()
    }
}

impl Movers {
    pub fn mover(&self, function: FunctionId, edge: EdgeId) -> Mover {
        self.kinds[function.index()][edge.index()]
    }

    pub fn blocks(&self, program: &Program) -> Blocks {
        Blocks::of(program, self)
    }

    /// May numbers be used as addresses that the program has seen? Then they may lead anywhere.
    pub fn guesses_addresses(&self) -> bool {
        self.guesses
    }

    /// May a thread ever be there?
    pub fn is_reached(&self, function: FunctionId, location: Location) -> bool {
        self.reached.contains(&(function, location))
    }
}

impl Circumstances for Movers {
    fn callees(&self, function: FunctionId, edge: EdgeId) -> Vec<FunctionId> {
        self.callees.get(&(function, edge)).cloned().unwrap_or_default()
    }

    fn starts(&self) -> Vec<FunctionId> {
        self.starts.clone()
    }

    fn is_contended(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.contended.contains(&(function, edge))
    }

    fn may_fail(&self, function: FunctionId, edge: EdgeId) -> bool {
        self.may_fail.contains(&(function, edge))
    }
}
