//! Steps that read or write memory: only integers of globals and locals are kept, all else may be anything.

use program::{Access, BinaryOp, CompareExchange, Edge, ExprId, ExprKind, GlobalId, Modify};
use semantics::{Base, Pointer};

use super::cells::{self, Cell};
use super::domain::{Number, NumericalDomain};
use super::slots::StackSlot;
use super::step::{Halt, Run, Transfer};
use super::variables::VarId;
use crate::step::{Known, What};

/// Where an address leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Into a global, if known this many bytes from its start.
    Global(GlobalId, Option<u64>),
    /// Into a stack slot.
    Local(StackSlot, Option<u64>),
    /// To something of which nothing is kept.
    Elsewhere,
    Anywhere,
}

impl<D: NumericalDomain> Transfer<'_, '_, D> {
    fn target(&mut self, address: ExprId) -> Run<Target> {
        let (object, offset) = match self.pointer(address)? {
            Some((Known::Pointer(Pointer { base: Base::Object(id), offset: start }), moved)) => {
                (id, moved.map(|moved| start.wrapping_add(moved)))
            }
            Some(_) => return Ok(Target::Elsewhere),
            None => return Ok(Target::Anywhere),
        };
        let offset = offset.and_then(|offset| u64::try_from(offset).ok());
        let global = GlobalId(object.0);
        Ok(match (self.numbers.program.globals.get(global), self.slots.get(object)) {
            (Some(known), _) if !known.thread_local => Target::Global(global, offset),
            (None, Some(slot)) => Target::Local(slot, offset),
            _ => Target::Elsewhere,
        })
    }

    /// What the other components know of an address, and the bytes from there.
    fn pointer(&mut self, address: ExprId) -> Run<Option<(Known, Option<i64>)>> {
        let known = self.others.value(self.step.thread, self.step.function, address);
        if known != Known::Unknown {
            return Ok(Some((known, Some(0))));
        }
        let ExprKind::Binary(BinaryOp::PtrAdd, base, index) =
            self.numbers.program.functions[self.step.function].exprs[address].kind
        else {
            return Ok(None);
        };
        let Some((known, moved)) = self.pointer(base)? else { return Ok(None) };
        let index = self.number(index)?.value;
        let index = self.made(|domain, set| domain.only_value(set, &index))?;
        let word = u32::from(self.numbers.program.machine.pointer_bits);
        let index = index.map(|bits| semantics::ops::sign_extend(bits.into(), word) as i64);
        Ok(Some((known, moved.zip(index).map(|(moved, index)| moved.wrapping_add(index)))))
    }

    /// The integers that an access may touch, and the one that it is, if it is one.
    fn cells(&mut self, access: &Access) -> Run<(Option<VarId>, Vec<VarId>)> {
        let length = match &access.bits {
            None => access.ty.bytes(),
            Some(bits) => u64::from((u32::from(bits.start) + access.ty.bits()).div_ceil(8)),
        };
        let target = self.target(access.address)?;
        let touched = self.touched(target, length)?;
        let is_it = |cell: &Cell| match target {
            Target::Global(_, Some(offset)) | Target::Local(_, Some(offset)) => {
                (cell.offset, u64::from(cell.length)) == (offset, length)
            }
            _ => false,
        };
        let exact = touched.iter().find(|cell| is_it(cell) && access.bits.is_none()).map(|cell| cell.var);
        Ok((exact, touched.into_iter().map(|cell| cell.var).collect()))
    }

    fn touched(&mut self, target: Target, length: u64) -> Run<Vec<Cell>> {
        let (mut cells, offset) = match target {
            Target::Global(global, offset) => (self.numbers.cells[global].clone(), offset),
            Target::Local(slot, offset) => (self.cells_of(slot)?, offset),
            Target::Elsewhere => (Vec::new(), None),
            Target::Anywhere => {
                let mut all: Vec<Cell> = self.numbers.cells.iter().flatten().copied().collect();
                for slot in self.slots.all().collect::<Vec<StackSlot>>() {
                    all.extend(self.cells_of(slot)?);
                }
                (all, None)
            }
        };
        if let Some(offset) = offset {
            cells.retain(|cell| cell.overlaps(offset, offset.saturating_add(length)));
        }
        Ok(cells)
    }

    pub(super) fn load(&mut self, access: &Access) -> Run<Number<D::Expr>> {
        let width = access.ty.bits();
        let (exact, _) = self.cells(access)?;
        if let Some(id) = exact {
            let domain = &mut self.numbers.domain;
            let stored = domain.variable(&self.set, id);
            return Ok(Number { value: domain.zero_extend(&stored, width), reads: vec![id] });
        }
        // A constant.
        if access.bits.is_none()
            && let Target::Global(global, Some(offset)) = self.target(access.address)?
            && self.numbers.program.globals[global].read_only
            && let Some(value) = cells::initial(self.numbers.program, global, offset, access.ty.bytes())
        {
            return Ok(self.constant(value, width));
        }
        Ok(Number::fixed(self.numbers.domain.unknown(width)))
    }

