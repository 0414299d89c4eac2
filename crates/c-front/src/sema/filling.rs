//! The parts collected for one object, where later initialisers replace earlier ones.

use std::ops::Range;

use base::{IndexVec, Span};
use rustc_hash::FxHashMap;

use crate::typed::{Constant, Expr, ExprKind, InitPart, InitValue, StringData, StringId};
use crate::types::{BitRange, QualType, TypeId, Types};

/// Copies of a range that are told apart when something is replaced; beyond that the range counts as a whole.
const MOST_COPIES: u64 = 1 << 16;

/// An object, or part of one, that is being initialised.
#[derive(Clone)]
pub(super) struct Target {
    pub ty: QualType,
    pub offset: u64,
    pub bits: Option<BitRange>,
    /// From range designators, outermost first.
    pub repeat: Vec<(u64, u64)>,
}

impl Target {
    pub fn whole(ty: QualType) -> Target {
        Target { ty, offset: 0, bits: None, repeat: Vec::new() }
    }

    /// What follows a range goes on behind its last copy; the first `outer` repetitions stay.
    pub fn last_copy(&self, outer: usize) -> Target {
        let mut last = self.clone();
        for (count, stride) in last.repeat.drain(outer.min(self.repeat.len())..) {
            last.offset += (count - 1) * stride;
        }
        last
    }
}

struct Part {
    part: InitPart<Expr>,
    /// In bytes, of one copy.
    size: u64,
}

/// What strings consist of, to take one apart when some of its characters are replaced.
#[derive(Clone, Copy)]
pub(super) struct Texts<'a> {
    pub types: &'a Types,
    pub strings: &'a IndexVec<StringId, StringData>,
}

#[derive(Default)]
pub(super) struct Filling {
    parts: Vec<Part>,
    /// End of the furthest part: what begins before it may replace something.
    end: u64,
    /// Number of elements of the outermost array, if its length is open.
    pub length: u64,
    /// The member of each union that holds its value.
    unions: FxHashMap<(u64, TypeId), u64>,
    /// Something was replaced inside a range whose value is not constant; that has no form in the typed tree.
    pub lost: bool,
}

impl Filling {
    /// Adds a part of `size` bytes in place of what was there.
    pub fn add(&mut self, texts: Texts, target: Target, value: InitValue<Expr>, size: u64) {
        self.replace(texts, &target, size, true);
        let reach: u64 = target.repeat.iter().map(|(count, stride)| (count - 1) * stride).sum();
        self.end = self.end.max(target.offset + reach + size.max(1));
        let Target { ty, offset, bits, repeat } = target;
        let part = InitPart { offset, ty, bits, repeat: repeat.into_boxed_slice(), value };
        self.parts.push(Part { part, size });
    }

    /// A list in braces begins anew for its object: what was there is zero again.
    pub fn clear(&mut self, texts: Texts, target: &Target, size: u64) {
        self.replace(texts, target, size, false);
    }

    /// Another member of a union takes over.
    pub fn activate(&mut self, texts: Texts, union: &Target, member: u64, size: u64) {
        for offset in copies(union.offset, &union.repeat) {
            let previous = self.unions.insert((offset, union.ty.ty), member);
            if previous.is_some_and(|previous| previous != member) {
                self.clear(texts, &Target { offset, ..Target::whole(union.ty) }, size);
            }
        }
    }

    /// In order of offset, unless parts that a range repeats must be written before those that replace some of them.
    pub fn finish(self) -> Vec<InitPart<Expr>> {
        let mut parts: Vec<_> = self.parts.into_iter().map(|part| part.part).collect();
        let ordered = |part: &InitPart<Expr>| part.repeat.is_empty() || is_constant(part);
        if parts.iter().all(ordered) {
            parts.sort_by_key(|part| (part.offset, part.bits.map_or(0, |bits| bits.start)));
        }
        parts
    }

    fn replace(&mut self, texts: Texts, target: &Target, size: u64, overwritten: bool) {
        if target.offset >= self.end {
            return;
        }
        for offset in copies(target.offset, &target.repeat) {
            let region = extent(offset, target.bits, size);
            let old = std::mem::take(&mut self.parts);
            for part in old {
                self.keep_outside(texts, part, &region, overwritten);
            }
        }
    }

