//! Random programs of csmith: the interpreter prints the same checksum as the program compiled with gcc.
//!
//! `HEDDLE_CSMITH=1000` sets how many, `HEDDLE_CSMITH_SEED` which, `HEDDLE_CSMITH_OPTIONS` the options of csmith.

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use c_front::preprocess::{PreprocessOptions, load};
use c_front::types::DataModel;
use program::{EdgeId, Input, Scalar};
use semantics::{Driver, Effects, Environment, Machine, State, ThreadId, TraceStep};
use testing::number;

#[test]
fn checksums_agree_with_gcc() {
    let count = number("HEDDLE_CSMITH", 12);
    let first = number("HEDDLE_CSMITH_SEED", 1);
    let options = std::env::var("HEDDLE_CSMITH_OPTIONS").unwrap_or_default();
    let folder = std::env::temp_dir().join(format!("heddle-csmith-{}", std::process::id()));
    let checked = testing::first_results(first, count as usize, |seed| {
        let folder = folder.join(seed.to_string());
        std::fs::create_dir_all(&folder).unwrap();
        let expected = compiled_output(&folder, seed, &options)?;
        let ours = interpreted_output(&folder.join("program.c"));
        let agrees = ours.as_ref() == Ok(&expected);
        Some(if agrees { Ok(seed) } else { Err(format!("seed {seed}: gcc {expected:?}, heddle {ours:?}")) })
    });
    std::fs::remove_dir_all(&folder).unwrap();
    println!("seeds {:?}", testing::all_right(checked));
}

/// Generates and compiles a program; `None` if its binary runs over 50 ms.
fn compiled_output(folder: &Path, seed: u64, options: &str) -> Option<String> {
    let source = folder.join("program.c");
    let csmith = Command::new("csmith")
        .args(["--seed", &seed.to_string(), "-o"])
        .arg(&source)
        .args(options.split_whitespace())
        .status()
        .expect("csmith must be installed (apt-get install csmith)");
    assert!(csmith.success());
    let binary = folder.join("program");
    let compiled = Command::new("gcc")
        .args(["-w", "-O0", "-fwrapv", "-I/usr/include/csmith", "-o"])
        .arg(&binary)
        .arg(&source)
        .status()
        .expect("gcc must be installed");
    assert!(compiled.success());
    let start = Instant::now();
    let mut child = Command::new(&binary).stdout(Stdio::piped()).spawn().unwrap();
    while start.elapsed() < Duration::from_millis(50) {
        if child.try_wait().unwrap().is_some() {
            let output = child.wait_with_output().unwrap();
            return Some(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    let _ = child.wait();
    None
}

fn interpreted_output(source: &Path) -> Result<String, String> {
    let options = PreprocessOptions { include_dirs: vec!["/usr/include/csmith".into()], ..Default::default() };
    let loaded = load(source, &options).map_err(|e| e.to_string())?;
    let program = testing::lower(loaded, DataModel::Lp64)?;
    let machine = Machine::new(&program);
    let mut driver = First { output: Vec::new() };
    let run = machine.run(&mut driver);
    match run.end {
        semantics::RunEnd::By(semantics::Ending::Program(_)) => {
            Ok(String::from_utf8_lossy(&driver.output).into_owned())
        }
        end => Err(format!("{end:?} after {} steps", run.trace.steps.len())),
    }
}

/// Takes the first step and zero for every input.
struct First {
    output: Vec<u8>,
}

impl Environment for First {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        0
    }
    fn choose(&mut self, _: u32) -> u32 {
        0
    }
    fn print(&mut self, text: &[u8]) {
        self.output.extend_from_slice(text);
    }
}

impl Driver for First {
    fn schedule(&mut self, _: &State, _: &[(ThreadId, EdgeId)]) -> Option<usize> {
        Some(0)
    }
    fn see(&mut self, _: &State, _: &TraceStep, _: &Effects) -> bool {
        true
    }
}
