//! The order of Boolean variables: a variable has for every bit one for now and, right behind it, one for after a step. High bits
//! lie above low ones, for they are most often known.

use oxidd::VarNo;
use program::Program;
use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::diagram::{Diagrams, Function};
use super::groups::{GroupId, Groups};
use crate::numbers::{Made, Variable};

pub struct Var {
    /// Lowest bit first.
    pub now: Vec<Function>,
    pub next: Vec<Function>,
    /// Conjunctions of these.
    pub all_now: Function,
    pub all_next: Function,
    /// Now and next are equal.
    pub same: Function,
}

impl Var {
    pub fn bits(&self) -> Bits {
        self.now.iter().cloned().map(Some).collect()
    }
}

/// A block of the order: so many numbers side by side.
struct Chunk {
    first: VarNo,
    numbers: u32,
    width: u32,
    taken: u32,
}

/// How many numbers lie side by side: room for several threads. Boolean variables that are not used cost little.
const FEWEST: u32 = 16;
const MOST: u32 = 256;

/// The order of Boolean variables.
pub struct Order {
    groups: Groups,
    /// The newest block for each group and width; groups without globals have their own for each thread.
    chunks: FxHashMap<(GroupId, Option<u32>, u32), Chunk>,
}

impl Order {
    pub fn new(program: &Program) -> Order {
        Order { groups: Groups::of(program), chunks: FxHashMap::default() }
    }

    pub fn place(&mut self, diagrams: &Diagrams, variable: Variable, width: u32) -> Made<Var> {
        let (group, owner) = match variable {
            Variable::Local { thread, function, local, .. } | Variable::Slot { thread, function, local, .. } => {
                let group = self.groups.of_local(function, local);
                (group, (!self.groups.is_shared(group)).then_some(thread))
            }
            Variable::Cell { global, .. } => (self.groups.of_global(global), None),
        };
        // Numbers and truth values do not share a block; 32 and 64 bits do, for they are often compared.
        let block = if width <= 8 { width } else { 64 };
        let numbers = (4 * self.groups.members(group)).clamp(FEWEST, MOST);
        let chunk = self.chunks.entry((group, owner, block)).or_insert(Chunk {
            first: 0,
            numbers,
            width: block,
            taken: numbers,
        });
        if chunk.taken == chunk.numbers {
            chunk.first = diagrams.add_variables(chunk.numbers * chunk.width * 2);
            chunk.taken = 0;
        }
        let at = |bit: u32| chunk.first + ((chunk.width - 1 - bit) * chunk.numbers + chunk.taken) * 2;
        let bits = |after: u32| (0..width).map(|bit| diagrams.variable(at(bit) + after)).collect::<Made<Vec<_>>>();
        let (now, next) = (bits(0)?, bits(1)?);
        chunk.taken += 1;
        let all = |of: &[Function]| of.iter().try_fold(diagrams.yes.clone(), |all, bit| diagrams.and(&all, bit));
        let same = now
            .iter()
            .zip(&next)
            .try_fold(diagrams.yes.clone(), |same, (a, b)| diagrams.and(&same, &diagrams.equal(a, b)?))?;
        Ok(Var { all_now: all(&now)?, all_next: all(&next)?, same, now, next })
    }
}
