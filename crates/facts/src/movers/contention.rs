//! Which edges may depend on what other threads are about to do (see [`crate::blocks::Circumstances::is_contended`]).
//!
//! What edges do to one object is in one conflict class: accesses to its bytes, operations on the locks of one kind in it, joins of
//! a thread, uses of keys. Two of a class are dependent if one of them is exclusive, both may concern the same, and
//! both threads may be there at once.

use std::sync::Arc;

use base::Idx;
use program::{
    Allocation, BarrierOp, ConditionOp, Edge, EdgeId, ExprId, Library, MutexOp, Op, Program, RwLockOp, SemaphoreOp,
    ThreadOp,
};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::LockKind;

use super::EdgeKey;
use super::evaluation::Addresses;
use crate::analysis::Facts;
use crate::eval::Eval;
use crate::locks::Kind;
use crate::offsets::Offsets;
use crate::race::{AbstractAccess, MOST_CLASSES, classes};
use crate::state::ThreadState;
use crate::tables::{AbstractObject, AbstractThread, Base, CallString, Phase, Role};
use crate::transfer::AT_END;
use crate::value::Term;

pub fn edges(facts: &Facts, program: &Program, addresses: Addresses) -> FxHashSet<EdgeKey> {
    let mut docket = Contention::new(facts, program, addresses);
    for node in 0..facts.solution.states.len() as u32 {
        docket.add_node(node);
    }
    docket.decide()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum ConflictClass {
    Bytes(Base),
    Locks(LockKind, Base),
    Thread(Base),
    /// Whoever asks for a key needs it to be there.
    Keys,
    /// At its end a thread looks at all keys.
    ThreadEnds,
}

struct Contention<'f> {
    facts: &'f Facts,
    program: &'f Program,
    addresses: Addresses,
    classes: FxHashMap<ConflictClass, Vec<AbstractAccess>>,
    /// An end concerns the bytes of an object and the locks in it.
    ends: FxHashMap<Base, Vec<AbstractAccess>>,
    frames: Frames,
    contended: FxHashSet<EdgeKey>,
}

/// Objects that others may reach and that end with a frame or thread.
struct Frames {
    by_call_string: Vec<Vec<Mortal>>,
    by_abstract_thread: Vec<Vec<Mortal>>,
}

#[derive(Clone, Copy)]
struct Mortal {
    abstract_object: AbstractObject,
    own: Base,
    shared: Base,
    /// States do not tell whether the thread's own has been shared.
    unknown: bool,
}

/// An edge in one of its states.
struct Here<'f> {
    node: u32,
    call_string: CallString,
    edge: EdgeId,
    state: &'f Arc<ThreadState>,
    abstract_thread: AbstractThread,
}

impl<'f> Contention<'f> {
    fn new(facts: &'f Facts, program: &'f Program, addresses: Addresses) -> Self {
        Contention {
            facts,
            program,
            addresses,
            classes: FxHashMap::default(),
            ends: FxHashMap::default(),
            frames: Frames::of(facts, program),
            contended: FxHashSet::default(),
        }
    }

    fn add_node(&mut self, node: u32) {
        let (facts, place) = (self.facts, self.facts.tables.nodes[node as usize]);
        let info = &facts.tables.call_strings[place.call_string];
        let function = &self.program.functions[info.function];
        for state in &facts.solution.states[node as usize] {
            let alone =
                state.phase == Phase::Before || info.abstract_thread == AbstractThread(0) && state.alive.is_empty();
            if alone {
                continue;
            }
            for access in facts.accesses_in(self.program, node, state) {
                self.add_access(access, &function.edges);
            }
            for (edge, e) in function.edges_from(place.location) {
                let here =
                    Here { node, call_string: place.call_string, edge, state, abstract_thread: info.abstract_thread };
                self.add_edge(&here, e);
            }
        }
    }

    fn place(&self, node: u32, edge: EdgeId) -> EdgeKey {
        let call_string = self.facts.tables.nodes[node as usize].call_string;
        (self.facts.tables.call_strings[call_string].function, edge)
    }

