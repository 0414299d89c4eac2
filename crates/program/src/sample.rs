//! A well-formed program with every kind of edge, made by hand, for the tests of the printer and of the checker.

use base::{IndexVec, SourceMap, Span};

use crate::*;

pub const WORD: Scalar = Scalar::Int(64);
pub const POINTER: Scalar = Scalar::Pointer(8);
pub const INT: Scalar = Scalar::Int(32);
pub const DOUBLE: Scalar = Scalar::Float(FloatKind::F64);

/// The types that the sample's locals have.
#[derive(Clone, Copy)]
pub struct SampleTypes {
    pub bool: TypeId,
    pub int: TypeId,
    pub word: TypeId,
    pub double: TypeId,
    pub pointer: TypeId,
    pub record: TypeId,
    pub text: TypeId,
}

pub fn types(types: &mut Types) -> SampleTypes {
    let mut scalar = |scalar, signed, name: &str| types.intern(Type::Scalar { scalar, signed, name: name.into() });
    let bool = scalar(Scalar::BOOL, false, "_Bool");
    let int = scalar(INT, true, "int");
    let word = scalar(WORD, false, "unsigned long");
    let double = scalar(DOUBLE, true, "double");
    let pointer = scalar(POINTER, false, "void *");
    let field = |name: &str, ty, offset, bits| Field { name: name.into(), ty, offset, bits };
    let fields =
        vec![field("value", int, 0, None), field("flag", int, 4, Some((3, 2))), field("next", pointer, 8, None)];
    let record = types.intern(Type::Record { name: "struct node".into(), fields, size: 16, align: 8 });
    let element = types.intern(Type::Scalar { scalar: Scalar::Int(8), signed: true, name: "char".into() });
    let text = types.intern(Type::Array { element, length: 4 });
    SampleTypes { bool, int, word, double, pointer, record, text }
}

/// A chain of edges, each on a line of its own of `a.c`.
pub struct Chain {
    pub builder: FunctionBuilder,
    pub at: Location,
    line: u32,
}

impl Chain {
    pub fn new(name: &str) -> Chain {
        let builder = FunctionBuilder::new(name, Span::NONE);
        Chain { at: builder.entry, builder, line: 0 }
    }

    pub fn local(&mut self, name: &str, ty: TypeId, storage: Storage, kind: LocalKind) -> LocalId {
        let id = self.builder.locals.push(Local { name: name.into(), ty, storage, kind, span: Span::NONE });
        if kind == LocalKind::Param {
            self.builder.params.push(id);
        }
        id
    }

    pub fn then(&mut self, op: Op) {
        let to = self.builder.location();
        self.edge(self.at, op, to);
        self.at = to;
    }

    pub fn edge(&mut self, from: Location, op: Op, to: Location) {
        // Lines of the sample's source are two characters long, and positions start at one.
        let start = self.line * 2 + 1;
        self.line += 1;
        self.builder.edge(from, op, to, Span::new(start, start + 1));
    }

    pub fn thread(&mut self, op: ThreadOp) {
        self.then(Op::Thread(Box::new(op)));
    }

    pub fn int(&mut self, value: u128) -> ExprId {
        self.builder.constant(INT, value)
    }

    pub fn read(&mut self, local: LocalId) -> ExprId {
        let Storage::Plain(scalar) = self.builder.locals[local].storage else {
            panic!("a local in memory has no value")
        };
        self.builder.expr(ExprKind::Local(local), scalar)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId, ty: Scalar) -> ExprId {
        self.builder.expr(ExprKind::Binary(op, left, right), ty)
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId, ty: Scalar) -> ExprId {
        self.builder.expr(ExprKind::Unary(op, operand), ty)
    }

    pub fn cast(&mut self, cast: Cast, operand: ExprId, ty: Scalar) -> ExprId {
        self.builder.expr(ExprKind::Cast(cast, operand), ty)
    }

