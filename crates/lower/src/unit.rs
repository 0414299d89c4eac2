//! The whole program: objects and functions are lowered when something that runs first mentions them, so headers cost nothing.

use base::{Interner, SourceMap, Span, Symbol};
use c_front::typed::{self, Constant, InitPart, InitValue, ObjectId, StringId};
use c_front::types::{self as c, ArrayLength};
use program::{
    Address, AddressBase, AssumptionKind, Callee, Direction, End, ErrorKind, ExprKind, Function, FunctionId, Global,
    GlobalId, GlobalInit, Image, Input, Ledger, LocalKind, MODEL_PREFIX, MutexOp, Op, Scalar, Storage, ThreadOp,
};
use rustc_hash::FxHashMap;

use crate::call::Signature;
use crate::fold::Fold;
use crate::function::{FunctionLowerer, Slot};
use crate::library::Arg;
use crate::missing::{Handed, Missing};
use crate::statement::declared;
use crate::types::TypeLowerer;

/// What glibc calls the record of a mutex.
const MUTEX_TAG: &str = "__pthread_mutex_s";

/// Bytes that an array has whose size is not known and which is defined nowhere.
const UNKNOWN_SIZE: u64 = 1 << 24;

pub struct UnitLowerer<'u> {
    pub unit: &'u typed::Unit,
    pub names: &'u Interner,
    sources: &'u SourceMap,
    pub types: TypeLowerer<'u>,
    pub ledger: Ledger,
    pub missing: Missing,
    /// What functions without a body may do with what they are handed, for each kind of it.
    pub effects: FxHashMap<Vec<Handed>, FunctionId>,
    pub effects_flag: Option<GlobalId>,
    pub globals: base::IndexVec<GlobalId, Global>,
    objects: FxHashMap<ObjectId, GlobalId>,
    strings: FxHashMap<StringId, GlobalId>,
    functions: base::IndexVec<FunctionId, Option<Function>>,
    known: FxHashMap<(typed::FunctionId, Use), FunctionId>,
    /// Functions met but not lowered yet.
    pending: Vec<(typed::FunctionId, Use, FunctionId)>,
    by_name: FxHashMap<Symbol, typed::FunctionId>,
    /// Objects of the library whose values are not modelled.
    library_objects: Vec<(GlobalId, Scalar)>,
    /// Mutexes in static memory that are initialised to a kind other than the normal one.
    mutexes: Vec<(GlobalId, u64, u32)>,
}

/// How a function is met. One without a body that is called through a pointer must do itself what it may do with its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Use {
    Call,
    Value,
}

/// All that makes up a program, but for its sources.
pub struct Parts {
    pub functions: base::IndexVec<FunctionId, Function>,
    pub globals: base::IndexVec<GlobalId, Global>,
    pub types: program::Types,
    pub ledger: Ledger,
}

/// A library function written in C, as a callee.
pub struct ModelFunction {
    pub id: FunctionId,
    /// Type of each parameter, and whether it is signed.
    pub params: Vec<(Scalar, bool)>,
    pub result: Option<Scalar>,
}

impl<'u> UnitLowerer<'u> {
    pub fn new(unit: &'u typed::Unit, names: &'u Interner, sources: &'u SourceMap, missing: Missing) -> Self {
        UnitLowerer {
            unit,
            names,
            sources,
            types: TypeLowerer::new(&unit.types, names),
            ledger: Ledger::default(),
            missing,
            effects: FxHashMap::default(),
            effects_flag: None,
            globals: base::IndexVec::new(),
            objects: FxHashMap::default(),
            strings: FxHashMap::default(),
            functions: base::IndexVec::new(),
            known: FxHashMap::default(),
            pending: Vec::new(),
            by_name: unit.functions.iter_enumerated().map(|(id, f)| (f.name, id)).collect(),
            library_objects: Vec::new(),
            mutexes: Vec::new(),
        }
    }

