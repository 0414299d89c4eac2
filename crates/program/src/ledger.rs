//! What was assumed about the program, where, and in which direction: shown to the user with every verdict.

use base::Span;

/// What an assumption does to the set of behaviours, and so to verdicts that rest on it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Direction {
    /// Behaviours were added: a violation that depends on it is only a candidate.
    Over,
    /// Behaviours were left out: a proof that depends on it does not hold.
    Under,
    /// A choice the user should know.
    Convention,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum AssumptionKind {
    /// A called function has no body and no model.
    MissingBody,
    /// A library function is replaced by its model.
    LibraryModel,
    /// An object is declared but defined nowhere.
    MissingObject,
    Assembly,
    ImplicitDeclaration,
    /// A construct that is read but not modelled in full.
    Construct,
    /// How the program is started and what its surroundings do.
    Environment,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assumption {
    pub kind: AssumptionKind,
    pub direction: Direction,
    /// What it is about: a function's or object's name, a construct.
    pub subject: String,
    /// What is assumed of it, one sentence.
    pub text: String,
    /// Where it first matters.
    pub span: Span,
    /// At how many places.
    pub count: u32,
}

/// Entries in order of first appearance, one per kind, subject and text.
#[derive(Clone, Debug, Default)]
pub struct Ledger {
    entries: Vec<Assumption>,
}

impl Ledger {
    pub fn assume(&mut self, kind: AssumptionKind, direction: Direction, subject: &str, text: &str, span: Span) {
        match self.entries.iter_mut().find(|e| e.kind == kind && e.subject == subject && e.text == text) {
            Some(entry) => entry.count += 1,
            None => self.entries.push(Assumption {
                kind,
                direction,
                subject: subject.to_owned(),
                text: text.to_owned(),
                span,
                count: 1,
            }),
        }
    }

    /// An assumption that no proof may rest on.
    pub fn left_out(&self) -> Option<&Assumption> {
        self.entries.iter().find(|entry| entry.direction == Direction::Under)
    }

    /// Takes over what another ledger says and this one does not.
    pub fn extend(&mut self, other: &Ledger) {
        for entry in &other.entries {
            if !self.entries.contains(entry) {
                self.entries.push(entry.clone());
            }
        }
    }

    pub fn entries(&self) -> &[Assumption] {
        &self.entries
    }
}
