//! Enumerations: values, types of enumerators, the compatible integer type.

use super::specs::TagUse;
use super::{Analyzer, Entity, Result, Tag, error};
use crate::ast;
use crate::type_query::truncate;
use crate::types::{DataModel, Enum, EnumId, IntKind, Type, TypeId};

impl Analyzer {
    pub(crate) fn enum_specifier(&mut self, spec: &ast::EnumSpec, tag_use: TagUse) -> Result<TypeId> {
        let id = self.enum_tag(spec, tag_use)?;
        let ty = self.types.intern(Type::Enum(id));
        if let Some(enumerators) = &spec.enumerators {
            self.enum_body(id, ty, spec, enumerators)?;
        }
        Ok(ty)
    }

    fn enum_tag(&mut self, spec: &ast::EnumSpec, tag_use: TagUse) -> Result<EnumId> {
        let new = Enum { tag: spec.tag, span: spec.span, underlying: None, enumerators: Vec::new() };
        let Some(tag) = spec.tag else { return Ok(self.types.enums.push(new)) };
        let known = if spec.enumerators.is_some() || tag_use == TagUse::Declare {
            self.tags.get_here(tag).map(|(entity, _)| entity)
        } else {
            self.tags.get(tag)
        };
        match known {
            Some(Tag::Enum(id)) => {
                if spec.enumerators.is_some() && self.types.enums[id].underlying.is_some() {
                    return error(spec.span, format!("redefinition of ‘enum {}’", self.name(tag)));
                }
                Ok(id)
            }
            Some(_) => error(spec.span, format!("‘{}’ is defined as the wrong kind of tag", self.name(tag))),
            None => {
                let id = self.types.enums.push(new);
                self.tags.bind(tag, Tag::Enum(id), spec.span);
                Ok(id)
            }
        }
    }

    fn enum_body(
        &mut self,
        id: EnumId,
        ty: TypeId,
        spec: &ast::EnumSpec,
        enumerators: &[ast::Enumerator],
    ) -> Result<()> {
        let mut values = Vec::with_capacity(enumerators.len());
        let mut next = 0i128;
        for enumerator in enumerators {
            if let Some(expr) = &enumerator.value {
                next = self.constant_integer(expr, "value of an enumerator")?;
            }
            // Until the closing brace an enumerator has the type of its value.
            let kind = self.kind_for_value(next);
            let entity = self.enumerator(next, kind);
            self.declare_enumerator(enumerator, entity)?;
            values.push((enumerator.name, next));
            next = next.wrapping_add(1);
        }
        let attributes = self.attributes(&[&spec.attributes])?;
        let underlying = self.underlying(&values, attributes.packed);
        self.types.enums[id].underlying = Some(underlying);
        for &(name, value) in &values {
            if i32::try_from(value).is_err() {
                let bits = underlying.bits(self.types.data_model);
                self.idents.update(name, Entity::Enumerator { value: truncate(value as u128, bits), ty });
            }
        }
        self.types.enums[id].enumerators = values;
        Ok(())
    }

    fn enumerator(&mut self, value: i128, kind: IntKind) -> Entity {
        let bits = kind.bits(self.types.data_model);
        Entity::Enumerator { value: truncate(value as u128, bits), ty: self.int_type(kind) }
    }

    fn declare_enumerator(&mut self, enumerator: &ast::Enumerator, entity: Entity) -> Result<()> {
        if self.idents.get_here(enumerator.name).is_some() {
            let name = self.name(enumerator.name);
            return error(enumerator.span, format!("‘{name}’ is declared again as an enumerator"));
        }
        self.idents.bind(enumerator.name, entity, enumerator.span);
        Ok(())
    }

    fn kind_for_value(&self, value: i128) -> IntKind {
        let long = IntKind::Long.bits(self.types.data_model) == 64;
        if i32::try_from(value).is_ok() {
            IntKind::Int
        } else if u32::try_from(value).is_ok() {
            IntKind::UInt
        } else if i64::try_from(value).is_ok() {
            if long { IntKind::Long } else { IntKind::LongLong }
        } else if u64::try_from(value).is_ok() {
            if long { IntKind::ULong } else { IntKind::ULongLong }
        } else {
            IntKind::Int128
        }
    }

    fn underlying(&self, values: &[(base::Symbol, i128)], packed: bool) -> IntKind {
        let low = values.iter().map(|&(_, value)| value).min().unwrap_or(0);
        let high = values.iter().map(|&(_, value)| value).max().unwrap_or(0);
        let long = match self.types.data_model {
            DataModel::Lp64 => (IntKind::ULong, IntKind::Long),
            DataModel::Ilp32 => (IntKind::ULongLong, IntKind::LongLong),
        };
        let small = [(IntKind::UChar, IntKind::SChar), (IntKind::UShort, IntKind::Short)];
        let usual = [(IntKind::UInt, IntKind::Int), long, (IntKind::UInt128, IntKind::Int128)];
        let fits = |&(unsigned, signed): &(IntKind, IntKind)| {
            let bits = unsigned.bits(self.types.data_model);
            if low >= 0 {
                (bits == 128 || high < 1 << bits).then_some(unsigned)
            } else {
                let half = 1i128.checked_shl(bits - 1).unwrap_or(i128::MAX);
                (bits == 128 || (low >= -half && high < half)).then_some(signed)
            }
        };
        let candidates = small.iter().filter(|_| packed).chain(&usual);
        candidates.into_iter().find_map(fits).unwrap_or(IntKind::Int128)
    }
}
