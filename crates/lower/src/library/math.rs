//! Floating-point functions: those that IEEE defines exactly as expressions, the others with an arbitrary result.

use program::{BinaryOp, Cast, ExprId, FloatKind, Input, Scalar, UnaryOp};

use super::given::INT;
use super::{Given, Model, any_result};
use crate::fold::Fold;
use crate::function::FunctionLowerer;

const H: &str = "math.h";

/// Which of the three variants of a function.
#[derive(Clone, Copy)]
enum Width {
    Float,
    Double,
    LongDouble,
}

macro_rules! models {
    (
        exact: $($name:literal $lower:expr;)*
        approximate: $($any:literal)*;
        prefixed: $($internal:literal $inner:expr;)*
        others: $($other:expr,)*
    ) => {
        pub const MODELS: &[Model] = &[
            $(
                exact(concat!($name, "f"), |f, g| Some($lower(f, g, Width::Float))),
                exact($name, |f, g| Some($lower(f, g, Width::Double))),
                exact(concat!($name, "l"), |f, g| Some($lower(f, g, Width::LongDouble))),
            )*
            $( any(concat!($any, "f")), any($any), any(concat!($any, "l")), )*
            $(
                exact(concat!($internal, "f"), |f, g| Some($inner(f, g, Width::Float))),
                exact($internal, |f, g| Some($inner(f, g, Width::Double))),
                exact(concat!($internal, "l"), |f, g| Some($inner(f, g, Width::LongDouble))),
            )*
            $($other,)*
        ];
    };
}

const fn exact(name: &'static str, lower: super::Lower) -> Model {
    Model::primitive(name, H, "exact", lower)
}

const fn any(name: &'static str) -> Model {
    Model::primitive(name, H, "any value, or an error", |f, g| {
        f.may_set_errno(Input::Doubt);
        Some(any_result(f, g.result, Input::Unknown))
    })
    .over()
}

models! {
    exact:
        "fabs" |f, g, w| unary(f, g, w, UnaryOp::FAbs);
        "sqrt" |f, g, w| or_domain_error(f, g, w, |f, g, w| unary(f, g, w, UnaryOp::FSqrt));
        "floor" |f, g, w| unary(f, g, w, UnaryOp::FFloor);
        "ceil" |f, g, w| unary(f, g, w, UnaryOp::FCeil);
        "trunc" |f, g, w| unary(f, g, w, UnaryOp::FTrunc);
        "round" |f, g, w| unary(f, g, w, UnaryOp::FRound);
        "fmin" |f, g, w| binary(f, g, w, BinaryOp::FMin);
        "fmax" |f, g, w| binary(f, g, w, BinaryOp::FMax);
        "fmod" |f, g, w| or_domain_error(f, g, w, |f, g, w| binary(f, g, w, BinaryOp::FRem));
        "copysign" |f, g, w| binary(f, g, w, BinaryOp::FCopySign);
        "fdim" fdim;
        "modf" modf;
        "nan" |f, _: &Given<'_>, w| number(f, f64::NAN, w);
        "rint" round_even;
        "nearbyint" round_even;
        "roundeven" round_even;
        "lround" |f, g, w| long_round(f, g, w, Rounding::Away);
        "lrint" |f, g, w| long_round(f, g, w, Rounding::Even);
        "llround" |f, g, w| long_long_round(f, g, w, Rounding::Away);
        "llrint" |f, g, w| long_long_round(f, g, w, Rounding::Even);
        "isnan" |f, g, w| classify(f, g, w, UnaryOp::FIsNan);
        "isinf" is_infinite;
        "finite" is_finite;
    approximate:
        "sin" "cos" "tan" "asin" "acos" "atan" "atan2" "sinh" "cosh" "tanh" "asinh" "acosh" "atanh" "exp" "exp2" "exp10"
        "expm1" "log" "log2" "log10" "log1p" "logb" "pow" "cbrt" "hypot" "erf" "erfc" "tgamma" "lgamma" "fma" "ldexp"
        "scalbn" "scalbln" "nextafter" "remainder" "drem" "ilogb" "significand";
    prefixed:
        "__isnan" |f, g, w| classify(f, g, w, UnaryOp::FIsNan);
        "__isinf" is_infinite;
        "__finite" is_finite;
        "__isfinite" is_finite;
        "__signbit" |f, g, w| classify(f, g, w, UnaryOp::FSignBit);
        "__fpclassify" fp_classify;
    others:
        Model::primitive("frexpf", H, "any value and exponent", |f, g| Some(frexp(f, g, Width::Float))).over(),
        Model::primitive("frexp", H, "any value and exponent", |f, g| Some(frexp(f, g, Width::Double))).over(),
        Model::primitive("frexpl", H, "any value and exponent", |f, g| Some(frexp(f, g, Width::LongDouble))).over(),
}