    /// Lowers everything that can run. `main` is the function to start.
    pub fn run(&mut self, main: typed::FunctionId) -> (FunctionId, FunctionId) {
        let entry = self.functions.push(None);
        let main_id = self.function(main);
        let (mut before, mut after) = (Vec::new(), Vec::new());
        for (id, function) in self.unit.functions.iter_enumerated().filter(|(_, f)| f.body.is_some()) {
            if function.attributes.constructor {
                self.function(id);
                before.push(id);
            }
            if function.attributes.destructor {
                self.function(id);
                after.push(id);
            }
        }
        while let Some((typed, met, id)) = self.pending.pop() {
            let function = self.lower_function(typed, met);
            self.functions[id] = Some(function);
        }
        let start = self.start(main, main_id, &before, &after);
        self.functions[entry] = Some(start);
        (entry, main_id)
    }

    /// What was lowered.
    pub fn finish(self) -> Parts {
        let mut functions: base::IndexVec<_, Function> =
            self.functions.into_iter().map(|f| f.expect("every function met was lowered")).collect();
        drop_labels(&mut functions);
        Parts { functions, globals: self.globals, types: self.types.types, ledger: self.ledger }
    }

    // Functions.

    /// Does a system header declare the function?
    pub fn is_of_system(&self, name: &str) -> bool {
        let function = self.names.lookup(name).and_then(|name| self.by_name.get(&name));
        let place = function.and_then(|id| self.sources.place(self.unit.functions[*id].span));
        place.is_some_and(|place| place.system)
    }

    /// A function that is called.
    pub fn function(&mut self, function: typed::FunctionId) -> FunctionId {
        self.function_for(function, Use::Call)
    }

    /// A function whose address is used.
    pub fn function_value(&mut self, function: typed::FunctionId) -> FunctionId {
        let typed = &self.unit.functions[function];
        let is_known = typed.body.is_some() || crate::library::model(self.names.resolve(typed.name)).is_some();
        self.function_for(function, if is_known { Use::Call } else { Use::Value })
    }

    fn function_for(&mut self, function: typed::FunctionId, met: Use) -> FunctionId {
        if let Some(&id) = self.known.get(&(function, met)) {
            return id;
        }
        let id = self.functions.push(None);
        self.known.insert((function, met), id);
        self.pending.push((function, met, id));
        id
    }

    pub fn add_function(&mut self, function: Function) -> FunctionId {
        self.functions.push(Some(function))
    }

    /// The model of a library function that is written in C, also by the name that models use.
    pub fn model(&mut self, name: &str) -> Option<ModelFunction> {
        let name = name.strip_prefix(MODEL_PREFIX).unwrap_or(name);
        let symbol = self.names.lookup(&format!("{MODEL_PREFIX}{name}"))?;
        let typed = *self.by_name.get(&symbol)?;
        let signature = self.signature_of(&self.unit.functions[typed]);
        let id = self.function(typed);
        let scalar =
            |ty: &c::TypeId| (self.types.scalar(*ty).unwrap_or(self.types.pointer()), self.types.is_signed(*ty));
        let params = signature.params.iter().map(scalar).collect();
        Some(ModelFunction { id, params, result: self.types.scalar(signature.result) })
    }

    pub fn signature_of(&self, function: &typed::Function) -> Signature {
        let c::Type::Function(ty) = &self.unit.types[function.ty] else {
            unreachable!("functions have function types")
        };
        // A definition without a prototype knows its parameters all the same.
        let params = match function.body {
            Some(_) => function.params.iter().map(|p| function.locals[*p].ty.ty).collect(),
            None => ty.params.iter().map(|p| p.ty).collect(),
        };
        Signature {
            result: ty.result.ty,
            params,
            variadic: ty.variadic,
            prototype: ty.prototype || function.body.is_some(),
        }
    }

    pub fn signature_of_pointer(&self, pointer: c::TypeId, result: c::TypeId) -> Signature {
        if let c::Type::Pointer(target) = &self.unit.types[pointer]
            && let c::Type::Function(ty) = &self.unit.types[target.ty]
        {
            let params = ty.params.iter().map(|p| p.ty).collect();
            return Signature { result: ty.result.ty, params, variadic: ty.variadic, prototype: ty.prototype };
        }
        Signature { result, params: Vec::new(), variadic: false, prototype: false }
    }

