//! Which edges may end a run by undefined behaviour. Complete for [`semantics::Undefined`]: operators without a value, accesses, calls
//! and frees that miss, formats, handles of threads that are none or were joined before, keys, barriers, locks made anew while held.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use program::{Allocation, BarrierOp, Edge, EdgeId, ExprId, MutexOp, Op, Program, RwLockOp, ThreadOp};
use semantics::LONGEST_ARRAY;

use crate::analysis::Facts;
use crate::eval::Eval;
use crate::locks::Kind;
use crate::offsets::Offsets;
use crate::replicas::Bound;
use crate::safety::Here;
use crate::state::ThreadState;
use crate::tables::{AbstractObject, AbstractThread, Base, CallString, Node, Phase, Role};
use crate::transfer::copied;
use crate::value::{Number, Value};

impl Facts {
    /// Edges at which a run may end by undefined behaviour.
    pub fn undefined(&self, program: &Program) -> Vec<Span> {
        let uses = Uses::of(self, program);
        let mut found = BTreeSet::new();
        for (node, state) in self.reached() {
            let function = &program.functions[self.tables.call_strings[node.call_string].function];
            let here = Here { lenient: true, ..Here::new(self, program, node.call_string, state) };
            let doubtful = |(id, edge): &(EdgeId, &Edge)| here.may_end(&uses, *id, edge);
            found.extend(function.edges_from(node.location).filter(doubtful).map(|(_, edge)| edge.span));
        }
        found.into_iter().collect()
    }
}

/// What the program does to threads and locks anywhere.
#[derive(Default)]
pub(crate) struct Uses {
    /// Where threads may be joined.
    joins: BTreeMap<AbstractThread, BTreeSet<(CallString, EdgeId)>>,
    detached: BTreeSet<AbstractThread>,
    /// Where locks are taken, by the own name of the object: while there is one thread only, or under the names of what is a
    /// thread's own.
    taken_alone: Vec<(Kind, Base, Offsets)>,
    /// By others.
    taken: Vec<(Kind, Base, Offsets)>,
}

impl Uses {
    pub fn of(facts: &Facts, program: &Program) -> Uses {
        let mut uses = Uses::default();
        for (node, state) in facts.reached() {
            let function = &program.functions[facts.tables.call_strings[node.call_string].function];
            let here = Here::new(facts, program, node.call_string, state);
            for (id, edge) in function.edges_from(node.location) {
                if let Op::Thread(op) = &edge.op {
                    uses.add(&here, node, id, op);
                }
            }
        }
        uses
    }

    fn add(&mut self, here: &Here<'_>, node: &Node, edge: EdgeId, op: &ThreadOp) {
        match op {
            ThreadOp::Join { thread, .. } => {
                for abstract_thread in here.threads(*thread) {
                    self.joins.entry(abstract_thread).or_default().insert((node.call_string, edge));
                }
            }
            ThreadOp::Detach { thread, .. } => self.detached.extend(here.threads(*thread)),
            ThreadOp::Create { entry, detached, .. } if here.may_be_other_than_zero(*detached) => {
                self.detached.extend(here.created(edge, *entry));
            }
            ThreadOp::Mutex { op: MutexOp::Lock | MutexOp::TryLock | MutexOp::TimedLock, mutex, .. } => {
                self.take(here, Kind::Mutex, *mutex);
            }
            ThreadOp::RwLock { op: RwLockOp::Init | RwLockOp::Destroy | RwLockOp::Unlock, .. } => {}
            ThreadOp::RwLock { lock, .. } => self.take(here, Kind::RwLock, *lock),
            _ => {}
        }
    }

    fn take(&mut self, here: &Here<'_>, kind: Kind, lock: ExprId) {
        for (base, at) in here.targets(lock).pointers {
            let own = here.facts.tables.as_role(base, Role::Own);
            let alone = here.state.phase == Phase::Before || is_own(here, base);
            let list = if alone { &mut self.taken_alone } else { &mut self.taken };
            list.push((kind, own, at));
        }
    }

    /// Is the lock surely free: no thread has taken it, at least not where only this thread can?
    fn is_free(&self, here: &Here<'_>, kind: Kind, lock: ExprId) -> bool {
        let is = |(of, own, at): &(Kind, Base, Offsets), base: Base, place: Offsets| {
            *of == kind && *own == here.facts.tables.as_role(base, Role::Own) && at.overlaps(1, place, 1)
        };
        here.targets(lock).pointers.iter().all(|(base, at)| {
            let alone = here.state.phase == Phase::Before || is_own(here, *base);
            let untaken = |list: &[(Kind, Base, Offsets)]| !list.iter().any(|taken| is(taken, *base, *at));
            untaken(&self.taken_alone) && (alone || untaken(&self.taken))
        })
    }
}

fn is_own(here: &Here<'_>, base: Base) -> bool {
    matches!(here.facts.tables.abstract_object(base).role(), Some(Role::Own | Role::Older))
}

