//! What library functions do beside giving a result: they read and write memory, fail, and set `errno`. What no model has is never proved.

mod support;

use support::{Folder, heddle, stderr, stdout};

const PROLOGUE: &str = "extern void reach_error(void); extern int *__errno_location(void); typedef unsigned long size_t; \
                        typedef unsigned long pthread_t; int pthread_create(pthread_t *, void *, void *(*)(void *), void *); \
                        int pthread_join(pthread_t, void **); struct timespec { long s, ns; };\n";

const ENGINES: [&[&str]; 5] = [
    &["--engine", "static"],
    &["--engine", "value", "--no-static"],
    &["--engine", "interval", "--no-static"],
    &["--engine", "bdd", "--no-static"],
    &[],
];

fn verdict(property: &str, options: &[&str], file: &str) -> String {
    let output = heddle(&[&["check", "--time-limit", "5s", "--property", property], options, &[file]].concat());
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    last.strip_prefix("VERDICT: ").unwrap_or_default().to_owned()
}

/// No engine proves the property; all together say this, or what begins like it.
#[track_caller]
fn says(wanted: &str, property: &str, text: &str) {
    let folder = Folder::new(std::thread::current().name().unwrap_or("effects"));
    let file = folder.file("x.c", format!("{PROLOGUE}{text}"));
    let said = verdict(property, &[], &file);
    assert!(
        said == wanted || wanted.ends_with('…') && said.starts_with(wanted.trim_end_matches('…')),
        "{said}: {text}"
    );
    if wanted != "true" {
        for engine in ENGINES {
            assert_ne!(verdict(property, engine, &file), "true", "{engine:?}: {text}");
        }
    }
}

#[track_caller]
fn reach(wanted: &str, text: &str) {
    says(wanted, "unreach-call", text);
}

/// A thread carries out `call`, while the other one writes.
#[track_caller]
fn race(declarations: &str, call: &str, write: &str) {
    let text = format!(
        "{declarations} void *other(void *a) {{ {call}; return 0; }} \
         int main(void) {{ pthread_t t; pthread_create(&t, 0, other, 0); {write}; pthread_join(t, 0); return 0; }}"
    );
    says("false(no-data-race)", "no-data-race", &text);
}

#[test]
fn comparisons_give_any_number_of_their_sign() {
    let compare = "int memcmp(const void *, const void *, size_t); int strcmp(const char *, const char *);";
    reach(
        "false(unreach-call)",
        &format!("{compare} int main(void) {{ if (strcmp(\"d\", \"a\") > 1) reach_error(); return 0; }}"),
    );
    reach(
        "false(unreach-call)",
        &format!("{compare} int main(void) {{ if (memcmp(\"a\", \"d\", 1) == -3) reach_error(); return 0; }}"),
    );
    reach(
        "true",
        &format!(
            "{compare} int main(void) {{ if (strcmp(\"a\", \"d\") >= 0 || strcmp(\"d\", \"a\") <= 0 || strcmp(\"a\", \"a\")) \
             reach_error(); return 0; }}"
        ),
    );
}

#[test]
fn what_calls_read_takes_part_in_races() {
    race("int unlink(const char *); char name[] = \"ab\";", "unlink(name)", "name[1] = 'c'");
    race(
        "int sem_timedwait(void *, const struct timespec *); long sem[4]; struct timespec until;",
        "sem_timedwait(sem, &until)",
        "until.s = 3",
    );
    race("double atof(const char *); char text[] = \"1\";", "atof(text)", "text[0] = '2'");
    let sort = "void qsort(void *, size_t, size_t, int (*)(const void *, const void *)); long all[2]; \
                int same(const void *a, const void *b) { return 0; }";
    race(sort, "qsort(all, 2, sizeof(long), same)", "long seen = all[1]");
}

#[test]
fn names_that_nobody_writes_do_not_race() {
    let text = "int unlink(const char *); char name[] = \"ab\"; void *other(void *a) { unlink(name); return 0; } \
                int main(void) { pthread_t t; pthread_create(&t, 0, other, 0); unlink(name); pthread_join(t, 0); return 0; }";
    says("true", "no-data-race", text);
}

