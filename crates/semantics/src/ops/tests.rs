use program::{BinaryOp, Cast, FloatKind, Scalar, UnaryOp};

use super::{Fault, binary, binary_overflows, cast, sign_extend, truncate, unary, unary_overflows};

/// Calls `check` with a width and every pair of operands of it, as bits and as signed values.
fn for_all_pairs(check: impl Fn(u32, [u128; 2], [i128; 2])) {
    for bits in 1..=6 {
        for a in 0..1u128 << bits {
            for b in 0..1u128 << bits {
                check(bits, [a, b], [sign_extend(a, bits), sign_extend(b, bits)]);
            }
        }
    }
}

/// The result as unbounded arithmetic has it, before it is cut to the width. `None` where it has none.
fn reference(op: BinaryOp, bits: u32, [ua, ub]: [u128; 2], [a, b]: [i128; 2]) -> Option<i128> {
    let (wide_a, wide_b) = (ua as i128, ub as i128);
    let in_range = wide_b < i128::from(bits);
    Some(match op {
        BinaryOp::Add | BinaryOp::SAdd => a + b,
        BinaryOp::Sub | BinaryOp::SSub => a - b,
        BinaryOp::Mul | BinaryOp::SMul => a * b,
        BinaryOp::UDiv => wide_a.checked_div(wide_b)?,
        BinaryOp::URem => wide_a.checked_rem(wide_b)?,
        BinaryOp::SDiv => a.checked_div(b)?,
        BinaryOp::SRem => a.checked_rem(b)?,
        BinaryOp::And => wide_a & wide_b,
        BinaryOp::Or => wide_a | wide_b,
        BinaryOp::Xor => wide_a ^ wide_b,
        BinaryOp::Shl => in_range.then(|| wide_a * (1 << wide_b))?,
        BinaryOp::LShr => in_range.then(|| wide_a / (1 << wide_b))?,
        BinaryOp::AShr => in_range.then(|| a.div_euclid(1 << wide_b))?,
        BinaryOp::Eq => (ua == ub).into(),
        BinaryOp::ULt => (ua < ub).into(),
        BinaryOp::ULe => (ua <= ub).into(),
        BinaryOp::SLt => (a < b).into(),
        BinaryOp::SLe => (a <= b).into(),
        _ => unreachable!(),
    })
}

#[test]
fn integer_operators_are_arithmetic_cut_to_the_width() {
    for op in BinaryOp::OF_INTEGERS {
        for_all_pairs(|bits, unsigned, signed| {
            let ty = Scalar::Int(bits as u8);
            let expected = reference(op, bits, unsigned, signed).map(|value| truncate(value as u128, bits));
            let got = binary(op, ty, unsigned[0], ty, unsigned[1]);
            assert_eq!(got.ok(), expected, "{op:?} on {bits} bits: {unsigned:?}");
        });
    }
}

#[test]
fn overflow_is_leaving_the_range() {
    for op in [BinaryOp::SAdd, BinaryOp::SSub, BinaryOp::SMul, BinaryOp::SDiv, BinaryOp::SRem, BinaryOp::Add] {
        for_all_pairs(|bits, unsigned, signed| {
            let range = -(1i128 << (bits - 1))..1 << (bits - 1);
            // The remainder is undefined where the quotient is.
            let exact = reference(if op == BinaryOp::SRem { BinaryOp::SDiv } else { op }, bits, unsigned, signed);
            let leaves = op != BinaryOp::Add && exact.is_some_and(|value| !range.contains(&value));
            let got = binary_overflows(op, Scalar::Int(bits as u8), unsigned[0], unsigned[1]);
            assert_eq!(got, leaves, "{op:?} on {bits} bits: {unsigned:?}");
        });
    }
}

#[test]
fn unary_integer_operators() {
    for_all_pairs(|bits, [a, _], [signed, _]| {
        let ty = Scalar::Int(bits as u8);
        let digits = format!("{a:0width$b}", width = bits as usize);
        let count = |text: &str| text.len() as u128;
        assert_eq!(unary(UnaryOp::Neg, ty, a), truncate(-signed as u128, bits));
        assert_eq!(unary(UnaryOp::SNeg, ty, a), unary(UnaryOp::Neg, ty, a));
        assert_eq!(unary(UnaryOp::Not, ty, a), truncate(!a, bits));
        assert_eq!(unary(UnaryOp::LeadingZeros, ty, a), count(&digits) - count(digits.trim_start_matches('0')));
        assert_eq!(unary(UnaryOp::TrailingZeros, ty, a), count(&digits) - count(digits.trim_end_matches('0')));
        assert_eq!(unary(UnaryOp::PopCount, ty, a), count(&digits.replace('0', "")));
        assert_eq!(unary_overflows(UnaryOp::SNeg, ty, a), a == 1 << (bits - 1));
        assert!(!unary_overflows(UnaryOp::Neg, ty, a));
    });
}