    pub fn global(&mut self, id: u32) -> ExprId {
        self.builder.expr(ExprKind::GlobalAddress(GlobalId(id)), POINTER)
    }
}

pub fn access(address: ExprId, ty: Scalar, order: Order) -> Access {
    Access { address, ty, bits: None, order }
}

/// A program around the given functions; the first one is the entry and `main`.
pub fn program(types: Types, sample: SampleTypes, functions: Vec<Function>) -> Program {
    let mut sources = SourceMap::new();
    sources.add("a.c", "x\n".repeat(200)).expect("the text is short");
    let mut ledger = Ledger::default();
    let text = "memory is never exhausted";
    ledger.assume(AssumptionKind::LibraryModel, Direction::Convention, "malloc", text, Span::new(5, 6));
    ledger.assume(AssumptionKind::LibraryModel, Direction::Convention, "malloc", text, Span::new(7, 8));
    ledger.assume(AssumptionKind::Assembly, Direction::Over, "asm", "may write any object it names", Span::NONE);
    Program {
        machine: Machine { pointer_bits: 64 },
        types,
        globals: globals(sample),
        functions: functions.into_iter().collect(),
        entry: FunctionId(0),
        main: FunctionId(0),
        ledger,
        sources,
    }
}

fn globals(types: SampleTypes) -> IndexVec<GlobalId, Global> {
    let global = |name: &str, ty, size, init| Global {
        name: name.into(),
        ty,
        size,
        align: if size < 8 { 4 } else { 8 },
        init,
        thread_local: false,
        read_only: false,
        address_taken: false,
        span: Span::NONE,
    };
    let image = |bytes: &[u8], pointers| GlobalInit::Image(Box::new(Image { bytes: bytes.to_vec(), pointers }));
    let to_list = Address { base: AddressBase::Global(GlobalId(1)), offset: 8 };
    let to_main = Address { base: AddressBase::Function(FunctionId(0)), offset: 0 };
    IndexVec::from_iter([
        global("count", types.int, 4, image(&[0xfe, 0xff, 0xff, 0xff], vec![])),
        global("list", types.record, 16, image(&[1, 0, 0, 0, 8], vec![(8, to_main)])),
        Global { address_taken: true, ..global("next", types.pointer, 8, image(&[], vec![(0, to_list)])) },
        Global { read_only: true, ..global("text", types.text, 4, image(b"a\"\n\0", vec![])) },
        Global { thread_local: true, ..global("errno", types.int, 4, GlobalInit::Zero) },
        global("elsewhere", types.record, 16, GlobalInit::Arbitrary),
    ])
}

pub fn whole() -> Program {
    let mut all = Types::default();
    let sample = types(&mut all);
    let functions = vec![sequential(sample), expressions(sample), threads(sample)];
    program(all, sample, functions)
}

