//! `results.csv`: one row for each run, written as it ends, read again by `--resume`.

mod csv;

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::answer::Answer;
use super::tasks::{Expected, Task};
use super::tools::{Tool, model_name};
use crate::cli::Failure;
use crate::diagnostics;
use crate::files;

const NAME: &str = "results.csv";
const HEADING: [&str; 13] = [
    "tool",
    "suite",
    "file",
    "property",
    "expected",
    "data_model",
    "verdict",
    "judgement",
    "seconds",
    "cpu_seconds",
    "memory_mb",
    "command",
    "build",
];

/// What came out of one run.
#[derive(Clone, PartialEq, Debug)]
pub struct Outcome {
    pub answer: Answer,
    pub seconds: f64,
    pub cpu_seconds: f64,
    /// Unknown of the shortest runs.
    pub megabytes: Option<f64>,
}

/// A run and its outcome.
pub struct Row<'r> {
    pub tool: &'r Tool,
    pub task: &'r Task,
    pub outcome: Outcome,
}

pub struct Results {
    path: PathBuf,
    file: File,
}

impl Results {
    /// What is there is kept under another name; of it, what was `taken_over` stays.
    pub fn begin(folder: &Path, taken_over: &Earlier) -> Result<Results, Failure> {
        let path = folder.join(NAME);
        if path.is_file() {
            let kept = folder.join("results.previous.csv");
            fs::copy(&path, &kept).map_err(|error| files::cannot_be_written(&kept, &error))?;
        }
        let rows = taken_over.0.values().map(|row| line(&row.cells));
        let text = std::iter::once(line(&HEADING.map(str::to_owned))).chain(rows);
        files::write(&path, &text.collect::<String>())?;
        let file = OpenOptions::new().append(true).open(&path);
        let file = file.map_err(|error| files::cannot_be_written(&path, &error))?;
        Ok(Results { path, file })
    }

    pub fn add(&mut self, row: &Row<'_>, command: &str) -> Result<(), Failure> {
        let Row { tool, task, outcome } = row;
        let cells = [
            tool.name.clone(),
            task.suite.clone(),
            task.name.clone(),
            task.property.name().to_owned(),
            Expected::word(task.expected.as_ref()).to_owned(),
            model_name(task.model).to_owned(),
            outcome.answer.to_string(),
            outcome.answer.judge(task).word().to_owned(),
            format!("{:.3}", outcome.seconds),
            format!("{:.2}", outcome.cpu_seconds),
            outcome.megabytes.map(|size| format!("{size:.1}")).unwrap_or_default(),
            command.to_owned(),
            tool.build.clone(),
        ];
        self.file.write_all(line(&cells).as_bytes()).map_err(|error| files::cannot_be_written(&self.path, &error))
    }
}

/// Rows of an earlier time, by tool, file and property.
#[derive(Default)]
pub struct Earlier(BTreeMap<[String; 3], EarlierRow>);

struct EarlierRow {
    cells: Vec<String>,
    outcome: Outcome,
}

impl Earlier {
    /// All rows that are whole: the last one may be torn. None if there is no file.
    pub fn read(folder: &Path) -> Result<Earlier, Failure> {
        let path = folder.join(NAME);
        if !path.is_file() {
            return Ok(Earlier::default());
        }
        let mut rows = csv::rows(&files::read(&path)?).into_iter();
        if rows.next().is_none_or(|heading| heading != HEADING) {
            let why = "is not from this version of heddle suite, so --resume cannot go on with it";
            return Err(Failure::refused(diagnostics::plain(&format!("{} {why}", path.display()))));
        }
        let whole = rows.filter(|cells| cells.len() == HEADING.len());
        let row = |cells: Vec<String>| Some((key(&cells[0], &cells[2], &cells[3]), earlier_row(cells)?));
        Ok(Earlier(whole.filter_map(row).collect()))
    }

    /// The outcome of the same command, or nothing: then it is forgotten, because there will be another.
    pub fn take_over(&mut self, tool: &Tool, task: &Task, command: &str) -> Option<Outcome> {
        let key = key(&tool.name, &task.name, task.property.name());
        let same = |row: &EarlierRow| row.cells[11] == command && row.cells[12] == tool.build;
        match self.0.get(&key) {
            Some(row) if same(row) => Some(row.outcome.clone()),
            _ => {
                self.0.remove(&key);
                None
            }
        }
    }
}

fn earlier_row(cells: Vec<String>) -> Option<EarlierRow> {
    outcome(&cells).map(|outcome| EarlierRow { cells, outcome })
}

fn outcome(cells: &[String]) -> Option<Outcome> {
    Some(Outcome {
        answer: Answer::parse(&cells[6])?,
        seconds: cells[8].parse().ok()?,
        cpu_seconds: cells[9].parse().ok()?,
        megabytes: cells[10].parse().ok(),
    })
}

fn key(tool: &str, file: &str, property: &str) -> [String; 3] {
    [tool, file, property].map(str::to_owned)
}

fn line(cells: &[String]) -> String {
    let cells: Vec<String> = cells.iter().map(|cell| csv::cell(cell)).collect();
    cells.join(",") + "\n"
}
