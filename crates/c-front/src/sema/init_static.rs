//! Initialisers of objects with static storage: every value must be constant.

use base::Span;

use super::{Analyzer, Result, error_help};
use crate::ast::{InitItem, Initializer};
use crate::constant::Evaluator;
use crate::typed::{Constant, Expr, ExprKind, InitPart, InitValue, PlaceKind, StaticInit};
use crate::types::QualType;

impl Analyzer {
    pub(crate) fn static_initializer(&mut self, ty: QualType, init: &Initializer) -> Result<(QualType, StaticInit)> {
        let outer = std::mem::replace(&mut self.static_context, true);
        let flat = self.flatten(ty, init);
        let result = flat.and_then(|(ty, parts)| Ok((ty, self.constant_parts(parts)?)));
        self.static_context = outer;
        result
    }

    pub(crate) fn static_list(
        &mut self,
        ty: QualType,
        items: &[InitItem],
        span: Span,
    ) -> Result<(QualType, StaticInit)> {
        let outer = std::mem::replace(&mut self.static_context, true);
        let flat = self.flatten_list(ty, items, span);
        let result = flat.and_then(|(ty, parts)| Ok((ty, self.constant_parts(parts)?)));
        self.static_context = outer;
        result
    }

    fn constant_parts(&mut self, parts: Vec<InitPart<Expr>>) -> Result<StaticInit> {
        let mut constant = Vec::with_capacity(parts.len());
        for part in parts {
            self.constant_part(part, &mut constant)?;
        }
        Ok(StaticInit { parts: constant })
    }

    fn constant_part(&mut self, part: InitPart<Expr>, out: &mut Vec<InitPart<Constant>>) -> Result<()> {
        let InitPart { offset, ty, bits, repeat, value } = part;
        let value = match value {
            InitValue::String(id, length) => InitValue::String(id, length),
            InitValue::Value(expr) => match self.static_value(&expr) {
                Some(value) => InitValue::Value(value),
                None => return self.record_parts(&expr, offset, &repeat, out),
            },
        };
        out.push(InitPart { offset, ty, bits, repeat, value });
        Ok(())
    }

    /// The value that an object with static storage may begin with.
    pub(super) fn static_value(&self, expr: &Expr) -> Option<Constant> {
        Evaluator { read_objects: self.static_context, ..self.evaluator() }.evaluate(expr)
    }

    /// A record initialised by a compound literal, or by a constant object, takes over its parts.
    fn record_parts(
        &mut self,
        expr: &Expr,
        offset: u64,
        repeat: &[(u64, u64)],
        out: &mut Vec<InitPart<Constant>>,
    ) -> Result<()> {
        if let ExprKind::Load(place) = &expr.kind
            && let PlaceKind::Object(id) = place.kind
            && let Some(init) = &self.objects[id].init
            && self.types.record_id(expr.ty).is_some()
        {
            for part in &init.parts {
                let repeat = repeat.iter().chain(part.repeat.iter()).copied().collect();
                out.push(InitPart {
                    offset: offset + part.offset,
                    ty: part.ty,
                    bits: part.bits,
                    repeat,
                    value: part.value,
                });
            }
            return Ok(());
        }
        error_help(
            expr.span,
            "the initialiser of an object with static storage is not constant",
            "initialise it with a constant, or assign to it in a function",
        )
    }
}
