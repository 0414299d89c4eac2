//! The initial precision, by data dependence in the control-flow automata: conditions of loops and recursions that create threads,
//! blocks or frames, and what these depend on; without them the state space is infinite. And which variables are counters, of which
//! more and more values would be kept.

use std::collections::{BTreeMap, BTreeSet};

use analyses::memory::{Precision, TrackedPlace};
use base::Idx;
use por::Site;
use program::{
    BinaryOp, Callee, Edge, ExprId, ExprKind, Function, FunctionId, LocalId, Op, Program, Scalar, SemaphoreOp, ThreadOp,
};

use crate::slice::locals_of;

/// The numbers to begin with.
pub fn first_precision(program: &Program) -> Precision {
    let grows = growing(program);
    let mut needed = Needed { program, places: BTreeSet::new(), work: Vec::new() };
    for (id, function) in program.functions.iter_enumerated() {
        if calls_itself(program, id) {
            function.edges.iter().for_each(|edge| needed.condition(id, edge));
        }
        for edge in function.edges.iter().filter(|edge| makes(&edge.op, &grows)) {
            let inside = around(function, edge);
            let edges = function.edges.iter().filter(|e| inside[e.from.index()] && inside[e.to.index()]);
            // The condition to leave is beside the one to go on.
            edges.for_each(|e| needed.condition(id, e));
        }
    }
    while let Some(place) = needed.work.pop() {
        needed.follow(place);
    }
    let places = needed.places.into_iter().filter(|place| place.is_optional(program)).collect();
    Precision { places }
}

/// Places that take ever new values: what is computed from what they held before, and what depends on that.
pub fn counters(program: &Program) -> BTreeSet<TrackedPlace> {
    let mut flows = BTreeSet::new();
    for (id, function) in program.functions.iter_enumerated() {
        for edge in function.edges.iter() {
            flows_of(program, id, &edge.op, &mut flows);
        }
    }
    let mut targets: BTreeMap<TrackedPlace, Vec<TrackedPlace>> = BTreeMap::new();
    flows.iter().for_each(|flow: &Flow| targets.entry(flow.from).or_default().push(flow.to));
    let reaches = |first: TrackedPlace| {
        let (mut seen, mut work) = (BTreeSet::new(), vec![first]);
        while let Some(from) = work.pop() {
            let next = targets.get(&from).into_iter().flatten();
            work.extend(next.filter(|to| seen.insert(**to)));
        }
        seen
    };
    let mut found = BTreeSet::new();
    for flow in flows.iter().filter(|flow| flow.counts) {
        if !found.contains(&flow.to) {
            let behind = reaches(flow.to);
            if flow.to == flow.from || behind.contains(&flow.from) {
                found.extend(behind);
                found.insert(flow.to);
            }
        }
    }
    found
}

/// The value of one place becomes part of another's; by counting, or as it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Flow {
    from: TrackedPlace,
    to: TrackedPlace,
    counts: bool,
}

fn flows_of(program: &Program, id: FunctionId, op: &Op, out: &mut BTreeSet<Flow>) {
    let mut flow = |expr: ExprId, to: TrackedPlace| {
        let function = &program.functions[id];
        // The truth of a comparison is one of two values, a rest one of few.
        let (counts, is_few) = match function.exprs[expr].kind {
            ExprKind::Binary(BinaryOp::URem | BinaryOp::SRem | BinaryOp::And, ..) => (false, true),
            _ if function.exprs[expr].ty == Scalar::BOOL => (false, true),
            ExprKind::Cast(_, inner) => (true, function.exprs[inner].ty == Scalar::BOOL),
            ExprKind::Local(_) => (false, false),
            _ => (true, false),
        };
        if !is_few {
            let from = locals_of(function, expr).into_iter().map(|local| TrackedPlace::Local(id, local));
            out.extend(from.map(|from| Flow { from, to, counts }));
        }
    };
    match op {
        Op::Assign(to, value) => flow(*value, TrackedPlace::Local(id, *to)),
        Op::Store { to, value } => {
            if let Some(to) = place_at(program, id, to.address) {
                flow(*value, to);
            }
        }
        Op::Load { to, from } => {
            let from = place_at(program, id, from.address);
            out.extend(from.map(|from| Flow { from, to: TrackedPlace::Local(id, *to), counts: false }));
        }
        Op::Modify(modify) => {
            if let Some(place) = place_at(program, id, modify.access.address) {
                flow(modify.new, place);
                out.insert(Flow { from: place, to: TrackedPlace::Local(id, modify.old), counts: false });
            }
        }
        Op::Call(call) => {
            if let Callee::Direct(callee) = call.callee {
                let callee_of = &program.functions[callee];
                for (param, arg) in callee_of.params.iter().zip(&call.args) {
                    flow(*arg, TrackedPlace::Local(callee, *param));
                }
                if let (Some(to), Some(result)) = (call.to, callee_of.result) {
                    let (from, to) = (TrackedPlace::Local(callee, result), TrackedPlace::Local(id, to));
                    out.insert(Flow { from, to, counts: false });
                }
            }
        }
        _ => {}
    }
}

