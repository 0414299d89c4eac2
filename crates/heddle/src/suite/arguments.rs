//! The options of `suite`, and how their values are written.

use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use regex_lite::Regex;

use crate::arguments::{Requested, duration, requested, size};
use crate::choices::by_name;
use crate::cli::DataModel;
use crate::engines::{ENGINES, Entry};

#[derive(Debug, Args)]
pub struct SuiteArgs {
    /// Lists (.tsv), task definitions (.yml), sets of them (.set), or C files, each of which is one program
    #[arg(required = true, value_name = "TASKS")]
    pub tasks: Vec<PathBuf>,
    /// Only these properties; of C files, what to check (unreach-call if none is given); may be given several times
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = requested)]
    pub property: Vec<Requested>,
    /// Only tasks with or without threads
    #[arg(long, value_name = "yes|no")]
    pub threads: Option<Threads>,
    /// Only tasks whose file name contains this
    #[arg(long = "match", value_name = "SUBSTRING")]
    pub containing: Option<String>,
    /// Only so many tasks, chosen at random
    #[arg(long, value_name = "N")]
    pub sample: Option<usize>,
    /// Which of the random choices
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Sizes of types where a task does not say
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: DataModel,
    /// How Heddle looks for a verdict (see `heddle explain engines`); several are compared
    #[arg(long, value_name = "NAME", value_parser = by_name(ENGINES, Entry::name_and_help), default_value = "auto")]
    pub engine: Vec<&'static Entry>,
    /// For each run; it is killed a little later
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time_limit: Duration,
    /// For each run, all of its processes together
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "4GB")]
    pub memory_limit: u64,
    /// Runs at the same time (default: one for each core)
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Where results, tables, plots and logs are written
    #[arg(long, value_name = "DIR", default_value = "heddle-suite")]
    pub out: PathBuf,
    /// Go on with the results that are there: a run with the same command is not repeated
    #[arg(long)]
    pub resume: bool,
    /// Another tool for the same tasks; {file}, {property}, {property_file}, {model}, {bits}, {time}, {memory} stand for values
    #[arg(long, value_name = "NAME=COMMAND", value_parser = named_command)]
    pub tool: Vec<NamedCommand>,
    /// How another tool's output is read (default: TRUE, FALSE, VERIFICATION SUCCESSFUL or FAILED; the last one counts)
    #[arg(long, value_name = "NAME=true:REGEX,false:REGEX", value_parser = named_verdicts)]
    pub verdict: Vec<NamedVerdicts>,
    /// One line for each run as it ends
    #[arg(long, short)]
    pub verbose: bool,
    /// After `--`: options for every `heddle check`
    #[arg(last = true, value_name = "OPTIONS")]
    pub options: Vec<OsString>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Threads {
    Yes,
    No,
}

#[derive(Clone, Debug)]
pub struct NamedCommand {
    pub name: String,
    pub command: String,
}

#[derive(Clone, Debug)]
pub struct NamedVerdicts {
    pub name: String,
    pub verdicts: Verdicts,
}

/// What in the output of a tool is an answer.
#[derive(Clone, Debug)]
pub struct Verdicts {
    pub holds: Option<Regex>,
    pub violated: Option<Regex>,
}

impl Default for Verdicts {
    fn default() -> Self {
        let known = |text| regex(text).expect("a regular expression of ours");
        Verdicts {
            holds: Some(known(r"^VERDICT: true|\bTRUE\b|\bVERIFICATION SUCCESSFUL\b")),
            violated: Some(known(r"^VERDICT: false|\bFALSE\b|\bVERIFICATION FAILED\b")),
        }
    }
}

fn named_command(text: &str) -> Result<NamedCommand, String> {
    let (name, command) = named(text)?;
    Ok(NamedCommand { name: name.to_owned(), command: command.to_owned() })
}

fn named_verdicts(text: &str) -> Result<NamedVerdicts, String> {
    let (name, text) = named(text)?;
    Ok(NamedVerdicts { name: name.to_owned(), verdicts: verdicts(text)? })
}

/// Names become folders.
fn named(text: &str) -> Result<(&str, &str), String> {
    let (name, rest) = text.split_once('=').ok_or("write NAME=…")?;
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_.+".contains(c);
    if name.is_empty() || name.starts_with('.') || !name.chars().all(plain) {
        return Err(format!("‘{name}’ is no name: letters, digits and -_.+ are"));
    }
    if rest.trim().is_empty() {
        return Err(format!("nothing follows {name}="));
    }
    Ok((name, rest))
}

fn verdicts(text: &str) -> Result<Verdicts, String> {
    let (holds, violated) = match (text.strip_prefix("true:"), text.strip_prefix("false:")) {
        (Some(rest), _) => match rest.rsplit_once(",false:") {
            Some((holds, violated)) => (Some(holds), Some(violated)),
            None => (Some(rest), None),
        },
        (_, Some(violated)) => (None, Some(violated)),
        _ => return Err("write true:REGEX,false:REGEX (or one of the two)".to_owned()),
    };
    Ok(Verdicts { holds: holds.map(regex).transpose()?, violated: violated.map(regex).transpose()? })
}

/// `^` and `$` are about lines.
fn regex(text: &str) -> Result<Regex, String> {
    Regex::new(&format!("(?m){text}")).map_err(|error| format!("‘{text}’ is no regular expression: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_counts_as_a_verdict() {
        let both = verdicts("true:^yes,or,false:^no").expect("two expressions");
        assert_eq!(both.holds.map(|r| r.to_string()), Some("(?m)^yes,or".to_owned()));
        assert_eq!(both.violated.map(|r| r.to_string()), Some("(?m)^no".to_owned()));
        assert!(verdicts("false:no").is_ok_and(|v| v.holds.is_none() && v.violated.is_some()));
        assert!(verdicts("yes").is_err() && verdicts("true:(").is_err());
    }

    #[test]
    fn names_of_tools() {
        assert!(named_command("cbmc-6.1=cbmc {file}").is_ok());
        for text in ["cbmc", "=cbmc", "../x=cbmc", "a b=cbmc", "cbmc= "] {
            assert!(named_command(text).is_err(), "{text}");
        }
    }
}
