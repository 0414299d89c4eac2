//! The value of a global variable at a state, without a step, for monitor automata.

use program::{GlobalId, Scalar};
use semantics::{ObjectId, mask};

use super::contents::Read;
use super::value::Value;
use super::{Memory, MemoryState};

impl Memory<'_> {
    /// `Undefined` if that is not known. `bits` is a bit-field: first bit and width.
    pub(super) fn held(
        &self,
        state: &MemoryState,
        thread: u32,
        global: GlobalId,
        offset: u64,
        ty: Scalar,
        bits: Option<(u8, u8)>,
    ) -> Value {
        let length =
            bits.map_or(ty.bytes(), |(start, width)| u64::from((u32::from(start) + u32::from(width)).div_ceil(8)));
        let found = self.find(state, self.object_of_global(state, thread, global));
        let Some(object) = found.filter(|object| object.contains(offset as i64, length)) else {
            return Value::Undefined;
        };
        let value = match object.read(offset, length) {
            Read::Value(value) => state.symbols.value(value),
            Read::Undefined => Value::Undefined,
            Read::Mixed => {
                let mut symbols = (*state.symbols).clone();
                object.assemble(offset, length, self.program.machine.pointer_bytes(), &mut symbols)
            }
        };
        match (value, bits) {
            (Value::Bits(whole), None) => Value::Bits(whole & mask(ty) as u64),
            (Value::Bits(whole), Some((start, width))) if length <= 8 => {
                Value::Bits(whole >> start & mask(Scalar::Int(width)) as u64)
            }
            (Value::Pointer(_), None) => value,
            _ => Value::Undefined,
        }
    }

    /// As the interpreter has it: to a thread that has ended, its own variables are as at first.
    fn object_of_global(&self, state: &MemoryState, thread: u32, global: GlobalId) -> ObjectId {
        let own = &state.threads[thread as usize].extras.thread_locals;
        own.iter().find(|(id, _)| *id == global).map_or(ObjectId(global.0), |(_, object)| *object)
    }
}
