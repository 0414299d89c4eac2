//! Types as C text: `int *[3]`, `struct s`, `void (*)(int)`.

use base::{Interner, Symbol};

use crate::types::{ArrayLength, FloatKind, IntKind, QualType, Quals, RecordId, RecordKind, Type, TypeId, Types};

/// The type in C's abstract declarator syntax.
pub fn print_type(types: &Types, names: &Interner, ty: QualType) -> String {
    declare(types, names, ty, String::new())
}

pub fn print_plain(types: &Types, names: &Interner, ty: TypeId) -> String {
    print_type(types, names, QualType::plain(ty))
}

/// `int (*f)(void)`: the declaration of `inner` with that type.
pub fn declare(types: &Types, names: &Interner, ty: QualType, inner: String) -> String {
    match &types[ty.ty] {
        Type::Pointer(target) => {
            let mut text = String::from("*");
            text.push_str(&quals_text(ty.quals));
            if !text.ends_with('*') && !inner.is_empty() {
                text.push(' ');
            }
            text.push_str(&inner);
            if matches!(types[target.ty], Type::Array { .. } | Type::Function(_)) {
                text = format!("({text})");
            }
            declare(types, names, *target, text)
        }
        Type::Array { element, length } => {
            let length = match length {
                ArrayLength::Known(n) => n.to_string(),
                ArrayLength::Unknown => String::new(),
                ArrayLength::Variable(id) => id.to_string(),
            };
            declare(types, names, *element, format!("{inner}[{length}]"))
        }
        Type::Function(function) => {
            let mut params: Vec<_> = function.params.iter().map(|&param| print_type(types, names, param)).collect();
            if function.variadic {
                params.push("...".to_owned());
            } else if params.is_empty() && function.prototype {
                params.push("void".to_owned());
            }
            declare(types, names, function.result, format!("{inner}({})", params.join(", ")))
        }
        base => join(&quals_text(ty.quals), &base_text(types, names, base), &inner),
    }
}

fn join(quals: &str, base: &str, inner: &str) -> String {
    let mut text = String::new();
    for part in [quals, base, inner] {
        if !text.is_empty() && !part.is_empty() {
            text.push(' ');
        }
        text.push_str(part);
    }
    text
}

fn quals_text(quals: Quals) -> String {
    format!("{quals:?}")
}

fn base_text(types: &Types, names: &Interner, base: &Type) -> String {
    match base {
        Type::Void => "void".to_owned(),
        Type::Bool => "_Bool".to_owned(),
        Type::Int(kind) => int_text(*kind).to_owned(),
        Type::Float(kind) => float_text(*kind).to_owned(),
        Type::Enum(id) => tagged("enum", names, types.enums[*id].tag),
        Type::Record(id) => record_text(types, names, *id),
        Type::Pointer(_) | Type::Array { .. } | Type::Function(_) => String::new(),
    }
}

pub fn record_text(types: &Types, names: &Interner, id: RecordId) -> String {
    let record = &types.records[id];
    let keyword = match record.kind {
        RecordKind::Struct => "struct",
        RecordKind::Union => "union",
    };
    tagged(keyword, names, record.tag)
}

fn tagged(keyword: &str, names: &Interner, tag: Option<Symbol>) -> String {
    match tag {
        Some(tag) => format!("{keyword} {}", names.resolve(tag)),
        None => format!("{keyword} <anonymous>"),
    }
}

fn int_text(kind: IntKind) -> &'static str {
    match kind {
        IntKind::Char => "char",
        IntKind::SChar => "signed char",
        IntKind::UChar => "unsigned char",
        IntKind::Short => "short",
        IntKind::UShort => "unsigned short",
        IntKind::Int => "int",
        IntKind::UInt => "unsigned int",
        IntKind::Long => "long",
        IntKind::ULong => "unsigned long",
        IntKind::LongLong => "long long",
        IntKind::ULongLong => "unsigned long long",
        IntKind::Int128 => "__int128",
        IntKind::UInt128 => "unsigned __int128",
    }
}

fn float_text(kind: FloatKind) -> &'static str {
    match kind {
        FloatKind::Float => "float",
        FloatKind::Double => "double",
        FloatKind::LongDouble => "long double",
        FloatKind::Float128 => "_Float128",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::{DataModel, FunctionType};

    #[test]
    fn declarators_nest_as_in_c() {
        let mut types = Types::new(DataModel::Lp64);
        let names = Interner::new();
        let int = QualType::plain(types.intern(Type::Int(IntKind::Int)));
        let pointer = QualType::plain(types.pointer_to(int));
        let array = types.intern(Type::Array { element: pointer, length: ArrayLength::Known(3) });
        assert_eq!(print_plain(&types, &names, array), "int *[3]");
        let to_array = types.pointer_to(QualType::plain(array));
        assert_eq!(print_plain(&types, &names, to_array), "int *(*)[3]");
        let function = FunctionType { result: int, params: vec![pointer], variadic: true, prototype: true };
        let function = types.intern(Type::Function(Box::new(function)));
        let to_function = QualType { ty: types.pointer_to(QualType::plain(function)), quals: Quals::CONST };
        assert_eq!(declare(&types, &names, to_function, "f".to_owned()), "int (*const f)(int *, ...)");
    }
}
