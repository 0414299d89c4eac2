//! Frames that begin and end, and threads.

use program::{FunctionId, LocalId, ThreadOp};

use super::Frame;
use super::domain::{Number, NumericalDomain};
use super::step::{Run, Transfer};
use crate::step::{Then, What};
use semantics::result_of;

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
    fn pop_frame(&mut self) -> Run<()> {
        let thread = self.step.thread;
        let depth = self.frames.depth(thread);
        let variables = self.numbers.variables.of_frame(thread, depth).to_vec();
        self.forget(&variables)?;
        if self.slots.of_frame(thread, depth).next().is_some() {
            self.slots.edit().end_frame(thread, depth);
        }
        self.frames.edit().pop(thread);
        Ok(())
    }

    pub(super) fn return_from(&mut self) -> Run<()> {
        match self.step.what {
            What::Return => self.return_to_caller()?,
            What::Leave(then) => {
                self.pop_frame()?;
                self.leave(then)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn return_to_caller(&mut self) -> Run<()> {
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
                None => self.forget(&[target])?,
            }
        }
        self.pop_frame()
    }

    fn leave(&mut self, then: Then) -> Run<()> {
        let thread = self.step.thread;
        if let Then::Handler(function) = then {
            return self.call(thread, function, Vec::new(), None);
        }
        while self.frames.count(thread) > 0 {
            self.pop_frame()?;
        }
        match then {
            Then::Destructor(function, _) => self.call(thread, function, Vec::new(), None),
            _ => Ok(()),
        }
    }

    pub(super) fn thread_op(&mut self, op: &ThreadOp) -> Run<()> {
        match (op, self.step.what) {
            (ThreadOp::Create { handle, arg, to, .. }, What::Create { thread, entry }) => {
                let arg = self.number(*arg)?;
                self.forget_access(handle)?;
                self.frames.edit().begin(thread);
                self.call(thread, entry, vec![arg], None)?;
                self.set_number(*to, 0)?;
            }
            (ThreadOp::Join { value, to, .. }, What::Join { .. }) => {
                self.set_any(*value)?;
                self.set_number(*to, 0)?;
            }
            (ThreadOp::Exit { value }, What::Leave(then)) => {
                self.number(*value)?;
                self.leave(then)?;
            }
            (ThreadOp::Current { to } | ThreadOp::KeyGet { to, .. }, _) => self.set_any(*to)?,
            (ThreadOp::CleanupPop { routine, arg }, _) => {
                self.set_any(*routine)?;
                self.set_any(*arg)?;
            }
            (ThreadOp::KeyCreate { to, .. }, What::Key(key)) => self.set_number(*to, key.into())?,
            (ThreadOp::Condition { to, .. }, What::Wake { .. }) => self.set_number(*to, 0)?,
            (op, What::Yield(result)) => {
                if let Some(to) = result_of(op) {
                    self.set_number(to, result)?;
                }
                if let ThreadOp::Join { value, .. } = op {
                    self.set_any(*value)?;
                }
            }
            _ => {}
        }
        Ok(())
    }
}
