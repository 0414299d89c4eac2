//! Texts about the tool's own words, one file each.

use std::io::{self, Write};

use clap::ValueEnum;

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Topic {
    /// What the exit code says
    ExitCodes,
    /// What was assumed about a program
    Ledger,
    /// What can be checked
    Properties,
    /// How the printed automaton is read
    Cfa,
}

pub fn explain(topic: Option<Topic>, out: &mut dyn Write) -> io::Result<()> {
    match topic {
        Some(Topic::ExitCodes) => out.write_all(include_bytes!("explain/exit_codes.txt")),
        Some(Topic::Ledger) => out.write_all(include_bytes!("explain/ledger.txt")),
        Some(Topic::Properties) => out.write_all(include_bytes!("explain/properties.txt")),
        Some(Topic::Cfa) => out.write_all(include_bytes!("explain/cfa.txt")),
        None => list(out),
    }
}

fn list(out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "Topics of `heddle explain`:")?;
    for value in Topic::value_variants().iter().filter_map(ValueEnum::to_possible_value) {
        let help = value.get_help().map(ToString::to_string).unwrap_or_default();
        writeln!(out, "  {:<12}  {help}", value.get_name())?;
    }
    Ok(())
}
