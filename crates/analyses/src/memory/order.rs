//! Coverage and join of abstract memories. Ranges are widened to thresholds after some joins.

use base::Idx;
use facts::range::Range;
use program::Program;
use rustc_hash::FxHashMap;

use super::contents::{Cell, Fill, Object};
use super::value::{Info, Operand, Symbol, Symbols, Value, range_bits};
use super::{Frame, Memory, MemoryState};
use crate::analysis::States;
use crate::intern::Shared;

/// What a value may be used as.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    Number,
    Pointer,
}

impl Place {
    fn of_local(local: &program::Local) -> Place {
        match local.storage {
            program::Storage::Plain(scalar) if !matches!(scalar, program::Scalar::Pointer(_)) => Place::Number,
            _ => Place::Pointer,
        }
    }

    /// What is as wide as a pointer may be one.
    fn of_cell(program: &Program, cell: &Cell) -> Place {
        if u64::from(cell.length) == program.machine.pointer_bytes() { Place::Pointer } else { Place::Number }
    }
}

/// What the symbols of the greater state are in the lesser one.
struct Cover<'s> {
    small: &'s Symbols,
    large: &'s Symbols,
    map: Vec<Option<Value>>,
}

impl Cover<'_> {
    fn value(&mut self, a: Value, b: Value, place: Place) -> bool {
        match b {
            // Any number can be chosen where nothing was; an indeterminate pointer is not just any pointer.
            Value::Undefined => match a {
                Value::Undefined => true,
                Value::Bits(_) => place == Place::Number,
                Value::Unknown(symbol) => place == Place::Number && !self.small.info(symbol).address,
                _ => false,
            },
            Value::Unknown(symbol) => self.symbol(a, symbol),
            _ => a == b,
        }
    }

    fn symbol(&mut self, a: Value, b: Symbol) -> bool {
        if let Some(known) = self.map[b.0 as usize] {
            return known == a;
        }
        let info = self.large.info(b);
        let fits = match (a, info.range) {
            (Value::Bits(bits), Some(range)) => range.contains(bits),
            (Value::Unknown(symbol), Some(range)) => {
                let small = self.small.info(symbol);
                // What is made from an address is less known than a number.
                small.range.is_some_and(|small| small.bits() == range.bits() && small.leq(&range))
                    && (info.address || !small.address)
            }
            (Value::Bits(_) | Value::Unknown(_), None) => true,
            _ => false,
        };
        self.map[b.0 as usize] = Some(a);
        fits && info.def.is_none_or(|def| self.definition(a, def))
    }

    /// The greater state says how the symbol follows from others: so it must in the lesser one.
    fn definition(&mut self, a: Value, def: super::value::Def) -> bool {
        let Value::Unknown(a) = a else {
            // A number is what the definition gives only if that can be computed: not worth it.
            return false;
        };
        let Some(own) = self.small.info(a).def else { return false };
        let pairs: Vec<(Operand, Operand)> = own.operands().zip(def.operands()).collect();
        if own.map(|_| Operand::Bits(0)) != def.map(|_| Operand::Bits(0)) {
            return false;
        }
        pairs.into_iter().all(|(a, b)| {
            let a = match a {
                Operand::Bits(bits) => Value::Bits(bits),
                Operand::Symbol(symbol) => Value::Unknown(symbol),
            };
            match b {
                Operand::Bits(bits) => a == Value::Bits(bits),
                Operand::Symbol(symbol) => self.symbol(a, symbol),
            }
        })
    }
}

