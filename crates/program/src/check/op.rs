//! What operations take and give. `int` below is C's: 32 bits.

use base::Idx;

use super::{Checker, ensure};
use crate::{
    Access, Allocate, Allocation, BarrierOp, Call, Callee, ConditionOp, ExprId, LocalId, MutexOp, Op, Scalar,
    SemaphoreOp, ThreadOp,
};

const INT: Scalar = Scalar::Int(32);

impl Checker<'_> {
    pub(super) fn op(&self, op: &Op) -> Result<(), String> {
        match op {
            Op::Skip | Op::Return | Op::AtomicBegin | Op::AtomicEnd | Op::Error(_) | Op::End(_) => Ok(()),
            Op::Unsupported(_) => Ok(()),
            // A truth value.
            Op::Assume(condition) => self.has("condition", *condition, Scalar::BOOL),
            // A plain local and a value of its type.
            Op::Assign(to, value) => self.has("value", *value, self.plain(*to)?),
            Op::Havoc(to, _) => self.plain(*to).map(|_| ()),
            Op::Load { to, from } => {
                self.access(from)?;
                self.takes("target", *to, from.ty)
            }
            Op::Store { to, value } => {
                self.access(to)?;
                self.has("value", *value, to.ty)
            }
            Op::Modify(modify) => {
                self.access(&modify.access)?;
                self.takes("old value", modify.old, modify.access.ty)?;
                self.has("new value", modify.new, modify.access.ty)
            }
            Op::CompareExchange(exchange) => {
                self.access(&exchange.access)?;
                self.takes("old value", exchange.old, exchange.access.ty)?;
                self.takes("success", exchange.success, Scalar::BOOL)?;
                self.has("expected value", exchange.expected, exchange.access.ty)?;
                self.has("desired value", exchange.desired, exchange.access.ty)
            }
            Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => self.memory(*local),
            Op::Call(call) => self.call(call),
            Op::Allocate(allocate) => self.allocate(allocate),
            Op::Free(pointer) => self.has("pointer", *pointer, self.pointer()),
            Op::Thread(op) => self.thread(op),
            Op::CommandLine { count, vector } => {
                self.takes("count", *count, INT)?;
                self.takes("vector", *vector, self.pointer())
            }
            Op::Overwrite(overwrite) => {
                if overwrite.size == 0 {
                    return Err("elements without bytes".to_owned());
                }
                self.has("address", overwrite.address, self.pointer())
            }
            // Arguments of any type: formats say at run time what they mean.
            Op::Library(call) => {
                call.args.iter().try_for_each(|arg| self.ty(*arg).map(|_| ()))?;
                call.to.map_or(Ok(()), |to| self.plain(to).map(|_| ()))
            }
        }
    }

    /// The address is a pointer; a bit-field is an integer that begins in the first byte and lies within its memory location;
    /// other integers have whole bytes.
    fn access(&self, access: &Access) -> Result<(), String> {
        self.scalar(access.ty)?;
        self.has("address", access.address, self.pointer())?;
        let fits = match (&access.bits, access.ty) {
            (Some(bits), Scalar::Int(width)) => {
                let end = u64::from(bits.before) * 8 + u64::from(bits.start) + u64::from(width);
                bits.start < 8 && end <= u64::from(bits.length) * 8
            }
            (Some(_), _) => false,
            (None, Scalar::Int(width)) => width.is_multiple_of(8),
            (None, _) => true,
        };
        ensure(fits, || format!("{:?} is not accessible at {:?}", access.ty, access.bits))
    }

    /// Of a direct callee: one argument of the right type for each parameter, and a target only if there is a result.
    fn call(&self, call: &Call) -> Result<(), String> {
        let id = match call.callee {
            Callee::Direct(id) => id,
            Callee::Indirect(pointer) => {
                self.has("callee", pointer, self.pointer())?;
                call.args.iter().try_for_each(|arg| self.ty(*arg).map(|_| ()))?;
                return call.to.map_or(Ok(()), |to| self.plain(to).map(|_| ()));
            }
        };
        ensure(id.index() < self.program.functions.len(), || format!("function {id} does not exist"))?;
        let callee = Checker { program: self.program, function: &self.program.functions[id] };
        let (given, wanted) = (call.args.len(), callee.function.params.len());
        ensure(given == wanted, || format!("{given} arguments for the {wanted} parameters of {id}"))?;
        for (arg, param) in call.args.iter().zip(&callee.function.params) {
            self.has("argument", *arg, callee.plain(*param)?)?;
        }
        match (call.to, callee.function.result) {
            (Some(to), Some(result)) => self.takes("result", to, callee.plain(result)?),
            (Some(_), None) => Err(format!("{id} has no result to take")),
            (None, _) => Ok(()),
        }
    }

    /// A pointer takes the address; sizes are words, alignments powers of two.
    fn allocate(&self, allocate: &Allocate) -> Result<(), String> {
        self.takes("target", allocate.to, self.pointer())?;
        self.has("size", allocate.size, self.program.machine.word())?;
        ensure(allocate.align.is_power_of_two(), || format!("alignment {} is no power of two", allocate.align))?;
        match allocate.kind {
            Allocation::Heap | Allocation::HeapZeroed | Allocation::Frame => Ok(()),
            Allocation::Realloc(old) => self.has("old block", old, self.pointer()),
            Allocation::Variable(local) => self.memory(local),
        }
    }

    /// Objects, routines and their arguments are pointers; handles and keys are integers; results are `int`.
    fn thread(&self, op: &ThreadOp) -> Result<(), String> {
        match op {
            ThreadOp::Create { handle, entry, arg, detached, to } => {
                self.access(handle)?;
                ensure(matches!(handle.ty, Scalar::Int(_)), || format!("a handle of type {:?}", handle.ty))?;
                self.pointers(&[*entry, *arg])?;
                self.integer("detached", *detached)?;
                self.takes("result", *to, INT)
            }
            ThreadOp::Join { thread, value, to } => {
                self.integer("thread", *thread)?;
                self.takes("value", *value, self.pointer())?;
                self.takes("result", *to, INT)
            }
            ThreadOp::Detach { thread, to } => {
                self.integer("thread", *thread)?;
                self.takes("result", *to, INT)
            }
            ThreadOp::Exit { value } => self.pointers(&[*value]),
            ThreadOp::Current { to } => self.takes_integer("handle", *to),
            ThreadOp::CleanupPush { routine, arg } => self.pointers(&[*routine, *arg]),
            ThreadOp::CleanupPop { routine, arg } => {
                self.takes("routine", *routine, self.pointer())?;
                self.takes("argument", *arg, self.pointer())
            }
            ThreadOp::Mutex { op, mutex, to, .. } => {
                if let MutexOp::Init { kind } = op {
                    self.integer("kind", *kind)?;
                }
                self.object(*mutex, *to)
            }
            ThreadOp::RwLock { op: _, lock, to, .. } => self.object(*lock, *to),
            ThreadOp::Condition { op, condition, to, .. } => {
                if let ConditionOp::Sleep { mutex } = op {
                    self.pointers(&[*mutex])?;
                }
                self.object(*condition, *to)
            }
            ThreadOp::Barrier { op, barrier, to, .. } => {
                if let BarrierOp::Init { count } = op {
                    self.integer("count", *count)?;
                }
                self.object(*barrier, *to)
            }
            ThreadOp::Semaphore { op, semaphore, to, .. } => {
                if let SemaphoreOp::Init { value } = op {
                    self.integer("value", *value)?;
                }
                self.object(*semaphore, *to)
            }
            ThreadOp::OnceBegin { control, to, .. } => {
                self.pointers(&[*control])?;
                self.takes_integer("result", *to)
            }
            ThreadOp::OnceEnd { control } => self.pointers(&[*control]),
            ThreadOp::KeyCreate { destructor, to } => {
                self.pointers(&[*destructor])?;
                self.takes_integer("key", *to)
            }
            ThreadOp::KeyDelete { key } => self.integer("key", *key),
            ThreadOp::KeySet { key, value } => {
                self.integer("key", *key)?;
                self.pointers(&[*value])
            }
            ThreadOp::KeyGet { key, to } => {
                self.integer("key", *key)?;
                self.takes("value", *to, self.pointer())
            }
        }
    }

    fn object(&self, object: ExprId, to: LocalId) -> Result<(), String> {
        self.pointers(&[object])?;
        self.takes("result", to, INT)
    }

    fn pointers(&self, exprs: &[ExprId]) -> Result<(), String> {
        exprs.iter().try_for_each(|expr| self.has("operand", *expr, self.pointer()))
    }

    fn integer(&self, what: &str, expr: ExprId) -> Result<(), String> {
        let ty = self.ty(expr)?;
        ensure(matches!(ty, Scalar::Int(_)), || format!("{what} is {ty:?}, not an integer"))
    }

    fn takes_integer(&self, what: &str, to: LocalId) -> Result<(), String> {
        let ty = self.plain(to)?;
        ensure(matches!(ty, Scalar::Int(_)), || format!("{what} goes to {ty:?}, not an integer"))
    }

    fn has(&self, what: &str, expr: ExprId, wanted: Scalar) -> Result<(), String> {
        let ty = self.ty(expr)?;
        ensure(ty == wanted, || format!("{what} is {ty:?}, not {wanted:?}"))
    }

    fn takes(&self, what: &str, to: LocalId, given: Scalar) -> Result<(), String> {
        let ty = self.plain(to)?;
        ensure(ty == given, || format!("{what} is {given:?}, but goes to a local of {ty:?}"))
    }
}
