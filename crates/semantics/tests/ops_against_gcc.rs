//! The operator table against what gcc's code computes on this machine.

mod support;

use std::fmt::Write;

use program::{BinaryOp, Cast, FloatKind, Scalar, UnaryOp};
use semantics::ops;
use support::{Random, output_of_c};

const PAIRS: usize = 500;

/// One C expression over `a` and `b` (signed or floating) and `ua` and `ub` (unsigned), and the operator that it means.
struct Case {
    expression: String,
    operator: Operator,
    left: Scalar,
    right: Scalar,
    result: Scalar,
}

#[derive(Clone, Copy, Debug)]
enum Operator {
    Unary(UnaryOp),
    Binary(BinaryOp),
    Cast(Cast),
}

struct Row {
    case: usize,
    a: u128,
    b: u128,
    expected: u128,
}

const INTEGERS: [Scalar; 5] = [Scalar::Int(8), Scalar::Int(16), Scalar::Int(32), Scalar::Int(64), Scalar::Int(128)];
const FLOATS: [Scalar; 4] = [
    Scalar::Float(FloatKind::F32),
    Scalar::Float(FloatKind::F64),
    Scalar::Float(FloatKind::X87In16),
    Scalar::Float(FloatKind::F128),
];

#[test]
fn operators_compute_what_gcc_computes() {
    let mut cases = Vec::new();
    INTEGERS.iter().for_each(|&ty| integer_cases(ty, &mut cases));
    FLOATS.iter().for_each(|&ty| float_cases(ty, &mut cases));
    conversion_cases(&mut cases);
    let rows = rows(&cases);
    let Some(output) = output_of_c("operators", &source(&cases), &["-lm"], &input(&rows)) else { return };
    let output = String::from_utf8(output).expect("the program prints text");
    let mut wrong = String::new();
    for (row, line) in rows.iter().zip(output.lines()) {
        let got = u128::from_str_radix(line, 16).expect("a number in hexadecimal");
        let case = &cases[row.case];
        if got != row.expected {
            let (operator, expression, left) = (case.operator, &case.expression, case.left);
            let (a, b, expected) = (row.a, row.b, row.expected);
            writeln!(wrong, "{operator:?} ({expression}) {left:?} {a:#x} {b:#x}: {expected:#x}, gcc: {got:#x}")
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(output.lines().count(), rows.len());
    assert!(rows.len() > 5000);
}

fn integer_cases(ty: Scalar, cases: &mut Vec<Case>) {
    let mut add = |expression: &str, operator, result| {
        cases.push(Case { expression: expression.to_owned(), operator, left: ty, right: ty, result });
    };
    for (expression, op) in [
        ("a + b", BinaryOp::SAdd),
        ("ua + ub", BinaryOp::Add),
        ("a - b", BinaryOp::SSub),
        ("ua - ub", BinaryOp::Sub),
        ("a * b", BinaryOp::SMul),
        // Two shorts promoted would overflow as ints.
        ("1u * ua * ub", BinaryOp::Mul),
        ("ua / ub", BinaryOp::UDiv),
        ("a / b", BinaryOp::SDiv),
        ("ua % ub", BinaryOp::URem),
        ("a % b", BinaryOp::SRem),
        ("a & b", BinaryOp::And),
        ("a | b", BinaryOp::Or),
        ("a ^ b", BinaryOp::Xor),
        ("a << ub", BinaryOp::Shl),
        ("ua >> ub", BinaryOp::LShr),
        ("a >> ub", BinaryOp::AShr),
    ] {
        add(expression, Operator::Binary(op), ty);
    }
    for (expression, op) in [
        ("a == b", BinaryOp::Eq),
        ("ua < ub", BinaryOp::ULt),
        ("ua <= ub", BinaryOp::ULe),
        ("a < b", BinaryOp::SLt),
        ("a <= b", BinaryOp::SLe),
    ] {
        add(expression, Operator::Binary(op), Scalar::BOOL);
    }
    for (expression, op) in [("-a", UnaryOp::SNeg), ("-ua", UnaryOp::Neg), ("~a", UnaryOp::Not)] {
        add(expression, Operator::Unary(op), ty);
    }
    let builtin = match ty.bits() {
        16 => Some(("__builtin_bswap16(ua)", "__builtin_popcount(ua)")),
        32 => Some(("__builtin_bswap32(ua)", "__builtin_popcount(ua)")),
        64 => Some(("__builtin_bswap64(ua)", "__builtin_popcountll(ua)")),
        _ => None,
    };
    if let Some((swap, count)) = builtin {
        add(swap, Operator::Unary(UnaryOp::ByteSwap), ty);
        add(count, Operator::Unary(UnaryOp::PopCount), ty);
    }
    if ty.bits() == 64 {
        add("ua ? __builtin_clzll(ua) : 64", Operator::Unary(UnaryOp::LeadingZeros), ty);
        add("ua ? __builtin_ctzll(ua) : 64", Operator::Unary(UnaryOp::TrailingZeros), ty);
    }
}

fn float_cases(ty: Scalar, cases: &mut Vec<Case>) {
    let suffix = match ty.bits() {
        32 => "f",
        64 => "",
        80 => "l",
        _ => "f128",
    };
    let mut add = |expression: String, operator, result| {
        cases.push(Case { expression, operator, left: ty, right: ty, result });
    };
    for (symbol, op) in [("+", BinaryOp::FAdd), ("-", BinaryOp::FSub), ("*", BinaryOp::FMul), ("/", BinaryOp::FDiv)] {
        add(format!("a {symbol} b"), Operator::Binary(op), ty);
    }
    for (name, op) in [
        ("fmod", BinaryOp::FRem),
        ("fmin", BinaryOp::FMin),
        ("fmax", BinaryOp::FMax),
        ("copysign", BinaryOp::FCopySign),
    ] {
        add(format!("{name}{suffix}(a, b)"), Operator::Binary(op), ty);
    }
    for (symbol, op) in [("==", BinaryOp::Eq), ("<", BinaryOp::FLt), ("<=", BinaryOp::FLe)] {
        add(format!("a {symbol} b"), Operator::Binary(op), Scalar::BOOL);
    }
    for (name, op) in [
        ("-", UnaryOp::FNeg),
        ("fabs", UnaryOp::FAbs),
        ("sqrt", UnaryOp::FSqrt),
        ("floor", UnaryOp::FFloor),
        ("ceil", UnaryOp::FCeil),
        ("trunc", UnaryOp::FTrunc),
        ("round", UnaryOp::FRound),
    ] {
        let suffix = if name == "-" { "" } else { suffix };
        add(format!("{name}{suffix}(a)"), Operator::Unary(op), ty);
    }
    for (name, op) in [("isnan", UnaryOp::FIsNan), ("isinf", UnaryOp::FIsInf), ("signbit", UnaryOp::FSignBit)] {
        add(format!("__builtin_{name}(a) != 0"), Operator::Unary(op), Scalar::BOOL);
    }
}

fn conversion_cases(cases: &mut Vec<Case>) {
    let mut add = |expression: &str, cast, left, result| {
        let (expression, operator) = (expression.to_owned(), Operator::Cast(cast));
        cases.push(Case { expression, operator, left, right: left, result });
    };
    for from in INTEGERS {
        for to in INTEGERS {
            if from.bits() < to.bits() {
                add("a", Cast::SExt, from, to);
                add("ua", Cast::ZExt, from, to);
            } else if from.bits() > to.bits() {
                add("a", Cast::Trunc, from, to);
            }
        }
        for float in FLOATS {
            add("a", Cast::SignedToFloat, from, float);
            add("ua", Cast::UnsignedToFloat, from, float);
            add(&format!("({}) a", signed_name(from)), Cast::FloatToSigned, float, from);
            add(&format!("(unsigned {}) a", signed_name(from)), Cast::FloatToUnsigned, float, from);
        }
    }
    for from in FLOATS {
        for to in FLOATS {
            if from != to {
                add("a", Cast::FloatToFloat, from, to);
            }
        }
    }
}

fn signed_name(ty: Scalar) -> &'static str {
    match ty {
        Scalar::Int(1) => "_Bool",
        Scalar::Int(8) => "char",
        Scalar::Int(16) => "short",
        Scalar::Int(32) => "int",
        Scalar::Int(64) => "long",
        Scalar::Float(FloatKind::F32) => "float",
        Scalar::Float(FloatKind::F64) => "double",
        Scalar::Float(FloatKind::X87In16) => "long double",
        Scalar::Float(FloatKind::F128) => "__float128",
        _ => "__int128",
    }
}

fn unsigned_name(ty: Scalar) -> String {
    let sign = if matches!(ty, Scalar::Int(8..)) { "unsigned " } else { "" };
    format!("{sign}{}", signed_name(ty))
}

fn source(cases: &[Case]) -> String {
    let mut text = String::from(
        "#define _GNU_SOURCE\n#include <stdio.h>\n#include <string.h>\n#include <math.h>\n\
         static void get(void *to, unsigned size) {\n  unsigned long high, low; unsigned char bytes[16];\n\
         if (scanf(\"%16lx%16lx\", &high, &low) != 2) return;\n\
         memcpy(bytes, &low, 8); memcpy(bytes + 8, &high, 8); memcpy(to, bytes, size);\n}\n\
         static void put(void *from, unsigned size) {\n\
         for (unsigned i = size; i-- > 0;) printf(\"%02x\", ((unsigned char *)from)[i]);\n putchar('\\n');\n}\n",
    );
    text.push_str("int main() { int which; while (scanf(\"%d\", &which) == 1) switch (which) {\n");
    for (index, case) in cases.iter().enumerate() {
        let (left, right, result) = (signed_name(case.left), signed_name(case.right), signed_name(case.result));
        let (uleft, uright) = (unsigned_name(case.left), unsigned_name(case.right));
        let (size, right_size, result_size) = (bytes(case.left), bytes(case.right), bytes(case.result));
        writeln!(
            text,
            "case {index}: {{ {left} a; {right} b; {uleft} ua; {uright} ub; {result} r;\n\
             get(&a, {size}); get(&b, {right_size}); memcpy(&ua, &a, {size}); memcpy(&ub, &b, {right_size});\n\
             r = {}; put(&r, {result_size}); break; }}",
            case.expression
        )
        .unwrap();
    }
    text.push_str("} }\n");
    text
}

fn bytes(ty: Scalar) -> u32 {
    ty.bits().div_ceil(8)
}

fn rows(cases: &[Case]) -> Vec<Row> {
    let mut random = Random(1);
    let mut rows = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        for _ in 0..PAIRS {
            let (a, mut b) = (value(&mut random, case.left), value(&mut random, case.right));
            if matches!(case.operator, Operator::Binary(BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)) {
                b %= u128::from(case.left.bits());
            }
            rows.extend(expected(case, a, b).map(|expected| Row { case: index, a, b, expected }));
        }
    }
    rows
}

