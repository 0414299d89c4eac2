//! Expressions: primary ones, and the dispatch to the rest.

use base::{Span, Symbol};

use super::{Analyzer, Entity, Result, error, error_help, unsupported};
use crate::ast::{self, Encoding, FloatSuffix};
use crate::typed::{Constant, Expr, ExprKind, FunctionId, LocalId, Place, PlaceKind, StringData, StringId, When};
use crate::typed::{Statement, StatementKind, Step};
use crate::types::{ArrayLength, DataModel, FloatKind, IntKind, QualType, Quals, Type, TypeId};
use base::float;

/// What an expression denotes before it is known whether its value, its place or only its type is wanted.
#[derive(Debug)]
pub(crate) enum Operand {
    Value(Expr),
    Place(Place),
    Function(FunctionId, Span),
}

impl Analyzer {
    pub(crate) fn value(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let operand = self.operand(expr)?;
        self.decay(operand)
    }

    /// An expression that must be an lvalue.
    pub(crate) fn place(&mut self, expr: &ast::Expr, what: &str) -> Result<Place> {
        match self.operand(expr)? {
            Operand::Place(place) => Ok(place),
            _ => error(expr.span, format!("{what} needs an lvalue")),
        }
    }

    /// The type of an operand as `typeof` and `sizeof` see it.
    pub(crate) fn operand_type(&self, operand: &Operand) -> QualType {
        match operand {
            Operand::Value(value) => QualType::plain(value.ty),
            Operand::Place(place) => place.ty,
            Operand::Function(id, _) => QualType::plain(self.functions[*id].ty),
        }
    }

    pub(crate) fn operand(&mut self, expr: &ast::Expr) -> Result<Operand> {
        use ast::ExprKind as E;
        let span = expr.span;
        match &expr.kind {
            E::Name(name) => self.name_operand(*name, span),
            E::Paren(inner) => self.operand(inner),
            E::Index(base, index) => self.index(base, index, span).map(Operand::Place),
            E::Member { base, name, name_span } => self.member(base, *name, *name_span, span).map(Operand::Place),
            E::Arrow { base, name, name_span } => self.arrow(base, *name, *name_span, span).map(Operand::Place),
            E::Unary(ast::Unary::Deref, operand) => self.dereference(operand, span).map(Operand::Place),
            E::Unary(ast::Unary::Real, operand) => self.real_part(operand),
            E::String(literal) => Ok(Operand::Place(self.string_place(literal))),
            E::CompoundLiteral { ty, items } => self.compound_literal(ty, items, span).map(Operand::Place),
            E::ChooseExpr(condition, then, otherwise) => self.choose(condition, then, otherwise),
            E::Generic { control, arms } => self.generic(control, arms, span),
            _ => self.value_expr(expr).map(Operand::Value),
        }
    }

    fn value_expr(&mut self, expr: &ast::Expr) -> Result<Expr> {
        use ast::ExprKind as E;
        let span = expr.span;
        match &expr.kind {
            E::Int { value, suffix, decimal } => {
                let (constant, ty) = self.integer_literal(*value, *suffix, *decimal);
                Ok(Expr { kind: ExprKind::Constant(constant), ty, span })
            }
            E::Char { value, encoding } => Ok(self.char_literal(*value, *encoding, span)),
            E::Float { text, suffix } => self.float_literal(*text, *suffix, span),
            E::Call { callee, args } => self.call(callee, args, span),
            E::Unary(op, operand) => self.unary(*op, operand, span),
            E::Binary(op, left, right) => self.binary(*op, left, right, span),
            E::Assign(op, left, right) => self.assign(*op, left, right, span),
            E::Conditional(condition, then, otherwise) => self.conditional(condition, then.as_deref(), otherwise, span),
            E::Comma(left, right) => self.comma(left, right, span),
            E::Cast(ty, operand) => self.cast(ty, operand, span),
            E::SizeofExpr(operand) => self.sizeof_expr(operand, span),
            E::SizeofType(name) => self.sizeof_type(name, span),
            E::AlignofExpr(operand) => self.alignof_expr(operand, span),
            E::AlignofType(which, name) => self.alignof_type(name, *which, span),
            E::Offsetof { ty, path } => self.offsetof(ty, path, span),
            E::TypesCompatible(a, b) => self.types_compatible(a, b, span),
            E::VaArg(list, ty) => self.va_arg(list, ty, span),
            E::Statement(items, end) => self.statement_expression(items, *end, span),
            E::LabelAddress(name) => self.label_address(*name, span),
            _ => unreachable!("operand() handles what denotes a place"),
        }
    }

