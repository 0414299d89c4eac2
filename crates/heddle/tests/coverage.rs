//! What a proof covers, by every engine that proves; proofs of programs that never come to what matters.

mod support;

use std::fs;

use serde_json::Value;
use support::{Folder, heddle, stderr, stdout};

/// Two threads and an assertion that is looked at.
const FULL: &str = "#include <pthread.h>
#include <assert.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *add(void *p)
{
    pthread_mutex_lock(&m);
    x = 1;
    pthread_mutex_unlock(&m);
    return p;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
    pthread_join(t, 0);
    assert(x < 2);
    return 0;
}
";

/// A thread is created, and an assertion looked at, only if somebody sets `on`.
const OFF: &str = "#include <pthread.h>
#include <assert.h>
int x, on;
void *add(void *p)
{
    x++;
    return p;
}
void start(void)
{
    pthread_t t;
    pthread_create(&t, 0, add, 0);
}
int main(void)
{
    x = 1;
    if (on == 1)
        start();
    while (on == 0)
        ;
    assert(x == 2);
    return 0;
}
";

const ENGINES: [&str; 5] = ["static", "value", "interval", "bdd", "value+bdd"];

fn check(file: &str, engine: &str, property: &str, more: &[&str]) -> (Option<i32>, String) {
    // Other engines would take what the facts prove.
    let own: &[&str] = if engine == "static" { &[] } else { &["--no-static"] };
    let output = heddle(&[&["check", "--engine", engine, "--property", property], own, more, &[file]].concat());
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
    (output.status.code(), stdout(&output))
}

fn covered(text: &str) -> &str {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix("  covered: "));
    lines.next().unwrap_or_else(|| panic!("a proof says what it covers: {text}"))
}

#[test]
fn every_engine_covers_a_program_all_of_which_is_reached() {
    let folder = Folder::new("coverage-full");
    let file = folder.file("full.c", FULL);
    for engine in ENGINES {
        for (property, operations) in [
            ("unreach-call", "1 of 1 branch that decides an error"),
            ("no-data-race", "2 of 2 accesses to shared memory"),
            ("no-deadlock", "2 of 2 operations that wait"),
        ] {
            if (engine, property) == ("static", "no-deadlock") {
                continue;
            }
            let (code, text) = check(&file, engine, property, &["--strict"]);
            assert_eq!(code, Some(0), "{engine}: {text}");
            assert_eq!(covered(&text), format!("2 of 2 functions, 1 of 1 thread creation, {operations}"), "{engine}");
            assert!(text.lines().next().is_some_and(|line| line.ends_with(", checked again")), "{text}");
        }
    }
}

#[test]
fn every_engine_sees_that_nothing_that_matters_is_reached() {
    let folder = Folder::new("coverage-off");
    let file = folder.file("off.c", OFF);
    let creation = format!("the thread creation at {file}:12 is not reached");
    for engine in ENGINES {
        for (property, why, operations) in [
            ("unreach-call", "no branch that decides an error is reached, and ", "0 of 1 branch that decides an error"),
            ("no-data-race", "", "3 of 6 accesses to shared memory"),
            ("no-overflow", "no signed operation is reached, and ", "0 of 1 signed operation"),
        ] {
            let (code, text) = check(&file, engine, property, &[]);
            assert_eq!((code, text.lines().last()), (Some(0), Some("VERDICT: true")), "{engine}: {text}");
            let head = text.lines().next().unwrap_or_default();
            assert!(head.ends_with(&format!(", checked again; vacuous: {why}{creation}")), "{engine}: {text}");
            assert_eq!(covered(&text), format!("1 of 3 functions, 0 of 1 thread creation, {operations}"), "{engine}");
            let (code, text) = check(&file, engine, property, &["--strict"]);
            let verdict = format!("VERDICT: unknown(vacuous: {why}{creation})");
            assert_eq!((code, text.lines().last()), (Some(2), Some(&verdict[..])), "{engine}: {text}");
        }
    }
}