#[test]
fn effects_without_a_model_forbid_a_proof() {
    for (_, text) in [
        (
            "getline",
            "long getline(char **, size_t *, void *); int main(void) { char *p = 0; size_t n = 0; getline(&p, &n, 0); if (p) reach_error(); return 0; }",
        ),
        (
            "readv",
            "struct part { void *at; size_t n; }; long readv(int, const struct part *, int); int main(void) { char c = 0; struct part p = { &c, 1 }; readv(0, &p, 1); if (c) reach_error(); return 0; }",
        ),
        (
            "setvbuf",
            "int setvbuf(void *, char *, int, size_t); int printf(const char *, ...); static char b[9]; int main(void) { setvbuf(0, b, 0, 9); printf(\"x\"); if (b[0]) reach_error(); return 0; }",
        ),
        (
            "mmap",
            "void *mmap(void *, size_t, int, int, int, long); int main(void) { mmap(0, 4, 3, 1, 3, 0); return 0; }",
        ),
    ] {
        reach("unknown(…", text);
    }
    reach(
        "true",
        "extern void *stdout; int setvbuf(void *, char *, int, size_t); int main(void) { setvbuf(stdout, 0, 2, 0); return 0; }",
    );
}

#[test]
fn counts_of_formats_are_never_proved() {
    let print = "int printf(const char *, ...);";
    reach(
        "false(unreach-call)",
        &format!("{print} int main(void) {{ int n = 0; printf(\"a%%b%n\", &n); if (n) reach_error(); return 0; }}"),
    );
    reach("true", &format!("{print} int main(void) {{ int n = 0; printf(\"%%n\"); if (n) reach_error(); return 0; }}"));
}

#[test]
fn errors_are_told_by_errno() {
    let set = "*__errno_location() = 0;";
    let failed = "if (*__errno_location() != 0) reach_error(); return 0;";
    reach("false(unreach-call)", &format!("int getchar(void); int main(void) {{ {set} getchar(); {failed} }}"));
    reach("unknown(imprecise model)", &format!("double log(double); int main(void) {{ {set} log(0.0); {failed} }}"));
    let open = "void *fopen(const char *, const char *);";
    reach("false(unreach-call)", &format!("{open} int main(void) {{ {set} fopen(\"a\", \"r\"); {failed} }}"));
    reach("true", &format!("{open} int main(void) {{ {set} if (fopen(\"a\", \"r\")) {{ {failed} }} return 0; }}"));
    reach(
        "true",
        &format!(
            "{open} int main(void) {{ {set} if (!fopen(\"a\", \"r\") && *__errno_location() == 0) reach_error(); return 0; }}"
        ),
    );
}

#[test]
fn limits_are_kept() {
    let barrier = "int pthread_barrier_init(void *, void *, unsigned); long b[4];";
    reach(
        "false(unreach-call)",
        &format!("{barrier} int main(void) {{ if (pthread_barrier_init(b, 0, 0)) reach_error(); return 0; }}"),
    );
    reach(
        "true",
        &format!("{barrier} int main(void) {{ if (pthread_barrier_init(b, 0, 2)) reach_error(); return 0; }}"),
    );
    let wait =
        "int pthread_mutex_lock(void *); int pthread_mutex_timedlock(void *, const struct timespec *); long m[5];";
    let check = |ns: &str| {
        format!(
            "{wait} int main(void) {{ struct timespec t = {{ 0, {ns} }}; pthread_mutex_lock(m); if (pthread_mutex_timedlock(m, &t) == 22) reach_error(); return 0; }}"
        )
    };
    reach("false(unreach-call)", &check("-1"));
    reach("true", &check("999999999"));
}

#[test]
fn functions_without_a_body_reach_more_than_their_argument() {
    reach(
        "unknown(imprecise model)",
        "void use(int *); int a[3]; int main(void) { use(&a[2]); if (a[0]) reach_error(); return 0; }",
    );
    for text in [
        "struct s { int *p; }; void use(struct s *); int main(void) { int x = 0; struct s s = { &x }; use(&s); if (x) reach_error(); return 0; }",
        "struct s { int *p; }; void use(const struct s *); int main(void) { int x = 0; struct s s = { &x }; use(&s); if (x) reach_error(); return 0; }",
        "struct s { int *p; }; void use(struct s); int main(void) { int x = 0; struct s s = { &x }; use(s); if (x) reach_error(); return 0; }",
        "void use(int **); int main(void) { int x = 0, *p = &x; use(&p); if (x) reach_error(); return 0; }",
        "void use(unsigned long); int main(void) { int x = 0; use((unsigned long)&x); if (x) reach_error(); return 0; }",
    ] {
        reach("unknown(left out: use)", text);
    }
    reach(
        "true",
        "struct s { const char *p; }; void use(const struct s *); int x; int main(void) { struct s s = { 0 }; use(&s); if (x) reach_error(); return 0; }",
    );
}

