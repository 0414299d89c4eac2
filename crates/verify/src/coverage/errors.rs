//! The branches that decide whether the program reports an error.

use base::{Idx, IndexVec};
use program::{Callee, EdgeId, ExprId, ExprKind, Function, FunctionId, Location, Op, Program, ThreadOp};
use rustc_hash::FxHashSet;

use super::kind::Place;

/// The nearest branches before errors, and those before them that belong to the same condition. If there are errors, but no branch
/// before any of them: the errors themselves.
pub fn deciding(program: &Program, functions: &[FunctionId]) -> Vec<Place> {
    let mut search = Search::new(program, functions);
    let errors: Vec<Place> = functions
        .iter()
        .flat_map(|id| program.functions[*id].edges.iter().map(|edge| (*id, edge)))
        .filter(|(_, edge)| matches!(edge.op, Op::Error(_)))
        .map(|(id, edge)| ((id, edge.from), edge.span))
        .collect();
    errors.iter().for_each(|(place, _)| search.come(*place, Phase::Outcome));
    while let Some((at, phase)) = search.work.pop() {
        search.go_back(at, phase);
    }
    let mut found: Vec<(FunctionId, Location)> = search.found.into_iter().collect();
    found.sort_unstable();
    let span = |(id, at): (FunctionId, Location)| program.functions[id].edges_from(at).next().map(|(_, e)| e.span);
    let branches: Vec<Place> = found.into_iter().filter_map(|at| Some((at, span(at)?))).collect();
    if branches.is_empty() { errors } else { branches }
}

type At = (FunctionId, Location);

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Phase {
    /// Between the branch and the error.
    Outcome,
    /// Within the condition: values are read and tested, nothing else is done.
    Condition,
}

struct Search<'p> {
    program: &'p Program,
    /// For each function and location, the edges that lead there; none for functions that are not mentioned.
    into: IndexVec<FunctionId, Vec<Vec<EdgeId>>>,
    /// For each function, where it is called or begins as a thread.
    callers: IndexVec<FunctionId, Vec<At>>,
    /// Functions that need not return: the program or the thread may end in them.
    ending: FxHashSet<FunctionId>,
    found: FxHashSet<At>,
    seen: FxHashSet<(At, Phase)>,
    work: Vec<(At, Phase)>,
}

impl<'p> Search<'p> {
    fn new(program: &'p Program, functions: &[FunctionId]) -> Search<'p> {
        let mut into: IndexVec<FunctionId, Vec<Vec<EdgeId>>> = program.functions.iter().map(|_| Vec::new()).collect();
        let mut callers: IndexVec<FunctionId, Vec<At>> = program.functions.iter().map(|_| Vec::new()).collect();
        for id in functions {
            let function = &program.functions[*id];
            into[*id] = vec![Vec::new(); function.locations().len()];
            for (edge, e) in function.edges.iter_enumerated() {
                into[*id][e.to.index()].push(edge);
                match called(program, *id, &e.op) {
                    Called::None => {}
                    Called::One(callee) => callers[callee].push((*id, e.from)),
                    Called::Any => functions.iter().for_each(|callee| callers[*callee].push((*id, e.from))),
                }
            }
        }
        let (found, seen) = (FxHashSet::default(), FxHashSet::default());
        Search { program, into, callers, ending: ending(program, functions), found, seen, work: Vec::new() }
    }

    fn come(&mut self, at: At, phase: Phase) {
        if self.seen.insert((at, phase)) {
            self.work.push((at, phase));
        }
    }

    fn returns(&mut self, callee: FunctionId) {
        let returns = self.program.functions[callee].edges.iter().filter(|edge| edge.op == Op::Return);
        returns.for_each(|edge| self.come((callee, edge.from), Phase::Outcome));
    }

    fn go_back(&mut self, (id, at): At, phase: Phase) {
        let function = &self.program.functions[id];
        let is_branch = function.edges_from(at).count() > 1;
        if is_branch {
            // Whether a loop is entered or left is another question.
            if phase == Phase::Condition && is_loop_test(function, at) {
                return;
            }
            self.found.insert((id, at));
        }
        let phase = if is_branch { Phase::Condition } else { phase };
        for edge in self.into[id][at.index()].clone() {
            let edge = &function.edges[edge];
            match direct_callee(&edge.op).filter(|callee| self.ending.contains(callee)) {
                // Whether the call comes back is decided in there.
                Some(callee) if phase == Phase::Outcome => self.returns(callee),
                _ if phase == Phase::Outcome || only_tests(&edge.op) => self.come((id, edge.from), phase),
                _ => {}
            }
        }
        if at == function.entry {
            // A call with constants only decides the outcome.
            let callers = self.callers[id].iter().copied();
            let deciding = |caller: &At| phase == Phase::Outcome || passes_constants(self.program, *caller);
            let callers: Vec<At> = callers.filter(deciding).collect();
            callers.into_iter().for_each(|caller| self.come(caller, Phase::Outcome));
        }
    }
}

fn direct_callee(op: &Op) -> Option<FunctionId> {
    match op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => Some(callee),
            Callee::Indirect(_) => None,
        },
        _ => None,
    }
}