    fn lower_function(&mut self, id: typed::FunctionId, met: Use) -> Function {
        let typed = &self.unit.functions[id];
        let name = self.names.resolve(typed.name);
        let signature = self.signature_of(typed);
        let mut f = FunctionLowerer::new(self, typed, name);
        f.b.defined = typed.body.is_some();
        let model = name.strip_prefix(MODEL_PREFIX).and_then(crate::library::model);
        f.imprecise = model.is_some_and(|model| model.direction == Some(Direction::Over));
        f.parameters(&signature);
        match &typed.body {
            Some(body) => f.body(name, body),
            None => f.made_up_body(name, &signature, met),
        }
        f.finish()
    }

    /// What runs first: constructors, `main`, destructors.
    fn start(
        &mut self,
        main: typed::FunctionId,
        main_id: FunctionId,
        before: &[typed::FunctionId],
        after: &[typed::FunctionId],
    ) -> Function {
        let typed = &self.unit.functions[main];
        let signature = self.signature_of(typed);
        let mut f = FunctionLowerer::new(self, typed, "<start>");
        f.open_scope(Vec::new());
        f.choose_effects();
        f.choose_library_objects();
        f.initialise_mutexes();
        f.call_each(before);
        // A strange `main` is called as any other function is.
        let mut args = Vec::new();
        if f.unit.types.is_record(signature.result) {
            args.push(f.record_temporary(signature.result));
        }
        args.extend(f.command_line(&signature));
        if signature.variadic {
            let pointer = f.pointer();
            args.push(f.b.null(pointer));
        }
        let to = f.unit.types.scalar(signature.result).map(|scalar| f.temp(scalar));
        f.call(Callee::Direct(main_id), args, to);
        f.call_each(after);
        f.span = typed.end;
        f.end(End::Return);
        f.finish()
    }

    // Objects.

    pub fn global(&mut self, object: ObjectId) -> GlobalId {
        if let Some(&id) = self.objects.get(&object) {
            return id;
        }
        let info = &self.unit.objects[object];
        let ty = self.types.lower(info.ty.ty);
        let natural = self.unit.types.align_of(info.ty).max(1);
        let name = self.names.resolve(info.name);
        let is_stream = !info.defined && ["stdin", "stdout", "stderr"].contains(&name);
        if !info.defined && !is_stream {
            let (direction, text) = match self.unit.types.size_of(info.ty.ty) {
                Some(_) => (Direction::Convention, "is declared but defined nowhere: its initial value is arbitrary"),
                None => (
                    Direction::Under,
                    "is declared but defined nowhere, and its size is not known: taken to be large, its value arbitrary",
                ),
            };
            self.ledger.assume(AssumptionKind::MissingObject, direction, name, text, info.span);
        }
        let id = self.globals.push(Global {
            name: name.into(),
            ty,
            size: match self.unit.types.size_of(info.ty.ty) {
                None if !info.defined => UNKNOWN_SIZE,
                _ => self.types.size(info.ty.ty).max(self.initialised_size(info)),
            },
            align: info.align.unwrap_or(natural).max(natural),
            init: if info.defined { GlobalInit::Zero } else { GlobalInit::Arbitrary },
            thread_local: info.thread_local,
            read_only: false,
            address_taken: info.address_taken,
            span: info.span,
        });
        self.objects.insert(object, id);
        if !info.defined && crate::library::OBJECTS.contains(&name) {
            let scalar = self.types.scalar(info.ty.ty);
            self.library_objects.extend(scalar.map(|scalar| (id, scalar)));
        }
        if is_stream {
            // A pointer that is not null and that no other object has.
            let stream = Address { base: AddressBase::Global(self.stream(name)), offset: 0 };
            self.globals[id].init =
                GlobalInit::Image(Box::new(Image { bytes: Vec::new(), pointers: vec![(0, stream)] }));
        }
        if let Some(init) = &info.init {
            // The image may mention this object itself, so it is named first.
            let image = self.image(&init.parts);
            self.globals[id].init = GlobalInit::Image(Box::new(image));
            self.find_mutexes(id, info.ty.ty, 0);
        }
        id
    }

