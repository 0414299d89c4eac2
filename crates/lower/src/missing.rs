//! What functions without a body may do but return a value: read the memory that they are handed, write the numbers in it, and call
//! the functions that they are handed, as often as they like. Runs in which one does are candidates only. There is one choice at the
//! start of the program whether any of them writes or calls: a run in which none does is a plain run.

use c_front::ast::Quals;
use c_front::typed::{self, Expr, Place, PlaceKind};
use c_front::types as c;
use program::{
    AssumptionKind, BinaryOp, Callee, Direction, ExprId, ExprKind, FunctionId, Global, GlobalId, GlobalInit, Input,
    LocalKind, Numbers, Op, Overwrite, Scalar, Storage,
};

use crate::call::Signature;
use crate::fold::Fold;
use crate::function::FunctionLowerer;
use crate::library::{Arg, literal};

/// What is assumed of functions without a body.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Missing {
    /// They may write numbers in what they are handed and call the functions they are handed.
    #[default]
    Writes,
    /// They return a value and do nothing else.
    Pure,
}

/// What a pointer that is handed over leads to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Handed {
    /// Without numbers it is only read.
    Memory {
        size: u64,
        /// Of an array: all elements, not just the one that the pointer leads to.
        all: bool,
        numbers: Vec<Numbers>,
    },
    Function(Signature),
}

impl Handed {
    fn is_only_read(&self) -> bool {
        matches!(self, Handed::Memory { numbers, .. } if numbers.is_empty())
    }
}

/// Of how many elements numbers are listed one by one, and not all bytes between them.
const MOST_LISTED: u64 = 256;

/// How many pointers to constants in a row are followed.
const MOST_NESTED: u32 = 4;

const BYTE: Numbers = Numbers { offset: 0, bytes: 1, count: 1, stride: 1 };

const MAY: &str = "has no body: returns an arbitrary value, may write numbers in what it is handed and call functions that it \
                   is handed";
const MAY_READ: &str = "has no body: returns an arbitrary value, may read what it is handed";
const WRITES_NOTHING: &str = "has no body: returns an arbitrary value, changes no object, keeps no pointers";
const KEEPS_NOTHING: &str = "has no body: changes no pointers, handles and locks, and no objects that it was not handed; follows and keeps no pointers in them";
pub const NEW_OBJECT: &str =
    "has no body: a pointer that it returns is null or leads to an object of its own that is large enough";
const LEFT_DEEPER: &str = "has no body: called through a pointer, changes nothing behind pointers in what it is handed";
const DEEPER: &str = "has no body: what it does behind pointers in what it is handed is not modelled";
const LATER: &str =
    "has no body: calls by it later, or by threads of its own, of functions that it is handed are not modelled";
const LEFT_ALONE: &str = "has no body: returns an arbitrary value; what it is handed is left alone (--missing pure)";

impl FunctionLowerer<'_, '_> {
    /// What a call of a function without a body may do with its arguments. `written` has them as the program writes them.
    pub fn missing_effects(&mut self, name: &str, args: &[Arg], params: &[c::TypeId], written: &[Expr]) {
        self.known_effects(name, args);
        let handed = self.all_handed(args, params, written);
        let (direction, text) = match self.unit.missing {
            _ if handed.is_empty() => (Direction::Convention, WRITES_NOTHING),
            Missing::Pure => (Direction::Convention, LEFT_ALONE),
            Missing::Writes if handed.iter().all(|(_, what)| what.is_only_read()) => (Direction::Over, MAY_READ),
            Missing::Writes => (Direction::Over, MAY),
        };
        self.assume(AssumptionKind::MissingBody, direction, name, text);
        if self.unit.missing == Missing::Writes {
            if !handed.is_empty() {
                self.assume(AssumptionKind::MissingBody, Direction::Convention, name, KEEPS_NOTHING);
            }
            if !written.is_empty() && handed.iter().any(|(_, what)| matches!(what, Handed::Function(_))) {
                self.assume(AssumptionKind::MissingBody, Direction::Under, name, LATER);
            }
            if self.leads_deeper(args, params, written) {
                // Where only the address is used, in a table of functions, it may never be called.
                let (direction, text) = match written {
                    [] => (Direction::Convention, LEFT_DEEPER),
                    _ => (Direction::Under, DEEPER),
                };
                self.assume(AssumptionKind::MissingBody, direction, name, text);
            }
        }
        self.use_handed(handed);
    }