    /// Keeps what of `part` lies outside of `region`. A larger part that is written over stays, and comes first.
    fn keep_outside(&mut self, texts: Texts, part: Part, region: &Range<u128>, overwritten: bool) {
        let copy = extent(part.part.offset, part.part.bits, part.size);
        let reach: u64 = part.part.repeat.iter().map(|(count, stride)| (count - 1) * stride).sum();
        let whole = copy.start..copy.end + u128::from(reach) * 8;
        if whole.end <= region.start || region.end <= whole.start {
            self.parts.push(part);
            return;
        }
        let Some((&(count, stride), inner)) = part.part.repeat.split_first() else {
            let replaced = region.start <= copy.start && copy.end <= region.end && !copy.is_empty();
            match part.part.value {
                _ if replaced => {}
                InitValue::String(id, length) => self.keep_characters(texts, &part.part, id, length, region),
                InitValue::Value(_) => self.parts.push(part),
            }
            return;
        };
        if !is_constant(&part.part) || stride == 0 {
            self.lost |= !overwritten;
            self.parts.push(part);
            return;
        }
        // Three pieces: copies before the region, those that touch it one by one, copies behind it.
        let step = u128::from(stride) * 8;
        let length = whole.end - whole.start - step * u128::from(count - 1);
        let before = region.start.saturating_sub(whole.start + length).div_ceil(step).min(u128::from(count)) as u64;
        let before = if region.start < whole.start + length { 0 } else { before };
        let after = region.end.saturating_sub(whole.start).div_ceil(step).min(u128::from(count)) as u64;
        let piece = |first: u64, last: u64| {
            let mut repeat = Vec::new();
            if last - first > 1 {
                repeat.push((last - first, stride));
            }
            repeat.extend_from_slice(inner);
            copy_of(&part, part.part.offset + first * stride, repeat)
        };
        if before > 0 {
            self.parts.push(piece(0, before));
        }
        for index in before..after {
            let single = piece(index, index + 1);
            self.keep_outside(texts, single, region, overwritten);
        }
        if after < count {
            self.parts.push(piece(after, count));
        }
    }
}

impl Filling {
    /// The characters of a string outside of `region`, one by one.
    fn keep_characters(
        &mut self,
        texts: Texts,
        part: &InitPart<Expr>,
        id: StringId,
        length: u64,
        region: &Range<u128>,
    ) {
        let string = &texts.strings[id];
        let Some((element, _)) = texts.types.element(part.ty.ty) else { return };
        let size = u64::from(string.unit);
        for (index, &unit) in (0..length).zip(&string.units) {
            let offset = part.offset + index * size;
            let copy = extent(offset, None, size);
            if unit == 0 || (region.start <= copy.start && copy.end <= region.end) {
                continue;
            }
            let kind = ExprKind::Constant(Constant::Int(u128::from(unit)));
            let value = InitValue::Value(Expr { kind, ty: element.ty, span: Span::NONE });
            let part = InitPart { offset, ty: element, bits: None, repeat: Box::default(), value };
            self.parts.push(Part { part, size });
        }
    }
}

fn is_constant(part: &InitPart<Expr>) -> bool {
    match &part.value {
        InitValue::Value(value) => matches!(value.kind, ExprKind::Constant(_)),
        InitValue::String(..) => true,
    }
}

/// The same value elsewhere; only for constants, which may be evaluated twice.
fn copy_of(part: &Part, offset: u64, repeat: Vec<(u64, u64)>) -> Part {
    let value = match &part.part.value {
        InitValue::Value(Expr { kind: ExprKind::Constant(constant), ty, span }) => {
            InitValue::Value(Expr { kind: ExprKind::Constant(*constant), ty: *ty, span: *span })
        }
        InitValue::String(id, length) => InitValue::String(*id, *length),
        InitValue::Value(_) => unreachable!("only constants are copied"),
    };
    let part_copy =
        InitPart { offset, ty: part.part.ty, bits: part.part.bits, repeat: repeat.into_boxed_slice(), value };
    Part { part: part_copy, size: part.size }
}

/// In bits.
fn extent(offset: u64, bits: Option<BitRange>, size: u64) -> Range<u128> {
    let start = u128::from(offset) * 8;
    match bits {
        Some(range) => start + u128::from(range.start)..start + u128::from(range.start) + u128::from(range.width),
        None => start..start + u128::from(size) * 8,
    }
}

/// The offsets at which something repeated lies.
fn copies(offset: u64, repeat: &[(u64, u64)]) -> Vec<u64> {
    let mut offsets = vec![offset];
    for &(count, stride) in repeat {
        if offsets.len() as u64 * count > MOST_COPIES {
            break;
        }
        offsets = offsets.iter().flat_map(|&base| (0..count).map(move |index| base + index * stride)).collect();
    }
    offsets
}
