//! Which crate may use which: read from `cargo metadata` and compared with one list.

use std::collections::BTreeMap;
use std::process::Command;

use serde_json::Value;

struct Row {
    crates: &'static [&'static str],
    /// Of the rows above, what these must not know.
    never: &'static [&'static str],
}

const fn row(crates: &'static [&'static str], never: &'static [&'static str]) -> Row {
    Row { crates, never }
}

const ENGINES: &[&str] =
    &["engine-cpa", "engine-random", "engine-static", "engine-impact", "engine-bmc", "engine-horn", "engine-lts"];

/// What knows programs, above `logic` and `solve`.
const PROGRAMS: &[&str] = &["c-front", "program", "lower", "semantics"];

/// A crate uses only crates of rows above its own. ARCHITECTURE.md says what each is for.
const ROWS: &[Row] = &[
    row(&["base"], &[]),
    row(&["c-front"], &[]),
    row(&["program"], &["c-front"]),
    row(&["lower"], &[]),
    row(&["semantics"], &["c-front", "lower"]),
    row(&["logic"], PROGRAMS),
    row(&["solve"], PROGRAMS),
    row(&["encode"], &["c-front", "lower", "solve"]),
    row(&["facts"], &["c-front", "lower"]),
    row(&["spec"], &["c-front", "lower", "facts"]),
    row(&["por"], &["c-front", "lower"]),
    row(&["verify"], &["c-front", "lower", "solve", "encode", "por"]),
    row(&["analyses"], &["c-front", "lower"]),
    row(ENGINES, &["c-front", "lower"]),
    row(&["strategy"], &["c-front", "lower"]),
    row(&["certify"], ENGINES),
    row(&["out"], ENGINES),
    row(&["heddle"], &[]),
    // Only a dev-dependency, so it is above nothing.
    row(&["testing"], AFTER_SEMANTICS),
];

/// What is tested with it must not be needed to build it, but for the front end and the interpreter.
const AFTER_SEMANTICS: &[&str] = &[
    "facts",
    "spec",
    "por",
    "analyses",
    "verify",
    "engine-cpa",
    "engine-random",
    "engine-static",
    "strategy",
    "certify",
    "out",
    "heddle",
];

#[test]
fn crates_use_only_crates_above_them() {
    let crates = workspace();
    assert!(crates.contains_key("heddle"), "cargo metadata lists the workspace");
    let wrong: Vec<String> = crates.iter().flat_map(|(user, used)| violations(user, used)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn violations_are_found() {
    let found = |user: &str, used: &str| violations(user, &[used.to_owned()]);
    assert_eq!(found("lower", "program"), [""; 0]);
    assert_eq!(found("program", "c-front"), ["program must not know c-front"]);
    assert_eq!(found("base", "lower"), ["base uses lower, which is not above it"]);
    assert_eq!(found("engine-bmc", "engine-cpa"), ["engine-bmc uses engine-cpa, which is not above it"]);
    assert_eq!(found("logic", "program"), ["logic must not know program"]);
    assert_eq!(found("verify", "analyses"), ["verify uses analyses, which is not above it"]);
    assert_eq!(found("analyses", "solve"), [""; 0]);
    assert_eq!(found("heddle", "testing"), ["heddle uses testing, which is not above it"]);
    assert_eq!(found("testing", "facts"), ["testing must not know facts"]);
    assert_eq!(found("elsewhere", "base"), ["elsewhere is not in the list of crates"]);
}

fn violations(user: &str, used: &[String]) -> Vec<String> {
    let position = |name: &str| ROWS.iter().position(|row| row.crates.contains(&name));
    let Some(own) = position(user) else { return vec![format!("{user} is not in the list of crates")] };
    used.iter()
        .filter_map(|name| match position(name) {
            Some(row) if row < own && !ROWS[own].never.contains(&name.as_str()) => None,
            Some(row) if row < own => Some(format!("{user} must not know {name}")),
            _ => Some(format!("{user} uses {name}, which is not above it")),
        })
        .collect()
}

/// Every crate of the workspace and the ones of it that it is built from; tests may use others.
fn workspace() -> BTreeMap<String, Vec<String>> {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("cargo prints JSON");
    let packages = metadata["packages"].as_array().expect("a list of packages");
    packages.iter().map(|package| (text(&package["name"]), dependencies(package))).collect()
}

fn dependencies(package: &Value) -> Vec<String> {
    let all = package["dependencies"].as_array().expect("a list of dependencies");
    let ours = all.iter().filter(|d| d["path"].is_string() && d["kind"].as_str() != Some("dev"));
    ours.map(|dependency| text(&dependency["name"])).collect()
}

fn text(value: &Value) -> String {
    value.as_str().expect("a string").to_owned()
}
