//! How many states the engine visits in a second without a reduction, and what a state takes; beside it the same models under Spin,
//! in the same run. The models have one step for each edge of the automata, so that the numbers of states agree.
//!
//! `cargo bench -p engine-cpa --bench throughput`. Spin is installed if it is missing and `apt-get` can.

#[path = "../../../tests/support/clock.rs"]
mod clock;
#[path = "../tests/support/mod.rs"]
mod support;

use std::path::Path;
use std::process::Command;

use clock::Clock;
use engine_cpa::{CpaEngine, Options, Order, Reduction, Strategy, Track};
use verify::{SharedFacts, Statistic, Target};

/// As in the command.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Models and how often each thread goes round.
const MODELS: [(&str, u32); 3] = [("peterson", 60), ("counter", 150), ("philosophers", 3)];
/// Spin is fast: so many searches are timed together.
const REPEATED: u32 = 5;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [child, name, rounds] = &words[..]
        && child == "child"
    {
        return measure(name, rounds.parse().expect("a number"));
    }
    let spin = install_spin();
    if let Err(problem) = &spin {
        println!("no comparison with Spin: {problem}");
    }
    println!("{:16} {:8} {:>10} {:>12} {:>10} {:>10}", "model", "", "states", "transitions", "states/s", "B/state");
    for (name, rounds) in MODELS {
        let ours = in_child(name, rounds);
        print_row(name, "heddle", &ours);
        if spin.is_ok() {
            match spin_on(name, rounds) {
                Ok(theirs) => {
                    print_row(name, "spin", &theirs);
                    let (faster, larger) = (theirs.speed() / ours.speed(), ours.bytes / theirs.bytes);
                    println!(
                        "{name:16} Spin is {faster:.1} times as fast, a state of ours takes {larger:.1} times as much"
                    );
                }
                Err(problem) => println!("{name}: no comparison with Spin: {problem}"),
            }
        }
    }
}

/// One search.
struct Figures {
    states: f64,
    transitions: f64,
    seconds: f64,
    /// For each state.
    bytes: f64,
}

impl Figures {
    fn speed(&self) -> f64 {
        self.states / self.seconds
    }
}

fn print_row(name: &str, who: &str, figures: &Figures) {
    let Figures { states, transitions, bytes, .. } = figures;
    println!("{name:16} {who:8} {states:>10} {transitions:>12} {:>10.0} {bytes:>10.0}", figures.speed());
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// In a process of its own, so that memory can be measured.
fn in_child(name: &str, rounds: u32) -> Figures {
    let own = std::env::current_exe().expect("this program is somewhere");
    let output = Command::new(own).args(["child", name, &rounds.to_string()]).output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [states, transitions, seconds, bytes] = numbers[..] else { panic!("{name}: {text}") };
    Figures { states, transitions, seconds, bytes }
}

fn measure(name: &str, rounds: u32) {
    let text =
        std::fs::read_to_string(here().join(format!("../../tests/models/{name}.c"))).expect("the model is there");
    let program = testing::program(&text.replace("ROUNDS", &rounds.to_string()));
    // As Spin has it.
    let strategy = Strategy { fewest_threads: false, order: Order::Depth };
    let kept = Options { symmetry: false, track: Track::All, ..Options::default() };
    let options = Options { reduction: Reduction::None, strategy, facts: false, ..kept };
    let facts = SharedFacts::default();
    let (memory, start) = (memory("VmRSS:"), Clock::Own.seconds());
    // No engine finds an endless run: all states are seen, and there is no proof to keep.
    let outcome = support::run(&mut CpaEngine::value(options), &program, &facts, Target::Endless);
    let (time, bytes) = (Clock::Own.seconds() - start, memory_peak() - memory);
    let [states, transitions] =
        [Statistic::States, Statistic::Transitions].map(|what| support::statistic(&outcome, what));
    println!("{states} {transitions} {time} {}", bytes / states as f64);
}

fn memory_peak() -> f64 {
    memory("VmHWM:")
}

/// In bytes.
fn memory(what: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux says how much memory is used");
    let line = status.lines().find_map(|line| line.strip_prefix(what)).unwrap_or_default();
    line.split_whitespace().next().and_then(|word| word.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
}

fn install_spin() -> Result<(), String> {
    let is_there = || Command::new("spin").arg("-V").output().is_ok();
    if !is_there() {
        let installed = Command::new("apt-get").args(["install", "-y", "spin", "gcc"]).output();
        installed.map_err(|e| e.to_string())?;
    }
    if is_there() { Ok(()) } else { Err("it could not be installed; try: apt-get install spin gcc".to_owned()) }
}

/// Without partial-order reduction, and without merging steps into one.
fn spin_on(name: &str, rounds: u32) -> Result<Figures, String> {
    let folder = std::env::temp_dir().join(format!("heddle-spin-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|e| e.to_string())?;
    let result = spin_in(&folder, name, rounds);
    std::fs::remove_dir_all(&folder).map_err(|e| e.to_string())?;
    result
}

fn spin_in(folder: &Path, name: &str, rounds: u32) -> Result<Figures, String> {
    let run = |command: &mut Command| {
        let output = command.current_dir(folder).output().map_err(|e| e.to_string())?;
        Ok::<_, String>(String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let (define, model) = (format!("-DROUNDS={rounds}"), here().join(format!("benches/models/{name}.pml")));
    let problem = run(Command::new("spin").args([&define, "-o1", "-o2", "-o3", "-a"]).arg(model))?;
    run(Command::new("gcc").args(["-O2", "-w", "-DNOREDUCE", "-DSAFETY", "-DNOCLAIM", "-o", "pan", "pan.c"]))?;
    let start = Clock::Children.seconds();
    let mut text = String::new();
    for _ in 0..REPEATED {
        text = run(Command::new("./pan").args(["-m2000000", "-w21", "-E", "-c0"]))?;
    }
    let seconds = (Clock::Children.seconds() - start) / f64::from(REPEATED);
    let number = |line: &str| line.split_whitespace().next()?.parse::<f64>().ok();
    let find = |what: &str| text.lines().find(|line| line.contains(what)).and_then(number);
    let megabytes = find("actual memory usage for states").or(find("equivalent memory usage"));
    match (find("states, stored"), find("transitions (="), megabytes, find("memory used for hash table")) {
        (Some(states), Some(transitions), Some(megabytes), Some(table)) => {
            let bytes = (megabytes + table) * 1024.0 * 1024.0 / states;
            Ok(Figures { states, transitions, seconds, bytes })
        }
        _ => Err(format!("spin says: {problem}; pan says: {text}")),
    }
}
