//! Do a state of the analysis and one of the interpreter agree?

use analyses::Control;
use analyses::threads::{self, Next, Possible, Threads, is_deadlock};
use program::{FunctionId, LocalId, Location, Op, ThreadOp};
use semantics::{Base, Machine, Pointer, State, Thread, ThreadId, Value};

pub type Check = Result<(), String>;

fn same<T: PartialEq + std::fmt::Debug>(what: &str, ours: T, theirs: T) -> Check {
    if ours == theirs { Ok(()) } else { Err(format!("{what}: {ours:?}, the interpreter has {theirs:?}")) }
}

/// Everything but who can go on.
pub fn control(threads: &Threads<'_>, ours: &threads::ControlState, theirs: &State) -> Check {
    same("threads", threads.threads(ours), theirs.threads.len())?;
    same("atomic", threads.atomic(ours), theirs.atomic.map(|thread| thread.0))?;
    let locks = theirs.locks.iter().map(|(key, lock)| (*key, lock.clone())).collect();
    same("locks", threads.locks(ours).iter().cloned().collect::<Vec<_>>(), locks)?;
    let keys = theirs.keys.iter().map(|destructor| destructor.map(function)).collect();
    same("keys", threads.keys(ours).iter().copied().collect::<Vec<_>>(), keys)?;
    for thread in theirs.thread_ids() {
        let compared = one_thread(threads, ours, thread.0, theirs.thread(thread));
        compared.map_err(|problem| format!("{thread}, {problem}"))?;
    }
    Ok(())
}

fn one_thread(threads: &Threads<'_>, ours: &threads::ControlState, thread: u32, theirs: &Thread) -> Check {
    let frames: Vec<(FunctionId, Location)> = threads.frames(ours, thread).collect();
    let their_frames = theirs.frames.iter().rev().map(|frame| (frame.function, frame.location)).collect();
    same("frames", frames, their_frames)?;
    let status = threads.status(ours, thread);
    same("life", status.life, theirs.life)?;
    same("detached, joined", (status.detached, status.joined), (theirs.detached, theirs.joined))?;
    same("sections", status.atomic, theirs.atomic)?;
    same("condition", status.sleeping, theirs.sleeping)?;
    same("barrier", status.at_barrier, theirs.at_barrier)?;
    same("left", status.left as usize, theirs.left)?;
    same("round", status.round, theirs.round)?;
    let handlers = theirs.cleanup.iter().filter_map(|(routine, _)| function(*routine)).collect();
    same("handlers", status.cleanup.clone(), handlers)
}

fn function(value: Value) -> Option<FunctionId> {
    match value {
        Value::Pointer(Pointer { base: Base::Function(function), offset: 0 }) => Some(function),
        _ => None,
    }
}

/// What each thread may do, who is allowed to, and deadlocks.
pub fn enabled(
    threads: &Threads<'_>,
    ours: &threads::ControlState,
    next: &[Next],
    machine: &Machine<'_>,
    theirs: &State,
) -> Check {
    for thread in theirs.thread_ids() {
        let (ours, theirs) = (&next[thread.0 as usize], machine.next(theirs, thread));
        let agrees = match (ours, &theirs) {
            (Next::Steps(edges), semantics::Next::Step(edge)) => edges.iter().any(|e| e == *edge),
            (Next::Spurious(ours), semantics::Next::Spurious(theirs)) => ours == theirs,
            (Next::Blocked(ours), semantics::Next::Blocked(theirs)) => ours[..] == theirs[..],
            (Next::Finished, semantics::Next::Finished) => true,
            _ => false,
        };
        if !agrees {
            return Err(format!("{thread} would do {ours:?}, for the interpreter {theirs:?}"));
        }
    }
    same("deadlock", is_deadlock(next), machine.is_deadlock(theirs))?;
    // Of branches, the interpreter knows which one is taken.
    let is_taken = |step: &Possible| match machine.edge(theirs, ThreadId(step.thread), step.edge).op {
        Op::Assume(_) => machine.next(theirs, ThreadId(step.thread)).edge() == Some(step.edge),
        _ => true,
    };
    let possible = threads.runnable_among(ours, next).into_iter().filter(is_taken);
    let possible = possible.map(|step| (ThreadId(step.thread), step.edge)).collect();
    same("runnable", possible, machine.runnable(theirs))
}

/// What a thread operation yields is what its local took, unless it is not read.
pub fn result(op: &Op, control: Control, state: &State, thread: ThreadId) -> Check {
    let Op::Thread(op) = op else { return Ok(()) };
    let expected = match control {
        Control::Yield(number) => Some(number),
        Control::Create { .. } | Control::Join { .. } | Control::Detach { .. } | Control::Wake { .. } => Some(0),
        Control::Key(key) if matches!(**op, ThreadOp::KeyCreate { .. }) => Some(i64::from(key)),
        _ => None,
    };
    if let (Some(expected), Some(to)) = (expected, target(op)) {
        match state.frame(thread).locals[to.0 as usize] {
            Value::Undefined => {}
            Value::Bits(bits) => same("result", expected as u32, bits as u32)?,
            other => return Err(format!("{op:?} yields {other:?}")),
        }
    }
    Ok(())
}

/// Values of handles and keys are not compared.
fn target(op: &ThreadOp) -> Option<LocalId> {
    op.result().filter(|_| !matches!(op, ThreadOp::Current { .. } | ThreadOp::KeyGet { .. }))
}
