//! Expressions as vectors of functions over the variables. Means what [`semantics::ops`] means.

use program::{BinaryOp, Cast, ExprId, ExprKind, FunctionId, LocalId, Scalar, UnaryOp};

use super::Bdd;
use super::bits::{Bit, Bits};
use super::diagram::{Function, Made};
use super::vars::{Place, VarId, kept_width};
use crate::step::{Ask, Known};

/// Products and quotients of numbers with more unknown bits than this together may be anything.
const MOST_UNKNOWN: usize = 16;
/// A factor with at most so many bits set is only so many sums.
const MOST_SUMS: usize = 4;
/// What is divided by a number up to this is a small machine that reads the bits from the top.
const LARGEST_DIVISOR: u128 = 64;

/// One expression under evaluation.
pub(super) struct Evaluation<'a, 'p> {
    pub bdd: &'a mut Bdd<'p>,
    /// Only these valuations matter.
    pub set: Function,
    pub thread: u32,
    pub depth: u32,
    pub function: FunctionId,
    /// Who knows pointers; nobody if the state is not the one before the step any more.
    pub ask: Option<&'a mut dyn Ask>,
    /// Where the expression is evaluated at all: conditions of arms.
    pub guard: Bit,
    /// Where it has no value.
    pub fault: Bit,
    /// Where a signed operation leaves its range.
    pub overflow: Bit,
    /// Variables that it mentions.
    pub reads: Vec<VarId>,
}

impl<'a, 'p> Evaluation<'a, 'p> {
    pub fn new(
        bdd: &'a mut Bdd<'p>,
        set: Function,
        (thread, depth, function): (u32, u32, FunctionId),
        ask: Option<&'a mut dyn Ask>,
    ) -> Self {
        let (yes, no) = (bdd.diagrams.bit(true), bdd.diagrams.bit(false));
        let (fault, overflow) = (no.clone(), no);
        Evaluation { bdd, set, thread, depth, function, ask, guard: yes, fault, overflow, reads: Vec::new() }
    }

    fn unknown(width: u32) -> Bits {
        vec![None; width as usize]
    }

    pub fn expr(&mut self, id: ExprId) -> Made<Bits> {
        let program = self.bdd.program;
        let function = &program.functions[self.function];
        let expr = function.exprs[id];
        let width = expr.ty.bits();
        if self.is_of_pointers(id)
            && let Some(ask) = &mut self.ask
            && let Known::Bits(bits) = ask.value(self.thread, self.function, id)
        {
            return Ok(self.bdd.diagrams.number(bits.into(), width as usize));
        }
        match expr.kind {
            _ if matches!(expr.ty, Scalar::Float(_)) => self.skip(expr.kind).map(|()| Self::unknown(width)),
            ExprKind::Const(bits) => Ok(self.bdd.diagrams.number(bits.into(), width as usize)),
            ExprKind::Wide(index) => Ok(self.bdd.diagrams.number(function.wide[index as usize], width as usize)),
            ExprKind::Local(local) => self.local(local, width),
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => {
                Ok(Self::unknown(width))
            }
            ExprKind::Unary(op, a) => {
                let value = self.expr(a)?;
                self.unary(op, &value, width)
            }
            ExprKind::Binary(op, a, b) => {
                let ty = function.exprs[a].ty;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                match ty {
                    Scalar::Float(_) => Ok(Self::unknown(width)),
                    _ => self.binary(op, &a, &b, width),
                }
            }
            ExprKind::Cast(cast, a) => {
                let value = self.expr(a)?;
                let diagrams = &self.bdd.diagrams;
                Ok(match cast {
                    Cast::Trunc | Cast::ZExt | Cast::IntToPtr | Cast::PtrToInt => {
                        diagrams.zero_extended(&value, width as usize)
                    }
                    Cast::SExt => diagrams.sign_extended(&value, width as usize),
                    Cast::FloatToSigned | Cast::FloatToUnsigned => {
                        // Out of range, wide ones have no value.
                        if width > 64 {
                            self.fault_where(None)?;
                        }
                        Self::unknown(width)
                    }
                    Cast::SignedToFloat | Cast::UnsignedToFloat | Cast::FloatToFloat => Self::unknown(width),
                })
            }
            ExprKind::If(condition, then, otherwise) => self.either(condition, then, otherwise),
        }
    }

