//! How far the runs are: one line on a terminal, with `--verbose` also one line for each run.

use std::io::{self, IsTerminal, Write};
use std::time::{Duration, Instant};

use super::answer::Judgement;
use super::results::Row;

const CLEAR: &str = "\r\x1b[K";

pub struct Progress {
    verbose: bool,
    terminal: bool,
    start: Instant,
    total: usize,
    /// Before this start, by `--resume`.
    known: usize,
    done: usize,
    solved: usize,
    wrong: usize,
}

impl Progress {
    pub fn new(verbose: bool, rows: &[Option<Row<'_>>]) -> Self {
        let terminal = io::stderr().is_terminal();
        let (total, start) = (rows.len(), Instant::now());
        let mut progress = Progress { verbose, terminal, start, total, known: 0, done: 0, solved: 0, wrong: 0 };
        rows.iter().flatten().for_each(|row| progress.count(row));
        progress.known = progress.done;
        progress.show();
        progress
    }

    pub fn ended(&mut self, row: &Row<'_>) {
        self.count(row);
        if self.verbose {
            let clear = if self.terminal { CLEAR } else { "" };
            let Row { tool, task, outcome } = row;
            let judgement = match outcome.answer.judge(task) {
                Judgement::Wrong => " WRONG",
                _ => "",
            };
            let counts = format!("{}/{}", self.done, self.total);
            let _ = writeln!(
                io::stderr(),
                "{clear}{counts} {} {} {}: {}{judgement}, {:.2} s",
                tool.name,
                task.name,
                task.property,
                outcome.answer,
                outcome.seconds
            );
        }
        self.show();
    }

    fn count(&mut self, row: &Row<'_>) {
        self.done += 1;
        match row.outcome.answer.judge(row.task) {
            Judgement::Correct | Judgement::Unjudged => self.solved += 1,
            Judgement::Wrong => self.wrong += 1,
            Judgement::Unknown | Judgement::Crashed => {}
        }
    }

    fn show(&self) {
        if self.terminal {
            let Progress { done, total, solved, wrong, .. } = self;
            let left = self.left().map(|left| format!(", about {} left", rough(left))).unwrap_or_default();
            let _ = write!(io::stderr(), "{CLEAR}{done}/{total} done, {solved} solved, {wrong} wrong{left}");
        }
    }

    /// If the others take as long as those before them.
    fn left(&self) -> Option<Duration> {
        let ended = u32::try_from(self.done - self.known).ok().filter(|ended| *ended > 0)?;
        Some(self.start.elapsed() / ended * u32::try_from(self.total - self.done).unwrap_or(u32::MAX))
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if self.terminal {
            let _ = write!(io::stderr(), "{CLEAR}");
        }
    }
}

fn rough(time: Duration) -> String {
    match time.as_secs() {
        seconds @ 0..100 => format!("{seconds} s"),
        seconds @ 100..6000 => format!("{} min", seconds.div_ceil(60)),
        seconds => format!("{:.1} h", seconds as f64 / 3600.0),
    }
}
