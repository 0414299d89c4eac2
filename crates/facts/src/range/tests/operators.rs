//! Operators on all ranges of few bits: sound, monotone, and where that is promised exact.

use program::{BinaryOp, Cast, Scalar, UnaryOp};
use semantics::ops;

use super::super::{Outcome, Range, binary, cast, may_overflow_binary, may_overflow_unary, refine, unary};
use super::{COMPARISONS, Members, UNARY, all_ranges, around, least_ranges, members, values};

fn int(bits: u32) -> Scalar {
    Scalar::Int(bits as u8)
}

fn apply(op: BinaryOp, bits: u32, a: u64, b_bits: u32, b: u64) -> Option<u64> {
    ops::binary(op, int(bits), a.into(), int(b_bits), b.into()).ok().map(|value| value as u64)
}

fn result_bits(op: BinaryOp, bits: u32) -> u32 {
    if COMPARISONS.contains(&op) { 1 } else { bits }
}

fn is_exact(op: BinaryOp) -> bool {
    COMPARISONS.contains(&op)
}

/// For each value on the left, what the operator makes of it and any of the members on the right.
fn images(op: BinaryOp, bits: u32, right_bits: u32, right: Members) -> Vec<Members> {
    let image =
        |a| values(right).filter_map(|b| apply(op, bits, a, right_bits, b)).fold(0, |set, value| set | 1 << value);
    (0..1 << bits).map(image).collect()
}

/// `least` is the least range around all outcomes.
fn check_binary(op: BinaryOp, a: Range, b: Range, least: Option<Range>) {
    match (binary(op, a, b), least) {
        (Outcome::Never, None) => {}
        (Outcome::Value(result), Some(least)) => {
            assert_eq!(result.bits(), least.bits());
            assert!(least.leq(&result), "{op:?} of {a:?} and {b:?} gives {result:?}, not {least:?}");
            assert!(least == result || !is_exact(op), "{op:?} of {a:?} and {b:?} gives {result:?}, not {least:?}");
        }
        (outcome, _) => panic!("{op:?} of {a:?} and {b:?} gives {outcome:?}, not {least:?}"),
    }
}

/// Of all pairs of ranges every so many, so that each range has its turn on either side.
fn check_binary_widths(op: BinaryOp, bits: u32, right_bits: u32, every: usize) {
    let (left, least) = (all_ranges(bits), least_ranges(result_bits(op, bits)));
    for (index, (b, b_members)) in all_ranges(right_bits).into_iter().enumerate() {
        let images = images(op, bits, right_bits, b_members);
        for (a, a_members) in left.iter().skip(index % every).step_by(every) {
            let image = values(*a_members).fold(0, |set, value| set | images[value as usize]);
            check_binary(op, *a, b, least[image as usize]);
        }
    }
}

#[test]
fn binary_operators_are_sound() {
    for op in BinaryOp::OF_INTEGERS {
        (1..=3).for_each(|bits| check_binary_widths(op, bits, bits, 1));
    }
}

#[test]
fn binary_operators_are_sound_on_four_bits() {
    BinaryOp::OF_INTEGERS.into_iter().for_each(|op| check_binary_widths(op, 4, 4, 11));
}

#[test]
fn shift_amounts_have_any_width() {
    for op in [BinaryOp::Shl, BinaryOp::LShr, BinaryOp::AShr] {
        for (bits, amount_bits) in [(4, 1), (4, 2), (4, 3), (3, 4), (2, 4), (1, 3)] {
            check_binary_widths(op, bits, amount_bits, 1);
        }
    }
}

#[test]
fn unary_operators_are_sound() {
    for bits in 1..=5 {
        for (a, a_members) in all_ranges(bits) {
            for op in UNARY {
                let apply = |value: u64| ops::unary(op, int(bits), value.into()) as u64;
                let image = values(a_members).fold(0, |set, value| set | 1 << apply(value));
                let result = unary(op, a).unwrap();
                assert_eq!(image & !members(result), 0, "{op:?} of {a:?} gives {result:?}");
                let exact = matches!(op, UnaryOp::Neg | UnaryOp::SNeg | UnaryOp::Not);
                assert!(!exact || around(bits, image) == Some(result), "{op:?} of {a:?} gives {result:?}");
                let overflows = values(a_members).any(|value| ops::unary_overflows(op, int(bits), value.into()));
                assert_eq!(may_overflow_unary(op, a), overflows);
            }
        }
    }
}