    /// Faults inside a floating expression count though its value is not kept.
    fn skip(&mut self, kind: ExprKind) -> Made<()> {
        match kind {
            ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => self.expr(a).map(drop),
            ExprKind::Binary(_, a, b) => self.expr(a).and_then(|_| self.expr(b)).map(drop),
            ExprKind::If(condition, a, b) => self.either(condition, a, b).map(drop),
            _ => Ok(()),
        }
    }

    /// May it depend on what pointers are?
    fn is_of_pointers(&self, id: ExprId) -> bool {
        let function = &self.bdd.program.functions[self.function];
        let expr = function.exprs[id];
        let word = u32::from(self.bdd.program.machine.pointer_bits);
        let is_pointer = |ty: Scalar| matches!(ty, Scalar::Pointer(_));
        match expr.kind {
            ExprKind::Const(_) | ExprKind::Wide(_) => false,
            ExprKind::Cast(Cast::PtrToInt, _) => true,
            // Integers of that width may hold handles, or pointers that were turned into numbers.
            ExprKind::Binary(_, a, b) if expr.ty == Scalar::BOOL => [a, b].iter().any(|x| {
                let ty = function.exprs[*x].ty;
                is_pointer(ty) || ty == Scalar::Int(word as u8)
            }),
            ExprKind::Binary(BinaryOp::PtrDiff, ..) => true,
            _ => is_pointer(expr.ty),
        }
    }

    fn local(&mut self, local: LocalId, width: u32) -> Made<Bits> {
        let place = Place::Local { thread: self.thread, depth: self.depth, function: self.function, local };
        if kept_width(self.bdd.program, self.function, local).is_none() {
            return Ok(Self::unknown(width));
        }
        let id = self.bdd.vars.variable(&self.bdd.diagrams, place, width)?;
        self.reads.push(id);
        Ok(self.bdd.vars.get(id).bits())
    }

    fn either(&mut self, condition: ExprId, then: ExprId, otherwise: ExprId) -> Made<Bits> {
        let condition = self.expr(condition)?;
        let condition = self.narrowed(&condition)?[0].clone();
        match self.bdd.diagrams.known_bit(&condition) {
            Some(true) => return self.expr(then),
            Some(false) => return self.expr(otherwise),
            None => {}
        }
        let outside = self.guard.clone();
        self.guard = self.bdd.diagrams.bit_and(&outside, &condition)?;
        let a = self.expr(then)?;
        let not = self.bdd.diagrams.bit_not(&condition)?;
        self.guard = self.bdd.diagrams.bit_and(&outside, &not)?;
        let b = self.expr(otherwise)?;
        self.guard = outside;
        self.bdd.diagrams.choose_bits(&condition, &a, &b)
    }

    fn fault_where(&mut self, condition: Bit) -> Made<()> {
        let here = self.bdd.diagrams.bit_and(&self.guard, &condition)?;
        self.fault = self.bdd.diagrams.bit_or(&self.fault, &here)?;
        Ok(())
    }

    fn overflow_where(&mut self, condition: Bit) -> Made<()> {
        let here = self.bdd.diagrams.bit_and(&self.guard, &condition)?;
        self.overflow = self.bdd.diagrams.bit_or(&self.overflow, &here)?;
        Ok(())
    }

