//! The contents of objects, byte by byte: concrete bytes in one dense vector, and marks over the ranges that hold a pointer or
//! nothing chosen yet. Bytes that were never touched cost nothing, however large the object.

use std::ops::Range;

use crate::value::{Pointer, Value};

/// Objects of which more than this is touched end the run: the interpreter's memory is the limit.
pub const LARGEST: u64 = 1 << 28;

/// What the untouched rest of an object holds.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Fill {
    Zero,
    Undefined,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Mark {
    /// Not chosen yet. Neighbours are merged.
    Undefined,
    /// Bytes `first..` of a pointer.
    Pointer { pointer: Pointer, first: u8 },
}

/// Marks are sorted and do not overlap; below a mark the dense bytes are zero. Equal contents are equal values.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Contents {
    pub size: u64,
    fill: Fill,
    bytes: Vec<u8>,
    marks: Vec<(u32, u32, Mark)>,
}

/// What a range of bytes holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Read {
    /// Little endian.
    Bits(u128),
    /// A whole pointer.
    Pointer(Pointer),
    /// Not one byte was chosen yet.
    Undefined,
    /// Parts of pointers, or some bytes not chosen yet: to be read byte by byte.
    Mixed,
}

/// More of an object was touched than the interpreter can hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TooLarge;

impl Contents {
    pub fn new(size: u64, fill: Fill) -> Contents {
        Contents { size, fill, bytes: Vec::new(), marks: Vec::new() }
    }

    /// The first bytes, the rest being zero.
    pub fn with_image(size: u64, bytes: &[u8]) -> Contents {
        let mut contents = Contents { size, fill: Fill::Zero, bytes: bytes.to_vec(), marks: Vec::new() };
        contents.trim();
        contents
    }

    pub fn contains(&self, offset: i64, length: u64) -> bool {
        u64::try_from(offset).is_ok_and(|o| o.checked_add(length).is_some_and(|end| end <= self.size))
    }

    /// The range lies within the object and is at most 16 bytes long.
    pub fn read(&self, offset: u64, length: u64) -> Read {
        let (start, end) = (offset as usize, (offset + length) as usize);
        if self.marks.is_empty() && end <= self.bytes.len() {
            return Read::Bits(assemble(&self.bytes[start..end]));
        }
        if start >= self.bytes.len() {
            return match self.fill {
                Fill::Zero => Read::Bits(0),
                Fill::Undefined => Read::Undefined,
            };
        }
        if end > self.bytes.len() && self.fill == Fill::Undefined {
            return Read::Mixed;
        }
        let range = self.marks_in(start as u32..end as u32);
        match &self.marks[range] {
            [] => {
                let dense = &self.bytes[start..end.min(self.bytes.len())];
                Read::Bits(assemble(dense))
            }
            [(at, len, Mark::Pointer { pointer, first: 0 })] if *at == start as u32 && u64::from(*len) == length => {
                Read::Pointer(*pointer)
            }
            [(at, len, Mark::Undefined)] if *at as usize <= start && (*at + *len) as usize >= end => Read::Undefined,
            _ => Read::Mixed,
        }
    }

    pub fn write_bits(&mut self, offset: u64, length: u64, bits: u128) -> Result<(), TooLarge> {
        self.touch(offset + length)?;
        let range = offset as usize..(offset + length) as usize;
        self.unmark(range.start as u32..range.end as u32);
        self.bytes[range].copy_from_slice(&bits.to_le_bytes()[..length as usize]);
        self.trim();
        Ok(())
    }

    pub fn write_pointer(&mut self, offset: u64, length: u64, pointer: Pointer) -> Result<(), TooLarge> {
        self.write_fragment(offset, length, pointer, 0)
    }

    /// Bytes `first..first + length` of a pointer.
    pub fn write_fragment(&mut self, offset: u64, length: u64, pointer: Pointer, first: u8) -> Result<(), TooLarge> {
        self.touch(offset + length)?;
        let range = offset as u32..(offset + length) as u32;
        self.unmark(range.clone());
        self.bytes[range.start as usize..range.end as usize].fill(0);
        let at = self.marks.partition_point(|(start, ..)| *start < range.start);
        self.marks.insert(at, (range.start, length as u32, Mark::Pointer { pointer, first }));
        self.join_fragments(at);
        Ok(())
    }

    /// Behind so many bytes none has a value yet.
    pub fn initialised(&self) -> u64 {
        if self.fill == Fill::Undefined { self.bytes.len() as u64 } else { self.size }
    }

    /// A number is chosen anew when it is read next. Pointers stay.
    pub fn forget_number(&mut self, offset: u64, length: u64) -> Result<(), TooLarge> {
        let holds_pointer = |(_, _, mark): &(u32, u32, Mark)| matches!(mark, Mark::Pointer { .. });
        let untouched = offset >= self.bytes.len() as u64 && self.fill == Fill::Undefined;
        let range = offset as u32..(offset + length) as u32;
        if untouched || self.marks[self.marks_in(range.clone())].iter().any(holds_pointer) {
            return Ok(());
        }
        self.touch(offset + length)?;
        self.unmark(range.clone());
        self.bytes[range.start as usize..range.end as usize].fill(0);
        let at = self.marks.partition_point(|(start, ..)| *start < range.start);
        self.marks.insert(at, (range.start, length as u32, Mark::Undefined));
        self.join_undefined(at);
        self.trim();
        Ok(())
    }