    fn add_access(&mut self, access: AbstractAccess, edges: &base::IndexVec<EdgeId, Edge>) {
        if self.facts.is_local(&access) {
            return;
        }
        match &edges[access.edge].op {
            Op::Free(_) | Op::Allocate(_) => self.ends.entry(access.base).or_default().push(access),
            _ => self.classes.entry(ConflictClass::Bytes(access.base)).or_default().push(access),
        }
    }

    fn add_edge(&mut self, here: &Here<'f>, edge: &Edge) {
        let makes = matches!(edge.op, Op::Enter(_) | Op::Leave(_) | Op::Return | Op::Allocate(_) | Op::Free(_))
            || matches!(&edge.op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. } | ThreadOp::Exit { .. }));
        if self.addresses == Addresses::Guessed || self.addresses == Addresses::Seen && makes {
            self.contended.insert(self.place(here.node, here.edge));
        }
        match &edge.op {
            Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => self.end_local(here, *local),
            Op::Allocate(allocate) => {
                if let Allocation::Variable(local) = allocate.kind {
                    self.end_local(here, local);
                }
            }
            Op::Return => self.end_frame(here),
            Op::Library(call) => {
                // The values in a list are not followed.
                if let Library::PrintList | Library::PrintListTo | Library::FormatList = call.function {
                    self.contended.insert(self.place(here.node, here.edge));
                }
            }
            Op::Thread(op) => self.add_thread_op(here, op),
            _ => {}
        }
    }

    fn add_thread_op(&mut self, here: &Here<'f>, op: &ThreadOp) {
        use Manner::{Exclusive, Usual};
        match op {
            ThreadOp::Join { thread, .. } | ThreadOp::Detach { thread, .. } => {
                for base in self.threads_at(here, *thread) {
                    self.add(here, ConflictClass::Thread(base), base, Offsets::ZERO, Exclusive, None);
                }
            }
            ThreadOp::Exit { .. } => self.end_thread(here),
            ThreadOp::KeyCreate { .. } => self.add_key(here, ConflictClass::Keys, Exclusive),
            ThreadOp::KeyDelete { .. } => {
                self.add_key(here, ConflictClass::Keys, Exclusive);
                self.add_key(here, ConflictClass::ThreadEnds, Exclusive);
            }
            ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } => self.add_key(here, ConflictClass::Keys, Usual),
            ThreadOp::Mutex { op, mutex, .. } => {
                let manner = match op {
                    MutexOp::Lock | MutexOp::Unlock => Usual,
                    MutexOp::Init { .. } | MutexOp::Destroy | MutexOp::TryLock | MutexOp::TimedLock => Exclusive,
                };
                self.add_lock(here, LockKind::Mutex, *mutex, manner);
            }
            ThreadOp::RwLock { op, lock, .. } => {
                let manner = match op {
                    RwLockOp::ReadLock | RwLockOp::WriteLock | RwLockOp::Unlock => Usual,
                    _ => Exclusive,
                };
                self.add_lock(here, LockKind::RwLock, *lock, manner);
            }
            ThreadOp::Condition { op, condition, .. } => {
                if let ConditionOp::Sleep { mutex } = op {
                    self.add_lock(here, LockKind::Mutex, *mutex, Usual);
                }
                // How they get on with each other is no matter of contention, but others may end the object.
                self.add_lock(here, LockKind::Condition, *condition, Usual);
            }
            ThreadOp::Barrier { op, barrier, .. } => match op {
                BarrierOp::Init { .. } | BarrierOp::Destroy => {
                    self.add_lock(here, LockKind::Barrier, *barrier, Exclusive)
                }
                BarrierOp::Arrive | BarrierOp::Pass => self.add_lock(here, LockKind::Barrier, *barrier, Usual),
            },
            ThreadOp::Semaphore { op, semaphore, .. } => {
                let manner = match op {
                    SemaphoreOp::Wait | SemaphoreOp::Post => Usual,
                    _ => Exclusive,
                };
                self.add_lock(here, LockKind::Semaphore, *semaphore, manner);
            }
            ThreadOp::OnceBegin { control, .. } | ThreadOp::OnceEnd { control } => {
                self.add_lock(here, LockKind::Once, *control, Usual);
            }
            // What is stored to the handle is an access.
            ThreadOp::Create { .. } => {}
            ThreadOp::Current { .. } | ThreadOp::CleanupPush { .. } | ThreadOp::CleanupPop { .. } => {}
        }
    }

    fn threads_at(&self, here: &Here<'f>, handle: ExprId) -> Vec<Base> {
        let handle = Eval::new(self.program, &self.facts.tables, here.call_string, here.state).value(handle);
        let is_thread = |base: &Base| matches!(self.facts.tables.abstract_object(*base), AbstractObject::Thread(_));
        let handle = handle.map(|handle| self.facts.solution.reach(&self.facts.tables, here.state, &handle));
        handle.iter().flat_map(|handle| handle.pointers.iter().map(|(base, _)| *base)).filter(is_thread).collect()
    }

    fn add_key(&mut self, here: &Here<'f>, class: ConflictClass, manner: Manner) {
        let anything = self.facts.tables.function(self.program.entry);
        self.add(here, class, anything, Offsets::ZERO, manner, None);
    }

    fn add_lock(&mut self, here: &Here<'f>, kind: LockKind, address: ExprId, manner: Manner) {
        let tables = &self.facts.tables;
        let Some(address) = Eval::new(self.program, tables, here.call_string, here.state).value(address) else {
            return;
        };
        let address = self.facts.solution.reach(tables, here.state, &address);
        let is_foreign = |(base, at): &(Base, Offsets)| {
            let opened = self.facts.solution.broken.get(&(Kind::Mutex, tables.as_role(*base, Role::Shared)));
            kind == LockKind::Mutex && opened.is_some_and(|places| places.overlaps(1, *at, 1))
        };
        let shared = |(base, _): &&(Base, Offsets)| {
            !matches!(tables.abstract_object(*base).role(), Some(Role::Own | Role::Older))
        };
        if address.may_be_number() || address.pointers.iter().filter(shared).any(is_foreign) {
            self.contended.insert(self.place(here.node, here.edge));
        }
        for (base, at) in address.pointers.iter().filter(shared) {
            self.add(here, ConflictClass::Locks(kind, *base), *base, *at, manner, address.term);
        }
    }

    fn add(
        &mut self,
        here: &Here<'f>,
        class: ConflictClass,
        base: Base,
        at: Offsets,
        manner: Manner,
        term: Option<Term>,
    ) {
        let access = here.access(base, at, manner, term);
        self.classes.entry(class).or_default().push(access);
    }

    // Ends of objects.

    fn end_local(&mut self, here: &Here<'f>, local: program::LocalId) {
        let mortals = &self.frames.by_call_string[here.call_string.index()];
        let is_it =
            |mortal: &&Mortal| matches!(mortal.abstract_object, AbstractObject::Local(_, other, _) if other == local);
        let ended: Vec<_> =
            mortals.iter().filter(is_it).filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    fn end_frame(&mut self, here: &Here<'f>) {
        let callers = &self.facts.solution.callers[here.call_string.index()];
        let starts = self.facts.tables.call_strings[here.call_string].caller.is_none();
        if starts || callers.iter().any(|(_, edge)| *edge == AT_END) {
            return self.end_thread(here);
        }
        let mortals = &self.frames.by_call_string[here.call_string.index()];
        let ended: Vec<_> = mortals.iter().filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    /// Whatever is left of its frames, and its own copies of globals.
    fn end_thread(&mut self, here: &Here<'f>) {
        self.add_key(here, ConflictClass::ThreadEnds, Manner::Usual);
        let mortals = &self.frames.by_abstract_thread[here.abstract_thread.index()];
        let ended: Vec<_> = mortals.iter().filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    fn end_all(&mut self, here: &Here<'f>, ended: &[Mortal]) {
        for mortal in ended {
            let access = here.access(mortal.shared, Offsets::ALL, Manner::Exclusive, None);
            self.ends.entry(mortal.shared).or_default().push(access);
        }
    }

    // Judgement.

    fn decide(mut self) -> FxHashSet<EdgeKey> {
        let classes = std::mem::take(&mut self.classes);
        for (base, ends) in std::mem::take(&mut self.ends) {
            if !classes.contains_key(&ConflictClass::Bytes(base)) {
                self.judge(&ends);
            }
            self.ends.insert(base, ends);
        }
        for (class, mut accesses) in classes {
            if let ConflictClass::Bytes(base) | ConflictClass::Locks(_, base) = class {
                accesses.extend(self.ends.get(&base).into_iter().flatten().cloned());
            }
            self.judge(&accesses);
        }
        self.contended
    }

    fn judge(&mut self, accesses: &[AbstractAccess]) {
        let first = accesses[0].abstract_thread;
        let apart = accesses.iter().all(|access| !access.write)
            || accesses.iter().all(|access| access.abstract_thread == first) && !self.facts.is_many(first)
            || !self.facts.protecting_lockset(accesses).is_empty();
        if apart {
            return;
        }
        let classes = classes(accesses);
        let mut guilty = vec![classes.len() > MOST_CLASSES; classes.len()];
        for i in 0..classes.len() {
            for j in i..classes.len() {
                if !(guilty[i] && guilty[j]) && self.are_at_odds(classes[i].0, classes[j].0) {
                    (guilty[i], guilty[j]) = (true, true);
                }
            }
        }
        for ((_, members), _) in classes.iter().zip(guilty).filter(|(_, guilty)| *guilty) {
            for access in members {
                let place = self.place(access.node, access.edge);
                self.contended.insert(place);
            }
        }
    }

    /// Atomic sections, and atomic accesses, keep no thread out.
    fn are_at_odds(&self, a: &AbstractAccess, b: &AbstractAccess) -> bool {
        let facts = self.facts;
        (a.write || b.write)
            && a.at.overlaps(a.size, b.at, b.size)
            && facts.may_be_parallel(a, b)
            && !facts.are_disjoint(a, b)
            && !facts.hold_same_lock(self.program, a, b)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Manner {
    /// As others may, too.
    Usual,
    /// Exclusively: no other thread should at the same time.
    Exclusive,
}

impl Here<'_> {
    fn access(&self, base: Base, at: Offsets, manner: Manner, term: Option<Term>) -> AbstractAccess {
        AbstractAccess {
            node: self.node,
            edge: self.edge,
            base,
            at,
            size: 1,
            write: manner == Manner::Exclusive,
            atomic: false,
            abstract_thread: self.abstract_thread,
            term,
            state: self.state.clone(),
        }
    }
}

impl Frames {
    fn of(facts: &Facts, program: &Program) -> Frames {
        let tables = &facts.tables;
        let mut frames = Frames {
            by_call_string: vec![Vec::new(); tables.call_strings.len()],
            by_abstract_thread: vec![Vec::new(); tables.abstract_threads.len()],
        };
        for shared in facts.solution.shared.keys().copied() {
            let abstract_object = tables.abstract_object(shared);
            let own = tables.as_role(shared, Role::Own);
            match abstract_object {
                AbstractObject::Local(call_string, ..) => {
                    let unknown = tables.call_strings[call_string].recursive;
                    frames.add(facts, call_string, Mortal { abstract_object, own, shared, unknown });
                }
                AbstractObject::Block(call_string, edge, _) => {
                    let function = &program.functions[tables.call_strings[call_string].function];
                    if matches!(&function.edges[edge].op, Op::Allocate(a) if a.kind == Allocation::Frame) {
                        frames.add(facts, call_string, Mortal { abstract_object, own, shared, unknown: true });
                    }
                }
                AbstractObject::ThreadLocal(abstract_thread, ..) => {
                    frames.by_abstract_thread[abstract_thread.index()].push(Mortal {
                        abstract_object,
                        own,
                        shared,
                        unknown: false,
                    });
                }
                _ => {}
            }
        }
        frames
    }

    fn add(&mut self, facts: &Facts, call_string: CallString, mortal: Mortal) {
        self.by_call_string[call_string.index()].push(mortal);
        self.by_abstract_thread[facts.tables.call_strings[call_string].abstract_thread.index()].push(mortal);
    }
}

impl Mortal {
    fn is_shared(&self, state: &ThreadState) -> bool {
        self.unknown || state.shared_locals.get(self.own.0).is_some()
    }
}
