//! Operators on random ranges of all widths, against the concrete table on random members.

use fastrand::Rng;
use program::{BinaryOp, Cast, Scalar};
use semantics::ops;

use super::super::{
    Outcome, Range, binary, cast, greatest, least, mask, may_overflow_binary, may_overflow_unary, refine, sign_extend,
    unary,
};
use super::{COMPARISONS, UNARY};

const WIDTHS: [u32; 14] = [1, 2, 5, 7, 8, 16, 17, 24, 31, 32, 33, 48, 63, 64];
const ROUNDS: usize = 20_000;

fn random_width(random: &mut Rng) -> u32 {
    WIDTHS[random.usize(0..WIDTHS.len())]
}

fn random_value(random: &mut Rng, bits: u32) -> u64 {
    let value = match random.u8(0..6) {
        0 => random.u64(0..20),
        1 => random.u64(0..20).wrapping_neg(),
        2 => 1 << random.u32(0..64),
        3 => (1u64 << random.u32(0..bits)).wrapping_add(random.u64(0..3)).wrapping_sub(1),
        4 => (least(bits) as u64).wrapping_add(random.u64(0..3)).wrapping_sub(1),
        _ => random.u64(..),
    };
    value & mask(bits)
}

fn random_range(random: &mut Rng, bits: u32) -> Range {
    let [a, b] = [(); 2].map(|()| random_value(random, bits));
    let [low, high] = [a.min(b), a.max(b)];
    let [signed_a, signed_b] = [a, b].map(|value| sign_extend(value, bits));
    let [signed_low, signed_high] = [signed_a.min(signed_b), signed_a.max(signed_b)];
    match random.u8(0..8) {
        0 => Range::constant(bits, a),
        1 => Range::constant(bits, a).join(Range::constant(bits, b)),
        2 => Range::unsigned(bits, low, high),
        3 => Range::signed(bits, signed_low, signed_high),
        4 => Range::top(bits),
        5 => random_range(random, bits).join(random_range(random, bits)),
        _ => {
            let stride = random_value(random, bits).max(1) >> random.u32(0..bits);
            Range::strided(bits, signed_low, signed_high, stride.max(1))
        }
    }
}

fn random_member(random: &mut Rng, range: Range) -> u64 {
    let halves: Vec<_> = range.signed_spans().collect();
    let span = halves[random.usize(0..halves.len())];
    let steps = if span.is_constant() { 0 } else { (span.hi - span.lo) as u128 / span.stride };
    let step = match random.u8(0..4) {
        0 => 0,
        1 => steps,
        _ => random.u128(0..=steps),
    };
    (span.lo + (step * span.stride) as i128) as u64 & mask(range.bits())
}

/// A range that contains the given one.
fn random_larger(random: &mut Rng, range: Range) -> Range {
    range.join(random_range(random, range.bits()))
}

fn int(bits: u32) -> Scalar {
    Scalar::Int(bits as u8)
}

fn is_shift(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Shl | BinaryOp::LShr | BinaryOp::AShr)
}

fn random_amounts(random: &mut Rng, bits: u32) -> Range {
    let amount_bits = random_width(random);
    if random.bool() {
        return random_range(random, amount_bits);
    }
    let most = mask(amount_bits).min(bits.into());
    let [a, b] = [(); 2].map(|()| random.u64(0..=most));
    Range::unsigned(amount_bits, a.min(b), a.max(b))
}

fn random_operands(random: &mut Rng, op: BinaryOp) -> (Range, Range) {
    let bits = random_width(random);
    let b = if is_shift(op) { random_amounts(random, bits) } else { random_range(random, bits) };
    (random_range(random, bits), b)
}

#[test]
fn members_are_members() {
    let mut random = Rng::with_seed(1);
    for _ in 0..ROUNDS * 5 {
        let bits = random_width(&mut random);
        let [a, b] = [(); 2].map(|()| random_range(&mut random, bits));
        let (x, y) = (random_member(&mut random, a), random_member(&mut random, b));
        assert!(a.contains(x) && b.contains(y));
        assert!(a.join(b).contains(x) && a.join(b).contains(y));
        assert_eq!(a.join(b), b.join(a));
        assert!(!a.leq(&b) || b.contains(x));
        assert_eq!(a.leq(&b), a.join(b) == b);
        assert_eq!(a.leq(&b), a.meet(b) == Some(a));
        assert_eq!(a.meet(b), b.meet(a));
        if let Some(meet) = a.meet(b) {
            assert!(meet.leq(&a) && meet.leq(&b));
            let z = random_member(&mut random, meet);
            assert!(a.contains(z) && b.contains(z));
        }
        assert_eq!(a.contains(y) && b.contains(y), a.meet(b).is_some_and(|meet| meet.contains(y)));
    }
}

#[test]
fn binary_operators_are_sound() {
    let mut random = Rng::with_seed(2);
    for op in BinaryOp::OF_INTEGERS {
        for _ in 0..ROUNDS {
            let (a, b) = random_operands(&mut random, op);
            let result = binary(op, a, b);
            for _ in 0..4 {
                let (x, y) = (random_member(&mut random, a), random_member(&mut random, b));
                if let Ok(z) = ops::binary(op, int(a.bits()), x.into(), int(b.bits()), y.into()) {
                    let sound = result.value().is_some_and(|result| result.contains(z as u64));
                    assert!(sound, "{op:?} of {a:?} and {b:?} is {result:?}, but of {x} and {y} it is {z}");
                }
                let overflows = a.bits() == b.bits() && ops::binary_overflows(op, int(a.bits()), x.into(), y.into());
                assert!(!overflows || may_overflow_binary(op, a, b), "{op:?} of {a:?} and {b:?}");
            }
        }
    }
}

