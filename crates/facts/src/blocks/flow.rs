//! In which phases locations are reached, over calls and returns: each function once for every phase and section it is entered in.

use base::Idx;
use program::{Edge, EdgeId, ExprKind, Function, FunctionId, Location, Op, Program, ThreadOp};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Circumstances;
use super::mover::{Mover, edge_kind, may_block};

/// Deeper nested atomic sections are given up on.
const DEEPEST: u8 = 7;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Phase {
    /// Only right movers so far.
    Before,
    /// Only left movers from here on.
    Committed,
}

/// How control stands at a location.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Moment {
    phase: Phase,
    /// Nesting of atomic sections.
    depth: u8,
}

/// A function as it is entered. A thread that starts in it ends with it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Entered {
    function: FunctionId,
    /// `None` for the start of a thread.
    by_call: Option<Moment>,
}

#[derive(Default)]
struct Summary {
    /// Where control goes back to.
    callers: Vec<(Entered, Location)>,
    exits: Vec<Moment>,
}

/// For each function and location. All false if threads may be kept waiting, or end, inside atomic sections: a release would let
/// such a thread take over at once.
pub fn inside(program: &Program, circumstances: &dyn Circumstances) -> Vec<Box<[bool]>> {
    let mut flow = Flow::new(program, circumstances);
    let understood = flow.run();
    let is_inside = |(id, location): (FunctionId, Location)| {
        understood && flow.reached.contains(&(id, location)) && !flow.outside.contains(&(id, location))
    };
    let functions = program.functions.iter_enumerated();
    functions.map(|(id, function)| function.locations().map(|l| is_inside((id, l))).collect()).collect()
}

struct Flow<'p> {
    program: &'p Program,
    circumstances: &'p dyn Circumstances,
    /// What a thread calls at its end may be no function.
    ends_may_fail: bool,
    recursive: FxHashSet<FunctionId>,
    outside: FxHashSet<(FunctionId, Location)>,
    reached: FxHashSet<(FunctionId, Location)>,
    seen: FxHashSet<(Entered, Location, Moment)>,
    work: Vec<(Entered, Location, Moment)>,
    summaries: FxHashMap<Entered, Summary>,
    facts: FxHashMap<(FunctionId, EdgeId), Fact>,
}

/// What the circumstances say of an edge, asked for once.
#[derive(Clone, Copy)]
struct Fact {
    kind: Mover,
    may_fail: bool,
}

impl<'p> Flow<'p> {
    fn new(program: &'p Program, circumstances: &'p dyn Circumstances) -> Self {
        Flow {
            program,
            circumstances,
            ends_may_fail: ends_may_fail(program),
            recursive: recursive(program, circumstances),
            outside: FxHashSet::default(),
            reached: FxHashSet::default(),
            seen: FxHashSet::default(),
            work: Vec::new(),
            summaries: FxHashMap::default(),
            facts: FxHashMap::default(),
        }
    }

