//! Formatted output that reads nothing but what is there.

use program::{ExprId, FloatKind, GlobalInit, Library, LibraryCall};
use semantics::format::{Arguments, Text, format};

use crate::offsets::Offsets;
use crate::safety::Here;
use crate::tables::{AbstractObject, Base};
use crate::value::{Number, Value};

impl Here<'_> {
    /// Do all strings that the call reads end, and is what it writes there?
    pub fn may_print(&self, call: &LibraryCall) -> bool {
        let args = &call.args;
        match call.function {
            Library::PutChar => true,
            Library::PutLine => self.is_literal(args[0], false),
            Library::Print => self.may_format(args[0], &args[1..]),
            Library::PrintTo => self.may_format(args[1], &args[2..]),
            Library::Format => self.may_fill(args[0], args[1]) && self.may_format(args[2], &args[3..]),
            Library::PrintList | Library::PrintListTo | Library::FormatList => false,
        }
    }

    /// Is every string that the template needs a literal, or null?
    fn may_format(&self, template: ExprId, args: &[ExprId]) -> bool {
        let Some(value) = self.value(template) else { return true };
        let fits = |place: &(Base, Offsets)| {
            self.text(place).is_some_and(|text| {
                let long_bits = self.program.machine.pointer_bits;
                let mut values = FormatArguments { here: self, args: args.iter() };
                format(text, long_bits, &mut values, &mut Vec::new()).is_ok()
            })
        };
        value.number == Number::None && value.pointers.iter().all(fits)
    }

    /// Is there room for as many bytes?
    fn may_fill(&self, buffer: ExprId, size: ExprId) -> bool {
        let (Some(buffer), Some(size)) = (self.value(buffer), self.value(size)) else { return true };
        let Some(size) = size.as_range().map(|range| range.max_unsigned()) else { return false };
        let there = |(base, at): &(Base, Offsets)| self.holds(*base, *at, size) && !self.is_read_only(*base);
        size == 0 || buffer.number == Number::None && !buffer.is_indeterminate() && buffer.pointers.iter().all(there)
    }

    fn is_literal(&self, expr: ExprId, or_null: bool) -> bool {
        let null = |value: &Value| matches!(value.number, Number::Range(range) if range.as_constant() == Some(0));
        let literal = |(base, at): &(Base, Offsets)| {
            self.literal(*base).is_some_and(|(_, size)| at.lo >= 0 && at.hi < size as i64)
        };
        self.value(expr).is_none_or(|value| {
            (value.number == Number::None || or_null && null(&value)) && value.pointers.iter().all(literal)
        })
    }

    /// The bytes of a string literal that are written down, and its size. It ends in a zero.
    fn literal(&self, base: Base) -> Option<(&[u8], u64)> {
        let AbstractObject::Global(global) = self.facts.tables.abstract_object(base) else { return None };
        let global = &self.program.globals[global];
        let bytes = match &global.init {
            GlobalInit::Image(image) if image.pointers.is_empty() => &image.bytes[..],
            GlobalInit::Zero => &[],
            _ => return None,
        };
        let ends = (bytes.len() as u64) < global.size || bytes.last() == Some(&0);
        (global.read_only && ends).then_some((bytes, global.size))
    }

    /// The string at a place in a literal.
    fn text(&self, (base, at): &(Base, Offsets)) -> Option<&[u8]> {
        let (bytes, size) = self.literal(*base)?;
        let at = u64::try_from(at.as_constant()?).ok().filter(|at| *at < size)?;
        let rest = bytes.get(at as usize..).unwrap_or_default();
        rest.split(|byte| *byte == 0).next()
    }
}

/// The arguments of a format: what numbers are does not matter.
struct FormatArguments<'f> {
    here: &'f Here<'f>,
    args: std::slice::Iter<'f, ExprId>,
}

impl Arguments for FormatArguments<'_> {
    fn integer(&mut self, _: u8) -> Option<u64> {
        self.args.next().map(|_| 0)
    }

    fn double(&mut self) -> Option<(FloatKind, u128)> {
        self.args.next().map(|_| (FloatKind::F64, 0))
    }

    fn long_double(&mut self) -> Option<(FloatKind, u128)> {
        self.args.next().map(|_| (FloatKind::X87In16, 0))
    }

    fn pointer(&mut self) -> Option<u64> {
        self.args.next().map(|_| 0)
    }

    fn string(&mut self, _: Option<usize>) -> Option<Text<u8>> {
        let arg = self.args.next()?;
        self.here.is_literal(*arg, true).then_some(Text::Null)
    }

    fn wide_string(&mut self, _: Option<usize>) -> Option<Text<u32>> {
        None
    }

    fn store_count(&mut self, _: u8, _: u64) -> Option<()> {
        None
    }
}
