//! Statements.

use super::Printer;
use crate::typed::{Asm, LabelId, Statement, StatementKind};

impl Printer<'_> {
    pub(super) fn statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Expr(value) => self.with_expr("do", value),
            StatementKind::Block(inner, _) => {
                self.line("block");
                self.nested(|printer| printer.statements(inner));
            }
            StatementKind::Declare(local, init) => {
                let text = format!("declare {}", self.local_name(*local));
                self.line(&text);
                if let Some(init) = init {
                    self.nested(|printer| printer.init(init));
                }
            }
            StatementKind::Vla(id) => self.line(&format!("fix length {id}")),
            StatementKind::If { condition, then, otherwise } => {
                self.with_expr("if", condition);
                self.part("then", then);
                if let Some(otherwise) = otherwise {
                    self.part("else", otherwise);
                }
            }
            StatementKind::Switch { value, body } => {
                self.with_expr("switch", value);
                self.part("body", body);
            }
            StatementKind::Case { low, high, statement } => {
                let text = if low == high { format!("case {low}") } else { format!("case {low} to {high}") };
                self.part(&text, statement);
            }
            StatementKind::Default(inner) => self.part("default", inner),
            StatementKind::While { condition, body } => {
                self.with_expr("while", condition);
                self.part("body", body);
            }
            StatementKind::DoWhile { body, condition } => {
                self.part("repeat", body);
                self.with_expr("while", condition);
            }
            StatementKind::For { init, condition, step, body } => {
                self.line("for");
                self.nested(|printer| {
                    printer.statements(init);
                    if let Some(condition) = condition {
                        printer.with_expr("while", condition);
                    }
                    if let Some(step) = step {
                        printer.with_expr("step", step);
                    }
                    printer.part("body", body);
                });
            }
            StatementKind::Label(id, inner) => {
                let text = format!("label {}", self.label(*id));
                self.line(&text);
                self.statement(inner);
            }
            StatementKind::Goto(id) => {
                let text = format!("goto {}", self.label(*id));
                self.line(&text);
            }
            StatementKind::GotoComputed(target) => self.with_expr("goto", target),
            StatementKind::Continue => self.line("continue"),
            StatementKind::Break => self.line("break"),
            StatementKind::Return(None) => self.line("return"),
            StatementKind::Return(Some(value)) => self.with_expr("return", value),
            StatementKind::Asm(asm) => self.asm(asm),
            StatementKind::Assert(condition) => self.with_expr("assert", condition),
            StatementKind::Empty => self.line("nothing"),
        }
    }

    fn statements(&mut self, statements: &[Statement]) {
        for statement in statements {
            self.statement(statement);
        }
    }

    fn with_expr(&mut self, head: &str, expr: &crate::typed::Expr) {
        self.line(head);
        self.nested(|printer| printer.expr(expr));
    }

    fn part(&mut self, head: &str, statement: &Statement) {
        self.line(head);
        self.nested(|printer| printer.statement(statement));
    }

    fn label(&self, id: LabelId) -> String {
        match self.function.and_then(|function| function.labels.get(id)) {
            Some(label) => format!("{id} '{}'", self.name(label.name)),
            None => id.to_string(),
        }
    }

    fn asm(&mut self, asm: &Asm) {
        let memory = if asm.clobbers_memory { ", clobbers memory" } else { "" };
        self.line(&format!("assembly {:?}{memory}", asm.template));
        self.nested(|printer| {
            for (place, read) in asm.outputs.iter().zip(&asm.read_outputs) {
                printer.line(if *read { "read and written" } else { "written" });
                printer.nested(|printer| printer.place(place));
            }
            printer.exprs(&asm.inputs);
            for label in &asm.labels {
                let text = format!("may go to {}", printer.label(*label));
                printer.line(&text);
            }
        });
    }
}
