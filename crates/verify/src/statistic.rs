//! What engines count.

use facts::Facts;

/// How often something was done, or how much of it there was.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Statistic {
    Runs,
    Steps,
    States,
    Transitions,
    /// Comparisons of states by the stop operator of the algorithm.
    StopChecks,
    /// Steps that sleep sets left out.
    Asleep,
    /// States that are not expanded yet.
    Waiting,
    Refinements,
    TrackedPlaces,
    CallStrings,
    AbstractThreads,
    SharedObjects,
    /// Searches that had to do without facts, for those could not be found, and so without a reduction.
    SearchesWithoutFacts,
}

pub type Statistics = Vec<(Statistic, u64)>;

impl Statistic {
    /// In words, and as a key of JSON.
    pub fn name(self) -> &'static str {
        match self {
            Statistic::Runs => "runs",
            Statistic::Steps => "steps",
            Statistic::States => "states",
            Statistic::Transitions => "transitions",
            Statistic::StopChecks => "stop checks",
            Statistic::Asleep => "left out by sleep sets",
            Statistic::Waiting => "waiting",
            Statistic::Refinements => "refinements",
            Statistic::TrackedPlaces => "places tracked",
            Statistic::CallStrings => "call strings",
            Statistic::AbstractThreads => "abstract threads",
            Statistic::SharedObjects => "shared objects",
            Statistic::SearchesWithoutFacts => "searches without facts",
        }
    }

    pub fn of_facts(facts: &Facts) -> Statistics {
        vec![
            (Statistic::States, facts.reached_states() as u64),
            (Statistic::CallStrings, facts.tables.call_strings.len() as u64),
            (Statistic::AbstractThreads, facts.tables.abstract_threads.len() as u64),
            (Statistic::SharedObjects, facts.shared_count() as u64),
        ]
    }
}
