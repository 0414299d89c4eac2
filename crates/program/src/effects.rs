//! What an operation evaluates, which locals it writes, and which memory it accesses: the one table of effects that analyses use.

use crate::{
    Access, Allocation, BarrierOp, Callee, ConditionOp, ExprId, LocalId, MutexOp, Op, Overwrite, SemaphoreOp, ThreadOp,
};

/// What the value of an operand is used for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OperandKind {
    /// It is tested, stored, passed on, or the size of an allocation.
    Value,
    /// Memory is accessed there.
    Address,
    /// The function that is called, or that is to be called.
    Code,
    /// The address of a synchronisation object, which takes so many bytes.
    Lock(u64),
    /// The handle of a thread, or a key.
    Name,
    /// A number that decides how a thread or a synchronisation object behaves: detached, the kind of a mutex, a count.
    Setting,
}

impl OperandKind {
    /// Does the value decide what becomes of threads and synchronisation objects, or which function runs?
    pub fn is_control(self) -> bool {
        !matches!(self, OperandKind::Value | OperandKind::Address)
    }
}

/// An access to memory by an operation.
#[derive(Clone, Copy, Debug)]
pub struct MemoryAccess<'o> {
    pub address: ExprId,
    pub extent: Extent<'o>,
    pub mode: Mode,
}

