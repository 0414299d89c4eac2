//! Steps that read or write memory: only integers of globals and locals are kept, all else may be anything.

use program::{Access, BinaryOp, CompareExchange, Edge, ExprId, ExprKind, GlobalId, Modify};
use semantics::{Base, Pointer};

use super::bits::Bits;
use super::cells::{self, Cell};
use super::homes::Home;
use super::step::{Doing, Halt, Number, Run};
use super::vars::VarId;
use crate::step::{Known, What};

/// Where an address leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    /// Into a global, if known this many bytes from its start.
    Global(GlobalId, Option<u64>),
    /// Into a local that is an object.
    Local(Home, Option<u64>),
    /// To something of which nothing is kept.
    Elsewhere,
    Anywhere,
}

impl Doing<'_, '_> {
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
        Ok(match (self.bdd.program.globals.get(global), self.homes.get(object)) {
            (Some(known), _) if !known.thread_local => Target::Global(global, offset),
            (None, Some(home)) => Target::Local(home, offset),
            _ => Target::Elsewhere,
        })
    }

    /// What others know of an address, and the bytes from there.
    fn pointer(&mut self, address: ExprId) -> Run<Option<(Known, Option<i64>)>> {
        let known = self.ask.value(self.step.thread, self.step.function, address);
        if known != Known::Unknown {
            return Ok(Some((known, Some(0))));
        }
        let ExprKind::Binary(BinaryOp::PtrAdd, base, index) =
            self.bdd.program.functions[self.step.function].exprs[address].kind
        else {
            return Ok(None);
        };
        let Some((known, moved)) = self.pointer(base)? else { return Ok(None) };
        let index = self.number(index)?.bits;
        let index = self.bdd.only_value(&self.set, &index)?;
        let word = u32::from(self.bdd.program.machine.pointer_bits);
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
            Target::Global(global, offset) => (self.bdd.cells[global].clone(), offset),
            Target::Local(home, offset) => (self.cells_of(home)?, offset),
            Target::Elsewhere => (Vec::new(), None),
            Target::Anywhere => {
                let mut all: Vec<Cell> = self.bdd.cells.iter().flatten().copied().collect();
                for home in self.homes.all().collect::<Vec<Home>>() {
                    all.extend(self.cells_of(home)?);
                }
                (all, None)
            }
        };
        if let Some(offset) = offset {
            cells.retain(|cell| cell.overlaps(offset, offset.saturating_add(length)));
        }
        Ok(cells)
    }

    pub(super) fn load(&mut self, access: &Access) -> Run<Number> {
        let width = access.ty.bits() as usize;
        let (exact, _) = self.cells(access)?;
        if let Some(id) = exact {
            let bits = self.bdd.vars.get(id).bits();
            return Ok(Number { bits: self.bdd.diagrams.zero_extended(&bits, width), reads: vec![id] });
        }
        // What never changes.
        if access.bits.is_none()
            && let Target::Global(global, Some(offset)) = self.target(access.address)?
            && self.bdd.program.globals[global].read_only
            && let Some(value) = cells::initial(self.bdd.program, global, offset, access.ty.bytes())
        {
            return Ok(self.constant(value, width));
        }
        Ok(Number { bits: vec![None; width], reads: Vec::new() })
    }

    pub(super) fn store(&mut self, access: &Access, value: Number) -> Run<()> {
        let (exact, touched) = self.cells(access)?;
        self.write(exact, &touched, value)
    }

    fn write(&mut self, exact: Option<VarId>, touched: &[VarId], value: Number) -> Run<()> {
        match exact {
            Some(id) => {
                let value = self.widened(id, value);
                self.assign(vec![(id, value)])
            }
            None => self.forget(touched),
        }
    }

    /// As wide as the bytes are.
    fn widened(&self, id: VarId, value: Number) -> Number {
        let width = self.bdd.vars.get(id).width();
        Number { bits: self.bdd.diagrams.zero_extended(&value.bits, width), reads: value.reads }
    }

    pub(super) fn forget_access(&mut self, access: &Access) -> Run<()> {
        let (_, touched) = self.cells(access)?;
        self.forget(&touched)
    }

    /// Whatever lies behind a pointer may have changed; numbers lead nowhere.
    pub(super) fn forget_behind(&mut self, pointer: ExprId) -> Run<()> {
        let ty = self.bdd.program.functions[self.step.function].exprs[pointer].ty;
        if !matches!(ty, program::Scalar::Pointer(_)) {
            return Ok(());
        }
        let target = match self.target(pointer)? {
            Target::Global(global, _) => Target::Global(global, None),
            Target::Local(home, _) => Target::Local(home, None),
            target => target,
        };
        let touched: Vec<VarId> = self.touched(target, 0)?.into_iter().map(|cell| cell.var).collect();
        self.forget(&touched)
    }

    pub(super) fn modify(&mut self, modify: &Modify) -> Run<()> {
        let (exact, touched) = self.cells(&modify.access)?;
        let old = self.load(&modify.access)?;
        self.set_local(modify.old, old)?;
        // The new value may mention the old one: others cannot tell any more.
        self.is_before = false;
        let new = self.number(modify.new)?;
        self.write(exact, &touched, new)
    }

    /// The state after one outcome. Which ones there are depends on who decides.
    pub(super) fn compare_exchange(&mut self, edge: &Edge, exchange: &CompareExchange) -> Run<()> {
        let (expected, desired) = (self.number(exchange.expected)?, self.number(exchange.desired)?);
        let (exact, touched) = self.cells(&exchange.access)?;
        let old = self.load(&exchange.access)?;
        if let What::Exchange { success } = self.step.what {
            return self.exchanged(exchange, (exact, &touched), old, desired, success);
        }
        let equal = self.bdd.diagrams.is_equal(&old.bits, &expected.bits)?;
        let differs = self.bdd.diagrams.bit_not(&equal)?;
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
            let (old, desired) = (clone(&old), clone(&desired));
            self.exchanged(exchange, (exact, &touched), old, desired, success)?;
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
        old: Number,
        desired: Number,
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
        self.assign(values)?;
        if exact.is_none() && success { self.forget(touched) } else { Ok(()) }
    }
}

fn clone(number: &Number) -> Number {
    Number { bits: Bits::clone(&number.bits), reads: number.reads.clone() }
}
