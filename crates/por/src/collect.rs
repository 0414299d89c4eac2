//! Collects the effects of a program's edges from the facts.
//!
//! An edge has effects only as it is when others may be there at all, and for memory only if the facts do not exclude that another
//! thread is about to do something dependent on it: if they do, no thread's next step can depend on it when it is made.

use base::Idx;
use facts::blocks::Circumstances;
use facts::eval::Eval;
use facts::locks::Kind;
use facts::offsets::Offsets;
use facts::state::ThreadState;
use facts::tables::{AbstractObject, AbstractThread, Base, CallString, Phase, Role};
use facts::{AT_END, AbstractAccess, Facts, Movers};
use program::{Allocation, Call, Callee, ExprId, FunctionId, LocalId, Op, Program, ThreadOp};
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use crate::depend::sync_ops;
use crate::effects::{Bytes, EdgeKey, Effect, Effects};
use crate::{Site, SyncOp};

pub fn effects(program: &Program, facts: &Facts, movers: &Movers) -> Effects {
    let mut collector =
        Collector { program, facts, movers, mortals: Mortals::of(program, facts), effects: Effects::new() };
    for node in 0..facts.solution.states.len() as u32 {
        collector.add_node(node);
    }
    collector.effects
}

struct Collector<'f> {
    program: &'f Program,
    facts: &'f Facts,
    movers: &'f Movers,
    mortals: Mortals,
    effects: Effects,
}

/// Objects that others may reach and that end with a frame, or with a thread.
struct Mortals {
    by_call_string: Vec<Vec<Site>>,
    by_abstract_thread: Vec<Vec<Site>>,
    shared: FxHashSet<Site>,
}

/// An edge in one of its states.
#[derive(Clone, Copy)]
struct Here<'f> {
    place: EdgeKey,
    call_string: CallString,
    state: &'f ThreadState,
}

impl<'f> Collector<'f> {
    fn add_node(&mut self, node: u32) {
        let (facts, at) = (self.facts, self.facts.tables.nodes[node as usize]);
        let info = &facts.tables.call_strings[at.call_string];
        let function = &self.program.functions[info.function];
        let states = &facts.solution.states[node as usize];
        if states.iter().any(|state| !is_alone(info.abstract_thread, state)) {
            for access in facts.accesses(self.program, node) {
                self.add_access((info.function, access.edge), &access);
            }
        }
        for state in states.iter().filter(|state| !is_alone(info.abstract_thread, state)) {
            for (edge, e) in function.edges_from(at.location) {
                self.add_edge(Here { place: (info.function, edge), call_string: at.call_string, state }, &e.op);
            }
        }
    }

    fn is_contended(&self, (function, edge): EdgeKey) -> bool {
        self.movers.is_contended(function, edge)
    }

    fn add_access(&mut self, place: EdgeKey, access: &AbstractAccess) {
        if !self.is_contended(place) || self.is_own(access.base) || is_alone(access.abstract_thread, &access.state) {
            return;
        }
        for site in sites(self.program, self.facts, self.facts.tables.abstract_object(access.base)) {
            let AbstractAccess { at, size, write, .. } = *access;
            self.effects.add(place, Effect::Bytes(Bytes { site, at, size, write }));
        }
    }