    /// The same for a library function of which nothing more is known.
    pub fn unknown_effects(&mut self, name: &str, args: &[Arg]) {
        let handed = self.all_handed(args, &[], &[]);
        let (direction, text) = match self.unit.missing {
            Missing::Pure => (Direction::Convention, "what it is handed is left alone (--missing pure)"),
            Missing::Writes => (Direction::Over, "may write numbers in what it is handed"),
        };
        self.assume(AssumptionKind::LibraryModel, direction, name, text);
        self.use_handed(handed);
    }

    fn all_handed(&mut self, args: &[Arg], params: &[c::TypeId], written: &[Expr]) -> Vec<(ExprId, Handed)> {
        let mut handed = Vec::new();
        for (i, arg) in args.iter().enumerate() {
            let expr = written.get(i).filter(|expr| expr.ty == arg.ty && written.len() == args.len());
            let ty = params.get(i).copied().unwrap_or(arg.ty);
            match (self.handed(ty, arg.ty, expr), expr.and_then(object_around)) {
                (Some(what @ Handed::Memory { .. }), Some(object)) if !what.is_only_read() => {
                    handed.push((self.address(object), self.memory(object.ty.ty, false)));
                }
                (Some(what), _) => handed.push((arg.value, what)),
                (None, _) => {}
            }
        }
        handed
    }

    /// Are there pointers in what is handed over, or addresses as numbers?
    fn leads_deeper(&self, args: &[Arg], params: &[c::TypeId], written: &[Expr]) -> bool {
        args.iter().enumerate().any(|(i, arg)| {
            let original =
                written.get(i).filter(|_| written.len() == args.len()).map_or(arg.ty, |expr| uncast(expr).ty);
            let is_number = self.pointee(arg.ty).is_none() && self.pointee(original).is_some();
            let mut types = [Some(original), Some(arg.ty), params.get(i).copied()].into_iter().flatten();
            is_number || types.any(|ty| self.holds_pointers(self.pointee(ty).map_or(ty, |to| to.ty), MOST_NESTED))
        })
    }

    /// Pointers to what may be written or called.
    fn holds_pointers(&self, ty: c::TypeId, depth: u32) -> bool {
        let types = &self.unit.types;
        match &types.c[ty] {
            c::Type::Pointer(target) => {
                depth == 0 || !target.quals.contains(Quals::CONST) || self.holds_pointers(target.ty, depth - 1)
            }
            c::Type::Array { element, .. } => self.holds_pointers(element.ty, depth),
            c::Type::Record(id) if !types.is_lock(*id) => {
                let body = types.c.records[*id].body.as_ref();
                body.is_some_and(|body| body.fields.iter().any(|field| self.holds_pointers(field.ty.ty, depth)))
            }
            _ => false,
        }
    }

    fn use_handed(&mut self, handed: Vec<(ExprId, Handed)>) {
        if self.unit.missing == Missing::Pure {
            return;
        }
        for (pointer, what) in &handed {
            self.may_read(*pointer, what);
        }
        if handed.iter().all(|(_, what)| what.is_only_read()) {
            return;
        }
        let (values, what): (Vec<ExprId>, Vec<Handed>) = handed.into_iter().unzip();
        let effects = self.effects(what);
        let address = self.effects_flag();
        let flag = self.load_at(address, Scalar::Int(8));
        let happens = self.b.is_true(flag);
        self.if_else(happens, |f| f.call(Callee::Direct(effects), values, None), |_| {});
    }

    /// Literals never change: reading them does nothing.
    fn may_read(&mut self, pointer: ExprId, what: &Handed) {
        if what.is_only_read() && literal(self, pointer).is_none() {
            let happens = self.arbitrary(Scalar::BOOL, Input::Doubt);
            self.if_else(happens, |f| f.access_handed(pointer, what), |_| {});
        }
    }

