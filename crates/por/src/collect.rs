//! Collects the atoms of a program's edges from the facts.
//!
//! An edge has atoms only as it is when others may be there at all, and for memory only if the facts do not exclude that another
//! thread is about to do something at odds with it: if they do, nobody's next step can be at odds with it when it is made.

use base::Idx;
use facts::blocks::Circumstances;
use facts::eval::Eval;
use facts::locks::Kind;
use facts::offsets::Offsets;
use facts::state::State;
use facts::tables::{Base, Crew, Instance, Phase, Role, Thing};
use facts::{AT_END, Contact, Facts, Movers};
use program::{Allocation, Call, Callee, ExprId, FunctionId, LocalId, Op, Program, ThreadOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::atoms::{Atom, Atoms, Bytes, Place};
use crate::depend::sync_ops;
use crate::{Site, SyncOp};

pub fn atoms(program: &Program, facts: &Facts, movers: &Movers) -> Atoms {
    let mut collector = Collector { program, facts, movers, mortals: Mortals::of(program, facts), atoms: Atoms::new() };
    for node in 0..facts.solution.states.len() as u32 {
        collector.add_node(node);
    }
    collector.atoms
}

struct Collector<'f> {
    program: &'f Program,
    facts: &'f Facts,
    movers: &'f Movers,
    mortals: Mortals,
    atoms: Atoms,
}

/// Objects that others may reach and that end with a frame, or with a thread.
struct Mortals {
    by_instance: Vec<Vec<Site>>,
    by_crew: Vec<Vec<Site>>,
    shared: FxHashSet<Site>,
}

/// An edge in one of its states.
#[derive(Clone, Copy)]
struct Here<'f> {
    place: Place,
    instance: Instance,
    state: &'f State,
}

impl<'f> Collector<'f> {
    fn add_node(&mut self, node: u32) {
        let (facts, at) = (self.facts, self.facts.tables.nodes[node as usize]);
        let info = &facts.tables.instances[at.instance];
        let function = &self.program.functions[info.function];
        let states = &facts.solution.states[node as usize];
        if states.iter().any(|state| !is_alone(info.crew, state)) {
            for contact in facts.contacts(self.program, node) {
                self.add_contact((info.function, contact.edge), &contact);
            }
        }
        for state in states.iter().filter(|state| !is_alone(info.crew, state)) {
            for (edge, e) in function.edges_from(at.location) {
                self.add_edge(Here { place: (info.function, edge), instance: at.instance, state }, &e.op);
            }
        }
    }

    fn is_contended(&self, (function, edge): Place) -> bool {
        self.movers.is_contended(function, edge)
    }

    fn add_contact(&mut self, place: Place, contact: &Contact) {
        if !self.is_contended(place) || self.is_own(contact.base) || is_alone(contact.crew, &contact.state) {
            return;
        }
        for site in sites(self.program, self.facts, self.facts.tables.thing(contact.base)) {
            let Contact { at, size, write, .. } = *contact;
            self.atoms.add(place, Atom::Bytes(Bytes { site, at, size, write }));
        }
    }

    fn is_own(&self, base: Base) -> bool {
        matches!(self.facts.tables.thing(base).role(), Some(Role::Own | Role::Older))
    }

    fn add_edge(&mut self, here: Here<'f>, op: &Op) {
        match op {
            Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => self.end_local(here, *local),
            Op::Allocate(allocate) => {
                if let Allocation::Variable(local) = allocate.kind {
                    self.end_local(here, local);
                }
            }
            Op::Return => self.end_frame(here),
            Op::Thread(op) => self.add_thread_op(here, op),
            Op::Call(call) if is_indirect(call) && self.movers.callees(here.place.0, here.place.1).is_empty() => {
                self.atoms.add(here.place, Atom::Anything);
            }
            Op::Unsupported(_) => self.atoms.add(here.place, Atom::Anything),
            _ => {}
        }
    }

    fn add_thread_op(&mut self, here: Here<'f>, op: &ThreadOp) {
        if let ThreadOp::Exit { .. } = op {
            return self.end_thread(here);
        }
        for (sync, lock) in sync_ops(op) {
            match lock.filter(|_| sync != SyncOp::Thread) {
                Some(lock) => self.add_sync(here, sync, lock),
                None => self.atoms.add(here.place, Atom::Sync(None, sync)),
            }
        }
    }

    fn add_sync(&mut self, here: Here<'f>, op: SyncOp, lock: ExprId) {
        let tables = &self.facts.tables;
        let Some(lock) = Eval::new(self.program, tables, here.instance, here.state).value(lock) else { return };
        let lock = self.facts.solution.reach(tables, here.state, &lock);
        let opened_by_others = |base: Base, at: Offsets| {
            let opened = self.facts.solution.broken.get(&(Kind::Mutex, tables.as_role(base, Role::Shared)));
            op == SyncOp::Unlock && opened.is_some_and(|places| places.overlaps(1, at, 1))
        };
        let mut found: SmallVec<[Atom; 2]> = SmallVec::new();
        for (base, at) in lock.pointers.iter().filter(|(base, _)| !self.is_own(*base)) {
            let op = if opened_by_others(*base, *at) { SyncOp::OtherMutex } else { op };
            let sites = sites(self.program, self.facts, tables.thing(*base));
            found.extend(sites.iter().map(|site| Atom::Sync(Some((*site, *at)), op)));
        }
        if lock.may_be_number() {
            let op = if op == SyncOp::Unlock { SyncOp::OtherMutex } else { op };
            found.push(Atom::Sync(None, op));
        }
        found.into_iter().for_each(|atom| self.atoms.add(here.place, atom));
    }

