//! What becomes of a configuration by an event.

use program::Program;

use crate::automaton::{Automaton, Event};
use crate::configuration::{Configuration, Element, Slot};
use crate::look::Look;
use crate::matching::{Matcher, Truth};

impl Automaton {
    /// Every element takes each of its transitions that the event fires, or stays if there is none. Where `look` does not know
    /// enough, both happen, and neither is certain.
    ///
    /// Law: what follows with more knowledge is among what follows with less.
    pub fn advance(
        &self,
        program: &Program,
        configuration: &Configuration,
        event: &Event,
        look: &dyn Look,
    ) -> Configuration {
        let caused = self.caused_by(event);
        if caused.is_empty() {
            return configuration.clone();
        }
        let matcher = Matcher { program, event, look };
        let mut next = Vec::with_capacity(configuration.elements.len() + 1);
        for element in &configuration.elements {
            let is_meant = !self.for_each_thread || element.thread == Some(event.thread);
            match is_meant {
                true => self.move_on(element, caused, &matcher, &mut next),
                false => next.push(element.clone()),
            }
        }
        if !self.has_instances() {
            return Configuration::of(next);
        }
        self.make_instances(configuration, caused, &matcher, &mut next);
        self.forget_initial(Configuration::of(next))
    }

    fn move_on(&self, element: &Element, caused: &[u16], matcher: &Matcher<'_>, next: &mut Vec<Element>) {
        let mut most = Truth::No;
        for transition in caused.iter().map(|id| &self.transitions[usize::from(*id)]) {
            if transition.from != element.state {
                continue;
            }
            let (truth, slots) = matcher.fires(transition, &element.slots);
            if truth != Truth::No {
                let certain = element.certain && truth == Truth::Yes;
                next.push(Element { thread: element.thread, slots, state: transition.to, certain });
            }
            most = most.max(truth);
        }
        if most != Truth::Yes {
            next.push(Element { certain: element.certain && most == Truth::No, ..element.clone() });
        }
    }

    /// Instances that the event makes: those whose values are met for the first time.
    fn make_instances(
        &self,
        configuration: &Configuration,
        caused: &[u16],
        matcher: &Matcher<'_>,
        next: &mut Vec<Element>,
    ) {
        let fresh = self.fresh(self.for_each_thread.then_some(matcher.event.thread));
        for transition in caused.iter().map(|id| &self.transitions[usize::from(*id)]) {
            if transition.from != self.initial {
                continue;
            }
            let (truth, slots) = matcher.fires(transition, &fresh.slots);
            let key = &slots[..self.keys];
            if truth == Truth::No || configuration.elements.iter().any(|old| self.is_same(old, &fresh, key)) {
                continue;
            }
            let unclear = key.contains(&Slot::Unknown)
                || configuration.elements.iter().any(|old| old.thread == fresh.thread && self.has_unknown_key(old));
            if truth == Truth::Maybe {
                let mut slots = fresh.slots.clone();
                slots[..self.keys].copy_from_slice(key);
                next.push(Element { slots, certain: false, ..fresh.clone() });
            }
            let certain = truth == Truth::Yes && !unclear;
            next.push(Element { thread: fresh.thread, slots, state: transition.to, certain });
        }
    }

    /// Is this an element of the instance with that key, for sure?
    fn is_same(&self, old: &Element, fresh: &Element, key: &[Slot]) -> bool {
        old.thread == fresh.thread && old.slots[..self.keys] == *key && !key.contains(&Slot::Unknown)
    }

    fn has_unknown_key(&self, element: &Element) -> bool {
        element.slots[..self.keys].contains(&Slot::Unknown)
    }

    /// An instance that is as if it had not been made is not kept, so that watches stay small and equal ones are equal.
    fn forget_initial(&self, configuration: Configuration) -> Configuration {
        let as_new = |e: &Element| e.state == self.initial && e.slots[self.keys..].iter().all(|s| *s == Slot::Free);
        let same = |a: &Element, b: &Element| a.thread == b.thread && a.slots[..self.keys] == b.slots[..self.keys];
        if !configuration.elements.iter().any(as_new) {
            return configuration;
        }
        let instances = configuration.elements.chunk_by(same);
        Configuration {
            elements: instances.filter(|instance| !instance.iter().all(as_new)).flatten().cloned().collect(),
        }
    }
}
