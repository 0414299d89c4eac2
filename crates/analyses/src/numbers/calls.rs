//! Frames that begin and end, and threads.

use program::{FunctionId, LocalId};

use super::Frame;
use super::domain::{Number, NumericalDomain};
use super::step::{Run, Transfer};

impl<D: NumericalDomain> Transfer<'_, '_, D> {
    pub(super) fn call(
        &mut self,
        thread: u32,
        callee: FunctionId,
        args: Vec<Number<D::Expr>>,
        to: Option<LocalId>,
    ) -> Run<()> {
        self.frames.edit().push(thread, Frame { function: callee, to });
        let depth = self.frames.depth(thread);
        let params = self.numbers.program.functions[callee].params.clone();
        let read = self.numbers.liveness[callee].at_entry().to_vec();
        let mut values = Vec::new();
        for (param, value) in params.into_iter().zip(args).filter(|(param, _)| read.contains(param)) {
            if let Some(id) = self.local_of(thread, depth, callee, param)? {
                // A call through a mistaken type may pass what does not fit.
                values.push((id, self.widened(id, value)));
            }
        }
        self.assign(&values)
    }

    /// Ends the newest frame of the thread; its variables are not constrained any more.
    pub(super) fn end_frame(&mut self) -> Run<()> {
        let thread = self.step.thread;
        let depth = self.frames.depth(thread);
        let variables = self.numbers.variables.of_frame(thread, depth).to_vec();
        self.forget_all(&variables)?;
        if self.slots.of_frame(thread, depth).next().is_some() {
            self.slots.edit().end_frame(thread, depth);
        }
        self.frames.edit().pop(thread);
        Ok(())
    }

    /// What the running function returns goes to its caller's local.
    pub(super) fn assign_result(&mut self) -> Run<()> {
        let thread = self.step.thread;
        let depth = self.frames.depth(thread);
        let frame = self.frames.top(thread);
        let caller = self.frames.caller(thread);
        if let (Some(to), Some(caller)) = (frame.to, caller)
            && let Some(target) = self.local_of(thread, depth - 1, caller.function, to)?
        {
            let result = match self.numbers.program.functions[frame.function].result {
                Some(local) => self.local_of(thread, depth, frame.function, local)?,
                None => None,
            };
            let width = self.numbers.variables.width(target);
            match result.filter(|id| self.numbers.variables.width(*id) == width) {
                Some(id) => {
                    let number = Number { value: self.numbers.domain.variable(&self.set, id), reads: vec![id] };
                    self.assign(&[(target, number)])?;
                }
                None => self.forget_all(&[target])?,
            }
        }
        Ok(())
    }
}
