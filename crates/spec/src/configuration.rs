//! The configuration of a monitor automaton: which states its instances may be in. Plain data, to be hashed and compared.

use semantics::{Pointer, ThreadId};

use crate::automaton::{Automaton, StateId};
use crate::look::Known;

/// Every state that the automaton may be in after the run. An instance that was not made yet is in the initial state and is
/// not listed. Sorted, so that equal sets are equal values.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Configuration {
    pub(crate) elements: Vec<Element>,
}

/// One state of one instance.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Element {
    /// The thread whose instance it is, if there is one for each.
    pub thread: Option<ThreadId>,
    /// What `$names` stand for, those that tell instances apart first.
    pub slots: Box<[Slot]>,
    pub state: StateId,
    /// It is there whatever was not known before.
    pub certain: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Slot {
    /// Not bound yet.
    #[default]
    Free,
    /// Bound to a value that is not known.
    Unknown,
    Bound(Known),
}

impl Configuration {
    pub fn elements(&self) -> &[Element] {
        &self.elements
    }

    /// The first element that is in an error state, a certain one before others.
    pub fn error(&self, automaton: &Automaton) -> Option<&Element> {
        let wrong = |element: &&Element| automaton.states[element.state.0 as usize].message.is_some();
        let errors = || self.elements.iter().filter(wrong);
        errors().find(|element| element.certain).or_else(|| errors().next())
    }

    /// For abstract states, which cannot tell what is certain: forgets that, and takes errors out. Were there any?
    pub fn settle(&mut self, automaton: &Automaton) -> bool {
        let before = self.elements.len();
        self.elements.retain(|element| automaton.states[element.state.0 as usize].message.is_none());
        self.elements.iter_mut().for_each(|element| element.certain = true);
        self.elements.len() < before
    }

    /// The same with other names for places, or `None` if all stay.
    pub fn renamed(&self, name: impl Fn(Pointer) -> Known) -> Option<Configuration> {
        let new = |slot: Slot| match slot {
            Slot::Bound(Known::Place(pointer)) => Slot::Bound(name(pointer)),
            slot => slot,
        };
        if self.elements.iter().all(|element| element.slots.iter().all(|slot| new(*slot) == *slot)) {
            return None;
        }
        let mut elements = self.elements.clone();
        let slots = elements.iter_mut().flat_map(|element| element.slots.iter_mut());
        slots.for_each(|slot| *slot = new(*slot));
        Some(Configuration::of(elements))
    }

    /// Brings order; of two elements that differ only in certainty the certain one stays.
    pub(crate) fn of(mut elements: Vec<Element>) -> Configuration {
        elements.sort_by(|a, b| {
            (a.thread, &a.slots, a.state).cmp(&(b.thread, &b.slots, b.state)).then(b.certain.cmp(&a.certain))
        });
        elements.dedup_by(|later, first| {
            later.thread == first.thread && later.slots == first.slots && later.state == first.state
        });
        Configuration { elements }
    }
}
