//! The transfer function of sets of valuations.

use program::{Edge, ExprId, FunctionId, LocalId};
use semantics::{Violation, execute};

use super::domain::{Full, Made, Number, NumericalDomain};
use super::eval::Evaluation;
use super::variables::{VarId, Variable, kept_width};
use super::{Frames, Numbers, NumbersState, StackSlots};
use crate::intern::Shared;
use crate::step::{Post, Queries, Step, Unknown};

/// Why a step does not go on.
pub(super) enum TransferStop {
    /// No valuation is left.
    Impossible,
    /// To be tried again with each outcome of an exchange.
    Fork {
        weak: bool,
    },
    Unknown(Unknown),
}

/// How an exchange goes.
#[derive(Clone, Copy)]
pub(super) struct Exchanged {
    pub equal: bool,
    pub success: bool,
    /// What the environment chooses if it is weak.
    pub choice: Option<u32>,
}

const DIFFERS: Exchanged = Exchanged { equal: false, success: false, choice: None };
const TAKES_PLACE: Exchanged = Exchanged { equal: true, success: true, choice: None };
const WEAK: [Exchanged; 2] =
    [Exchanged { success: false, choice: Some(1), ..TAKES_PLACE }, Exchanged { choice: Some(0), ..TAKES_PLACE }];

pub(super) type Run<T> = Result<T, TransferStop>;

/// The transfer of one step.
pub(super) struct Transfer<'a, 'p, D: NumericalDomain> {
    pub numbers: &'a mut Numbers<'p, D>,
    pub set: D::Set,
    pub frames: Shared<Frames>,
    pub slots: Shared<StackSlots>,
    pub step: Step,
    /// The other components, at the state before the step.
    pub others: &'a mut dyn Queries,
    /// Is the state still that one?
    pub is_before: bool,
    /// Of an exchange, if it is decided.
    pub exchanged: Option<Exchanged>,
    pub post: &'a mut Post<NumbersState<D::Set>>,
}

pub(super) fn transfer<D: NumericalDomain>(
    numbers: &mut Numbers<'_, D>,
    state: NumbersState<D::Set>,
    step: &Step,
    others: &mut dyn Queries,
    post: &mut Post<NumbersState<D::Set>>,
) -> Result<(), Unknown> {
    match once(numbers, state.clone(), step, None, others, post) {
        Err(TransferStop::Fork { weak }) => {
            let outcomes = if weak { &[DIFFERS, WEAK[0], WEAK[1]][..] } else { &[DIFFERS, TAKES_PLACE] };
            for outcome in outcomes {
                decided(once(numbers, state.clone(), step, Some(*outcome), others, post))?;
            }
            Ok(())
        }
        done => decided(done),
    }
}

fn decided(done: Run<()>) -> Result<(), Unknown> {
    match done {
        Ok(()) | Err(TransferStop::Impossible) => Ok(()),
        Err(TransferStop::Fork { .. }) => unreachable!("the outcome is decided"),
        Err(TransferStop::Unknown(unknown)) => Err(unknown),
    }
}

fn once<D: NumericalDomain>(
    numbers: &mut Numbers<'_, D>,
    NumbersState { set, frames, slots }: NumbersState<D::Set>,
    step: &Step,
    exchanged: Option<Exchanged>,
    others: &mut dyn Queries,
    post: &mut Post<NumbersState<D::Set>>,
) -> Run<()> {
    let edge = &numbers.program.functions[step.function].edges[step.edge];
    let depth = frames.depth(step.thread);
    let mut transfer = Transfer { numbers, set, frames, slots, step: *step, others, is_before: true, exchanged, post };
    transfer.register(&edge.op);
    execute(&mut transfer, edge, step.control)?;
    transfer.finish(edge, depth)
}

impl<D: NumericalDomain> Transfer<'_, '_, D> {
    /// Locals that are dead afterwards are forgotten, and the state is a successor.
    pub fn finish(&mut self, edge: &Edge, depth: u32) -> Run<()> {
        if !edge.op.is_final() {
            let liveness = self.numbers.liveness[self.step.function].dying(self.step.edge);
            let (thread, function) = (self.step.thread, self.step.function);
            let variable = |local: &LocalId| Variable::Local { thread, depth, function, local: *local };
            let found = liveness.iter().filter_map(|local| self.numbers.variables.find(variable(local)));
            let dying: Vec<VarId> = found.collect();
            self.forget_all(&dying)?;
        }
        let state = NumbersState { set: self.set.clone(), frames: self.frames.clone(), slots: self.slots.clone() };
        self.post.successors.push((state, self.step));
        Ok(())
    }

