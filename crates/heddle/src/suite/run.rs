//! All runs: several at a time, each recorded as it ends.

use std::fs::{self, File};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{self, Sender};
use std::thread;

use super::answer::Answer;
use super::arguments::SuiteArgs;
use super::process::{self, Guardian, Limits, Measured};
use super::progress::Progress;
use super::results::{Earlier, Outcome, Results, Row};
use super::tasks::Task;
use super::tools::{Tool, hash};
use crate::cli::Failure;
use crate::files;

/// One tool on one task.
struct Job<'j> {
    /// Where its row stands among all.
    position: usize,
    tool: &'j Tool,
    task: &'j Task,
}

/// The rows are in the order of the tasks, for each task in that of the tools.
pub fn all<'r>(args: &SuiteArgs, tools: &'r [Tool], tasks: &'r [Task]) -> Result<Vec<Row<'r>>, Failure> {
    files::make_folder(&args.out)?;
    for tool in tools {
        files::make_folder(&args.out.join("logs").join(&tool.name))?;
        tool.prepare()?;
    }
    let mut earlier = if args.resume { Earlier::read(&args.out)? } else { Earlier::default() };
    let pairs = tasks.iter().flat_map(|task| tools.iter().map(move |tool| (tool, task)));
    let (mut rows, mut jobs) = (Vec::new(), Vec::new());
    for (position, (tool, task)) in pairs.enumerate() {
        let known = earlier.take_over(tool, task, &tool.invocation(task).text);
        if known.is_none() {
            jobs.push(Job { position, tool, task });
        }
        rows.push(known.map(|outcome| Row { tool, task, outcome }));
    }
    let mut results = Results::begin(&args.out, &earlier)?;
    let mut progress = Progress::new(args.verbose, &rows);
    work(args, &jobs, |job, outcome| {
        let row = Row { tool: job.tool, task: job.task, outcome };
        results.add(&row, &job.tool.invocation(job.task).text)?;
        progress.ended(&row);
        rows[job.position] = Some(row);
        Ok(())
    })?;
    Ok(rows.into_iter().flatten().collect())
}

/// If an outcome cannot be recorded, there is no sense in going on.
fn work<'j>(
    args: &SuiteArgs,
    jobs: &[Job<'j>],
    mut record: impl FnMut(&Job<'j>, Outcome) -> Result<(), Failure>,
) -> Result<(), Failure> {
    let cores = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let workers = args.jobs.unwrap_or_else(cores).get().min(jobs.len());
    let guardian = Guardian::start()?;
    let shared = Shared { args, jobs, guardian: &guardian, next: AtomicUsize::new(0), stop: AtomicBool::new(false) };
    thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..workers {
            let (shared, sender) = (&shared, sender.clone());
            scope.spawn(move || shared.worker(&sender));
        }
        drop(sender);
        let recorded = receiver.iter().try_for_each(|(i, outcome)| record(&jobs[i], outcome?));
        shared.stop.store(true, Ordering::Relaxed);
        recorded
    })
}

struct Shared<'s, 'j> {
    args: &'s SuiteArgs,
    jobs: &'s [Job<'j>],
    guardian: &'s Guardian,
    next: AtomicUsize,
    stop: AtomicBool,
}

impl Shared<'_, '_> {
    fn worker(&self, sender: &Sender<(usize, Result<Outcome, Failure>)>) {
        while !self.stop.load(Ordering::Relaxed) {
            let i = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = self.jobs.get(i) else { return };
            if sender.send((i, self.outcome(job))).is_err() {
                return;
            }
        }
    }

    fn outcome(&self, job: &Job<'_>) -> Result<Outcome, Failure> {
        let path = self.args.out.join(log_name(job.tool, job.task));
        let log = File::options().create(true).write(true).truncate(true).open(&path);
        let log = log.and_then(|_| File::options().append(true).open(&path));
        let log = log.map_err(|error| files::cannot_be_written(&path, &error))?;
        let limits = Limits::with_grace(self.args.time_limit, self.args.memory_limit);
        let command = job.tool.invocation(job.task).command;
        let measured = process::run(command, &log, &limits, self.guardian, &self.stop);
        Ok(outcome(job.tool, &measured, &path))
    }
}

fn outcome(tool: &Tool, measured: &Measured, log: &Path) -> Outcome {
    let printed = fs::read(log).unwrap_or_default();
    let answer = tool.answer(&measured.ending, &String::from_utf8_lossy(&printed));
    Outcome {
        answer: one_line(answer),
        seconds: measured.time.as_secs_f64(),
        cpu_seconds: measured.usage.time.as_secs_f64(),
        megabytes: Some(measured.usage.memory as f64 / 1e6).filter(|size| *size > 0.0),
    }
}

/// What a tool says may contain anything.
fn one_line(answer: Answer) -> Answer {
    let clean = |text: String| text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    match answer {
        Answer::Unknown(why) => Answer::Unknown(clean(why)),
        Answer::Crashed(how) => Answer::Crashed(clean(how)),
        other => other,
    }
}

/// Inside the folder of results. The same for the same task, whatever list it is in.
pub fn log_name(tool: &Tool, task: &Task) -> PathBuf {
    let stem = Path::new(&task.name).file_stem().unwrap_or_default().to_string_lossy();
    let plain = |c: char| if c.is_ascii_alphanumeric() || "-_.".contains(c) { c } else { '_' };
    let stem: String = stem.chars().map(plain).take(80).collect();
    let number = hash(format!("{}\0{}", task.name, super::tools::model_name(task.model)).as_bytes());
    Path::new("logs").join(&tool.name).join(format!("{stem}.{}.{number:016x}.log", task.property))
}