fn sequential(types: SampleTypes) -> Function {
    let mut c = Chain::new("main");
    let argument = c.local("n", types.int, Storage::Plain(INT), LocalKind::Param);
    let shadow = c.local("count", types.int, Storage::Plain(INT), LocalKind::Named);
    let pointer = c.local("p", types.pointer, Storage::Plain(POINTER), LocalKind::Named);
    let node = c.local("node", types.record, Storage::Memory, LocalKind::Named);
    let old = c.local("", types.int, Storage::Plain(INT), LocalKind::Temporary);
    let success = c.local("", types.bool, Storage::Plain(Scalar::BOOL), LocalKind::Temporary);
    let result = c.local("", types.int, Storage::Plain(INT), LocalKind::Temporary);
    c.builder.result = Some(result);
    let (one, sixteen) = (c.int(1), c.builder.constant(WORD, 16));
    let two_bits = c.builder.constant(Scalar::Int(2), 1);
    let (count, text) = (c.global(0), c.global(3));
    let (n, value, p) = (c.read(argument), c.read(old), c.read(pointer));
    let address = c.builder.expr(ExprKind::LocalAddress(node), POINTER);
    let field = c.binary(BinaryOp::PtrAdd, address, sixteen, POINTER);
    let callee = c.builder.expr(ExprKind::FunctionAddress(FunctionId(1)), POINTER);
    let sum = c.binary(BinaryOp::SAdd, value, one, INT);
    let bits = Some(Box::new(Bits { start: 3, before: 0, length: 1 }));

    c.then(Op::CommandLine { count: shadow, vector: pointer });
    c.then(Op::Havoc(shadow, Input::Nondet));
    c.then(Op::Enter(node));
    c.then(Op::Clear(node));
    c.then(Op::Load { to: old, from: access(count, INT, Order::Plain) });
    c.then(Op::Store { to: access(count, INT, Order::Atomic), value: sum });
    c.then(Op::Store { to: Access { bits, ..access(field, Scalar::Int(2), Order::Plain) }, value: two_bits });
    c.then(Op::Modify(Box::new(Modify { access: access(count, INT, Order::Atomic), old, new: sum })));
    let exchange = CompareExchange {
        access: access(count, INT, Order::Atomic),
        expected: one,
        desired: n,
        old,
        success,
        weak: true,
    };
    c.then(Op::CompareExchange(Box::new(exchange)));
    c.then(Op::Call(Box::new(Call { callee: Callee::Direct(FunctionId(0)), args: Box::new([one]), to: Some(old) })));
    c.then(Op::Call(Box::new(Call { callee: Callee::Indirect(callee), args: Box::new([n, p]), to: None })));
    let kinds = [
        Allocation::Heap,
        Allocation::HeapZeroed,
        Allocation::Realloc(p),
        Allocation::Frame,
        Allocation::Variable(node),
    ];
    for kind in kinds {
        c.then(Op::Allocate(Box::new(Allocate { to: pointer, size: sixteen, kind, align: 16 })));
    }
    c.then(Op::Free(p));
    let call = LibraryCall { function: Library::Print, args: Box::new([text, n]), to: Some(old) };
    c.then(Op::Library(Box::new(call)));
    c.then(Op::AtomicBegin);
    c.then(Op::AtomicEnd);
    branches(&mut c, n, one, old, sum);
    c.then(Op::Leave(node));
    c.then(Op::Assign(result, n));
    c.then(Op::Return);
    c.builder.finish()
}

/// A loop, and one exit for every ending of a run.
fn branches(c: &mut Chain, n: ExprId, one: ExprId, old: LocalId, sum: ExprId) {
    let ends = [
        Op::Error(ErrorKind::Assert),
        Op::Error(ErrorKind::ErrorCall),
        Op::Error(ErrorKind::Label),
        Op::End(End::Return),
        Op::End(End::Exit),
        Op::End(End::Abort),
        Op::End(End::Cut),
        Op::Unsupported("computed goto".into()),
    ];
    let head = c.at;
    let less = c.binary(BinaryOp::SLt, n, one, Scalar::BOOL);
    let not_less = c.unary(UnaryOp::Not, less, Scalar::BOOL);
    let (inside, outside) = (c.builder.location(), c.builder.location());
    c.edge(head, Op::Assume(less), inside);
    c.edge(head, Op::Assume(not_less), outside);
    c.at = inside;
    c.then(Op::Assign(old, sum));
    let last = c.at;
    for (number, end) in ends.into_iter().enumerate() {
        let number = c.int(number as u128);
        let (equal, aside, end_of_run) =
            (c.binary(BinaryOp::Eq, n, number, Scalar::BOOL), c.builder.location(), c.builder.location());
        c.edge(last, Op::Assume(equal), aside);
        match end {
            Op::Error(_) => {
                let stop = c.builder.location();
                c.edge(aside, end, end_of_run);
                c.edge(end_of_run, Op::End(End::Abort), stop);
            }
            end => c.edge(aside, end, end_of_run),
        }
    }
    let (eight, back) = (c.int(8), c.builder.location());
    let rest = c.binary(BinaryOp::ULe, eight, n, Scalar::BOOL);
    c.edge(last, Op::Assume(rest), back);
    c.edge(back, Op::Havoc(old, Input::Uninitialised), head);
    c.at = outside;
}