    fn name_operand(&mut self, name: Symbol, span: Span) -> Result<Operand> {
        let place = |kind, ty| Ok(Operand::Place(Place { kind, ty, span }));
        match self.idents.get(name) {
            Some(Entity::Local(id)) => {
                let ty = self.local_mut(id).ty;
                place(PlaceKind::Local(id), ty)
            }
            Some(Entity::Object(id)) => place(PlaceKind::Object(id), self.objects[id].ty),
            Some(Entity::Function(id)) => Ok(Operand::Function(id, span)),
            Some(Entity::Enumerator { value, ty }) => Ok(Operand::Value(self.int_constant(value, ty, span))),
            // Only met in lengths that are thrown away.
            Some(Entity::Ghost(ty)) => place(PlaceKind::Local(LocalId(u32::MAX)), ty),
            Some(Entity::Typedef { .. }) => {
                error(span, format!("the type ‘{}’ stands where an expression is needed", self.name(name)))
            }
            None => self.undeclared(name, span),
        }
    }

    fn undeclared(&mut self, name: Symbol, span: Span) -> Result<Operand> {
        if self.words.function_names.contains(&name) && self.current.is_some() {
            return Ok(Operand::Place(self.function_name(span)));
        }
        // The address of a builtin such as `__builtin_memcpy`, or of `malloc` without its header.
        if self.name(name).starts_with("__builtin_")
            && let Some(id) = self.library_function(name, span)
        {
            return Ok(Operand::Function(id, span));
        }
        let message = format!("‘{}’ is not declared", self.name(name));
        error_help(span, message, "declare it before this place, or include the header that does")
    }

    /// `__func__` and its kin.
    fn function_name(&mut self, span: Span) -> Place {
        let id = self.state().id;
        let text = self.names.resolve(self.functions[id].name).to_owned();
        let units: Vec<u32> = text.chars().map(u32::from).chain([0]).collect();
        let element = QualType { ty: self.common.char, quals: Quals::CONST };
        let length = ArrayLength::Known(units.len() as u64);
        let ty = self.types.intern(Type::Array { element, length });
        let id = self.strings.push(StringData { units, unit: 1, ty });
        Place { kind: PlaceKind::String(id), ty: QualType::plain(ty), span }
    }

    fn char_literal(&mut self, value: u32, encoding: Encoding, span: Span) -> Expr {
        let ty = match encoding {
            Encoding::Plain => self.common.int,
            Encoding::Utf8 => self.common.char,
            Encoding::Utf16 | Encoding::Utf32 | Encoding::Wide => self.unit_type(encoding),
        };
        let bits = self.types.int_bits(ty).unwrap_or(32);
        self.int_constant(crate::type_query::truncate(u128::from(value), bits), ty, span)
    }

    fn float_literal(&mut self, text: Symbol, suffix: FloatSuffix, span: Span) -> Result<Expr> {
        let kind = match suffix {
            FloatSuffix::None => FloatKind::Double,
            FloatSuffix::F => FloatKind::Float,
            FloatSuffix::L => FloatKind::LongDouble,
            FloatSuffix::Q => FloatKind::Float128,
            FloatSuffix::Imaginary => return unsupported(span, "an imaginary constant"),
        };
        let Some(bits) = float::parse(kind, self.names.resolve(text)) else {
            return error(span, "this floating constant cannot be read");
        };
        Ok(Expr { kind: ExprKind::Constant(Constant::Float(bits)), ty: self.float_type(kind), span })
    }

    /// The type of one unit of a string of that encoding.
    pub(crate) fn unit_type(&mut self, encoding: Encoding) -> TypeId {
        match encoding {
            Encoding::Plain | Encoding::Utf8 => self.common.char,
            Encoding::Utf16 => self.int_type(IntKind::UShort),
            Encoding::Utf32 => self.common.uint,
            Encoding::Wide => match self.types.data_model {
                DataModel::Lp64 => self.common.int,
                DataModel::Ilp32 => self.common.long,
            },
        }
    }

    pub(crate) fn string(&mut self, literal: &ast::StringLiteral) -> StringId {
        let element = self.unit_type(literal.encoding);
        let unit = self.types.size_of(element).unwrap_or(1) as u8;
        let mut units = Vec::with_capacity(literal.units.len() + 1);
        units.extend_from_slice(&literal.units);
        units.push(0);
        let length = ArrayLength::Known(units.len() as u64);
        let ty = self.types.intern(Type::Array { element: QualType::plain(element), length });
        self.strings.push(StringData { units, unit, ty })
    }

    fn string_place(&mut self, literal: &ast::StringLiteral) -> Place {
        let id = self.string(literal);
        Place { kind: PlaceKind::String(id), ty: QualType::plain(self.strings[id].ty), span: literal.span }
    }

    fn comma(&mut self, left: &ast::Expr, right: &ast::Expr, span: Span) -> Result<Expr> {
        let left = self.value(left)?;
        let right = self.value(right)?;
        let ty = right.ty;
        Ok(Expr { kind: ExprKind::Comma(Box::new(left), Box::new(right)), ty, span })
    }

    fn choose(&mut self, condition: &ast::Expr, then: &ast::Expr, otherwise: &ast::Expr) -> Result<Operand> {
        let condition = self.value(condition)?;
        match self.evaluator().truth(&condition) {
            Some(true) => self.operand(then),
            Some(false) => self.operand(otherwise),
            None => error(condition.span, "the first argument of ‘__builtin_choose_expr’ is not constant"),
        }
    }

