//! Calls of the compiler's own functions, but for atomics.

use base::{Span, Symbol};

use super::words::BuiltinCall;
use super::{Analyzer, Result, error, unsupported};
use crate::ast;
use crate::typed::{
    Builtin, Comparison, Constant, Expr, ExprKind, Init, InitPart, InitValue, LocalId, Place, PlaceKind, Statement,
    StatementKind,
};
use crate::types::{FloatKind, IntKind, QualType, Type, TypeId};
use base::float;

impl Analyzer {
    pub(crate) fn builtin_call(
        &mut self,
        call: BuiltinCall,
        name: Symbol,
        args: &[ast::Expr],
        span: Span,
    ) -> Result<Expr> {
        use BuiltinCall as B;
        self.check_count(call, name, args.len(), span)?;
        match call {
            B::Expect => {
                let value = self.value(&args[0])?;
                self.assignable(value, self.common.long, "argument")
            }
            B::ConstantP => self.constant_p(&args[0], span),
            B::ObjectSize => self.object_size(args, span),
            B::ClassifyType => self.classify_type(&args[0], span),
            B::Same => self.value(&args[0]),
            B::Bits(builtin, kind) => self.bits_builtin(builtin, kind, &args[0], span),
            B::ByteSwap(kind) => self.byte_swap(kind, &args[0], span),
            B::Overflow(builtin, kind) => self.overflow(builtin, kind, args, span),
            B::OverflowP(builtin) => self.overflow_p(builtin, args, span),
            B::Classify(builtin) => {
                let value = self.float_argument(&args[0])?;
                Ok(self.builtin(builtin, vec![value], self.common.int, span))
            }
            B::FpClassify => self.fp_classify(args, span),
            B::CompareFloats(builtin) => self.compare_floats(builtin, args, span),
            B::Fabs(kind) => self.float_function(Builtin::Fabs, kind, args, span),
            B::CopySign(kind) => self.float_function(Builtin::CopySign, kind, args, span),
            B::Infinity(kind) => Ok(self.float_constant(float::infinity(kind), kind, span)),
            B::Nan(kind) => Ok(self.float_constant(float::quiet_nan(kind), kind, span)),
            B::VaStart => self.va_builtin(Builtin::VaStart, &args[..1], span),
            B::VaEnd => self.va_builtin(Builtin::VaEnd, args, span),
            B::VaCopy => self.va_builtin(Builtin::VaCopy, args, span),
            B::Alloca => {
                let size = self.value(&args[0])?;
                let size = self.assignable(size, self.common.size, "argument")?;
                Ok(self.builtin(Builtin::Alloca, vec![size], self.common.void_pointer, span))
            }
            B::Effect(builtin) => self.evaluated(builtin, args, self.common.void, span),
            B::Address(builtin) => self.evaluated(builtin, args, self.common.void_pointer, span),
            B::Atomic(atomic) => self.atomic_call(atomic, args, span),
            B::Refused => {
                let text = format!("‘{}’", self.name(name));
                unsupported(span, &text)
            }
        }
    }

    fn check_count(&self, call: BuiltinCall, name: Symbol, given: usize, span: Span) -> Result<()> {
        use BuiltinCall as B;
        let needed = match call {
            B::Expect | B::ObjectSize | B::VaCopy | B::CompareFloats(_) | B::CopySign(_) => 2,
            B::Overflow(..) | B::OverflowP(_) => 3,
            B::FpClassify => 6,
            B::Infinity(_) | B::Effect(_) | B::Address(_) | B::Atomic(_) | B::Refused => 0,
            _ => 1,
        };
        if given >= needed {
            return Ok(());
        }
        error(span, format!("‘{}’ needs {needed} arguments, {given} are given", self.name(name)))
    }

    fn builtin(&self, builtin: Builtin, args: Vec<Expr>, ty: TypeId, span: Span) -> Expr {
        Expr { kind: ExprKind::Builtin(builtin, args), ty, span }
    }

