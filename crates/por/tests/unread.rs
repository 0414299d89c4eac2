//! Where handles are stored that nobody reads.

mod support;

use program::{Op, ThreadOp};
use support::{PRELUDE, facts_of};

const WORK: &str = "void *work(void *arg) { return arg; }\n";

/// For each place where a thread is created, in order: is its handle read nowhere?
fn unread(text: &str) -> Vec<bool> {
    let program = testing::program(&format!("{PRELUDE}{WORK}{text}"));
    let facts = facts_of(&program).expect("it is understood");
    let unread = por::unread_handles(&program, &facts);
    let functions = program.functions.iter_enumerated();
    let edges =
        functions.flat_map(|(id, function)| function.edges.iter_enumerated().map(move |(e, edge)| (id, e, edge)));
    let creates = |op: &Op| matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }));
    edges.filter(|(.., edge)| creates(&edge.op)).map(|(function, edge, _)| unread.contains(&(function, edge))).collect()
}

#[test]
fn a_handle_that_is_only_stored_is_not_read() {
    assert_eq!(unread("pthread_t t; int main(void) { pthread_create(&t, 0, work, 0); return 0; }"), [true]);
    assert_eq!(unread("int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); t = 0; return 0; }"), [true]);
}

#[test]
fn joining_and_comparing_read_it() {
    let joined = "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); return 0; }";
    assert_eq!(unread(joined), [false]);
    let compared = "pthread_t t; int main(void) { pthread_create(&t, 0, work, 0); return t == 0; }";
    assert_eq!(unread(compared), [false]);
}

#[test]
fn each_place_counts_by_itself() {
    let text = "pthread_t t[2]; int main(void) {
        pthread_create(&t[0], 0, work, 0);
        pthread_create(&t[1], 0, work, 0);
        pthread_join(t[1], 0);
        return 0;
    }";
    assert_eq!(unread(text), [true, false]);
}

#[test]
fn another_thread_may_read_it() {
    let text = "pthread_t t; void *other(void *arg) { pthread_join(*(pthread_t *)arg, 0); return 0; }
    int main(void) {
        pthread_t u;
        pthread_create(&t, 0, work, 0);
        pthread_create(&u, 0, other, &t);
        return 0;
    }";
    assert_eq!(unread(text), [false, true]);
}

#[test]
fn reading_a_part_or_a_copy_is_reading() {
    let part = "pthread_t t; int main(void) { pthread_create(&t, 0, work, 0); return ((char *)&t)[3]; }";
    assert_eq!(unread(part), [false]);
    let copy = "struct job { int n; pthread_t t; }; int main(void) {
        struct job a, b;
        pthread_create(&a.t, 0, work, 0);
        b = a;
        return b.n;
    }";
    assert_eq!(unread(copy), [false]);
}