    // Ends of objects.

    fn end_local(&mut self, here: Here<'f>, local: LocalId) {
        let sites = sites_of_local(self.program, here.place.0, local);
        self.end_all(here, &sites);
    }

    fn end_frame(&mut self, here: Here<'f>) {
        let callers = &self.facts.solution.callers[here.instance.index()];
        let starts = self.facts.tables.instances[here.instance].caller.is_none();
        if starts || callers.iter().any(|(_, edge)| *edge == AT_END) {
            return self.end_thread(here);
        }
        let ended = self.mortals.by_instance[here.instance.index()].clone();
        self.end_all(here, &ended);
    }

    /// Whatever is left of its frames, and its own copies of globals.
    fn end_thread(&mut self, here: Here<'f>) {
        let crew = self.facts.tables.instances[here.instance].crew;
        let ended = self.mortals.by_crew[crew.index()].clone();
        self.end_all(here, &ended);
        if self.is_contended(here.place) {
            self.atoms.add(here.place, Atom::Sync(None, SyncOp::KeyUse));
        }
    }

    fn end_all(&mut self, here: Here<'f>, ended: &[Site]) {
        if !self.is_contended(here.place) {
            return;
        }
        for site in ended.iter().filter(|site| self.mortals.shared.contains(site)) {
            let whole = Bytes { site: *site, at: Offsets::ALL, size: 1, write: true };
            self.atoms.add(here.place, Atom::Bytes(whole));
        }
    }
}

fn is_indirect(call: &Call) -> bool {
    matches!(call.callee, Callee::Indirect(_))
}

/// Is nobody else there?
fn is_alone(crew: Crew, state: &State) -> bool {
    state.phase == Phase::Before || crew == Crew(0) && state.alive.is_empty()
}

/// Where objects of a name are made.
pub fn sites(program: &Program, facts: &Facts, thing: Thing) -> SmallVec<[Site; 1]> {
    let function = |instance: Instance| facts.tables.instances[instance].function;
    let site = match thing {
        Thing::Global(global) => Site::Global(global),
        Thing::ThreadLocal(_, global, _) => Site::ThreadLocal(global),
        Thing::Local(instance, local, _) => return sites_of_local(program, function(instance), local),
        Thing::Block(instance, edge, _) => Site::Block(function(instance), edge),
        Thing::CommandLine(_) | Thing::CommandText(_) => Site::CommandLine,
        Thing::Indeterminate => {
            return [true, false].into_iter().map(|promised| Site::Indeterminate { promised }).collect();
        }
        Thing::Function(_) | Thing::Thread(_) | Thing::Keys(_) | Thing::Handlers(_) => return SmallVec::new(),
    };
    SmallVec::from_elem(site, 1)
}

/// An array of variable length is what its declaration allocates.
fn sites_of_local(program: &Program, function: FunctionId, local: LocalId) -> SmallVec<[Site; 1]> {
    let allocates = |op: &Op| matches!(op, Op::Allocate(allocate) if allocate.kind == Allocation::Variable(local));
    let edges = program.functions[function].edges.iter_enumerated().filter(|(_, edge)| allocates(&edge.op));
    let blocks: SmallVec<[Site; 1]> = edges.map(|(edge, _)| Site::Block(function, edge)).collect();
    if blocks.is_empty() { SmallVec::from_elem(Site::Local(function, local), 1) } else { blocks }
}

impl Mortals {
    fn of(program: &Program, facts: &Facts) -> Mortals {
        let tables = &facts.tables;
        let mut by_instance = vec![Vec::new(); tables.instances.len()];
        let mut by_crew = vec![Vec::new(); tables.crews.len()];
        let mut shared = FxHashSet::default();
        for base in facts.solution.shared.keys() {
            let thing = tables.thing(*base);
            let sites = sites(program, facts, thing);
            shared.extend(sites.iter().copied());
            match thing {
                Thing::Local(instance, ..) | Thing::Block(instance, ..) if ends_with_frame(program, facts, thing) => {
                    by_instance[instance.index()].extend(sites.iter().copied());
                    by_crew[tables.instances[instance].crew.index()].extend(sites);
                }
                Thing::ThreadLocal(crew, ..) => by_crew[crew.index()].extend(sites),
                _ => {}
            }
        }
        Mortals { by_instance, by_crew, shared }
    }
}

fn ends_with_frame(program: &Program, facts: &Facts, thing: Thing) -> bool {
    match thing {
        Thing::Local(..) => true,
        Thing::Block(instance, edge, _) => {
            let function = &program.functions[facts.tables.instances[instance].function];
            matches!(&function.edges[edge].op, Op::Allocate(allocate) if allocate.kind == Allocation::Frame)
        }
        _ => false,
    }
}
