//! Programs and automata from text, for all tests of specifications.
#![allow(dead_code)]

use base::{Diagnostic, SourceMap};
use c_front::preprocess::Loaded;
use c_front::types::DataModel;
use program::Program;
use spec::Automaton;

/// What the C library declares, as far as tests need it.
const DECLARATIONS: &str = "typedef unsigned long pthread_t; typedef struct { int kind; long rest[4]; } pthread_mutex_t; \
    int pthread_create(pthread_t *, void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **); \
    int pthread_mutex_lock(pthread_mutex_t *); int pthread_mutex_unlock(pthread_mutex_t *); \
    int pthread_mutex_trylock(pthread_mutex_t *); int pthread_spin_lock(int *); int pthread_spin_unlock(int *); \
    void *malloc(unsigned long); void *realloc(void *, unsigned long); void free(void *); void abort(void); \
    void exit(int); int printf(const char *, ...); unsigned long strlen(const char *); int sched_yield(void); \
    int __VERIFIER_nondet_int(void);\n";

/// Line 1 of `source` is line 2 of `test.c`.
pub fn program(source: &str) -> Program {
    let loaded = Loaded { name: "test.c".into(), text: format!("{DECLARATIONS}{source}") };
    testing::lower(loaded, DataModel::Lp64).unwrap_or_else(|problem| panic!("{problem}\n{source}"))
}

/// The one automaton of a text, or `line:column: message (help)`.
pub fn automaton(text: &str, program: &Program) -> Result<Automaton, String> {
    let mut sources = SourceMap::new();
    let start = sources.add("test.spec", text.to_owned()).expect("a small text");
    let told = |error: Diagnostic| {
        let place = sources.place(error.span).expect("every error has a place");
        let help = error.help.map_or_else(String::new, |help| format!("\n  help: {help}"));
        let notes = error.notes.iter().map(|(span, note)| {
            let place = sources.place(*span).expect("every note has a place");
            format!("\n  {}:{}: note: {note}", place.line, place.column)
        });
        format!("{}:{}: {}{}{help}", place.line, place.column, error.message, notes.collect::<String>())
    };
    let trees = spec::parse(sources.text(start), start).map_err(told)?;
    spec::resolve(&trees[0], program, &|name| name == "sched_yield").map_err(told)
}
