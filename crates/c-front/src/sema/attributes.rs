//! Attributes: those with a meaning for the program are gathered, those about warnings and speed are read past.

use base::{Span, Symbol};

use super::{Analyzer, Entity, Result, error, unsupported};
use crate::ast::{self, AttributeArg};
use crate::layout::BIGGEST_ALIGNMENT;
use crate::typed::{FunctionId, Remark, RemarkKind};
use crate::types::{DataModel, FloatKind, IntKind, QualType, Type};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AttributeName {
    Packed,
    Aligned,
    NoReturn,
    Constructor,
    Destructor,
    Weak,
    Alias,
    Cleanup,
    TransparentUnion,
    Mode,
    VectorSize,
    /// Changes meaning and is not modelled.
    Unmodelled,
}

/// `alias("target")`
#[derive(Clone, Copy, Debug)]
pub(crate) struct AliasOf {
    pub target: Symbol,
    pub attribute: Symbol,
    pub span: Span,
}

#[derive(Clone, Debug, Default)]
pub(crate) struct Attributes {
    pub packed: bool,
    pub aligned: Option<u64>,
    pub noreturn: bool,
    pub constructor: bool,
    pub destructor: bool,
    pub weak: bool,
    pub alias: Option<AliasOf>,
    pub transparent_union: bool,
    pub cleanup: Option<FunctionId>,
    pub mode: Option<Symbol>,
}

impl Analyzer {
    pub(crate) fn attributes(&mut self, lists: &[&[ast::Attribute]]) -> Result<Attributes> {
        let mut found = Attributes::default();
        for attribute in lists.iter().copied().flatten() {
            if let Some(&name) = self.words.attributes.get(&attribute.name) {
                self.attribute(name, attribute, &mut found)?;
            }
        }
        Ok(found)
    }

    fn attribute(&mut self, name: AttributeName, attribute: &ast::Attribute, found: &mut Attributes) -> Result<()> {
        match name {
            AttributeName::Packed => found.packed = true,
            AttributeName::Aligned => {
                let align = self.aligned_argument(attribute)?;
                found.aligned = Some(found.aligned.map_or(align, |old| old.max(align)));
            }
            AttributeName::NoReturn => found.noreturn = true,
            AttributeName::Constructor => found.constructor = true,
            AttributeName::Destructor => found.destructor = true,
            AttributeName::Weak => found.weak = true,
            AttributeName::Alias => found.alias = self.alias_argument(attribute),
            AttributeName::TransparentUnion => found.transparent_union = true,
            AttributeName::Cleanup => found.cleanup = Some(self.cleanup_function(attribute)?),
            AttributeName::Mode => {
                if let Some(AttributeArg::Expr(ast::Expr { kind: ast::ExprKind::Name(mode), .. })) =
                    attribute.args.first()
                {
                    found.mode = Some(*mode);
                }
            }
            AttributeName::VectorSize => return unsupported(attribute.span, "the attribute ‘vector_size’"),
            AttributeName::Unmodelled => {
                let kind = RemarkKind::Attribute(attribute.name);
                self.remarks.push(Remark { span: attribute.span, kind });
            }
        }
        Ok(())
    }

    fn alias_argument(&mut self, attribute: &ast::Attribute) -> Option<AliasOf> {
        let Some(AttributeArg::Expr(ast::Expr { kind: ast::ExprKind::String(text), .. })) = attribute.args.first()
        else {
            return None;
        };
        let text: String = text.units.iter().filter_map(|&unit| char::from_u32(unit)).collect();
        let target = self.names.intern(&text);
        Some(AliasOf { target, attribute: attribute.name, span: attribute.span })
    }

    fn aligned_argument(&mut self, attribute: &ast::Attribute) -> Result<u64> {
        match attribute.args.first() {
            None | Some(AttributeArg::Other) => Ok(BIGGEST_ALIGNMENT),
            Some(AttributeArg::Type(name)) => {
                let ty = self.type_name(name)?;
                Ok(self.types.align_of(ty))
            }
            Some(AttributeArg::Expr(expr)) => Ok(self.alignment_value(expr)?.max(1)),
        }
    }

    /// A power of two, or zero for "no wish".
    pub(crate) fn alignment_value(&mut self, expr: &ast::Expr) -> Result<u64> {
        let value = self.constant_integer(expr, "requested alignment")?;
        match u64::try_from(value) {
            Ok(0) => Ok(0),
            Ok(align) if align.is_power_of_two() && align <= 1 << 28 => Ok(align),
            _ => error(expr.span, format!("requested alignment {value} is not a power of two")),
        }
    }

    /// `_Alignas` of a declaration, together with what `aligned` attributes ask for.
    pub(crate) fn declared_alignment(
        &mut self,
        aligned: &[ast::AlignAs],
        attributes: &Attributes,
    ) -> Result<Option<u64>> {
        let mut align = attributes.aligned;
        for wish in aligned {
            let value = match wish {
                ast::AlignAs::Type(name) => {
                    let ty = self.type_name(name)?;
                    self.types.align_of(ty)
                }
                ast::AlignAs::Expr(expr) => self.alignment_value(expr)?,
            };
            if value > 0 {
                align = Some(align.map_or(value, |old| old.max(value)));
            }
        }
        Ok(align)
    }

    fn cleanup_function(&mut self, attribute: &ast::Attribute) -> Result<FunctionId> {
        if let Some(AttributeArg::Expr(ast::Expr { kind: ast::ExprKind::Name(name), .. })) = attribute.args.first()
            && let Some(Entity::Function(id)) = self.idents.get(*name)
        {
            return Ok(id);
        }
        error(attribute.span, "the argument of ‘cleanup’ is not the name of a declared function")
    }

    /// `mode(DI)` and the like replace the declared arithmetic type by one of that machine mode.
    pub(crate) fn apply_mode(&mut self, ty: QualType, attributes: &Attributes, span: Span) -> Result<QualType> {
        let Some(mode) = attributes.mode else { return Ok(ty) };
        let name = self.name(mode).trim_matches('_').to_owned();
        let word = match self.types.data_model {
            DataModel::Lp64 => "DI",
            DataModel::Ilp32 => "SI",
        };
        let name = match name.as_str() {
            "word" | "pointer" | "unwind_word" => word,
            "byte" => "QI",
            other => other,
        };
        if matches!(self.types[ty.ty], Type::Pointer(_)) && name == word {
            return Ok(ty);
        }
        let wide = if self.types.data_model == DataModel::Lp64 { IntKind::Long } else { IntKind::LongLong };
        let kind = match name {
            "QI" => IntKind::SChar,
            "HI" => IntKind::Short,
            "SI" => IntKind::Int,
            "DI" => wide,
            "TI" => IntKind::Int128,
            "SF" | "DF" | "XF" | "TF" => return Ok(self.float_mode(ty, name)),
            _ => return unsupported(span, &format!("the machine mode ‘{name}’")),
        };
        let unsigned = self.types.is_integer(ty.ty) && !self.types.is_signed(ty.ty);
        let kind = if unsigned { kind.to_unsigned() } else { kind };
        Ok(QualType { ty: self.int_type(kind), quals: ty.quals })
    }

    fn float_mode(&mut self, ty: QualType, name: &str) -> QualType {
        let kind = match name {
            "SF" => FloatKind::Float,
            "DF" => FloatKind::Double,
            "XF" => FloatKind::LongDouble,
            _ => FloatKind::Float128,
        };
        QualType { ty: self.float_type(kind), quals: ty.quals }
    }
}
