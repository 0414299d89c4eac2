//! What a step does to the set of valuations.

use program::{Allocation, Edge, ExprId, FunctionId, LocalId, Op};
use semantics::Violation;

use super::bits::{Bit, Bits};
use super::diagram::{Full, Function, Made};
use super::eval::Evaluation;
use super::vars::{Place, VarId, kept_width};
use super::{Bdd, Frames, Homes, State};
use crate::intern::Shared;
use crate::step::{Ask, Post, Step, Trouble, What};

/// Why a step does not go on.
pub(super) enum Halt {
    /// No valuation is left.
    Impossible,
    Trouble(Trouble),
}

pub(super) type Run<T> = Result<T, Halt>;

impl From<Full> for Halt {
    fn from(_: Full) -> Self {
        Halt::Trouble(Trouble("the decision diagrams grow too large".into()))
    }
}

/// One step under way.
pub(super) struct Doing<'a, 'p> {
    pub bdd: &'a mut Bdd<'p>,
    pub set: Function,
    pub frames: Shared<Frames>,
    pub homes: Shared<Homes>,
    pub step: Step,
    pub ask: &'a mut dyn Ask,
    /// Is the state still the one that others answer for?
    pub is_before: bool,
    pub post: &'a mut Post<State>,
}

/// A number and the variables that it depends on.
pub(super) struct Number {
    pub bits: Bits,
    pub reads: Vec<VarId>,
}

pub(super) fn transfer(
    bdd: &mut Bdd<'_>,
    state: State,
    step: &Step,
    ask: &mut dyn Ask,
    post: &mut Post<State>,
) -> Result<(), Trouble> {
    let edge = &bdd.program.functions[step.function].edges[step.edge];
    let depth = state.frames.depth(step.thread);
    let mut doing = Doing {
        bdd,
        set: state.set,
        frames: state.frames,
        homes: state.homes,
        step: *step,
        ask,
        is_before: true,
        post,
    };
    doing.register(&edge.op);
    match doing.execute(edge).and_then(|()| doing.finish(edge, depth)) {
        Ok(()) | Err(Halt::Impossible) => Ok(()),
        Err(Halt::Trouble(trouble)) => Err(trouble),
    }
}

impl Doing<'_, '_> {
    /// Locals that nobody will read are forgotten, and the state is a successor.
    pub fn finish(&mut self, edge: &Edge, depth: u32) -> Run<()> {
        if !edge.op.is_final() {
            let liveness = self.bdd.liveness[self.step.function].dying(self.step.edge);
            let (thread, function) = (self.step.thread, self.step.function);
            let place = |local: &LocalId| Place::Local { thread, depth, function, local: *local };
            let dying: Vec<VarId> = liveness.iter().filter_map(|local| self.bdd.vars.find(place(local))).collect();
            self.forget(&dying)?;
        }
        let state = State { set: self.set.clone(), frames: self.frames.clone(), homes: self.homes.clone() };
        self.post.successors.push((state, self.step));
        Ok(())
    }

    fn execute(&mut self, edge: &Edge) -> Run<()> {
        match &edge.op {
            Op::Assume(condition) => {
                let condition = self.number(*condition)?.bits[0].clone();
                self.assume(&condition)?;
            }
            Op::Assign(local, value) => self.assign_value(*local, *value)?,
            Op::Havoc(local, _) => self.set_any(*local)?,
            Op::Load { to, from } => {
                let value = self.load(from)?;
                self.set_local(*to, value)?;
            }
            Op::Store { to, value } => {
                let value = self.number(*value)?;
                self.store(to, value)?;
            }
            Op::Modify(modify) => self.modify(modify)?,
            Op::CompareExchange(exchange) => self.compare_exchange(edge, exchange)?,
            Op::Call(call) => {
                let args = call.args.iter().map(|arg| self.number(*arg)).collect::<Run<Vec<Number>>>()?;
                if let What::Call(callee) = self.step.what {
                    let liveness = &self.bdd.liveness[self.step.function];
                    let to = call.to.filter(|to| !liveness.is_unread(edge.to, *to));
                    self.call(self.step.thread, callee, args, to)?;
                }
            }
            Op::Return => self.return_from()?,
            Op::Allocate(allocate) => {
                self.number(allocate.size)?;
                if let Allocation::Variable(local) = allocate.kind {
                    self.leave_object(local)?;
                }
                self.set_any(allocate.to)?;
            }
            Op::Thread(op) => self.thread_op(op)?,
            Op::CommandLine { count, vector } => {
                self.set_any(*count)?;
                self.set_any(*vector)?;
            }
            Op::Library(call) => {
                for arg in &call.args {
                    self.number(*arg)?;
                    self.forget_behind(*arg)?;
                }
                if let Some(to) = call.to {
                    self.set_any(to)?;
                }
            }
            Op::Overwrite(overwrite) => {
                self.number(overwrite.address)?;
                if overwrite.writes() {
                    self.forget_behind(overwrite.address)?;
                }
            }
            Op::Enter(local) => self.forget_object(*local)?,
            Op::Clear(local) => self.clear_object(*local)?,
            Op::Leave(local) => self.leave_object(*local)?,
            Op::Skip | Op::AtomicBegin | Op::AtomicEnd => {}
            Op::Free(_) | Op::Error(_) | Op::End(_) | Op::Unsupported(_) => {}
        }
        Ok(())
    }

    // Values.

