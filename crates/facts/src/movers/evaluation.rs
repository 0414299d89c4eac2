//! Looks at every expression as it is evaluated, in every state: may it have no value, may it see an address as a number?

use std::borrow::Cow;

use program::{
    Access, Allocation, BarrierOp, BinaryOp, Cast, ExprId, FunctionId, GlobalId, Library, LocalId, MutexOp, Op,
    Program, Scalar, SemaphoreOp, ThreadOp, UnaryOp,
};
use rustc_hash::FxHashSet;
use semantics::{Domain, eval, mask};

use super::EdgeKey;
use crate::analysis::Facts;
use crate::eval::{Eval, Never};
use crate::guard::is_alone;
use crate::offsets::Offsets;
use crate::safety::Here;
use crate::state::ThreadState;
use crate::tables::{AbstractObject, Base, Role};
use crate::transfer::object_size;
use crate::undefined::Uses;
use crate::value::{Number, Value};

pub struct Evaluated {
    /// Edges that may end the run by undefined behaviour.
    pub may_fail: FxHashSet<EdgeKey>,
    pub addresses: Addresses,
}

/// How far a program looks at addresses as numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Addresses {
    Unseen,
    Seen,
    /// And numbers are used as addresses: they may lead anywhere.
    Guessed,
}

pub fn edges(facts: &Facts, program: &Program) -> Evaluated {
    let mut may_fail = FxHashSet::default();
    let (mut seen, mut guessed) = (false, false);
    let uses = Uses::of(facts, program);
    for (node, state) in facts.reached() {
        let id = facts.tables.call_strings[node.call_string].function;
        let here = Here { lenient: true, ..Here::new(facts, program, node.call_string, state) };
        for (edge, e) in program.functions[id].edges_from(node.location) {
            let before = before(&here, &e.op);
            let mut evaluation = Evaluation::new(&here, &before);
            evaluation.look_at(&e.op);
            seen |= evaluation.seen;
            guessed |= evaluation.guessed;
            // A list of values to print is not followed.
            if matches!(e.op, Op::Library(_)) || here.may_end(&uses, edge, e) {
                may_fail.insert((id, edge));
            }
        }
    }
    let addresses = match (seen, guessed) {
        (false, _) => Addresses::Unseen,
        (true, false) => Addresses::Seen,
        (true, true) => Addresses::Guessed,
    };
    Evaluated { may_fail, addresses }
}

/// The new value of a modification is made of the old one, whatever that is.
fn before<'s>(here: &Here<'s>, op: &Op) -> Cow<'s, ThreadState> {
    match op {
        Op::Modify(modify) => {
            let mut state = ThreadState::clone(here.state);
            state.variables.remove(here.facts.tables.variable(here.call_string, modify.old));
            Cow::Owned(state)
        }
        _ => Cow::Borrowed(here.state),
    }
}

/// Evaluates as [`Eval`] does.
struct Evaluation<'e> {
    eval: Eval<'e>,
    facts: &'e Facts,
    /// An address may be seen as a number.
    seen: bool,
    /// A number may be used as an address.
    guessed: bool,
}

/// Addresses are multiples of this.
const ALIGNED: u64 = 16;

impl<'e> Evaluation<'e> {
    fn new(here: &Here<'e>, state: &'e ThreadState) -> Self {
        let eval = Eval::new(here.program, &here.facts.tables, here.call_string, state);
        Evaluation { eval, facts: here.facts, seen: false, guessed: false }
    }

    fn value(&mut self, expr: ExprId) -> Value {
        let function = self.eval.function();
        let Ok(value) = eval(self, function, expr);
        value
    }

