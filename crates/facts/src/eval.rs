//! Expressions over abstract values, and what a condition says about the variables in it.

use program::{
    BinaryOp, Cast, ExprId, ExprKind, FloatKind, Function, FunctionId, GlobalId, LocalId, Program, Scalar, Storage,
    UnaryOp,
};
use semantics::{Domain, eval};

use crate::exposure::Exposure;
use crate::less::Less;
use crate::offsets::Offsets;
use crate::range::{self, Outcome, Range};
use crate::state::ThreadState;
use crate::tables::{AbstractObject, Base, CallString, Role, Tables};
use crate::value::{Number, Symbol, Term, Value};

/// Evaluates in a frame.
pub struct Eval<'e> {
    pub program: &'e Program,
    pub tables: &'e Tables,
    pub call_string: CallString,
    pub state: &'e ThreadState,
    /// A signed operation may have left the range of its type.
    pub overflow: bool,
    /// An operation may have no value: a division by zero, a shift by too much.
    pub fault: bool,
    /// What was looked at of addresses.
    pub exposure: Exposure,
}

/// Expressions always have a value here; that of an operation that surely has none is [`Value::nothing`].
pub enum Never {}

impl<'e> Eval<'e> {
    pub fn new(program: &'e Program, tables: &'e Tables, call_string: CallString, state: &'e ThreadState) -> Eval<'e> {
        Eval { program, tables, call_string, state, overflow: false, fault: false, exposure: Exposure::default() }
    }

    pub fn function(&self) -> &'e Function {
        &self.program.functions[self.tables.call_strings[self.call_string].function]
    }

    /// `None`: no run gets past this.
    pub fn value(&mut self, expr: ExprId) -> Option<Value> {
        let Ok(value) = eval(self, self.function(), expr);
        Some(value).filter(|value| !value.is_nothing())
    }

    fn word(&self) -> Scalar {
        self.program.machine.word()
    }

    /// A number that is known, or the address of a single object.
    fn fixed(&self, value: &Value) -> Option<(Option<Base>, i64)> {
        if let Some(range) = value.as_range() {
            return range.as_constant().map(|_| (None, range.min_signed()));
        }
        let (base, offset) = value.place().filter(|_| value.number == Number::None)?;
        self.tables.is_single(self.program, base).then_some((Some(base), offset))
    }

    fn sum(&self, a: &Value, b: &Value) -> Option<Term> {
        match (self.fixed(a), b.term) {
            (Some((Some(base), by)), Some(term)) if term.base.is_none() => {
                return Term { base: Some(base), ..term }.plus(by);
            }
            (Some((None, by)), Some(term)) => return term.plus(by),
            _ => {}
        }
        let term = a.term?;
        if let Some((None, by)) = self.fixed(b) {
            return term.plus(by);
        }
        // Somewhere in what a pointer leads to.
        let inside = !a.pointers.is_empty() && b.pointers.is_empty() && term.base.is_none() && term.coefficient == 1;
        inside.then_some(Term { offset: None, ..term })
    }

    fn term(&self, op: BinaryOp, a: &Value, b: &Value) -> Option<Term> {
        use BinaryOp::*;
        let constant = |value: &Value| value.as_range().filter(|r| r.as_constant().is_some()).map(|r| r.min_signed());
        match op {
            Add | SAdd | PtrAdd => self.sum(a, b),
            Sub | SSub => a.term?.plus(constant(b)?.checked_neg()?),
            Mul | SMul | Scale => match (a.term, b.term) {
                (Some(term), _) => term.times(constant(b)?),
                (None, Some(term)) => term.times(constant(a)?),
                _ => None,
            },
            Shl => a.term?.times(1i64.checked_shl(u32::try_from(constant(b)?).ok()?)?),
            _ => None,
        }
    }

