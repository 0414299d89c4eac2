//! Which edges may be at odds with what other threads are about to do (see [`crate::blocks::Circumstances::is_contended`]).
//!
//! What edges do to one thing comes before one court: accesses to the bytes of an object, operations on the locks of one kind in
//! it, joins of a thread, uses of keys. Two of a court are at odds if one of them is exclusive, both may concern the same, and
//! both threads may be there at once.

use std::rc::Rc;

use base::Idx;
use program::{
    Allocation, BarrierOp, ConditionOp, Edge, EdgeId, ExprId, Library, MutexOp, Op, Program, RwLockOp, SemaphoreOp,
    ThreadOp,
};
use rustc_hash::{FxHashMap, FxHashSet};
use semantics::LockKind;

use super::Place;
use super::watch::Addresses;
use crate::analysis::Facts;
use crate::eval::Eval;
use crate::locks::Kind;
use crate::offsets::Offsets;
use crate::race::{Contact, MOST_CLASSES, classes};
use crate::state::State;
use crate::tables::{Base, Crew, Instance, Phase, Role, Thing};
use crate::transfer::AT_END;
use crate::value::Term;

pub fn edges(facts: &Facts, program: &Program, addresses: Addresses) -> FxHashSet<Place> {
    let mut docket = Docket::new(facts, program, addresses);
    for node in 0..facts.solution.states.len() as u32 {
        docket.add_node(node);
    }
    docket.decide()
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Court {
    Bytes(Base),
    Locks(LockKind, Base),
    Thread(Base),
    /// Whoever asks for a key needs it to be there.
    Keys,
    /// At its end a thread looks at all keys.
    ThreadEnds,
}

struct Docket<'f> {
    facts: &'f Facts,
    program: &'f Program,
    addresses: Addresses,
    courts: FxHashMap<Court, Vec<Contact>>,
    /// An end concerns the bytes of an object and the locks in it.
    ends: FxHashMap<Base, Vec<Contact>>,
    frames: Frames,
    contended: FxHashSet<Place>,
}

/// Objects that others may reach and that end with a frame or thread.
struct Frames {
    by_instance: Vec<Vec<Mortal>>,
    by_crew: Vec<Vec<Mortal>>,
}

#[derive(Clone, Copy)]
struct Mortal {
    thing: Thing,
    own: Base,
    shared: Base,
    /// States do not tell whether the thread's own has been shared.
    unknown: bool,
}

/// An edge in one of its states.
struct Here<'f> {
    node: u32,
    instance: Instance,
    edge: EdgeId,
    state: &'f Rc<State>,
    crew: Crew,
}

impl<'f> Docket<'f> {
    fn new(facts: &'f Facts, program: &'f Program, addresses: Addresses) -> Self {
        Docket {
            facts,
            program,
            addresses,
            courts: FxHashMap::default(),
            ends: FxHashMap::default(),
            frames: Frames::of(facts, program),
            contended: FxHashSet::default(),
        }
    }

    fn add_node(&mut self, node: u32) {
        let (facts, place) = (self.facts, self.facts.tables.nodes[node as usize]);
        let info = &facts.tables.instances[place.instance];
        let function = &self.program.functions[info.function];
        for state in &facts.solution.states[node as usize] {
            let alone = state.phase == Phase::Before || info.crew == Crew(0) && state.alive.is_empty();
            if alone {
                continue;
            }
            for contact in facts.contacts_in(self.program, node, state) {
                self.add_contact(contact, &function.edges);
            }
            for (edge, e) in function.edges_from(place.location) {
                let here = Here { node, instance: place.instance, edge, state, crew: info.crew };
                self.add_edge(&here, e);
            }
        }
    }

    fn place(&self, node: u32, edge: EdgeId) -> Place {
        let instance = self.facts.tables.nodes[node as usize].instance;
        (self.facts.tables.instances[instance].function, edge)
    }

