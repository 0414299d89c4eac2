//! Calls. Scalars are passed by value; a record as a pointer to a copy that the caller makes and ends; a record result through a
//! pointer that the caller gives first; the further arguments of a variadic function in a block whose address comes last.

use c_front::typed::{self, Callee, Expr, Statement};
use c_front::types::{self as c, QualType};
use program::{
    Allocate, Allocation, AssumptionKind, Direction, End, ExprId, ExprKind, FunctionId, Input, LocalId, Op, Scalar,
    Type,
};

use crate::fold::Fold;
use crate::function::FunctionLowerer;
use crate::library::{self, Arg};
use crate::missing::{Missing, NEW_OBJECT};

/// What a caller must know of a callee.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Signature {
    pub result: c::TypeId,
    pub params: Vec<c::TypeId>,
    pub variadic: bool,
    /// False: take the arguments as they come.
    pub prototype: bool,
}

impl FunctionLowerer<'_, '_> {
    /// Lowers a call. The result is a value converted to `ty`, the address of a record, or nothing.
    pub fn call_expression(&mut self, callee: &Callee, args: &[Expr], ty: c::TypeId) -> Option<ExprId> {
        let pointer = match callee {
            Callee::Direct(function) => return self.call_named(*function, args, ty),
            Callee::Indirect(pointer) => pointer,
        };
        // `(*f)(x)` calls `f`.
        if let typed::ExprKind::FunctionAddress(function) = pointer.kind {
            return self.call_named(function, args, ty);
        }
        let signature = self.unit.signature_of_pointer(pointer.ty, ty);
        let target = self.value(pointer);
        let target = self.keep(target, args);
        self.call_with(program::Callee::Indirect(target), &signature, args, ty)
    }

    pub fn call_named(&mut self, function: typed::FunctionId, args: &[Expr], ty: c::TypeId) -> Option<ExprId> {
        let typed = &self.unit.unit.functions[function];
        if typed.body.is_some() {
            let signature = self.unit.signature_of(typed);
            let id = self.unit.function(function);
            return self.call_with(program::Callee::Direct(id), &signature, args, ty);
        }
        let name = self.name_of(typed.name);
        if library::model(name).is_none() {
            // A call stays a call, so that monitors of calls see it.
            let mut signature = self.unit.signature_of(typed);
            signature.prototype = true;
            let values = self.arguments(args);
            self.missing_effects(name, &values, &signature.params, args);
            let id = self.unit.function(function);
            let result = self.call_values(program::Callee::Direct(id), &signature, &values, ty);
            self.errno_after(name, self.unit.missing == Missing::Writes, result);
            self.end_if_noreturn(typed);
            return result;
        }
        let args = self.arguments(args);
        self.call_undefined(name, &args, ty)
    }

    /// Behind a function without a body that does not return nothing runs.
    fn end_if_noreturn(&mut self, function: &typed::Function) {
        if function.attributes.noreturn {
            let (name, text) = (self.name_of(function.name), "has no body and does not return: ends the program");
            self.assume(AssumptionKind::MissingBody, Direction::Convention, name, text);
            self.end(End::Exit);
        }
    }

    /// Evaluates arguments from left to right; records are copied.
    fn arguments(&mut self, args: &[Expr]) -> Vec<Arg> {
        let mut values = Vec::with_capacity(args.len());
        for (i, arg) in args.iter().enumerate() {
            let value = match self.unit.types.scalar(arg.ty) {
                Some(_) => self.value(arg),
                // No other thread knows the object that a call returned.
                None if self.unit.types.is_record(arg.ty) && matches!(arg.kind, typed::ExprKind::Call { .. }) => {
                    self.record_value(arg)
                }
                None if self.unit.types.is_record(arg.ty) => {
                    let from = self.record_value(arg);
                    let to = self.record_temporary(arg.ty);
                    self.copy(to, from, QualType::plain(arg.ty));
                    to
                }
                None => {
                    self.effect(arg);
                    continue;
                }
            };
            let value = self.keep(value, &args[i + 1..]);
            values.push(Arg { value, ty: arg.ty });
        }
        values
    }

    fn call_with(
        &mut self,
        callee: program::Callee,
        signature: &Signature,
        args: &[Expr],
        ty: c::TypeId,
    ) -> Option<ExprId> {
        let args = self.arguments(args);
        self.call_values(callee, signature, &args, ty)
    }

