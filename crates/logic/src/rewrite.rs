//! Rewriting of a term as it is made, by looking at most two levels deep: each rule makes it smaller or decides it.

use crate::value::mask;
use crate::{Op, Term, Terms};

impl Terms {
    /// Something equal, if a rule applies. Not all operands are constants, and a constant operand of a commutative operator is last.
    pub(crate) fn rewrite(&mut self, op: Op, args: &[Term]) -> Option<Term> {
        match (op, args) {
            (Op::Not, [a]) => self.negated(*a),
            (Op::BvNot | Op::BvNeg, [a]) => self.argument_of(op, *a),
            (Op::And, [a, b]) => self.rewrite_connective(true, *a, *b),
            (Op::Or, [a, b]) => self.rewrite_connective(false, *a, *b),
            (Op::Eq, [a, b]) => self.rewrite_eq(*a, *b),
            (Op::Ite, [condition, a, b]) => self.rewrite_ite(*condition, *a, *b),
            (Op::Extract { high, low }, [a]) => self.rewrite_extract(high, low, *a),
            (Op::ZeroExtend(by), [a]) => match self.node(*a).op {
                Op::ZeroExtend(inner) => {
                    let a = self.node(*a).args[0];
                    Some(self.apply(Op::ZeroExtend(by + inner), &[a]))
                }
                _ => None,
            },
            (Op::BvUlt | Op::BvSlt, [a, b]) if a == b => Some(self.bool(false)),
            (Op::BvUlt, [_, b]) if self.bits_of(*b) == Some(0) => Some(self.bool(false)),
            (Op::Select, [array, index]) => self.rewrite_select(*array, *index),
            (Op::Store, [array, index, value]) => self.rewrite_store(*array, *index, *value),
            (op, [a, b]) => self.rewrite_arithmetic(op, *a, *b),
            _ => None,
        }
    }

    pub(crate) fn bits_of(&self, term: Term) -> Option<u128> {
        if let Op::Bits { value, .. } = self.node(term).op { Some(value) } else { None }
    }

    fn bool_of(&self, term: Term) -> Option<bool> {
        if let Op::Bool(value) = self.node(term).op { Some(value) } else { None }
    }

    fn argument_of(&self, op: Op, term: Term) -> Option<Term> {
        let node = self.node(term);
        (node.op == op).then(|| node.args[0])
    }

    fn negated(&self, term: Term) -> Option<Term> {
        self.argument_of(Op::Not, term)
    }

    fn are_opposite(&self, a: Term, b: Term) -> bool {
        self.negated(a) == Some(b) || self.negated(b) == Some(a)
    }

    /// `neutral` for conjunctions is true, for disjunctions false.
    fn rewrite_connective(&mut self, neutral: bool, a: Term, b: Term) -> Option<Term> {
        match self.bool_of(b) {
            Some(value) if value == neutral => Some(a),
            Some(_) => Some(b),
            None if a == b => Some(a),
            None if self.are_opposite(a, b) => Some(self.bool(!neutral)),
            None => None,
        }
    }

    fn rewrite_eq(&mut self, a: Term, b: Term) -> Option<Term> {
        if a == b {
            return Some(self.bool(true));
        }
        if let Some(value) = self.bool_of(b) {
            return Some(if value { a } else { self.not(a) });
        }
        if self.are_opposite(a, b) {
            return Some(self.bool(false));
        }
        // A choice between constants, compared with a constant.
        let (node, constant) = (self.node(a).clone(), self.bits_of(b)?);
        if node.op != Op::Ite {
            return None;
        }
        let (then, otherwise) = (self.bits_of(node.args[1])?, self.bits_of(node.args[2])?);
        Some(match (then == constant, otherwise == constant) {
            (true, true) => self.bool(true),
            (true, false) => node.args[0],
            (false, true) => self.not(node.args[0]),
            (false, false) => self.bool(false),
        })
    }

    fn rewrite_ite(&mut self, condition: Term, a: Term, b: Term) -> Option<Term> {
        if let Some(value) = self.bool_of(condition) {
            return Some(if value { a } else { b });
        }
        if a == b {
            return Some(a);
        }
        if let Some(positive) = self.negated(condition) {
            return Some(self.ite(positive, b, a));
        }
        match (self.bool_of(a), self.bool_of(b)) {
            (Some(true), _) => Some(self.or(condition, b)),
            (_, Some(false)) => Some(self.and(condition, a)),
            (Some(false), _) => {
                let not = self.not(condition);
                Some(self.and(not, b))
            }
            (_, Some(true)) => Some(self.implies(condition, a)),
            (None, None) => None,
        }
    }

