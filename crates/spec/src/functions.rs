//! Whom the name of a function means in a program.

use base::Diagnostic;
use program::{MODEL_PREFIX, Op, Program};

use crate::automaton::Callee;
use crate::edges::parameters;
use crate::primitive::{self, ARBITRARY, Primitive};
use crate::suggest::suggestion;
use crate::syntax::{ArgumentsTree, Name, PatternTree, PatternTreeKind};

static ANY: Primitive = ARBITRARY;

/// `leaves_no_trace` tells library functions whose model has no edge of its own: such a call cannot be seen.
pub fn callee(program: &Program, name: &Name, leaves_no_trace: &dyn Fn(&str) -> bool) -> Result<Callee, Diagnostic> {
    let is_meant = |function: &str| function == name.text || function.strip_prefix(MODEL_PREFIX) == Some(&name.text);
    let named = program.functions.iter_enumerated().filter(|(_, function)| is_meant(&function.name));
    let functions: Vec<_> = named.map(|(id, _)| id).collect();
    let own = functions.iter().any(|id| program.functions[*id].defined && *program.functions[*id].name == *name.text);
    let mut primitive = if own { None } else { primitive::primitive(&name.text) };
    if functions.is_empty() && primitive.is_none() && is_arbitrary(program, &name.text) {
        primitive = Some(&ANY);
    }
    if functions.is_empty() && primitive.is_none() {
        if leaves_no_trace(&name.text) {
            let message =
                format!("calls of ‘{}’ cannot be seen: the model of this function leaves no trace", name.text);
            return Err(
                Diagnostic::error(name.span, message).help("call it through a function of your own and name that")
            );
        }
        if !program.sources.mentions(&name.text) {
            return Err(unknown(program, name));
        }
    }
    Ok(Callee { name: name.text.clone(), functions, primitive })
}

/// Some call of it is an arbitrary value and nothing else.
fn is_arbitrary(program: &Program, name: &str) -> bool {
    let mut edges = program.functions.iter().flat_map(|function| function.edges.iter());
    edges.any(|edge| matches!(edge.op, Op::Havoc(..)) && primitive::written(program, edge) == name)
}

fn unknown(program: &Program, name: &Name) -> Diagnostic {
    let own = program.functions.iter().map(|function| &*function.name);
    let own = own.filter(|name| !name.starts_with(MODEL_PREFIX) && !name.starts_with('<'));
    let help = match suggestion(&name.text, own.chain(primitive::names())) {
        Some(near) => format!("did you mean ‘{near}’?"),
        None => "name a function that the program declares, or one of the library".to_owned(),
    };
    Diagnostic::error(name.span, format!("there is no function ‘{}’ in the program", name.text)).help(help)
}

/// Are there as many patterns as parameters, and does the model keep what is asked for?
pub fn check_arguments(program: &Program, callee: &Callee, arguments: &ArgumentsTree) -> Result<(), Diagnostic> {
    let given = arguments.patterns.len();
    let fits = |count: usize| if arguments.open { given <= count } else { given == count };
    let wrong = |count: usize| {
        let many = |count: usize, what: &str| format!("{count} {what}{}", if count == 1 { "" } else { "s" });
        let (has, given) = (many(count, "parameter"), many(given, "pattern"));
        let message = format!("‘{}’ has {has}, and this is {given}", callee.name);
        Diagnostic::error(arguments.span, message).help("write _ for what does not matter, and ... for all the rest")
    };
    for function in callee.functions.iter().map(|id| &program.functions[*id]) {
        let count = parameters(program, function).1.len();
        if !fits(count) {
            return Err(wrong(count));
        }
    }
    let Some(primitive) = callee.primitive else { return Ok(()) };
    if let Some(count) = primitive.parameters().filter(|count| !fits(*count)) {
        return Err(wrong(count));
    }
    for (i, pattern) in arguments.patterns.iter().enumerate() {
        if pattern.kind != PatternTreeKind::Any && !primitive.keeps(i) {
            return Err(forgotten(pattern, &format!("argument {} of ‘{}’", i + 1, callee.name)));
        }
    }
    Ok(())
}

/// The same of a result.
pub fn check_result(program: &Program, callee: &Callee, pattern: &PatternTree) -> Result<(), Diagnostic> {
    if pattern.kind == PatternTreeKind::Any {
        return Ok(());
    }
    let gives = |id: &program::FunctionId| program.functions[*id].result.is_some();
    if !callee.functions.iter().all(gives) {
        let message = format!("‘{}’ returns no number or pointer", callee.name);
        return Err(Diagnostic::error(pattern.span, message).help("leave the pattern out"));
    }
    match callee.primitive {
        Some(primitive) if !primitive.keeps_result() => {
            Err(forgotten(pattern, &format!("the result of ‘{}’", callee.name)))
        }
        _ => Ok(()),
    }
}

fn forgotten(pattern: &PatternTree, what: &str) -> Diagnostic {
    let message = format!("{what} is not kept by the model of this function");
    Diagnostic::error(pattern.span, message).help("write _ instead")
}
