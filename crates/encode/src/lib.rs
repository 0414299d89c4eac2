//! The symbolic meaning of programs: what `semantics` computes, as terms of `logic`. The evaluator of expressions is that of
//! `semantics`; here are the operators on terms, with the events that an expression may cause, and a trait for the shape of memory,
//! so that who knows where pointers lead can say what an access reads.
//!
//! Floating types are not encoded: they are [`Unsupported`].

mod flat;
mod operators;

pub use flat::Flat;

use logic::{Sort, Term, Terms};
use program::{BinaryOp, Cast, ExprId, Function, FunctionId, GlobalId, LocalId, Scalar, UnaryOp};
use semantics::{Domain, eval};
use thiserror::Error;

/// A value with the events of its evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoded {
    /// A bit-vector as wide as the value's type; a truth value is one bit. Any value where there is a fault.
    pub term: Term,
    /// The formula that there is a fault: a division by zero, an amount of a shift, an index that no array has, an invalid access.
    pub fault: Term,
    /// The formula that a signed operation leaves the range of its type before there is a fault.
    pub overflow: Term,
}

/// What has no encoding.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("{0} is not encoded")]
pub struct Unsupported(pub String);

/// What the names in an expression mean.
///
/// ```
/// use base::Span;
/// use encode::{Scope, Unsupported, expression};
/// use logic::{Sort, Term, Terms};
/// use program::{BinaryOp, ExprKind, FunctionBuilder, FunctionId, GlobalId, LocalId, Scalar};
///
/// /// Every local is a symbol of 32 bits; there is nothing else.
/// struct Symbols;
///
/// impl Scope for Symbols {
///     fn local(&mut self, terms: &mut Terms, local: LocalId) -> Result<Term, Unsupported> {
///         let symbol = terms.symbol(&local.to_string(), Sort::Bits(32));
///         Ok(terms.variable(symbol))
///     }
///     fn local_address(&mut self, _: &mut Terms, local: LocalId) -> Result<Term, Unsupported> {
///         Err(Unsupported(format!("the address of {local}")))
///     }
///     fn global_address(&mut self, terms: &mut Terms, _: GlobalId) -> Term {
///         terms.bits(64, 0)
///     }
///     fn function_address(&mut self, terms: &mut Terms, _: FunctionId) -> Term {
///         terms.bits(64, 0)
///     }
/// }
///
/// let mut builder = FunctionBuilder::new("f", Span::NONE);
/// let (int, mut terms) = (Scalar::Int(32), Terms::new());
/// let [a, b] = [0, 1].map(|local| builder.expr(ExprKind::Local(LocalId(local)), int));
/// let quotient = builder.expr(ExprKind::Binary(BinaryOp::UDiv, a, b), int);
/// let value = expression(&mut terms, &mut Symbols, &builder.finish(), quotient).unwrap();
/// assert_eq!(terms.print(value.term), "(bvudiv v0 v1)");
/// assert_eq!(terms.print(value.fault), "(= v1 #x00000000)");
/// ```
pub trait Scope {
    /// As wide as the local's type.
    fn local(&mut self, terms: &mut Terms, local: LocalId) -> Result<Term, Unsupported>;
    /// Addresses are as wide as a pointer.
    fn local_address(&mut self, terms: &mut Terms, local: LocalId) -> Result<Term, Unsupported>;
    fn global_address(&mut self, terms: &mut Terms, global: GlobalId) -> Term;
    fn function_address(&mut self, terms: &mut Terms, function: FunctionId) -> Term;
}

/// The shape of memory: what reading and writing a scalar at an address makes of it.
pub trait Memory {
    /// The value at the address, with the fault that nothing may be read there.
    fn load(&self, terms: &mut Terms, address: Term, ty: Scalar) -> Result<Encoded, Unsupported>;
    /// Writes, and says when nothing may be written there: a formula.
    fn store(&mut self, terms: &mut Terms, address: Term, ty: Scalar, value: Term) -> Result<Term, Unsupported>;
}

