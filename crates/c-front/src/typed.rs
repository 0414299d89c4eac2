//! The typed tree: what semantic analysis makes of the syntax tree and what lowering reads.
//!
//! Invariants
//! - Every implicit conversion is a node: lvalue to value (`Load`), array and function to pointer (`AddressOf`,
//!   `FunctionAddress`), integer promotions, usual arithmetic conversions, assignment and argument conversions (`Cast`).
//! - Operands of arithmetic have the type of the result; operands of comparisons have one common type.
//! - Integer constant expressions that C requires to be constant are folded; others are left as written.
//! - `sizeof` and its kin are constants, except for variable-length arrays.
//! - Places (lvalues) and values are different types: what is written to is never mistaken for what is read.

use base::{IndexVec, Span, Symbol, index_type};

pub use crate::ast::Storage;
use crate::types::{BitRange, QualType, RecordId, TypeId, Types, VlaId};

index_type! {
    pub struct ObjectId = "g";
    pub struct FunctionId = "f";
    pub struct LocalId = "v";
    pub struct LabelId = "l";
    pub struct StringId = "s";
}

/// The whole program: all files, linked.
#[derive(Debug)]
pub struct Unit {
    pub types: Types,
    /// Objects with static or thread storage: globals, static locals, compound literals at file scope.
    pub objects: IndexVec<ObjectId, Object>,
    pub functions: IndexVec<FunctionId, Function>,
    pub strings: IndexVec<StringId, StringData>,
    /// File-scope assembly and other things that were read but have no counterpart in the tree.
    pub remarks: Vec<Remark>,
}

