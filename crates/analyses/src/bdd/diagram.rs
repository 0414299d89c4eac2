//! The decision diagrams themselves: functions over Boolean variables, kept in one store of limited size.

use base::Alarm;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef, new_manager};
use oxidd::error::OutOfMemory;
use oxidd::util::OptBool;
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function as _, LevelNo, Manager, ManagerRef, VarNo,
};

use crate::numbers::{Full, Made};

/// Nodes of a relation that is still small.
const LARGE: usize = 100;
/// A set should not take more than this part of the store.
const PART: usize = 32;

/// A Boolean function. Equal functions are equal: diagrams are canonical.
pub type Function = BCDDFunction;

pub struct Diagrams {
    store: BCDDManagerRef,
    /// Nodes of a set.
    largest: usize,
    /// When it strikes there is no room any more.
    pub alarm: Alarm,
    pub yes: Function,
    pub no: Function,
}

impl Diagrams {
    /// At most so many nodes, with a cache of so many results.
    pub fn new(nodes: usize, cache: usize) -> Self {
        let store = new_manager(nodes, cache, 1);
        let (yes, no) = store.with_manager_shared(|m| (Function::t(m), Function::f(m)));
        Diagrams { store, largest: nodes / PART, alarm: Alarm::default(), yes, no }
    }

    /// New variables, below all others in the order; the first of them.
    pub fn add_variables(&self, count: u32) -> VarNo {
        self.store.with_manager_exclusive(|m| m.add_vars(count).start)
    }

    pub fn variable(&self, number: VarNo) -> Made<Function> {
        self.make(|| self.store.with_manager_shared(|m| Function::var(m, number)))
    }

    /// If there is no room, nodes that are not referenced are collected first.
    fn make(&self, operation: impl Fn() -> Result<Function, OutOfMemory>) -> Made<Function> {
        let is_late = || self.alarm.struck().is_some();
        if is_late() {
            return Err(Full);
        }
        operation().or_else(|_| {
            // An operation that fills the store takes long.
            if is_late() {
                return Err(Full);
            }
            // Alone with the store: while it is being cleaned in the background already, the call would do nothing.
            self.store.with_manager_exclusive(|m| m.gc());
            operation().map_err(|_| Full)
        })
    }

    pub fn constant(&self, truth: bool) -> Function {
        if truth { self.yes.clone() } else { self.no.clone() }
    }

    pub fn is_constant(&self, f: &Function) -> bool {
        *f == self.yes || *f == self.no
    }

    pub fn not(&self, f: &Function) -> Made<Function> {
        self.make(|| f.not())
    }

    pub fn and(&self, f: &Function, g: &Function) -> Made<Function> {
        self.make(|| f.and(g))
    }

    pub fn or(&self, f: &Function, g: &Function) -> Made<Function> {
        self.make(|| f.or(g))
    }

    pub fn xor(&self, f: &Function, g: &Function) -> Made<Function> {
        self.make(|| f.xor(g))
    }

    pub fn equal(&self, f: &Function, g: &Function) -> Made<Function> {
        self.make(|| f.equiv(g))
    }

    pub fn choose(&self, condition: &Function, then: &Function, otherwise: &Function) -> Made<Function> {
        self.make(|| condition.ite(then, otherwise))
    }

    /// All valuations in which these variables are so.
    pub fn valuations(&self, mut literals: Vec<(&Function, bool)>) -> Made<Function> {
        // From the lowest one upwards each adds a node on top.
        literals.sort_by_key(|(variable, _)| std::cmp::Reverse(self.level(variable)));
        literals.iter().try_fold(self.yes.clone(), |all, (variable, truth)| match truth {
            true => self.and(variable, &all),
            false => self.and(&self.not(variable)?, &all),
        })
    }

    fn level(&self, variable: &Function) -> LevelNo {
        variable.with_manager_shared(|m, edge| m.get_node(edge).level())
    }

    /// The set without what it says of some variables, given as their conjunction.
    pub fn forget(&self, set: &Function, variables: &Function) -> Made<Function> {
        if *variables == self.yes {
            return Ok(set.clone());
        }
        self.make(|| set.exists(variables))
    }

    /// The relational product: the conjunction without some variables.
    pub fn image(&self, set: &Function, relation: &Function, variables: &Function) -> Made<Function> {
        self.make(|| set.apply_exists(BooleanOperator::And, relation, variables))
    }

    /// Is no member of one set in the other?
    pub fn is_disjoint(&self, f: &Function, g: &Function) -> Made<bool> {
        Ok(self.and(f, g)? == self.no)
    }

    pub fn is_subset(&self, f: &Function, g: &Function) -> Made<bool> {
        Ok(self.or(f, g)? == *g)
    }

    /// One member of a set: what it says of each variable that matters.
    pub fn some_valuation(&self, set: &Function) -> Option<Vec<(VarNo, bool)>> {
        let cube = set.pick_cube(|_, _, _| false)?;
        let known = cube.into_iter().enumerate().filter_map(|(i, value)| match value {
            OptBool::None => None,
            value => Some((i as VarNo, value == OptBool::True)),
        });
        Some(known.collect())
    }

    /// The value of a function; variables that are not mentioned are false.
    pub fn is_true(&self, f: &Function, valuation: &[(VarNo, bool)]) -> bool {
        f.eval(valuation.iter().copied())
    }

    /// Too large to be made bigger without a look at the set that it will be cut down to?
    pub fn is_large(&self, f: &Function) -> bool {
        f.node_count() > LARGE
    }

    /// So large that it is better to know less?
    pub fn is_too_large(&self, f: &Function) -> bool {
        f.node_count() > self.largest
    }
}
