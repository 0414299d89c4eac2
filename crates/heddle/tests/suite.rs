//! `heddle suite`: tasks in all forms, what is counted, what is written, what other tools may do.

mod support;

use std::fs;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use support::{Folder, example, heddle, misused, refused, stderr, stdout};

/// A folder with two examples, a list of them and a place for results.
struct Suite {
    folder: Folder,
}

const RIGHT: &str = "counter_locked.c\tno-data-race\ttrue\tLP64\tyes
counter_racy.c\tno-data-race\tfalse\t\tyes
alone.c\tunreach-call\ttrue\tILP32\tno
";

impl Suite {
    fn new(name: &str) -> Suite {
        let folder = Folder::new(&format!("suite-{name}"));
        for name in ["counter_locked", "counter_racy"] {
            fs::copy(example(name), folder.0.join(format!("{name}.c"))).expect("the example can be copied");
        }
        folder.file("alone.c", "int main(void)\n{\n    return 0;\n}\n");
        Suite { folder }
    }

    fn list(&self, rows: &str) -> String {
        self.folder.file("tasks.tsv", format!("file\tproperty\texpected\tdata_model\tthreads\n{rows}"))
    }

    /// The exit code, and what was printed.
    fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = heddle(&self.command(arguments));
        let text = format!("{}{}", stdout(&output), stderr(&output));
        (output.status.code(), text)
    }

    fn command<'a>(&self, arguments: &[&'a str]) -> Vec<&'a str> {
        let out: &'static str = self.folder.path("out").leak();
        let mut all = vec!["suite", "--jobs", "2", "--time-limit", "60s", "--out", out];
        all.extend(arguments);
        if !arguments.contains(&"--") {
            all.push("--");
        }
        all.extend(["--limit", "runs=1000"]);
        all
    }

    fn written(&self, name: &str) -> String {
        fs::read_to_string(self.folder.0.join("out").join(name)).expect("the file is written")
    }

    /// Tool, file, property and verdict of each row, sorted.
    fn rows(&self) -> Vec<String> {
        let text = self.written("results.csv");
        let row = |line: &str| {
            let cells: Vec<&str> = line.split(',').collect();
            format!("{} {} {} {} {}", cells[0], cells[2], cells[3], cells[6], cells[7])
        };
        let mut rows: Vec<String> = text.lines().skip(1).map(row).collect();
        rows.sort();
        rows
    }
}

#[test]
fn a_list_is_verified_and_counted() {
    let suite = Suite::new("list");
    let (code, text) = suite.run(&[&suite.list(RIGHT)]);
    assert_eq!(code, Some(0), "{text}");
    let expected = [
        "heddle alone.c unreach-call true correct",
        "heddle counter_locked.c no-data-race true correct",
        "heddle counter_racy.c no-data-race false(no-data-race) correct",
    ];
    assert_eq!(suite.rows(), expected);
    let words = |line: &str| line.split_whitespace().take(8).map(str::to_owned).collect::<Vec<_>>().join(" ");
    let lines: Vec<String> = text.lines().map(words).collect();
    assert!(lines.contains(&"suite property tasks true false wrong unknown crashed".to_owned()), "{text}");
    assert!(lines.contains(&"tasks no-data-race 2 1 1 0 0 0".to_owned()), "{text}");
    assert!(text.contains("heddle: solved 3 of 3, wrong 0, score 5, median "), "{text}");
    assert!(suite.written("results.csv").contains("--data-model ilp32"));
    for name in ["table.html", "quantile.svg"] {
        let text = suite.written(name);
        assert!(
            text.contains("</svg>") && text.replace("http://www.w3.org/2000/svg", "").find("http").is_none(),
            "{name}"
        );
    }
    assert!(!suite.folder.0.join("out/scatter.svg").exists(), "there is one tool only");
}

/// The list of the README.
#[test]
fn nothing_is_wrong_with_the_examples() {
    let suite = Suite::new("examples");
    let (code, text) = suite.run(&[&example("tasks").replace("tasks.c", "tasks.tsv")]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("of 12, wrong 0"), "{text}");
}