    fn is_own(&self, base: Base) -> bool {
        matches!(self.facts.tables.abstract_object(base).role(), Some(Role::Own | Role::Older))
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
                self.effects.add(here.place, Effect::Anything);
            }
            Op::Unsupported(_) => self.effects.add(here.place, Effect::Anything),
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
                None => self.effects.add(here.place, Effect::Sync(None, sync)),
            }
        }
    }

    fn add_sync(&mut self, here: Here<'f>, op: SyncOp, lock: ExprId) {
        let tables = &self.facts.tables;
        let Some(lock) = Eval::new(self.program, tables, here.call_string, here.state).value(lock) else { return };
        let lock = self.facts.solution.reach(tables, here.state, &lock);
        let opened_by_others = |base: Base, at: Offsets| {
            let opened = self.facts.solution.broken.get(&(Kind::Mutex, tables.as_role(base, Role::Shared)));
            op == SyncOp::Unlock && opened.is_some_and(|places| places.overlaps(1, at, 1))
        };
        let mut found: SmallVec<[Effect; 2]> = SmallVec::new();
        for (base, at) in lock.pointers.iter().filter(|(base, _)| !self.is_own(*base)) {
            let op = if opened_by_others(*base, *at) { SyncOp::OtherMutex } else { op };
            let sites = sites(self.program, self.facts, tables.abstract_object(*base));
            found.extend(sites.iter().map(|site| Effect::Sync(Some((*site, *at)), op)));
        }
        if lock.may_be_number() {
            let op = if op == SyncOp::Unlock { SyncOp::OtherMutex } else { op };
            found.push(Effect::Sync(None, op));
        }
        found.into_iter().for_each(|effect| self.effects.add(here.place, effect));
    }

    // Ends of objects.

    fn end_local(&mut self, here: Here<'f>, local: LocalId) {
        let sites = sites_of_local(self.program, here.place.0, local);
        self.end_all(here, &sites);
    }

    fn end_frame(&mut self, here: Here<'f>) {
        let callers = &self.facts.solution.callers[here.call_string.index()];
        let starts = self.facts.tables.call_strings[here.call_string].caller.is_none();
        if starts || callers.iter().any(|(_, edge)| *edge == AT_END) {
            return self.end_thread(here);
        }
        let ended = self.mortals.by_call_string[here.call_string.index()].clone();
        self.end_all(here, &ended);
    }

    /// Whatever is left of its frames, and its own copies of globals.
    fn end_thread(&mut self, here: Here<'f>) {
        let abstract_thread = self.facts.tables.call_strings[here.call_string].abstract_thread;
        let ended = self.mortals.by_abstract_thread[abstract_thread.index()].clone();
        self.end_all(here, &ended);
        if self.is_contended(here.place) {
            self.effects.add(here.place, Effect::Sync(None, SyncOp::KeyUse));
        }
    }

    fn end_all(&mut self, here: Here<'f>, ended: &[Site]) {
        if !self.is_contended(here.place) {
            return;
        }
        for site in ended.iter().filter(|site| self.mortals.shared.contains(site)) {
            let whole = Bytes { site: *site, at: Offsets::ALL, size: 1, write: true };
            self.effects.add(here.place, Effect::Bytes(whole));
        }
    }
}

fn is_indirect(call: &Call) -> bool {
    matches!(call.callee, Callee::Indirect(_))
}

/// Is no other thread there?
fn is_alone(abstract_thread: AbstractThread, state: &ThreadState) -> bool {
    state.phase == Phase::Before || abstract_thread == AbstractThread(0) && state.alive.is_empty()
}

/// Where objects of a name are made.
pub fn sites(program: &Program, facts: &Facts, abstract_object: AbstractObject) -> SmallVec<[Site; 1]> {
    let function = |call_string: CallString| facts.tables.call_strings[call_string].function;
    let site = match abstract_object {
        AbstractObject::Global(global) => Site::Global(global),
        AbstractObject::ThreadLocal(_, global, _) => Site::ThreadLocal(global),
        AbstractObject::Local(call_string, local, _) => return sites_of_local(program, function(call_string), local),
        AbstractObject::Block(call_string, edge, _) => Site::Block(function(call_string), edge),
        AbstractObject::CommandLine(_) | AbstractObject::CommandText(_) => Site::CommandLine,
        AbstractObject::Indeterminate => {
            return [true, false].into_iter().map(|promised| Site::Indeterminate { promised }).collect();
        }
        AbstractObject::Function(_)
        | AbstractObject::Thread(_)
        | AbstractObject::Keys(_)
        | AbstractObject::Handlers(_) => return SmallVec::new(),
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
        let mut by_call_string = vec![Vec::new(); tables.call_strings.len()];
        let mut by_abstract_thread = vec![Vec::new(); tables.abstract_threads.len()];
        let mut shared = FxHashSet::default();
        for base in facts.solution.shared.keys() {
            let abstract_object = tables.abstract_object(*base);
            let sites = sites(program, facts, abstract_object);
            shared.extend(sites.iter().copied());
            match abstract_object {
                AbstractObject::Local(call_string, ..) | AbstractObject::Block(call_string, ..)
                    if ends_with_frame(program, facts, abstract_object) =>
                {
                    by_call_string[call_string.index()].extend(sites.iter().copied());
                    by_abstract_thread[tables.call_strings[call_string].abstract_thread.index()].extend(sites);
                }
                AbstractObject::ThreadLocal(abstract_thread, ..) => {
                    by_abstract_thread[abstract_thread.index()].extend(sites)
                }
                _ => {}
            }
        }
        Mortals { by_call_string, by_abstract_thread, shared }
    }
}

fn ends_with_frame(program: &Program, facts: &Facts, abstract_object: AbstractObject) -> bool {
    match abstract_object {
        AbstractObject::Local(..) => true,
        AbstractObject::Block(call_string, edge, _) => {
            let function = &program.functions[facts.tables.call_strings[call_string].function];
            matches!(&function.edges[edge].op, Op::Allocate(allocate) if allocate.kind == Allocation::Frame)
        }
        _ => false,
    }
}
