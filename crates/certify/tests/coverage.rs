//! What proofs by facts cover: branches that decide errors, thread creations, operations of the kind that is checked.

use std::sync::Arc;

use base::Budget;
use verify::{Coverage, Part, Proof, Property};

const HEAD: &str = "typedef unsigned long pthread_t; void abort(void); void reach_error(void) {}\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *); int pthread_join(pthread_t, void **);\n\
    int __VERIFIER_nondet_int(void); void *malloc(unsigned long); void free(void *); int x, y, never;\n";

fn coverage(text: &str, property: Property) -> Coverage {
    let program = testing::program(&format!("{HEAD}{text}\n"));
    let proof = Proof::Facts(Arc::new(facts::analyze(&program, &Budget::unlimited()).expect("there are facts")));
    let checked = certify::check_within(&program, property.targets(), None, &proof, &Budget::unlimited());
    checked.expect("the proof passes")
}

/// How many are covered, of how many.
fn counts(part: &Part) -> (usize, usize) {
    (part.covered(), part.count)
}

/// Of branches that decide an error.
fn branches(text: &str) -> (usize, usize) {
    let coverage = coverage(text, Property::UnreachCall);
    counts(&coverage.operations.expect("errors are edges"))
}

#[test]
fn the_nearest_branch_decides() {
    assert_eq!(branches("int main(void) { if (x) reach_error(); return 0; }"), (1, 1));
    assert_eq!(branches("int main(void) { if (never) { y = 1; if (x) reach_error(); } return 0; }"), (0, 1));
    assert_eq!(branches("int main(void) { while (!never) {} if (x) reach_error(); return 0; }"), (0, 1));
    assert_eq!(branches("int main(void) { while (never) { if (x) reach_error(); } return 0; }"), (0, 1));
    assert_eq!(branches("int main(void) { while (!never) {} reach_error(); }"), (1, 1), "here the loop decides");
}

#[test]
fn a_condition_of_several_parts_is_one() {
    assert_eq!(branches("int main(void) { if (x && y) reach_error(); return 0; }"), (1, 2));
    assert_eq!(branches("int main(void) { if (x && (y || x)) reach_error(); return 0; }"), (1, 3));
    assert_eq!(branches("int main(void) { for (;;) { if (x && y) { reach_error(); abort(); } } }"), (1, 2));
}

#[test]
fn callers_decide_for_who_does_not_branch() {
    let fail = "void fail(int line) { y = line; reach_error(); abort(); }";
    assert_eq!(branches(&format!("{fail} int main(void) {{ if (x) fail(3); return 0; }}")), (1, 1));
    assert_eq!(branches(&format!("{fail} void (*p)(int) = fail; int main(void) {{ if (x) p(3); return 0; }}")), (1, 1));
    let thread = "void *f(void *p) { reach_error(); return p; }";
    let main = "int main(void) { pthread_t t; if (x) pthread_create(&t, 0, f, 0); return 0; }";
    assert_eq!(branches(&format!("{thread} {main}")), (1, 1));
    let check = "void check(int c) { if (!c) reach_error(); }";
    assert_eq!(branches(&format!("{check} int main(void) {{ if (never) {{ check(x); }} return 0; }}")), (0, 1));
    let test = "void test(void) { if (x) reach_error(); }";
    assert_eq!(branches(&format!("{test} int main(void) {{ if (never) test(); return 0; }}")), (0, 1));
    let constant = format!("{check} int main(void) {{ if (x) check(0); check(y == 0); return 0; }}");
    assert_eq!(branches(&constant), (2, 2), "the caller decides what it hands over as a constant");
    assert_eq!(branches(&format!("{check} int main(void) {{ if (x) {{ check(0); }} return 0; }}")), (1, 2));
}

#[test]
fn who_does_not_return_decides() {
    let need = "void need(int c) { if (!c) abort(); } void need_both(int a, int b) { need(a); need(b); }";
    assert_eq!(branches(&format!("{need} int main(void) {{ y = 1; need(x); reach_error(); }}")), (1, 1));
    assert_eq!(branches(&format!("{need} int main(void) {{ need_both(y == 0, x); y = 2; reach_error(); }}")), (1, 1));
    assert_eq!(
        branches(&format!("{need} int main(void) {{ if (never) {{ need(x); reach_error(); }} return 0; }}")),
        (0, 1)
    );
    let pass = "void pass(int c) { if (c) abort(); } void note(int n) { if (n) y = n; }";
    let text = format!("{pass} int main(void) {{ pass(never == 0); note(1); reach_error(); }}");
    assert_eq!(branches(&text), (1, 1), "a call that always returns decides nothing");
    let thread = "void *f(void *p) { if (y) abort(); return p; }";
    let main = "int main(void) { pthread_t t; if (x) { pthread_create(&t, 0, f, 0); reach_error(); } return 0; }";
    assert_eq!(branches(&format!("{thread} {main}")), (1, 1), "nor does who runs beside");
}

