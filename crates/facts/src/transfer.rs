//! The transfer function: what an edge makes of a state of its thread, and what it adds to what is shared.

mod escape;
mod library;
mod lifetime;
mod memory;
mod privatise;
mod sync;
mod threads;

use std::sync::Arc;

use base::Idx;
use program::{Callee, Cast, Edge, EdgeId, ExprId, ExprKind, Function, FunctionId, LocalId, Op, Program, Scalar};

use crate::analysis::{Again, Analysis};

use crate::eval::{Eval, plain_type, refine, refine_known, truth_inside};
use crate::exposure::Exposure;
use crate::locks;
use crate::map::Map;
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{AbstractObject, Base, CallString, Called, Phase, Role, memory_locals};
use crate::value::{Symbol, Term, Value};

pub(crate) use memory::object_size;
pub(crate) use threads::{finish_thread, start_thread};

/// The edge of the end of a thread, where clean-up handlers and destructors are called from.
pub const AT_END: EdgeId = EdgeId(u32::MAX);

pub(crate) fn from_node(analysis: &mut Analysis<'_>, node: u32, state: &Arc<ThreadState>) {
    let node = analysis.tables.nodes[node as usize];
    let function = analysis.tables.call_strings[node.call_string].function;
    for (id, edge) in analysis.program.functions[function].edges_from(node.location) {
        let mut step = Step { analysis, call_string: node.call_string, id, state: (**state).clone() };
        // No run gets past an edge that gives nothing.
        let _ = step.take(edge);
    }
}

/// The transfer of one edge.
pub(crate) struct Step<'a, 'p> {
    pub analysis: &'a mut Analysis<'p>,
    pub call_string: CallString,
    pub id: EdgeId,
    pub state: ThreadState,
}

