//! Structs and unions: tags, members, layout.

use base::{Span, Symbol};
use rustc_hash::FxHashMap;

use super::specs::TagUse;
use super::{Analyzer, Result, Tag, error, unsupported};
use crate::ast;
use crate::layout::{FieldInput, RecordOptions};
use crate::types::{ArrayLength, QualType, Record, RecordBody, RecordId, RecordKind, Type, TypeId};

impl Analyzer {
    pub(crate) fn record_specifier(&mut self, spec: &ast::RecordSpec, tag_use: TagUse) -> Result<TypeId> {
        let id = self.record_tag(spec, tag_use)?;
        let ty = self.types.intern(Type::Record(id));
        if let Some(members) = &spec.members {
            self.record_body(id, spec, members)?;
        }
        Ok(ty)
    }

    /// The record that a specifier names: a new one, or one known by its tag.
    fn record_tag(&mut self, spec: &ast::RecordSpec, tag_use: TagUse) -> Result<RecordId> {
        let Some(tag) = spec.tag else { return Ok(self.new_record(spec)) };
        let known = if spec.members.is_some() || tag_use == TagUse::Declare {
            self.tags.get_here(tag).map(|(entity, _)| entity)
        } else {
            self.tags.get(tag)
        };
        match known {
            Some(Tag::Record(id)) if self.types.records[id].kind == spec.kind => {
                if spec.members.is_some() && self.types.records[id].body.is_some() {
                    let message = format!("redefinition of ‘{}’", self.tag_text(spec.kind, tag));
                    return Err(Box::new(
                        base::Diagnostic::error(spec.span, message)
                            .note(self.types.records[id].span, "first defined here"),
                    ));
                }
                if spec.members.is_some() {
                    self.types.records[id].span = spec.span;
                }
                Ok(id)
            }
            Some(_) => error(spec.span, format!("‘{}’ is defined as the wrong kind of tag", self.name(tag))),
            None => {
                let id = self.new_record(spec);
                self.tags.bind(tag, Tag::Record(id), spec.span);
                Ok(id)
            }
        }
    }

    fn new_record(&mut self, spec: &ast::RecordSpec) -> RecordId {
        self.types.records.push(Record { kind: spec.kind, tag: spec.tag, span: spec.span, body: None })
    }

    fn tag_text(&self, kind: RecordKind, tag: Symbol) -> String {
        let keyword = if kind == RecordKind::Struct { "struct" } else { "union" };
        format!("{keyword} {}", self.name(tag))
    }

    fn record_body(&mut self, id: RecordId, spec: &ast::RecordSpec, members: &[ast::Member]) -> Result<()> {
        let mut inputs = Vec::with_capacity(members.len());
        for member in members {
            match member {
                ast::Member::Field(field) => self.field_declaration(field, &mut inputs)?,
                ast::Member::StaticAssert(assertion) => self.static_assert(assertion)?,
            }
        }
        self.check_members(&inputs)?;
        let attributes = self.attributes(&[&spec.attributes])?;
        let options = RecordOptions {
            packed: attributes.packed,
            aligned: attributes.aligned,
            pack: spec.pack.map(u64::from).filter(|&pack| pack > 0),
        };
        let Some(layout) = self.types.lay_out(spec.kind, &inputs, options) else {
            return error(spec.span, "the record is larger than the address space");
        };
        self.types.records[id].body = Some(RecordBody {
            fields: layout.fields,
            size: layout.size,
            align: layout.align,
            user_align: layout.user_align,
            transparent: attributes.transparent_union,
        });
        Ok(())
    }

    fn field_declaration(&mut self, field: &ast::FieldDecl, inputs: &mut Vec<FieldInput>) -> Result<()> {
        let specified = self.specifiers(&field.specs, TagUse::Mention)?;
        if field.declarators.is_empty() {
            // Only records without a tag (or, in GNU C, nothing else) become anonymous members.
            if self.types.record_id(specified.ty.ty).is_some_and(|id| self.types.records[id].tag.is_none()) {
                let attributes = self.attributes(&[&field.specs.attributes])?;
                let aligned = self.declared_alignment(&field.specs.aligned, &attributes)?;
                inputs.push(FieldInput {
                    name: None,
                    ty: specified.ty,
                    type_align: specified.align,
                    aligned,
                    packed: attributes.packed,
                    bits: None,
                    span: field.span,
                });
            }
            return Ok(());
        }
        for declarator in &field.declarators {
            let input = self.field(field, declarator, specified)?;
            inputs.push(input);
        }
        Ok(())
    }

