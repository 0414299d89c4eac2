//! The registry of engines: under which name the command line knows each, what it is for, which options it understands and how it is
//! made. Help, completions, `explain engines` and errors read it.

use std::io::{self, Write};

use engine_cpa::{CpaEngine, Options};
use engine_random::RandomEngine;
use engine_static::StaticEngine;
use strategy::Sequence;
use verify::Engine;

use crate::arguments::{CheckArgs, CountLimit};

/// One name of `--engine`.
#[derive(Debug)]
pub struct Entry {
    pub name: &'static str,
    /// One line, for `--help`.
    help: &'static str,
    /// Lines for `explain engines`; none if those of the next entry are about this one, too.
    about: &'static [&'static str],
    /// Those that run under this name, if it is not one engine.
    parts: &'static [&'static str],
    /// Options that not every engine understands, by their names in [`CheckArgs`], and kinds of `--limit`.
    options: &'static [&'static [&'static str]],
    make: fn(&CheckArgs) -> Box<dyn Engine>,
}

/// Limits by count as options of engines.
pub const LIMIT_RUNS: &str = "limit runs=N";
pub const LIMIT_STATES: &str = "limit states=N";

pub const ENGINES: &[Entry] = &[
    Entry {
        name: "auto",
        help: "`static`, then `random`, then `value` for the rest of the time",
        about: &[
            "`static` first, then `random` for 300 runs or a quarter of the time, then `value` for the rest. The default.",
        ],
        parts: &["static", "random", "value"],
        options: &[],
        make: auto,
    },
    Entry {
        name: "static",
        help: "Static facts: proves that no run violates a property, finds no violation",
        about: &[
            "finds out what holds in all runs (see `heddle dump facts`) and proves from that, or says what is left.",
            "It finds no violation. A proof is checked again before it is reported.",
        ],
        parts: &[],
        options: &[],
        make: |_| Box::new(StaticEngine),
    },
    Entry {
        name: "random",
        help: "Many random runs: finds violations, proves nothing",
        about: &[
            "many runs with random schedules and inputs. It finds violations, each with a run that can be repeated; it",
            "proves nothing. --seed chooses other runs, --limit runs=N ends it.",
        ],
        parts: &[],
        options: &[&["spec", "seed", LIMIT_RUNS]],
        make: |args| Box::new(RandomEngine { seed: args.seed, runs: most_runs(args) }),
    },
    Entry {
        name: "value",
        help: "All states, with the values that are known: finds violations and proves",
        about: &[
            "all states that runs can reach, with the values that are known and symbols for inputs. It finds violations",
            "and proves: a proof is the set of states, and every step from them is checked again. If a limit strikes,",
            "it says what is left. Static facts are used first.",
        ],
        parts: &[],
        options: &[SEARCH, &["track", "symmetry"]],
        make: |args| Box::new(CpaEngine::value(search_options(args))),
    },
    Entry {
        name: "interval",
        help: "All states, with ranges of values, joined where location vectors are the same",
        about: &[
            "the same, but states with the same location vector are joined: numbers become ranges. --join threads",
            "joins more.",
        ],
        parts: &[],
        options: &[SEARCH, &["join"]],
        make: |args| Box::new(CpaEngine::interval(search_options(args))),
    },
    Entry {
        name: "bdd",
        help: "All states, with sets of values as decision diagrams, joined likewise",
        about: &["the same, with sets of numbers as binary decision diagrams; pointers as in `value`."],
        parts: &[],
        options: &[SEARCH],
        make: |args| Box::new(CpaEngine::bdd(search_options(args))),
    },
    Entry {
        name: "value+bdd",
        help: "Values and decision diagrams side by side",
        about: &[],
        parts: &[],
        options: &[SEARCH],
        make: |args| Box::new(CpaEngine::value_and_bdd(search_options(args))),
    },
    Entry {
        name: "interval+bdd",
        help: "Ranges and decision diagrams side by side, joined where location vectors are the same",
        about: &[
            "both side by side: what the diagrams know of how numbers depend on each other, and what values and ranges know",
            "of what diagrams do not keep (the heap).",
        ],
        parts: &[],
        options: &[SEARCH],
        make: |args| Box::new(CpaEngine::interval_and_bdd(search_options(args))),
    },
];