    // Values.

    /// Evaluates in the running frame; valuations without a value are gone afterwards.
    pub fn number(&mut self, expr: ExprId) -> Run<Number<D::Expr>> {
        let at = (self.step.thread, self.frames.depth(self.step.thread), self.step.function);
        let others: Option<&mut dyn Queries> = if self.is_before { Some(&mut *self.others) } else { None };
        let mut evaluation = Evaluation::new(self.numbers, self.set.clone(), at, others);
        let Ok(value) = evaluation.expr(expr) else {
            // Nothing is known of it.
            let perhaps = self.numbers.domain.unknown(1);
            self.note(&perhaps, &perhaps)?;
            let width = self.numbers.program.functions[self.step.function].exprs[expr].ty.bits();
            return Ok(Number::fixed(self.numbers.domain.unknown(width)));
        };
        let Evaluation { fault, overflow, reads, .. } = evaluation;
        self.note(&fault, &overflow)?;
        Ok(Number { value, reads })
    }

    fn note(&mut self, fault: &D::Expr, overflow: &D::Expr) -> Run<()> {
        let may_fault = self.may(fault)?;
        if self.may(overflow)? {
            let never = self.not(overflow);
            let always = never.and_then(|never| self.may(&never)).is_ok_and(|may| !may);
            self.post.find(Violation::Overflow, always && !may_fault);
        }
        if may_fault {
            self.post.end_undefined(false);
            let rest = self.not(fault)?;
            self.assume_true(&rest)?;
        }
        Ok(())
    }

    /// Is there a valuation in which the condition is true?
    fn may(&mut self, condition: &D::Expr) -> Run<bool> {
        let where_true = self.made(|domain, set| domain.assume(set, condition))?;
        Ok(!self.numbers.domain.is_empty(&where_true))
    }

    pub fn not(&mut self, condition: &D::Expr) -> Run<D::Expr> {
        self.numbers.not(&self.set, condition).map_err(|Full| Self::full())
    }

    pub fn assume_true(&mut self, condition: &D::Expr) -> Run<()> {
        self.set = self.made(|domain, set| domain.assume(set, condition))?;
        if self.numbers.domain.is_empty(&self.set) { Err(TransferStop::Impossible) } else { Ok(()) }
    }

    pub fn constant(&mut self, value: u64, width: u32) -> Number<D::Expr> {
        Number::fixed(self.numbers.domain.constant(value.into(), width))
    }

    /// What the domain makes of the set.
    pub fn made<T>(&mut self, operation: impl FnOnce(&mut D, &D::Set) -> Made<T>) -> Run<T> {
        operation(&mut self.numbers.domain, &self.set).map_err(|Full| Self::full())
    }

    fn full() -> TransferStop {
        TransferStop::Unknown(Numbers::<D>::full())
    }

    // Variables.

    /// The variable of a local of the running frame, if it is kept.
    pub fn local(&mut self, local: LocalId) -> Run<Option<VarId>> {
        let depth = self.frames.depth(self.step.thread);
        self.local_of(self.step.thread, depth, self.step.function, local)
    }

    pub fn local_of(&mut self, thread: u32, depth: u32, function: FunctionId, local: LocalId) -> Run<Option<VarId>> {
        let Some(width) = kept_width(self.numbers.program, function, local) else { return Ok(None) };
        self.variable(Variable::Local { thread, depth, function, local }, width).map(Some)
    }

    pub fn variable(&mut self, variable: Variable, width: u32) -> Run<VarId> {
        self.numbers.variable(variable, width).map_err(|Full| Self::full())
    }

    pub fn forget_all(&mut self, variables: &[VarId]) -> Run<()> {
        self.set = self.made(|domain, set| domain.forget(set, variables))?;
        Ok(())
    }

    /// All at once.
    pub fn assign(&mut self, values: &[(VarId, Number<D::Expr>)]) -> Run<()> {
        self.set = self.made(|domain, set| domain.assign(set, values))?;
        Ok(())
    }
}