    fn pointer_binary(&mut self, op: BinaryOp, ty: Scalar, a: Value, b: Value) -> Value {
        use BinaryOp::*;
        let any = || Value::top(if op_is_comparison(op) { Scalar::BOOL } else { ty });
        if op_is_comparison(op) {
            self.exposure.compare(&a, &b);
        }
        match op {
            Add | SAdd | PtrAdd if b.pointers.is_empty() => shifted(a, &b, ty, Offsets::plus),
            Add | SAdd if a.pointers.is_empty() => shifted(b, &a, ty, Offsets::plus),
            Sub | SSub if b.pointers.is_empty() => shifted(a, &b, ty, Offsets::minus),
            // Their distance. That of two objects, as numbers, leads from one to the other.
            PtrDiff | Sub | SSub if a.is_within_one(&b) => Value::top(self.word_as(op, ty)),
            Eq => equal(&a, &b),
            _ if op_is_comparison(op) => any(),
            And | Or | Xor if b.as_constant().is_some_and(|bits| self.is_low(op, ty, bits)) => low_bits(op, ty, a, &b),
            And | Or | Xor if a.as_constant().is_some_and(|bits| self.is_low(op, ty, bits)) => low_bits(op, ty, b, &a),
            _ => {
                self.exposure.add(&a);
                self.exposure.add(&b);
                Value { pointers: a.blurred(ty).join(&b.blurred(ty)).pointers, ..any() }
            }
        }
    }

    /// The type of a distance.
    fn word_as(&self, op: BinaryOp, ty: Scalar) -> Scalar {
        if op == BinaryOp::PtrDiff { self.word() } else { ty }
    }

    /// Does the operation concern only bits that the alignment of objects leaves to the offset?
    fn is_low(&self, op: BinaryOp, ty: Scalar, bits: u64) -> bool {
        let cleared = !bits & semantics::mask(ty) as u64;
        ty.bits() == self.word().bits() && (bits < ALIGNED || op == BinaryOp::And && cleared < ALIGNED)
    }
}

/// Objects are aligned to this.
const ALIGNED: u64 = 16;

/// Aligning a pointer, marking it, or looking at its low bits.
fn low_bits(op: BinaryOp, ty: Scalar, value: Value, bits: &Value) -> Value {
    let bits = bits.as_constant().unwrap_or(0);
    let number = match value.number {
        Number::None => Number::None,
        _ => Value::top(ty).number,
    };
    if op == BinaryOp::And && bits < ALIGNED {
        return Value::range(Range::unsigned(ty.bits(), 0, bits));
    }
    let changed = |at: i64| match op {
        BinaryOp::And => at & bits as i64 | at & !(semantics::mask(ty) as i64),
        BinaryOp::Or => at | bits as i64,
        _ => at ^ bits as i64,
    };
    let near = Offsets::between(1 - i128::from(ALIGNED), i128::from(ALIGNED) - 1, 1);
    let moved = |at: Offsets| at.as_constant().map_or_else(|| at.plus(near), |at| Offsets::constant(changed(at)));
    let pointers = value.pointers.iter().map(|(base, at)| (*base, moved(*at))).collect();
    Value { number, pointers, term: None }
}

/// May the operation have no value for some of these operands?
fn may_fault(op: BinaryOp, ty: Scalar, a: &Value, b: &Value) -> bool {
    use BinaryOp::*;
    match op {
        UDiv | URem | SDiv | SRem => b.may_be(0) || !b.pointers.is_empty(),
        Shl | LShr | AShr => b.as_range().is_none_or(|amount| amount.max_unsigned() >= u64::from(ty.bits())),
        Scale => a.as_range().zip(b.as_range()).is_none_or(|(a, b)| range::may_overflow_binary(SMul, a, b)),
        _ => false,
    }
}

/// Is there no instruction that gives any number for every float?
fn may_leave_range(from: Scalar, to: Scalar) -> bool {
    from == Scalar::Float(FloatKind::F128) || to.bits() > 64
}

fn op_is_comparison(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, Eq | ULt | ULe | SLt | SLe | FLt | FLe | PtrLt | PtrLe)
}

/// A value that may be a pointer, moved by a number. If it may be a number, too, the sum may be any.
fn shifted(value: Value, by: &Value, ty: Scalar, op: fn(Offsets, Offsets) -> Offsets) -> Value {
    let distance = match by.number {
        Number::Range(range) => Offsets::of_range(&range),
        _ => Offsets::ALL,
    };
    let number = if value.number == Number::None { Number::None } else { Value::top(ty).number };
    let pointers = value.pointers.iter().map(|(base, at)| (*base, op(*at, distance))).collect();
    Value { number, pointers, term: None }
}

