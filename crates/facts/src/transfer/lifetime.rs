//! Objects begin and end. The newest of its place of allocation is one object, so that it can be updated strongly; it becomes one of the
//! older ones when the next is made (recency abstraction: Balakrishnan and Reps, SAS 2006).

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{Allocate, Allocation, ExprId, LocalId, Scalar};

use super::{Step, everywhere};
use crate::contents::{Contents, Fill};
use crate::eval::plain_type;
use crate::offsets::Offsets;
use crate::tables::{AbstractObject, Base, Role};
use crate::value::{Number, Value};

impl Step<'_, '_> {
    pub fn enter(&mut self, local: LocalId) {
        let own = self.analysis.tables.intern(AbstractObject::Local(self.call_string, local, Role::Own));
        let fresh = Contents::new(Fill::Any);
        if self.is_recursive() {
            self.make_older(own);
            self.state.memory.insert(own.0, Arc::new(fresh));
            return;
        }
        if self.state.shared_locals.get(own.0).is_some() {
            let shared = self.analysis.tables.as_role(own, Role::Shared);
            self.analysis.publish_again(shared, &fresh, (self.call_string, self.id));
        }
        // It may have an object already, which then stays.
        let contents = match self.state.memory.get(own.0) {
            Some(old) => old.join(&fresh, &self.analysis.tables, self.analysis.program),
            None => {
                self.make_older(own);
                fresh
            }
        };
        self.state.memory.insert(own.0, Arc::new(contents));
    }

    pub fn clear(&mut self, local: LocalId) {
        let own = self.analysis.tables.intern(AbstractObject::Local(self.call_string, local, Role::Own));
        let zero = Contents::new(Fill::Zero);
        if self.state.shared_locals.get(own.0).is_some() {
            let shared = self.analysis.tables.as_role(own, Role::Shared);
            self.analysis.publish_again(shared, &zero, (self.call_string, self.id));
        }
        if self.state.memory.get(own.0).is_some() {
            self.state.memory.insert(own.0, Arc::new(zero));
        }
    }

    pub fn leave(&mut self, local: LocalId) {
        if let Some(own) = self.analysis.tables.find(AbstractObject::Local(self.call_string, local, Role::Own))
            && !self.is_recursive()
        {
            self.end_objects(&[own]);
            self.state.shared_locals.remove(own.0);
        }
    }

    /// Objects of the thread's own end. Pointers that still lead there must not lead to the next one that gets the name.
    pub fn end_objects(&mut self, own: &[Base]) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let there = own.iter().filter(|own| self.state.memory.get(own.0).is_some());
        let names: BTreeMap<Base, Base> = there.map(|own| (*own, tables.as_role(*own, Role::Older))).collect();
        if !names.is_empty() {
            names.keys().for_each(|own| self.state.memory.remove(own.0));
            self.state.rename(&names, tables, program);
        }
    }

    /// There is a newer one.
    fn make_older(&mut self, own: Base) {
        let Some(contents) = self.state.memory.get(own.0).cloned() else { return };
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let older = tables.as_role(own, Role::Older);
        let contents = match self.state.memory.get(older.0) {
            Some(more) => Arc::new(more.join(&contents, tables, program)),
            None => contents,
        };
        self.state.memory.remove(own.0);
        self.state.memory.insert(older.0, contents);
        self.state.rename(&BTreeMap::from([(own, older)]), tables, program);
    }

    pub fn allocate(&mut self, allocate: &Allocate) -> Option<()> {
        let fill = if allocate.kind == Allocation::HeapZeroed { Fill::Zero } else { Fill::Any };
        let mut contents = Contents::new(fill);
        let abstract_object = match allocate.kind {
            Allocation::Variable(local) => AbstractObject::Local(self.call_string, local, Role::Own),
            _ => AbstractObject::Block(self.call_string, self.id, Role::Own),
        };
        let own = self.analysis.tables.intern(abstract_object);
        if let Allocation::Realloc(old) = allocate.kind {
            let old = self.value(old)?;
            for (base, _) in self.places(&everywhere(&old), 0) {
                if let Some(more) = self.contents(base) {
                    let more = more.without_terms(|_| true).map_or(more, Arc::new);
                    contents = contents.join(&more, &self.analysis.tables, self.analysis.program);
                }
            }
            self.end_block(&old);
        }
        let size = self.value(allocate.size)?.as_range().map_or(0, |range| range.min_unsigned());
        self.analysis.note_size(own, i64::try_from(size).unwrap_or(i64::MAX / 4));
        self.make_older(own);
        self.state.memory.insert(own.0, Arc::new(contents));
        self.state.shared_locals.remove(own.0);
        self.assign(allocate.to, Value::pointer(own, Offsets::ZERO));
        Some(())
    }

    pub fn free(&mut self, pointer: ExprId) -> Option<()> {
        let pointer = self.value(pointer)?;
        self.end_block(&pointer);
        Some(())
    }

    fn end_block(&mut self, pointer: &Value) {
        let pointer = &self.reach(pointer);
        for (base, _) in &pointer.pointers {
            self.analysis.note_freed(self.analysis.tables.as_role(*base, Role::Own));
        }
        if let [(base, _)] = pointer.pointers[..]
            && pointer.number == Number::None
            && self.analysis.tables.abstract_object(base).role() == Some(Role::Own)
        {
            self.end_objects(&[base]);
        }
    }

    pub fn command_line(&mut self, count: LocalId, vector: LocalId) {
        let ty = plain_type(self.function(), count);
        let most = (1 << (ty.bits() - 1)) - 1;
        self.assign(count, Value::range(crate::range::Range::signed(ty.bits(), 0, most)));
        let text = self.analysis.tables.intern(AbstractObject::CommandText(Role::Own));
        let strings = self.analysis.tables.intern(AbstractObject::CommandLine(Role::Own));
        let bytes = self.program().machine.pointer_bytes() as u8;
        let mut contents = Contents::new(Fill::Zero);
        let all = Offsets::steps(i64::from(bytes) << 32, u64::from(bytes));
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let older = tables.as_role(text, Role::Older);
        let string = Value::pointer(older, Offsets::ZERO);
        contents.write_weakly(tables, program, all, Scalar::Pointer(bytes), &string);
        self.state.memory.insert(strings.0, Arc::new(contents));
        self.state.memory.insert(older.0, Arc::new(Contents::new(Fill::Any)));
        self.assign(vector, Value::pointer(strings, Offsets::ZERO));
    }
}