#[test]
fn what_is_not_covered_is_named() {
    let folder = Folder::new("coverage-named");
    let file = folder.file("off.c", OFF);
    let (_, text) = check(&file, "value", "no-data-race", &["--verbose"]);
    let missed: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("  not covered: ")).collect();
    let expected = ["function add", "function start", "thread creation in start"];
    let expected = expected.iter().zip([4, 9, 12]).map(|(what, line)| format!("{what} ({file}:{line})"));
    assert_eq!(missed, expected.collect::<Vec<_>>());
}

#[test]
fn a_specification_is_about_the_steps_that_it_looks_at() {
    let folder = Folder::new("coverage-spec");
    let file = folder.file("off.c", OFF);
    let spec =
        folder.file("s.spec", "automaton once {\n  initial state s { on call start() goto error \"starts\"; }\n}\n");
    let output = heddle(&["check", "--engine", "value", "--spec", &spec, &file]);
    let text = stdout(&output);
    assert!(
        text.starts_with("once: proved by reached states, checked again; vacuous: no step that the spec"),
        "{text}"
    );
    assert!(covered(&text).ends_with("0 of 1 step that the specification looks at"), "{text}");
}

#[test]
fn a_program_without_what_is_checked_is_told_as_such() {
    let folder = Folder::new("coverage-nothing");
    let file = folder.file("plain.c", "int main(void) { return 0; }\n");
    let output = heddle(&["check", "--strict", "--property", "unreach-call", "--property", "no-overflow", &file]);
    let head = "unreach-call, no-overflow: proved by static facts, checked again; nothing to check: the program has \
        no error call or assertion and no signed operation\n";
    assert!(stdout(&output).starts_with(head), "{}", stdout(&output));
    assert_eq!(output.status.code(), Some(0), "there is nothing that could be wrong");
}

#[test]
fn no_reduction_covers_less() {
    for name in ["counter_locked", "bounded_buffer", "peterson", "double_checked_init"] {
        let of = |reduction| {
            let (code, text) = check(&support::example(name), "value", "unreach-call", &["--reduction", reduction]);
            assert_eq!(code, Some(0), "{name}: {text}");
            covered(&text).to_owned()
        };
        let all = of("none");
        assert_eq!([of("local"), of("source")], [all.clone(), all], "{name}");
    }
}

#[test]
fn programs_are_told_as_well() {
    let folder = Folder::new("coverage-json");
    let (file, json) = (folder.file("off.c", OFF), folder.path("off.json"));
    check(&file, "static", "no-data-race", &["--json", &json]);
    let value: Value = serde_json::from_str(&fs::read_to_string(json).expect("it is written")).expect("it is JSON");
    let proof = &value["results"][0]["proof"];
    assert_eq!(proof["vacuous"], format!("the thread creation at {file}:12 is not reached"));
    let covered = &proof["covered"];
    assert_eq!((&covered["functions"]["covered"], &covered["functions"]["of"]), (&1.into(), &3.into()));
    assert_eq!(covered["thread_creations"]["not_covered"][0]["line"], 12);
    assert_eq!((&covered["operations"]["covered"], &covered["operations"]["of"]), (&3.into(), &6.into()));
    assert_eq!(covered["operations"]["kind"], "accesses to shared memory");
}

/// What stands behind an end of the program is no part of its automata, but of its text.
#[test]
fn errors_in_dead_code_are_missed() {
    let folder = Folder::new("coverage-dead");
    for (name, text) in [
        ("exit.c", "#include <assert.h>\n#include <stdlib.h>\nint main(void) { exit(0); assert(0); }"),
        ("loop.c", "#include <assert.h>\nint main(void) { for (;;) { } assert(0); }"),
    ] {
        let (_, text) = check(&folder.file(name, text), "static", "unreach-call", &[]);
        let first = text.lines().next().unwrap_or_default();
        assert!(first.ends_with("vacuous: no branch that decides an error is reached"), "{name}: {first}");
    }
}
