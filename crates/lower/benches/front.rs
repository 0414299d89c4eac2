//! Speed of the front end, preprocessed text to automata: over a corpus (`HEDDLE_CORPUS`, a folder with `.i` and `.c`
//! files) and over generated programs of growing size. Run with `cargo bench -p lower`.

use std::path::Path;
use std::time::Instant;

use c_front::preprocess::{Loaded, PreprocessOptions, load};
use c_front::types::DataModel;
use lower::build::Build;

fn main() {
    let work = || {
        if let Some(corpus) = std::env::var_os("HEDDLE_CORPUS") {
            corpus_speed(Path::new(&corpus));
        }
        for megabytes in [1, 2, 5, 10, 20] {
            generated_speed(megabytes);
        }
    };
    std::thread::Builder::new().stack_size(1 << 30).spawn(work).unwrap().join().unwrap();
}

/// Each file once; `.c` files are preprocessed before the clock starts.
fn corpus_speed(folder: &Path) {
    let mut files = Vec::new();
    collect(folder, &mut files);
    files.sort();
    let texts: Vec<Loaded> = files.iter().filter_map(|f| load(f, &PreprocessOptions::default()).ok()).collect();
    let bytes: usize = texts.iter().map(|l| l.text.len()).sum();
    let count = texts.len();
    let start = Instant::now();
    let taken = texts.into_iter().filter(|l| through(l.clone()).is_some()).count();
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "corpus: {count} files ({taken} accepted), {:.1} MB in {seconds:.2} s, {:.1} MB/s",
        bytes as f64 / 1e6,
        bytes as f64 / 1e6 / seconds
    );
}

fn collect(folder: &Path, files: &mut Vec<std::path::PathBuf>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|e| e == "c" || e == "i") {
            files.push(path);
        }
    }
}

fn generated_speed(megabytes: usize) {
    let text = generate(megabytes * 1_000_000);
    let bytes = text.len() as f64 / 1e6;
    let start = Instant::now();
    let edges = through(Loaded { text, name: "generated.i".to_owned() }).expect("the generated program is accepted");
    let seconds = start.elapsed().as_secs_f64();
    println!(
        "generated: {bytes:.1} MB, {edges} edges in {seconds:.2} s, {:.1} MB/s, peak memory so far {} MB",
        bytes / seconds,
        peak_memory_kb() / 1024
    );
}

fn through(loaded: Loaded) -> Option<usize> {
    let (program, _) = Build::new(vec![loaded]).ok()?.lower(DataModel::Lp64).ok()?;
    Some(program.functions.iter().map(|f| f.edges.len()).sum())
}

fn peak_memory_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).unwrap_or("0");
    line.chars().filter(char::is_ascii_digit).collect::<String>().parse().unwrap_or(0)
}

/// A program of about `size` bytes in which every function can run: records, arrays, loops, branches, calls, locks.
fn generate(size: usize) -> String {
    let mut text = String::with_capacity(size + 4096);
    text.push_str(
        "typedef unsigned long pthread_t; typedef union { int a[10]; long b; } pthread_mutex_t;\n\
         int pthread_mutex_lock(pthread_mutex_t *m); int pthread_mutex_unlock(pthread_mutex_t *m);\n\
         struct node { int key; long weight; struct node *next; char name[16]; unsigned flags : 3, level : 5; };\n\
         static pthread_mutex_t lock; static int table[256]; static struct node head;\n",
    );
    let mut count = 0;
    while text.len() < size {
        text.push_str(&function(count));
        count += 1;
    }
    text.push_str("int main(void) {\n  int sum = 0;\n");
    (0..count).for_each(|i| text.push_str(&format!("  sum += work{i}(sum, {});\n", i % 7)));
    text.push_str("  return sum;\n}\n");
    text
}

fn function(i: usize) -> String {
    format!(
        "static int counter{i};\n\
         static int work{i}(int n, unsigned shift) {{\n\
         \x20 struct node local = {{ .key = n, .weight = {i}L, .next = &head }};\n\
         \x20 int sum = 0;\n\
         \x20 for (int k = 0; k < n && k < {}; k++) {{\n\
         \x20   if (table[k & 255] > local.key || (k % 3 == 0 && head.flags != 2))\n\
         \x20     sum += table[(k * 7 + {i}) & 255] >> (shift & 7);\n\
         \x20   else\n\
         \x20     sum ^= (int)(local.weight * k) - counter{i};\n\
         \x20 }}\n\
         \x20 switch (sum & 3) {{\n\
         \x20 case 0: local.level = sum; break;\n\
         \x20 case 1: head.weight += sum > 10 ? sum : -sum; break;\n\
         \x20 default: local.name[sum & 15] = 'a' + (sum & 7);\n\
         \x20 }}\n\
         \x20 pthread_mutex_lock(&lock);\n\
         \x20 counter{i} += sum;\n\
         \x20 table[{i} & 255] = counter{i} * 2 + local.level;\n\
         \x20 pthread_mutex_unlock(&lock);\n\
         \x20 return sum + local.name[0];\n\
         }}\n",
        i % 50 + 3
    )
}
