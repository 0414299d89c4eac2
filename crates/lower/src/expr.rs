//! Values: operands from left to right, loads into temporaries, everything else as pure expressions. Conditions become
//! control flow only where evaluating the second operand can fail or has an effect.

use c_front::typed::{
    AddressBase, Binary, Comparison, Constant, Expr, ExprKind, LabelId, Place, Size, Step, Unary, When,
};
use c_front::types as c;
use program::{BinaryOp, Cast, ExprId, ExprKind as Pure, FloatKind, LocalKind, Location, Op, Scalar, UnaryOp};

use crate::fold::Fold;
use crate::function::FunctionLowerer;
use crate::place::Target;
use crate::scan::{Effect, effect, is_simple};

impl FunctionLowerer<'_, '_> {
    /// Evaluates for the effects only.
    pub fn effect(&mut self, e: &Expr) {
        let outer = std::mem::replace(&mut self.span, e.span);
        match &e.kind {
            ExprKind::Cast(inner) if self.unit.types.is_void(e.ty) => self.effect(inner),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.effect(b);
            }
            ExprKind::Conditional(condition, then, otherwise)
                if !is_simple(self, then) || !is_simple(self, otherwise) =>
            {
                self.conditional_effect(condition, Some(then), Some(otherwise));
            }
            ExprKind::LogAnd(condition, then) if !is_simple(self, then) => {
                self.conditional_effect(condition, Some(then), None);
            }
            ExprKind::LogOr(condition, otherwise) | ExprKind::Elvis(condition, otherwise)
                if !is_simple(self, otherwise) =>
            {
                self.conditional_effect(condition, None, Some(otherwise));
            }
            ExprKind::Statement(body, last, end) => {
                self.statement_expression(body, last.as_deref(), *end, |f, last| {
                    if let Some(last) = last {
                        f.effect(last);
                    }
                })
            }
            ExprKind::Call { callee, args } => {
                self.call_expression(callee, args, e.ty);
            }
            ExprKind::Assign(place, value) if self.unit.types.is_record(e.ty) => {
                self.assign_record(place, value);
            }
            ExprKind::Load(place) => self.read_for_effect(place),
            ExprKind::Increment { place, by, element, .. } => {
                self.increment(place, *by, When::After, element.as_ref());
            }
            _ if self.unit.types.is_void(e.ty) => self.void_effect(e),
            _ if self.unit.types.scalar(e.ty).is_some() => {
                self.value(e);
            }
            _ => {
                self.record_value(e);
            }
        }
        self.span = outer;
    }

    /// Reading a record or an incomplete object for nothing has no effect; reading a scalar is an access.
    fn read_for_effect(&mut self, place: &Place) {
        if self.unit.types.scalar(place.ty.ty).is_some() {
            let target = self.target(place);
            self.read(&target, place.ty.ty);
        } else if self.unit.types.is_record(place.ty.ty) {
            self.address(place);
        }
    }

    fn void_effect(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Builtin(builtin, args) => {
                self.builtin(*builtin, args, e.ty);
            }
            ExprKind::Atomic(atomic) => {
                self.atomic(atomic, e.ty);
            }
            _ => {}
        }
    }

    fn conditional_effect(&mut self, condition: &Expr, then: Option<&Expr>, otherwise: Option<&Expr>) {
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.branch(condition, yes, no);
        for (at, arm) in [(yes, then), (no, otherwise)] {
            self.at = at;
            if let Some(arm) = arm {
                self.effect(arm);
            }
            self.jump(end);
        }
        self.at = end;
    }

    /// The value of a scalar expression, as a pure expression.
    pub fn value(&mut self, e: &Expr) -> ExprId {
        let outer = std::mem::replace(&mut self.span, e.span);
        let value = self.value_inner(e);
        self.span = outer;
        value
    }

    fn value_inner(&mut self, e: &Expr) -> ExprId {
        match &e.kind {
            ExprKind::Constant(constant) => self.constant(*constant, e.ty),
            ExprKind::Load(place) => {
                let target = self.target(place);
                self.read(&target, place.ty.ty)
            }
            ExprKind::AddressOf(place) => {
                let (address, to) = (self.address(place), self.scalar(e.ty));
                self.convert(address, false, to, false)
            }
            ExprKind::FunctionAddress(function) => {
                let (function, pointer) = (self.unit.function_value(*function), self.pointer());
                self.b.expr(Pure::FunctionAddress(function), pointer)
            }
            ExprKind::LabelAddress(label) => self.label_address(*label),
            ExprKind::Unary(op, operand) => self.unary(*op, operand, e.ty),
            ExprKind::Binary(op, left, right) => {
                let (left, right) = self.operands(left, right);
                self.arithmetic(*op, left, right, e.ty)
            }
            ExprKind::Offset { pointer, index, element, negative } => {
                let (pointer, step) = self.pointer_and_step(pointer, index, element);
                self.move_pointer(pointer, step, *negative)
            }
            ExprKind::Difference { left, right, element } => self.difference(left, right, element),
            ExprKind::Compare(..) | ExprKind::LogAnd(..) | ExprKind::LogOr(..) => {
                let bits = self.scalar(e.ty).bits() as u8;
                let truth = self.truth(e);
                self.b.truth_as_int(truth, bits)
            }
            ExprKind::Conditional(condition, then, otherwise) => self.conditional(condition, then, otherwise, e.ty),
            ExprKind::Elvis(first, second) => self.elvis(first, second, e.ty),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.value(b)
            }
            ExprKind::Assign(place, value) => self.assign(place, value),
            ExprKind::AssignOp { place, op, value, compute } => self.assign_op(place, *op, value, *compute),
            ExprKind::AssignOffset { place, index, element, negative } => {
                let target = self.target(place);
                let target = self.fix_target(target, index);
                let step = self.step(index, element);
                self.update(&target, place.ty.ty, When::After, |f, old| f.move_pointer(old, step, *negative))
            }
            ExprKind::Increment { place, by, result, element } => self.increment(place, *by, *result, element.as_ref()),
            ExprKind::Cast(operand) => self.cast(operand, e.ty),
            ExprKind::Call { callee, args } => match self.call_expression(callee, args, e.ty) {
                Some(value) => value,
                None => self.missing(e.ty),
            },
            ExprKind::Statement(body, last, end) => {
                let mut value = None;
                self.statement_expression(body, last.as_deref(), *end, |f, last| value = last.map(|e| f.outlasting(e)));
                value.unwrap_or_else(|| self.missing(e.ty))
            }
            ExprKind::SizeOfVla(size) => self.size(size),
            ExprKind::Builtin(builtin, args) => match self.builtin(*builtin, args, e.ty) {
                Some(value) => value,
                None => self.missing(e.ty),
            },
            ExprKind::Atomic(atomic) => match self.atomic(atomic, e.ty) {
                Some(value) => value,
                None => self.missing(e.ty),
            },
            ExprKind::VaArg(list) => self.va_arg(list, e.ty),
        }
    }

    /// A value where there is none: behind a call that does not return, or a type that was mistaken.
    fn missing(&mut self, ty: c::TypeId) -> ExprId {
        let scalar = self.scalar(ty);
        self.b.constant(scalar, 0)
    }

    pub fn scalar(&self, ty: c::TypeId) -> Scalar {
        self.unit.types.scalar(ty).unwrap_or(Scalar::Int(32))
    }

    pub fn constant(&mut self, constant: Constant, ty: c::TypeId) -> ExprId {
        let scalar = self.scalar(ty);
        match constant {
            Constant::Int(bits) if matches!(scalar, Scalar::Pointer(_)) && bits != 0 => {
                let word = self.word();
                let bits = self.b.constant(word, bits);
                self.b.cast(Cast::IntToPtr, scalar, bits)
            }
            Constant::Int(bits) | Constant::Float(bits) => self.b.constant(scalar, bits),
            Constant::Address { base, offset } => {
                let pointer = self.pointer();
                let base = match base {
                    AddressBase::Object(object) => Pure::GlobalAddress(self.unit.global(object)),
                    AddressBase::String(string) => Pure::GlobalAddress(self.unit.string(string)),
                    AddressBase::Function(function) => Pure::FunctionAddress(self.unit.function_value(function)),
                    AddressBase::Label(_, label) => return self.label_address(label),
                };
                let base = self.b.expr(base, pointer);
                let address = self.offset(base, offset);
                self.convert(address, false, scalar, false)
            }
        }
    }

    /// Labels are numbers that no object has as its address.
    pub fn label_address(&mut self, label: LabelId) -> ExprId {
        let (word, pointer) = (self.word(), self.pointer());
        let number = self.b.constant(word, u128::from(label.0) + 1);
        self.b.cast(Cast::IntToPtr, pointer, number)
    }

    /// Two operands, the left one safe from what the right one does.
    pub fn operands(&mut self, left: &Expr, right: &Expr) -> (ExprId, ExprId) {
        let first = self.value(left);
        let first = self.keep(first, [right]);
        (first, self.value(right))
    }

    /// The value as it is now, whatever is evaluated next. One that may fail is computed now if what comes next may not come back.
    pub fn keep<'e>(&mut self, value: ExprId, next: impl IntoIterator<Item = &'e Expr>) -> ExprId {
        let needed = match next.into_iter().map(effect).max() {
            None | Some(Effect::None) => false,
            Some(Effect::Calls) => self.may_fail(value),
            Some(Effect::ChangesLocals) => self.reads_named_local(value) || self.may_fail(value),
        };
        if needed { self.save(value) } else { value }
    }

    /// Is there something in it that C does not define for all values?
    fn may_fail(&self, value: ExprId) -> bool {
        use BinaryOp::*;
        match self.b.get(value).kind {
            Pure::Unary(UnaryOp::SNeg, _) | Pure::Cast(Cast::FloatToSigned | Cast::FloatToUnsigned, _) => true,
            Pure::Unary(_, a) | Pure::Cast(_, a) => self.may_fail(a),
            Pure::Binary(SAdd | SSub | SMul | SDiv | SRem | UDiv | URem | Shl | LShr | AShr, ..) => true,
            Pure::Binary(_, a, b) => self.may_fail(a) || self.may_fail(b),
            Pure::If(a, b, c) => self.may_fail(a) || self.may_fail(b) || self.may_fail(c),
            _ => false,
        }
    }

    /// Does it mention a local that C code can assign to? (Temporaries are assigned once.)
    pub fn reads_named_local(&self, value: ExprId) -> bool {
        match self.b.get(value).kind {
            Pure::Local(local) => self.b.locals[local].kind != LocalKind::Temporary,
            Pure::Unary(_, a) | Pure::Cast(_, a) => self.reads_named_local(a),
            Pure::Binary(_, a, b) => self.reads_named_local(a) || self.reads_named_local(b),
            Pure::If(a, b, c) => self.reads_named_local(a) || self.reads_named_local(b) || self.reads_named_local(c),
            _ => false,
        }
    }

    fn unary(&mut self, op: Unary, operand: &Expr, ty: c::TypeId) -> ExprId {
        match op {
            Unary::Not => {
                let bits = self.scalar(ty).bits() as u8;
                let truth = self.truth(operand);
                let negated = self.b.not(truth);
                self.b.truth_as_int(negated, bits)
            }
            Unary::Complement => {
                let value = self.value(operand);
                self.b.unary(UnaryOp::Not, value)
            }
            Unary::Negate => {
                let value = self.value(operand);
                let op = match self.b.ty(value) {
                    Scalar::Float(_) => UnaryOp::FNeg,
                    _ if self.unit.types.is_signed(ty) => UnaryOp::SNeg,
                    _ => UnaryOp::Neg,
                };
                self.b.unary(op, value)
            }
        }
    }

    pub fn arithmetic(&mut self, op: Binary, left: ExprId, right: ExprId, ty: c::TypeId) -> ExprId {
        let is_float = matches!(self.b.ty(left), Scalar::Float(_));
        let signed = self.unit.types.is_signed(ty);
        let op = match (op, is_float, signed) {
            (Binary::Add, true, _) => BinaryOp::FAdd,
            (Binary::Sub, true, _) => BinaryOp::FSub,
            (Binary::Mul, true, _) => BinaryOp::FMul,
            (Binary::Div, true, _) => BinaryOp::FDiv,
            (_, true, _) => BinaryOp::FRem,
            (Binary::Add, _, true) => BinaryOp::SAdd,
            (Binary::Add, _, false) => BinaryOp::Add,
            (Binary::Sub, _, true) => BinaryOp::SSub,
            (Binary::Sub, _, false) => BinaryOp::Sub,
            (Binary::Mul, _, true) => BinaryOp::SMul,
            (Binary::Mul, _, false) => BinaryOp::Mul,
            (Binary::Div, _, true) => BinaryOp::SDiv,
            (Binary::Div, _, false) => BinaryOp::UDiv,
            (Binary::Rem, _, true) => BinaryOp::SRem,
            (Binary::Rem, _, false) => BinaryOp::URem,
            (Binary::Shl, ..) => BinaryOp::Shl,
            (Binary::Shr, _, true) => BinaryOp::AShr,
            (Binary::Shr, _, false) => BinaryOp::LShr,
            (Binary::And, ..) => BinaryOp::And,
            (Binary::Or, ..) => BinaryOp::Or,
            (Binary::Xor, ..) => BinaryOp::Xor,
        };
        self.b.binary(op, left, right)
    }

    fn pointer_and_step(&mut self, pointer: &Expr, index: &Expr, element: &Size) -> (ExprId, ExprId) {
        let base = self.value(pointer);
        let base = self.keep(base, [index]);
        (base, self.step(index, element))
    }

    /// `index * size` as a word.
    fn step(&mut self, index: &Expr, element: &Size) -> ExprId {
        let signed = self.unit.types.is_signed(index.ty);
        let index = self.value(index);
        let word = self.word();
        let index = self.convert(index, signed, word, true);
        let size = self.size(element);
        self.b.binary(BinaryOp::Scale, index, size)
    }

    fn move_pointer(&mut self, pointer: ExprId, step: ExprId, negative: bool) -> ExprId {
        let step = match (negative, self.b.as_constant(step)) {
            (false, _) => step,
            (true, Some(bits)) => {
                let word = self.word();
                self.b.constant(word, bits.wrapping_neg())
            }
            (true, None) => self.b.unary(UnaryOp::Neg, step),
        };
        self.b.binary(BinaryOp::PtrAdd, pointer, step)
    }

    fn difference(&mut self, left: &Expr, right: &Expr, element: &Size) -> ExprId {
        let (left, right) = self.operands(left, right);
        let bytes = self.b.binary(BinaryOp::PtrDiff, left, right);
        let size = self.size(element);
        match self.b.as_constant(size) {
            Some(0 | 1) => bytes,
            _ => self.b.binary(BinaryOp::SDiv, bytes, size),
        }
    }

    // Truth values.

    /// A condition as a truth value; evaluated in full, here.
    pub fn truth(&mut self, e: &Expr) -> ExprId {
        let outer = std::mem::replace(&mut self.span, e.span);
        let truth = self.truth_inner(e);
        self.span = outer;
        truth
    }

    fn truth_inner(&mut self, e: &Expr) -> ExprId {
        match &e.kind {
            ExprKind::Compare(comparison, left, right) => {
                let signed = self.unit.types.is_signed(left.ty);
                let (left, right) = self.operands(left, right);
                self.compare(*comparison, left, right, signed)
            }
            ExprKind::LogAnd(a, b) if is_simple(self, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.b.binary(BinaryOp::And, a, b)
            }
            ExprKind::LogOr(a, b) if is_simple(self, b) => {
                let (a, b) = (self.truth(a), self.truth(b));
                self.b.binary(BinaryOp::Or, a, b)
            }
            ExprKind::LogAnd(..) | ExprKind::LogOr(..) => self.truth_by_branching(e),
            ExprKind::Unary(Unary::Not, inner) => {
                let truth = self.truth(inner);
                self.b.not(truth)
            }
            ExprKind::Cast(inner) if self.keeps_truth(e.ty, inner) => self.truth(inner),
            _ => {
                let value = self.value(e);
                self.b.is_true(value)
            }
        }
    }

    /// Casts between integers that cannot make a value zero that was not.
    fn keeps_truth(&self, ty: c::TypeId, operand: &Expr) -> bool {
        let types = &self.unit.types;
        match (types.scalar(ty), types.scalar(operand.ty)) {
            (Some(Scalar::Int(to)), Some(Scalar::Int(from))) => types.is_bool(ty) || to >= from,
            _ => false,
        }
    }

    fn truth_by_branching(&mut self, e: &Expr) -> ExprId {
        let result = self.temp(Scalar::BOOL);
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.branch(e, yes, no);
        for (at, value) in [(yes, 1), (no, 0)] {
            self.at = at;
            let value = self.b.int(1, value);
            self.emit_to(Op::Assign(result, value), end);
        }
        self.at = end;
        self.b.local(result)
    }

    pub fn compare(&mut self, comparison: Comparison, left: ExprId, right: ExprId, signed: bool) -> ExprId {
        let (less, less_equal) = match self.b.ty(left) {
            Scalar::Float(_) => (BinaryOp::FLt, BinaryOp::FLe),
            Scalar::Pointer(_) => (BinaryOp::PtrLt, BinaryOp::PtrLe),
            Scalar::Int(_) if signed => (BinaryOp::SLt, BinaryOp::SLe),
            Scalar::Int(_) => (BinaryOp::ULt, BinaryOp::ULe),
        };
        match comparison {
            Comparison::Eq => self.b.binary(BinaryOp::Eq, left, right),
            Comparison::Ne => {
                let equal = self.b.binary(BinaryOp::Eq, left, right);
                self.b.not(equal)
            }
            Comparison::Lt => self.b.binary(less, left, right),
            Comparison::Le => self.b.binary(less_equal, left, right),
            Comparison::Gt => self.b.binary(less, right, left),
            Comparison::Ge => self.b.binary(less_equal, right, left),
        }
    }

    /// Control takes one branch or the other. Temporaries of the condition are free again afterwards.
    pub fn branch(&mut self, e: &Expr, yes: Location, no: Location) {
        let outer = std::mem::replace(&mut self.span, e.span);
        match &e.kind {
            ExprKind::LogAnd(a, b) if !is_simple(self, b) => {
                let middle = self.b.location();
                self.branch(a, middle, no);
                self.at = middle;
                self.branch(b, yes, no);
            }
            ExprKind::LogOr(a, b) if !is_simple(self, b) => {
                let middle = self.b.location();
                self.branch(a, yes, middle);
                self.at = middle;
                self.branch(b, yes, no);
            }
            ExprKind::Unary(Unary::Not, inner) => self.branch(inner, no, yes),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.branch(b, yes, no);
            }
            ExprKind::Cast(inner) if self.keeps_truth(e.ty, inner) => self.branch(inner, yes, no),
            _ => {
                let truth = self.truth(e);
                self.branch_on(truth, yes, no);
            }
        }
        self.span = outer;
    }

    fn conditional(&mut self, condition: &Expr, then: &Expr, otherwise: &Expr, ty: c::TypeId) -> ExprId {
        if is_simple(self, then) && is_simple(self, otherwise) {
            let truth = self.truth(condition);
            let (then, otherwise) = (self.value(then), self.value(otherwise));
            return self.b.if_else(truth, then, otherwise);
        }
        let result = self.temp(self.scalar(ty));
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.branch(condition, yes, no);
        for (at, arm) in [(yes, then), (no, otherwise)] {
            self.at = at;
            let value = self.value(arm);
            self.take(result, value);
            self.jump(end);
        }
        self.at = end;
        self.b.local(result)
    }

    fn elvis(&mut self, first: &Expr, second: &Expr, ty: c::TypeId) -> ExprId {
        let value = self.value(first);
        let truth = self.b.is_true(value);
        if is_simple(self, second) {
            let (converted, other) = (self.convert_c(value, first.ty, ty), self.value(second));
            return self.b.if_else(truth, converted, other);
        }
        let result = self.temp(self.scalar(ty));
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.branch_on(truth, yes, no);
        self.at = yes;
        let converted = self.convert_c(value, first.ty, ty);
        self.emit_to(Op::Assign(result, converted), end);
        self.at = no;
        let other = self.value(second);
        self.take(result, other);
        self.place_location(end);
        self.b.local(result)
    }

    fn cast(&mut self, operand: &Expr, ty: c::TypeId) -> ExprId {
        if self.unit.types.is_bool(ty) {
            let truth = self.truth(operand);
            return self.b.truth_as_int(truth, 8);
        }
        let value = self.value(operand);
        self.convert_c(value, operand.ty, ty)
    }

    /// Converts between C types.
    pub fn convert_c(&mut self, value: ExprId, from: c::TypeId, to: c::TypeId) -> ExprId {
        if self.unit.types.is_bool(to) {
            let truth = self.b.is_true(value);
            return self.b.truth_as_int(truth, 8);
        }
        let (signed, to_signed) = (self.unit.types.is_signed(from), self.unit.types.is_signed(to));
        let to = self.scalar(to);
        self.convert(value, signed, to, to_signed)
    }

    // Assignments.

    fn assign(&mut self, place: &Place, value: &Expr) -> ExprId {
        let target = self.target(place);
        let target = self.fix_target(target, value);
        let value = self.value(value);
        if let Target::Plain(local) = target {
            self.take(local, value);
            return self.b.local(local);
        }
        self.write(&target, value, place.ty.ty)
    }

    /// The address was evaluated first; what comes next must not change it.
    fn fix_target(&mut self, target: Target, next: &Expr) -> Target {
        match target {
            Target::Memory(mut access) => {
                access.address = self.keep(access.address, [next]);
                Target::Memory(access)
            }
            Target::Plain(local) => Target::Plain(local),
        }
    }

    fn assign_op(&mut self, place: &Place, op: Binary, value: &Expr, compute: c::TypeId) -> ExprId {
        let target = self.target(place);
        let target = self.fix_target(target, value);
        let right = self.value(value);
        let ty = place.ty.ty;
        self.update(&target, ty, When::After, |f, old| {
            let left = f.convert_c(old, ty, compute);
            let result = f.arithmetic(op, left, right, compute);
            f.convert_c(result, compute, ty)
        })
    }

    fn increment(&mut self, place: &Place, by: Step, when: When, element: Option<&Size>) -> ExprId {
        let target = self.target(place);
        let ty = place.ty.ty;
        if let Some(size) = element {
            let step = self.size(size);
            return self.update(&target, ty, when, |f, old| f.move_pointer(old, step, by == Step::Down));
        }
        let width = match &target {
            Target::Memory(access) => access.ty.bits(),
            Target::Plain(_) => self.scalar(ty).bits(),
        };
        self.update(&target, ty, when, |f, old| f.increment_value(old, ty, width, by))
    }

    /// Plus or minus one in the promoted type, converted back. A bit-field's `width`, not its declared type, decides about promotion.
    fn increment_value(&mut self, old: ExprId, ty: c::TypeId, width: u32, by: Step) -> ExprId {
        if self.unit.types.is_bool(ty) {
            return match by {
                Step::Up => self.b.int(8, 1),
                Step::Down => {
                    let truth = self.b.is_true(old);
                    let negated = self.b.not(truth);
                    self.b.truth_as_int(negated, 8)
                }
            };
        }
        match self.b.ty(old) {
            Scalar::Float(_) => {
                let one = self.b.constant(self.b.ty(old), float_one(self.b.ty(old)));
                self.b.binary(if by == Step::Up { BinaryOp::FAdd } else { BinaryOp::FSub }, old, one)
            }
            Scalar::Int(bits) => {
                let signed = self.unit.types.is_signed(ty);
                let (wide, wide_signed) = if width < 32 { (32.max(bits), true) } else { (bits, signed) };
                let value = self.b.resize(old, wide, signed);
                let one = self.b.int(wide, 1);
                let op = match (by, wide_signed) {
                    (Step::Up, true) => BinaryOp::SAdd,
                    (Step::Up, false) => BinaryOp::Add,
                    (Step::Down, true) => BinaryOp::SSub,
                    (Step::Down, false) => BinaryOp::Sub,
                };
                let sum = self.b.binary(op, value, one);
                self.b.resize(sum, bits, signed)
            }
            Scalar::Pointer(_) => old,
        }
    }

    /// Reads a place, writes what `change` makes of it, and returns the value before or after; atomically if the place is atomic.
    fn update(
        &mut self,
        target: &Target,
        ty: c::TypeId,
        when: When,
        change: impl FnOnce(&mut Self, ExprId) -> ExprId,
    ) -> ExprId {
        if let Target::Memory(access) = target
            && access.order == program::Order::Atomic
        {
            let old = self.temp(access.ty);
            let before = self.b.local(old);
            let new = change(self, before);
            self.emit(Op::Modify(Box::new(program::Modify { access: access.clone(), old, new })));
            return if when == When::Before { before } else { new };
        }
        let before = self.read(target, ty);
        let before = match (target, when) {
            (Target::Plain(_), When::Before) => self.save(before),
            _ => before,
        };
        let new = change(self, before);
        let after = self.write(target, new, ty);
        if when == When::Before { before } else { after }
    }

    // Records.

    /// The address of an object that holds the value of a record expression, until the next edge that could change it.
    pub fn record_value(&mut self, e: &Expr) -> ExprId {
        let outer = std::mem::replace(&mut self.span, e.span);
        let address = self.record_value_inner(e);
        self.span = outer;
        address
    }

    fn record_value_inner(&mut self, e: &Expr) -> ExprId {
        match &e.kind {
            ExprKind::Load(place) => self.address(place),
            ExprKind::Assign(place, value) => self.assign_record(place, value),
            ExprKind::Comma(a, b) => {
                self.effect(a);
                self.record_value(b)
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                let result = self.temp(self.pointer());
                let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
                self.branch(condition, yes, no);
                for (at, arm) in [(yes, then), (no, otherwise)] {
                    self.at = at;
                    let address = self.record_value(arm);
                    self.emit_to(Op::Assign(result, address), end);
                }
                self.at = end;
                self.b.local(result)
            }
            ExprKind::Call { callee, args } => {
                self.call_expression(callee, args, e.ty).unwrap_or_else(|| self.record_temporary(e.ty))
            }
            ExprKind::Statement(body, last, end) => {
                let mut copy = None;
                self.statement_expression(body, last.as_deref(), *end, |f, last| copy = last.map(|e| f.copied_out(e)));
                copy.unwrap_or_else(|| self.record_temporary(e.ty))
            }
            ExprKind::Cast(inner) if self.unit.types.is_record(inner.ty) => self.record_value(inner),
            ExprKind::Cast(inner) => self.cast_to_union(inner, e.ty),
            ExprKind::VaArg(list) => self.va_arg(list, e.ty),
            ExprKind::Atomic(atomic) => self.atomic(atomic, e.ty).unwrap_or_else(|| self.record_temporary(e.ty)),
            _ => self.record_temporary(e.ty),
        }
    }

    /// A new object of a record type, with arbitrary contents.
    pub fn record_temporary(&mut self, ty: c::TypeId) -> ExprId {
        let lowered = self.unit.types.lower(ty);
        let local = self.temporary_object(lowered);
        self.local_address(local)
    }

    /// A value that stays when the locals that it is made of end.
    fn outlasting(&mut self, e: &Expr) -> ExprId {
        let value = self.value(e);
        if self.reads_named_local(value) { self.save(value) } else { value }
    }

    /// The value of a statement expression outlives the scope that it is computed in.
    fn copied_out(&mut self, e: &Expr) -> ExprId {
        let from = self.record_value(e);
        let inner = self.open.pop().expect("inside a statement expression");
        let to = self.record_temporary(e.ty);
        self.open.push(inner);
        self.copy(to, from, c::QualType::plain(e.ty));
        to
    }

    /// GNU: a cast of a scalar to a union that has a member of its type.
    fn cast_to_union(&mut self, value: &Expr, ty: c::TypeId) -> ExprId {
        let to = self.record_temporary(ty);
        if self.unit.types.scalar(value.ty).is_some() {
            let value = self.value(value);
            self.store_at(to, value);
        }
        to
    }

    fn assign_record(&mut self, place: &Place, value: &Expr) -> ExprId {
        let to = self.address(place);
        let to = self.keep(to, [value]);
        let from = self.record_value(value);
        self.copy(to, from, place.ty);
        to
    }
}

/// The bits of 1.0.
fn float_one(ty: Scalar) -> u128 {
    match ty {
        Scalar::Float(FloatKind::F32) => 127 << 23,
        Scalar::Float(FloatKind::F64) => 1023 << 52,
        Scalar::Float(FloatKind::X87In12 | FloatKind::X87In16) => (16383 << 64) | (1 << 63),
        _ => 16383 << 112,
    }
}
