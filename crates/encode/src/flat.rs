//! The simplest shape of memory: one array of bytes with objects at addresses of their own. Nothing is lost and nothing is known: a
//! pointer whose value is not constant may lead to every object.

use logic::{Sort, Term, Terms};
use program::{GlobalId, GlobalInit, Program, Scalar};

use crate::{Encoded, Memory, Unsupported, sort};

#[derive(Clone, Debug)]
pub struct Flat {
    bytes: Term,
    pointer: u8,
    globals: Vec<u64>,
    objects: Vec<Object>,
    /// Where the next object begins.
    free: u64,
}

#[derive(Clone, Copy, Debug)]
struct Object {
    start: u64,
    size: u64,
    read_only: bool,
}

/// Addresses below are those of no object: null, functions.
const FIRST: u64 = 1 << 20;
/// Between objects, so that a pointer behind one leads to no other.
const GAP: u64 = 64;
/// Globals that are larger are not encoded.
const LARGEST: u64 = 1 << 16;

impl Flat {
    /// With the program's globals as they are at the start.
    pub fn new(terms: &mut Terms, program: &Program) -> Result<Flat, Unsupported> {
        let pointer = program.machine.pointer_bits;
        let bytes = terms.symbol("memory", Sort::Array { index: pointer, element: 8 });
        let bytes = terms.variable(bytes);
        let mut flat = Flat { bytes, pointer, globals: Vec::new(), objects: Vec::new(), free: FIRST };
        for global in program.globals.iter() {
            if global.thread_local || global.size > LARGEST {
                return Err(Unsupported(format!("the global {}", global.name)));
            }
            let start = flat.enter(global.size, global.read_only);
            flat.globals.push(start);
            let image: &[u8] = match &global.init {
                GlobalInit::Zero => &[],
                GlobalInit::Image(image) if image.pointers.is_empty() => &image.bytes,
                GlobalInit::Image(_) => return Err(Unsupported(format!("the pointer in {}", global.name))),
                GlobalInit::Arbitrary => continue,
            };
            for i in 0..global.size {
                let value = image.get(i as usize).copied().unwrap_or(0);
                let (at, value) = (terms.bits(pointer, u128::from(start + i)), terms.bits(8, u128::from(value)));
                flat.bytes = terms.store(flat.bytes, at, value);
            }
        }
        Ok(flat)
    }

    pub fn global_address(&self, terms: &mut Terms, global: GlobalId) -> Term {
        terms.bits(self.pointer, u128::from(self.globals[global.0 as usize]))
    }

    /// A new object with arbitrary bytes; its address.
    pub fn enter(&mut self, size: u64, read_only: bool) -> u64 {
        let start = self.free;
        self.objects.push(Object { start, size, read_only });
        self.free = (start + size + GAP).next_multiple_of(16);
        start
    }

    /// The bytes do not lie in one object.
    fn is_invalid(&self, terms: &mut Terms, address: Term, length: u64, writes: bool) -> Term {
        let fitting = self.objects.iter().filter(|object| object.size >= length && !(writes && object.read_only));
        let mut valid = terms.bool(false);
        for object in fitting {
            let start = terms.bits(self.pointer, u128::from(object.start));
            let (offset, last) =
                (terms.bvsub(address, start), terms.bits(self.pointer, u128::from(object.size - length)));
            let inside = terms.bvule(offset, last);
            valid = terms.or(valid, inside);
        }
        terms.not(valid)
    }

    fn byte_address(&self, terms: &mut Terms, address: Term, byte: u64) -> Term {
        let offset = terms.bits(self.pointer, u128::from(byte));
        terms.bvadd(address, offset)
    }
}

impl Memory for Flat {
    fn load(&self, terms: &mut Terms, address: Term, ty: Scalar) -> Result<Encoded, Unsupported> {
        sort(ty)?;
        let byte = |terms: &mut Terms, i| {
            let at = self.byte_address(terms, address, i);
            terms.select(self.bytes, at)
        };
        let mut value = byte(terms, 0);
        for i in 1..ty.bytes() {
            let high = byte(terms, i);
            value = terms.concat(high, value);
        }
        let term = terms.resize_unsigned(value, ty.bits() as u8);
        let fault = self.is_invalid(terms, address, ty.bytes(), false);
        Ok(Encoded { fault, ..Encoded::plain(terms, term) })
    }

    fn store(&mut self, terms: &mut Terms, address: Term, ty: Scalar, value: Term) -> Result<Term, Unsupported> {
        sort(ty)?;
        let value = terms.resize_unsigned(value, 8 * ty.bytes() as u8);
        for i in 0..ty.bytes() {
            let at = self.byte_address(terms, address, i);
            let low = 8 * i as u8;
            let byte = terms.extract(low + 7, low, value);
            self.bytes = terms.store(self.bytes, at, byte);
        }
        Ok(self.is_invalid(terms, address, ty.bytes(), true))
    }
}