    pub(super) fn store(&mut self, access: &Access, value: Number<D::Expr>) -> Run<()> {
        let (exact, touched) = self.cells(access)?;
        self.write(exact, &touched, value)
    }

    fn write(&mut self, exact: Option<VarId>, touched: &[VarId], value: Number<D::Expr>) -> Run<()> {
        match exact {
            Some(id) => {
                let value = self.widened(id, value);
                self.assign(&[(id, value)])
            }
            None => self.forget(touched),
        }
    }

    /// As wide as the variable is.
    pub(super) fn widened(&mut self, id: VarId, number: Number<D::Expr>) -> Number<D::Expr> {
        let width = self.numbers.variables.width(id);
        Number { value: self.numbers.domain.zero_extend(&number.value, width), reads: number.reads }
    }

    pub(super) fn forget_access(&mut self, access: &Access) -> Run<()> {
        let (_, touched) = self.cells(access)?;
        self.forget(&touched)
    }

    /// Whatever lies behind a pointer may have changed; numbers lead nowhere.
    pub(super) fn forget_behind(&mut self, pointer: ExprId) -> Run<()> {
        let ty = self.numbers.program.functions[self.step.function].exprs[pointer].ty;
        if !matches!(ty, program::Scalar::Pointer(_)) {
            return Ok(());
        }
        let target = match self.target(pointer)? {
            Target::Global(global, _) => Target::Global(global, None),
            Target::Local(slot, _) => Target::Local(slot, None),
            target => target,
        };
        let touched: Vec<VarId> = self.touched(target, 0)?.into_iter().map(|cell| cell.var).collect();
        self.forget(&touched)
    }

    pub(super) fn modify(&mut self, modify: &Modify) -> Run<()> {
        let (exact, touched) = self.cells(&modify.access)?;
        let old = self.load(&modify.access)?;
        self.set_local(modify.old, old)?;
        // The new value may mention the old one: the other components answer for the state before.
        self.is_before = false;
        let new = self.number(modify.new)?;
        self.write(exact, &touched, new)
    }

    /// The state after one outcome. If they are not decided by a component that keeps pointers, all that are possible are.
    pub(super) fn compare_exchange(&mut self, edge: &Edge, exchange: &CompareExchange) -> Run<()> {
        let (expected, desired) = (self.number(exchange.expected)?, self.number(exchange.desired)?);
        let (exact, touched) = self.cells(&exchange.access)?;
        let old = self.load(&exchange.access)?;
        if let What::Exchange { success } = self.step.what {
            return self.exchanged(exchange, (exact, &touched), old, desired, success);
        }
        let ty = exchange.access.ty;
        let equal =
            |domain: &mut D, set: &D::Set| domain.binary(set, BinaryOp::Eq, ty, &old.value, ty, &expected.value);
        let equal = self.made(equal)?.value;
        let differs = self.not(&equal)?;
        let mut outcomes = vec![(&differs, false, self.step.choice)];
        match exchange.weak {
            true => outcomes.extend([(&equal, false, Some(1)), (&equal, true, Some(0))]),
            false => outcomes.push((&equal, true, self.step.choice)),
        }
        let (set, depth) = (self.set.clone(), self.frames.depth(self.step.thread));
        let last = outcomes.len() - 1;
        for (i, (condition, success, choice)) in outcomes.into_iter().enumerate() {
            self.set = set.clone();
            self.step.choice = choice;
            match self.assume(condition) {
                Err(Halt::Impossible) if i < last => continue,
                // The caller goes on with the last one.
                here => here?,
            }
            self.exchanged(exchange, (exact, &touched), old.clone(), desired.clone(), success)?;
            if i < last {
                self.finish(edge, depth)?;
            }
        }
        Ok(())
    }

    fn exchanged(
        &mut self,
        exchange: &CompareExchange,
        (exact, touched): (Option<VarId>, &[VarId]),
        old: Number<D::Expr>,
        desired: Number<D::Expr>,
        success: bool,
    ) -> Run<()> {
        let mut values = Vec::new();
        if let (Some(id), true) = (exact, success) {
            values.push((id, self.widened(id, desired)));
        }
        if let Some(id) = self.local(exchange.success)? {
            values.push((id, self.constant(success.into(), 1)));
        }
        if let Some(id) = self.local(exchange.old)? {
            values.push((id, old));
        }
        self.assign(&values)?;
        if exact.is_none() && success { self.forget(touched) } else { Ok(()) }
    }
}