#[derive(Clone, Copy)]
enum Rounding {
    /// Halves away from zero.
    Away,
    Even,
}

fn float(f: &FunctionLowerer<'_, '_>, width: Width) -> Scalar {
    Scalar::Float(match (width, f.word_bits()) {
        (Width::Float, _) => FloatKind::F32,
        (Width::Double, _) => FloatKind::F64,
        (Width::LongDouble, 64) => FloatKind::X87In16,
        (Width::LongDouble, _) => FloatKind::X87In12,
    })
}

/// Some values are none of its domain: which ones is left open.
fn or_domain_error(
    f: &mut FunctionLowerer<'_, '_>,
    g: &Given<'_>,
    width: Width,
    lower: fn(&mut FunctionLowerer<'_, '_>, &Given<'_>, Width) -> ExprId,
) -> ExprId {
    f.may_set_errno(Input::Doubt);
    lower(f, g, width)
}

fn operand(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, index: usize, width: Width) -> ExprId {
    let ty = float(f, width);
    f.arg_as(g, index, ty, false)
}

/// A small number or a half, exact in every format.
fn number(f: &mut FunctionLowerer<'_, '_>, value: f64, width: Width) -> ExprId {
    let constant = f.b.constant(Scalar::Float(FloatKind::F64), u128::from(value.to_bits()));
    let ty = float(f, width);
    f.b.cast(Cast::FloatToFloat, ty, constant)
}

fn unary(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, op: UnaryOp) -> ExprId {
    let x = operand(f, g, 0, width);
    f.b.unary(op, x)
}

fn binary(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, op: BinaryOp) -> ExprId {
    let (x, y) = (operand(f, g, 0, width), operand(f, g, 1, width));
    f.b.binary(op, x, y)
}

/// The positive difference; NaN if one of them is.
fn fdim(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let (x, y) = (operand(f, g, 0, width), operand(f, g, 1, width));
    let (less, difference) = (f.b.binary(BinaryOp::FLe, x, y), f.b.binary(BinaryOp::FSub, x, y));
    let zero = number(f, 0.0, width);
    f.b.if_else(less, zero, difference)
}

/// Stores the integral part and gives the rest, both with the sign of the operand.
fn modf(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let (x, to) = (operand(f, g, 0, width), f.pointer_arg(g, 1));
    let whole = f.b.unary(UnaryOp::FTrunc, x);
    f.store_at(to, whole);
    let (rest, zero) = (f.b.binary(BinaryOp::FSub, x, whole), number(f, 0.0, width));
    let infinite = f.b.unary(UnaryOp::FIsInf, x);
    let rest = f.b.if_else(infinite, zero, rest);
    f.b.binary(BinaryOp::FCopySign, rest, x)
}

fn frexp(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let (to, exponent) = (f.pointer_arg(g, 1), f.arbitrary(INT, Input::Imprecise));
    f.store_at(to, exponent);
    let ty = float(f, width);
    f.arbitrary(ty, Input::Imprecise)
}

fn round_even(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let x = operand(f, g, 0, width);
    even(f, x, width)
}

/// To the nearest integer, halves to the even one; the sign survives also for zero.
fn even(f: &mut FunctionLowerer<'_, '_>, x: ExprId, width: Width) -> ExprId {
    let (half, one, two, zero) =
        (number(f, 0.5, width), number(f, 1.0, width), number(f, 2.0, width), number(f, 0.0, width));
    let low = f.b.unary(UnaryOp::FFloor, x);
    let high = f.b.binary(BinaryOp::FAdd, low, one);
    let above = f.b.binary(BinaryOp::FSub, x, low);
    let parity = f.b.binary(BinaryOp::FRem, low, two);
    let is_even = f.b.binary(BinaryOp::Eq, parity, zero);
    let (below_half, above_half) = (f.b.binary(BinaryOp::FLt, above, half), f.b.binary(BinaryOp::FLt, half, above));
    let middle = f.b.if_else(is_even, low, high);
    let upper = f.b.if_else(above_half, high, middle);
    let rounded = f.b.if_else(below_half, low, upper);
    f.b.binary(BinaryOp::FCopySign, rounded, x)
}

fn rounded(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, rounding: Rounding) -> ExprId {
    let x = operand(f, g, 0, width);
    match rounding {
        Rounding::Away => f.b.unary(UnaryOp::FRound, x),
        Rounding::Even => even(f, x, width),
    }
}

fn long_round(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, rounding: Rounding) -> ExprId {
    let (x, word) = (rounded(f, g, width, rounding), f.word());
    f.b.cast(Cast::FloatToSigned, word, x)
}

fn long_long_round(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, rounding: Rounding) -> ExprId {
    let x = rounded(f, g, width, rounding);
    f.b.cast(Cast::FloatToSigned, Scalar::Int(64), x)
}

fn classify(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width, op: UnaryOp) -> ExprId {
    let truth = unary(f, g, width, op);
    f.b.truth_as_int(truth, 32)
}

/// -1 for minus infinity, as glibc has it.
fn is_infinite(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let x = operand(f, g, 0, width);
    let (infinite, negative) = (f.b.unary(UnaryOp::FIsInf, x), f.b.unary(UnaryOp::FSignBit, x));
    let (minus, plus, no) = (f.int(-1), f.int(1), f.int(0));
    let signed = f.b.if_else(negative, minus, plus);
    f.b.if_else(infinite, signed, no)
}

fn is_finite(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let x = operand(f, g, 0, width);
    let (infinite, nan) = (f.b.unary(UnaryOp::FIsInf, x), f.b.unary(UnaryOp::FIsNan, x));
    let (bounded, number) = (f.b.not(infinite), f.b.not(nan));
    let finite = f.b.binary(BinaryOp::And, bounded, number);
    f.b.truth_as_int(finite, 32)
}

/// FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL are 0 to 4.
fn fp_classify(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>, width: Width) -> ExprId {
    let x = operand(f, g, 0, width);
    let (least, zero) = (least_normal(f, width), number(f, 0.0, width));
    let magnitude = f.b.unary(UnaryOp::FAbs, x);
    let tests = [
        (f.b.binary(BinaryOp::FLt, magnitude, least), 3),
        (f.b.binary(BinaryOp::Eq, x, zero), 2),
        (f.b.unary(UnaryOp::FIsInf, x), 1),
        (f.b.unary(UnaryOp::FIsNan, x), 0),
    ];
    let mut class = f.int(4);
    for (test, value) in tests {
        let value = f.int(value);
        class = f.b.if_else(test, value, class);
    }
    class
}

/// The least positive normal number: the lowest bit of the exponent, and for x87 the explicit leading bit.
fn least_normal(f: &mut FunctionLowerer<'_, '_>, width: Width) -> ExprId {
    let ty = float(f, width);
    let bits = match width {
        Width::Float => 1 << 23,
        Width::Double => 1 << 52,
        Width::LongDouble => (1 << 64) | (1 << 63),
    };
    f.b.constant(ty, bits)
}
