//! The arguments of a call, as its model wants them. A mistaken prototype gives too few or too many, or of other types: what is
//! missing is arbitrary, what is too much is ignored.

use c_front::types::TypeId;
use program::{BinaryOp, Callee, ExprId, Input, LocalId, Op, Scalar, ThreadOp};

use super::Arg;
use crate::fold::Fold;
use crate::function::FunctionLowerer;

pub const INT: Scalar = Scalar::Int(32);

/// The largest error number of Linux.
const LAST_ERROR: i32 = 133;

/// What a call gives, and the type that its result was declared with.
pub struct Given<'a> {
    pub args: &'a [Arg],
    pub result: TypeId,
}

impl FunctionLowerer<'_, '_> {
    pub(super) fn arg_as(&mut self, given: &Given<'_>, index: usize, ty: Scalar, signed: bool) -> ExprId {
        match given.args.get(index) {
            Some(arg) => {
                let from_signed = self.unit.types.is_signed(arg.ty);
                self.convert(arg.value, from_signed, ty, signed)
            }
            None => self.arbitrary(ty, Input::Unknown),
        }
    }

    pub(super) fn pointer_arg(&mut self, given: &Given<'_>, index: usize) -> ExprId {
        let pointer = self.pointer();
        self.arg_as(given, index, pointer, false)
    }

    /// A lock, or what else threads meet at, and how many bytes it takes.
    pub(super) fn sync_arg(&mut self, given: &Given<'_>, index: usize) -> (ExprId, u64) {
        let types = &self.unit.types;
        let pointee = given.args.get(index).and_then(|arg| types.c.pointee(arg.ty));
        let size = pointee.map_or(0, |pointee| types.size(pointee.ty));
        (self.pointer_arg(given, index), size.max(1))
    }

    /// A size or a handle.
    pub(super) fn word_arg(&mut self, given: &Given<'_>, index: usize) -> ExprId {
        let word = self.word();
        self.arg_as(given, index, word, false)
    }

    pub(super) fn int_arg(&mut self, given: &Given<'_>, index: usize) -> ExprId {
        self.arg_as(given, index, INT, true)
    }

    pub(super) fn truth_arg(&mut self, given: &Given<'_>, index: usize) -> ExprId {
        match given.args.get(index) {
            Some(arg) => self.b.is_true(arg.value),
            None => self.arbitrary(Scalar::BOOL, Input::Unknown),
        }
    }

    /// A thread operation with a C result.
    pub(super) fn thread(&mut self, op: impl FnOnce(LocalId) -> ThreadOp) -> ExprId {
        let to = self.temp(INT);
        self.emit_thread(op(to));
        self.b.local(to)
    }

    pub(super) fn emit_thread(&mut self, op: ThreadOp) {
        self.emit(Op::Thread(Box::new(op)));
    }

    pub(super) fn int(&mut self, value: i32) -> ExprId {
        self.b.int(32, value as u128)
    }

    pub(super) fn is_int(&mut self, value: ExprId, constant: i32) -> ExprId {
        let constant = self.int(constant);
        self.b.binary(program::BinaryOp::Eq, value, constant)
    }

    /// C functions leave a null pointer alone where a caller does not want the value.
    pub(super) fn store_unless_null(&mut self, pointer: ExprId, value: ExprId) {
        let wanted = self.b.is_true(pointer);
        self.if_else(wanted, |f| f.store_at(pointer, value), |_| {});
    }

    /// The value at a pointer, or a default if the pointer is null.
    pub(super) fn load_unless_null(&mut self, pointer: ExprId, default: ExprId) -> ExprId {
        let given = self.b.is_true(pointer);
        let ty = self.b.ty(default);
        match self.b.as_constant(given) {
            Some(0) => return default,
            Some(_) => return self.load_at(pointer, ty),
            None => {}
        }
        let value = self.temp(ty);
        let read = |f: &mut Self| {
            let found = f.load_at(pointer, ty);
            f.emit(Op::Assign(value, found));
        };
        self.if_else(given, read, |f| f.emit(Op::Assign(value, default)));
        self.b.local(value)
    }

