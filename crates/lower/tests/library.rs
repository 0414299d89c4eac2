//! What calls of library functions become: the operations on the edges of a function `check`, in order of their locations.

use c_front::preprocess::Loaded;
use c_front::types::DataModel;
use program::print::{Extent, text};
use program::{Direction, Program};

fn lowered(source: &str, data_model: DataModel) -> Program {
    let loaded = Loaded { name: "test.c".into(), text: source.into() };
    testing::lower(loaded, data_model).unwrap_or_else(|problem| panic!("{problem}\n{source}"))
}

fn check_of(body: &str) -> Program {
    let declarations =
        "typedef unsigned long size_t; void use(int); char c[9]; int m, s, *p, n; unsigned long t; double d;";
    let source = format!("{declarations} void check(void) {{ {body} }} int main(void) {{ check(); return 0; }}");
    lowered(&source, DataModel::Lp64)
}

/// The operations of `check` without its returns and its calls of `use`.
fn operations(body: &str) -> Vec<String> {
    let program = check_of(body);
    let check = program.functions.iter_enumerated().find(|(_, f)| &*f.name == "check").expect("it is called").0;
    let printed = text(&program, Extent::Function(check)).to_string();
    let edges =
        printed.lines().filter_map(|line| line.split_once(" -> ")?.1.trim_start_matches(['L', '*']).split_once(' '));
    let operations = edges.map(|(_, rest)| rest.split("  // ").next().unwrap_or("").trim().to_owned());
    operations.filter(|op| op != "return" && !op.starts_with("call use(")).collect()
}

#[track_caller]
fn expect(body: &str, operations_wanted: &[&str]) {
    assert_eq!(operations(body), operations_wanted, "{body}");
}

fn directions(body: &str) -> Vec<(String, Direction)> {
    check_of(body).ledger.entries().iter().map(|e| (e.subject.clone(), e.direction)).collect()
}

#[test]
fn threads() {
    expect(
        "pthread_create(&t, 0, check, p);",
        &["t1 := load ptr [&p]", "t2 := thread create i64 [&t] := &check(t1), detached false"],
    );
    expect(
        "void *r; pthread_join(t, &r);",
        &[
            "enter r",
            "t1 := load i64 [&t]",
            "t3, t2 := thread join t1",
            "assume t3 == 0",
            "assume t3 != 0",
            "store ptr [&r] := t2",
        ],
    );
    expect("pthread_join(t, 0);", &["t1 := load i64 [&t]", "t3, t2 := thread join t1"]);
    expect("pthread_exit(0); m = 1;", &["thread exit null"]);
    expect("use(pthread_equal(t, pthread_self()));", &["t1 := load i64 [&t]", "t2 := thread current"]);
}

#[test]
fn attributes_are_memory() {
    expect(
        "int a[14]; pthread_attr_init(a); pthread_attr_setdetachstate(a, 1); pthread_create(&t, a, check, 0);",
        &[
            "enter a",
            "store i32 [&a] := 0",
            "store i32 [&a] := 1",
            "t1 := load i32 [&a]",
            "t2 := thread create i64 [&t] := &check(null), detached t1 == 1",
        ],
    );
    expect(
        "int a; pthread_mutexattr_settype(&a, 1); pthread_mutex_init(&m, &a);",
        &["enter a", "store i32 [&a] := 1", "t1 := load i32 [&a]", "t2 := mutex init(kind (t1 == 3) ? 0 : t1) &m"],
    );
}

#[test]
fn locks() {
    expect(
        "pthread_mutex_init(&m, 0); pthread_mutex_lock(&m);",
        &["t1 := mutex init(kind 0) &m", "t1 := mutex lock &m"],
    );
    expect(
        "pthread_mutex_timedlock(&m, &t);",
        &[
            "t1 := mutex timedlock &m",
            "t2 := t1",
            "assume t1 == 110",
            "assume t1 != 110",
            "t3 := load i8 [&t]",
            "t5 := load i64 [&t + 8]",
            "t4 := t5",
            "t6 := unknown",
            "assume (999999999 <u t4) & t6",
            "assume !((999999999 <u t4) & t6)",
            "t2 := 22",
        ],
    );
    expect(
        "pthread_spin_init(&m, 0); pthread_spin_trylock(&m);",
        &["t1 := mutex init(kind 0) &m", "t1 := mutex trylock &m"],
    );
    expect(
        "pthread_rwlock_rdlock(&m); pthread_rwlock_unlock(&m);",
        &["t1 := rwlock rdlock &m", "t1 := rwlock unlock &m"],
    );
}

