//! The product of two analyses: the first decides what it can of a step, the second sees that; each may query the other.

use base::Alarm;
use por::Site;
use program::{ExprId, FunctionId, LocalId};
use semantics::{ObjectId, Pointer};
use spec::Place;

use crate::analysis::{Analysis, Answers, Blocks, InPlace, Names, Naming, States};
use crate::step::{Advance, Known, NoAnswers, Post, Queries, Step, Unknown};
use crate::symmetry::{Edges, Order, Signatures};

pub struct Product<A, B>(pub A, pub B);

/// Answers by the state of one component, then by the other components.
struct Component<'a, A: Analysis> {
    analysis: &'a mut A,
    state: &'a A::State,
    others: &'a mut dyn Queries,
}

impl<A: Analysis> Queries for Component<'_, A> {
    fn value(&mut self, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        match self.analysis.value(self.state, thread, function, expr) {
            Known::Unknown => self.others.value(thread, function, expr),
            known => known,
        }
    }

    fn specific(&mut self, thread: u32, key: u32) -> Known {
        match self.analysis.specific(self.state, thread, key) {
            Known::Unknown => self.others.specific(thread, key),
            known => known,
        }
    }

    fn is_alive(&mut self, pointer: Pointer, size: u64) -> bool {
        self.analysis.is_alive(self.state, pointer, size) && self.others.is_alive(pointer, size)
    }
}

impl<A: Analysis, B: Analysis> States for Product<A, B> {
    type State = (A::State, B::State);
    type Key = (A::Key, B::Key);

    fn store(&mut self, state: &mut Self::State) -> Self::Key {
        let mut mentioned = Vec::new();
        self.0.mentions(&state.0, &mut |object| mentioned.push(object));
        if let Some(names) = self.1.canonical(&mut state.1, &mentioned) {
            self.0.rename(&mut state.0, &names);
        }
        (self.0.store(&mut state.0), self.1.store(&mut state.1))
    }

    fn load(&self, (a, b): Self::Key) -> Self::State {
        (self.0.load(a), self.1.load(b))
    }
}

impl<A: Analysis, B: Analysis> Analysis for Product<A, B> {
    const QUERIES_OTHERS: bool = A::QUERIES_OTHERS || B::QUERIES_OTHERS;

    fn initial(&mut self) -> Result<Self::State, Unknown> {
        Ok((self.0.initial()?, self.1.initial()?))
    }

    fn prepare(&mut self, (a, b): Self::State, step: &Step, out: &mut Vec<Self::State>) -> Option<Unknown> {
        let (mut first, mut second) = (Vec::with_capacity(1), Vec::with_capacity(1));
        let missing = self.0.prepare(a, step, &mut first);
        let missing = self.1.prepare(b, step, &mut second).or(missing);
        for a in &first {
            out.extend(second.iter().map(|b| (a.clone(), b.clone())));
        }
        missing
    }

    fn transfer(
        &mut self,
        (a, b): Self::State,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<Self::State>,
    ) -> Result<(), Unknown> {
        let mut first = Post::default();
        let before = B::QUERIES_OTHERS.then(|| a.clone());
        let mut answers = Component { analysis: &mut self.1, state: &b, others };
        self.0.transfer(a, step, &mut answers, &mut first)?;
        post.findings.append(&mut first.findings);
        post.ends |= first.ends;
        post.missing = post.missing.take().or(first.missing);
        let mut b = Some(b);
        let last = first.successors.len().saturating_sub(1);
        for (i, (next, step)) in first.successors.into_iter().enumerate() {
            // The last one needs the state no longer.
            let own = if i == last { b.take() } else { b.clone() };
            let mut second = Post::default();
            let own = own.expect("taken by the last one");
            match &before {
                Some(a) => {
                    let mut answers = Component { analysis: &mut self.0, state: a, others };
                    self.1.transfer(own, &step, &mut answers, &mut second)?;
                }
                None => self.1.transfer(own, &step, others, &mut second)?,
            }
            post.findings.append(&mut second.findings);
            post.ends |= second.ends;
            post.missing = post.missing.take().or(second.missing);
            let mut next = Some(next);
            let last = second.successors.len().saturating_sub(1);
            for (i, (b, step)) in second.successors.into_iter().enumerate() {
                let own = if i == last { next.take() } else { next.clone() };
                post.successors.push(((own.expect("taken by the last one"), b), step));
            }
        }
        Ok(())
    }

    fn leq(&mut self, a: Self::Key, b: Self::Key) -> bool {
        self.0.leq(a.0, b.0) && self.1.leq(a.1, b.1)
    }

    /// The first component stays, if it covers the new one, or is joined; the second is joined.
    fn merge(&mut self, new: Self::Key, old: Self::Key, times: u32) -> Option<Self::Key> {
        let first = if self.0.leq(new.0, old.0) { old.0 } else { self.0.merge(new.0, old.0, times)? };
        self.1.merge(new.1, old.1, times).map(|second| (first, second))
    }

    fn limit(&mut self, alarm: &Alarm) {
        self.0.limit(alarm);
        self.1.limit(alarm);
    }

