//! Accesses to memory that several threads may reach, and which pairs of them may race.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Idx;
use program::{Access, EdgeId, Extent, Op, Order, Overwrite, Program};

use crate::analysis::{Facts, Shape};
use crate::eval::Eval;
use crate::guard::Guard;
use crate::locks::{Lock, Mode, Place};
use crate::offsets::Offsets;
use crate::replicas::Bound;
use crate::state::{State, contains_line};
use crate::tables::{AbstractObject, AbstractThread, Base, Phase, Role};
use crate::transfer::{elements, everywhere, object_size};
use crate::value::{Symbol, Term, Value};

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
    pub state: Rc<State>,
}

/// An alarm: two accesses that may race, as far as facts tell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub first: AbstractAccess,
    pub second: AbstractAccess,
}

/// How the memory that an edge touches is kept from races, the weakest case of all its states.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Sharing {
    /// Nobody else can reach it, or nobody else runs.
    Local,
    /// Nobody writes it any more.
    ReadOnly,
    /// Whoever conflicts holds the same lock, or is in an atomic section as well.
    Protected,
    /// Whoever conflicts runs before or after, or touches another part.
    Apart,
    /// Whoever conflicts is atomic, too.
    Atomic,
    Contended,
}

impl Facts {
    /// What the edges behind a node do to memory.
    pub fn accesses(&self, program: &Program, node: u32) -> Vec<AbstractAccess> {
        let states = &self.solution.states[node as usize];
        states.iter().flat_map(|state| self.accesses_in(program, node, state)).collect()
    }