/// Does it make something that stays?
fn makes(op: &Op, grows: &[bool]) -> bool {
    match op {
        Op::Allocate(_) => true,
        Op::Thread(op) => matches!(
            **op,
            ThreadOp::Create { .. }
                | ThreadOp::KeyCreate { .. }
                | ThreadOp::CleanupPush { .. }
                | ThreadOp::Semaphore { op: SemaphoreOp::Post, .. }
        ),
        Op::Call(call) => match call.callee {
            Callee::Direct(function) => grows[function.index()],
            Callee::Indirect(_) => grows.contains(&true),
        },
        _ => false,
    }
}

/// The functions in which something is made.
fn growing(program: &Program) -> Vec<bool> {
    let mut grows = vec![false; program.functions.len()];
    loop {
        let before = grows.clone();
        for (id, function) in program.functions.iter_enumerated() {
            grows[id.index()] |= function.edges.iter().any(|edge| makes(&edge.op, &before));
        }
        if grows == before {
            return grows;
        }
    }
}

/// The functions that it calls or starts.
fn callees(function: &Function) -> impl Iterator<Item = FunctionId> + '_ {
    function.edges.iter().filter_map(|edge| match &edge.op {
        Op::Thread(op) => match **op {
            ThreadOp::Create { entry, .. } => match function.exprs[entry].kind {
                ExprKind::FunctionAddress(function) => Some(function),
                _ => None,
            },
            _ => None,
        },
        Op::Call(call) => match call.callee {
            Callee::Direct(function) => Some(function),
            Callee::Indirect(_) => None,
        },
        _ => None,
    })
}

fn calls_itself(program: &Program, id: FunctionId) -> bool {
    let (mut seen, mut work) = (BTreeSet::new(), vec![id]);
    while let Some(next) = work.pop() {
        for callee in callees(&program.functions[next]) {
            if callee == id {
                return true;
            }
            if seen.insert(callee) {
                work.push(callee);
            }
        }
    }
    false
}

/// The locations that lie on a path from an edge back to it.
fn around(function: &Function, edge: &Edge) -> Vec<bool> {
    let reached = |first: usize, step: &dyn Fn(&Edge) -> (usize, usize)| {
        let mut seen = vec![false; function.locations().len()];
        seen[first] = true;
        while function.edges.iter().fold(false, |changed, edge| {
            let (from, to) = step(edge);
            let is_new = seen[from] && !seen[to];
            seen[to] |= seen[from];
            changed | is_new
        }) {}
        seen
    };
    let ahead = reached(edge.to.index(), &|edge| (edge.from.index(), edge.to.index()));
    let behind = reached(edge.from.index(), &|edge| (edge.to.index(), edge.from.index()));
    ahead.into_iter().zip(behind).map(|(ahead, behind)| ahead && behind).collect()
}

struct Needed<'p> {
    program: &'p Program,
    places: BTreeSet<TrackedPlace>,
    work: Vec<TrackedPlace>,
}