    /// Chosen once, before anything else happens.
    pub fn choose_effects(&mut self) {
        if self.unit.effects_flag.is_none() {
            return;
        }
        let address = self.effects_flag();
        let happens = self.arbitrary(Scalar::BOOL, Input::Doubt);
        let store = |f: &mut Self| {
            let one = f.b.int(8, 1);
            f.store_at(address, one);
        };
        self.if_else(happens, store, |_| {});
    }

    fn effects_flag(&mut self) -> ExprId {
        let flag = self.unit.effects_flag();
        let pointer = self.pointer();
        self.b.expr(ExprKind::GlobalAddress(flag), pointer)
    }

    // What is handed over.

    /// `ty` is the parameter's type, or the argument's where there is none.
    fn handed(&self, ty: c::TypeId, arg: c::TypeId, written: Option<&Expr>) -> Option<Handed> {
        let target = self.pointee(ty).or_else(|| self.pointee(arg))?;
        let original = written.map(uncast);
        if let Some(typed::ExprKind::FunctionAddress(function)) = original.map(|e| &e.kind) {
            return Some(Handed::Function(self.unit.signature_of(&self.unit.unit.functions[*function])));
        }
        let source = original.map_or(arg, |e| e.ty);
        let mut types = [source, arg, ty].into_iter().filter(|ty| self.pointee(*ty).is_some());
        let is_function = |ty: &c::TypeId| {
            self.pointee(*ty).is_some_and(|target| matches!(self.unit.types.c[target.ty], c::Type::Function(_)))
        };
        if let Some(pointer) = types.clone().find(is_function) {
            return Some(Handed::Function(self.unit.signature_of_pointer(pointer, pointer)));
        }
        if target.quals.contains(Quals::CONST) {
            let size = self.unit.types.size(target.ty).max(1);
            return Some(Handed::Memory { size, all: true, numbers: Vec::new() });
        }
        if let Some(typed::ExprKind::AddressOf(place)) = original.map(|e| &e.kind)
            && !matches!(place.kind, PlaceKind::Deref(_))
            && self.unit.types.size(place.ty.ty) > 0
        {
            return Some(self.memory(place.ty.ty, false));
        }
        let is_typed = |ty: &c::TypeId| self.pointee(*ty).is_some_and(|target| self.says_where_numbers_are(target.ty));
        Some(match types.find(is_typed).and_then(|ty| self.pointee(ty)) {
            Some(target) => self.memory(target.ty, true),
            None => Handed::Memory { size: 1, all: true, numbers: vec![BYTE] },
        })
    }

    fn pointee(&self, ty: c::TypeId) -> Option<c::QualType> {
        match &self.unit.types.c[ty] {
            c::Type::Pointer(target) => Some(*target),
            _ => None,
        }
    }

    /// Does the type say where numbers are? Bytes may be anything, and so may what is behind a record with an open end.
    fn says_where_numbers_are(&self, ty: c::TypeId) -> bool {
        let types = &self.unit.types;
        let fields = match &types.c[ty] {
            c::Type::Record(id) => types.c.records[*id].body.as_ref().map_or(&[][..], |body| &body.fields),
            _ => &[],
        };
        let is_open = fields.last().is_some_and(|last| last.bits.is_none() && types.size(last.ty.ty) == 0);
        types.size(ty) > 0 && !types.is_void(ty) && types.scalar(ty) != Some(Scalar::Int(8)) && !is_open
    }

    fn memory(&self, ty: c::TypeId, all: bool) -> Handed {
        Handed::Memory { size: self.unit.types.size(ty).max(1), all, numbers: self.unit.types.numbers(ty) }
    }

    // What is done with it.

