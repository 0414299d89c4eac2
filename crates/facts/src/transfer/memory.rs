//! Loads and stores: strong updates where an address is one cell of one object, weak ones elsewhere.

use std::sync::Arc;

use base::Idx;
use program::{Access, CompareExchange, ExprId, LocalId, Scalar};

use super::{BYTE, Step};
use crate::contents::Contents;
use crate::exposure::Exposure;
use crate::offsets::Offsets;
use crate::replicas::Replicas;
use crate::state::Mention;
use crate::tables::{AbstractObject, Base, Role, Tables};
use crate::value::{Pointers, Symbol, Term, Value};

impl Step<'_, '_> {
    /// The places that `size` bytes at an address may be, as far as there are any.
    pub(super) fn places(&mut self, address: &Value, size: u64) -> Pointers {
        let address = self.reach(address);
        let (program, tables) = (self.program(), &self.analysis.tables);
        let place = |(base, at): &(Base, Offsets)| {
            let object = object_size(program, tables, *base)?;
            at.within(object.saturating_sub_unsigned(size)).map(|at| (*base, at))
        };
        address.pointers.iter().filter_map(place).filter(|(base, _)| self.is_there(*base)).collect()
    }

    /// Objects of a thread's own end with it knowing.
    fn is_there(&self, base: Base) -> bool {
        match self.analysis.tables.abstract_object(base).role() {
            Some(Role::Own | Role::Older) => self.state.memory.get(base.0).is_some(),
            _ => true,
        }
    }

    pub(super) fn contents(&mut self, base: Base) -> Option<Arc<Contents>> {
        match self.state.memory.get(base.0) {
            Some(contents) => Some(contents.clone()),
            None => self.analysis.shared_contents(base),
        }
    }

    pub fn load(&mut self, access: &Access) -> Option<Value> {
        let address = self.value(access.address)?;
        match &access.bits {
            Some(bits) => {
                // A bit-field has no value of its own, but there may be parts of pointers in it.
                let unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                let bytes = self.read(&unit.moved(Offsets::steps(i64::from(bits.length) - 1, 1)), BYTE)?;
                Some(bytes.blurred(access.ty))
            }
            None => self.read(&address, access.ty),
        }
    }

    pub(super) fn read(&mut self, address: &Value, ty: Scalar) -> Option<Value> {
        let places = self.places(address, ty.bytes());
        for (base, _) in &places {
            self.privatise(*base, false);
        }
        let mut value = Value::nothing();
        for (base, at) in &places {
            if let Some(contents) = self.contents(*base) {
                let (tables, program) = (&self.analysis.tables, self.program());
                value = value.join(&contents.read(tables, program, *at, ty));
                self.choose(*base, *at, ty, &contents);
            }
        }
        if let [(base, at)] = &places[..]
            && value.term.is_none()
        {
            value.term = self.constant_cell(*base, *at, ty);
        }
        (!value.is_nothing()).then_some(value)
    }

