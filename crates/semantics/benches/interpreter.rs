//! How fast the interpreter is, and how large its states are; beside it the same models under Spin, in the same run.
//!
//! `cargo bench -p semantics`. Spin is optional (`apt-get install spin`).

#[path = "../../../tests/support/clock.rs"]
mod clock;

use std::path::Path;
use std::process::Command;

use clock::Clock;
use program::{EdgeId, Input, Program, Scalar};
use semantics::{Driver, Effects, Environment, Limits, Machine, Random, State, ThreadId, TraceStep};

fn main() {
    random_runs("counter", &build("counter", 60));
    for (name, rounds) in [("peterson", 6), ("counter", 60)] {
        let ours = explore(name, &build(name, rounds));
        match spin(name) {
            Ok(theirs) => {
                println!("{name}: spin {theirs:.0} states/s; it is {:.1} times as fast", theirs / ours);
            }
            Err(problem) => println!("{name}: no comparison with spin: {problem}"),
        }
    }
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Each thread goes round so often.
fn build(name: &str, rounds: u32) -> Program {
    let path = here().join(format!("../../tests/models/{name}.c"));
    let text = std::fs::read_to_string(path).expect("the model is there").replace("ROUNDS", &rounds.to_string());
    testing::program(&text)
}

fn random_runs(name: &str, program: &Program) {
    let machine = Machine::new(program);
    let start = Clock::Own.seconds();
    let (mut edges, mut runs) = (0, 0);
    while runs < 4000 {
        edges += machine.run(&mut Uniform { random: Random::new(runs) }).trace.steps.len();
        runs += 1;
    }
    let speed = edges as f64 / (Clock::Own.seconds() - start);
    println!("{name}: {runs} random runs, {edges} edges, {speed:.0} edges/s");
}

/// States per second.
fn explore(name: &str, program: &Program) -> f64 {
    let machine = Machine::new(program);
    let start = Clock::Own.seconds();
    let exploration = machine.explore(&Limits::default());
    let speed = exploration.states as f64 / (Clock::Own.seconds() - start);
    assert!(exploration.complete, "the model is small");
    let (states, bytes) = (exploration.states, exploration.bytes / exploration.states);
    println!("{name}: explored {states} states, {speed:.0} states/s, {bytes} bytes each");
    speed
}

/// Every step equally likely, inputs zero.
struct Uniform {
    random: Random,
}

impl Environment for Uniform {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        0
    }
    fn choose(&mut self, options: u32) -> u32 {
        self.random.below(options as usize) as u32
    }
    fn print(&mut self, _: &[u8]) {}
}

impl Driver for Uniform {
    fn schedule(&mut self, _: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize> {
        Some(self.random.below(steps.len()))
    }
    fn see(&mut self, _: &State, _: &TraceStep, _: &Effects) -> bool {
        true
    }
}

/// States per second of Spin's exhaustive search, compiled with -O2, without its partial-order reduction as ours has none.
fn spin(name: &str) -> Result<f64, String> {
    let folder = std::env::temp_dir().join(format!("heddle-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let result = spin_in(&folder, &here().join(format!("benches/models/{name}.pml")));
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    result
}

fn spin_in(folder: &Path, model: &Path) -> Result<f64, String> {
    let run = |command: &mut Command| {
        let output = command.current_dir(folder).output().map_err(|e| format!("{e}; try: apt-get install spin gcc"))?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    run(Command::new("spin").arg("-a").arg(model))?;
    run(Command::new("gcc").args(["-O2", "-w", "-DNOREDUCE", "-DNOCLAIM", "-o", "pan", "pan.c"]))?;
    let start = Clock::Children.seconds();
    let text = run(Command::new("./pan").args(["-m100000", "-w22"]))?;
    let seconds = Clock::Children.seconds() - start;
    let states = text.lines().find_map(|line| line.trim().strip_suffix(" states, stored")?.parse::<f64>().ok());
    let bytes = text.lines().find_map(|line| line.split_once("State-vector ")?.1.split(' ').next());
    let states = states.ok_or_else(|| format!("pan says: {text}"))?;
    println!("  spin stores {states} states of {} bytes in {seconds:.3} s", bytes.unwrap_or("?"));
    Ok(states / seconds)
}
