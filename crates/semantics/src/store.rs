//! The interpreter's states as a store of the step relation.

use program::{
    Access, Allocation, CompareExchange, End, ErrorKind, ExprId, Function, FunctionId, Input, LibraryCall, LocalId,
    Overwrite, Scalar,
};

use crate::execute::{Store, Then};
use crate::live::Liveness;
use crate::state::{Life, ThreadLife};
use crate::step::{Ending, Run, Step, Undefined, Violation};
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value};

impl Store for Step<'_, '_> {
    type Value = Value;
    type Place = (ObjectId, u64);
    type Object = ObjectId;
    type Stop = Ending;

    fn function(&self) -> &Function {
        Step::function(self)
    }

    fn liveness(&self) -> &Liveness {
        &self.machine.liveness[self.state.frame(self.thread).function]
    }

    fn thread(&self) -> u32 {
        self.thread.0
    }

    fn value(&mut self, expr: ExprId) -> Run<Value> {
        Step::value(self, expr)
    }

    fn size(&mut self, expr: ExprId) -> Run<Option<u64>> {
        self.number(expr).map(|size| Some(size as u64))
    }

    fn input(&mut self, ty: Scalar, why: Input) -> Value {
        Step::input(self, ty, why)
    }

    fn handle(&mut self, thread: u32) -> Value {
        Value::Pointer(Pointer::to(Base::Thread(ThreadId(thread))))
    }

    fn function_address(&mut self, function: Option<FunctionId>) -> Value {
        function.map_or(Value::NULL, |function| Value::Pointer(Pointer::to(Base::Function(function))))
    }

    fn object_address(&mut self, object: ObjectId) -> Value {
        Value::Pointer(Pointer::to(Base::Object(object)))
    }

    fn assume(&mut self, condition: Value) -> Run<()> {
        debug_assert_ne!(condition, Value::Bits(0), "only enabled edges are executed");
        Ok(())
    }

    fn set(&mut self, local: LocalId, value: Value) -> Run<()> {
        Step::set(self, local, value);
        Ok(())
    }

    fn set_int(&mut self, local: LocalId, value: i64) -> Run<()> {
        Step::set_int(self, local, value);
        Ok(())
    }

    fn forget(&mut self, local: LocalId) -> Run<()> {
        Step::set(self, local, Value::Undefined);
        Ok(())
    }

    fn place(&mut self, access: &Access, write: bool) -> Run<(ObjectId, u64)> {
        let address = Step::value(self, access.address)?;
        self.resolve(address, access.length(), write)
    }

    fn read(&mut self, access: &Access, place: &(ObjectId, u64)) -> Run<Value> {
        self.read_at(*place, access)
    }

    fn write(&mut self, access: &Access, place: &(ObjectId, u64), value: Value) -> Run<()> {
        self.write_at(*place, access, value)
    }

    fn exchanges(&mut self, exchange: &CompareExchange, old: &Value, expected: &Value, _: &Value) -> Run<Option<bool>> {
        match self.is_equal(exchange.access.ty, *old, *expected) {
            Ok(true) if exchange.weak => Ok(Some(self.environment.choose(2) == 0)),
            Ok(equal) => Ok(Some(equal)),
            Err(question) => {
                self.decide_for_all(question);
                Ok(None)
            }
        }
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
        match Step::value(self, pointer)? {
            Value::NULL => Ok(None),
            pointer => self.block_at(pointer).map(Some),
        }
    }

    fn free(&mut self, block: ObjectId) -> Run<()> {
        self.state.end_object(block, Life::Freed);
        Ok(())
    }

    fn bind_to_frame(&mut self, object: ObjectId) {
        self.state.frame_mut(self.thread).allocated.push(object);
    }

    fn overwrite(&mut self, overwrite: &Overwrite) -> Run<()> {
        self.overwrite_numbers(overwrite)
    }

    fn library(&mut self, call: &LibraryCall) -> Run<()> {
        self.library_call(call)
    }

    fn command_line(&mut self, count: LocalId, vector: LocalId) -> Run<()> {
        self.make_command_line(count, vector);
        Ok(())
    }

    fn push_frame(&mut self, callee: FunctionId, args: Vec<Value>, to: Option<LocalId>) -> Run<()> {
        self.new_frame(callee, &args, to)
    }

    fn has_frame(&self) -> bool {
        !self.state.thread(self.thread).frames.is_empty()
    }

    fn pop_frame(&mut self) -> Run<()> {
        self.end_frame();
        Ok(())
    }

    fn return_to_caller(&mut self) -> Run<()> {
        let (result, frame) = (self.result(), self.end_frame());
        if let (Some(to), Some(value)) = (frame.to, result) {
            Step::set(self, to, value);
        }
        Ok(())
    }

    fn keep_result(&mut self) {
        if self.state.thread(self.thread).life == ThreadLife::Running {
            let result = self.result().filter(|value| *value != Value::Undefined);
            self.set_result(result.unwrap_or(Value::NULL));
        }
    }

    fn set_result(&mut self, value: Value) {
        let thread = self.state.thread_mut(self.thread);
        thread.life = ThreadLife::Leaving;
        thread.result = value;
    }

    fn take_result(&mut self, thread: u32) -> Value {
        self.state.thread(ThreadId(thread)).result
    }

    fn begin_thread(&mut self, _: u32, entry: FunctionId, arg: Value) -> Run<()> {
        self.new_thread(entry, arg);
        Ok(())
    }

    fn end_thread(&mut self, _: Then) {
        self.finish_thread();
    }

    fn push_handler(&mut self, routine: ExprId, arg: Value) -> Run<()> {
        let routine = Step::value(self, routine)?;
        self.state.thread_mut(self.thread).cleanup.push((routine, arg));
        Ok(())
    }

    fn pop_handler(&mut self) -> Value {
        self.state.thread_mut(self.thread).cleanup.pop().map_or(Value::NULL, |(_, arg)| arg)
    }

    fn specific(&mut self, key: u32) -> Value {
        self.state.thread(self.thread).specific.get(key as usize).copied().unwrap_or(Value::NULL)
    }

    fn set_specific(&mut self, key: u32, value: Option<Value>) {
        let (key, specific) = (key as usize, &mut self.state.thread_mut(self.thread).specific);
        if specific.len() <= key {
            specific.resize(key + 1, Value::NULL);
        }
        specific[key] = value.unwrap_or(Value::NULL);
    }

    fn error(&mut self, kind: ErrorKind) {
        self.effects.violations.push(Violation::Error(kind));
    }

    fn end(&mut self, end: End) -> Ending {
        self.state.ended = Some(end);
        Ending::Program(end)
    }

    fn undefined(&mut self, why: Undefined) -> Ending {
        Ending::Undefined(why)
    }

    fn unsupported(&mut self, what: &str) -> Ending {
        Ending::Unsupported(what.into())
    }
}
