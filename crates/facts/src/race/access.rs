//! Accesses by the facts: which abstract objects an edge reads or writes, in each of its states.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{Access, EdgeId, Extent, Op, Order, Overwrite, Program};

use crate::analysis::Facts;
use crate::eval::Eval;
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{AbstractThread, Base, Phase, Role};
use crate::transfer::{elements, everywhere, object_size};
use crate::value::{Term, Value};

/// What an edge does to memory in one of its states.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AbstractAccess {
    pub node: u32,
    pub edge: EdgeId,
    pub base: Base,
    pub at: Offsets,
    pub size: u64,
    pub write: bool,
    pub atomic: bool,
    pub abstract_thread: AbstractThread,
    /// How the address follows from a value with a name.
    pub term: Option<Term>,
    pub state: Arc<ThreadState>,
}

impl Facts {
    /// What the edges behind a node do to memory.
    pub fn accesses(&self, program: &Program, node: u32) -> Vec<AbstractAccess> {
        let states = &self.solution.states[node as usize];
        states.iter().flat_map(|state| self.accesses_in(program, node, state)).collect()
    }

    pub(crate) fn accesses_in(&self, program: &Program, node: u32, state: &Arc<ThreadState>) -> Vec<AbstractAccess> {
        let place = self.tables.nodes[node as usize];
        let info = &self.tables.call_strings[place.call_string];
        let mut accesses = Vec::new();
        for (edge, op) in program.functions[info.function].edges_from(place.location) {
            for (address, size, write, atomic) in self.touched(program, node, state, &op.op) {
                let term = address.term;
                for (base, at) in &self.solution.reach(&self.tables, state, &address).pointers {
                    let Some(object) = object_size(program, &self.tables, *base) else { continue };
                    // Bytes outside of the object are not accessed.
                    let Some(at) = at.touching(object, size) else { continue };
                    let (abstract_thread, state) = (info.abstract_thread, state.clone());
                    accesses.push(AbstractAccess {
                        node,
                        edge,
                        base: *base,
                        at,
                        size,
                        write,
                        atomic,
                        abstract_thread,
                        term,
                        state,
                    });
                }
            }
        }
        accesses
    }

    /// Address, size, whether it is written, whether that is atomic.
    pub(super) fn touched(
        &self,
        program: &Program,
        node: u32,
        state: &ThreadState,
        op: &Op,
    ) -> Vec<(Value, u64, bool, bool)> {
        let call_string = self.tables.nodes[node as usize].call_string;
        let value = |expr| Eval::new(program, &self.tables, call_string, state).value(expr);
        let access = |access: &Access, write: bool| {
            let address = value(access.address)?;
            let atomic = access.order == Order::Atomic;
            Some(match &access.bits {
                None => (address, access.ty.bytes(), write, atomic),
                Some(bits) => {
                    let mut unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                    unit.term = None;
                    (unit, u64::from(bits.length), write, atomic)
                }
            })
        };
        let mut touched = Vec::new();
        op.accesses(&mut |accessed| {
            let write = accessed.mode.writes();
            touched.extend(match accessed.extent {
                Extent::Scalar(scalar) => access(scalar, write),
                Extent::Block => value(accessed.address).map(whole),
                Extent::Elements(overwrite) => value(accessed.address).map(|at| handed_over(at, overwrite)),
                Extent::Range => {
                    value(accessed.address).map(|value| (Value { term: None, ..everywhere(&value) }, 1, write, false))
                }
            });
        });
        if let Op::Library(call) = op
            && let Some(list) = call.args.last().filter(|_| call.takes_list()).and_then(|list| value(*list))
        {
            // The values are in a block that the list points to, strings behind them.
            let block = self.behind(program, state, &list);
            let strings = self.behind(program, state, &block);
            touched.extend([block, strings].map(|read| (read, 1, false, false)));
        }
        touched
    }

    /// Everything in the objects that pointers in what a value leads to lead to.
    fn behind(&self, program: &Program, state: &ThreadState, value: &Value) -> Value {
        let mut all = Value::nothing();
        for (base, _) in &value.pointers {
            let shared = || self.solution.shared.get(base).map(|shared| &shared.contents);
            let Some(contents) = state.memory.get(base.0).or_else(shared) else { continue };
            let written = contents.values().flat_map(|value| value.pointers.iter().map(|(base, _)| *base));
            for base in written.chain(contents.initial_pointers(&self.tables, program)) {
                all = all.join(&Value::pointer(base, Offsets::ALL));
            }
        }
        all
    }

    /// Is the memory the thread's own there, or is no other thread there to touch it?
    pub fn is_local(&self, access: &AbstractAccess) -> bool {
        let own = matches!(self.tables.abstract_object(access.base).role(), Some(Role::Own | Role::Older));
        own || access.state.phase == Phase::Before
    }

    /// The accesses with each object that several threads may reach.
    pub fn shared_accesses(&self, program: &Program) -> BTreeMap<Base, Vec<AbstractAccess>> {
        let mut by_object: BTreeMap<Base, Vec<AbstractAccess>> = BTreeMap::new();
        for node in 0..self.solution.states.len() as u32 {
            for access in self.accesses(program, node) {
                if !self.is_local(&access) {
                    by_object.entry(access.base).or_default().push(access);
                }
            }
        }
        by_object
    }
}

/// What may be overwritten, or read, by a function without a body.
fn handed_over(pointer: Value, overwrite: &Overwrite) -> (Value, u64, bool, bool) {
    let bytes =
        if overwrite.all { elements(pointer, 1) } else { pointer.moved(Offsets::steps(overwrite.size as i64 - 1, 1)) };
    (Value { term: None, ..bytes }, 1, overwrite.writes(), false)
}

fn whole(pointer: Value) -> (Value, u64, bool, bool) {
    let term = pointer.term.map(|term| Term { offset: None, ..term });
    let term = term.filter(|term| term.base.is_none() && term.coefficient == 1);
    let pointers = pointer.pointers.iter().map(|(base, _)| (*base, Offsets::ONWARD)).collect();
    (Value { term, pointers, ..pointer }, 1, true, false)
}
