//! The contract of the command line: exit codes, one diagnostic for bad input, no VERDICT line with an error.

mod support;

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Command, Stdio};

use support::{Folder, heddle, misused, refused, stderr, stdout};

fn refused_text(name: &str, contents: impl AsRef<[u8]>, what: &str) {
    let folder = Folder::new(name);
    for stage in STAGES {
        refused(&["dump", stage, &folder.file("x.c", &contents)], what);
    }
}

const STAGES: &[&str] = &["ast", "typed", "cfa", "facts"];

#[test]
fn no_such_file() {
    refused(&["dump", "ast", "no/such/file.c"], "no such file");
}

#[test]
fn a_directory() {
    refused(&["dump", "ast", env!("CARGO_TARGET_TMPDIR")], "is a directory");
}

#[test]
fn an_empty_file() {
    refused_text("empty", "", "is empty");
}

#[test]
fn a_binary_file() {
    refused_text("binary", b"\x7fELF\x02\x01\x01\0\0\0\0\0", "is a binary file");
}

#[test]
fn bytes_that_are_no_text() {
    refused_text("noise", [0xff, 0xfe, 0x80, 0x81, b'\n'], "x.c:1:1");
}

#[test]
fn not_c() {
    refused_text("not_c", "fn main() { println!(\"hello\"); }\n", "x.c:1:");
}

#[test]
fn truncated_in_a_comment() {
    refused_text("comment", "int main(void) { return 0; } /* and", "comment");
}

#[test]
fn truncated_in_a_string() {
    refused_text("string", "char *s = \"abc", "x.c:1:11");
}

#[test]
fn truncated_in_a_function() {
    refused_text("truncated", "int main(void) {\n  return 0;\n", "x.c:");
}

#[test]
fn nested_too_deep() {
    let deep = format!("int x = {}1{};\n", "(".repeat(100_000), ")".repeat(100_000));
    refused_text("deep", deep, "nest");
    let deep = format!("void f(void) {{ {}{} }}\n", "{".repeat(100_000), "}".repeat(100_000));
    refused_text("deep_blocks", deep, "nest");
    let deep = format!("int x = {}1;\n", "- ".repeat(100_000));
    refused_text("deep_minus", deep, "nest");
}

#[test]
fn a_type_error() {
    let folder = Folder::new("type_error");
    let file = folder.file("x.c", "struct s { int a; } s;\nint main(void) { return s.b; }\n");
    for stage in ["typed", "cfa"] {
        refused(&["dump", stage, &file], "x.c:2:2");
    }
}

#[test]
fn no_main() {
    let folder = Folder::new("no_main");
    let file = folder.file("x.c", "int f(void) { return 0; }\n");
    refused(&["dump", "cfa", &file], "no function ‘main’");
}

#[test]
fn two_files_are_one_program() {
    let folder = Folder::new("two_files");
    let main = folder.file("x.c", "int f(void);\nint main(void) { return f(); }\n");
    let other = folder.file("y.c", "int f(void) { return 42; }\n");
    let output = heddle(&["dump", "cfa", &main, &other]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains(":= 42"));
}

/// The binary under test checks every program that it makes.
#[test]
fn the_examples_become_automata() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut count = 0;
    for file in fs::read_dir(examples).expect("the examples are there") {
        let file = file.expect("a readable folder").path();
        if file.extension().is_none_or(|ending| ending != "c") {
            continue;
        }
        for stage in STAGES {
            let output = heddle(&["dump", stage, file.to_str().expect("a readable path")]);
            assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
        }
        count += 1;
    }
    assert!(count >= 8);
}

#[test]
fn one_function_and_graphs() {
    let folder = Folder::new("function");
    let file = folder.file("x.c", "int main(void) { return 0; }\n");
    misused(&["dump", "cfa", "--function", "mian", &file], "mian");
    misused(&["dump", "cfa", "--listing", &file], "--listing");
    misused(&["dump", "ast", "--dot", &file], "--dot");
    let output = heddle(&["dump", "cfa", "--dot", "--function", "main", &file]);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("digraph"), "{}", stderr(&output));
}

#[test]
fn facts_beside_the_source() {
    let folder = Folder::new("listing");
    let file = folder.file("x.c", "int x;\n\nint main(void)\n{\n\treturn x;\n}\n");
    let output = heddle(&["dump", "facts", "--listing", &file]);
    let text = stdout(&output);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!((output.status.code(), lines.len(), lines[0]), (Some(0), 7, file.as_str()), "{text}");
    assert!(lines[3].starts_with("3  int main(void)  "), "{text}");
    assert!(lines[5].starts_with("5      return x;"), "{text}");
}

#[test]
fn an_include_that_is_missing() {
    refused_text("include", "#include \"no_such_header.h\"\nint x;\n", "no_such_header.h");
}

#[test]
fn an_include_of_itself() {
    refused_text("cyclic", "#include \"x.c\"\nint x;\n", "x.c");
}

#[test]
fn a_preprocessor_that_is_missing() {
    let folder = Folder::new("cpp");
    let file = folder.file("x.c", "#include <stddef.h>\nint x;\n");
    refused(&["dump", "ast", "--cpp", "no-such-compiler", &file], "no-such-compiler");
}

#[test]
fn options_of_the_preprocessor() {
    let folder = Folder::new("options");
    let file = folder.file("x.c", "#include <answer.h>\nint x = ANSWER + MORE;\n");
    folder.file("answer.h", "#define ANSWER 41\n");
    let directory = folder.0.to_str().expect("a readable path");
    let output = heddle(&["dump", "ast", "-I", directory, "-DMORE=1", "--data-model", "ilp32", &file]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert!(String::from_utf8_lossy(&output.stdout).contains("41"));
}

#[test]
fn wrong_usage() {
    misused(&[], "Usage: heddle");
    misused(&["dmp"], "'dump'");
    misused(&["dump", "ast"], "<FILE>");
    misused(&["dump", "tokens", "x.c"], "possible values");
    misused(&["dump", "ast", "--data-modl", "lp64", "x.c"], "'--data-model'");
    misused(&["dump", "ast", "--data-model", "ip32", "x.c"], "'ilp32'");
    misused(&["explain", "everything"], "possible values");
}

#[test]
fn help_and_version() {
    for arguments in [&["--help"][..], &["--version"], &["dump", "--help"], &["explain"], &["completions", "bash"]] {
        let output = heddle(arguments);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{arguments:?}");
        assert!(!output.stdout.is_empty());
    }
}

#[test]
fn every_topic_is_explained() {
    let topics = String::from_utf8_lossy(&heddle(&["explain"]).stdout).into_owned();
    for topic in topics.lines().skip(1).filter_map(|line| line.split_whitespace().next()) {
        assert!(heddle(&["explain", topic]).stdout.len() > 100, "{topic}");
    }
}

/// As in `heddle dump ast big.c | head -1`.
#[test]
fn a_reader_that_stops_early() {
    let folder = Folder::new("pipe");
    let file = folder.file("x.c", "int a;\n".repeat(20_000));
    let mut child = Command::new(env!("CARGO_BIN_EXE_heddle"))
        .args(["dump", "ast", &file])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("heddle runs");
    let mut first = [0; 10];
    child.stdout.take().expect("a pipe").read_exact(&mut first).expect("some output");
    let output = child.wait_with_output().expect("heddle ends");
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
}
