use std::collections::BTreeSet;
use std::process::Command;

use super::scanf::{Conversion, parse};
use super::text::{mentioned, texts};
use super::*;

#[test]
fn each_function_has_one_row() {
    let mut seen = BTreeSet::new();
    for model in models() {
        assert!(seen.insert(model.name), "{} has two rows", model.name);
        assert!(!model.header.is_empty() && !model.note.is_empty() && !model.note.contains('\n'), "{}", model.name);
    }
}

#[test]
fn look_up_knows_the_names_of_users_and_of_models() {
    for row in models() {
        assert_eq!(model(row.name).map(|m| m.name), Some(row.name));
    }
    assert_eq!(model("__heddle_strlen").map(|m| m.name), Some("strlen"));
    assert!(model("no_such_function").is_none());
    assert!(model("any_bool").is_none(), "what only models call is not a name for programs");
}

#[test]
fn aliases_lead_to_rows_that_are_none() {
    for row in models() {
        if let Kind::Alias(of, _) = row.kind {
            let target = model(of).unwrap_or_else(|| panic!("{} leads nowhere", row.name));
            assert!(!matches!(target.kind, Kind::Alias(..)), "{} leads to an alias", row.name);
        }
    }
}

#[test]
fn rows_and_texts_belong_together() {
    let rows: BTreeSet<_> = models().filter(|m| matches!(m.kind, Kind::Text)).map(|m| m.name).collect();
    let found: Vec<_> = texts().map(|(name, _)| name).collect();
    assert_eq!(rows, found.iter().copied().collect());
    assert_eq!(rows.len(), found.len(), "a model has two texts");
    for (name, text) in texts() {
        let defined = if name.starts_with(PREFIX) { name.to_owned() } else { format!("{PREFIX}{name}") };
        assert!(text.contains(&format!("{defined}(")), "the text of {name} defines something else");
        let count = |c| text.matches(c).count();
        assert_eq!((count('{'), count('(')), (count('}'), count(')')), "{name}");
        assert!(!text.contains('#'), "texts are not preprocessed");
    }
}

#[test]
fn models_call_only_what_has_a_row() {
    for (name, text) in texts() {
        for declared in text.lines().filter(|line| line.ends_with(");") && !line.starts_with(' ')) {
            for used in mentioned(declared) {
                assert!(model(used).is_some(), "{name} uses {used}");
            }
        }
    }
}

#[test]
fn needed_texts_are_closed_and_given_once() {
    let names: Vec<_> =
        needed(["strdup", "__strdup", "strlen", "malloc", "unknown"]).into_iter().map(|(n, _)| n).collect();
    assert_eq!(names, ["memcpy", "strdup", "strlen"]);
    assert!(needed(["malloc", "pthread_create"]).is_empty());
}

/// Runs the texts beside the functions of the C library, on short random strings and numbers.
#[test]
fn texts_agree_with_the_c_library() {
    let directory = std::env::temp_dir().join(format!("heddle-library-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let (source, binary) = (directory.join("agree.c"), directory.join("agree"));
    let all: String = texts().map(|(_, text)| text).collect();
    std::fs::write(&source, all + include_str!("text/check/agree.c")).unwrap();
    let compiled =
        Command::new("cc").args(["-std=gnu11", "-w", "-O1", "-fno-builtin", "-o"]).arg(&binary).arg(&source).status();
    assert!(compiled.expect("a C compiler").success());
    let run = Command::new(&binary).output().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stdout));
}

#[test]
fn formats_say_what_is_stored() {
    use Conversion::*;
    assert_eq!(
        parse(b"%d %5s%*d %% %c%[^]a]%lf%n\0%d"),
        Some(vec![Value, Word(Some(5)), Characters(1), Set(None), Value, Position])
    );
    assert_eq!(parse(b"%p%*p%lx"), Some(vec![Pointer, Value]));
    assert_eq!(parse(b"%ls"), None);
    assert_eq!(parse(b"%1$d"), None);
    assert_eq!(parse(b"%"), None);
}
