//! Small random threaded C programs, made to be explored to the end and to differ: each draws a few features (kinds of locks,
//! atomics, heap, inputs and so on) and builds its threads from statements of those. Mistakes are made now and then, on purpose:
//! a lock not released, a wait without a loop, a pointer that dangles. Programs declare what they need, so no preprocessor runs.
//!
//! A program is a function of its seed and the options alone.

mod data;
mod expression;
mod locks;
mod main_function;
mod prelude;
mod statement;
mod waiting;
mod wide;

use semantics::Random;

pub use wide::{Wide, generate_wide};

/// How large programs become.
#[derive(Clone, Debug)]
pub struct GenerateOptions {
    /// Threads besides the first one: from one to this many.
    pub threads: usize,
    /// Statements of a thread's function, nested ones included: from one to this many.
    pub statements: usize,
    /// How deep statements nest.
    pub depth: usize,
    /// Features of a program: from one to this many.
    pub features: usize,
}

impl Default for GenerateOptions {
    fn default() -> Self {
        GenerateOptions { threads: 3, statements: 5, depth: 2, features: 5 }
    }
}

impl GenerateOptions {
    /// Every third program is a large one: it is not explored to the end, but shows more at once.
    pub fn small_or_large(seed: u64, large: &GenerateOptions) -> GenerateOptions {
        if seed % 3 == 2 { large.clone() } else { GenerateOptions::default() }
    }
}

/// What a program may use beside plain globals, conditions and loops.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Feature {
    Mutex,
    RwLock,
    Condition,
    Semaphore,
    Barrier,
    Once,
    Key,
    Atomic,
    Section,
    Heap,
    List,
    Array,
    Record,
    Pointer,
    Input,
    Assertion,
    Switch,
    Helper,
    ThreadLocal,
    Cleanup,
    Nested,
    // Only of wide programs.
    Block,
    Union,
    Bits,
    Copy,
    Library,
    Arguments,
    Missing,
    Risk,
    Callback,
    Arithmetic,
    Address,
    Control,
}

const FEATURES: &[Feature] = &[
    Feature::Mutex,
    Feature::RwLock,
    Feature::Condition,
    Feature::Semaphore,
    Feature::Barrier,
    Feature::Once,
    Feature::Key,
    Feature::Atomic,
    Feature::Section,
    Feature::Heap,
    Feature::List,
    Feature::Array,
    Feature::Record,
    Feature::Pointer,
    Feature::Input,
    Feature::Assertion,
    Feature::Switch,
    Feature::Helper,
    Feature::ThreadLocal,
    Feature::Cleanup,
    Feature::Nested,
];

/// The text of the program with this seed.
pub fn generate(seed: u64, options: &GenerateOptions) -> String {
    let mut g = Generator::new(seed, options, FEATURES);
    g.globals();
    g.helpers();
    g.workers();
    g.main_function();
    prelude::declarations(&g.text) + &g.text
}

struct Generator {
    random: Random,
    options: GenerateOptions,
    features: Vec<Feature>,
    /// Threads that `main` creates.
    threads: usize,
    /// Different functions that they run.
    functions: usize,
    /// Threads get a pointer to their number instead of the number.
    arguments_in_memory: bool,
    /// One mutex protects what threads share: each of their statements holds it.
    guarded: bool,
    /// The program is to be run by a machine, too: nothing whose result depends on the machine.
    wide: bool,
    /// The read-write lock is held.
    holds_rwlock: bool,
    text: String,
    indent: usize,
    /// Names of plain `int`s that can be read here.
    locals: Vec<String>,
    /// Statements that may still be made in this function.
    left: usize,
    depth: usize,
    /// Numbers in names that must differ.
    fresh: usize,
}

impl Generator {
    fn new(seed: u64, options: &GenerateOptions, pool: &[Feature]) -> Self {
        let mut random = Random::new(seed);
        let count = 1 + random.below(options.features.max(1));
        let mut features = Vec::new();
        for _ in 0..count {
            let feature = *random.pick(pool);
            if !features.contains(&feature) {
                features.push(feature);
            }
        }
        let threads = 1 + random.below(options.threads.max(1));
        Generator {
            functions: 1 + random.below(threads),
            arguments_in_memory: random.once_in(8),
            random,
            options: options.clone(),
            features,
            threads,
            guarded: false,
            wide: false,
            holds_rwlock: false,
            text: String::new(),
            indent: 0,
            locals: Vec::new(),
            left: 0,
            depth: 0,
            fresh: 0,
        }
    }

    fn has(&self, feature: Feature) -> bool {
        self.features.contains(&feature)
    }

    fn line(&mut self, text: impl AsRef<str>) {
        let text = text.as_ref();
        self.text.extend(std::iter::repeat_n("    ", self.indent));
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn open(&mut self, text: impl AsRef<str>) {
        self.line(format!("{} {{", text.as_ref()));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn one_of(&mut self, options: &[&'static str]) -> &'static str {
        options[self.random.below(options.len())]
    }

    fn fresh(&mut self, name: &str) -> String {
        self.fresh += 1;
        format!("{name}{}", self.fresh)
    }

    fn workers(&mut self) {
        if self.has(Feature::Nested) {
            self.open("void *leaf(void *arg)");
            self.left = 2;
            self.locals.clear();
            self.statements();
            self.line("return 0;");
            self.close();
        }
        for i in 0..self.functions {
            self.worker(i);
        }
    }

    fn worker(&mut self, number: usize) {
        self.open(format!("void *worker{number}(void *arg)"));
        self.line(if self.arguments_in_memory { "int id = *(int *)arg;" } else { "int id = (int)(long)arg;" });
        let start = self.one_of(&["0", "1", "id"]);
        self.line(format!("int t = {start};"));
        self.locals = vec!["id".into(), "t".into()];
        self.left = 1 + self.random.below(self.options.statements.max(1));
        if self.has(Feature::Nested) && number == 0 {
            self.nested_thread();
        }
        let meets = self.has(Feature::Barrier) && !self.random.once_in(24);
        if meets && self.random.once_in(2) {
            self.barrier();
        } else if meets {
            self.statement();
            self.barrier();
        }
        self.statements();
        let end =
            self.one_of(&["return 0;", "return 0;", "return (void *)(long)t;", "pthread_exit((void *)(long)id);"]);
        self.line(end);
        self.close();
    }

    /// A thread that a thread creates.
    fn nested_thread(&mut self) {
        self.line("pthread_t inner;");
        self.line("pthread_create(&inner, 0, leaf, 0);");
        if self.random.once_in(2) {
            self.statement();
        }
        let end = self.one_of(&["pthread_join(inner, 0);", "pthread_join(inner, 0);", "pthread_detach(inner);"]);
        self.line(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_program() {
        let options = GenerateOptions::default();
        let programs: Vec<_> = (0..100).map(|seed| generate(seed, &options)).collect();
        assert_eq!(programs, (0..100).map(|seed| generate(seed, &options)).collect::<Vec<_>>());
        let different: std::collections::BTreeSet<_> = programs.iter().collect();
        assert_eq!(different.len(), programs.len());
    }
}