/// `None` where C leaves the result open, and where the machine traps.
fn expected(case: &Case, a: u128, b: u128) -> Option<u128> {
    if order_of_operands_shows(case, a, b) {
        return None;
    }
    match case.operator {
        Operator::Unary(op) => Some(ops::unary(op, case.left, a)),
        Operator::Binary(op) => {
            let traps = matches!(op, BinaryOp::SDiv | BinaryOp::SRem) && ops::binary_overflows(op, case.left, a, b);
            if traps { None } else { ops::binary(op, case.left, a, case.right, b).ok() }
        }
        Operator::Cast(cast) => ops::cast(cast, case.left, case.result, a).ok(),
    }
}

/// gcc may swap the operands of a sum or product, and SSE takes the first of two NaNs.
fn order_of_operands_shows(case: &Case, a: u128, b: u128) -> bool {
    let is_nan = |value| ops::unary(UnaryOp::FIsNan, case.left, value) != 0;
    let commutes = matches!(case.operator, Operator::Binary(BinaryOp::FAdd | BinaryOp::FMul));
    commutes && case.left.bits() <= 64 && is_nan(a) && is_nan(b)
}

fn value(random: &mut Random, ty: Scalar) -> u128 {
    match ty {
        Scalar::Float(FloatKind::F32) => random.float(8, 23, false),
        Scalar::Float(FloatKind::F64) => random.float(11, 52, false),
        Scalar::Float(FloatKind::X87In12 | FloatKind::X87In16) => random.float(15, 63, true),
        Scalar::Float(FloatKind::F128) => random.float(15, 112, false),
        Scalar::Int(_) | Scalar::Pointer(_) => random.integer(ty.bits()),
    }
}

fn input(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let halves = |value: u128| format!("{:016x} {:016x}", (value >> 64) as u64, value as u64);
        writeln!(text, "{} {} {}", row.case, halves(row.a), halves(row.b)).unwrap();
    }
    text
}