    fn call_values(
        &mut self,
        callee: program::Callee,
        signature: &Signature,
        args: &[Arg],
        ty: c::TypeId,
    ) -> Option<ExprId> {
        let mut passed = Vec::with_capacity(args.len() + 2);
        let record = self.unit.types.is_record(signature.result).then(|| self.record_temporary(signature.result));
        passed.extend(record);
        let fixed = if signature.prototype { signature.params.len() } else { args.len() };
        for i in 0..fixed {
            let param = signature.params.get(i).copied();
            passed.push(self.argument(args.get(i), param));
        }
        if signature.variadic {
            let rest = args.get(fixed..).unwrap_or(&[]);
            passed.push(self.variadic_block(rest));
        }
        let result = self.unit.types.scalar(signature.result).map(|scalar| self.temp(scalar));
        self.call(callee, passed, result);
        match result {
            Some(local) => {
                let value = self.b.local(local);
                Some(if self.unit.types.scalar(ty).is_some() {
                    self.convert_c(value, signature.result, ty)
                } else {
                    value
                })
            }
            None => record,
        }
    }

    /// An argument as the parameter wants it. A missing one, in a call that C does not define, is arbitrary.
    fn argument(&mut self, arg: Option<&Arg>, param: Option<c::TypeId>) -> ExprId {
        match (arg, param) {
            (Some(arg), None) => arg.value,
            (Some(arg), Some(param)) if self.unit.types.is_record(arg.ty) || self.unit.types.is_record(param) => {
                let pointer = self.pointer();
                self.convert(arg.value, false, pointer, false)
            }
            (Some(arg), Some(param)) => self.convert_c(arg.value, arg.ty, param),
            (None, param) => {
                let scalar = param.and_then(|p| self.unit.types.scalar(p)).unwrap_or(self.pointer());
                self.arbitrary(scalar, Input::Unknown)
            }
        }
    }

    // Variable arguments: a block of slots, each a multiple of a word.

    fn slot_size(&self, bytes: u64) -> u64 {
        bytes.max(1).next_multiple_of(self.unit.types.machine().pointer_bytes())
    }

    fn variadic_block(&mut self, args: &[Arg]) -> ExprId {
        let sizes: Vec<u64> = args.iter().map(|arg| self.slot_size(self.unit.types.size(arg.ty))).collect();
        if args.is_empty() {
            let pointer = self.pointer();
            return self.b.null(pointer);
        }
        let ty = self.unit.types.types.intern(Type::Bytes { size: sizes.iter().sum(), align: 16 });
        let block = self.temporary_object(ty);
        let block = self.local_address(block);
        let mut offset = 0;
        for (arg, size) in args.iter().zip(sizes) {
            let at = self.offset(block, offset as i64);
            if self.unit.types.is_record(arg.ty) {
                self.copy(at, arg.value, QualType::plain(arg.ty));
            } else {
                // Filling the slot makes a plain `0` do as a null pointer.
                let value = match self.b.ty(arg.value) {
                    Scalar::Int(bits) if bits < self.word_bits() => {
                        let signed = self.unit.types.is_signed(arg.ty);
                        self.b.resize(arg.value, self.word_bits(), signed)
                    }
                    _ => arg.value,
                };
                self.store_at(at, value);
            }
            offset += size;
        }
        block
    }

    /// The next further argument; for a record, its address.
    pub fn va_arg(&mut self, list: &Expr, ty: c::TypeId) -> ExprId {
        let list = self.value(list);
        let pointer = self.pointer();
        let list = self.convert(list, false, pointer, false);
        let at = self.load_at(list, pointer);
        let size = self.slot_size(self.unit.types.size(ty));
        let next = self.offset(at, size as i64);
        self.store_at(list, next);
        match self.unit.types.scalar(ty) {
            Some(scalar) => self.load_at(at, scalar),
            None => at,
        }
    }

    // Functions without a body.

    /// A call of a function that the program does not define: a library function by its model, any other returns an
    /// arbitrary value.
    pub fn call_undefined(&mut self, name: &str, args: &[Arg], ty: c::TypeId) -> Option<ExprId> {
        if let Some(result) = library::call(self, name, args, ty) {
            let value = result?;
            return Some(match self.unit.types.scalar(ty) {
                Some(scalar) => {
                    let signed = matches!(self.b.ty(value), Scalar::Int(2..));
                    self.convert(value, signed, scalar, self.unit.types.is_signed(ty))
                }
                None => value,
            });
        }
        match self.unit.types.scalar(ty) {
            Some(scalar) => {
                if let Scalar::Pointer(_) = scalar {
                    self.assume(AssumptionKind::MissingBody, Direction::Convention, name, NEW_OBJECT);
                }
                // A function of the system gives only what its documentation says.
                if self.unit.is_of_system(name) {
                    self.assume(AssumptionKind::LibraryModel, Direction::Over, name, "has no model: returns any value");
                    return Some(self.arbitrary_of(ty, Input::Imprecise));
                }
                Some(self.arbitrary_of(ty, Input::Unknown))
            }
            None if self.unit.types.is_record(ty) => Some(self.record_temporary(ty)),
            None => None,
        }
    }

