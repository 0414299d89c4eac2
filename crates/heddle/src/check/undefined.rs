//! Undefined behaviour never makes a proof: a run ends where it happens, so what comes behind it was not looked at. A proof counts as it
//! is only if no run ends so; otherwise it is either withheld or says what it assumes.

use base::{Alarm, Budget};
use certify::Refused;
use out::Interleaving;
use semantics::{Ending, Machine, Trace};
use verify::{Coverage, Engine, Observer, Proof, Target, Targets, Task, Verdict, alarms};

use super::{Check, Failure, Goal};

/// To reach undefined behaviour, or to exclude it, there is this part of the time limit.
pub const SHARE: u32 = 10;

/// Whether runs of the program end by undefined behaviour.
pub enum Undefined {
    /// None does.
    Excluded,
    /// This one does.
    Reached(Box<Shown>),
    /// Neither was found out; places where it may happen, if they are known.
    Open(Vec<String>),
}

/// A run that ends by undefined behaviour.
pub struct Shown {
    pub place: String,
    pub kind: &'static str,
    pub interleaving: Interleaving,
}

impl Check<'_> {
    /// What the proof covers, if it excludes undefined behaviour, too. It is checked then.
    pub(super) fn excludes_undefined(&self, goal: Goal<'_>, proof: &Proof, budget: &Budget) -> Option<Coverage> {
        if let Proof::Facts(facts) = proof
            && alarms(self.program, facts, Target::Undefined, &Alarm::new(budget))
                .is_none_or(|alarms| !alarms.is_empty())
        {
            return None;
        }
        let targets = goal.targets().iter().chain([Target::Undefined]).collect();
        certify::check_within(self.program, targets, goal.automaton(), proof, budget).ok()
    }

    /// Looks for a run that ends by undefined behaviour, and for a proof that there is none. Asked once for a program.
    pub(super) fn undefined(&mut self, engine: &mut dyn Engine, log: &mut dyn Observer) -> Result<&Undefined, Failure> {
        if self.undefined.is_none() {
            self.undefined = Some(self.find_undefined(engine, log)?);
        }
        Ok(self.undefined.as_ref().expect("it was just found"))
    }

    fn find_undefined(&self, engine: &mut dyn Engine, log: &mut dyn Observer) -> Result<Undefined, Failure> {
        let targets: Targets = [Target::Undefined].into_iter().collect();
        let task = Task { program: self.program, targets, specification: None, facts: &self.facts, condition: None };
        let budget = self.budget_of(self.args.time_limit / SHARE);
        let outcome = engine.run(&task, &budget, log).map_err(|e| Failure::internal(&e.to_string()))?;
        match outcome.verdict {
            Verdict::Violated { trace, .. } => self.shown(&trace).map(|shown| Undefined::Reached(Box::new(shown))),
            Verdict::Holds(proof) => {
                let budget = budget.with_more(self.args.time_limit / SHARE);
                match certify::check_within(self.program, targets, None, &proof, &budget) {
                    Ok(_) => Ok(Undefined::Excluded),
                    Err(Refused::Limit(_)) => Ok(Undefined::Open(self.undefined_places())),
                    Err(Refused::Wrong(why)) => Err(Failure::internal(&format!(
                        "a proof that nothing is undefined was found but does not pass the check: {why}"
                    ))),
                }
            }
            Verdict::Open(_) => Ok(Undefined::Open(self.undefined_places())),
        }
    }

    fn shown(&self, trace: &Trace) -> Result<Shown, Failure> {
        let machine = Machine::new(self.program);
        let not_confirmed =
            |why: &str| Failure::internal(&format!("undefined behaviour was found but could not be repeated: {why}"));
        let replay = certify::confirm(&machine, Target::Undefined, trace).map_err(|why| not_confirmed(&why))?;
        let kind = match replay.last.ending {
            Some(Ending::Undefined(kind)) => kind.describe(),
            _ => "undefined behaviour",
        };
        let read = |file: &str, line| self.lines.line(file, line);
        let interleaving = out::interleaving(&machine, trace, Some(Target::Undefined), &read);
        let interleaving = interleaving.map_err(|error| not_confirmed(&error.to_string()))?;
        let place = interleaving.rows.last().map(|row| format!("{}:{}", row.place.file, row.place.line));
        Ok(Shown { place: place.unwrap_or_default(), kind, interleaving })
    }

    /// Where it may happen as far as static facts tell.
    fn undefined_places(&self) -> Vec<String> {
        let Some(facts) = self.facts.known() else { return Vec::new() };
        let places = facts.undefined(self.program).into_iter().filter_map(|span| self.program.sources.place(span));
        let mut places: Vec<String> = places.map(|place| format!("{}:{}", place.file, place.line)).collect();
        places.dedup();
        places
    }
}

/// What a proof assumes, for its first line.
pub fn assumed(places: &[String]) -> String {
    let at = match places {
        [] => String::new(),
        [one] => format!(" (not excluded at {one})"),
        [first, rest @ ..] => format!(" (not excluded at {first} and {} more)", rest.len()),
    };
    format!("assuming no undefined behaviour{at}")
}
