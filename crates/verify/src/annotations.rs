//! Proofs that hold formulas: inductive invariants of locations, abstract reachability trees whose nodes are labelled (Henzinger et
//! al., "Lazy Abstraction", POPL 2002; McMillan, "Lazy Abstraction with Interpolants", CAV 2006), and proof outlines of threads
//! (Owicki and Gries, "An Axiomatic Proof Technique for Parallel Programs I", 1976). Each can be checked for form and printed here;
//! whether it proves anything is the checker's question.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};

use base::{Idx, IndexVec, index_type};
use logic::{Sort, Term};
use program::{EdgeId, FunctionId, Location, Program};

use crate::formulas::check_location;
use crate::{AuxiliaryId, Formulas, LocationVector, ThreadStep, Variable};

index_type! {
    /// A node of an abstract reachability tree.
    pub struct NodeId = "n";
}

/// What a formula holds at.
#[derive(Clone, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Place {
    /// Whenever some thread is there.
    Thread(FunctionId, Location),
    /// Whenever the threads are there.
    Vector(LocationVector),
}

/// A formula for each place that runs come to; a place that is not listed is not reached.
#[derive(Clone, Debug, Default)]
pub struct Invariants {
    pub formulas: Formulas,
    pub at: Vec<(Place, Term)>,
}

/// The first node is the root, and parents come before their children.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    pub formulas: Formulas,
    pub nodes: IndexVec<NodeId, TreeNode>,
}

#[derive(Clone, Debug)]
pub struct TreeNode {
    /// `None` for the root.
    pub parent: Option<(NodeId, ThreadStep)>,
    pub locations: LocationVector,
    /// Holds in every state that the node represents.
    pub label: Term,
    /// The node's states are among those of another one, so that its own steps need not be made.
    pub covered_by: Option<NodeId>,
}

/// An assertion for each location of a thread, which no step of another thread may invalidate, over the program's variables and
/// auxiliary ones.
#[derive(Clone, Debug, Default)]
pub struct ProofOutline {
    pub formulas: Formulas,
    pub assertions: Vec<((FunctionId, Location), Term)>,
    pub auxiliary: IndexVec<AuxiliaryId, Auxiliary>,
    /// What an edge does to auxiliary variables, at once with its own step.
    pub updates: Vec<((FunctionId, EdgeId), AuxiliaryId, Term)>,
}

#[derive(Clone, Debug)]
pub struct Auxiliary {
    pub sort: Sort,
    pub initial: Term,
}

impl Invariants {
    pub fn check(&self, program: &Program) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for (place, formula) in &self.at {
            let is_there = match place {
                Place::Thread(function, location) => check_location(program, *function, *location),
                Place::Vector(locations) => locations.check(program),
            };
            is_there?;
            check_formula(&self.formulas, program, place, *formula, 0)?;
            if !seen.insert(place) {
                return Err(format!("{place}: there are two formulas"));
            }
        }
        Ok(())
    }

    pub fn print(&self) -> String {
        let mut text = String::new();
        for (place, formula) in &self.at {
            let _ = writeln!(text, "{place}: {}", self.formulas.terms.print(*formula));
        }
        text
    }
}

impl Tree {
    pub fn check(&self, program: &Program) -> Result<(), String> {
        for (id, node) in self.nodes.iter_enumerated() {
            let at = |why: String| format!("{id}: {why}");
            node.locations.check(program).map_err(at)?;
            check_formula(&self.formulas, program, &id, node.label, 0)?;
            self.check_parent(program, id, node).map_err(at)?;
            self.check_covering(node).map_err(at)?;
        }
        if self.nodes.is_empty() { Err("there is no root".to_owned()) } else { Ok(()) }
    }

    fn check_parent(&self, program: &Program, id: NodeId, node: &TreeNode) -> Result<(), String> {
        let Some((parent, step)) = node.parent else {
            return if id.index() == 0 { Ok(()) } else { Err("it has no parent".to_owned()) };
        };
        if parent >= id {
            return Err(format!("its parent {parent} does not come before it"));
        }
        if self.nodes[parent].covered_by.is_some() {
            return Err(format!("its parent {parent} is covered"));
        }
        let Some((function, from)) = self.nodes[parent].locations.top(step.thread) else {
            return Err(format!("{} does not run at {parent}", step.thread));
        };
        let edge = program.functions[function].edges.get(step.edge);
        let leaves = function == step.function && edge.is_some_and(|edge| edge.from == from);
        if leaves { Ok(()) } else { Err(format!("{} {} does not leave {function} {from}", step.function, step.edge)) }
    }