    fn look_at(&mut self, op: &Op) {
        op.operands(&mut |expr, _| {
            self.value(expr);
        });
        match op {
            Op::Load { from, .. } => {
                self.load(from);
            }
            Op::Store { to, value } => self.store(to, *value),
            Op::Modify(modify) => {
                self.load(&modify.access);
                self.store(&modify.access, modify.new);
            }
            Op::CompareExchange(exchange) => {
                let (old, expected) = (self.load(&exchange.access), self.value(exchange.expected));
                self.seen |= self.sees(BinaryOp::Eq, &old, &expected);
                self.compare(&old, &expected);
                self.store(&exchange.access, exchange.desired);
            }
            Op::Free(pointer) => {
                let pointer = self.value(*pointer);
                self.guessed |= pointer.may_be_number();
            }
            Op::Allocate(allocate) => {
                self.number(allocate.size);
                if let Allocation::Realloc(old) = allocate.kind {
                    let old = self.value(old);
                    self.guessed |= old.may_be_number();
                }
            }
            Op::Overwrite(overwrite) => {
                let address = self.value(overwrite.address);
                self.guessed |= address.may_be_number();
            }
            Op::Library(call) => self.library(call.function, &call.args),
            Op::Thread(op) => match &**op {
                ThreadOp::Create { handle, detached, .. } => {
                    let address = self.value(handle.address);
                    self.guessed |= address.may_be_number();
                    self.seen |= handle.ty.bytes() != self.pointer_bytes() || handle.bits.is_some();
                    self.number(*detached);
                }
                ThreadOp::Mutex { op: MutexOp::Init { kind: number }, .. }
                | ThreadOp::Barrier { op: BarrierOp::Init { count: number }, .. }
                | ThreadOp::Semaphore { op: SemaphoreOp::Init { value: number }, .. }
                | ThreadOp::KeyDelete { key: number }
                | ThreadOp::KeySet { key: number, .. }
                | ThreadOp::KeyGet { key: number, .. } => self.number(*number),
                _ => {}
            },
            _ => {}
        }
    }

    /// An operand that is taken as a number.
    fn number(&mut self, expr: ExprId) {
        self.seen |= !self.value(expr).pointers.is_empty();
    }

    fn pointer_bytes(&self) -> u64 {
        self.eval.program.machine.pointer_bytes()
    }

    fn is_pointer_like(&self, access: &Access) -> bool {
        let whole = access.ty.bytes() == self.pointer_bytes() && !matches!(access.ty, Scalar::Float(_));
        access.bits.is_none() && (whole || access.ty.bytes() == 1)
    }

    /// Pointers that are not read whole are numbers.
    fn load(&mut self, access: &Access) -> Value {
        let address = self.value(access.address);
        self.guessed |= address.may_be_number();
        let (at, ty) = match &access.bits {
            None => (address, access.ty),
            Some(bits) => {
                let unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                (unit.moved(Offsets::steps(i64::from(bits.length) - 1, 1)), Scalar::Int(8))
            }
        };
        let mut value = Value::nothing();
        for (base, at) in &self.facts.solution.reach(self.eval.tables, self.eval.state, &at).pointers {
            value = value.join(&self.read(*base, *at, ty));
        }
        let parts = value.pointers.iter().any(|(_, at)| *at == Offsets::ALL) && access.ty.bytes() > 1;
        self.seen |= !value.pointers.is_empty() && (parts || !self.is_pointer_like(access));
        value
    }

    fn read(&self, base: Base, at: Offsets, ty: Scalar) -> Value {
        let (program, tables) = (self.eval.program, self.eval.tables);
        let object = object_size(program, tables, base);
        let at = object.and_then(|object| at.within(object.saturating_sub_unsigned(ty.bytes())));
        let own = self.eval.state.memory.get(base.0);
        let contents = own.or_else(|| self.facts.solution.shared.get(&base).map(|shared| &shared.contents));
        match (at, contents) {
            (Some(at), Some(contents)) => contents.read(tables, program, at, ty),
            _ => Value::nothing(),
        }
    }

    fn store(&mut self, access: &Access, value: ExprId) {
        let (address, value) = (self.value(access.address), self.value(value));
        self.guessed |= address.may_be_number();
        self.seen |= !value.pointers.is_empty() && !self.is_pointer_like(access);
        if access.bits.is_some() {
            // The bytes around it are read.
            self.load(access);
        }
    }

    /// What is printed of an address is a number; strings are read.
    fn library(&mut self, function: Library, args: &[ExprId]) {
        let first = match function {
            Library::Print => 1,
            Library::PrintTo => 2,
            Library::Format => 3,
            Library::PutLine => return,
            Library::PutChar => 0,
            Library::PrintList | Library::PrintListTo | Library::FormatList => {
                self.seen = true;
                return;
            }
        };
        let tables = self.eval.tables;
        let program = self.eval.program;
        let is_literal = |base: Base| matches!(tables.abstract_object(base), AbstractObject::Global(id) if program.globals[id].read_only);
        for arg in args.iter().skip(first) {
            let value = self.value(*arg);
            self.seen |= value.pointers.iter().any(|(base, _)| !is_literal(*base));
        }
    }

