//! Compiled programs: what they do on the machine must be listed.

use std::io::Read;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use c_front::types::DataModel;

use crate::listing::{Listing, quoted};

/// A program that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(2);

const ABORT: i32 = 6;
const BUS: i32 = 7;
const DIVISION: i32 = 8;
const ACCESS: i32 = 11;

/// Output must not be lost when the program aborts.
const UNBUFFERED: &str =
    "#include <stdio.h>\n__attribute__((constructor)) static void f(void) { setvbuf(stdout, 0, _IONBF, 0); }\n";

/// Runs a program often. The optimiser assumes that there are no races, so it gets only programs without.
pub fn check(source: &Path, listing: &Listing, folder: &Path, runs: u64) -> Result<(), String> {
    if !listing.is_compiled {
        return Ok(());
    }
    let levels: &[&str] = if listing.has("race") { &["-O0"] } else { &["-O0", "-O2"] };
    for level in levels {
        let binary = compile(source, listing.model, folder, level)?;
        for _ in 0..runs {
            let seen = run(&binary, listing)?;
            if !seen.iter().any(|outcome| listing.has(outcome)) {
                return Err(format!("compiled with {level}: {}", seen[0]));
            }
            if seen[0] == "deadlock" {
                // Waiting for the next one shows little.
                break;
            }
        }
    }
    Ok(())
}

fn compile(source: &Path, model: DataModel, folder: &Path, level: &str) -> Result<std::path::PathBuf, String> {
    let (binary, unbuffered) = (folder.join("program"), folder.join("unbuffered.c"));
    std::fs::write(&unbuffered, UNBUFFERED).map_err(|e| e.to_string())?;
    let width = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let output = Command::new("gcc")
        .args(["-w", "-pthread", "-std=gnu11", level, width, "-o"])
        .arg(&binary)
        .args([source, &unbuffered])
        .arg("-latomic")
        .output()
        .map_err(|e| format!("gcc: {e}"))?;
    match output.status.success() {
        true => Ok(binary),
        false => Err(format!("gcc: {}", String::from_utf8_lossy(&output.stderr))),
    }
}

/// What a run may be called: a program that exits looks like one that returns.
fn run(binary: &Path, listing: &Listing) -> Result<Vec<String>, String> {
    let mut child = Command::new(binary)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|e| e.to_string())?;
    let mut stdout = child.stdout.take().expect("output is piped");
    let patience = if listing.has("deadlock") { PATIENCE / 8 } else { PATIENCE * 5 };
    let Some(status) = wait(&mut child, patience)? else { return Ok(vec!["deadlock".into()]) };
    let mut output = Vec::new();
    stdout.read_to_end(&mut output).map_err(|e| e.to_string())?;
    Ok(match status.signal() {
        None => vec![quoted(&output), format!("exit {}", quoted(&output))],
        Some(ABORT) => vec![format!("abort {}", quoted(&output)), "invalid-free".into()],
        Some(DIVISION) => vec!["undefined division-by-zero".into()],
        Some(ACCESS | BUS) => vec!["invalid-access".into()],
        Some(signal) => vec![format!("signal {signal}")],
    })
}

fn wait(child: &mut Child, patience: Duration) -> Result<Option<ExitStatus>, String> {
    let start = Instant::now();
    while start.elapsed() < patience {
        if let Some(status) = child.try_wait().map_err(|e| e.to_string())? {
            return Ok(Some(status));
        }
        std::thread::sleep(Duration::from_micros(300));
    }
    let _ = child.kill();
    let _ = child.wait();
    Ok(None)
}