    fn generic(
        &mut self,
        control: &ast::Expr,
        arms: &[(Option<ast::TypeName>, ast::Expr)],
        span: Span,
    ) -> Result<Operand> {
        let value = self.unevaluated(|this| this.value(control));
        let control = value?.ty;
        let mut chosen = None;
        for (name, arm) in arms {
            match name {
                None if chosen.is_none() => chosen = Some(arm),
                None => {}
                Some(name) => {
                    let ty = self.type_name(name)?;
                    if ty.quals == Quals::NONE && self.types.compatible(ty.ty, control) {
                        return self.operand(arm);
                    }
                }
            }
        }
        match chosen {
            Some(arm) => self.operand(arm),
            None => error(span, format!("no association of ‘_Generic’ fits the type ‘{}’", self.type_text(control))),
        }
    }

    fn types_compatible(&mut self, a: &ast::TypeName, b: &ast::TypeName, span: Span) -> Result<Expr> {
        let (a, b) = (self.type_name(a)?, self.type_name(b)?);
        // Different enumerations are different here, though each is compatible with an integer type.
        let same = self.types.compatible(a.ty, b.ty);
        Ok(self.int_constant(u128::from(same), self.common.int, span))
    }

    fn label_address(&mut self, name: Symbol, span: Span) -> Result<Expr> {
        if self.current.is_none() {
            return error(span, "the address of a label is taken outside of a function");
        }
        let label = self.use_label(name, span);
        self.state().labels[label].address_taken = true;
        Ok(Expr { kind: ExprKind::LabelAddress(label), ty: self.common.void_pointer, span })
    }

    /// `({ … })`: the last statement, if an expression, is the value.
    fn statement_expression(&mut self, items: &[ast::BlockItem], end: Span, span: Span) -> Result<Expr> {
        if self.current.is_none() {
            return error(span, "a statement expression outside of a function");
        }
        self.push_scope();
        let static_context = std::mem::replace(&mut self.static_context, false);
        let mut out = Vec::with_capacity(items.len());
        let value = self.statement_expression_items(items, &mut out)?;
        self.static_context = static_context;
        self.pop_scope();
        let ty = value.as_ref().map_or(self.common.void, |value| value.ty);
        Ok(Expr { kind: ExprKind::Statement(out, value.map(Box::new), end), ty, span })
    }

    fn statement_expression_items(
        &mut self,
        items: &[ast::BlockItem],
        out: &mut Vec<Statement>,
    ) -> Result<Option<Expr>> {
        let hidden = self.state().hidden_labels.len();
        let value = match items.split_last() {
            Some((ast::BlockItem::Statement(last), before)) => {
                for item in before {
                    self.block_item(item, out)?;
                }
                self.last_statement(last, out)?
            }
            _ => {
                for item in items {
                    self.block_item(item, out)?;
                }
                None
            }
        };
        self.restore_labels(hidden)?;
        Ok(value)
    }

    /// The last statement of a statement expression, whose value, labels or not, is that of the whole.
    fn last_statement(&mut self, last: &ast::Statement, out: &mut Vec<Statement>) -> Result<Option<Expr>> {
        match &last.kind {
            ast::StatementKind::Label { name, statement, .. } => {
                let id = self.define_label(*name, last.span)?;
                let empty = Box::new(Statement { kind: StatementKind::Empty, span: last.span });
                out.push(Statement { kind: StatementKind::Label(id, empty), span: last.span });
                self.last_statement(statement, out)
            }
            ast::StatementKind::Expr(Some(expr)) => {
                let value = self.value(expr)?;
                if !self.types.is_void(value.ty) {
                    return Ok(Some(value));
                }
                out.push(Statement { span: last.span, kind: StatementKind::Expr(value) });
                Ok(None)
            }
            _ => {
                let statement = self.statement(last)?;
                out.push(statement);
                Ok(None)
            }
        }
    }

    pub(crate) fn unary(&mut self, op: ast::Unary, operand: &ast::Expr, span: Span) -> Result<Expr> {
        use ast::Unary as U;
        match op {
            U::Plus | U::Minus | U::Complement => self.arithmetic_unary(op, operand, span),
            U::Not => self.logical_not(operand, span),
            U::AddressOf => self.address_of_expr(operand, span),
            U::PreIncrement => self.increment(operand, Step::Up, When::After, span),
            U::PreDecrement => self.increment(operand, Step::Down, When::After, span),
            U::PostIncrement => self.increment(operand, Step::Up, When::Before, span),
            U::PostDecrement => self.increment(operand, Step::Down, When::Before, span),
            U::Imag => unsupported(span, "‘__imag__’"),
            U::Deref | U::Real => unreachable!("operand() handles what denotes a place"),
        }
    }

    /// Of a real operand the real part is the operand.
    fn real_part(&mut self, operand: &ast::Expr) -> Result<Operand> {
        self.operand(operand)
    }
}