/// Something the analysis read past; lowering enters it into the ledger.
#[derive(Clone, Debug)]
pub struct Remark {
    pub span: Span,
    pub kind: RemarkKind,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RemarkKind {
    /// Assembly at file scope.
    FileAssembly,
    /// A memory order that is weaker than `memory_order_seq_cst`.
    WeakOrder,
    /// A call of a function that was never declared.
    ImplicitDeclaration(Symbol),
    /// An attribute that changes meaning and is not modelled.
    Attribute(Symbol),
}

#[derive(Debug)]
pub struct Object {
    /// Static locals are called `function.name`; an object of internal linkage whose name is taken by another file gets a suffix.
    pub name: Symbol,
    pub ty: QualType,
    pub thread_local: bool,
    /// False for `extern int x;` without a definition anywhere.
    pub defined: bool,
    /// `None`: zero.
    pub init: Option<StaticInit>,
    /// Its address is used other than to access it directly.
    pub address_taken: bool,
    /// Stricter than its type's, in bytes.
    pub align: Option<u64>,
    pub span: Span,
}

/// Bytes not named by a part are zero. Parts do not overlap and are in order of offset where not repeated.
#[derive(Debug, Default)]
pub struct StaticInit {
    pub parts: Vec<InitPart<Constant>>,
}

/// A local's initialiser: as for [`StaticInit`], but `zero` says whether the rest must be zeroed (`= {1}`), or there is no rest (`= 1`).
#[derive(Debug)]
pub struct Init {
    pub zero: bool,
    pub parts: Vec<InitPart<Expr>>,
}

/// One scalar (or, for locals, one whole record; or the bytes of a string) at a byte offset.
#[derive(Debug)]
pub struct InitPart<V> {
    pub offset: u64,
    pub ty: QualType,
    pub bits: Option<BitRange>,
    /// From a range designator, outermost first: written `count` times, `stride` bytes apart. Evaluated once.
    pub repeat: Box<[(u64, u64)]>,
    pub value: InitValue<V>,
}

#[derive(Clone, Copy, Debug)]
pub enum InitValue<V> {
    Value(V),
    /// An array of character type initialised by a string: that many elements are copied, zero-padded if the string is shorter.
    String(StringId, u64),
}

/// A string literal's units, final zero included, `unit` bytes each.
#[derive(Debug)]
pub struct StringData {
    pub units: Vec<u32>,
    pub unit: u8,
    pub ty: TypeId,
}

/// A value known at translation time.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Constant {
    /// Modulo 2^width of the type that stands beside it, zero-extended.
    Int(u128),
    /// The bits of the IEEE (or x87) representation.
    Float(u128),
    /// `base + offset` bytes. Also as an integer of pointer size.
    Address { base: AddressBase, offset: i64 },
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AddressBase {
    Object(ObjectId),
    Function(FunctionId),
    String(StringId),
    /// `&&label` within the function whose body is being analysed.
    Label(FunctionId, LabelId),
}

#[derive(Debug)]
pub struct Function {
    /// Unique in the program (internal-linkage clashes between files get a suffix).
    pub name: Symbol,
    pub ty: TypeId,
    pub params: Vec<LocalId>,
    /// Parameters and all locals of all scopes, compound literals included.
    pub locals: IndexVec<LocalId, Local>,
    pub labels: IndexVec<LabelId, Label>,
    /// Number of elements of each variable-length array type, evaluated by `Statement::Vla` when control passes.
    pub vlas: IndexVec<VlaId, Expr>,
    pub body: Option<Vec<Statement>>,
    pub attributes: FunctionAttributes,
    pub span: Span,
    /// The closing brace of the body.
    pub end: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FunctionAttributes {
    pub noreturn: bool,
    /// Runs before `main`.
    pub constructor: bool,
    /// Runs after `main`.
    pub destructor: bool,
    pub weak: bool,
}

#[derive(Debug)]
pub struct Local {
    /// `None` for compound literals and unnamed parameters.
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub address_taken: bool,
    pub align: Option<u64>,
    /// `__attribute__((cleanup(f)))`
    pub cleanup: Option<FunctionId>,
    pub span: Span,
}

#[derive(Debug)]
pub struct Label {
    pub name: Symbol,
    pub address_taken: bool,
    pub span: Span,
}

#[derive(Debug)]
pub struct Statement {
    pub kind: StatementKind,
    pub span: Span,
}

#[derive(Debug)]
pub enum StatementKind {
    Expr(Expr),
    /// A scope. The span is the closing brace.
    Block(Vec<Statement>, Span),
    /// Control passes the declaration of a local: it is a new object with arbitrary contents, then initialised.
    Declare(LocalId, Option<Init>),
    /// Control passes a variable-length array type: its size is evaluated and fixed.
    Vla(VlaId),
    If {
        condition: Expr,
        then: Box<Statement>,
        otherwise: Option<Box<Statement>>,
    },
    /// `value` is promoted; case labels inside `body` are converted to its type.
    Switch {
        value: Expr,
        body: Box<Statement>,
    },
    /// Both bounds inclusive, as bits of the switch's type.
    Case {
        low: u128,
        high: u128,
        statement: Box<Statement>,
    },
    Default(Box<Statement>),
    While {
        condition: Expr,
        body: Box<Statement>,
    },
    DoWhile {
        body: Box<Statement>,
        condition: Expr,
    },
    /// The whole is a scope; `init` holds declarations or an expression.
    For {
        init: Vec<Statement>,
        condition: Option<Expr>,
        step: Option<Expr>,
        body: Box<Statement>,
    },
    Label(LabelId, Box<Statement>),
    Goto(LabelId),
    GotoComputed(Expr),
    Continue,
    Break,
    Return(Option<Expr>),
    Asm(Box<Asm>),
    /// ACSL `assert`; the condition is a scalar.
    Assert(Expr),
    Empty,
}

#[derive(Debug)]
pub struct Asm {
    pub template: String,
    pub volatile: bool,
    pub outputs: Vec<Place>,
    /// Outputs marked `+` are also read.
    pub read_outputs: Vec<bool>,
    pub inputs: Vec<Expr>,
    /// For each input the output in whose place it is passed (`"0"(x)`), if any.
    pub ties: Vec<Option<usize>>,
    pub clobbers_memory: bool,
    /// Targets of `asm goto`.
    pub labels: Vec<LabelId>,
}

/// A value. Conditions are scalars of any type; lowering compares them with zero.
#[derive(Debug)]
pub struct Expr {
    pub kind: ExprKind,
    /// Unqualified.
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Debug)]
pub enum ExprKind {
    Constant(Constant),
    /// The value of an object, scalar or record.
    Load(Box<Place>),
    /// `&place`, and the decay of an array (then the type is that of a pointer to the element).
    AddressOf(Box<Place>),
    FunctionAddress(FunctionId),
    LabelAddress(LabelId),
    /// Operand and result have the same type. `Not` takes any scalar and gives `int`.
    Unary(Unary, Box<Expr>),
    /// Arithmetic and bits; for shifts the right operand keeps its own promoted type.
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// Result `int`. Pointers compare as unsigned addresses.
    Compare(Comparison, Box<Expr>, Box<Expr>),
    /// `pointer + index * size`, or minus; `index` has any integer type.
    Offset {
        pointer: Box<Expr>,
        index: Box<Expr>,
        element: Size,
        negative: bool,
    },
    /// `(left - right) / size`, of type `ptrdiff_t`.
    Difference {
        left: Box<Expr>,
        right: Box<Expr>,
        element: Size,
    },
    /// Operands are scalars, result `int`.
    LogAnd(Box<Expr>, Box<Expr>),
    LogOr(Box<Expr>, Box<Expr>),
    /// Both arms have the type of the whole (which may be `void` or a record).
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// GNU `a ?: b`: the first operand, if not zero, is the result (converted to the type of the whole), and is evaluated once.
    Elvis(Box<Expr>, Box<Expr>),
    Comma(Box<Expr>, Box<Expr>),
    /// Stores `value`, already converted; the result is the value stored.
    Assign(Box<Place>, Box<Expr>),
    /// `place = (T) ((compute) place op value)`: `value` is already of type `compute` (for shifts: of its own promoted type).
    AssignOp {
        place: Box<Place>,
        op: Binary,
        value: Box<Expr>,
        compute: TypeId,
    },
    /// `place += index` on a pointer.
    AssignOffset {
        place: Box<Place>,
        index: Box<Expr>,
        element: Size,
        negative: bool,
    },
    /// `++` and `--`. `element` is the step for pointers; arithmetic types step by one in their promoted type.
    Increment {
        place: Box<Place>,
        by: Step,
        result: When,
        element: Option<Size>,
    },
    /// Scalar to scalar, or anything to `void`; also between compatible record types (no effect).
    Cast(Box<Expr>),
    Call {
        callee: Callee,
        args: Vec<Expr>,
    },
    /// GNU `({ … })`: a scope whose value is that of its last expression statement.
    Statement(Vec<Statement>, Option<Box<Expr>>, Span),
    /// Size of a variable-length array type in bytes, of type `size_t`.
    SizeOfVla(Size),
    Builtin(Builtin, Vec<Expr>),
    Atomic(Box<Atomic>),
    /// `va_arg(ap, T)`; the operand is the address of the `va_list` object.
    VaArg(Box<Expr>),
}

/// A size in bytes: a constant times the lengths of variable-length arrays.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Size {
    pub bytes: u64,
    pub times: Vec<VlaId>,
}

