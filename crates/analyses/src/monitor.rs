//! Data in a product with the monitor automaton of a specification. Every state that the automaton may be in is listed, so that a
//! state without errors represents runs without errors only. [`crate::System`] reports what happens in steps, see [`Monitored::observe`].

use std::cell::RefCell;

use base::Alarm;
use por::Site;
use program::{ExprId, FunctionId, LocalId, Program};
use semantics::{Base, ObjectId, Pointer};
use spec::{Automaton, Configuration, Event, Look, Moment, Place};

use crate::analysis::{Analysis, Answers, Around, Blocks, InPlace, Names, Naming, States};
use crate::intern::{Shared, Store};
use crate::step::{Advance, Known, Post, Queries, Step, Unknown};
use crate::symmetry::{Edges, Order, Signatures};

/// States of the monitor, each stored once.
pub type MonitorStates = Store<Configuration>;

pub struct Monitored<'p, D> {
    pub data: D,
    program: &'p Program,
    automaton: Option<&'p Automaton>,
    /// To be set only before there are states.
    pub monitor_states: MonitorStates,
}

impl<'p, D> Monitored<'p, D> {
    /// Without an automaton, until there is one.
    pub fn new(program: &'p Program, data: D) -> Self {
        Monitored { data, program, automaton: None, monitor_states: MonitorStates::default() }
    }

    pub fn monitor(&mut self, automaton: &'p Automaton) {
        self.automaton = Some(automaton);
    }

    pub fn automaton(&self) -> Option<&'p Automaton> {
        self.automaton
    }

    pub fn into_parts(self) -> (D, MonitorStates) {
        (self.data, self.monitor_states)
    }
}

/// A state of data, and the states that the automaton may be in.
pub type MonitoredState<D> = (<D as States>::State, Shared<Configuration>);
pub type Key<D> = (<D as States>::Key, u32);

impl<D: Analysis> Monitored<'_, D> {
    /// Something happens at a state: may it be an error? Errors are not followed further. `given` is the result of the step if
    /// it is not read.
    pub fn observe(&mut self, state: &mut MonitoredState<D>, event: &Event, given: Known) -> bool {
        let Some((monitor, errs)) = self.observed(state, event, given) else { return false };
        if monitor != *state.1 {
            state.1 = Shared::new(monitor);
        }
        errs
    }

    /// The same, but it does not happen.
    pub fn would_err(&mut self, state: &MonitoredState<D>, event: &Event) -> bool {
        self.observed(state, event, Known::Unknown).is_some_and(|(_, errs)| errs)
    }

    fn observed(&mut self, state: &MonitoredState<D>, event: &Event, given: Known) -> Option<(Configuration, bool)> {
        let automaton = self.automaton.filter(|automaton| automaton.concerns(event))?;
        let look = Seen { data: RefCell::new(&mut self.data), state: &state.0, event, given };
        let mut monitor = automaton.advance(self.program, &state.1, event, &look);
        let errs = monitor.settle(automaton);
        Some((monitor, errs))
    }
}

/// A state as the event's thread sees it.
struct Seen<'s, D: Analysis> {
    data: RefCell<&'s mut D>,
    state: &'s D::State,
    event: &'s Event,
    given: Known,
}

impl<D: Analysis> Look for Seen<'_, D> {
    fn value(&self, place: Place) -> Option<spec::Known> {
        let function = match self.event.moment {
            Moment::Before(function, _) | Moment::After(function, _) => function,
            // Nothing but globals is looked at.
            Moment::Reached | Moment::Deadlock => FunctionId(0),
        };
        let found = self.data.borrow_mut().at(self.state, self.event.thread.0, function, place);
        match (found, place) {
            (Known::Unknown, Place::Local(_)) => known(self.given),
            (found, _) => known(found),
        }
    }
}

fn known(value: Known) -> Option<spec::Known> {
    match value {
        Known::Bits(bits) => Some(spec::Known::Number(bits.into())),
        Known::Pointer(pointer) => Some(spec::Known::Place(pointer)),
        Known::Unknown => None,
    }
}

impl<D: Analysis> States for Monitored<'_, D> {
    type State = MonitoredState<D>;
    type Key = Key<D>;

    fn store(&mut self, state: &mut MonitoredState<D>) -> Key<D> {
        (self.data.store(&mut state.0), self.monitor_states.number(&mut state.1))
    }

    fn load(&self, key: Key<D>) -> MonitoredState<D> {
        (self.data.load(key.0), self.monitor_states.get(key.1).clone())
    }
}

