//! How often there was which verdict, and why there was none.

use std::collections::BTreeMap;
use std::fmt;

use verify::{Proof, Reason, Target, Verdict};

use crate::Engine;

#[derive(Default)]
pub struct Tally {
    programs: usize,
    too_large: usize,
    lines: BTreeMap<Engine, Line>,
    open: BTreeMap<(String, Engine), Open>,
}

#[derive(Default)]
struct Line {
    by_facts: usize,
    by_states: usize,
    violated: usize,
    open: usize,
    open_found: usize,
}

/// Why there was no verdict.
#[derive(Default)]
struct Open {
    count: usize,
    /// How often the explorer finds the target.
    found: usize,
    /// A program, one with the target if there is one.
    example: String,
}

impl Tally {
    pub fn sum(all: Vec<Tally>) -> Tally {
        all.into_iter().fold(Tally::default(), Tally::with)
    }

    fn with(mut self, other: Tally) -> Tally {
        self.programs += other.programs;
        self.too_large += other.too_large;
        for (form, line) in other.lines {
            self.lines.entry(form).or_default().add(&line);
        }
        for (why, open) in other.open {
            self.open.entry(why).or_default().add(open);
        }
        self
    }

    pub fn program(&mut self, complete: bool) {
        self.programs += 1;
        self.too_large += usize::from(!complete);
    }

    pub fn add(&mut self, name: &str, form: Engine, target: Target, found: bool, verdict: &Verdict) {
        let line = self.lines.entry(form).or_default();
        match verdict {
            Verdict::Holds(Proof::Facts(_)) => line.by_facts += 1,
            Verdict::Holds(Proof::Reached(_)) => line.by_states += 1,
            Verdict::Holds(proof) => panic!("this engine does not prove by {}", proof.name()),
            Verdict::Violated { .. } => line.violated += 1,
            Verdict::Open(reason) => {
                line.open += 1;
                line.open_found += usize::from(found);
                let why = match reason {
                    Reason::Candidate(..) => format!("only a candidate: {target:?}"),
                    Reason::Unsupported(what) => format!("not understood: {what}"),
                    Reason::Imprecise(what) | Reason::TooLarge(what) => format!("not followed: {what}"),
                    Reason::LeftOut(what) => format!("left out: {what}"),
                    Reason::Count(what) => format!("more {what}"),
                    reason => format!("{reason:?}"),
                };
                let example = format!("{name}, {target:?}");
                let open = Open { count: 1, found: usize::from(found), example };
                self.open.entry((why, form)).or_default().add(open);
            }
        }
    }
}

impl Line {
    fn add(&mut self, other: &Line) {
        self.by_facts += other.by_facts;
        self.by_states += other.by_states;
        self.violated += other.violated;
        self.open += other.open;
        self.open_found += other.open_found;
    }
}

impl Open {
    fn add(&mut self, other: Open) {
        if self.count == 0 || other.found > 0 && self.found == 0 {
            self.example = other.example;
        }
        self.count += other.count;
        self.found += other.found;
    }
}

impl Tally {
    /// Prints the table. Agreement means something only if most is decided.
    pub fn finish(&self) {
        print!("{self}");
        let all: usize =
            self.lines.values().map(|line| line.by_facts + line.by_states + line.violated + line.open).sum();
        let open: usize = self.lines.values().map(|line| line.open).sum();
        assert!(all > 0 && open * 2 <= all, "{open} of {all} verdicts are open");
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{} programs, {} too large for the explorer", self.programs, self.too_large)?;
        let heads = ["engine", "facts", "states", "violated", "open", "missed"];
        let [engine, facts, states, violated, open, missed] = heads;
        writeln!(f, "{engine:10} {facts:>8} {states:>8} {violated:>8} {open:>8} {missed:>8}")?;
        for (form, line) in &self.lines {
            let Line { by_facts, by_states, violated, open, open_found } = line;
            let form = format!("{form:?}");
            writeln!(f, "{form:10} {by_facts:>8} {by_states:>8} {violated:>8} {open:>8} {open_found:>8}")?;
        }
        for ((why, form), Open { count, found, example }) in &self.open {
            let form = format!("{form:?}");
            writeln!(f, "{form:10} {count:6} open ({found} with the target reachable): {why} ({example})")?;
        }
        Ok(())
    }
}