#[test]
fn tasks_are_chosen() {
    let suite = Suite::new("chosen");
    let list = &suite.list(RIGHT);
    let chosen = |arguments: &[&str]| {
        let (code, text) = suite.run(&[&[list.as_str()], arguments].concat());
        assert_eq!(code, Some(0), "{text}");
        suite.rows().len()
    };
    assert_eq!(chosen(&["--threads", "no"]), 1);
    assert_eq!(chosen(&["--property", "no-data-race"]), 2);
    assert_eq!(chosen(&["--match", "racy"]), 1);
    assert_eq!(chosen(&["--sample", "2", "--seed", "7"]), 2);
    refused(&suite.command(&[list, "--match", "nothing"]), "no task is left");
}

#[test]
fn task_definitions_and_sets() {
    let suite = Suite::new("definitions");
    let folder = &suite.folder;
    folder.file("race.prp", "CHECK( init(main()), LTL(G ! data-race) )\n");
    let properties = "properties:\n  - property_file: race.prp\n    expected_verdict: false\n  - property_file: coverage-branches.prp\n";
    let racy = format!(
        "format_version: '2.0'\ninput_files: 'counter_racy.c'\n{properties}options:\n  language: C\n  data_model: LP64\n"
    );
    let racy = folder.file("racy.yml", racy);
    folder.file(
        "alone.yml",
        "input_files: [alone.c]\nproperties:\n- property_file: ../unreach-call.prp\n  expected_verdict: true\n",
    );
    let set = folder.file("Both.set", "# two\n*.yml\n\nnone/*.yml # not there\n");
    let (code, text) = suite.run(&[&set]);
    assert_eq!(code, Some(0), "{text}");
    let expected =
        ["heddle alone.yml unreach-call true correct", "heddle racy.yml no-data-race false(no-data-race) correct"];
    assert_eq!(suite.rows(), expected);
    assert!(text.contains("Both") && text.contains("coverage-branches") && text.contains("Both.set:4"), "{text}");
    assert_eq!(suite.run(&[&racy, &set]).0, Some(0));
    assert_eq!(suite.rows().len(), 2, "a task counts once");
}

