use super::*;
use base::LineMarker;

fn shown(text: &str, offset: u32, length: u32) -> String {
    let mut sources = SourceMap::new();
    let start = sources.add("no/such/file.c", text.to_owned()).unwrap();
    let span = Span::new(start + offset, start + offset + length);
    let message = Diagnostic::error(span, "unexpected token").note(span, "it is here").help("remove it");
    anstream::adapter::strip_str(&render(&message, &sources)).to_string()
}

#[test]
fn place_line_mark_note_and_help() {
    insta::assert_snapshot!(shown("int a;\nint b = = 1;\n", 15, 1), @r"
    error: unexpected token
     --> no/such/file.c:2:9
      |
    2 | int b = = 1;
      |         ^
    note: it is here
     --> no/such/file.c:2:9
      |
    2 | int b = = 1;
      |         ^
    help: remove it
    ");
}

#[test]
fn tabs_wide_characters_and_stray_bytes_keep_the_mark_in_place() {
    insta::assert_snapshot!(shown("\t\"漢字\u{10FFE4}\u{1b}\" foo;", 15, 3).lines().skip(3).take(2).collect::<Vec<_>>().join("\n"), @r#"
    1 |     "漢字��" foo;
      |              ^^^
    "#);
}

#[test]
fn long_lines_are_cut_around_the_mark() {
    let line = format!("{}BAD{}", "a ".repeat(5000), " b".repeat(5000));
    insta::assert_snapshot!(shown(&line, 10000, 3).lines().take(5).collect::<Vec<_>>().join("\n"), @r"
    error: unexpected token
     --> no/such/file.c:1:10001
      |
    1 | ...a a a a a a a a a a a a a a a a a a a a BAD b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b b ...
      |                                            ^^^
    ");
}

#[test]
fn the_end_of_the_text_can_be_marked() {
    assert!(shown("int a", 5, 0).contains("\n1 | int a\n  |      ^\n"));
}

/// Text with a marker that leads to `written`, a file that exists.
fn shown_from(written: &str, preprocessed: &str, what: &str) -> String {
    let path = std::env::temp_dir().join(format!("heddle-diagnostics-{}-{what}.c", std::process::id()));
    fs::write(&path, written).unwrap();
    let mut sources = SourceMap::new();
    let start = sources.add("x.i", preprocessed.to_owned()).unwrap();
    let file = sources.file_id(path.to_str().unwrap());
    sources.set_markers(start, vec![LineMarker { at: start, file, line: 2, system: false }]);
    let at = start + preprocessed.find(what).unwrap() as u32;
    let diagnostic = Diagnostic::error(Span::new(at, at + what.len() as u32), "wrong");
    let shown = anstream::adapter::strip_str(&render(&diagnostic, &sources)).to_string();
    fs::remove_file(&path).unwrap();
    shown.replace(path.to_str().unwrap(), "written.c")
}

#[test]
fn the_line_is_the_users_own() {
    let written = "#include <a.h>\nint  f(void) /* a /* comment */ { return oops; }\n";
    insta::assert_snapshot!(shown_from(written, "int f(void) { return oops; }", "oops"), @r"
    error: wrong
     --> written.c:2:42
      |
    2 | int  f(void) /* a /* comment */ { return oops; }
      |                                          ^^^^
    ");
}

#[test]
fn an_expanded_line_is_shown_as_such() {
    let written = "#define BAD (1 +)\nint x = BAD;\n";
    insta::assert_snapshot!(shown_from(written, "int x = (1 +);", ")"), @r"
    error: wrong
     --> written.c:2:13
      |
    2 | int x = (1 +);
      |             ^
    note: the line is shown as the preprocessor left it
    ");
}
