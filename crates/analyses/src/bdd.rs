//! The numerical domain of binary decision diagrams: a set of valuations is one diagram over the bits of all variables. Assignment is
//! the image under a relation between bits now and next, join is disjunction, covering is implication. These are the sets of Beyer
//! and Stahlbauer ("BDD-Based Software Verification: Applications to Event-Condition-Action Systems", STTT 2014); Beyer and
//! Friedberger ("A Light-Weight Approach for Verifying Multi-Threaded Programs with CPAchecker", 2016) have them beside an analysis of
//! threads.

mod bits;
mod diagram;
mod groups;
mod operators;
mod order;
#[cfg(test)]
mod tests;

use base::{Alarm, IndexVec};
use program::{BinaryOp, Program, Scalar, UnaryOp};

use crate::numbers::{self, Full, Made, Numbers, NumericalDomain, Outcome, VarId, Variable};
use bits::Bits;
use diagram::{Diagrams, Function};
use operators::Operator;
use order::{Order, Var};

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Most nodes of all diagrams together; one takes 16 bytes.
    pub nodes: usize,
    /// How many results of operations are remembered; one takes about 24 bytes.
    pub cache: usize,
}

impl Default for Options {
    fn default() -> Self {
        Options { nodes: 1 << 22, cache: 1 << 20 }
    }
}

/// The numbers of a program as decision diagrams.
pub type Bdd<'p> = Numbers<'p, DecisionDiagrams>;

pub type Tables = numbers::Tables<DecisionDiagrams>;

impl<'p> Bdd<'p> {
    pub fn new(program: &'p Program, options: Options) -> Self {
        Numbers::over(program, DecisionDiagrams::new(program, options))
    }
}

pub struct DecisionDiagrams {
    diagrams: Diagrams,
    order: Order,
    vars: IndexVec<VarId, Var>,
}

type Number = numbers::Number<Bits>;

impl DecisionDiagrams {
    pub fn new(program: &Program, options: Options) -> Self {
        let diagrams = Diagrams::new(options.nodes, options.cache);
        DecisionDiagrams { diagrams, order: Order::new(program), vars: IndexVec::new() }
    }

    /// The conjunction of the variables' bits.
    fn cube<'v>(&self, mut variables: impl Iterator<Item = &'v VarId>) -> Made<Function> {
        variables.try_fold(self.diagrams.yes.clone(), |all, id| self.diagrams.and(&all, &self.vars[*id].all_now))
    }

    /// The image under the relation between the variables now and next; `None` if that is too large.
    fn image(&self, set: &Function, values: &[(VarId, Number)]) -> Made<Option<Function>> {
        let diagrams = &self.diagrams;
        let is_read = |id: &VarId| values.iter().any(|(_, number)| number.reads.contains(id));
        let needs_next = values.iter().any(|(id, _)| is_read(id));
        let before = self.cube(values.iter().map(|(id, _)| id))?;
        let mut set = match needs_next {
            true => set.clone(),
            false => diagrams.forget(set, &before)?,
        };
        let mut relation = diagrams.yes.clone();
        for (id, number) in values {
            let var = &self.vars[*id];
            let target = if needs_next { &var.next } else { &var.now };
            for (bit, value) in target.iter().zip(&number.value) {
                let Some(value) = value else { continue };
                relation = diagrams.and(&relation, &diagrams.equal(bit, value)?)?;
                // What the set says of the values keeps it small.
                if diagrams.is_large(&relation) {
                    set = diagrams.and(&set, &relation)?;
                    relation = diagrams.yes.clone();
                    if diagrams.is_too_large(&set) {
                        return Ok(None);
                    }
                }
            }
        }
        if !needs_next {
            return diagrams.and(&set, &relation).map(Some);
        }
        set = diagrams.image(&set, &relation, &before)?;
        for (id, _) in values {
            let var = &self.vars[*id];
            set = diagrams.image(&set, &var.same, &var.all_next)?;
        }
        Ok(Some(set))
    }

    /// The parts of a set in which a bit is false, and those in which it is true.
    fn halves(&self, parts: Vec<Function>, bit: &Function) -> Made<Vec<Function>> {
        let not = self.diagrams.not(bit)?;
        let mut halves = Vec::new();
        for part in parts {
            halves.push(self.diagrams.and(&part, &not)?);
            halves.push(self.diagrams.and(&part, bit)?);
        }
        halves.retain(|part| *part != self.diagrams.no);
        Ok(halves)
    }
}

