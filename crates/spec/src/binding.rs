//! Which values are bound where.

use base::Diagnostic;

use crate::syntax::*;

/// Those that tell instances apart come first.
pub fn slots(tree: &AutomatonTree) -> Vec<String> {
    let mut slots: Vec<String> = tree.for_each.iter().map(|name| name.text.clone()).collect();
    for name in tree.states.iter().flat_map(|state| &state.transitions).flat_map(bound_by) {
        if !slots.iter().any(|slot| slot == name) {
            slots.push(name.to_owned());
        }
    }
    slots
}

/// The values that a transition's event binds, if they are not bound yet.
pub fn bound_by(tree: &TransitionTree) -> Vec<&str> {
    let patterns: Vec<&PatternTree> = match &tree.event {
        Some(EventTree::Call { arguments: Some(arguments), .. }) => arguments.patterns.iter().collect(),
        Some(EventTree::Return { value: Some(value), .. }) => vec![value],
        _ => Vec::new(),
    };
    let names = patterns.into_iter().filter_map(|pattern| match &pattern.kind {
        PatternTreeKind::Term(TermTree::Value(name)) => Some(name.text.as_str()),
        _ => None,
    });
    names.collect()
}

/// A condition may only use values that are bound on every path to its state, or by its own event.
pub fn bound_for_sure(tree: &AutomatonTree, initial: usize) -> Result<(), Diagnostic> {
    let index = |name: &Name| tree.states.iter().position(|state| state.name.text == name.text);
    let mut bound: Vec<Option<Vec<&str>>> = vec![None; tree.states.len()];
    bound[initial] = Some(Vec::new());
    let mut changed = true;
    while changed {
        changed = false;
        for (from, state) in tree.states.iter().enumerate() {
            let Some(here) = bound[from].clone() else { continue };
            for transition in &state.transitions {
                let TargetTree::State(target) = &transition.target else { continue };
                let Some(to) = index(target) else { continue };
                let there: Vec<&str> = [here.clone(), bound_by(transition)].concat();
                let met = match &bound[to] {
                    None => there,
                    Some(old) => old.iter().copied().filter(|name| there.contains(name)).collect(),
                };
                if bound[to].as_ref() != Some(&met) {
                    bound[to] = Some(met);
                    changed = true;
                }
            }
        }
    }
    for (state, bound) in tree.states.iter().zip(bound) {
        for transition in &state.transitions {
            let mut used = Vec::new();
            transition.condition.iter().for_each(|condition| used_by(condition, &mut used));
            let known = |name: &str| {
                let here = bound.as_ref().is_none_or(|bound| bound.contains(&name));
                here || bound_by(transition).contains(&name)
            };
            if let Some(name) = used.iter().find(|name| !known(&name.text)) {
                let message = format!("‘${}’ is not bound on every path to state ‘{}’", name.text, state.name.text);
                return Err(Diagnostic::error(name.span, message).help("name it in an event on each path"));
            }
        }
    }
    Ok(())
}

fn used_by<'t>(tree: &'t ConditionTree, used: &mut Vec<&'t Name>) {
    fn term<'t>(tree: &'t TermTree, used: &mut Vec<&'t Name>) {
        match tree {
            TermTree::Value(name) => used.push(name),
            TermTree::Sum { left, right, .. } => {
                term(left, used);
                term(right, used);
            }
            _ => {}
        }
    }
    match tree {
        ConditionTree::Compare(left, _, right) => {
            term(left, used);
            term(right, used);
        }
        ConditionTree::Not(inner) => used_by(inner, used),
        ConditionTree::And(left, right) | ConditionTree::Or(left, right) => {
            used_by(left, used);
            used_by(right, used);
        }
    }
}
