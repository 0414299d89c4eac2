//! What is in an abstract object: single cells (Miné, LCTES 2006), rows of cells summarised in one value, and what was there from the
//! beginning.

use std::collections::BTreeMap;

use program::{AddressBase, GlobalId, GlobalInit, Program, Scalar};

use crate::offsets::Offsets;
use crate::range::Range;
use crate::tables::{Base, Tables};
use crate::value::{Number, Symbol, Value};

/// Reading a place that is a cell gives the cell's value, for whatever is written over a cell is written to it. Other places have what
/// was written to rows and cells that overlap them, or what was there in the beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// By offset; they do not overlap.
    cells: Vec<Cell>,
    rows: Vec<Row>,
    fill: Fill,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Cell {
    offset: i64,
    size: u64,
    value: Value,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Row {
    at: Offsets,
    size: u64,
    value: Value,
}

/// What an object has in the beginning.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fill {
    Zero,
    Any,
    Image(GlobalId),
}

/// More are put together.
const MOST_CELLS: usize = 256;
const MOST_ROWS: usize = 16;
/// Elements of an image that are looked at one by one.
const MOST_ELEMENTS: u64 = 512;

impl Contents {
    pub fn new(fill: Fill) -> Contents {
        Contents { cells: Vec::new(), rows: Vec::new(), fill }
    }

    pub fn read(&self, tables: &Tables, program: &Program, at: Offsets, ty: Scalar) -> Value {
        let size = ty.bytes();
        if let Some(offset) = at.as_constant()
            && let Some(cell) = self.cell(offset, size)
        {
            return maybe_unwritten(cell.value.clone().fitting(ty), ty);
        }
        let mut value = self.initial(tables, program, at, ty);
        for cell in self.overlapping(at, size) {
            value = value.join(&seen(&cell.value, Offsets::constant(cell.offset), cell.size, at, ty));
        }
        for row in self.rows.iter().filter(|row| row.at.overlaps(row.size, at, size)) {
            value = value.join(&seen(&row.value, row.at, row.size, at, ty));
        }
        value.term = None;
        maybe_unwritten(value, ty)
    }

    fn cell(&self, offset: i64, size: u64) -> Option<&Cell> {
        let i = self.cells.binary_search_by_key(&offset, |cell| cell.offset).ok()?;
        Some(&self.cells[i]).filter(|cell| cell.size == size)
    }

    fn overlapping(&self, at: Offsets, size: u64) -> impl Iterator<Item = &Cell> {
        // Cells do not overlap and are at most 16 bytes long.
        let first = self.cells.partition_point(|cell| cell.offset < at.lo - 16);
        let cells = self.cells[first..].iter().take_while(move |cell| cell.offset < at.hi.saturating_add(size as i64));
        cells.filter(move |cell| Offsets::constant(cell.offset).overlaps(cell.size, at, size))
    }

    /// The value takes the place of what was there.
    pub fn write(&mut self, offset: i64, ty: Scalar, value: Value) {
        let size = ty.bytes();
        let at = Offsets::constant(offset);
        let covered: Vec<i64> = self.overlapping(at, size).map(|cell| cell.offset).collect();
        for old in covered {
            let i = self.cells.partition_point(|cell| cell.offset < old);
            let cell = self.cells.remove(i);
            let inside = offset <= cell.offset && cell.offset + cell.size as i64 <= offset + size as i64;
            if !inside {
                // Its other bytes stay.
                let value = cell.value.blurred(Scalar::Int(8));
                self.add_row(Offsets::constant(cell.offset), cell.size, value);
            }
        }
        if self.cells.len() >= MOST_CELLS {
            return self.add_row(at, size, value);
        }
        let i = self.cells.partition_point(|cell| cell.offset < offset);
        self.cells.insert(i, Cell { offset, size, value });
    }