    pub(super) fn unary(&mut self, op: UnaryOp, a: &[Bit], width: u32) -> Made<Bits> {
        let diagrams = &self.bdd.diagrams;
        match op {
            UnaryOp::Neg => diagrams.negate(a),
            UnaryOp::SNeg => {
                let least = diagrams.is_equal(a, &diagrams.number(1 << (a.len() - 1), a.len()))?;
                let result = diagrams.negate(a)?;
                self.overflow_where(least)?;
                Ok(result)
            }
            UnaryOp::Not => diagrams.complement(a),
            UnaryOp::LeadingZeros => diagrams.zeros_before(a.iter().rev(), a.len()),
            UnaryOp::TrailingZeros => diagrams.zeros_before(a.iter(), a.len()),
            UnaryOp::PopCount => diagrams.count(a),
            UnaryOp::ByteSwap => Ok(a.chunks(8).rev().flatten().cloned().collect()),
            UnaryOp::FNeg
            | UnaryOp::FAbs
            | UnaryOp::FSqrt
            | UnaryOp::FFloor
            | UnaryOp::FCeil
            | UnaryOp::FTrunc
            | UnaryOp::FRound
            | UnaryOp::FIsNan
            | UnaryOp::FIsInf
            | UnaryOp::FSignBit => Ok(Self::unknown(width)),
        }
    }

