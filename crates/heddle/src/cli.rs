//! Arguments and exit codes: the contract with scripts.

use std::ffi::OsString;
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, CommandFactory, FromArgMatches, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::arguments::{CheckArgs, RunArgs};
use crate::explain::Topic;
use crate::suite::arguments::SuiteArgs;
use crate::{check, diagnostics, dump, explain, run, suite, understood};

/// Unchangeable: scripts rely on them. 0 to 2 are verdicts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Exit {
    /// Proved, or done.
    Done = 0,
    /// At least one property is violated.
    Violated = 1,
    /// No verdict.
    Unknown = 2,
    /// The input was refused; a diagnostic says why.
    Refused = 3,
    /// Our bug.
    Internal = 4,
    /// Wrong usage.
    Usage = 64,
}

/// Verifies multi-threaded C programs.
#[derive(Debug, Parser)]
#[command(
    name = "heddle",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    max_term_width = 100
)]
#[command(
    after_help = "Examples:\n  heddle check --property no-data-race examples/counter_racy.c\n  heddle dump cfa examples/counter_racy.c\n  heddle dump cfa --function main --dot x.c | dot -Tsvg > x.svg\n  heddle explain exit-codes"
)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Verify: can a property be violated under any order in which the threads may run?
    #[command(arg_required_else_help = true, after_help = CHECK_EXAMPLES)]
    Check(CheckArgs),
    /// Run once, by the reference interpreter, under a random or a recorded schedule
    #[command(arg_required_else_help = true, after_help = RUN_EXAMPLES)]
    Run(RunArgs),
    /// Look inside: how a program was read and what became of it
    #[command(arg_required_else_help = true, after_help = DUMP_EXAMPLES)]
    Dump(DumpArgs),
    /// Verify many programs, several at a time, and compare with what is expected and with other tools
    #[command(arg_required_else_help = true, after_help = SUITE_EXAMPLES)]
    Suite(SuiteArgs),
    /// What the words in the output mean
    Explain {
        /// Without one, the list of topics
        topic: Option<Topic>,
    },
    /// Print the completions of a shell
    #[command(after_help = "Example:\n  heddle completions bash > ~/.local/share/bash-completion/completions/heddle")]
    Completions { shell: Shell },
}

const CHECK_EXAMPLES: &str = "Examples:
  heddle check x.c                              can an assertion fail?
  heddle check --property no-data-race x.c
  heddle check --property all --time-limit 10s x.c y.c
  heddle check --spec protocol.spec x.c         an automaton of your own
  heddle check --engine static x.c              proofs only, no search for violations
  heddle check --schedule-out x.schedule x.c    then: heddle run --schedule x.schedule x.c

More: heddle explain properties, heddle explain specifications, heddle explain exit-codes";

const RUN_EXAMPLES: &str = "Examples:
  heddle run --seed 7 x.c                       another seed, another run
  heddle run --schedule x.schedule x.c          the run that `heddle check --schedule-out` found

The exit code is 1 if the run violates something.";

const DUMP_EXAMPLES: &str = "Examples:
  heddle dump typed x.c                     where conversions happen
  heddle dump cfa x.c y.c                   two files, one program
  heddle dump cfa --function worker x.c     one function only
  heddle dump cfa --dot x.c | dot -Tsvg > x.svg
  heddle dump facts --listing x.c           the source with what is known beside each line";

const SUITE_EXAMPLES: &str = "Examples:
  heddle suite --property no-data-race *.c
  heddle suite --time-limit 10s --sample 100 tasks.tsv
  heddle suite --resume tasks.tsv               goes on after an interruption
  heddle suite NoDataRace-Main.set --tool 'cbmc=cbmc --{bits} {file}'

How tasks are written and results are read: heddle explain suites
The exit code is 1 if a verdict of Heddle is wrong, else 4 if a run of Heddle crashed, else 0.";

