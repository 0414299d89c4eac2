//! Steps that read or write memory, and those that make and end objects.

use base::Idx;
use por::Site;
use program::{
    Access, Allocation, Bits, FloatKind, GlobalId, GlobalInit, Input, Library, LibraryCall, LocalId, Overwrite, Scalar,
};
use semantics::format::{Arguments, Text, format};
use semantics::indeterminate::ORIGIN;
use semantics::{Base, Life, ObjectId, Pointer, Violation, mask};

use super::contents::{Fill, Object, Read, object_of};
use super::step::{Run, Transfer, TransferStop, kind_of};
use super::value::{Def, Operand, Symbol, Value};
use crate::step::Unknown;

/// Where an access leads.
pub(super) enum Place {
    At(ObjectId, u64),
    /// Anywhere in an object of which no numbers are kept, depending on a symbol.
    Somewhere(Symbol),
}

impl Transfer<'_, '_, '_> {
    /// The object and offset behind a pointer, if that many bytes are there.
    pub fn resolve(&mut self, pointer: Value, length: u64, write: bool) -> Run<(ObjectId, u64)> {
        match self.state.symbols.value(pointer) {
            Value::Pointer(Pointer { base: Base::Object(id), offset }) => {
                if let Some(object) = self.memory.find(&self.state, id)
                    && object.life == Life::Live
                    && object.contains(offset, length)
                    && !(write && object.read_only)
                {
                    let site = object.site;
                    self.use_indeterminate(id, site, Violation::InvalidAccess);
                    if site != Site::CommandLine || self.argument(id, offset as u64, length)? {
                        return Ok((id, offset as u64));
                    }
                }
            }
            // A number leads to an object only if the program has looked at addresses.
            Value::Bits(0) => {}
            Value::Bits(_) if self.state.addresses => {
                return Err(TransferStop::Unknown(Unknown::Imprecise("a number is used as an address")));
            }
            Value::Unknown(symbol) if self.state.addresses || self.state.symbols.info(symbol).address => {
                return Err(TransferStop::Split(symbol));
            }
            // It may be the address of memory that has no name.
            Value::Unknown(_) => self.post.missing = Some(Unknown::Imprecise("a number is used as an address")),
            _ => {}
        }
        self.post.find(Violation::InvalidAccess, true);
        Err(TransferStop::Undefined)
    }

    /// Where an access leads.
    pub(super) fn find_place(&mut self, access: &Access, write: bool) -> Run<Place> {
        let address = match self.value(access.address) {
            Err(TransferStop::Split(symbol)) if self.is_somewhere(access)? => return Ok(Place::Somewhere(symbol)),
            address => address?,
        };
        let (object, offset) = self.resolve(address, access.length(), write)?;
        Ok(Place::At(object, offset))
    }

    pub(super) fn read_at(&mut self, access: &Access, place: &Place) -> Run<Value> {
        let Place::At(object, offset) = *place else {
            self.may_be_outside();
            return Ok(self.input(access.ty, Input::Uninitialised));
        };
        let Some(bits) = &access.bits else { return self.read_scalar(object, offset, access.ty) };
        match self.assemble(object, offset, access.length()) {
            Value::Bits(whole) if access.length() <= 8 => Ok(Value::Bits(whole >> bits.start & mask(access.ty) as u64)),
            _ => Ok(self.state.symbols.edit().fresh(access.ty)),
        }
    }

    fn read_scalar(&mut self, object: ObjectId, offset: u64, ty: Scalar) -> Run<Value> {
        let length = ty.bytes();
        let value = match self.memory.find(&self.state, object).expect("it was resolved").read(offset, length) {
            Read::Value(Value::Undefined) if self.memory.options.tracked.is_some() => {
                return self.choose_at(object, offset, ty);
            }
            Read::Value(value) => value,
            Read::Undefined => return self.choose_at(object, offset, ty),
            Read::Mixed => self.assemble(object, offset, length),
        };
        Ok(self.fitting(value, ty))
    }

    /// Bytes that are not chosen yet take a value, and keep it. Where numbers are not kept, one may have been there.
    fn choose_at(&mut self, object: ObjectId, offset: u64, ty: Scalar) -> Run<Value> {
        if self.memory.options.pointers_only || !self.memory.keeps_in(&self.state, object, offset) {
            return Ok(match ty {
                Scalar::Pointer(_) => self.fresh(ty),
                _ => self.input(ty, Input::Uninitialised),
            });
        }
        let why = match self.memory.find(&self.state, object).map(|object| object.site) {
            Some(Site::Indeterminate { promised: true }) => Input::Unknown,
            Some(Site::Global(global)) if matches!(self.memory.program.globals[global].init, GlobalInit::Arbitrary) => {
                Input::Imprecise
            }
            _ => Input::Uninitialised,
        };
        let value = self.input(ty, why);
        self.write(object, offset, ty.bytes(), value)?;
        Ok(value)
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
            // Parts of addresses, or what was never written.
            self.state.addresses |= symbols.all[before..].iter().any(|info| info.address);
            *self.state.symbols.edit() = symbols;
        }
        value
    }

    pub(super) fn write_at(&mut self, access: &Access, place: &Place, value: Value) -> Run<()> {
        let (object, offset) = match *place {
            Place::At(object, offset) => (object, offset),
            Place::Somewhere(symbol) if !self.is_number(value) => return Err(TransferStop::Split(symbol)),
            Place::Somewhere(_) => {
                self.may_be_outside();
                return Ok(());
            }
        };
        match &access.bits {
            None => self.write_scalar(object, offset, access.ty, value),
            Some(bits) => self.write_bits(object, offset, access, bits, value),
        }
    }

    fn write_scalar(&mut self, object: ObjectId, offset: u64, ty: Scalar, value: Value) -> Run<()> {
        let (length, pointer_bytes) = (ty.bytes(), self.memory.program.machine.pointer_bytes());
        let value = match value {
            Value::Pointer(_) if length != pointer_bytes => self.number_of_address(ty),
            Value::Part(..) if length != 1 => self.number_of_address(ty),
            value => value,
        };
        let value = match self.memory.options.pointers_only {
            true => self.without_number(ty, value),
            false => self.kept_in(object, offset, ty, value),
        };
        self.write(object, offset, length, value)
    }

    fn write_bits(&mut self, object: ObjectId, offset: u64, access: &Access, bits: &Bits, value: Value) -> Run<()> {
        let length = access.length();
        if self.memory.options.pointers_only || !self.memory.keeps_in(&self.state, object, offset) {
            return self.write(object, offset, length, Value::Undefined);
        }
        let new = match (self.assemble(object, offset, length), value) {
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

    fn number_of_address(&mut self, ty: Scalar) -> Value {
        self.state.addresses = true;
        self.state.symbols.edit().address(ty.bits())
    }

    pub(super) fn write(&mut self, object: ObjectId, offset: u64, length: u64, value: Value) -> Run<()> {
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

    pub fn enter_object(&mut self, local: LocalId) {
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

    pub fn clear_object(&mut self, local: LocalId) {
        if let Some(index) = self.object_of_local(local).and_then(|id| self.memory.index(id)) {
            let object = self.state.objects[index].edit();
            object.fill = Fill::Zero;
            object.cells = Vec::new();
            if self.memory.options.tracked.is_some() && matches!(object.site, Site::Local(..)) {
                let ty = self.memory.function(self.step.function).locals[local].ty;
                *object = self.memory.with_kept(ty, object.clone());
            }
        }
    }

    pub fn leave_object(&mut self, local: LocalId) {
        if let Some(object) = self.object_of_local(local) {
            self.end_object(object, Life::Ended);
            self.set(local, Value::Undefined);
        }
    }

    pub(super) fn new_block(&mut self, kind: Allocation, size: u64, old: Option<ObjectId>) -> Run<ObjectId> {
        let (heap, fill) = kind_of(kind);
        let mut object = Object::new(size, fill, Site::Block(self.step.function, self.step.edge));
        object.heap = heap;
        if let Some(old) = old {
            let from = self.memory.find(&self.state, old).expect("it was found").clone();
            object.copy_prefix(&from, self.state.symbols.edit())?;
            self.end_object(old, Life::Freed);
        }
        Ok(self.memory.new_object(&mut self.state, object))
    }

    pub(super) fn block_at(&mut self, pointer: Value) -> Run<ObjectId> {
        match self.state.symbols.value(pointer) {
            Value::Pointer(Pointer { base: Base::Object(id), offset: ORIGIN })
                if let Some(Object { site: site @ Site::Indeterminate { .. }, life: Life::Live, .. }) =
                    self.memory.find(&self.state, id) =>
            {
                let site = *site;
                self.use_indeterminate(id, site, Violation::InvalidFree);
                return Ok(id);
            }
            Value::Pointer(Pointer { base: Base::Object(id), offset: 0 }) => {
                if let Some(object) = self.memory.find(&self.state, id)
                    && object.heap
                    && object.life == Life::Live
                {
                    return Ok(id);
                }
            }
            Value::Bits(_) if self.state.addresses => {
                return Err(TransferStop::Unknown(Unknown::Imprecise("a number is used as an address")));
            }
            Value::Unknown(symbol) => return Err(TransferStop::Split(symbol)),
            _ => {}
        }
        self.post.find(Violation::InvalidFree, true);
        Err(TransferStop::Undefined)
    }

    // Formatted output.

    /// What is printed does not matter; what is written into memory is not known. A string that is read may have no end: only
    /// literals are sure to have one.
    pub fn library_call(&mut self, call: &LibraryCall) -> Run<()> {
        let args = call.args.iter().map(|arg| self.value(*arg)).collect::<Run<Vec<Value>>>()?;
        let lists = matches!(call.function, Library::PrintList | Library::PrintListTo | Library::FormatList);
        let formats = matches!(call.function, Library::Format | Library::FormatList);
        for (i, arg) in args.iter().enumerate() {
            if self.may_be_followed(call.function, &args, i) && self.literal(*arg).is_none() {
                self.post.find(Violation::InvalidAccess, false);
                self.post.end_undefined(false);
            }
        }
        if template(call.function).is_some() && self.may_store_count(call, &args) {
            for arg in args.iter().copied() {
                if object_of(arg).is_some() && self.literal(arg).is_none() {
                    self.forget_behind(arg)?;
                }
            }
        }
        if !self.has_arguments(call, &args) {
            self.post.end_undefined(false);
        }
        if lists && let Some(list) = args.last().copied() {
            self.forget_behind(list)?;
        }
        if formats {
            let (buffer, size) = (args[0], args[1]);
            if size != Value::Bits(0) {
                // How much is written depends on the text.
                self.post.find(Violation::InvalidAccess, false);
                self.post.end_undefined(false);
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

    /// May the call read a text at this argument, or write there? The stream of a call was looked at before it, and where a text is
    /// written to is kept apart.
    fn may_be_followed(&self, function: Library, args: &[Value], i: usize) -> bool {
        let first = match function {
            Library::PutChar => return false,
            Library::Print | Library::PutLine | Library::PrintList => 0,
            Library::PrintTo | Library::PrintListTo => 1,
            Library::Format | Library::FormatList => 2,
        };
        let Some(behind) = i.checked_sub(first + 1) else { return i == first };
        let Some(text) = self.literal(args[first]).filter(|_| template(function).is_some()) else { return true };
        // Counting directives is not enough where some take no argument, or two, or name theirs.
        let directives = text.iter().filter(|byte| **byte == b'%').count();
        let is_plain = conversions(&text).filter(|byte| *byte != b'm').count() == directives
            && !text.iter().any(|byte| b"*$".contains(byte));
        if is_plain { conversions(&text).nth(behind).is_some_and(follows) } else { conversions(&text).any(follows) }
    }

    /// May the format have a directive `%n`, which stores a number?
    fn may_store_count(&self, call: &LibraryCall, args: &[Value]) -> bool {
        let text = template(call.function).and_then(|template| self.literal(args[template]));
        text.is_none_or(|text| conversions(&text).any(|conversion| conversion == b'n'))
    }

    /// Has every directive of the format an argument? Of a list, or of a template that is no literal, that is not known.
    fn has_arguments(&self, call: &LibraryCall, args: &[Value]) -> bool {
        if matches!(call.function, Library::PutChar | Library::PutLine) {
            return true;
        }
        let Some(template) = template(call.function) else { return false };
        let Some(text) = self.literal(args[template]) else { return false };
        let long_bits = self.memory.program.machine.pointer_bits;
        format(&text, long_bits, &mut Left(args.len() - template - 1), &mut Vec::new()).is_ok()
    }

    /// The text of a string literal, as far as it lies behind the pointer.
    fn literal(&self, value: Value) -> Option<Vec<u8>> {
        let Value::Pointer(Pointer { base: Base::Object(id), offset }) = value else { return None };
        let object = self.memory.find(&self.state, id).filter(|object| object.read_only)?;
        let start = usize::try_from(offset).ok().filter(|start| (*start as u64) < object.size)?;
        // States need not keep its characters.
        let bytes = match &self.memory.program.globals.get(GlobalId(id.0))?.init {
            GlobalInit::Image(image) => image.bytes.get(start..).unwrap_or_default(),
            GlobalInit::Zero => &[],
            GlobalInit::Arbitrary => return None,
        };
        Some(bytes.iter().copied().take_while(|byte| *byte != 0).collect())
    }

    /// Numbers that a function without a body may have written.
    pub fn overwrite_numbers(&mut self, overwrite: &Overwrite) -> Run<()> {
        let pointer = self.value(overwrite.address)?;
        let (id, offset) = match self.state.symbols.value(pointer) {
            Value::Pointer(Pointer { base: Base::Object(id), offset }) => (id, offset),
            Value::Pointer(Pointer { base: Base::Function(_), .. }) => {
                self.post.missing =
                    Some(Unknown::Imprecise("a function without a body may call a function behind a data pointer"));
                return Ok(());
            }
            Value::Bits(value) if value != 0 && self.state.addresses => {
                return Err(TransferStop::Unknown(Unknown::Imprecise("a number is used as an address")));
            }
            Value::Unknown(symbol) if self.state.addresses || self.state.symbols.info(symbol).address => {
                return Err(TransferStop::Split(symbol));
            }
            _ => return Ok(()),
        };
        let Some(object) = self.memory.find(&self.state, id) else { return Ok(()) };
        let written = object.life == Life::Live && !object.read_only && object.contains(offset, 0);
        if let Some(index) = self.memory.index(id).filter(|_| written) {
            let state = &mut self.state;
            state.objects[index].edit().overwrite(offset as u64, overwrite, state.symbols.edit())?;
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

/// So many arguments of a format; what they are does not matter.
struct Left(usize);

impl Left {
    fn take<T>(&mut self, value: T) -> Option<T> {
        self.0 = self.0.checked_sub(1)?;
        Some(value)
    }
}

impl Arguments for Left {
    fn integer(&mut self, _: u8) -> Option<u64> {
        self.take(0)
    }

    fn double(&mut self) -> Option<(FloatKind, u128)> {
        self.take((FloatKind::F64, 0))
    }

    fn long_double(&mut self) -> Option<(FloatKind, u128)> {
        self.take((FloatKind::X87In16, 0))
    }

    fn pointer(&mut self) -> Option<u64> {
        self.take(0)
    }

    fn string(&mut self, _: Option<usize>) -> Option<Text<u8>> {
        self.take(Text::Null)
    }

    fn wide_string(&mut self, _: Option<usize>) -> Option<Text<u32>> {
        self.take(Text::Null)
    }

    fn store_count(&mut self, _: u8, _: u64) -> Option<()> {
        self.take(())
    }
}

/// Does a directive of `printf` read a string, or write to a place?
fn follows(conversion: u8) -> bool {
    b"sSn".contains(&conversion)
}

fn conversions(template: &[u8]) -> impl Iterator<Item = u8> + '_ {
    let parts = template.split(|byte| *byte == b'%').skip(1);
    let conversion =
        |part: &[u8]| part.iter().copied().find(|byte| byte.is_ascii_alphabetic() && !b"hlLqjzt".contains(byte));
    parts.filter_map(conversion)
}

/// Which argument is the format, if the arguments follow it.
fn template(function: Library) -> Option<usize> {
    match function {
        Library::Print => Some(0),
        Library::PrintTo => Some(1),
        Library::Format => Some(2),
        _ => None,
    }
}
