//! Indeterminate pointers: uninitialised, nondeterministic, or from a function without a body. Such a pointer designates a fresh object
//! that keeps what is written to it, or, by a comparison before its first access, null or what it was compared equal to. Which one
//! is decided lazily (after lazy initialisation: Khurshid, Păsăreanu and Visser, TACAS 2003): the pointer leads to an undecided object,
//! a comparison queries the environment, and an object that turns out to be another one is replaced in the whole state.

use std::rc::Rc;

use base::Idx;
use program::{Input, Scalar};

use crate::memory::{Contents, Fill};
use crate::state::{Object, ObjectKind, State};
use crate::step::Step;
use crate::value::{Base, ObjectId, Pointer, Value, mask};

/// Where in its object an indeterminate pointer points to: members before it can be reached, too (`container_of`).
pub const ORIGIN: i64 = 4096;
/// Bytes of the object.
pub const SIZE: u64 = 1 << 20;

/// An object that may still turn out to be null or another object.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Undecided {
    /// What the pointer to its origin was compared with and differs from.
    pub apart: Vec<Value>,
}

/// The query of a comparison with an undecided object: does the pointer to its origin equal this value?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Question {
    pub object: ObjectId,
    pub with: Value,
}

/// The answer to `a == b` where one side leads to an undecided object.
pub enum Comparison {
    /// Both outcomes are possible.
    Undecided(Question),
    /// Known to differ.
    Apart,
    /// Not a matter of undecided objects.
    Ordinary,
}

/// Compares by what `undecided` says of objects.
pub fn compare<'u>(a: Value, b: Value, bits: u8, undecided: impl Fn(ObjectId) -> Option<&'u Undecided>) -> Comparison {
    for (a, b) in [(a, b), (b, a)] {
        let Value::Pointer(Pointer { base: Base::Object(object), offset }) = a else { continue };
        let Some(known) = undecided(object) else { continue };
        if matches!(b, Value::Pointer(p) if p.base == Base::Object(object)) {
            return Comparison::Ordinary;
        }
        let Some(with) = seen_from_origin(b, offset.wrapping_sub(ORIGIN), bits) else { return Comparison::Apart };
        return match known.apart.contains(&with) {
            true => Comparison::Apart,
            false => Comparison::Undecided(Question { object, with }),
        };
    }
    Comparison::Ordinary
}

/// What the pointer to the origin must equal so that the pointer `distance` behind it equals the value. A pointer to a member is never
/// null.
fn seen_from_origin(value: Value, distance: i64, bits: u8) -> Option<Value> {
    match value {
        Value::Bits(0) if distance != 0 => None,
        Value::Bits(number) => Some(number_at(number, distance.wrapping_neg(), bits)),
        Value::Pointer(pointer) => Some(Value::Pointer(pointer.moved(distance.wrapping_neg()))),
        _ => None,
    }
}

fn number_at(number: u64, distance: i64, bits: u8) -> Value {
    Value::Bits(number.wrapping_add(distance as u64) & mask(Scalar::Int(bits)) as u64)
}

/// A value in which the origin of an object is known to be something else.
pub fn replaced(value: Value, Question { object, with }: Question, bits: u8) -> Value {
    let there = |pointer: Pointer| match with {
        _ if pointer.base != Base::Object(object) => Value::Pointer(pointer),
        Value::Pointer(other) => Value::Pointer(other.moved(pointer.offset.wrapping_sub(ORIGIN))),
        other => number_at(other.bits().unwrap_or(0) as u64, pointer.offset.wrapping_sub(ORIGIN), bits),
    };
    match value {
        Value::Pointer(pointer) => there(pointer),
        Value::Part(pointer, index) => match there(pointer) {
            Value::Pointer(pointer) => Value::Part(pointer, index),
            number => Value::Bits(number.bits().unwrap_or(0) as u64 >> (8 * index) & 0xff),
        },
        value => value,
    }
}

impl State {
    pub fn undecided(&self, object: ObjectId) -> Option<&Undecided> {
        self.objects.get(object.index()).and_then(|object| object.undecided.as_deref())
    }

    /// An object behind an indeterminate pointer, and the pointer.
    pub fn new_indeterminate(&mut self, why: Input) -> Value {
        let contents = Contents::new(SIZE, Fill::Undefined);
        let id = self.new_object(contents, ObjectKind::Indeterminate(why), false);
        self.object_mut(id).undecided = Some(Box::default());
        Value::Pointer(Pointer { base: Base::Object(id), offset: ORIGIN })
    }

    /// From its first access on it is an object of its own.
    pub fn decide_fresh(&mut self, object: ObjectId) {
        if self.undecided(object).is_some() {
            self.object_mut(object).undecided = None;
        }
    }

    pub fn answer(&mut self, question: Question, equal: bool, bits: u8) {
        if equal {
            self.replace(question, bits);
            return;
        }
        let Question { object, with } = question;
        let mut differ = |object: ObjectId, with: Value| {
            if let Some(undecided) = &mut self.object_mut(object).undecided {
                undecided.apart.push(with);
                undecided.apart.sort_unstable();
                undecided.apart.dedup();
            }
        };
        differ(object, with);
        // The other one may be undecided, too, and outlive this one.
        if let Value::Pointer(Pointer { base: Base::Object(other), offset }) = with {
            let back = Pointer { base: Base::Object(object), offset: ORIGIN.wrapping_sub(offset.wrapping_sub(ORIGIN)) };
            differ(other, Value::Pointer(back));
        }
    }

    fn replace(&mut self, question: Question, bits: u8) {
        let new = |value: Value| replaced(value, question, bits);
        let mentions = |pointer: Pointer| pointer.base == Base::Object(question.object);
        for thread in &mut self.threads {
            let thread = Rc::make_mut(thread);
            for frame in &mut thread.frames {
                if frame.locals.iter().any(|value| new(*value) != *value) {
                    Rc::make_mut(frame).locals.iter_mut().for_each(|value| *value = new(*value));
                }
            }
            thread.specific.iter_mut().chain([&mut thread.result]).for_each(|value| *value = new(*value));
            for (routine, arg) in &mut thread.cleanup {
                (*routine, *arg) = (new(*routine), new(*arg));
            }
        }
        for object in &mut self.objects {
            if object.contents.pointers().any(mentions) {
                Rc::make_mut(object).contents.replace_pointers(|pointer| new(Value::Pointer(pointer)));
            }
            if object.undecided.is_some() {
                apart_replaced(Rc::make_mut(object), &new);
            }
        }
        let keys = Rc::make_mut(&mut self.keys);
        keys.iter_mut().flatten().for_each(|value| *value = new(*value));
        self.object_mut(question.object).undecided = None;
    }
}

fn apart_replaced(object: &mut Object, new: &impl Fn(Value) -> Value) {
    if let Some(undecided) = &mut object.undecided {
        undecided.apart.iter_mut().for_each(|value| *value = new(*value));
        undecided.apart.sort_unstable();
        undecided.apart.dedup();
    }
}

impl Step<'_, '_> {
    /// Queries the environment for the result of a comparison. Other threads' conditions may need an answer again.
    pub(crate) fn decide(&mut self, question: Question) {
        let why = match self.state.object(question.object).kind {
            ObjectKind::Indeterminate(why) => why,
            _ => Input::Nondet,
        };
        let equal = self.environment.input(Scalar::BOOL, why) & 1 != 0;
        self.state.answer(question, equal, self.program().machine.pointer_bits);
    }
}
