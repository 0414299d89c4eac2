//! Everything of the command line that tests can call: arguments, from files to a program, diagnostics.

mod arguments;
mod check;
mod choices;
pub mod cli;
pub mod diagnostics;
mod dump;
mod engines;
mod explain;
mod files;
pub mod front;
pub mod guard;
mod progress;
mod run;
mod schedule;
mod specification;
mod suite;
mod understood;
