//! Sets of valuations as a store of the step relation. Pointers, and numbers that are not kept, are unknown.

use program::{
    Access, Allocation, BinaryOp, CompareExchange, End, ErrorKind, ExprId, Function, FunctionId, Input, LibraryCall,
    LocalId, Overwrite, Scalar,
};
use semantics::live::Liveness;
use semantics::{Store, Then, Undefined};

use super::access::Place;
use super::domain::{Number, NumericalDomain};
use super::step::{Run, Transfer, TransferStop};
use crate::step::{Control, Unknown};

impl<D: NumericalDomain> Transfer<'_, '_, D> {
    fn unknown(&mut self, ty: Scalar) -> Number<D::Expr> {
        Number::fixed(self.numbers.domain.unknown(ty.bits()))
    }

    /// An address, or the handle of a thread.
    fn unknown_word(&mut self) -> Number<D::Expr> {
        let word = self.numbers.program.machine.word();
        self.unknown(word)
    }
}

impl<D: NumericalDomain> Store for Transfer<'_, '_, D> {
    type Value = Number<D::Expr>;
    type Place = Place;
    type Object = ();
    type Stop = TransferStop;

    fn function(&self) -> &Function {
        &self.numbers.program.functions[self.step.function]
    }

    fn liveness(&self) -> &Liveness {
        &self.numbers.liveness[self.step.function]
    }

    fn thread(&self) -> u32 {
        self.step.thread
    }

    fn value(&mut self, expr: ExprId) -> Run<Self::Value> {
        self.number(expr)
    }

    fn size(&mut self, expr: ExprId) -> Run<Option<u64>> {
        self.number(expr).map(|_| None)
    }

    fn input(&mut self, ty: Scalar, _: Input) -> Self::Value {
        self.unknown(ty)
    }

    fn handle(&mut self, _: u32) -> Self::Value {
        self.unknown_word()
    }

    fn function_address(&mut self, _: Option<FunctionId>) -> Self::Value {
        self.unknown_word()
    }

    fn object_address(&mut self, _: ()) -> Self::Value {
        self.unknown_word()
    }

    fn assume(&mut self, condition: Self::Value) -> Run<()> {
        self.assume_true(&condition.value)
    }

    fn set(&mut self, local: LocalId, value: Self::Value) -> Run<()> {
        // What is evaluated from now on may mention the local: the other components answer for the state before.
        self.is_before = false;
        match self.local(local)? {
            Some(id) => self.assign(&[(id, value)]),
            None => Ok(()),
        }
    }

    fn set_int(&mut self, local: LocalId, value: i64) -> Run<()> {
        let Some(id) = self.local(local)? else { return Ok(()) };
        let value = self.constant(value as u64, self.numbers.variables.width(id));
        self.assign(&[(id, value)])
    }

    fn forget(&mut self, local: LocalId) -> Run<()> {
        match self.local(local)? {
            Some(id) => self.forget_all(&[id]),
            None => Ok(()),
        }
    }

    fn place(&mut self, access: &Access, _: bool) -> Run<Place> {
        self.find_place(access)
    }

    fn read(&mut self, access: &Access, place: &Place) -> Run<Self::Value> {
        self.read_at(access, place)
    }

    fn write(&mut self, _: &Access, place: &Place, value: Self::Value) -> Run<()> {
        self.write_at(place, value)
    }

    fn exchanges(
        &mut self,
        exchange: &CompareExchange,
        old: &Self::Value,
        expected: &Self::Value,
        _: &Self::Value,
    ) -> Run<Option<bool>> {
        if let Control::Exchange { success } = self.step.control {
            return Ok(Some(success));
        }
        let Some(outcome) = self.exchanged else { return Err(TransferStop::Fork { weak: exchange.weak }) };
        let ty = exchange.access.ty;
        let equal =
            |domain: &mut D, set: &D::Set| domain.binary(set, BinaryOp::Eq, ty, &old.value, ty, &expected.value);
        let equal = self.made(equal)?.value;
        let condition = if outcome.equal { equal } else { self.not(&equal)? };
        self.assume_true(&condition)?;
        self.step.choice = outcome.choice.or(self.step.choice);
        Ok(Some(outcome.success))
    }