    /// A function that may do all this, any number of times, in any order.
    fn effects(&mut self, handed: Vec<Handed>) -> FunctionId {
        if let Some(&known) = self.unit.effects.get(&handed) {
            return known;
        }
        let span = self.span;
        let mut f = FunctionLowerer::new(&mut *self.unit, self.typed, "missing body");
        f.span = span;
        f.b.defined = false;
        let pointer = f.pointer();
        let ty = f.unit.types.of_scalar(pointer);
        for _ in &handed {
            let param = f.new_local("", ty, Storage::Plain(pointer), LocalKind::Param);
            f.b.params.push(param);
        }
        let head = f.b.location();
        f.place_location(head);
        f.open_scope(Vec::new());
        for (i, what) in handed.iter().enumerate() {
            f.full_expression(|f| f.effect_on(i, what));
        }
        f.close_scope();
        let (again, end) = (f.arbitrary(Scalar::BOOL, Input::Unknown), f.b.location());
        f.branch_on(again, head, end);
        f.at = end;
        let function = f.finish();
        let id = self.unit.add_function(function);
        self.unit.effects.insert(handed, id);
        id
    }

    fn effect_on(&mut self, index: usize, what: &Handed) {
        let pointer = self.b.local(self.b.params[index]);
        match what {
            Handed::Memory { .. } if what.is_only_read() => {}
            Handed::Memory { .. } => self.access_handed(pointer, what),
            Handed::Function(signature) => {
                let (chosen, given) = (self.arbitrary(Scalar::BOOL, Input::Unknown), self.b.is_true(pointer));
                let happens = self.b.binary(BinaryOp::And, chosen, given);
                self.if_else(happens, |f| f.call_handed(pointer, signature), |_| {});
            }
        }
    }

    fn access_handed(&mut self, address: ExprId, what: &Handed) {
        if let Handed::Memory { size, all, numbers } = what {
            let numbers = numbers.clone().into();
            self.emit(Op::Overwrite(Box::new(Overwrite { address, size: *size, all: *all, numbers })));
        }
    }

    /// With any arguments; pointers may be those that were handed over.
    fn call_handed(&mut self, function: ExprId, signature: &Signature) {
        let mut args = Vec::new();
        if self.unit.types.is_record(signature.result) {
            args.push(self.record_temporary(signature.result));
        }
        for ty in &signature.params {
            args.push(match self.unit.types.scalar(*ty) {
                Some(Scalar::Pointer(_)) => self.any_handed(),
                Some(_) => self.arbitrary_of(*ty, Input::Unknown),
                None => self.record_temporary(*ty),
            });
        }
        if signature.variadic {
            let pointer = self.pointer();
            args.push(self.b.null(pointer));
        }
        let to = self.unit.types.scalar(signature.result).map(|scalar| self.temp(scalar));
        self.call(Callee::Indirect(function), args, to);
    }

    fn any_handed(&mut self) -> ExprId {
        let pointer = self.pointer();
        let result = self.temp(pointer);
        self.emit(Op::Havoc(result, Input::Unknown));
        for param in self.b.params.clone() {
            let chosen = self.arbitrary(Scalar::BOOL, Input::Unknown);
            let value = self.b.local(param);
            self.if_else(chosen, |f| f.emit(Op::Assign(result, value)), |_| {});
        }
        self.b.local(result)
    }
}

impl crate::unit::UnitLowerer<'_> {
    /// Says whether functions without a body do more than to return a value.
    fn effects_flag(&mut self) -> GlobalId {
        if let Some(flag) = self.effects_flag {
            return flag;
        }
        let flag = self.globals.push(Global {
            name: "<missing bodies have effects>".into(),
            ty: self.types.of_scalar(Scalar::Int(8)),
            size: 1,
            align: 1,
            init: GlobalInit::Zero,
            thread_local: false,
            read_only: false,
            address_taken: false,
            span: base::Span::NONE,
        });
        self.effects_flag = Some(flag);
        flag
    }
}

/// An expression without the casts between pointers around it.
fn uncast(e: &Expr) -> &Expr {
    match &e.kind {
        typed::ExprKind::Cast(inner) => uncast(inner),
        _ => e,
    }
}

/// The variable that an expression names a part of: all of it can be reached from there.
fn object_around(e: &Expr) -> Option<&Place> {
    match &uncast(e).kind {
        typed::ExprKind::Offset { pointer, .. } => object_around(pointer),
        typed::ExprKind::AddressOf(place) => root(place),
        _ => None,
    }
}