    /// What a standard stream's pointer leads to: it is never written.
    fn stream(&mut self, name: &str) -> GlobalId {
        self.globals.push(Global {
            name: format!("<{name}>").into(),
            ty: self.types.of_scalar(Scalar::Int(8)),
            size: 1,
            align: 1,
            init: GlobalInit::Zero,
            thread_local: false,
            read_only: false,
            address_taken: true,
            span: Span::NONE,
        })
    }

    /// A flexible array member with an initialiser makes the object larger than its type.
    fn initialised_size(&self, object: &typed::Object) -> u64 {
        let parts = object.init.as_ref().map_or(&[][..], |init| &init.parts);
        parts.iter().map(|part| part.offset + self.part_size(part)).max().unwrap_or(0)
    }

    fn part_size(&self, part: &InitPart<Constant>) -> u64 {
        let size = match &part.value {
            InitValue::String(string, count) => u64::from(self.unit.strings[*string].unit) * count,
            InitValue::Value(_) => match part.bits {
                Some(bits) => u64::from(bits.start + bits.width).div_ceil(8),
                None => self.types.size(part.ty.ty),
            },
        };
        size + part.repeat.iter().map(|(count, stride)| count.saturating_sub(1) * stride).sum::<u64>()
    }

    fn image(&mut self, parts: &[InitPart<Constant>]) -> Image {
        let mut image = Image { bytes: Vec::new(), pointers: Vec::new() };
        for part in parts {
            self.write_repeated(&mut image, part, part.offset, &part.repeat);
        }
        image.pointers.sort_by_key(|(offset, _)| *offset);
        while image.bytes.last() == Some(&0) {
            image.bytes.pop();
        }
        image
    }

    fn write_repeated(&mut self, image: &mut Image, part: &InitPart<Constant>, at: u64, repeat: &[(u64, u64)]) {
        match repeat {
            [] => self.write_part(image, part, at),
            [(count, stride), inner @ ..] => {
                for i in 0..*count {
                    self.write_repeated(image, part, at + i * stride, inner);
                }
            }
        }
    }

    fn write_part(&mut self, image: &mut Image, part: &InitPart<Constant>, at: u64) {
        match &part.value {
            InitValue::String(string, count) => {
                let data = &self.unit.strings[*string];
                let unit = u64::from(data.unit);
                for (i, value) in data.units.iter().take(*count as usize).enumerate() {
                    write_bits(&mut image.bytes, at + i as u64 * unit, 0, unit as u32 * 8, u128::from(*value));
                }
            }
            InitValue::Value(Constant::Int(bits) | Constant::Float(bits)) => match part.bits {
                Some(range) => write_bits(&mut image.bytes, at, range.start, u32::from(range.width), *bits),
                None => {
                    let width = self.types.scalar(part.ty.ty).map_or(0, Scalar::bits);
                    write_bits(&mut image.bytes, at, 0, width, *bits);
                }
            },
            InitValue::Value(Constant::Address { base, offset }) => {
                let base = match base {
                    typed::AddressBase::Object(object) => AddressBase::Global(self.global(*object)),
                    typed::AddressBase::String(string) => AddressBase::Global(self.string(*string)),
                    typed::AddressBase::Function(function) => AddressBase::Function(self.function_value(*function)),
                    typed::AddressBase::Label(_, label) => {
                        let width = u32::from(self.types.machine().pointer_bits);
                        return write_bits(&mut image.bytes, at, 0, width, u128::from(label.0) + 1);
                    }
                };
                image.pointers.push((at, Address { base, offset: *offset }));
            }
        }
    }

    pub fn string(&mut self, string: StringId) -> GlobalId {
        if let Some(&id) = self.strings.get(&string) {
            return id;
        }
        let data = &self.unit.strings[string];
        let unit = u64::from(data.unit);
        let mut bytes = Vec::with_capacity(data.units.len() * data.unit as usize);
        for (i, value) in data.units.iter().enumerate() {
            write_bits(&mut bytes, i as u64 * unit, 0, unit as u32 * 8, u128::from(*value));
        }
        let ty = self.types.lower(data.ty);
        let id = self.globals.push(Global {
            name: format!("\"{}\"", preview(&data.units)).into(),
            ty,
            size: data.units.len() as u64 * unit,
            align: unit,
            init: GlobalInit::Image(Box::new(Image { bytes, pointers: Vec::new() })),
            thread_local: false,
            read_only: true,
            address_taken: true,
            span: Span::NONE,
        });
        self.strings.insert(string, id);
        id
    }

