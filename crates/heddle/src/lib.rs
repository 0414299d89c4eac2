//! Everything of the command line that tests can call: arguments, the way from files to a program, diagnostics.

pub mod cli;
pub mod diagnostics;
mod dump;
mod explain;
pub mod front;
pub mod guard;