impl<D: Analysis> Analysis for Monitored<'_, D> {
    const QUERIES_OTHERS: bool = D::QUERIES_OTHERS;

    fn initial(&mut self) -> Result<MonitoredState<D>, Unknown> {
        let monitor = self.automaton.map(Automaton::start).unwrap_or_default();
        Ok((self.data.initial()?, Shared::new(monitor)))
    }

    fn prepare(
        &mut self,
        (data, monitor): MonitoredState<D>,
        step: &Step,
        out: &mut Vec<MonitoredState<D>>,
    ) -> Option<Unknown> {
        let mut prepared = Vec::with_capacity(1);
        let missing = self.data.prepare(data, step, &mut prepared);
        out.extend(prepared.into_iter().map(|data| (data, monitor.clone())));
        missing
    }

    fn transfer(
        &mut self,
        (data, monitor): MonitoredState<D>,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<MonitoredState<D>>,
    ) -> Result<(), Unknown> {
        let mut own = Post::default();
        self.data.transfer(data, step, others, &mut own)?;
        post.take(own, |data| (data, monitor.clone()));
        Ok(())
    }

    fn leq(&mut self, a: Key<D>, b: Key<D>) -> bool {
        a.1 == b.1 && self.data.leq(a.0, b.0)
    }

    fn merge(&mut self, new: Key<D>, old: Key<D>, times: u32) -> Option<Key<D>> {
        if new.1 != old.1 {
            return None;
        }
        self.data.merge(new.0, old.0, times).map(|data| (data, old.1))
    }

    fn limit(&mut self, alarm: &Alarm) {
        self.data.limit(alarm);
    }

    fn enlarge(&mut self, state: &mut MonitoredState<D>, around: &Around) -> bool {
        self.data.enlarge(&mut state.0, around)
    }

    fn is_exact(&self, state: &MonitoredState<D>) -> bool {
        self.data.is_exact(&state.0)
    }

    fn keeps_all(&self) -> bool {
        self.data.keeps_all()
    }
}

impl<D: Analysis> InPlace for Monitored<'_, D> {
    type Before = D::Before;

    /// Only without an automaton, for which it would have to be reported what happens.
    fn advance(
        &mut self,
        state: &mut MonitoredState<D>,
        step: &Step,
        others: &mut dyn Queries,
    ) -> Option<Advance<D::Before>> {
        if self.automaton.is_some() {
            return None;
        }
        self.data.advance(&mut state.0, step, others)
    }

    fn take_back(&mut self, state: &mut MonitoredState<D>, thread: u32, before: D::Before) {
        self.data.take_back(&mut state.0, thread, before);
    }
}

impl<D: Analysis> Answers for Monitored<'_, D> {
    fn value(&mut self, state: &MonitoredState<D>, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        self.data.value(&state.0, thread, function, expr)
    }

    fn value_with(
        &mut self,
        state: &MonitoredState<D>,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
        others: &mut dyn Queries,
    ) -> Known {
        self.data.value_with(&state.0, thread, function, expr, others)
    }

    fn at(&mut self, state: &MonitoredState<D>, thread: u32, function: FunctionId, place: Place) -> Known {
        self.data.at(&state.0, thread, function, place)
    }

    fn specific(&mut self, state: &MonitoredState<D>, thread: u32, key: u32) -> Known {
        self.data.specific(&state.0, thread, key)
    }

    fn is_alive(&mut self, state: &MonitoredState<D>, pointer: Pointer, size: u64) -> bool {
        self.data.is_alive(&state.0, pointer, size)
    }

    fn object(&self, state: &MonitoredState<D>, id: ObjectId) -> Option<(Site, u64)> {
        self.data.object(&state.0, id)
    }

    fn ending(&self, state: &MonitoredState<D>, thread: u32, out: &mut Vec<ObjectId>) {
        self.data.ending(&state.0, thread, out);
    }

    fn local_object(&self, state: &MonitoredState<D>, thread: u32, local: LocalId) -> Option<ObjectId> {
        self.data.local_object(&state.0, thread, local)
    }

    fn blocks(&self, state: &MonitoredState<D>) -> Option<Blocks> {
        self.data.blocks(&state.0)
    }
}

impl<D: Analysis> Naming for Monitored<'_, D> {
    fn rename(&mut self, state: &mut MonitoredState<D>, names: &Names) {
        self.data.rename(&mut state.0, names);
        rename(&mut state.1, names);
    }

    fn mentions(&self, state: &MonitoredState<D>, meet: &mut dyn FnMut(ObjectId)) {
        self.data.mentions(&state.0, meet);
    }

    /// An automaton may remember a thread.
    fn sign(&self, state: &MonitoredState<D>, signatures: &mut Signatures) -> bool {
        self.automaton.is_none() && self.data.sign(&state.0, signatures)
    }

    fn refine_signatures(&self, state: &MonitoredState<D>, signatures: &mut Signatures) {
        self.data.refine_signatures(&state.0, signatures);
    }

    fn reorder(&mut self, state: &mut MonitoredState<D>, order: &Order) {
        self.data.reorder(&mut state.0, order);
    }

    fn forget_handles(&mut self, unread: Edges) {
        self.data.forget_handles(unread);
    }

    /// What the automaton alone remembers is not mentioned: no pointer leads there again, and that is all it needs to know.
    fn canonical(&mut self, state: &mut MonitoredState<D>, mentioned: &[ObjectId]) -> Option<Names> {
        let names = self.data.canonical(&mut state.0, mentioned)?;
        rename(&mut state.1, &names);
        Some(names)
    }
}

fn rename(monitor: &mut Shared<Configuration>, names: &Names) {
    let name = |pointer: Pointer| match pointer.base {
        Base::Object(id) if names.is_gone(id) => spec::Known::Gone,
        _ => spec::Known::Place(names.pointer(pointer)),
    };
    if let Some(renamed) = monitor.renamed(name) {
        *monitor = Shared::new(renamed);
    }
}
