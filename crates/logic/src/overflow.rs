//! Whether operators on bit-vectors, read as signed, leave their range, as formulas of the same width.

use crate::{Term, Terms};

impl Terms {
    /// Both operands have the sign that the sum has not (Warren, Hacker's Delight, 2-13).
    pub fn saddo(&mut self, a: Term, b: Term) -> Term {
        let sum = self.bvadd(a, b);
        let (a, b) = (self.bvxor(a, sum), self.bvxor(b, sum));
        let both = self.bvand(a, b);
        self.is_negative(both)
    }

    pub fn ssubo(&mut self, a: Term, b: Term) -> Term {
        let difference = self.bvsub(a, b);
        let (differ, changed) = (self.bvxor(a, b), self.bvxor(a, difference));
        let both = self.bvand(differ, changed);
        self.is_negative(both)
    }

    /// Up to 64 bits the exact product is compared; above, the product is divided again.
    pub fn smulo(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        if width <= 64 {
            let (wide_a, wide_b) = (self.resize_signed(a, 2 * width), self.resize_signed(b, 2 * width));
            let (exact, product) = (self.bvmul(wide_a, wide_b), self.bvmul(a, b));
            let product = self.resize_signed(product, 2 * width);
            let fits = self.eq(exact, product);
            return self.not(fits);
        }
        let product = self.bvmul(a, b);
        let back = self.bvsdiv(product, a);
        let (nonzero, same) = (self.is_nonzero(a), self.eq(back, b));
        // The least value times -1 is itself, and so is the quotient.
        let (differs, special) = (self.not(same), self.sdivo(b, a));
        let wrong = self.or(differs, special);
        self.and(nonzero, wrong)
    }

    /// The least value by -1.
    pub fn sdivo(&mut self, a: Term, b: Term) -> Term {
        let (least, minus_one) = (self.least(a), self.bits(self.width(b), u128::MAX));
        let (is_least, by_minus_one) = (self.eq(a, least), self.eq(b, minus_one));
        self.and(is_least, by_minus_one)
    }

    pub fn snego(&mut self, a: Term) -> Term {
        let least = self.least(a);
        self.eq(a, least)
    }

    pub fn is_negative(&mut self, a: Term) -> Term {
        let zero = self.bits(self.width(a), 0);
        self.bvslt(a, zero)
    }

    fn least(&mut self, a: Term) -> Term {
        let width = self.width(a);
        self.bits(width, 1 << (width - 1))
    }
}
