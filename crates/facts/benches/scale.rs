//! How the cost of facts grows with programs: time and memory for each access, in a process of its own for each size.
//!
//! `cargo bench -p facts`; `cargo bench -p facts -- square 3000` for one shape and up to a size. Every thread changes every global
//! under a lock, and reads some others; in the end the first thread reads all.

use std::fmt::Write as _;
use std::process::Command;
use std::time::Instant;

use base::Budget;

const SIZES: [usize; 5] = [1_000, 3_000, 10_000, 30_000, 100_000];
const LOCKS: usize = 8;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Shape {
    /// Ten globals.
    Threads,
    /// Ten threads.
    Globals,
    Square,
    /// As square, but every thread has a function of its own.
    Texts,
    /// Threads created in a loop.
    Loop,
    /// No two accesses hold the same lock.
    Racy,
    /// One function, one thread.
    Statements,
    /// The same, with as many globals.
    Start,
    /// Functions that call each other, one thread.
    Functions,
    /// The same, with locals in memory, called in a loop.
    Locals,
}

const SHAPES: [Shape; 10] = [
    Shape::Threads,
    Shape::Globals,
    Shape::Square,
    Shape::Texts,
    Shape::Loop,
    Shape::Racy,
    Shape::Statements,
    Shape::Start,
    Shape::Functions,
    Shape::Locals,
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    if let [child, shape, size] = &words[..]
        && child == "child"
    {
        return measure(named(shape), size.parse().expect("a number"));
    }
    let (shape, most) = (words.first(), words.get(1).map_or(usize::MAX, |size| size.parse().expect("a number")));
    println!(
        "{:10} {:>8} {:>8} {:>8} {:>8} {:>9} {:>8} {:>9}",
        "shape", "accesses", "facts s", "pairs s", "movers s", "µs/access", "peak MB", "KB/access"
    );
    for wanted in SHAPES.into_iter().filter(|s| shape.is_none_or(|word| named(word) == *s)) {
        for size in SIZES.into_iter().filter(|size| *size <= most) {
            println!("{}", in_child(wanted, size));
        }
    }
}

fn named(word: &str) -> Shape {
    let found = SHAPES.into_iter().find(|shape| format!("{shape:?}").eq_ignore_ascii_case(word));
    found.unwrap_or_else(|| panic!("no shape is called {word}"))
}

fn in_child(shape: Shape, size: usize) -> String {
    let own = std::env::current_exe().expect("this program is somewhere");
    let child = Command::new(own).args(["child", &format!("{shape:?}"), &size.to_string()]).output().expect("it runs");
    if child.status.success() {
        String::from_utf8_lossy(&child.stdout).trim_end().to_owned()
    } else {
        format!("{shape:?} {size}: {}", String::from_utf8_lossy(&child.stderr))
    }
}

fn measure(shape: Shape, size: usize) {
    let (text, accesses) = generate(shape, size);
    let program = testing::program(&text);
    let before = memory("VmRSS:");
    let start = Instant::now();
    let facts = facts::analyze(&program, &Budget::unlimited()).unwrap_or_else(|stop| panic!("{stop:?}"));
    let analyzed = start.elapsed().as_secs_f64();
    let pairs = facts.pairs(&program);
    let paired = start.elapsed().as_secs_f64();
    let movers = facts.movers(&program);
    let moved = start.elapsed().as_secs_f64();
    let peak = memory("VmHWM:").saturating_sub(before);
    assert_eq!(pairs.racing.is_empty(), shape != Shape::Racy, "{} pairs", pairs.racing.len());
    drop(movers);
    println!(
        "{:10} {accesses:8} {analyzed:8.2} {:8.2} {:8.2} {:9.1} {:8} {:9.2}",
        format!("{shape:?}"),
        paired - analyzed,
        moved - paired,
        moved * 1e6 / accesses as f64,
        peak / 1024,
        peak as f64 / accesses as f64
    );
}

/// In kilobytes.
fn memory(what: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux says how large a process is");
    let line = text.lines().find(|line| line.starts_with(what)).expect("it is told");
    line.split_whitespace().nth(1).and_then(|word| word.parse().ok()).expect("a number")
}

const DECLARATIONS: &str = "
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int __VERIFIER_nondet_int(void);
";