/// Is the result of an operation on plain numbers that of the same operation on integers, read as signed?
fn is_exact(op: BinaryOp, a: &Value, b: &Value) -> bool {
    if !a.pointers.is_empty() || !b.pointers.is_empty() {
        // A pointer moved by a number.
        return a.pointers.is_empty() || b.pointers.is_empty();
    }
    let (Number::Range(x), Number::Range(y)) = (a.number, b.number) else { return false };
    let signed = match op {
        BinaryOp::Add | BinaryOp::PtrAdd => BinaryOp::SAdd,
        BinaryOp::Sub => BinaryOp::SSub,
        BinaryOp::Mul => BinaryOp::SMul,
        BinaryOp::Scale => return true,
        BinaryOp::Shl => return is_exact_shift(x, y),
        op => op,
    };
    x.bits() == y.bits() && !range::may_overflow_binary(signed, x, y)
}

fn is_exact_shift(value: Range, by: Range) -> bool {
    let fits = |bound: i64, by: u64| {
        i128::from(bound) << by == i128::from(bound << by << (64 - value.bits()) >> (64 - value.bits()))
    };
    by.as_constant()
        .is_some_and(|by| by < value.bits().into() && fits(value.min_signed(), by) && fits(value.max_signed(), by))
}

/// Are they equal? Pointers are, if at all, to the same object at the same place; no pointer is null.
fn equal(a: &Value, b: &Value) -> Value {
    let is_null = |v: &Value| v.as_constant() == Some(0);
    let is_pointer = |v: &Value| v.number == Number::None && !v.is_undecided();
    let apart = a.pointers.iter().all(|(base, at)| {
        let found = b.pointers.iter().find(|(other, _)| base == other);
        found.is_none_or(|(_, other)| !at.overlaps(1, *other, 1))
    });
    let is_known = |v: &Value| v.number == Number::None && !v.is_indeterminate();
    let never = is_pointer(a) && is_null(b) || is_null(a) && is_pointer(b) || is_known(a) && is_known(b) && apart;
    if never { Value::constant(Scalar::BOOL, 0) } else { Value::top(Scalar::BOOL) }
}

