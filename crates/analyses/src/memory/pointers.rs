//! Evaluation of pointers where numbers are kept by another component: numbers are queried where a pointer depends on them.

use base::Idx;
use program::{
    BinaryOp, Cast, ExprId, ExprKind, Function, FunctionId, GlobalId, LocalId, Scalar, Type, TypeId, UnaryOp,
};
use semantics::indeterminate::Undecided;
use semantics::{Domain, ObjectId, eval, walk};

use super::contents::{Cell, Fill, Object};
use super::eval::{Eval, EvalStop};
use super::step::{Run, Transfer, TransferStop};
use super::value::{Symbols, Value};
use super::{Memory, MemoryState};
use crate::step::{Known, Queries, Unknown};

/// The value of an expression in a domain of pointers only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// A number that was not evaluated: the value of this expression, once it has been evaluated as a whole.
    Number(Option<ExprId>),
    Value(Value),
}

const NUMBER: Part = Part::Number(None);

impl Part {
    fn is_pointer(self) -> bool {
        matches!(self, Part::Value(Value::Pointer(_) | Value::Part(..)))
    }
}

struct Pointers<'a, 'e> {
    eval: Eval<'e>,
    function: &'e Function,
    thread: u32,
    others: &'a mut dyn Queries,
    /// The value depends on a condition that may be either.
    is_split: bool,
}

impl Pointers<'_, '_> {
    /// Does the value depend on a number that may be several?
    fn is_split(&self) -> bool {
        self.is_split || self.eval.noted.split.is_some()
    }

    fn value(&mut self, expr: ExprId) -> Result<Part, EvalStop> {
        let function = self.function;
        eval(self, function, expr)
    }

    /// The value of a part; numbers are queried.
    fn settled(&mut self, part: Part) -> Value {
        let id = match part {
            Part::Value(value) => return value,
            Part::Number(id) => id.expect("it was evaluated as a whole"),
        };
        let expr = self.function.exprs[id];
        if let ExprKind::Const(bits) = expr.kind {
            return Value::Bits(bits);
        }
        match self.others.value(self.thread, self.eval.frame.function, id) {
            Known::Bits(bits) => Value::Bits(bits),
            Known::Pointer(pointer) => Value::Pointer(pointer),
            Known::Unknown => self.eval.symbols.fresh(expr.ty),
        }
    }
}

impl Domain for Pointers<'_, '_> {
    type Value = Part;
    type Stop = EvalStop;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Part {
        match (ty, u64::try_from(bits)) {
            // Null, so to speak a pointer.
            (Scalar::Pointer(_), Ok(bits)) => Part::Value(Value::Bits(bits)),
            _ => NUMBER,
        }
    }

    fn local(&mut self, local: LocalId) -> Result<Part, EvalStop> {
        Ok(match self.eval.frame.locals[local.index()] {
            Value::Undefined => NUMBER,
            value => Part::Value(value),
        })
    }

    fn local_address(&mut self, local: LocalId) -> Result<Part, EvalStop> {
        self.eval.local_address(local).map(Part::Value)
    }

    fn global_address(&mut self, global: GlobalId) -> Part {
        Part::Value(self.eval.global_address(global))
    }

