//! One run of a tool: a process group of its own that is measured and ends when it must.

mod group;
mod guardian;

use std::fs::File;
use std::io;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use group::Usage;
pub use guardian::Guardian;

/// Between two looks at a process: short at first, because most tasks take no time.
const SHORTEST: Duration = Duration::from_millis(1);
const LONGEST: Duration = Duration::from_millis(20);
/// To find out what a group uses, all processes of the system are looked at: first soon, then seldom.
const FIRST_MEASURE: Duration = Duration::from_millis(10);
const BETWEEN_MEASURES: Duration = Duration::from_millis(200);
/// A tool that prints more than this is ended before it fills the disk.
const MOST_OUTPUT: u64 = 64 << 20;

pub struct Limits {
    pub time: Duration,
    pub memory: u64,
}

impl Limits {
    /// Tools that know their limits need a moment to end by themselves.
    pub fn with_grace(time: Duration, memory: u64) -> Limits {
        let time = time.saturating_add(Duration::from_secs(1)).saturating_add(time / 20);
        Limits { time, memory: memory.saturating_add(memory / 8) }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    Code(i32),
    Signal(i32),
    TimeLimit,
    MemoryLimit,
    OutputLimit,
    NotStarted(String),
}

pub struct Measured {
    pub ending: Ending,
    pub time: Duration,
    pub usage: Usage,
}

/// What it prints goes to `log`. Nothing of its group is left when this returns.
pub fn run(mut command: Command, log: &File, limits: &Limits, guardian: &Guardian, stop: &AtomicBool) -> Measured {
    let start = Instant::now();
    let child =
        with_output(&mut command, log).and_then(|command| command.stdin(Stdio::null()).process_group(0).spawn());
    match child {
        Ok(child) => {
            let mut running = Running::new(child, start);
            guardian.watch(running.group);
            let limit = running.until_end(log, limits, stop);
            running.finish(limit, guardian)
        }
        Err(error) => {
            let ending = Ending::NotStarted(error.to_string());
            Measured { ending, time: start.elapsed(), usage: Usage::default() }
        }
    }
}

fn with_output<'c>(command: &'c mut Command, log: &File) -> io::Result<&'c mut Command> {
    Ok(command.stdout(log.try_clone()?).stderr(log.try_clone()?))
}

struct Running {
    child: Child,
    group: Pid,
    start: Instant,
    next_measure: Duration,
    usage: Usage,
}

impl Running {
    fn new(child: Child, start: Instant) -> Self {
        let group = Pid::from_child(&child);
        Running { child, group, start, next_measure: FIRST_MEASURE, usage: Usage::default() }
    }

    /// `None` when it has ended by itself.
    fn until_end(&mut self, log: &File, limits: &Limits, stop: &AtomicBool) -> Option<Ending> {
        let mut pause = SHORTEST;
        while !self.has_ended() {
            if self.start.elapsed() >= limits.time || stop.load(Ordering::Relaxed) {
                return Some(Ending::TimeLimit);
            }
            if self.start.elapsed() >= self.next_measure {
                self.measure();
                if self.usage.memory > limits.memory {
                    return Some(Ending::MemoryLimit);
                }
                if log.metadata().is_ok_and(|data| data.len() > MOST_OUTPUT) {
                    return Some(Ending::OutputLimit);
                }
            }
            thread::sleep(pause);
            pause = (pause * 3 / 2).min(LONGEST);
        }
        None
    }

    /// It is not taken off the system's table yet, so that its number, which is the group's, is no other's.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        !matches!(waitid(WaitId::Pid(self.group), options), Ok(None))
    }

    fn measure(&mut self) {
        self.usage.grow(&group::of_group(self.group));
        let now = self.start.elapsed();
        self.next_measure = now + now.min(BETWEEN_MEASURES);
    }

    fn finish(mut self, limit: Option<Ending>, guardian: &Guardian) -> Measured {
        let time = self.start.elapsed();
        if limit.is_some() {
            self.measure();
        }
        let _ = kill_process_group(self.group, Signal::KILL);
        let _ = waitid(WaitId::Pid(self.group), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT);
        self.usage.grow(&group::of_process(self.group));
        guardian.release(self.group);
        let status = self.child.wait();
        let ending = limit.unwrap_or_else(|| match status {
            Ok(status) => ending(status),
            Err(error) => Ending::NotStarted(error.to_string()),
        });
        Measured { ending, time, usage: self.usage }
    }
}

fn ending(status: ExitStatus) -> Ending {
    match (status.code(), status.signal()) {
        (Some(code), _) => Ending::Code(code),
        (None, signal) => Ending::Signal(signal.unwrap_or(0)),
    }
}
