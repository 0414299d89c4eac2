//! Expressions as terms against the interpreter's table of operators: the same value, the same fault, the same overflow.

use base::Span;
use encode::{Encoded, Scope, Unsupported, expression};
use fastrand::Rng;
use logic::{Assignment, Sort, Term, Terms, Value};
use program::{
    BinaryOp, Cast, ExprId, ExprKind, Function, FunctionBuilder, FunctionId, GlobalId, Local, LocalId, LocalKind,
    Scalar, Storage, TypeId, UnaryOp,
};
use semantics::ops::{self, Fault};
use semantics::{Domain, eval};

const WIDTHS: [u8; 9] = [1, 2, 7, 8, 13, 32, 64, 65, 128];
const UNARY: [UnaryOp; 7] = [
    UnaryOp::Neg,
    UnaryOp::SNeg,
    UnaryOp::Not,
    UnaryOp::LeadingZeros,
    UnaryOp::TrailingZeros,
    UnaryOp::PopCount,
    UnaryOp::ByteSwap,
];
const OF_POINTERS: [BinaryOp; 6] =
    [BinaryOp::PtrAdd, BinaryOp::PtrDiff, BinaryOp::PtrLt, BinaryOp::PtrLe, BinaryOp::Scale, BinaryOp::Eq];

/// A value, or a fault, and whether there was an overflow before.
type Outcome = (Result<u128, Fault>, bool);

/// The interpreter's operators on plain numbers.
struct Concrete<'v> {
    values: &'v [u128],
    overflow: bool,
}

impl Domain for Concrete<'_> {
    type Value = u128;
    type Stop = Fault;

    fn constant(&mut self, _: Scalar, bits: u128) -> u128 {
        bits
    }
    fn local(&mut self, local: LocalId) -> Result<u128, Fault> {
        Ok(self.values[local.0 as usize])
    }
    fn local_address(&mut self, _: LocalId) -> Result<u128, Fault> {
        unreachable!("no local is in memory")
    }
    fn global_address(&mut self, _: GlobalId) -> u128 {
        unreachable!("there is no global")
    }
    fn function_address(&mut self, _: FunctionId) -> u128 {
        unreachable!("no function is mentioned")
    }
    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: u128) -> Result<u128, Fault> {
        self.overflow |= ops::unary_overflows(op, ty, a);
        Ok(ops::unary(op, ty, a))
    }
    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: u128, right: Scalar, b: u128) -> Result<u128, Fault> {
        self.overflow |= ops::binary_overflows(op, ty, a, b);
        ops::binary(op, ty, a, right, b)
    }
    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: u128) -> Result<u128, Fault> {
        ops::cast(cast, from, to, a)
    }
    fn decide(&mut self, condition: &u128) -> Result<Option<bool>, Fault> {
        Ok(Some(*condition != 0))
    }
    fn join(&mut self, _: Scalar, _: &u128, a: u128, _: u128) -> Result<u128, Fault> {
        Ok(a)
    }
}

/// Each local is a symbol.
struct Symbols<'f>(&'f Function);

impl Scope for Symbols<'_> {
    fn local(&mut self, terms: &mut Terms, local: LocalId) -> Result<Term, Unsupported> {
        let Storage::Plain(ty) = self.0.locals[local].storage else { unreachable!("all are plain") };
        let symbol = terms.symbol(&local.to_string(), encode::sort(ty)?);
        Ok(terms.variable(symbol))
    }
    fn local_address(&mut self, _: &mut Terms, _: LocalId) -> Result<Term, Unsupported> {
        unreachable!("no local is in memory")
    }
    fn global_address(&mut self, _: &mut Terms, _: GlobalId) -> Term {
        unreachable!("there is no global")
    }
    fn function_address(&mut self, _: &mut Terms, _: FunctionId) -> Term {
        unreachable!("no function is mentioned")
    }
}

fn builder(locals: &[Scalar]) -> FunctionBuilder {
    let mut builder = FunctionBuilder::new("f", Span::NONE);
    for ty in locals {
        let (storage, kind) = (Storage::Plain(*ty), LocalKind::Named);
        builder.locals.push(Local { name: "".into(), ty: TypeId(0), storage, kind, span: Span::NONE });
    }
    builder
}

fn concrete(function: &Function, expr: ExprId, values: &[u128]) -> Outcome {
    let mut domain = Concrete { values, overflow: false };
    let result = eval(&mut domain, function, expr);
    (result, domain.overflow)
}

