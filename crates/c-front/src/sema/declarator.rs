//! Declarators: pointers, arrays, functions around a base type.

use base::{Span, Symbol};

use super::specs::TagUse;
use super::{Analyzer, Entity, Result, error, error_help};
use crate::ast::{self, ArraySize, Derived};
use crate::types::{ArrayLength, FunctionType, QualType, Quals, Type, TypeId};

const TOO_LARGE: &str = "the size of an array is too large a number";

/// A parameter after adjustment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParamInfo {
    pub name: Option<Symbol>,
    pub ty: QualType,
    pub register: bool,
    pub span: Span,
}

impl Analyzer {
    /// Wraps `base` in the derivations of a declarator, which read from the name outwards.
    pub(crate) fn declarator_type(&mut self, base: QualType, derived: &[Derived], span: Span) -> Result<QualType> {
        let mut ty = base;
        for step in derived.iter().rev() {
            ty = match step {
                Derived::Pointer { quals, .. } => QualType { ty: self.types.pointer_to(ty), quals: *quals },
                Derived::Array { size, .. } => self.array_type(ty, size, span)?,
                Derived::Function { params, variadic } => {
                    self.check_result(ty, span)?;
                    let params = self.prototype(params)?.iter().map(|param| param.ty).collect();
                    self.function_type(FunctionType { result: ty, params, variadic: *variadic, prototype: true })
                }
                Derived::KrFunction { .. } => {
                    self.check_result(ty, span)?;
                    self.function_type(FunctionType {
                        result: ty,
                        params: Vec::new(),
                        variadic: false,
                        prototype: false,
                    })
                }
            };
        }
        Ok(ty)
    }

    pub(crate) fn function_type(&mut self, function: FunctionType) -> QualType {
        QualType::plain(self.types.intern(Type::Function(Box::new(function))))
    }

    pub(crate) fn check_result(&self, result: QualType, span: Span) -> Result<()> {
        match self.types[result.ty] {
            Type::Array { .. } => error(span, "a function cannot return an array"),
            Type::Function(_) => error(span, "a function cannot return a function"),
            _ => Ok(()),
        }
    }

    fn array_type(&mut self, element: QualType, size: &ArraySize, span: Span) -> Result<QualType> {
        match self.types[element.ty] {
            Type::Function(_) => return error(span, "an array cannot have functions as elements"),
            Type::Void => return error(span, "an array cannot have elements of type ‘void’"),
            // Lengths do not matter in prototypes, so inner ones may be missing there.
            Type::Array { length: ArrayLength::Unknown, .. } if self.prototypes > 0 => {}
            _ if self.types.is_complete(element.ty) => {}
            _ => {
                let text = self.qual_text(element);
                return error(span, format!("an array cannot have elements of the incomplete type ‘{text}’"));
            }
        }
        let length = match size {
            ArraySize::None | ArraySize::Star => ArrayLength::Unknown,
            ArraySize::Expr(expr) => self.array_length(expr, element)?,
        };
        Ok(QualType::plain(self.types.intern(Type::Array { element, length })))
    }

    fn array_length(&mut self, expr: &ast::Expr, element: QualType) -> Result<ArrayLength> {
        let value = self.value(expr)?;
        if !self.types.is_integer(value.ty) {
            return error(expr.span, format!("the size of an array has the type ‘{}’", self.type_text(value.ty)));
        }
        if let Some(length) = self.evaluator().integer(&value) {
            // A number of 128 bits without sign may look negative.
            if length > i128::from(u64::MAX) || length < 0 && !self.types.is_signed(value.ty) {
                return error_help(expr.span, TOO_LARGE, "write a smaller number");
            }
            let Ok(length) = u64::try_from(length) else {
                return error(expr.span, format!("the size of an array is {length}"));
            };
            let bytes = self.types.size_of(element.ty).unwrap_or(1).checked_mul(length);
            if bytes.is_none_or(|bytes| bytes >= 1 << (self.types.pointer_bytes() * 8 - 1)) {
                return error(expr.span, format!("an array of {length} elements is larger than the address space"));
            }
            return Ok(ArrayLength::Known(length));
        }
        if self.prototypes > 0 {
            return Ok(ArrayLength::Unknown);
        }
        let length = self.convert(value, self.common.size);
        let Some(state) = &mut self.current else {
            return error(expr.span, "the size of an array at file scope is not constant");
        };
        let id = state.vlas.push(length);
        self.pending_vlas.push(id);
        Ok(ArrayLength::Variable(id))
    }

