//! Facts beside the source: one note for each line that touches shared memory.

use base::Span;
use program::Program;

use crate::analysis::Facts;

pub fn notes(_program: &Program, _facts: &Facts) -> Vec<(Span, String)> {
    Vec::new()
}