    /// A byte of what a pointer leads to is read, so that a pointer to no memory is an invalid access.
    pub(super) fn follow(&mut self, pointer: ExprId) {
        self.load_at(pointer, Scalar::Int(8));
    }

    /// Calls a function that the program handed over.
    pub(super) fn call_back(&mut self, routine: ExprId, args: Vec<ExprId>) {
        self.call(Callee::Indirect(routine), args, None);
    }

    /// `errno` exists only in programs that look at it.
    pub(super) fn set_errno(&mut self, code: i32) {
        let code = self.int(code);
        self.store_errno(|_| code);
    }

    /// Any error number.
    pub(super) fn set_any_errno(&mut self) {
        self.store_errno(|f| {
            let (code, one, last) = (f.arbitrary(INT, Input::Unknown), f.int(1), f.int(LAST_ERROR));
            let (above, below) = (f.b.binary(BinaryOp::SLe, one, code), f.b.binary(BinaryOp::SLe, code, last));
            let known = f.b.binary(BinaryOp::And, above, below);
            f.b.if_else(known, code, one)
        });
    }

    /// Errors that only some reasons of a result set. Nothing where it is not read.
    pub fn may_set_errno(&mut self, input: Input) {
        if self.unit.model("__errno_location").is_some() {
            let failed = self.arbitrary(Scalar::BOOL, input);
            self.if_else(failed, |f| f.set_any_errno(), |_| {});
        }
    }

    fn store_errno(&mut self, code: impl FnOnce(&mut Self) -> ExprId) {
        let Some(model) = self.unit.model("__errno_location") else { return };
        let pointer = self.pointer();
        let to = self.temp(pointer);
        self.call(Callee::Direct(model.id), vec![], Some(to));
        let address = self.b.local(to);
        let code = code(self);
        self.store_at(address, code);
    }

    /// What a call gives that may fail: -1 and some error, or a value.
    pub(super) fn or_failure(&mut self, failed: ExprId, value: ExprId) -> ExprId {
        if self.unit.model("__errno_location").is_some() {
            self.if_else(failed, |f| f.set_any_errno(), |_| {});
        }
        let ty = self.b.ty(value);
        let none = self.b.constant(ty, u128::MAX);
        self.b.if_else(failed, none, value)
    }
}

pub(super) fn status(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    let (failed, zero) = (f.arbitrary(Scalar::BOOL, Input::Unknown), f.int(0));
    Some(f.or_failure(failed, zero))
}

/// Interrupted only by signals, which never arrive, or for values that are out of range.
pub(super) fn sleeps(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    let (failed, zero) = (f.arbitrary(Scalar::BOOL, Input::Doubt), f.int(0));
    Some(f.or_failure(failed, zero))
}

/// As wide as the declared result.
pub(super) fn number(f: &mut FunctionLowerer<'_, '_>, g: &Given<'_>) -> Option<ExprId> {
    let bits = match f.unit.types.scalar(g.result) {
        Some(Scalar::Int(bits @ 2..)) => bits,
        _ => 32,
    };
    let (failed, value) =
        (f.arbitrary(Scalar::BOOL, Input::Unknown), f.arbitrary(Scalar::Int(bits - 1), Input::Unknown));
    let value = f.b.resize(value, bits, false);
    Some(f.or_failure(failed, value))
}

/// -1, and some error.
pub(super) fn fails(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    f.set_any_errno();
    Some(f.int(-1))
}

pub(super) fn may_fail(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    f.may_set_errno(Input::Unknown);
    None
}

pub(super) fn doubt(f: &mut FunctionLowerer<'_, '_>, _: &Given<'_>) -> Option<ExprId> {
    Some(f.arbitrary(Scalar::BOOL, Input::Doubt))
}
