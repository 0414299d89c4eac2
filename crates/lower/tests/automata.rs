//! Automata of small programs, one theme each: `programs/theme.c` says in its first lines what must be seen, the snapshot
//! beside it is what comes out. Two lines of that comment steer the test: `// Prints: f, globals` names what to compare (otherwise
//! all functions of the file but `main`), `// Models: ILP32, LP64` the data models (otherwise LP64).

use std::collections::BTreeSet;
use std::path::PathBuf;

use c_front::preprocess::Loaded;
use c_front::types::DataModel;
use program::Program;
use program::print::{Extent, text};

macro_rules! themes {
    ($($theme:ident)*) => {
        $(#[test] fn $theme() { compare(stringify!($theme)) })*
        const THEMES: &[&str] = &[$(stringify!($theme)),*];
    };
}

themes! {
    address_taken
    alloca_and_vla
    arithmetic
    assembly
    assertions
    asynchronous
    atomic_builtins
    atomic_objects
    atomic_sections
    bit_fields
    bodiless
    builtins
    comma_and_conditional
    comparisons
    compound_assignment
    compound_literals
    computed_goto
    error_label
    error_label_with_call
    evaluation_order
    function_pointers
    goto_scopes
    increments
    initialisers
    irreducible
    loops
    main_with_arguments
    nondet
    pointers
    recursion
    scopes
    short_circuit
    start
    statement_expressions
    static_images
    statics_and_thread_locals
    struct_copy
    struct_values
    switch
    switch_scopes
    threads
    union_copy
    varargs
    waiting
    wide_integers
}

#[test]
fn every_program_is_compared() {
    let stem = |path: PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let files = std::fs::read_dir(folder()).expect("the folder is part of the repository");
    let paths = files.map(|entry| entry.expect("readable").path());
    let found: BTreeSet<_> = paths.filter(|p| p.extension().is_some_and(|e| e == "c")).filter_map(stem).collect();
    assert_eq!(found, THEMES.iter().map(|theme| theme.to_string()).collect());
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "programs"].iter().collect()
}

fn compare(theme: &str) {
    let file = format!("{theme}.c");
    let source = std::fs::read_to_string(folder().join(&file)).expect("every theme has its program");
    let models = listed(&source, "Models").unwrap_or(vec!["LP64"]);
    for model in &models {
        let data_model = if *model == "ILP32" { DataModel::Ilp32 } else { DataModel::Lp64 };
        let program = lowered(&file, &source, data_model);
        let name = if models.len() == 1 { theme.to_owned() } else { format!("{theme}.{}", model.to_lowercase()) };
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(folder());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.bind(|| insta::assert_snapshot!(name, printed(&program, &source)));
    }
}

fn lowered(file: &str, source: &str, data_model: DataModel) -> Program {
    let loaded = Loaded { name: file.into(), text: source.into() };
    testing::lower(loaded, data_model).unwrap_or_else(|problem| panic!("{file}: {problem}"))
}

/// The values of `// key: a, b` in the comment that opens the file.
fn listed<'s>(source: &'s str, key: &str) -> Option<Vec<&'s str>> {
    let comment = source.lines().map_while(|line| line.strip_prefix("// "));
    let mut values = comment.filter_map(|line| line.strip_prefix(key)?.strip_prefix(": "));
    values.next().map(|values| values.split(", ").collect())
}

/// The parts of the program's text that the file selects, in the order of the text.
fn printed(program: &Program, source: &str) -> String {
    let whole = text(program, Extent::Program).to_string();
    let wanted = listed(source, "Prints");
    let sections = whole.trim_end().split("\n\n").filter(|section| match &wanted {
        Some(wanted) => wanted.contains(&title(section)),
        None => section.starts_with("function ") && is_of_file(program, title(section)),
    });
    sections.collect::<Vec<_>>().join("\n\n")
}

fn is_of_file(program: &Program, name: &str) -> bool {
    let name = name.split('#').next().unwrap_or(name);
    let named = program.functions.iter().find(|f| *f.name == *name);
    name != "main" && named.is_some_and(|f| f.defined && *f.name != *"<start>" && !f.name.starts_with("__heddle_"))
}

/// What a section of the text is about: the function's name, or what it lists.
fn title(section: &str) -> &str {
    let first = section.split(['\n', ' ']).next().unwrap_or("");
    match first {
        "function" => section["function ".len()..].split('(').next().unwrap_or(""),
        "global" | "thread-local" => "globals",
        "struct" | "union" => "records",
        other => other,
    }
}
