//! Indeterminate pointers by lazy initialisation (Khurshid, Păsăreanu and Visser, TACAS 2003), as the interpreter has them, see
//! [`semantics::indeterminate`]: a pointer leads to an undecided object, and a
//! comparison makes one state for each answer.

use facts::range::Range;
use por::Site;
use program::{Edge, Input, Op, Scalar};
use semantics::indeterminate::{Comparison, ORIGIN, Question, SIZE, Undecided, compare, replaced};
use semantics::{Base, ObjectId, Pointer, Violation};

use super::canonical::map_values;
use super::contents::{Fill, Object, object_of};
use super::eval::Noted;
use super::step::{Run, Transfer, TransferStop, queried};
use super::value::Value;
use super::{Memory, MemoryState};
use crate::analysis::Names;

impl Memory<'_> {
    pub(super) fn undecided<'s>(&'s self, state: &'s MemoryState, object: ObjectId) -> Option<&'s Undecided> {
        self.find(state, object).and_then(|object| object.undecided.as_deref())
    }

    /// Behind an indeterminate pointer, and used already.
    pub(super) fn is_fresh(&self, state: &MemoryState, object: ObjectId) -> bool {
        self.find(state, object)
            .is_some_and(|object| matches!(object.site, Site::Indeterminate { .. }) && object.undecided.is_none())
    }

    pub(super) fn has_undecided(&self, state: &MemoryState) -> bool {
        state.objects[self.changing..].iter().any(|object| object.undecided.is_some())
    }

    fn decide_fresh(&self, state: &mut MemoryState, object: ObjectId) {
        if self.undecided(state, object).is_some()
            && let Some(index) = self.index(object)
        {
            state.objects[index].edit().undecided = None;
        }
    }

    /// The state in which a comparison has this outcome.
    pub(super) fn answered(&self, mut state: MemoryState, question: Question, equal: bool, thread: u32) -> MemoryState {
        if self.records
            && let Value::Unknown(answer) = state.symbols.edit().fresh(Scalar::BOOL)
        {
            state.symbols.edit().narrow(answer, Range::truth(equal));
            state.inputs.push((thread, answer));
        }
        if equal {
            self.replace(&mut state, question);
        } else {
            self.differ(&mut state, question.object, question.with);
            if let semantics::Value::Pointer(Pointer { base: Base::Object(other), offset }) = question.with {
                // The other one may be undecided, too, and outlive this one.
                let offset = ORIGIN.wrapping_sub(offset.wrapping_sub(ORIGIN));
                let back = Pointer { base: Base::Object(question.object), offset };
                self.differ(&mut state, other, semantics::Value::Pointer(back));
            }
        }
        state
    }

    fn differ(&self, state: &mut MemoryState, object: ObjectId, with: semantics::Value) {
        if let Some(index) = self.index(object)
            && state.objects.get(index).is_some_and(|object| object.undecided.is_some())
            && let Some(undecided) = &mut state.objects[index].edit().undecided
        {
            undecided.apart.push(with);
            undecided.apart.sort_unstable();
            undecided.apart.dedup();
        }
    }

    fn replace(&self, state: &mut MemoryState, question: Question) {
        let bits = self.pointer_bits();
        map_values(state, &mut |value| match value.known() {
            Some(known) => Value::of_known(replaced(known, question, bits)).unwrap_or(value),
            None => value,
        });
        self.decide_fresh(state, question.object);
    }

    /// What nothing leads to is never compared again.
    pub(super) fn forget_apart(&self, state: &mut MemoryState, names: &Names) {
        let is_gone = |value: &semantics::Value| match value {
            semantics::Value::Pointer(Pointer { base: Base::Object(id), .. }) => {
                names.objects.get(id.0 as usize).is_some_and(|name| name.is_none())
            }
            _ => false,
        };
        for object in &mut state.objects[self.changing..] {
            if object.undecided.as_ref().is_some_and(|undecided| undecided.apart.iter().any(is_gone))
                && let Some(undecided) = &mut object.edit().undecided
            {
                undecided.apart.retain(|value| !is_gone(value));
            }
        }
    }
}

/// Renames what an undecided object differs from.
pub(super) fn map_apart(object: &mut Object, map: &mut impl FnMut(Value) -> Value) {
    if let Some(undecided) = &mut object.undecided {
        for value in &mut undecided.apart {
            let new = Value::of_known(*value).and_then(|value| map(value).known());
            *value = new.unwrap_or(*value);
        }
        undecided.apart.sort_unstable();
        undecided.apart.dedup();
    }
}

impl Transfer<'_, '_, '_> {
    /// A pointer to an object that is not decided yet.
    pub(super) fn indeterminate(&mut self, why: Input) -> Value {
        if why == Input::Imprecise && self.memory.records {
            // As the interpreter does.
            self.input(Scalar::BOOL, why);
        }
        let promised = matches!(why, Input::Unknown | Input::Imprecise);
        let mut object = Object::new(SIZE, Fill::Undefined, Site::Indeterminate { promised });
        object.undecided = Some(Box::default());
        let id = self.memory.new_object(&mut self.state, object);
        Value::Pointer(Pointer { base: Base::Object(id), offset: ORIGIN })
    }

    /// From its first access on it is an object of its own; using it is a violation. One from a function without a body or an
    /// imprecise model may be null, but need not be.
    pub(super) fn use_indeterminate(&mut self, id: ObjectId, site: Site, violation: Violation) {
        if let Site::Indeterminate { promised } = site {
            let may_be_null = self
                .memory
                .undecided(&self.state, id)
                .is_some_and(|undecided| !undecided.apart.contains(&semantics::Value::NULL));
            self.memory.decide_fresh(&mut self.state, id);
            if !promised || may_be_null && violation == Violation::InvalidAccess {
                self.post.find(violation, !promised);
            }
        }
    }

    /// Locks lie in objects.
    pub(super) fn decide_operands(&mut self, edge: &Edge) {
        if !self.memory.has_undecided(&self.state) || !matches!(edge.op, Op::Thread(_)) {
            return;
        }
        for expr in queried(&edge.op) {
            if let Ok(value) = self.value(expr)
                && let Some(object) = object_of(value)
            {
                self.memory.decide_fresh(&mut self.state, object);
            }
        }
    }

    /// Stops where an exchange compares an indeterminate pointer whose comparison is still open.
    pub(super) fn decide_comparison(&mut self, a: Value, b: Value) -> Run<()> {
        let (a, b) = (self.state.symbols.value(a), self.state.symbols.value(b));
        if object_of(a) != object_of(b) && [a, b].iter().all(|value| object_of(*value).is_some()) {
            let is_fresh = |value: &Value| object_of(*value).is_some_and(|id| self.memory.is_fresh(&self.state, id));
            let order = [a, b].iter().any(is_fresh);
            self.not_followed(Noted { order, ..Noted::default() });
        }
        let undecided = |object| self.memory.undecided(&self.state, object);
        let is_open = |value: Value| object_of(value).and_then(undecided).is_some();
        match (a, b) {
            (Value::Unknown(symbol), other) | (other, Value::Unknown(symbol)) if is_open(other) => {
                Err(TransferStop::Split(symbol))
            }
            _ => match (a.known(), b.known()) {
                (Some(a), Some(b)) => match compare(a, b, self.memory.pointer_bits(), undecided) {
                    Comparison::Undecided(question) => Err(TransferStop::Undecided(question)),
                    _ => Ok(()),
                },
                _ => Ok(()),
            },
        }
    }
}
