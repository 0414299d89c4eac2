//! Statements and blocks.

use std::io;

use base::Span;

use super::Printer;
use crate::ast::{Block, BlockItem, Expr, ForInit, Statement, StatementKind};

impl Printer<'_> {
    pub(super) fn block(&mut self, block: &Block) -> io::Result<()> {
        block.iter().try_for_each(|item| match item {
            BlockItem::Statement(statement) => self.statement(statement),
            BlockItem::Declaration(declaration) => self.declaration(declaration),
            BlockItem::StaticAssert(assertion) => self.static_assert(assertion),
            BlockItem::NestedFunction(function) => self.function(function),
        })
    }

    fn statement(&mut self, statement: &Statement) -> io::Result<()> {
        let span = statement.span;
        match &statement.kind {
            StatementKind::Expr(None) => self.node(span, format_args!("empty")),
            StatementKind::Expr(Some(expr)) => self.with_expr(span, "expression", Some(expr)),
            StatementKind::Block(block, _) => {
                self.node(span, format_args!("block"))?;
                self.below(|p| p.block(block))
            }
            StatementKind::If { condition, then, otherwise } => {
                self.controlled(span, "if", condition, then)?;
                otherwise.iter().try_for_each(|otherwise| {
                    self.node(otherwise.span, format_args!("else"))?;
                    self.below(|p| p.statement(otherwise))
                })
            }
            StatementKind::Switch { value, body } => self.controlled(span, "switch", value, body),
            StatementKind::While { condition, body } => self.controlled(span, "while", condition, body),
            StatementKind::DoWhile { body, condition } => self.controlled(span, "do", condition, body),
            StatementKind::For { init, condition, step, body } => {
                self.for_loop(span, init, [condition.as_ref(), step.as_ref()], body)
            }
            StatementKind::Goto(label) => self.node(span, format_args!("goto {}", self.name(*label))),
            StatementKind::GotoComputed(target) => self.with_expr(span, "computed goto", Some(target)),
            StatementKind::Continue => self.node(span, format_args!("continue")),
            StatementKind::Break => self.node(span, format_args!("break")),
            StatementKind::Return(value) => self.with_expr(span, "return", value.as_ref()),
            StatementKind::Label { name, attributes, statement } => {
                self.node(span, format_args!("label {}", self.name(*name)))?;
                self.below(|p| {
                    p.attributes(attributes)?;
                    p.statement(statement)
                })
            }
            StatementKind::Case { low, high, statement } => {
                self.node(span, format_args!("case"))?;
                self.below(|p| {
                    p.expr(low)?;
                    high.iter().try_for_each(|high| p.expr(high))?;
                    p.statement(statement)
                })
            }
            StatementKind::Default(statement) => {
                self.node(span, format_args!("default"))?;
                self.below(|p| p.statement(statement))
            }
            StatementKind::Asm(asm) => self.asm(asm),
            StatementKind::LocalLabels(labels) => {
                let labels: Vec<_> = labels.iter().map(|label| self.name(*label)).collect();
                self.node(span, format_args!("local labels {}", labels.join(" ")))
            }
            StatementKind::AcslAssert(condition) => self.with_expr(span, "assert", Some(condition)),
        }
    }

    fn with_expr(&mut self, span: Span, word: &str, expr: Option<&Expr>) -> io::Result<()> {
        self.node(span, format_args!("{word}"))?;
        self.below(|p| expr.into_iter().try_for_each(|expr| p.expr(expr)))
    }

    fn controlled(&mut self, span: Span, word: &str, condition: &Expr, body: &Statement) -> io::Result<()> {
        self.node(span, format_args!("{word}"))?;
        self.below(|p| {
            p.expr(condition)?;
            p.statement(body)
        })
    }

    fn for_loop(
        &mut self,
        span: Span,
        init: &ForInit,
        condition_and_step: [Option<&Expr>; 2],
        body: &Statement,
    ) -> io::Result<()> {
        self.node(span, format_args!("for"))?;
        self.below(|p| {
            match init {
                ForInit::None => p.node(span, format_args!("none"))?,
                ForInit::Expr(expr) => p.expr(expr)?,
                ForInit::Declaration(declaration) => p.declaration(declaration)?,
            }
            for expr in condition_and_step {
                match expr {
                    Some(expr) => p.expr(expr)?,
                    None => p.node(span, format_args!("none"))?,
                }
            }
            p.statement(body)
        })
    }
}
