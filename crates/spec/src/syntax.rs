//! A specification as it is written: names are not looked up yet.

use base::Span;

/// A name with its place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct AutomatonTree {
    pub name: Name,
    /// An instance of its own for each thread.
    pub for_each_thread: bool,
    /// An instance of its own for each value of these.
    pub for_each: Vec<Name>,
    pub states: Vec<StateTree>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct StateTree {
    pub name: Name,
    pub initial: bool,
    pub transitions: Vec<TransitionTree>,
}

#[derive(Clone, PartialEq, Debug)]
pub struct TransitionTree {
    pub span: Span,
    /// Without an event the condition alone counts.
    pub event: Option<EventTree>,
    pub condition: Option<ConditionTree>,
    pub target: TargetTree,
}

#[derive(Clone, PartialEq, Debug)]
pub enum TargetTree {
    State(Name),
    /// The message, with `$name` for values.
    Error(Name),
}

#[derive(Clone, PartialEq, Debug)]
pub enum EventTree {
    Call { function: Name, arguments: Option<ArgumentsTree> },
    Return { function: Name, value: Option<PatternTree> },
    Read(VariableTree),
    Write(VariableTree),
    At { file: Option<Name>, line: u32, span: Span },
    Deadlock,
    End,
}

#[derive(Clone, PartialEq, Debug)]
pub struct ArgumentsTree {
    pub patterns: Vec<PatternTree>,
    /// Ends with `...`: further ones do not matter.
    pub open: bool,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub struct PatternTree {
    pub span: Span,
    pub kind: PatternTreeKind,
}

#[derive(Clone, PartialEq, Debug)]
pub enum PatternTreeKind {
    Any,
    Term(TermTree),
}

/// `s.f[3]`: the first is the variable's name.
#[derive(Clone, PartialEq, Debug)]
pub struct VariableTree {
    pub name: Name,
    pub steps: Vec<VariableStep>,
    pub span: Span,
}

#[derive(Clone, PartialEq, Debug)]
pub enum VariableStep {
    Field(Name),
    Index(u64, Span),
}

#[derive(Clone, PartialEq, Debug)]
pub enum TermTree {
    Number(i128),
    /// `$x`
    Value(Name),
    Variable(VariableTree),
    /// `&x`
    Address(VariableTree),
    Sum {
        left: Box<TermTree>,
        right: Box<TermTree>,
        minus: bool,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
}

#[derive(Clone, PartialEq, Debug)]
pub enum ConditionTree {
    Compare(TermTree, Comparison, TermTree),
    Not(Box<ConditionTree>),
    And(Box<ConditionTree>, Box<ConditionTree>),
    Or(Box<ConditionTree>, Box<ConditionTree>),
}
