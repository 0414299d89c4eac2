//! Expressions as vectors of functions over the variables. Means what [`semantics::ops`] means.

use program::{
    BinaryOp, Cast, ExprId, ExprKind, Function as Code, FunctionId, GlobalId, LocalId, Scalar, Storage, UnaryOp,
};
use semantics::{Domain, eval, walk};

use super::Bdd;
use super::bits::{Bit, Bits};
use super::diagram::{Full, Function, Made};
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
    /// Where each arm that was entered is evaluated.
    guards: Vec<Bit>,
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
        Evaluation { bdd, set, thread, depth, function, ask, guards: vec![yes], fault, overflow, reads: Vec::new() }
    }

    fn unknown(width: u32) -> Bits {
        vec![None; width as usize]
    }

    fn address(&self) -> Bits {
        Self::unknown(self.bdd.program.machine.pointer_bits.into())
    }

    pub fn expr(&mut self, id: ExprId) -> Made<Bits> {
        let program = self.bdd.program;
        eval(self, &program.functions[self.function], id)
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

    /// Where what is evaluated now is evaluated at all.
    fn guard(&self) -> &Bit {
        self.guards.last().expect("the first is never left")
    }

    fn fault_where(&mut self, condition: Bit) -> Made<()> {
        let here = self.bdd.diagrams.bit_and(self.guard(), &condition)?;
        self.fault = self.bdd.diagrams.bit_or(&self.fault, &here)?;
        Ok(())
    }

    fn overflow_where(&mut self, condition: Bit) -> Made<()> {
        let here = self.bdd.diagrams.bit_and(self.guard(), &condition)?;
        self.overflow = self.bdd.diagrams.bit_or(&self.overflow, &here)?;
        Ok(())
    }

    pub(super) fn apply_unary(&mut self, op: UnaryOp, a: &[Bit]) -> Made<Bits> {
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
            UnaryOp::FNeg | UnaryOp::FAbs | UnaryOp::FSqrt => Ok(Self::unknown(a.len() as u32)),
            UnaryOp::FFloor | UnaryOp::FCeil | UnaryOp::FTrunc | UnaryOp::FRound => Ok(Self::unknown(a.len() as u32)),
            UnaryOp::FIsNan | UnaryOp::FIsInf | UnaryOp::FSignBit => Ok(Self::unknown(1)),
        }
    }

    pub(super) fn apply_binary(&mut self, op: BinaryOp, a: &[Bit], b: &[Bit]) -> Made<Bits> {
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
            FAdd | FSub | FMul | FDiv | FRem | FMin | FMax | FCopySign => Ok(Self::unknown(a.len() as u32)),
            FLt | FLe => Ok(Self::unknown(1)),
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

impl Domain for Evaluation<'_, '_> {
    type Value = Bits;
    type Stop = Full;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Bits {
        self.bdd.diagrams.number(bits, ty.bits() as usize)
    }

    fn local(&mut self, local: LocalId) -> Made<Bits> {
        let Storage::Plain(ty) = self.bdd.program.functions[self.function].locals[local].storage else {
            unreachable!("a local in memory has no value");
        };
        let Some(width) = kept_width(self.bdd.program, self.function, local) else {
            return Ok(Self::unknown(ty.bits()));
        };
        let place = Place::Local { thread: self.thread, depth: self.depth, function: self.function, local };
        let id = self.bdd.vars.variable(&self.bdd.diagrams, place, width)?;
        self.reads.push(id);
        Ok(self.bdd.vars.get(id).bits())
    }

    fn local_address(&mut self, _: LocalId) -> Made<Bits> {
        Ok(self.address())
    }

    fn global_address(&mut self, _: GlobalId) -> Bits {
        self.address()
    }

    fn function_address(&mut self, _: FunctionId) -> Bits {
        self.address()
    }

    fn unary(&mut self, op: UnaryOp, _: Scalar, a: Bits) -> Made<Bits> {
        self.apply_unary(op, &a)
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Bits, _: Scalar, b: Bits) -> Made<Bits> {
        match (op, ty) {
            (BinaryOp::Eq, Scalar::Float(_)) => Ok(Self::unknown(1)),
            _ => self.apply_binary(op, &a, &b),
        }
    }

    fn cast(&mut self, cast: Cast, _: Scalar, to: Scalar, a: Bits) -> Made<Bits> {
        let (diagrams, width) = (&self.bdd.diagrams, to.bits());
        Ok(match cast {
            Cast::Trunc | Cast::ZExt | Cast::IntToPtr | Cast::PtrToInt => diagrams.zero_extended(&a, width as usize),
            Cast::SExt => diagrams.sign_extended(&a, width as usize),
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

    fn decide(&mut self, condition: &Bits) -> Made<Option<bool>> {
        let condition = self.narrowed(condition)?;
        Ok(self.bdd.diagrams.known_bit(&condition[0]))
    }

    fn join(&mut self, _: Scalar, condition: &Bits, a: Bits, b: Bits) -> Made<Bits> {
        self.bdd.diagrams.choose_bits(&condition[0], &a, &b)
    }

    fn expression(&mut self, function: &Code, id: ExprId) -> Made<Bits> {
        let width = function.exprs[id].ty.bits();
        if self.is_of_pointers(id)
            && let Some(ask) = &mut self.ask
            && let Known::Bits(bits) = ask.value(self.thread, self.function, id)
        {
            return Ok(self.bdd.diagrams.number(bits.into(), width as usize));
        }
        let value = walk(self, function, id)?;
        // Faults inside a floating expression count though its value is not kept.
        let is_float = matches!(function.exprs[id].ty, Scalar::Float(_));
        Ok(if is_float { Self::unknown(width) } else { value })
    }

    fn enter_arm(&mut self, condition: &Bits, truth: bool) -> Made<()> {
        let diagrams = &self.bdd.diagrams;
        let condition = if truth { condition[0].clone() } else { diagrams.bit_not(&condition[0])? };
        let guard = diagrams.bit_and(self.guard(), &condition)?;
        self.guards.push(guard);
        Ok(())
    }

    fn leave_arm(&mut self, value: Made<Bits>) -> Made<Bits> {
        self.guards.pop();
        value
    }
}
