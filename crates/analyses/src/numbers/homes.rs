//! Which objects are locals: pointers to a local come from expressions of its frame, so whoever meets such an expression notes
//! where the object lives.

use program::{ExprId, ExprKind, Function, FunctionId, LocalId, Op};
use semantics::{Base, ObjectId, Pointer};

use super::cells;
use super::split::roots;
use super::step::{Doing, Number, Run};
use super::vars::{Place, VarId};
use crate::analysis::Names;
use crate::step::Known;

/// A local that is an object.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Home {
    pub thread: u32,
    pub depth: u32,
    pub function: FunctionId,
    pub local: LocalId,
}

/// In order of the objects.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Homes(Vec<(ObjectId, Home)>);

impl Homes {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn get(&self, object: ObjectId) -> Option<Home> {
        self.0.binary_search_by_key(&object, |(id, _)| *id).ok().map(|i| self.0[i].1)
    }

    pub fn all(&self) -> impl Iterator<Item = Home> {
        self.0.iter().map(|(_, home)| *home)
    }

    pub fn of_frame(&self, thread: u32, depth: u32) -> impl Iterator<Item = Home> {
        self.all().filter(move |home| (home.thread, home.depth) == (thread, depth))
    }

    fn add(&mut self, object: ObjectId, home: Home) {
        self.end(home);
        match self.0.binary_search_by_key(&object, |(id, _)| *id) {
            Ok(i) => self.0[i].1 = home,
            Err(i) => self.0.insert(i, (object, home)),
        }
    }

    fn end(&mut self, home: Home) {
        self.0.retain(|(_, other)| *other != home);
    }

    pub fn end_frame(&mut self, thread: u32, depth: u32) {
        self.0.retain(|(_, home)| (home.thread, home.depth) != (thread, depth));
    }

    pub fn rename(&mut self, names: &Names) {
        self.0.iter_mut().for_each(|(id, _)| *id = names.object(*id));
        self.0.sort_unstable_by_key(|(id, _)| *id);
    }

    /// Both; `None` if an object would live in two places.
    pub fn joined(&self, other: &Homes) -> Option<Homes> {
        let mut joined = self.clone();
        for (object, home) in &other.0 {
            match self.get(*object) {
                Some(known) if known != *home => return None,
                Some(_) => {}
                None if self.all().any(|known| known == *home) => return None,
                None => joined.add(*object, *home),
            }
        }
        Some(joined)
    }
}

impl Doing<'_, '_> {
    /// Notes where the objects live that the step's expressions name.
    pub(super) fn register(&mut self, op: &Op) {
        let function = &self.bdd.program.functions[self.step.function];
        let mut named = Vec::new();
        for root in roots(op) {
            addresses(function, root, &mut named);
        }
        for (local, expr) in named {
            let home = self.home(local);
            let known = self.ask.value(self.step.thread, self.step.function, expr);
            if let Known::Pointer(Pointer { base: Base::Object(id), .. }) = known
                && self.homes.get(id) != Some(home)
            {
                self.homes.edit().add(id, home);
            }
        }
    }

    fn home(&self, local: LocalId) -> Home {
        let (thread, function) = (self.step.thread, self.step.function);
        Home { thread, depth: self.frames.depth(thread), function, local }
    }

    /// The variables of an object that is a local, so far.
    fn slots(&self, home: Home) -> Vec<VarId> {
        let of_local = |id: &VarId| match self.bdd.vars.get(*id).place {
            Place::Slot { function, local, .. } => (function, local) == (home.function, home.local),
            _ => false,
        };
        self.bdd.vars.of_frame(home.thread, home.depth).iter().copied().filter(of_local).collect()
    }

    /// Its contents may be anything.
    pub(super) fn forget_object(&mut self, local: LocalId) -> Run<()> {
        let slots = self.slots(self.home(local));
        self.forget(&slots)
    }

    pub(super) fn clear_object(&mut self, local: LocalId) -> Run<()> {
        let home = self.home(local);
        // Nobody can have written to the object without naming it before.
        let cells = self.cells_of(home)?;
        let zero = |width: usize| self.constant(0, width);
        let values = cells.iter().map(|cell| (cell.var, zero(usize::from(cell.length) * 8)));
        let values: Vec<(VarId, Number)> = values.collect();
        self.assign(values)
    }

    pub(super) fn leave_object(&mut self, local: LocalId) -> Run<()> {
        self.forget_object(local)?;
        let home = self.home(local);
        if self.homes.all().any(|other| other == home) {
            self.homes.edit().end(home);
        }
        Ok(())
    }

    /// The integers of an object that is a local.
    pub(super) fn cells_of(&mut self, home: Home) -> Run<Vec<cells::Cell>> {
        let Home { thread, depth, function, local } = home;
        let ty = self.bdd.program.functions[function].locals[local].ty;
        let integers = cells::of_type(self.bdd.program, ty);
        let mut found = Vec::with_capacity(integers.len());
        for (offset, length) in integers {
            let place = Place::Slot { thread, depth, function, local, offset, length };
            let var = self.bdd.vars.variable(&self.bdd.diagrams, place, u32::from(length) * 8)?;
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