fn expressions(types: SampleTypes) -> Function {
    let mut c = Chain::new("expressions");
    let x = c.local("x", types.int, Storage::Plain(INT), LocalKind::Param);
    let other = c.local("x", types.word, Storage::Plain(WORD), LocalKind::Named);
    let d = c.local("d", types.double, Storage::Plain(DOUBLE), LocalKind::Named);
    let p = c.local("p", types.pointer, Storage::Plain(POINTER), LocalKind::Named);
    let b = c.local("", types.bool, Storage::Plain(Scalar::BOOL), LocalKind::Temporary);
    let (minus_one, null) = (c.int(u128::MAX), c.builder.constant(POINTER, 0));
    let half = c.builder.constant(DOUBLE, u128::from(0.5f64.to_bits()));
    let nan = c.builder.constant(DOUBLE, u128::from(f64::NAN.to_bits()));
    let (xv, ov, dv, pv) = (c.read(x), c.read(other), c.read(d), c.read(p));
    use BinaryOp::*;
    for op in [Add, Sub, Mul, SAdd, SSub, SMul, UDiv, SDiv, URem, SRem, And, Or, Xor, Shl, LShr, AShr] {
        let value = c.binary(op, xv, minus_one, INT);
        c.then(Op::Assign(x, value));
    }
    for op in [Eq, ULt, ULe, SLt, SLe] {
        let value = c.binary(op, xv, minus_one, Scalar::BOOL);
        c.then(Op::Assign(b, value));
        let value = c.unary(UnaryOp::Not, value, Scalar::BOOL);
        c.then(Op::Assign(b, value));
    }
    for op in [FAdd, FSub, FMul, FDiv, FRem, FMin, FMax, FCopySign] {
        let value = c.binary(op, dv, half, DOUBLE);
        c.then(Op::Assign(d, value));
    }
    for op in [FLt, FLe] {
        let value = c.binary(op, dv, nan, Scalar::BOOL);
        c.then(Op::Assign(b, value));
    }
    let sum = c.binary(PtrAdd, pv, ov, POINTER);
    let difference = c.binary(PtrDiff, sum, pv, WORD);
    c.then(Op::Assign(other, difference));
    for op in [PtrLt, PtrLe, Eq] {
        let value = c.binary(op, pv, null, Scalar::BOOL);
        c.then(Op::Assign(b, value));
    }
    use UnaryOp::*;
    for op in [Neg, SNeg, Not, LeadingZeros, TrailingZeros, PopCount, ByteSwap] {
        let value = c.unary(op, xv, INT);
        c.then(Op::Assign(x, value));
    }
    for op in [FNeg, FAbs, FSqrt, FFloor, FCeil, FTrunc, FRound] {
        let value = c.unary(op, dv, DOUBLE);
        c.then(Op::Assign(d, value));
    }
    for op in [FIsNan, FIsInf, FSignBit] {
        let value = c.unary(op, dv, Scalar::BOOL);
        c.then(Op::Assign(b, value));
    }
    let casts = [
        (Cast::Trunc, ov, INT, x),
        (Cast::ZExt, xv, WORD, other),
        (Cast::SExt, xv, WORD, other),
        (Cast::IntToPtr, ov, POINTER, p),
        (Cast::PtrToInt, pv, WORD, other),
        (Cast::FloatToSigned, dv, INT, x),
        (Cast::FloatToUnsigned, dv, WORD, other),
        (Cast::SignedToFloat, xv, DOUBLE, d),
        (Cast::UnsignedToFloat, xv, DOUBLE, d),
    ];
    for (cast, from, ty, to) in casts {
        let value = c.cast(cast, from, ty);
        c.then(Op::Assign(to, value));
    }
    let narrow = c.cast(Cast::FloatToFloat, dv, Scalar::Float(FloatKind::F32));
    let wide = c.cast(Cast::FloatToFloat, narrow, DOUBLE);
    c.then(Op::Assign(d, wide));
    let condition = c.read(b);
    let choice = c.builder.expr(ExprKind::If(condition, xv, minus_one), INT);
    c.then(Op::Assign(x, choice));
    let huge = c.builder.constant(Scalar::Int(128), 1 << 100);
    let low = c.cast(Cast::Trunc, huge, INT);
    c.then(Op::Assign(x, low));
    c.then(Op::Return);
    c.builder.finish()
}

