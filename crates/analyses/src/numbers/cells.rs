//! The integers in objects: where they are and, in globals, what they are at first.

use program::{ExprKind, GlobalId, GlobalInit, Program, Scalar, Type, TypeId};

use super::variables::VarId;

/// Objects with more integers are not kept: every step would pass over all of them.
const MOST_IN_OBJECT: usize = 128;
/// Nor is what lies behind so many.
const MOST: usize = 1024;

/// An integer of an object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cell {
    pub offset: u64,
    pub length: u8,
    pub var: VarId,
}

impl Cell {
    pub fn overlaps(&self, start: u64, end: u64) -> bool {
        self.offset < end && start < self.offset + u64::from(self.length)
    }
}

/// Offsets and lengths of the integers of all globals that are kept.
pub fn kept(program: &Program) -> Vec<(GlobalId, u64, u8)> {
    let used = used(program);
    let mut all = Vec::new();
    for (id, global) in program.globals.iter_enumerated() {
        // Thread-local ones are other objects, and read-only ones are constants.
        if !used[id.0 as usize] || global.thread_local || global.read_only {
            continue;
        }
        let integers = of_type(program, global.ty);
        if all.len() + integers.len() <= MOST {
            all.extend(integers.into_iter().map(|(at, length)| (id, at, length)));
        }
    }
    all
}

/// Offsets and lengths of the integers in a type, without overlap; none if there are too many.
pub fn of_type(program: &Program, ty: TypeId) -> Vec<(u64, u8)> {
    let mut integers = Vec::new();
    integers_of(program, ty, 0, &mut integers);
    if integers.len() > MOST_IN_OBJECT {
        return Vec::new();
    }
    // Members of a union lie on top of each other: the first and widest one stays.
    integers.sort_unstable_by_key(|(at, length)| (*at, std::cmp::Reverse(*length)));
    let mut end = 0;
    integers.retain(|(at, length)| {
        let is_free = *at >= end;
        end = if is_free { at + u64::from(*length) } else { end };
        is_free
    });
    integers
}

/// The globals that a function or another global mentions.
fn used(program: &Program) -> Vec<bool> {
    let mut used = vec![false; program.globals.len()];
    for expr in program.functions.iter().flat_map(|function| function.exprs.iter()) {
        if let ExprKind::GlobalAddress(global) = expr.kind {
            used[global.0 as usize] = true;
        }
    }
    for global in program.globals.iter() {
        let GlobalInit::Image(image) = &global.init else { continue };
        for (_, address) in &image.pointers {
            if let program::AddressBase::Global(global) = address.base {
                used[global.0 as usize] = true;
            }
        }
    }
    used
}

fn integers_of(program: &Program, ty: TypeId, at: u64, out: &mut Vec<(u64, u8)>) {
    if out.len() > MOST_IN_OBJECT {
        return;
    }
    match &program.types[ty] {
        Type::Scalar { scalar: scalar @ Scalar::Int(1..=64), .. } => out.push((at, scalar.bytes() as u8)),
        Type::Array { element, length } => {
            let size = program.types.size(*element).max(1);
            for i in 0..(*length).min(MOST_IN_OBJECT as u64 + 1) {
                integers_of(program, *element, at + i * size, out);
            }
        }
        Type::Record { fields, .. } => {
            for field in fields.iter().filter(|field| field.bits.is_none()) {
                integers_of(program, field.ty, at + field.offset, out);
            }
        }
        Type::Scalar { .. } | Type::Bytes { .. } => {}
    }
}

/// The number that bytes of a global are at first, if they are one.
pub fn initial(program: &Program, global: GlobalId, offset: u64, length: u64) -> Option<u64> {
    let global = &program.globals[global];
    let word = program.machine.pointer_bytes();
    if length > 8 || offset.checked_add(length)? > global.size {
        return None;
    }
    match &global.init {
        GlobalInit::Zero => Some(0),
        GlobalInit::Arbitrary => None,
        GlobalInit::Image(image) => {
            let meets = |at: u64| at < offset + length && offset < at + word;
            if image.pointers.iter().any(|(at, _)| meets(*at)) {
                return None;
            }
            let byte = |i: u64| u64::from(image.bytes.get((offset + i) as usize).copied().unwrap_or(0));
            Some((0..length).rev().fold(0, |sum, i| sum << 8 | byte(i)))
        }
    }
}