#[test]
fn binary_operators_are_monotone() {
    let mut random = Rng::with_seed(3);
    for op in BinaryOp::OF_INTEGERS {
        for _ in 0..ROUNDS {
            let (a, b) = random_operands(&mut random, op);
            let (larger_a, larger_b) = (random_larger(&mut random, a), random_larger(&mut random, b));
            if let Outcome::Value(result) = binary(op, a, b) {
                let larger = binary(op, larger_a, larger_b).value().expect("as there are members");
                let monotone = result.leq(&larger);
                assert!(monotone, "{op:?} {a:?} {larger_a:?}, {b:?} {larger_b:?}: {result:?} {larger:?}");
            }
            assert!(!may_overflow_binary(op, a, b) || may_overflow_binary(op, larger_a, larger_b));
        }
    }
}

#[test]
fn unary_operators_are_sound_and_monotone() {
    let mut random = Rng::with_seed(4);
    for op in UNARY {
        for _ in 0..ROUNDS {
            let bits = random_width(&mut random);
            let a = random_range(&mut random, bits);
            let result = unary(op, a).unwrap();
            let x = random_member(&mut random, a);
            let z = ops::unary(op, int(bits), x.into());
            assert!(result.contains(z as u64), "{op:?} of {a:?} is {result:?}, but of {x} it is {z}");
            assert!(result.leq(&unary(op, random_larger(&mut random, a)).unwrap()), "{op:?} of {a:?}");
            assert!(!ops::unary_overflows(op, int(bits), x.into()) || may_overflow_unary(op, a));
        }
    }
}

#[test]
fn casts_are_sound_and_monotone() {
    let mut random = Rng::with_seed(5);
    for _ in 0..ROUNDS * 5 {
        let (from, to) = (random_width(&mut random), random_width(&mut random));
        let wider = if random.bool() { Cast::ZExt } else { Cast::SExt };
        let kind = if to <= from { Cast::Trunc } else { wider };
        let a = random_range(&mut random, from);
        let result = cast(kind, a, to).unwrap();
        let x = random_member(&mut random, a);
        let z = ops::cast(kind, int(from), int(to), x.into()).unwrap();
        assert!(result.contains(z as u64), "{kind:?} of {a:?} to {to} bits is {result:?}, but of {x} it is {z}");
        assert!(result.leq(&cast(kind, random_larger(&mut random, a), to).unwrap()));
    }
}

#[test]
fn refine_is_sound() {
    let mut random = Rng::with_seed(6);
    for op in COMPARISONS {
        for _ in 0..ROUNDS {
            let (a, b) = random_operands(&mut random, op);
            let (x, y) = (random_member(&mut random, a), random_member(&mut random, b));
            let truth = ops::binary(op, int(a.bits()), x.into(), int(b.bits()), y.into()) == Ok(1);
            let (new_a, new_b) = refine(op, truth, a, b).expect("as there are members");
            assert!(new_a.contains(x) && new_b.contains(y), "{op:?} {truth} of {a:?} and {b:?}");
            assert!(new_a.leq(&a) && new_b.leq(&b));
        }
    }
}

#[test]
fn widening_chains_end() {
    let mut random = Rng::with_seed(7);
    for _ in 0..2_000 {
        let bits = random_width(&mut random);
        let mut thresholds: Vec<_> = (0..random.usize(0..6)).map(|_| random_value(&mut random, bits)).collect();
        thresholds.sort_by_key(|value| sign_extend(*value, bits));
        let thresholds: Vec<_> = thresholds.into_iter().map(|value| sign_extend(value, bits)).collect();
        let mut range = random_range(&mut random, bits);
        let mut changes = 0;
        for _ in 0..1000 {
            let next = random_range(&mut random, bits);
            let widened = range.widen(next, &thresholds);
            assert!(range.leq(&widened) && next.leq(&widened));
            changes += usize::from(widened != range);
            range = widened;
        }
        assert!(changes <= 65 + 4 * (thresholds.len() + 2), "{changes} changes");
    }
}

/// A counter that each round of the loop moves by one or more steps, as slowly as can be.
#[test]
fn widening_chains_of_counters_end() {
    let mut random = Rng::with_seed(8);
    for _ in 0..2_000 {
        let bits = random_width(&mut random);
        let thresholds = [-100, -3, 0, 10, 1000].map(|value: i64| value.clamp(least(bits), greatest(bits)));
        let mut range = Range::constant(bits, random_value(&mut random, bits));
        let step = Range::constant(bits, random_value(&mut random, bits));
        let mut changes = 0;
        loop {
            let next = binary(BinaryOp::Add, range, step).value().unwrap();
            let widened = range.widen(next, &thresholds);
            if widened == range {
                break;
            }
            (range, changes) = (widened, changes + 1);
            assert!(changes <= 100, "{range:?} by {step:?}");
        }
    }
}