    /// A mutex whose static initialiser gives a kind (recursive, error-checking) says so in glibc's field `__kind`.
    fn find_mutexes(&mut self, global: GlobalId, ty: c::TypeId, offset: u64) {
        match &self.unit.types[ty] {
            c::Type::Array { element, length: ArrayLength::Known(count) } => {
                let (element, stride) = (element.ty, self.types.size(element.ty));
                if self.has_mutex(element) {
                    (0..*count).for_each(|i| self.find_mutexes(global, element, offset + i * stride));
                }
            }
            c::Type::Record(id) => {
                let record = &self.unit.types.records[*id];
                let is_mutex = record.tag.is_some_and(|tag| self.names.resolve(tag) == MUTEX_TAG);
                for field in record.body.as_ref().map_or(&[][..], |body| &body.fields) {
                    let name = field.name.map_or("", |name| self.names.resolve(name));
                    if is_mutex && name == "__kind" {
                        self.note_mutex(global, offset, offset + field.offset);
                    } else if !is_mutex {
                        self.find_mutexes(global, field.ty.ty, offset + field.offset);
                    }
                }
            }
            _ => {}
        }
    }

    /// Is there a mutex within? Checked before each element of an array is looked at.
    fn has_mutex(&self, ty: c::TypeId) -> bool {
        match &self.unit.types[ty] {
            c::Type::Array { element, .. } => self.has_mutex(element.ty),
            c::Type::Record(id) => {
                let record = &self.unit.types.records[*id];
                let fields = record.body.as_ref().map_or(&[][..], |body| &body.fields);
                record.tag.is_some_and(|tag| self.names.resolve(tag) == MUTEX_TAG)
                    || fields.iter().any(|field| self.has_mutex(field.ty.ty))
            }
            _ => false,
        }
    }

    fn note_mutex(&mut self, global: GlobalId, mutex: u64, kind: u64) {
        let GlobalInit::Image(image) = &self.globals[global].init else { return };
        let byte = |i: u64| image.bytes.get((kind + i) as usize).copied().unwrap_or(0);
        let kind = u32::from_le_bytes([byte(0), byte(1), byte(2), byte(3)]);
        if kind != 0 && !self.mutexes.iter().any(|(g, at, _)| (*g, *at) == (global, mutex)) {
            self.mutexes.push((global, mutex, kind));
        }
    }
}

impl FunctionLowerer<'_, '_> {
    fn parameters(&mut self, signature: &Signature) {
        let pointer = self.pointer();
        if self.unit.types.is_record(signature.result) {
            self.result_pointer = Some(self.parameter("result", pointer));
        }
        let locals: Vec<_> = self.typed.params.iter().map(|p| Some(*p)).collect();
        for (i, ty) in signature.params.iter().enumerate() {
            let local = locals.get(i).copied().flatten();
            let name = local.and_then(|l| self.typed.locals[l].name).map_or("", |n| self.name_of(n));
            let scalar = self.unit.types.scalar(*ty);
            let id = self.parameter(name, scalar.unwrap_or(pointer));
            if scalar.is_some() {
                self.b.locals[id].ty = self.unit.types.lower(*ty);
            }
            if let Some(local) = local {
                self.slots[local] = match scalar {
                    None => Some(Slot::Behind(id)),
                    Some(_) if !self.typed.locals[local].address_taken => Some(Slot::Plain(id)),
                    Some(_) => None,
                };
            }
        }
        if signature.variadic {
            self.varargs = Some(self.parameter("variadic", pointer));
        }
        if let Some(scalar) = self.unit.types.scalar(signature.result) {
            let ty = self.unit.types.lower(signature.result);
            self.b.result = Some(self.new_local("result", ty, Storage::Plain(scalar), LocalKind::Named));
        }
    }

