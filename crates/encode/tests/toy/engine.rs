//! Bounded forward symbolic execution of loop-free threads (King, "Symbolic Execution and Program Testing", 1976): all interleavings,
//! values as terms over inputs, one path condition for each node. As there is no solver, inputs are from a small set and a formula is
//! satisfiable if one of its assignments satisfies it. What was explored is a tree: labelled, it is a proof; cut off, a condition.

use std::collections::BTreeMap;
use std::sync::Arc;

use base::{Budget, Idx};
use encode::{Encoded, Flat, Memory, Scope, Unsupported, expression};
use logic::{ArrayValue, Assignment, Sort, SymbolId, Term, Terms, Value};
use program::{
    Access, AssumptionKind, Callee, Direction, ExprId, FunctionId, GlobalId, Ledger, LocalId, Location, MutexOp, Op,
    Scalar, Storage, ThreadOp,
};
use semantics::{ThreadId, Trace, TraceStep};
use verify::{
    Condition, Engine, EngineError, Follow, Formulas, LocationVector, NodeId, Observer, Outcome, Proof, Reason,
    StateId, Statistic, Summary, Target, Task, ThreadStep, Tree, TreeNode, Variable, Verdict,
};

pub struct Toy {
    /// Values that inputs take, converted to their types.
    pub inputs: Vec<i64>,
    pub most_nodes: Option<u64>,
}

/// What it can see.
const TARGETS: [Target; 5] =
    [Target::Error, Target::Overflow, Target::Undefined, Target::InvalidAccess, Target::Deadlock];

impl Engine for Toy {
    fn name(&self) -> &'static str {
        "toy"
    }

    fn run(&mut self, task: &Task<'_>, _: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        let mut search = Search { task, toy: self, terms: Terms::new(), nodes: Vec::new(), checks: 0 };
        let verdict = match task.targets.iter().find(|target| !TARGETS.contains(target)) {
            Some(target) => Verdict::Open(Reason::Beyond(target)),
            None => search.verdict(log),
        };
        let condition = match verdict {
            Verdict::Open(Reason::Partly(..)) => search.condition(),
            _ => Condition::of(&verdict),
        };
        let mut ledger = Ledger::default();
        let span = task.program.functions[task.program.main].span;
        ledger.assume(AssumptionKind::Environment, Direction::Under, "inputs", "have few values", span);
        let statistics = vec![(Statistic::States, search.nodes.len() as u64), (Statistic::StopChecks, search.checks)];
        Ok(Outcome { verdict, condition, ledger, statistics })
    }
}

struct Search<'s, 't> {
    task: &'s Task<'t>,
    toy: &'s Toy,
    terms: Terms,
    nodes: Vec<Node>,
    checks: u64,
}

struct Node {
    parent: Option<(usize, ThreadStep)>,
    state: State,
    is_expanded: bool,
}

#[derive(Clone)]
struct State {
    /// The frames of each thread; it has ended if there is none.
    threads: Vec<Vec<Frame>>,
    memory: Flat,
    /// Held mutexes by their addresses.
    owners: BTreeMap<u128, ThreadId>,
    /// On the inputs so far.
    path: Term,
    steps: Vec<(ThreadStep, Option<SymbolId>)>,
    /// Where the task's condition is, while the run is inside.
    inside: Option<StateId>,
}

#[derive(Clone)]
struct Frame {
    function: FunctionId,
    location: Location,
    /// Values of plain locals, addresses of those in memory.
    locals: Vec<Option<Term>>,
    to: Option<LocalId>,
}

enum Stop {
    Found(Target, Trace),
    Unsupported(String),
}

impl From<Unsupported> for Stop {
    fn from(what: Unsupported) -> Stop {
        Stop::Unsupported(what.to_string())
    }
}

fn unsupported<T>(what: impl Into<String>) -> Result<T, Stop> {
    Err(Stop::Unsupported(what.into()))
}

/// Names as a frame has them.
struct Here<'h>(&'h Frame, &'h Flat);

impl Scope for Here<'_> {
    fn local(&mut self, _: &mut Terms, local: LocalId) -> Result<Term, Unsupported> {
        self.0.locals[local.index()].ok_or_else(|| Unsupported("a local without a value".into()))
    }

    fn local_address(&mut self, terms: &mut Terms, local: LocalId) -> Result<Term, Unsupported> {
        self.local(terms, local)
    }

    fn global_address(&mut self, terms: &mut Terms, global: GlobalId) -> Term {
        self.1.global_address(terms, global)
    }

    fn function_address(&mut self, terms: &mut Terms, function: FunctionId) -> Term {
        terms.bits(64, 16 + u128::from(function.0))
    }
}

