//! Programs that are to be compiled and run, too: more of C (heap, unions, bit-fields, copied structs, library calls, arguments,
//! functions without a body), nothing whose meaning a machine does not have, no indeterminate value.

mod addresses;
mod calls;
mod memory;
mod numbers;

use super::{Feature, GenerateOptions, Generator, prelude};

const FEATURES: &[Feature] = &[
    Feature::Mutex,
    Feature::RwLock,
    Feature::Condition,
    Feature::Semaphore,
    Feature::Barrier,
    Feature::Once,
    Feature::Key,
    Feature::Atomic,
    Feature::Atomic,
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
    Feature::Block,
    Feature::Block,
    Feature::Union,
    Feature::Union,
    Feature::Bits,
    Feature::Bits,
    Feature::Copy,
    Feature::Copy,
    Feature::Library,
    Feature::Library,
    Feature::Arguments,
    Feature::Missing,
    Feature::Risk,
    Feature::Risk,
    Feature::Callback,
    Feature::Arithmetic,
    Feature::Arithmetic,
    Feature::Address,
    Feature::Address,
    Feature::Control,
    Feature::Control,
];

/// A program in two parts: a compiler has headers instead of the declarations. One statement a line; what threads share is read
/// into locals before it is printed, in the line before [`Wide::RESULT`].
#[derive(Clone, Debug)]
pub struct Wide {
    pub declarations: String,
    pub body: String,
}

impl Wide {
    /// The start of the line that prints `end0`, `end1` and `end2`.
    pub const RESULT: &'static str = "    printf(";

    /// The program, with something said of its results before they are printed.
    pub fn with(&self, check: &str) -> String {
        let (before, after) = self.body.rsplit_once(Wide::RESULT).expect("programs print their results");
        format!("{}{before}    {check}\n{}{after}", self.declarations, Wide::RESULT)
    }
}

/// The program with this seed.
pub fn generate_wide(seed: u64) -> Wide {
    let options = GenerateOptions { threads: 2, statements: 8, depth: 2, features: 6 };
    let mut g = Generator::new(seed, &options, FEATURES);
    g.wide = true;
    g.globals();
    let waiting = [Feature::Mutex, Feature::RwLock, Feature::Condition, Feature::Semaphore, Feature::Barrier];
    if !waiting.iter().any(|feature| g.has(*feature)) && g.random.once_in(2) {
        g.guarded = true;
        g.line("pthread_mutex_t guard;");
    }
    g.helpers();
    g.workers();
    g.wide_main();
    Wide { declarations: prelude::declarations(&g.text), body: g.text }
}

pub fn globals(feature: Feature) -> &'static [&'static str] {
    match feature {
        Feature::Block => &["int *heap;", "int heap_size;"],
        Feature::Union => &["union view { int whole; short halves[2]; unsigned char bytes[4]; };", "union view u;"],
        Feature::Bits => &[
            "struct flags { unsigned a : 3; int b : 5; unsigned long long wide : 40; signed sign : 1; unsigned char c; };",
            "struct flags f;",
        ],
        Feature::Copy => {
            &["struct triple { int a; short b; int c[2]; };", "struct triple r0, r1 = { 1, 2, { 3, 4 } };"]
        }
        Feature::Library => &["char text[8] = \"ab\";"],
        Feature::Risk => &["int g[4];"],
        Feature::Callback => &["int (*hook)(int);"],
        Feature::Address => &["int cells[3];", "int *link = cells;", "struct holder { int *place; int count; };"],
        Feature::Control => &["int matrix[2][2];"],
        _ => &[],
    }
}

impl Generator {
    pub fn wide_helpers(&mut self) {
        if self.has(Feature::Copy) {
            self.line("static struct triple make(int k) { struct triple v = { k, k + 1, { k, 2 } }; return v; }");
            self.line("static struct triple turned(struct triple v) { int k = v.c[0]; v.c[0] = v.c[1]; v.c[1] = k; return v; }");
        }
        if self.has(Feature::Callback) || self.has(Feature::Missing) {
            let to = self.place();
            self.line("static int twice(int k) { return k * 2; }");
            self.line(format!("static int keep(int k) {{ {to} = k; return k - 1; }}"));
        }
        if self.has(Feature::Callback) {
            self.line("static int (*const table[2])(int) = { twice, keep };");
        }
    }

    fn wide_main(&mut self) {
        let arguments = self.has(Feature::Arguments);
        self.open(if arguments { "int main(int argc, char **argv)" } else { "int main(void)" });
        self.line("int t = 0;");
        self.locals = vec!["t".into()];
        if self.has(Feature::Block) {
            let size = 1 + self.random.below(3);
            self.line(format!("heap = calloc({size}, sizeof *heap);"));
            self.line(format!("heap_size = {size};"));
        }
        if arguments {
            self.arguments();
        }
        self.set_up();
        self.create();
        self.take_part();
        self.wait_for_threads();
        self.results();
        self.line("return 0;");
        self.close();
    }

    /// Everything that can be seen in the end, in three numbers.
    fn results(&mut self) {
        if self.has(Feature::Block) && !self.random.once_in(4) {
            self.line("free(heap);");
        }
        if self.has(Feature::List) {
            self.line("while (top) { struct node *next = top->next; free(top); top = next; }");
        }
        let place = self.place();
        if self.random.once_in(3) {
            self.line(format!("assert((int)({place}) != 3);"));
        }
        self.line("int end0 = (int)x, end1 = (int)y;");
        self.line("unsigned end2 = (unsigned)t;");
        let of = [
            (Feature::Union, "u.whole"),
            (Feature::Bits, "f.a + f.b * 8 + f.sign * 256 + (int)f.wide"),
            (Feature::Copy, "r0.a + r0.b + r1.a + r1.c[0]"),
            (Feature::Library, "strlen(text)"),
            (Feature::Risk, "g[0] + g[1] + g[3]"),
            (Feature::Array, "a[0] - a[2]"),
            (Feature::Record, "s.first + s.second + s.low"),
            (Feature::Atomic, "c + n"),
            (Feature::Pointer, "z"),
            (Feature::Address, "cells[0] + 2 * cells[1] + 3 * (link - cells)"),
            (Feature::Control, "matrix[0][1] + 3 * matrix[1][0]"),
        ];
        for (feature, value) in of {
            if self.has(feature) {
                self.line(format!("end2 = end2 * 31u + (unsigned)({value});"));
            }
        }
        self.line("printf(\"%d %d %u\\n\", end0, end1, end2);");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_names_a_program_and_every_feature_comes_up() {
        let programs: Vec<String> = (0..300).map(|seed| generate_wide(seed).with("")).collect();
        assert_eq!(programs[7], generate_wide(7).with(""));
        let different: std::collections::BTreeSet<_> = programs.iter().collect();
        assert_eq!(different.len(), programs.len());
        for word in [
            "realloc",
            "union view",
            "f.wide",
            "turned",
            "strcpy",
            "argv",
            "missing_fill",
            "table[",
            "hook(",
            "goto",
            "& ~1ul",
        ] {
            assert!(programs.iter().any(|program| program.contains(word)), "{word}");
        }
    }
}
