//! Checks the invariants of the typed tree, so that a slip of the analysis shows as one and not as a wrong verdict.

use base::Span;

use crate::typed::{
    Atomic, Binary, Callee, Constant, Expr, ExprKind, Function, Init, InitPart, InitValue, Object, Place, PlaceKind,
    Statement, StatementKind, Unary, Unit,
};
use crate::types::{Quals, Type, TypeId, Types};

/// What is wrong, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub span: Span,
    pub rule: &'static str,
}

/// All violations in a program; empty for what the analysis made of a correct one.
pub fn check_unit(unit: &Unit) -> Vec<Violation> {
    let mut found = Vec::new();
    for object in unit.objects.iter() {
        check_object(unit, object, &mut found);
    }
    for function in unit.functions.iter() {
        let mut checker = Checker { unit, function, found: &mut found };
        checker.function();
    }
    found
}

fn check_object(unit: &Unit, object: &Object, found: &mut Vec<Violation>) {
    if object.defined && unit.types.size_of(object.ty.ty).is_none() {
        found.push(Violation { span: object.span, rule: "a defined object has a size" });
    }
    let parts = object.init.iter().flat_map(|init| &init.parts);
    let mut last = 0;
    for part in parts {
        if part.offset < last {
            found.push(Violation { span: object.span, rule: "parts of an initialiser are in order" });
        }
        last = part.offset;
        if let InitValue::Value(value) = part.value
            && !constant_fits(&unit.types, value, part.ty.ty)
        {
            found.push(Violation { span: object.span, rule: "a constant fits the type beside it" });
        }
    }
}

fn constant_fits(types: &Types, value: Constant, ty: TypeId) -> bool {
    match value {
        Constant::Int(value) => match types.int_bits(ty) {
            Some(_) if matches!(types[ty], Type::Bool) => value <= 1,
            Some(bits) => bits >= 128 || value >> bits == 0,
            None => false,
        },
        Constant::Float(_) => types.float_kind(ty).is_some(),
        Constant::Address { .. } => types.int_bits(ty).is_some_and(|bits| u64::from(bits) == types.pointer_bytes() * 8),
    }
}

struct Checker<'u, 'f> {
    unit: &'u Unit,
    function: &'u Function,
    found: &'f mut Vec<Violation>,
}

impl Checker<'_, '_> {
    fn require(&mut self, holds: bool, span: Span, rule: &'static str) {
        if !holds {
            self.found.push(Violation { span, rule });
        }
    }

    fn function(&mut self) {
        for length in self.function.vlas.iter() {
            self.expr(length);
            self.require(self.unit.types.is_integer(length.ty), length.span, "a length is an integer");
        }
        for statement in self.function.body.iter().flatten() {
            self.statement(statement);
        }
    }

    fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Expr(value) => self.expr(value),
            StatementKind::Block(inner, _) => inner.iter().for_each(|statement| self.statement(statement)),
            StatementKind::Declare(local, init) => {
                let known = self.function.locals.get(*local).is_some();
                self.require(known, statement.span, "a declared local exists");
                if let Some(init) = init {
                    self.init(init);
                }
            }
            StatementKind::Vla(id) => {
                let known = self.function.vlas.get(*id).is_some();
                self.require(known, statement.span, "a length that is fixed exists");
            }
            StatementKind::If { condition, then, otherwise } => {
                self.condition(condition);
                self.statement(then);
                if let Some(otherwise) = otherwise {
                    self.statement(otherwise);
                }
            }
            StatementKind::Switch { value, body } => {
                self.expr(value);
                let promoted = self.unit.types.int_bits(value.ty).is_some_and(|bits| bits >= 32);
                self.require(promoted, value.span, "the value of a switch is promoted");
                self.statement(body);
            }
            StatementKind::Case { statement, .. }
            | StatementKind::Default(statement)
            | StatementKind::Label(_, statement) => self.statement(statement),
            StatementKind::While { condition, body } | StatementKind::DoWhile { body, condition } => {
                self.condition(condition);
                self.statement(body);
            }
            StatementKind::For { init, condition, step, body } => {
                init.iter().for_each(|statement| self.statement(statement));
                if let Some(condition) = condition {
                    self.condition(condition);
                }
                if let Some(step) = step {
                    self.expr(step);
                }
                self.statement(body);
            }
            StatementKind::Goto(label) => {
                let known = self.function.labels.get(*label).is_some();
                self.require(known, statement.span, "the target of a goto exists");
            }
            StatementKind::GotoComputed(value) => self.expr(value),
            StatementKind::Assert(condition) => self.condition(condition),
            StatementKind::Return(value) => self.return_value(value.as_ref()),
            StatementKind::Asm(asm) => {
                asm.outputs.iter().for_each(|place| self.place(place));
                asm.inputs.iter().for_each(|value| self.expr(value));
            }
            StatementKind::Continue | StatementKind::Break | StatementKind::Empty => {}
        }
    }

    fn return_value(&mut self, value: Option<&Expr>) {
        let Some(value) = value else { return };
        self.expr(value);
        let result = self.unit.types.function(self.function.ty).map(|function| function.result.ty);
        self.require(result == Some(value.ty), value.span, "a returned value has the function's result type");
    }

    fn condition(&mut self, condition: &Expr) {
        self.expr(condition);
        self.require(self.unit.types.is_scalar(condition.ty), condition.span, "a condition is a scalar");
    }

    fn init(&mut self, init: &Init) {
        for part in &init.parts {
            self.part(part);
        }
    }

    fn part(&mut self, part: &InitPart<Expr>) {
        if let InitValue::Value(value) = &part.value {
            self.expr(value);
            self.require(value.ty == part.ty.ty, value.span, "an initial value has the type of its part");
        }
    }

    fn expr(&mut self, expr: &Expr) {
        let types = &self.unit.types;
        let span = expr.span;
        match &expr.kind {
            ExprKind::Constant(value) => {
                self.require(constant_fits(types, *value, expr.ty), span, "a constant fits the type beside it");
            }
            ExprKind::Load(place) => {
                self.place(place);
                self.require(place.ty.ty == expr.ty, span, "a load has the type of its place");
                let value = !matches!(types[expr.ty], Type::Array { .. } | Type::Function(_) | Type::Void);
                self.require(value, span, "arrays and functions are never loaded");
            }
            ExprKind::AddressOf(place) => {
                self.place(place);
                self.require(types.is_pointer(expr.ty), span, "an address is a pointer");
            }
            ExprKind::FunctionAddress(id) => {
                let known = self.unit.functions.get(*id).is_some();
                self.require(known && types.is_pointer(expr.ty), span, "the address of a function is a pointer");
            }
            ExprKind::LabelAddress(_) | ExprKind::SizeOfVla(_) => {}
            ExprKind::Unary(op, operand) => self.unary(*op, operand, expr),
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right, expr),
            ExprKind::Compare(_, left, right) => {
                self.both(left, right);
                self.require(left.ty == right.ty, span, "operands of a comparison have one type");
                self.require(types.is_scalar(left.ty), span, "operands of a comparison are scalars");
            }
            ExprKind::Offset { pointer, index, .. } => {
                self.both(pointer, index);
                self.require(pointer.ty == expr.ty && types.is_pointer(expr.ty), span, "an offset keeps the type");
                self.require(types.is_integer(index.ty), span, "an index is an integer");
            }
            ExprKind::Difference { left, right, .. } => {
                self.both(left, right);
                let pointers = types.is_pointer(left.ty) && types.is_pointer(right.ty);
                self.require(pointers, span, "a difference is one of pointers");
            }
            ExprKind::LogAnd(left, right) | ExprKind::LogOr(left, right) => {
                self.condition(left);
                self.condition(right);
            }
            ExprKind::Conditional(condition, then, otherwise) => {
                self.condition(condition);
                self.both(then, otherwise);
                let same = then.ty == expr.ty && otherwise.ty == expr.ty;
                self.require(same, span, "both arms have the type of the whole");
            }
            ExprKind::Elvis(condition, otherwise) => {
                self.condition(condition);
                self.expr(otherwise);
                self.require(otherwise.ty == expr.ty, span, "both arms have the type of the whole");
            }
            ExprKind::Comma(left, right) => {
                self.both(left, right);
                self.require(right.ty == expr.ty, span, "a comma has the type of its right operand");
            }
            ExprKind::Cast(operand) => {
                self.expr(operand);
                let scalar = types.is_scalar(expr.ty) && types.is_scalar(operand.ty);
                self.require(scalar || types.is_void(expr.ty), span, "casts are between scalars, or to void");
            }
            ExprKind::VaArg(operand) => self.expr(operand),
            ExprKind::Builtin(_, args) => args.iter().for_each(|arg| self.expr(arg)),
            ExprKind::Call { callee, args } => self.call(callee, args, expr),
            ExprKind::Statement(statements, value, _) => {
                statements.iter().for_each(|statement| self.statement(statement));
                if let Some(value) = value {
                    self.expr(value);
                }
                let ty = value.as_ref().map(|value| value.ty);
                let fits = ty == Some(expr.ty) || (ty.is_none() && types.is_void(expr.ty));
                self.require(fits, span, "statements have the type of their value");
            }
            ExprKind::Atomic(atomic) => self.atomic(atomic),
            ExprKind::Assign(..)
            | ExprKind::AssignOp { .. }
            | ExprKind::AssignOffset { .. }
            | ExprKind::Increment { .. } => self.assignment(expr),
        }
    }

    fn both(&mut self, left: &Expr, right: &Expr) {
        self.expr(left);
        self.expr(right);
    }

    fn unary(&mut self, op: Unary, operand: &Expr, expr: &Expr) {
        self.expr(operand);
        let fits = match op {
            Unary::Not => self.unit.types.is_scalar(operand.ty),
            _ => operand.ty == expr.ty && self.unit.types.is_arithmetic(expr.ty),
        };
        self.require(fits, expr.span, "operand and result of a unary operator have one type");
    }

    fn binary(&mut self, op: Binary, left: &Expr, right: &Expr, expr: &Expr) {
        self.both(left, right);
        let types = &self.unit.types;
        let shift = matches!(op, Binary::Shl | Binary::Shr);
        let fits = left.ty == expr.ty && (shift || right.ty == expr.ty) && types.is_arithmetic(expr.ty);
        self.require(fits, expr.span, "operands of arithmetic have the type of the result");
        let promoted = types.int_bits(expr.ty).is_none_or(|bits| bits >= 32);
        self.require(promoted, expr.span, "arithmetic is never narrower than int");
    }

    fn assignment(&mut self, expr: &Expr) {
        let types = &self.unit.types;
        let (place, rule) = match &expr.kind {
            ExprKind::Assign(place, value) => {
                self.expr(value);
                self.require(value.ty == place.ty.ty, expr.span, "a stored value has the type of its place");
                (place, "an assignment has the type of its place")
            }
            ExprKind::AssignOp { place, op, value, compute } => {
                self.expr(value);
                let shift = matches!(op, Binary::Shl | Binary::Shr);
                self.require(shift || value.ty == *compute, expr.span, "the operand has the type computed in");
                (place, "a compound assignment has the type of its place")
            }
            ExprKind::AssignOffset { place, index, .. } => {
                self.expr(index);
                self.require(types.is_pointer(place.ty.ty), expr.span, "only pointers are moved");
                (place, "a moved pointer keeps its type")
            }
            ExprKind::Increment { place, element, .. } => {
                let fits = types.is_pointer(place.ty.ty) == element.is_some();
                self.require(fits, expr.span, "pointers, and only they, step by elements");
                (place, "a step has the type of its place")
            }
            _ => return,
        };
        self.place(place);
        self.require(place.ty.ty == expr.ty, expr.span, rule);
        let writable = !place.ty.quals.contains(Quals::CONST);
        self.require(writable, expr.span, "what is const is never written");
    }

    fn call(&mut self, callee: &Callee, args: &[Expr], expr: &Expr) {
        let types = &self.unit.types;
        args.iter().for_each(|arg| self.expr(arg));
        match callee {
            // Its declared type may have been refined after the call.
            Callee::Direct(id) => {
                let known = self.unit.functions.get(*id).is_some();
                self.require(known, expr.span, "a called function exists");
            }
            Callee::Indirect(pointer) => {
                self.expr(pointer);
                let function = types.pointee(pointer.ty).and_then(|target| types.function(target.ty));
                let result = function.map(|function| function.result.ty);
                self.require(result == Some(expr.ty), expr.span, "a call has the result type of what is called");
            }
        }
    }

    fn atomic(&mut self, atomic: &Atomic) {
        match atomic {
            Atomic::Load { pointer } => self.expr(pointer),
            Atomic::Store { pointer, value } | Atomic::Modify { pointer, value, .. } => self.both(pointer, value),
            Atomic::CompareExchange { pointer, expected, desired, .. }
            | Atomic::CompareSwap { pointer, expected, desired, .. } => {
                self.both(pointer, expected);
                self.expr(desired);
            }
            Atomic::Fence => {}
        }
    }

    fn place(&mut self, place: &Place) {
        let types = &self.unit.types;
        let span = place.span;
        match &place.kind {
            PlaceKind::Object(id) => {
                let known = self.unit.objects.get(*id).is_some();
                self.require(known, span, "a named object exists");
            }
            PlaceKind::Local(id) => {
                let known = self.function.locals.get(*id).is_some();
                self.require(known, span, "a named local exists");
            }
            PlaceKind::String(_) => {}
            PlaceKind::Deref(pointer) => {
                self.expr(pointer);
                let target = types.pointee(pointer.ty).map(|target| target.ty);
                self.require(target == Some(place.ty.ty), span, "what a pointer leads to has its target type");
            }
            PlaceKind::Field { base, record, field } => {
                self.place(base);
                self.require(types.record_id(base.ty.ty) == Some(*record), span, "a member belongs to its record");
                let body = types.records[*record].body.as_ref();
                let known = body.is_some_and(|body| (*field as usize) < body.fields.len());
                self.require(known, span, "a member exists");
            }
            PlaceKind::Compound(local, init) => {
                let known = self.function.locals.get(*local).is_some();
                self.require(known, span, "the local of a compound literal exists");
                self.init(init);
            }
            PlaceKind::Temporary(value) => {
                self.expr(value);
                self.require(types.record_id(value.ty).is_some(), span, "only records are temporaries");
            }
        }
    }
}
