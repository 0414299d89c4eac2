//! `heddle check`: from files to verdicts. A violation is reported only after the interpreter has repeated
//! it, a proof only after it was checked.

#[cfg(test)]
mod tests;
mod undefined;
mod unknown;

use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

use base::{Budget, Limit};
use certify::Refused;
use out::{Answer, Detail, Report};
use program::{Ledger, Program};
use semantics::{Machine, Trace};
use spec::Automaton;
use verify::{
    Coverage, Engine, Observer, Outcome, Proof, Property, Reason, SharedFacts, Statistic, Target, Targets, Task,
    Verdict,
};

use crate::arguments::{CheckArgs, Requested, UndefinedRule};
use crate::cli::{Exit, Failure};
use crate::diagnostics;
use crate::files::{self, SourceLines};
use crate::front;
use crate::progress::Progress;
use crate::schedule::{self, Identity};
use crate::specification::{self, Specification};
use undefined::Undefined;

/// Where there is no terminal.
const WIDTH: usize = 100;
/// Less is not readable.
const NARROWEST: usize = 40;
/// For checking a proof there is this part of the time limit more.
const GRACE: u32 = 10;

pub fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<(Exit, io::Result<()>), Failure> {
    let start = Instant::now();
    files::can_be_made(args.json.as_ref())?;
    files::can_be_made(args.schedule_out.as_ref())?;
    let properties = properties(&args.property)?;
    let written = specification::read(&args.spec)?;
    let (program, identity) = front::lower_identified(&args.files, &args.front)?;
    let specifications = specification::resolve(&written, &program)?;
    let goals = goals(&properties, &specifications);
    let mut check = Check::new(args, &program, identity, start);
    let mut engine = args.engine.engine(args);
    let mut reports = Vec::new();
    for (i, goal) in goals.iter().enumerate() {
        reports.push(check.goal(*goal, &mut *engine, goals.len() - i)?);
    }
    if let Some(path) = &args.json {
        files::write(path, &out::json(&program, &reports))?;
    }
    Ok((exit(&reports), print(args, &program, &reports, out)))
}

/// What is to be checked.
#[derive(Clone, Copy)]
enum Goal<'g> {
    Property(Property),
    Specification(&'g Specification),
}

/// If nothing is requested, no error of the program's own.
fn goals<'g>(properties: &[Property], specifications: &'g [Specification]) -> Vec<Goal<'g>> {
    let properties =
        if properties.is_empty() && specifications.is_empty() { &[Property::UnreachCall] } else { properties };
    let properties = properties.iter().map(|property| Goal::Property(*property));
    properties.chain(specifications.iter().map(Goal::Specification)).collect()
}

impl<'g> Goal<'g> {
    fn targets(self) -> Targets {
        match self {
            Goal::Property(property) => property.targets(),
            Goal::Specification(_) => [Target::Specification].into_iter().collect(),
        }
    }

    fn automaton(self) -> Option<&'g Automaton> {
        match self {
            Goal::Property(_) => None,
            Goal::Specification(specification) => Some(&specification.automaton),
        }
    }

    /// How a violation is called.
    fn violation_name(self, target: Target) -> String {
        match self {
            Goal::Property(property) => property.violation_name(target).to_owned(),
            Goal::Specification(_) => self.to_string(),
        }
    }
}

impl fmt::Display for Goal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Goal::Property(property) => property.fmt(f),
            Goal::Specification(specification) => specification.automaton.fmt(f),
        }
    }
}

/// Each once, in the order given.
pub fn properties(requested: &[Requested]) -> Result<Vec<Property>, Failure> {
    let mut properties = Vec::new();
    for request in requested {
        let more = match request {
            Requested::All => Property::ALL.to_vec(),
            Requested::One(property) => vec![*property],
            Requested::File(path) => {
                let text = files::read(path)?;
                let refused = |why| Failure::refused(diagnostics::plain(&format!("{}: {why}", path.display())));
                Property::from_file_text(&text).map_err(refused)?
            }
        };
        let new = more.into_iter().filter(|property| !properties.contains(property)).collect::<Vec<_>>();
        properties.extend(new);
    }
    Ok(properties)
}

struct Check<'c> {
    args: &'c CheckArgs,
    program: &'c Program,
    identity: Identity,
    start: Instant,
    facts: SharedFacts,
    lines: SourceLines,
    /// The schedule of the first violation is written.
    has_schedule: bool,
    /// What is known of undefined behaviour, once it was needed.
    undefined: Option<Undefined>,
}

