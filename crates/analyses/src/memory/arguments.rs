//! The program's arguments: any number of any strings. The vector has room for as many as there can be, and their number, a symbol, lies
//! before it; what it holds at an index is made when that is read (lazy initialisation).

use facts::range::Range;
use por::Site;
use program::{Input, LocalId, Scalar};
use semantics::{Base, ObjectId, Pointer, Violation};

use super::contents::{Fill, Object, Read};
use super::step::{Run, Transfer, TransferStop};
use super::value::{Symbol, Value};
use crate::step::Unknown;

const MOST: u64 = i32::MAX as u64;
/// Bytes of a string, more than there can be.
const STRING: u64 = 1 << 24;
const INT: Scalar = Scalar::Int(32);

/// How many arguments there are.
struct Count {
    low: u64,
    high: u64,
    /// Without one, nothing more can be found out.
    symbol: Option<Symbol>,
    is_known: bool,
}

impl Transfer<'_, '_, '_> {
    pub(super) fn make_command_line(&mut self, count: LocalId, vector: LocalId) -> Run<()> {
        let number = self.input(INT, Input::Nondet);
        if let Value::Unknown(symbol) = number {
            self.state.symbols.edit().narrow(symbol, Range::signed(32, 0, i64::from(i32::MAX)));
        }
        let bytes = self.memory.program.machine.pointer_bytes();
        let mut table = Object::new(bytes * (MOST + 2), Fill::Undefined, Site::CommandLine);
        if !self.memory.options.pointers_only {
            table.write(0, INT.bytes(), number, self.state.symbols.edit())?;
        }
        let object = self.memory.new_object(&mut self.state, table);
        self.set(count, number);
        let first = Pointer { base: Base::Object(object), offset: bytes as i64 };
        self.set(vector, Value::Pointer(first));
        Ok(())
    }

    /// Makes what bytes of the vector, or of a string, hold. False if they are surely not there.
    pub(super) fn argument(&mut self, id: ObjectId, offset: u64, length: u64) -> Run<bool> {
        let Some(object) = self.memory.find(&self.state, id) else { return Ok(false) };
        if object.size == STRING {
            // It may be shorter.
            if offset + length > 1 {
                self.may_be_outside();
            }
            return Ok(true);
        }
        let bytes = self.memory.program.machine.pointer_bytes();
        if offset < bytes {
            return Ok(false);
        }
        if offset % bytes + length > bytes {
            return Err(TransferStop::Unknown(Unknown::Imprecise(
                "the program's arguments are read in other pieces than pointers",
            )));
        }
        let (slot, count) = (offset / bytes - 1, self.count_at(id));
        match count.symbol {
            _ if slot > count.high => return Ok(false),
            Some(symbol) if count.low < slot => return Err(parted(symbol, &count, slot)),
            None if !count.is_known => self.may_be_outside(),
            _ => {}
        }
        if !self.is_made(id, (slot + 1) * bytes, bytes) {
            let value = match count.symbol {
                _ if count.low > slot => self.new_argument(),
                _ if count.high == slot => Value::NULL,
                Some(symbol) => return Err(parted(symbol, &count, slot + 1)),
                None => self.input(Scalar::Pointer(bytes as u8), Input::Unknown),
            };
            self.write(id, (slot + 1) * bytes, bytes, value)?;
        }
        Ok(true)
    }

    pub(super) fn may_be_outside(&mut self) {
        self.post.find(Violation::InvalidAccess, false);
        self.post.end_undefined(false);
    }

    fn count_at(&self, id: ObjectId) -> Count {
        let read = self.memory.find(&self.state, id).map(|object| object.read(0, INT.bytes()));
        let any = Count { low: 0, high: MOST, symbol: None, is_known: false };
        let Some(Read::Value(value)) = read else { return any };
        match self.state.symbols.value(value) {
            Value::Bits(number) => Count { low: number, high: number, symbol: None, is_known: true },
            Value::Unknown(symbol) => match self.state.symbols.info(symbol).range {
                Some(range) if range.bits() == 32 => {
                    let (low, high) = (range.min_unsigned(), range.max_unsigned());
                    Count { low, high, symbol: Some(symbol), is_known: true }
                }
                _ => any,
            },
            _ => any,
        }
    }

    fn is_made(&self, id: ObjectId, offset: u64, length: u64) -> bool {
        let object = self.memory.find(&self.state, id);
        object.is_some_and(|object| !matches!(object.read(offset, length), Read::Undefined))
    }

    fn new_argument(&mut self) -> Value {
        let string = Object::new(STRING, Fill::Undefined, Site::CommandLine);
        let id = self.memory.new_object(&mut self.state, string);
        Value::Pointer(Pointer::to(Base::Object(id)))
    }
}

/// Fewer than `first`, or so many and more.
fn parted(symbol: Symbol, count: &Count, first: u64) -> TransferStop {
    let below = Range::unsigned(32, count.low, first - 1);
    TransferStop::Narrow(symbol, [below, Range::unsigned(32, first, count.high)])
}
