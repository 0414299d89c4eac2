//! Expressions.

use std::io;

use base::Span;

use super::Printer;
use crate::ast::{Alignof, Designator, Encoding, Expr, ExprKind, StringLiteral, TypeName};

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) -> io::Result<()> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Name(name) => self.node(span, format_args!("name {}", self.name(*name))),
            ExprKind::Int { value, suffix, .. } => {
                let unsigned = if suffix.unsigned { "u" } else { "" };
                self.node(span, format_args!("int {value}{unsigned}{}", "l".repeat(suffix.longs.into())))
            }
            ExprKind::Float { text, suffix } => self.node(span, format_args!("float {} {suffix:?}", self.name(*text))),
            ExprKind::Char { value, encoding } => self.node(span, format_args!("char {value} {encoding:?}")),
            ExprKind::String(literal) => self.string(literal),
            ExprKind::LabelAddress(label) => self.node(span, format_args!("label address {}", self.name(*label))),
            ExprKind::Paren(inner) => self.with(span, "paren", &[inner]),
            ExprKind::Statement(block, _) => {
                self.node(span, format_args!("statement expression"))?;
                self.below(|p| p.block(block))
            }
            ExprKind::Index(base, index) => self.with(span, "index", &[base, index]),
            ExprKind::Unary(operator, operand) => self.with(span, &format!("unary {operator:?}"), &[operand]),
            ExprKind::Binary(operator, left, right) => self.with(span, &format!("binary {operator:?}"), &[left, right]),
            ExprKind::Assign(None, left, right) => self.with(span, "assign", &[left, right]),
            ExprKind::Assign(Some(operator), left, right) => {
                self.with(span, &format!("assign {operator:?}"), &[left, right])
            }
            ExprKind::Conditional(condition, Some(then), otherwise) => {
                self.with(span, "conditional", &[condition, then, otherwise])
            }
            ExprKind::Conditional(condition, None, otherwise) => {
                self.with(span, "conditional without middle", &[condition, otherwise])
            }
            ExprKind::Comma(left, right) => self.with(span, "comma", &[left, right]),
            ExprKind::SizeofExpr(operand) => self.with(span, "sizeof", &[operand]),
            ExprKind::AlignofExpr(operand) => self.with(span, "alignof", &[operand]),
            ExprKind::ChooseExpr(condition, left, right) => self.with(span, "choose", &[condition, left, right]),
            ExprKind::Call { callee, args } => {
                self.node(span, format_args!("call"))?;
                self.below(|p| {
                    p.expr(callee)?;
                    args.iter().try_for_each(|arg| p.expr(arg))
                })
            }
            ExprKind::Member { base, name, .. } => self.with(span, &format!("member {}", self.name(*name)), &[base]),
            ExprKind::Arrow { base, name, .. } => self.with(span, &format!("arrow {}", self.name(*name)), &[base]),
            kind => self.typed(span, kind),
        }
    }

    /// The expressions that contain types.
    fn typed(&mut self, span: Span, kind: &ExprKind) -> io::Result<()> {
        match kind {
            ExprKind::CompoundLiteral { ty, items } => {
                self.with_types(span, "compound literal", &[ty])?;
                self.below(|p| p.items(items))
            }
            ExprKind::Cast(ty, operand) => {
                self.with_types(span, "cast", &[ty])?;
                self.below(|p| p.expr(operand))
            }
            ExprKind::SizeofType(ty) => self.with_types(span, "sizeof", &[ty]),
            ExprKind::AlignofType(Alignof::Least, ty) => self.with_types(span, "alignof", &[ty]),
            ExprKind::AlignofType(Alignof::Preferred, ty) => self.with_types(span, "preferred alignof", &[ty]),
            ExprKind::TypesCompatible(left, right) => self.with_types(span, "types compatible", &[left, right]),
            ExprKind::Offsetof { ty, path } => {
                self.with_types(span, "offsetof", &[ty])?;
                self.below(|p| p.designators(path))
            }
            ExprKind::VaArg(list, ty) => {
                self.with(span, "va_arg", &[list])?;
                self.below(|p| p.type_name(ty))
            }
            ExprKind::Generic { control, arms } => {
                self.with(span, "generic", &[control])?;
                self.below(|p| {
                    arms.iter().try_for_each(|(ty, value)| {
                        match ty {
                            Some(ty) => p.type_name(ty)?,
                            None => p.node(value.span, format_args!("default"))?,
                        }
                        p.below(|p| p.expr(value))
                    })
                })
            }
            _ => Ok(()),
        }
    }

    fn with(&mut self, span: Span, word: &str, operands: &[&Expr]) -> io::Result<()> {
        self.node(span, format_args!("{word}"))?;
        self.below(|p| operands.iter().try_for_each(|operand| p.expr(operand)))
    }

    fn with_types(&mut self, span: Span, word: &str, types: &[&TypeName]) -> io::Result<()> {
        self.node(span, format_args!("{word}"))?;
        self.below(|p| types.iter().try_for_each(|ty| p.type_name(ty)))
    }

    pub(super) fn string(&mut self, literal: &StringLiteral) -> io::Result<()> {
        self.node(literal.span, format_args!("string {}", quoted(literal)))
    }

    pub(super) fn designators(&mut self, designators: &[Designator]) -> io::Result<()> {
        designators.iter().try_for_each(|designator| match designator {
            Designator::Field(name, span) => self.node(*span, format_args!("designator .{}", self.name(*name))),
            Designator::Index(index) => self.with(index.span, "designator index", &[index]),
            Designator::Range(first, last) => self.with(first.span, "designator range", &[first, last]),
        })
    }
}

/// The literal with its prefix; what cannot be shown is escaped.
pub(super) fn quoted(literal: &StringLiteral) -> String {
    let (prefix, text) = match literal.encoding {
        Encoding::Plain => ("", bytes(literal)),
        Encoding::Utf8 => ("u8", bytes(literal)),
        Encoding::Utf16 => ("u", units(literal)),
        Encoding::Utf32 => ("U", units(literal)),
        Encoding::Wide => ("L", units(literal)),
    };
    format!("{prefix}{text:?}")
}

fn bytes(literal: &StringLiteral) -> String {
    let bytes: Vec<u8> = literal.units.iter().map(|&unit| unit as u8).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn units(literal: &StringLiteral) -> String {
    literal.units.iter().map(|&unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}