impl<'c> Check<'c> {
    fn new(args: &'c CheckArgs, program: &'c Program, identity: Identity, start: Instant) -> Self {
        let (facts, lines) = (SharedFacts::default(), SourceLines::default());
        Check { args, program, identity, start, facts, lines, has_schedule: false, undefined: None }
    }

    /// `left` goals, this one included, share the time that is left.
    fn goal(&mut self, goal: Goal<'_>, engine: &mut dyn Engine, left: usize) -> Result<Report, Failure> {
        let (targets, specification) = (goal.targets(), goal.automaton());
        let task = Task { program: self.program, targets, specification, facts: &self.facts, condition: None };
        let budget = self.budget(left);
        let mut progress = Progress::new(goal.to_string(), self.args.quiet, self.start, self.args.time_limit);
        let outcome = engine.run(&task, &budget, &mut progress);
        let Outcome { verdict, ledger, statistics, .. } = outcome.map_err(|e| Failure::internal(&e.to_string()))?;
        let name = engine.name();
        let answer = match verdict {
            Verdict::Holds(proof) => self.held((goal, &ledger), &proof, &budget, engine, &mut progress)?,
            Verdict::Violated { target, trace } => Ok(self.violated(goal, target, &trace)?),
            Verdict::Open(reason) => Err(reason),
        };
        drop(progress);
        let answer = answer.unwrap_or_else(|reason| self.unknown(name, reason, &statistics, budget.elapsed()));
        let specification = match goal {
            Goal::Property(_) => None,
            Goal::Specification(specification) => Some(specification.file.clone()),
        };
        Ok(Report { property: goal.to_string(), specification, answer, ledger, statistics })
    }

