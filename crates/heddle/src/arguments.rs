//! The options of `check` and `run`, and how their values are written.

use std::num::{IntErrorKind, ParseIntError};
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgAction, Args, ValueEnum};
use engine_cpa::{Join, Partition, Reduction, Strategy, Track};
use verify::Property;

use crate::choices::{JOINS, ORDERS, PARTITIONS, REDUCTIONS, SYMMETRIES, TRACKS, by_name, one_of};
use crate::cli::FrontArgs;
use crate::engines::{ENGINES, Entry};

#[derive(Debug, Args)]
pub struct CheckArgs {
    /// C files (.c, or .i if preprocessed) that make up one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// What to check: a name (see `heddle explain properties`), `all`, or a property file (.prp); may be given several times;
    /// unreach-call if nothing is said
    #[arg(long, value_name = "NAME|FILE.prp", value_parser = requested)]
    pub property: Vec<Requested>,
    /// Check automata of your own (see `heddle explain specifications`), or a built-in one: deadlock; may be given several times
    #[arg(long, value_name = "FILE.spec|NAME")]
    pub spec: Vec<PathBuf>,
    #[command(flatten)]
    pub front: FrontArgs,
    /// How to look for a verdict (see `heddle explain engines`)
    #[arg(long, value_name = "NAME", value_parser = by_name(ENGINES, Entry::name_and_help), default_value = "auto")]
    pub engine: &'static Entry,
    #[command(flatten)]
    pub search: SearchArgs,
    /// Stop after this time: 60s, 500ms, 2m
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "60s")]
    pub time_limit: Duration,
    /// Stop when more memory is in use: 4GB, 500MB
    #[arg(long, value_name = "SIZE", value_parser = size, default_value = "4GB")]
    pub memory_limit: u64,
    /// Stop after a count: runs=N, states=N (for each property)
    #[arg(long, value_name = "NAME=N", value_parser = limit)]
    pub limit: Vec<CountLimit>,
    /// Where randomness begins: the same seed with a limit by count gives the same result
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// No verdict that rests on an assumption about missing code or undefined behaviour, nor a vacuous proof
    #[arg(long)]
    pub strict: bool,
    /// Undefined behaviour that the property does not cover: `report` withholds a proof where a run comes to it, `trust` takes it
    /// that no run does
    #[arg(long, value_name = "RULE", default_value = "report")]
    pub undefined: UndefinedRule,
    /// Write the schedule of the (first) violation, for `heddle run --schedule`
    #[arg(long, value_name = "FILE")]
    pub schedule_out: Option<PathBuf>,
    /// Write the result as JSON
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Print the verdict only
    #[arg(long, short)]
    pub quiet: bool,
    /// Show more: every line of a violation, every possible race, everything assumed, statistics
    #[arg(long, short, conflicts_with = "quiet")]
    pub verbose: bool,
}

#[derive(Debug, Args)]
pub struct RunArgs {
    /// C files (.c, or .i if preprocessed) that make up one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub front: FrontArgs,
    /// Which random run
    #[arg(long, value_name = "N", default_value_t = 1, conflicts_with = "schedule")]
    pub seed: u64,
    /// Repeat a recorded run
    #[arg(long, value_name = "FILE")]
    pub schedule: Option<PathBuf>,
    /// Record the run
    #[arg(long, value_name = "FILE")]
    pub schedule_out: Option<PathBuf>,
    /// Stop after this many steps
    #[arg(long, value_name = "N", default_value_t = 10_000_000)]
    pub steps: u64,
    /// Show what the threads do even if nothing is wrong, line by line
    #[arg(long)]
    pub trace: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum UndefinedRule {
    Report,
    Trust,
}

/// How the engines that keep states search.
#[derive(Clone, Copy, Debug, Args)]
pub struct SearchArgs {
    /// Which steps of threads are made: all, or as few as suffice
    #[arg(long, value_name = "NAME", value_parser = one_of(REDUCTIONS), default_value = "source")]
    pub reduction: Reduction,
    /// Which states the engine `interval` joins
    #[arg(long, value_name = "NAME", value_parser = one_of(JOINS), default_value = "places")]
    pub join: Join,
    /// Which numbers the engine `value` keeps in states
    #[arg(long, value_name = "NAME", value_parser = one_of(TRACKS), default_value = "auto")]
    pub track: Track,
    /// Explore without static facts: neither proofs nor reductions rest on them
    #[arg(long)]
    pub no_static: bool,
    /// Leave out steps that were made in another order: sleep sets
    #[arg(long)]
    pub sleep: bool,
    /// Keep states once that differ only in the names of threads
    #[arg(long, value_name = "NAME", action = ArgAction::Set, value_parser = one_of(SYMMETRIES), default_value = "on")]
    pub symmetry: bool,
    /// Which state is next
    #[arg(long, value_name = "NAME", value_parser = one_of(ORDERS), default_value = "mixed")]
    pub order: Strategy,
    /// How states that were reached are looked up
    #[arg(long, value_name = "NAME", value_parser = one_of(PARTITIONS), default_value = "hash")]
    pub partition: Partition,
}

/// A property as the user names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Requested {
    All,
    One(Property),
    File(PathBuf),
}