    fn evaluated(&mut self, builtin: Builtin, args: &[ast::Expr], ty: TypeId, span: Span) -> Result<Expr> {
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.value(arg)?;
            values.push(value);
        }
        Ok(self.builtin(builtin, values, ty, span))
    }

    fn constant_p(&mut self, arg: &ast::Expr, span: Span) -> Result<Expr> {
        let value = self.unevaluated(|this| this.value(arg));
        let value = value?;
        let known = match self.evaluator().evaluate(&value) {
            Some(Constant::Address { base, .. }) => matches!(base, crate::typed::AddressBase::String(_)),
            Some(_) => true,
            None => false,
        };
        Ok(self.int_constant(u128::from(known), self.common.int, span))
    }

    /// Sizes are never known here: minus one, or zero for the kinds that ask for a minimum.
    fn object_size(&mut self, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let kind = self.constant_integer(&args[1], "kind of object size")?;
        let value = if kind & 2 == 0 { u128::MAX } else { 0 };
        let bits = self.types.pointer_bytes() as u32 * 8;
        Ok(self.int_constant(crate::type_query::truncate(value, bits), self.common.size, span))
    }

    fn classify_type(&mut self, arg: &ast::Expr, span: Span) -> Result<Expr> {
        let value = self.unevaluated(|this| this.value(arg));
        let class = match &self.types[value?.ty] {
            Type::Void => 0,
            Type::Bool | Type::Int(_) | Type::Enum(_) => 1,
            Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => 5,
            Type::Float(_) => 8,
            Type::Record(id) => match self.types.records[*id].kind {
                crate::types::RecordKind::Struct => 12,
                crate::types::RecordKind::Union => 13,
            },
        };
        Ok(self.int_constant(class, self.common.int, span))
    }

    fn bits_builtin(&mut self, builtin: Builtin, kind: IntKind, arg: &ast::Expr, span: Span) -> Result<Expr> {
        let ty = self.int_type(kind);
        let value = self.value(arg)?;
        let value = self.assignable(value, ty, "argument")?;
        Ok(self.builtin(builtin, vec![value], self.common.int, span))
    }

    fn byte_swap(&mut self, kind: IntKind, arg: &ast::Expr, span: Span) -> Result<Expr> {
        let long = kind == IntKind::ULongLong && IntKind::ULong.bits(self.types.data_model) == 64;
        let ty = self.int_type(if long { IntKind::ULong } else { kind });
        let value = self.value(arg)?;
        let value = self.assignable(value, ty, "argument")?;
        Ok(self.builtin(Builtin::ByteSwap, vec![value], ty, span))
    }

    fn overflow(&mut self, builtin: Builtin, kind: Option<IntKind>, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let mut left = self.value(&args[0])?;
        let mut right = self.value(&args[1])?;
        let mut pointer = self.value(&args[2])?;
        if let Some(kind) = kind {
            let ty = self.int_type(kind);
            left = self.assignable(left, ty, "argument")?;
            right = self.assignable(right, ty, "argument")?;
            let to = self.types.pointer_to(QualType::plain(ty));
            pointer = self.assignable(pointer, to, "argument")?;
        }
        let stored = self.types.pointee(pointer.ty).is_some_and(|target| self.types.is_integer(target.ty));
        if !stored || !self.types.is_integer(left.ty) || !self.types.is_integer(right.ty) {
            return error(span, "arithmetic with an overflow test needs two integers and a pointer to an integer");
        }
        Ok(self.builtin(builtin, vec![left, right, pointer], self.common.boolean, span))
    }

    fn overflow_p(&mut self, builtin: Builtin, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let values = [self.value(&args[0])?, self.value(&args[1])?, self.value(&args[2])?];
        if values.iter().any(|value| !self.types.is_integer(value.ty)) {
            return error(span, "arithmetic with an overflow test needs integers");
        }
        Ok(self.builtin(builtin, values.into(), self.common.boolean, span))
    }

    fn float_argument(&mut self, arg: &ast::Expr) -> Result<Expr> {
        let value = self.value(arg)?;
        if self.types.float_kind(value.ty).is_some() {
            return Ok(value);
        }
        self.assignable(value, self.common.double, "argument")
    }

    fn compare_floats(&mut self, builtin: Builtin, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let left = self.float_argument(&args[0])?;
        let right = self.float_argument(&args[1])?;
        let (left, right) = self.usual(left, right);
        Ok(self.builtin(builtin, vec![left, right], self.common.int, span))
    }

    fn float_function(&mut self, builtin: Builtin, kind: FloatKind, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let ty = self.float_type(kind);
        let mut values = Vec::with_capacity(args.len());
        for arg in args {
            let value = self.value(arg)?;
            let value = self.assignable(value, ty, "argument")?;
            values.push(value);
        }
        Ok(self.builtin(builtin, values, ty, span))
    }

    fn float_constant(&mut self, bits: u128, kind: FloatKind, span: Span) -> Expr {
        Expr { kind: ExprKind::Constant(Constant::Float(bits)), ty: self.float_type(kind), span }
    }

    /// `(nan, infinite, normal, subnormal, zero, x)`: `x` is evaluated once, into a local.
    fn fp_classify(&mut self, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let value = self.float_argument(&args[5])?;
        let ty = value.ty;
        let mut answers = Vec::with_capacity(5);
        for arg in &args[..5] {
            let answer = self.value(arg)?;
            answers.push(self.assignable(answer, self.common.int, "argument")?);
        }
        if self.current.is_none() {
            return unsupported(span, "‘__builtin_fpclassify’ outside of a function");
        }
        let local = self.new_local(None, QualType::plain(ty), span);
        let mut answers = answers.into_iter();
        let mut next = || Box::new(answers.next().expect("five were made"));
        let (nan, infinite, normal, subnormal, zero) = (next(), next(), next(), next(), next());
        let test =
            |builtin, this: &Self| this.builtin(builtin, vec![this.read(local, ty, span)], this.common.int, span);
        let is_zero = Box::new(self.is_zero(local, ty, span));
        let int = self.common.int;
        let choose = |condition, then, otherwise| Expr {
            kind: ExprKind::Conditional(Box::new(condition), then, Box::new(otherwise)),
            ty: int,
            span,
        };
        let small = Expr { kind: ExprKind::Conditional(is_zero, zero, subnormal), ty: int, span };
        let usual = choose(test(Builtin::IsNormal, self), normal, small);
        let finite = choose(test(Builtin::IsInf, self), infinite, usual);
        let whole = choose(test(Builtin::IsNan, self), nan, finite);
        Ok(self.with_local(local, value, whole))
    }

    fn read(&self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        let place = Place { kind: PlaceKind::Local(local), ty: QualType::plain(ty), span };
        Expr { kind: ExprKind::Load(Box::new(place)), ty, span }
    }

    fn is_zero(&mut self, local: LocalId, ty: TypeId, span: Span) -> Expr {
        let zero = Expr { kind: ExprKind::Constant(Constant::Float(0)), ty, span };
        let left = Box::new(self.read(local, ty, span));
        Expr { kind: ExprKind::Compare(Comparison::Eq, left, Box::new(zero)), ty: self.common.int, span }
    }

    /// `({ T local = value; result; })`
    fn with_local(&self, local: LocalId, value: Expr, result: Expr) -> Expr {
        let (span, ty) = (value.span, QualType::plain(value.ty));
        let part = InitPart { offset: 0, ty, bits: None, repeat: Box::default(), value: InitValue::Value(value) };
        let kind = StatementKind::Declare(local, Some(Init { zero: false, parts: vec![part] }));
        let (whole, end) = (result.ty, result.span);
        let kind = ExprKind::Statement(vec![Statement { kind, span }], Some(Box::new(result)), end);
        Expr { kind, ty: whole, span: end }
    }

    fn va_builtin(&mut self, builtin: Builtin, lists: &[ast::Expr], span: Span) -> Result<Expr> {
        let mut addresses = Vec::with_capacity(lists.len());
        for list in lists {
            let address = self.va_list_address(list)?;
            addresses.push(address);
        }
        Ok(self.builtin(builtin, addresses, self.common.void, span))
    }
}
