//! Does an event fire a transition? Three answers: what is not known may go either way.

use program::{Edge, Function, FunctionId, LocalId, Op, Program, Scalar, Type};
use semantics::{Base, Pointer};

use crate::automaton::{Callee, Condition, Event, Moment, Range, Term, Transition, Trigger};
use crate::configuration::Slot;
use crate::edges::{Touched, accesses, parameters};
use crate::look::{Known, Look, Place};
use crate::primitive::Argument;
use crate::syntax::Comparison;

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Truth {
    No,
    Maybe,
    Yes,
}

impl Truth {
    pub fn of(truth: bool) -> Truth {
        if truth { Truth::Yes } else { Truth::No }
    }

    fn not(self) -> Truth {
        match self {
            Truth::No => Truth::Yes,
            Truth::Maybe => Truth::Maybe,
            Truth::Yes => Truth::No,
        }
    }
}

/// One event at one state.
pub struct Matcher<'m> {
    pub program: &'m Program,
    pub event: &'m Event,
    pub look: &'m dyn Look,
}

/// Who is called by an edge.
enum Called {
    Function(FunctionId),
    Primitive,
    NoFunction,
    /// Through a pointer that may lead to one of those meant.
    Unknown,
}

impl Matcher<'_> {
    /// Whether the transition fires, and what the slots are then.
    pub fn fires(&self, transition: &Transition, slots: &[Slot]) -> (Truth, Box<[Slot]>) {
        let mut slots: Box<[Slot]> = slots.into();
        let mut truth = self.triggers(&transition.trigger, &mut slots);
        if let Some(condition) = &transition.condition
            && truth != Truth::No
        {
            truth = truth.min(self.holds(condition, &slots));
        }
        (truth, slots)
    }

    /// The function and edge of the event.
    fn edge(&self) -> Option<(&Function, &Edge)> {
        match self.event.moment {
            Moment::Before(function, edge) | Moment::After(function, edge) => {
                let function = &self.program.functions[function];
                Some((function, &function.edges[edge]))
            }
            Moment::Reached | Moment::Deadlock => None,
        }
    }

    fn triggers(&self, trigger: &Trigger, slots: &mut [Slot]) -> Truth {
        match trigger {
            Trigger::Place | Trigger::End | Trigger::Deadlock | Trigger::Reached => Truth::Yes,
            Trigger::Call { callee, arguments } => self.calls(callee, arguments, slots),
            Trigger::Return { callee, value } => self.returns(callee, value.as_ref(), slots),
            Trigger::Access { write, range } => self.accesses(*write, *range),
        }
    }

    fn calls(&self, callee: &Callee, patterns: &[Option<Term>], slots: &mut [Slot]) -> Truth {
        let Some((function, edge)) = self.edge() else { return Truth::No };
        let (mut truth, called) = match self.called(callee, edge) {
            Called::NoFunction => return Truth::No,
            Called::Unknown => (Truth::Maybe, callee.functions.first().copied()),
            Called::Function(called) => (Truth::Yes, Some(called)),
            Called::Primitive => (Truth::Yes, None),
        };
        for (i, pattern) in patterns.iter().enumerate() {
            let Some(pattern) = pattern else { continue };
            let value = match (called, &edge.op) {
                (Some(called), Op::Call(call)) => {
                    let called = &self.program.functions[called];
                    let (hidden, parameters) = parameters(self.program, called);
                    let parameter = parameters.get(i);
                    parameter.and_then(|parameter| {
                        let value = self.look.value(Place::Expr(*call.args.get(hidden + i)?))?;
                        self.of_local(called, *parameter, value)
                    })
                }
                (_, op) => callee.primitive.and_then(|p| self.argument(function, p.argument(op, i))),
            };
            truth = truth.min(self.meets(pattern, value, slots));
        }
        truth
    }

    fn called(&self, callee: &Callee, edge: &Edge) -> Called {
        let Op::Call(call) = &edge.op else { return Called::Primitive };
        match call.callee {
            program::Callee::Direct(function) => Called::Function(function),
            program::Callee::Indirect(pointer) => match self.look.value(Place::Expr(pointer)) {
                Some(Known::Place(Pointer { base: Base::Function(function), .. })) => {
                    match callee.functions.contains(&function) {
                        true => Called::Function(function),
                        false => Called::NoFunction,
                    }
                }
                Some(_) => Called::NoFunction,
                None => Called::Unknown,
            },
        }
    }

    fn returns(&self, callee: &Callee, pattern: Option<&Term>, slots: &mut [Slot]) -> Truth {
        let (Some((function, edge)), Some(pattern)) = (self.edge(), pattern) else { return Truth::Yes };
        let value = match (self.event.moment, callee.primitive) {
            (Moment::After(..), Some(primitive)) => self.argument(function, primitive.result(&edge.op)),
            _ => function.result.and_then(|local| self.argument(function, Argument::Local(local))),
        };
        self.meets(pattern, value, slots)
    }

    fn argument(&self, function: &Function, argument: Argument) -> Option<Known> {
        match argument {
            Argument::Missing => None,
            Argument::Number(number) => Some(Known::Number(number as u128)),
            Argument::Local(local) => self.of_local(function, local, self.look.value(Place::Local(local))?),
            Argument::Expr(expr) => extended(self.look.value(Place::Expr(expr))?, function.exprs[expr].ty, true),
        }
    }

    /// A value as the type of a local says.
    fn of_local(&self, function: &Function, local: LocalId, value: Known) -> Option<Known> {
        match self.program.types[function.locals[local].ty] {
            Type::Scalar { scalar, signed, .. } => extended(value, scalar, signed),
            _ => None,
        }
    }

    /// A free slot takes the value; anything else must be equal.
    fn meets(&self, pattern: &Term, value: Option<Known>, slots: &mut [Slot]) -> Truth {
        if let Term::Slot(slot) = pattern
            && slots[*slot] == Slot::Free
        {
            slots[*slot] = value.map_or(Slot::Unknown, Slot::Bound);
            return Truth::Yes;
        }
        compare(value, Comparison::Equal, self.term(pattern, slots))
    }

    fn accesses(&self, write: bool, range: Range) -> Truth {
        let Some((_, edge)) = self.edge() else { return Truth::No };
        let touched = accesses(&edge.op).into_iter().filter(|access| access.is(write));
        let meets = |access: Touched| match self.look.value(Place::Expr(access.address)) {
            None => Truth::Maybe,
            Some(Known::Number(_) | Known::Gone) => Truth::No,
            Some(Known::Place(Pointer { base, offset })) => {
                let (start, end) = (range.start.offset, range.start.offset + range.length as i64);
                let overlaps = offset - (access.before as i64) < end && start < offset + access.length as i64;
                Truth::of(base == range.start.base && overlaps)
            }
        };
        touched.map(meets).max().unwrap_or(Truth::No)
    }

    fn holds(&self, condition: &Condition, slots: &[Slot]) -> Truth {
        match condition {
            Condition::Compare(left, comparison, right) => {
                compare(self.term(left, slots), *comparison, self.term(right, slots))
            }
            Condition::Not(inner) => self.holds(inner, slots).not(),
            Condition::And(left, right) => self.holds(left, slots).min(self.holds(right, slots)),
            Condition::Or(left, right) => self.holds(left, slots).max(self.holds(right, slots)),
        }
    }

    fn term(&self, term: &Term, slots: &[Slot]) -> Option<Known> {
        match term {
            Term::Number(number) => Some(Known::Number(*number as u128)),
            Term::Slot(slot) => match slots[*slot] {
                Slot::Bound(value) => Some(value),
                Slot::Free | Slot::Unknown => None,
            },
            Term::Address(pointer) => Some(Known::Place(*pointer)),
            Term::Variable { place, signed } => {
                let Place::Global { ty, bits, .. } = place else { return None };
                let ty = bits.map_or(*ty, |(_, width)| Scalar::Int(width));
                extended(self.look.value(*place)?, ty, *signed)
            }
            Term::Sum { left, right, minus } => {
                let (left, right) = (self.term(left, slots)?, self.term(right, slots)?);
                match (left, right) {
                    (Known::Number(a), Known::Number(b)) if *minus => Some(Known::Number(a.wrapping_sub(b))),
                    (Known::Number(a), Known::Number(b)) => Some(Known::Number(a.wrapping_add(b))),
                    (Known::Place(a), Known::Number(b)) if *minus => Some(Known::Place(a.moved(-(b as i64)))),
                    (Known::Place(a), Known::Number(b)) => Some(Known::Place(a.moved(b as i64))),
                    _ => None,
                }
            }
        }
    }
}

