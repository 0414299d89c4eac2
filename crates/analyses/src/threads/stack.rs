//! Stacks of calls as linked lists, each stored once.

use program::{FunctionId, Location};
use rustc_hash::FxHashMap;

/// A stack, by its innermost frame.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct StackId(pub u32);

impl StackId {
    /// No frame.
    pub const EMPTY: StackId = StackId(u32::MAX);
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub caller: Option<StackId>,
    /// Where the caller goes on; no location of it if there is none.
    pub back: Location,
}

#[derive(Default)]
pub(super) struct Stacks {
    /// With the number of frames.
    all: Vec<(Frame, u32)>,
    numbers: FxHashMap<Frame, StackId>,
}

impl Stacks {
    /// The stack on which `function` runs, called from `caller` which goes on at `back`.
    pub fn push(&mut self, caller: StackId, back: Location, function: FunctionId) -> StackId {
        let frame = if caller == StackId::EMPTY {
            Frame { function, caller: None, back: Location(0) }
        } else {
            Frame { function, caller: Some(caller), back }
        };
        let depth = self.depth(caller) + 1;
        *self.numbers.entry(frame).or_insert_with(|| {
            self.all.push((frame, depth));
            StackId(self.all.len() as u32 - 1)
        })
    }

    /// Of a stack that is not empty.
    pub fn get(&self, stack: StackId) -> &Frame {
        &self.all[stack.0 as usize].0
    }

    /// How many frames there are.
    pub fn depth(&self, stack: StackId) -> u32 {
        if stack == StackId::EMPTY { 0 } else { self.all[stack.0 as usize].1 }
    }

    /// From the innermost frame, which is at `location`, outwards.
    pub fn frames(&self, stack: StackId, location: Location) -> impl Iterator<Item = (FunctionId, Location)> {
        let mut at = Some((stack, location)).filter(|(stack, _)| *stack != StackId::EMPTY);
        std::iter::from_fn(move || {
            let (stack, location) = at?;
            let frame = self.get(stack);
            at = frame.caller.map(|caller| (caller, frame.back));
            Some((frame.function, location))
        })
    }
}
