//! `heddle suite`: many tasks, by Heddle and by other tools, each in a process of its own with limits.

mod answer;
pub mod arguments;
mod html;
mod plot;
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
use tools::Tool;

use crate::cli::{Exit, Failure};
use crate::files;

pub fn suite(args: &SuiteArgs, out: &mut dyn Write) -> Result<(Exit, io::Result<()>), Failure> {
    let tools = tools::tools(args)?;
    let tasks::Found { tasks, notes } = tasks::tasks(args)?;
    show(&notes, args.verbose);
    let rows = run::all(args, &tools, &tasks)?;
    let files = write(args, &rows, &tools)?;
    let written = out.write_all(table::text(&rows, &tools, &args.out).as_bytes());
    let written = written.and_then(|()| writeln!(out, "written to {}: {files}", args.out.display()));
    Ok((exit(&rows), written))
}

/// Their names.
fn write(args: &SuiteArgs, rows: &[Row<'_>], tools: &[Tool]) -> Result<String, Failure> {
    let limit = args.time_limit.as_secs_f64();
    let mut plots = vec![("quantile.svg", plot::quantile(rows, tools, limit))];
    if let [first, second] = tools {
        plots.push(("scatter.svg", plot::scatter(rows, first, second, limit)));
    }
    let pictures: Vec<&str> = plots.iter().map(|(_, plot)| plot.as_str()).collect();
    let table = ("table.html", html::table(rows, tools, &pictures));
    let mut names = vec!["results.csv"];
    for (name, text) in std::iter::once(&table).chain(&plots) {
        files::write(&args.out.join(name), text)?;
        names.push(name);
    }
    Ok(names.join(", "))
}

/// Hundreds of tasks may have a property that is not known.
const MOST_NOTES: usize = 5;

fn show(notes: &[String], verbose: bool) {
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
