//! Effects that remain for threads from a location on, found once for all locations of a program by a backward fixpoint: what the
//! persistent sets of Godefroid (LNCS 1032, 1996) and source sets need to know of other threads.

use std::rc::Rc;

use base::{Idx, index_type};
use facts::blocks::Circumstances;
use facts::{AT_END, Facts, Movers};
use program::{EdgeId, Function, FunctionId, Location, Program};
use rustc_hash::FxHashMap;

use crate::bits::Bits;
use crate::collect;
use crate::depend::waits;
use crate::effects::{ANYTHING, Effect, Effects, STEP};
use crate::sections::sections;
use crate::{Action, Sync, Touch};

index_type! {
    /// What a thread may still do. Equal ones have equal numbers.
    pub struct RemainingId = "u";
}

/// For one program: what threads may do from a place on.
pub struct RemainingEffects {
    effects: Effects,
    /// By function and location.
    at: Vec<Box<[RemainingId]>>,
    /// What every thread may do at its end: clean-up handlers and destructors.
    at_end: RemainingId,
    sets: Vec<Rc<Bits>>,
    ids: FxHashMap<Rc<Bits>, RemainingId>,
    unions: FxHashMap<(RemainingId, RemainingId), RemainingId>,
    /// What depends on something that may happen in a section.
    sections: FxHashMap<(FunctionId, EdgeId), Bits>,
    /// What depends on an action, or lets it go on.
    masks: FxHashMap<Query, Bits>,
}

#[derive(PartialEq, Eq, Hash)]
enum Query {
    Dependent(Effect),
    MayEnable(Effect, bool),
}

impl RemainingEffects {
    pub fn new(program: &Program, facts: &Facts) -> RemainingEffects {
        RemainingEffects::with_movers(program, facts, &facts.movers(program))
    }

    pub fn with_movers(program: &Program, facts: &Facts, movers: &Movers) -> RemainingEffects {
        let effects = collect::effects(program, facts, movers);
        let sections = sections(program, movers).filter(|_| !movers.guesses_addresses());
        let mut flow = Flow::new(program, facts, movers, &effects);
        if sections.is_none() {
            flow.always.insert(ANYTHING);
        }
        flow.solve();
        let mut remaining = RemainingEffects {
            at: Vec::new(),
            at_end: RemainingId(0),
            sets: vec![Rc::default()],
            ids: FxHashMap::from_iter([(Rc::default(), RemainingId(0))]),
            unions: FxHashMap::default(),
            sections: FxHashMap::default(),
            masks: FxHashMap::default(),
            effects: Effects::default(),
        };
        for (place, edges) in sections.iter().flatten() {
            let mut inside = Bits::default();
            for edge in edges {
                flow.grow(place.0, *edge, &mut inside);
            }
            let mask = inside.iter().flat_map(|number| operations_depend(&effects, &effects.get(number))).collect();
            remaining.sections.insert(*place, mask);
        }
        for id in program.functions.ids() {
            let sets = flow.locations(id);
            let at = sets.into_iter().map(|set| remaining.intern(set)).collect();
            remaining.at.push(at);
        }
        remaining.at_end = remaining.intern(flow.at_end());
        remaining.effects = effects;
        remaining
    }

    /// What a thread may still do: frames given from the running one outwards, each with the location where it goes on. Calls,
    /// clean-up handlers and destructors, and threads that it may create (and theirs) are included. Without frames: nothing.
    pub fn of(&mut self, frames: impl Iterator<Item = (FunctionId, Location)>) -> RemainingId {
        let mut all = RemainingId(0);
        for (function, location) in frames {
            let rest = self.at[function.index()][location.index()];
            let so_far = if all == RemainingId(0) { self.at_end } else { all };
            all = self.union(so_far, rest);
        }
        all
    }

    /// May an effect that remains not commute with the action?
    pub fn conflicts(&mut self, action: &Action, with: RemainingId) -> bool {
        match action {
            Action::Local => false,
            Action::Everything => self.has(with, STEP),
            Action::Section(function, edge) => match self.sections.get(&(*function, *edge)) {
                Some(mask) => mask.intersects(&self.sets[with.index()]),
                None => self.has(with, STEP),
            },
            Action::Does { touches, syncs } => {
                touches.iter().any(|touch| self.meets(Query::touch(touch), with))
                    || syncs.iter().any(|sync| self.meets(Query::sync(sync), with))
            }
        }
    }

    /// May an effect that remains let a thread go on that is kept waiting before this action? If it is `known` for whom it waits,
    /// what those do does not count. Yes, if it is not known what it waits for.
    pub fn may_enable(&mut self, action: &Action, known: bool, with: RemainingId) -> bool {
        let Action::Does { syncs, .. } = action else { return !known && self.has(with, STEP) };
        let mut waiting = syncs.iter().filter(|sync| waits(sync.op)).peekable();
        if waiting.peek().is_none() {
            return !known && self.has(with, STEP);
        }
        waiting.any(|sync| self.meets(Query::MayEnable(Effect::of_sync(sync), known), with))
    }

    fn has(&self, remaining: RemainingId, effect: u32) -> bool {
        self.sets[remaining.index()].contains(effect)
    }

    fn meets(&mut self, query: Query, with: RemainingId) -> bool {
        let (effects, set) = (&self.effects, &self.sets[with.index()]);
        if let Some(mask) = self.masks.get(&query) {
            return mask.intersects(set);
        }
        let mask = match &query {
            Query::Dependent(effect) => operations_depend(effects, effect).collect(),
            Query::MayEnable(effect, known) => {
                let near = effects.near(effect);
                near.filter(|number| effects.get(*number).may_enable(effect, *known)).collect::<Bits>()
            }
        };
        let meets = mask.intersects(set);
        self.masks.insert(query, mask);
        meets
    }

    fn intern(&mut self, set: Bits) -> RemainingId {
        let next = RemainingId::from_usize(self.sets.len());
        *self.ids.entry(Rc::new(set)).or_insert_with_key(|set| {
            self.sets.push(set.clone());
            next
        })
    }

    fn union(&mut self, a: RemainingId, b: RemainingId) -> RemainingId {
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

impl Query {
    fn touch(touch: &Touch) -> Query {
        Query::Dependent(Effect::of_touch(touch))
    }

    fn sync(sync: &Sync) -> Query {
        Query::Dependent(Effect::of_sync(sync))
    }
}

/// The numbers of the effects that are dependent on this one.
fn operations_depend<'a>(effects: &'a Effects, effect: &Effect) -> impl Iterator<Item = u32> + use<'a> {
    let effect = *effect;
    effects.near(&effect).filter(move |number| effects.get(*number).is_dependent(&effect))
}

/// The fixpoint: what functions do as a whole, then what they do from each location on.
struct Flow<'f> {
    program: &'f Program,
    movers: &'f Movers,
    effects: &'f Effects,
    /// The functions that threads which an edge creates start in.
    created: FxHashMap<(FunctionId, EdgeId), Vec<FunctionId>>,
    /// Functions that threads run at their end.
    last: Vec<FunctionId>,
    whole: Vec<Bits>,
    /// What must be thought of everywhere.
    always: Bits,
}

impl<'f> Flow<'f> {
    fn new(program: &'f Program, facts: &Facts, movers: &'f Movers, effects: &'f Effects) -> Self {
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
        Flow { program, movers, effects, created, last, whole: Vec::new(), always: [STEP].into_iter().collect() }
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
        for number in self.effects.of_edge(id, edge) {
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
