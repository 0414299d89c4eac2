//! Which edges may end the run by undefined behaviour, as far as their text tells.

use program::{
    Access, Allocation, BarrierOp, BinaryOp, Callee, Cast, ConditionOp, Edge, ExprId, ExprKind, Function, MutexOp, Op,
    Program, SemaphoreOp, ThreadOp,
};

/// False only if the step cannot fail. Limits of an interpreter do not count; nor does what is called at the end of a thread.
pub fn may_fail(program: &Program, function: &Function, edge: &Edge) -> bool {
    let text = Text { program, function };
    match &edge.op {
        Op::Skip | Op::Havoc(..) | Op::Enter(_) | Op::Clear(_) | Op::Leave(_) | Op::CommandLine { .. } => false,
        Op::Return | Op::AtomicBegin | Op::AtomicEnd | Op::Error(_) | Op::End(_) => false,
        Op::Unsupported(_) => true,
        Op::Assume(expr) | Op::Assign(_, expr) => text.faults(*expr),
        Op::Load { from, .. } => text.misses(from),
        Op::Store { to, value } => text.misses(to) || text.faults(*value),
        Op::Modify(modify) => text.misses(&modify.access) || text.faults(modify.new),
        Op::CompareExchange(exchange) => {
            text.misses(&exchange.access) || text.faults(exchange.expected) || text.faults(exchange.desired)
        }
        Op::Call(call) => matches!(call.callee, Callee::Indirect(_)) || call.args.iter().any(|arg| text.faults(*arg)),
        Op::Allocate(allocate) => matches!(allocate.kind, Allocation::Realloc(_)) || text.faults(allocate.size),
        Op::Free(_) | Op::Library(_) => true,
        Op::Overwrite(overwrite) => text.faults(overwrite.address),
        Op::Thread(op) => text.thread_op(op),
    }
}

struct Text<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Text<'_> {
    fn thread_op(&self, op: &ThreadOp) -> bool {
        match op {
            ThreadOp::Create { handle, entry, arg, detached, .. } => {
                self.misses(handle)
                    || !matches!(self.function.exprs[*entry].kind, ExprKind::FunctionAddress(_))
                    || self.faults(*arg)
                    || self.faults(*detached)
            }
            // Handles and keys may be none.
            ThreadOp::Join { .. } | ThreadOp::Detach { .. } => true,
            ThreadOp::Exit { value } => self.faults(*value),
            ThreadOp::KeyDelete { .. } | ThreadOp::KeySet { .. } | ThreadOp::KeyGet { .. } => true,
            ThreadOp::Current { .. } | ThreadOp::CleanupPop { .. } => false,
            ThreadOp::CleanupPush { routine, arg } => self.faults(*routine) || self.faults(*arg),
            ThreadOp::KeyCreate { destructor, .. } => self.faults(*destructor),
            ThreadOp::Mutex { op, mutex, size, .. } => {
                let kind = match op {
                    MutexOp::Init { kind } => self.faults(*kind),
                    _ => false,
                };
                kind || self.may_miss(*mutex, *size)
            }
            ThreadOp::Condition { op, condition, size, .. } => {
                let mutex = match op {
                    ConditionOp::Sleep { mutex } => self.may_miss(*mutex, 1),
                    _ => false,
                };
                mutex || self.may_miss(*condition, *size)
            }
            // Not before it was initialised.
            ThreadOp::Barrier { op: BarrierOp::Arrive, .. } => true,
            ThreadOp::Barrier { op, barrier, size, .. } => {
                let count = match op {
                    BarrierOp::Init { count } => self.faults(*count),
                    _ => false,
                };
                count || self.may_miss(*barrier, *size)
            }
            ThreadOp::Semaphore { op, semaphore, size, .. } => {
                let value = match op {
                    SemaphoreOp::Init { value } => self.faults(*value),
                    _ => false,
                };
                value || self.may_miss(*semaphore, *size)
            }
            ThreadOp::RwLock { lock: at, size, .. } | ThreadOp::OnceBegin { control: at, size, .. } => {
                self.may_miss(*at, *size)
            }
            ThreadOp::OnceEnd { control } => self.may_miss(*control, 1),
        }
    }

    /// May an access lie outside of live, writable memory?
    fn misses(&self, access: &Access) -> bool {
        let length = match &access.bits {
            None => access.ty.bytes(),
            Some(bits) => u64::from(u32::from(bits.start) + access.ty.bits()).div_ceil(8),
        };
        let read_only = |(global, _)| self.program.globals[global].read_only;
        self.may_miss(access.address, length) || self.within_global(access.address).is_some_and(read_only)
    }

    fn within_global(&self, address: ExprId) -> Option<(program::GlobalId, u64)> {
        match self.function.exprs[address].kind {
            ExprKind::GlobalAddress(global) => Some((global, 0)),
            ExprKind::Binary(BinaryOp::PtrAdd, base, offset) => {
                let (global, start) = self.within_global(base)?;
                let ExprKind::Const(bytes) = self.function.exprs[offset].kind else { return None };
                Some((global, start.checked_add(bytes)?))
            }
            _ => None,
        }
    }

    /// May so many bytes lie outside of live memory?
    fn may_miss(&self, address: ExprId, size: u64) -> bool {
        let Some((global, offset)) = self.within_global(address) else { return true };
        offset.checked_add(size).is_none_or(|end| end > self.program.globals[global].size)
    }

    /// May its value not be defined?
    fn faults(&self, expr: ExprId) -> bool {
        use BinaryOp::*;
        match self.function.exprs[expr].kind {
            ExprKind::Const(_) | ExprKind::Wide(_) | ExprKind::Local(_) => false,
            ExprKind::LocalAddress(_) | ExprKind::GlobalAddress(_) | ExprKind::FunctionAddress(_) => false,
            ExprKind::Unary(_, a) => self.faults(a),
            ExprKind::Cast(Cast::FloatToSigned | Cast::FloatToUnsigned, _) => true,
            ExprKind::Cast(_, a) => self.faults(a),
            ExprKind::Binary(op, a, b) => {
                let constant = match self.function.exprs[b].kind {
                    ExprKind::Const(bits) => Some(bits),
                    _ => None,
                };
                let own = match op {
                    UDiv | URem => constant.is_none_or(|divisor| divisor == 0),
                    // The least value by -1 is an overflow.
                    SDiv | SRem => constant.is_none_or(|divisor| divisor == 0),
                    Scale => true,
                    Shl | LShr | AShr => {
                        constant.is_none_or(|amount| amount >= u64::from(self.function.exprs[a].ty.bits()))
                    }
                    _ => false,
                };
                own || self.faults(a) || self.faults(b)
            }
            ExprKind::If(a, b, c) => self.faults(a) || self.faults(b) || self.faults(c),
        }
    }
}
