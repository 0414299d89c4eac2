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
        self.static_context = outer;
        let (ty, parts) = flat?;
        Ok((ty, self.constant_parts(parts)?))
    }

    pub(crate) fn static_list(
        &mut self,
        ty: QualType,
        items: &[InitItem],
        span: Span,
    ) -> Result<(QualType, StaticInit)> {
        let outer = std::mem::replace(&mut self.static_context, true);
        let flat = self.flatten_list(ty, items, span);
        self.static_context = outer;
        let (ty, parts) = flat?;
        Ok((ty, self.constant_parts(parts)?))
    }

    fn constant_parts(&mut self, parts: Vec<InitPart<Expr>>) -> Result<StaticInit> {
        let mut constant = Vec::with_capacity(parts.len());
        for part in parts {
            self.constant_part(part, &mut constant)?;
        }
        if constant.iter().any(|part| !part.repeat.is_empty()) {
            constant = self.without_overlaps(constant);
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

    fn static_value(&self, expr: &Expr) -> Option<Constant> {
        Evaluator { read_objects: true, ..self.evaluator() }.evaluate(expr)
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
                let value = match part.value {
                    InitValue::Value(value) => InitValue::Value(value),
                    InitValue::String(id, length) => InitValue::String(id, length),
                };
                let repeat = repeat.iter().chain(part.repeat.iter()).copied().collect();
                out.push(InitPart { offset: offset + part.offset, ty: part.ty, bits: part.bits, repeat, value });
            }
            return Ok(());
        }
        error_help(
            expr.span,
            "the initialiser of an object with static storage is not constant",
            "initialise it with a constant, or assign to it in a function",
        )
    }

    /// Later parts win over earlier ones that a range repeats: those are written out where they clash.
    fn without_overlaps(&self, parts: Vec<InitPart<Constant>>) -> Vec<InitPart<Constant>> {
        let mut result: Vec<InitPart<Constant>> = Vec::with_capacity(parts.len());
        for part in parts {
            let (start, end) = self.extent(&part);
            let mut kept = Vec::with_capacity(result.len() + 1);
            for old in result {
                self.keep_outside(old, start, end, &part, &mut kept);
            }
            kept.push(part);
            result = kept;
        }
        result.sort_by_key(|part| (part.offset, part.bits.map_or(0, |bits| bits.start)));
        result
    }

    /// The bytes from the first to behind the last that a part writes.
    fn extent(&self, part: &InitPart<Constant>) -> (u64, u64) {
        let unit = match part.value {
            InitValue::Value(_) => self.types.size_of(part.ty.ty).unwrap_or(0),
            InitValue::String(id, length) => length * u64::from(self.strings[id].unit),
        };
        let reach: u64 = part.repeat.iter().map(|(count, stride)| (count - 1) * stride).sum();
        (part.offset, part.offset + reach + unit)
    }

    fn keep_outside(
        &self,
        old: InitPart<Constant>,
        start: u64,
        end: u64,
        new: &InitPart<Constant>,
        kept: &mut Vec<InitPart<Constant>>,
    ) {
        let (from, to) = self.extent(&old);
        if to <= start || end <= from || (old.bits.is_some() && old.bits != new.bits) {
            kept.push(old);
            return;
        }
        let Some((&(count, stride), inner)) = old.repeat.split_first() else { return };
        for index in 0..count {
            let copy = InitPart {
                offset: old.offset + index * stride,
                ty: old.ty,
                bits: old.bits,
                repeat: inner.into(),
                value: match old.value {
                    InitValue::Value(value) => InitValue::Value(value),
                    InitValue::String(id, length) => InitValue::String(id, length),
                },
            };
            self.keep_outside(copy, start, end, new, kept);
        }
    }
}
