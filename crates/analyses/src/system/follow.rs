//! The monitor automaton of a specification takes part in every step, as [`spec::Monitor`] does in a run: its events before and
//! behind a step, at a deadlock, and in calls that wait.
//!
//! With a reduction, a step that the automaton is concerned with is made only where all threads go on (what Peled calls visible,
//! "All from One, One for All", 1993), so that it sees every order of such steps. A call that waits needs no more: a step that
//! enables it leaves the thread there, about to make the same call. Where an atomic section begins, what follows cannot be put off,
//! so the beginning counts as seen; so does what may let a thread go on that waits inside one.

use program::{Op, ThreadOp};
use semantics::{Base, Pointer, ThreadId};
use spec::{Automaton, Event, Moment};

use super::{Reduction, System, SystemState};
use crate::analysis::Analysis;
use crate::step::{Control, Known, NoAnswers, Post, Step, Unknown};
use crate::threads::{self, Next};

impl<'p, D: Analysis> System<'p, D> {
    /// From now on a monitor automaton takes part in all steps. If it observes more than steps, none can be left out.
    pub fn monitor(&mut self, automaton: &'p Automaton) {
        let sees_all = !automaton.sees_edges_only();
        if sees_all {
            self.reduction = Reduction::None;
        }
        let functions = self.program.functions.iter_enumerated();
        let visible = functions.map(|(id, function)| {
            let is_seen = |moment| automaton.concerns(&Event { thread: ThreadId(0), moment });
            let edges = function.edges.iter_enumerated();
            let edges = edges.map(|(edge, e)| {
                let is_seen = is_seen(Moment::Before(id, edge)) || is_seen(Moment::After(id, edge));
                sees_all || is_seen || e.op == Op::AtomicBegin
            });
            edges.collect()
        });
        self.visible = visible.collect();
        self.both.1.monitor(automaton);
    }

    pub fn automaton(&self) -> Option<&'p Automaton> {
        self.both.1.automaton()
    }

    /// The first state; may it be an error already?
    pub fn initial(&mut self) -> Result<(SystemState<D>, bool), Unknown> {
        let mut state = self.both.initial()?;
        let begins = Event { thread: ThreadId(0), moment: Moment::Reached };
        let errs = self.both.1.observe(&mut state.1, &begins, Known::Unknown);
        Ok((state, errs))
    }

    /// May a call in which a thread waits be an error?
    pub fn waits_in_error(&mut self, state: &SystemState<D>, next: &[Next]) -> bool {
        if self.automaton().is_none() {
            return false;
        }
        let blocked = next.iter().enumerate().filter(|(_, next)| matches!(next, Next::Blocked(_)));
        blocked.into_iter().any(|(thread, _)| {
            let threads = &self.both.0;
            let (function, location) =
                (threads.function(&state.0, thread as u32), threads.location(&state.0, thread as u32));
            let Some((edge, _)) = self.program.functions[function].edges_from(location).next() else { return false };
            let event = Event { thread: ThreadId(thread as u32), moment: Moment::Before(function, edge) };
            self.both.1.would_err(&state.1, &event)
        })
    }

    pub(super) fn is_visible(&self, state: &SystemState<D>, thread: usize, next: &Next) -> bool {
        if self.visible.is_empty() {
            return false;
        }
        let threads = &self.both.0;
        let visible = &self.visible[threads.function(&state.0, thread as u32).0 as usize];
        let is_seen = next.edges().is_some_and(|edges| edges.iter().any(|edge| visible[edge.0 as usize]));
        let others = || (0..threads.threads(&state.0)).filter(|other| *other != thread);
        is_seen || others().any(|other| threads.in_section(&state.0, other as u32))
    }

    /// One step, with its events for the automaton.
    pub(super) fn follow_step(
        &mut self,
        mut state: SystemState<D>,
        step: &Step,
        post: &mut Post<SystemState<D>>,
    ) -> Result<(), Unknown> {
        if self.automaton().is_none() {
            return self.both.transfer(state, step, &mut NoAnswers, post);
        }
        let mut own = Post::default();
        let before = Event { thread: ThreadId(step.thread), moment: Moment::Before(step.function, step.edge) };
        let errs = self.both.1.observe(&mut state.1, &before, Known::Unknown);
        self.both.transfer(state, step, &mut NoAnswers, &mut own)?;
        if errs && (own.ends || !own.successors.is_empty()) {
            own.errors.push(*step);
        }
        for (state, step) in &mut own.successors {
            if self.observe_behind(state, step) {
                own.errors.push(*step);
            }
        }
        if self.automaton().is_some_and(Automaton::asks_for_deadlock) {
            for (state, step) in std::mem::take(&mut own.successors) {
                self.observe_deadlock(state, step, &mut own)?;
            }
        }
        post.take(own, |state| state);
        Ok(())
    }

    fn observe_behind(&mut self, state: &mut SystemState<D>, step: &Step) -> bool {
        let thread = ThreadId(step.thread);
        let mut errs = false;
        let threads = &self.both.0;
        if !threads.is_finished(&state.0, step.thread) && threads.function(&state.0, step.thread) == step.function {
            let moment = Moment::After(step.function, step.edge);
            let given = given(&self.program.functions[step.function].edges[step.edge].op, step);
            errs |= self.both.1.observe(&mut state.1, &Event { thread, moment }, given);
        }
        errs | self.both.1.observe(&mut state.1, &Event { thread, moment: Moment::Reached }, Known::Unknown)
    }

    /// If who waits is known only in parts of the state, those are the successors.
    fn observe_deadlock(
        &mut self,
        mut state: SystemState<D>,
        step: Step,
        post: &mut Post<SystemState<D>>,
    ) -> Result<(), Unknown> {
        let next = match self.next(&state) {
            Ok(next) => next,
            Err(unknown) => {
                let parts = self.parts(&state).ok_or(unknown)?;
                return parts.into_iter().try_for_each(|part| self.observe_deadlock(part, step, post));
            }
        };
        if !matches!(next[step.thread as usize], Next::Steps(_)) && threads::is_deadlock(&next) {
            let event = Event { thread: ThreadId(step.thread), moment: Moment::Deadlock };
            if self.both.1.observe(&mut state.1, &event, Known::Unknown) {
                post.errors.push(step);
            }
        }
        post.successors.push((state, step));
        Ok(())
    }
}

/// What a thread operation yields, which states forget if it is not read.
fn given(op: &Op, step: &Step) -> Known {
    let Op::Thread(op) = op else { return Known::Unknown };
    match (&**op, step.control) {
        (ThreadOp::Current { .. }, _) => Known::Pointer(Pointer::to(Base::Thread(ThreadId(step.thread)))),
        (_, Control::Create { .. } | Control::Join { .. } | Control::Detach { .. } | Control::Wake { .. }) => {
            Known::Bits(0)
        }
        (op, Control::Yield(result)) if op.result().is_some() => Known::Bits(result as u64),
        _ => Known::Unknown,
    }
}