impl Here<'_> {
    fn targets(&self, expr: ExprId) -> Value {
        let value = self.value(expr).unwrap_or_else(Value::nothing);
        self.facts.solution.reach(&self.facts.tables, self.state, &value)
    }

    fn may_be_negative(&self, size: ExprId) -> bool {
        let Some(size) = self.value(size) else { return false };
        size.as_range().is_none_or(|range| range.max_unsigned() > LONGEST_ARRAY)
    }

    fn may_be_other_than_zero(&self, expr: ExprId) -> bool {
        self.value(expr).is_some_and(|value| value.as_constant() != Some(0))
    }

    /// The threads that a handle may be of.
    fn threads(&self, handle: ExprId) -> Vec<AbstractThread> {
        let abstract_thread = |(base, _): &(Base, Offsets)| match self.facts.tables.abstract_object(*base) {
            AbstractObject::Thread(abstract_thread) => Some(abstract_thread),
            _ => None,
        };
        self.targets(handle).pointers.iter().filter_map(abstract_thread).collect()
    }

    fn created(&self, edge: EdgeId, entry: ExprId) -> Vec<AbstractThread> {
        let tables = &self.facts.tables;
        let abstract_thread = |(base, _): &(Base, Offsets)| match tables.abstract_object(*base) {
            AbstractObject::Function(function) => tables.find_abstract_thread(self.call_string, edge, function),
            _ => None,
        };
        self.targets(entry).pointers.iter().filter_map(abstract_thread).collect()
    }

    /// May the edge end the run?
    pub fn may_end(&self, uses: &Uses, id: EdgeId, edge: &Edge) -> bool {
        self.may_fault(&edge.op) || !self.is_valid(edge) || self.may_misuse(uses, id, &edge.op)
    }

    /// May an operator have no value?
    fn may_fault(&self, op: &Op) -> bool {
        let mut state = ThreadState::clone(self.state);
        if let Op::Modify(modify) = op {
            // The new value is made of the old one, whatever that is.
            state.variables.remove(self.facts.tables.variable(self.call_string, modify.old));
        }
        let mut eval = Eval::new(self.program, &self.facts.tables, self.call_string, &state);
        op.operands(&mut |expr, _| {
            eval.value(expr);
        });
        eval.fault
    }

    fn may_misuse(&self, uses: &Uses, id: EdgeId, op: &Op) -> bool {
        match op {
            Op::Unsupported(_) => true,
            Op::Free(pointer) => !self.may_free(*pointer),
            Op::Allocate(allocate) => match allocate.kind {
                Allocation::Realloc(old) => !self.may_free(old),
                Allocation::Variable(_) => self.may_be_negative(allocate.size),
                _ => false,
            },
            Op::Thread(op) => match &**op {
                ThreadOp::Join { thread, .. } => !self.may_join(uses, id, *thread),
                ThreadOp::Detach { thread, .. } => {
                    !self.is_thread(*thread)
                        || self.threads(*thread).iter().any(|abstract_thread| uses.joins.contains_key(abstract_thread))
                }
                ThreadOp::KeyDelete { .. } | ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } => true,
                ThreadOp::Barrier { op: BarrierOp::Arrive, .. } => true,
                ThreadOp::Mutex { op: MutexOp::Init { .. }, mutex, .. } => !uses.is_free(self, Kind::Mutex, *mutex),
                ThreadOp::RwLock { op: RwLockOp::Init | RwLockOp::Destroy, lock, .. } => {
                    !uses.is_free(self, Kind::RwLock, *lock)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Is it surely the handle of a thread?
    fn is_thread(&self, handle: ExprId) -> bool {
        let thread = |(base, at): &(Base, Offsets)| {
            matches!(self.facts.tables.abstract_object(*base), AbstractObject::Thread(_)) && *at == Offsets::ZERO
        };
        self.value(handle).is_none_or(|value| value.number == Number::None && value.pointers.iter().all(thread))
    }

    /// Is it surely the handle of a thread that no thread has joined or detached?
    fn may_join(&self, uses: &Uses, id: EdgeId, handle: ExprId) -> bool {
        let abstract_threads = self.threads(handle);
        let tables = &self.facts.tables;
        let here = BTreeSet::from([(self.call_string, id)]);
        let once = |abstract_thread: &AbstractThread| {
            tables.abstract_threads[*abstract_thread].once
                && tables.runs_once(self.program, self.call_string, id)
                && uses.joins.get(abstract_thread) == Some(&here)
        };
        !abstract_threads.iter().any(|abstract_thread| uses.detached.contains(abstract_thread))
            && (self.is_thread(handle) && abstract_threads.iter().all(once)
                || matches!(abstract_threads[..], [abstract_thread] if self.is_next(abstract_thread, handle)))
    }

    /// Is it the first handle of several that the thread has created and not joined yet?
    fn is_next(&self, abstract_thread: AbstractThread, handle: ExprId) -> bool {
        let (tables, solution) = (&self.facts.tables, &self.facts.solution);
        let function = &self.program.functions[tables.call_strings[self.call_string].function];
        let variable = copied(function, handle).map(|local| tables.variable(self.call_string, local));
        let from = self.state.loaded.filter(|(loaded, _)| Some(*loaded) == variable).map(|(_, from)| from);
        let handles = self.state.replicas.get(abstract_thread.0).and_then(|replicas| replicas.handles);
        let (Some(from), Some(handles)) = (from, handles) else { return false };
        let created = tables.abstract_threads[abstract_thread].created;
        let kept = self.state.memory.get(handles.base.0).is_some()
            || solution
                .shared
                .get(&handles.base)
                .is_some_and(|shared| shared.writers.iter().all(|w| Some(*w) == created));
        let now = Bound::of(from.symbol, 0);
        kept && Some(handles.base) == from.base
            && handles.coefficient == from.coefficient
            && Some(handles.offset) == from.offset
            && self.state.is_below(handles.from, now)
            && self.state.is_below(now, handles.from)
            && self.state.is_below(Bound::of(from.symbol, 1), handles.to)
    }
}
