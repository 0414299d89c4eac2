//! Constructors. Each checks the sorts of its operands, folds constants and brings terms into a cheap normal form; operands that do
//! not fit are a panic with the operator and their sorts.

use smallvec::SmallVec;

use crate::value::mask;
use crate::{Op, Sort, SortError, SymbolId, Term, Terms, Value};

impl Terms {
    /// Any operator on operands that are known to fit.
    pub fn apply(&mut self, op: Op, args: &[Term]) -> Term {
        self.try_apply(op, args).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Any operator on any operands.
    pub fn try_apply(&mut self, op: Op, args: &[Term]) -> Result<Term, SortError> {
        let sorts: SmallVec<[Sort; 3]> = args.iter().map(|arg| self.sort(*arg)).collect();
        let sort = op.sort(&sorts)?;
        if let Some(value) = self.fold(op, args) {
            return Ok(self.literal(&value));
        }
        let mut args: SmallVec<[Term; 3]> = args.into();
        if op.is_commutative() {
            args.sort_unstable_by_key(|arg| (self.constant(*arg).is_some(), *arg));
        }
        Ok(self.rewrite(op, &args).unwrap_or_else(|| self.intern(op, &args, sort)))
    }

    fn fold(&self, op: Op, args: &[Term]) -> Option<Value> {
        let operands: Option<SmallVec<[Value; 3]>> = args.iter().map(|arg| self.constant(*arg)).collect();
        op.value(&operands.filter(|operands| !operands.is_empty())?).filter(|value| !matches!(value, Value::Array(_)))
    }

    /// The constant, or the array as constants that are stored.
    pub fn literal(&mut self, value: &Value) -> Term {
        match value {
            Value::Bool(value) => self.bool(*value),
            Value::Bits { width, value } => self.bits(*width, *value),
            Value::Array(array) => {
                let rest = self.bits(array.element, array.rest);
                let mut term = self.const_array(array.index, rest);
                for (index, value) in array.listed() {
                    let (index, value) = (self.bits(array.index, index), self.bits(array.element, value));
                    term = self.store(term, index, value);
                }
                term
            }
        }
    }

    pub fn bool(&mut self, value: bool) -> Term {
        self.intern(Op::Bool(value), &[], Sort::Bool)
    }

    /// The low bits of `value`.
    pub fn bits(&mut self, width: u8, value: u128) -> Term {
        assert!(Sort::Bits(width).is_valid(), "no bit-vector has {width} bits");
        self.intern(Op::Bits { width, value: mask(width, value) }, &[], Sort::Bits(width))
    }

    pub fn variable(&mut self, symbol: SymbolId) -> Term {
        let sort = self.describe(symbol).sort;
        self.intern(Op::Symbol(symbol, sort), &[], sort)
    }

    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        let not = self.not(a);
        self.or(not, b)
    }

    pub fn bvule(&mut self, a: Term, b: Term) -> Term {
        let greater = self.bvult(b, a);
        self.not(greater)
    }

    pub fn bvsle(&mut self, a: Term, b: Term) -> Term {
        let greater = self.bvslt(b, a);
        self.not(greater)
    }

    /// `#b1` if it is true, else `#b0`.
    pub fn bit_of(&mut self, formula: Term) -> Term {
        let (one, zero) = (self.bits(1, 1), self.bits(1, 0));
        self.ite(formula, one, zero)
    }

    /// Is the term not zero?
    pub fn is_nonzero(&mut self, term: Term) -> Term {
        let zero = self.bits(self.width(term), 0);
        let is_zero = self.eq(term, zero);
        self.not(is_zero)
    }

    /// The low `width` bits, or with zeros added.
    pub fn resize_unsigned(&mut self, term: Term, width: u8) -> Term {
        match self.width(term) {
            own if own < width => self.apply(Op::ZeroExtend(width - own), &[term]),
            own if own > width => self.extract(width - 1, 0, term),
            _ => term,
        }
    }

    /// The low `width` bits, or with copies of the highest bit added.
    pub fn resize_signed(&mut self, term: Term, width: u8) -> Term {
        match self.width(term) {
            own if own < width => self.apply(Op::SignExtend(width - own), &[term]),
            own if own > width => self.extract(width - 1, 0, term),
            _ => term,
        }
    }

    pub fn extract(&mut self, high: u8, low: u8, term: Term) -> Term {
        self.apply(Op::Extract { high, low }, &[term])
    }

    pub fn const_array(&mut self, index: u8, element: Term) -> Term {
        self.apply(Op::ConstArray { index }, &[element])
    }
}

/// Constructors that only name their operator.
macro_rules! constructors {
    ($($name:ident($($arg:ident),+) = $op:ident;)*) => {
        impl Terms {$(
            pub fn $name(&mut self, $($arg: Term),+) -> Term {
                self.apply(Op::$op, &[$($arg),+])
            }
        )*}
    };
}

constructors! {
    not(a) = Not;
    and(a, b) = And;
    or(a, b) = Or;
    eq(a, b) = Eq;
    ite(condition, a, b) = Ite;
    bvnot(a) = BvNot;
    bvneg(a) = BvNeg;
    bvand(a, b) = BvAnd;
    bvor(a, b) = BvOr;
    bvxor(a, b) = BvXor;
    bvadd(a, b) = BvAdd;
    bvsub(a, b) = BvSub;
    bvmul(a, b) = BvMul;
    bvudiv(a, b) = BvUdiv;
    bvurem(a, b) = BvUrem;
    bvsdiv(a, b) = BvSdiv;
    bvsrem(a, b) = BvSrem;
    bvshl(a, b) = BvShl;
    bvlshr(a, b) = BvLshr;
    bvashr(a, b) = BvAshr;
    bvult(a, b) = BvUlt;
    bvslt(a, b) = BvSlt;
    concat(high, low) = Concat;
    select(array, index) = Select;
    store(array, index, value) = Store;
}
