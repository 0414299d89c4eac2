//! Statements.

use base::{Span, Symbol};

use super::expr::Operand;
use super::function::LabelEntry;
use super::{Analyzer, Result, error, unsupported};
use crate::ast::{self, BlockItem, ForInit};
use crate::typed::{Asm, Expr, Label, LabelId, Place, Statement, StatementKind};

impl Analyzer {
    pub(crate) fn block_items(&mut self, items: &[BlockItem], out: &mut Vec<Statement>) -> Result<()> {
        let hidden = self.state().hidden_labels.len();
        for item in items {
            self.block_item(item, out)?;
        }
        self.restore_labels(hidden)
    }

    pub(crate) fn block_item(&mut self, item: &BlockItem, out: &mut Vec<Statement>) -> Result<()> {
        match item {
            BlockItem::Statement(statement) => {
                let statement = self.statement(statement)?;
                out.push(statement);
                Ok(())
            }
            BlockItem::Declaration(declaration) => self.local_declaration(declaration, out),
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::NestedFunction(function) => unsupported(function.span, "a nested function"),
        }
    }

    pub(crate) fn push_scope(&mut self) {
        if let Some(state) = &mut self.current {
            state.jumps.enter();
        }
        self.idents.push();
        self.tags.push();
    }

    pub(crate) fn pop_scope(&mut self) {
        if let Some(state) = &mut self.current {
            state.jumps.leave();
        }
        self.tags.pop();
        self.idents.pop();
    }

    pub(crate) fn statement(&mut self, statement: &ast::Statement) -> Result<Statement> {
        let mark = self.pending_vlas.len();
        let kind = self.statement_kind(statement)?;
        // Lengths in types that were only compared or measured need not be evaluated.
        self.pending_vlas.truncate(mark);
        Ok(Statement { kind, span: statement.span })
    }

    fn boxed(&mut self, statement: &ast::Statement) -> Result<Box<Statement>> {
        Ok(Box::new(self.statement(statement)?))
    }

    fn statement_kind(&mut self, statement: &ast::Statement) -> Result<StatementKind> {
        use ast::StatementKind as S;
        match &statement.kind {
            S::Expr(None) => Ok(StatementKind::Empty),
            S::Expr(Some(expr)) => Ok(StatementKind::Expr(self.full_expression(expr)?)),
            S::Block(items, end) => self.block(items, *end),
            S::If { condition, then, otherwise } => self.if_statement(condition, then, otherwise.as_deref()),
            S::Switch { value, body } => self.switch(value, body),
            S::While { condition, body } => {
                let condition = self.condition(condition)?;
                Ok(StatementKind::While { condition, body: self.loop_body(body)? })
            }
            S::DoWhile { body, condition } => {
                let body = self.loop_body(body)?;
                Ok(StatementKind::DoWhile { body, condition: self.condition(condition)? })
            }
            S::For { init, condition, step, body } => {
                self.push_scope();
                let result = self.for_statement(init, condition.as_ref(), step.as_ref(), body);
                self.pop_scope();
                result
            }
            S::Goto(name) => {
                let label = self.use_label(*name, statement.span);
                self.state().jumps.jump(label, statement.span);
                Ok(StatementKind::Goto(label))
            }
            S::GotoComputed(target) => self.computed_goto(target),
            S::Continue if self.state().loops == 0 => error(statement.span, "‘continue’ outside of a loop"),
            S::Continue => Ok(StatementKind::Continue),
            S::Break if self.state().breakables == 0 => error(statement.span, "‘break’ outside of a loop or switch"),
            S::Break => Ok(StatementKind::Break),
            S::Return(value) => self.return_statement(value.as_ref()),
            S::Label { name, statement: inner, .. } => {
                let id = self.define_label(*name, statement.span)?;
                Ok(StatementKind::Label(id, self.boxed(inner)?))
            }
            S::Case { low, high, statement: inner } => self.case(low, high.as_ref(), inner, statement.span),
            S::Default(inner) => self.default(inner, statement.span),
            S::Asm(asm) => self.asm(asm),
            S::LocalLabels(names) => self.local_labels(names, statement.span),
            S::AcslAssert(condition) => Ok(StatementKind::Assert(self.condition(condition)?)),
        }
    }

