//! Global variables, their fields and elements, as specifications name them.

use base::{Diagnostic, Idx};
use program::{Field, GlobalId, Program, Scalar, Type, TypeId};
use semantics::{Base, ObjectId, Pointer};

use crate::automaton::{Range, Term};
use crate::look::Place;
use crate::suggest::suggestion;
use crate::syntax::{Name, VariableStep, VariableTree};

/// A variable or a part of one.
pub struct Variable {
    global: GlobalId,
    offset: u64,
    ty: TypeId,
    bits: Option<(u8, u8)>,
}

pub fn variable(program: &Program, tree: &VariableTree) -> Result<Variable, Diagnostic> {
    let (global, steps) = global(program, tree)?;
    let mut variable = Variable { global, offset: 0, ty: program.globals[global].ty, bits: None };
    for step in steps {
        match step {
            VariableStep::Field(name) => variable.field(program, name)?,
            VariableStep::Index(index, span) => {
                let Type::Array { element, length } = program.types[variable.ty] else {
                    return Err(Diagnostic::error(*span, "only arrays have elements").help("leave the index out"));
                };
                if *index >= length {
                    let message = format!("the array has {length} elements, the last one is [{}]", length - 1);
                    return Err(Diagnostic::error(*span, message));
                }
                variable.offset += index * program.types.size(element);
                variable.ty = element;
            }
        }
    }
    Ok(variable)
}

/// The variable, and the steps that are left: `main.count` is a static variable of a function.
fn global<'t>(program: &Program, tree: &'t VariableTree) -> Result<(GlobalId, &'t [VariableStep]), Diagnostic> {
    let named = |name: &str| program.globals.iter_enumerated().find(|(_, g)| *g.name == *name).map(|(id, _)| id);
    if let Some(id) = named(&tree.name.text) {
        return Ok((id, &tree.steps));
    }
    if let Some((VariableStep::Field(field), rest)) = tree.steps.split_first()
        && let Some(id) = named(&format!("{}.{}", tree.name.text, field.text))
    {
        return Ok((id, rest));
    }
    let known = program.globals.iter().map(|global| &*global.name).filter(|name| !name.starts_with('"'));
    let help = match suggestion(&tree.name.text, known) {
        Some(near) => format!("did you mean ‘{near}’?"),
        None => {
            "variables are global ones that the program uses; a static one of a function is FUNCTION.NAME".to_owned()
        }
    };
    Err(Diagnostic::error(tree.span, format!("there is no global variable ‘{}’", tree.name.text)).help(help))
}

impl Variable {
    fn field(&mut self, program: &Program, name: &Name) -> Result<(), Diagnostic> {
        let Some((offset, field)) = find_field(program, self.ty, &name.text) else {
            let diagnostic = Diagnostic::error(name.span, format!("there is no field ‘{}’", name.text));
            let names = match &program.types[self.ty] {
                Type::Record { fields, .. } => fields.iter().map(|field| &*field.name).collect::<Vec<_>>().join(", "),
                _ => return Err(diagnostic.help("only structures and unions have fields")),
            };
            return Err(diagnostic.help(format!("the fields are {names}")));
        };
        self.offset += offset;
        (self.ty, self.bits) = (field.ty, field.bits);
        Ok(())
    }

    /// Its value as a term; only numbers and addresses have one.
    pub fn value(&self, program: &Program, tree: &VariableTree) -> Result<Term, Diagnostic> {
        match program.types[self.ty] {
            Type::Scalar { scalar: ty @ (Scalar::Int(_) | Scalar::Pointer(_)), signed, .. } => {
                let place = Place::Global { global: self.global, offset: self.offset, ty, bits: self.bits };
                Ok(Term::Variable { place, signed })
            }
            _ => Err(Diagnostic::error(tree.span, "the variable is neither an integer nor a pointer")
                .help("name a field (s.f) or an element (a[3]) that is one")),
        }
    }

    /// The bytes that it takes; thread-local ones have no one place.
    pub fn range(&self, program: &Program, tree: &VariableTree) -> Result<Range, Diagnostic> {
        if program.globals[self.global].thread_local {
            let message = format!("‘{}’ is thread-local: each thread has its own", tree.name.text);
            return Err(Diagnostic::error(tree.span, message).help("its value can be used in conditions"));
        }
        let base = Base::Object(ObjectId::from_usize(self.global.index()));
        let start = Pointer { base, offset: self.offset as i64 };
        Ok(Range { start, length: program.types.size(self.ty).max(1) })
    }
}

/// A field and its offset, also of a record without a name inside.
fn find_field<'p>(program: &'p Program, ty: TypeId, name: &str) -> Option<(u64, &'p Field)> {
    let Type::Record { fields, .. } = &program.types[ty] else { return None };
    fields.iter().find_map(|field| {
        if *field.name == *name {
            return Some((field.offset, field));
        }
        let (offset, found) = find_field(program, field.ty, name).filter(|_| field.name.is_empty())?;
        Some((field.offset + offset, found))
    })
}