#[test]
fn c_files_have_nothing_to_be_compared_with() {
    let suite = Suite::new("files");
    let (code, text) =
        suite.run(&[&example("counter_racy"), "--property", "no-data-race", "--property", "unreach-call"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("where no verdict is expected") && !text.contains("score"), "{text}");
    assert_eq!(suite.rows().len(), 2);
}

#[test]
fn a_wrong_verdict_is_told() {
    let suite = Suite::new("wrong");
    let list = suite.list("counter_racy.c\tno-data-race\ttrue\t\tyes\n");
    let (code, text) = suite.run(&[&list]);
    assert_eq!(code, Some(1), "{text}");
    assert!(
        text.contains("WRONG counter_racy.c no-data-race: expected true, heddle says false(no-data-race)"),
        "{text}"
    );
    assert!(text.contains("solved 0 of 1, wrong 1, score -16"), "{text}");
}

#[test]
fn a_run_that_does_not_answer_is_a_crash() {
    let suite = Suite::new("crash");
    let (code, text) = suite.run(&[&suite.list("alone.c\tunreach-call\ttrue\t\tno\n"), "--", "--no-such-option"]);
    assert_eq!(code, Some(4), "{text}");
    assert!(text.contains("CRASHED alone.c unreach-call: heddle, exit code 64"), "{text}");
}

#[test]
fn other_tools_run_beside() {
    let suite = Suite::new("tools");
    let list = suite.list("counter_racy.c\tno-data-race\tfalse\tILP32\tyes\n");
    let tools = [
        "--tool=yes=echo {property} {model} {bits} {time} $(cat {property_file}); echo TRUE",
        "--tool=own=grep -c counter {file} && echo broken",
        "--verdict=own=false:^broken$",
        "--tool=crash=echo TRUE; kill -SEGV $$",
        "--tool=missing=/no/such/program {file}",
        "--tool=silent=cat",
    ];
    let (code, text) = suite.run(&[&[list.as_str()], &tools[..]].concat());
    assert_eq!(code, Some(0), "what other tools do wrong is not ours: {text}");
    let expected = [
        "crash counter_racy.c no-data-race crashed(signal 11) crashed",
        "heddle counter_racy.c no-data-race false(no-data-race) correct",
        "missing counter_racy.c no-data-race crashed(command not found) crashed",
        "own counter_racy.c no-data-race false correct",
        "silent counter_racy.c no-data-race unknown(no verdict) unknown",
        "yes counter_racy.c no-data-race true wrong",
    ];
    assert_eq!(suite.rows(), expected, "{text}");
    let logs = fs::read_dir(suite.folder.0.join("out/logs/yes")).expect("there are logs");
    let log = logs.flatten().map(|entry| fs::read_to_string(entry.path()).unwrap_or_default()).collect::<String>();
    assert_eq!(log, "no-data-race ilp32 32 60 CHECK( init(main()), LTL(G ! data-race) )\nTRUE\n");
}

#[test]
fn two_tools_are_plotted_against_each_other() {
    let suite = Suite::new("two");
    let (_, text) = suite.run(&[&suite.list(RIGHT), "--engine", "static", "--engine", "random"]);
    assert!(text.contains("scatter.svg"), "{text}");
    let plot = suite.written("scatter.svg");
    assert!(plot.contains("heddle-static") && plot.contains("counter_racy.c no-data-race"), "{plot}");
    assert!(suite.written("table.html").matches("<svg").count() == 2);
}

#[test]
fn a_tool_that_goes_on_is_killed_with_all_it_started() {
    let suite = Suite::new("sleep");
    let list = suite.list("alone.c\tunreach-call\ttrue\t\tno\n");
    let pid = suite.folder.path("pid");
    let tool = format!("--tool=sleeper=sleep 300 & echo $! > '{pid}'; echo TRUE; wait");
    let start = Instant::now();
    let mut arguments = suite.command(&[&list, &tool]);
    arguments[4] = "100ms";
    let output = heddle(&arguments);
    assert!(start.elapsed() < Duration::from_secs(100), "{:?}", start.elapsed());
    assert!(stdout(&output).contains("unknown to sleeper: time limit, killed 1\n"), "{}", stdout(&output));
    assert!(has_gone(&fs::read_to_string(&pid).expect("the tool has started")));
}

#[test]
fn nothing_goes_on_when_the_suite_is_killed() {
    let suite = Suite::new("killed");
    let list = suite.list("alone.c\tunreach-call\ttrue\t\tno\n");
    let pid = suite.folder.path("pid");
    let tool = format!("--tool=sleeper=sleep 300 & echo $! > '{pid}'; wait");
    let mut command = Command::new(env!("CARGO_BIN_EXE_heddle"));
    command.args(suite.command(&[&list, &tool])).stdout(Stdio::null()).stderr(Stdio::null());
    let mut process = command.spawn().expect("heddle runs");
    let sleeper = eventually(|| fs::read_to_string(&pid).ok().filter(|text| text.ends_with('\n')));
    process.kill().expect("it runs");
    process.wait().expect("it has ended");
    assert!(has_gone(&sleeper));
}

/// Give it time: signals take some. What is dead but still on the table has gone, too.
fn has_gone(pid: &str) -> bool {
    let status = format!("/proc/{}/stat", pid.trim());
    eventually(|| match fs::read_to_string(&status) {
        Ok(text) => text.rsplit(')').next().is_some_and(|rest| rest.starts_with(" Z")).then_some(true),
        Err(_) => Some(true),
    })
}

fn eventually<T>(look: impl Fn() -> Option<T>) -> T {
    for _ in 0..600 {
        if let Some(found) = look() {
            return found;
        }
        thread::sleep(Duration::from_millis(50));
    }
    panic!("it does not happen");
}

#[test]
fn what_is_known_is_not_repeated() {
    let suite = Suite::new("resume");
    let list = &suite.list(RIGHT);
    let count = suite.folder.path("count");
    let tool = &format!("--tool=counting=echo run >> '{count}'; echo TRUE");
    let runs = || fs::read_to_string(&count).unwrap_or_default().lines().count();
    suite.run(&[list, tool]);
    assert_eq!((suite.rows().len(), runs()), (6, 3));
    let whole = suite.written("results.csv");
    let torn = whole.lines().filter(|line| !line.starts_with("counting,tasks,alone.c")).collect::<Vec<_>>().join("\n");
    suite.folder.file("out/results.csv", format!("{torn}\ncounting,tasks,alo"));
    let (_, text) = suite.run(&[list, tool, "--resume", "--verbose"]);
    assert_eq!((suite.rows().len(), runs()), (6, 4), "only what is missing: {text}");
    assert!(text.contains("counting: solved 2 of 3, wrong 1"), "{text}");
    suite.run(&[list, &format!("{tool} again"), "--resume"]);
    assert_eq!((suite.rows().len(), runs()), (6, 7), "another command");
    suite.run(&[list, tool]);
    assert_eq!((suite.rows().len(), runs()), (6, 10), "from the beginning");
    assert!(suite.written("results.previous.csv").contains("again"));
    suite.folder.file("out/results.csv", "a,b\n");
    refused(&suite.command(&[list, tool, "--resume"]), "results.csv is not from this version");
}

#[test]
fn bad_tasks_are_refused() {
    let suite = Suite::new("bad");
    let folder = &suite.folder;
    let refuses = |file: &str, what: &str| refused(&suite.command(&[file]), what);
    refuses("no/such/list.tsv", "no/such/list.tsv cannot be read");
    refuses(&folder.file("empty.tsv", ""), "empty.tsv is empty");
    refuses(&folder.file("binary.tsv", b"\xff\xfe\x00"), "it is no text");
    refuses(&folder.file("heading.tsv", "file\texpected\n"), "the heading has no column ‘property’");
    refuses(&folder.file("short.tsv", "file\tproperty\n\nalone.c\n"), "short.tsv:3: 1 columns, but the heading has 2");
    refuses(&suite.list("alone.c\tgoodness\ttrue\t\tno\n"), "tasks.tsv:2: there is no property ‘goodness’");
    refuses(&suite.list("alone.c\tunreach-call\tyes\t\tno\n"), "tasks.tsv:2: ‘yes’ is no verdict");
    refuses(&suite.list("alone.c\tunreach-call\ttrue\tLP128\tno\n"), "‘LP128’ is no data model");
    refuses(&suite.list("alone.c\tunreach-call\ttrue\t\tmaybe\n"), "threads is ‘maybe’");
    refuses(&suite.list("gone.c\tunreach-call\ttrue\t\tno\n"), "tasks.tsv:2: there is no file");
    let both = "alone.c\tunreach-call\ttrue\t\tno\nalone.c\tunreach-call\tfalse\t\tno\n";
    refuses(&suite.list(both), "do not expect the same verdict");
    refuses(&folder.file("broken.yml", "input_files: [\n"), "broken.yml: ");
    refuses(&folder.file("nothing.yml", "properties: []\n"), "input_files");
    refuses(&folder.file("x.txt", "alone.c\n"), "x.txt is no task");
    refuses(&folder.path("gone.c"), "there is no file");
    refuses(&folder.file("none.set", "none/*.yml\n"), "no task is left");
    refused(&suite.command(&[&folder.path("alone.c"), "--threads", "yes"]), "does not say whether it has threads");
}

#[test]
fn bad_options_are_refused() {
    let suite = Suite::new("options");
    let list = &suite.list(RIGHT);
    let file = suite.folder.file("file", "");
    refused(&["suite", list, "--out", &format!("{file}/out")], "cannot be made");
    misused(&["suite"], "Usage");
    misused(&["suite", list, "--property", "goodness"], "goodness");
    misused(&["suite", list, "--jobs", "0"], "--jobs");
    misused(&["suite", list, "--tool", "cbmc"], "NAME=");
    misused(&["suite", list, "--verdict", "x=true:("], "is no regular expression");
    misused(&["suite", list, "--verdict", "x=true:yes"], "there is no --tool of that name");
    misused(&["suite", list, "--tool", "x=a", "--tool", "x=b"], "two tools are called ‘x’");
    misused(&["suite", list, "--tool", "heddle=a"], "two tools are called ‘heddle’");
}