    /// The parameters of a function that is not being defined here.
    fn prototype(&mut self, params: &[ast::Param]) -> Result<Vec<ParamInfo>> {
        self.idents.push();
        self.tags.push();
        self.prototypes += 1;
        let result = self.ghost_parameters(params);
        self.prototypes -= 1;
        self.tags.pop();
        self.idents.pop();
        result
    }

    fn ghost_parameters(&mut self, params: &[ast::Param]) -> Result<Vec<ParamInfo>> {
        if self.is_void_list(params) {
            return Ok(Vec::new());
        }
        let mut infos = Vec::with_capacity(params.len());
        for param in params {
            let info = self.parameter(param)?;
            if let Some(name) = info.name {
                if self.idents.get_here(name).is_some() {
                    return error(info.span, format!("two parameters are called ‘{}’", self.name(name)));
                }
                self.idents.bind(name, Entity::Ghost(info.ty), info.span);
            }
            infos.push(info);
        }
        Ok(infos)
    }

    /// `(void)`, also through a typedef.
    pub(crate) fn is_void_list(&self, params: &[ast::Param]) -> bool {
        let [param] = params else { return false };
        if param.declarator.name.is_some() || !param.declarator.derived.is_empty() {
            return false;
        }
        match param.specs.ty {
            ast::TypeSpec::Basic(ast::Basic::Void) => true,
            ast::TypeSpec::Typedef(name) => {
                matches!(self.idents.get(name), Some(Entity::Typedef { ty, .. }) if self.types.is_void(ty.ty))
            }
            _ => false,
        }
    }

    /// One parameter: arrays and functions become pointers.
    pub(crate) fn parameter(&mut self, param: &ast::Param) -> Result<ParamInfo> {
        let specified = self.specifiers(&param.specs, TagUse::Mention)?;
        let attributes = self.attributes(&[&param.specs.attributes, &param.declarator.attributes])?;
        let base = self.apply_mode(specified.ty, &attributes, param.span)?;
        let derived = &param.declarator.derived;
        let span = if param.declarator.name.is_some() { param.declarator.span } else { param.span };
        let ty = match derived.first() {
            // The outermost length of an array parameter has no meaning.
            Some(Derived::Array { quals, .. }) => {
                let element = self.declarator_type(base, &derived[1..], span)?;
                QualType { ty: self.types.pointer_to(element), quals: *quals }
            }
            _ => {
                let ty = self.declarator_type(base, derived, span)?;
                self.adjust_parameter(ty)
            }
        };
        if self.types.is_void(ty.ty) {
            return error(span, "a parameter has the type ‘void’");
        }
        let register = param.specs.storage == ast::Storage::Register;
        Ok(ParamInfo { name: param.declarator.name, ty, register, span })
    }

    pub(crate) fn adjust_parameter(&mut self, ty: QualType) -> QualType {
        match self.types[ty.ty] {
            Type::Array { element, .. } => {
                QualType { ty: self.types.pointer_to(element.with(ty.quals)), quals: Quals::NONE }
            }
            Type::Function(_) => QualType::plain(self.types.pointer_to(ty)),
            _ => ty,
        }
    }

    /// The type as others see it: lengths that only the function itself knows are unknown.
    pub(crate) fn without_variable_lengths(&mut self, ty: TypeId) -> TypeId {
        if !self.types.is_variably_modified(ty) {
            return ty;
        }
        match self.types[ty].clone() {
            Type::Pointer(target) => {
                let inner = self.without_variable_lengths(target.ty);
                self.types.pointer_to(QualType { ty: inner, quals: target.quals })
            }
            Type::Array { element, length } => {
                let inner = self.without_variable_lengths(element.ty);
                let length = if matches!(length, ArrayLength::Variable(_)) { ArrayLength::Unknown } else { length };
                self.types.intern(Type::Array { element: QualType { ty: inner, quals: element.quals }, length })
            }
            _ => ty,
        }
    }
}