    fn join_undefined(&mut self, at: usize) {
        let follows = |a: &(u32, u32, Mark), b: &(u32, u32, Mark)| {
            a.2 == Mark::Undefined && b.2 == Mark::Undefined && a.0 + a.1 == b.0
        };
        if at + 1 < self.marks.len() && follows(&self.marks[at], &self.marks[at + 1]) {
            let (_, length, _) = self.marks.remove(at + 1);
            self.marks[at].1 += length;
        }
        if at > 0 && follows(&self.marks[at - 1], &self.marks[at]) {
            let (_, length, _) = self.marks.remove(at);
            self.marks[at - 1].1 += length;
        }
    }

    /// Fragments that follow one another in memory and in the pointer are one mark, so that a copy byte by byte gives the
    /// pointer back.
    fn join_fragments(&mut self, at: usize) {
        let continues = |a: &(u32, u32, Mark), b: &(u32, u32, Mark)| match (a.2, b.2) {
            (Mark::Pointer { pointer: p, first: i }, Mark::Pointer { pointer: q, first: j }) => {
                p == q && a.0 + a.1 == b.0 && u32::from(i) + a.1 == u32::from(j)
            }
            _ => false,
        };
        if at + 1 < self.marks.len() && continues(&self.marks[at], &self.marks[at + 1]) {
            let (_, length, _) = self.marks.remove(at + 1);
            self.marks[at].1 += length;
        }
        if at > 0 && continues(&self.marks[at - 1], &self.marks[at]) {
            let (_, length, _) = self.marks.remove(at);
            self.marks[at - 1].1 += length;
        }
    }

    /// One byte: concrete, part of a pointer (and which part), or not chosen yet.
    pub fn byte(&self, offset: u64) -> Byte {
        let at = offset as u32;
        if offset as usize >= self.bytes.len() {
            return match self.fill {
                Fill::Zero => Byte::Concrete(0),
                Fill::Undefined => Byte::Undefined,
            };
        }
        match &self.marks[self.marks_in(at..at + 1)] {
            [(start, _, Mark::Pointer { pointer, first })] => Byte::Part(*pointer, first + (at - start) as u8),
            [(_, _, Mark::Undefined)] => Byte::Undefined,
            _ => Byte::Concrete(self.bytes[offset as usize]),
        }
    }

