//! The operators against the interpreter's table.

use oxidd::{BooleanFunction, VarNo};
use program::{BinaryOp, Cast, Scalar, UnaryOp};
use semantics::ops;
use semantics::{Random, mask};

use super::bits::{Bit, Bits};
use super::operators::Operator;
use super::{DecisionDiagrams, Options};

const SMALL: Options = Options { nodes: 1 << 18, cache: 1 << 14 };

/// Two numbers of free bits, side by side.
struct Operands {
    a: Bits,
    b: Bits,
    first: VarNo,
    width: u32,
}

impl Operands {
    fn new(bdd: &DecisionDiagrams, width: u32, other: u32) -> Operands {
        let first = bdd.diagrams.add_variables(2 * width.max(other));
        let bits = |start: u32, count: u32| -> Bits {
            (0..count).map(|i| Some(bdd.diagrams.variable(first + start + 2 * i).expect("there is room"))).collect()
        };
        Operands { a: bits(0, width), b: bits(1, other), first, width: width.max(other) }
    }

    fn is_true(&self, bit: &Bit, a: u64, b: u64) -> bool {
        let both = (0..self.width)
            .flat_map(|i| [(self.first + 2 * i, a >> i & 1 != 0), (self.first + 2 * i + 1, b >> i & 1 != 0)]);
        bit.as_ref().expect("it is a function").eval(both)
    }

    fn number(&self, bits: &[Bit], a: u64, b: u64) -> u128 {
        bits.iter().enumerate().map(|(i, bit)| u128::from(self.is_true(bit, a, b)) << i).sum()
    }
}

fn operator(bdd: &DecisionDiagrams) -> Operator<'_> {
    Operator::new(&bdd.diagrams, &bdd.diagrams.yes)
}

fn binary_operators() -> impl Iterator<Item = BinaryOp> {
    BinaryOp::OF_INTEGERS.into_iter().chain([BinaryOp::Scale])
}

fn check_binary(bdd: &DecisionDiagrams, op: BinaryOp, width: u32, other: u32, pairs: impl Iterator<Item = (u64, u64)>) {
    let operands = Operands::new(bdd, width, other);
    let mut operator = operator(bdd);
    let result = operator.binary(op, &operands.a, &operands.b).expect("there is room");
    let (ty, right) = (Scalar::Int(width as u8), Scalar::Int(other as u8));
    for (a, b) in pairs {
        let place = format!("{op:?} of {width} bits: {a}, {b}");
        let expected = ops::binary(op, ty, a.into(), right, b.into());
        assert_eq!(operands.is_true(&operator.fault, a, b), expected.is_err(), "{place}: fault");
        if let Ok(expected) = expected {
            assert_eq!(operands.number(&result, a, b), expected, "{place}");
            let overflows = ops::binary_overflows(op, ty, a.into(), b.into());
            assert_eq!(operands.is_true(&operator.overflow, a, b), overflows, "{place}: overflow");
        }
    }
}

#[test]
fn binary_operators_of_few_bits() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    for width in 1..=4 {
        let all = 1 << width;
        for op in binary_operators() {
            check_binary(&bdd, op, width, width, (0..all).flat_map(|a| (0..all).map(move |b| (a, b))));
        }
    }
}

#[test]
fn shifts_by_amounts_of_other_widths() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    for (width, other) in [(5, 2), (3, 6), (8, 4)] {
        for op in [BinaryOp::Shl, BinaryOp::LShr, BinaryOp::AShr] {
            let pairs = (0..1 << width).flat_map(|a| (0..1 << other).map(move |b| (a, b)));
            check_binary(&bdd, op, width, other, pairs);
        }
    }
}

#[test]
fn binary_operators_of_many_bits() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    let mut random = Random::new(1);
    let is_large = |op: &BinaryOp| {
        use BinaryOp::*;
        matches!(op, Mul | SMul | Scale | UDiv | SDiv | URem | SRem | Shl | LShr | AShr)
    };
    for width in [8, 13, 32, 64] {
        let limit = mask(Scalar::Int(width as u8)) as u64;
        let mut pick = || {
            let small = random.below(300) as u64;
            *random.pick(&[small, limit, limit / 2, limit / 2 + 1, limit - small % 7, small << (width / 2)]) & limit
        };
        let pairs: Vec<(u64, u64)> = (0..60).map(|_| (pick(), pick())).collect();
        for op in binary_operators().filter(|op| width <= 8 || !is_large(op)) {
            check_binary(&bdd, op, width, width, pairs.iter().copied());
        }
    }
}