fn check(terms: &Terms, encoded: Encoded, assignment: &Assignment, expected: Outcome, context: &str) {
    let fault = terms.holds(encoded.fault, assignment).expect("all symbols have values");
    let overflow = terms.holds(encoded.overflow, assignment).expect("all symbols have values");
    assert_eq!((fault, overflow), (expected.0.is_err(), expected.1), "{context}: fault, overflow");
    if let Ok(bits) = expected.0 {
        let value = terms.eval(encoded.term, assignment).expect("all symbols have values");
        assert_eq!(value.as_bits(), Some(bits), "{context}");
    }
}

fn numbers(rng: &mut Rng, ty: Scalar) -> Vec<u128> {
    let high = 1 << (ty.bits() - 1);
    let special = [0, 1, 2, 3, u128::MAX, u128::MAX - 1, high, high - 1, high + 1, ty.bits().into(), rng.u128(..)];
    special.into_iter().map(|bits| ops::truncate(bits, ty.bits())).collect()
}

/// One operator on all pairs of some values, as symbols; the number of faults and overflows that were compared.
fn compare(rng: &mut Rng, (left, right, result): (Scalar, Scalar, Scalar), kind: ExprKind) -> (usize, usize) {
    let mut builder = builder(&[left, right]);
    for (i, ty) in [left, right].into_iter().enumerate() {
        assert_eq!(builder.expr(ExprKind::Local(LocalId(i as u32)), ty), ExprId(i as u32));
    }
    let expr = builder.expr(kind, result);
    let function = builder.finish();
    let mut terms = Terms::new();
    let encoded = expression(&mut terms, &mut Symbols(&function), &function, expr).expect("integers are encoded");
    assert_eq!(terms.sort(encoded.term), Sort::Bits(result.bits() as u8));
    let symbols = [(0, left), (1, right)]
        .map(|(local, ty)| terms.symbol(&LocalId(local).to_string(), encode::sort(ty).expect("it is encoded")));
    let (mut faults, mut overflows) = (0, 0);
    for a in numbers(rng, left) {
        for b in numbers(rng, right) {
            let values = [Value::bits(left.bits() as u8, a), Value::bits(right.bits() as u8, b)];
            let assignment = symbols.into_iter().zip(values).collect();
            let expected = concrete(&function, expr, &[a, b]);
            check(&terms, encoded, &assignment, expected, &format!("{kind:?} on {left:?} {a:#x}, {b:#x}"));
            faults += usize::from(expected.0.is_err());
            overflows += usize::from(expected.1);
        }
    }
    (faults, overflows)
}

#[test]
fn binary_operators_agree_with_the_interpreter() {
    let mut rng = Rng::with_seed(1);
    for width in WIDTHS {
        let ty = Scalar::Int(width);
        for op in BinaryOp::OF_INTEGERS {
            use BinaryOp::*;
            let result = if matches!(op, Eq | ULt | ULe | SLt | SLe) { Scalar::BOOL } else { ty };
            let shifts = matches!(op, Shl | LShr | AShr);
            for right in WIDTHS.map(Scalar::Int).into_iter().filter(|right| shifts || *right == ty) {
                let kind = ExprKind::Binary(op, ExprId(0), ExprId(1));
                let (faults, overflows) = compare(&mut rng, (ty, right, result), kind);
                let may_fault = matches!(op, UDiv | SDiv | URem | SRem) || shifts && right.bits() >= ty.bits();
                assert!(faults > 0 || !may_fault, "{op:?} on {ty:?} by {right:?} never failed");
                let may_overflow = matches!(op, SAdd | SSub | SMul | SDiv | SRem);
                assert_eq!(overflows > 0, may_overflow, "{op:?} on {ty:?}");
            }
        }
    }
}

#[test]
fn unary_operators_agree_with_the_interpreter() {
    let mut rng = Rng::with_seed(2);
    for width in WIDTHS {
        for op in UNARY.into_iter().filter(|op| *op != UnaryOp::ByteSwap || width % 8 == 0) {
            let ty = Scalar::Int(width);
            let (_, overflows) = compare(&mut rng, (ty, ty, ty), ExprKind::Unary(op, ExprId(0)));
            assert_eq!(overflows > 0, op == UnaryOp::SNeg);
        }
    }
}