impl Encoded {
    /// Without events.
    pub fn plain(terms: &mut Terms, term: Term) -> Encoded {
        let never = terms.bool(false);
        Encoded { term, fault: never, overflow: never }
    }
}

/// The sort of values of a type.
pub fn sort(ty: Scalar) -> Result<Sort, Unsupported> {
    match ty {
        Scalar::Float(kind) => Err(Unsupported(format!("the type {kind:?}"))),
        ty => Ok(Sort::Bits(ty.bits() as u8)),
    }
}

/// An expression of a function.
pub fn expression(
    terms: &mut Terms,
    scope: &mut dyn Scope,
    function: &Function,
    expr: ExprId,
) -> Result<Encoded, Unsupported> {
    eval(&mut Symbolic { terms, scope }, function, expr)
}

/// The domain of terms.
struct Symbolic<'t> {
    terms: &'t mut Terms,
    scope: &'t mut dyn Scope,
}

impl Symbolic<'_> {
    fn plain(&mut self, term: Term) -> Encoded {
        Encoded::plain(self.terms, term)
    }

    /// What happens in `b` counts unless there was a fault in `a`.
    fn then(&mut self, a: Encoded, b: Encoded) -> Encoded {
        let terms = &mut *self.terms;
        let fault = terms.or(a.fault, b.fault);
        let goes_on = terms.not(a.fault);
        let later = terms.and(goes_on, b.overflow);
        Encoded { term: b.term, fault, overflow: terms.or(a.overflow, later) }
    }
}

impl Domain for Symbolic<'_> {
    type Value = Encoded;
    type Stop = Unsupported;

    /// Floating constants are met where they are used.
    fn constant(&mut self, ty: Scalar, bits: u128) -> Encoded {
        let term = self.terms.bits(ty.bits() as u8, bits);
        self.plain(term)
    }

    fn local(&mut self, local: LocalId) -> Result<Encoded, Unsupported> {
        let term = self.scope.local(self.terms, local)?;
        Ok(self.plain(term))
    }

    fn local_address(&mut self, local: LocalId) -> Result<Encoded, Unsupported> {
        let term = self.scope.local_address(self.terms, local)?;
        Ok(self.plain(term))
    }

    fn global_address(&mut self, global: GlobalId) -> Encoded {
        let term = self.scope.global_address(self.terms, global);
        self.plain(term)
    }

    fn function_address(&mut self, function: FunctionId) -> Encoded {
        let term = self.scope.function_address(self.terms, function);
        self.plain(term)
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Encoded) -> Result<Encoded, Unsupported> {
        sort(ty)?;
        let result = operators::unary(self.terms, op, a.term)?;
        Ok(self.then(a, result))
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Encoded, _: Scalar, b: Encoded) -> Result<Encoded, Unsupported> {
        sort(ty)?;
        let result = operators::binary(self.terms, op, a.term, b.term)?;
        let operands = self.then(a, b);
        Ok(self.then(operands, result))
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Encoded) -> Result<Encoded, Unsupported> {
        sort(from)?;
        sort(to)?;
        let term = operators::cast(self.terms, cast, to.bits() as u8, a.term)?;
        Ok(Encoded { term, ..a })
    }

    /// Only where its evaluation has no events: those of the condition must not be lost.
    fn decide(&mut self, condition: &Encoded) -> Result<Option<bool>, Unsupported> {
        let never = self.terms.bool(false);
        let value = self.terms.constant(condition.term).and_then(|value| value.as_bits());
        let is_plain = condition.fault == never && condition.overflow == never;
        Ok(value.filter(|_| is_plain).map(|value| value != 0))
    }

    fn join(&mut self, _: Scalar, condition: &Encoded, a: Encoded, b: Encoded) -> Result<Encoded, Unsupported> {
        let terms = &mut *self.terms;
        let holds = terms.is_nonzero(condition.term);
        let chosen = Encoded {
            term: terms.ite(holds, a.term, b.term),
            fault: terms.ite(holds, a.fault, b.fault),
            overflow: terms.ite(holds, a.overflow, b.overflow),
        };
        Ok(self.then(*condition, chosen))
    }
}