    /// The value may be written to any of these places.
    pub fn write_weakly(&mut self, tables: &Tables, program: &Program, at: Offsets, ty: Scalar, value: &Value) {
        if let Some(offset) = at.as_constant() {
            let old = self.read(tables, program, at, ty);
            if !value.leq(&old) || self.cell(offset, ty.bytes()).is_none() {
                self.write(offset, ty, old.join(value));
            }
            return;
        }
        self.spoil_cells(at, ty, value);
        self.add_row(at, ty.bytes(), value.clone());
    }

    /// What was never written was read as a pointer: from now on the pointer is there. Cells that have been written stay.
    pub fn choose(&mut self, tables: &Tables, program: &Program, at: Offsets, ty: Scalar) {
        let chosen = Value::input(ty);
        let mut covered = false;
        for cell in &mut self.cells {
            let place = Offsets::constant(cell.offset);
            if place.overlaps(cell.size, at, ty.bytes()) && cell.value.is_any_number() {
                let whole = place.coincides(cell.size, at, ty.bytes());
                let new = if whole { chosen.clone() } else { chosen.blurred(Scalar::Int((cell.size * 8) as u8)) };
                cell.value = cell.value.join(&new);
            }
            covered |= at.as_constant() == Some(cell.offset) && cell.size == ty.bytes();
        }
        match at.as_constant() {
            Some(_) if covered => {}
            Some(offset) if self.overlapping(at, ty.bytes()).next().is_none() => {
                let value = self.read(tables, program, at, ty);
                self.write(offset, ty, value);
            }
            _ => self.add_row(at, ty.bytes(), chosen),
        }
    }

    fn spoil_cells(&mut self, at: Offsets, ty: Scalar, value: &Value) {
        let size = ty.bytes();
        for cell in &mut self.cells {
            let place = Offsets::constant(cell.offset);
            if place.overlaps(cell.size, at, size) {
                let as_cell = Scalar::Int((cell.size * 8) as u8);
                let new = if place.coincides(cell.size, at, size) { value.clone() } else { value.blurred(as_cell) };
                cell.value = cell.value.join(&new);
                if !place.coincides(cell.size, at, size) {
                    cell.value = cell.value.blurred(as_cell);
                }
            }
        }
    }

    fn add_row(&mut self, at: Offsets, size: u64, mut value: Value) {
        value.term = None;
        if let Some(row) = self.rows.iter_mut().find(|row| row.at == at && row.size == size) {
            row.value = row.value.join(&value);
            return;
        }
        let i = self.rows.partition_point(|row| (row.at, row.size) < (at, size));
        self.rows.insert(i, Row { at, size, value });
        if self.rows.len() > MOST_ROWS {
            self.put_rows_together();
        }
    }

    fn put_rows_together(&mut self) {
        let rows = std::mem::take(&mut self.rows);
        let value = rows.iter().fold(Value::nothing(), |all, row| all.join(&row.value.blurred(Scalar::Int(8))));
        self.rows.push(Row { at: Offsets::ALL, size: 1, value });
    }

    fn initial(&self, tables: &Tables, program: &Program, at: Offsets, ty: Scalar) -> Value {
        match self.fill {
            Fill::Zero => Value::constant(ty, 0),
            Fill::Any => Value::unwritten(ty),
            Fill::Image(global) => image(tables, program, global, at, ty),
        }
    }

    pub fn join(&self, other: &Contents, tables: &Tables, program: &Program) -> Contents {
        self.combine(other, tables, program, Value::join)
    }

