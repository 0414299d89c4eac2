//! Objects of an abstract state: cells that were written, over what the object held at first.

use por::Site;
use program::{Overwrite, Scalar};
use semantics::indeterminate::Undecided;
use semantics::{Life, ObjectId, Pointer};

use super::value::{Symbols, Value};

/// What an object holds where nothing was written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fill {
    Zero,
    Undefined,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    pub size: u64,
    pub fill: Fill,
    /// Sorted, without overlap; none says what the fill says.
    pub cells: Vec<Cell>,
    pub site: Site,
    pub heap: bool,
    pub life: Life,
    pub read_only: bool,
    /// What an indeterminate pointer leads to, while it may still be null or another object.
    pub undecided: Option<Box<Undecided>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    pub at: u32,
    pub length: u8,
    pub value: Value,
}

impl Cell {
    fn end(&self) -> u32 {
        self.at + u32::from(self.length)
    }
}

/// Objects of which more than this is touched are too large.
const LARGEST: u64 = 1 << 26;

/// So many numbers of an object are overwritten one by one.
const MOST_NUMBERS: usize = 1 << 16;

/// More of an object was touched than can be held.
pub struct TooLarge;

/// What a range of bytes holds.
pub enum Read {
    Value(Value),
    /// Not chosen yet.
    Undefined,
    /// Parts of values, to be put together.
    Mixed,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Byte {
    Known(u8),
    Part(Pointer, u8),
    Unknown,
    Undefined,
}

impl Object {
    pub fn new(size: u64, fill: Fill, site: Site) -> Object {
        Object { size, fill, cells: Vec::new(), site, heap: false, life: Life::Live, read_only: false, undecided: None }
    }

    pub fn contains(&self, offset: i64, length: u64) -> bool {
        u64::try_from(offset).is_ok_and(|o| o.checked_add(length).is_some_and(|end| end <= self.size))
    }

    /// The cells that overlap a range.
    fn cells_in(&self, start: u64, end: u64) -> std::ops::Range<usize> {
        let first = self.cells.partition_point(|cell| u64::from(cell.end()) <= start);
        let count = self.cells[first..].iter().take_while(|cell| u64::from(cell.at) < end).count();
        first..first + count
    }

    pub fn read(&self, offset: u64, length: u64) -> Read {
        let cells = &self.cells[self.cells_in(offset, offset + length)];
        match cells {
            [] => match self.fill {
                Fill::Zero => Read::Value(Value::Bits(0)),
                Fill::Undefined => Read::Undefined,
            },
            [cell] if u64::from(cell.at) == offset && u64::from(cell.length) == length => Read::Value(cell.value),
            _ => Read::Mixed,
        }
    }

    fn byte(&self, offset: u64) -> Byte {
        match &self.cells[self.cells_in(offset, offset + 1)] {
            [] => match self.fill {
                Fill::Zero => Byte::Known(0),
                Fill::Undefined => Byte::Undefined,
            },
            [cell, ..] => byte_of(cell, (offset - u64::from(cell.at)) as u8),
        }
    }

    /// Puts bytes together that were written as parts of other values. What is not known is a new symbol.
    pub fn assemble(&self, offset: u64, length: u64, word: u64, symbols: &mut Symbols) -> Value {
        let bytes: Vec<Byte> = (0..length).map(|i| self.byte(offset + i)).collect();
        let known = |byte: &Byte| match byte {
            Byte::Known(byte) => Some(u64::from(*byte)),
            _ => None,
        };
        if length <= 8
            && let Some(bytes) = bytes.iter().map(known).collect::<Option<Vec<u64>>>()
        {
            return Value::Bits(bytes.iter().rev().fold(0, |sum, byte| sum << 8 | byte));
        }
        if let [Byte::Part(pointer, index)] = bytes[..] {
            return Value::Part(pointer, index);
        }
        if let Byte::Part(pointer, 0) = bytes[0]
            && length == word
            && bytes.iter().enumerate().all(|(i, byte)| *byte == Byte::Part(pointer, i as u8))
        {
            return Value::Pointer(pointer);
        }
        let bits = (length * 8) as u32;
        match bytes.iter().any(|byte| matches!(byte, Byte::Part(..) | Byte::Unknown)) {
            true => symbols.address(bits),
            false => symbols.fresh(Scalar::Int(bits.min(128) as u8)),
        }
    }

