//! The lattice, on all ranges of few bits.

use super::super::{Range, sign_extend};
use super::{all_ranges, around, members, values};

#[test]
fn a_range_is_its_members() {
    assert!(size_of::<Range>() <= 56);
    for bits in 1..=5 {
        for (range, members) in all_ranges(bits) {
            assert_eq!(around(bits, members), Some(range));
            let signed = || values(members).map(|value| sign_extend(value, bits));
            assert_eq!(signed().min(), Some(range.min_signed()));
            assert_eq!(signed().max(), Some(range.max_signed()));
            assert_eq!(values(members).min(), Some(range.min_unsigned()));
            assert_eq!(values(members).max(), Some(range.max_unsigned()));
            assert!(signed().all(|value| value.rem_euclid(range.stride() as i64) == range.remainder() as i64));
            assert_eq!(range.as_constant().is_some(), members.count_ones() == 1);
            assert_eq!(range.is_top(), members.count_ones() == 1 << bits);
            assert_eq!(range.is_top(), range == Range::top(bits));
        }
    }
}

#[test]
fn constructors_take_their_bounds() {
    for bits in 1..=5 {
        let in_bounds = |low: i64, high: i64| move |value: &u64| (low..=high).contains(&sign_extend(*value, bits));
        for low in -(1 << (bits - 1))..1 << (bits - 1) {
            for high in low..1 << (bits - 1) {
                let all = (0..1 << bits).filter(in_bounds(low, high)).map(|value| 1 << value).sum();
                assert_eq!(members(Range::signed(bits, low, high)), all);
                for stride in 1..10 {
                    let strided = values(all).filter(|value| (sign_extend(*value, bits) - low) % stride == 0);
                    let range = Range::strided(bits, low, high, stride as u64);
                    assert_eq!(Some(range), around(bits, strided.map(|value| 1 << value).sum()));
                }
            }
        }
        for low in 0..1 << bits {
            for high in low..1 << bits {
                let range = Range::unsigned(bits, low, high);
                assert_eq!(members(range), (low..=high).map(|value| 1 << value).sum());
            }
        }
    }
}

#[test]
fn order_is_inclusion() {
    for bits in 1..=4 {
        let ranges = all_ranges(bits);
        for (a, a_members) in &ranges {
            for (b, b_members) in &ranges {
                assert_eq!(a.leq(b), a_members & !b_members == 0, "{a:?} in {b:?}");
            }
        }
    }
}

#[test]
fn join_is_the_least_upper_bound() {
    for bits in 1..=4 {
        let ranges = all_ranges(bits);
        for (a, a_members) in &ranges {
            assert_eq!(a.join(*a), *a);
            for (b, b_members) in &ranges {
                let join = a.join(*b);
                assert!(a.leq(&join) && b.leq(&join));
                assert_eq!(join, b.join(*a));
                if bits <= 3 {
                    assert_eq!(Some(join), around(bits, a_members | b_members));
                }
            }
        }
    }
}

#[test]
fn meet_has_the_common_members() {
    for bits in 1..=4 {
        let ranges = all_ranges(bits);
        for (a, a_members) in &ranges {
            for (b, b_members) in &ranges {
                let meet = a.meet(*b);
                assert_eq!(meet, around(bits, a_members & b_members), "{a:?} and {b:?}");
                assert_eq!(meet.map_or(0, members), a_members & b_members);
            }
        }
    }
}