    /// What an indeterminate pointer turns out to be, it is for all threads.
    fn compare(&mut self, a: &Value, b: &Value) {
        let abstract_thread = self.eval.tables.call_strings[self.eval.call_string].abstract_thread;
        let decides = (a.is_indeterminate() || b.is_indeterminate()) && !is_alone(self.eval.state, abstract_thread);
        self.seen |= decides;
        self.guessed |= decides;
    }

    /// Must one of the operands, which may be an address, become a number?
    fn sees(&self, op: BinaryOp, a: &Value, b: &Value) -> bool {
        use BinaryOp::*;
        if a.pointers.is_empty() && b.pointers.is_empty() {
            return false;
        }
        match op {
            Add | SAdd | PtrAdd | Sub | SSub if b.pointers.is_empty() => false,
            Add | SAdd if a.pointers.is_empty() => false,
            Eq => a.may_be_number() && !b.pointers.is_empty() || b.may_be_number() && !a.pointers.is_empty(),
            Sub | SSub | PtrDiff | PtrLt | PtrLe | ULt | ULe | SLt | SLe => !self.is_one_object(a, b),
            And | Or | Xor => {
                let bits = match (a.as_constant(), b.as_constant()) {
                    (Some(bits), None) | (None, Some(bits)) => bits,
                    _ => return true,
                };
                let cleared = !bits & mask(self.eval.program.machine.word()) as u64;
                !(bits < ALIGNED || op == And && cleared < ALIGNED)
            }
            _ => true,
        }
    }

    fn is_one_object(&self, a: &Value, b: &Value) -> bool {
        let (tables, program) = (self.eval.tables, self.eval.program);
        let one =
            |base: Base| tables.is_single(program, base) || tables.abstract_object(base).role() == Some(Role::Own);
        match (&a.pointers[..], &b.pointers[..]) {
            ([(base, _)], [(other, _)]) => {
                base == other && one(*base) && a.number == Number::None && b.number == Number::None
            }
            _ => false,
        }
    }

    /// May the pointer have left its object?
    fn strays(&self, value: &Value) -> bool {
        let (tables, program) = (self.eval.tables, self.eval.program);
        value.pointers.iter().any(|(base, at)| {
            let least = match tables.abstract_object(*base) {
                AbstractObject::Block(..) => self.facts.solution.sizes.get(&tables.as_role(*base, Role::Own)).copied(),
                AbstractObject::Function(_) | AbstractObject::Thread(_) => return false,
                _ => object_size(program, tables, *base),
            };
            at.lo < 0 || least.is_none_or(|least| at.hi > least)
        })
    }
}

impl Domain for Evaluation<'_> {
    type Value = Value;
    type Stop = Never;

    fn constant(&mut self, ty: Scalar, bits: u128) -> Value {
        self.eval.constant(ty, bits)
    }

    fn local(&mut self, local: LocalId) -> Result<Value, Never> {
        self.eval.local(local)
    }

    fn local_address(&mut self, local: LocalId) -> Result<Value, Never> {
        self.eval.local_address(local)
    }

    fn global_address(&mut self, global: GlobalId) -> Value {
        self.eval.global_address(global)
    }

    fn function_address(&mut self, function: FunctionId) -> Value {
        self.eval.function_address(function)
    }

    fn unary(&mut self, op: UnaryOp, ty: Scalar, a: Value) -> Result<Value, Never> {
        self.seen |= !a.pointers.is_empty();
        self.eval.unary(op, ty, a)
    }

    fn binary(&mut self, op: BinaryOp, ty: Scalar, a: Value, right: Scalar, b: Value) -> Result<Value, Never> {
        self.seen |= self.sees(op, &a, &b);
        if op == BinaryOp::Eq {
            self.compare(&a, &b);
        }
        self.eval.binary(op, ty, a, right, b)
    }

    fn cast(&mut self, cast: Cast, from: Scalar, to: Scalar, a: Value) -> Result<Value, Never> {
        self.seen |= match cast {
            Cast::PtrToInt => false,
            Cast::IntToPtr => self.strays(&a),
            _ => !a.pointers.is_empty(),
        };
        self.eval.cast(cast, from, to, a)
    }

    fn decide(&mut self, condition: &Value) -> Result<Option<bool>, Never> {
        self.eval.decide(condition)
    }

    fn join(&mut self, ty: Scalar, condition: &Value, a: Value, b: Value) -> Result<Value, Never> {
        self.eval.join(ty, condition, a, b)
    }
}