    /// Any value of a C type: of `_Bool` only two.
    pub fn arbitrary_of(&mut self, ty: c::TypeId, input: Input) -> ExprId {
        if self.unit.types.is_bool(ty) {
            let truth = self.arbitrary(Scalar::BOOL, input);
            return self.b.truth_as_int(truth, 8);
        }
        let scalar = self.scalar(ty);
        self.arbitrary(scalar, input)
    }

    // Threads of CBMC's notation.

    /// A call in a thread of its own: the arguments are evaluated here and handed over in a heap block.
    pub fn asynchronous_call(&mut self, e: &Expr) {
        let Some((callee, args)) = crate::scan::as_call(e) else { return };
        let Callee::Direct(function) = callee else { return self.unsupported("asynchronous call through a pointer") };
        let args = self.arguments(args);
        if args.iter().any(|arg| self.unit.types.is_record(arg.ty)) {
            return self.unsupported("asynchronous call with a record argument");
        }
        let word = self.word();
        let to = self.temp(self.pointer());
        let sizes: Vec<u64> = args.iter().map(|arg| self.slot_size(self.unit.types.size(arg.ty))).collect();
        let size = self.b.constant(word, u128::from(sizes.iter().sum::<u64>()));
        self.emit(Op::Allocate(Box::new(Allocate { to, size, kind: Allocation::Heap, align: 16 })));
        let block = self.b.local(to);
        let mut offset = 0;
        for (arg, size) in args.iter().zip(&sizes) {
            let at = self.offset(block, offset as i64);
            self.store_at(at, arg.value);
            offset += size;
        }
        let types: Vec<_> = args.iter().map(|arg| arg.ty).collect();
        let entry = self.asynchronous_entry(*function, &types, &sizes, e.ty);
        let pointer = self.pointer();
        let entry = self.b.expr(ExprKind::FunctionAddress(entry), pointer);
        self.start_thread(entry, block);
    }

    /// The function that such a thread runs: takes the arguments out of the block, gives it back, calls.
    fn asynchronous_entry(
        &mut self,
        function: typed::FunctionId,
        types: &[c::TypeId],
        sizes: &[u64],
        result: c::TypeId,
    ) -> FunctionId {
        let name = format!("{}.async", self.name_of(self.unit.unit.functions[function].name));
        self.new_function(&name, |f, param| {
            let block = f.b.local(param);
            let mut offset = 0;
            let mut args = Vec::new();
            for (ty, size) in types.iter().zip(sizes) {
                let at = f.offset(block, offset);
                let value = f.load_at(at, f.scalar(*ty));
                args.push(Arg { value, ty: *ty });
                offset += *size as i64;
            }
            f.emit(Op::Free(block));
            let typed = &f.unit.unit.functions[function];
            if typed.body.is_none() {
                let name = f.name_of(typed.name);
                if library::model(name).is_none() {
                    f.missing_effects(name, &args, types, &[]);
                }
                f.call_undefined(name, &args, result);
                return true;
            }
            let signature = f.unit.signature_of(typed);
            let id = f.unit.function(function);
            let args =
                (0..signature.params.len()).map(|i| f.argument(args.get(i), Some(signature.params[i]))).collect();
            let to = f.unit.types.scalar(signature.result).map(|scalar| f.temp(scalar));
            f.call(program::Callee::Direct(id), args, to);
            true
        })
        .expect("the body is always accepted")
    }

    /// A statement as a function of its own, if it uses no local of this one.
    pub fn outline(&mut self, statement: &Statement) -> Option<FunctionId> {
        let name = format!("{}.async", self.b.name);
        self.new_function(&name, |f, _| {
            f.statement(statement);
            f.resolve_jumps();
            let known: Vec<_> = f.scopes.iter().flat_map(|scope| scope.locals.clone()).collect();
            f.slots.iter_enumerated().all(|(local, slot)| slot.is_none() || known.contains(&local))
        })
    }

    /// A made-up function with one pointer parameter. `None` if `body` says that it cannot be.
    fn new_function(
        &mut self,
        name: &str,
        body: impl FnOnce(&mut FunctionLowerer<'_, '_>, LocalId) -> bool,
    ) -> Option<FunctionId> {
        let span = self.span;
        let mut inner = FunctionLowerer::new(&mut *self.unit, self.typed, name);
        inner.span = span;
        let pointer = inner.pointer();
        let ty = inner.unit.types.of_scalar(pointer);
        let param = inner.new_local("", ty, program::Storage::Plain(pointer), program::LocalKind::Param);
        inner.b.params.push(param);
        inner.open_scope(Vec::new());
        if !body(&mut inner, param) {
            return None;
        }
        inner.place_location(inner.exit);
        let function = inner.finish();
        Some(self.unit.add_function(function))
    }
}