    fn function_address(&mut self, function: FunctionId) -> Part {
        Part::Value(self.eval.function_address(function))
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Part) -> Result<Part, EvalStop> {
        match a {
            Part::Number(_) => Ok(NUMBER),
            Part::Value(value) => self.eval.unary(op, ty, value).map(Part::Value),
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Part, right: Scalar, b: Part) -> Result<Part, EvalStop> {
        if matches!((a, b), (Part::Number(_), Part::Number(_))) {
            return Ok(NUMBER);
        }
        let (a, b) = (self.settled(a), self.settled(b));
        self.eval.binary(op, ty, a, right, b).map(Part::Value)
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Part) -> Result<Part, EvalStop> {
        match a {
            Part::Number(_) => Ok(NUMBER),
            Part::Value(value) => self.eval.cast(cast, from, to, value).map(Part::Value),
        }
    }

    fn decide(&mut self, condition: &Part) -> Result<Option<bool>, EvalStop> {
        Ok(match self.settled(*condition) {
            Value::Bits(0) => Some(false),
            Value::Unknown(_) => None,
            _ => Some(true),
        })
    }

    fn join(&mut self, ty: Scalar, _: &Part, a: Part, b: Part) -> Result<Part, EvalStop> {
        Ok(match (a, b) {
            (Part::Number(_), Part::Number(_)) => NUMBER,
            (Part::Value(x), Part::Value(y)) if x == y => a,
            _ if a.is_pointer() || b.is_pointer() || matches!(ty, Scalar::Pointer(_)) => {
                self.is_split = true;
                NUMBER
            }
            _ => NUMBER,
        })
    }

    fn expression(&mut self, function: &Function, id: ExprId) -> Result<Part, EvalStop> {
        Ok(match (walk(self, function, id)?, function.exprs[id].ty) {
            // Numbers that addresses were turned into are of no use; that there are some is noted.
            (Part::Number(_), _) | (Part::Value(Value::Unknown(_)), Scalar::Int(_) | Scalar::Float(_)) => {
                Part::Number(Some(id))
            }
            (part, _) => part,
        })
    }

    /// A fault counts only in the arm that is chosen.
    fn leave_arm(&mut self, value: Result<Part, EvalStop>) -> Result<Part, EvalStop> {
        Ok(value.unwrap_or_else(|_| {
            self.is_split = true;
            NUMBER
        }))
    }
}

/// Queries of evaluation about objects behind indeterminate pointers.
type Questions<'e> = (&'e dyn Fn(ObjectId) -> Option<&'e Undecided>, &'e dyn Fn(ObjectId) -> bool);

/// Numbers among pointers are listed one by one if there are no more.
const MOST_LISTED: usize = 4096;

impl Memory<'_> {
    /// What an expression is, as far as it is one of pointers.
    pub(super) fn look_for_pointer(
        &self,
        state: &MemoryState,
        thread: u32,
        expr: ExprId,
        others: &mut dyn Queries,
    ) -> Known {
        let mut symbols = Symbols::clone(&state.symbols);
        let undecided = |object| self.undecided(state, object);
        let is_fresh = |object| self.is_fresh(state, object);
        let mut pointers = self.pointers(state, thread, &mut symbols, (&undecided, &is_fresh), others);
        match pointers.value(expr) {
            Ok(Part::Value(value)) if !pointers.is_split() => super::known(value),
            _ => Known::Unknown,
        }
    }

    fn pointers<'a, 'e>(
        &'e self,
        state: &'e MemoryState,
        thread: u32,
        symbols: &'e mut Symbols,
        (undecided, is_fresh): Questions<'e>,
        others: &'a mut dyn Queries,
    ) -> Pointers<'a, 'e> {
        let own = &state.threads[thread as usize];
        let frame = own.frames.last().expect("a thread that runs has a frame");
        let noted = Default::default();
        let (pointer_bits, deepest) = (self.pointer_bits(), self.deepest);
        let eval = Eval { frame, own, symbols, pointer_bits, deepest, noted, undecided, is_fresh };
        Pointers { eval, function: self.function(frame.function), thread, others, is_split: false }
    }

    /// Integers are unknown, be they written or not.
    pub(super) fn without_numbers(&self, ty: TypeId, mut object: Object) -> Object {
        let [has_pointers, has_numbers] = kinds(self.program, ty);
        if !has_pointers && object.cells.iter().all(|cell| matches!(cell.value, Value::Bits(_))) {
            object.cells.clear();
            object.fill = Fill::Undefined;
            return object;
        }
        let mut scalars = Vec::new();
        super::scalars_of(self.program, ty, 0, object.size, &mut scalars);
        let is_pointer = |at: u64| scalar_at(self.program, ty, at).is_some_and(|s| matches!(s, Scalar::Pointer(_)));
        let keeps = |cell: &Cell| matches!(cell.value, Value::Pointer(_) | Value::Part(..));
        object.cells.retain(|cell| keeps(cell) || is_pointer(cell.at.into()));
        if scalars.len() > MOST_LISTED {
            // Nor is anything said of its pointers that are null.
            object.fill = if has_numbers { Fill::Undefined } else { object.fill };
            return object;
        }
        let taken: Vec<u32> = object.cells.iter().map(|cell| cell.at).collect();
        let numbers = scalars.into_iter().filter(|(at, _)| !is_pointer(*at) && !taken.contains(&(*at as u32)));
        let numbers = numbers.map(|(at, length)| Cell { at: at as u32, length: length as u8, value: Value::Undefined });
        let mut cells: Vec<Cell> = object.cells.iter().copied().chain(numbers).collect();
        cells.sort_by_key(|cell| cell.at);
        // Members of a union lie on top of each other: the first one stays.
        let mut end = 0;
        cells.retain(|cell| {
            let is_free = cell.at >= end;
            end = if is_free { cell.at + u32::from(cell.length) } else { end };
            is_free
        });
        object.cells = cells;
        object
    }
}