#[test]
fn functions_without_a_body_reach_the_whole_object() {
    reach(
        "unknown(imprecise model)",
        "void use(int *); int a[3]; int main(void) { int *p = &a[2]; use(p); if (a[0]) reach_error(); return 0; }",
    );
    reach(
        "unknown(imprecise model)",
        "struct s { int a, b; } s; void use(int *); int main(void) { use(&s.b); if (s.a) reach_error(); return 0; }",
    );
}

#[test]
fn functions_without_a_body_may_read_what_they_are_handed() {
    let threads = |write: &str| {
        format!(
            "void use(const int *); int x; const int c = 1; void *other(void *a) {{ use(a); return 0; }} int main(void) \
             {{ pthread_t t; pthread_create(&t, 0, other, {write}; pthread_join(t, 0); return 0; }}"
        )
    };
    says("unknown(imprecise model)", "no-data-race", &threads("&x); x = 1"));
    says("true", "no-data-race", &threads("(void *)&c); x = c"));
    says("true", "no-data-race", &threads("&x); int y = x"));
}

#[test]
fn what_functions_without_a_body_return_may_be_null() {
    says("unknown(no run found)", "valid-memsafety", "int *get(void); int main(void) { int *p = get(); return *p; }");
    says("true", "valid-memsafety", "int *get(void); int main(void) { int *p = get(); return p ? *p : 0; }");
}

#[test]
fn functions_behind_data_pointers_may_be_called() {
    let text = "void use(void *); int x; void set(void) { x = 1; } \
                int main(void) { void *p = (void *)set; use(p); if (x) reach_error(); return 0; }";
    reach("unknown(imprecise: a function without a body…", text);
}

#[test]
fn system_functions_without_a_model_give_candidates() {
    let folder = Folder::new("no-model");
    let text = "#include <wchar.h>\n#include <assert.h>\nint main(void) { assert(wcslen(L\"ab\") == 2); }";
    assert_eq!(verdict("unreach-call", &[], &folder.file("x.c", text)), "unknown(imprecise model)");
    let text =
        "int length(const char *); void reach_error(void); int main(void) { if (length(\"ab\") != 2) reach_error(); }";
    assert_eq!(verdict("unreach-call", &[], &folder.file("y.c", text)), "false(unreach-call)");
}

#[test]
fn locked_streams_are_not_judged() {
    let text = "char file[216]; void flockfile(void *); void funlockfile(void *); int x;";
    let add = "flockfile(file); x++; funlockfile(file)";
    let text = format!(
        "{text} void *other(void *a) {{ {add}; return 0; }} \
         int main(void) {{ pthread_t t; pthread_create(&t, 0, other, 0); {add}; pthread_join(t, 0); return 0; }}"
    );
    says("unknown(imprecise model)", "no-data-race", &text);
    says("unknown(left out: flockfile)", "no-deadlock", &text);
}

#[test]
fn arrays_of_unknown_size_have_an_end() {
    let text = "extern char buffer[]; int main(void) { buffer[1000] = 1; return 0; }";
    says("unknown(left out: buffer)", "valid-memsafety", text);
}

#[test]
fn large_blocks_are_overwritten_within_the_time_limit() {
    let text =
        "void *malloc(size_t); size_t size(void); void use(char *); int main(void) { use(malloc(size())); return 0; }";
    says("true", "no-overflow", text);
}

#[test]
fn weak_memory_orders_are_told() {
    let folder = Folder::new("weak-orders");
    let text = "int x; int main(void) { __atomic_store_n(&x, 1, 0); return __atomic_load_n(&x, 5); }";
    let output = heddle(&["check", "--property", "no-data-race", &folder.file("x.c", text)]);
    let line = "assumed [convention] memory orders: weaker ones act as memory_order_seq_cst (";
    assert_eq!(stdout(&output).lines().filter(|text| text.starts_with(line)).count(), 1, "{}", stdout(&output));
    assert!(!stdout(&output).contains("times"), "the load has the strongest order");
}