impl<'p> Step<'_, 'p> {
    pub fn program(&self) -> &'p Program {
        self.analysis.program
    }

    pub fn function(&self) -> &'p Function {
        &self.program().functions[self.analysis.tables.call_strings[self.call_string].function]
    }

    pub fn is_recursive(&self) -> bool {
        self.analysis.tables.call_strings[self.call_string].recursive
    }

    /// `None`: no run gets past this edge, or where it leads is taken care of.
    fn take(&mut self, edge: &Edge) -> Option<()> {
        if !matches!(edge.op, Op::Assume(_) | Op::Assign(..)) {
            self.look_at_addresses(&edge.op);
        }
        match &edge.op {
            Op::Skip | Op::Error(_) => {}
            Op::Assume(condition) => self.assume(*condition)?,
            Op::Assign(to, value) => self.assign_expr(*to, *value)?,
            Op::Havoc(to, _) => {
                let value = Value::input(plain_type(self.function(), *to));
                self.assign(*to, value);
            }
            Op::Load { to, from } => self.load_into(*to, from)?,
            Op::Store { to, value } => self.store(to, *value)?,
            Op::Modify(modify) => {
                self.load_into(modify.old, &modify.access)?;
                self.look_at_addresses(&edge.op);
                self.store(&modify.access, modify.new)?;
            }
            Op::CompareExchange(exchange) => self.compare_exchange(exchange)?,
            Op::Enter(local) => self.enter(*local),
            Op::Clear(local) => self.clear(*local),
            Op::Leave(local) => self.leave(*local),
            Op::Call(call) => return self.call(call),
            Op::Return => return self.return_from(),
            Op::Allocate(allocate) => self.allocate(allocate)?,
            Op::Free(pointer) => self.free(*pointer)?,
            Op::Thread(op) => {
                if self.state.sections > 0 {
                    self.wait_in_section();
                }
                self.thread_op(op)?;
                self.give_back_unguarded();
            }
            Op::AtomicBegin => self.state.sections = self.state.sections.saturating_add(1),
            Op::AtomicEnd => {
                self.state.sections = self.state.sections.saturating_sub(1);
                self.give_back_unguarded();
            }
            Op::End(_) => return None,
            Op::CommandLine { count, vector } => self.command_line(*count, *vector),
            Op::Library(call) => self.library(call)?,
            Op::Overwrite(overwrite) => self.overwrite(overwrite)?,
            Op::Unsupported(construct) => {
                self.analysis.meet_unsupported(construct);
                return None;
            }
        }
        self.go(edge);
        None
    }

    /// Control passes to the end of the edge.
    fn go(&mut self, edge: &Edge) {
        self.drop_dying();
        let state = self.state.clone();
        self.analysis.flow(self.call_string, edge.to, state);
    }

    fn drop_dying(&mut self) {
        if self.is_recursive() {
            return;
        }
        let info = &self.analysis.tables.call_strings[self.call_string];
        for local in self.analysis.tables.shapes[info.function].liveness.dying(self.id) {
            self.state.settle_bounds(info.first_variable + local.0);
            self.state.variables.remove(info.first_variable + local.0);
        }
    }

    pub fn value(&mut self, expr: ExprId) -> Option<Value> {
        Eval::new(self.program(), &self.analysis.tables, self.call_string, &self.state).value(expr)
    }

    /// Operands whose addresses become numbers, or are compared with such, can be reached by numbers from now on.
    fn look_at_addresses(&mut self, op: &Op) {
        let mut eval = Eval::new(self.program(), &self.analysis.tables, self.call_string, &self.state);
        op.operands(&mut |expr, _| {
            eval.value(expr);
        });
        let exposure = eval.exposure;
        self.expose(&exposure);
    }

    /// The value of an expression that is the first to be evaluated: addresses that it looks at are exposed.
    fn looked_at(&mut self, expr: ExprId) -> Option<Value> {
        let mut eval = Eval::new(self.program(), &self.analysis.tables, self.call_string, &self.state);
        let value = eval.value(expr);
        let exposure = eval.exposure;
        if exposure.is_empty() {
            return value;
        }
        self.expose(&exposure);
        self.value(expr)
    }

    /// Once there are several threads, others may know the numbers.
    pub fn expose(&mut self, exposure: &Exposure) {
        if exposure.is_empty() {
            return;
        }
        if self.state.phase != Phase::Before {
            let is_own = |base: &&Base| {
                matches!(self.analysis.tables.abstract_object(**base).role(), Some(Role::Own | Role::Older))
            };
            let own = exposure.objects.iter().filter(is_own).copied().collect();
            self.share_all(own);
        }
        let shared = |base: &Base| self.analysis.tables.as_role(*base, Role::Shared);
        let objects = exposure.objects.iter().map(shared).collect();
        self.analysis.expose(&Exposure { objects, ..*exposure });
    }

    /// Every place that the value may lead to.
    pub fn reach(&mut self, value: &Value) -> Value {
        if !value.is_loose() {
            return value.clone();
        }
        self.analysis.exposed();
        self.analysis.solution.reach(&self.analysis.tables, &self.state, value)
    }

    /// A plain local takes a value.
    pub fn assign(&mut self, local: LocalId, value: Value) {
        let variable = self.analysis.tables.variable(self.call_string, local);
        let value = value.fitting(plain_type(self.function(), local));
        if self.is_recursive() {
            // The same local of another frame keeps its value.
            let mut value = value;
            value.term = None;
            let joined = match self.state.variables.get(variable) {
                Some(old) => old.join(&value),
                None => value,
            };
            self.state.variables.insert(variable, joined);
        } else {
            self.state.assign(variable, value);
        }
    }

    pub fn assign_int(&mut self, local: LocalId, values: &[i64]) {
        let ty = plain_type(self.function(), local);
        let mask = semantics::mask(ty);
        let constant = |value: &i64| Value::constant(ty, *value as u64 as u128 & mask);
        let value = values.iter().map(constant).reduce(|a, b| a.join(&b));
        self.assign(local, value.unwrap_or_else(|| Value::top(ty)));
    }

    /// A copy of a variable that is not read any more takes its place.
    fn assign_expr(&mut self, to: LocalId, expr: ExprId) -> Option<()> {
        let mut value = self.looked_at(expr)?;
        let info = &self.analysis.tables.call_strings[self.call_string];
        let dying = self.analysis.tables.shapes[info.function].liveness.dying(self.id);
        let copied = match copied(self.function(), expr) {
            Some(from) if from != to && dying.contains(&from) && !self.is_recursive() => Some(from),
            _ => None,
        };
        let from = copied.map(|from| self.analysis.tables.variable(self.call_string, from));
        if let Some(from) = from.filter(|from| value.term == Some(Term::of(Symbol::Variable(*from)))) {
            value.term = None;
            self.assign(to, value);
            let to = self.analysis.tables.variable(self.call_string, to);
            self.state.take_over(from, to);
        } else {
            self.assign(to, value);
        }
        Some(())
    }

    fn assume(&mut self, condition: ExprId) -> Option<()> {
        let value = self.looked_at(condition)?;
        let state = std::mem::replace(&mut self.state, ThreadState::new(Phase::Before));
        let condition = (condition, &value);
        self.state = refine_known(self.program(), &self.analysis.tables, self.call_string, state, condition, true)?;
        if self.state.locks.iter().any(|lock| lock.condition.is_some()) {
            self.settle_conditions();
        }
        if !self.state.replicas.is_empty() {
            self.end_crowds();
        }
        Some(())
    }

    /// Locks that were held on a condition are held, or not, once that is known.
    fn settle_conditions(&mut self) {
        let ThreadState { locks, variables, .. } = &mut self.state;
        locks::map(locks, |lock| {
            let Some(condition) = lock.condition else { return Some(lock.clone()) };
            let value = variables.get(condition.variable)?;
            let known = match (value.as_constant(), value.may_be(0)) {
                (Some(0), _) => Some(true),
                (_, false) => Some(false),
                _ => None,
            };
            let mut lock = lock.clone();
            if let Some(zero) = known {
                lock.condition = None;
                return (zero == condition.zero).then_some(lock);
            }
            Some(lock)
        });
    }

    // Calls.

    fn call(&mut self, call: &program::Call) -> Option<()> {
        let callees = match call.callee {
            Callee::Direct(function) => vec![function],
            Callee::Indirect(pointer) => {
                let pointer = self.value(pointer)?;
                let pointer = self.reach(&pointer);
                self.functions_of(&pointer)
            }
        };
        // What is known of variables when a condition is passed is kept with it.
        let truth = call.args.iter().find_map(|arg| truth_inside(self.function(), *arg));
        let states = match truth {
            Some(condition) => self.split(condition),
            None => vec![self.state.clone()],
        };
        for state in states {
            self.state = state;
            let mut args = Vec::with_capacity(call.args.len());
            for arg in &call.args {
                args.push(self.value(*arg)?);
            }
            self.drop_dying();
            for function in &callees {
                let caller = (self.call_string, self.id);
                let state = self.state.clone();
                enter_function(self.analysis, caller, *function, &args, state)?;
            }
        }
        None
    }

    /// The state where the condition holds, and the one where it does not.
    fn split(&self, condition: ExprId) -> Vec<ThreadState> {
        let (program, tables) = (self.program(), &self.analysis.tables);
        let side = |truth| refine(program, tables, self.call_string, self.state.clone(), condition, truth);
        [true, false].into_iter().filter_map(side).collect()
    }

    /// The functions that a pointer may lead to.
    pub fn functions_of(&self, pointer: &Value) -> Vec<FunctionId> {
        let function = |base| match self.analysis.tables.abstract_object(base) {
            AbstractObject::Function(function) => Some(function),
            _ => None,
        };
        let at_start = pointer.pointers.iter().filter(|(_, at)| at.contains(0));
        at_start.filter_map(|(base, _)| function(*base)).collect()
    }

    fn return_from(&mut self) -> Option<()> {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let function = self.function();
        let result = function.result.map(|local| tables.variable(self.call_string, local));
        let value = result.map(|variable| {
            let ty = plain_type(function, function.result.expect("it has a result"));
            self.state.variables.get(variable).cloned().unwrap_or_else(|| Value::input(ty))
        });
        if !self.is_recursive() {
            self.state.variables.remove_range(tables.variables_of(program, self.call_string));
        }
        if let (Some(variable), Some(value)) = (result, value) {
            self.state.variables.insert(variable, value);
        }
        self.end_locals(function);
        if self.analysis.tables.call_strings[self.call_string].caller.is_none() {
            let value = result.and_then(|variable| self.state.variables.get(variable).cloned());
            self.end_thread(value);
            // It may have been called, too.
            if !self.is_recursive() {
                return None;
            }
        }
        let state = self.state.clone();
        let phase = state.phase as usize;
        self.analysis.exit(self.call_string, state.clone());
        // Where exits lead back here, they are taken together.
        let exit = match &self.analysis.solution.exits[self.call_string.index()][phase] {
            Some(all) if self.is_recursive() => ThreadState::clone(all),
            _ => state,
        };
        for caller in self.analysis.solution.callers[self.call_string.index()].clone() {
            leave_function(self.analysis, self.call_string, caller, &exit);
        }
        None
    }

    /// The objects of locals end, if no other thread has them.
    fn end_locals(&mut self, function: &Function) {
        if self.is_recursive() {
            // Older frames have theirs.
            return;
        }
        let tables = &self.analysis.tables;
        let own = |local: LocalId| tables.find(AbstractObject::Local(self.call_string, local, Role::Own));
        let objects: Vec<_> = memory_locals(function).filter_map(own).collect();
        self.end_objects(&objects);
        for own in objects {
            self.state.memory.remove(self.analysis.tables.as_role(own, Role::Older).0);
            self.state.shared_locals.remove(own.0);
        }
    }
}

