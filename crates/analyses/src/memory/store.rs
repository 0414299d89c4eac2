//! An abstract memory as a store of the step relation.

use base::Idx;
use program::{
    Access, Allocation, CompareExchange, End, ErrorKind, ExprId, Function, FunctionId, Input, LibraryCall, LocalId,
    Overwrite, Scalar,
};
use semantics::live::Liveness;
use semantics::{Base, Life, ObjectId, Pointer, Store, Then, ThreadId, Undefined, Violation};

use super::access::Place;
use super::step::{Run, Transfer, TransferStop};
use super::value::Value;
use crate::intern::Shared;
use crate::step::Unknown;

impl Store for Transfer<'_, '_, '_> {
    type Value = Value;
    type Place = Place;
    type Object = ObjectId;
    type Stop = TransferStop;

    fn function(&self) -> &Function {
        self.memory.function(self.step.function)
    }

    fn liveness(&self) -> &Liveness {
        &self.memory.liveness[self.step.function]
    }

    fn thread(&self) -> u32 {
        self.step.thread
    }

    fn value(&mut self, expr: ExprId) -> Run<Value> {
        Transfer::value(self, expr)
    }

    fn size(&mut self, expr: ExprId) -> Run<Option<u64>> {
        self.number(expr).map(Some)
    }

    fn input(&mut self, ty: Scalar, why: Input) -> Value {
        Transfer::input(self, ty, why)
    }

    fn handle(&mut self, thread: u32) -> Value {
        match self.memory.unread.contains(&(self.step.function, self.step.edge)) {
            true => Value::Undefined,
            false => Value::Pointer(Pointer::to(Base::Thread(ThreadId(thread)))),
        }
    }

    fn function_address(&mut self, function: Option<FunctionId>) -> Value {
        function.map_or(Value::NULL, |function| Value::Pointer(Pointer::to(Base::Function(function))))
    }

    fn object_address(&mut self, object: ObjectId) -> Value {
        Value::Pointer(Pointer::to(Base::Object(object)))
    }

    fn assume(&mut self, condition: Value) -> Run<()> {
        let before = self.memory.lenient.then(|| self.state.symbols.clone());
        match (self.assume_truth(condition), before) {
            (Err(TransferStop::Impossible), Some(before)) => self.state.symbols = before,
            (result, _) => result?,
        }
        Ok(())
    }

    fn set(&mut self, local: LocalId, value: Value) -> Run<()> {
        Transfer::set(self, local, value);
        Ok(())
    }

    fn set_int(&mut self, local: LocalId, value: i64) -> Run<()> {
        Transfer::set_int(self, local, value);
        Ok(())
    }

    fn forget(&mut self, local: LocalId) -> Run<()> {
        Transfer::set(self, local, Value::Undefined);
        Ok(())
    }

    fn place(&mut self, access: &Access, write: bool) -> Run<Place> {
        self.find_place(access, write)
    }

    fn read(&mut self, access: &Access, place: &Place) -> Run<Value> {
        self.read_at(access, place)
    }

    fn write(&mut self, access: &Access, place: &Place, value: Value) -> Run<()> {
        self.write_at(access, place, value)
    }

    fn exchanges(
        &mut self,
        exchange: &CompareExchange,
        old: &Value,
        expected: &Value,
        desired: &Value,
    ) -> Run<Option<bool>> {
        Transfer::exchanges(self, exchange, [*old, *expected, *desired]).map(Some)
    }

    fn enter(&mut self, local: LocalId) -> Run<()> {
        self.enter_object(local);
        Ok(())
    }

    fn clear(&mut self, local: LocalId) -> Run<()> {
        self.clear_object(local);
        Ok(())
    }

    fn leave(&mut self, local: LocalId) -> Run<()> {
        self.leave_object(local);
        Ok(())
    }

    fn allocate(&mut self, kind: Allocation, size: Option<u64>, old: Option<ObjectId>) -> Run<ObjectId> {
        self.new_block(kind, size.unwrap_or(0), old)
    }

    fn heap_block(&mut self, pointer: ExprId) -> Run<Option<ObjectId>> {
        match Transfer::value(self, pointer)? {
            Value::NULL => Ok(None),
            pointer => self.block_at(pointer).map(Some),
        }
    }

    fn free(&mut self, block: ObjectId) -> Run<()> {
        self.end_object(block, Life::Freed);
        Ok(())
    }

    fn bind_to_frame(&mut self, object: ObjectId) {
        let thread = self.step.thread as usize;
        let frame = self.state.threads[thread].frames.last_mut().expect("a thread that runs has a frame");
        frame.edit().allocated.push(object);
    }

    fn overwrite(&mut self, overwrite: &Overwrite) -> Run<()> {
        self.overwrite_numbers(overwrite)
    }

    fn library(&mut self, call: &LibraryCall) -> Run<()> {
        self.library_call(call)
    }

    fn command_line(&mut self, count: LocalId, vector: LocalId) -> Run<()> {
        self.make_command_line(count, vector)
    }

    fn push_frame(&mut self, callee: FunctionId, args: Vec<Value>, to: Option<LocalId>) -> Run<()> {
        self.new_frame(callee, &args, to);
        Ok(())
    }

    fn has_frame(&self) -> bool {
        !self.state.threads[self.step.thread as usize].frames.is_empty()
    }

    fn pop_frame(&mut self) -> Run<()> {
        self.end_frame();
        Ok(())
    }

    fn return_to_caller(&mut self) -> Run<()> {
        if let (Some(value), Some(to)) = self.end_frame() {
            let thread = self.step.thread as usize;
            let caller = self.state.threads[thread].frames.last().expect("the caller's frame").function;
            let value = self.kept_by(caller, to, value);
            let caller = self.state.threads[thread].frames.last_mut().expect("the caller's frame");
            caller.edit().locals[to.index()] = value;
        }
        Ok(())
    }

    fn keep_result(&mut self) {
        let own = &self.state.threads[self.step.thread as usize];
        if own.extras.result.is_some() {
            return;
        }
        let frame = own.frames.last().expect("a thread that runs has a frame");
        let result = self.memory.function(frame.function).result.map(|local| frame.locals[local.index()]);
        let value = match result {
            Some(Value::Undefined) if self.memory.options.pointers_only => {
                self.fresh(self.memory.program.machine.word())
            }
            Some(Value::Undefined) | None => Value::NULL,
            Some(value) => value,
        };
        self.set_result(value);
    }

    fn set_result(&mut self, value: Value) {
        self.state.threads[self.step.thread as usize].extras.edit().result = Some(value);
    }

    fn take_result(&mut self, thread: u32) -> Value {
        self.result_of(thread).unwrap_or(Value::NULL)
    }

    fn begin_thread(&mut self, _: u32, entry: FunctionId, arg: Value) -> Run<()> {
        let frame = self.frame_of(entry, &[arg], None);
        self.memory.new_thread(&mut self.state, entry, &[]);
        let own = self.state.threads.last_mut().expect("it was just made");
        own.frames[0] = Shared::new(frame);
        Ok(())
    }

    fn end_thread(&mut self, then: Then) {
        let extras = self.state.threads[self.step.thread as usize].extras.edit();
        extras.specific = Vec::new();
        if then == Then::Vanish {
            extras.result = None;
        }
        let own = std::mem::take(&mut extras.thread_locals);
        for (_, object) in own {
            self.end_object(object, Life::Ended);
        }
    }

    fn push_handler(&mut self, _: ExprId, arg: Value) -> Run<()> {
        self.state.threads[self.step.thread as usize].extras.edit().cleanup.push(arg);
        Ok(())
    }

    fn pop_handler(&mut self) -> Value {
        self.state.threads[self.step.thread as usize].extras.edit().cleanup.pop().unwrap_or(Value::NULL)
    }

    fn specific(&mut self, key: u32) -> Value {
        let specific = &self.state.threads[self.step.thread as usize].extras.specific;
        specific.get(key as usize).copied().unwrap_or(Value::NULL)
    }

    fn set_specific(&mut self, key: u32, value: Option<Value>) {
        let (key, extras) = (key as usize, self.state.threads[self.step.thread as usize].extras.edit());
        if extras.specific.len() <= key {
            extras.specific.resize(key + 1, Value::NULL);
        }
        extras.specific[key] = value.unwrap_or(Value::NULL);
    }

    fn error(&mut self, kind: ErrorKind) {
        self.post.find(Violation::Error(kind), true);
    }

    fn end(&mut self, _: End) -> TransferStop {
        TransferStop::End
    }

    fn undefined(&mut self, _: Undefined) -> TransferStop {
        TransferStop::Undefined
    }

    fn unsupported(&mut self, what: &str) -> TransferStop {
        TransferStop::Unknown(Unknown::Unsupported(what.into()))
    }
}
