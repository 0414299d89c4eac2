//! Initialisers, flattened: nested lists, elided braces, designators and ranges become scalars at byte offsets.

use base::Span;

use super::filling::{Filling, Target, Texts};
use super::{Analyzer, Result, error, unsupported};
use crate::ast::{self, Designator, InitItem, Initializer};
use crate::typed::{Expr, ExprKind, Init, InitPart, InitValue, Place, PlaceKind};
use crate::types::{ArrayLength, QualType, RecordId, RecordKind, Type, TypeId};

type Parts = Vec<InitPart<Expr>>;

/// The items of one brace-enclosed list, consumed one after the other.
struct Cursor<'i> {
    items: &'i [InitItem],
    position: usize,
    /// The value of the current item if it had to be analysed to see whether it fills a whole record.
    analysed: Option<Expr>,
}

/// What one designator names.
#[derive(Default)]
struct Designated<'d> {
    /// The members it leads through: more than one if it names a member of an anonymous record.
    steps: Vec<u64>,
    /// The designators behind it.
    rest: &'d [Designator],
    /// Count and stride of a range.
    repeat: Option<(u64, u64)>,
}

impl Analyzer {
    pub(crate) fn local_initializer(
        &mut self,
        ty: QualType,
        init: &Initializer,
        span: Span,
    ) -> Result<(QualType, Init)> {
        if self.types.is_variable(ty.ty) {
            let empty = matches!(init, Initializer::List { items, .. } if items.is_empty());
            if !empty {
                return error(span, "an array of variable length cannot be initialised");
            }
        }
        let (ty, parts) = self.flatten(ty, init)?;
        let zero = matches!(init, Initializer::List { .. }) && !self.types.is_scalar(ty.ty);
        Ok((ty, Init { zero, parts }))
    }

    /// The list of a compound literal in a function.
    pub(crate) fn local_list(&mut self, ty: QualType, items: &[InitItem], span: Span) -> Result<(QualType, Init)> {
        let (ty, parts) = self.flatten_list(ty, items, span)?;
        Ok((ty, Init { zero: !self.types.is_scalar(ty.ty), parts }))
    }

    /// All parts of an initialiser, and the type with its length completed.
    pub(super) fn flatten(&mut self, ty: QualType, init: &Initializer) -> Result<(QualType, Parts)> {
        match init {
            Initializer::List { items, span } => self.flatten_list(ty, items, *span),
            Initializer::Expr(expr) => {
                let mut filling = Filling::default();
                self.fill_from_expr(&mut filling, Target::whole(ty), expr)?;
                Ok((self.completed(ty, &filling), filling.finish()))
            }
        }
    }

    pub(super) fn flatten_list(&mut self, ty: QualType, items: &[InitItem], span: Span) -> Result<(QualType, Parts)> {
        let mut filling = Filling::default();
        self.fill_from_list(&mut filling, Target::whole(ty), items, span)?;
        let ty = self.completed(ty, &filling);
        if filling.lost {
            return unsupported(span, "replacing some elements of a range whose value is not constant");
        }
        Ok((ty, filling.finish()))
    }