/// Has a type pointers, and has it anything else?
fn kinds(program: &program::Program, ty: TypeId) -> [bool; 2] {
    match &program.types[ty] {
        Type::Scalar { scalar: Scalar::Pointer(_), .. } => [true, false],
        Type::Array { element, .. } => kinds(program, *element),
        Type::Record { fields, .. } => {
            let each = fields.iter().map(|field| kinds(program, field.ty));
            each.fold([false, false], |[a, b], [c, d]| [a || c, b || d])
        }
        Type::Scalar { .. } | Type::Bytes { .. } => [false, true],
    }
}

/// The scalar that begins at an offset.
pub(super) fn scalar_at(program: &program::Program, ty: TypeId, at: u64) -> Option<Scalar> {
    match &program.types[ty] {
        Type::Scalar { scalar, .. } => (at == 0).then_some(*scalar),
        Type::Array { element, length } => {
            let size = program.types.size(*element).max(1);
            (at / size < *length).then(|| scalar_at(program, *element, at % size)).flatten()
        }
        Type::Record { fields, .. } => {
            let inside = fields.iter().filter(|field| field.bits.is_none() && field.offset <= at);
            inside.rev().find_map(|field| scalar_at(program, field.ty, at - field.offset))
        }
        Type::Bytes { .. } => None,
    }
}

impl Transfer<'_, '_, '_> {
    /// The value of an expression: a number, unless it is used as a pointer, is `Undefined`.
    pub(super) fn pointer_value(&mut self, expr: ExprId) -> Run<Value> {
        let ty = self.memory.function(self.step.function).exprs[expr].ty;
        self.settled_value(expr, matches!(ty, Scalar::Pointer(_)))
    }

    /// A number that must be known.
    pub(super) fn queried_number(&mut self, expr: ExprId) -> Run<u64> {
        match self.settled_value(expr, true)? {
            Value::Bits(bits) => Ok(bits),
            Value::Unknown(_) => {
                Err(TransferStop::Unknown(Unknown::Imprecise("a number is needed that may be several")))
            }
            _ => Err(TransferStop::Unknown(Unknown::Imprecise("an address is used as a number"))),
        }
    }

    fn settled_value(&mut self, expr: ExprId, needed: bool) -> Run<Value> {
        let mut symbols = (*self.state.symbols).clone();
        let before = symbols.all.len();
        let undecided = |object| self.memory.undecided(&self.state, object);
        let is_fresh = |object| self.memory.is_fresh(&self.state, object);
        let mut pointers =
            self.memory.pointers(&self.state, self.step.thread, &mut symbols, (&undecided, &is_fresh), self.others);
        let value = match pointers.value(expr) {
            Ok(Part::Number(_)) if !needed => Ok(Value::Undefined),
            Ok(part) => Ok(pointers.settled(part)),
            Err(stop) => Err(stop),
        };
        let (noted, is_split) = (pointers.eval.noted, pointers.is_split());
        if symbols.all.len() > before {
            *self.state.symbols.edit() = symbols;
        }
        self.state.addresses |= noted.addresses;
        self.not_followed(noted);
        match value {
            _ if is_split => {
                Err(TransferStop::Unknown(Unknown::Imprecise("a pointer depends on a number that may be several")))
            }
            Ok(value) => Ok(value),
            Err(EvalStop::Undecided(question)) => Err(TransferStop::Undecided(question)),
            // The component that keeps the numbers sees that too.
            Err(_) => Err(TransferStop::Undefined),
        }
    }

    /// What is kept of a value of a type.
    pub(super) fn without_number(&self, ty: Scalar, value: Value) -> Value {
        match (value, ty) {
            (Value::Pointer(_) | Value::Part(..), _) => value,
            (Value::Bits(_), Scalar::Pointer(_)) => value,
            _ => Value::Undefined,
        }
    }
}