    /// Evaluates in the running frame; valuations without a value are gone afterwards.
    pub fn number(&mut self, expr: ExprId) -> Run<Number> {
        let at = (self.step.thread, self.frames.depth(self.step.thread), self.step.function);
        let ask: Option<&mut dyn Ask> = if self.is_before { Some(&mut *self.ask) } else { None };
        let mut evaluation = Evaluation::new(self.bdd, self.set.clone(), at, ask);
        let Ok(bits) = evaluation.expr(expr) else {
            // Nothing is known of it.
            self.note(&None, &None)?;
            let width = self.bdd.program.functions[self.step.function].exprs[expr].ty.bits();
            return Ok(Number { bits: vec![None; width as usize], reads: Vec::new() });
        };
        let Evaluation { fault, overflow, reads, .. } = evaluation;
        self.note(&fault, &overflow)?;
        Ok(Number { bits, reads })
    }

    fn note(&mut self, fault: &Bit, overflow: &Bit) -> Run<()> {
        let diagrams = &self.bdd.diagrams;
        let may = |bit: &Bit, set: &Function| match bit {
            Some(f) => diagrams.is_disjoint(set, f).map(|never| !never),
            None => Ok(true),
        };
        let may_fault = may(fault, &self.set)?;
        if may(overflow, &self.set)? {
            let always = overflow.as_ref().is_some_and(|f| diagrams.is_subset(&self.set, f) == Ok(true));
            self.post.find(Violation::Overflow, always && !may_fault);
        }
        if may_fault {
            self.post.end_undefined(false);
            if let Some(fault) = fault {
                let rest = diagrams.not(fault)?;
                self.assume(&Some(rest))?;
            }
        }
        Ok(())
    }

    pub fn assume(&mut self, condition: &Bit) -> Run<()> {
        if let Some(condition) = condition {
            self.set = self.bdd.diagrams.and(&self.set, condition)?;
        }
        if self.set == self.bdd.diagrams.no { Err(Halt::Impossible) } else { Ok(()) }
    }

    pub fn constant(&self, value: u64, width: usize) -> Number {
        Number { bits: self.bdd.diagrams.number(value.into(), width), reads: Vec::new() }
    }

    // Variables.

    /// The variable of a local of the running frame, if it is kept.
    pub fn local(&mut self, local: LocalId) -> Run<Option<VarId>> {
        let depth = self.frames.depth(self.step.thread);
        self.local_of(self.step.thread, depth, self.step.function, local)
    }

    pub fn local_of(&mut self, thread: u32, depth: u32, function: FunctionId, local: LocalId) -> Run<Option<VarId>> {
        let Some(width) = kept_width(self.bdd.program, function, local) else { return Ok(None) };
        let place = Place::Local { thread, depth, function, local };
        Ok(Some(self.bdd.vars.variable(&self.bdd.diagrams, place, width)?))
    }

    pub fn forget(&mut self, vars: &[VarId]) -> Run<()> {
        let diagrams = &self.bdd.diagrams;
        let all = vars
            .iter()
            .try_fold(diagrams.yes.clone(), |all, id| diagrams.and(&all, &self.bdd.vars.get(*id).all_now))?;
        self.set = diagrams.forget(&self.set, &all)?;
        Ok(())
    }

    /// All at once. Where a relation between numbers would be too large, they may be anything.
    pub fn assign(&mut self, values: Vec<(VarId, Number)>) -> Run<()> {
        match self.image(&values) {
            Ok(Some(set)) => self.set = set,
            Ok(None) | Err(Full) => {
                let assigned: Vec<VarId> = values.into_iter().map(|(id, _)| id).collect();
                self.forget(&assigned)?;
            }
        }
        Ok(())
    }

    /// The image under the relation between the variables now and next; `None` if that is too large.
    fn image(&self, values: &[(VarId, Number)]) -> Made<Option<Function>> {
        let (diagrams, vars) = (&self.bdd.diagrams, &self.bdd.vars);
        let is_read = |id: &VarId| values.iter().any(|(_, number)| number.reads.contains(id));
        let needs_next = values.iter().any(|(id, _)| is_read(id));
        let assigned = |all: Function, (id, _): &(VarId, Number)| diagrams.and(&all, &vars.get(*id).all_now);
        let before = values.iter().try_fold(diagrams.yes.clone(), assigned)?;
        let mut set = match needs_next {
            true => self.set.clone(),
            false => diagrams.forget(&self.set, &before)?,
        };
        let mut relation = diagrams.yes.clone();
        for (id, number) in values {
            let var = vars.get(*id);
            let target = if needs_next { &var.next } else { &var.now };
            for (bit, value) in target.iter().zip(&number.bits) {
                let Some(value) = value else { continue };
                relation = diagrams.and(&relation, &diagrams.equal(bit, value)?)?;
                // What the set says of the values keeps it small.
                if diagrams.is_large(&relation) {
                    set = diagrams.and(&set, &relation)?;
                    relation = diagrams.yes.clone();
                    if diagrams.is_too_large(&set) {
                        return Ok(None);
                    }
                }
            }
        }
        if !needs_next {
            return diagrams.and(&set, &relation).map(Some);
        }
        set = diagrams.image(&set, &relation, &before)?;
        for (id, _) in values {
            let var = vars.get(*id);
            set = diagrams.image(&set, &var.same, &var.all_next)?;
        }
        Ok(Some(set))
    }

    pub fn set_local(&mut self, local: LocalId, value: Number) -> Run<()> {
        match self.local(local)? {
            Some(id) => self.assign(vec![(id, value)]),
            None => Ok(()),
        }
    }

    fn assign_value(&mut self, local: LocalId, value: ExprId) -> Run<()> {
        let value = self.number(value)?;
        self.set_local(local, value)
    }

    pub fn set_any(&mut self, local: LocalId) -> Run<()> {
        match self.local(local)? {
            Some(id) => self.forget(&[id]),
            None => Ok(()),
        }
    }

    pub fn set_number(&mut self, local: LocalId, value: i64) -> Run<()> {
        let value = self.constant(value as u64, 64);
        self.set_local(local, value)
    }
}
