//! `heddle check`: the verdict of every example, the contract of the last line and the exit code, files in and out.

mod support;

use std::fs;

use support::{Folder, example, heddle, misused, refused, stderr, stdout};

/// The exit code and the last line; random runs are few.
fn verdict(arguments: &[&str]) -> (Option<i32>, String) {
    unlimited(&[&["--limit", "runs=1000"], arguments].concat())
}

fn unlimited(arguments: &[&str]) -> (Option<i32>, String) {
    let output = heddle(&[&["check"], arguments].concat());
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
    (output.status.code(), last)
}

fn expect(property: &str, file: &str, code: i32, line: &str) {
    assert_eq!(verdict(&["--property", property, file]), (Some(code), line.to_owned()), "{file}");
}

#[test]
fn violations_in_the_examples() {
    expect("no-data-race", &example("counter_racy"), 1, "VERDICT: false(no-data-race)");
    expect("unreach-call", &example("counter_racy"), 1, "VERDICT: false(unreach-call)");
    expect("no-deadlock", &example("two_locks"), 1, "VERDICT: false(no-deadlock)");
    expect("no-deadlock", &example("philosophers"), 1, "VERDICT: false(no-deadlock)");
    expect("termination", &example("philosophers"), 1, "VERDICT: false(termination)");
    expect("valid-memsafety", &example("use_after_free"), 1, "VERDICT: false(valid-deref)");
    expect("no-data-race", &example("use_after_free"), 1, "VERDICT: false(no-data-race)");
}

#[test]
fn examples_without_a_violation() {
    for name in ["counter_locked", "bounded_buffer", "peterson", "double_checked_init"] {
        expect("no-deadlock", &example(name), 0, "VERDICT: true");
        expect("unreach-call", &example(name), 0, "VERDICT: true");
        expect("no-data-race", &example(name), 0, "VERDICT: true");
    }
    for name in ["counter_locked", "bounded_buffer", "peterson"] {
        expect("valid-memsafety", &example(name), 0, "VERDICT: true");
    }
    for name in ["two_locks", "philosophers"] {
        expect("unreach-call", &example(name), 0, "VERDICT: true");
    }
    expect("no-data-race", &example("two_locks"), 0, "VERDICT: true");
    let polite = verdict(&["-DPOLITE", "--property", "no-deadlock", &example("philosophers")]);
    assert_eq!(polite, (Some(0), "VERDICT: true".to_owned()));
}

#[test]
fn every_engine_that_keeps_states_agrees() {
    for engine in ["value", "interval", "bdd", "value+bdd", "interval+bdd"] {
        for reduction in ["none", "local", "source"] {
            // Reductions rest on facts, which do not decide these programs.
            let search = ["--engine", engine, "--reduction", reduction, "--property", "no-data-race"];
            let peterson = unlimited(&[&search[..], &[&example("peterson")]].concat());
            // Joined ranges may be too coarse for a proof.
            let expected = if engine == "interval" { peterson.0 != Some(1) } else { peterson.0 == Some(0) };
            assert!(expected, "{engine} {reduction}: {peterson:?}");
            let racy = unlimited(&[&search[..], &[&example("counter_racy")]].concat());
            assert_eq!(racy, (Some(1), "VERDICT: false(no-data-race)".to_owned()), "{engine} {reduction}");
        }
    }
}

#[test]
fn ranges_are_joined_as_asked() {
    for join in ["places", "threads"] {
        let search = ["--engine=interval", "--join", join, "--no-static", "--property", "no-data-race"];
        let locked = unlimited(&[&search[..], &[&example("counter_locked")]].concat());
        assert_eq!(locked, (Some(0), "VERDICT: true".to_owned()), "{join}");
        let racy = unlimited(&[&search[..], &[&example("counter_racy")]].concat());
        assert_eq!(racy, (Some(1), "VERDICT: false(no-data-race)".to_owned()), "{join}");
    }
    misused(
        &["check", "--engine=value", "--join=threads", &example("peterson")],
        "--join means nothing to --engine value, only to interval",
    );
}

#[test]
fn symmetry_can_be_chosen() {
    for symmetry in ["on", "off"] {
        let search = ["--engine", "value", "--symmetry", symmetry, "--no-static", "--property", "no-data-race"];
        let locked = unlimited(&[&search[..], &[&example("counter_locked")]].concat());
        assert_eq!(locked, (Some(0), "VERDICT: true".to_owned()), "{symmetry}");
        let racy = unlimited(&[&search[..], &[&example("counter_racy")]].concat());
        assert_eq!(racy, (Some(1), "VERDICT: false(no-data-race)".to_owned()), "{symmetry}");
    }
}

#[test]
fn what_is_left_is_told_when_a_limit_strikes() {
    let output = heddle(&["check", "--engine=value", "--limit=states=5", &example("peterson")]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("no violation through the ") && text.contains(" are left ("), "{text}");
    assert!(text.ends_with("VERDICT: unknown(states limit)\n"), "{text}");
}

