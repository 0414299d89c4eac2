//! `heddle check --spec`: the examples, verdicts and stories by automata, what is refused.

mod support;

use std::fs;

use support::{Folder, example, heddle, misused, refused, stderr, stdout};

fn spec(name: &str) -> String {
    format!("{}/../../examples/specs/{name}.spec", env!("CARGO_MANIFEST_DIR"))
}

fn program(name: &str) -> String {
    example(&format!("specs/{name}"))
}

/// The exit code and what is printed.
fn check(arguments: &[&str]) -> (Option<i32>, String) {
    let output = heddle(&[&["check", "--limit=runs=1000"], arguments].concat());
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
    (output.status.code(), stdout(&output))
}

#[test]
fn the_examples_are_told_apart() {
    for name in ["lock_discipline", "api_protocol", "no_call_after_free"] {
        let (code, text) = check(&["--spec", &spec(name), &program(&format!("{name}_bad"))]);
        assert_eq!((code, text.lines().last()), (Some(1), Some(&*format!("VERDICT: false({name})"))), "{text}");
        let (code, text) = check(&["--spec", &spec(name), &program(&format!("{name}_good"))]);
        assert_eq!((code, text.lines().last()), (Some(0), Some("VERDICT: true")), "{text}");
    }
}

#[test]
fn each_engine_tells_the_examples_apart_as_well_as_it_can() {
    for name in ["lock_discipline", "api_protocol", "no_call_after_free"] {
        for (engine, limit, good) in
            [("value", "states=9999", Some(0)), ("interval", "states=9999", Some(0)), ("random", "runs=999", Some(2))]
        {
            let check = |which: &str| {
                let file = program(&format!("{name}_{which}"));
                let output = heddle(&["check", "--engine", engine, "--limit", limit, "--spec", &spec(name), &file]);
                (output.status.code(), stdout(&output))
            };
            let (code, text) = check("bad");
            assert_eq!((code, text.lines().last()), (Some(1), Some(&*format!("VERDICT: false({name})"))), "{text}");
            let (code, text) = check("good");
            assert_eq!(code, good, "{engine}: {text}");
        }
    }
}

#[test]
fn a_story_shows_the_states_and_ends_with_the_message() {
    let file = program("api_protocol_bad");
    let text = check(&["--spec", &spec("api_protocol"), &file]).1;
    let folder = file.trim_end_matches("api_protocol_bad.c");
    insta::assert_snapshot!(text.replace(folder, ""));
}

#[test]
fn specifications_stand_beside_properties() {
    let file = &program("lock_discipline_bad");
    let discipline = &spec("lock_discipline");
    let (code, text) = check(&["--quiet", "--property=no-data-race", "--spec", discipline, "--spec=deadlock", file]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert!(lines[0].starts_with("VERDICT no-data-race: "), "{text}");
    assert_eq!(lines[1], "VERDICT lock_discipline: false(lock_discipline)");
    assert_eq!(lines[2], "VERDICT deadlock: true");
    assert_eq!(code, Some(1));
}

#[test]
fn deadlock_is_built_in() {
    let (code, text) = check(&["--spec", "deadlock", &example("two_locks")]);
    assert_eq!((code, text.lines().last()), (Some(1), Some("VERDICT: false(deadlock)")));
    assert!(text.contains("deadlock: threads wait for ever:\n  T0 waits for mutex"), "{text}");
}

#[test]
fn static_facts_say_nothing_of_automata() {
    let arguments = ["check", "--engine=static", "--spec=deadlock", &example("counter_locked")];
    misused(&arguments, "--spec means nothing to --engine static, only to random, value, interval, bdd");
}

#[test]
fn json_and_schedules() {
    let folder = Folder::new("spec_files");
    let (json, schedule) = (folder.path("result.json"), folder.path("x.schedule"));
    let (spec, file) = (spec("no_call_after_free"), program("no_call_after_free_bad"));
    check(&["--spec", &spec, "--json", &json, "--schedule-out", &schedule, &file]);
    let text = fs::read_to_string(&json).expect("the file is written");
    let value: serde_json::Value = serde_json::from_str(&text).expect("it is JSON");
    let result = &value["results"][0];
    assert_eq!(result["property"], "no_call_after_free");
    assert_eq!(result["specification"], spec);
    assert_eq!(result["verdict"], "false(no_call_after_free)");
    let summary = result["violation"]["summary"][0].as_str().expect("a summary");
    assert!(summary.starts_with("no_call_after_free: log_entry is called with block of line 30"), "{summary}");
    let output = heddle(&["run", "--schedule", &schedule, &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
}

#[test]
fn a_call_that_waits_for_ever_is_seen() {
    let folder = Folder::new("spec_waits");
    let file = folder.file(
        "twice.c",
        "#include <pthread.h>\npthread_mutex_t m;\nint main(void)\n{\n    pthread_mutex_lock(&m);\n    \
         pthread_mutex_lock(&m);\n    return 0;\n}\n",
    );
    let (code, text) = check(&["--spec", &spec("lock_discipline"), &file]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("waits for mutex m held by itself"), "{text}");
    assert!(text.contains("lock_discipline: locks &m, which it holds already, by T0 at "), "{text}");
}

#[test]
fn what_holds_before_the_first_step_is_seen() {
    let folder = Folder::new("spec_start");
    let file = folder.file("x.c", "int x;\nint main(void) { return x; }\n");
    let spec = folder.file("x.spec", "automaton zero { initial state s { when x == 0 goto error \"x is 0\"; } }");
    let (code, text) = check(&["--spec", &spec, &file]);
    assert_eq!(code, Some(1), "{text}");
    assert!(text.contains("zero: x is 0"), "{text}");
}

#[test]
fn bad_specifications_are_refused() {
    let folder = Folder::new("spec_refused");
    let file = &example("counter_racy");
    let with = |name: &str, text: &str| folder.file(name, text);
    let transition = |text: &str| format!("automaton a {{\n    initial state s {{\n        {text}\n    }}\n}}\n");
    let grammar = with("grammar.spec", &transition("on call add;"));
    refused(&["check", "--spec", &grammar, file], "grammar.spec:3:20");
    let function = with("function.spec", &transition("on call ad goto error \"no\";"));
    refused(&["check", "--spec", &function, file], "did you mean ‘add’?");
    let variable = with("variable.spec", &transition("when conter > 0 goto error \"no\";"));
    refused(&["check", "--spec", &variable, file], "did you mean ‘counter’?");
    let unseen = with("unseen.spec", &transition("on call sched_yield goto error \"no\";"));
    refused(&["check", "--spec", &unseen, file], "leaves no trace");
    let empty = with("empty.spec", "");
    refused(&["check", "--spec", &empty, file], "no automaton");
    let good = with("good.spec", &transition("on call add goto error \"no\";"));
    refused(&["check", "--spec", &good, "--spec", &good, file], "two things called ‘a’");
    refused(&["check", "--spec", "no/such.spec", file], "no/such.spec is neither a file nor built in");
    refused(&["check", "--spec", "no/such.spec", file], "heddle explain specifications");
    refused(&["check", "--spec", "livelock", file], "built in (there is deadlock)");
    refused(&["check", "--spec", file, file], "has no meaning in a specification");
    let binary = folder.file("binary.spec", [0xff, 0xfe, 0]);
    refused(&["check", "--spec", &binary, file], "no text");
}
