//! Texts about the tool's own words, one file each.

use std::io::{self, Write};

use clap::ValueEnum;
use lower::library::{self, Model};
use program::Direction;

use crate::engines;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Topic {
    /// What the last line says, and how a violation is read
    Verdicts,
    /// What the exit code says
    ExitCodes,
    /// What was assumed about a program
    Ledger,
    /// What can be checked
    Properties,
    /// How automata of your own are written
    Specifications,
    /// How a verdict is looked for
    Engines,
    /// How a run is written down and repeated
    Schedules,
    /// How many programs are verified and compared
    Suites,
    /// How printed facts are read
    Facts,
    /// How the printed automaton is read
    Cfa,
    /// What is known of library functions
    Models,
}

pub fn explain(topic: Option<Topic>, out: &mut dyn Write) -> io::Result<()> {
    match topic {
        Some(Topic::ExitCodes) => out.write_all(include_bytes!("explain/exit_codes.txt")),
        Some(Topic::Ledger) => out.write_all(include_bytes!("explain/ledger.txt")),
        Some(Topic::Engines) => {
            writeln!(out, "Engines, for `heddle check --engine NAME`\n")?;
            engines::explain(out)?;
            out.write_all(include_bytes!("explain/engines.txt"))
        }
        Some(Topic::Properties) => out.write_all(include_bytes!("explain/properties.txt")),
        Some(Topic::Specifications) => out.write_all(include_bytes!("explain/specifications.txt")),
        Some(Topic::Verdicts) => out.write_all(include_bytes!("explain/verdicts.txt")),
        Some(Topic::Schedules) => out.write_all(include_bytes!("explain/schedules.txt")),
        Some(Topic::Suites) => out.write_all(include_bytes!("explain/suites.txt")),
        Some(Topic::Facts) => out.write_all(include_bytes!("explain/facts.txt")),
        Some(Topic::Cfa) => out.write_all(include_bytes!("explain/cfa.txt")),
        Some(Topic::Models) => models(out),
        None => list(out),
    }
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Topics of `heddle explain`:")?;
    for value in Topic::value_variants().iter().filter_map(ValueEnum::to_possible_value) {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        writeln!(out, "  {:<14}  {help}", value.get_name())?;
    }
    Ok(())
}

/// One line per function, by header.
fn models(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Library functions that need no body, and how they are modelled. A body in the program goes first.")?;
    let ours = |model: &&Model| !model.name.starts_with(library::PREFIX);
    let mut models: Vec<&Model> = library::models().filter(ours).collect();
    models.sort_by_key(|model| (model.header, model.name));
    for group in models.chunk_by(|a, b| a.header == b.header) {
        writeln!(out, "\n{}", group[0].header)?;
        for model in group {
            let direction = match model.direction {
                Some(Direction::Over) => "over",
                Some(Direction::Under) => "under",
                Some(Direction::Convention) => "convention",
                None => "",
            };
            let line = format!("  {:<28} {:<16} {direction:<10} {}", model.name, model.kind.describe(), model.note);
            writeln!(out, "{}", line.trim_end())?;
        }
    }
    Ok(())
}
