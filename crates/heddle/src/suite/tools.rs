//! The tools that are run: Heddle itself, and others for comparison. A tool makes a command of a task and an answer of what the
//! command printed.

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use verify::Property;

use super::answer::Answer;
use super::arguments::{NamedCommand, SuiteArgs, Verdicts};
use super::process::Ending;
use super::tasks::Task;
use crate::cli::{DataModel, Exit, Failure};
use crate::files;

pub struct Tool {
    pub name: String,
    /// What besides the command decides about results: of Heddle, which build it is.
    pub build: String,
    kind: Kind,
    limits: Written,
}

enum Kind {
    Heddle { program: PathBuf, engine: &'static str, options: Vec<OsString> },
    Other { command: String, verdicts: Verdicts, property_files: PathBuf },
}

/// Limits as they stand in commands.
#[derive(Clone)]
struct Written {
    seconds: f64,
    bytes: u64,
}

/// How a run is started, and how that is written.
pub struct Invocation {
    pub command: Command,
    pub text: String,
}

/// Heddle first.
pub fn tools(args: &SuiteArgs) -> Result<Vec<Tool>, Failure> {
    let program = std::env::current_exe().map_err(|e| Failure::internal(&format!("where is this program? {e}")))?;
    let build = build_of(&program);
    let mut tools: Vec<Tool> = Vec::new();
    for engine in &args.engine {
        let kind = Kind::Heddle { program: program.clone(), engine: engine.name, options: args.options.clone() };
        let name = match args.engine.len() {
            1 => "heddle".to_owned(),
            _ => format!("heddle-{}", engine.name),
        };
        add(&mut tools, Tool { name, build: build.clone(), kind, limits: Written::new(args) })?;
    }
    for NamedCommand { name, command } in &args.tool {
        let verdicts = args.verdict.iter().rfind(|v| v.name == *name).map(|v| v.verdicts.clone()).unwrap_or_default();
        let property_files = args.out.join("properties");
        let kind = Kind::Other { command: command.clone(), verdicts, property_files };
        add(&mut tools, Tool { name: name.clone(), build: String::new(), kind, limits: Written::new(args) })?;
    }
    match args.verdict.iter().find(|v| !args.tool.iter().any(|tool| tool.name == v.name)) {
        Some(v) => {
            Err(Failure::usage(&format!("--verdict is about ‘{}’, but there is no --tool of that name", v.name)))
        }
        None => Ok(tools),
    }
}

fn add(tools: &mut Vec<Tool>, tool: Tool) -> Result<(), Failure> {
    if tools.iter().any(|other| other.name == tool.name) {
        return Err(Failure::usage(&format!("two tools are called ‘{}’", tool.name)));
    }
    tools.push(tool);
    Ok(())
}

/// Another build may give other answers to the same command.
fn build_of(program: &Path) -> String {
    let bytes = std::fs::read(program).unwrap_or_default();
    format!("{:016x}", hash(&bytes))
}

/// FNV-1a on words of eight bytes.
pub fn hash(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0u64, |word, byte| (word << 8) | u64::from(*byte));
    let step = |hash: u64, chunk: &[u8]| (hash ^ word(chunk)).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    bytes.chunks(8).fold(0xcbf2_9ce4_8422_2325 ^ bytes.len() as u64, step)
}

impl Written {
    fn new(args: &SuiteArgs) -> Self {
        Written { seconds: args.time_limit.as_secs_f64(), bytes: args.memory_limit }
    }
}

impl Tool {
    pub fn is_heddle(&self) -> bool {
        matches!(self.kind, Kind::Heddle { .. })
    }

    /// Some tools want properties as files, which only task definitions have.
    pub fn prepare(&self) -> Result<(), Failure> {
        let Kind::Other { command, property_files, .. } = &self.kind else { return Ok(()) };
        if !command.contains("{property_file}") {
            return Ok(());
        }
        files::make_folder(property_files)?;
        Property::ALL.iter().try_for_each(|p| files::write(&own_property_file(property_files, *p), file_text(*p)))
    }

    pub fn invocation(&self, task: &Task) -> Invocation {
        match &self.kind {
            Kind::Heddle { program, engine, options } => {
                let arguments = self.check(engine, options, task);
                let words = arguments.iter().map(|word| quoted(&word.to_string_lossy()));
                let text = std::iter::once("heddle".to_owned()).chain(words).collect::<Vec<_>>().join(" ");
                let mut command = Command::new(program);
                command.args(arguments);
                Invocation { command, text }
            }
            Kind::Other { command: pattern, property_files, .. } => {
                let text = self.filled(pattern, property_files, task);
                let mut command = Command::new("sh");
                command.arg("-c").arg(&text);
                Invocation { command, text }
            }
        }
    }

    fn check(&self, engine: &str, options: &[OsString], task: &Task) -> Vec<OsString> {
        let time = format!("{}s", self.limits.seconds);
        let bytes = self.limits.bytes.to_string();
        let fixed = [
            ["--property", task.property.name()],
            ["--data-model", model_name(task.model)],
            ["--engine", engine],
            ["--time-limit", &time],
            ["--memory-limit", &bytes],
        ];
        let mut arguments: Vec<OsString> = vec!["check".into(), "--quiet".into()];
        arguments.extend(fixed.concat().into_iter().map(OsString::from));
        arguments.extend(options.iter().cloned());
        arguments.push("--".into());
        arguments.extend(task.files.iter().map(|file| file.as_os_str().to_owned()));
        arguments
    }

