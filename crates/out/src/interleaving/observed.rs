//! The states of an automaton, noted where it comes to them.

use semantics::State;
use spec::{Automaton, Configuration, Monitor};

use super::{Note, Recorder};

pub struct Observed<'o, 'p> {
    pub automaton: &'o Automaton,
    /// Begins with the first state of the run.
    pub monitor: Option<Monitor<'o, 'p>>,
}

impl<'o, 'p> Observed<'o, 'p> {
    /// Something happens in `state`: what the automaton makes of it is a note of the last row.
    pub fn follow(
        &mut self,
        recorder: &mut Recorder<'o, 'p>,
        state: &State,
        happens: impl FnOnce(&mut Monitor<'o, 'p>),
    ) {
        let machine = recorder.machine;
        let monitor = self.monitor.get_or_insert_with(|| Monitor::new(machine, self.automaton, state));
        let old = monitor.configuration().clone();
        happens(monitor);
        for name in changes(self.automaton, &old, monitor.configuration()) {
            let subject = format!("{}: {name}", self.automaton);
            recorder.add(Note { verb: "", subject, value: None, object: None, matters: true });
        }
    }
}

/// The states that are new. A call string that is in its initial state again is not listed any more.
fn changes<'a>(automaton: &'a Automaton, old: &Configuration, new: &Configuration) -> Vec<&'a str> {
    let name = |state: spec::StateId| automaton.states[usize::from(state.0)].name.as_str();
    let added = new.elements().iter().filter(|element| !old.elements().contains(element));
    let mut names: Vec<_> = added.map(|element| name(element.state)).collect();
    if names.is_empty() && new.elements().len() < old.elements().len() {
        names.push(name(automaton.initial));
    }
    names
}
