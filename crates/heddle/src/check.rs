//! `heddle check`: from files to verdicts. A violation is told only after the interpreter has repeated it.

mod unknown;

use std::io::{self, Write};
use std::time::{Duration, Instant};

use base::Budget;
use engine_random::RandomEngine;
use out::{Answer, Detail, Report};
use program::Program;
use semantics::{Machine, Trace};
use verify::{Engine, Outcome, Property, Target, Task, Verdict};

use crate::arguments::{Asked, CheckArgs, CountLimit, EngineName};
use crate::cli::{Exit, Failure};
use crate::diagnostics;
use crate::files::{self, SourceLines};
use crate::front;
use crate::progress::Progress;
use crate::schedule::{self, Identity};

/// Where there is no terminal.
const WIDTH: usize = 100;
/// Less is not worth the trouble.
const NARROWEST: usize = 40;

pub fn check(args: &CheckArgs, out: &mut dyn Write) -> Result<(Exit, io::Result<()>), Failure> {
    let start = Instant::now();
    files::can_be_made(args.json.as_ref())?;
    files::can_be_made(args.schedule_out.as_ref())?;
    let properties = properties(&args.property)?;
    let (program, identity) = front::lower_identified(&args.files, &args.front)?;
    let mut check = Check { args, program: &program, identity, start, has_schedule: false };
    let mut reports = Vec::new();
    for (i, property) in properties.iter().enumerate() {
        reports.push(check.property(*property, properties.len() - i)?);
    }
    if let Some(path) = &args.json {
        files::write(path, &out::json(&program, &reports))?;
    }
    Ok((exit(&reports), print(args, &program, &reports, out)))
}

/// Each once, in the order given.
fn properties(asked: &[Asked]) -> Result<Vec<Property>, Failure> {
    let mut properties = Vec::new();
    for asked in asked {
        let more = match asked {
            Asked::All => Property::ALL.to_vec(),
            Asked::One(property) => vec![*property],
            Asked::File(path) => {
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
    /// The schedule of the first violation is written.
    has_schedule: bool,
}

impl Check<'_> {
    /// `left` properties, this one included, share the time that is left.
    fn property(&mut self, property: Property, left: usize) -> Result<Report, Failure> {
        let task = Task { program: self.program, targets: property.targets() };
        let budget = self.budget(left);
        let mut progress = Progress::new(property, self.args.quiet, self.start, self.args.time_limit);
        let outcome = self.engine().run(&task, &budget, &mut progress);
        drop(progress);
        let Outcome { verdict, ledger, statistics } = outcome.map_err(|e| Failure::internal(&e.to_string()))?;
        let answer = match verdict {
            Verdict::Violated { target, trace } => self.violated(property, target, &trace)?,
            Verdict::Open(reason) => unknown::unknown(self.program, &reason, &statistics, budget.elapsed()),
        };
        Ok(Report { property, answer, ledger, statistics })
    }

    fn budget(&self, left: usize) -> Budget {
        let time = self.args.time_limit.saturating_sub(self.start.elapsed()) / left as u32;
        Budget::unlimited().with_time(time).with_memory(self.args.memory_limit, memory_in_use)
    }

    fn engine(&self) -> Box<dyn Engine> {
        let CountLimit::Runs(runs) = self.args.limit.last().copied().unwrap_or(CountLimit::Runs(u64::MAX));
        match self.args.engine {
            EngineName::Auto | EngineName::Random => {
                Box::new(RandomEngine { seed: self.args.seed, runs: (runs < u64::MAX).then_some(runs) })
            }
        }
    }

    fn violated(&mut self, property: Property, target: Target, trace: &Trace) -> Result<Answer, Failure> {
        let machine = Machine::new(self.program);
        let not_confirmed = |why: &str| {
            Failure::internal(&format!("a violation of {property} was found but could not be repeated: {why}"))
        };
        certify::confirm(&machine, target, trace).map_err(|why| not_confirmed(&why))?;
        if let Some(answer) = unknown::missing(self.program).filter(|_| self.args.strict) {
            return Ok(answer);
        }
        let lines = SourceLines::default();
        let read = |file: &str, line| lines.line(file, line);
        let story = out::tell(&machine, trace, Some(target), &read).map_err(|e| not_confirmed(&e.to_string()))?;
        if let Some(path) = self.args.schedule_out.as_ref().filter(|_| !self.has_schedule) {
            schedule::write(path, &self.identity, trace)?;
            self.has_schedule = true;
        }
        Ok(Answer::Violated { name: property.violation_name(target), story })
    }
}

fn exit(reports: &[Report]) -> Exit {
    let violated = reports.iter().any(|report| matches!(report.answer, Answer::Violated { .. }));
    if violated { Exit::Violated } else { Exit::Unknown }
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