    pub fn write(&mut self, offset: u64, length: u64, value: Value, symbols: &mut Symbols) -> Result<(), TooLarge> {
        if offset + length > LARGEST {
            return Err(TooLarge);
        }
        let cell = Cell { at: offset as u32, length: length as u8, value };
        let range = self.cells_in(offset, offset + length);
        let absent = match self.fill {
            Fill::Zero => value == Value::Bits(0),
            Fill::Undefined => value == Value::Undefined,
        };
        if let [old] = &mut self.cells[range.clone()]
            && (old.at, old.length) == (cell.at, cell.length)
            && !absent
        {
            *old = cell;
            return Ok(());
        }
        let mut kept: Vec<Cell> = Vec::new();
        for old in &self.cells[range.clone()] {
            for i in 0..old.length {
                let at = old.at + u32::from(i);
                if at < cell.at || at >= cell.end() {
                    let value = match byte_of(old, i) {
                        Byte::Known(byte) => Value::Bits(byte.into()),
                        Byte::Part(pointer, index) => Value::Part(pointer, index),
                        Byte::Unknown => symbols.address(8),
                        Byte::Undefined => Value::Undefined,
                    };
                    if !(self.fill == Fill::Zero && value == Value::Bits(0)) {
                        kept.push(Cell { at, length: 1, value });
                    }
                }
            }
        }
        if !absent {
            let place = kept.partition_point(|other| other.at < cell.at);
            kept.insert(place, cell);
        }
        self.cells.splice(range, kept);
        Ok(())
    }

    /// Everything from an offset on may be anything; what is before stays.
    pub fn forget_from(&mut self, offset: u64, symbols: &mut Symbols) -> Result<(), TooLarge> {
        if self.fill == Fill::Zero {
            for at in 0..offset {
                if matches!(self.byte(at), Byte::Known(0)) && self.cells_in(at, at + 1).is_empty() {
                    // Written as a cell so that the fill may change.
                    let place = self.cells.partition_point(|cell| u64::from(cell.at) < at);
                    self.cells.insert(place, Cell { at: at as u32, length: 1, value: Value::Bits(0) });
                }
            }
            self.fill = Fill::Undefined;
        }
        let end = self.cells.last().map_or(0, |cell| u64::from(cell.end()));
        for at in offset..end {
            self.write(at, 1, Value::Undefined, symbols)?;
        }
        Ok(())
    }

    /// Numbers from an offset on may be anything; pointers stay.
    pub fn overwrite(&mut self, offset: u64, overwrite: &Overwrite, symbols: &mut Symbols) -> Result<(), TooLarge> {
        let is_pointer = |cell: &Cell| matches!(cell.value, Value::Pointer(_) | Value::Part(..));
        let offset = overwrite.start(offset);
        let left = self.size - offset;
        if offset == 0 && overwrite.extent(left) == self.size && overwrite.is_dense() {
            self.cells.retain(is_pointer);
            self.fill = Fill::Undefined;
            return Ok(());
        }
        for (i, (at, length)) in overwrite.places(left).enumerate() {
            if i > MOST_NUMBERS {
                return Err(TooLarge);
            }
            let (start, end) = (offset + at, offset + at + length);
            if !self.cells[self.cells_in(start, end)].iter().any(is_pointer) {
                self.write(start, length, Value::Undefined, symbols)?;
            }
        }
        Ok(())
    }

    /// What fits of another object's contents.
    pub fn copy_prefix(&mut self, from: &Object, symbols: &mut Symbols) -> Result<(), TooLarge> {
        let length = from.size.min(self.size);
        if from.fill == Fill::Zero {
            if length > LARGEST / 64 {
                return Err(TooLarge);
            }
            for at in (0..length).step_by(8) {
                self.write(at, (length - at).min(8), Value::Bits(0), symbols)?;
            }
        }
        for cell in &from.cells {
            if u64::from(cell.end()) <= length {
                self.write(cell.at.into(), cell.length.into(), cell.value, symbols)?;
            } else {
                for i in (0..cell.length).take_while(|i| u64::from(cell.at) + u64::from(*i) < length) {
                    let value = match byte_of(cell, i) {
                        Byte::Known(byte) => Value::Bits(byte.into()),
                        Byte::Part(pointer, index) => Value::Part(pointer, index),
                        Byte::Unknown => symbols.address(8),
                        Byte::Undefined => Value::Undefined,
                    };
                    self.write(u64::from(cell.at) + u64::from(i), 1, value, symbols)?;
                }
            }
        }
        Ok(())
    }

    /// The object's life ends; dangling pointers keep it.
    pub fn end(&mut self, life: Life) {
        self.life = life;
        self.fill = Fill::Zero;
        self.cells = Vec::new();
    }

    pub fn values(&self) -> impl Iterator<Item = Value> + '_ {
        self.cells.iter().map(|cell| cell.value)
    }
}

fn byte_of(cell: &Cell, index: u8) -> Byte {
    match cell.value {
        Value::Bits(bits) => Byte::Known(if index < 8 { (bits >> (8 * index)) as u8 } else { 0 }),
        Value::Pointer(pointer) => Byte::Part(pointer, index),
        Value::Part(pointer, first) => Byte::Part(pointer, first + index),
        Value::Unknown(_) => Byte::Unknown,
        Value::Undefined => Byte::Undefined,
    }
}

/// The object behind a pointer, if it is one to an object.
pub fn object_of(value: Value) -> Option<ObjectId> {
    match value {
        Value::Pointer(Pointer { base: semantics::Base::Object(id), .. })
        | Value::Part(Pointer { base: semantics::Base::Object(id), .. }, _) => Some(id),
        _ => None,
    }
}
