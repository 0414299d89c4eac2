//! What precision is for.

use program::{BinaryOp, Cast};

use super::super::{Outcome, Range, binary, cast, refine};

fn constant(value: i64) -> Range {
    Range::constant(32, value as u64)
}

fn value(op: BinaryOp, a: Range, b: Range) -> Range {
    binary(op, a, b).value().unwrap()
}

#[test]
fn joins_of_constants_have_strides() {
    let range = constant(8).join(constant(32));
    assert_eq!((range.stride(), range.remainder()), (24, 8));
    assert!(!range.contains(16));
    let range = range.join(constant(-4));
    assert_eq!((range.stride(), range.remainder()), (12, 8));
}

#[test]
fn arithmetic_with_constants_keeps_strides() {
    let elements = Range::strided(32, 0, 120, 12);
    assert_eq!(value(BinaryOp::Add, elements, constant(5)), Range::strided(32, 5, 125, 12));
    assert_eq!(value(BinaryOp::Sub, elements, constant(5)), Range::strided(32, -5, 115, 12));
    assert_eq!(value(BinaryOp::Mul, elements, constant(-3)), Range::strided(32, -360, 0, 36));
    assert_eq!(value(BinaryOp::Shl, elements, constant(2)), Range::strided(32, 0, 480, 48));
    assert_eq!(value(BinaryOp::LShr, elements, constant(2)), Range::strided(32, 0, 30, 3));
    assert_eq!(value(BinaryOp::SDiv, elements, constant(-4)), Range::strided(32, -30, 0, 3));
    assert_eq!(value(BinaryOp::URem, elements, constant(8)), Range::strided(32, 0, 4, 4));
    assert_eq!(value(BinaryOp::URem, elements, constant(500)), elements);
}

#[test]
fn arithmetic_that_wraps_keeps_powers_of_two() {
    let product = value(BinaryOp::Mul, Range::top(32), constant(12));
    assert_eq!((product.stride(), product.remainder()), (4, 0));
    let sum = value(BinaryOp::Add, product, constant(3));
    assert_eq!((sum.stride(), sum.remainder()), (4, 3));
}

#[test]
fn unsigned_ranges_survive_the_sign_boundary() {
    let range = Range::unsigned(8, 100, 200);
    assert_eq!(value(BinaryOp::Add, range, Range::constant(8, 50)), Range::unsigned(8, 150, 250));
    assert_eq!(value(BinaryOp::UDiv, range, Range::constant(8, 10)), Range::unsigned(8, 10, 20));
    assert_eq!(value(BinaryOp::ULt, range, Range::constant(8, 201)), Range::truth(true));
}

#[test]
fn masks_bound_and_align() {
    let top = Range::top(32);
    assert_eq!(value(BinaryOp::And, top, constant(7)), Range::signed(32, 0, 7));
    assert_eq!(value(BinaryOp::And, top, constant(0x38)), Range::strided(32, 0, 0x38, 8));
    assert_eq!(value(BinaryOp::And, Range::signed(32, 5, 9), constant(255)), Range::signed(32, 5, 9));
    assert_eq!(value(BinaryOp::And, Range::signed(32, 5, 21), constant(-4)), Range::strided(32, 4, 20, 4));
    assert_eq!(value(BinaryOp::Or, Range::strided(32, 0, 120, 12), constant(3)), Range::strided(32, 3, 123, 12));
    assert_eq!(value(BinaryOp::Xor, Range::signed(32, 10, 20), constant(-1)), Range::signed(32, -21, -11));
}

#[test]
fn casts_keep_what_fits() {
    let range = Range::strided(32, -30, 30, 6);
    assert_eq!(cast(Cast::SExt, range, 64), Some(Range::strided(64, -30, 30, 6)));
    assert_eq!(cast(Cast::Trunc, range, 8), Some(Range::strided(8, -30, 30, 6)));
    assert_eq!(cast(Cast::ZExt, Range::unsigned(8, 100, 200), 32), Some(Range::signed(32, 100, 200)));
    assert_eq!(cast(Cast::Trunc, Range::signed(32, 100, 200), 8), Some(Range::unsigned(8, 100, 200)));
    assert_eq!(cast(Cast::FloatToSigned, range, 8), None);
    assert_eq!(cast(Cast::SExt, range, 128), None);
}

#[test]
fn equality_is_decided_where_it_can_be() {
    let (even, odd) = (Range::strided(32, -100, 100, 2), Range::strided(32, -99, 99, 2));
    assert_eq!(value(BinaryOp::Eq, even, odd), Range::truth(false));
    assert_eq!(value(BinaryOp::Eq, even, Range::signed(32, 101, 200)), Range::truth(false));
    assert_eq!(value(BinaryOp::Eq, even, even), Range::top(1));
    let (threes, fives) = (Range::strided(32, 1, 1000, 3), Range::strided(32, 2, 1000, 5));
    assert_eq!(threes.meet(fives), Some(Range::strided(32, 7, 1000, 15)));
}

#[test]
fn operators_without_a_value() {
    let (top, zero) = (Range::top(32), constant(0));
    assert_eq!(binary(BinaryOp::SDiv, top, zero), Outcome::Never);
    assert_eq!(binary(BinaryOp::URem, constant(1), zero), Outcome::Never);
    assert_eq!(binary(BinaryOp::Shl, top, Range::signed(32, 32, 40)), Outcome::Never);
    assert_eq!(binary(BinaryOp::FAdd, top, top), Outcome::Foreign);
}

#[test]
fn refinement_narrows_both_sides() {
    let (index, size) = (Range::top(32), Range::signed(32, 1, 10));
    let (index, _) = refine(BinaryOp::SLt, true, index, size).unwrap();
    assert_eq!(index.max_signed(), 9);
    let (index, size) = refine(BinaryOp::SLt, false, index, constant(0)).map(|(index, _)| (index, size)).unwrap();
    assert_eq!(index, Range::signed(32, 0, 9));
    let (index, _) = refine(BinaryOp::Eq, false, index, constant(0)).unwrap();
    assert_eq!(index, Range::signed(32, 1, 9));
    assert_eq!(refine(BinaryOp::ULt, true, size, constant(0)), None);
}

#[test]
fn widening_stops_at_thresholds() {
    let counter = constant(0).widen(constant(0).join(constant(4)), &[10]);
    assert_eq!(counter, Range::strided(32, 0, 8, 4));
    let counter = counter.widen(Range::strided(32, 4, 12, 4), &[10]);
    assert_eq!(counter, Range::strided(32, 0, i32::MAX.into(), 4));
    let counter = Range::signed(8, 5, 6).widen(Range::unsigned(8, 5, 128), &[]);
    assert_eq!(counter, Range::unsigned(8, 5, 255));
}