fn root(place: &Place) -> Option<&Place> {
    match &place.kind {
        PlaceKind::Object(_) | PlaceKind::Local(_) => Some(place),
        PlaceKind::Field { base, .. } => root(base),
        PlaceKind::Deref(pointer) => object_around(pointer),
        _ => None,
    }
}

impl crate::types::TypeLowerer<'_> {
    /// The numbers in an object of this type. Locks are none.
    pub fn numbers(&self, ty: c::TypeId) -> Vec<Numbers> {
        let mut numbers = Vec::new();
        self.collect_numbers(ty, 0, &mut numbers);
        numbers
    }

    fn collect_numbers(&self, ty: c::TypeId, offset: u64, numbers: &mut Vec<Numbers>) {
        if let Some(scalar) = self.scalar(ty) {
            return numbers.extend(number(scalar, offset));
        }
        match &self.c[ty] {
            c::Type::Array { element, length: c::ArrayLength::Known(count) } if *count > 0 => {
                let stride = self.size(element.ty);
                for inner in self.numbers(element.ty) {
                    repeat(Numbers { offset: offset + inner.offset, ..inner }, *count, stride, numbers);
                }
            }
            c::Type::Record(id) if !self.is_lock(*id) => self.collect_record_numbers(*id, offset, numbers),
            _ => {}
        }
    }

    fn collect_record_numbers(&self, id: c::RecordId, offset: u64, numbers: &mut Vec<Numbers>) {
        let Some(body) = &self.c.records[id].body else { return };
        if self.c.records[id].kind == c::RecordKind::Union {
            for leaf in self.union_leaves(body, offset) {
                match leaf {
                    crate::types::Leaf::Scalar { offset, ty, .. } => numbers.extend(number(ty, offset)),
                    crate::types::Leaf::Array { offset, count, stride, .. } => {
                        numbers.push(Numbers { offset, bytes: 1, count: count * stride, stride: 1 });
                    }
                }
            }
            return;
        }
        for field in &body.fields {
            match field.bits {
                Some(bits) => {
                    let bytes = u64::from(bits.start + bits.width).div_ceil(8);
                    let field = Numbers { offset: offset + field.offset, bytes: 1, count: bytes, stride: 1 };
                    numbers.extend((bits.width > 0).then_some(field));
                }
                None => self.collect_numbers(field.ty.ty, offset + field.offset, numbers),
            }
        }
    }

    /// As glibc names the records of its locks.
    fn is_lock(&self, id: c::RecordId) -> bool {
        let record = &self.c.records[id];
        let fields = record.body.as_ref().map_or(&[][..], |body| &body.fields);
        record.tag.is_some_and(|tag| self.name_of(tag).starts_with("__pthread"))
            || record.kind == c::RecordKind::Union
                && fields.iter().any(|field| matches!(self.c[field.ty.ty], c::Type::Record(id) if self.is_lock(id)))
    }
}

/// Pieces of at most eight bytes.
fn number(scalar: Scalar, offset: u64) -> Option<Numbers> {
    let bytes = scalar.bytes();
    match scalar {
        Scalar::Pointer(_) => None,
        _ if bytes <= 8 => Some(Numbers { offset, bytes, count: 1, stride: bytes }),
        _ => Some(Numbers { offset, bytes: 1, count: bytes, stride: 1 }),
    }
}

/// The same in each element of an array.
fn repeat(inner: Numbers, count: u64, stride: u64, numbers: &mut Vec<Numbers>) {
    if inner.count == 1 {
        numbers.push(Numbers { count, stride, ..inner });
    } else if inner.count * inner.stride == stride {
        numbers.push(Numbers { count: inner.count * count, ..inner });
    } else if count > MOST_LISTED {
        numbers.push(Numbers { offset: inner.offset, bytes: 1, count: (count - 1) * stride, stride: 1 });
        numbers.push(Numbers { offset: inner.offset + (count - 1) * stride, ..inner });
    } else {
        numbers.extend((0..count).map(|i| Numbers { offset: inner.offset + i * stride, ..inner }));
    }
}
