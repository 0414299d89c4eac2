//! The state of lowering one function: where control is, which scopes are open, which temporaries are free.
//! Everything that emits edges goes through the few methods here.

use base::{IndexVec, Span, Symbol};
use c_front::typed::{self, LabelId};
use c_front::types as c;
use program::{
    Access, AssumptionKind, BinaryOp, Callee, Direction, End, ExprId, FunctionBuilder, Input, Local, LocalId,
    LocalKind, Location, Op, Order, Scalar, Storage,
};
use rustc_hash::FxHashMap;

use crate::fold::Fold;
use crate::statement::{Breakable, Switch};
use crate::unit::UnitLowerer;

/// How a local of the typed tree is represented.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    Plain(LocalId),
    Memory(LocalId),
    /// A record parameter: this plain local points to the caller's copy.
    Behind(LocalId),
}

/// A scope that control is in. Its locals in memory are new objects when it is entered and end when it is left, by whatever path.
#[derive(Default, Debug)]
pub struct Scope {
    pub locals: Vec<typed::LocalId>,
    /// Objects of expressions: copies of record arguments, results of calls, compound literals.
    pub temporaries: Vec<LocalId>,
}

pub struct Jump {
    pub from: Location,
    pub scopes: Vec<u32>,
    pub label: LabelId,
    pub span: Span,
}

pub struct FunctionLowerer<'l, 'u> {
    pub unit: &'l mut UnitLowerer<'u>,
    pub typed: &'u typed::Function,
    pub b: FunctionBuilder,
    /// Where the next edge starts. Behind a jump this is a location that nothing leads to.
    pub at: Location,
    pub span: Span,
    pub slots: IndexVec<typed::LocalId, Option<Slot>>,
    /// All scopes ever opened; the open ones, innermost last, are in `open`.
    pub scopes: Vec<Scope>,
    pub open: Vec<u32>,
    /// For each label its location and the scopes it is in.
    pub labels: FxHashMap<LabelId, (Location, Vec<u32>)>,
    pub jumps: Vec<Jump>,
    /// Locations of computed gotos, to be connected to every label whose address is taken.
    pub computed: Vec<(Location, Vec<u32>, ExprId, Span)>,
    pub switches: Vec<Switch>,
    pub breakables: Vec<Breakable>,
    /// Element counts of variable-length array types, in plain locals.
    pub vlas: IndexVec<c::VlaId, Option<LocalId>>,
    free: FxHashMap<Scalar, Vec<LocalId>>,
    in_use: Vec<(Scalar, LocalId)>,
    /// For a function that returns a record: where the caller wants it.
    pub result_pointer: Option<LocalId>,
    /// For a variadic function: the block of further arguments.
    pub varargs: Option<LocalId>,
    pub exit: Location,
    /// What is arbitrary here is so because a model allows more than can happen.
    pub imprecise: bool,
}

impl<'l, 'u> FunctionLowerer<'l, 'u> {
    pub fn new(unit: &'l mut UnitLowerer<'u>, typed: &'u typed::Function, name: &str) -> Self {
        let mut b = FunctionBuilder::new(name, typed.span);
        let (at, exit) = (b.entry, b.location());
        FunctionLowerer {
            unit,
            typed,
            b,
            at,
            span: typed.span,
            slots: typed.locals.iter().map(|_| None).collect(),
            scopes: Vec::new(),
            open: Vec::new(),
            labels: FxHashMap::default(),
            jumps: Vec::new(),
            computed: Vec::new(),
            switches: Vec::new(),
            breakables: Vec::new(),
            vlas: typed.vlas.iter().map(|_| None).collect(),
            free: FxHashMap::default(),
            in_use: Vec::new(),
            result_pointer: None,
            varargs: None,
            exit,
            imprecise: false,
        }
    }