    /// What covers is not covered itself, nor below a covered node (which has no children), and is at the same locations.
    fn check_covering(&self, node: &TreeNode) -> Result<(), String> {
        let Some(by) = node.covered_by else { return Ok(()) };
        match self.nodes.get(by) {
            None => Err(format!("it is covered by {by}, which is not there")),
            Some(covering) if covering.covered_by.is_some() => Err(format!("it is covered by {by}, which is covered")),
            Some(covering) if covering.locations != node.locations => {
                Err(format!("it is covered by {by}, which is elsewhere"))
            }
            Some(_) => Ok(()),
        }
    }

    pub fn print(&self) -> String {
        let mut text = String::new();
        for (id, node) in self.nodes.iter_enumerated() {
            let _ = match node.parent {
                None => write!(text, "{id}"),
                Some((parent, step)) => {
                    write!(text, "{id} from {parent} by {} {} {}", step.thread, step.function, step.edge)
                }
            };
            let _ = write!(text, " at {}: {}", node.locations, self.formulas.terms.print(node.label));
            let _ = match node.covered_by {
                None => writeln!(text),
                Some(by) => writeln!(text, ", covered by {by}"),
            };
        }
        text
    }
}

impl ProofOutline {
    pub fn check(&self, program: &Program) -> Result<(), String> {
        let known = self.auxiliary.len();
        let mut seen = BTreeSet::new();
        for ((function, location), assertion) in &self.assertions {
            check_location(program, *function, *location)?;
            let place = Place::Thread(*function, *location);
            check_formula(&self.formulas, program, &place, *assertion, known)?;
            if !seen.insert((*function, *location)) {
                return Err(format!("{place}: there are two assertions"));
            }
        }
        for (id, auxiliary) in self.auxiliary.iter_enumerated() {
            check_term(&self.formulas, program, &id, auxiliary.initial, auxiliary.sort, known)?;
        }
        self.check_updates(program)
    }

    fn check_updates(&self, program: &Program) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for ((function, edge), id, value) in &self.updates {
            let is_there = program.functions.get(*function).is_some_and(|f| f.edges.get(*edge).is_some());
            if !is_there {
                return Err(format!("the program has no edge {function} {edge}"));
            }
            let Some(auxiliary) = self.auxiliary.get(*id) else { return Err(format!("there is no {id}")) };
            check_term(&self.formulas, program, id, *value, auxiliary.sort, self.auxiliary.len())?;
            if !seen.insert((*function, *edge, *id)) {
                return Err(format!("{function} {edge} writes {id} twice"));
            }
        }
        Ok(())
    }

    pub fn print(&self) -> String {
        let (mut text, terms) = (String::new(), &self.formulas.terms);
        for (id, auxiliary) in self.auxiliary.iter_enumerated() {
            let _ = writeln!(text, "{id}: {} = {}", auxiliary.sort, terms.print(auxiliary.initial));
        }
        for ((function, edge), id, value) in &self.updates {
            let _ = writeln!(text, "{function} {edge}: {id} := {}", terms.print(*value));
        }
        for ((function, location), assertion) in &self.assertions {
            let _ = writeln!(text, "{function} {location}: {}", terms.print(*assertion));
        }
        text
    }
}

fn check_formula(
    formulas: &Formulas,
    program: &Program,
    place: &dyn fmt::Display,
    formula: Term,
    auxiliary: usize,
) -> Result<(), String> {
    check_term(formulas, program, place, formula, Sort::Bool, auxiliary)
}

/// Of auxiliary variables, only that many are declared.
fn check_term(
    formulas: &Formulas,
    program: &Program,
    place: &dyn fmt::Display,
    term: Term,
    sort: Sort,
    auxiliary: usize,
) -> Result<(), String> {
    formulas.check(program, term, sort).map_err(|why| format!("{place}: {why}"))?;
    let is_unknown = |variable: &Variable| matches!(variable, Variable::Auxiliary(id) if id.index() >= auxiliary);
    let mut meant = formulas.terms.symbols_of(&[term]).filter_map(|symbol| formulas.meaning(symbol));
    meant.find(is_unknown).map_or(Ok(()), |id| Err(format!("{place}: there is no {id}")))
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Thread(function, location) => write!(f, "{function} {location}"),
            Place::Vector(locations) => write!(f, "{locations}"),
        }
    }
}
