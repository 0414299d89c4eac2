//! What was seen in the runs of one program.

use std::collections::BTreeSet;

use crate::batch::{Run, Variant};

const FAILED: i32 = 77;
const ASSUMED: i32 = 78;
const NOT_FREED: i32 = 79;
/// What the time limit ends a run with.
const KILL: i32 = 9;

#[derive(Default)]
pub struct Seen {
    /// What plain runs printed that came to their end.
    pub results: BTreeSet<String>,
    pub failed: bool,
    /// The first lines of reports.
    pub overflow: Option<String>,
    pub memory: Option<String>,
    /// Of whatever kind, memory included.
    pub undefined: Option<String>,
    pub race: Option<String>,
    pub not_freed: bool,
    pub timeout: bool,
}

impl Seen {
    pub fn add(&mut self, run: &Run) {
        if let Some(report) = report(&run.errors) {
            return self.add_report(report);
        }
        match (run.signal, run.code) {
            (Some(KILL), _) => self.timeout = true,
            (Some(signal), _) => self.undefined = Some(format!("signal {signal} ({:?})", run.variant)),
            (None, FAILED) => self.failed = true,
            (None, ASSUMED) => {}
            (None, code) => {
                self.not_freed |= code == NOT_FREED;
                if run.variant == Variant::Plain {
                    self.results.insert(run.output.clone());
                }
            }
        }
    }

    fn add_report(&mut self, report: &str) {
        let keep = |to: &mut Option<String>| {
            to.get_or_insert_with(|| report.to_owned());
        };
        match report {
            r if r.contains("data race") => keep(&mut self.race),
            r if r.contains("ThreadSanitizer") => keep(&mut self.undefined),
            r if is_overflow(r) => keep(&mut self.overflow),
            r if r.contains("AddressSanitizer") && !r.contains("FPE") => {
                keep(&mut self.memory);
                keep(&mut self.undefined);
            }
            _ => keep(&mut self.undefined),
        }
    }
}

/// The line that says what was found.
fn report(errors: &str) -> Option<&str> {
    let is_report = |line: &&str| {
        line.contains("runtime error:")
            || line.contains("ERROR: AddressSanitizer")
            || line.contains("WARNING: ThreadSanitizer")
            || line.contains("ERROR: ThreadSanitizer")
    };
    errors.lines().find(is_report)
}

fn is_overflow(report: &str) -> bool {
    report.contains("signed integer overflow")
        || report.contains("left shift of")
        || report.contains("negation of")
        || report.contains("division of")
}