fn threads(types: SampleTypes) -> Function {
    let mut c = Chain::new("threads");
    let arg = c.local("arg", types.pointer, Storage::Plain(POINTER), LocalKind::Param);
    let value = c.local("value", types.pointer, Storage::Plain(POINTER), LocalKind::Named);
    let handle = c.local("handle", types.word, Storage::Plain(WORD), LocalKind::Named);
    let to = c.local("", types.int, Storage::Plain(INT), LocalKind::Temporary);
    let (p, thread, key, zero) = (c.read(arg), c.read(handle), c.read(to), c.int(0));
    let entry = c.builder.expr(ExprKind::FunctionAddress(FunctionId(2)), POINTER);
    let mutex = c.global(1);
    let stored = access(p, WORD, Order::Plain);
    c.thread(ThreadOp::Create { handle: stored, entry, arg: p, detached: zero, to });
    c.thread(ThreadOp::Join { thread, value, to });
    c.thread(ThreadOp::Detach { thread, to });
    c.thread(ThreadOp::Current { to: handle });
    c.thread(ThreadOp::CleanupPush { routine: entry, arg: p });
    c.thread(ThreadOp::CleanupPop { routine: arg, arg: value });
    use MutexOp::*;
    for op in [Init { kind: zero }, Destroy, Lock, TryLock, TimedLock, Unlock] {
        c.thread(ThreadOp::Mutex { op, mutex, size: 4, to });
    }
    use RwLockOp as R;
    let rwlock_ops = [
        R::Init,
        R::Destroy,
        R::ReadLock,
        R::WriteLock,
        R::TryReadLock,
        R::TryWriteLock,
        R::TimedReadLock,
        R::TimedWriteLock,
        R::Unlock,
    ];
    for op in rwlock_ops {
        c.thread(ThreadOp::RwLock { op, lock: p, size: 4, to });
    }
    use ConditionOp as C;
    let (wake, timed) = (C::Wake { timed: false }, C::Wake { timed: true });
    for op in [C::Init, C::Destroy, C::Sleep { mutex }, wake, timed, C::Signal, C::Broadcast] {
        c.thread(ThreadOp::Condition { op, condition: p, size: 4, to });
    }
    for op in [BarrierOp::Init { count: zero }, BarrierOp::Destroy, BarrierOp::Arrive, BarrierOp::Pass] {
        c.thread(ThreadOp::Barrier { op, barrier: p, size: 4, to });
    }
    use SemaphoreOp as S;
    for op in [S::Init { value: zero }, S::Destroy, S::Wait, S::TryWait, S::TimedWait, S::Post, S::Value] {
        c.thread(ThreadOp::Semaphore { op, semaphore: p, size: 4, to });
    }
    c.thread(ThreadOp::OnceBegin { control: p, size: 4, to });
    c.thread(ThreadOp::OnceEnd { control: p });
    c.thread(ThreadOp::KeyCreate { destructor: entry, to });
    c.thread(ThreadOp::KeySet { key, value: p });
    c.thread(ThreadOp::KeyGet { key, to: value });
    c.thread(ThreadOp::KeyDelete { key });
    c.thread(ThreadOp::Exit { value: p });
    c.builder.finish()
}
