//! Functions with `__attribute__((alias("target")))`: each gets a body that calls its target.

use super::attributes::AliasOf;
use super::linkage::{FunctionInfo, Linked};
use super::{Analyzer, IndexVec};
use crate::typed::{
    Callee, Expr, ExprKind, FunctionId, Local, LocalId, Place, PlaceKind, Remark, RemarkKind, Statement, StatementKind,
};
use crate::types::QualType;
use base::Span;

impl Analyzer {
    /// At the end of a file, which must define the targets of its aliases.
    pub(crate) fn resolve_aliases(&mut self) {
        for (id, alias) in std::mem::take(&mut self.aliases) {
            let resolved = match self.linked(alias.target) {
                Some(Linked::Function(target)) if target != id => self.forward(id, target, alias.span),
                _ => false,
            };
            if !resolved {
                self.alias_is_not_modelled(alias);
            }
        }
    }

    pub(crate) fn alias_is_not_modelled(&mut self, alias: AliasOf) {
        self.remarks.push(Remark { span: alias.span, kind: RemarkKind::Attribute(alias.attribute) });
    }

    /// Counts as a definition, so that a strong one of another file replaces that of a weak alias.
    fn forward(&mut self, id: FunctionId, target: FunctionId, span: Span) -> bool {
        let info = self.function_info[id];
        if self.functions[id].body.is_some() {
            // A definition of another file comes before a weak alias; so does the same alias, declared twice.
            return info.weak || info.body_file == self.file;
        }
        let Some(ty) = self.types.function(self.functions[id].ty).cloned() else { return false };
        let fits = self.types.compatible(self.functions[id].ty, self.functions[target].ty);
        if !fits || !ty.prototype || ty.variadic || self.functions[target].body.is_none() {
            return false;
        }
        let mut locals = IndexVec::new();
        let args = ty.params.iter().map(|param| {
            let ty = QualType::plain(param.ty);
            let local = locals.push(Local { name: None, ty, address_taken: false, align: None, cleanup: None, span });
            let place = Place { kind: PlaceKind::Local(local), ty, span };
            Expr { kind: ExprKind::Load(Box::new(place)), ty: param.ty, span }
        });
        let args = args.collect();
        let kind = ExprKind::Call { callee: Callee::Direct(target), args };
        let call = Expr { kind, ty: ty.result.ty, span };
        let kind = match self.types.is_void(ty.result.ty) {
            true => StatementKind::Expr(call),
            false => StatementKind::Return(Some(call)),
        };
        let function = &mut self.functions[id];
        function.params = (0..locals.len()).map(|index| LocalId(index as u32)).collect();
        function.locals = locals;
        function.body = Some(vec![Statement { kind, span }]);
        (function.span, function.end) = (span, span);
        self.function_info[id] = FunctionInfo { weak_body: info.weak, body_file: self.file, ..info };
        self.function_info[target].used = true;
        true
    }
}
