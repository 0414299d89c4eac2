//! Slices of infeasible paths: the numbers that the first impossible step depends on, found backwards along the path
//! (Korel and Laski, "Dynamic Program Slicing", 1988). The path is followed with all numbers kept, so addresses are known.

use std::collections::BTreeSet;

use analyses::memory::{Memory, MemoryState, Symbol, TrackedPlace, Value, value::Operand};
use analyses::system::SystemState;
use analyses::{Answers, Control, Known, Post, Reduction, Step, System, Threads};
use base::Alarm;
use base::Idx;
use program::{Access, Callee, Edge, ExprId, ExprKind, Function, LocalId, Mode, Op, Program, ThreadOp};
use semantics::{Base, ObjectId, Pointer};

use crate::path::fits;

/// So many cases of split values are followed at once.
const MOST_WAYS: usize = 16;
/// Longer paths take too much memory.
const LONGEST: usize = 50_000;
/// More conditions that do not hold are not looked for.
const MOST_STOPS: usize = 40;

/// How much is taken to matter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Extent {
    /// Numbers that the impossible step depends on, pointers being known.
    Numbers,
    /// And those that its pointers depend on.
    Pointers,
    /// And those that all conditions on the path depend on.
    Conditions,
}

/// A path with all numbers kept. Conditions that do not hold are noted and passed, for each of them is a reason why the path is
/// infeasible (Beyer, Löwe and Wendler, "Sliced Path Prefixes", 2015).
pub struct Trail<'p> {
    system: System<'p, Memory<'p>>,
    /// One more than steps.
    states: Vec<SystemState<Memory<'p>>>,
    taken: Vec<Step>,
    /// Where a condition does not hold.
    pub stops: Vec<usize>,
    /// The step that is not possible for other reasons; the path ends there.
    end: Option<Step>,
}

/// States with where they come from in the layer before, by which step.
type Layer<'p> = Vec<(SystemState<Memory<'p>>, usize, Option<Step>)>;

