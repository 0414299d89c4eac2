//! `heddle suite`: many tasks, by Heddle and by other tools, each in a process of its own with limits.

mod answer;
pub mod arguments;
mod process;
mod progress;
mod results;
mod run;
mod summary;
mod table;
mod tasks;
mod tools;

use std::io::{self, Write};

use answer::Judgement;
use arguments::SuiteArgs;
use results::Row;

use crate::cli::{Exit, Failure};

pub fn suite(args: &SuiteArgs, out: &mut dyn Write) -> Result<(Exit, io::Result<()>), Failure> {
    let tools = tools::tools(args)?;
    let tasks::Found { tasks, notes } = tasks::tasks(args)?;
    tell(&notes, args.verbose);
    let rows = run::all(args, &tools, &tasks)?;
    let written = out.write_all(table::text(&rows, &tools, &args.out).as_bytes());
    Ok((exit(&rows), written))
}

/// Hundreds of tasks may have a property that is not known.
const MOST_NOTES: usize = 5;

fn tell(notes: &[String], verbose: bool) {
    let shown = if verbose { notes.len() } else { notes.len().min(MOST_NOTES) };
    notes[..shown].iter().for_each(|note| anstream::eprintln!("note: {note}"));
    if shown < notes.len() {
        anstream::eprintln!("note: and {} more (--verbose shows them)", notes.len() - shown);
    }
}

/// It is about Heddle: what other tools do wrong is not our failure.
fn exit(rows: &[Row<'_>]) -> Exit {
    let has =
        |judgement| rows.iter().any(|row| row.tool.is_heddle() && row.outcome.answer.judge(row.task) == judgement);
    match (has(Judgement::Wrong), has(Judgement::Crashed)) {
        (true, _) => Exit::Violated,
        (false, true) => Exit::Internal,
        _ => Exit::Done,
    }
}
