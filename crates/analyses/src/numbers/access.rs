//! Steps that read or write memory: only integers of globals and locals are kept, all else may be anything.

use program::{Access, BinaryOp, ExprId, ExprKind, GlobalId};
use semantics::{Base, Pointer};

use super::cells::{self, Cell};
use super::domain::{Number, NumericalDomain};
use super::slots::StackSlot;
use super::step::{Run, Transfer};
use super::variables::VarId;
use crate::step::Known;

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

/// The integers that an access may touch, and the one that it is, if it is one.
pub(super) struct Place {
    pub exact: Option<VarId>,
    pub touched: Vec<VarId>,
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

    pub(super) fn find_place(&mut self, access: &Access) -> Run<Place> {
        let length = access.length();
        let target = self.target(access.address)?;
        let touched = self.touched(target, length)?;
        let is_it = |cell: &Cell| match target {
            Target::Global(_, Some(offset)) | Target::Local(_, Some(offset)) => {
                (cell.offset, u64::from(cell.length)) == (offset, length)
            }
            _ => false,
        };
        let exact = touched.iter().find(|cell| is_it(cell) && access.bits.is_none()).map(|cell| cell.var);
        Ok(Place { exact, touched: touched.into_iter().map(|cell| cell.var).collect() })
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

    pub(super) fn read_at(&mut self, access: &Access, place: &Place) -> Run<Number<D::Expr>> {
        let width = access.ty.bits();
        if let Some(id) = place.exact {
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

    pub(super) fn write_at(&mut self, place: &Place, value: Number<D::Expr>) -> Run<()> {
        match place.exact {
            Some(id) => {
                let value = self.widened(id, value);
                self.assign(&[(id, value)])
            }
            None => self.forget_all(&place.touched),
        }
    }

    /// As wide as the variable is.
    pub(super) fn widened(&mut self, id: VarId, number: Number<D::Expr>) -> Number<D::Expr> {
        let width = self.numbers.variables.width(id);
        Number { value: self.numbers.domain.zero_extend(&number.value, width), reads: number.reads }
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
        self.forget_all(&touched)
    }
}