fn ending(program: &Program, functions: &[FunctionId]) -> FxHashSet<FunctionId> {
    let mut ending = FxHashSet::default();
    loop {
        let before = ending.len();
        for id in functions {
            let ends = program.functions[*id].edges.iter().any(|edge| match direct_callee(&edge.op) {
                Some(callee) => ending.contains(&callee),
                None => edge.op.is_final() && edge.op != Op::Return,
            });
            if ends {
                ending.insert(*id);
            }
        }
        if ending.len() == before {
            return ending;
        }
    }
}

/// Does one branch lead back there, and another not?
fn is_loop_test(function: &Function, at: Location) -> bool {
    let mut branches = function.edges_from(at).map(|(_, edge)| leads_to(function, edge.to, at));
    let first = branches.next();
    branches.any(|leads_back| Some(leads_back) != first)
}

fn leads_to(function: &Function, from: Location, to: Location) -> bool {
    let mut seen = vec![false; function.locations().len()];
    let mut work = vec![from];
    while let Some(at) = work.pop() {
        if at == to {
            return true;
        }
        if !std::mem::replace(&mut seen[at.index()], true) {
            work.extend(function.edges_from(at).map(|(_, edge)| edge.to));
        }
    }
    false
}

fn passes_constants(program: &Program, (id, at): At) -> bool {
    let function = &program.functions[id];
    let is_constant = |arg: &ExprId| matches!(function.exprs[*arg].kind, ExprKind::Const(_));
    let mut edges = function.edges_from(at);
    edges.any(|(_, edge)| match &edge.op {
        Op::Call(call) => !call.args.is_empty() && call.args.iter().all(is_constant),
        _ => false,
    })
}

fn only_tests(op: &Op) -> bool {
    matches!(op, Op::Skip | Op::Assume(_) | Op::Assign(..) | Op::Load { .. })
}

enum Called {
    None,
    One(FunctionId),
    /// Any function that a pointer may lead to.
    Any,
}

fn called(program: &Program, id: FunctionId, op: &Op) -> Called {
    let pointer = match op {
        Op::Call(call) => match call.callee {
            Callee::Direct(callee) => return Called::One(callee),
            Callee::Indirect(pointer) => pointer,
        },
        Op::Thread(op) => match **op {
            ThreadOp::Create { entry: routine, .. } | ThreadOp::CleanupPush { routine, .. } => routine,
            ThreadOp::KeyCreate { destructor, .. } => destructor,
            _ => return Called::None,
        },
        _ => return Called::None,
    };
    match program.functions[id].exprs[pointer].kind {
        ExprKind::FunctionAddress(callee) => Called::One(callee),
        ExprKind::Const(_) => Called::None,
        _ => Called::Any,
    }
}
