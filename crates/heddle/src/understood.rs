//! Which engine understands which option of `check`: one that nobody in the run understands is refused, not ignored.

use clap::parser::ValueSource;
use clap::{ArgMatches, ValueEnum};

use crate::arguments::EngineName::{self, Auto, Bdd, Interval, IntervalAndBdd, Random, Static, Value, ValueAndBdd};
use crate::arguments::{CheckArgs, CountLimit};

const STATES: &[EngineName] = &[Value, Interval, Bdd, ValueAndBdd, IntervalAndBdd];
const RUNS: &[EngineName] = &[Random];
const RUNS_AND_STATES: &[EngineName] = &[Random, Value, Interval, Bdd, ValueAndBdd, IntervalAndBdd];

/// All options that not every engine understands, by their names in [`CheckArgs`], but for `--limit`.
const TABLE: &[(&str, &[EngineName])] = &[
    ("spec", RUNS_AND_STATES),
    ("seed", RUNS_AND_STATES),
    ("reduction", STATES),
    ("no_static", STATES),
    ("sleep", STATES),
    ("order", STATES),
    ("partition", STATES),
    ("track", &[Value]),
    ("symmetry", &[Value]),
    ("join", &[Interval]),
];

/// What is wrong with options that were given, if anything is.
pub fn complaint(args: &CheckArgs, given: &ArgMatches) -> Option<String> {
    let running = engines(args.engine);
    let options = TABLE.iter().filter(|(name, _)| given.value_source(name) == Some(ValueSource::CommandLine));
    let options = options.map(|(name, by)| (format!("--{}", name.replace('_', "-")), *by));
    let limits = args.limit.iter().map(|limit| match limit {
        CountLimit::Runs(_) => ("--limit runs=N".to_owned(), RUNS),
        CountLimit::States(_) => ("--limit states=N".to_owned(), STATES),
    });
    let (option, by) = options.chain(limits).find(|(_, by)| !by.iter().any(|engine| running.contains(engine)))?;
    let by: Vec<_> = by.iter().map(|engine| name(*engine)).collect();
    Some(format!("{option} means nothing to --engine {}, only to {}", name(args.engine), by.join(", ")))
}

/// Those that one name stands for.
fn engines(engine: EngineName) -> Vec<EngineName> {
    match engine {
        Auto => vec![Static, Random, Value],
        one => vec![one],
    }
}

fn name(engine: EngineName) -> String {
    engine.to_possible_value().map(|value| value.get_name().to_owned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use clap::{Args, Command, FromArgMatches};

    use super::*;
    use crate::arguments::SearchArgs;

    fn said(arguments: &[&str]) -> Option<String> {
        let given = CheckArgs::augment_args(Command::new("check")).get_matches_from([&["check"], arguments].concat());
        complaint(&CheckArgs::from_arg_matches(&given).expect("they are understood"), &given)
    }

    #[test]
    fn options_that_nobody_understands_are_named() {
        let text = said(&["--engine=static", "--order=bfs", "x.c"]).expect("static has no order");
        assert_eq!(
            text,
            "--order means nothing to --engine static, only to value, interval, bdd, value+bdd, interval+bdd"
        );
        for option in ["--reduction=none", "--no-static", "--sleep", "--partition=none", "--limit=states=3"] {
            assert!(said(&["--engine=random", option, "x.c"]).is_some(), "{option}");
            assert_eq!(said(&["--engine=bdd", option, "x.c"]), None);
            assert_eq!(said(&[option, "x.c"]), None, "auto ends with value");
        }
        assert!(said(&["--engine=bdd", "--track=all", "x.c"]).is_some());
        assert!(said(&["--engine=interval", "--symmetry=off", "x.c"]).is_some());
        assert!(said(&["--engine=value", "--join=threads", "x.c"]).is_some());
        assert_eq!(said(&["--engine=interval", "--join=threads", "x.c"]), None);
        assert!(said(&["--engine=value", "--limit=states=3", "--limit=runs=3", "x.c"]).is_some());
        assert!(said(&["--engine=static", "--spec=deadlock", "x.c"]).is_some());
        assert!(said(&["--engine=static", "--seed=1", "x.c"]).is_some(), "also if it is the default");
    }

    #[test]
    fn nothing_is_said_of_defaults() {
        for engine in EngineName::value_variants() {
            assert_eq!(said(&["--engine", &name(*engine), "--time-limit=1s", "x.c"]), None);
        }
    }

    #[test]
    fn the_table_has_the_names_of_options() {
        let all = CheckArgs::augment_args(Command::new("check"));
        for (name, _) in TABLE {
            assert!(all.get_arguments().any(|argument| argument.get_id() == name), "there is no {name}");
        }
        for argument in SearchArgs::augment_args(Command::new("search")).get_arguments() {
            assert!(TABLE.iter().any(|(name, _)| argument.get_id() == name), "who understands {}?", argument.get_id());
        }
    }
}