impl<'p> Trail<'p> {
    /// `None` if the path is too long or cannot be followed, or the alarm strikes.
    pub fn follow(program: &'p Program, steps: &[Step], alarm: &Alarm) -> Option<Trail<'p>> {
        if steps.len() > LONGEST {
            return None;
        }
        let (threads, data) = (Threads::new(program), Memory::for_path(program));
        let mut system = System::new(program, threads, data, Reduction::None, None);
        let (initial, _) = system.initial().ok()?;
        let mut layers: Vec<Layer<'p>> = vec![vec![(initial, 0, None)]];
        let (mut stops, mut end) = (Vec::new(), None);
        for (at, step) in steps.iter().enumerate() {
            if alarm.struck().is_some() {
                return None;
            }
            let mut next = follow_step(&mut system, layers.last()?, step);
            let is_condition = matches!(program.functions[step.function].edges[step.edge].op, Op::Assume(_));
            if next.is_empty() && is_condition && stops.len() < MOST_STOPS {
                system.data().lenient = true;
                next = follow_step(&mut system, layers.last()?, step);
                system.data().lenient = false;
                stops.push(at);
            }
            if next.is_empty() {
                end = Some(*step);
                break;
            }
            layers.push(next);
        }
        let (mut states, mut taken, mut at) = (Vec::new(), Vec::new(), 0);
        for mut layer in layers.into_iter().rev() {
            let (state, from, step) = layer.swap_remove(at);
            states.push(state);
            taken.extend(step);
            at = from;
        }
        states.reverse();
        taken.reverse();
        stops.retain(|at| *at < taken.len());
        Some(Trail { system, states, taken, stops, end })
    }

    /// The places that matter for a condition that does not hold.
    pub fn slice_at(&mut self, stop: usize, extent: Extent) -> BTreeSet<TrackedPlace> {
        let step = self.taken[stop];
        self.slice(stop, extent, |slice| slice.need_step(stop, &step))
    }

    /// The places that matter for what the threads `ahead` do behind the path; all if none is given. If the path has an end, for that.
    pub fn slice_ahead(&mut self, ahead: &[u32], extent: Extent) -> BTreeSet<TrackedPlace> {
        let (last, end) = (self.taken.len(), self.end);
        match end {
            Some(step) if self.is_elsewhere(&step) => match self.last_choice(step.thread) {
                Some(call) => self.slice_at(call, extent),
                None => self.slice(last, extent, |slice| slice.need_ahead(&[step.thread])),
            },
            Some(step) => self.slice(last, extent, |slice| slice.need_step(last, &step)),
            None => self.slice(last, extent, |slice| slice.need_ahead(ahead)),
        }
    }

    /// Is the thread in another function than the step?
    fn is_elsewhere(&self, step: &Step) -> bool {
        let at = self.states.last().map(|state| self.system.threads().function(&state.0, step.thread));
        at != Some(step.function)
    }

    /// The thread's last call through a pointer.
    fn last_choice(&self, thread: u32) -> Option<usize> {
        self.taken.iter().rposition(|step| {
            let op = &self.system.program.functions[step.function].edges[step.edge].op;
            step.thread == thread && matches!(op, Op::Call(call) if matches!(call.callee, Callee::Indirect(_)))
        })
    }

    fn slice(&mut self, last: usize, extent: Extent, begin: impl FnOnce(&mut Slice<'_, 'p>)) -> BTreeSet<TrackedPlace> {
        let mut slice = Slice { extent, needed: Needed::default(), places: BTreeSet::new(), trail: self };
        begin(&mut slice);
        for at in (0..last).rev() {
            slice.step(at);
        }
        slice.places
    }

    fn data(&self, at: usize) -> &MemoryState {
        &self.states[at].1.0
    }
}

fn follow_step<'p>(system: &mut System<'p, Memory<'p>>, layer: &Layer<'p>, step: &Step) -> Layer<'p> {
    let mut next = Vec::new();
    for (from, (state, ..)) in layer.iter().enumerate() {
        if system.threads().function(&state.0, step.thread) != step.function {
            continue;
        }
        let mut post = Post::default();
        if system.step(state.clone(), step.thread, step.edge, &mut post).is_ok() {
            let fitting = post.successors.into_iter().filter(|(_, taken)| fits(taken, step));
            next.extend(fitting.map(|(state, taken)| (state, from, Some(taken))));
        }
    }
    next.truncate(MOST_WAYS);
    next
}

/// The slice at a state of the path.
#[derive(Default)]
struct Needed {
    /// By thread, number of frames and local.
    locals: BTreeSet<(u32, usize, LocalId)>,
    bytes: Vec<(ObjectId, i64, i64)>,
    /// What threads return.
    results: BTreeSet<u32>,
    /// What threads keep under keys.
    specific: BTreeSet<(u32, u32)>,
    /// Inputs, and what follows from them.
    symbols: BTreeSet<Symbol>,
}

struct Slice<'t, 'p> {
    trail: &'t mut Trail<'p>,
    extent: Extent,
    needed: Needed,
    places: BTreeSet<TrackedPlace>,
}

