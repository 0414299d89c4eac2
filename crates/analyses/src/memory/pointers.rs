//! Evaluation where numbers are kept by somebody else: only what pointers are made of is looked at, numbers are asked for where a
//! pointer depends on them.

use base::Idx;
use program::{ExprId, ExprKind, Function, Scalar, Type, TypeId};
use semantics::indeterminate::Undecided;
use semantics::{Domain, ObjectId, eval};

use super::contents::{Cell, Fill, Object};
use super::eval::{Eval, Stop};
use super::step::{Doing, Halt, Run, trouble};
use super::value::{Symbols, Value};
use super::{Memory, State};
use crate::step::{Ask, Known};

/// What an expression is to somebody who knows pointers only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// A number that nobody looked at.
    Number,
    Value(Value),
}

struct Pointers<'a, 'e> {
    eval: Eval<'e>,
    function: &'e Function,
    thread: u32,
    ask: &'a mut dyn Ask,
}

impl Pointers<'_, '_> {
    fn part(&mut self, id: ExprId) -> Result<Part, Stop> {
        let function = self.function;
        let expr = function.exprs[id];
        let value = match expr.kind {
            // Null, so to speak a pointer.
            ExprKind::Const(bits) if matches!(expr.ty, Scalar::Pointer(_)) => Value::Bits(bits),
            ExprKind::Const(_) | ExprKind::Wide(_) => return Ok(Part::Number),
            ExprKind::Local(local) => match self.eval.frame.locals[local.index()] {
                Value::Undefined => return Ok(Part::Number),
                value => value,
            },
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => {
                eval(&mut self.eval, function, id)?
            }
            ExprKind::Unary(op, a) => match self.part(a)? {
                Part::Number => return Ok(Part::Number),
                Part::Value(value) => self.eval.unary(op, function.exprs[a].ty, value)?,
            },
            ExprKind::Binary(op, a, b) => match (self.part(a)?, self.part(b)?) {
                (Part::Number, Part::Number) => return Ok(Part::Number),
                (x, y) => {
                    let (x, y) = (self.settled(x, a), self.settled(y, b));
                    self.eval.binary(op, function.exprs[a].ty, x, function.exprs[b].ty, y)?
                }
            },
            ExprKind::Cast(cast, a) => match self.part(a)? {
                Part::Number => return Ok(Part::Number),
                Part::Value(value) => self.eval.cast(cast, function.exprs[a].ty, expr.ty, value)?,
            },
            ExprKind::If(condition, then, otherwise) => return self.either(condition, then, otherwise),
        };
        Ok(match (value, expr.ty) {
            // Numbers that addresses were turned into are of no use; that there are some is noted.
            (Value::Unknown(_), Scalar::Int(_) | Scalar::Float(_)) => Part::Number,
            (value, _) => Part::Value(value),
        })
    }

    fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Result<Part, Stop> {
        let truth = self.part(condition)?;
        let symbol = match self.settled(truth, condition) {
            Value::Bits(0) => return self.part(otherwise),
            Value::Unknown(symbol) => symbol,
            _ => return self.part(then),
        };
        // A fault counts only in the arm that is chosen.
        let is_number = |part: Part| !matches!(part, Part::Value(Value::Pointer(_) | Value::Part(..)));
        let ty = self.function.exprs[then].ty;
        match (self.part(then), self.part(otherwise)) {
            (Ok(a), Ok(b)) if a == b => Ok(a),
            (Ok(a), Ok(b)) if is_number(a) && is_number(b) && !matches!(ty, Scalar::Pointer(_)) => Ok(Part::Number),
            _ => {
                self.eval.noted.split = Some(symbol);
                Ok(Part::Number)
            }
        }
    }

    /// The value of a part; numbers are asked for.
    fn settled(&mut self, part: Part, expr: ExprId) -> Value {
        match (part, self.function.exprs[expr]) {
            (Part::Value(value), _) => value,
            (Part::Number, program::Expr { kind: ExprKind::Const(bits), .. }) => Value::Bits(bits),
            (Part::Number, expr_of) => match self.ask.value(self.thread, self.eval.frame.function, expr) {
                Known::Bits(bits) => Value::Bits(bits),
                Known::Pointer(pointer) => Value::Pointer(pointer),
                Known::Unknown => self.eval.symbols.fresh(expr_of.ty),
            },
        }
    }
}