impl Domain for Eval<'_> {
    type Value = Value;
    type Stop = Never;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Value {
        Value::constant(ty, bits)
    }

    fn local(&mut self, local: LocalId) -> Result<Value, Never> {
        let variable = self.tables.variable(self.call_string, local);
        let Some(value) = self.state.variables.get(variable) else {
            return Ok(Value::input(plain_type(self.function(), local)));
        };
        let mut value = value.clone();
        if value.term.is_none() && !self.tables.call_strings[self.call_string].recursive {
            value.term = Some(Term::of(Symbol::Variable(variable)));
        }
        Ok(value)
    }

    fn local_address(&mut self, local: LocalId) -> Result<Value, Never> {
        let base = |role| self.tables.find(AbstractObject::Local(self.call_string, local, role));
        let Some(own) = base(Role::Own) else {
            // It has no object here.
            return Ok(Value::constant(Scalar::Pointer(self.program.machine.pointer_bytes() as u8), 0));
        };
        // The newest is its own until others can reach it; with several frames, or once it has been shared, it may be any.
        let mut value = Value::nothing();
        let recursive = self.tables.call_strings[self.call_string].recursive;
        let is_own = self.state.memory.get(own.0).is_some();
        if is_own {
            value = Value::pointer(own, Offsets::ZERO);
        }
        if recursive {
            value = value.join(&Value::pointer(self.tables.as_role(own, Role::Older), Offsets::ZERO));
        }
        if !is_own || recursive || self.state.shared_locals.get(own.0).is_some() {
            value = value.join(&Value::pointer(self.tables.as_role(own, Role::Shared), Offsets::ZERO));
        }
        Ok(value)
    }

    fn global_address(&mut self, global: GlobalId) -> Value {
        let abstract_thread = self.tables.call_strings[self.call_string].abstract_thread;
        let own = self.tables.find(AbstractObject::ThreadLocal(abstract_thread, global, Role::Own));
        let Some(own) = own.filter(|_| self.program.globals[global].thread_local) else {
            return Value::pointer(self.tables.global(global), Offsets::ZERO);
        };
        let is_own = self.state.memory.get(own.0).is_some();
        let mut value = if is_own { Value::pointer(own, Offsets::ZERO) } else { Value::nothing() };
        if !is_own || self.state.shared_locals.get(own.0).is_some() {
            value = value.join(&Value::pointer(self.tables.as_role(own, Role::Shared), Offsets::ZERO));
        }
        value
    }

    fn function_address(&mut self, function: FunctionId) -> Value {
        Value::pointer(self.tables.function(function), Offsets::ZERO)
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Value) -> Result<Value, Never> {
        if a.is_nothing() {
            return Ok(a);
        }
        self.exposure.add(&a);
        let predicate = matches!(op, UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit);
        let result = if predicate { Scalar::BOOL } else { ty };
        match a.number {
            Number::Range(range) if a.pointers.is_empty() && matches!(ty, Scalar::Int(_)) => {
                self.overflow |= range::may_overflow_unary(op, range);
                Ok(range::unary(op, range).map_or_else(|| Value::top(result), Value::range))
            }
            _ => {
                self.overflow |= op == UnaryOp::SNeg;
                Ok(if predicate { Value::top(result) } else { a.blurred(result) })
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Value, _: Scalar, b: Value) -> Result<Value, Never> {
        if a.is_nothing() || b.is_nothing() {
            return Ok(Value::nothing());
        }
        self.fault |= may_fault(op, ty, &a, &b);
        let term = self.term(op, &a, &b).filter(|_| is_exact(op, &a, &b));
        let may_overflow =
            matches!(op, BinaryOp::SAdd | BinaryOp::SSub | BinaryOp::SMul | BinaryOp::SDiv | BinaryOp::SRem);
        let mut value = match (a.number, b.number) {
            _ if !a.pointers.is_empty() || !b.pointers.is_empty() => {
                self.overflow |= may_overflow;
                self.pointer_binary(op, ty, a, b)
            }
            (Number::Range(x), Number::Range(y)) => {
                let op = op.on_words();
                if x.bits() == y.bits() {
                    self.overflow |= range::may_overflow_binary(op, x, y);
                }
                match range::binary(op, x, y) {
                    Outcome::Value(range) => Value::range(range),
                    Outcome::Never => return Ok(Value::nothing()),
                    Outcome::Foreign => Value::top(if op_is_comparison(op) { Scalar::BOOL } else { ty }),
                }
            }
            _ => {
                self.overflow |= may_overflow;
                Value::top(if op_is_comparison(op) { Scalar::BOOL } else { ty })
            }
        };
        value.term = term.filter(|_| !op_is_comparison(op));
        Ok(value)
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Value) -> Result<Value, Never> {
        if a.is_nothing() {
            return Ok(a);
        }
        self.fault |= matches!(cast, Cast::FloatToSigned | Cast::FloatToUnsigned) && may_leave_range(from, to);
        if !matches!(cast, Cast::PtrToInt | Cast::IntToPtr) {
            self.exposure.add(&a);
        }
        Ok(match (cast, a.number) {
            (Cast::PtrToInt | Cast::IntToPtr, _) => a.fitting(to),
            // The number of an address, cut or not, need not be one.
            (Cast::Trunc | Cast::ZExt | Cast::SExt, _) if !a.pointers.is_empty() => a.blurred(to),
            (Cast::Trunc | Cast::ZExt | Cast::SExt, Number::Range(range)) => {
                let Some(cut) = range::cast(cast, range, to.bits()) else { return Ok(Value::top(to)) };
                let same = cut.min_signed() == range.min_signed() && cut.max_signed() == range.max_signed();
                Value { term: a.term.filter(|_| same), ..Value::range(cut) }
            }
            _ => Value::top(to),
        })
    }

    fn decide(&mut self, condition: &Value) -> Result<Option<bool>, Never> {
        Ok(condition.as_constant().map(|bits| bits != 0))
    }

    fn join(&mut self, _: Scalar, _: &Value, a: Value, b: Value) -> Result<Value, Never> {
        Ok(a.join(&b))
    }
}

pub fn plain_type(function: &Function, local: LocalId) -> Scalar {
    match function.locals[local].storage {
        Storage::Plain(scalar) => scalar,
        Storage::Memory => unreachable!("only plain locals have values"),
    }
}

/// Narrows the variables in a condition that is `truth`. `None`: it cannot be.
pub fn refine(
    program: &Program,
    tables: &Tables,
    call_string: CallString,
    state: ThreadState,
    condition: ExprId,
    truth: bool,
) -> Option<ThreadState> {
    let value = Eval::new(program, tables, call_string, &state).value(condition)?;
    refine_known(program, tables, call_string, state, (condition, &value), truth)
}

/// The same, with the value of the condition.
pub fn refine_known(
    program: &Program,
    tables: &Tables,
    call_string: CallString,
    state: ThreadState,
    (condition, value): (ExprId, &Value),
    truth: bool,
) -> Option<ThreadState> {
    let function = &program.functions[tables.call_strings[call_string].function];
    if value.as_constant().is_some_and(|bits| (bits != 0) != truth) {
        return None;
    }
    let mut eval = Eval::new(program, tables, call_string, &state);
    let again = |state, condition, truth| refine(program, tables, call_string, state, condition, truth);
    match function.exprs[condition].kind {
        ExprKind::Unary(UnaryOp::Not, inner) => again(state, inner, !truth),
        ExprKind::Binary(BinaryOp::And, a, b) if truth => again(again(state, a, true)?, b, true),
        ExprKind::Binary(BinaryOp::Or, a, b) if !truth => again(again(state, a, false)?, b, false),
        ExprKind::Binary(op, a, b) if op_is_comparison(op) => {
            let (x, y) = (eval.value(a)?, eval.value(b)?);
            // A truth value compared with a number is a condition itself.
            let zero = |v: &Value| v.as_constant() == Some(0);
            if op == BinaryOp::Eq
                && zero(&y)
                && let Some(inner) = truth_inside(function, a)
            {
                return again(state, inner, !truth);
            }
            let new = compared(op, truth, &x, &y);
            let (x, y) = narrowed(op, truth, x, y)?;
            let state = narrow(program, tables, call_string, state, a, x);
            let mut state = narrow(program, tables, call_string, state, b, y);
            new.into_iter().for_each(|less| state.learn(less));
            Some(state)
        }
        ExprKind::Local(local) => {
            let narrowed = Value::constant(Scalar::BOOL, u128::from(truth));
            Some(narrow_local(tables, call_string, state, local, narrowed))
        }
        _ => Some(state),
    }
}

/// A condition that was made a number.
pub fn truth_inside(function: &Function, expr: ExprId) -> Option<ExprId> {
    match function.exprs[expr].kind {
        ExprKind::Binary(op, ..) if op_is_comparison(op) => Some(expr),
        ExprKind::Cast(Cast::ZExt, inner) if function.exprs[inner].ty == Scalar::BOOL => Some(inner),
        ExprKind::Cast(Cast::ZExt | Cast::SExt, inner) => truth_inside(function, inner),
        _ => None,
    }
}

/// Which order of named values a comparison tells.
fn compared(op: BinaryOp, truth: bool, x: &Value, y: &Value) -> Vec<Less> {
    let plain = |value: &Value| {
        let range = value.as_range()?;
        let Term { base: None, coefficient: 1, symbol, offset: Some(offset) } = value.term? else { return None };
        // The named value itself, which may be of another width, must not have wrapped on the way.
        (offset == 0).then_some((symbol, range))
    };
    let (Some((a, of_a)), Some((b, of_b))) = (plain(x), plain(y)) else { return Vec::new() };
    let unsigned_alike = of_a.min_signed() >= 0 && of_b.min_signed() >= 0;
    let at_most = |first, second, plus| vec![Less { first, second, plus }];
    match (op, truth) {
        (BinaryOp::ULt | BinaryOp::ULe, _) if !unsigned_alike => Vec::new(),
        (BinaryOp::SLt | BinaryOp::ULt, true) => at_most(a, b, -1),
        (BinaryOp::SLe | BinaryOp::ULe, true) => at_most(a, b, 0),
        (BinaryOp::SLt | BinaryOp::ULt, false) => at_most(b, a, 0),
        (BinaryOp::SLe | BinaryOp::ULe, false) => at_most(b, a, -1),
        (BinaryOp::Eq, true) => [at_most(a, b, 0), at_most(b, a, 0)].concat(),
        _ => Vec::new(),
    }
}

fn narrowed(op: BinaryOp, truth: bool, mut x: Value, mut y: Value) -> Option<(Value, Value)> {
    let null = |v: &Value| v.as_constant() == Some(0);
    if op == BinaryOp::Eq && (null(&x) || null(&y)) && !(x.pointers.is_empty() && y.pointers.is_empty()) {
        let zero = if null(&x) { x.number } else { y.number };
        let other = if null(&x) { &mut y } else { &mut x };
        if truth && other.is_undecided() {
            other.pointers.clear();
            other.number = zero;
        } else if truth {
            other.pointers.clear();
        } else if let Number::Range(range) = other.number
            && let Some(0) = range.as_constant()
        {
            other.number = Number::None;
        }
        if !truth {
            *other = other.decided();
        }
        if truth && !other.may_be(0) {
            return None;
        }
    }
    if let (Number::Range(a), Number::Range(b)) = (x.number, y.number)
        && x.pointers.is_empty()
        && y.pointers.is_empty()
        && a.bits() == b.bits()
    {
        let (a, b) = range::refine(op.on_words(), truth, a, b)?;
        (x.number, y.number) = (Number::Range(a), Number::Range(b));
    }
    Some((x, y))
}

/// The expression has one of these values: so has the variable in it.
fn narrow(
    program: &Program,
    tables: &Tables,
    call_string: CallString,
    state: ThreadState,
    expr: ExprId,
    value: Value,
) -> ThreadState {
    let function = &program.functions[tables.call_strings[call_string].function];
    match function.exprs[expr].kind {
        ExprKind::Local(local) => narrow_local(tables, call_string, state, local, value),
        ExprKind::Cast(Cast::ZExt | Cast::SExt, inner) => {
            let (ExprKind::Local(local), Some(range)) = (function.exprs[inner].kind, value.as_range()) else {
                return state;
            };
            let Some(cut) = range::cast(Cast::Trunc, range, function.exprs[inner].ty.bits()) else { return state };
            let fits = cut.min_signed() == range.min_signed() && cut.max_signed() == range.max_signed();
            if fits { narrow_local(tables, call_string, state, local, Value::range(cut)) } else { state }
        }
        ExprKind::Binary(op @ (BinaryOp::SAdd | BinaryOp::SSub), inner, by) => {
            // Where the sum does not overflow, what it is tells what was added to.
            let mut eval = Eval::new(program, tables, call_string, &state);
            let (before, by) = (eval.value(inner), eval.value(by));
            let (Some(before), Some(by)) = (before, by.and_then(|by| by.as_range())) else { return state };
            let back = if op == BinaryOp::SAdd { BinaryOp::SSub } else { BinaryOp::SAdd };
            match (before.as_range(), value.as_range(), by.as_constant()) {
                (Some(old), Some(sum), Some(_))
                    if !range::may_overflow_binary(op, old, by) && !range::may_overflow_binary(back, sum, by) =>
                {
                    let Outcome::Value(inside) = range::binary(back, sum, by) else { return state };
                    let Some(inside) = inside.meet(old) else { return state };
                    narrow(
                        program,
                        tables,
                        call_string,
                        state,
                        inner,
                        Value { number: Number::Range(inside), ..before },
                    )
                }
                _ => state,
            }
        }
        _ => state,
    }
}

fn narrow_local(
    tables: &Tables,
    call_string: CallString,
    mut state: ThreadState,
    local: LocalId,
    value: Value,
) -> ThreadState {
    let variable = tables.variable(call_string, local);
    if tables.call_strings[call_string].recursive {
        return state;
    }
    let Some(old) = state.variables.get(variable) else { return state };
    let new = narrower(old, &value);
    let symbol = old.term.map_or(Some(Symbol::Variable(variable)), Term::as_symbol);
    state.variables.insert(variable, new);
    if let Some(symbol) = symbol {
        state.narrow_alike(symbol, |old| narrower(old, &value));
    }
    state
}

/// The values that are among these.
fn narrower(old: &Value, value: &Value) -> Value {
    if old.is_undecided() {
        // A pointer that is decided is what it was decided to be.
        return Value { term: old.term, ..value.clone() };
    }
    let mut new = old.clone();
    new.number = match (old.number, value.number) {
        (Number::Range(a), Number::Range(b)) if a.bits() == b.bits() => a.meet(b).map_or(old.number, Number::Range),
        (_, Number::None) => Number::None,
        (old, _) => old,
    };
    new.pointers.retain(|(base, _)| value.pointers.iter().any(|(other, _)| base == other));
    new
}