#[test]
fn the_two_words_agree_at_their_seam() {
    for bits in [63u8, 64, 65, 127, 128] {
        let ty = Scalar::Int(bits);
        let (least, ones) = (1u128 << (bits - 1), truncate(u128::MAX, bits.into()));
        assert_eq!(binary(BinaryOp::SDiv, ty, least, ty, ones), Ok(least));
        assert_eq!(binary(BinaryOp::SRem, ty, least, ty, ones), Ok(0));
        assert!(binary_overflows(BinaryOp::SRem, ty, least, ones));
        assert!(binary_overflows(BinaryOp::SMul, ty, least, ones));
        assert!(!binary_overflows(BinaryOp::SMul, ty, least, 1));
        assert_eq!(binary(BinaryOp::Add, ty, ones, ty, 1), Ok(0));
        assert_eq!(binary(BinaryOp::AShr, ty, least, Scalar::Int(8), u128::from(bits) - 1), Ok(ones));
        assert_eq!(unary(UnaryOp::LeadingZeros, ty, 0), bits.into());
    }
}

#[test]
fn amounts_of_shifts_have_their_own_width() {
    let (narrow, wide) = (Scalar::Int(8), Scalar::Int(128));
    assert_eq!(binary(BinaryOp::Shl, narrow, 1, wide, 1 << 64), Err(Fault::ShiftAmount));
    assert_eq!(binary(BinaryOp::Shl, narrow, 1, wide, 7), Ok(0x80));
    assert_eq!(binary(BinaryOp::Shl, narrow, 1, narrow, 8), Err(Fault::ShiftAmount));
    assert_eq!(binary(BinaryOp::Shl, wide, 1, narrow, 127), Ok(1 << 127));
    assert_eq!(binary(BinaryOp::UDiv, narrow, 1, narrow, 0), Err(Fault::DivisionByZero));
}

#[test]
fn floats_out_of_range_become_what_the_processor_makes_of_them() {
    let double = Scalar::Float(FloatKind::F64);
    let to = |kind, value: f64, bits| cast(kind, double, Scalar::Int(bits), value.to_bits().into());
    assert_eq!(to(Cast::FloatToSigned, -128.9, 8), Ok(0x80));
    assert_eq!(to(Cast::FloatToSigned, -129.0, 8), Ok(127));
    assert_eq!(to(Cast::FloatToSigned, 127.9, 8), Ok(127));
    assert_eq!(to(Cast::FloatToSigned, 128.0, 8), Ok(0x80));
    assert_eq!(to(Cast::FloatToSigned, 1e10, 32), Ok(1 << 31));
    assert_eq!(to(Cast::FloatToSigned, f64::NAN, 64), Ok(1 << 63));
    assert_eq!(to(Cast::FloatToUnsigned, 1e10, 32), Ok(10_000_000_000 % (1 << 32)));
    assert_eq!(to(Cast::FloatToUnsigned, 1e20, 64), Ok(0));
    assert_eq!(to(Cast::FloatToUnsigned, -0.9, 8), Ok(0));
    assert_eq!(to(Cast::FloatToUnsigned, -1.0, 8), Ok(255));
    assert_eq!(to(Cast::FloatToUnsigned, 255.9, 8), Ok(255));
    assert_eq!(to(Cast::FloatToUnsigned, 256.0, 8), Ok(0));
    assert_eq!(to(Cast::FloatToSigned, f64::NAN, 128), Err(Fault::FloatRange));
    assert_eq!(to(Cast::FloatToSigned, f64::INFINITY, 128), Err(Fault::FloatRange));
    assert_eq!(to(Cast::FloatToUnsigned, 2f64.powi(127), 128), Ok(1 << 127));
    assert_eq!(to(Cast::FloatToUnsigned, 2f64.powi(128), 128), Err(Fault::FloatRange));
    assert_eq!(to(Cast::FloatToSigned, -(2f64.powi(127)), 128), Ok(1 << 127));
}

#[test]
fn encodings_that_x87_refuses_are_nans() {
    let ty = Scalar::Float(FloatKind::X87In12);
    let (unnormal, one) = (0x3fff_0000_0000_0000_0000, 0x3fff_8000_0000_0000_0000);
    assert_eq!(unary(UnaryOp::FIsNan, ty, unnormal), 1);
    assert_eq!(binary(BinaryOp::FAdd, ty, unnormal, ty, one), Ok(0xffff_c000_0000_0000_0000));
    assert_eq!(binary(BinaryOp::FLe, ty, unnormal, ty, unnormal), Ok(0));
    assert_eq!(binary(BinaryOp::FMax, ty, one, ty, one), Ok(one));
}