/// What every search of states understands.
const SEARCH: &[&str] = &["spec", "seed", "reduction", "no_static", "sleep", "order", "partition", LIMIT_STATES];

impl Entry {
    pub fn name_and_help(&self) -> (&'static str, &'static str) {
        (self.name, self.help)
    }

    pub fn engine(&self, args: &CheckArgs) -> Box<dyn Engine> {
        (self.make)(args)
    }

    /// Does it have the option itself? A name for several engines has none of its own.
    pub fn has(&self, option: &str) -> bool {
        self.options().any(|own| own == option)
    }

    /// Does it, or an engine that runs under its name, have the option?
    pub fn understands(&self, option: &str) -> bool {
        self.has(option) || ENGINES.iter().any(|entry| self.parts.contains(&entry.name) && entry.has(option))
    }

    fn options(&self) -> impl Iterator<Item = &'static str> {
        self.options.iter().copied().flatten().copied()
    }
}

/// The options that not every engine understands, each once, but for limits.
pub fn options() -> Vec<&'static str> {
    let mut options = Vec::new();
    for option in ENGINES.iter().flat_map(Entry::options) {
        if !options.contains(&option) && ![LIMIT_RUNS, LIMIT_STATES].contains(&option) {
            options.push(option);
        }
    }
    options
}

/// The lines of `explain engines` about each engine.
pub fn explain(out: &mut dyn Write) -> io::Result<()> {
    const INDENT: &str = "            ";
    let mut names = Vec::new();
    for entry in ENGINES {
        names.push(entry.name);
        let head = format!("  {:<8}", names.join(", "));
        for (i, line) in entry.about.iter().enumerate() {
            match i {
                0 if head.len() < INDENT.len() => writeln!(out, "{head}  {line}")?,
                0 => writeln!(out, "{head}\n{INDENT}{line}")?,
                _ => writeln!(out, "{INDENT}{line}")?,
            }
        }
        if !entry.about.is_empty() {
            names.clear();
        }
    }
    Ok(())
}

/// Of the random engine, before others.
const FEW_RUNS: u64 = 300;

fn auto(args: &CheckArgs) -> Box<dyn Engine> {
    // What a few runs do not show, the states do.
    let random = RandomEngine { seed: args.seed, runs: Some(most_runs(args).unwrap_or(FEW_RUNS)) };
    let value = CpaEngine::value(search_options(args));
    let mut engines: Vec<Box<dyn Engine>> = vec![Box::new(StaticEngine), Box::new(random), Box::new(value)];
    if args.search.no_static {
        engines.remove(0);
    }
    Box::new(Sequence { name: "auto", engines })
}

fn most_runs(args: &CheckArgs) -> Option<u64> {
    args.limit.iter().rev().find_map(|limit| match limit {
        CountLimit::Runs(runs) => Some(*runs),
        CountLimit::States(_) => None,
    })
}

pub fn search_options(args: &CheckArgs) -> Options {
    let most_states = args.limit.iter().rev().find_map(|limit| match limit {
        CountLimit::States(states) => Some(*states),
        CountLimit::Runs(_) => None,
    });
    let search = &args.search;
    Options {
        reduction: search.reduction,
        join: search.join,
        track: search.track,
        sleep: search.sleep,
        symmetry: search.symmetry,
        always: search.no_static,
        facts: !search.no_static,
        partition: search.partition,
        strategy: search.order,
        seed: args.seed,
        most_states,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_engine_and_option_of_a_search_is_explained() {
        let mut text = Vec::new();
        explain(&mut text).expect("there is room");
        let text = String::from_utf8(text).expect("it is text") + include_str!("explain/engines.txt");
        for entry in ENGINES {
            assert!(text.contains(entry.name), "{}", entry.name);
        }
        for option in options().into_iter().filter(|option| *option != "spec") {
            assert!(text.contains(&format!("--{}", option.replace('_', "-"))), "{option}");
        }
    }
}