    pub fn combine(
        &self,
        other: &Contents,
        tables: &Tables,
        program: &Program,
        values: impl Fn(&Value, &Value) -> Value,
    ) -> Contents {
        let fill = if self.fill == other.fill { self.fill } else { Fill::Any };
        let mut result = Contents::new(fill);
        for row in self.rows.iter().chain(&other.rows) {
            let place = |c: &&Row| c.at == row.at && c.size == row.size;
            if result.rows.iter().any(|r| place(&r)) {
                continue;
            }
            let value = match (self.rows.iter().find(place), other.rows.iter().find(place)) {
                (Some(a), Some(b)) => values(&a.value, &b.value),
                _ => row.value.clone(),
            };
            result.add_row(row.at, row.size, value);
        }
        for (from, to) in [(self, other), (other, self)] {
            for cell in &from.cells {
                let at = Offsets::constant(cell.offset);
                if result.cell(cell.offset, cell.size).is_some() {
                    continue;
                }
                let alone = to.overlapping(at, cell.size).all(|c| c.offset == cell.offset && c.size == cell.size);
                let ty = Scalar::Int((cell.size * 8) as u8);
                if !alone || result.overlapping(at, cell.size).next().is_some() || result.cells.len() >= MOST_CELLS {
                    result.spoil_cells(at, ty, &cell.value.blurred(Scalar::Int(8)));
                    result.add_row(at, cell.size, cell.value.blurred(Scalar::Int(8)));
                    continue;
                }
                let there = match to.cell(cell.offset, cell.size) {
                    Some(there) => there.value.clone(),
                    None => to.read(tables, program, at, kind_of(&cell.value, ty)),
                };
                let (a, b) = if std::ptr::eq(from, self) { (&cell.value, &there) } else { (&there, &cell.value) };
                let value = values(a, b);
                let i = result.cells.partition_point(|c| c.offset < cell.offset);
                result.cells.insert(i, Cell { offset: cell.offset, size: cell.size, value });
            }
        }
        result
    }

    pub fn leq(&self, other: &Contents, tables: &Tables, program: &Program) -> bool {
        let fill = self.fill == other.fill || other.fill == Fill::Any;
        let rows = self.rows.iter().all(|row| {
            let found = other.rows.iter().find(|r| r.at == row.at && r.size == row.size);
            let together = other.rows.iter().find(|r| r.at == Offsets::ALL && r.size == 1);
            found.is_some_and(|r| row.value.leq(&r.value))
                || together.is_some_and(|r| row.value.blurred(Scalar::Int(8)).leq(&r.value))
        });
        fill && rows
            && self.cells.iter().all(|cell| other.covers(cell))
            && other.cells.iter().all(|cell| {
                let ty = kind_of(&cell.value, Scalar::Int((cell.size * 8) as u8));
                self.read(tables, program, Offsets::constant(cell.offset), ty).leq(&cell.value)
            })
    }

    /// Does whoever reads a part of the cell see that it may be written? What is read of cells is for the caller to compare.
    fn covers(&self, cell: &Cell) -> bool {
        if let Some(same) = self.cell(cell.offset, cell.size) {
            return cell.value.leq(&same.value);
        }
        let initial = match self.fill {
            Fill::Zero => cell.value.as_constant() == Some(0),
            Fill::Any => cell.value.pointers.is_empty() && cell.value.number != Number::None,
            Fill::Image(_) => false,
        };
        let place = Offsets::constant(cell.offset);
        let end = cell.offset + cell.size as i64;
        initial && cell.value.term.is_none()
            || self.rows.iter().any(|row| {
                let around = row.at.as_constant().is_some_and(|at| at <= cell.offset && end <= at + row.size as i64);
                let parts = around || row.at == Offsets::ALL && row.size == 1;
                row.at.contains(cell.offset)
                    && place.coincides(cell.size, row.at, row.size)
                    && cell.value.leq(&row.value)
                    || parts && cell.value.blurred(Scalar::Int(8)).leq(&row.value)
            })
    }

    pub fn values(&self) -> impl Iterator<Item = &Value> {
        self.cells.iter().map(|cell| &cell.value).chain(self.rows.iter().map(|row| &row.value))
    }

    /// The pointers that were there in the beginning count, too.
    pub fn initial_pointers(&self, tables: &Tables, program: &Program) -> Vec<Base> {
        let Fill::Image(global) = self.fill else { return Vec::new() };
        let GlobalInit::Image(image) = &program.globals[global].init else { return Vec::new() };
        image.pointers.iter().map(|(_, address)| base_of(tables, address.base)).collect()
    }

