//! What threads may still do from a place on: sets of atoms, found once for all locations of a program.

use std::rc::Rc;

use base::{Idx, index_type};
use facts::blocks::Circumstances;
use facts::{AT_END, Facts, Movers};
use program::{EdgeId, Function, FunctionId, Location, Program};
use rustc_hash::FxHashMap;

use crate::atoms::{ANYTHING, Atom, Atoms, STEP};
use crate::bits::Bits;
use crate::collect;
use crate::depend::waits;
use crate::sections::sections;
use crate::{Action, Sync, Touch};

index_type! {
    /// What a thread may still do. Equal ones have equal numbers.
    pub struct FutureId = "u";
}

/// For one program: what threads may do from a place on.
pub struct Futures {
    atoms: Atoms,
    /// By function and location.
    at: Vec<Box<[FutureId]>>,
    /// What every thread may do at its end: clean-up handlers and destructors.
    at_end: FutureId,
    sets: Vec<Rc<Bits>>,
    ids: FxHashMap<Rc<Bits>, FutureId>,
    unions: FxHashMap<(FutureId, FutureId), FutureId>,
    /// What depends on something that may happen in a section.
    sections: FxHashMap<(FunctionId, EdgeId), Bits>,
    /// What depends on an action, or lets it go on.
    masks: FxHashMap<Question, Bits>,
}

#[derive(PartialEq, Eq, Hash)]
enum Question {
    AtOdds(Atom),
    MayEnable(Atom, bool),
}

impl Futures {
    pub fn new(program: &Program, facts: &Facts) -> Futures {
        Futures::with_movers(program, facts, &facts.movers(program))
    }

    pub fn with_movers(program: &Program, facts: &Facts, movers: &Movers) -> Futures {
        let atoms = collect::atoms(program, facts, movers);
        let sections = sections(program, movers).filter(|_| !movers.guesses_addresses());
        let mut flow = Flow::new(program, facts, movers, &atoms);
        if sections.is_none() {
            flow.always.insert(ANYTHING);
        }
        flow.solve();
        let mut futures = Futures {
            at: Vec::new(),
            at_end: FutureId(0),
            sets: vec![Rc::default()],
            ids: FxHashMap::from_iter([(Rc::default(), FutureId(0))]),
            unions: FxHashMap::default(),
            sections: FxHashMap::default(),
            masks: FxHashMap::default(),
            atoms: Atoms::default(),
        };
        for (place, edges) in sections.iter().flatten() {
            let mut inside = Bits::default();
            for edge in edges {
                flow.grow(place.0, *edge, &mut inside);
            }
            let mask = inside.iter().flat_map(|number| operations_depend(&atoms, &atoms.get(number))).collect();
            futures.sections.insert(*place, mask);
        }
        for id in program.functions.ids() {
            let sets = flow.locations(id);
            let at = sets.into_iter().map(|set| futures.intern(set)).collect();
            futures.at.push(at);
        }
        futures.at_end = futures.intern(flow.at_end());
        futures.atoms = atoms;
        futures
    }

    /// What a thread may still do: frames given from the running one outwards, each with the location where it goes on. Calls,
    /// clean-up handlers and destructors, and threads that it may create (and theirs) are included. Without frames: nothing.
    pub fn of(&mut self, frames: impl Iterator<Item = (FunctionId, Location)>) -> FutureId {
        let mut all = FutureId(0);
        for (function, location) in frames {
            let rest = self.at[function.index()][location.index()];
            let so_far = if all == FutureId(0) { self.at_end } else { all };
            all = self.union(so_far, rest);
        }
        all
    }

    /// May something in this future not commute with the action?
    pub fn conflicts(&mut self, action: &Action, with: FutureId) -> bool {
        match action {
            Action::Local => false,
            Action::Everything => self.has(with, STEP),
            Action::Section(function, edge) => match self.sections.get(&(*function, *edge)) {
                Some(mask) => mask.intersects(&self.sets[with.index()]),
                None => self.has(with, STEP),
            },
            Action::Does { touches, syncs } => {
                touches.iter().any(|touch| self.meets(Question::touch(touch), with))
                    || syncs.iter().any(|sync| self.meets(Question::sync(sync), with))
            }
        }
    }

    /// May something in this future let a thread go on that is kept waiting before this action? If it is `known` for whom it waits,
    /// what those do does not count. Yes, if it is not known what it waits for.
    pub fn may_enable(&mut self, action: &Action, known: bool, with: FutureId) -> bool {
        let Action::Does { syncs, .. } = action else { return !known && self.has(with, STEP) };
        let mut waiting = syncs.iter().filter(|sync| waits(sync.op)).peekable();
        if waiting.peek().is_none() {
            return !known && self.has(with, STEP);
        }
        waiting.any(|sync| self.meets(Question::MayEnable(Atom::of_sync(sync), known), with))
    }

    fn has(&self, future: FutureId, atom: u32) -> bool {
        self.sets[future.index()].contains(atom)
    }

