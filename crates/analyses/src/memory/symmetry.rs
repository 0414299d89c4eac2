//! The part of memory in symmetry signatures, see [`crate::symmetry`].

use base::Idx;
use semantics::{Base, ObjectId, Pointer};

use super::canonical::map_values;
use super::{Extras, Frame, Memory, MemoryState, Value};
use crate::symmetry::{Order, Signatures, summary};

/// Values behind a pointer are looked at, and those behind them.
const DEPTH: u32 = 2;

impl Memory<'_> {
    /// False if names of threads may matter.
    pub(super) fn sign_threads(&self, state: &MemoryState, signatures: &mut Signatures) -> bool {
        if state.addresses || self.records {
            return false;
        }
        for (thread, own) in (0..).zip(&state.threads) {
            for (depth, frame) in (0..).zip(&own.frames) {
                mention_all(thread, depth, &frame.locals, signatures);
            }
            let Extras { result, cleanup, specific, .. } = &*own.extras;
            let outside = own.frames.len() as u32;
            mention_all(thread, outside, result.as_slice(), signatures);
            mention_all(thread, outside + 1, cleanup, signatures);
            mention_all(thread, outside + 2, specific, signatures);
            // Its result keeps what it leads to from being lost.
            if self.options.keep_named && result.and_then(super::contents::object_of).is_some() {
                signatures.keep(thread);
            }
        }
        for object in &state.objects {
            for cell in &object.cells {
                if let Some(thread) = thread_of(cell.value) {
                    signatures.hold(thread, object.site, cell.at);
                }
            }
        }
        true
    }

    /// Adds hashes of what threads hold.
    pub(super) fn sign_data(&self, state: &MemoryState, signatures: &mut Signatures) {
        for (thread, own) in (0..).zip(&state.threads) {
            own.frames.iter().for_each(|frame| signatures.add(thread, self.frame_summary(state, frame)));
            signatures.add(thread, self.extras_summary(state, &own.extras));
        }
    }

    pub(super) fn reorder_threads(&self, state: &mut MemoryState, order: &Order) {
        state.threads = order.old().iter().map(|old| state.threads[*old as usize].clone()).collect();
        if order.renames() {
            map_values(state, &mut |value| match value {
                Value::Pointer(pointer) => Value::Pointer(order.pointer(pointer)),
                Value::Part(pointer, index) => Value::Part(order.pointer(pointer), index),
                value => value,
            });
        }
    }

    fn frame_summary(&self, state: &MemoryState, frame: &Frame) -> u64 {
        let start = summary((frame.function, frame.to, frame.allocated.len()));
        self.summary_of_all(state, &frame.locals, start)
    }

    fn extras_summary(&self, state: &MemoryState, extras: &Extras) -> u64 {
        let mut sum = summary(extras.result.is_some());
        for values in [extras.result.as_slice(), &extras.cleanup, &extras.specific] {
            sum = self.summary_of_all(state, values, summary((sum, values.len())));
        }
        for (_, object) in &extras.thread_locals {
            sum = summary((sum, self.object_summary(state, *object, DEPTH)));
        }
        sum
    }

    fn summary_of_all(&self, state: &MemoryState, values: &[Value], start: u64) -> u64 {
        values.iter().fold(start, |sum, value| summary((sum, self.value_summary(state, *value, DEPTH))))
    }

    fn value_summary(&self, state: &MemoryState, value: Value, depth: u32) -> u64 {
        match state.symbols.value(value) {
            Value::Undefined => 0,
            Value::Bits(bits) => summary((1, bits)),
            Value::Pointer(pointer) => summary((2, self.pointer_summary(state, pointer, depth))),
            Value::Part(pointer, index) => summary((3, index, self.pointer_summary(state, pointer, depth))),
            Value::Unknown(symbol) => summary((4, state.symbols.info(symbol).range)),
        }
    }

    fn pointer_summary(&self, state: &MemoryState, pointer: Pointer, depth: u32) -> u64 {
        let base = match pointer.base {
            Base::Object(id) if id.index() < self.slots.len() => summary((0, id)),
            Base::Object(id) => self.object_summary(state, id, depth),
            Base::Function(function) => summary((1, function)),
            Base::Thread(_) => 2,
        };
        summary((base, pointer.offset))
    }

    fn object_summary(&self, state: &MemoryState, id: ObjectId, depth: u32) -> u64 {
        let Some(object) = self.find(state, id) else { return 3 };
        let start = summary((object.site, object.size, object.life));
        let cells = object.cells.iter().filter(|_| depth > 0);
        cells.fold(start, |sum, cell| summary((sum, cell.at, self.value_summary(state, cell.value, depth - 1))))
    }
}

fn mention_all(by: u32, place: u32, values: &[Value], signatures: &mut Signatures) {
    for (i, value) in values.iter().enumerate() {
        if let Some(thread) = thread_of(*value) {
            signatures.mention(thread, Some(by), summary((place, i)));
        }
    }
}

fn thread_of(value: Value) -> Option<u32> {
    match value {
        Value::Pointer(Pointer { base: Base::Thread(thread), .. })
        | Value::Part(Pointer { base: Base::Thread(thread), .. }, _) => Some(thread.0),
        _ => None,
    }
}