impl Memory<'_> {
    pub(super) fn is_covered(&self, a: u32, b: u32) -> bool {
        self.covers(&self.load(a), &self.load(b))
    }

    /// Does `b` cover `a`?
    pub(super) fn covers(&self, a: &MemoryState, b: &MemoryState) -> bool {
        if !has_same_shape(self.program, a, b) {
            return false;
        }
        let mut cover = Cover { small: &a.symbols, large: &b.symbols, map: vec![None; b.symbols.all.len()] };
        pairs(self.program, a, b, &mut |a, b, place| cover.value(a, b, place))
    }

    pub(super) fn join(&mut self, new: u32, old: u32, times: u32) -> Option<u32> {
        let mut joined = self.joined(&self.load(new), &self.load(old), times)?;
        Some(self.store(&mut joined))
    }

    /// A state that covers both; `b` was there first and has been joined so many times.
    pub(super) fn joined(&self, a: &MemoryState, b: &MemoryState, times: u32) -> Option<MemoryState> {
        if !has_same_shape(self.program, a, b) {
            return None;
        }
        let mut join = Join { a: &a.symbols, b: &b.symbols, all: Vec::new(), known: FxHashMap::default(), ok: true };
        let widen = (times > 3).then_some(self.options.thresholds.as_slice());
        let mut joined = b.clone();
        for (own, (left, right)) in joined.threads.iter_mut().zip(a.threads.iter().zip(&b.threads)) {
            for (frame, (left, right)) in own.frames.iter_mut().zip(left.frames.iter().zip(&right.frames)) {
                let types = &self.program.functions[right.function].locals;
                let values = left.locals.iter().zip(&right.locals).zip(types.iter());
                let locals: Vec<Value> = values
                    .map(|((a, b), local)| {
                        let bits = match local.storage {
                            program::Storage::Plain(scalar) => range_bits(scalar),
                            program::Storage::Memory => None,
                        };
                        join.value((*a, *b), bits, Place::of_local(local), widen)
                    })
                    .collect();
                if *locals != *frame.locals {
                    frame.edit().locals = locals.into();
                }
            }
            let (x, y) = (&left.extras, &right.extras);
            // Equal symbols of two states are not the same.
            if **x != **y || !join.b.all.is_empty() {
                let mut extras = (**y).clone();
                for (value, a) in extras.result.iter_mut().zip(x.result) {
                    *value = join.value((a, *value), None, Place::Pointer, widen);
                }
                for (value, a) in extras.cleanup.iter_mut().zip(&x.cleanup) {
                    *value = join.value((*a, *value), None, Place::Pointer, widen);
                }
                for (value, a) in extras.specific.iter_mut().zip(&x.specific) {
                    *value = join.value((*a, *value), None, Place::Pointer, widen);
                }
                own.extras = Shared::new(extras);
            }
        }
        for (object, (left, right)) in joined.objects.iter_mut().zip(a.objects.iter().zip(&b.objects)) {
            if **left != **right || !join.b.all.is_empty() {
                let cells = join.cells(self.program, left, right, widen);
                *object = Shared::new(Object { cells, ..(**right).clone() });
            }
        }
        if !join.ok {
            return None;
        }
        joined.addresses |= a.addresses;
        joined.symbols = Shared::new(Symbols { all: join.all });
        self.settle_symbols(&mut joined);
        Some(joined)
    }
}

/// The pairs of values that became one.
struct Join<'s> {
    a: &'s Symbols,
    b: &'s Symbols,
    all: Vec<Info>,
    /// By their width, too: equal numbers of different widths are different values.
    known: FxHashMap<(Value, Value, Option<u32>), Value>,
    ok: bool,
}

impl Join<'_> {
    fn value(&mut self, (a, b): (Value, Value), bits: Option<u32>, place: Place, widen: Option<&[i64]>) -> Value {
        match (a, b) {
            (Value::Unknown(_), _) | (_, Value::Unknown(_)) => {}
            _ if a == b => return a,
            _ => {}
        }
        let range = |symbols: &Symbols, value: Value, other: Option<Range>| match value {
            Value::Bits(n) => {
                let bits = other.map(|range| range.bits()).or(bits)?;
                Some(Range::constant(bits, n))
            }
            Value::Unknown(symbol) => symbols.info(symbol).range,
            _ => None,
        };
        let symbol_range = |symbols: &Symbols, value: Value| match value {
            Value::Unknown(symbol) => symbols.info(symbol).range,
            _ => None,
        };
        let hint = symbol_range(self.a, a).or(symbol_range(self.b, b));
        let width = hint.map(|range| range.bits()).or(bits);
        if let Some(known) = self.known.get(&(a, b, width)) {
            return *known;
        }
        let numbers = |value: Value| matches!(value, Value::Bits(_) | Value::Unknown(_));
        match (a, b) {
            (Value::Undefined, Value::Bits(_)) | (Value::Bits(_), Value::Undefined) if place == Place::Number => {
                return Value::Undefined;
            }
            _ => {}
        }
        if !numbers(a) || !numbers(b) {
            // Pointers to different objects, or a pointer and a number: kept apart.
            self.ok = false;
            return b;
        }
        let address = |symbols: &Symbols, value: Value| match value {
            Value::Unknown(symbol) => symbols.info(symbol).address,
            _ => false,
        };
        let joined = match (range(self.a, a, hint), range(self.b, b, hint)) {
            (Some(x), Some(y)) if x.bits() == y.bits() => Some(match widen {
                Some(thresholds) => y.widen(x.join(y), thresholds),
                None => x.join(y),
            }),
            _ => None,
        };
        let address = address(self.a, a) || address(self.b, b);
        self.all.push(Info { range: joined, def: None, same: None, depth: 0, address });
        let value = Value::Unknown(Symbol((self.all.len() - 1) as u32));
        self.known.insert((a, b, width), value);
        value
    }

    /// Cells of two objects with the same outline; where one has none it holds what the fill says.
    fn cells(&mut self, program: &Program, a: &Object, b: &Object, widen: Option<&[i64]>) -> Vec<Cell> {
        let default = match a.fill {
            Fill::Zero => Value::Bits(0),
            Fill::Undefined => Value::Undefined,
        };
        let mut cells = Vec::new();
        let (mut left, mut right) = (a.cells.iter().peekable(), b.cells.iter().peekable());
        loop {
            let (x, y) = match (left.peek(), right.peek()) {
                (None, None) => return cells,
                (Some(x), Some(y)) if (x.at, x.length) == (y.at, y.length) => (left.next(), right.next()),
                (Some(x), Some(y)) if x.at + u32::from(x.length) <= y.at => (left.next(), None),
                (Some(x), Some(y)) if y.at + u32::from(y.length) <= x.at => (None, right.next()),
                (Some(_), None) => (left.next(), None),
                (None, Some(_)) => (None, right.next()),
                // Cut differently.
                _ => {
                    self.ok = false;
                    return cells;
                }
            };
            let outline = *x.or(y).expect("one of them is there");
            let (x, y) = (x.map_or(default, |cell| cell.value), y.map_or(default, |cell| cell.value));
            let bits = Some(u32::from(outline.length) * 8).filter(|bits| *bits <= 64);
            let value = self.value((x, y), bits, Place::of_cell(program, &outline), widen);
            if value != default {
                cells.push(Cell { value, ..outline });
            }
        }
    }
}