/// The variable that the expression copies.
pub(crate) fn copied(function: &Function, expr: ExprId) -> Option<LocalId> {
    match function.exprs[expr].kind {
        ExprKind::Local(local) => Some(local),
        ExprKind::Cast(Cast::PtrToInt | Cast::IntToPtr, inner) => copied(function, inner),
        _ => None,
    }
}

/// A call: the callee begins with the caller's state and its arguments. `None`: the analysis must begin again.
pub(crate) fn enter_function(
    analysis: &mut Analysis<'_>,
    caller: (CallString, EdgeId),
    function: FunctionId,
    args: &[Value],
    state: ThreadState,
) -> Option<()> {
    let call_string = match analysis.tables.callee(analysis.program, caller.0, caller.1, function) {
        Called::CallString(call_string) => call_string,
        Called::Recursive(function) => {
            analysis.again = Some(Again::Recursive(function));
            return None;
        }
        Called::TooMany => {
            analysis.again = Some(Again::Merge);
            return None;
        }
    };
    let body = &analysis.program.functions[function];
    let mut step = Step { analysis, call_string, id: AT_END, state };
    for local in step.analysis.tables.shapes[function].liveness.at_entry().to_vec() {
        if !body.params.contains(&local) {
            step.assign(local, Value::input(plain_type(body, local)));
        }
    }
    for (i, param) in body.params.iter().enumerate() {
        let ty = plain_type(body, *param);
        step.assign(*param, args.get(i).cloned().unwrap_or_else(|| Value::input(ty)));
    }
    let state = step.state;
    let is_new = analysis.add_caller(call_string, caller);
    analysis.flow(call_string, body.entry, state);
    if is_new {
        let exits: Vec<_> = analysis.solution.exits[call_string.index()].iter().flatten().cloned().collect();
        for exit in exits {
            leave_function(analysis, call_string, caller, &exit);
        }
    }
    Some(())
}