#[derive(Debug)]
pub struct Place {
    pub kind: PlaceKind,
    /// With qualifiers, those of enclosing records included.
    pub ty: QualType,
    pub span: Span,
}

#[derive(Debug)]
pub enum PlaceKind {
    Object(ObjectId),
    Local(LocalId),
    String(StringId),
    /// `*pointer`, and `a[i]` as `*(a + i)`.
    Deref(Box<Expr>),
    /// A member, anonymous ones in between made explicit.
    Field {
        base: Box<Place>,
        record: RecordId,
        field: u32,
    },
    /// A compound literal inside a function: initialised each time it is evaluated.
    Compound(LocalId, Box<Init>),
    /// A record value that is not an object, such as `f()` in `f().x`.
    Temporary(Box<Expr>),
}

#[derive(Debug)]
pub enum Callee {
    Direct(FunctionId),
    /// A value of type pointer to function.
    Indirect(Box<Expr>),
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unary {
    Negate,
    Complement,
    Not,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Binary {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    And,
    Or,
    Xor,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    Up,
    Down,
}

/// Whether the result of `++` is the value before (`x++`) or after (`++x`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum When {
    Before,
    After,
}

/// Compiler builtins without a library counterpart. `__builtin_memcpy` and the like are calls of the library function;
/// `__builtin_expect`, `constant_p`, `choose_expr`, `types_compatible_p`, `offsetof`, `object_size`, NaNs and infinities are resolved.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Builtin {
    /// Of the operand's width; undefined for zero.
    CountLeadingZeros,
    CountTrailingZeros,
    PopCount,
    Parity,
    /// One plus the index of the lowest bit set, or zero.
    FindFirstSet,
    /// Number of redundant sign bits.
    LeadingRedundantSignBits,
    ByteSwap,
    /// `(a, b, pointer)`: operands of any integer types, exact result stored, truth of overflow returned.
    AddOverflow,
    SubOverflow,
    MulOverflow,
    /// The same without a pointer: `(a, b, witness of the type)`.
    AddOverflowP,
    SubOverflowP,
    MulOverflowP,
    Unreachable,
    Trap,
    /// Memory that lives until the function returns.
    Alloca,
    /// `(address of va_list)`
    VaStart,
    VaEnd,
    /// `(address of destination, address of source)`
    VaCopy,
    /// An address nobody may rely on: any value.
    FrameAddress,
    ReturnAddress,
    /// Classification of a float operand, result `int`.
    IsNan,
    IsInf,
    IsFinite,
    IsNormal,
    SignBit,
    /// Quiet comparisons `isgreater` …: never raise, false on NaN.
    IsGreater,
    IsGreaterEqual,
    IsLess,
    IsLessEqual,
    IsLessGreater,
    IsUnordered,
    /// Floating absolute value and sign transfer, of the operand's type.
    Fabs,
    CopySign,
    /// Nothing happens: prefetch, `__builtin___clear_cache`.
    Nothing,
}

/// `__atomic_*`, `__sync_*` and the generic functions of `stdatomic.h`, in few primitives. All orders act as sequentially consistent.
/// Generic pointer forms (`__atomic_load(p, ret, order)`) are resolved into these and plain accesses.
#[derive(Debug)]
pub enum Atomic {
    Load {
        pointer: Expr,
    },
    Store {
        pointer: Expr,
        value: Expr,
    },
    /// The whole expression's type is the object's.
    Modify {
        pointer: Expr,
        op: AtomicOp,
        value: Expr,
        result: When,
    },
    /// `__atomic_compare_exchange`: `expected` is a pointer, read and, on failure, written plainly. Result `_Bool`.
    CompareExchange {
        pointer: Expr,
        expected: Expr,
        desired: Expr,
        weak: bool,
    },
    /// `__sync_*_compare_and_swap`: `expected` is a value. The result is the old value, or with `Success` whether it was replaced.
    CompareSwap {
        pointer: Expr,
        expected: Expr,
        desired: Expr,
        result: SwapResult,
    },
    Fence,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AtomicOp {
    Exchange,
    Add,
    Sub,
    And,
    Or,
    Xor,
    Nand,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum SwapResult {
    Old,
    Success,
}
