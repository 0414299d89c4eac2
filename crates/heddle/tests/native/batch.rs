//! Many programs in one binary: each program's names get its seed, so that they do not meet.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use testing::generate::Wide;

pub struct Case {
    pub seed: u64,
    pub program: Wide,
}

/// How programs are compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Variant {
    Plain,
    /// What has a meaning here is not looked for: accesses that stay in their object, alignment.
    Memory,
    Races,
}

impl Variant {
    pub const ALL: [Variant; 3] = [Variant::Plain, Variant::Memory, Variant::Races];

    fn flags(self) -> &'static [&'static str] {
        match self {
            Variant::Plain => &["-O1"],
            Variant::Memory => &[
                "-O0",
                "-fsanitize=address,signed-integer-overflow,shift,integer-divide-by-zero,null,unreachable",
                "-fno-sanitize-recover=all",
            ],
            Variant::Races => &["-O0", "-fsanitize=thread"],
        }
    }

    fn runs(self) -> u32 {
        match self {
            Variant::Plain => 8,
            Variant::Memory => 4,
            Variant::Races => 4,
        }
    }
}

/// A run takes no longer.
const TIMEOUT_MS: u32 = 300;

const OPTIONS: [(&str, &str); 2] = [
    ("ASAN_OPTIONS", "detect_leaks=0:detect_stack_use_after_return=1:symbolize=0:allocator_may_return_null=1"),
    (
        "TSAN_OPTIONS",
        "halt_on_error=1:detect_deadlocks=0:report_mutex_bugs=0:report_thread_leaks=0:report_signal_unsafe=0:symbolize=0",
    ),
];

/// One run of one program.
pub struct Run {
    pub seed: u64,
    pub variant: Variant,
    pub signal: Option<i32>,
    pub code: i32,
    pub output: String,
    pub errors: String,
}

/// Compiles and runs all, in all variants.
pub fn run(cases: &[Case], folder: &Path) -> Vec<Run> {
    let source = folder.join("programs.c");
    std::fs::write(&source, text(cases)).expect("the programs are written");
    Variant::ALL.iter().flat_map(|variant| run_variant(&source, folder, *variant)).collect()
}

fn run_variant(source: &Path, folder: &Path, variant: Variant) -> Vec<Run> {
    let binary = compile(source, folder, variant);
    let mut command = Command::new(&binary);
    command.args([variant.runs().to_string(), TIMEOUT_MS.to_string()]).envs(OPTIONS);
    let output = command.output().expect("the programs start");
    assert!(output.status.success(), "{variant:?}: {}", String::from_utf8_lossy(&output.stderr));
    parse(&output.stdout, variant)
}

fn compile(source: &Path, folder: &Path, variant: Variant) -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/native");
    let binary = folder.join(format!("{variant:?}"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-std=gnu11", "-pthread", "-fno-builtin"]).args(variant.flags()).arg("-I").arg(&here);
    gcc.arg("-o").arg(&binary).arg(source).arg(here.join("runtime.c"));
    let output = gcc.output().expect("gcc runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    binary
}

/// The C text of all programs and their table.
fn text(cases: &[Case]) -> String {
    let mut text = String::from("#include \"runtime.h\"\n");
    let mut table = String::new();
    for Case { seed, program } in cases {
        let library: Vec<&str> = words(&program.declarations).collect();
        let main = if program.body.contains("int main(void)") { "" } else { "argc, argv" };
        for line in program.body.lines() {
            text.push_str(if takes_yield(line) { "native_yield(); " } else { "" });
            rename(line, *seed, &library, &mut text);
            text.push('\n');
        }
        let _ = writeln!(text, "static int start{seed}(int argc, char **argv) {{ return main_{seed}({main}); }}");
        let _ = writeln!(table, "    {{ {seed}, start{seed} }},");
    }
    let count = cases.len();
    let _ = write!(text, "const struct program programs[] = {{\n{table}}};\nconst int program_count = {count};\n");
    text
}

/// Statements stand alone in indented lines.
fn takes_yield(line: &str) -> bool {
    let start = line.trim_start();
    line.starts_with(' ') && !["}", "else", "case", "default"].iter().any(|word| start.starts_with(word))
}

const KEYWORDS: &str = "int unsigned char short long volatile struct union void static const return if else for while break \
    continue switch case default signed float double sizeof do goto";

/// Everything in a line but words of the language, of the library and of the compiler gets the number.
fn rename(line: &str, seed: u64, library: &[&str], to: &mut String) {
    let mut rest = line;
    while let Some(first) = rest.chars().next() {
        let length = token(rest);
        let word = &rest[..length];
        to.push_str(word);
        let is_name = first.is_ascii_alphabetic();
        if is_name && !KEYWORDS.split_whitespace().any(|k| k == word) && !library.contains(&word) {
            let _ = write!(to, "_{seed}");
        }
        rest = &rest[length..];
    }
}

/// How long the first token is; numbers with their suffixes, strings and characters whole.
fn token(text: &str) -> usize {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    match text.chars().next() {
        Some(quote @ ('"' | '\'')) => text[1..].find(quote).map_or(text.len(), |end| end + 2),
        Some(c) if is_part(c) => text.find(|c| !is_part(c)).unwrap_or(text.len()),
        Some(c) => c.len_utf8(),
        None => 0,
    }
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| !word.is_empty())
}

fn parse(mut bytes: &[u8], variant: Variant) -> Vec<Run> {
    let mut runs = Vec::new();
    while let Some(end) = bytes.iter().position(|b| *b == b'\n') {
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let fields: Vec<&str> = head.split(' ').collect();
        let number = |i: usize| fields[i].parse::<usize>().expect("a number");
        let (output, errors) = (number(4), number(5));
        let rest = &bytes[end + 1..];
        let lossy = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        runs.push(Run {
            seed: number(0) as u64,
            variant,
            signal: (fields[2] == "signal").then_some(number(3) as i32),
            code: number(3) as i32,
            output: lossy(&rest[..output]),
            errors: lossy(&rest[output..output + errors]),
        });
        bytes = &rest[output + errors..];
    }
    runs
}
