//! Declaration specifiers and type names.

use base::Span;

use super::{Analyzer, Entity, Result, error, unsupported};
use crate::ast::{self, Basic, TypeSpec};
use crate::layout::{FieldInput, RecordOptions};
use crate::types::{
    ArrayLength, DataModel, FloatKind, IntKind, QualType, Quals, Record, RecordBody, RecordKind, Type, TypeId,
};

/// A type as specified, with the alignment that a typedef asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Specified {
    pub ty: QualType,
    pub align: Option<u64>,
}

/// Whether a declaration consists of specifiers alone: `struct s;` declares a tag, `struct s *p;` may only mention one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum TagUse {
    Declare,
    Mention,
}

impl Analyzer {
    pub(crate) fn specifiers(&mut self, specs: &ast::DeclSpecs, tag_use: TagUse) -> Result<Specified> {
        let mut specified = self.type_specifier(&specs.ty, specs.span, tag_use)?;
        specified.ty = self.types.qualify(specified.ty, specs.quals);
        Ok(specified)
    }

    fn type_specifier(&mut self, spec: &TypeSpec, span: Span, tag_use: TagUse) -> Result<Specified> {
        let plain = |ty| Specified { ty: QualType::plain(ty), align: None };
        match spec {
            TypeSpec::Implicit => Ok(plain(self.common.int)),
            TypeSpec::Basic(basic) => Ok(Specified { ty: self.basic_type(*basic, span)?, align: None }),
            TypeSpec::Record(record) => Ok(plain(self.record_specifier(record, tag_use)?)),
            TypeSpec::Enum(spec) => Ok(plain(self.enum_specifier(spec, tag_use)?)),
            TypeSpec::Typedef(name) => match self.idents.get(*name) {
                Some(Entity::Typedef { ty, align }) => Ok(Specified { ty, align }),
                _ => error(span, format!("unknown type name ‘{}’", self.name(*name))),
            },
            TypeSpec::TypeofExpr(expr) => self.typeof_expr(expr),
            TypeSpec::TypeofType(name) => self.type_name_aligned(name),
            TypeSpec::Atomic(name) => {
                let inner = self.type_name(name)?;
                self.atomic_type(inner, name.span)
            }
            TypeSpec::Auto => error(span, "‘__auto_type’ needs a plain declarator with an initialiser"),
        }
    }

    fn atomic_type(&self, ty: QualType, span: Span) -> Result<Specified> {
        if matches!(self.types[ty.ty], Type::Array { .. } | Type::Function(_)) {
            return error(span, format!("‘_Atomic’ cannot be applied to ‘{}’", self.qual_text(ty)));
        }
        Ok(Specified { ty: ty.with(Quals::ATOMIC), align: None })
    }

    /// The type of an expression that is not evaluated, qualifiers kept.
    pub(crate) fn typeof_expr(&mut self, expr: &ast::Expr) -> Result<Specified> {
        let operand = self.unevaluated(|this| this.operand(expr));
        Ok(Specified { ty: self.operand_type(&operand?), align: None })
    }

    fn basic_type(&mut self, basic: Basic, span: Span) -> Result<QualType> {
        let ty = match basic {
            Basic::Void => self.common.void,
            Basic::Bool => self.common.boolean,
            Basic::Float => self.types.intern(Type::Float(FloatKind::Float)),
            Basic::Double => self.common.double,
            Basic::LongDouble => self.types.intern(Type::Float(FloatKind::LongDouble)),
            Basic::Float128 => self.types.intern(Type::Float(FloatKind::Float128)),
            Basic::VaList => return Ok(self.va_list_type()),
            Basic::Complex => return unsupported(span, "the type ‘_Complex’"),
            Basic::Int128 | Basic::UInt128 if self.types.data_model == DataModel::Ilp32 => {
                return error(span, "‘__int128’ does not exist in the ILP32 data model");
            }
            integer => self.types.intern(Type::Int(int_kind(integer))),
        };
        Ok(QualType::plain(ty))
    }

    pub(crate) fn int_type(&mut self, kind: IntKind) -> TypeId {
        self.types.intern(Type::Int(kind))
    }

    pub(crate) fn float_type(&mut self, kind: FloatKind) -> TypeId {
        self.types.intern(Type::Float(kind))
    }

    /// `struct __va_list_tag [1]` of the x86-64 ABI, `char *` on i386.
    pub(crate) fn va_list_type(&mut self) -> QualType {
        if let Some(ty) = self.va_list {
            return ty;
        }
        let ty = match self.types.data_model {
            DataModel::Ilp32 => QualType::plain(self.common.char_pointer),
            DataModel::Lp64 => self.va_list_tag(),
        };
        self.va_list = Some(ty);
        ty
    }

    fn va_list_tag(&mut self) -> QualType {
        let members = [
            ("gp_offset", self.common.uint),
            ("fp_offset", self.common.uint),
            ("overflow_arg_area", self.common.void_pointer),
            ("reg_save_area", self.common.void_pointer),
        ];
        let inputs = members.map(|(name, ty)| FieldInput {
            name: Some(self.names.intern(name)),
            ty: QualType::plain(ty),
            type_align: None,
            aligned: None,
            packed: false,
            bits: None,
            span: Span::NONE,
        });
        let layout = self.types.lay_out(RecordKind::Struct, &inputs, RecordOptions::default());
        let layout = layout.expect("four words fit the address space");
        let body = RecordBody {
            fields: layout.fields,
            size: layout.size,
            align: layout.align,
            user_align: false,
            transparent: false,
        };
        let tag = Some(self.names.intern("__va_list_tag"));
        let record = Record { kind: RecordKind::Struct, tag, span: Span::NONE, body: Some(body) };
        let record = self.types.records.push(record);
        let element = QualType::plain(self.types.intern(Type::Record(record)));
        QualType::plain(self.types.intern(Type::Array { element, length: ArrayLength::Known(1) }))
    }

    /// The type a type name stands for. Variable lengths in it stay pending; see [`Analyzer::pending_vlas`].
    pub(crate) fn type_name(&mut self, name: &ast::TypeName) -> Result<QualType> {
        Ok(self.type_name_aligned(name)?.ty)
    }

    pub(crate) fn type_name_aligned(&mut self, name: &ast::TypeName) -> Result<Specified> {
        let specified = self.specifiers(&name.specs, TagUse::Mention)?;
        if name.declarator.derived.is_empty() && name.specs.attributes.is_empty() {
            return Ok(specified);
        }
        let attributes = self.attributes(&[&name.specs.attributes, &name.declarator.attributes])?;
        let base = self.apply_mode(specified.ty, &attributes, name.span)?;
        let ty = self.declarator_type(base, &name.declarator.derived, name.span)?;
        let align = if name.declarator.derived.is_empty() { attributes.aligned.or(specified.align) } else { None };
        Ok(Specified { ty, align })
    }
}

fn int_kind(basic: Basic) -> IntKind {
    match basic {
        Basic::Char => IntKind::Char,
        Basic::SChar => IntKind::SChar,
        Basic::UChar => IntKind::UChar,
        Basic::Short => IntKind::Short,
        Basic::UShort => IntKind::UShort,
        Basic::UInt => IntKind::UInt,
        Basic::Long => IntKind::Long,
        Basic::ULong => IntKind::ULong,
        Basic::LongLong => IntKind::LongLong,
        Basic::ULongLong => IntKind::ULongLong,
        Basic::Int128 => IntKind::Int128,
        Basic::UInt128 => IntKind::UInt128,
        _ => IntKind::Int,
    }
}
