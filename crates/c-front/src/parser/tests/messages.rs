//! The message, the place and the help of each kind of syntax error.

use super::{parse, refused};

/// The error's message and the text it points at.
fn told(text: &str) -> (String, String) {
    let parsed = parse(text);
    let error = parsed.error.unwrap_or_else(|| panic!("accepted: {text}"));
    assert!(error.help.is_some(), "no help for {text}");
    (error.message.clone(), parsed.sources.snippet(error.span).to_owned())
}

#[test]
fn messages_name_what_is_missing_and_what_is_there() {
    for (text, message, place) in [
        ("int f(void) { int x = 1 return x; }", "expected ‘;’ before ‘return’", "return"),
        ("int f(void) { if (x { } }", "expected ‘)’ before ‘{’", "{"),
        ("int a[3;", "expected ‘]’ before ‘;’", ";"),
        ("int a = {1,,2};", "expected expression before ‘,’", ","),
        ("int f(void) { goto 3; }", "expected identifier before numeric constant", "3"),
        ("foo_t x;", "unknown type name ‘foo_t’", "foo_t"),
        ("foo_t *x;", "unknown type name ‘foo_t’", "foo_t"),
        ("void f(void) { foo_t x; }", "unknown type name ‘foo_t’", "foo_t"),
        ("void f(foo_t x);", "unknown type name ‘foo_t’", "foo_t"),
        ("int f(void) { else x(); }", "‘else’ without ‘if’", "else"),
        ("unsigned signed x;", "‘unsigned signed’ is not a type", "unsigned signed"),
        ("struct s { int a; } int x;", "two or more types in one declaration", "x"),
        ("static extern int x;", "more than one storage class in a declaration", "extern"),
        ("}", "expected a declaration before ‘}’", "}"),
        ("int x = 08;", "invalid digit ‘8’ in the octal constant ‘08’", "08"),
        ("char *s = L\"a\" u\"b\";", "strings with different prefixes cannot be joined", "u\"b\""),
        ("_Decimal32 x;", "the type ‘_Decimal32’ is not supported", "_Decimal32"),
    ] {
        assert_eq!(told(text), (message.to_owned(), place.to_owned()), "{text}");
    }
}

#[test]
fn the_end_of_the_text_names_the_open_bracket() {
    let parsed = parse("int f(void) { while (1) {\n g(); }");
    let error = parsed.error.unwrap();
    assert_eq!(error.message, "expected ‘}’ at end of input");
    assert_eq!((parsed.sources.snippet(error.notes[0].0), error.notes[0].0.start), ("{", 13));
    assert_eq!(error.notes[0].1, "this ‘{’ is still open");
    assert_eq!(refused("int x = (1 + ").notes[0].1, "this ‘(’ is still open");
}

#[test]
fn a_missing_semicolon_is_noted_where_it_belongs() {
    let parsed = parse("int x = 10\nint y;");
    let error = parsed.error.unwrap();
    assert_eq!(parsed.sources.snippet(error.span), "int");
    assert_eq!(parsed.sources.snippet(error.notes[0].0), "10");
}

#[test]
fn only_the_first_error_is_told() {
    let parsed = parse("int a; int b c; int @ d; \"");
    assert_eq!(parsed.declarations.len(), 1);
    assert_eq!(parsed.error.unwrap().message, "expected ‘;’ before ‘c’");
    assert!(refused("int a; int b @ d").message.contains("stray"));
    assert!(refused("int a; /* open").message.contains("never closed"));
}