    pub(super) fn binary(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit], width: u32) -> Made<Bits> {
        use BinaryOp::*;
        let diagrams = &self.bdd.diagrams;
        let one = |bit: Made<Bit>| bit.map(|bit| vec![bit]);
        match op {
            Add | PtrAdd => diagrams.add(a, b, false),
            Sub | PtrDiff => diagrams.subtract(a, b),
            SAdd | SSub => self.signed_sum(op, a, b),
            Mul | SMul | Scale => self.product(op, a, b),
            UDiv | SDiv | URem | SRem => self.quotient(op, a, b),
            And => diagrams.each(a, b, |a, b| diagrams.bit_and(a, b)),
            Or => diagrams.each(a, b, |a, b| diagrams.bit_or(a, b)),
            Xor => diagrams.each(a, b, |a, b| diagrams.bit_xor(a, b)),
            Shl | LShr | AShr => self.shift(op, a, b),
            Eq => one(diagrams.is_equal(a, b)),
            ULt | PtrLt => one(diagrams.is_below(a, b, false)),
            ULe | PtrLe => one(diagrams.is_below(a, b, true)),
            SLt => one(diagrams.is_less(a, b, false)),
            SLe => one(diagrams.is_less(a, b, true)),
            FAdd | FSub | FMul | FDiv | FRem | FLt | FLe | FMin | FMax | FCopySign => Ok(Self::unknown(width)),
        }
    }

    fn signed_sum(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let diagrams = &self.bdd.diagrams;
        let top = a.len() - 1;
        let (sum, other) = match op {
            BinaryOp::SSub => (diagrams.subtract(a, b)?, diagrams.bit_not(&b[top])?),
            _ => (diagrams.add(a, b, false)?, b[top].clone()),
        };
        // The operands have one sign and the sum has the other.
        let turned = diagrams.bit_xor(&sum[top], &a[top])?;
        let alike = diagrams.bit_not(&diagrams.bit_xor(&a[top], &other)?)?;
        let overflow = diagrams.bit_and(&turned, &alike)?;
        self.overflow_where(overflow)?;
        Ok(sum)
    }

    /// Bits that are the same in all valuations become constants.
    fn narrowed(&self, bits: &[Bit]) -> Made<Bits> {
        let diagrams = &self.bdd.diagrams;
        if let Some(value) = self.bdd.only_value(&self.set, bits)? {
            return Ok(diagrams.number(value.into(), bits.len()));
        }
        let narrow = |bit: &Bit| match bit {
            Some(f) if diagrams.is_constant(f) => Ok(bit.clone()),
            Some(f) if diagrams.is_disjoint(&self.set, f)? => Ok(diagrams.bit(false)),
            Some(f) if diagrams.is_subset(&self.set, f)? => Ok(diagrams.bit(true)),
            _ => Ok(bit.clone()),
        };
        bits.iter().map(narrow).collect()
    }

    fn unknown_bits(&self, bits: &[Bit]) -> usize {
        bits.iter().filter(|bit| self.bdd.diagrams.known_bit(bit).is_none()).count()
    }

    fn product(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let width = a.len();
        let (mut a, mut b) = (self.narrowed(a)?, self.narrowed(b)?);
        if self.unknown_bits(&a) < self.unknown_bits(&b) {
            std::mem::swap(&mut a, &mut b);
        }
        let (in_a, in_b) = (self.unknown_bits(&a), self.unknown_bits(&b));
        let sums = self.bdd.diagrams.known_number(&b).map(|factor| factor.count_ones() as usize);
        let is_small = in_a + in_b <= MOST_UNKNOWN || sums.is_some_and(|sums| sums <= MOST_SUMS);
        let diagrams = &self.bdd.diagrams;
        let (result, inexact) = if !is_small {
            (Self::unknown(width as u32), None)
        } else if op == BinaryOp::Mul {
            (diagrams.multiply(&a, &b)?, None)
        } else {
            let exact =
                diagrams.multiply(&diagrams.sign_extended(&a, 2 * width), &diagrams.sign_extended(&b, 2 * width))?;
            // It fits if all bits from the sign on are the same.
            let mut inexact = diagrams.bit(false);
            for bit in &exact[width..] {
                let differs = diagrams.bit_xor(bit, &exact[width - 1])?;
                inexact = diagrams.bit_or(&inexact, &differs)?;
            }
            (exact[..width].to_vec(), inexact)
        };
        match op {
            BinaryOp::SMul => self.overflow_where(inexact)?,
            BinaryOp::Scale => self.fault_where(inexact)?,
            _ => {}
        }
        Ok(result)
    }

    fn quotient(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
        let (a, b) = (self.narrowed(a)?, self.narrowed(b)?);
        let zero = self.bdd.diagrams.is_zero(&b)?;
        self.fault_where(zero)?;
        let is_signed = matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
        if is_signed {
            let diagrams = &self.bdd.diagrams;
            let least = diagrams.is_equal(&a, &diagrams.number(1 << (a.len() - 1), a.len()))?;
            let minus_one = diagrams.is_equal(&b, &diagrams.number(u128::MAX, b.len()))?;
            let overflow = diagrams.bit_and(&least, &minus_one)?;
            self.overflow_where(overflow)?;
        }
        let divisor = self.bdd.diagrams.known_number(&b);
        let is_small = self.unknown_bits(&a) + self.unknown_bits(&b) <= MOST_UNKNOWN
            || divisor.is_some_and(|divisor| divisor <= LARGEST_DIVISOR);
        let diagrams = &self.bdd.diagrams;
        if !is_small {
            return Ok(Self::unknown(a.len() as u32));
        }
        let (quotient, rest) = match is_signed {
            true => diagrams.divide_signed(&a, &b)?,
            false => diagrams.divide(&a, &b)?,
        };
        Ok(if matches!(op, BinaryOp::UDiv | BinaryOp::SDiv) { quotient } else { rest })
    }

    fn shift(&mut self, op: BinaryOp, a: &[Bit], amount: &[Bit]) -> Made<Bits> {
        let amount = self.narrowed(amount)?;
        let diagrams = &self.bdd.diagrams;
        // Wide enough for the width itself.
        let wide = diagrams.zero_extended(&amount, amount.len().max(9));
        let fits = diagrams.is_below(&wide, &diagrams.number(a.len() as u128, wide.len()), false)?;
        let too_far = diagrams.bit_not(&fits)?;
        let sign = a.last().cloned().flatten();
        let result = match op {
            BinaryOp::Shl => diagrams.shifted(a, &amount, |a, n| diagrams.moved_up(a, n)),
            BinaryOp::LShr => diagrams.shifted(a, &amount, |a, n| diagrams.moved_down(a, n, &diagrams.bit(false))),
            _ => diagrams.shifted(a, &amount, |a, n| diagrams.moved_down(a, n, &sign)),
        }?;
        self.fault_where(too_far)?;
        Ok(result)
    }
}