fn has_same_shape(program: &Program, a: &MemoryState, b: &MemoryState) -> bool {
    // A thread that returns nothing returns null, which is not anything.
    let returns = |frame: &Frame| {
        let result = program.functions[frame.function].result;
        result.is_some_and(|local| frame.locals[local.index()] != Value::Undefined)
    };
    let frames = |a: &Frame, b: &Frame| {
        let same = a.function == b.function && a.to == b.to && a.allocated == b.allocated;
        same && a.locals.len() == b.locals.len() && returns(a) == returns(b)
    };
    let objects = |a: &Object, b: &Object| {
        (a.size, a.fill, a.site, a.heap, a.life) == (b.size, b.fill, b.site, b.heap, b.life)
            && a.undecided == b.undecided
    };
    a.addresses == b.addresses
        && a.threads.len() == b.threads.len()
        && a.objects.len() == b.objects.len()
        && a.threads.iter().zip(&b.threads).all(|(a, b)| {
            a.frames.len() == b.frames.len()
                && a.frames.iter().zip(&b.frames).all(|(a, b)| frames(a, b))
                && a.extras.thread_locals == b.extras.thread_locals
                && a.extras.result.is_some() == b.extras.result.is_some()
                && a.extras.cleanup.len() == b.extras.cleanup.len()
                && a.extras.specific.len() == b.extras.specific.len()
        })
        && a.objects.iter().zip(&b.objects).all(|(a, b)| objects(a, b))
}

/// Every pair of values at the same place of two states of one shape; false as soon as `look` says so, or if objects are cut
/// differently.
fn pairs(
    program: &Program,
    a: &MemoryState,
    b: &MemoryState,
    look: &mut impl FnMut(Value, Value, Place) -> bool,
) -> bool {
    for (a, b) in a.threads.iter().zip(&b.threads) {
        for (a, b) in a.frames.iter().zip(&b.frames) {
            let locals = program.functions[b.function].locals.iter().map(Place::of_local);
            if !a.locals.iter().zip(&b.locals).zip(locals).all(|((a, b), place)| look(*a, *b, place)) {
                return false;
            }
        }
        let both = |a: &super::Extras| -> Vec<Value> {
            a.result.iter().chain(&a.cleanup).chain(&a.specific).copied().collect()
        };
        if !both(&a.extras).into_iter().zip(both(&b.extras)).all(|(a, b)| look(a, b, Place::Pointer)) {
            return false;
        }
    }
    a.objects.iter().zip(&b.objects).all(|(a, b)| pairs_of_cells(program, a, b, look))
}

fn pairs_of_cells(
    program: &Program,
    a: &Object,
    b: &Object,
    look: &mut impl FnMut(Value, Value, Place) -> bool,
) -> bool {
    let default = match b.fill {
        Fill::Zero => Value::Bits(0),
        Fill::Undefined => Value::Undefined,
    };
    let (mut left, mut right) = (a.cells.iter().peekable(), b.cells.iter().peekable());
    loop {
        let goes_on = match (left.peek().copied(), right.peek().copied()) {
            (None, None) => return true,
            (Some(x), Some(y)) if (x.at, x.length) == (y.at, y.length) => {
                left.next();
                right.next();
                look(x.value, y.value, Place::of_cell(program, x))
            }
            (Some(x), y) if y.is_none_or(|y| x.at + u32::from(x.length) <= y.at) => {
                left.next();
                look(x.value, default, Place::of_cell(program, x))
            }
            (x, Some(y)) if x.is_none_or(|x| y.at + u32::from(y.length) <= x.at) => {
                right.next();
                look(default, y.value, Place::of_cell(program, y))
            }
            // Cut differently.
            _ => false,
        };
        if !goes_on {
            return false;
        }
    }
}
