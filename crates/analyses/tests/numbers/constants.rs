//! Constant propagation (Kildall, POPL 1973) as a numerical domain: what is known of a variable is its value, or nothing.

use std::collections::BTreeMap;

use analyses::numbers::{Made, Number, NumericalDomain, Outcome, VarId, Variable};
use base::IndexVec;
use program::{BinaryOp, Cast, Scalar, UnaryOp};
use semantics::ops;

#[derive(Default)]
pub struct Constants {
    widths: IndexVec<VarId, u32>,
}

/// Variables that have one value; `None` if there is no valuation.
type Set = Option<BTreeMap<VarId, u64>>;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Expr {
    Known(u128),
    /// The value of a variable that is not known.
    Of(VarId),
    /// Has that variable this value?
    Equal(VarId, u64),
    Unknown,
}
use Expr::{Equal, Known, Of, Unknown};

fn may_fault(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, UDiv | SDiv | URem | SRem | Shl | LShr | AShr | Scale)
}

fn may_overflow(op: BinaryOp) -> bool {
    use BinaryOp::*;
    matches!(op, SAdd | SSub | SMul | SDiv | SRem)
}

/// A condition that is known, if it is not never.
fn known_condition(truth: bool) -> Option<Expr> {
    truth.then_some(Known(1))
}

impl Constants {
    fn with(&self, set: &Set, id: VarId, value: u64) -> Set {
        let known = set.as_ref()?.get(&id).copied();
        let fits = u128::from(value) == cut(value.into(), self.widths[id]) && known.is_none_or(|known| known == value);
        let mut set = set.clone().filter(|_| fits)?;
        set.insert(id, value);
        Some(set)
    }
}

fn cut(value: u128, width: u32) -> u128 {
    if width < 128 { value & ((1 << width) - 1) } else { value }
}

impl NumericalDomain for Constants {
    type Set = Set;
    type Expr = Expr;

    const FULL: &'static str = "there is always room";

    fn add_variable(&mut self, _: VarId, _: Variable, width: u32) -> Made<()> {
        self.widths.push(width);
        Ok(())
    }

    fn valuations(&mut self, values: &[(VarId, u64)]) -> Made<Set> {
        Ok(Some(values.iter().copied().collect()))
    }

    fn meets(&mut self, a: &Set, b: &Set) -> Made<bool> {
        let (Some(a), Some(b)) = (a, b) else { return Ok(false) };
        Ok(a.iter().all(|(id, value)| b.get(id).is_none_or(|other| other == value)))
    }

    fn is_empty(&self, set: &Set) -> bool {
        set.is_none()
    }

    fn assume(&mut self, set: &Set, condition: &Expr) -> Made<Set> {
        Ok(match *condition {
            Known(0) => None,
            Equal(id, value) => self.with(set, id, value),
            Of(id) => self.with(set, id, 1),
            Known(_) | Unknown => set.clone(),
        })
    }

    fn forget(&mut self, set: &Set, variables: &[VarId]) -> Made<Set> {
        let mut set = set.clone();
        if let Some(set) = &mut set {
            set.retain(|id, _| !variables.contains(id));
        }
        Ok(set)
    }

    fn assign(&mut self, set: &Set, values: &[(VarId, Number<Expr>)]) -> Made<Set> {
        let assigned: Vec<VarId> = values.iter().map(|(id, _)| *id).collect();
        let mut after = self.forget(set, &assigned)?;
        for (id, number) in values {
            if let (Some(after), Some(value)) = (&mut after, self.only_value(set, &number.value)?) {
                after.insert(*id, value);
            }
        }
        Ok(after)
    }

    fn join(&mut self, a: &Set, b: &Set) -> Made<Set> {
        let (Some(x), Some(y)) = (a, b) else { return Ok(a.clone().or_else(|| b.clone())) };
        Ok(Some(x.iter().filter(|(id, value)| y.get(id) == Some(value)).map(|(id, value)| (*id, *value)).collect()))
    }

    fn leq(&mut self, a: &Set, b: &Set) -> Made<bool> {
        Ok(self.join(a, b)? == *b)
    }

    fn only_value(&mut self, set: &Set, expr: &Expr) -> Made<Option<u64>> {
        Ok(match expr {
            Known(value) => u64::try_from(*value).ok(),
            Of(id) => set.as_ref().and_then(|set| set.get(id)).copied(),
            Equal(..) | Unknown => None,
        })
    }

    fn constant(&mut self, value: u128, width: u32) -> Expr {
        Known(cut(value, width))
    }

    fn variable(&mut self, set: &Set, id: VarId) -> Expr {
        let known = set.as_ref().and_then(|set| set.get(&id));
        known.map_or(Of(id), |value| Known((*value).into()))
    }

    fn unknown(&mut self, _: u32) -> Expr {
        Unknown
    }

    fn zero_extend(&mut self, a: &Expr, width: u32) -> Expr {
        match *a {
            Known(value) => Known(cut(value, width)),
            Of(id) if width < self.widths[id] => Unknown,
            a => a,
        }
    }

    fn sign_extend(&mut self, a: &Expr, from: u32, to: u32) -> Expr {
        let extended = |value| ops::cast(Cast::SExt, Scalar::Int(from as u8), Scalar::Int(to as u8), value);
        match *a {
            Known(value) => extended(value).map_or(Unknown, Known),
            _ => Unknown,
        }
    }

    fn unary(&mut self, _: &Set, op: UnaryOp, ty: Scalar, a: &Expr) -> Made<Outcome<Expr>> {
        Ok(match *a {
            Known(a) => {
                let overflow = known_condition(ops::unary_overflows(op, ty, a));
                Outcome { value: Known(ops::unary(op, ty, a)), fault: None, overflow }
            }
            _ => Outcome { value: Unknown, fault: None, overflow: (op == UnaryOp::SNeg).then_some(Unknown) },
        })
    }

    fn binary(&mut self, _: &Set, op: BinaryOp, ty: Scalar, a: &Expr, right: Scalar, b: &Expr) -> Made<Outcome<Expr>> {
        Ok(match (op, *a, *b) {
            (_, Known(a), Known(b)) => {
                let overflow = known_condition(ops::binary_overflows(op, ty, a, b));
                match ops::binary(op, ty, a, right, b) {
                    Ok(value) => Outcome { value: Known(value), fault: None, overflow },
                    Err(_) => Outcome { value: Unknown, fault: Some(Known(1)), overflow },
                }
            }
            (BinaryOp::Eq, Of(id), Known(value)) | (BinaryOp::Eq, Known(value), Of(id)) => {
                Outcome::of(u64::try_from(value).map_or(Known(0), |value| Equal(id, value)))
            }
            _ => Outcome {
                value: Unknown,
                fault: may_fault(op).then_some(Unknown),
                overflow: may_overflow(op).then_some(Unknown),
            },
        })
    }

    fn choose(&mut self, condition: &Expr, a: &Expr, b: &Expr) -> Made<Expr> {
        Ok(match condition {
            Known(truth) => *if *truth != 0 { a } else { b },
            _ if a == b => *a,
            _ => Unknown,
        })
    }
}
