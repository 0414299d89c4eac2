//! Pairs of accesses that may race, one for each pair of lines and object, those that need most care first.

use std::collections::BTreeMap;

use program::Program;

use super::names::{Names, Spot};
use super::parallel::Events;
use super::survey::locks_held;
use crate::analysis::Facts;
use crate::candidate::{Candidate, Touch};
use crate::race::AbstractAccess;

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
        let mut chosen: BTreeMap<_, (Rank, &AbstractAccess, &AbstractAccess)> = BTreeMap::new();
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
        let candidate = |(a, b): (&AbstractAccess, &AbstractAccess)| Candidate {
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
    fn of(names: &Names<'_>, a: &AbstractAccess, b: &AbstractAccess) -> (Rank, [Spot; 2]) {
        let count = |holds: &dyn Fn(&AbstractAccess) -> bool| usize::from(holds(a)) + usize::from(holds(b));
        let rank = Rank {
            locked: count(&|access| access.state.sections > 0 || locks_held(access).next().is_some()),
            reads: count(&|access| !access.write),
            atomic: count(&|access| access.atomic),
        };
        (rank, [names.contact_spot(a), names.contact_spot(b)])
    }
}

fn touch(names: &Names<'_>, access: &AbstractAccess) -> Touch {
    Touch {
        span: names.contact_span(access),
        thread: names.abstract_thread(access.abstract_thread).to_owned(),
        what: names.contact_part(access),
        write: access.write,
        atomic: access.atomic,
        locks: names.held(access),
    }
}