#[test]
fn a_search_without_facts_says_so() {
    let search = |limit: &str| stdout(&heddle(&["check", "--engine=value", "--verbose", limit, &example("peterson")]));
    let text = search("--memory-limit=1");
    assert!(text.contains("static facts could not be found") && text.contains("searches without facts: 1"), "{text}");
    let text = search("--limit=states=5");
    assert!(!text.contains("static facts could not be found") && !text.contains("without facts"), "{text}");
}

/// A program of which much is known.
fn alone(folder: &Folder) -> String {
    folder.file("alone.c", "int x;\nint main(void)\n{\n    x = 1;\n    return x - 1;\n}\n")
}

#[test]
fn a_proof_is_told() {
    let folder = Folder::new("proof");
    let json = folder.path("result.json");
    for engine in ["static", "auto"] {
        let output =
            heddle(&["check", "--engine", engine, "--property=no-data-race", "--json", &json, &alone(&folder)]);
        let text = stdout(&output);
        assert_eq!((output.status.code(), text.lines().last()), (Some(0), Some("VERDICT: true")), "{text}");
        assert!(text.starts_with("no-data-race: proved by static facts, checked again\n  "), "{text}");
        let value: serde_json::Value =
            serde_json::from_str(&fs::read_to_string(&json).expect("the file is written")).expect("it is JSON");
        let result = &value["results"][0];
        assert_eq!(result["verdict"], "true");
        assert!(result["proof"]["grounds"].as_array().is_some_and(|grounds| !grounds.is_empty()), "{value}");
    }
}

#[test]
fn one_engine_only() {
    let file = &alone(&Folder::new("one_engine"));
    assert_eq!(verdict(&["--engine=random", "--property=no-data-race", file]).0, Some(2), "random proves nothing");
    let termination = heddle(&["check", "--engine=static", "--property=termination", &example("philosophers")]);
    let text = stdout(&termination);
    assert_eq!(termination.status.code(), Some(2), "{text}");
    assert!(!text.contains("random:") && text.contains("static: "), "{text}");
    assert!(text.ends_with("VERDICT: unknown(cannot prove)\n"), "{text}");
}

#[test]
fn in_a_sequence_each_engine_says_why_it_has_no_verdict() {
    let output = heddle(&["check", "--limit=runs=10", "--property=termination", &example("peterson")]);
    let text = stdout(&output);
    assert!(text.contains("no violation found in 10 runs"), "{text}");
    assert!(text.contains("  static: ") && text.contains("  random: the limit of runs is reached\n"), "{text}");
    assert!(text.contains("  value: ") && text.ends_with("VERDICT: unknown(cannot prove)\n"), "{text}");
}

#[test]
fn several_properties_have_a_line_each() {
    let output = heddle(&[
        "check",
        "--limit=runs=200",
        "--property=no-deadlock",
        "--property=no-data-race",
        "--property=no-deadlock",
        &example("counter_racy"),
    ]);
    let text = stdout(&output);
    let last: Vec<_> = text.lines().rev().take(2).collect();
    assert_eq!(last, ["VERDICT no-data-race: false(no-data-race)", "VERDICT no-deadlock: true"]);
    assert_eq!(output.status.code(), Some(1));
    let all = stdout(&heddle(&["check", "--limit=runs=20", "--property=all", "--quiet", &example("counter_locked")]));
    assert_eq!(all.lines().count(), 7);
    assert!(all.lines().all(|line| line.starts_with("VERDICT ")), "{all}");
}

#[test]
fn one_story_for_several_properties_is_told_once() {
    let properties = ["--property=no-deadlock", "--property=no-overflow", "--property=termination"];
    let text = stdout(&heddle(&[&["check", "--limit=runs=1000"], &properties[..], &[&example("two_locks")]].concat()));
    assert!(text.starts_with("no-deadlock, termination: violated\n"), "{text}");
    assert_eq!(text.matches("deadlock:\n").count(), 1, "{text}");
    assert!(text.contains("VERDICT no-deadlock: false(no-deadlock)\n"), "{text}");
    assert!(text.contains("VERDICT termination: false(termination)\n"), "{text}");
}

#[test]
fn property_files() {
    let folder = Folder::new("prp");
    let race = folder.file("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n\n");
    expect(&race, &example("counter_racy"), 1, "VERDICT: false(no-data-race)");
    let garbage = folder.file("garbage.prp", "no race, please\n");
    refused(&["check", "--property", &garbage, &example("counter_racy")], "garbage.prp");
    refused(&["check", "--property", "missing.prp", &example("counter_racy")], "missing.prp");
}