/// Which bytes are accessed.
#[derive(Clone, Copy, Debug)]
pub enum Extent<'o> {
    Scalar(&'o Access),
    /// The heap block that begins at the address.
    Block,
    Elements(&'o Overwrite),
    /// As far as a library function goes, if the argument is an address at all.
    Range,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mode {
    Read,
    Write,
    /// Both, in one step.
    Update,
}

impl Mode {
    pub fn reads(self) -> bool {
        self != Mode::Write
    }

    pub fn writes(self) -> bool {
        self != Mode::Read
    }
}

impl Op {
    /// All expressions that are evaluated. The new value of [`Op::Modify`] may mention the local that the operation writes.
    pub fn operands(&self, visit: &mut impl FnMut(ExprId, OperandKind)) {
        match self {
            Op::Skip | Op::Havoc(..) | Op::Enter(_) | Op::Clear(_) | Op::Leave(_) | Op::Return => {}
            Op::AtomicBegin | Op::AtomicEnd | Op::Error(_) | Op::End(_) | Op::CommandLine { .. } => {}
            Op::Unsupported(_) => {}
            Op::Assume(expr) | Op::Assign(_, expr) => visit(*expr, OperandKind::Value),
            Op::Free(pointer) => visit(*pointer, OperandKind::Address),
            Op::Load { from, .. } => visit(from.address, OperandKind::Address),
            Op::Store { to, value } => {
                visit(to.address, OperandKind::Address);
                visit(*value, OperandKind::Value);
            }
            Op::Modify(modify) => {
                visit(modify.access.address, OperandKind::Address);
                visit(modify.new, OperandKind::Value);
            }
            Op::CompareExchange(exchange) => {
                visit(exchange.access.address, OperandKind::Address);
                visit(exchange.expected, OperandKind::Value);
                visit(exchange.desired, OperandKind::Value);
            }
            Op::Call(call) => {
                if let Callee::Indirect(pointer) = call.callee {
                    visit(pointer, OperandKind::Code);
                }
                call.args.iter().for_each(|arg| visit(*arg, OperandKind::Value));
            }
            Op::Allocate(allocate) => {
                visit(allocate.size, OperandKind::Value);
                if let Allocation::Realloc(old) = allocate.kind {
                    visit(old, OperandKind::Address);
                }
            }
            Op::Library(call) => call.args.iter().for_each(|arg| visit(*arg, OperandKind::Value)),
            Op::Overwrite(overwrite) => visit(overwrite.address, OperandKind::Address),
            Op::Thread(op) => op.operands(visit),
        }
    }

    /// The plain locals that take a value. Those of callers, which [`Op::Return`] writes, are not among them.
    pub fn written_locals(&self, visit: &mut impl FnMut(LocalId)) {
        match self {
            Op::Assign(to, _) | Op::Load { to, .. } => visit(*to),
            Op::Modify(modify) => visit(modify.old),
            Op::CompareExchange(exchange) => [exchange.old, exchange.success].into_iter().for_each(visit),
            Op::Call(call) => call.to.into_iter().for_each(visit),
            Op::CommandLine { count, vector } => [*count, *vector].into_iter().for_each(visit),
            Op::Thread(op) => match &**op {
                ThreadOp::Join { value, to, .. } => [*value, *to].into_iter().for_each(visit),
                ThreadOp::CleanupPop { routine, arg } => [*routine, *arg].into_iter().for_each(visit),
                _ => self.result().into_iter().for_each(visit),
            },
            _ => self.result().into_iter().for_each(visit),
        }
    }

    /// The local that takes the result of what is a call of a library function in C.
    pub fn result(&self) -> Option<LocalId> {
        match self {
            Op::Havoc(to, _) => Some(*to),
            Op::Allocate(allocate) => Some(allocate.to),
            Op::Library(call) => call.to,
            Op::Thread(op) => op.result(),
            _ => None,
        }
    }

    /// Memory that is accessed for its contents. Objects that begin or end with a scope, and synchronisation objects, are not.
    pub fn accesses<'o>(&'o self, visit: &mut impl FnMut(MemoryAccess<'o>)) {
        let scalar =
            |access: &'o Access, mode| MemoryAccess { address: access.address, extent: Extent::Scalar(access), mode };
        let block = |address| MemoryAccess { address, extent: Extent::Block, mode: Mode::Write };
        match self {
            Op::Load { from, .. } => visit(scalar(from, Mode::Read)),
            Op::Store { to, .. } => visit(scalar(to, Mode::Write)),
            Op::Modify(modify) => visit(scalar(&modify.access, Mode::Update)),
            Op::CompareExchange(exchange) => visit(scalar(&exchange.access, Mode::Update)),
            Op::Free(pointer) => visit(block(*pointer)),
            Op::Allocate(allocate) => {
                if let Allocation::Realloc(old) = allocate.kind {
                    visit(block(old));
                }
            }
            Op::Overwrite(overwrite) => {
                let mode = if overwrite.writes() { Mode::Write } else { Mode::Read };
                visit(MemoryAccess { address: overwrite.address, extent: Extent::Elements(overwrite), mode });
            }
            Op::Library(call) => {
                for (i, address) in call.args.iter().enumerate() {
                    let mode = if call.writes(i) { Mode::Update } else { Mode::Read };
                    visit(MemoryAccess { address: *address, extent: Extent::Range, mode });
                }
            }
            Op::Thread(op) => {
                if let ThreadOp::Create { handle, .. } = &**op {
                    visit(scalar(handle, Mode::Write));
                }
            }
            Op::Skip | Op::Assume(_) | Op::Assign(..) | Op::Havoc(..) | Op::Call(_) | Op::Return => {}
            Op::Enter(_) | Op::Clear(_) | Op::Leave(_) | Op::CommandLine { .. } => {}
            Op::AtomicBegin | Op::AtomicEnd | Op::Error(_) | Op::End(_) | Op::Unsupported(_) => {}
        }
    }
}

impl ThreadOp {
    fn operands(&self, visit: &mut impl FnMut(ExprId, OperandKind)) {
        match self {
            ThreadOp::Create { handle, entry, arg, detached, .. } => {
                visit(handle.address, OperandKind::Address);
                visit(*entry, OperandKind::Code);
                visit(*arg, OperandKind::Value);
                visit(*detached, OperandKind::Setting);
            }
            ThreadOp::Join { thread, .. } | ThreadOp::Detach { thread, .. } => visit(*thread, OperandKind::Name),
            ThreadOp::Exit { value } => visit(*value, OperandKind::Value),
            ThreadOp::Current { .. } | ThreadOp::CleanupPop { .. } => {}
            ThreadOp::CleanupPush { routine, arg } => {
                visit(*routine, OperandKind::Code);
                visit(*arg, OperandKind::Value);
            }
            ThreadOp::Mutex { op, mutex, size, .. } => {
                visit(*mutex, OperandKind::Lock(*size));
                if let MutexOp::Init { kind } = op {
                    visit(*kind, OperandKind::Setting);
                }
            }
            ThreadOp::RwLock { lock, size, .. } => visit(*lock, OperandKind::Lock(*size)),
            ThreadOp::Condition { op, condition, size, .. } => {
                visit(*condition, OperandKind::Lock(*size));
                if let ConditionOp::Sleep { mutex } = op {
                    visit(*mutex, OperandKind::Lock(1));
                }
            }
            ThreadOp::Barrier { op, barrier, size, .. } => {
                visit(*barrier, OperandKind::Lock(*size));
                if let BarrierOp::Init { count } = op {
                    visit(*count, OperandKind::Setting);
                }
            }
            ThreadOp::Semaphore { op, semaphore, size, .. } => {
                visit(*semaphore, OperandKind::Lock(*size));
                if let SemaphoreOp::Init { value } = op {
                    visit(*value, OperandKind::Setting);
                }
            }
            ThreadOp::OnceBegin { control, size, .. } => visit(*control, OperandKind::Lock(*size)),
            ThreadOp::OnceEnd { control } => visit(*control, OperandKind::Lock(1)),
            ThreadOp::KeyCreate { destructor, .. } => visit(*destructor, OperandKind::Code),
            ThreadOp::KeyDelete { key } | ThreadOp::KeyGet { key, .. } => visit(*key, OperandKind::Name),
            ThreadOp::KeySet { key, value } => {
                visit(*key, OperandKind::Name);
                visit(*value, OperandKind::Value);
            }
        }
    }

    /// The local that takes what the C function returns, or the key that it makes.
    pub fn result(&self) -> Option<LocalId> {
        match self {
            ThreadOp::Create { to, .. }
            | ThreadOp::Join { to, .. }
            | ThreadOp::Detach { to, .. }
            | ThreadOp::Current { to }
            | ThreadOp::Mutex { to, .. }
            | ThreadOp::RwLock { to, .. }
            | ThreadOp::Condition { to, .. }
            | ThreadOp::Barrier { to, .. }
            | ThreadOp::Semaphore { to, .. }
            | ThreadOp::OnceBegin { to, .. }
            | ThreadOp::KeyCreate { to, .. }
            | ThreadOp::KeyGet { to, .. } => Some(*to),
            ThreadOp::Exit { .. } | ThreadOp::CleanupPush { .. } | ThreadOp::CleanupPop { .. } => None,
            ThreadOp::OnceEnd { .. } | ThreadOp::KeyDelete { .. } | ThreadOp::KeySet { .. } => None,
        }
    }
}
