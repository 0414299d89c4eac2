//! Pairs of accesses that may race, one for each pair of lines and object, those that need most care first.

use std::collections::BTreeMap;

use facts::{AbstractAccess, Candidate, Facts};
use program::Program;

use super::names::{Names, Spot};
use super::parallel::Events;
use crate::alarms::{RaceAccess, RaceAlarm};
use crate::interleaving::{Lines, SourceLine};

pub fn race_alarms(program: &Program, facts: &Facts, candidates: &[Candidate], lines: Lines<'_>) -> Vec<RaceAlarm> {
    if candidates.is_empty() {
        return Vec::new();
    }
    let names = Names::new(program, facts);
    let events = Events::new(&names);
    let chosen = chosen(&names, candidates).into_iter();
    let access = |access: &AbstractAccess| names.race_access(access, lines);
    chosen
        .map(|(a, b)| RaceAlarm { accesses: [access(a), access(b)], why_parallel: names.why_parallel(&events, a, b) })
        .collect()
}

/// For each pair of lines and object the pair of the least rank.
fn chosen<'c>(names: &Names<'_>, candidates: &'c [Candidate]) -> Vec<(&'c AbstractAccess, &'c AbstractAccess)> {
    let mut chosen: BTreeMap<_, (Rank, &AbstractAccess, &AbstractAccess)> = BTreeMap::new();
    for Candidate { first: a, second: b } in candidates {
        let (first, second) = if names.access_spot(a) <= names.access_spot(b) { (a, b) } else { (b, a) };
        let (rank, spots) = Rank::of(names, first, second);
        let entry = chosen.entry((spots, first.base)).or_insert((rank, first, second));
        if rank < entry.0 {
            *entry = (rank, first, second);
        }
    }
    let mut ordered: Vec<_> = chosen.into_iter().collect();
    ordered.sort_by_key(|((spots, base), (rank, ..))| (*rank, *spots, *base));
    ordered.into_iter().map(|(_, (_, a, b))| (a, b)).collect()
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
            locked: count(&|access| access.state.sections > 0 || access.lockset().next().is_some()),
            reads: count(&|access| !access.write),
            atomic: count(&|access| access.atomic),
        };
        (rank, [names.access_spot(a), names.access_spot(b)])
    }
}

impl Names<'_> {
    fn race_access(&self, access: &AbstractAccess, lines: Lines<'_>) -> RaceAccess {
        RaceAccess {
            place: SourceLine::of(self.program, self.access_span(access), lines),
            thread: self.abstract_thread(access.abstract_thread).to_owned(),
            memory: self.access_part(access),
            write: access.write,
            atomic: access.atomic,
            locks: self.held(access),
        }
    }
}