#[derive(Debug, Args)]
pub struct DumpArgs {
    /// What to show
    pub stage: Stage,
    /// C files (.c, or .i if preprocessed) that make up one program
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub front: FrontArgs,
    /// A graph for Graphviz (cfa only)
    #[arg(long)]
    pub dot: bool,
    /// Only this function (cfa only)
    #[arg(long, value_name = "NAME")]
    pub function: Option<String>,
    /// The source with the facts beside each line (facts only)
    #[arg(long)]
    pub listing: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Stage {
    /// The syntax tree
    Ast,
    /// The tree with types, every conversion explicit
    Typed,
    /// The control-flow automata
    Cfa,
    /// What is known of all runs
    Facts,
}

/// How C files are read.
#[derive(Clone, Debug, Args)]
pub struct FrontArgs {
    /// Sizes of types: 64-bit (lp64) or 32-bit (ilp32)
    #[arg(long, value_name = "MODEL", default_value = "lp64")]
    pub data_model: DataModel,
    /// Look for included files here
    #[arg(short = 'I', value_name = "DIR")]
    pub include: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub define: Vec<String>,
    /// The preprocessor to run instead of `cc`
    #[arg(long, value_name = "CMD")]
    pub cpp: Option<String>,
    /// What functions without a body do: they may write what they are handed, or nothing
    #[arg(long, value_name = "NAME", default_value = "writes")]
    pub missing: MissingName,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum MissingName {
    /// They may write numbers in what they are handed and call the functions they are handed
    Writes,
    /// They return any value and change nothing
    Pure,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum DataModel {
    Lp64,
    Ilp32,
}

/// Why there is no result: a message for the user, coloured, and the code.
#[derive(Debug)]
pub struct Failure {
    pub exit: Exit,
    pub message: String,
}

impl Failure {
    pub fn internal(message: &str) -> Failure {
        Failure { exit: Exit::Internal, message: diagnostics::plain(&format!("internal: {message}")) }
    }

    pub fn refused(message: String) -> Failure {
        Failure { exit: Exit::Refused, message }
    }

    pub fn usage(message: &str) -> Failure {
        let hint = "\nFor more information, try '--help'.\n";
        Failure { exit: Exit::Usage, message: diagnostics::plain(message) + hint }
    }
}

/// Help, version and wrong usage are printed at once; what is left is the exit code.
pub fn parse(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, Exit> {
    understood(arguments).map_err(|error| {
        // Nothing is left to do when even this cannot be written.
        let _ = error.print();
        if error.use_stderr() { Exit::Usage } else { Exit::Done }
    })
}

fn understood(arguments: impl IntoIterator<Item = OsString>) -> Result<Cli, clap::Error> {
    let given = Cli::command().try_get_matches_from(arguments)?;
    let cli = Cli::from_arg_matches(&given)?;
    if let (Command::Check(args), Some((_, given))) = (&cli.command, given.subcommand())
        && let Some(complaint) = understood::complaint(args, given)
    {
        return Err(Cli::command().error(ErrorKind::ArgumentConflict, complaint));
    }
    Ok(cli)
}

pub fn run(cli: &Cli) -> Exit {
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let done = |written| (Exit::Done, written);
    let result = match &cli.command {
        Command::Check(args) => check::check(args, &mut out),
        Command::Run(args) => run::run(args, &mut out),
        Command::Dump(args) => dump::dump(args, &mut out).map(done),
        Command::Suite(args) => suite::suite(args, &mut out),
        Command::Explain { topic } => Ok(done(explain::explain(*topic, &mut out))),
        Command::Completions { shell } => Ok(done(completions(*shell, &mut out))),
    };
    match result {
        Ok((exit, written)) => finish(exit, written.and_then(|()| out.flush())),
        Err(failure) => {
            let _ = anstream::stderr().write_all(failure.message.as_bytes());
            failure.exit
        }
    }
}

/// A reader that has seen enough (`| head`) is no error.
fn finish(exit: Exit, written: io::Result<()>) -> Exit {
    match written {
        Ok(()) => exit,
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => exit,
        Err(error) => {
            let message = diagnostics::plain(&format!("the output cannot be written: {error}"));
            let _ = anstream::stderr().write_all(message.as_bytes());
            Exit::Internal
        }
    }
}

/// Into memory first: the generator panics when it cannot write.
fn completions(shell: Shell, out: &mut dyn Write) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "heddle", &mut script);
    out.write_all(&script)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_declared_consistently() {
        Cli::command().debug_assert();
    }
}