impl Needed<'_> {
    fn add(&mut self, place: TrackedPlace) {
        if self.places.insert(place) {
            self.work.push(place);
        }
    }

    fn expr(&mut self, function: FunctionId, expr: ExprId) {
        for local in locals_of(&self.program.functions[function], expr) {
            self.add(TrackedPlace::Local(function, local));
        }
    }

    fn condition(&mut self, function: FunctionId, edge: &Edge) {
        if let Op::Assume(condition) = edge.op {
            self.expr(function, condition);
        }
    }

    fn memory(&mut self, function: FunctionId, address: ExprId) {
        self.expr(function, address);
        if let Some(place) = place_at(self.program, function, address) {
            self.add(place);
        }
    }

    /// What a place gets its values from.
    fn follow(&mut self, place: TrackedPlace) {
        for (id, function) in self.program.functions.iter_enumerated() {
            for edge in function.edges.iter() {
                match place {
                    TrackedPlace::Local(owner, local) if owner == id => self.follow_local(id, local, &edge.op),
                    TrackedPlace::Local(owner, local) => self.follow_param(owner, local, id, &edge.op),
                    TrackedPlace::Part(..) => self.follow_part(place, id, &edge.op),
                }
            }
        }
    }

    fn follow_local(&mut self, id: FunctionId, local: LocalId, op: &Op) {
        match op {
            Op::Assign(to, value) if *to == local => self.expr(id, *value),
            Op::Load { to, from } if *to == local => self.memory(id, from.address),
            Op::Modify(modify) if modify.old == local => self.memory(id, modify.access.address),
            Op::CompareExchange(exchange) if exchange.old == local || exchange.success == local => {
                self.memory(id, exchange.access.address);
                self.expr(id, exchange.expected);
            }
            Op::Call(call) if call.to == Some(local) => {
                if let Callee::Direct(callee) = call.callee
                    && let Some(result) = self.program.functions[callee].result
                {
                    self.add(TrackedPlace::Local(callee, result));
                }
            }
            _ => self.follow_param(id, local, id, op),
        }
    }

    fn follow_param(&mut self, owner: FunctionId, local: LocalId, id: FunctionId, op: &Op) {
        let Some(index) = self.program.functions[owner].params.iter().position(|param| *param == local) else { return };
        match op {
            Op::Call(call) if call.callee == Callee::Direct(owner) => {
                call.args.get(index).into_iter().for_each(|arg| self.expr(id, *arg));
            }
            Op::Thread(op) => {
                if let ThreadOp::Create { entry, arg, .. } = **op
                    && self.program.functions[id].exprs[entry].kind == ExprKind::FunctionAddress(owner)
                {
                    self.expr(id, arg);
                }
            }
            _ => {}
        }
    }

    fn follow_part(&mut self, place: TrackedPlace, id: FunctionId, op: &Op) {
        let is_meant = |address| place_at(self.program, id, address) == Some(place);
        match op {
            Op::Store { to, value } if is_meant(to.address) => self.expr(id, *value),
            Op::Modify(modify) if is_meant(modify.access.address) => self.expr(id, modify.new),
            Op::CompareExchange(exchange) if is_meant(exchange.access.address) => self.expr(id, exchange.desired),
            _ => {}
        }
    }
}

/// The place behind an address that names its object.
fn place_at(program: &Program, id: FunctionId, address: ExprId) -> Option<TrackedPlace> {
    let function = &program.functions[id];
    match function.exprs[address].kind {
        ExprKind::GlobalAddress(global) => {
            let g = &program.globals[global];
            let site = if g.thread_local { Site::ThreadLocal(global) } else { Site::Global(global) };
            Some(TrackedPlace::in_object(program, site, g.size, 0))
        }
        ExprKind::LocalAddress(local) => {
            let size = program.types.size(function.locals[local].ty);
            Some(TrackedPlace::in_object(program, Site::Local(id, local), size, 0))
        }
        ExprKind::Binary(BinaryOp::PtrAdd, base, offset) => match (place_at(program, id, base)?, offset) {
            (TrackedPlace::Part(site, at), offset) => match function.exprs[offset].kind {
                ExprKind::Const(offset) => {
                    Some(TrackedPlace::in_object(program, site, u64::MAX, at.wrapping_add(offset)))
                }
                _ => Some(TrackedPlace::Part(site, at)),
            },
            (place, _) => Some(place),
        },
        _ => None,
    }
}
