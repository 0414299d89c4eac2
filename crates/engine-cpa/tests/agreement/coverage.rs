//! What a proof is said not to cover, no run comes to.

use program::{Op, ThreadOp};
use semantics::{Exploration, Machine};
use verify::Coverage;

/// A function or a thread creation that a run of the explorer comes to, though the proof is said not to cover it.
pub fn check(machine: &Machine<'_>, exploration: &Exploration, coverage: &Coverage) -> Result<(), String> {
    for trace in exploration.outcomes.values() {
        let mut wrong = None;
        let replay = machine.replay(trace, |state, i| {
            let step = &trace.steps[i];
            let Some(frame) = state.threads[step.thread.0 as usize].frames.last() else { return };
            let function = &machine.program.functions[frame.function];
            if coverage.functions.missed.iter().any(|spot| *spot.function == *function.name) {
                wrong = Some(format!("{} is run, but not covered", function.name));
            }
            let edge = &function.edges[step.edge];
            let creates = matches!(&edge.op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }));
            // With the last step, the run may end.
            if creates && i + 1 < trace.steps.len() {
                let line = machine.program.sources.place(edge.span).map(|place| place.line);
                let missed = coverage.creations.missed.iter().find(|spot| Some(spot.line) == line);
                wrong = wrong.take().or(missed.map(|spot| format!("a thread is created at {spot:?}, but not covered")));
            }
        });
        replay.map_err(|error| error.to_string())?;
        wrong.map_or(Ok(()), Err)?;
    }
    Ok(())
}