/// The bits of a number, extended to 128 by its type; what is no integer is not known.
fn extended(value: Known, ty: Scalar, signed: bool) -> Option<Known> {
    match (value, ty) {
        (Known::Place(_) | Known::Gone, _) => Some(value),
        (Known::Number(_), Scalar::Float(_)) => None,
        (Known::Number(bits), _) => {
            let unused = 128 - ty.bits();
            let moved = bits << unused;
            Some(Known::Number(match signed && matches!(ty, Scalar::Int(2..)) {
                true => (moved as i128 >> unused) as u128,
                false => moved >> unused,
            }))
        }
    }
}

fn compare(left: Option<Known>, comparison: Comparison, right: Option<Known>) -> Truth {
    use Comparison::*;
    let (Some(left), Some(right)) = (left, right) else { return Truth::Maybe };
    let order = match (left, right) {
        (Known::Number(a), Known::Number(b)) => (a as i128).cmp(&(b as i128)),
        (Known::Place(a), Known::Place(b)) if a.base == b.base => a.offset.cmp(&b.offset),
        // Perhaps the same.
        (Known::Gone, Known::Gone) => return Truth::Maybe,
        (Known::Place(_) | Known::Gone, Known::Place(_) | Known::Gone) => return different(comparison),
        // Only null is a number that no address is.
        (Known::Number(0), _) | (_, Known::Number(0)) => return different(comparison),
        _ => return Truth::Maybe,
    };
    Truth::of(match comparison {
        Equal => order.is_eq(),
        NotEqual => order.is_ne(),
        Less => order.is_lt(),
        LessEqual => order.is_le(),
        Greater => order.is_gt(),
        GreaterEqual => order.is_ge(),
    })
}

/// Of two that cannot be ordered.
fn different(comparison: Comparison) -> Truth {
    match comparison {
        Comparison::Equal => Truth::No,
        Comparison::NotEqual => Truth::Yes,
        _ => Truth::Maybe,
    }
}