    fn parameter(&mut self, name: &str, scalar: Scalar) -> program::LocalId {
        let ty = self.unit.types.of_scalar(scalar);
        let id = self.new_local(name, ty, Storage::Plain(scalar), LocalKind::Param);
        self.b.params.push(id);
        id
    }

    fn body(&mut self, name: &str, body: &[typed::Statement]) {
        let atomic = is_atomic_function(name);
        if let Some(kind) = error_function(name) {
            self.emit(Op::Error(kind));
        }
        if atomic {
            self.emit(Op::AtomicBegin);
        }
        self.parameters_to_memory();
        self.open_scope(declared(body));
        for s in body {
            self.statement(s);
        }
        self.span = self.typed.end;
        // The caller may use the value only if there was a return with one; otherwise it is arbitrary.
        if let (Some(result), true) = (self.b.result, name != "main") {
            self.emit(Op::Havoc(result, Input::Uninitialised));
        } else if let Some(result) = self.b.result {
            let zero = self.b.constant(self.scalar_of(result), 0);
            self.emit(Op::Assign(result, zero));
        }
        self.place_location(self.exit);
        if self.typed.attributes.noreturn {
            self.undefined();
        }
        if atomic {
            self.emit(Op::AtomicEnd);
        }
        self.emit(Op::Return);
        self.resolve_jumps();
        self.at = self.b.location();
    }

    fn scalar_of(&self, local: program::LocalId) -> Scalar {
        match self.b.locals[local].storage {
            Storage::Plain(scalar) => scalar,
            Storage::Memory => Scalar::Int(8),
        }
    }

    /// Parameters whose address is used move into memory first.
    fn parameters_to_memory(&mut self) {
        let first = usize::from(self.result_pointer.is_some());
        let moved: Vec<_> = self.typed.params.iter().copied().enumerate().collect();
        for (i, local) in moved {
            if self.slots[local].is_some() {
                continue;
            }
            let Slot::Memory(memory) = self.slot(local) else { continue };
            self.emit(Op::Enter(memory));
            let value = self.b.local(self.b.params[first + i]);
            let address = self.local_address(memory);
            self.store_at(address, value);
        }
    }

    /// The body of a function that the program does not define but uses as a value.
    fn made_up_body(&mut self, name: &str, signature: &Signature, met: Use) {
        self.open_scope(Vec::new());
        let first = usize::from(self.result_pointer.is_some());
        let args: Vec<_> = (signature.params.iter().enumerate())
            .map(|(i, ty)| Arg { value: self.b.local(self.b.params[first + i]), ty: *ty })
            .collect();
        if met == Use::Value {
            self.missing_effects(name, &args, &signature.params, &[]);
        }
        let value = self.call_undefined(name, &args, signature.result);
        if met == Use::Value {
            self.errno_after(name, self.unit.missing == Missing::Writes, value);
        }
        match (value, self.b.result, self.result_pointer) {
            (Some(value), Some(result), _) => self.take(result, value),
            (Some(from), None, Some(to)) => {
                let to = self.b.local(to);
                self.copy(to, from, c::QualType::plain(signature.result));
            }
            _ => {}
        }
    }

    pub fn finish(mut self) -> Function {
        // Control that falls off the end of a generated function returns; nothing leads here in others.
        self.emit(Op::Return);
        self.b.finish()
    }

    /// Calls functions that the surroundings call: what they want to be given is arbitrary.
    fn call_each(&mut self, functions: &[typed::FunctionId]) {
        for &function in functions {
            let result = self.unit.signature_of(&self.unit.unit.functions[function]).result;
            self.full_expression(|f| f.call_named(function, &[], result));
        }
    }

    /// Any value: more than the library would give.
    fn choose_library_objects(&mut self) {
        for (global, scalar) in std::mem::take(&mut self.unit.library_objects) {
            self.full_expression(|f| {
                let pointer = f.pointer();
                let address = f.b.expr(ExprKind::GlobalAddress(global), pointer);
                let value = f.arbitrary(scalar, Input::Imprecise);
                f.store_at(address, value);
            });
        }
    }

