//! All facts as a text.

use program::Program;

use crate::analysis::Facts;

pub fn text(_program: &Program, _facts: &Facts) -> String {
    String::new()
}
