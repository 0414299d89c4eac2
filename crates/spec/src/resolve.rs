//! From the tree to the automaton: names are looked up in the program, mistakes are reported.

use base::{Diagnostic, Span};
use program::{EdgeId, FunctionId, Program};

use crate::automaton::*;
use crate::binding::{bound_by, bound_for_sure, slots};
use crate::edges::concerns;
use crate::functions::{callee, check_arguments, check_result};
use crate::lines;
use crate::suggest::suggestion;
use crate::syntax::*;
use crate::variable::variable;

type Resolved<T> = Result<T, Diagnostic>;

/// `leaves_no_trace` tells library functions whose calls cannot be seen in the program.
pub fn resolve(tree: &AutomatonTree, program: &Program, leaves_no_trace: &dyn Fn(&str) -> bool) -> Resolved<Automaton> {
    let mut resolver = Resolver { program, tree, leaves_no_trace, slots: slots(tree), states: Vec::new() };
    let initial = resolver.declare_states()?;
    let mut transitions = Vec::new();
    for (i, state) in tree.states.iter().enumerate() {
        for transition in &state.transitions {
            transitions.push(resolver.transition(StateId(i as u16), transition)?);
        }
    }
    resolver.check(initial)?;
    let trees = || tree.states.iter().flat_map(|state| &state.transitions);
    let mut automaton = Automaton {
        name: tree.name.text.clone(),
        for_each_thread: tree.for_each_thread,
        keys: tree.for_each.len(),
        slots: resolver.slots,
        states: resolver.states,
        initial,
        before: table(program, &transitions, false),
        after: table(program, &transitions, true),
        reached: of_kind(&transitions, |trigger| matches!(trigger, Trigger::Reached)),
        deadlock: of_kind(&transitions, |trigger| matches!(trigger, Trigger::Deadlock)),
        transitions,
    };
    for (i, transition) in trees().enumerate() {
        if let Some(EventTree::At { file, line, span }) = &transition.event {
            add_place(program, &mut automaton.before, i as u16, file.as_ref(), *line, *span)?;
        }
    }
    Ok(automaton)
}

struct Resolver<'r> {
    program: &'r Program,
    tree: &'r AutomatonTree,
    leaves_no_trace: &'r dyn Fn(&str) -> bool,
    slots: Vec<String>,
    states: Vec<State>,
}

