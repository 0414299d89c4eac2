//! The command line: reads arguments, runs what they ask for, turns the result into an exit code.

use std::process::ExitCode;

use heddle::cli::{self, Exit};
use heddle::guard;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    let exit = match cli::parse(std::env::args_os()) {
        Ok(command) => guard::run(move || cli::run(&command)),
        Err(exit) => exit,
    };
    ExitCode::from(exit as u8)
}

/// An [`Exit`] is its code; the compiler checks that none is larger than a byte.
const _: () = assert!((Exit::Usage as u32) < 256);