/// What evaluation asks of objects behind indeterminate pointers.
type Questions<'e> = (&'e dyn Fn(ObjectId) -> Option<&'e Undecided>, &'e dyn Fn(ObjectId) -> bool);

/// Numbers among pointers are listed one by one if there are no more.
const MOST_LISTED: usize = 4096;

impl Memory<'_> {
    /// What an expression is, as far as it is one of pointers.
    pub(super) fn look_for_pointer(&self, state: &State, thread: u32, expr: ExprId, others: &mut dyn Ask) -> Known {
        let mut symbols = Symbols::clone(&state.symbols);
        let undecided = |object| self.undecided(state, object);
        let is_fresh = |object| self.is_fresh(state, object);
        let mut pointers = self.pointers(state, thread, &mut symbols, (&undecided, &is_fresh), others);
        let part = pointers.part(expr);
        match (part, pointers.eval.noted.split) {
            (Ok(Part::Value(value)), None) => super::known(value),
            _ => Known::Unknown,
        }
    }

    fn pointers<'a, 'e>(
        &'e self,
        state: &'e State,
        thread: u32,
        symbols: &'e mut Symbols,
        (undecided, is_fresh): Questions<'e>,
        ask: &'a mut dyn Ask,
    ) -> Pointers<'a, 'e> {
        let own = &state.threads[thread as usize];
        let frame = own.frames.last().expect("a thread that runs has a frame");
        let noted = Default::default();
        let (pointer_bits, deepest) = (self.pointer_bits(), self.deepest);
        let eval = Eval { frame, own, symbols, pointer_bits, deepest, noted, undecided, is_fresh };
        Pointers { eval, function: self.function(frame.function), thread, ask }
    }

    /// Nothing is said of integers, be they written or not.
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

impl Doing<'_, '_, '_> {
    /// The value of an expression: a number, unless it is used as a pointer, is `Undefined`.
    pub(super) fn pointer_value(&mut self, expr: ExprId) -> Run<Value> {
        let ty = self.memory.function(self.step.function).exprs[expr].ty;
        self.settled_value(expr, matches!(ty, Scalar::Pointer(_)))
    }

    /// A number that must be known.
    pub(super) fn asked_number(&mut self, expr: ExprId) -> Run<u64> {
        match self.settled_value(expr, true)? {
            Value::Bits(bits) => Ok(bits),
            Value::Unknown(_) => Err(trouble("a number is needed that may be several")),
            _ => Err(trouble("an address is used as a number")),
        }
    }

    fn settled_value(&mut self, expr: ExprId, ask: bool) -> Run<Value> {
        let mut symbols = (*self.state.symbols).clone();
        let before = symbols.all.len();
        let undecided = |object| self.memory.undecided(&self.state, object);
        let is_fresh = |object| self.memory.is_fresh(&self.state, object);
        let mut pointers =
            self.memory.pointers(&self.state, self.step.thread, &mut symbols, (&undecided, &is_fresh), self.ask);
        let part = pointers.part(expr);
        let value = match part {
            Ok(Part::Number) if !ask => Ok(Value::Undefined),
            Ok(part) => Ok(pointers.settled(part, expr)),
            Err(stop) => Err(stop),
        };
        let noted = pointers.eval.noted;
        if symbols.all.len() > before {
            *self.state.symbols.edit() = symbols;
        }
        self.state.addresses |= noted.addresses;
        self.not_followed(noted);
        match (value, noted.split) {
            (_, Some(_)) => Err(trouble("a pointer depends on a number that may be several")),
            (Ok(value), None) => Ok(value),
            (Err(Stop::Ask(question)), None) => Err(Halt::Ask(question)),
            // Who keeps the numbers sees that too.
            (Err(_), None) => Err(Halt::Undefined),
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
