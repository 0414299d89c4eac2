//! Nothing that is nested without end may overflow the stack; what is only long must pass.

use super::{accepted, refused};

/// The front end runs with a large stack.
fn with_stack(test: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(1 << 29);
    thread.spawn(test).unwrap().join().unwrap();
}

const MANY: usize = 100_000;

#[test]
fn deep_nesting_is_refused() {
    with_stack(|| {
        for (before, open, middle, close, after) in [
            ("int x = ", "(", "1", ")", ";"),
            ("int x = ", "-", " 1", "", ";"),
            ("int x = ", "!", "1", "", ";"),
            ("int x = ", "sizeof ", "1", "", ";"),
            ("int x = ", "(int)", "1", "", ";"),
            ("int x = ", "1+", "1", "", ";"),
            ("int x = ", "{", "1", "}", ";"),
            ("int x = ", "(int){", "1", "}", ";"),
            ("int ", "*", "p", "", ";"),
            ("int ", "(", "p", ")", ";"),
            ("int p", "[1]", "", "", ";"),
            ("void f(", "int g(", "", ")", ");"),
            ("", "struct s {", "", "}", ""),
            ("", "typeof(", "int", ")", " x;"),
            ("void f(int a) { ", "{", "", "}", "}"),
            ("void f(int a) { ", "a = ", "a", "", ";}"),
            ("void f(int a) { ", "a, ", "a", "", ";}"),
            ("void f(int a) { ", "a ? a : ", "a", "", ";}"),
            ("void f(int a) { ", "a ? ", "a", " : a", ";}"),
            ("void f(int a) { a", "()", "", "", ";}"),
            ("void f(int a) { a", ".b", "", "", ";}"),
            ("void f(int a) { ", "a(", "", ")", ";}"),
            ("void f(int a) { ", "if (a) ; else ", ";", "", "}"),
            ("void f(int a) { ", "while (a) ", ";", "", "}"),
            ("void f(int a) { ", "l: ", ";", "", "}"),
            ("void f(int a) { ", "case 1: ", ";", "", "}"),
            ("void f(int a) { a = ", "({", "1;", "})", ";}"),
            ("void f(int a) { ", "void g(void) {", "", "}", "}"),
        ] {
            let text = [before, &open.repeat(MANY), middle, &close.repeat(MANY), after].concat();
            let message = refused(&text).message;
            assert!(message.starts_with("nested too deeply"), "{before}{open}: {message}");
        }
    });
}

#[test]
fn the_help_fits_what_is_nested() {
    with_stack(|| {
        for (before, open, word) in [
            ("int x = ", "(", "expression"),
            ("void f(int a) { ", "case 1: ", "label"),
            ("void f(int a) { ", "{", "function"),
            ("int ", "(", "typedef"),
            ("", "struct s {", "inner types"),
            ("int x = ", "{", "initialiser"),
        ] {
            let help = refused(&[before, &open.repeat(MANY)].concat()).help.unwrap_or_default();
            assert!(help.contains(word), "{before}{open}: {help}");
        }
    });
}

#[test]
fn unreadable_arguments_of_attributes_are_passed_over() {
    with_stack(|| {
        let (open, close) = ("__attribute__((a(".repeat(MANY), ")))".repeat(MANY));
        accepted(&format!("int x {open}{close};"));
        assert!(refused(&format!("int x {open}")).message.contains("at end of input"));
    });
}

#[test]
fn depths_add_up() {
    with_stack(|| {
        let text = format!("int x = {}1{}{};", "(".repeat(6000), "+1)".repeat(6000), "+1".repeat(6000));
        assert!(refused(&text).message.starts_with("nested too deeply"));
        let half = format!("int x = {}1{}{};", "(".repeat(2000), "+1)".repeat(2000), "+1".repeat(2000));
        accepted(&half);
    });
}

#[test]
fn long_lists_are_not_deep() {
    with_stack(|| {
        for (before, item, after) in [
            ("int x[] = {", "{a.b = 1 + 2, [3] = -4},", "};"),
            ("void f(void) { ", "a.b = 1 + 2 * 3;", "}"),
            ("void f(void) { g(", "a.b = 1,", "1); }"),
            ("char *s = ", "\"x\"", ";"),
            ("struct s {", "int a, *b; struct { int c; };", "};"),
            ("", "int f(int); ", ""),
            ("enum {", "A = 1 + 2,", "};"),
            ("int x ", "__attribute__((aligned(8)))", ";"),
            ("", ";", ""),
        ] {
            accepted(&[before, &item.repeat(20_000), after].concat());
        }
    });
}
