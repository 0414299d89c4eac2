//! Exact decimal expansions of binary floats, and their rounding. Every finite float has one, if a long one.

/// `0.d1d2d3… * 10^point`, first digit not 0 unless the value is.
pub struct Decimal {
    /// Values 0 to 9; all that follow are 0.
    digits: Vec<u8>,
    point: i32,
}

/// Limbs of nine decimal digits, least first.
struct Big(Vec<u32>);

const LIMB: u64 = 1_000_000_000;
const LIMB_DIGITS: usize = 9;

impl Big {
    fn new(mut value: u128) -> Big {
        let mut limbs = Vec::new();
        while value != 0 {
            limbs.push((value % u128::from(LIMB)) as u32);
            value /= u128::from(LIMB);
        }
        Big(limbs)
    }

    fn multiply(&mut self, factor: u32) {
        let mut carry = 0;
        for limb in &mut self.0 {
            let product = u64::from(*limb) * u64::from(factor) + carry;
            *limb = (product % LIMB) as u32;
            carry = product / LIMB;
        }
        while carry != 0 {
            self.0.push((carry % LIMB) as u32);
            carry /= LIMB;
        }
    }

    /// Times `base^exponent`, in steps of `base^step`, which must fit in 32 bits.
    fn multiply_power(&mut self, base: u32, step: u32, exponent: u32) {
        for _ in 0..exponent / step {
            self.multiply(base.pow(step));
        }
        self.multiply(base.pow(exponent % step));
    }

    fn digits(&self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(self.0.len() * LIMB_DIGITS);
        for &limb in self.0.iter().rev() {
            let mut rest = limb;
            let start = digits.len();
            for _ in 0..LIMB_DIGITS {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
            digits[start..].reverse();
        }
        let leading = digits.iter().take_while(|&&digit| digit == 0).count();
        digits.drain(..leading);
        digits
    }
}

impl Decimal {
    /// `significand * 2^exponent`.
    pub fn new(significand: u128, exponent: i32) -> Decimal {
        if significand == 0 {
            return Decimal::zero();
        }
        // Fewer fractional digits to work out where the last bits are 0.
        let even = significand.trailing_zeros();
        let exponent = exponent + even as i32;
        let mut big = Big::new(significand >> even);
        if exponent >= 0 {
            big.multiply_power(2, 31, exponent.unsigned_abs());
        } else {
            // 2^-n = 5^n / 10^n
            big.multiply_power(5, 13, exponent.unsigned_abs());
        }
        let digits = big.digits();
        let point = digits.len() as i32 + exponent.min(0);
        Decimal { digits, point }
    }

    /// With the point where `%e` shows exponent 0.
    fn zero() -> Decimal {
        Decimal { digits: Vec::new(), point: 1 }
    }

    /// The power of ten of the first digit.
    pub fn exponent(&self) -> i32 {
        self.point - 1
    }

    /// The digit for `10^power`, as text.
    pub fn digit(&self, power: i64) -> u8 {
        let index = i64::from(self.point) - 1 - power;
        usize::try_from(index).ok().and_then(|index| self.digits.get(index)).copied().unwrap_or(0) + b'0'
    }

    /// Rounds half to even at the digit for `10^power`.
    pub fn round(&mut self, power: i64) {
        let kept = i64::from(self.point) - power;
        let Ok(kept) = usize::try_from(kept) else {
            *self = Decimal::zero();
            return;
        };
        if kept >= self.digits.len() {
            return;
        }
        let up = self.rounds_up(kept);
        self.digits.truncate(kept);
        if up {
            self.increment();
        } else if kept == 0 {
            *self = Decimal::zero();
        }
    }

    fn rounds_up(&self, kept: usize) -> bool {
        let last_is_odd = kept > 0 && self.digits[kept - 1] % 2 == 1;
        let beyond_half = self.digits[kept + 1..].iter().any(|&digit| digit != 0);
        match self.digits[kept] {
            0..5 => false,
            5 => beyond_half || last_is_odd,
            _ => true,
        }
    }

    /// Adds one to the last digit.
    fn increment(&mut self) {
        while let Some(last) = self.digits.last_mut() {
            if *last < 9 {
                *last += 1;
                return;
            }
            self.digits.pop();
        }
        self.digits.push(1);
        self.point += 1;
    }
}
