//! Refinement of the precision by counterexamples (Clarke, Grumberg, Jha, Lu and Veith, "Counterexample-Guided Abstraction
//! Refinement", 2000; for explicit values, Beyer and Löwe, 2013): where a path to a target is spurious because a number is not
//! kept, the numbers that it depends on are kept from then on, and the search begins anew.

use std::collections::BTreeSet;
use std::rc::Rc;

use analyses::memory::{self, Memory, Precision, TrackedPlace};
use base::{Alarm, Budget};
use program::Program;
use verify::{Observer, Proof, Reason, Statistic, Target, Verdict};

use crate::Search;
use crate::explore::{Ended, Obstacle};
use crate::growth::{counters, first_precision};
use crate::slice::{Extent, Trail};

/// No more refinements than this.
const MOST: u64 = 500;
/// So many other places are better kept than one that counts.
const COUNTER: usize = 100;

/// How it ended, and what was done.
pub type Answer = (Verdict, verify::Statistics);

/// What was found out so far: a later search begins with it.
pub struct Refinement {
    options: memory::Options,
    precision: Precision,
    counters: BTreeSet<TrackedPlace>,
    refinements: u64,
}

impl Refinement {
    pub fn new(program: &Program, options: memory::Options) -> Refinement {
        let (precision, counters) = (first_precision(program), counters(program));
        Refinement { options, precision, counters, refinements: 0 }
    }
}

impl Search<'_, '_> {
    /// Explores with ever more numbers kept, up to a part of the time.
    pub fn refine(
        &self,
        known: &mut Refinement,
        until: Option<f64>,
        budget: &Budget,
        log: &mut dyn Observer,
    ) -> Answer {
        let (program, targets) = (self.task.program, self.task.targets);
        loop {
            let options = memory::Options { tracked: Some(known.precision.clone()), ..known.options.clone() };
            let mut explorer = self.explorer(Memory::new(program, options), None);
            explorer.pause = until;
            explorer.stops = true;
            let end = explorer.run(budget, 1.0, log);
            let places = known.precision.places.len() as u64;
            let mut statistics = explorer.statistics();
            statistics.extend([(Statistic::Refinements, known.refinements), (Statistic::TrackedPlaces, places)]);
            let verdict = match end {
                Ended::Found(target, found) => Verdict::Violated { target, trace: found.trace },
                Ended::Obstacle(obstacle) => {
                    if known.refinements < MOST && self.extend(known, &obstacle, &Alarm::new(budget)) {
                        known.refinements += 1;
                        continue;
                    }
                    Verdict::Open(obstacle.reason)
                }
                Ended::Open(reason) => Verdict::Open(reason),
                Ended::Paused => Verdict::Open(Reason::Limit(base::Limit::Time)),
                Ended::Complete if targets.contains(Target::Endless) => Verdict::Open(Reason::Beyond(Target::Endless)),
                Ended::Complete => Verdict::Holds(Proof::Reached(Rc::new(explorer.reached_set(self.facts.clone())))),
            };
            return (verdict, statistics);
        }
    }

    /// Adds what the obstacle depends on, of several reasons the one with the simplest places; false if all is kept already.
    fn extend(&self, known: &mut Refinement, obstacle: &Obstacle, alarm: &Alarm) -> bool {
        let Refinement { precision, counters, .. } = known;
        let program = self.task.program;
        let Some(mut trail) = Trail::follow(program, &obstacle.steps, alarm) else { return false };
        for extent in [Extent::Numbers, Extent::Pointers, Extent::Conditions] {
            if alarm.struck().is_some() {
                return false;
            }
            let mut reasons: Vec<BTreeSet<TrackedPlace>> =
                trail.stops.clone().into_iter().map(|stop| trail.slice_at(stop, extent)).collect();
            reasons.push(trail.slice_ahead(&obstacle.ahead, extent));
            for places in &mut reasons {
                places.retain(|place| place.is_optional(program) && !precision.places.contains(place));
            }
            let cost = |places: &BTreeSet<TrackedPlace>| {
                places.iter().map(|place| if counters.contains(place) { COUNTER } else { 1 }).sum::<usize>()
            };
            if let Some(mut best) = reasons.into_iter().filter(|places| !places.is_empty()).min_by_key(cost) {
                precision.places.append(&mut best);
                return true;
            }
        }
        false
    }
}
