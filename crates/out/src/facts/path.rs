//! Parts of objects by their types: `[…].next`.

use base::Idx;
use facts::offsets::Offsets;
use program::{Program, Type, TypeId, Types};
use rustc_hash::FxHashMap;

/// `.field[3]` … for `size` bytes at one of these offsets, as far as all of them lie in the same part; and the type there, if that is
/// known. Stops at what only a system header knows.
pub fn path(types: &Types, ty: TypeId, at: Offsets, size: u64) -> (String, Option<TypeId>) {
    walk(types, ty, at, size, Depth::Scalar)
}

/// The largest part that begins at one of these offsets.
pub fn path_to(types: &Types, ty: TypeId, at: Offsets) -> String {
    walk(types, ty, at, 1, Depth::Largest).0
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Depth {
    Largest,
    Scalar,
}

fn walk(types: &Types, mut ty: TypeId, mut at: Offsets, size: u64, depth: Depth) -> (String, Option<TypeId>) {
    let mut path = String::new();
    if at.as_constant().is_none() && is_whole(types, ty, at, size) {
        return (path, Some(ty));
    }
    loop {
        if depth == Depth::Largest && at == Offsets::ZERO {
            return (path, Some(ty));
        }
        match &types[ty] {
            Type::Scalar { .. } => return (path, Some(ty)),
            Type::Array { element, .. } => {
                let (index, inside) = element_of(at, types.size(*element).max(1));
                path += &index;
                let Some(inside) = inside else { return (path, None) };
                (ty, at) = (*element, inside);
            }
            Type::Record { fields, .. } => {
                let end = |field: &program::Field| (field.offset + types.size(field.ty)) as i64;
                let found = fields.iter().find(|field| at.lo >= field.offset as i64 && at.hi < end(field));
                let Some(field) = found.filter(|field| !field.name.starts_with("__")) else { return (path, None) };
                if !field.name.is_empty() {
                    path += &format!(".{}", field.name);
                }
                (ty, at) = (field.ty, at.minus(Offsets::constant(field.offset as i64)));
            }
            Type::Bytes { .. } => {
                match at.as_constant() {
                    Some(0) => {}
                    Some(offset) => path += &format!("+{offset}"),
                    None => path += "[…]",
                }
                return (path, None);
            }
        }
    }
}

/// Are it all bytes of the type, in steps that are no elements?
fn is_whole(types: &Types, ty: TypeId, at: Offsets, size: u64) -> bool {
    let finer = match types[ty] {
        Type::Array { element, .. } => at.stride < types.size(element),
        _ => at.stride <= size,
    };
    finer && at.lo == 0 && (at.hi as u64).checked_add(size) == Some(types.size(ty))
}

/// The same for a block that holds one of that type or several.
pub fn element_path(types: &Types, ty: TypeId, at: Offsets, size: u64) -> String {
    let length = types.size(ty).max(1);
    if at.hi < length as i64 {
        return path(types, ty, at, size).0;
    }
    let (index, inside) = element_of(at, length);
    index + &inside.map_or_else(String::new, |inside| path(types, ty, inside, size).0)
}

/// Which element of an array, and where in it; `None` if that differs from one to the next.
fn element_of(at: Offsets, size: u64) -> (String, Option<Offsets>) {
    let length = size as i64;
    let first = at.lo.div_euclid(length);
    if at.hi.div_euclid(length) == first {
        return (format!("[{first}]"), Some(at.minus(Offsets::constant(first * length))));
    }
    let inside = if at.stride.is_multiple_of(size) {
        Some(Offsets::constant(at.lo.rem_euclid(length)))
    } else if size.is_multiple_of(at.stride) && at.stride > 1 {
        let first = at.lo.rem_euclid(at.stride as i64);
        let steps = Offsets::steps(length - at.stride as i64, at.stride);
        Some(steps.plus(Offsets::constant(first)))
    } else {
        None
    };
    ("[…]".to_owned(), inside)
}

/// What pointers lead to, found by how C calls their types.
pub struct Pointees<'p> {
    pub program: &'p Program,
    by_name: FxHashMap<&'p str, TypeId>,
}

impl<'p> Pointees<'p> {
    pub fn new(program: &'p Program) -> Pointees<'p> {
        let mut by_name = FxHashMap::default();
        for id in (0..program.types.len()).map(TypeId::from_usize) {
            match &program.types[id] {
                Type::Record { size: 0, .. } | Type::Array { .. } | Type::Bytes { .. } => {}
                Type::Scalar { name, .. } | Type::Record { name, .. } if name.contains('<') => {}
                Type::Scalar { name, .. } | Type::Record { name, .. } => {
                    by_name.entry(&**name).or_insert(id);
                }
            }
        }
        Pointees { program, by_name }
    }

    pub fn of(&self, pointer: TypeId) -> Option<TypeId> {
        let Type::Scalar { name, .. } = &self.program.types[pointer] else { return None };
        let target = name.strip_suffix('*')?.trim_end();
        self.by_name.get(target.strip_prefix("const ").unwrap_or(target)).copied()
    }
}

#[cfg(test)]
mod tests {
    use program::{Field, Scalar};

    use super::*;

    /// `struct { int id; struct { char text[6]; short end; } names[4]; }`
    fn sample() -> (Types, TypeId) {
        let mut types = Types::default();
        let mut scalar = |name: &str, bits| {
            types.intern(Type::Scalar { scalar: Scalar::Int(bits), signed: true, name: name.into() })
        };
        let (int, char, short) = (scalar("int", 32), scalar("char", 8), scalar("short", 16));
        let field = |name: &str, ty, offset| Field { name: name.into(), ty, offset, bits: None };
        let text = types.intern(Type::Array { element: char, length: 6 });
        let fields = vec![field("text", text, 0), field("end", short, 6)];
        let inner = types.intern(Type::Record { name: "struct name".into(), fields, size: 8, align: 2 });
        let names = types.intern(Type::Array { element: inner, length: 4 });
        let fields = vec![field("id", int, 0), field("names", names, 4)];
        let outer = types.intern(Type::Record { name: "struct list".into(), fields, size: 36, align: 4 });
        (types, outer)
    }

    #[test]
    fn offsets_lead_to_fields_and_elements() {
        let (types, list) = sample();
        let path = |at: Offsets, size| path(&types, list, at, size).0;
        let steps = |from, hi, stride| Offsets::steps(hi, stride).plus(Offsets::constant(from));
        assert_eq!(path(Offsets::ZERO, 4), ".id");
        assert_eq!(path(Offsets::constant(4 + 8 + 6), 2), ".names[1].end");
        assert_eq!(path(steps(4 + 6, 24, 8), 2), ".names[…].end");
        assert_eq!(path(steps(4 + 8, 5, 1), 1), ".names[1].text[…]");
        assert_eq!(path(steps(4, 16, 16), 1), ".names[…].text[0]");
        assert_eq!(path(steps(4, 30, 2), 2), ".names[…]", "text and end");
        assert_eq!(path(steps(0, 35, 1), 1), "", "all of it");
        assert_eq!(path(steps(0, 8, 4), 4), "", "several fields");
    }

    #[test]
    fn pointers_lead_to_the_largest_part() {
        let (types, list) = sample();
        assert_eq!(path_to(&types, list, Offsets::ZERO), "");
        assert_eq!(path_to(&types, list, Offsets::constant(4)), ".names");
        assert_eq!(path_to(&types, list, Offsets::constant(12)), ".names[1]");
        assert_eq!(element_path(&types, list, Offsets::constant(36), 4), "[1].id");
    }
}