    /// What a proof is worth that an engine found: whether it passes the check, what it covers, and what it says of runs that end by
    /// undefined behaviour.
    fn held(
        &mut self,
        (goal, ledger): (Goal<'_>, &Ledger),
        proof: &Proof,
        budget: &Budget,
        engine: &mut dyn Engine,
        log: &mut dyn Observer,
    ) -> Result<Result<Answer, Reason>, Failure> {
        let needed = self.args.undefined == UndefinedRule::Report && self.undefined.is_none();
        let both = if needed { self.excludes_undefined(goal, proof, &self.with_grace(budget)) } else { None };
        if both.is_some() {
            self.undefined = Some(Undefined::Excluded);
        }
        let coverage = match both {
            Some(coverage) => coverage,
            None => match self.passes(goal, proof, budget)? {
                Ok(coverage) => coverage,
                Err(limit) => return Ok(Err(self.not_modelled(ledger).unwrap_or(Reason::Unchecked(limit)))),
            },
        };
        if let Some(reason) = self.not_told(ledger, &coverage) {
            return Ok(Err(reason));
        }
        let assumed = match self.args.undefined {
            UndefinedRule::Trust => Some("assuming no undefined behaviour (--undefined trust)".to_owned()),
            UndefinedRule::Report => match self.undefined(engine, log)? {
                Undefined::Excluded => None,
                Undefined::Reached(shown) => return Ok(Ok(unknown::undefined(proof.name(), shown))),
                Undefined::Open(places) => Some(undefined::assumed(places)),
            },
        };
        Ok(Ok(self.proved(proof, coverage, assumed)))
    }

    fn budget(&self, left: usize) -> Budget {
        self.budget_of(self.args.time_limit.saturating_sub(self.start.elapsed()) / left as u32)
    }

    fn budget_of(&self, time: Duration) -> Budget {
        Budget::unlimited().with_time(time).with_memory(self.args.memory_limit, memory_in_use)
    }

    /// No proof may rest on a model that lacks behaviours.
    fn not_modelled(&self, ledger: &Ledger) -> Option<Reason> {
        let entry = self.program.ledger.left_out().or_else(|| ledger.left_out())?;
        Some(Reason::LeftOut(entry.subject.as_str().into()))
    }

    /// Nor may one that says nothing of the program, if that is because behaviours are left out, or with `--strict`.
    fn not_told(&self, ledger: &Ledger, coverage: &Coverage) -> Option<Reason> {
        let left_out = self.not_modelled(ledger);
        let vacuous = coverage.vacuous().filter(|_| left_out.is_some() || self.args.strict);
        vacuous.map(|why| Reason::Vacuous(why.into())).or(left_out)
    }

    fn unknown(&self, engine: &'static str, reason: Reason, statistics: &[(Statistic, u64)], time: Duration) -> Answer {
        let tried = match reason {
            Reason::Each(each) => each,
            reason => vec![(engine, reason)],
        };
        let lines = |file: &str, line| self.lines.line(file, line);
        let alarms = unknown::race_alarms(self.program, &tried, &self.facts, &lines);
        unknown::unknown(self.program, &tried, alarms, statistics, time, &lines)
    }

    /// Checks a proof, within what is left of the time and a little more: what it covers, or the limit that kept it from being checked.
    fn passes(&self, goal: Goal<'_>, proof: &Proof, budget: &Budget) -> Result<Result<Coverage, Limit>, Failure> {
        let budget = self.with_grace(budget);
        match certify::check_within(self.program, goal.targets(), goal.automaton(), proof, &budget) {
            Ok(coverage) => Ok(Ok(coverage)),
            Err(Refused::Limit(limit)) => Ok(Err(limit)),
            Err(Refused::Wrong(why)) => {
                Err(Failure::internal(&format!("a proof of {goal} was found but does not pass the check: {why}")))
            }
        }
    }

    /// A little more time, to check what was found at the last moment.
    fn with_grace(&self, budget: &Budget) -> Budget {
        budget.clone().with_more(self.args.time_limit / GRACE)
    }

    fn proved(&self, proof: &Proof, coverage: Coverage, assumed: Option<String>) -> Answer {
        let missing = unknown::missing(self.program, "a proof").filter(|_| self.args.strict);
        if let Some(answer) = missing {
            return answer;
        }
        match assumed {
            Some(assumed) if self.args.strict => unknown::assumed(proof.name(), &assumed),
            assumes => {
                Answer::Proved { by: proof.name(), grounds: out::grounds(self.program, proof), coverage, assumes }
            }
        }
    }

    fn violated(&mut self, goal: Goal<'_>, target: Target, trace: &Trace) -> Result<Answer, Failure> {
        let machine = Machine::new(self.program);
        let not_confirmed =
            |why: &str| Failure::internal(&format!("a violation of {goal} was found but could not be repeated: {why}"));
        let reached = match goal.automaton() {
            Some(automaton) => {
                certify::confirm_specification(&machine, automaton, trace).map(|reached| Some((automaton, reached)))
            }
            None => certify::confirm(&machine, target, trace).map(|_| None),
        };
        let reached = reached.map_err(|why| not_confirmed(&why))?;
        if let Some(answer) = unknown::missing(self.program, "a violation").filter(|_| self.args.strict) {
            return Ok(answer);
        }
        let read = |file: &str, line| self.lines.line(file, line);
        let interleaving = match reached {
            Some((automaton, reached)) => out::specification_interleaving(&machine, trace, automaton, &reached, &read),
            None => out::interleaving(&machine, trace, Some(target), &read),
        };
        let interleaving = interleaving.map_err(|error| not_confirmed(&error.to_string()))?;
        if let Some(path) = self.args.schedule_out.as_ref().filter(|_| !self.has_schedule) {
            schedule::write(path, &self.identity, trace)?;
            self.has_schedule = true;
        }
        Ok(Answer::Violated { name: goal.violation_name(target), interleaving })
    }
}

/// One violation is enough for *violated*; *proved* takes all.
fn exit(reports: &[Report]) -> Exit {
    let verdict = |report: &Report| match report.answer {
        Answer::Proved { .. } => Exit::Done,
        Answer::Violated { .. } => Exit::Violated,
        Answer::Unknown { .. } => Exit::Unknown,
    };
    let has = |exit| reports.iter().any(|report| verdict(report) == exit);
    [Exit::Violated, Exit::Unknown].into_iter().find(|exit| has(*exit)).unwrap_or(Exit::Done)
}

fn print(args: &CheckArgs, program: &Program, reports: &[Report], out: &mut dyn Write) -> io::Result<()> {
    if !args.quiet {
        let detail = if args.verbose { Detail::Full } else { Detail::Short };
        out.write_all(out::details(reports, width(), detail).as_bytes())?;
        let assumed = out::assumptions(program, reports, detail);
        if !assumed.is_empty() {
            writeln!(out, "{assumed}")?;
        }
    }
    out.write_all(out::verdict_lines(reports).as_bytes())
}

/// Of the terminal if there is one.
pub fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WIDTH, |(terminal_size::Width(columns), _)| usize::from(columns).max(NARROWEST))
}

/// Resident memory in bytes; zero where the system does not tell.
fn memory_in_use() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}

/// For messages: `2.5 s`.
fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}
