//! `heddle run`: one run by the reference interpreter. What the program prints goes to standard output, what is wrong with it to
//! standard error.

mod driver;

use std::io::{self, Write};

use out::{Detail, Interleaving};
use program::Program;
use semantics::{Ending, Machine, Run, RunEnd, Trace};
use verify::Target;

use crate::arguments::RunArgs;
use crate::cli::{Exit, Failure};
use crate::files::{self, SourceLines};
use crate::{check, diagnostics, front, schedule};

use driver::{Driver, Found};

pub fn run(args: &RunArgs, out: &mut dyn Write) -> Result<(Exit, io::Result<()>), Failure> {
    files::can_be_made(args.schedule_out.as_ref())?;
    let (program, identity) = front::lower_identified(&args.files, &args.front)?;
    let machine = Machine::new(&program);
    let recorded = args.schedule.as_ref().map(|path| schedule::read(path, &identity)).transpose()?;
    if let (Some(trace), Some(path)) = (&recorded, &args.schedule) {
        let fits = machine.replay(trace, |_, _| {});
        let refused = |error| diagnostics::plain(&format!("{}: the schedule does not fit: {error}", path.display()));
        fits.map_err(|error| Failure::refused(refused(error)))?;
    }
    let mut driver = Driver::new(&machine, recorded.as_ref(), args, out);
    let run = machine.run(&mut driver);
    driver.finish(&run);
    let (found, printed, replayed) = (driver.found, driver.printed, driver.followed);
    let flushed = out.flush();
    if let Some(path) = &args.schedule_out {
        schedule::write(path, &identity, &run.trace)?;
    }
    report(&machine, args, &run, &found)?;
    if !replayed {
        end(&run, args);
    }
    assumed(&program);
    let exit = if found.is_empty() { Exit::Done } else { Exit::Violated };
    Ok((exit, printed.and(flushed)))
}

/// The first violation in full, the others in one line.
fn report(machine: &Machine<'_>, args: &RunArgs, run: &Run, found: &[Found]) -> Result<(), Failure> {
    let interleaving = |steps: usize, target: Option<Target>| {
        let lines = SourceLines::default();
        let trace = Trace { start: run.trace.start.clone(), steps: run.trace.steps[..steps].to_vec() };
        let interleaving = out::interleaving(machine, &trace, target, &|file, line| lines.line(file, line));
        interleaving.map_err(|error| Failure::internal(&format!("the run cannot be repeated: {error}")))
    };
    if found.is_empty() && args.trace {
        show(&interleaving(run.trace.steps.len(), None)?, true, args.trace);
    }
    for (i, found) in found.iter().enumerate() {
        show(&interleaving(found.steps, Some(found.target))?, i == 0, args.trace);
    }
    Ok(())
}

fn show(interleaving: &Interleaving, columns: bool, full: bool) {
    let detail = if full { Detail::Full } else { Detail::Short };
    if columns {
        anstream::eprintln!("{}", out::columns(interleaving, check::width(), detail));
    }
    for line in &interleaving.ending {
        anstream::eprintln!("{line}");
    }
}

/// How the run ended, if not as programs do.
fn end(run: &Run, args: &RunArgs) {
    let message = match &run.end {
        RunEnd::By(Ending::Undefined(kind)) => format!("the run ended: {}", kind.describe()),
        RunEnd::By(Ending::Unsupported(construct)) => format!("the run ended at what is not understood: {construct}"),
        RunEnd::By(Ending::Limit(limit)) => format!("the run was given up: {limit}"),
        RunEnd::By(Ending::Program(program::End::Cut)) => "the run ended: an assumption does not hold".to_owned(),
        RunEnd::Stopped if run.trace.steps.len() as u64 >= args.steps => {
            format!("the run was stopped after {} steps (--steps allows more)", args.steps)
        }
        _ => return,
    };
    anstream::eprintln!("{message}");
}

fn assumed(program: &Program) {
    let text = out::assumptions(program, &[], Detail::Short);
    anstream::eprint!("{text}");
}