    fn block(&mut self, items: &[BlockItem], end: Span) -> Result<StatementKind> {
        self.push_scope();
        let mut out = Vec::with_capacity(items.len());
        self.block_items(items, &mut out)?;
        self.pop_scope();
        Ok(StatementKind::Block(out, end))
    }

    /// An expression for its effect. Its value is dropped, whatever type it has.
    fn full_expression(&mut self, expr: &ast::Expr) -> Result<Expr> {
        match self.operand(expr)? {
            // Reading an array or a function has no effect, so it need not become a pointer.
            Operand::Place(place) if self.is_incomplete_place(&place) => Ok(self.discard_place(place)),
            operand => self.decay(operand),
        }
    }

    fn is_incomplete_place(&self, place: &Place) -> bool {
        !self.types.is_complete(place.ty.ty) && self.types.record_id(place.ty.ty).is_some()
    }

    pub(crate) fn condition(&mut self, expr: &ast::Expr) -> Result<Expr> {
        let value = self.value(expr)?;
        self.require_scalar(&value)?;
        Ok(value)
    }

    pub(crate) fn require_scalar(&self, value: &Expr) -> Result<()> {
        if self.types.is_scalar(value.ty) {
            return Ok(());
        }
        error(value.span, format!("a value of type ‘{}’ stands where a scalar is needed", self.type_text(value.ty)))
    }

    fn if_statement(
        &mut self,
        condition: &ast::Expr,
        then: &ast::Statement,
        otherwise: Option<&ast::Statement>,
    ) -> Result<StatementKind> {
        let condition = self.condition(condition)?;
        let then = self.boxed(then)?;
        let otherwise = otherwise.map(|statement| self.boxed(statement)).transpose()?;
        Ok(StatementKind::If { condition, then, otherwise })
    }

    fn loop_body(&mut self, body: &ast::Statement) -> Result<Box<Statement>> {
        let state = self.state();
        state.loops += 1;
        state.breakables += 1;
        let body = self.boxed(body);
        let state = self.state();
        state.loops -= 1;
        state.breakables -= 1;
        body
    }

    fn for_statement(
        &mut self,
        init: &ForInit,
        condition: Option<&ast::Expr>,
        step: Option<&ast::Expr>,
        body: &ast::Statement,
    ) -> Result<StatementKind> {
        let mut start = Vec::new();
        match init {
            ForInit::None => {}
            ForInit::Expr(expr) => {
                let value = self.full_expression(expr)?;
                start.push(Statement { span: value.span, kind: StatementKind::Expr(value) });
            }
            ForInit::Declaration(declaration) => self.local_declaration(declaration, &mut start)?,
        }
        let condition = condition.map(|expr| self.condition(expr)).transpose()?;
        let step = step.map(|expr| self.full_expression(expr)).transpose()?;
        Ok(StatementKind::For { init: start, condition, step, body: self.loop_body(body)? })
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>) -> Result<StatementKind> {
        let Some(expr) = value else { return Ok(StatementKind::Return(None)) };
        let result = self.state().result;
        let value = self.value(expr)?;
        if self.types.is_void(result) {
            return Ok(StatementKind::Return(Some(self.to_void(value))));
        }
        Ok(StatementKind::Return(Some(self.assignable(value, result, "return")?)))
    }

    fn computed_goto(&mut self, target: &ast::Expr) -> Result<StatementKind> {
        let value = self.value(target)?;
        if !self.types.is_pointer(value.ty) && !self.types.is_integer(value.ty) {
            return error(value.span, "the target of a computed goto must be a pointer");
        }
        Ok(StatementKind::GotoComputed(self.convert(value, self.common.void_pointer)))
    }

