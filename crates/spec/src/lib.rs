//! Specification automata that users write. The language (`syntax`, `parser`), the automaton that a program makes of it
//! ([`resolve()`]), what an event does to it ([`Automaton::advance`]), and one that follows a run of the interpreter ([`Monitor`]).
//!
//! An automaton queries a state only through [`Look`], so that an abstract domain can answer as well: what it does not know makes both
//! outcomes possible. Knows no engine.

mod advance;
mod automaton;
mod binding;
mod configuration;
mod edges;
mod functions;
mod lexer;
mod lines;
mod look;
mod matching;
mod monitor;
mod parser;
mod primitive;
mod resolve;
mod suggest;
mod syntax;
mod variable;

pub use automaton::{Automaton, Event, Moment, Piece, State, StateId};
pub use configuration::{Configuration, Element, Slot};
pub use look::{Known, Look, Place};
pub use monitor::{Concrete, How, Monitor, Reached, Said};
pub use parser::parse;
pub use resolve::resolve;
pub use syntax::AutomatonTree;

/// Specifications that need no file: their names and texts.
pub const BUILT_IN: &[(&str, &str)] = &[("deadlock", include_str!("builtin/deadlock.spec"))];