    fn add_contact(&mut self, contact: Contact, edges: &base::IndexVec<EdgeId, Edge>) {
        if self.facts.is_local(&contact) {
            return;
        }
        match &edges[contact.edge].op {
            Op::Free(_) | Op::Allocate(_) => self.ends.entry(contact.base).or_default().push(contact),
            _ => self.courts.entry(Court::Bytes(contact.base)).or_default().push(contact),
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
                    self.add(here, Court::Thread(base), base, Offsets::ZERO, Exclusive, None);
                }
            }
            ThreadOp::Exit { .. } => self.end_thread(here),
            ThreadOp::KeyCreate { .. } => self.add_key(here, Court::Keys, Exclusive),
            ThreadOp::KeyDelete { .. } => {
                self.add_key(here, Court::Keys, Exclusive);
                self.add_key(here, Court::ThreadEnds, Exclusive);
            }
            ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } => self.add_key(here, Court::Keys, Usual),
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
        let handle = Eval::new(self.program, &self.facts.tables, here.instance, here.state).value(handle);
        let is_thread = |base: &Base| matches!(self.facts.tables.thing(*base), Thing::Thread(_));
        let handle = handle.map(|handle| self.facts.solution.reach(&self.facts.tables, here.state, &handle));
        handle.iter().flat_map(|handle| handle.pointers.iter().map(|(base, _)| *base)).filter(is_thread).collect()
    }

    fn add_key(&mut self, here: &Here<'f>, court: Court, manner: Manner) {
        let anything = self.facts.tables.function(self.program.entry);
        self.add(here, court, anything, Offsets::ZERO, manner, None);
    }

    fn add_lock(&mut self, here: &Here<'f>, kind: LockKind, address: ExprId, manner: Manner) {
        let tables = &self.facts.tables;
        let Some(address) = Eval::new(self.program, tables, here.instance, here.state).value(address) else { return };
        let address = self.facts.solution.reach(tables, here.state, &address);
        let is_foreign = |(base, at): &(Base, Offsets)| {
            let opened = self.facts.solution.broken.get(&(Kind::Mutex, tables.as_role(*base, Role::Shared)));
            kind == LockKind::Mutex && opened.is_some_and(|places| places.overlaps(1, *at, 1))
        };
        let shared =
            |(base, _): &&(Base, Offsets)| !matches!(tables.thing(*base).role(), Some(Role::Own | Role::Older));
        if address.may_be_number() || address.pointers.iter().filter(shared).any(is_foreign) {
            self.contended.insert(self.place(here.node, here.edge));
        }
        for (base, at) in address.pointers.iter().filter(shared) {
            self.add(here, Court::Locks(kind, *base), *base, *at, manner, address.term);
        }
    }

    fn add(&mut self, here: &Here<'f>, court: Court, base: Base, at: Offsets, manner: Manner, term: Option<Term>) {
        let contact = here.contact(base, at, manner, term);
        self.courts.entry(court).or_default().push(contact);
    }

    // Ends of objects.

    fn end_local(&mut self, here: &Here<'f>, local: program::LocalId) {
        let mortals = &self.frames.by_instance[here.instance.index()];
        let is_it = |mortal: &&Mortal| matches!(mortal.thing, Thing::Local(_, other, _) if other == local);
        let ended: Vec<_> =
            mortals.iter().filter(is_it).filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    fn end_frame(&mut self, here: &Here<'f>) {
        let callers = &self.facts.solution.callers[here.instance.index()];
        let starts = self.facts.tables.instances[here.instance].caller.is_none();
        if starts || callers.iter().any(|(_, edge)| *edge == AT_END) {
            return self.end_thread(here);
        }
        let mortals = &self.frames.by_instance[here.instance.index()];
        let ended: Vec<_> = mortals.iter().filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    /// Whatever is left of its frames, and its own copies of globals.
    fn end_thread(&mut self, here: &Here<'f>) {
        self.add_key(here, Court::ThreadEnds, Manner::Usual);
        let mortals = &self.frames.by_crew[here.crew.index()];
        let ended: Vec<_> = mortals.iter().filter(|mortal| mortal.is_shared(here.state)).copied().collect();
        self.end_all(here, &ended);
    }

    fn end_all(&mut self, here: &Here<'f>, ended: &[Mortal]) {
        for mortal in ended {
            let contact = here.contact(mortal.shared, Offsets::ALL, Manner::Exclusive, None);
            self.ends.entry(mortal.shared).or_default().push(contact);
        }
    }

    // Judgement.

    fn decide(mut self) -> FxHashSet<Place> {
        let courts = std::mem::take(&mut self.courts);
        for (base, ends) in std::mem::take(&mut self.ends) {
            if !courts.contains_key(&Court::Bytes(base)) {
                self.judge(&ends);
            }
            self.ends.insert(base, ends);
        }
        for (court, mut contacts) in courts {
            if let Court::Bytes(base) | Court::Locks(_, base) = court {
                contacts.extend(self.ends.get(&base).into_iter().flatten().cloned());
            }
            self.judge(&contacts);
        }
        self.contended
    }

    fn judge(&mut self, contacts: &[Contact]) {
        let first = contacts[0].crew;
        let apart = contacts.iter().all(|contact| !contact.write)
            || contacts.iter().all(|contact| contact.crew == first) && !self.facts.is_many(first)
            || self.facts.share_a_lock(contacts);
        if apart {
            return;
        }
        let classes = classes(contacts);
        let mut guilty = vec![classes.len() > MOST_CLASSES; classes.len()];
        for i in 0..classes.len() {
            for j in i..classes.len() {
                if !(guilty[i] && guilty[j]) && self.are_at_odds(classes[i].0, classes[j].0) {
                    (guilty[i], guilty[j]) = (true, true);
                }
            }
        }
        for ((_, members), _) in classes.iter().zip(guilty).filter(|(_, guilty)| *guilty) {
            for contact in members {
                let place = self.place(contact.node, contact.edge);
                self.contended.insert(place);
            }
        }
    }

    /// Atomic sections, and atomic accesses, keep nobody out.
    fn are_at_odds(&self, a: &Contact, b: &Contact) -> bool {
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
    /// As nobody else should at the same time.
    Exclusive,
}

impl Here<'_> {
    fn contact(&self, base: Base, at: Offsets, manner: Manner, term: Option<Term>) -> Contact {
        Contact {
            node: self.node,
            edge: self.edge,
            base,
            at,
            size: 1,
            write: manner == Manner::Exclusive,
            atomic: false,
            crew: self.crew,
            term,
            state: self.state.clone(),
        }
    }
}

impl Frames {
    fn of(facts: &Facts, program: &Program) -> Frames {
        let tables = &facts.tables;
        let mut frames = Frames {
            by_instance: vec![Vec::new(); tables.instances.len()],
            by_crew: vec![Vec::new(); tables.crews.len()],
        };
        for shared in facts.solution.shared.keys().copied() {
            let thing = tables.thing(shared);
            let own = tables.as_role(shared, Role::Own);
            match thing {
                Thing::Local(instance, ..) => {
                    let unknown = tables.instances[instance].recursive;
                    frames.add(facts, instance, Mortal { thing, own, shared, unknown });
                }
                Thing::Block(instance, edge, _) => {
                    let function = &program.functions[tables.instances[instance].function];
                    if matches!(&function.edges[edge].op, Op::Allocate(a) if a.kind == Allocation::Frame) {
                        frames.add(facts, instance, Mortal { thing, own, shared, unknown: true });
                    }
                }
                Thing::ThreadLocal(crew, ..) => {
                    frames.by_crew[crew.index()].push(Mortal { thing, own, shared, unknown: false });
                }
                _ => {}
            }
        }
        frames
    }

    fn add(&mut self, facts: &Facts, instance: Instance, mortal: Mortal) {
        self.by_instance[instance.index()].push(mortal);
        self.by_crew[facts.tables.instances[instance].crew.index()].push(mortal);
    }
}

impl Mortal {
    fn is_shared(&self, state: &State) -> bool {
        self.unknown || state.shared_locals.get(self.own.0).is_some()
    }
}