#[test]
fn conversions_agree_with_the_interpreter() {
    let mut rng = Rng::with_seed(3);
    for (from, to) in WIDTHS.into_iter().flat_map(|from| WIDTHS.map(|to| (from, to))) {
        let casts: &[Cast] = if from > to { &[Cast::Trunc] } else { &[Cast::ZExt, Cast::SExt] };
        for cast in casts {
            let (from, to) = (Scalar::Int(from), Scalar::Int(to));
            compare(&mut rng, (from, from, to), ExprKind::Cast(*cast, ExprId(0)));
        }
    }
    let (word, pointer) = (Scalar::Int(64), Scalar::Pointer(8));
    compare(&mut rng, (word, word, pointer), ExprKind::Cast(Cast::IntToPtr, ExprId(0)));
    compare(&mut rng, (pointer, word, word), ExprKind::Cast(Cast::PtrToInt, ExprId(0)));
}

#[test]
fn operators_of_addresses_agree_with_the_interpreter() {
    let mut rng = Rng::with_seed(4);
    for (bytes, op) in [4u8, 8].into_iter().flat_map(|bytes| OF_POINTERS.map(|op| (bytes, op))) {
        let (word, pointer) = (Scalar::Int(8 * bytes), Scalar::Pointer(bytes));
        let types = match op {
            BinaryOp::PtrAdd => (pointer, word, pointer),
            BinaryOp::PtrDiff => (pointer, pointer, word),
            BinaryOp::Scale => (word, word, word),
            _ => (pointer, pointer, Scalar::BOOL),
        };
        let (faults, _) = compare(&mut rng, types, ExprKind::Binary(op, ExprId(0), ExprId(1)));
        assert_eq!(faults > 0, op == BinaryOp::Scale);
    }
}

/// Random trees: faults count only in the arm that is chosen, overflows only before a fault.
#[test]
fn nested_expressions_agree_with_the_interpreter() {
    let (mut faults, mut overflows) = (0, 0);
    for seed in 0..3000 {
        let mut rng = Rng::with_seed(seed);
        let ty = Scalar::Int([4, 8, 64][rng.usize(..3)]);
        let mut builder = builder(&[ty, ty]);
        let expr = tree(&mut rng, &mut builder, ty, 4);
        let function = builder.finish();
        let mut terms = Terms::new();
        let encoded = expression(&mut terms, &mut Symbols(&function), &function, expr).expect("integers are encoded");
        for _ in 0..10 {
            let pick = |rng: &mut Rng| numbers(rng, ty)[rng.usize(..11)];
            let values = [pick(&mut rng), pick(&mut rng)];
            let assignment = terms.symbols().map(|symbol| {
                let local: usize = terms.describe(symbol).name[1..].parse().expect("named by its number");
                (symbol, Value::bits(ty.bits() as u8, values[local]))
            });
            let expected = concrete(&function, expr, &values);
            check(&terms, encoded, &assignment.collect(), expected, &format!("seed {seed}, {values:x?}"));
            faults += usize::from(expected.0.is_err());
            overflows += usize::from(expected.1);
        }
    }
    assert!(faults > 3000 && overflows > 1000, "{faults} faults and {overflows} overflows of 30000");
}

fn tree(rng: &mut Rng, builder: &mut FunctionBuilder, ty: Scalar, depth: u32) -> ExprId {
    match rng.u32(..if depth == 0 { 2 } else { 8 }) {
        0 => builder.constant(ty, rng.u128(..4).wrapping_sub(1)),
        1 => builder.expr(ExprKind::Local(LocalId(rng.u32(..2))), ty),
        2 => {
            let [a, then, otherwise] = [ty; 3].map(|ty| tree(rng, builder, ty, depth - 1));
            let b = tree(rng, builder, ty, 0);
            let condition = builder.expr(ExprKind::Binary(BinaryOp::SLt, a, b), Scalar::BOOL);
            builder.expr(ExprKind::If(condition, then, otherwise), ty)
        }
        3 => {
            let a = tree(rng, builder, ty, depth - 1);
            builder.expr(ExprKind::Unary([UnaryOp::SNeg, UnaryOp::Not][rng.usize(..2)], a), ty)
        }
        _ => {
            let [a, b] = [ty; 2].map(|ty| tree(rng, builder, ty, depth - 1));
            let op = BinaryOp::OF_INTEGERS[rng.usize(..16)];
            builder.expr(ExprKind::Binary(op, a, b), ty)
        }
    }
}

#[test]
fn floating_types_are_refused() {
    let double = Scalar::Float(program::FloatKind::F64);
    let mut builder = builder(&[double]);
    let local = builder.expr(ExprKind::Local(LocalId(0)), double);
    let sum = builder.expr(ExprKind::Binary(BinaryOp::FAdd, local, local), double);
    let function = builder.finish();
    let refused = expression(&mut Terms::new(), &mut Symbols(&function), &function, sum).unwrap_err();
    assert_eq!(refused.to_string(), "the type F64 is not encoded");
}
