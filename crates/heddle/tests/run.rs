//! `heddle run`: what programs print, what is wrong with a run, schedules that are repeated or refused.

mod support;

use std::fs;

use support::{Folder, example, heddle, misused, refused, stderr, stdout};

fn run(name: &str, text: &str, options: &[&str]) -> std::process::Output {
    let folder = Folder::new(name);
    let file = folder.file("x.c", text);
    heddle(&[&["run"], options, &[&file]].concat())
}

#[test]
fn programs_print() {
    let output = run("hello", "int printf(const char *, ...);\nint main(void) { printf(\"%d\\n\", 6 * 7); }\n", &[]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "42\n"), "{}", stderr(&output));
}

#[test]
fn a_violation_is_told() {
    let output = run("divides", "int a[2];\nint main(void) {\n  a[2] = 1;\n  return 0;\n}\n", &[]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("invalid access by T0"), "{}", stderr(&output));
    assert!(stderr(&output).contains("a[2] = 1;"), "{}", stderr(&output));
}

#[test]
fn endless_output_and_endless_runs_are_bounded() {
    let text = "int puts(const char *);\nint main(void) { for (;;) puts(\"y\"); }\n";
    let output = run("endless_output", text, &["--steps", "1000"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).starts_with("y\ny\n"));
    assert!(stderr(&output).contains("stopped after 1000 steps"), "{}", stderr(&output));
}

#[test]
fn unbounded_recursion_and_huge_blocks_are_given_up() {
    let output = run("recursion", "int f(int n) { return f(n + 1); }\nint main(void) { return f(0); }\n", &[]);
    assert!(stderr(&output).contains("recursion is too deep"), "{}", stderr(&output));
    let text = "#include <stdlib.h>\nint main(void) { char *p = malloc(1UL << 60); p[1UL << 59] = 1; free(p); }\n";
    let output = run("huge", text, &[]);
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
}

#[test]
fn standard_input_is_made_up_and_the_ledger_says_so() {
    let text = "#include <stdio.h>\nint main(void) { int c = getchar(); return c == 'x'; }\n";
    let output = run("stdin", text, &[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("getchar: gives any input"), "{}", stderr(&output));
}

#[test]
fn a_schedule_repeats_a_violation() {
    let folder = Folder::new("schedule");
    let (schedule, file) = (folder.path("x.schedule"), example("counter_racy"));
    let found = heddle(&["check", "--limit=runs=1000", "--schedule-out", &schedule, &file]);
    assert_eq!(found.status.code(), Some(1));
    let output = heddle(&["run", "--schedule", &schedule, &file]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("assertion failed by T0"), "{}", stderr(&output));
}

#[test]
fn a_random_run_can_be_recorded() {
    let folder = Folder::new("record");
    let (schedule, file) = (folder.path("x.schedule"), example("bounded_buffer"));
    let first = heddle(&["run", "--seed=3", "--trace", "--schedule-out", &schedule, &file]);
    let second = heddle(&["run", "--trace", "--schedule", &schedule, &file]);
    assert_eq!(first.status.code(), Some(0), "{}", stderr(&first));
    assert_eq!(stderr(&first), stderr(&second));
}

#[test]
fn schedules_that_are_none() {
    let folder = Folder::new("bad_schedule");
    let (schedule, file) = (folder.path("x.schedule"), example("counter_racy"));
    heddle(&["check", "--limit=runs=1000", "--schedule-out", &schedule, &file]);
    let good = fs::read_to_string(&schedule).expect("a schedule");
    let refuse = |text: &str, what: &str| {
        let path = folder.file("bad.schedule", text);
        refused(&["run", "--schedule", &path, &file], what);
    };
    refuse("", "not a schedule");
    refuse("\u{1b}[31mgarbage", "not a schedule");
    refuse(&good[..good.len() / 2], "cut off");
    refuse(&good.replacen("start", "start 5", 1), "does not fit");
    let lines = good.lines().count();
    refuse(&good.replace(&format!("end {}", lines - 5), "end 3"), "3 were written");
    let broken = good.replacen("\n0 ", "\nzero ", 1);
    refuse(&broken, "bad.schedule:5:");
    let elsewhere = good.replacen("\n0 ", "\n7 ", 1);
    refuse(&elsewhere, "step 0: there is no thread T7");
    refused(&["run", "--schedule", &schedule, &example("counter_locked")], "another program");
    refused(&["run", "--schedule", &schedule, "--data-model=ilp32", &file], "lp64");
    refused(&["run", "--schedule", "no.schedule", &file], "no.schedule");
    misused(&["run", "--seed=1", "--schedule", &schedule, &file], "--seed");
}
