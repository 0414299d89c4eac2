//! Pairs of accesses that may race, one for each pair of lines and object, those that need most care first.

use std::collections::BTreeMap;

use program::Program;

use super::names::{Names, Spot};
use super::parallel::Events;
use super::survey::locks_held;
use crate::analysis::Facts;
use crate::candidate::{Candidate, Touch};
use crate::race::Contact;

impl Facts {
    /// Accesses that may race; none means that no run has a race. `None` if that cannot be told.
    pub fn races(&self, program: &Program) -> Option<Vec<Candidate>> {
        let pairs = self.pairs(program);
        if pairs.too_many {
            return None;
        }
        if pairs.racing.is_empty() {
            return Some(Vec::new());
        }
        let names = Names::new(program, self);
        let mut chosen: BTreeMap<_, (Rank, &Contact, &Contact)> = BTreeMap::new();
        for (a, b) in &pairs.racing {
            let (first, second) = if names.contact_spot(a) <= names.contact_spot(b) { (a, b) } else { (b, a) };
            let (rank, spots) = Rank::of(&names, first, second);
            let entry = chosen.entry((spots, first.base)).or_insert((rank, first, second));
            if rank < entry.0 {
                *entry = (rank, first, second);
            }
        }
        let mut ordered: Vec<_> = chosen.into_iter().collect();
        ordered.sort_by_key(|((spots, base), (rank, ..))| (*rank, *spots, *base));
        let events = Events::new(&names);
        let candidate = |(a, b): (&Contact, &Contact)| Candidate {
            first: touch(&names, a),
            second: touch(&names, b),
            why_parallel: names.why_parallel(&events, a, b),
        };
        Some(ordered.into_iter().map(|(_, (_, a, b))| candidate((a, b))).collect())
    }
}

/// Less comes first.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Rank {
    /// How many of the two hold a lock.
    locked: usize,
    /// How many only read.
    reads: usize,
    atomic: usize,
}

impl Rank {
    fn of(names: &Names<'_>, a: &Contact, b: &Contact) -> (Rank, [Spot; 2]) {
        let count = |holds: &dyn Fn(&Contact) -> bool| usize::from(holds(a)) + usize::from(holds(b));
        let rank = Rank {
            locked: count(&|contact| contact.state.sections > 0 || locks_held(contact).next().is_some()),
            reads: count(&|contact| !contact.write),
            atomic: count(&|contact| contact.atomic),
        };
        (rank, [names.contact_spot(a), names.contact_spot(b)])
    }
}

fn touch(names: &Names<'_>, contact: &Contact) -> Touch {
    Touch {
        span: names.contact_span(contact),
        thread: names.crew(contact.crew).to_owned(),
        what: names.contact_part(contact),
        write: contact.write,
        atomic: contact.atomic,
        locks: names.held(contact),
    }
}