pub fn requested(text: &str) -> Result<Requested, String> {
    match (text, Property::from_name(text)) {
        ("all", _) => Ok(Requested::All),
        (_, Some(property)) => Ok(Requested::One(property)),
        _ if text.ends_with(".prp") => Ok(Requested::File(text.into())),
        _ => {
            let names: Vec<_> = Property::ALL.iter().map(|property| property.name()).collect();
            Err(format!("there are {}, all, and files that end in .prp", names.join(", ")))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CountLimit {
    Runs(u64),
    States(u64),
}

fn limit(text: &str) -> Result<CountLimit, String> {
    let number = |text: &str| {
        text.parse().map_err(|error: ParseIntError| match error.kind() {
            IntErrorKind::PosOverflow => format!("{text} is too large: {} is the most", u64::MAX),
            _ => format!("‘{text}’ is no number"),
        })
    };
    match text.split_once('=') {
        Some(("runs", count)) => number(count).map(CountLimit::Runs),
        Some(("states", count)) => number(count).map(CountLimit::States),
        _ => Err("there are runs=N and states=N".to_owned()),
    }
}

/// `60s`, `500ms`, `2m`, `1h`; a plain number is in seconds.
pub fn duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = number_and_unit(text)?;
    let seconds = match unit {
        "" | "s" => number,
        "ms" => number / 1e3,
        "m" | "min" => number * 60.0,
        "h" => number * 3600.0,
        _ => return Err("write for example 60s, 500ms or 2m".to_owned()),
    };
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

/// `4GB`, `500MB`; a plain number is in bytes. Units are powers of 1000, with `i` of 1024.
pub fn size(text: &str) -> Result<u64, String> {
    let (number, unit) = number_and_unit(text)?;
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1.0,
        "k" | "kb" => 1e3,
        "m" | "mb" => 1e6,
        "g" | "gb" => 1e9,
        "kib" => 1024.0,
        "mib" => 1024.0 * 1024.0,
        "gib" => 1024.0 * 1024.0 * 1024.0,
        _ => return Err("write for example 4GB or 500MB".to_owned()),
    };
    Ok((number * factor) as u64)
}

fn number_and_unit(text: &str) -> Result<(f64, &str), String> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    let number = text[..end].parse().map_err(|_| format!("‘{text}’ does not begin with a number"))?;
    Ok((number, text[end..].trim()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times() {
        assert_eq!(duration("60s"), Ok(Duration::from_secs(60)));
        assert_eq!(duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert_eq!(duration("7"), Ok(Duration::from_secs(7)));
        assert!(duration("s").is_err() && duration("1 day").is_err() && duration("-1s").is_err());
    }

    #[test]
    fn sizes() {
        assert_eq!(size("4GB"), Ok(4_000_000_000));
        assert_eq!(size("1.5 MiB"), Ok(1_572_864));
        assert_eq!(size("100"), Ok(100));
        assert!(size("GB").is_err() && size("4 elephants").is_err());
    }

    #[test]
    fn counts() {
        assert_eq!(limit("runs=7"), Ok(CountLimit::Runs(7)));
        assert_eq!(limit("states=18446744073709551615"), Ok(CountLimit::States(u64::MAX)));
        assert!(limit("states=18446744073709551616").is_err_and(|error| error.contains("is too large")));
        assert!(limit("states=many").is_err_and(|error| error.contains("is no number")));
    }
}
