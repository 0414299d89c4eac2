//! Does an abstract state represent one of the interpreter?

use analyses::memory;
use analyses::numbers::{self, Numbers, NumericalDomain, Variable};
use analyses::threads::{self, Threads};
use program::{FunctionId, LocalId, Location};
use semantics::{Base, ObjectId, Pointer, Read, State, Value};

/// Control: the same frames at the same locations.
pub fn control(threads: &Threads<'_>, ours: &threads::ControlState, theirs: &State) -> bool {
    threads.threads(ours) == theirs.threads.len()
        && theirs.thread_ids().all(|thread| {
            let frames: Vec<(FunctionId, Location)> = threads.frames(ours, thread.0).collect();
            let their_frames = theirs.thread(thread).frames.iter().rev();
            frames == their_frames.map(|frame| (frame.function, frame.location)).collect::<Vec<_>>()
        })
}

/// Pointers: what is kept is what the interpreter has. The first local that differs.
pub fn pointers(ours: &memory::MemoryState, theirs: &State) -> Result<(), String> {
    for thread in theirs.thread_ids() {
        let frames = theirs.thread(thread).frames.iter().zip(&ours.threads[thread.0 as usize].frames);
        for (depth, (frame, own)) in frames.enumerate() {
            for (i, (value, own)) in frame.locals.iter().zip(&own.locals).enumerate() {
                let agrees = match (own, value) {
                    (_, Value::Undefined) | (memory::Value::Undefined | memory::Value::Unknown(_), _) => true,
                    (memory::Value::Bits(a), Value::Bits(b)) => a == b,
                    (memory::Value::Pointer(a), Value::Pointer(b)) => a == b,
                    (memory::Value::Part(a, i), Value::Part(b, j)) => (a, i) == (b, j),
                    _ => false,
                };
                if !agrees {
                    return Err(format!("{thread}, frame {depth}, v{i}: {own:?}, the interpreter has {value:?}"));
                }
            }
        }
    }
    Ok(())
}

/// Numbers: the valuation is a member of the set.
pub fn numbers<D: NumericalDomain>(
    numbers: &mut Numbers<'_, D>,
    ours: &numbers::NumbersState<D::Set>,
    theirs: &State,
) -> Result<(), String> {
    let mut values = Vec::new();
    for thread in theirs.thread_ids() {
        for (depth, frame) in theirs.thread(thread).frames.iter().enumerate() {
            for (i, value) in frame.locals.iter().enumerate() {
                let (thread, depth, function) = (thread.0, depth as u32, frame.function);
                let variable = Variable::Local { thread, depth, function, local: LocalId(i as u32) };
                values.extend(value.bits().map(|bits| (variable, bits as u64)));
            }
        }
    }
    for variable in numbers.variables() {
        if let Some((object, offset, length)) = memory_of(variable, theirs)
            && let Read::Bits(bits) = theirs.object(object).contents.read(offset, length.into())
        {
            values.push((variable, bits as u64));
        }
    }
    if numbers.admits(ours, &values) {
        return Ok(());
    }
    // The shortest part that is not admitted ends with the culprit.
    let admitted = (0..values.len()).find(|i| !numbers.admits(ours, &values[..*i + 1]));
    Err(format!("not admitted: {:?}", admitted.map(|i| values[i])))
}

/// The bytes of a variable, if it lies in memory and is there.
fn memory_of(variable: Variable, theirs: &State) -> Option<(ObjectId, u64, u8)> {
    match variable {
        Variable::Cell { global, offset, length } => Some((ObjectId(global.0), offset, length)),
        Variable::Slot { thread, depth, function, local, offset, length } => {
            let frame = theirs.threads.get(thread as usize)?.frames.get(depth as usize)?;
            match frame.locals.get(local.0 as usize)? {
                Value::Pointer(Pointer { base: Base::Object(id), .. }) if frame.function == function => {
                    Some((*id, offset, length))
                }
                _ => None,
            }
        }
        Variable::Local { .. } => None,
    }
}