#[test]
fn wrong_options() {
    let file = &example("counter_racy");
    misused(&["check", "--property", "no-bugs", file], "no-data-race");
    misused(&["check", "--time-limit", "soon", file], "number");
    misused(&["check", "--limit", "patience=3", file], "runs=N");
    misused(&["check", "--limit", "states=99999999999999999999", file], "too large");
    misused(&["check", "--engine=random", "--limit", "states=3", file], "value, interval, bdd");
    misused(&["check", "--engine=static", "--order=dfs", file], "--order means nothing to --engine static");
    misused(&["check", "--memory-limit", "4 elephants", file], "4GB");
    misused(&["check", "--engine", "oracle", file], "random");
    misused(&["check"], "<FILE>");
    refused(&["check", "no/such/file.c"], "no such file");
    refused(&["check", "--json", "no/such/folder/x.json", file], "no/such/folder");
}

#[test]
fn json_says_the_same() {
    let folder = Folder::new("json");
    let path = folder.path("result.json");
    let (code, line) = verdict(&["--property", "no-deadlock", "--json", &path, &example("two_locks")]);
    assert_eq!(code, Some(1));
    let text = fs::read_to_string(&path).expect("the file is written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let result = &value["results"][0];
    assert_eq!(format!("VERDICT: {}", result["verdict"].as_str().expect("a verdict")), line);
    assert_eq!(result["property"], "no-deadlock");
    let steps = result["violation"]["steps"].as_array().expect("steps");
    assert!(steps.iter().any(|step| step["line"] == 17 && step["does"][0]["what"] == "alice.lock"), "{text}");
    assert!(result["statistics"]["runs"].as_u64().is_some_and(|runs| runs > 0));
}

#[test]
fn what_has_no_body_is_assumed_or_with_strict_no_verdict() {
    let folder = Folder::new("strict");
    let file = folder.file("x.c", "int f(void);\nint main(void) { int x = f(); return x + 2147483647; }\n");
    let arguments = ["--property", "no-overflow", file.as_str()];
    assert_eq!(verdict(&arguments).1, "VERDICT: false(no-overflow)");
    let output = heddle(&[&["check", "--limit=runs=100"], &arguments[..]].concat());
    assert!(stdout(&output).contains("assumed [convention] f: has no body"), "{}", stdout(&output));
    let strict = verdict(&[&["--strict"], &arguments[..]].concat());
    assert_eq!(strict, (Some(2), "VERDICT: unknown(missing body of f)".to_owned()));
}

#[test]
fn same_seed_same_text() {
    let run = |seed: &str| {
        let seed = format!("--seed={seed}");
        stdout(&heddle(&["check", "--limit=runs=100", "--property=no-data-race", &seed, &example("counter_racy")]))
    };
    assert_eq!(run("5"), run("5"));
}

#[test]
fn a_program_that_never_ends_respects_the_limit() {
    let folder = Folder::new("endless_check");
    let file = folder.file("x.c", "int main(void) { for (;;) ; }\n");
    let output = heddle(&["check", "--engine=random", "--limit=runs=2", "--quiet", &file]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(2), "VERDICT: unknown(runs limit)\n"));
    // What it does without end is no error.
    let output = heddle(&["check", "--quiet", &file]);
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "VERDICT: true\n"));
}

/// Columns as users see them. The path of the example is left out.
fn rendered(property: &str, name: &str) -> String {
    let file = example(name);
    let output = heddle(&["check", "--limit=runs=1000", "--property", property, &file]);
    stdout(&output).replace(&file, &format!("{name}.c"))
}

#[test]
fn columns_of_a_race() {
    insta::assert_snapshot!(rendered("no-data-race", "counter_racy"));
}

#[test]
fn columns_of_a_deadlock() {
    insta::assert_snapshot!(rendered("no-deadlock", "two_locks"));
}

#[test]
fn columns_of_a_use_after_free() {
    insta::assert_snapshot!(rendered("valid-memsafety", "use_after_free"));
}

/// Records of a header are other types in each file, but the same for the program.
#[test]
fn files_may_include_the_same_headers() {
    let folder = Folder::new("check-same-headers");
    folder.file("api.h", "#include <stdio.h>\nstruct api; extern struct api the_api; int use(struct api *);\n");
    let first =
        folder.file("main.c", "#include \"api.h\"\nint main(void) { fprintf(stdout, \"x\"); return use(&the_api); }\n");
    let second = folder.file(
        "api.c",
        "#include \"api.h\"\nstruct api { int calls; }; struct api the_api; int use(struct api *);\n\
         int use(struct api *api) { fputs(\"y\", stdout); return api->calls++; }\n",
    );
    for files in [[&first, &second], [&second, &first]] {
        let (code, line) = verdict(&["--property", "valid-memsafety", files[0], files[1]]);
        assert_eq!((code, &line[..]), (Some(0), "VERDICT: true"));
    }
    let other = folder.file("other.c", "#include \"api.h\"\nint use(int);\n");
    assert!(stderr(&heddle(&["check", &first, &other])).contains("conflicting types for ‘use’"));
}