    fn function(&self, id: FunctionId) -> &'p Function {
        &self.program.functions[id]
    }

    /// False if nothing can be said.
    fn run(&mut self) -> bool {
        for (id, function) in self.program.functions.iter_enumerated() {
            let visible = function.locations().filter(|location| is_visible(function, *location));
            self.outside.extend(visible.map(|location| (id, location)));
        }
        for start in self.circumstances.starts() {
            let entry = self.function(start).entry;
            self.outside.insert((start, entry));
            let moment = Moment { phase: Phase::Before, depth: 0 };
            self.arrive(Entered { function: start, by_call: None }, entry, moment);
        }
        while let Some((entered, location, moment)) = self.work.pop() {
            for (id, edge) in self.function(entered.function).edges_from(location) {
                if !self.follow(entered, moment, id, edge) {
                    return false;
                }
            }
        }
        true
    }

    fn follow(&mut self, entered: Entered, moment: Moment, id: EdgeId, edge: &'p Edge) -> bool {
        let kind = self.kind(entered.function, id, moment.depth);
        let depth = match edge.op {
            Op::AtomicBegin => moment.depth + 1,
            Op::AtomicEnd => moment.depth.saturating_sub(1),
            _ => moment.depth,
        };
        let ends_thread = match &edge.op {
            Op::Return => entered.by_call.is_none(),
            Op::Thread(op) => matches!(**op, ThreadOp::Exit { .. }),
            _ => false,
        };
        if depth > DEEPEST || moment.depth > 0 && (may_block(&edge.op) || ends_thread) {
            return false;
        }
        if ends_thread {
            return true;
        }
        let phase = if kind.moves_right() { moment.phase } else { Phase::Committed };
        let moment = Moment { phase, depth };
        match &edge.op {
            Op::End(_) | Op::Unsupported(_) => {}
            Op::Call(_) => {
                for callee in self.circumstances.callees(entered.function, id) {
                    self.call(entered, edge.to, callee, moment);
                }
            }
            Op::Return => {
                let summary = self.summaries.entry(entered).or_default();
                if !summary.exits.contains(&moment) {
                    summary.exits.push(moment);
                    for (caller, location) in summary.callers.clone() {
                        self.arrive(caller, location, moment);
                    }
                }
            }
            _ => self.arrive(entered, edge.to, moment),
        }
        true
    }

    fn call(&mut self, caller: Entered, back: Location, callee: FunctionId, moment: Moment) {
        let entered = Entered { function: callee, by_call: Some(moment) };
        let summary = self.summaries.entry(entered).or_default();
        if !summary.callers.contains(&(caller, back)) {
            summary.callers.push((caller, back));
            for exit in summary.exits.clone() {
                self.arrive(caller, back, exit);
            }
        }
        self.arrive(entered, self.function(callee).entry, moment);
    }

    /// A location is outside if it is reached as it must not be inside. A new block begins there.
    fn arrive(&mut self, entered: Entered, location: Location, mut moment: Moment) {
        let place = (entered.function, location);
        self.reached.insert(place);
        if moment.phase == Phase::Committed
            && !self.outside.contains(&place)
            && self.is_cut(entered, location, moment.depth)
        {
            self.outside.insert(place);
        }
        if self.outside.contains(&place) {
            moment.phase = Phase::Before;
        }
        if self.seen.insert((entered, location, moment)) {
            self.work.push((entered, location, moment));
        }
    }

    /// Must a block that has committed end here?
    fn is_cut(&mut self, entered: Entered, location: Location, depth: u8) -> bool {
        let id = entered.function;
        let function = self.function(id);
        if function.is_loop_head(location) || location == function.entry && self.recursive.contains(&id) {
            return true;
        }
        let mut steps = function.edges_from(location).peekable();
        steps.peek().is_none() || steps.any(|(edge, _)| !self.goes_on(entered, edge, depth))
    }

    /// Can the step always be made, and is it a left mover?
    fn goes_on(&mut self, entered: Entered, edge: EdgeId, depth: u8) -> bool {
        let ends_thread = match &self.function(entered.function).edges[edge].op {
            Op::Return => entered.by_call.is_none(),
            Op::Thread(op) => matches!(**op, ThreadOp::Exit { .. }),
            _ => false,
        };
        let fails = self.fact(entered.function, edge).may_fail || ends_thread && self.ends_may_fail;
        self.kind(entered.function, edge, depth).moves_left() && !fails
    }

    /// What an edge is at a nesting of atomic sections. Between two steps inside a section, no other thread makes one: so a step
    /// that leads to the inside of one moves to the right, and one from the inside to the left.
    fn kind(&mut self, function: FunctionId, edge: EdgeId, depth: u8) -> Mover {
        let kind = self.fact(function, edge).kind;
        let op = &self.function(function).edges[edge].op;
        let before = depth > 0;
        let behind = match op {
            Op::AtomicBegin => true,
            Op::AtomicEnd => depth > 1,
            _ => before,
        };
        Mover::new(kind.moves_right() || behind, kind.moves_left() || before)
    }

    fn fact(&mut self, function: FunctionId, edge: EdgeId) -> Fact {
        let (circumstances, op) = (self.circumstances, &self.function(function).edges[edge].op);
        *self.facts.entry((function, edge)).or_insert_with(|| Fact {
            kind: edge_kind(op, circumstances.is_contended(function, edge)),
            may_fail: circumstances.may_fail(function, edge),
        })
    }
}

/// Whoever looks from outside must see what happens here, or nothing does.
fn is_visible(function: &Function, location: Location) -> bool {
    let mut edges = function.edges_from(location).peekable();
    edges.peek().is_none() || edges.any(|(_, edge)| matches!(edge.op, Op::Error(_) | Op::End(_) | Op::Unsupported(_)))
}

fn ends_may_fail(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        let is_known = |expr| matches!(function.exprs[expr].kind, ExprKind::FunctionAddress(_) | ExprKind::Const(0));
        function.edges.iter().any(|edge| match &edge.op {
            Op::Thread(op) => match **op {
                ThreadOp::CleanupPush { routine, .. } => !is_known(routine),
                ThreadOp::KeyCreate { destructor, .. } => !is_known(destructor),
                _ => false,
            },
            _ => false,
        })
    })
}

/// Functions that may be entered again before they return.
fn recursive(program: &Program, circumstances: &dyn Circumstances) -> FxHashSet<FunctionId> {
    let calls: Vec<Vec<FunctionId>> = program
        .functions
        .iter_enumerated()
        .map(|(id, function)| {
            let edges = function.edges.iter_enumerated().filter(|(_, edge)| matches!(edge.op, Op::Call(_)));
            edges.flat_map(|(edge, _)| circumstances.callees(id, edge)).collect()
        })
        .collect();
    let calls_itself = |id: &FunctionId| {
        let mut seen = FxHashSet::default();
        let mut work = calls[id.index()].clone();
        while let Some(next) = work.pop() {
            if next == *id {
                return true;
            }
            if seen.insert(next) {
                work.extend(&calls[next.index()]);
            }
        }
        false
    };
    program.functions.ids().filter(calls_itself).collect()
}
