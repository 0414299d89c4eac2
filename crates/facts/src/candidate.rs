//! Pairs of accesses that facts cannot keep apart, in words for the user.

use base::Span;

/// Two accesses that may race, as far as is known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Candidate {
    pub first: Touch,
    pub second: Touch,
    /// One sentence: `add runs from line 20 until it is joined in line 23`.
    pub why_parallel: String,
}

/// One of the two.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Touch {
    pub span: Span,
    /// The function that the thread runs.
    pub thread: String,
    /// The memory: `counter`, `table[…].next`, `block of line 9`.
    pub what: String,
    pub write: bool,
    pub atomic: bool,
    /// Held whenever the access is made.
    pub locks: Vec<String>,
}