#[test]
fn errors_that_nothing_decides_are_not_reached() {
    let text = "void *f(void *p) { for (;;) {} } int main(void) { pthread_t t; pthread_create(&t, 0, f, 0);\n\
        pthread_join(t, 0); reach_error(); }";
    let coverage = coverage(text, Property::UnreachCall);
    assert_eq!(coverage.vacuous().as_deref(), Some("no branch that decides an error is reached"));
    assert_eq!(coverage.absent(), None);
}

#[test]
fn a_program_without_errors_has_nothing_to_check() {
    let of = |text: &str| coverage(text, Property::UnreachCall);
    let (plain, unused) = (of("int main(void) { return 0; }"), "void check(int c) { if (!c) reach_error(); }");
    let unused = of(&format!("{unused} int main(void) {{ return 0; }}"));
    let dead = of("void check(int c) { if (!c) reach_error(); } int main(void) { if (0) check(0); return 0; }");
    for coverage in [plain, unused, dead] {
        assert_eq!((coverage.absent(), coverage.vacuous()), (Some("error call or assertion"), None));
    }
}

#[test]
fn creations_count_where_calls_may_lead() {
    let of =
        |text: &str| coverage(&format!("void *f(void *p) {{ return p; }} pthread_t t;\n{text}"), Property::NoDataRace);
    let start = "void start(void) { pthread_create(&t, 0, f, 0); }";
    let unused = of(&format!("{start} int main(void) {{ return 0; }}"));
    assert_eq!((counts(&unused.creations), unused.vacuous()), ((0, 0), None), "it is never called");
    let dead = of(&format!("{start} int main(void) {{ if (0) start(); return 0; }}"));
    assert_eq!((counts(&dead.creations), dead.vacuous()), ((0, 0), None), "the call is no part of the program");
    let skipped = of(&format!("{start}\nint main(void) {{ if (never) start(); return 0; }}"));
    assert_eq!(counts(&skipped.creations), (0, 1));
    assert_eq!(skipped.vacuous().as_deref(), Some("the thread creation at x.c:5 is not reached"));
    assert_eq!(skipped.functions.missed.iter().map(|spot| &spot.function[..]).collect::<Vec<_>>(), ["f", "start"]);
    let table = of(&format!(
        "{start} void (*const table[])(void) = {{ start }};\n\
        int main(void) {{ if (never) table[0](); return 0; }}"
    ));
    assert_eq!(counts(&table.creations), (0, 1), "by its address in an object");
    let two =
        of("int main(void) { if (never) { pthread_create(&t, 0, f, 0);\npthread_create(&t, 0, f, 0); } return 0; }");
    assert_eq!(two.vacuous().as_deref(), Some("2 thread creations are not reached, the first at x.c:5"));
    let both = of("int main(void) { pthread_create(&t, 0, f, 0); if (never) pthread_create(&t, 0, f, 0); return 0; }");
    assert_eq!((counts(&both.creations), both.vacuous().is_some()), ((1, 2), true), "each counts");
    let one = of(&format!("{start} int main(void) {{ start(); return 0; }}"));
    assert_eq!((counts(&one.creations), one.vacuous()), ((1, 1), None));
}

#[test]
fn operations_are_those_of_the_property() {
    let text = "struct s { int a, b; } s; int main(void) { int l = 1; int *p = &l; s.b = 2; *p = x + 1;\n\
        if (never) { int *q = malloc(4); *q = 1; free(q); x = x - 1; } return 0; }";
    let of = |property| counts(&coverage(text, property).operations.expect("they are edges"));
    assert_eq!(of(Property::NoDataRace), (4, 8), "s.b, *p, x, never; *q, free, and x twice");
    assert_eq!(of(Property::NoOverflow), (1, 2));
    assert_eq!(of(Property::ValidMemsafety), (1, 4), "*p; malloc, *q, free");
    assert_eq!(of(Property::ValidMemcleanup), (0, 1));
    let vacuous = coverage(text, Property::ValidMemcleanup).vacuous();
    assert_eq!(vacuous.as_deref(), Some("no allocation is reached"));
}
