//! A set of states that no run leaves, as evidence: plain data that a checker opens again with the program.

use std::cell::RefCell;
use std::fmt;
use std::rc::Rc;

use facts::Facts;
use smallvec::SmallVec;

use crate::system::Reduction;
use crate::{memory, threads};

/// Every state of the program is one that `states` stand for, or leads to such a one by the steps of the chosen threads only.
pub struct Claim {
    pub reduction: Reduction,
    /// What the choices rest on.
    pub facts: Option<Rc<Facts>>,
    pub tables: RefCell<Option<Tables>>,
    pub states: Vec<Kept>,
}

/// A state by its numbers in the tables.
#[derive(Clone, Debug)]
pub struct Kept {
    pub threads: u32,
    pub data: u32,
    /// The threads whose steps are made from it; `None` for all.
    pub chosen: Option<SmallVec<[u16; 4]>>,
}

pub struct Tables {
    pub threads: threads::Tables,
    pub memory: memory::Tables,
    pub options: memory::Options,
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Claim").field("reduction", &self.reduction).field("states", &self.states.len()).finish()
    }
}
