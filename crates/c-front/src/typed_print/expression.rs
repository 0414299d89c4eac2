//! Expressions and places.

use super::Printer;
use crate::typed::{Atomic, Callee, Expr, ExprKind, Init, InitValue, Place, PlaceKind};

impl Printer<'_> {
    pub(super) fn expr(&mut self, expr: &Expr) {
        let head = self.head(&expr.kind, expr);
        let text = format!("{head} : {}", self.ty(expr.ty));
        self.line(&text);
        self.nested(|printer| printer.operands(&expr.kind));
    }

    fn head(&self, kind: &ExprKind, expr: &Expr) -> String {
        match kind {
            ExprKind::Constant(value) => format!("constant {}", self.constant(*value, expr.ty)),
            ExprKind::Load(_) => "load".to_owned(),
            ExprKind::AddressOf(_) => "address of".to_owned(),
            ExprKind::FunctionAddress(id) => format!("function {}", self.function_name(*id)),
            ExprKind::LabelAddress(id) => format!("address of label {id}"),
            ExprKind::Unary(op, _) => format!("{op:?}").to_lowercase(),
            ExprKind::Binary(op, ..) => format!("{op:?}").to_lowercase(),
            ExprKind::Compare(op, ..) => format!("compare {op:?}").to_lowercase(),
            ExprKind::Offset { element, negative, .. } => {
                format!("offset {}{}", sign(*negative), self.size(element))
            }
            ExprKind::Difference { element, .. } => format!("difference by {}", self.size(element)),
            ExprKind::LogAnd(..) => "and then".to_owned(),
            ExprKind::LogOr(..) => "or else".to_owned(),
            ExprKind::Conditional(..) => "conditional".to_owned(),
            ExprKind::Elvis(..) => "first or else".to_owned(),
            ExprKind::Comma(..) => "comma".to_owned(),
            ExprKind::Assign(..) => "assign".to_owned(),
            ExprKind::AssignOp { op, compute, .. } => format!("assign {op:?} in {}", self.ty(*compute)).to_lowercase(),
            ExprKind::AssignOffset { element, negative, .. } => {
                format!("assign offset {}{}", sign(*negative), self.size(element))
            }
            ExprKind::Increment { by, result, element, .. } => {
                let step = element.as_ref().map(|size| format!(" by {}", self.size(size))).unwrap_or_default();
                format!("step {by:?}{step}, value {result:?}").to_lowercase()
            }
            ExprKind::Cast(_) => "cast".to_owned(),
            ExprKind::Call { callee: Callee::Direct(id), .. } => format!("call {}", self.function_name(*id)),
            ExprKind::Call { .. } => "call through pointer".to_owned(),
            ExprKind::Statement(..) => "statements".to_owned(),
            ExprKind::SizeOfVla(size) => format!("size {}", self.size(size)),
            ExprKind::Builtin(builtin, _) => format!("builtin {builtin:?}"),
            ExprKind::Atomic(atomic) => atomic_head(atomic),
            ExprKind::VaArg(_) => "next argument".to_owned(),
        }
    }

    fn operands(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Constant(_)
            | ExprKind::FunctionAddress(_)
            | ExprKind::LabelAddress(_)
            | ExprKind::SizeOfVla(_) => {}
            ExprKind::Load(place) | ExprKind::AddressOf(place) => self.place(place),
            ExprKind::Increment { place, .. } => self.place(place),
            ExprKind::Unary(_, operand) | ExprKind::Cast(operand) | ExprKind::VaArg(operand) => self.expr(operand),
            ExprKind::Binary(_, left, right)
            | ExprKind::Compare(_, left, right)
            | ExprKind::Difference { left, right, .. }
            | ExprKind::LogAnd(left, right)
            | ExprKind::LogOr(left, right)
            | ExprKind::Elvis(left, right)
            | ExprKind::Comma(left, right)
            | ExprKind::Offset { pointer: left, index: right, .. } => self.exprs([&**left, right]),
            ExprKind::Conditional(condition, then, otherwise) => self.exprs([&**condition, then, otherwise]),
            ExprKind::Assign(place, value)
            | ExprKind::AssignOp { place, value, .. }
            | ExprKind::AssignOffset { place, index: value, .. } => {
                self.place(place);
                self.expr(value);
            }
            ExprKind::Call { callee, args } => {
                if let Callee::Indirect(pointer) = callee {
                    self.expr(pointer);
                }
                self.exprs(args);
            }
            ExprKind::Builtin(_, args) => self.exprs(args),
            ExprKind::Statement(statements, value, _) => {
                for statement in statements {
                    self.statement(statement);
                }
                self.exprs(value.as_deref());
            }
            ExprKind::Atomic(atomic) => self.atomic(atomic),
        }
    }

    pub(super) fn exprs<'e>(&mut self, exprs: impl IntoIterator<Item = &'e Expr>) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn atomic(&mut self, atomic: &Atomic) {
        match atomic {
            Atomic::Load { pointer } => self.expr(pointer),
            Atomic::Store { pointer, value } | Atomic::Modify { pointer, value, .. } => self.exprs([pointer, value]),
            Atomic::CompareExchange { pointer, expected, desired, .. }
            | Atomic::CompareSwap { pointer, expected, desired, .. } => self.exprs([pointer, expected, desired]),
            Atomic::Fence => {}
        }
    }

    pub(super) fn place(&mut self, place: &Place) {
        let head = match &place.kind {
            PlaceKind::Object(id) => format!("object {}", self.object_name(*id)),
            PlaceKind::Local(id) => format!("local {}", self.local_name(*id)),
            PlaceKind::String(id) => format!("string {}", self.string(*id)),
            PlaceKind::Deref(_) => "target".to_owned(),
            PlaceKind::Field { record, field, .. } => {
                let body = self.unit.types.records[*record].body.as_ref();
                let name = body.and_then(|body| body.fields[*field as usize].name);
                format!("member {field} {}", name.map_or("<anonymous>", |name| self.name(name)))
            }
            PlaceKind::Compound(id, _) => format!("compound literal {id}"),
            PlaceKind::Temporary(_) => "temporary".to_owned(),
        };
        let text = format!("{head} : {}", self.qual(place.ty));
        self.line(&text);
        self.nested(|printer| match &place.kind {
            PlaceKind::Deref(inner) | PlaceKind::Temporary(inner) => printer.expr(inner),
            PlaceKind::Field { base, .. } => printer.place(base),
            PlaceKind::Compound(_, init) => printer.init(init),
            PlaceKind::Object(_) | PlaceKind::Local(_) | PlaceKind::String(_) => {}
        });
    }

    pub(super) fn init(&mut self, init: &Init) {
        if init.zero {
            self.line("rest is zero");
        }
        for part in &init.parts {
            let place = self.part_place(part);
            match &part.value {
                InitValue::Value(value) => {
                    self.line(&place);
                    self.nested(|printer| printer.expr(value));
                }
                InitValue::String(id, length) => {
                    let text = format!("{place} = {length} units of {}", self.string(*id));
                    self.line(&text);
                }
            }
        }
    }
}

fn sign(negative: bool) -> &'static str {
    if negative { "-" } else { "+" }
}

fn atomic_head(atomic: &Atomic) -> String {
    match atomic {
        Atomic::Load { .. } => "atomic load".to_owned(),
        Atomic::Store { .. } => "atomic store".to_owned(),
        Atomic::Modify { op, result, .. } => format!("atomic {op:?}, value {result:?}").to_lowercase(),
        Atomic::CompareExchange { weak, .. } => {
            format!("atomic {} compare-exchange", if *weak { "weak" } else { "strong" })
        }
        Atomic::CompareSwap { result, .. } => format!("atomic compare-swap, value {result:?}").to_lowercase(),
        Atomic::Fence => "atomic fence".to_owned(),
    }
}
