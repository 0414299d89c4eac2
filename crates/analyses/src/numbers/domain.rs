//! The interface of a numerical domain, in the sense of Apron (Jeannet and Miné, CAV 2009) and PPL: abstract values represent sets of
//! valuations of finitely many variables (Cousot and Cousot, POPL 1977), here integers of fixed widths, and transfer functions are
//! built from assignment, test, projection and join (Miné, "Tutorial on Static Inference of Numeric Invariants", 2017). What variables
//! are in a program, where pointers lead and what a step does is not the domain's matter.

use std::hash::Hash;

use base::Alarm;
use program::{BinaryOp, Scalar, UnaryOp};

use super::variables::{VarId, Variable};

/// There is no room for the result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full;

pub type Made<T> = Result<T, Full>;

/// A number in terms of variables, and those that it mentions.
#[derive(Clone, Debug)]
pub struct Number<E> {
    pub value: E,
    pub reads: Vec<VarId>,
}

impl<E> Number<E> {
    /// One that mentions no variable.
    pub fn fixed(value: E) -> Self {
        Number { value, reads: Vec::new() }
    }
}

/// What an operator gives. Conditions are expressions of one bit.
#[derive(Clone, Debug)]
pub struct Outcome<E> {
    pub value: E,
    /// Where there is no value; `None` for nowhere.
    pub fault: Option<E>,
    /// Where a signed operation leaves its range.
    pub overflow: Option<E>,
}

impl<E> Outcome<E> {
    /// There is a value everywhere.
    pub fn of(value: E) -> Self {
        Outcome { value, fault: None, overflow: None }
    }
}

/// Sets of valuations of variables. Laws: every result represents at least what the operation on sets of valuations gives, and every
/// expression for at least the values that it has; sets that are equal are the same set.
pub trait NumericalDomain {
    type Set: Clone + Eq + Hash;
    /// An expression over variables. It may have several values in one valuation, where not all is known of it.
    type Expr: Clone;

    /// In words, that there is no room.
    const FULL: &'static str;

    /// When the alarm strikes, long work ends with [`Full`].
    fn limit(&mut self, alarm: &Alarm) {
        let _ = alarm;
    }

    /// A new variable; they come in the order of their numbers. In sets that are there it may be anything.
    fn add_variable(&mut self, id: VarId, variable: Variable, width: u32) -> Made<()>;

    // Sets.

    /// All valuations in which these variables have these values.
    fn valuations(&mut self, values: &[(VarId, u64)]) -> Made<Self::Set>;
    /// False only if there is no valuation in both.
    fn meets(&mut self, a: &Self::Set, b: &Self::Set) -> Made<bool>;
    fn is_empty(&self, set: &Self::Set) -> bool;
    /// Without the valuations in which the condition is false.
    fn assume(&mut self, set: &Self::Set, condition: &Self::Expr) -> Made<Self::Set>;
    /// Existential projection: these variables may be anything.
    fn forget(&mut self, set: &Self::Set, variables: &[VarId]) -> Made<Self::Set>;
    /// All at once: the values are those before the assignment, and as wide as their variables.
    fn assign(&mut self, set: &Self::Set, values: &[(VarId, Number<Self::Expr>)]) -> Made<Self::Set>;
    fn join(&mut self, a: &Self::Set, b: &Self::Set) -> Made<Self::Set>;
    /// Law: true only if every valuation of `a` is one of `b`.
    fn leq(&mut self, a: &Self::Set, b: &Self::Set) -> Made<bool>;
    /// The one value that an expression has in all valuations.
    fn only_value(&mut self, set: &Self::Set, expr: &Self::Expr) -> Made<Option<u64>>;

    /// Sets that together are this one, in each of which the expression has one value; `None` if there are more than `most`, or the
    /// domain does not know.
    fn split(&mut self, set: &Self::Set, expr: &Self::Expr, most: usize) -> Made<Option<Vec<Self::Set>>> {
        let _ = (set, expr, most);
        Ok(None)
    }

    // Expressions. Those made for a set are used with it and with subsets of it only. Floating numbers do not come here.

    /// Cut to the width.
    fn constant(&mut self, value: u128, width: u32) -> Self::Expr;
    fn variable(&mut self, set: &Self::Set, id: VarId) -> Self::Expr;
    /// One that may have any value.
    fn unknown(&mut self, width: u32) -> Self::Expr;
    /// Cut if the width is smaller.
    fn zero_extend(&mut self, a: &Self::Expr, width: u32) -> Self::Expr;
    /// From one width to another; cut if that is smaller.
    fn sign_extend(&mut self, a: &Self::Expr, from: u32, to: u32) -> Self::Expr;
    /// As [`semantics::ops::unary`] is for each valuation of the set.
    fn unary(&mut self, set: &Self::Set, op: UnaryOp, ty: Scalar, a: &Self::Expr) -> Made<Outcome<Self::Expr>>;
    /// As [`semantics::ops::binary`] is for each valuation of the set.
    fn binary(
        &mut self,
        set: &Self::Set,
        op: BinaryOp,
        ty: Scalar,
        a: &Self::Expr,
        right: Scalar,
        b: &Self::Expr,
    ) -> Made<Outcome<Self::Expr>>;
    /// `a` where the condition is true, `b` elsewhere.
    fn choose(&mut self, condition: &Self::Expr, a: &Self::Expr, b: &Self::Expr) -> Made<Self::Expr>;
}