#[test]
fn casts_are_sound_and_exact_where_the_range_fits() {
    for from in 1..=5 {
        for (a, a_members) in all_ranges(from) {
            for to in 1..=5 {
                let kinds: &[Cast] = if to <= from { &[Cast::Trunc] } else { &[Cast::ZExt, Cast::SExt] };
                for kind in kinds {
                    let apply = |value: u64| ops::cast(*kind, int(from), int(to), value.into()).unwrap();
                    let image = values(a_members).fold(0, |set, value| set | 1 << apply(value));
                    let result = cast(*kind, a, to).unwrap();
                    assert_eq!(image & !members(result), 0, "{kind:?} of {a:?} to {to} bits");
                    let fits = a.max_signed().abs_diff(a.min_signed()) < 1 << to;
                    assert!(!fits || around(to, image) == Some(result), "{kind:?} of {a:?} to {to} bits");
                }
            }
        }
    }
}

#[test]
fn overflow_is_exact() {
    for bits in 1..=3 {
        let ranges = all_ranges(bits);
        for (a, a_members) in &ranges {
            for (b, b_members) in &ranges {
                for op in BinaryOp::OF_INTEGERS {
                    let overflows = |a: u64, b: u64| ops::binary_overflows(op, int(bits), a.into(), b.into());
                    let any = values(*a_members).any(|a| values(*b_members).any(|b| overflows(a, b)));
                    assert_eq!(may_overflow_binary(op, *a, *b), any, "{op:?} of {a:?} and {b:?}");
                }
            }
        }
    }
}

fn check_refine(op: BinaryOp, truth: bool, (a, a_members): (Range, Members), (b, b_members): (Range, Members)) {
    let (bits, wanted) = (a.bits(), Some(u64::from(truth)));
    let holds = |a: u64, b: u64| apply(op, bits, a, bits, b) == wanted;
    let left = values(a_members).filter(|a| values(b_members).any(|b| holds(*a, b))).map(|a| 1 << a).sum();
    let right = values(b_members).filter(|b| values(a_members).any(|a| holds(a, *b))).map(|b| 1 << b).sum();
    match refine(op, truth, a, b) {
        None => assert_eq!(left, 0),
        Some((new_a, new_b)) => {
            let least = (around(bits, left), around(bits, right)) == (Some(new_a), Some(new_b));
            assert!(least || (op, truth) == (BinaryOp::Eq, false), "{op:?} of {a:?} and {b:?}");
            assert!(left & !members(new_a) == 0 && right & !members(new_b) == 0, "{op:?} of {a:?} and {b:?}");
            assert!(new_a.leq(&a) && new_b.leq(&b));
        }
    }
}

#[test]
fn refine_is_sound_and_exact_but_for_inequality() {
    for bits in 1..=3 {
        let ranges = all_ranges(bits);
        for a in &ranges {
            for b in &ranges {
                for op in COMPARISONS {
                    check_refine(op, true, *a, *b);
                    check_refine(op, false, *a, *b);
                }
            }
        }
    }
}

/// Every pair of ranges of which the first is in the second.
fn ordered_pairs(ranges: &[(Range, Members)]) -> Vec<(Range, Range)> {
    let above =
        |small: Range| ranges.iter().filter(move |large| small.leq(&large.0)).map(move |large| (small, large.0));
    ranges.iter().flat_map(|small| above(small.0)).collect()
}

fn outcome_leq(small: Outcome, large: Outcome) -> bool {
    match (small, large) {
        (Outcome::Never, _) => true,
        (Outcome::Value(small), Outcome::Value(large)) => small.leq(&large),
        _ => false,
    }
}

#[test]
fn binary_operators_are_monotone() {
    for bits in 1..=3 {
        let ranges = all_ranges(bits);
        for (small, large) in ordered_pairs(&ranges) {
            for (other, _) in &ranges {
                for op in BinaryOp::OF_INTEGERS {
                    let left = (binary(op, small, *other), binary(op, large, *other));
                    assert!(outcome_leq(left.0, left.1), "{op:?} of {small:?} in {large:?} and {other:?}: {left:?}");
                    let right = (binary(op, *other, small), binary(op, *other, large));
                    assert!(outcome_leq(right.0, right.1), "{op:?} of {other:?} and {small:?} in {large:?}: {right:?}");
                }
            }
        }
    }
}

#[test]
fn refine_is_monotone() {
    for bits in 1..=3 {
        let ranges = all_ranges(bits);
        for (small, large) in ordered_pairs(&ranges) {
            for (other, _) in &ranges {
                for (op, truth) in COMPARISONS.into_iter().flat_map(|op| [(op, false), (op, true)]) {
                    if let Some((a, b)) = refine(op, truth, small, *other) {
                        let (large_a, large_b) = refine(op, truth, large, *other).expect("as there are members");
                        assert!(a.leq(&large_a) && b.leq(&large_b), "{op:?} of {small:?} in {large:?} and {other:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn unary_operators_are_monotone() {
    for bits in 1..=4 {
        for (small, large) in ordered_pairs(&all_ranges(bits)) {
            for op in UNARY {
                let results = (unary(op, small).unwrap(), unary(op, large).unwrap());
                assert!(results.0.leq(&results.1), "{op:?} of {small:?} in {large:?}: {results:?}");
            }
        }
    }
}