/// The program, and how many accesses its threads make; what is not threads and globals makes as many in one.
fn generate(shape: Shape, size: usize) -> (String, usize) {
    let root = (size as f64).sqrt() as usize;
    let (threads, globals) = match shape {
        Shape::Threads => (size / 10, 10),
        Shape::Globals => (10, size / 10),
        Shape::Square | Shape::Texts | Shape::Racy => (root, root),
        Shape::Loop => (1, size),
        Shape::Statements | Shape::Start | Shape::Functions | Shape::Locals => return (sequential(shape, size), size),
    };
    let mut text = DECLARATIONS.to_owned();
    for lock in 0..LOCKS {
        let _ = writeln!(text, "pthread_mutex_t m{lock};");
    }
    for global in 0..globals {
        let _ = writeln!(text, "int g{global};");
    }
    let texts = if shape == Shape::Texts { threads } else { 1 };
    for function in 0..texts {
        let _ = writeln!(text, "void *work{function}(void *arg) {{\n    int sum = 0;");
        for global in 0..globals {
            let lock = if shape == Shape::Racy { "" } else { &format!("pthread_mutex_lock(&m{}); ", global % LOCKS) };
            let unlock = if lock.is_empty() { "" } else { &format!(" pthread_mutex_unlock(&m{});", global % LOCKS) };
            let near = (global + LOCKS) % globals / LOCKS * LOCKS + global % LOCKS;
            let read = if near < globals && global % 4 == 0 { &format!(" sum += g{near};") } else { "" };
            let _ = writeln!(text, "    {lock}g{global} = g{global} + 1;{read}{unlock}");
        }
        let _ = writeln!(text, "    return 0;\n}}");
    }
    let _ = writeln!(text, "int main(void) {{");
    if shape == Shape::Loop {
        let _ = writeln!(text, "    pthread_t t[100];");
        let _ = writeln!(text, "    for (int i = 0; i < 100; i++) pthread_create(&t[i], 0, work0, 0);");
        let _ = writeln!(text, "    for (int i = 0; i < 100; i++) pthread_join(t[i], 0);");
    } else {
        for thread in 0..threads {
            let _ = writeln!(text, "    pthread_t t{thread};");
        }
        for thread in 0..threads {
            let _ = writeln!(text, "    pthread_create(&t{thread}, 0, work{}, 0);", thread % texts);
        }
        for thread in 0..threads {
            let _ = writeln!(text, "    pthread_join(t{thread}, 0);");
        }
    }
    text.push_str("    int all = 0;\n");
    for global in 0..globals {
        let _ = writeln!(text, "    all += g{global};");
    }
    text.push_str("    return all;\n}\n");
    (text, threads * globals)
}

fn sequential(shape: Shape, size: usize) -> String {
    let mut text = DECLARATIONS.to_owned();
    match shape {
        Shape::Statements => {
            text.push_str("int g[10];\nint main(void) {\n    int a = 0, b = 1, c[4];\n");
            for i in 0..size {
                let _ = match i % 5 {
                    0 => writeln!(text, "    a = b + {i};"),
                    1 => writeln!(text, "    g[{}] = a;", i % 10),
                    2 => writeln!(text, "    if (a > {i}) b = 1; else b = a / 2;"),
                    3 => writeln!(text, "    c[{}] = g[{}];", i % 4, i % 7),
                    _ => writeln!(text, "    b = c[a & 3];"),
                };
            }
            text.push_str("    return 0;\n}\n");
        }
        Shape::Start => {
            for global in 0..size / 2 {
                let _ = writeln!(text, "int g{global};");
            }
            text.push_str("int main(void) {\n    int a = 0;\n");
            for global in 0..size / 2 {
                let _ = writeln!(text, "    g{global} = {global}; if (g{} > a) a = g{global} & 255;", global / 2);
            }
            text.push_str("    return a;\n}\n");
        }
        _ => {
            // Ten accesses each.
            let functions = size / 10;
            text.push_str("int g[10];\n");
            for function in 0..functions {
                let _ = writeln!(text, "int f{function}(int a) {{\n    int b[2], s = a;");
                for i in 0..5 {
                    let _ = writeln!(text, "    g[{i}] = s; s = g[{}];", (i + function) % 10);
                }
                if shape == Shape::Locals {
                    let _ = writeln!(text, "    b[0] = s; s = b[0];");
                }
                if function > 0 && function % 10 != 0 {
                    let _ = writeln!(text, "    s = f{}(s);", function - 1);
                }
                let _ = writeln!(text, "    return s;\n}}");
            }
            text.push_str("int main(void) {\n    int s = 0;\n");
            if shape == Shape::Locals {
                text.push_str("    while (__VERIFIER_nondet_int()) {\n");
            }
            for function in (9..functions).step_by(10) {
                let _ = writeln!(text, "    s = f{function}(s & 255);");
            }
            text.push_str(if shape == Shape::Locals { "    }\n    return 0;\n}\n" } else { "    return 0;\n}\n" });
        }
    }
    text
}