impl NumericalDomain for DecisionDiagrams {
    type Set = Function;
    type Expr = Bits;

    const FULL: &'static str = "the decision diagrams grow too large";

    fn limit(&mut self, alarm: &Alarm) {
        self.diagrams.alarm = alarm.clone();
    }

    fn add_variable(&mut self, id: VarId, variable: Variable, width: u32) -> Made<()> {
        let var = self.order.place(&self.diagrams, variable, width)?;
        let next = self.vars.push(var);
        debug_assert_eq!(next, id);
        Ok(())
    }

    fn valuations(&mut self, values: &[(VarId, u64)]) -> Made<Function> {
        let literals = values.iter().flat_map(|(id, value)| {
            let bits = self.vars[*id].now.iter().enumerate();
            bits.map(move |(i, bit)| (bit, value >> i & 1 != 0))
        });
        self.diagrams.valuations(literals.collect())
    }

    fn meets(&mut self, a: &Function, b: &Function) -> Made<bool> {
        self.diagrams.is_disjoint(a, b).map(|disjoint| !disjoint)
    }

    fn is_empty(&self, set: &Function) -> bool {
        *set == self.diagrams.no
    }

    fn assume(&mut self, set: &Function, condition: &Bits) -> Made<Function> {
        match &condition[0] {
            Some(condition) => self.diagrams.and(set, condition),
            None => Ok(set.clone()),
        }
    }

    fn forget(&mut self, set: &Function, variables: &[VarId]) -> Made<Function> {
        let cube = self.cube(variables.iter())?;
        self.diagrams.forget(set, &cube)
    }

    /// Where a relation between numbers would be too large, they may be anything.
    fn assign(&mut self, set: &Function, values: &[(VarId, Number)]) -> Made<Function> {
        match self.image(set, values) {
            Ok(Some(set)) => Ok(set),
            Ok(None) | Err(Full) => {
                let assigned: Vec<VarId> = values.iter().map(|(id, _)| *id).collect();
                self.forget(set, &assigned)
            }
        }
    }

    fn join(&mut self, a: &Function, b: &Function) -> Made<Function> {
        self.diagrams.or(a, b)
    }

    fn leq(&mut self, a: &Function, b: &Function) -> Made<bool> {
        self.diagrams.is_subset(a, b)
    }

    fn only_value(&mut self, set: &Function, expr: &Bits) -> Made<Option<u64>> {
        self.diagrams.only_value(set, expr)
    }

    fn split(&mut self, set: &Function, expr: &Bits, most: usize) -> Made<Option<Vec<Function>>> {
        let mut parts = vec![set.clone()];
        for bit in expr.iter().rev() {
            let Some(bit) = bit else { return Ok(None) };
            parts = self.halves(parts, bit)?;
            if parts.len() > most {
                return Ok(None);
            }
        }
        Ok(Some(parts))
    }

    fn constant(&mut self, value: u128, width: u32) -> Bits {
        self.diagrams.number(value, width as usize)
    }

    fn variable(&mut self, _: &Function, id: VarId) -> Bits {
        self.vars[id].bits()
    }

    fn unknown(&mut self, width: u32) -> Bits {
        vec![None; width as usize]
    }

    fn zero_extend(&mut self, a: &Bits, width: u32) -> Bits {
        self.diagrams.zero_extended(a, width as usize)
    }

    fn sign_extend(&mut self, a: &Bits, _: u32, to: u32) -> Bits {
        self.diagrams.sign_extended(a, to as usize)
    }

    fn unary(&mut self, set: &Function, op: UnaryOp, _: Scalar, a: &Bits) -> Made<Outcome<Bits>> {
        let mut operator = Operator::new(&self.diagrams, set);
        let value = operator.unary(op, a)?;
        Ok(operator.outcome(value))
    }

    fn binary(
        &mut self,
        set: &Function,
        op: BinaryOp,
        _: Scalar,
        a: &Bits,
        _: Scalar,
        b: &Bits,
    ) -> Made<Outcome<Bits>> {
        let mut operator = Operator::new(&self.diagrams, set);
        let value = operator.binary(op, a, b)?;
        Ok(operator.outcome(value))
    }

    fn choose(&mut self, condition: &Bits, a: &Bits, b: &Bits) -> Made<Bits> {
        self.diagrams.choose_bits(&condition[0], a, b)
    }
}
