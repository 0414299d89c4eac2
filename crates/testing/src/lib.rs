//! What tests of several crates share: programs from C text, from the files of the repository and from a generator, and work on
//! many of them at once. Only a dev-dependency: no crate is built from it. A crate's unit tests see other types than this crate
//! does, so it is for integration tests.

pub mod generate;
mod parallel;
mod programs;

pub use parallel::{all_right, first_results, for_each, on_files, on_random_programs, on_suitable_programs};
pub use programs::{Listed, files, folder, lower, name, program, read, read_with, try_program};

/// A number that a variable of the environment sets.
pub fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().map_or(default, |v| v.parse().unwrap_or_else(|_| panic!("{variable} is no number")))
}