    fn meets(&mut self, question: Question, with: FutureId) -> bool {
        let (atoms, set) = (&self.atoms, &self.sets[with.index()]);
        if let Some(mask) = self.masks.get(&question) {
            return mask.intersects(set);
        }
        let mask = match &question {
            Question::AtOdds(atom) => operations_depend(atoms, atom).collect(),
            Question::MayEnable(atom, known) => {
                let near = atoms.near(atom);
                near.filter(|number| atoms.get(*number).may_enable(atom, *known)).collect::<Bits>()
            }
        };
        let meets = mask.intersects(set);
        self.masks.insert(question, mask);
        meets
    }

    fn intern(&mut self, set: Bits) -> FutureId {
        let next = FutureId::from_usize(self.sets.len());
        *self.ids.entry(Rc::new(set)).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }

    fn union(&mut self, a: FutureId, b: FutureId) -> FutureId {
        if a == b {
            return a;
        }
        let key = (a.min(b), a.max(b));
        if let Some(known) = self.unions.get(&key) {
            return *known;
        }
        let mut both = Bits::clone(&self.sets[a.index()]);
        both.add(&self.sets[b.index()]);
        let both = self.intern(both);
        self.unions.insert(key, both);
        both
    }
}

impl Question {
    fn touch(touch: &Touch) -> Question {
        Question::AtOdds(Atom::of_touch(touch))
    }

    fn sync(sync: &Sync) -> Question {
        Question::AtOdds(Atom::of_sync(sync))
    }
}

/// The numbers of the atoms that are dependent on this one.
fn operations_depend<'a>(atoms: &'a Atoms, atom: &Atom) -> impl Iterator<Item = u32> + use<'a> {
    let atom = *atom;
    atoms.near(&atom).filter(move |number| atoms.get(*number).is_at_odds(&atom))
}

/// The fixpoint: what functions do as a whole, then what they do from each location on.
struct Flow<'f> {
    program: &'f Program,
    movers: &'f Movers,
    atoms: &'f Atoms,
    /// The functions that threads which an edge creates start in.
    created: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
    /// Functions that threads run at their end.
    last: Vec<FunctionId>,
    whole: Vec<Bits>,
    /// What must be thought of everywhere.
    always: Bits,
}

impl<'f> Flow<'f> {
    fn new(program: &'f Program, facts: &Facts, movers: &'f Movers, atoms: &'f Atoms) -> Self {
        let tables = &facts.tables;
        let mut created: FxHashMap<_, Vec<FunctionId>> = FxHashMap::default();
        for abstract_thread in tables.abstract_threads.iter() {
            if let Some((creator, edge)) = abstract_thread.created {
                created.entry((tables.call_strings[creator].function, edge)).or_default().push(abstract_thread.entry);
            }
        }
        let callers = tables.call_strings.iter().zip(&facts.solution.callers);
        let at_end = callers.filter(|(_, callers)| callers.iter().any(|(_, edge)| *edge == AT_END));
        let mut last: Vec<FunctionId> = at_end.map(|(call_string, _)| call_string.function).collect();
        last.sort_unstable();
        last.dedup();
        Flow { program, movers, atoms, created, last, whole: Vec::new(), always: [STEP].into_iter().collect() }
    }

    fn function(&self, id: FunctionId) -> &'f Function {
        &self.program.functions[id]
    }

    /// Functions that call each other do the same, so rounds go on until nothing grows.
    fn solve(&mut self) {
        self.whole = vec![self.always.clone(); self.program.functions.len()];
        loop {
            let mut grew = false;
            for id in self.program.functions.ids() {
                let mut set = std::mem::take(&mut self.whole[id.index()]);
                for edge in self.function(id).edges.ids() {
                    grew |= self.grow(id, edge, &mut set);
                }
                self.whole[id.index()] = set;
            }
            if !grew {
                return;
            }
        }
    }

    /// Adds what an edge may do, calls and threads that it creates included. True if that is new.
    fn grow(&self, id: FunctionId, edge: EdgeId, set: &mut Bits) -> bool {
        let mut grew = false;
        for number in self.atoms.of_edge(id, edge) {
            grew |= !set.contains(*number);
            set.insert(*number);
        }
        let created = self.created.get(&(id, edge)).into_iter().flatten().copied();
        for function in self.movers.callees(id, edge).into_iter().chain(created) {
            grew |= set.add(&self.whole[function.index()]);
        }
        grew
    }

    fn at_end(&self) -> Bits {
        let mut set = self.always.clone();
        self.last.iter().for_each(|id| {
            set.add(&self.whole[id.index()]);
        });
        set
    }

    /// For each location of a function.
    fn locations(&self, id: FunctionId) -> Vec<Bits> {
        let function = self.function(id);
        let mut sets = vec![self.always.clone(); function.locations().len()];
        // Edges lead to higher locations but for loops.
        loop {
            let mut grew = false;
            for location in function.locations().rev() {
                let mut set = std::mem::take(&mut sets[location.index()]);
                for (edge, e) in function.edges_from(location) {
                    grew |= self.grow(id, edge, &mut set);
                    if e.to != location && !e.op.is_final() {
                        grew |= set.add(&sets[e.to.index()]);
                    }
                }
                sets[location.index()] = set;
            }
            if !grew {
                return sets;
            }
        }
    }
}