    /// A read of what was never written as a pointer chooses the pointer: so other reads see it, whatever they read it as.
    fn choose(&mut self, base: Base, at: Offsets, ty: Scalar, contents: &Arc<Contents>) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let as_number = |contents: &Contents| contents.read(tables, program, at, Scalar::Int(ty.bits() as u8));
        let is_pointer = matches!(ty, Scalar::Pointer(_));
        if !is_pointer || !contents.read(tables, program, at, ty).is_undecided() || as_number(contents).is_undecided() {
            return;
        }
        let mut chosen = (**contents).clone();
        chosen.choose(tables, program, at, ty);
        if self.state.memory.get(base.0).is_some() {
            self.state.memory.insert(base.0, Arc::new(chosen));
        } else {
            self.analysis.publish_again(base, &chosen, (self.call_string, self.id));
        }
    }

    /// What no thread writes any more has a name.
    fn constant_cell(&mut self, base: Base, at: Offsets, ty: Scalar) -> Option<Term> {
        let offset = at.as_constant()?;
        let single = self.state.memory.get(base.0).is_none() && self.analysis.tables.is_single(self.program(), base);
        let constant = single && self.analysis.all_writers(base, |_| false);
        constant.then_some(Term::of(Symbol::Cell(base, offset, ty.bytes() as u8)))
    }

    pub fn load_into(&mut self, to: LocalId, access: &Access) -> Option<()> {
        let address = self.value(access.address)?;
        let value = self.load(access)?;
        let named = value.term.is_some() || access.bits.is_some();
        let is_handle = |(base, _): &(Base, Offsets)| {
            matches!(self.analysis.tables.abstract_object(*base), AbstractObject::Thread(_))
        };
        let from = address.term.filter(|_| value.pointers.iter().any(is_handle));
        self.assign(to, value);
        if let Some(term) = from.filter(|_| !self.is_recursive()) {
            self.state.loaded = Some((self.analysis.tables.variable(self.call_string, to), term));
            self.state.mention(term);
        }
        if !named && !self.is_recursive() {
            self.name_cell(&address, access.ty, to);
        }
        Some(())
    }

    /// From now on the cell's value is known to be that of the variable. For globals that is of use only once there are others.
    fn name_cell(&mut self, address: &Value, ty: Scalar, to: LocalId) {
        let Some((base, offset)) = address.place() else { return };
        let own = self.state.privatised.contains(base.0)
            || self.analysis.tables.abstract_object(base).role() == Some(Role::Own);
        let Some(contents) = self.state.memory.get(base.0).filter(|_| own) else { return };
        let variable = self.analysis.tables.variable(self.call_string, to);
        let Some(value) = self.state.variables.get(variable).cloned() else { return };
        let term = Term::of(Symbol::Variable(variable));
        let mut contents = (**contents).clone();
        contents.write(offset, ty, Value { term: Some(term), ..value });
        self.state.memory.insert(base.0, Arc::new(contents));
        self.state.mention_in(term, Mention::In(base));
    }

    pub fn store(&mut self, access: &Access, value: ExprId) -> Option<()> {
        let value = self.value(value)?;
        self.store_value(access, value, false)
    }

    pub fn store_value(&mut self, access: &Access, value: Value, weakly: bool) -> Option<()> {
        let address = self.value(access.address)?;
        let (address, size, ty, value) = match &access.bits {
            None => (address, access.ty.bytes(), access.ty, value),
            Some(bits) => {
                let unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                let at = unit.moved(Offsets::steps(i64::from(bits.length) - 1, 1));
                (at, 1, BYTE, value.blurred(BYTE))
            }
        };
        let weakly = weakly || access.bits.is_some();
        self.write(&address, size, ty, &value, weakly)
    }

    /// Shared objects must not lead to what is a thread's own: what the value leads to becomes shared first.
    pub(super) fn write(&mut self, address: &Value, size: u64, ty: Scalar, value: &Value, weakly: bool) -> Option<()> {
        let mut places = self.places(address, size);
        if places.is_empty() {
            return None;
        }
        for (base, _) in &places {
            self.privatise(*base, true);
        }
        let mut value = value.clone();
        if places.iter().any(|(base, _)| self.state.memory.get(base.0).is_none()) {
            let names = self.share(&value);
            let address = Value { pointers: places, ..Value::nothing() };
            places = address.renamed(&names).unwrap_or(address).pointers;
            value = value.renamed(&names).unwrap_or(value);
        }
        self.lose_handles(&places, size);
        let exact = match &places[..] {
            [(base, at)] => at.as_constant().filter(|_| !weakly && self.is_one(*base)),
            _ => None,
        };
        for (base, at) in &places {
            if let Some(taken) = self.rise(*base, *at, ty, &value)
                && exact.is_some()
            {
                self.state.taken.insert(taken.0, (*base, taken.1));
                self.state.mention(Term::of(Symbol::Variable(taken.0)));
            }
        }
        for (base, at) in &places {
            let Some(contents) = self.state.memory.get(base.0) else {
                self.analysis.write_shared(*base, *at, ty, &value, (self.call_string, self.id));
                continue;
            };
            if self.state.privatised.contains(base.0) {
                self.analysis.note_writer(*base, (self.call_string, self.id));
            }
            let mut contents = (**contents).clone();
            match exact {
                Some(offset) => contents.write(offset, ty, value.clone()),
                None => contents.write_weakly(&self.analysis.tables, self.analysis.program, *at, ty, &value),
            }
            if let Some(term) = value.term {
                self.state.mention_in(term, Mention::In(*base));
            }
            self.state.memory.insert(base.0, Arc::new(contents));
        }
        Some(())
    }

    /// Where handles were written over, nothing is known of them.
    fn lose_handles(&mut self, places: &Pointers, size: u64) {
        self.state.loaded = None;
        let bytes = self.program().machine.pointer_bytes();
        self.state.replicas = self.state.replicas.map_values(|_, replicas| {
            let handles = replicas.handles?;
            let hit =
                places.iter().any(|(base, at)| *base == handles.base && at.overlaps(size, handles.places(), bytes));
            hit.then_some(Replicas { handles: None, ..*replicas })
        });
    }

    /// Is the abstract object one concrete object?
    fn is_one(&self, base: Base) -> bool {
        match self.analysis.tables.abstract_object(base) {
            AbstractObject::Global(_) => true,
            abstract_object => abstract_object.role() == Some(Role::Own),
        }
    }

    pub fn compare_exchange(&mut self, exchange: &CompareExchange) -> Option<()> {
        let (old, expected) = (self.load(&exchange.access)?, self.value(exchange.expected)?);
        let mut compared = Exposure::default();
        compared.compare(&old, &expected);
        self.expose(&compared);
        let desired = self.value(exchange.desired)?;
        // What is stored may get other names by that; what was there stays.
        self.store_value(&exchange.access, desired, true)?;
        let old = self.load(&exchange.access)?;
        let old = Value { term: None, ..old };
        self.assign(exchange.old, old);
        self.assign_int(exchange.success, &[0, 1]);
        Some(())
    }
}

/// In bytes; `None` for what is no object. Of blocks nothing is known.
pub(crate) fn object_size(program: &program::Program, tables: &Tables, base: Base) -> Option<i64> {
    match tables.abstract_object(base) {
        AbstractObject::Function(_) | AbstractObject::Thread(_) => None,
        AbstractObject::Indeterminate => Some(semantics::indeterminate::SIZE as i64),
        AbstractObject::Global(global) | AbstractObject::ThreadLocal(_, global, _) => {
            i64::try_from(program.globals[global].size).ok()
        }
        AbstractObject::Local(call_string, local, _) => {
            let function = &program.functions[tables.call_strings[call_string].function];
            let ty = function.locals[local].ty;
            let shape = &tables.shapes[tables.call_strings[call_string].function];
            if shape.variable_length[local.index()] {
                Some(i64::MAX / 4)
            } else {
                i64::try_from(program.types.size(ty)).ok()
            }
        }
        _ => Some(i64::MAX / 4),
    }
}