    pub(crate) fn accesses_in(&self, program: &Program, node: u32, state: &Rc<State>) -> Vec<AbstractAccess> {
        let place = self.tables.nodes[node as usize];
        let info = &self.tables.call_strings[place.call_string];
        let mut accesses = Vec::new();
        for (edge, op) in program.functions[info.function].edges_from(place.location) {
            for (address, size, write, atomic) in self.touched(program, node, state, &op.op) {
                let term = address.term;
                for (base, at) in &self.solution.reach(&self.tables, state, &address).pointers {
                    let Some(object) = object_size(program, &self.tables, *base) else { continue };
                    // Bytes that are outside of the object are nobody's.
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
    fn touched(&self, program: &Program, node: u32, state: &State, op: &Op) -> Vec<(Value, u64, bool, bool)> {
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
    fn behind(&self, program: &Program, state: &State, value: &Value) -> Value {
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

    /// Is the memory the thread's own there, or is nobody else there to touch it?
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

    /// The pairs that may race, and how every other access is kept from it.
    pub fn pairs(&self, program: &Program) -> Pairs {
        let mut pairs = Pairs::default();
        for accesses in self.shared_accesses(program).into_values() {
            self.pairs_of(program, &accesses, &mut pairs);
        }
        pairs
    }

    /// Accesses that may race; none means that no run has a race. `None` if that cannot be told.
    pub fn races(&self, program: &Program) -> Option<Vec<Candidate>> {
        let pairs = self.pairs(program);
        (!pairs.too_many).then_some(pairs.racing)
    }

    fn pairs_of(&self, program: &Program, accesses: &[AbstractAccess], pairs: &mut Pairs) {
        let safe = |pairs: &mut Pairs, sharing: Sharing| {
            accesses.iter().for_each(|access| pairs.note(access, sharing));
        };
        if accesses.iter().all(|access| !access.write) {
            return safe(pairs, Sharing::ReadOnly);
        }
        let first = &accesses[0];
        if accesses.iter().all(|c| c.abstract_thread == first.abstract_thread) && !self.is_many(first.abstract_thread) {
            return safe(pairs, Sharing::Apart);
        }
        if self.have_common_lock(accesses) {
            return safe(pairs, Sharing::Protected);
        }
        // Where the first thread is the only one left, it needs no lock.
        let is_alone = |c: &&AbstractAccess| c.abstract_thread == AbstractThread(0) && c.state.alive.is_empty();
        accesses.iter().filter(is_alone).for_each(|access| pairs.note(access, Sharing::Apart));
        let together: Vec<AbstractAccess> = accesses.iter().filter(|c| !is_alone(c)).cloned().collect();
        let writes = together.iter().any(|access| access.write);
        if !writes || self.have_common_lock(&together) {
            let sharing = if writes { Sharing::Protected } else { Sharing::Apart };
            return together.iter().for_each(|access| pairs.note(access, sharing));
        }
        let classes = classes(&together);
        if classes.len() > MOST_CLASSES {
            pairs.too_many = true;
            return safe(pairs, Sharing::Contended);
        }
        let mut contended = vec![false; classes.len()];
        for (i, (a, of_a)) in classes.iter().enumerate() {
            for (j, (b, of_b)) in classes.iter().enumerate().skip(i) {
                // Enough pairs are known, and of these two nothing worse can be.
                if contended[i] && contended[j] && pairs.racing.len() >= MOST_PAIRS {
                    continue;
                }
                let sharing = self.relation(program, a, b);
                of_a.iter().chain(of_b).for_each(|c| pairs.note(c, sharing));
                if sharing == Sharing::Contended {
                    (contended[i], contended[j]) = (true, true);
                    pairs.racing.push(Candidate { first: (*a).clone(), second: (*b).clone() });
                }
            }
        }
    }

    /// May several threads of the abstract thread run at once?
    pub fn is_many(&self, abstract_thread: AbstractThread) -> bool {
        self.solution.abstract_threads[abstract_thread.index()].many
    }

    /// Is there a lock that all of them hold, all but readers exclusively?
    fn have_common_lock(&self, accesses: &[AbstractAccess]) -> bool {
        accesses.iter().all(|access| access.state.sections > 0) || !self.protecting_lockset(accesses).is_empty()
    }

    /// Locks that are surely held and that nobody else opens.
    pub fn useful_locks<'c>(&'c self, access: &'c AbstractAccess) -> impl Iterator<Item = &'c Lock> {
        self.unbroken_locks(&access.state)
    }

    pub fn unbroken_locks<'c>(&'c self, state: &'c State) -> impl Iterator<Item = &'c Lock> {
        state.locks.iter().filter(|lock| {
            let broken = |base: &Base, at: Offsets| {
                let base = self.tables.as_role(*base, Role::Shared);
                self.solution.broken.get(&(lock.name.kind, base)).is_some_and(|spoiled| spoiled.overlaps(1, at, 1))
            };
            lock.condition.is_none() && !lock.targets.iter().any(|(base, at)| broken(base, *at))
        })
    }

    /// What keeps two accesses with one object from racing.
    pub fn relation(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> Sharing {
        if !a.write && !b.write {
            return Sharing::ReadOnly;
        }
        if !a.at.overlaps(a.size, b.at, b.size) || self.are_disjoint(a, b) || !self.may_be_parallel(a, b) {
            return Sharing::Apart;
        }
        if self.is_too_early(program, a, b) || self.is_too_early(program, b, a) {
            return Sharing::Apart;
        }
        if a.atomic && b.atomic {
            return Sharing::Atomic;
        }
        if a.state.sections > 0 && b.state.sections > 0 || self.hold_same_lock(program, a, b) {
            return Sharing::Protected;
        }
        Sharing::Contended
    }

    pub(crate) fn hold_same_lock(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        self.useful_locks(a).any(|first| {
            self.useful_locks(b).any(|second| {
                let exclusive = first.mode == Mode::Exclusive || second.mode == Mode::Exclusive;
                let same = || same_lock(a, first, b, second) || self.are_alike(program, a, first, b, second);
                exclusive && first.name.kind == second.name.kind && same()
            })
        })
    }

    /// Both locks lie as far from what is touched, and what is touched is the same if it overlaps.
    fn are_alike(
        &self,
        program: &Program,
        a: &AbstractAccess,
        first: &Lock,
        b: &AbstractAccess,
        second: &Lock,
    ) -> bool {
        let (mine, theirs) = (self.displacement(program, a, first), self.displacement(program, b, second));
        mine.is_some() && mine == theirs && a.at.coincides(a.size, b.at, b.size)
    }

    /// How far the lock is from what is touched.
    fn displacement(&self, program: &Program, access: &AbstractAccess, lock: &Lock) -> Option<i64> {
        match (lock.name.place, access.term) {
            (Place::Relative(at), Some(term)) => {
                let alike = at.base == term.base && at.coefficient == term.coefficient && at.symbol == term.symbol;
                at.offset.filter(|_| alike)?.checked_sub(term.offset?)
            }
            (Place::At(base, offset), _) => {
                let one = base == access.base && self.tables.is_single(program, base);
                offset.checked_sub(access.at.as_constant().filter(|_| one)?)
            }
            _ => None,
        }
    }

    /// Do two threads of an abstract thread touch different parts, because what they were given differs?
    pub(crate) fn are_disjoint(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        let (Some(x), Some(y)) = (a.term, b.term) else { return false };
        if self.have_taken(a, x, b, y) {
            return true;
        }
        if self.is_ahead(a, x, b, y) || self.is_ahead(b, y, a, x) {
            return true;
        }
        let own = Symbol::Argument(a.abstract_thread);
        if a.abstract_thread != b.abstract_thread || x.symbol != own || y.symbol != own || x.base != y.base {
            return false;
        }
        match self.solution.abstract_threads[a.abstract_thread.index()].shape {
            Shape::Objects => x.coefficient == 1 && y.coefficient == 1 && x.base.is_none(),
            Shape::Numbers { .. } => {
                let reach = reach(a, x, b, y);
                x.coefficient == y.coefficient
                    && reach.is_some_and(|reach| reach <= u128::from(x.coefficient.unsigned_abs()))
            }
            Shape::None | Shape::Unknown => false,
        }
    }

    /// Do both touch what belongs to a number that they took from one counter?
    fn have_taken(&self, a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> bool {
        let taken = |access: &AbstractAccess, term: Term| match term.symbol {
            Symbol::Variable(variable) => access.state.taken.get(variable).copied(),
            _ => None,
        };
        let (Some((of_a, by_a)), Some((of_b, by_b))) = (taken(a, x), taken(b, y)) else { return false };
        let Some(reach) = reach(a, x, b, y) else { return false };
        let apart = u128::from(x.coefficient.unsigned_abs()) * u128::from(by_a.min(by_b).unsigned_abs());
        of_a == of_b
            && !self.solution.falling.contains(&of_a)
            && matches!(self.solution.guards.get(&of_a), Some(Guard::Locks(_)))
            && x.base == y.base
            && x.coefficient == y.coefficient
            && reach <= apart
    }

    /// Has one of them seen a global that only rises higher than it is for the other, which has it in its hands?
    fn is_too_early(&self, program: &Program, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        b.state.seen.iter().any(|(base, seen)| {
            let AbstractObject::Global(global) = self.tables.abstract_object(Base(base)) else { return false };
            let held = a.state.borrowed.contains(base) && !self.solution.falling.contains(&Base(base));
            let guarded = matches!(self.solution.guards.get(&Base(base)), Some(Guard::Locks(_)));
            let ty = program.types.scalar(program.globals[global].ty);
            let (Some(ty), Some(contents)) = (ty, a.state.memory.get(base)) else { return false };
            let now = contents.read(&self.tables, program, Offsets::ZERO, ty).as_range();
            held && guarded && now.is_some_and(|now| now.max_signed() < *seen)
        })
    }

    /// Does the creator of an abstract thread touch a part that it has given to none of its threads yet?
    fn is_ahead(&self, creator: &AbstractAccess, mine: Term, member: &AbstractAccess, theirs: Term) -> bool {
        let replicas = creator.state.replicas.get(member.abstract_thread.0).and_then(|replicas| replicas.arguments);
        let (Some(arguments), Symbol::Argument(abstract_thread)) = (replicas, theirs.symbol) else { return false };
        let Some(reach) = reach(creator, mine, member, theirs) else { return false };
        abstract_thread == member.abstract_thread
            && !self.is_many(creator.abstract_thread)
            && matches!(self.solution.abstract_threads[abstract_thread.index()].shape, Shape::Numbers { .. })
            && mine.base == theirs.base
            && mine.coefficient == theirs.coefficient
            && reach <= u128::from(mine.coefficient.unsigned_abs())
            && creator.state.is_below(arguments.below, Bound::of(mine.symbol, 0))
    }

    /// May both be next in some state?
    pub fn may_be_parallel(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        if a.abstract_thread == b.abstract_thread {
            return self.is_many(a.abstract_thread);
        }
        if self.has_ended(&a.state, b.abstract_thread) || self.has_ended(&b.state, a.abstract_thread) {
            return false;
        }
        let tables = &self.tables;
        let (of_a, of_b) = (tables.ancestors(a.abstract_thread), tables.ancestors(b.abstract_thread));
        if of_a.iter().chain(&of_b).any(|abstract_thread| tables.is_recursive_crew(*abstract_thread)) {
            return true;
        }
        // Ancestors come youngest first: the first common one created both, directly or not.
        let Some(common) = of_a.iter().position(|abstract_thread| of_b.contains(abstract_thread)) else { return true };
        let ancestor = of_a[common];
        if self.is_many(ancestor) {
            return true;
        }
        if ancestor == a.abstract_thread {
            return a.state.may_be_alive(tables, b.abstract_thread);
        }
        if ancestor == b.abstract_thread {
            return b.state.may_be_alive(tables, a.abstract_thread);
        }
        let other = of_b.iter().position(|abstract_thread| *abstract_thread == ancestor).expect("it is common");
        let (to_a, to_b) = (of_a[common - 1], of_b[other - 1]);
        let alive = |child: AbstractThread, abstract_thread: AbstractThread| {
            let before = &self.solution.abstract_threads[child.index()].alive_before;
            contains_line(tables, before, abstract_thread)
        };
        alive(to_a, b.abstract_thread) || alive(to_b, a.abstract_thread)
    }

    /// Does this state know that all threads of the abstract thread have ended?
    fn has_ended(&self, state: &State, abstract_thread: AbstractThread) -> bool {
        self.tables.ancestors(abstract_thread).iter().any(|ancestor| {
            let ended = state.ended.get(ancestor.0).is_some();
            let end = &self.solution.abstract_threads[ancestor.index()].end;
            ended
                && (*ancestor == abstract_thread
                    || end.as_ref().is_some_and(|end| !end.may_be_alive(&self.tables, abstract_thread)))
        })
    }
}

/// Of more pairs that may race, not all are told; but every access that may race is in one of them.
const MOST_PAIRS: usize = 10_000;
/// Beyond this, pairs are not looked at one by one.
pub(crate) const MOST_CLASSES: usize = 2_000;

#[derive(Default)]
pub struct Pairs {
    pub racing: Vec<Candidate>,
    /// By node and edge.
    pub sharing: BTreeMap<(u32, EdgeId), Sharing>,
    /// Some object is touched in so many ways that pairs were not looked at.
    pub too_many: bool,
}

impl Pairs {
    fn note(&mut self, access: &AbstractAccess, sharing: Sharing) {
        let slot = self.sharing.entry((access.node, access.edge)).or_insert(Sharing::Local);
        *slot = (*slot).max(sharing);
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

/// How many bytes both touch together, with those between, if their symbols had one value.
fn reach(a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> Option<u128> {
    Some(u128::from(x.offset?.abs_diff(y.offset?)) + u128::from(a.size.max(b.size)))
}

/// Contacts that differ in nothing that matters are looked at once.
pub(crate) fn classes(accesses: &[AbstractAccess]) -> Vec<(&AbstractAccess, Vec<&AbstractAccess>)> {
    let same = |a: &AbstractAccess, b: &AbstractAccess| {
        (a.abstract_thread, a.at, a.size, a.write, a.atomic, a.term)
            == (b.abstract_thread, b.at, b.size, b.write, b.atomic, b.term)
            && (a.state.sections > 0) == (b.state.sections > 0)
            && a.state.locks == b.state.locks
            && a.state.alive == b.state.alive
            && a.state.ended == b.state.ended
            && (is_plain(a) && is_plain(b) || Rc::ptr_eq(&a.state, &b.state))
    };
    let mut classes: Vec<(&AbstractAccess, Vec<&AbstractAccess>)> = Vec::new();
    let mut by_key: BTreeMap<_, Vec<usize>> = BTreeMap::new();
    for access in accesses {
        let key = (access.abstract_thread, access.at, access.size, access.write, access.atomic);
        let near = by_key.entry(key).or_default();
        match near.iter().find(|i| same(classes[**i].0, access)) {
            Some(i) => classes[*i].1.push(access),
            None => {
                near.push(classes.len());
                classes.push((access, vec![access]));
            }
        }
    }
    classes
}

/// Does nothing else that its state knows matter?
fn is_plain(access: &AbstractAccess) -> bool {
    let state = &access.state;
    state.replicas.is_empty() && state.taken.is_empty() && state.seen.is_empty() && state.borrowed.is_empty()
}

/// Is it the same lock, if the accesses overlap?
pub(crate) fn same_lock(a: &AbstractAccess, first: &Lock, b: &AbstractAccess, second: &Lock) -> bool {
    match (first.name.place, second.name.place) {
        (Place::At(base, offset), Place::At(other, place)) => base == other && offset == place,
        (Place::Relative(x), Place::Relative(y)) => {
            let constant = matches!(x.symbol, Symbol::Cell(..)) && x == y;
            constant || follows(a, x, b, y)
        }
        _ => false,
    }
}

/// Both locks follow from the address in the same way, and equal addresses come from equal values.
fn follows(a: &AbstractAccess, x: Term, b: &AbstractAccess, y: Term) -> bool {
    let (Some(p), Some(q)) = (a.term, b.term) else { return false };
    let alike = |s: Term, t: Term| s.base == t.base && s.coefficient == t.coefficient && s.offset == t.offset;
    let tied = x.symbol == p.symbol && y.symbol == q.symbol && alike(p, q) && alike(x, y) && p.offset.is_some();
    let equal = if p.base.is_none() && p.coefficient.unsigned_abs() == 1 {
        a.at.coincides(a.size, b.at, b.size)
    } else {
        p.coefficient.unsigned_abs() >= a.size.max(b.size)
    };
    tied && equal
}