impl<'p> Slice<'_, 'p> {
    fn program(&self) -> &'p Program {
        self.trail.system.program
    }

    fn depth(&self, at: usize, thread: u32) -> usize {
        self.trail.data(at).threads.get(thread as usize).map_or(0, |own| own.frames.len())
    }

    fn need_ahead(&mut self, ahead: &[u32]) {
        let at = self.trail.taken.len();
        let threads = self.trail.data(at).threads.len() as u32;
        for thread in (0..threads).filter(|thread| ahead.is_empty() || ahead.contains(thread)) {
            let (threads, state) = (self.trail.system.threads(), &self.trail.states[at].0);
            if threads.is_finished(state, thread) {
                continue;
            }
            let function = &self.program().functions[threads.function(state, thread)];
            let location = threads.location(state, thread);
            for (_, edge) in function.edges_from(location) {
                self.need_operands(at, thread, edge);
            }
        }
    }

    fn need_step(&mut self, at: usize, step: &Step) {
        let edge = &self.program().functions[step.function].edges[step.edge];
        self.need_operands(at, step.thread, edge);
    }

    fn need_operands(&mut self, at: usize, thread: u32, edge: &Edge) {
        let depth = self.depth(at, thread);
        edge.op.operands(&mut |expr, _| self.need(at, thread, depth, expr));
        // What is found in memory decides how the step goes.
        edge.op.accesses(&mut |access| {
            if let (program::Extent::Scalar(scalar), Mode::Update) = (access.extent, access.mode) {
                self.need_access(at, thread, scalar);
            }
        });
    }

    /// What an expression of a frame is made of.
    fn need(&mut self, at: usize, thread: u32, depth: usize, expr: ExprId) {
        let Some(frame) = depth.checked_sub(1).map(|i| &self.trail.data(at).threads[thread as usize].frames[i]) else {
            return;
        };
        for local in locals_of(&self.program().functions[frame.function], expr) {
            self.need_local(at, thread, depth, local);
        }
    }

    fn need_local(&mut self, at: usize, thread: u32, depth: usize, local: LocalId) {
        let data = self.trail.data(at);
        let frame = &data.threads[thread as usize].frames[depth - 1];
        let value = data.symbols.value(frame.locals[local.index()]);
        let place = TrackedPlace::Local(frame.function, local);
        if self.matters(at, value) && self.needed.locals.insert((thread, depth, local)) {
            self.places.insert(place);
        }
    }

    /// Pointers are always kept.
    fn matters(&mut self, at: usize, value: Value) -> bool {
        if let Value::Unknown(symbol) = value {
            let more = self.behind(at, symbol);
            self.needed.symbols.extend(more);
        }
        self.extent > Extent::Numbers || !matches!(value, Value::Pointer(_))
    }

    /// All that a symbol follows from.
    fn behind(&self, at: usize, symbol: Symbol) -> BTreeSet<Symbol> {
        let symbols = &self.trail.data(at).symbols;
        let (mut found, mut work) = (BTreeSet::new(), vec![symbol]);
        while let Some(symbol) = work.pop() {
            if found.insert(symbol) {
                let info = symbols.info(symbol);
                let operands = info.def.iter().flat_map(|def| def.operands()).chain(info.same);
                work.extend(operands.filter_map(|operand| match operand {
                    Operand::Symbol(symbol) => Some(symbol),
                    Operand::Bits(_) => None,
                }));
            }
        }
        found
    }

    /// The bytes of an access and what its address is made of.
    fn need_access(&mut self, at: usize, thread: u32, access: &Access) {
        let depth = self.depth(at, thread);
        self.need(at, thread, depth, access.address);
        if let Some((object, start, end)) = self.bytes(at, thread, access) {
            self.need_bytes(at, object, start, end);
        }
    }

    fn need_bytes(&mut self, at: usize, id: ObjectId, start: i64, end: i64) {
        let data = &self.trail.states[at].1.0;
        let Some(object) = self.trail.system.data().find(data, id) else { return };
        let cell = object.cells.iter().find(|cell| i64::from(cell.at) == start);
        let value = cell.map_or(Value::Undefined, |cell| data.symbols.value(cell.value));
        if self.matters(at, value) && !self.needed.bytes.contains(&(id, start, end)) {
            self.needed.bytes.push((id, start, end));
            self.keep(at, id, start);
        }
    }

    /// What is at an offset of an object is to be kept.
    fn keep(&mut self, at: usize, id: ObjectId, start: i64) {
        let program = self.program();
        let data = &self.trail.states[at].1.0;
        if let Some(object) = self.trail.system.data().find(data, id) {
            self.places.insert(TrackedPlace::in_object(program, object.site, object.size, start as u64));
        }
    }

    fn bytes(&mut self, at: usize, thread: u32, access: &Access) -> Option<(ObjectId, i64, i64)> {
        let Trail { system, states, .. } = &mut *self.trail;
        let data = &states[at].1.0;
        let function = data.threads[thread as usize].frames.last()?.function;
        match system.data().value(data, thread, function, access.address) {
            Known::Pointer(Pointer { base: Base::Object(id), offset }) if offset >= 0 => {
                let first = access.bits.as_ref().map_or(0, |bits| u32::from(bits.start));
                let length = i64::from((first + access.ty.bits()).div_ceil(8)).max(access.ty.bytes() as i64);
                Some((id, offset, offset.saturating_add(length)))
            }
            _ => None,
        }
    }

    /// Is the local needed? It is written here, so not before.
    fn take(&mut self, thread: u32, depth: usize, local: LocalId) -> bool {
        self.needed.locals.remove(&(thread, depth, local))
    }

    /// Is some of these bytes needed? Those that are written whole are not needed before.
    fn take_bytes(&mut self, at: usize, thread: u32, access: &Access) -> bool {
        let Some((object, start, end)) = self.bytes(at, thread, access) else { return false };
        let overlaps = |(o, s, e): &(ObjectId, i64, i64)| *o == object && *s < end && start < *e;
        let is_needed = self.needed.bytes.iter().any(overlaps);
        if is_needed {
            self.keep(at, object, start);
        }
        let is_part = access.bits.is_some();
        self.needed.bytes.retain(|(o, s, e)| is_part || *o != object || *s < start || *e > end);
        is_needed
    }

    /// From what matters behind a step to what matters before it.
    fn step(&mut self, at: usize) {
        let step = self.trail.taken[at];
        let (thread, depth) = (step.thread, self.depth(at, step.thread));
        let edge = &self.program().functions[step.function].edges[step.edge];
        match &edge.op {
            Op::Assume(condition) => {
                let holds = !self.trail.stops.contains(&at);
                if holds && (self.extent == Extent::Conditions || self.shares_input(at, &step, *condition)) {
                    self.need(at, thread, depth, *condition);
                }
            }
            Op::Assign(local, value) => {
                if self.take(thread, depth, *local) {
                    self.need(at, thread, depth, *value);
                }
            }
            Op::Load { to, from } => {
                if self.take(thread, depth, *to) {
                    self.need_access(at, thread, from);
                }
            }
            Op::Store { to, value } => {
                if self.take_bytes(at, thread, to) {
                    self.need(at, thread, depth, *value);
                    self.need(at, thread, depth, to.address);
                }
            }
            Op::Modify(modify) => {
                let writes = self.take_bytes(at, thread, &modify.access);
                if self.take(thread, depth, modify.old) | writes {
                    self.need_access(at, thread, &modify.access);
                }
                if writes {
                    self.need(at, thread, depth, modify.new);
                    self.take(thread, depth, modify.old);
                }
            }
            Op::CompareExchange(exchange) => {
                let yields = self.take(thread, depth, exchange.old) | self.take(thread, depth, exchange.success);
                if self.take_bytes(at, thread, &exchange.access) | yields {
                    self.need_access(at, thread, &exchange.access);
                    self.need(at, thread, depth, exchange.expected);
                    self.need(at, thread, depth, exchange.desired);
                }
            }
            Op::Call(call) => self.pass(at, (thread, depth + 1), &call.args, &step),
            Op::Return => self.hand_back(at, &step),
            Op::Thread(op) => self.thread_op(at, &step, op),
            op => {
                if let Some(to) = op.result() {
                    self.take(thread, depth, to);
                }
            }
        }
    }

    /// Was a condition on the path about an input that matters?
    fn shares_input(&self, at: usize, step: &Step, condition: ExprId) -> bool {
        let data = self.trail.data(at);
        let Some(frame) = data.threads[step.thread as usize].frames.last() else { return false };
        let function = &self.program().functions[step.function];
        !self.needed.symbols.is_empty()
            && locals_of(function, condition).into_iter().any(|local| {
                match data.symbols.value(frame.locals[local.index()]) {
                    Value::Unknown(symbol) => !self.behind(at, symbol).is_disjoint(&self.needed.symbols),
                    _ => false,
                }
            })
    }

    /// Arguments become parameters of a new frame.
    fn pass(&mut self, at: usize, (new, depth): (u32, usize), args: &[ExprId], step: &Step) {
        let own = self.trail.data(at + 1).threads.get(new as usize);
        let Some(frame) = own.and_then(|own| own.frames.get(depth - 1)) else { return };
        let params = &self.program().functions[frame.function].params;
        let caller = self.depth(at, step.thread);
        for (param, arg) in params.iter().zip(args) {
            if self.take(new, depth, *param) {
                self.need(at, step.thread, caller, *arg);
            }
        }
    }

    fn hand_back(&mut self, at: usize, step: &Step) {
        let (thread, depth) = (step.thread, self.depth(at, step.thread));
        let Some(frame) = self.trail.data(at).threads[thread as usize].frames.last() else { return };
        let (to, result) = (frame.to, self.program().functions[step.function].result);
        let is_needed = match (step.control, to) {
            (Control::Return, Some(to)) => self.take(thread, depth - 1, to),
            (Control::Return, None) => false,
            _ => self.needed.results.remove(&thread),
        };
        if let Some(result) = result.filter(|_| is_needed) {
            self.need_local(at, thread, depth, result);
        }
    }

    fn thread_op(&mut self, at: usize, step: &Step, op: &ThreadOp) {
        let (thread, depth) = (step.thread, self.depth(at, step.thread));
        match (op, step.control) {
            (ThreadOp::Create { arg, to, .. }, Control::Create { thread: new, .. }) => {
                self.take(thread, depth, *to);
                self.pass(at, (new, 1), &[*arg], step);
            }
            (ThreadOp::Join { value, to, .. }, Control::Join { thread: ended }) => {
                self.take(thread, depth, *to);
                if self.take(thread, depth, *value) {
                    self.needed.results.insert(ended);
                }
            }
            (ThreadOp::Exit { value }, _) => {
                if self.needed.results.remove(&thread) {
                    self.need(at, thread, depth, *value);
                }
            }
            (ThreadOp::KeyGet { to, .. }, Control::Key(key)) => {
                if self.take(thread, depth, *to) {
                    self.needed.specific.insert((thread, key));
                }
            }
            (ThreadOp::KeySet { value, .. }, Control::Key(key)) => {
                if self.needed.specific.remove(&(thread, key)) {
                    self.need(at, thread, depth, *value);
                }
            }
            (ThreadOp::KeyCreate { to, .. } | ThreadOp::Current { to }, _) => {
                self.take(thread, depth, *to);
            }
            (op, _) => {
                let op = Op::Thread(Box::new(op.clone()));
                if let Some(to) = op.result() {
                    self.take(thread, depth, to);
                }
            }
        }
    }
}

/// The plain locals that an expression reads.
pub fn locals_of(function: &Function, expr: ExprId) -> BTreeSet<LocalId> {
    let (mut found, mut work) = (BTreeSet::new(), vec![expr]);
    while let Some(expr) = work.pop() {
        match function.exprs[expr].kind {
            ExprKind::Local(local) => drop(found.insert(local)),
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => work.push(a),
            ExprKind::Binary(_, a, b) => work.extend([a, b]),
            ExprKind::If(a, b, c) => work.extend([a, b, c]),
            ExprKind::Const(_)
            | ExprKind::Wide(_)
            | ExprKind::LocalAddress(_)
            | ExprKind::GlobalAddress(_)
            | ExprKind::FunctionAddress(_) => {}
        }
    }
    found
}