    fn field(
        &mut self,
        field: &ast::FieldDecl,
        declarator: &ast::FieldDeclarator,
        specified: super::specs::Specified,
    ) -> Result<FieldInput> {
        let inner = &declarator.declarator;
        let attributes = self.attributes(&[&field.specs.attributes, &inner.attributes])?;
        let base = self.apply_mode(specified.ty, &attributes, inner.span)?;
        let ty = self.declarator_type(base, &inner.derived, inner.span)?;
        let aligned = self.declared_alignment(&field.specs.aligned, &attributes)?;
        let bits = declarator.bits.as_ref().map(|width| self.bit_width(width, ty, inner)).transpose()?;
        let only_arrays = inner.derived.iter().all(|derived| matches!(derived, ast::Derived::Array { .. }));
        let type_align = if only_arrays { specified.align } else { None };
        if self.types.is_variably_modified(ty.ty) {
            return unsupported(inner.span, "an array of variable length as a member of a record");
        }
        Ok(FieldInput { name: inner.name, ty, type_align, aligned, packed: attributes.packed, bits, span: inner.span })
    }

    fn bit_width(&mut self, width: &ast::Expr, ty: QualType, declarator: &ast::Declarator) -> Result<u8> {
        if !self.types.is_integer(ty.ty) {
            return error(declarator.span, format!("a bit-field cannot have the type ‘{}’", self.qual_text(ty)));
        }
        let value = self.constant_integer(width, "width of a bit-field")?;
        let most = match self.types[ty.ty] {
            Type::Bool => 1,
            _ => i128::from(self.types.int_bits(ty.ty).unwrap_or(0)),
        };
        if value < 0 {
            return error(width.span, "negative width of a bit-field");
        }
        if value > most {
            return error(width.span, format!("width of the bit-field exceeds its type ‘{}’", self.qual_text(ty)));
        }
        if value == 0 && declarator.name.is_some() {
            return error(width.span, "a named bit-field cannot have width zero");
        }
        Ok(value as u8)
    }

    /// Members must be complete objects with distinct names; `[]` is allowed at the end of a struct.
    fn check_members(&self, inputs: &[FieldInput]) -> Result<()> {
        for (index, input) in inputs.iter().enumerate() {
            let last = index + 1 == inputs.len();
            let flexible = matches!(self.types[input.ty.ty], Type::Array { length: ArrayLength::Unknown, .. });
            if matches!(self.types[input.ty.ty], Type::Function(_)) {
                return error(input.span, "a member of a record cannot be a function");
            }
            if flexible && !last {
                return error(input.span, "a flexible array member must be the last member");
            }
            if !flexible && !self.types.is_complete(input.ty.ty) {
                let text = self.qual_text(input.ty);
                return error(input.span, format!("member has the incomplete type ‘{text}’"));
            }
        }
        let mut seen = FxHashMap::default();
        self.check_distinct(inputs.iter().map(|input| (input.name, input.ty, input.span)), &mut seen)
    }

    fn check_distinct(
        &self,
        members: impl Iterator<Item = (Option<Symbol>, QualType, Span)>,
        seen: &mut FxHashMap<Symbol, Span>,
    ) -> Result<()> {
        for (name, ty, span) in members {
            match name {
                Some(name) => {
                    if seen.insert(name, span).is_some() {
                        return error(span, format!("duplicate member ‘{}’", self.name(name)));
                    }
                }
                None => {
                    let Some(body) = self.types.record_id(ty.ty).and_then(|id| self.types.records[id].body.as_ref())
                    else {
                        continue;
                    };
                    let inner: Vec<_> = body.fields.iter().map(|field| (field.name, field.ty, span)).collect();
                    self.check_distinct(inner.into_iter(), seen)?;
                }
            }
        }
        Ok(())
    }

    /// The way to a member: indices of fields, anonymous ones in between included. Empty if there is none.
    pub(crate) fn find_member(&self, record: RecordId, name: Symbol) -> Option<Vec<u32>> {
        let body = self.types.records[record].body.as_ref()?;
        if let Some(index) = body.fields.iter().position(|field| field.name == Some(name)) {
            return Some(vec![index as u32]);
        }
        for (index, field) in body.fields.iter().enumerate() {
            if field.name.is_none()
                && let Some(inner) = self.types.record_id(field.ty.ty)
                && let Some(mut path) = self.find_member(inner, name)
            {
                path.insert(0, index as u32);
                return Some(path);
            }
        }
        None
    }
}
