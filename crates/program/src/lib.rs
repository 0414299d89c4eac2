//! The program model that every analysis reads: typed objects, one control-flow automaton per function, pure bit-precise
//! expressions, thread and lock operations as primitive edges. Knows no property, no solver and no engine.
//!
//! Invariants
//! - An edge makes at most one access to memory that another thread may reach, or is one atomic read-modify-write,
//!   or one thread operation. (Only [`Op::Library`] may touch a range of bytes at once.)
//! - Expressions are pure: they read plain locals of their own frame and constants, never memory.
//! - Every function has a body: undefined ones return an arbitrary value (and are listed in the [`Ledger`]).
//! - What is not understood is an [`Op::Unsupported`] edge: who reaches it must not give a verdict.

pub mod check;
mod effects;
mod expr;
mod function;
mod ledger;
mod op;
pub mod print;
#[cfg(test)]
mod sample;
mod types;

pub use check::check;
pub use effects::{Extent, MemoryAccess, Mode, OperandKind};
pub use expr::{BinaryOp, Cast, Expr, ExprId, ExprKind, FloatKind, Scalar, UnaryOp};
pub use function::{
    Edge, EdgeId, Function, FunctionBuilder, FunctionId, Local, LocalId, LocalKind, Location, MODEL_PREFIX, Storage,
};
pub use ledger::{Assumption, AssumptionKind, Direction, Ledger};
pub use op::*;
pub use types::{Field, Type, TypeId, Types};

use base::{IndexVec, SourceMap, Span, index_type};

index_type! {
    pub struct GlobalId = "g";
}

pub struct Program {
    pub machine: Machine,
    pub types: Types,
    pub globals: IndexVec<GlobalId, Global>,
    pub functions: IndexVec<FunctionId, Function>,
    /// Runs constructors, `main`, destructors, and ends the program. Thread 0 starts here.
    pub entry: FunctionId,
    pub main: FunctionId,
    pub ledger: Ledger,
    pub sources: SourceMap,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Machine {
    /// 32 or 64. Little endian always.
    pub pointer_bits: u8,
}

impl Machine {
    pub fn pointer_bytes(self) -> u64 {
        u64::from(self.pointer_bits / 8)
    }
    /// The integer type as wide as a pointer.
    pub fn word(self) -> Scalar {
        Scalar::Int(self.pointer_bits)
    }
}

/// An object that lives as long as the program or, if thread-local, one for each thread.
pub struct Global {
    pub name: Box<str>,
    pub ty: TypeId,
    pub size: u64,
    pub align: u64,
    pub init: GlobalInit,
    pub thread_local: bool,
    /// String literals: writing is an invalid access.
    pub read_only: bool,
    /// False: accessed only directly by its name (and a constant or computed offset within it), never through a pointer.
    pub address_taken: bool,
    pub span: Span,
}

pub enum GlobalInit {
    Zero,
    /// The first bytes of the object, the rest being zero, and the pointers in it.
    Image(Box<Image>),
    /// Declared but defined nowhere: arbitrary bytes.
    Arbitrary,
}

pub struct Image {
    pub bytes: Vec<u8>,
    /// Pointer-sized fields, in order of offset; their place in `bytes` is zero.
    pub pointers: Vec<(u64, Address)>,
}

/// `base + offset` bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Address {
    pub base: AddressBase,
    pub offset: i64,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AddressBase {
    Global(GlobalId),
    Function(FunctionId),
}
