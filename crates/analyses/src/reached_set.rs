//! A set of abstract states that is closed under steps, as a certificate: plain data that a checker loads again with the program.

use std::cell::RefCell;
use std::fmt;
use std::sync::Arc;

use facts::Facts;
use smallvec::SmallVec;
use verify::Certificate;

use crate::analysis::Analysis;
use crate::bdd::{self, Bdd};
use crate::memory::{self, Memory};
use crate::monitor::MonitorStates;
use crate::product::Product;
use crate::system::Reduction;
use crate::threads;

/// Every reachable state of the program is covered by `states`, or leads to a covered one by steps of the chosen threads only. Names of
/// objects do not matter, nor do those of threads if `symmetry` says so, see ADR 0013.
pub struct ReachedSet {
    pub reduction: Reduction,
    /// A state also represents those in which threads have other names.
    pub symmetry: bool,
    /// The facts by which the reduction chose threads.
    pub facts: Option<Arc<Facts>>,
    pub tables: RefCell<Option<(threads::Tables, Tables, MonitorStates)>>,
    pub states: Vec<Kept>,
}

/// A state by its numbers in the tables.
#[derive(Clone, Debug)]
pub struct Kept {
    pub threads: u32,
    pub data: [u32; 2],
    pub monitor: u32,
    /// The threads whose steps are made from it; `None` for all.
    pub chosen: Option<SmallVec<[u16; 4]>>,
}

/// What states of data are made of.
pub enum Tables {
    Memory(memory::Options, memory::Tables),
    Diagrams(memory::Options, memory::Tables, Box<bdd::Tables>),
}

/// Data whose states can be kept as evidence.
pub trait Evidence: Analysis {
    fn into_tables(self) -> Tables;
    fn numbers(key: Self::Key) -> [u32; 2];
    fn key(numbers: [u32; 2]) -> Self::Key;
}

impl Evidence for Memory<'_> {
    fn into_tables(self) -> Tables {
        Tables::Memory(self.options.clone(), self.into_tables())
    }

    fn numbers(key: u32) -> [u32; 2] {
        [key, 0]
    }

    fn key([key, _]: [u32; 2]) -> u32 {
        key
    }
}

impl Evidence for Product<Memory<'_>, Bdd<'_>> {
    fn into_tables(self) -> Tables {
        let Product(memory, bdd) = self;
        Tables::Diagrams(memory.options.clone(), memory.into_tables(), Box::new(bdd.into_tables()))
    }

    fn numbers((memory, bdd): (u32, u32)) -> [u32; 2] {
        [memory, bdd]
    }

    fn key([memory, bdd]: [u32; 2]) -> (u32, u32) {
        (memory, bdd)
    }
}

impl Certificate for ReachedSet {
    fn states(&self) -> usize {
        self.states.len()
    }
}

impl fmt::Debug for ReachedSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ReachedSet").field("reduction", &self.reduction).field("states", &self.states.len()).finish()
    }
}