/// The callee's last state goes on behind the call.
fn leave_function(analysis: &mut Analysis<'_>, callee: CallString, caller: (CallString, EdgeId), exit: &ThreadState) {
    let (call_string, id) = caller;
    let program = analysis.program;
    let body = &program.functions[analysis.tables.call_strings[callee].function];
    let mut state = exit.clone();
    let result = body.result.map(|local| analysis.tables.variable(callee, local));
    let value = result.and_then(|variable| state.variables.get(variable).cloned());
    if let Some(variable) = result.filter(|_| !analysis.tables.call_strings[callee].recursive) {
        state.variables.remove(variable);
    }
    let function = analysis.tables.call_strings[call_string].function;
    if id == AT_END {
        let abstract_thread = analysis.tables.call_strings[call_string].abstract_thread;
        return analysis.end(abstract_thread, state);
    }
    let edge = &program.functions[function].edges[id];
    let Op::Call(call) = &edge.op else { return };
    let mut step = Step { analysis, call_string, id, state };
    if let Some(to) = call.to {
        let dying = step.analysis.tables.shapes[function].liveness.dying(id);
        if !dying.contains(&to) {
            let ty = plain_type(&program.functions[function], to);
            step.assign(to, value.unwrap_or_else(|| Value::input(ty)));
            if let Some(result) = result.filter(|_| !step.is_recursive()) {
                let to = step.analysis.tables.variable(call_string, to);
                step.state.take_over(result, to);
            }
        }
    }
    let state = step.state;
    analysis.flow(call_string, edge.to, state);
}

/// The state without its privatised globals, but for some.
pub(crate) fn give_back(
    analysis: &mut Analysis<'_>,
    call_string: CallString,
    state: ThreadState,
    keep: &Map<()>,
) -> ThreadState {
    let mut step = Step { analysis, call_string, id: AT_END, state };
    step.give_back(|_, base| keep.contains(base.0));
    step.state
}

/// Any byte of what a pointer leads to.
pub(crate) fn everywhere(value: &Value) -> Value {
    Value { term: None, ..value.clone().moved(Offsets::ONWARD) }
}

/// All elements of this size of the object that a pointer leads into.
pub(crate) fn elements(pointer: Value, size: u64) -> Value {
    let pointers = pointer.pointers.iter().map(|(base, at)| (*base, at.elements(size))).collect();
    Value { term: None, pointers, ..pointer }
}

/// The type of a byte.
pub(crate) const BYTE: Scalar = Scalar::Int(8);
