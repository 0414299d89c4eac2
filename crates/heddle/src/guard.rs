//! Work runs on a thread with a large stack, because trees may be deep; a panic there is our bug and is reported as such.

use std::backtrace::{Backtrace, BacktraceStatus};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::panic::PanicHookInfo;
use std::thread;

use crate::cli::Exit;

/// Only what is used of it costs memory. Where even that cannot be reserved, smaller ones do for most programs.
const STACK_SIZES: [usize; 3] = [1 << 30, 256 << 20, 32 << 20];

pub fn run(work: impl Fn() -> Exit + Send + Sync) -> Exit {
    std::panic::set_hook(Box::new(report));
    for size in STACK_SIZES {
        let result = thread::scope(|scope| {
            let handle = thread::Builder::new().name("heddle".into()).stack_size(size).spawn_scoped(scope, &work);
            handle.map(|handle| handle.join().unwrap_or(Exit::Internal))
        });
        if let Ok(exit) = result {
            return exit;
        }
    }
    let _ = writeln!(io::stderr(), "error: no memory for a thread");
    Exit::Internal
}

/// One write, so that the message is not torn apart.
fn report(info: &PanicHookInfo<'_>) {
    let mut text = String::from("internal error: ");
    text.push_str(info.payload_as_str().unwrap_or("unknown"));
    if let Some(location) = info.location() {
        let _ = write!(text, " ({location})");
    }
    let arguments: Vec<_> = std::env::args_os().skip(1).map(|a| a.to_string_lossy().into_owned()).collect();
    let _ = write!(
        text,
        "\nThis is a bug in Heddle {}. Please report it, with the input files and this command:\n  heddle {}\n",
        env!("CARGO_PKG_VERSION"),
        arguments.join(" ")
    );
    let backtrace = Backtrace::capture();
    if backtrace.status() == BacktraceStatus::Captured {
        let _ = writeln!(text, "{backtrace}");
    }
    let _ = io::stderr().write_all(text.as_bytes());
}