    /// The label of that name, which may be defined later.
    pub(crate) fn use_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let state = self.state();
        if let Some(entry) = state.label_names.get(&name) {
            return entry.id;
        }
        let id = state.labels.push(Label { name, address_taken: false, span });
        state.label_names.insert(name, LabelEntry { id, defined: false });
        id
    }

    pub(crate) fn define_label(&mut self, name: Symbol, span: Span) -> Result<LabelId> {
        let id = self.use_label(name, span);
        let state = self.state();
        let entry = state.label_names.get_mut(&name).expect("just used");
        if entry.defined {
            let previous = state.labels[id].span;
            return Err(self.with_previous(format!("duplicate label ‘{}’", self.name(name)), span, previous));
        }
        entry.defined = true;
        state.labels[id].span = span;
        state.jumps.label(id);
        Ok(id)
    }

    fn local_labels(&mut self, names: &[Symbol], span: Span) -> Result<StatementKind> {
        for &name in names {
            let state = self.state();
            let id = state.labels.push(Label { name, address_taken: false, span });
            let old = state.label_names.insert(name, LabelEntry { id, defined: false });
            state.hidden_labels.push((name, old));
        }
        Ok(StatementKind::Empty)
    }

    pub(crate) fn restore_labels(&mut self, keep: usize) -> Result<()> {
        let mut missing = None;
        let state = self.state();
        while state.hidden_labels.len() > keep {
            let (name, old) = state.hidden_labels.pop().expect("length was checked");
            let local = match old {
                Some(entry) => state.label_names.insert(name, entry),
                None => state.label_names.remove(&name),
            };
            if let Some(entry) = local
                && !entry.defined
            {
                missing = Some((name, state.labels[entry.id].span));
            }
        }
        match missing {
            Some((name, span)) => error(span, format!("label ‘{}’ is declared but not defined", self.name(name))),
            None => Ok(()),
        }
    }

    fn asm(&mut self, asm: &ast::Asm) -> Result<StatementKind> {
        let text = |literal: &ast::StringLiteral| -> String {
            literal.units.iter().map(|&unit| char::from_u32(unit).unwrap_or('?')).collect()
        };
        let mut outputs = Vec::with_capacity(asm.outputs.len());
        let mut read_outputs = Vec::with_capacity(asm.outputs.len());
        for operand in &asm.outputs {
            match self.operand(&operand.value)? {
                Operand::Place(place) => outputs.push(place),
                _ => return error(operand.value.span, "an output of assembly must be an lvalue"),
            }
            read_outputs.push(text(&operand.constraint).contains('+'));
        }
        let mut inputs = Vec::with_capacity(asm.inputs.len());
        let mut ties = Vec::with_capacity(asm.inputs.len());
        for operand in &asm.inputs {
            ties.push(self.tied_output(&text(&operand.constraint), &asm.outputs));
            let input = self.asm_input(&operand.value)?;
            inputs.push(input);
        }
        let clobbers_memory = asm.clobbers.iter().any(|clobber| text(clobber) == "memory");
        let labels = asm.labels.iter().map(|&name| self.use_label(name, asm.span)).collect();
        let volatile = asm.volatile || asm.outputs.is_empty();
        let template = text(&asm.template);
        Ok(StatementKind::Asm(Box::new(Asm {
            template,
            volatile,
            outputs,
            read_outputs,
            inputs,
            ties,
            clobbers_memory,
            labels,
        })))
    }

    /// The output that all alternatives of an input's constraint name, by number or by `[name]`.
    fn tied_output(&self, constraint: &str, outputs: &[ast::AsmOperand]) -> Option<usize> {
        let output = |alternative: &str| {
            let alternative = alternative.trim_matches(|c: char| c.is_whitespace() || c == '%');
            let index = match alternative.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                Some(name) => {
                    outputs.iter().position(|output| output.name.is_some_and(|symbol| self.name(symbol) == name))?
                }
                None => alternative.parse().ok()?,
            };
            (index < outputs.len()).then_some(index)
        };
        let mut alternatives = constraint.split(',').map(output);
        let first = alternatives.next()??;
        alternatives.all(|other| other == Some(first)).then_some(first)
    }

    fn asm_input(&mut self, expr: &ast::Expr) -> Result<Expr> {
        match self.operand(expr)? {
            Operand::Place(place) if !self.types.is_complete(place.ty.ty) => Ok(self.address_of(place)),
            operand => self.decay(operand),
        }
    }
}