#[test]
fn waiting() {
    expect(
        "pthread_cond_wait(&n, &m);",
        &["t1 := condition sleep(unlock &m) &n", "t2 := condition wake &n", "t3 := mutex lock &m"],
    );
    expect("pthread_barrier_wait(&m);", &["t1 := barrier arrive &m", "t2 := barrier pass &m"]);
    expect("sem_init(&s, 0, 2); sem_wait(&s);", &["t1 := semaphore init(value 2) &s", "t1 := semaphore wait &s"]);
    expect("sem_getvalue(&s, &n);", &["t1 := semaphore value &s", "store i32 [&n] := t1"]);
}

#[test]
fn c11_threads() {
    expect("mtx_init(&m, 1);", &["t1 := mutex init(kind 1) &m"]);
    expect(
        "thrd_join(t, &n);",
        &[
            "t1 := load i64 [&t]",
            "t3, t2 := thread join t1",
            "assume t3 == 0",
            "assume t3 != 0",
            "store i32 [&n] := trunc32(address(t2))",
        ],
    );
    expect(
        "n = mtx_trylock(&m);",
        &["t1 := mutex trylock &m", "store i32 [&n] := (t1 == 0) ? 0 : ((t1 == 16) ? 1 : ((t1 == 110) ? 4 : 2))"],
    );
}

#[test]
fn verification_functions() {
    expect("__VERIFIER_assume(n);", &["t1 := load i32 [&n]", "assume t1 != 0", "assume t1 == 0", "end cut"]);
    expect("__VERIFIER_atomic_begin(); __VERIFIER_atomic_end();", &["atomic begin", "atomic end"]);
    expect("reach_error(); m = 1;", &["error call", "end abort"]);
    expect(
        "_Bool __VERIFIER_nondet_bool(void); n = __VERIFIER_nondet_bool();",
        &["t1 := nondet", "store i32 [&n] := zext32(t1)"],
    );
    expect(
        "__CPROVER_assert(n, c); m = 1;",
        &["t1 := load i32 [&n]", "assume t1 != 0", "assume t1 == 0", "error assert", "store i32 [&m] := 1"],
    );
}

#[test]
fn memory() {
    expect(
        "p = malloc(4); free(p);",
        &["t1 := allocate heap(4) align 16", "store ptr [&p] := t1", "t1 := load ptr [&p]", "free t1"],
    );
    expect("p = calloc(4, 4611686018427387904ul);", &["store ptr [&p] := null"]);
    expect("p = realloc(0, 8);", &["t1 := allocate heap(8) align 16", "store ptr [&p] := t1"]);
    assert_eq!(directions("void *malloc(size_t); malloc(1);"), [("malloc".to_owned(), Direction::Convention)]);
}

#[test]
fn texts_are_called_by_any_of_their_names() {
    expect(
        "use(strlen(c)); __memset_chk(c, 0, 9, 9);",
        &["t1 := call __heddle_strlen(&c)", "t2 := call __heddle_memset(&c, 0, 9)"],
    );
    assert_eq!(
        directions("int pthread_cancel(unsigned long); pthread_cancel(t);"),
        [("pthread_cancel".to_owned(), Direction::Under)]
    );
}

/// Calls of every function with no, with too many and with wrong arguments, all declared to return `int`.
#[test]
fn mistaken_prototypes_do_no_harm() {
    let mut source = String::new();
    for (i, model) in lower::library::models().filter(|m| m.name != "alloca").enumerate() {
        let name = model.name;
        source += &format!("int {name}(); int f{i}(int *a, char *b) {{ {name}(); {name}(1, b, 2.5, 4, 5); ");
        source += &format!("return {name}(b, a, a, a, 1, b); }}\n");
    }
    let count = lower::library::models().count() - 1;
    let calls: String = (0..count).map(|i| format!("if (x) f{i}(&x, (char *)&x);")).collect();
    source += &format!("int main(void) {{ int x; {calls} }}");
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        lowered(&source, data_model);
    }
}
