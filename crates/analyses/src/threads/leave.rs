//! The end of threads: clean-up handlers, then destructors of keys, then termination.

use program::{FunctionId, Location};
use semantics::ROUNDS;

use super::stack::StackId;
use super::status::Life;
use super::transfer::{Run, Transfer};
use crate::step::{Control, Known, Then, Unknown};

impl Transfer<'_, '_> {
    /// `pthread_exit`: handlers run while the frames are still there.
    pub fn exit(&mut self) -> Run<Control> {
        let stack = self.state.threads[self.step.thread as usize].stack;
        let depth = self.threads.tables.stacks.depth(stack);
        self.change(|status| status.left = depth);
        self.leave()
    }

    pub fn leave(&mut self) -> Run<Control> {
        if let Some(handler) = self.status().cleanup.last().copied() {
            self.change(|status| {
                status.life = Life::Leaving;
                status.cleanup.pop();
            });
            self.push_frame(handler)?;
            return Ok(Control::Leave(Then::Handler(handler)));
        }
        let place = &mut self.state.threads[self.step.thread as usize];
        (place.stack, place.location) = (StackId::EMPTY, Location(0));
        if let Some((destructor, key)) = self.next_destructor()? {
            self.change(|status| (status.life, status.left) = (Life::Leaving, 0));
            self.push_frame(destructor)?;
            return Ok(Control::Leave(Then::Destructor(destructor, key)));
        }
        self.finish();
        Ok(Control::Leave(if self.status().detached { Then::Vanish } else { Then::Finish }))
    }

    fn finish(&mut self) {
        self.change(|status| (status.life, status.left, status.atomic) = (Life::Finished, 0, 0));
        if self.state.atomic == Some(self.step.thread) {
            self.state.atomic = None;
        }
    }

    /// The next key with a destructor and a value; the round goes on behind it.
    fn next_destructor(&mut self) -> Run<Option<(FunctionId, u32)>> {
        let (mut round, mut next) = self.status().round;
        let keys = self.state.keys.clone();
        while round < ROUNDS {
            for (key, destructor) in keys.iter().enumerate().skip(next as usize) {
                if let Some(destructor) = destructor.flatten()
                    && self.has_value(key as u32)?
                {
                    self.change(|status| status.round = (round, key as u32 + 1));
                    return Ok(Some((destructor, key as u32)));
                }
            }
            (round, next) = (round + 1, 0);
        }
        self.change(|status| status.round = (round, next));
        Ok(None)
    }

    fn has_value(&mut self, key: u32) -> Run<bool> {
        match self.others.specific(self.step.thread, key) {
            Known::Unknown => Err(Unknown::Imprecise("whether a thread-specific value is null is not known").into()),
            value => Ok(value != Known::Bits(0)),
        }
    }
}
