//! Places within an object: byte offsets from `lo` to `hi` in steps of `stride`, the strided intervals of value-set analysis (Balakrishnan
//! and Reps, CC 2004). Unlike a [`Range`] they do not wrap, and bounds that grow too far are lost.

use crate::range::Range;

/// Never empty. A single offset has stride 0; otherwise `hi - lo` is a positive multiple of the stride.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offsets {
    pub lo: i64,
    pub hi: i64,
    pub stride: u64,
}

/// As far as there is: nothing brings a bound back from there.
const FAR: i64 = 1 << 60;

impl Offsets {
    pub const ZERO: Offsets = Offsets { lo: 0, hi: 0, stride: 0 };
    pub const ALL: Offsets = Offsets { lo: -FAR, hi: FAR, stride: 1 };
    /// From the beginning on.
    pub const ONWARD: Offsets = Offsets { lo: 0, hi: FAR, stride: 1 };

    pub fn constant(offset: i64) -> Offsets {
        Offsets { lo: offset, hi: offset, stride: 0 }
    }

    /// Members are `lo`, `lo + stride` and so on up to `hi`. `stride` must not be 0 unless the bounds are equal.
    fn new(lo: i128, hi: i128, stride: u64) -> Offsets {
        let far = i128::from(FAR);
        if lo >= hi && lo.abs() < far {
            return Offsets::constant(lo as i64);
        }
        // A lower bound that is lost takes the steps with it.
        let (lo, stride) = if lo <= -far { (-far, 1) } else { (lo.min(far), stride.max(1)) };
        let hi = hi.clamp(lo, far);
        let hi = lo + (hi - lo) / i128::from(stride) * i128::from(stride);
        Offsets { lo: lo as i64, hi: hi as i64, stride: if lo == hi { 0 } else { stride } }
    }

    pub fn of_range(range: &Range) -> Offsets {
        Offsets::new(range.min_signed().into(), range.max_signed().into(), range.stride())
    }

    /// Every `stride`-th from `lo` up to `hi`.
    pub fn between(lo: i128, hi: i128, stride: u64) -> Offsets {
        Offsets::new(lo, hi, stride)
    }

    /// Every `stride`-th from 0 up to `hi`.
    pub fn steps(hi: i64, stride: u64) -> Offsets {
        Offsets::new(0, hi.into(), stride)
    }

    pub fn as_constant(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    fn is_endless(self) -> bool {
        ((FAR - self.hi) as u64) < self.stride
    }

    pub fn contains(self, offset: i64) -> bool {
        self.lo <= offset
            && offset <= self.hi
            && (self.stride == 0 || ((offset - self.lo) as u64).is_multiple_of(self.stride))
    }

    pub fn leq(self, other: Offsets) -> bool {
        other.contains(self.lo)
            && (other.contains(self.hi) || self.hi <= FAR && other.is_endless())
            && (self.stride == 0 || other.stride != 0 && self.stride.is_multiple_of(other.stride))
    }

    pub fn join(self, other: Offsets) -> Offsets {
        if self == other {
            return self;
        }
        let stride = gcd(gcd(self.stride, other.stride), self.lo.abs_diff(other.lo));
        let hi = if self.is_endless() || other.is_endless() { FAR } else { self.hi.max(other.hi) };
        Offsets::new(self.lo.min(other.lo).into(), hi.into(), stride)
    }

    /// Bounds that still move go as far as there is.
    pub fn widen(self, next: Offsets) -> Offsets {
        let joined = self.join(next);
        let lo = if joined.lo < self.lo { -FAR } else { joined.lo };
        let hi = if joined.hi > self.hi { FAR } else { joined.hi };
        Offsets::new(lo.into(), hi.into(), joined.stride)
    }

    pub fn plus(self, other: Offsets) -> Offsets {
        let down = self.lo <= -FAR || other.lo <= -FAR;
        let up = self.is_endless() || other.is_endless();
        let lo = if down { -i128::from(FAR) } else { i128::from(self.lo) + i128::from(other.lo) };
        let hi = if up { i128::from(FAR) } else { i128::from(self.hi) + i128::from(other.hi) };
        Offsets::new(lo, hi, gcd(self.stride, other.stride))
    }

    pub fn minus(self, other: Offsets) -> Offsets {
        let stride = if other.is_endless() { 1.min(other.stride) } else { other.stride };
        self.plus(Offsets { lo: if other.is_endless() { -FAR } else { -other.hi }, hi: -other.lo, stride })
    }

    /// What lies a multiple of `size` away, from the beginning of the object on.
    pub fn elements(self, size: u64) -> Offsets {
        let stride = gcd(size, self.stride);
        match i64::try_from(stride) {
            Ok(step) if self.lo > -FAR => Offsets::new(self.lo.rem_euclid(step).into(), FAR.into(), stride),
            _ => Offsets::ONWARD,
        }
    }

    /// What lies in `0 ..= last`; `None` if nothing does.
    pub fn within(self, last: i64) -> Option<Offsets> {
        self.clipped(0, last)
    }

    /// Where `size` bytes have at least one in common with the first `object` bytes; `None` if that is nowhere.
    pub fn touching(self, object: i64, size: u64) -> Option<Offsets> {
        self.clipped(1 - i64::try_from(size).unwrap_or(FAR), object - 1)
    }

    fn clipped(self, least: i64, last: i64) -> Option<Offsets> {
        let first = match self.stride {
            0 => self.lo,
            _ if self.lo >= least => self.lo,
            stride => least + (self.lo - least).rem_euclid(stride as i64),
        };
        let last = last.min(self.hi);
        (least <= first && first <= last).then(|| Offsets::new(first.into(), last.into(), self.stride))
    }

    /// Can `size` bytes at one of these and `other_size` bytes at one of the others have a byte in common?
    pub fn overlaps(self, size: u64, other: Offsets, other_size: u64) -> bool {
        let end = |offset: i64, size: u64| i128::from(offset) + i128::from(size);
        if i128::from(other.lo) >= end(self.hi, size) || i128::from(self.lo) >= end(other.hi, other_size) {
            return false;
        }
        match gcd(self.stride, other.stride) {
            0 => true,
            step => {
                let apart = distance(self.lo, other.lo, step);
                apart < size || step - apart < other_size
            }
        }
    }

    /// Do places that overlap coincide?
    pub fn coincides(self, size: u64, other: Offsets, other_size: u64) -> bool {
        size == other_size
            && match gcd(self.stride, other.stride) {
                0 => self.lo == other.lo,
                step => distance(self.lo, other.lo, step) == 0 && step >= size,
            }
    }
}

/// How far `to` is above `from`, modulo `step`.
fn distance(from: i64, to: i64, step: u64) -> u64 {
    (i128::from(to) - i128::from(from)).rem_euclid(i128::from(step)) as u64
}

pub fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl std::fmt::Debug for Offsets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.as_constant() {
            Some(offset) => write!(f, "{offset}"),
            None if *self == Offsets::ALL => f.write_str("any"),
            None => write!(f, "{}..{} by {}", self.lo, self.hi, self.stride),
        }
    }
}