    pub fn name_of(&self, symbol: Symbol) -> &'u str {
        self.unit.names.resolve(symbol)
    }

    pub fn pointer(&self) -> Scalar {
        self.unit.types.pointer()
    }

    pub fn word(&self) -> Scalar {
        self.unit.types.word()
    }

    pub fn word_bits(&self) -> u8 {
        self.unit.types.machine().pointer_bits
    }

    // Edges.

    /// An edge from here to a new location, where control is then.
    pub fn emit(&mut self, op: Op) {
        let to = self.b.location();
        self.b.edge(self.at, op, to, self.span);
        self.at = to;
    }

    /// An edge from here to a known location; control is then nowhere.
    pub fn emit_to(&mut self, op: Op, to: Location) {
        self.b.edge(self.at, op, to, self.span);
        self.at = self.b.location();
    }

    /// Control goes to a known location.
    pub fn jump(&mut self, to: Location) {
        self.emit_to(Op::Skip, to);
    }

    /// Control is at `location` from now on; it falls through from here.
    pub fn place_location(&mut self, location: Location) {
        self.b.edge(self.at, Op::Skip, location, self.span);
        self.at = location;
    }

    /// Two edges by a truth value. Control is then nowhere.
    pub fn branch_on(&mut self, condition: ExprId, yes: Location, no: Location) {
        match self.b.as_constant(condition) {
            Some(0) => self.jump(no),
            Some(_) => self.jump(yes),
            None => {
                let negated = self.b.not(condition);
                self.b.edge(self.at, Op::Assume(condition), yes, self.span);
                self.emit_to(Op::Assume(negated), no);
            }
        }
    }

    /// Runs that do not satisfy the condition do not count.
    pub fn cut_unless(&mut self, condition: ExprId) {
        let (yes, no) = (self.b.location(), self.b.location());
        self.branch_on(condition, yes, no);
        self.at = no;
        self.emit(Op::End(End::Cut));
        self.at = yes;
    }

    /// `then` is lowered where the condition holds, `otherwise` where not; both flow together.
    pub fn if_else(&mut self, condition: ExprId, then: impl FnOnce(&mut Self), otherwise: impl FnOnce(&mut Self)) {
        let (yes, no, end) = (self.b.location(), self.b.location(), self.b.location());
        self.branch_on(condition, yes, no);
        self.at = yes;
        then(self);
        self.jump(end);
        self.at = no;
        otherwise(self);
        self.place_location(end);
    }

    pub fn end(&mut self, end: End) {
        self.emit(Op::End(end));
        self.at = self.b.location();
    }

    /// Coming here is undefined behaviour, of a kind that no property but this covers: said by a value that does not exist.
    pub fn undefined(&mut self) {
        let (one, zero) = (self.b.int(32, 1), self.b.int(32, 0));
        let none = self.b.binary(BinaryOp::UDiv, one, zero);
        self.save(none);
        self.end(End::Cut);
    }

    pub fn unsupported(&mut self, what: &str) {
        self.assume(AssumptionKind::Construct, Direction::Under, what, "a run that reaches it is not understood");
        self.emit(Op::Unsupported(what.into()));
        self.at = self.b.location();
    }

    /// Enters an assumption about what is at the current span into the ledger.
    pub fn assume(&mut self, kind: AssumptionKind, direction: Direction, subject: &str, text: &str) {
        self.unit.ledger.assume(kind, direction, subject, text, self.span);
    }

    // Locals.

    pub fn new_local(&mut self, name: &str, ty: program::TypeId, storage: Storage, kind: LocalKind) -> LocalId {
        self.b.locals.push(Local { name: name.into(), ty, storage, kind, span: self.span })
    }

    /// A plain local for a value within the current full expression.
    pub fn temp(&mut self, ty: Scalar) -> LocalId {
        let local = match self.free.get_mut(&ty).and_then(Vec::pop) {
            Some(local) => local,
            None => {
                let id = self.unit.types.of_scalar(ty);
                self.new_local("", id, Storage::Plain(ty), LocalKind::Temporary)
            }
        };
        self.in_use.push((ty, local));
        local
    }

    /// Lowers something whose temporaries are free again afterwards.
    pub fn full_expression<T>(&mut self, lower: impl FnOnce(&mut Self) -> T) -> T {
        let mark = self.in_use.len();
        let result = lower(self);
        for (ty, local) in self.in_use.drain(mark.min(self.in_use.len())..) {
            self.free.entry(ty).or_default().push(local);
        }
        result
    }

    /// The value in a temporary, so that what comes next cannot change it.
    pub fn save(&mut self, value: ExprId) -> ExprId {
        let temp = self.temp(self.b.ty(value));
        self.emit(Op::Assign(temp, value));
        self.b.local(temp)
    }

    /// A plain local takes a value that is used nowhere else: what was just loaded, returned or chosen goes there directly.
    pub fn take(&mut self, local: LocalId, value: ExprId) {
        if let program::ExprKind::Local(temporary) = self.b.get(value).kind
            && self.b.locals[temporary].kind == LocalKind::Temporary
            && self.b.redirect(self.at, temporary, local)
        {
            let newest = self.in_use.pop_if(|(_, used)| *used == temporary);
            if let Some((ty, temporary)) = newest {
                self.free.entry(ty).or_default().push(temporary);
            }
            return;
        }
        self.emit(Op::Assign(local, value));
    }

    /// A new arbitrary value.
    pub fn arbitrary(&mut self, ty: Scalar, input: Input) -> ExprId {
        let temp = self.temp(ty);
        let input = if self.imprecise { Input::Imprecise } else { input };
        self.emit(Op::Havoc(temp, input));
        self.b.local(temp)
    }

    /// Makes a temporary object in memory that ends with the innermost scope.
    pub fn temporary_object(&mut self, ty: program::TypeId) -> LocalId {
        let local = self.new_local("", ty, Storage::Memory, LocalKind::Temporary);
        self.emit(Op::Enter(local));
        self.ends_with_scope(local);
        local
    }

    /// An object made by an expression ends with the innermost scope.
    pub fn ends_with_scope(&mut self, local: LocalId) {
        let scope = *self.open.last().expect("expressions are in a scope") as usize;
        self.scopes[scope].temporaries.push(local);
    }

    pub fn local_address(&mut self, local: LocalId) -> ExprId {
        let pointer = self.pointer();
        self.b.expr(program::ExprKind::LocalAddress(local), pointer)
    }

    // Memory.

    pub fn access(&self, address: ExprId, ty: Scalar) -> Access {
        Access { address, ty, bits: None, order: Order::Plain }
    }

    pub fn load(&mut self, from: Access) -> ExprId {
        let temp = self.temp(from.ty);
        self.emit(Op::Load { to: temp, from });
        self.b.local(temp)
    }

    pub fn load_at(&mut self, address: ExprId, ty: Scalar) -> ExprId {
        self.load(self.access(address, ty))
    }

    pub fn store_at(&mut self, address: ExprId, value: ExprId) {
        let to = self.access(address, self.b.ty(value));
        self.emit(Op::Store { to, value });
    }

    pub fn offset(&mut self, pointer: ExprId, bytes: i64) -> ExprId {
        let word = self.word();
        self.b.offset(pointer, bytes, word)
    }

    /// A scalar as another scalar type, as C converts (to `_Bool` excepted).
    pub fn convert(&mut self, value: ExprId, signed: bool, to: Scalar, to_signed: bool) -> ExprId {
        use program::Cast::*;
        let word = self.word();
        match (self.b.ty(value), to) {
            (from, to) if from == to => value,
            (Scalar::Int(_), Scalar::Int(bits)) => self.b.resize(value, bits, signed),
            (Scalar::Int(_), Scalar::Float(_)) => {
                self.b.cast(if signed { SignedToFloat } else { UnsignedToFloat }, to, value)
            }
            (Scalar::Int(_), Scalar::Pointer(_)) => {
                let value = self.b.resize(value, self.word_bits(), signed);
                self.b.cast(IntToPtr, to, value)
            }
            (Scalar::Float(_), Scalar::Int(_)) => {
                self.b.cast(if to_signed { FloatToSigned } else { FloatToUnsigned }, to, value)
            }
            (Scalar::Float(_), Scalar::Float(_)) => self.b.cast(FloatToFloat, to, value),
            (Scalar::Pointer(_), Scalar::Int(bits)) => {
                let value = self.b.cast(PtrToInt, word, value);
                self.b.resize(value, bits, false)
            }
            // C has no such conversions; a call through a mistaken prototype can still need one.
            (Scalar::Float(_), Scalar::Pointer(_)) | (Scalar::Pointer(_), Scalar::Float(_) | Scalar::Pointer(_)) => {
                self.arbitrary(to, Input::Unknown)
            }
        }
    }

    /// A loop over `0..count`: `body` gets the index, a word.
    pub fn count_loop(&mut self, count: u64, body: impl FnOnce(&mut Self, ExprId)) {
        let word = self.word();
        let index = self.temp(word);
        let zero = self.b.constant(word, 0);
        self.emit(Op::Assign(index, zero));
        let (head, inside, end) = (self.b.location(), self.b.location(), self.b.location());
        self.place_location(head);
        let value = self.b.local(index);
        let limit = self.b.constant(word, u128::from(count));
        let more = self.b.binary(BinaryOp::ULt, value, limit);
        self.branch_on(more, inside, end);
        self.at = inside;
        body(self, value);
        let one = self.b.constant(word, 1);
        let next = self.b.binary(BinaryOp::Add, value, one);
        self.emit(Op::Assign(index, next));
        self.jump(head);
        self.at = end;
    }

    pub fn call(&mut self, callee: Callee, args: Vec<ExprId>, to: Option<LocalId>) {
        self.emit(Op::Call(Box::new(program::Call { callee, args: args.into(), to })));
    }
}