    fn rewrite_extract(&mut self, high: u8, low: u8, a: Term) -> Option<Term> {
        if low == 0 && high + 1 == self.width(a) {
            return Some(a);
        }
        let node = self.node(a).clone();
        match node.op {
            Op::Extract { low: inner, .. } => Some(self.extract(high + inner, low + inner, node.args[0])),
            Op::Concat => {
                let middle = self.width(node.args[1]);
                if high < middle {
                    Some(self.extract(high, low, node.args[1]))
                } else if low >= middle {
                    Some(self.extract(high - middle, low - middle, node.args[0]))
                } else {
                    None
                }
            }
            Op::ZeroExtend(_) | Op::SignExtend(_) if high < self.width(node.args[0]) => {
                Some(self.extract(high, low, node.args[0]))
            }
            Op::ZeroExtend(_) if low >= self.width(node.args[0]) => Some(self.bits(high - low + 1, 0)),
            _ => None,
        }
    }

    fn rewrite_select(&mut self, array: Term, index: Term) -> Option<Term> {
        let node = self.node(array).clone();
        match node.op {
            Op::ConstArray { .. } => Some(node.args[0]),
            Op::Store if node.args[1] == index => Some(node.args[2]),
            Op::Store if self.are_apart(node.args[1], index) => {
                // Stores at other places are passed in a loop: there may be many.
                let mut array = node.args[0];
                while let Some((below, at)) = self.stored(array).filter(|(_, at)| self.are_apart(*at, index)) {
                    debug_assert_ne!(at, index);
                    array = below;
                }
                Some(self.select(array, index))
            }
            _ => None,
        }
    }

    /// What a store changes, and where.
    fn stored(&self, array: Term) -> Option<(Term, Term)> {
        let node = self.node(array);
        (node.op == Op::Store).then(|| (node.args[0], node.args[1]))
    }

    /// Different constants.
    fn are_apart(&self, a: Term, b: Term) -> bool {
        matches!((self.bits_of(a), self.bits_of(b)), (Some(a), Some(b)) if a != b)
    }

    fn rewrite_store(&mut self, array: Term, index: Term, value: Term) -> Option<Term> {
        let node = self.node(array).clone();
        match node.op {
            Op::Store if node.args[1] == index => Some(self.store(node.args[0], index, value)),
            Op::ConstArray { .. } if node.args[0] == value => Some(array),
            _ => None,
        }
    }

    fn rewrite_arithmetic(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        if op == Op::Concat {
            return self.rewrite_concat(a, b);
        }
        let width = self.width(b);
        let (zero, ones) = (0, mask(width, u128::MAX));
        match (op, self.bits_of(b)) {
            (Op::BvAdd | Op::BvSub | Op::BvOr | Op::BvXor | Op::BvShl | Op::BvLshr | Op::BvAshr, Some(0)) => Some(a),
            (Op::BvAnd | Op::BvMul, Some(0)) => Some(b),
            (Op::BvMul | Op::BvUdiv | Op::BvSdiv, Some(1)) => Some(a),
            (Op::BvAnd, Some(bits)) if bits == ones => Some(a),
            (Op::BvOr, Some(bits)) if bits == ones => Some(b),
            (Op::BvAnd | Op::BvOr, _) if a == b => Some(a),
            (Op::BvSub | Op::BvXor, _) if a == b => Some(self.bits(width, zero)),
            (Op::BvSub, Some(bits)) => {
                let negative = self.bits(width, bits.wrapping_neg());
                Some(self.bvadd(a, negative))
            }
            (Op::BvAdd, Some(bits)) => self.rewrite_sum(width, a, bits),
            _ => None,
        }
    }

    /// Constants that are added one after the other are one.
    fn rewrite_sum(&mut self, width: u8, a: Term, bits: u128) -> Option<Term> {
        let node = self.node(a);
        if node.op != Op::BvAdd {
            return None;
        }
        let (rest, inner) = (node.args[0], self.bits_of(node.args[1])?);
        let sum = self.bits(width, bits.wrapping_add(inner));
        Some(self.bvadd(rest, sum))
    }

    /// Neighbouring parts of one term are one part.
    fn rewrite_concat(&mut self, a: Term, b: Term) -> Option<Term> {
        let (high, low) = (self.node(a), self.node(b));
        match (high.op, low.op) {
            (Op::Extract { high: top, low: middle }, Op::Extract { high: below, low: bottom })
                if high.args == low.args && middle == below + 1 =>
            {
                let whole = high.args[0];
                Some(self.extract(top, bottom, whole))
            }
            _ => None,
        }
    }
}
