//! Which engine understands which option of `check`: one that no engine of the run understands is refused, not ignored.

use clap::ArgMatches;
use clap::parser::ValueSource;

use crate::arguments::{CheckArgs, CountLimit};
use crate::engines::{self, ENGINES, LIMIT_RUNS, LIMIT_STATES};

/// What is wrong with options that were given, if anything is.
pub fn complaint(args: &CheckArgs, given: &ArgMatches) -> Option<String> {
    let options = engines::options().into_iter();
    let options = options.filter(|option| given.value_source(option) == Some(ValueSource::CommandLine));
    let limits = args.limit.iter().map(|limit| match limit {
        CountLimit::Runs(_) => LIMIT_RUNS,
        CountLimit::States(_) => LIMIT_STATES,
    });
    let option = options.chain(limits).find(|option| !args.engine.understands(option))?;
    let by: Vec<_> = ENGINES.iter().filter(|entry| entry.has(option)).map(|entry| entry.name).collect();
    let option = option.replace('_', "-");
    Some(format!("--{option} means nothing to --engine {}, only to {}", args.engine.name, by.join(", ")))
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
        for engine in ENGINES {
            assert_eq!(said(&["--engine", engine.name, "--time-limit=1s", "x.c"]), None);
        }
    }

    #[test]
    fn the_table_has_the_names_of_options() {
        let all = CheckArgs::augment_args(Command::new("check"));
        for name in engines::options() {
            assert!(all.get_arguments().any(|argument| argument.get_id() == name), "there is no {name}");
        }
        for argument in SearchArgs::augment_args(Command::new("search")).get_arguments() {
            let known = engines::options().into_iter().any(|name| argument.get_id() == name);
            assert!(known, "who understands {}?", argument.get_id());
        }
    }
}
