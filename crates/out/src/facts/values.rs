//! Values in the user's words.

use facts::offsets::Offsets;
use facts::range::Range;
use facts::tables::{AbstractObject, Base};
use facts::value::{Number, Value};
use program::{Scalar, Type, TypeId};

use super::names::{Names, named};
use super::path::path_to;

const MOST_POINTERS: usize = 4;

impl Names<'_> {
    /// `0..4`, `null or &x`, `any int`.
    pub fn value(&self, value: &Value, ty: Option<TypeId>) -> String {
        let known = ty.map(|ty| &self.program.types[ty]);
        let (name, signed, is_pointer) = match known {
            Some(Type::Scalar { name, scalar: Scalar::Pointer(_), .. }) if name.contains('(') => {
                ("pointer", false, true)
            }
            Some(Type::Scalar { name, signed, scalar }) => (&**name, *signed, matches!(scalar, Scalar::Pointer(_))),
            _ => ("number", true, false),
        };
        let is_pointer = is_pointer || !value.pointers.is_empty();
        let mut parts = Vec::new();
        match value.number {
            Number::None => {}
            Number::Range(range) if is_pointer && range.as_constant() == Some(0) => parts.push("null".to_owned()),
            Number::Range(range) if !range.is_top() => parts.push(range_text(&range, name, signed)),
            _ => parts.push(format!("any {name}")),
        }
        let mut places: Vec<String> = Vec::new();
        for (base, at) in &value.pointers {
            let place = self.pointer(*base, *at);
            if !places.contains(&place) {
                places.push(place);
            }
        }
        if places.len() > MOST_POINTERS {
            places.truncate(MOST_POINTERS);
            places.push("…".to_owned());
        }
        parts.extend(places);
        if parts.is_empty() { "nothing".to_owned() } else { parts.join(" or ") }
    }

    fn pointer(&self, base: Base, at: Offsets) -> String {
        let whole = self.short_object(base);
        match self.facts.tables.abstract_object(base) {
            AbstractObject::Function(_) | AbstractObject::Thread(_) | AbstractObject::Block(..)
                if at == Offsets::ZERO =>
            {
                whole
            }
            AbstractObject::Global(global) if self.program.globals[global].read_only => whole,
            _ if at == Offsets::ZERO => format!("&{whole}"),
            _ => {
                let ty = self.type_of(base);
                match ty.and_then(|ty| Some((ty, at.within(self.program.types.size(ty) as i64 - 1)?))) {
                    Some((ty, at)) => {
                        let (name, suffix) = self.plain_name(base);
                        format!("&{}", named(&name, &path_to(&self.program.types, ty, at), &suffix))
                    }
                    None => format!("somewhere in {whole}"),
                }
            }
        }
    }
}

/// `7`, `0..4`, `0..8 by 4`, `1 or more`.
fn range_text(range: &Range, name: &str, signed: bool) -> String {
    let top = Range::top(range.bits());
    let (low, high, least, greatest): (i128, i128, i128, i128) = if signed {
        (range.min_signed().into(), range.max_signed().into(), top.min_signed().into(), top.max_signed().into())
    } else {
        (range.min_unsigned().into(), range.max_unsigned().into(), 0, top.max_unsigned().into())
    };
    let stride = i128::from(range.stride());
    let steps = if stride > 1 { format!(" by {stride}") } else { String::new() };
    // Rounded to a stride, the bounds of the type are not reached.
    let (open_below, open_above) = (low - least < stride, greatest - high < stride);
    match high - low {
        0 => low.to_string(),
        width if width == stride => format!("{low} or {high}"),
        _ if open_below && open_above => format!("any {name}, in steps of {stride}"),
        _ if open_above => format!("{low} or more{steps}"),
        _ if open_below && signed => format!("{high} or less{steps}"),
        _ => format!("{low}..{high}{steps}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_as_people_write_them() {
        let signed = |range: Range| range_text(&range, "int", true);
        let unsigned = |range: Range| range_text(&range, "unsigned", false);
        assert_eq!(signed(Range::constant(32, u64::MAX)), "-1");
        assert_eq!(unsigned(Range::constant(32, u64::MAX)), "4294967295");
        assert_eq!(signed(Range::signed(32, 0, 1)), "0 or 1");
        assert_eq!(signed(Range::signed(32, -2, 4)), "-2..4");
        assert_eq!(signed(Range::strided(32, 0, 8, 4)), "0..8 by 4");
        assert_eq!(signed(Range::strided(32, 0, 4, 4)), "0 or 4");
        assert_eq!(signed(Range::signed(32, 1, i32::MAX.into())), "1 or more");
        assert_eq!(signed(Range::signed(32, i32::MIN.into(), 5)), "5 or less");
        assert_eq!(unsigned(Range::unsigned(32, 0, 5)), "0..5");
        assert_eq!(signed(Range::strided(32, i32::MIN.into(), i32::MAX.into(), 2)), "any int, in steps of 2");
    }
}
