//! Concrete values: bits, pointers into objects, or not chosen yet.

use base::index_type;
use program::{FunctionId, Scalar};

index_type! {
    /// An object in memory, for the whole of a run: ids are not used again.
    pub struct ObjectId = "o";
    /// A thread, in order of creation; 0 is the first.
    pub struct ThreadId = "T";
}

/// What a pointer was made from. The handle of a thread is a number with the thread behind it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Base {
    Object(ObjectId),
    Function(FunctionId),
    Thread(ThreadId),
}

/// `offset` bytes from the start of `base`. A pointer made from a plain number is that number, see [`Value::Bits`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct Pointer {
    pub base: Base,
    pub offset: i64,
}

impl Pointer {
    pub fn to(base: Base) -> Pointer {
        Pointer { base, offset: 0 }
    }

    pub fn moved(self, bytes: i64) -> Pointer {
        Pointer { base: self.base, offset: self.offset.wrapping_add(bytes) }
    }
}

/// The value of a scalar of any type. An integer made from a pointer keeps it while it survives unchanged.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Value {
    /// Arbitrary and not looked at yet: chosen when it is first read.
    Undefined,
    /// Zero-extended to 64 bits.
    Bits(u64),
    /// More than 64 bits: low half, high half, the latter not zero.
    Wide(u64, u64),
    Pointer(Pointer),
    /// One byte of a pointer that is copied.
    Part(Pointer, u8),
}

impl Value {
    pub const NULL: Value = Value::Bits(0);

    pub fn from_bits(bits: u128) -> Value {
        match u64::try_from(bits) {
            Ok(bits) => Value::Bits(bits),
            Err(_) => Value::Wide(bits as u64, (bits >> 64) as u64),
        }
    }

    pub fn truth(truth: bool) -> Value {
        Value::Bits(u64::from(truth))
    }

    /// The bits, if it is a plain number.
    pub fn bits(self) -> Option<u128> {
        match self {
            Value::Bits(bits) => Some(u128::from(bits)),
            Value::Wide(low, high) => Some(u128::from(low) | u128::from(high) << 64),
            Value::Undefined | Value::Pointer(_) | Value::Part(..) => None,
        }
    }

    pub fn pointer(self) -> Option<Pointer> {
        match self {
            Value::Pointer(pointer) => Some(pointer),
            _ => None,
        }
    }
}

/// All ones in the width of a type.
pub fn mask(ty: Scalar) -> u128 {
    if ty.bits() >= 128 { u128::MAX } else { (1 << ty.bits()) - 1 }
}