impl Resolver<'_> {
    fn declare_states(&mut self) -> Resolved<StateId> {
        let mut initial: Option<(StateId, Span)> = None;
        for (i, state) in self.tree.states.iter().enumerate() {
            let earlier = self.tree.states[..i].iter().find(|old| old.name.text == state.name.text);
            if let Some(old) = earlier {
                let message = format!("there are two states ‘{}’", state.name.text);
                return Err(Diagnostic::error(state.name.span, message).note(old.name.span, "the first one"));
            }
            if state.name.text == "error" {
                let message = "no state can be called ‘error’";
                return Err(
                    Diagnostic::error(state.name.span, message).help("error states are made by ‘goto error \"…\"’")
                );
            }
            if let (true, Some((_, first))) = (state.initial, initial) {
                let message = "there are two initial states";
                return Err(Diagnostic::error(state.name.span, message).note(first, "the first one"));
            }
            if state.initial {
                initial = Some((StateId(i as u16), state.name.span));
            }
            self.states.push(State { name: state.name.text.clone(), message: None });
        }
        initial.map(|(id, _)| id).ok_or_else(|| {
            Diagnostic::error(self.tree.name.span, format!("‘{}’ has no initial state", self.tree.name.text))
                .help("write ‘initial state NAME { … }’ for the one to begin in")
        })
    }

    fn transition(&mut self, from: StateId, tree: &TransitionTree) -> Resolved<Transition> {
        let trigger = match &tree.event {
            None => Trigger::Reached,
            Some(event) => self.trigger(event)?,
        };
        let condition = tree.condition.as_ref().map(|condition| self.condition(condition)).transpose()?;
        let to = match &tree.target {
            TargetTree::State(name) => self.state(name)?,
            TargetTree::Error(message) => {
                let message = Some(self.message(message)?);
                self.states.push(State { name: "error".to_owned(), message });
                StateId((self.states.len() - 1) as u16)
            }
        };
        Ok(Transition { from, to, trigger, condition })
    }

    fn state(&self, name: &Name) -> Resolved<StateId> {
        let states = &self.tree.states;
        let found = states.iter().position(|state| state.name.text == name.text);
        found.map(|i| StateId(i as u16)).ok_or_else(|| {
            let near = suggestion(&name.text, states.iter().map(|state| state.name.text.as_str()));
            let help =
                near.map_or("declare it with ‘state NAME { … }’".to_owned(), |n| format!("did you mean ‘{n}’?"));
            Diagnostic::error(name.span, format!("there is no state ‘{}’", name.text)).help(help)
        })
    }

    fn trigger(&self, tree: &EventTree) -> Resolved<Trigger> {
        Ok(match tree {
            EventTree::Deadlock => Trigger::Deadlock,
            EventTree::End => Trigger::End,
            EventTree::At { .. } => Trigger::Place,
            EventTree::Read(place) => {
                Trigger::Access { write: false, range: variable(self.program, place)?.range(self.program, place)? }
            }
            EventTree::Write(place) => {
                Trigger::Access { write: true, range: variable(self.program, place)?.range(self.program, place)? }
            }
            EventTree::Call { function, arguments } => {
                let callee = callee(self.program, function, self.leaves_no_trace)?;
                let mut patterns = Vec::new();
                if let Some(arguments) = arguments {
                    check_arguments(self.program, &callee, arguments)?;
                    for pattern in &arguments.patterns {
                        patterns.push(self.pattern(pattern)?);
                    }
                }
                Trigger::Call { callee, arguments: patterns }
            }
            EventTree::Return { function, value } => {
                let callee = callee(self.program, function, self.leaves_no_trace)?;
                if let Some(value) = value {
                    check_result(self.program, &callee, value)?;
                }
                let value = value.as_ref().map(|value| self.pattern(value)).transpose()?.flatten();
                Trigger::Return { callee, value }
            }
        })
    }

    fn pattern(&self, tree: &PatternTree) -> Resolved<Option<Term>> {
        match &tree.kind {
            PatternTreeKind::Any => Ok(None),
            PatternTreeKind::Term(term) => self.term(term).map(Some),
        }
    }

    fn term(&self, tree: &TermTree) -> Resolved<Term> {
        Ok(match tree {
            TermTree::Number(number) => Term::Number(*number),
            TermTree::Value(name) => Term::Slot(self.slot(name)?),
            TermTree::Variable(place) => variable(self.program, place)?.value(self.program, place)?,
            TermTree::Address(place) => Term::Address(variable(self.program, place)?.range(self.program, place)?.start),
            TermTree::Sum { left, right, minus } => {
                Term::Sum { left: self.term(left)?.into(), right: self.term(right)?.into(), minus: *minus }
            }
        })
    }

    fn slot(&self, name: &Name) -> Resolved<usize> {
        self.slots.iter().position(|slot| *slot == name.text).ok_or_else(|| {
            Diagnostic::error(name.span, format!("‘${0}’ is bound nowhere", name.text))
                .help("values are bound where an event first names them: on call f($x), on return f -> $x")
        })
    }

    fn condition(&self, tree: &ConditionTree) -> Resolved<Condition> {
        Ok(match tree {
            ConditionTree::Compare(left, comparison, right) => {
                Condition::Compare(self.term(left)?, *comparison, self.term(right)?)
            }
            ConditionTree::Not(inner) => Condition::Not(self.condition(inner)?.into()),
            ConditionTree::And(left, right) => {
                Condition::And(self.condition(left)?.into(), self.condition(right)?.into())
            }
            ConditionTree::Or(left, right) => {
                Condition::Or(self.condition(left)?.into(), self.condition(right)?.into())
            }
        })
    }

    /// `$name` stands for a value.
    fn message(&self, tree: &Name) -> Resolved<Vec<Piece>> {
        let mut pieces = Vec::new();
        let mut rest = tree.text.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            let end = after.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(after.len());
            pieces.push(Piece::Text(before.to_owned()));
            pieces.push(Piece::Slot(self.slot(&Name { text: after[..end].to_owned(), span: tree.span })?));
            rest = &after[end..];
        }
        pieces.push(Piece::Text(rest.to_owned()));
        Ok(pieces)
    }

    /// What holds for the automaton as a whole.
    fn check(&self, initial: StateId) -> Resolved<()> {
        if self.states.iter().all(|state| state.message.is_none()) {
            let message = format!("‘{}’ has no error state: nothing can violate it", self.tree.name.text);
            return Err(
                Diagnostic::error(self.tree.name.span, message).help("say what is wrong by ‘goto error \"message\"’")
            );
        }
        for transition in &self.tree.states[usize::from(initial.0)].transitions {
            let bound = bound_by(transition);
            if let Some(key) = self.tree.for_each.iter().find(|key| !bound.contains(&key.text.as_str())) {
                let message = format!("the event does not name ‘${}’", key.text);
                return Err(Diagnostic::error(transition.span, message)
                    .note(key.span, "there is an automaton for each value of it")
                    .help("in the initial state every event must say which automaton is meant"));
            }
        }
        bound_for_sure(self.tree, usize::from(initial.0))
    }
}

fn of_kind(transitions: &[Transition], is: impl Fn(&Trigger) -> bool) -> Vec<u16> {
    (0..transitions.len()).filter(|i| is(&transitions[*i].trigger)).map(|i| i as u16).collect()
}

fn table(program: &Program, transitions: &[Transition], behind: bool) -> Table {
    let row = |id: FunctionId, edge: &program::Edge| {
        let is_meant = |i: &u16| concerns(program, id, edge, &transitions[usize::from(*i)].trigger, behind);
        (0..transitions.len() as u16).filter(is_meant).collect()
    };
    let functions = program.functions.iter_enumerated();
    functions.map(|(id, function)| function.edges.iter().map(|edge| row(id, edge)).collect()).collect()
}

/// The transition waits for control to come to a line.
fn add_place(
    program: &Program,
    table: &mut Table,
    transition: u16,
    file: Option<&Name>,
    line: u32,
    span: Span,
) -> Resolved<()> {
    let file = file.map(|file| file.text.as_str());
    let mut found = false;
    for (id, function) in program.functions.iter_enumerated() {
        for EdgeId(edge) in lines::entering(program, function, file, line) {
            found = true;
            let row = &mut table[id][edge as usize];
            *row = row.iter().copied().chain([transition]).collect();
        }
    }
    if found {
        return Ok(());
    }
    let help = match lines::nearest(program, file, line) {
        (Some(before), Some(behind)) => format!("the nearest lines that do are {before} and {behind}"),
        (Some(only), None) | (None, Some(only)) => format!("the nearest line that does is {only}"),
        (None, None) => "no statement that can run is in a file of this name".to_owned(),
    };
    Err(Diagnostic::error(span, format!("line {line} does nothing that can be seen")).help(help))
}