    /// All pointers that the contents hold a byte of, in order.
    pub fn pointers(&self) -> impl Iterator<Item = Pointer> + '_ {
        self.marks.iter().filter_map(|(_, _, mark)| match mark {
            Mark::Pointer { pointer, .. } => Some(*pointer),
            Mark::Undefined => None,
        })
    }

    pub fn map_pointers(&mut self, mut rename: impl FnMut(Pointer) -> Pointer) {
        for (_, _, mark) in &mut self.marks {
            if let Mark::Pointer { pointer, .. } = mark {
                *pointer = rename(*pointer);
            }
        }
    }

    /// Pointers become other pointers, or numbers.
    pub fn replace_pointers(&mut self, new: impl Fn(Pointer) -> Value) {
        for (start, length, mark) in std::mem::take(&mut self.marks) {
            let offset = u64::from(start);
            let replaced = match mark {
                Mark::Undefined => None,
                Mark::Pointer { pointer, first } => Some((new(pointer), first)),
            };
            match replaced {
                None => self.marks.push((start, length, mark)),
                Some((Value::Pointer(pointer), first)) => {
                    self.marks.push((start, length, Mark::Pointer { pointer, first }));
                }
                Some((number, first)) => {
                    let bits = number.bits().unwrap_or(0) >> (8 * u32::from(first));
                    let range = start as usize..(offset + u64::from(length)) as usize;
                    self.bytes[range].copy_from_slice(&bits.to_le_bytes()[..length as usize]);
                }
            }
        }
        self.trim();
    }

    /// Copies what fits of another object's contents (for `realloc`).
    pub fn copy_prefix(&mut self, from: &Contents) -> Result<(), TooLarge> {
        let length = from.size.min(self.size);
        let dense = (from.bytes.len() as u64).min(length);
        self.touch(if from.fill == self.fill { dense } else { length })?;
        for offset in 0..self.bytes.len() as u64 {
            match from.byte(offset) {
                Byte::Concrete(byte) => self.write_bits(offset, 1, u128::from(byte))?,
                Byte::Part(pointer, index) => self.write_fragment(offset, 1, pointer, index)?,
                Byte::Undefined => {}
            }
        }
        Ok(())
    }

    /// Makes the dense part reach up to `end`.
    fn touch(&mut self, end: u64) -> Result<(), TooLarge> {
        let old = self.bytes.len();
        if end as usize <= old {
            return Ok(());
        }
        if end > LARGEST {
            return Err(TooLarge);
        }
        self.bytes.resize(end as usize, 0);
        if self.fill == Fill::Undefined {
            match self.marks.last_mut() {
                Some((start, length, Mark::Undefined)) if (*start + *length) as usize == old => {
                    *length += (end as usize - old) as u32;
                }
                _ => self.marks.push((old as u32, (end as usize - old) as u32, Mark::Undefined)),
            }
        }
        Ok(())
    }

    /// Takes the range out of all marks.
    fn unmark(&mut self, range: Range<u32>) {
        let hit = self.marks_in(range.clone());
        if hit.is_empty() {
            return;
        }
        let mut kept = Vec::new();
        for (start, length, mark) in &self.marks[hit.clone()] {
            let end = start + length;
            if *start < range.start {
                kept.push((*start, range.start - start, *mark));
            }
            if end > range.end {
                let rest = match *mark {
                    Mark::Undefined => Mark::Undefined,
                    Mark::Pointer { pointer, first } => {
                        Mark::Pointer { pointer, first: first + (range.end - start) as u8 }
                    }
                };
                kept.push((range.end, end - range.end, rest));
            }
        }
        self.marks.splice(hit, kept);
    }

    /// The indices of the marks that overlap a range.
    fn marks_in(&self, range: Range<u32>) -> Range<usize> {
        let first = self.marks.partition_point(|(start, length, _)| start + length <= range.start);
        let count = self.marks[first..].iter().take_while(|(start, ..)| *start < range.end).count();
        first..first + count
    }

    /// Equal contents must be equal values: the dense part ends where the fill goes on.
    fn trim(&mut self) {
        match self.fill {
            Fill::Zero => {
                let marked = self.marks.last().map_or(0, |(start, length, _)| (start + length) as usize);
                while self.bytes.len() > marked && self.bytes.last() == Some(&0) {
                    self.bytes.pop();
                }
            }
            Fill::Undefined => {
                if let Some((start, length, Mark::Undefined)) = self.marks.last()
                    && (start + length) as usize == self.bytes.len()
                {
                    self.bytes.truncate(*start as usize);
                    self.marks.pop();
                }
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Byte {
    Concrete(u8),
    Part(Pointer, u8),
    Undefined,
}

fn assemble(bytes: &[u8]) -> u128 {
    bytes.iter().rev().fold(0, |sum, byte| sum << 8 | u128::from(*byte))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{Base, ObjectId};

    fn pointer() -> Pointer {
        Pointer { base: Base::Object(ObjectId(3)), offset: 4 }
    }

    #[test]
    fn bytes_are_chosen_when_written() {
        let mut c = Contents::new(16, Fill::Undefined);
        assert_eq!(c.read(4, 4), Read::Undefined);
        c.write_bits(4, 4, 0x0102_0304).unwrap();
        assert_eq!(c.read(4, 4), Read::Bits(0x0102_0304));
        assert_eq!(c.read(4, 1), Read::Bits(4));
        assert_eq!(c.read(0, 4), Read::Undefined);
        assert_eq!(c.read(2, 4), Read::Mixed);
        assert_eq!(c.read(8, 8), Read::Undefined);
        assert_eq!(c.byte(3), Byte::Undefined);
    }

    #[test]
    fn a_pointer_copied_byte_by_byte_is_a_pointer_again() {
        let mut c = Contents::new(32, Fill::Zero);
        c.write_pointer(0, 8, pointer()).unwrap();
        for i in [3, 0, 7, 1, 2, 6, 5, 4] {
            let Byte::Part(p, index) = c.byte(i) else { panic!("part of a pointer") };
            c.write_fragment(16 + i, 1, p, index).unwrap();
        }
        assert_eq!(c.read(16, 8), Read::Pointer(pointer()));
        c.write_bits(18, 1, 1).unwrap();
        assert_eq!(c.read(16, 8), Read::Mixed);
        assert_eq!(c.byte(19), Byte::Part(pointer(), 3));
    }

    #[test]
    fn equal_contents_are_equal_values() {
        let mut a = Contents::new(8, Fill::Zero);
        a.write_bits(0, 4, 7).unwrap();
        a.write_bits(4, 4, 9).unwrap();
        a.write_bits(4, 4, 0).unwrap();
        let mut b = Contents::new(8, Fill::Zero);
        b.write_bits(0, 4, 7).unwrap();
        assert_eq!(a, b);
    }

    #[test]
    fn huge_objects_cost_nothing_until_touched() {
        let mut c = Contents::new(1 << 60, Fill::Undefined);
        assert!(c.contains((1 << 60) - 1, 1) && !c.contains(1 << 60, 1) && !c.contains(-1, 1));
        assert_eq!(c.write_bits(1 << 59, 1, 0), Err(TooLarge));
        assert_eq!(c.read(1 << 59, 8), Read::Undefined);
    }
}