impl State {
    fn frame(&self, thread: ThreadId) -> &Frame {
        self.threads[thread.index()].last().expect("it runs")
    }

    fn frame_mut(&mut self, thread: ThreadId) -> &mut Frame {
        self.threads[thread.index()].last_mut().expect("it runs")
    }

    fn set(&mut self, thread: ThreadId, local: LocalId, value: Term) {
        self.frame_mut(thread).locals[local.index()] = Some(value);
    }
}

/// What a thread can do.
enum Next {
    Goes,
    Waits(ThreadId),
    Ended,
}

impl<'t> Search<'_, 't> {
    fn verdict(&mut self, log: &mut dyn Observer) -> Verdict {
        match self.explore(log) {
            Ok(None) => Verdict::Holds(Proof::Tree(Arc::new(self.tree()))),
            Ok(Some(summary)) => Verdict::Open(Reason::Partly(Box::new(Reason::Count("nodes")), summary)),
            Err(Stop::Found(target, trace)) => Verdict::Violated { target, trace },
            Err(Stop::Unsupported(what)) => Verdict::Open(Reason::Unsupported(what.into())),
        }
    }

    /// `None` if nothing is left.
    fn explore(&mut self, log: &mut dyn Observer) -> Result<Option<Summary>, Stop> {
        let program = self.task.program;
        let (memory, path) = (Flat::new(&mut self.terms, program)?, self.terms.bool(true));
        let threads = vec![vec![self.enter(program.entry, &[], None)]];
        let inside = self.task.condition.and_then(Condition::initial);
        let state = State { threads, memory, owners: BTreeMap::new(), path, steps: Vec::new(), inside };
        let mut work = Vec::new();
        self.keep(state, None, &mut work);
        let mut expanded = 0;
        while let Some(node) = work.pop() {
            if self.toy.most_nodes.is_some_and(|most| expanded >= most) {
                return Ok(Some(Summary { expanded, left: work.len() as u64 + 1, places: Vec::new() }));
            }
            expanded += 1;
            self.nodes[node].is_expanded = true;
            self.expand(node, &mut work)?;
            log.progress("nodes", expanded);
        }
        Ok(None)
    }

    fn keep(&mut self, state: State, parent: Option<(usize, ThreadStep)>, work: &mut Vec<usize>) {
        if state.inside != Some(Condition::VERIFIED) {
            work.push(self.nodes.len());
            self.nodes.push(Node { parent, state, is_expanded: false });
        }
    }

    fn expand(&mut self, node: usize, work: &mut Vec<usize>) -> Result<(), Stop> {
        let state = self.nodes[node].state.clone();
        let ids: Vec<ThreadId> = (0..state.threads.len()).map(ThreadId::from_usize).collect();
        let next = ids.iter().map(|thread| self.next(&state, *thread)).collect::<Result<Vec<Next>, Stop>>()?;
        if is_deadlock(&next) {
            let always = self.terms.bool(true);
            self.look(&state, Target::Deadlock, always)?;
        }
        for thread in ids.into_iter().filter(|thread| matches!(next[thread.index()], Next::Goes)) {
            let Frame { function, location, .. } = *state.frame(thread);
            for (edge, _) in self.task.program.functions[function].edges_from(location) {
                let step = ThreadStep { thread, function, edge };
                if let Some(after) = self.step(&state, step)? {
                    self.keep(after, Some((node, step)), work);
                }
            }
        }
        Ok(())
    }

    fn next(&mut self, state: &State, thread: ThreadId) -> Result<Next, Stop> {
        let Some(frame) = state.threads[thread.index()].last() else { return Ok(Next::Ended) };
        let function = &self.task.program.functions[frame.function];
        let Some((_, edge)) = function.edges_from(frame.location).next() else { return unsupported("no edge") };
        let Op::Thread(op) = &edge.op else { return Ok(Next::Goes) };
        let on = match **op {
            ThreadOp::Mutex { op: MutexOp::Lock, mutex, .. } => {
                let address = self.number(state, thread, mutex)?;
                state.owners.get(&address).copied()
            }
            ThreadOp::Join { thread: handle, .. } => {
                let other = self.number(state, thread, handle)?;
                let runs = state.threads.get(other as usize).is_some_and(|frames| !frames.is_empty());
                runs.then_some(ThreadId(other as u32))
            }
            _ => None,
        };
        Ok(on.map_or(Next::Goes, Next::Waits))
    }

    /// The state behind a step; `None` if no input leads there, or the run ends.
    fn step(&mut self, state: &State, step: ThreadStep) -> Result<Option<State>, Stop> {
        let mut state = state.clone();
        state.steps.push((step, None));
        state.inside = match (self.task.condition, state.inside) {
            (Some(condition), Some(at)) => match condition.follow(at, step) {
                Follow::Inside(to) => Some(to),
                Follow::If(..) | Follow::Outside => None,
            },
            _ => None,
        };
        let edge = &self.task.program.functions[step.function].edges[step.edge];
        let goes_on = self.execute(&mut state, step.thread, &edge.op, edge.to)?;
        Ok((goes_on && !self.models(state.path, &[state.path]).is_empty()).then_some(state))
    }

    /// False if the program ends.
    fn execute(&mut self, state: &mut State, thread: ThreadId, op: &Op, to: Location) -> Result<bool, Stop> {
        // A call returns to the end of its edge.
        let from = std::mem::replace(&mut state.frame_mut(thread).location, to);
        match op {
            // Objects of locals last: nothing here leads to one that has ended.
            Op::Skip | Op::Leave(_) => {}
            Op::Assume(condition) => {
                let value = self.value(state, thread, *condition)?;
                let holds = self.terms.is_nonzero(value);
                state.path = self.terms.and(state.path, holds);
            }
            Op::Assign(local, value) => {
                let value = self.value(state, thread, *value)?;
                state.set(thread, *local, value);
            }
            Op::Havoc(local, _) => {
                let function = &self.task.program.functions[state.frame(thread).function];
                let Storage::Plain(ty) = function.locals[*local].storage else { return unsupported("such an input") };
                let symbol = self.terms.symbol(&format!("input {}", self.terms.len()), encode::sort(ty)?);
                state.steps.last_mut().expect("this step").1 = Some(symbol);
                let value = self.terms.variable(symbol);
                state.set(thread, *local, value);
            }
            Op::Load { to, from } if from.bits.is_none() => {
                let value = self.load(state, thread, from)?;
                state.set(thread, *to, value);
            }
            Op::Store { to, value } if to.bits.is_none() => {
                let value = self.value(state, thread, *value)?;
                self.store(state, thread, to, value)?;
            }
            Op::Enter(local) => {
                let function = &self.task.program.functions[state.frame(thread).function];
                let start = state.memory.enter(self.task.program.types.size(function.locals[*local].ty), false);
                let address = self.terms.bits(64, u128::from(start));
                state.set(thread, *local, address);
            }
            Op::Call(call) => {
                let Callee::Direct(callee) = call.callee else { return unsupported("an indirect call") };
                let args = call.args.iter().map(|arg| self.value(state, thread, *arg));
                let args = args.collect::<Result<Vec<Term>, Stop>>()?;
                state.threads[thread.index()].push(self.enter(callee, &args, call.to));
            }
            Op::Return => {
                let Frame { function, locals, to, .. } = state.threads[thread.index()].pop().expect("it runs");
                let result = self.task.program.functions[function].result.and_then(|local| locals[local.index()]);
                if let (Some(caller), Some(to)) = (state.threads[thread.index()].last_mut(), to) {
                    caller.locals[to.index()] = result;
                }
            }
            Op::Thread(op) => self.thread_op(state, thread, op)?,
            Op::Error(_) => {
                let always = self.terms.bool(true);
                self.look(state, Target::Error, always)?;
            }
            Op::End(_) => return Ok(false),
            op => return unsupported(format!("{op:?} at {from}")),
        }
        Ok(true)
    }

    fn thread_op(&mut self, state: &mut State, thread: ThreadId, op: &ThreadOp) -> Result<(), Stop> {
        let to = match op {
            ThreadOp::Create { handle, entry, arg, to, .. } => {
                let entry = FunctionId(self.number(state, thread, *entry)? as u32 - 16);
                let arg = self.value(state, thread, *arg)?;
                let number = self.terms.bits(64, state.threads.len() as u128);
                self.store(state, thread, handle, number)?;
                state.threads.push(vec![self.enter(entry, &[arg], None)]);
                to
            }
            // Nothing here looks at what a thread returns.
            ThreadOp::Join { to, .. } => to,
            ThreadOp::Mutex { op: MutexOp::Lock, mutex, to, .. } => {
                let address = self.number(state, thread, *mutex)?;
                state.owners.insert(address, thread);
                to
            }
            ThreadOp::Mutex { op: MutexOp::Unlock, mutex, to, .. } => {
                let address = self.number(state, thread, *mutex)?;
                if state.owners.remove(&address) != Some(thread) {
                    return unsupported("a mutex that another thread gives back");
                }
                to
            }
            op => return unsupported(format!("{op:?}")),
        };
        let zero = self.terms.bits(32, 0);
        state.set(thread, *to, zero);
        Ok(())
    }

    fn enter(&self, function: FunctionId, args: &[Term], to: Option<LocalId>) -> Frame {
        let body = &self.task.program.functions[function];
        let mut locals = vec![None; body.locals.len()];
        body.params.iter().zip(args).for_each(|(param, arg)| locals[param.index()] = Some(*arg));
        Frame { function, location: body.entry, locals, to }
    }

    fn value(&mut self, state: &mut State, thread: ThreadId, expr: ExprId) -> Result<Term, Stop> {
        let value = self.encoded(state, thread, expr)?;
        self.look(state, Target::Overflow, value.overflow)?;
        self.end_at(state, value.fault, &[Target::Undefined])?;
        Ok(value.term)
    }

    fn encoded(&mut self, state: &State, thread: ThreadId, expr: ExprId) -> Result<Encoded, Stop> {
        let frame = state.frame(thread);
        let function = &self.task.program.functions[frame.function];
        Ok(expression(&mut self.terms, &mut Here(frame, &state.memory), function, expr)?)
    }

    /// Runs end where the formula holds, which is undefined.
    fn end_at(&mut self, state: &mut State, fault: Term, targets: &[Target]) -> Result<(), Stop> {
        targets.iter().try_for_each(|target| self.look(state, *target, fault))?;
        let goes_on = self.terms.not(fault);
        state.path = self.terms.and(state.path, goes_on);
        Ok(())
    }

    fn load(&mut self, state: &mut State, thread: ThreadId, from: &Access) -> Result<Term, Stop> {
        let address = self.value(state, thread, from.address)?;
        let value = state.memory.load(&mut self.terms, address, from.ty)?;
        self.end_at(state, value.fault, &[Target::InvalidAccess, Target::Undefined])?;
        Ok(value.term)
    }

    fn store(&mut self, state: &mut State, thread: ThreadId, to: &Access, value: Term) -> Result<(), Stop> {
        let address = self.value(state, thread, to.address)?;
        let fault = state.memory.store(&mut self.terms, address, to.ty, value)?;
        self.end_at(state, fault, &[Target::InvalidAccess, Target::Undefined])
    }

    /// Of something that is the same for all inputs.
    fn number(&mut self, state: &State, thread: ThreadId, expr: ExprId) -> Result<u128, Stop> {
        let term = self.encoded(state, thread, expr)?.term;
        let models = self.models(state.path, &[state.path, term]);
        let mut values: Vec<Option<u128>> =
            models.iter().map(|model| self.terms.eval(term, model).ok()?.as_bits()).collect();
        values.dedup();
        if let [Some(value)] = values[..] { Ok(value) } else { unsupported("a handle that depends on inputs") }
    }

    /// Is there a run to the last step at which the formula holds? What was verified before is not asked again.
    fn look(&mut self, state: &State, target: Target, when: Term) -> Result<(), Stop> {
        if state.inside.is_some() || !self.task.targets.contains(target) {
            return Ok(());
        }
        self.checks += 1;
        let formula = self.terms.and(state.path, when);
        let Some(model) = self.models(formula, &[formula]).pop() else { return Ok(()) };
        let value = |input: &SymbolId| {
            let any = self.domain(*input).swap_remove(0);
            model.get(*input).unwrap_or(&any).as_bits().expect("inputs are numbers")
        };
        let steps = state.steps.iter().map(|(step, input)| TraceStep {
            thread: step.thread,
            edge: step.edge,
            choices: input.iter().map(value).collect(),
        });
        Err(Stop::Found(target, Trace { start: Vec::new(), steps: steps.collect() }))
    }

    fn domain(&self, input: SymbolId) -> Vec<Value> {
        match self.terms.describe(input).sort {
            Sort::Bits(width) => self.toy.inputs.iter().map(|value| Value::bits(width, *value as u128)).collect(),
            // Memory that is not written yet is not read, or there is a fault.
            _ => vec![Value::Array(Arc::new(ArrayValue::new(64, 8, 0)))],
        }
    }

    /// The values of the symbols in some terms that satisfy the formula.
    fn models(&self, formula: Term, terms: &[Term]) -> Vec<Assignment> {
        let all = self.terms.symbols_of(terms).fold(vec![Assignment::default()], |partial, symbol| {
            let values = self.domain(symbol);
            let with = |model: &Assignment, value: &Value| {
                let mut model = model.clone();
                model.set(symbol, value.clone());
                model
            };
            partial.iter().flat_map(|model| values.iter().map(move |value| with(model, value))).collect()
        });
        all.into_iter().filter(|model| self.terms.holds(formula, model) == Ok(true)).collect()
    }

    /// What was explored, as a proof: each node is labelled with the values of globals that the inputs lead to.
    fn tree(&mut self) -> Tree {
        let mut tree = Tree::default();
        for i in 0..self.nodes.len() {
            let label = self.label(&mut tree.formulas, i);
            let parent = self.nodes[i].parent.map(|(parent, step)| (NodeId::from_usize(parent), step));
            let stack = |frames: &Vec<Frame>| frames.iter().map(|frame| (frame.function, frame.location)).collect();
            let locations = LocationVector(self.nodes[i].state.threads.iter().map(stack).collect());
            tree.nodes.push(TreeNode { parent, locations, label, covered_by: None });
        }
        tree
    }

    fn label(&mut self, formulas: &mut Formulas, node: usize) -> Term {
        let State { memory, path, .. } = &self.nodes[node].state;
        let (mut variables, mut mentioned) = (Vec::new(), vec![*path]);
        for (global, described) in self.task.program.globals.iter_enumerated().filter(|(_, global)| global.size <= 8) {
            let address = memory.global_address(&mut self.terms, global);
            let Ok(value) = memory.load(&mut self.terms, address, Scalar::Int(8 * described.size as u8)) else {
                continue;
            };
            variables.push(Variable::Global { global, offset: 0 });
            mentioned.push(value.term);
        }
        let mut cases = formulas.terms.bool(false);
        for model in self.models(*path, &mentioned) {
            let mut case = formulas.terms.bool(true);
            for (variable, value) in variables.iter().zip(&mentioned[1..]) {
                let value = self.terms.eval(*value, &model).expect("all symbols have values");
                let (variable, value) = (formulas.variable(*variable, value.sort()), formulas.terms.literal(&value));
                let is = formulas.terms.eq(variable, value);
                case = formulas.terms.and(case, is);
            }
            cases = formulas.terms.or(cases, case);
        }
        cases
    }

    /// What was explored, as a condition: where nothing is left below a node, everything is verified.
    fn condition(&self) -> Condition {
        let mut is_left: Vec<bool> = self.nodes.iter().map(|node| !node.is_expanded).collect();
        for (i, node) in self.nodes.iter().enumerate().rev() {
            if let Some((parent, _)) = node.parent {
                is_left[parent] |= is_left[i];
            }
        }
        let mut condition = Condition::of_first_state();
        let mut states: Vec<StateId> = vec![condition.initial().expect("it has one")];
        for (i, node) in self.nodes.iter().enumerate().skip(1) {
            let state = if is_left[i] { condition.add_state() } else { Condition::VERIFIED };
            states.push(state);
            let (parent, step) = node.parent.expect("only the first has none");
            if node.is_expanded && states[parent] != Condition::VERIFIED {
                condition.add(states[parent], step, None, state);
            }
        }
        condition
    }
}

/// No thread can go on, or threads wait for each other in a circle.
fn is_deadlock(next: &[Next]) -> bool {
    let waits = |thread: usize| if let Next::Waits(on) = next[thread] { Some(on.index()) } else { None };
    let in_a_circle =
        |start| std::iter::successors(waits(start), |at| waits(*at)).take(next.len()).any(|at| at == start);
    let is_stuck = !next.iter().any(|next| matches!(next, Next::Goes));
    is_stuck && next.iter().any(|next| matches!(next, Next::Waits(_))) || (0..next.len()).any(in_a_circle)
}
