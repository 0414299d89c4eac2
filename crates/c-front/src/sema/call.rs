//! Calls: of declared functions, through pointers, and of names never declared.

use base::{Span, Symbol};

use super::expr::Operand;
use super::{Analyzer, Entity, Result, error};
use crate::ast;
use crate::typed::{Callee, Expr, ExprKind, FunctionId, Remark, RemarkKind};
use crate::types::{FunctionType, QualType, Type, TypeId};

impl Analyzer {
    pub(crate) fn call(&mut self, callee: &ast::Expr, args: &[ast::Expr], span: Span) -> Result<Expr> {
        if let ast::ExprKind::Name(name) = without_parens(callee).kind {
            let entity = self.idents.get(name);
            if let Some(&builtin) = self.words.builtins.get(&name)
                && self.is_compilers_own(entity)
            {
                return self.builtin_call(builtin, name, args, span);
            }
            if entity.is_none() {
                return self.undeclared_call(name, args, callee.span, span);
            }
        }
        match self.operand(callee)? {
            Operand::Function(id, _) => self.direct_call(id, args, span),
            operand => {
                let pointer = self.decay(operand)?;
                self.indirect_call(pointer, args, span)
            }
        }
    }

    /// A builtin's name means the builtin unless the program defines a function of that name.
    fn is_compilers_own(&self, entity: Option<Entity>) -> bool {
        match entity {
            None => true,
            Some(Entity::Function(id)) => self.functions[id].body.is_none() && !self.is_being_defined(id),
            Some(_) => false,
        }
    }

    fn is_being_defined(&self, id: FunctionId) -> bool {
        self.current.as_ref().is_some_and(|state| state.id == id)
    }

    fn undeclared_call(&mut self, name: Symbol, args: &[ast::Expr], callee: Span, span: Span) -> Result<Expr> {
        if self.name(name).starts_with("__builtin_") {
            return self.builtin_library_call(name, args, callee, span);
        }
        let id = match self.library_function(name, callee) {
            Some(id) => id,
            None => self.implicit_function(name, callee),
        };
        self.forget_prototype_that_disagrees(id, args.len());
        self.direct_call(id, args, span)
    }

    /// `int f()`, as if declared here.
    fn implicit_function(&mut self, name: Symbol, span: Span) -> FunctionId {
        let result = QualType::plain(self.common.int);
        let ty = self.function_type(FunctionType { result, params: Vec::new(), variadic: false, prototype: false });
        self.declare_implicitly(name, ty.ty, span)
    }

    pub(crate) fn declare_implicitly(&mut self, name: Symbol, ty: TypeId, span: Span) -> FunctionId {
        if let Some(&super::linkage::Linked::Function(id)) =
            self.internals.get(&name).or_else(|| self.externals.get(&name))
        {
            // Declared in another block or file: the same function, not visible here by name.
            return id;
        }
        let id = self.new_function(name, ty, false, span);
        self.function_info[id].implicit = true;
        self.remarks.push(Remark { span, kind: RemarkKind::ImplicitDeclaration(name) });
        id
    }

    /// A program's own idea of a library function it did not declare wins over ours.
    fn forget_prototype_that_disagrees(&mut self, id: FunctionId, count: usize) {
        if !self.function_info[id].implicit {
            return;
        }
        let Some(function) = self.types.function(self.functions[id].ty) else { return };
        let fits = if function.variadic { count >= function.params.len() } else { count == function.params.len() };
        if function.prototype && !fits {
            let result = function.result;
            let ty = self.function_type(FunctionType { result, params: Vec::new(), variadic: false, prototype: false });
            self.functions[id].ty = ty.ty;
        }
    }

    pub(crate) fn direct_call(&mut self, id: FunctionId, args: &[ast::Expr], span: Span) -> Result<Expr> {
        self.direct_call_without(id, args, &(0..0), span)
    }

    /// A call in which the arguments at some positions are left out, unevaluated.
    pub(crate) fn direct_call_without(
        &mut self,
        id: FunctionId,
        args: &[ast::Expr],
        dropped: &std::ops::Range<usize>,
        span: Span,
    ) -> Result<Expr> {
        let ty = self.functions[id].ty;
        let kept: Vec<&ast::Expr> =
            args.iter().enumerate().filter(|(index, _)| !dropped.contains(index)).map(|(_, arg)| arg).collect();
        let (args, result) = self.arguments(ty, &kept, Some(id), span)?;
        self.mark_used(id);
        Ok(Expr { kind: ExprKind::Call { callee: Callee::Direct(id), args }, ty: result, span })
    }

    fn indirect_call(&mut self, pointer: Expr, args: &[ast::Expr], span: Span) -> Result<Expr> {
        let function = self.types.pointee(pointer.ty).filter(|target| self.types.function(target.ty).is_some());
        let Some(function) = function else {
            let text = self.type_text(pointer.ty);
            return error(pointer.span, format!("a value of type ‘{text}’ is called, which is not a function"));
        };
        let args: Vec<&ast::Expr> = args.iter().collect();
        let (args, result) = self.arguments(function.ty, &args, None, span)?;
        let callee = Callee::Indirect(Box::new(pointer));
        Ok(Expr { kind: ExprKind::Call { callee, args }, ty: result, span })
    }

    /// The arguments, converted to the parameters' types, and the type of the result.
    fn arguments(
        &mut self,
        function: TypeId,
        args: &[&ast::Expr],
        id: Option<FunctionId>,
        span: Span,
    ) -> Result<(Vec<Expr>, TypeId)> {
        let known = self.types.function(function).expect("callers pass functions");
        let result = known.result.ty;
        let (prototype, variadic, count) = (known.prototype, known.variadic, known.params.len());
        if prototype && (args.len() < count || (args.len() > count && !variadic)) {
            return self.wrong_count(id, count, args.len(), span);
        }
        if !self.types.is_void(result) && !self.types.is_complete(result) {
            let text = self.type_text(result);
            return error(span, format!("a function that returns the incomplete type ‘{text}’ is called"));
        }
        let mut converted = Vec::with_capacity(args.len());
        for (index, arg) in args.iter().enumerate() {
            let value = self.value(arg)?;
            let known = self.types.function(function).expect("as above");
            let param = if prototype { known.params.get(index).copied() } else { None };
            let value = match param {
                Some(param) => self.argument(value, param)?,
                None => self.unchecked_argument(value)?,
            };
            converted.push(value);
        }
        Ok((converted, result))
    }

    fn wrong_count<T>(&self, id: Option<FunctionId>, needed: usize, given: usize, span: Span) -> Result<T> {
        let amount = if given < needed { "few" } else { "many" };
        let message = format!("too {amount} arguments: {needed} are needed, {given} are given");
        match id {
            Some(id) => Err(self.with_previous(message, span, self.functions[id].span)),
            None => error(span, message),
        }
    }

    fn argument(&mut self, value: Expr, param: QualType) -> Result<Expr> {
        if let Type::Record(id) = self.types[param.ty]
            && value.ty != param.ty
            && self.types.records[id].body.as_ref().is_some_and(|body| body.transparent)
        {
            let span = value.span;
            return self.cast_to_union(value, param.ty, span);
        }
        self.assignable(value, param.ty, "argument")
    }

    fn unchecked_argument(&mut self, value: Expr) -> Result<Expr> {
        if self.types.is_void(value.ty) {
            return error(value.span, "the value of an expression of type ‘void’ is used");
        }
        Ok(self.promote_argument(value))
    }
}

fn without_parens(expr: &ast::Expr) -> &ast::Expr {
    let mut expr = expr;
    while let ast::ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}