    /// `None`: nothing changes.
    pub fn map(&self, mut change: impl FnMut(&Value) -> Option<Value>) -> Option<Contents> {
        let mut result: Option<Contents> = None;
        for (i, cell) in self.cells.iter().enumerate() {
            if let Some(value) = change(&cell.value) {
                result.get_or_insert_with(|| self.clone()).cells[i].value = value;
            }
        }
        for (i, row) in self.rows.iter().enumerate() {
            if let Some(value) = change(&row.value) {
                result.get_or_insert_with(|| self.clone()).rows[i].value = value;
            }
        }
        result
    }

    pub fn renamed(&self, names: &BTreeMap<Base, Base>) -> Option<Contents> {
        self.map(|value| value.renamed(names))
    }

    /// Values that are known to be those of variables are no longer.
    pub fn without_terms(&self, gone: impl Fn(Symbol) -> bool) -> Option<Contents> {
        self.map(|value| {
            let term = value.term.filter(|term| gone(term.symbol));
            term.map(|_| Value { term: None, ..value.clone() })
        })
    }
}

/// A cell that may have been written may still be as it was. Whoever reads that as a pointer gets an indeterminate one.
fn maybe_unwritten(value: Value, ty: Scalar) -> Value {
    if matches!(ty, Scalar::Pointer(_)) && value.is_any_number() { value.join(&Value::input(ty)) } else { value }
}

fn kind_of(value: &Value, otherwise: Scalar) -> Scalar {
    match value.number {
        Number::Range(range) => Scalar::Int(range.bits() as u8),
        _ => otherwise,
    }
}

/// What a value at one place looks like at another that may overlap it.
fn seen(value: &Value, from: Offsets, size: u64, at: Offsets, ty: Scalar) -> Value {
    if from.coincides(size, at, ty.bytes()) { value.clone().fitting(ty) } else { value.blurred(ty) }
}

fn base_of(tables: &Tables, base: AddressBase) -> Base {
    match base {
        AddressBase::Global(global) => tables.global(global),
        AddressBase::Function(function) => tables.function(function),
    }
}

fn image(tables: &Tables, program: &Program, global: GlobalId, at: Offsets, ty: Scalar) -> Value {
    let object = &program.globals[global];
    let image = match &object.init {
        GlobalInit::Zero => return Value::constant(ty, 0),
        GlobalInit::Arbitrary => return Value::unwritten(ty),
        GlobalInit::Image(image) => image,
    };
    let size = ty.bytes();
    let Some(at) = at.within(object.size as i64 - size as i64) else { return Value::nothing() };
    let steps = ((at.hi - at.lo) as u64).checked_div(at.stride).unwrap_or(0);
    let mut value = Value::nothing();
    if steps >= MOST_ELEMENTS {
        value = Value::top(ty);
        for (_, address) in &image.pointers {
            value = value.join(&Value::pointer(base_of(tables, address.base), Offsets::ALL));
        }
        return value;
    }
    for i in 0..=steps {
        let offset = (at.lo as u64) + i * at.stride;
        value = value.join(&element(tables, image, program.machine.pointer_bytes(), offset, ty));
    }
    value
}

fn element(tables: &Tables, image: &program::Image, pointer: u64, offset: u64, ty: Scalar) -> Value {
    let size = ty.bytes();
    let near = image.pointers.iter().filter(|(at, _)| *at < offset + size && offset < *at + pointer);
    let mut value = Value::nothing();
    for (at, address) in near {
        let base = base_of(tables, address.base);
        if *at == offset && size == pointer {
            return Value::pointer(base, Offsets::constant(address.offset));
        }
        value = value.join(&Value::pointer(base, Offsets::ALL)).join(&Value::top(ty));
    }
    if !value.is_nothing() {
        return value;
    }
    let byte = |i: u64| image.bytes.get((offset + i) as usize).copied().unwrap_or(0);
    let bits = (0..size.min(16)).rev().fold(0u128, |bits, i| bits << 8 | u128::from(byte(i)));
    match ty {
        Scalar::Int(width) if width < 64 => {
            Value::range(Range::constant(u32::from(width), bits as u64 & ((1 << width) - 1)))
        }
        ty => Value::constant(ty, bits),
    }
}
