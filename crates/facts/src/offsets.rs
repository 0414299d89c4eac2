//! Places within an object: byte offsets from `lo` to `hi` in steps of `stride`.

use crate::range::Range;

/// Never empty. A single offset has stride 0; otherwise `hi - lo` is a positive multiple of the stride.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Offsets {
    pub lo: i64,
    pub hi: i64,
    pub stride: u64,
}

const FAR: i64 = 1 << 62;

impl Offsets {
    pub const ZERO: Offsets = Offsets { lo: 0, hi: 0, stride: 0 };
    pub const ALL: Offsets = Offsets { lo: -FAR, hi: FAR, stride: 1 };

    pub fn constant(offset: i64) -> Offsets {
        Offsets { lo: offset, hi: offset, stride: 0 }
    }

    /// `stride` must not be 0 unless the bounds are equal. The upper bound is rounded down to a member.
    fn new(lo: i64, hi: i64, stride: u64) -> Offsets {
        debug_assert!(lo <= hi);
        let (lo, hi) = (lo.max(-FAR), hi.min(FAR));
        if lo >= hi {
            return Offsets::constant(lo.min(FAR));
        }
        let steps = (hi - lo) as u64 / stride;
        let hi = lo + (steps * stride) as i64;
        Offsets { lo, hi, stride: if lo == hi { 0 } else { stride } }
    }

    pub fn of_range(range: &Range) -> Offsets {
        let (lo, hi) = (range.min_signed(), range.max_signed());
        if lo == hi { Offsets::constant(lo) } else { Offsets::with_stride(lo, hi, range.stride()) }
    }

    /// Members are `lo`, `lo + stride` and so on; a bound that had to be cut keeps the steps only if it is the upper one.
    fn with_stride(lo: i64, hi: i64, stride: u64) -> Offsets {
        if lo < -FAR { Offsets::new(-FAR, hi.max(-FAR), 1) } else { Offsets::new(lo, hi, stride.max(1)) }
    }

    pub fn as_constant(self) -> Option<i64> {
        (self.lo == self.hi).then_some(self.lo)
    }

    pub fn contains(self, offset: i64) -> bool {
        self.lo <= offset && offset <= self.hi && (self.stride == 0 || (offset - self.lo) as u64 % self.stride == 0)
    }

    pub fn leq(self, other: Offsets) -> bool {
        other.contains(self.lo)
            && other.contains(self.hi)
            && (self.stride == 0 || other.stride != 0 && self.stride % other.stride == 0)
    }

    pub fn join(self, other: Offsets) -> Offsets {
        if self == other {
            return self;
        }
        let stride = gcd(gcd(self.stride, other.stride), self.lo.abs_diff(other.lo));
        Offsets::new(self.lo.min(other.lo), self.hi.max(other.hi), stride)
    }

    /// Bounds that still move go as far as there is.
    pub fn widen(self, next: Offsets) -> Offsets {
        let joined = self.join(next);
        if joined == self {
            return self;
        }
        let stride = joined.stride.max(1);
        // Keep the remainder when the lower bound moves.
        let far = -FAR + (joined.lo.wrapping_add(FAR) as u64 % stride) as i64;
        let lo = if joined.lo < self.lo { far } else { joined.lo };
        let hi = if joined.hi > self.hi { FAR } else { joined.hi };
        Offsets::new(lo, hi, stride)
    }

    pub fn plus(self, other: Offsets) -> Offsets {
        let lo = self.lo.saturating_add(other.lo);
        let hi = self.hi.saturating_add(other.hi);
        if lo.unsigned_abs() > FAR as u64 && lo < 0 {
            return Offsets::new(-FAR, hi.max(-FAR), 1);
        }
        if lo >= hi { Offsets::constant(lo) } else { Offsets::new(lo, hi, gcd(self.stride, other.stride)) }
    }

    pub fn minus(self, other: Offsets) -> Offsets {
        self.plus(Offsets { lo: -other.hi, hi: -other.lo, stride: other.stride })
    }

    /// What lies in `0 ..= last`; `None` if nothing does.
    pub fn within(self, last: i64) -> Option<Offsets> {
        let up = if self.lo >= 0 {
            self.lo
        } else {
            let stride = self.stride.max(1) as i128;
            i64::try_from((i128::from(self.lo)).rem_euclid(stride)).ok()?
        };
        let up = if self.stride == 0 { self.lo } else { up };
        (up >= 0 && up <= last.min(self.hi)).then(|| Offsets::new(up, last.min(self.hi), self.stride.max(1)))
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