#[test]
fn products_and_quotients_by_constants() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    let (width, ty) = (32, Scalar::Int(32));
    let mut random = Random::new(2);
    for constant in [1, 2, 3, 4, 8, 10, 12, 64, u64::from(u32::MAX)] {
        for op in [BinaryOp::Mul, BinaryOp::SMul, BinaryOp::UDiv, BinaryOp::SDiv, BinaryOp::URem, BinaryOp::SRem] {
            let operands = Operands::new(&bdd, width, width);
            let by = bdd.diagrams.number(constant.into(), width as usize);
            let mut operator = operator(&bdd);
            let result = operator.binary(op, &operands.a, &by).expect("there is room");
            if result.contains(&None) {
                // More than is followed.
                assert!(constant > 64, "{op:?} by {constant}");
                continue;
            }
            for _ in 0..40 {
                let a = random.below(1 << 32) as u64;
                let expected = ops::binary(op, ty, a.into(), ty, constant.into());
                assert_eq!(Ok(operands.number(&result, a, 0)), expected, "{op:?} of {a} by {constant}");
                let overflows = ops::binary_overflows(op, ty, a.into(), constant.into());
                assert_eq!(operands.is_true(&operator.overflow, a, 0), overflows, "{op:?} of {a} by {constant}");
            }
        }
    }
}

#[test]
fn unary_operators_and_casts() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    let unary = [
        UnaryOp::Neg,
        UnaryOp::SNeg,
        UnaryOp::Not,
        UnaryOp::LeadingZeros,
        UnaryOp::TrailingZeros,
        UnaryOp::PopCount,
        UnaryOp::ByteSwap,
    ];
    // A count of all bits must fit.
    for width in [3, 4, 8, 16] {
        let operands = Operands::new(&bdd, width, width);
        let ty = Scalar::Int(width as u8);
        for op in unary.into_iter().filter(|op| *op != UnaryOp::ByteSwap || width % 8 == 0) {
            let mut operator = operator(&bdd);
            let result = operator.unary(op, &operands.a).expect("there is room");
            for a in (0..1 << width).step_by(if width == 16 { 37 } else { 1 }) {
                assert_eq!(operands.number(&result, a, 0), ops::unary(op, ty, a.into()), "{op:?} of {a}");
                let overflows = ops::unary_overflows(op, ty, a.into());
                assert_eq!(operands.is_true(&operator.overflow, a, 0), overflows, "{op:?} of {a}");
            }
        }
        for to in [2, width, 20] {
            let wide = Scalar::Int(to as u8);
            for a in 0..1 << width.min(8) {
                let extended = bdd.diagrams.sign_extended(&operands.a, to as usize);
                let expected = ops::cast(if to < width { Cast::Trunc } else { Cast::SExt }, ty, wide, a.into());
                assert_eq!(Ok(operands.number(&extended, a, 0)), expected);
                let extended = bdd.diagrams.zero_extended(&operands.a, to as usize);
                let expected = ops::cast(if to < width { Cast::Trunc } else { Cast::ZExt }, ty, wide, a.into());
                assert_eq!(Ok(operands.number(&extended, a, 0)), expected);
            }
        }
    }
}

#[test]
fn bits_that_may_be_either_stay_so() {
    let program = testing::program("int main(void) { return 0; }");
    let bdd = DecisionDiagrams::new(&program, SMALL);
    let mut random = Random::new(3);
    let width = 4;
    for op in binary_operators() {
        for _ in 0..20 {
            let (free, other) = (random.below(16) as u64, random.below(16) as u64);
            let operands = Operands::new(&bdd, width, width);
            let hidden = |bits: &[Bit], free: u64| -> Bits {
                bits.iter().enumerate().map(|(i, bit)| bit.clone().filter(|_| free >> i & 1 == 0)).collect()
            };
            let (a, b) = (hidden(&operands.a, free), hidden(&operands.b, other));
            let mut operator = operator(&bdd);
            let result = operator.binary(op, &a, &b).expect("there is room");
            let ty = Scalar::Int(width as u8);
            // Whatever hidden bits are, a bit with a function is right.
            for (a, b) in (0..16).flat_map(|a| (0..16).map(move |b| (a, b))) {
                let allows = |bit: &Bit, truth: bool| bit.is_none() || operands.is_true(bit, a, b) == truth;
                let expected = ops::binary(op, ty, a.into(), ty, b.into());
                assert!(allows(&operator.fault, expected.is_err()), "{op:?}: {a}, {b}");
                let Ok(expected) = expected else { continue };
                for (i, bit) in result.iter().enumerate() {
                    assert!(allows(bit, expected >> i & 1 != 0), "{op:?}: {a}, {b}, bit {i}");
                }
                let overflows = ops::binary_overflows(op, ty, a.into(), b.into());
                assert!(allows(&operator.overflow, overflows), "{op:?}: {a}, {b}: overflow");
            }
        }
    }
}