    fn texts(&self) -> Texts<'_> {
        Texts { types: &self.types, strings: &self.strings }
    }

    fn completed(&mut self, ty: QualType, filling: &Filling) -> QualType {
        match self.types[ty.ty] {
            Type::Array { element, length: ArrayLength::Unknown } => {
                let length = ArrayLength::Known(filling.length);
                QualType { ty: self.types.intern(Type::Array { element, length }), quals: ty.quals }
            }
            _ => ty,
        }
    }

    /// `T x = e`, or an item without braces for a whole member.
    fn fill_from_expr(&mut self, out: &mut Filling, target: Target, expr: &ast::Expr) -> Result<()> {
        if let Some(literal) = string_literal(expr)
            && self.takes_string(target.ty.ty, literal)
        {
            return self.fill_string(out, target, literal);
        }
        if self.types.element(target.ty.ty).is_some() {
            return self.fill_array_from_expr(out, target, expr);
        }
        let value = self.value(expr)?;
        self.fill_value(out, target, value)
    }

    fn fill_value(&mut self, out: &mut Filling, target: Target, value: Expr) -> Result<()> {
        if !self.types.is_complete(target.ty.ty) {
            let text = self.qual_text(target.ty);
            return error(value.span, format!("an object of the incomplete type ‘{text}’ is initialised"));
        }
        let mut value = self.assignable(value, target.ty.ty, "initialisation")?;
        // What a range repeats can be taken apart only if it is constant.
        if (self.static_context || !target.repeat.is_empty())
            && let Some(constant) = self.static_value(&value)
        {
            value.kind = ExprKind::Constant(constant);
        }
        let size = self.types.size_of(target.ty.ty).unwrap_or(0);
        out.add(self.texts(), target, InitValue::Value(value), size);
        Ok(())
    }

    /// GNU C lets an array be initialised by a compound literal of its type.
    fn fill_array_from_expr(&mut self, out: &mut Filling, target: Target, expr: &ast::Expr) -> Result<()> {
        if let ast::ExprKind::CompoundLiteral { ty, items } = &without_parens(expr).kind {
            let literal = self.type_name(ty)?;
            if self.types.compatible(literal.ty, target.ty.ty) {
                return self.fill_from_list(out, target, items, expr.span);
            }
        }
        error(expr.span, "an array can only be initialised by a list in braces or a string")
    }

    /// Whether a string of that encoding fills an array of that type.
    fn takes_string(&mut self, ty: TypeId, literal: &ast::StringLiteral) -> bool {
        let Some((element, _)) = self.types.element(ty) else { return false };
        let unit = self.unit_type(literal.encoding);
        match (self.types.int_kind(element.ty), self.types.int_kind(unit)) {
            (Some(element), Some(unit)) => {
                let model = self.types.data_model;
                element.bits(model) == unit.bits(model)
            }
            _ => false,
        }
    }

    fn fill_string(&mut self, out: &mut Filling, target: Target, literal: &ast::StringLiteral) -> Result<()> {
        let id = self.string(literal);
        let units = self.strings[id].units.len() as u64;
        let unit = u64::from(self.strings[id].unit);
        let length = match self.types.element(target.ty.ty) {
            Some((_, ArrayLength::Known(length))) => length,
            _ => units,
        };
        out.length = out.length.max(length);
        out.add(self.texts(), target, InitValue::String(id, length), length * unit);
        Ok(())
    }

    fn fill_from_list(&mut self, out: &mut Filling, target: Target, items: &[InitItem], span: Span) -> Result<()> {
        // `char s[] = {"abc"}`
        if let [InitItem { designators, value: Initializer::Expr(expr) }] = items
            && designators.is_empty()
            && let Some(literal) = string_literal(expr)
            && self.takes_string(target.ty.ty, literal)
        {
            return self.fill_string(out, target, literal);
        }
        match self.types[target.ty.ty] {
            Type::Array { .. } => {}
            Type::Record(id) if self.types.records[id].body.is_some() => {}
            Type::Record(_) | Type::Void | Type::Function(_) => {
                let text = self.qual_text(target.ty);
                return error(span, format!("an object of type ‘{text}’ cannot be initialised"));
            }
            _ => return self.fill_scalar_from_list(out, target, items, span),
        }
        let mut cursor = Cursor { items, position: 0, analysed: None };
        self.fill_aggregate(out, &target, &mut cursor, 0, true)?;
        Ok(())
    }

    fn fill_scalar_from_list(
        &mut self,
        out: &mut Filling,
        target: Target,
        items: &[InitItem],
        span: Span,
    ) -> Result<()> {
        let Some(item) = items.first() else { return error(span, "an empty list cannot initialise a scalar") };
        if !item.designators.is_empty() {
            return error(span, "a designator in the initialiser of a scalar");
        }
        match &item.value {
            Initializer::Expr(expr) => self.fill_from_expr(out, target, expr),
            Initializer::List { items, span } => self.fill_scalar_from_list(out, target, items, *span),
        }
    }

    /// Fills the members of an aggregate from member `first` on. Inside braces it takes all items of the list,
    /// otherwise only as many as it has room for, and none with designators.
    fn fill_aggregate(
        &mut self,
        out: &mut Filling,
        target: &Target,
        cursor: &mut Cursor,
        first: u64,
        braced: bool,
    ) -> Result<()> {
        let mut next = self.skip_unnamed(target, first);
        while let Some(item) = cursor.items.get(cursor.position) {
            if !item.designators.is_empty() && cursor.analysed.is_none() {
                if !braced {
                    return Ok(());
                }
                next = self.fill_designated(out, target, cursor, &item.designators, target.repeat.len())?;
                continue;
            }
            let Some(member) = self.member_target(target, next) else {
                if !braced {
                    return Ok(());
                }
                // Excess items; GCC warns and drops them.
                cursor.position += 1;
                continue;
            };
            self.note_member(out, target, next);
            self.fill_member(out, member, cursor)?;
            next = self.after(target, next);
        }
        Ok(())
    }

    /// The items at the cursor for one member.
    fn fill_member(&mut self, out: &mut Filling, member: Target, cursor: &mut Cursor) -> Result<()> {
        if let Some(value) = cursor.analysed.take() {
            return self.fill_member_from_value(out, member, cursor, value);
        }
        match &cursor.items[cursor.position].value {
            Initializer::List { items, span } => {
                cursor.position += 1;
                self.fill_nested_list(out, member, items, *span)
            }
            Initializer::Expr(expr) => self.fill_member_from_expr(out, member, cursor, expr),
        }
    }

    /// Lengths found inside belong to the member, not to the whole.
    fn fill_nested_list(&mut self, out: &mut Filling, member: Target, items: &[InitItem], span: Span) -> Result<()> {
        let length = out.length;
        out.clear(self.texts(), &member, self.types.size_of(member.ty.ty).unwrap_or(0));
        self.fill_from_list(out, member, items, span)?;
        out.length = length;
        Ok(())
    }

    fn fill_member_from_expr(
        &mut self,
        out: &mut Filling,
        member: Target,
        cursor: &mut Cursor,
        expr: &ast::Expr,
    ) -> Result<()> {
        let length = out.length;
        if let Some(literal) = string_literal(expr) {
            if self.takes_string(member.ty.ty, literal) {
                cursor.position += 1;
                self.fill_string(out, member, literal)?;
                out.length = length;
                return Ok(());
            }
            if self.is_aggregate(member.ty.ty) {
                self.fill_aggregate(out, &member, cursor, 0, false)?;
                out.length = length;
                return Ok(());
            }
        }
        if let Type::Array { .. } = self.types[member.ty.ty] {
            if let ast::ExprKind::CompoundLiteral { .. } = without_parens(expr).kind {
                cursor.position += 1;
                self.fill_array_from_expr(out, member, expr)?;
            } else {
                self.fill_aggregate(out, &member, cursor, 0, false)?;
            }
            out.length = length;
            return Ok(());
        }
        let value = self.value(expr)?;
        self.fill_member_from_value(out, member, cursor, value)
    }

    fn fill_member_from_value(
        &mut self,
        out: &mut Filling,
        member: Target,
        cursor: &mut Cursor,
        value: Expr,
    ) -> Result<()> {
        if self.is_aggregate(member.ty.ty) && member.ty.ty != value.ty && self.has_members(&member) {
            // Braces are elided: the value is for the first scalar inside.
            let length = out.length;
            cursor.analysed = Some(value);
            self.fill_aggregate(out, &member, cursor, 0, false)?;
            out.length = length;
            return Ok(());
        }
        cursor.position += 1;
        self.fill_value(out, member, value)
    }

    fn is_aggregate(&self, ty: TypeId) -> bool {
        matches!(self.types[ty], Type::Array { .. } | Type::Record(_))
    }

    fn has_members(&self, target: &Target) -> bool {
        let first = self.skip_unnamed(target, 0);
        self.member_target(target, first).is_some()
    }

    /// Fills what the designators of the current item name, and what follows it. Returns the next member of `target`.
    /// The first `outer` repetitions are those of the list in braces that the item belongs to.
    fn fill_designated(
        &mut self,
        out: &mut Filling,
        target: &Target,
        cursor: &mut Cursor,
        designators: &[Designator],
        outer: usize,
    ) -> Result<u64> {
        let Designated { steps, rest, repeat } = self.designated_member(target, designators)?;
        let Some((&index, inner)) = steps.split_first() else { return Ok(0) };
        let mut member = self.member_target(target, index);
        if let (Some(member), Some((count, stride))) = (&mut member, repeat) {
            member.repeat.push((count, stride));
        }
        let last = index + repeat.map_or(0, |(count, _)| count - 1);
        self.note_member(out, target, last);
        let Some(mut member) = member else {
            cursor.position += 1;
            return Ok(self.after(target, last));
        };
        // Members of anonymous records are reached through them.
        let mut path = Vec::new();
        for &step in inner {
            path.push((member.clone(), step));
            self.note_member(out, &member, step);
            let Some(deeper) = self.member_target(&member, step) else { break };
            member = deeper;
        }
        let length = out.length;
        if rest.is_empty() {
            self.fill_member(out, member, cursor)?;
        } else {
            self.check_designatable(&member, &rest[0])?;
            let next = self.fill_designated(out, &member, cursor, rest, outer)?;
            self.fill_aggregate(out, &member.last_copy(outer), cursor, next, false)?;
        }
        for (between, step) in path.into_iter().rev() {
            let next = self.after(&between, step);
            self.fill_aggregate(out, &between.last_copy(outer), cursor, next, false)?;
        }
        out.length = length;
        Ok(self.after(target, last))
    }

    fn check_designatable(&self, member: &Target, designator: &Designator) -> Result<()> {
        let fits = match designator {
            Designator::Field(..) => self.types.record_id(member.ty.ty).is_some(),
            _ => self.types.element(member.ty.ty).is_some(),
        };
        if fits {
            return Ok(());
        }
        let span = match designator {
            Designator::Field(_, span) => *span,
            Designator::Index(expr) | Designator::Range(expr, _) => expr.span,
        };
        error(span, format!("this designator does not fit the type ‘{}’", self.qual_text(member.ty)))
    }

    fn designated_member<'d>(&mut self, target: &Target, designators: &'d [Designator]) -> Result<Designated<'d>> {
        let Some((first, rest)) = designators.split_first() else { return Ok(Designated::default()) };
        self.check_designatable(target, first)?;
        match first {
            Designator::Field(name, span) => {
                let record = self.types.record_id(target.ty.ty).expect("checked above");
                let Some(path) = self.find_member(record, *name) else { return self.no_member(record, *name, *span) };
                let steps = path.into_iter().map(u64::from).collect();
                Ok(Designated { steps, rest, repeat: None })
            }
            Designator::Index(index) => {
                Ok(Designated { steps: vec![self.designated_index(target, index)?], rest, repeat: None })
            }
            Designator::Range(low, high) => {
                let first = self.designated_index(target, low)?;
                let last = self.designated_index(target, high)?;
                if last < first {
                    return error(high.span, "an empty range of indices");
                }
                let (element, _) = self.types.element(target.ty.ty).expect("checked above");
                let stride = self.types.size_of(element.ty).unwrap_or(0);
                let repeat = if last > first { Some((last - first + 1, stride)) } else { None };
                Ok(Designated { steps: vec![first], rest, repeat })
            }
        }
    }

    fn designated_index(&mut self, target: &Target, expr: &ast::Expr) -> Result<u64> {
        let value = self.constant_integer(expr, "index")?;
        let limit = match self.types.element(target.ty.ty) {
            Some((_, ArrayLength::Known(length))) => length,
            _ => 1 << 40,
        };
        match u64::try_from(value) {
            Ok(index) if index < limit => Ok(index),
            _ => error(expr.span, format!("the index {value} lies outside of the array")),
        }
    }

    /// Where member `index` of an aggregate lies; `None` behind the last one.
    fn member_target(&self, target: &Target, index: u64) -> Option<Target> {
        match self.types[target.ty.ty] {
            Type::Array { element, length } => {
                if let ArrayLength::Known(length) = length
                    && index >= length
                {
                    return None;
                }
                let size = self.types.size_of(element.ty)?;
                let offset = target.offset + index * size;
                Some(Target { ty: element, offset, bits: None, repeat: target.repeat.clone() })
            }
            Type::Record(id) => {
                let field = self.types.records[id].body.as_ref()?.fields.get(usize::try_from(index).ok()?)?;
                let offset = target.offset + field.offset;
                Some(Target { ty: field.ty, offset, bits: field.bits, repeat: target.repeat.clone() })
            }
            _ => None,
        }
    }

    /// Unnamed bit-fields are not members for an initialiser.
    fn skip_unnamed(&self, target: &Target, mut index: u64) -> u64 {
        let Type::Record(id) = self.types[target.ty.ty] else { return index };
        let Some(body) = &self.types.records[id].body else { return index };
        while let Some(field) = body.fields.get(index as usize)
            && field.name.is_none()
            && field.bits.is_some()
        {
            index += 1;
        }
        index
    }

    /// The member after `index`; a union has only one.
    fn after(&self, target: &Target, index: u64) -> u64 {
        match self.types[target.ty.ty] {
            Type::Record(id) if self.types.records[id].kind == RecordKind::Union => u64::MAX,
            _ => self.skip_unnamed(target, index + 1),
        }
    }

    /// Arrays of open length grow; a union holds its newest member only.
    fn note_member(&self, out: &mut Filling, target: &Target, index: u64) {
        match self.types[target.ty.ty] {
            Type::Array { length: ArrayLength::Unknown, .. } => out.length = out.length.max(index + 1),
            Type::Record(id) if self.types.records[id].kind == RecordKind::Union => {
                out.activate(self.texts(), target, index, self.types.size_of(target.ty.ty).unwrap_or(0));
            }
            _ => {}
        }
    }

    /// GNU's cast to a union, and what a transparent union does to an argument.
    pub(crate) fn cast_to_union(&mut self, value: Expr, ty: TypeId, span: Span) -> Result<Expr> {
        let Some(field) = self.union_member(ty, &value) else {
            let (from, to) = (self.type_text(value.ty), self.type_text(ty));
            return error(span, format!("a value of type ‘{from}’ is of no member’s type in ‘{to}’"));
        };
        if self.current.is_none() {
            return error(span, "a cast to a union is not constant");
        }
        let value = self.convert(value, field.ty);
        let part =
            InitPart { offset: 0, ty: field, bits: None, repeat: Box::default(), value: InitValue::Value(value) };
        let local = self.new_local(None, QualType::plain(ty), span);
        let init = Box::new(Init { zero: true, parts: vec![part] });
        let place = Place { kind: PlaceKind::Compound(local, init), ty: QualType::plain(ty), span };
        Ok(Expr { kind: ExprKind::Load(Box::new(place)), ty, span })
    }

    fn union_member(&self, ty: TypeId, value: &Expr) -> Option<QualType> {
        let id: RecordId = self.types.record_id(ty)?;
        let fields = &self.types.records[id].body.as_ref()?.fields;
        let exact = fields.iter().find(|field| self.types.compatible(field.ty.ty, value.ty));
        let pointer = |ty| self.types.is_pointer(ty);
        let loose = || {
            let null = self.is_null_constant(value);
            fields.iter().find(|field| pointer(field.ty.ty) && (pointer(value.ty) || null))
        };
        exact.or_else(loose).map(|field| field.ty)
    }
}

fn without_parens(expr: &ast::Expr) -> &ast::Expr {
    let mut expr = expr;
    while let ast::ExprKind::Paren(inner) = &expr.kind {
        expr = inner;
    }
    expr
}

fn string_literal(expr: &ast::Expr) -> Option<&ast::StringLiteral> {
    match &without_parens(expr).kind {
        ast::ExprKind::String(literal) => Some(literal),
        _ => None,
    }
}
