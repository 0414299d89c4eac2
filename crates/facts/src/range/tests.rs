mod examples;
mod laws;
mod operators;
mod random;

use program::{BinaryOp, UnaryOp};
use rustc_hash::FxHashSet;

use super::span::Span;
use super::{Range, greatest, least};

const UNARY: [UnaryOp; 7] = [
    UnaryOp::Neg,
    UnaryOp::SNeg,
    UnaryOp::Not,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
    UnaryOp::PopCount,
    UnaryOp::ByteSwap,
];

const COMPARISONS: [BinaryOp; 5] = [BinaryOp::Eq, BinaryOp::ULt, BinaryOp::ULe, BinaryOp::SLt, BinaryOp::SLe];

/// The members of a range of few bits: the one of value `i` is bit `i`.
type Members = u64;

fn members(range: Range) -> Members {
    (0..1 << range.bits()).filter(|value| range.contains(*value)).map(|value| 1 << value).sum()
}

fn values(members: Members) -> impl Iterator<Item = u64> + Clone {
    let rests = std::iter::successors(Some(members), |rest| Some(rest & rest.wrapping_sub(1)));
    rests.take(members.count_ones() as usize).map(|rest| rest.trailing_zeros().into())
}

/// The least range around some values.
fn around(bits: u32, members: Members) -> Option<Range> {
    values(members).map(|value| Range::constant(bits, value)).reduce(Range::join)
}

/// The least range around every set of values, by its members.
fn least_ranges(bits: u32) -> Vec<Option<Range>> {
    let mut ranges: Vec<Option<Range>> = vec![None];
    for members in 1..1u64 << (1 << bits) {
        let (lowest, rest) = (members.trailing_zeros(), members & (members - 1));
        let lowest = Range::constant(bits, lowest.into());
        ranges.push(Some(ranges[rest as usize].map_or(lowest, |rest| rest.join(lowest))));
    }
    ranges
}

/// Every range of a width with its members, each once.
fn all_ranges(bits: u32) -> Vec<(Range, Members)> {
    let mut ranges = FxHashSet::default();
    for stride in 1..1 << bits {
        for remainder in 0..stride {
            let negative = spans(least(bits), -1, stride, remainder);
            for other in spans(0, greatest(bits), stride, remainder) {
                ranges.extend(negative.iter().filter_map(|negative| Range::from_halves(bits, [*negative, other])));
            }
        }
    }
    ranges.into_iter().map(|range| (range, members(range))).collect()
}

/// Every span of such numbers between two bounds, and nothing.
fn spans(first: i64, last: i64, stride: i64, remainder: i64) -> Vec<Option<Span>> {
    let numbers = || (first..=last).filter(move |number| number.rem_euclid(stride) == remainder);
    let span = move |lo, hi| Some(Span::exact(i128::from(lo), i128::from(hi), stride as u128));
    let all = numbers().flat_map(|lo| numbers().filter(move |hi| lo <= *hi).map(move |hi| span(lo, hi)));
    std::iter::once(None).chain(all).collect()
}