    fn exchange(&mut self, exchange: &CompareExchange, old: Self::Value, desired: Option<Self::Value>) -> Run<()> {
        let (place, success) = (self.find_place(&exchange.access)?, desired.is_some());
        let mut values = Vec::new();
        if let (Some(id), Some(desired)) = (place.exact, desired) {
            values.push((id, self.widened(id, desired)));
        }
        if let Some(id) = self.local(exchange.success)? {
            values.push((id, self.constant(success.into(), 1)));
        }
        if let Some(id) = self.local(exchange.old)? {
            values.push((id, old));
        }
        self.assign(&values)?;
        if place.exact.is_none() && success { self.forget_all(&place.touched) } else { Ok(()) }
    }

    fn enter(&mut self, local: LocalId) -> Run<()> {
        self.forget_object(local)
    }

    fn clear(&mut self, local: LocalId) -> Run<()> {
        self.clear_object(local)
    }

    fn leave(&mut self, local: LocalId) -> Run<()> {
        self.leave_object(local)
    }

    fn allocate(&mut self, _: Allocation, _: Option<u64>, _: Option<()>) -> Run<()> {
        Ok(())
    }

    fn heap_block(&mut self, _: ExprId) -> Run<Option<()>> {
        Ok(None)
    }

    fn free(&mut self, _: ()) -> Run<()> {
        Ok(())
    }

    fn bind_to_frame(&mut self, _: ()) {}

    fn overwrite(&mut self, overwrite: &Overwrite) -> Run<()> {
        self.number(overwrite.address)?;
        if overwrite.writes() { self.forget_behind(overwrite.address) } else { Ok(()) }
    }

    fn library(&mut self, call: &LibraryCall) -> Run<()> {
        for arg in &call.args {
            self.number(*arg)?;
            self.forget_behind(*arg)?;
        }
        call.to.map_or(Ok(()), |to| self.forget(to))
    }

    fn command_line(&mut self, count: LocalId, vector: LocalId) -> Run<()> {
        self.forget(count)?;
        self.forget(vector)
    }

    fn push_frame(&mut self, callee: FunctionId, args: Vec<Self::Value>, to: Option<LocalId>) -> Run<()> {
        self.call(self.step.thread, callee, args, to)
    }

    fn has_frame(&self) -> bool {
        self.frames.count(self.step.thread) > 0
    }

    fn pop_frame(&mut self) -> Run<()> {
        self.end_frame()
    }

    fn return_to_caller(&mut self) -> Run<()> {
        self.assign_result()?;
        self.end_frame()
    }

    fn keep_result(&mut self) {}

    fn set_result(&mut self, _: Self::Value) {}

    fn take_result(&mut self, _: u32) -> Self::Value {
        self.unknown_word()
    }

    fn begin_thread(&mut self, thread: u32, entry: FunctionId, arg: Self::Value) -> Run<()> {
        self.frames.edit().begin(thread);
        self.call(thread, entry, vec![arg], None)
    }

    fn end_thread(&mut self, _: Then) {}

    fn push_handler(&mut self, _: ExprId, _: Self::Value) -> Run<()> {
        Ok(())
    }

    fn pop_handler(&mut self) -> Self::Value {
        self.unknown_word()
    }

    fn specific(&mut self, _: u32) -> Self::Value {
        self.unknown_word()
    }

    fn set_specific(&mut self, _: u32, _: Option<Self::Value>) {}

    fn error(&mut self, _: ErrorKind) {}

    /// Control ends the run before.
    fn end(&mut self, _: End) -> TransferStop {
        TransferStop::Impossible
    }

    fn undefined(&mut self, _: Undefined) -> TransferStop {
        self.post.end_undefined(true);
        TransferStop::Impossible
    }

    fn unsupported(&mut self, what: &str) -> TransferStop {
        TransferStop::Unknown(Unknown::Unsupported(what.into()))
    }
}
