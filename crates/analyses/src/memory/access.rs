//! Steps that read or write memory, and those that make and end objects.

use base::Idx;
use facts::range::Range;
use por::Site;
use program::{Access, Allocate, Allocation, BinaryOp, CompareExchange, Library, LibraryCall, LocalId, Scalar};
use semantics::{Base, Life, ObjectId, Pointer, Violation, mask};

use super::contents::{Fill, Object, Read, object_of};
use super::step::{Doing, Halt, Run, kind_of, trouble};
use super::value::{Def, Operand, Value};
use crate::step::What;

impl Doing<'_, '_, '_> {
    /// The object and offset behind a pointer, if that many bytes are there.
    pub fn resolve(&mut self, pointer: Value, length: u64, write: bool) -> Run<(ObjectId, u64)> {
        match self.state.symbols.value(pointer) {
            Value::Pointer(Pointer { base: Base::Object(id), offset }) => {
                if let Some(object) = self.memory.find(&self.state, id)
                    && object.life == Life::Live
                    && object.contains(offset, length)
                    && !(write && object.read_only)
                {
                    return Ok((id, offset as u64));
                }
            }
            // A number leads to an object only if the program has looked at addresses.
            Value::Bits(0) => {}
            Value::Bits(_) if self.state.addresses => return Err(trouble("a number is used as an address")),
            Value::Unknown(symbol) if self.state.addresses || self.state.symbols.info(symbol).address => {
                return Err(Halt::Split(symbol));
            }
            _ => {}
        }
        self.post.find(Violation::InvalidAccess, true);
        Err(Halt::End)
    }

    pub fn load(&mut self, access: &Access) -> Run<Value> {
        let address = self.value(access.address)?;
        match &access.bits {
            None => self.load_at(address, access.ty),
            Some(bits) => {
                let width = access.ty.bits();
                let length = u64::from((u32::from(bits.start) + width).div_ceil(8));
                let (object, offset) = self.resolve(address, length, false)?;
                match self.assemble(object, offset, length) {
                    Value::Bits(whole) if length <= 8 => Ok(Value::Bits(whole >> bits.start & mask(access.ty) as u64)),
                    _ => Ok(self.state.symbols.edit().fresh(access.ty)),
                }
            }
        }
    }

    fn load_at(&mut self, address: Value, ty: Scalar) -> Run<Value> {
        let length = ty.bytes();
        let (object, offset) = self.resolve(address, length, false)?;
        let value = match self.memory.find(&self.state, object).expect("it was resolved").read(offset, length) {
            Read::Value(value) => value,
            Read::Undefined => {
                let value = self.input(ty);
                if !self.memory.options.pointers_only {
                    self.write(object, offset, length, value)?;
                }
                return Ok(value);
            }
            Read::Mixed => self.assemble(object, offset, length),
        };
        Ok(self.fitting(value, ty))
    }

    /// What is read with another type than it was written with.
    fn fitting(&mut self, value: Value, ty: Scalar) -> Value {
        match self.state.symbols.value(value) {
            Value::Bits(bits) => Value::Bits(bits & mask(ty) as u64),
            Value::Pointer(_) if matches!(ty, Scalar::Float(_)) => self.state.symbols.edit().address(ty.bits()),
            Value::Unknown(symbol) => {
                let info = *self.state.symbols.info(symbol);
                if info.range.map(|range| range.bits()) == super::value::range_bits(ty) {
                    return Value::Unknown(symbol);
                }
                match (info.range, super::value::range_bits(ty)) {
                    // Padding bits of a truth value are none of it.
                    (Some(range), Some(bits)) if bits < range.bits() => {
                        let cast = Def::Cast(
                            program::Cast::Trunc,
                            Scalar::Int(range.bits() as u8),
                            Scalar::Int(bits as u8),
                            Operand::Symbol(symbol),
                        );
                        let deepest = self.memory.deepest;
                        let narrow = facts::range::cast(program::Cast::Trunc, range, bits);
                        self.state.symbols.edit().define(cast, narrow, deepest)
                    }
                    (Some(range), Some(bits)) => {
                        let cast = Def::Cast(
                            program::Cast::ZExt,
                            Scalar::Int(range.bits() as u8),
                            Scalar::Int(bits as u8),
                            Operand::Symbol(symbol),
                        );
                        let deepest = self.memory.deepest;
                        let wide = facts::range::cast(program::Cast::ZExt, range, bits);
                        self.state.symbols.edit().define(cast, wide, deepest)
                    }
                    _ if info.address => self.state.symbols.edit().address(ty.bits()),
                    _ => self.state.symbols.edit().fresh(ty),
                }
            }
            value => value,
        }
    }

    fn assemble(&mut self, object: ObjectId, offset: u64, length: u64) -> Value {
        let mut symbols = (*self.state.symbols).clone();
        let before = symbols.all.len();
        let found = self.memory.find(&self.state, object).expect("it was resolved");
        let value = found.assemble(offset, length, self.memory.program.machine.pointer_bytes(), &mut symbols);
        if symbols.all.len() > before {
            // Parts of addresses, or what nobody wrote.
            self.state.addresses |= symbols.all[before..].iter().any(|info| info.address);
            *self.state.symbols.edit() = symbols;
        }
        value
    }

    pub fn store(&mut self, access: &Access, value: Value) -> Run<()> {
        let address = self.value(access.address)?;
        match &access.bits {
            None => {
                let length = access.ty.bytes();
                let (object, offset) = self.resolve(address, length, true)?;
                let pointer_bytes = self.memory.program.machine.pointer_bytes();
                let value = match value {
                    Value::Pointer(_) if length != pointer_bytes => self.number_of_address(access.ty),
                    Value::Part(..) if length != 1 => self.number_of_address(access.ty),
                    value => value,
                };
                let value = match self.memory.options.pointers_only {
                    true => self.without_number(access.ty, value),
                    false => value,
                };
                self.write(object, offset, length, value)
            }
            Some(bits) => {
                let length = u64::from((u32::from(bits.start) + access.ty.bits()).div_ceil(8));
                let (object, offset) = self.resolve(address, length, true)?;
                if self.memory.options.pointers_only {
                    return self.write(object, offset, length, Value::Undefined);
                }
                let old = self.assemble(object, offset, length);
                let new = match (old, value) {
                    (Value::Bits(old), Value::Bits(value)) if length <= 8 => {
                        let field = (mask(access.ty) as u64) << bits.start;
                        Value::Bits(old & !field | value << bits.start & field)
                    }
                    _ => {
                        let width = (length * 8).min(128) as u8;
                        self.state.symbols.edit().fresh(Scalar::Int(width))
                    }
                };
                self.write(object, offset, length, new)
            }
        }
    }

    fn number_of_address(&mut self, ty: Scalar) -> Value {
        self.state.addresses = true;
        self.state.symbols.edit().address(ty.bits())
    }

    fn write(&mut self, object: ObjectId, offset: u64, length: u64, value: Value) -> Run<()> {
        let value = self.state.symbols.value(value);
        let Some(index) = self.memory.index(object) else { return Ok(()) };
        let state = &mut self.state;
        // Only where a symbol is cut into bytes are new ones needed.
        if state.symbols.all.is_empty() {
            let mut none = super::value::Symbols::default();
            state.objects[index].edit().write(offset, length, value, &mut none)?;
            if !none.all.is_empty() {
                *state.symbols.edit() = none;
            }
            return Ok(());
        }
        Ok(state.objects[index].edit().write(offset, length, value, state.symbols.edit())?)
    }

    pub fn compare_exchange(&mut self, exchange: &CompareExchange) -> Run<()> {
        let (expected, desired) = (self.value(exchange.expected)?, self.value(exchange.desired)?);
        let old = self.load(&exchange.access)?;
        if self.memory.options.pointers_only {
            return self.exchange_pointers(exchange, old, expected, desired);
        }
        let equal = self.equal(exchange.access.ty, old, expected);
        let equal = match self.state.symbols.value(equal) {
            Value::Bits(bits) => bits != 0,
            Value::Unknown(symbol) => return Err(Halt::Split(symbol)),
            _ => true,
        };
        if equal && exchange.weak {
            // Fails for no reason: the other way this step can go.
            let (state, step) = (self.state.clone(), self.step);
            self.step.choice = Some(1);
            self.set(exchange.old, old);
            self.set(exchange.success, Value::truth(false));
            self.finish_apart();
            self.state = state;
            self.step = step;
            self.step.choice = Some(0);
        }
        if equal {
            self.store(&exchange.access, desired)?;
        }
        self.set(exchange.old, old);
        self.set(exchange.success, Value::truth(equal));
        Ok(())
    }

    /// Of numbers, both outcomes are the same here. Of pointers, the step says which outcome it is.
    fn exchange_pointers(
        &mut self,
        exchange: &CompareExchange,
        old: Value,
        expected: Value,
        desired: Value,
    ) -> Run<()> {
        let is_pointer = |value: Value| matches!(value, Value::Pointer(_) | Value::Part(..));
        let is_number = !matches!(exchange.access.ty, Scalar::Pointer(_)) && !is_pointer(expected);
        if is_number && !is_pointer(old) && !is_pointer(desired) {
            // The value read is no pointer, whatever it is.
            return self.set_exchanged(exchange, old, None, desired);
        }
        let (may_fit, may_differ) = match (old, expected) {
            (Value::Pointer(_), Value::Pointer(_) | Value::Bits(0))
            | (Value::Bits(0), Value::Pointer(_))
            | (Value::Bits(_), Value::Bits(_)) => (old == expected, old != expected),
            _ => (true, true),
        };
        self.state.addresses |= may_fit && may_differ && (is_pointer(old) || is_pointer(expected));
        let (state, step) = (self.state.clone(), self.step);
        let mut outcomes = Vec::new();
        if may_differ {
            outcomes.push((false, None));
        }
        if may_fit && exchange.weak {
            outcomes.push((false, Some(1)));
        }
        if may_fit {
            outcomes.push((true, exchange.weak.then_some(0)));
        }
        let last = outcomes.len() - 1;
        for (i, (success, choice)) in outcomes.into_iter().enumerate() {
            self.step.what = What::Exchange { success };
            self.step.choice = choice;
            self.set_exchanged(exchange, old, Some(success), desired)?;
            if i < last {
                self.finish_apart();
                self.state = state.clone();
                self.step = step;
            }
        }
        Ok(())
    }

    fn set_exchanged(
        &mut self,
        exchange: &CompareExchange,
        old: Value,
        success: Option<bool>,
        desired: Value,
    ) -> Run<()> {
        if success != Some(false) {
            self.store(&exchange.access, desired)?;
        }
        self.set(exchange.old, old);
        self.set(exchange.success, Value::Undefined);
        Ok(())
    }

    /// A truth value: as `==` has it.
    fn equal(&mut self, ty: Scalar, a: Value, b: Value) -> Value {
        let (a, b) = (self.state.symbols.value(a), self.state.symbols.value(b));
        let operand = |value| match value {
            Value::Bits(bits) => Some(Operand::Bits(bits)),
            Value::Unknown(symbol) => Some(Operand::Symbol(symbol)),
            _ => None,
        };
        match (a, b) {
            (Value::Pointer(p), Value::Pointer(q)) => Value::truth(p == q),
            (Value::Pointer(_), Value::Bits(0)) | (Value::Bits(0), Value::Pointer(_)) => Value::truth(false),
            _ if a == b => Value::truth(true),
            (Value::Bits(_), Value::Bits(_)) => Value::truth(false),
            _ => {
                let deepest = self.memory.deepest;
                let symbols = self.state.symbols.edit();
                match (operand(a), operand(b)) {
                    (Some(a), Some(b)) => {
                        let ranges = super::value::range_bits(ty)
                            .and_then(|bits| symbols.range(a, bits).zip(symbols.range(b, bits)));
                        let truth = match ranges {
                            Some((x, y)) => super::value::binary_range(BinaryOp::Eq, x, y).flatten(),
                            None => None,
                        };
                        let truth = truth.unwrap_or(Range::top(1));
                        symbols.define(Def::Binary(BinaryOp::Eq, ty, a, ty, b), Some(truth), deepest)
                    }
                    _ => {
                        self.state.addresses = true;
                        self.state.symbols.edit().fresh(Scalar::BOOL)
                    }
                }
            }
        }
    }

    // Objects.

    pub fn end_object(&mut self, id: ObjectId, life: Life) {
        if let Some(index) = self.memory.index(id) {
            self.state.objects[index].edit().end(life);
        }
    }

    fn object_of_local(&self, local: LocalId) -> Option<ObjectId> {
        let frame = self.state.threads[self.step.thread as usize].frames.last()?;
        object_of(frame.locals[local.index()])
    }

    pub fn enter(&mut self, local: LocalId) {
        let function = &self.memory.program.functions[self.step.function];
        let size = self.memory.program.types.size(function.locals[local].ty);
        let object = Object::new(size, Fill::Undefined, Site::Local(self.step.function, local));
        match self.object_of_local(local).and_then(|id| self.memory.index(id)) {
            Some(index) => *self.state.objects[index].edit() = object,
            None => {
                let id = self.memory.new_object(&mut self.state, object);
                self.set(local, Value::Pointer(Pointer::to(Base::Object(id))));
            }
        }
    }

    pub fn clear(&mut self, local: LocalId) {
        if let Some(index) = self.object_of_local(local).and_then(|id| self.memory.index(id)) {
            let object = self.state.objects[index].edit();
            object.fill = Fill::Zero;
            object.cells = Vec::new();
        }
    }

    pub fn leave(&mut self, local: LocalId) {
        if let Some(object) = self.object_of_local(local) {
            self.end_object(object, Life::Ended);
            self.set(local, Value::Undefined);
        }
    }

    pub fn allocate(&mut self, allocate: &Allocate) -> Run<()> {
        let size = self.number(allocate.size)?;
        let (heap, fill) = kind_of(allocate.kind);
        let mut object = Object::new(size, fill, Site::Block(self.step.function, self.step.edge));
        object.heap = heap;
        if let Allocation::Realloc(old) = allocate.kind {
            let old = self.value(old)?;
            if old != Value::NULL {
                let block = self.heap_block(old)?;
                let from = self.memory.find(&self.state, block).expect("it was found").clone();
                object.copy_prefix(&from, self.state.symbols.edit())?;
                self.end_object(block, Life::Freed);
            }
        }
        let id = self.memory.new_object(&mut self.state, object);
        let pointer = Value::Pointer(Pointer::to(Base::Object(id)));
        match allocate.kind {
            Allocation::Frame => {
                let thread = self.step.thread as usize;
                let frame = self.state.threads[thread].frames.last_mut().expect("a thread that runs has a frame");
                frame.edit().allocated.push(id);
            }
            Allocation::Variable(local) => {
                self.leave(local);
                self.set(local, pointer);
            }
            _ => {}
        }
        self.set(allocate.to, pointer);
        Ok(())
    }

    pub fn free(&mut self, pointer: Value) -> Run<()> {
        if pointer != Value::NULL {
            let block = self.heap_block(pointer)?;
            self.end_object(block, Life::Freed);
        }
        Ok(())
    }

    fn heap_block(&mut self, pointer: Value) -> Run<ObjectId> {
        match self.state.symbols.value(pointer) {
            Value::Pointer(Pointer { base: Base::Object(id), offset: 0 }) => {
                if let Some(object) = self.memory.find(&self.state, id)
                    && object.heap
                    && object.life == Life::Live
                {
                    return Ok(id);
                }
            }
            Value::Bits(_) if self.state.addresses => return Err(trouble("a number is used as an address")),
            Value::Unknown(symbol) => return Err(Halt::Split(symbol)),
            _ => {}
        }
        self.post.find(Violation::InvalidFree, true);
        Err(Halt::End)
    }

    // Formatted output.

    /// What is printed does not matter; what is written into memory is not known. A string that is read may have no end: only
    /// literals are sure to have one.
    pub fn library(&mut self, call: &LibraryCall) -> Run<()> {
        let args = call.args.iter().map(|arg| self.value(*arg)).collect::<Run<Vec<Value>>>()?;
        let lists = matches!(call.function, Library::PrintList | Library::PrintListTo | Library::FormatList);
        let formats = matches!(call.function, Library::Format | Library::FormatList);
        for (i, arg) in args.iter().enumerate() {
            let is_literal = object_of(*arg)
                .is_some_and(|id| self.memory.find(&self.state, id).is_some_and(|object| object.read_only));
            if object_of(*arg).is_some() && !is_literal && !(formats && i == 0) {
                self.post.find(Violation::InvalidAccess, false);
                self.post.ends = true;
            }
        }
        if lists && let Some(list) = args.last().copied() {
            self.forget_behind(list)?;
        }
        if formats {
            let (buffer, size) = (args[0], args[1]);
            if size != Value::Bits(0) {
                // How much is written depends on the text.
                self.post.find(Violation::InvalidAccess, false);
                self.post.ends = true;
                self.forget_behind(buffer)?;
            }
        }
        if let Some(to) = call.to {
            // The length of the text: no input, but not known.
            let ty = self.local_type(to);
            let value = self.state.symbols.edit().fresh(ty);
            self.set(to, value);
        }
        Ok(())
    }

    fn forget_behind(&mut self, pointer: Value) -> Run<()> {
        let (object, offset) = self.resolve(pointer, 1, true)?;
        if let Some(index) = self.memory.index(object) {
            let state = &mut self.state;
            state.objects[index].edit().forget_from(offset, state.symbols.edit())?;
        }
        Ok(())
    }
}
