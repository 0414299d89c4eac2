//! Queries of a monitor automaton to a state: of an interpreter, or of an abstract domain that knows less.

use program::{ExprId, GlobalId, LocalId, Scalar};
use semantics::Pointer;

/// A state as one of its threads sees it.
pub trait Look {
    /// The one value that is there; `None` if it is not known, or if there may be several.
    fn value(&self, place: Place) -> Option<Known>;
}

/// Where to look. The frame is the thread's running one, of the function that the event's edge stands in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
    Expr(ExprId),
    /// A plain local.
    Local(LocalId),
    Global {
        global: GlobalId,
        /// In bytes.
        offset: u64,
        ty: Scalar,
        /// A bit-field: first bit counted from `offset`, and width.
        bits: Option<(u8, u8)>,
    },
}

/// A value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Known {
    /// The bits of a number of any width. What an automaton keeps is extended to 128 bits by its type.
    Number(u128),
    /// An address, as an identity: objects are never the same though one may take the room of another.
    Place(Pointer),
    /// An address of an object that the program can no longer name: no value that it has is this one. Only abstract states say
    /// so; they forget which object it was.
    Gone,
}
