//! Jumps into the scope of a variable-length array, whose length would be unknown there.

use base::Span;
use rustc_hash::FxHashMap;

use super::{Analyzer, Result, error_help};
use crate::typed::LabelId;

/// Variably modified declarations are numbered. A jump is fine if the target is in the scope of no more of them than
/// the jump itself.
#[derive(Default)]
pub(crate) struct Jumps {
    count: u32,
    /// Those in scope here, outermost first.
    visible: Vec<u32>,
    /// How many were in scope when each open block began.
    marks: Vec<usize>,
    /// Those in scope at labels, where there are any.
    labels: FxHashMap<LabelId, Vec<u32>>,
    gotos: Vec<(LabelId, Vec<u32>, Span)>,
}

impl Jumps {
    pub fn enter(&mut self) {
        self.marks.push(self.visible.len());
    }

    pub fn leave(&mut self) {
        let mark = self.marks.pop().unwrap_or(0);
        self.visible.truncate(mark);
    }

    pub fn pass_variable_type(&mut self) {
        self.visible.push(self.count);
        self.count += 1;
    }

    pub fn label(&mut self, id: LabelId) {
        if !self.visible.is_empty() {
            self.labels.insert(id, self.visible.clone());
        }
    }

    pub fn jump(&mut self, to: LabelId, span: Span) {
        self.gotos.push((to, self.visible.clone(), span));
    }

    /// How many are in scope.
    pub fn depth(&self) -> usize {
        self.visible.len()
    }
}

impl Analyzer {
    /// Once all labels of a function are known.
    pub(crate) fn check_jumps(&mut self) -> Result<()> {
        let jumps = &self.state().jumps;
        let bad = jumps
            .gotos
            .iter()
            .find(|(label, here, _)| jumps.labels.get(label).is_some_and(|there| !here.starts_with(there)));
        match bad {
            Some(&(.., span)) => into_variable_scope(span, "goto"),
            None => Ok(()),
        }
    }

    /// A label of the innermost switch, before which `depth` declarations were in scope.
    pub(crate) fn check_switch_jump(&mut self, depth: usize, span: Span) -> Result<()> {
        if self.state().jumps.depth() > depth { into_variable_scope(span, "switch") } else { Ok(()) }
    }
}

fn into_variable_scope<T>(span: Span, what: &str) -> Result<T> {
    error_help(
        span,
        format!("this {what} jumps into the scope of a variable-length array"),
        "put the array into a block that the jump does not enter, or declare it before the jump",
    )
}