    fn initialise_mutexes(&mut self) {
        for (global, offset, kind) in std::mem::take(&mut self.unit.mutexes) {
            self.full_expression(|f| {
                let pointer = f.pointer();
                let base = f.b.expr(ExprKind::GlobalAddress(global), pointer);
                let mutex = f.offset(base, offset as i64);
                let op = MutexOp::Init { kind: f.b.int(32, u128::from(kind)) };
                let to = f.temp(Scalar::Int(32));
                f.emit(Op::Thread(Box::new(ThreadOp::Mutex { op, mutex, size: 1, to })));
            });
        }
    }

    /// The arguments of `main`.
    fn command_line(&mut self, signature: &Signature) -> Vec<program::ExprId> {
        if signature.params.is_empty() {
            return Vec::new();
        }
        let text = "is started with any number of arguments, each any string";
        self.assume(AssumptionKind::Environment, Direction::Convention, "main", text);
        let (count, vector) = (self.temp(Scalar::Int(32)), self.temp(self.pointer()));
        self.emit(Op::CommandLine { count, vector });
        let known = [self.b.local(count), self.b.local(vector)];
        let mut passed = Vec::new();
        for (i, ty) in signature.params.iter().enumerate() {
            passed.push(match (known.get(i), self.unit.types.scalar(*ty)) {
                (Some(arg), Some(scalar)) => self.convert(*arg, true, scalar, true),
                (None, Some(scalar)) => self.environment_argument(scalar),
                (_, None) => self.record_temporary(*ty),
            });
        }
        passed
    }
}

impl FunctionLowerer<'_, '_> {
    /// The environment is any vector of strings, but there is one.
    fn environment_argument(&mut self, scalar: Scalar) -> program::ExprId {
        let value = self.arbitrary(scalar, Input::Unknown);
        if matches!(scalar, Scalar::Pointer(_)) {
            let there = self.b.is_true(value);
            self.cut_unless(there);
        }
        value
    }
}

/// Functions that run as one atomic section, by their names.
fn is_atomic_function(name: &str) -> bool {
    ["__VERIFIER_atomic_", "__CPROVER_atomic_", "__ESBMC_atomic_"]
        .iter()
        .any(|prefix| name.strip_prefix(prefix).is_some_and(|rest| rest != "begin" && rest != "end"))
}

/// Functions whose call is an error, also where the program gives them a body.
fn error_function(name: &str) -> Option<ErrorKind> {
    match name {
        "reach_error" | "__VERIFIER_error" => Some(ErrorKind::ErrorCall),
        "__assert_fail" => Some(ErrorKind::Assert),
        _ => None,
    }
}

/// The label `ERROR` counts only in programs that have no other sign of an error.
fn drop_labels(functions: &mut base::IndexVec<FunctionId, Function>) {
    let has_other = functions
        .iter()
        .flat_map(|f| f.edges.iter())
        .any(|edge| matches!(edge.op, Op::Error(ErrorKind::ErrorCall | ErrorKind::Assert)));
    if has_other {
        for edge in functions.iter_mut().flat_map(|f| f.edges.iter_mut()) {
            if edge.op == Op::Error(ErrorKind::Label) {
                edge.op = Op::Skip;
            }
        }
    }
}

fn write_bits(bytes: &mut Vec<u8>, at: u64, start: u8, width: u32, value: u128) {
    let end = at as usize + (u32::from(start) + width).div_ceil(8) as usize;
    if bytes.len() < end {
        bytes.resize(end, 0);
    }
    if start == 0 && width.is_multiple_of(8) {
        bytes[at as usize..end].copy_from_slice(&value.to_le_bytes()[..width as usize / 8]);
        return;
    }
    for i in 0..width {
        let bit = u32::from(start) + i;
        let mask = 1u8 << (bit % 8);
        let byte = &mut bytes[at as usize + (bit / 8) as usize];
        if value >> i & 1 == 1 { *byte |= mask } else { *byte &= !mask }
    }
}

/// The beginning of a string literal, for its name.
fn preview(units: &[u32]) -> String {
    let text: String = units
        .iter()
        .take(units.len().saturating_sub(1))
        .take(24)
        .map(|u| char::from_u32(*u).unwrap_or('?'))
        .flat_map(char::escape_default)
        .collect();
    if units.len() > 25 { format!("{text}…") } else { text }
}
