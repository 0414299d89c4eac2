//! Stack slots: which objects are the storage of locals. Pointers to a local come from expressions of its frame, so a step that
//! evaluates such an expression notes whose slot the object is.

use program::{ExprId, ExprKind, Function, FunctionId, LocalId, Op};
use semantics::{Base, ObjectId, Pointer};

use super::cells;
use super::domain::{Number, NumericalDomain};
use super::split::roots;
use super::step::{Run, Transfer};
use super::variables::{VarId, Variable};
use crate::analysis::Names;
use crate::step::Known;

/// A local that is an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackSlot {
    pub thread: u32,
    pub depth: u32,
    pub function: FunctionId,
    pub local: LocalId,
}

/// In order of the objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct StackSlots(Vec<(ObjectId, StackSlot)>);

impl StackSlots {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, object: ObjectId) -> Option<StackSlot> {
        self.0.binary_search_by_key(&object, |(id, _)| *id).ok().map(|i| self.0[i].1)
    }

    pub fn all(&self) -> impl Iterator<Item = StackSlot> {
        self.0.iter().map(|(_, slot)| *slot)
    }

    pub fn of_frame(&self, thread: u32, depth: u32) -> impl Iterator<Item = StackSlot> {
        self.all().filter(move |slot| (slot.thread, slot.depth) == (thread, depth))
    }

    fn add(&mut self, object: ObjectId, slot: StackSlot) {
        self.end(slot);
        match self.0.binary_search_by_key(&object, |(id, _)| *id) {
            Ok(i) => self.0[i].1 = slot,
            Err(i) => self.0.insert(i, (object, slot)),
        }
    }

    fn end(&mut self, slot: StackSlot) {
        self.0.retain(|(_, other)| *other != slot);
    }

    pub fn end_frame(&mut self, thread: u32, depth: u32) {
        self.0.retain(|(_, slot)| (slot.thread, slot.depth) != (thread, depth));
    }

    pub fn rename(&mut self, names: &Names) {
        self.0.iter_mut().for_each(|(id, _)| *id = names.object(*id));
        self.0.sort_unstable_by_key(|(id, _)| *id);
    }

    /// Both; `None` if an object would be two slots, or a slot two objects.
    pub fn joined(&self, other: &StackSlots) -> Option<StackSlots> {
        let mut joined = self.clone();
        for (object, slot) in &other.0 {
            match self.get(*object) {
                Some(known) if known != *slot => return None,
                Some(_) => {}
                None if self.all().any(|known| known == *slot) => return None,
                None => joined.add(*object, *slot),
            }
        }
        Some(joined)
    }
}

impl<D: NumericalDomain> Transfer<'_, '_, D> {
    /// Notes whose slots the objects are that the step's expressions name.
    pub(super) fn register(&mut self, op: &Op) {
        let function = &self.numbers.program.functions[self.step.function];
        let mut named = Vec::new();
        for root in roots(op) {
            addresses(function, root, &mut named);
        }
        for (local, expr) in named {
            let slot = self.slot(local);
            let known = self.others.value(self.step.thread, self.step.function, expr);
            if let Known::Pointer(Pointer { base: Base::Object(id), .. }) = known
                && self.slots.get(id) != Some(slot)
            {
                self.slots.edit().add(id, slot);
            }
        }
    }

    fn slot(&self, local: LocalId) -> StackSlot {
        let (thread, function) = (self.step.thread, self.step.function);
        StackSlot { thread, depth: self.frames.depth(thread), function, local }
    }

    /// The variables of an object that is a local, so far.
    fn variables_of(&self, slot: StackSlot) -> Vec<VarId> {
        let of_local = |id: &VarId| match self.numbers.variables.get(*id) {
            Variable::Slot { function, local, .. } => (function, local) == (slot.function, slot.local),
            _ => false,
        };
        self.numbers.variables.of_frame(slot.thread, slot.depth).iter().copied().filter(of_local).collect()
    }

    /// Its contents may be anything.
    pub(super) fn forget_object(&mut self, local: LocalId) -> Run<()> {
        let variables = self.variables_of(self.slot(local));
        self.forget_all(&variables)
    }

    pub(super) fn clear_object(&mut self, local: LocalId) -> Run<()> {
        let slot = self.slot(local);
        // No step can have written to the object without naming it before.
        let cells = self.cells_of(slot)?;
        let values: Vec<(VarId, Number<D::Expr>)> =
            cells.iter().map(|cell| (cell.var, self.constant(0, u32::from(cell.length) * 8))).collect();
        self.assign(&values)
    }

    pub(super) fn leave_object(&mut self, local: LocalId) -> Run<()> {
        self.forget_object(local)?;
        let slot = self.slot(local);
        if self.slots.all().any(|other| other == slot) {
            self.slots.edit().end(slot);
        }
        Ok(())
    }

    /// The integers of an object that is a local.
    pub(super) fn cells_of(&mut self, slot: StackSlot) -> Run<Vec<cells::Cell>> {
        let StackSlot { thread, depth, function, local } = slot;
        let ty = self.numbers.program.functions[function].locals[local].ty;
        let integers = cells::of_type(self.numbers.program, ty);
        let mut found = Vec::with_capacity(integers.len());
        for (offset, length) in integers {
            let variable = Variable::Slot { thread, depth, function, local, offset, length };
            let var = self.variable(variable, u32::from(length) * 8)?;
            found.push(cells::Cell { offset, length, var });
        }
        Ok(found)
    }
}

/// The addresses of locals in an expression.
fn addresses(function: &Function, expr: ExprId, out: &mut Vec<(LocalId, ExprId)>) {
    match function.exprs[expr].kind {
        ExprKind::LocalAddress(local) => out.push((local, expr)),
        ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => addresses(function, a, out),
        ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(|part| addresses(function, part, out)),
        ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(|part| addresses(function, part, out)),
        _ => {}
    }
}