    fn is_exact(&self, state: &Self::State) -> bool {
        self.0.is_exact(&state.0) && self.1.is_exact(&state.1)
    }

    fn keeps_all(&self) -> bool {
        self.0.keeps_all() && self.1.keeps_all()
    }
}

impl<A: Analysis, B: Analysis> InPlace for Product<A, B> {
    type Before = (A::Before, B::Before);

    fn advance(
        &mut self,
        state: &mut Self::State,
        step: &Step,
        others: &mut dyn Queries,
    ) -> Option<Advance<Self::Before>> {
        let mut answers = Component { analysis: &mut self.1, state: &state.1, others };
        let first = self.0.advance(&mut state.0, step, &mut answers)?;
        let step = Step { control: first.control, ..*step };
        let Some(second) = self.1.advance(&mut state.1, &step, others) else {
            self.0.take_back(&mut state.0, step.thread, first.before);
            return None;
        };
        let keeps_names = first.keeps_names && second.keeps_names;
        Some(Advance { control: second.control, before: (first.before, second.before), keeps_names })
    }

    fn take_back(&mut self, state: &mut Self::State, thread: u32, (a, b): Self::Before) {
        self.0.take_back(&mut state.0, thread, a);
        self.1.take_back(&mut state.1, thread, b);
    }
}

impl<A: Analysis, B: Analysis> Answers for Product<A, B> {
    fn value(&mut self, state: &Self::State, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        self.value_with(state, thread, function, expr, &mut NoAnswers)
    }

    fn value_with(
        &mut self,
        state: &Self::State,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
        others: &mut dyn Queries,
    ) -> Known {
        let mut answers = Component { analysis: &mut self.1, state: &state.1, others };
        match self.0.value_with(&state.0, thread, function, expr, &mut answers) {
            Known::Unknown => self.1.value_with(&state.1, thread, function, expr, others),
            known => known,
        }
    }

    fn at(&mut self, state: &Self::State, thread: u32, function: FunctionId, place: Place) -> Known {
        if let Place::Expr(expr) = place {
            return self.value(state, thread, function, expr);
        }
        match self.0.at(&state.0, thread, function, place) {
            Known::Unknown => self.1.at(&state.1, thread, function, place),
            known => known,
        }
    }

    fn specific(&mut self, state: &Self::State, thread: u32, key: u32) -> Known {
        match self.0.specific(&state.0, thread, key) {
            Known::Unknown => self.1.specific(&state.1, thread, key),
            known => known,
        }
    }

    fn is_alive(&mut self, state: &Self::State, pointer: Pointer, size: u64) -> bool {
        self.0.is_alive(&state.0, pointer, size) && self.1.is_alive(&state.1, pointer, size)
    }

    fn object(&self, state: &Self::State, id: ObjectId) -> Option<(Site, u64)> {
        self.0.object(&state.0, id).or_else(|| self.1.object(&state.1, id))
    }

    fn ending(&self, state: &Self::State, thread: u32, out: &mut Vec<ObjectId>) {
        self.0.ending(&state.0, thread, out);
        self.1.ending(&state.1, thread, out);
    }

    fn local_object(&self, state: &Self::State, thread: u32, local: LocalId) -> Option<ObjectId> {
        self.0.local_object(&state.0, thread, local).or_else(|| self.1.local_object(&state.1, thread, local))
    }

    fn blocks(&self, state: &Self::State) -> Option<Blocks> {
        self.0.blocks(&state.0).or_else(|| self.1.blocks(&state.1))
    }
}

impl<A: Analysis, B: Analysis> Naming for Product<A, B> {
    fn rename(&mut self, state: &mut Self::State, names: &Names) {
        self.0.rename(&mut state.0, names);
        self.1.rename(&mut state.1, names);
    }

    fn mentions(&self, state: &Self::State, meet: &mut dyn FnMut(ObjectId)) {
        self.0.mentions(&state.0, meet);
        self.1.mentions(&state.1, meet);
    }

    fn sign(&self, state: &Self::State, signatures: &mut Signatures) -> bool {
        self.0.sign(&state.0, signatures) && self.1.sign(&state.1, signatures)
    }

    fn refine_signatures(&self, state: &Self::State, signatures: &mut Signatures) {
        self.0.refine_signatures(&state.0, signatures);
        self.1.refine_signatures(&state.1, signatures);
    }

    fn reorder(&mut self, state: &mut Self::State, order: &Order) {
        self.0.reorder(&mut state.0, order);
        self.1.reorder(&mut state.1, order);
    }

    fn forget_handles(&mut self, unread: Edges) {
        self.0.forget_handles(unread.clone());
        self.1.forget_handles(unread);
    }

    fn canonical(&mut self, state: &mut Self::State, mentioned: &[ObjectId]) -> Option<Names> {
        // One component at most holds objects; the other is given the new names.
        if let Some(names) = self.0.canonical(&mut state.0, mentioned) {
            self.1.rename(&mut state.1, &names);
            return Some(names);
        }
        let names = self.1.canonical(&mut state.1, mentioned)?;
        self.0.rename(&mut state.0, &names);
        Some(names)
    }
}