    fn filled(&self, pattern: &str, property_files: &Path, task: &Task) -> String {
        let files: Vec<String> = task.files.iter().map(|file| quoted(&file.to_string_lossy())).collect();
        let own = || own_property_file(property_files, task.property);
        let property_file = task.property_file.clone().unwrap_or_else(own);
        let values = [
            ("{file}", files.join(" ")),
            ("{property}", task.property.name().to_owned()),
            ("{property_file}", quoted(&property_file.to_string_lossy())),
            ("{model}", model_name(task.model).to_owned()),
            ("{bits}", if task.model == DataModel::Lp64 { "64" } else { "32" }.to_owned()),
            ("{time}", self.limits.seconds.to_string()),
            ("{memory}", self.limits.bytes.to_string()),
        ];
        filled(pattern, &values)
    }

    pub fn answer(&self, ending: &Ending, log: &str) -> Answer {
        match ending {
            Ending::TimeLimit => Answer::Unknown("time limit, killed".to_owned()),
            Ending::MemoryLimit => Answer::Unknown("memory limit, killed".to_owned()),
            Ending::OutputLimit => Answer::Unknown("output limit, killed".to_owned()),
            Ending::Signal(signal) => Answer::Crashed(format!("signal {signal}")),
            Ending::NotStarted(why) => Answer::Crashed(format!("not started: {why}")),
            Ending::Code(code) => match &self.kind {
                Kind::Heddle { .. } => heddle_answer(*code, log),
                Kind::Other { verdicts, .. } => other_answer(*code, log, verdicts),
            },
        }
    }
}

/// In one pass, so that no value is taken for a placeholder.
fn filled(pattern: &str, values: &[(&str, String)]) -> String {
    let mut text = String::new();
    let mut rest = pattern;
    while let Some(start) = rest.find('{') {
        let (before, from) = rest.split_at(start);
        text.push_str(before);
        match values.iter().find(|(name, _)| from.starts_with(name)) {
            Some((name, value)) => {
                text.push_str(value);
                rest = &from[name.len()..];
            }
            None => {
                text.push('{');
                rest = &from[1..];
            }
        }
    }
    text + rest
}

/// The verdict and the exit code must agree: otherwise something went wrong after the verdict.
fn heddle_answer(code: i32, log: &str) -> Answer {
    let verdict = log.lines().rev().find_map(|line| line.strip_prefix("VERDICT: ")).and_then(Answer::parse);
    let exit = |exit: Exit| code == exit as i32;
    match verdict {
        Some(Answer::True) if exit(Exit::Done) => Answer::True,
        Some(Answer::False(what)) if exit(Exit::Violated) => Answer::False(what),
        Some(Answer::Unknown(why)) if exit(Exit::Unknown) => Answer::Unknown(why),
        None if exit(Exit::Refused) => Answer::Unknown(format!("refused: {}", first_error(log))),
        _ => Answer::Crashed(format!("exit code {code}")),
    }
}

fn first_error(log: &str) -> String {
    let line = log.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or("no reason given");
    line.chars().take(80).collect()
}

/// The last verdict in the output counts. A shell tells by its exit code that a command was not there (126, 127) or was killed.
fn other_answer(code: i32, log: &str, verdicts: &Verdicts) -> Answer {
    let last = |regex: &Option<regex_lite::Regex>| {
        regex.as_ref().and_then(|regex| regex.find_iter(log).last()).map(|found| found.start())
    };
    let (holds, violated) = (last(&verdicts.holds), last(&verdicts.violated));
    match code {
        126 | 127 => Answer::Crashed("command not found".to_owned()),
        129..=192 => Answer::Crashed(format!("signal {}", code - 128)),
        _ if holds > violated => Answer::True,
        _ if violated.is_some() => Answer::False(None),
        0 => Answer::Unknown("no verdict".to_owned()),
        _ => Answer::Unknown(format!("no verdict: exit code {code}")),
    }
}

/// As one word of a shell.
pub fn quoted(text: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=+:,@%".contains(c);
    if !text.is_empty() && text.chars().all(plain) {
        return text.to_owned();
    }
    let mut word = String::new();
    let _ = write!(word, "'{}'", text.replace('\'', r"'\''"));
    word
}

pub fn model_name(model: DataModel) -> &'static str {
    match model {
        DataModel::Lp64 => "lp64",
        DataModel::Ilp32 => "ilp32",
    }
}

fn own_property_file(folder: &Path, property: Property) -> PathBuf {
    folder.join(format!("{property}.prp"))
}

fn file_text(property: Property) -> &'static str {
    match property {
        Property::UnreachCall => "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        Property::NoDataRace => "CHECK( init(main()), LTL(G ! data-race) )\n",
        Property::NoDeadlock => "CHECK( init(main()), LTL(G ! deadlock) )\n",
        Property::NoOverflow => "CHECK( init(main()), LTL(G ! overflow) )\n",
        Property::ValidMemsafety => {
            "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\nCHECK( init(main()), LTL(G valid-memtrack) )\n"
        }
        Property::ValidMemcleanup => "CHECK( init(main()), LTL(G valid-memcleanup) )\n",
        Property::Termination => "CHECK( init(main()), LTL(F end) )\n",
    }
}

#[cfg(test)]
mod tests;
