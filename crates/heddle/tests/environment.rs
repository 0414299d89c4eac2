//! What surrounds a program is not fixed: arguments, environment, clocks, files, and what functions without a body do. No engine may prove
//! what holds for some surroundings only.

mod support;

use support::{Folder, heddle, stderr, stdout};

const ENGINES: [&[&str]; 6] = [
    &["--engine", "static"],
    &["--engine", "value"],
    &["--engine", "value", "--no-static", "--reduction", "none"],
    &["--engine", "interval", "--no-static"],
    &["--engine", "bdd", "--no-static"],
    &["--engine", "value+bdd", "--no-static"],
];

const PROLOGUE: &str = "extern void reach_error(void);\n";

fn says(options: &[&str], file: &str) -> String {
    let limit = if options.contains(&"--engine") { "2s" } else { "20s" };
    let output = heddle(&[&["check", "--time-limit", limit], options, &[file]].concat());
    assert_ne!(output.status.code(), Some(4), "{}", stderr(&output));
    let last = stdout(&output).lines().last().unwrap_or_default().to_owned();
    last.strip_prefix("VERDICT: ").unwrap_or_default().to_owned()
}

/// Some engine finds the violation, none proves its absence.
#[track_caller]
fn violated(name: &str, text: &str) {
    let folder = Folder::new(name);
    let file = folder.file("x.c", format!("{PROLOGUE}{text}"));
    assert_eq!(says(&[], &file), "false(unreach-call)", "{text}");
    not_proved(&file, text);
}

#[track_caller]
fn not_proved(file: &str, text: &str) {
    for engine in ENGINES {
        assert_ne!(says(engine, file), "true", "{engine:?}: {text}");
    }
}

/// Possible only if a function without a body does more than to return a value.
#[track_caller]
fn candidate(name: &str, text: &str) {
    let folder = Folder::new(name);
    let file = folder.file("x.c", format!("{PROLOGUE}{text}"));
    let output = heddle(&["check", "--time-limit", "20s", &file]);
    let output = stdout(&output);
    assert_eq!(output.lines().last(), Some("VERDICT: unknown(imprecise model)"), "{text}");
    assert!(output.contains("     T0 main") && !output.contains("<missing"), "the run is shown: {output}");
    not_proved(&file, text);
    assert_eq!(says(&["--missing", "pure"], &file), "true", "{text}");
}

#[track_caller]
fn proved(name: &str, text: &str) {
    let folder = Folder::new(name);
    let file = folder.file("x.c", format!("{PROLOGUE}{text}"));
    assert_eq!(says(&[], &file), "true", "{text}");
}

#[test]
fn any_number_of_arguments() {
    violated("argc_none", "int main(int argc, char **argv) { if (!argc) reach_error(); return 0; }");
    violated("argc_many", "int main(int n, char **v) { if (n == 4711) reach_error(); return 0; }");
    proved("argc_sign", "int main(int n, char **v) { if (n < 0) reach_error(); return 0; }");
}

#[test]
fn clocks_do_not_agree() {
    violated(
        "two_clocks",
        "struct time { long s, ns; }; int clock_gettime(int, struct time *); int main(void) { struct time a, b; \
         clock_gettime(0, &a); clock_gettime(1, &b); if (b.s < a.s) reach_error(); return 0; }",
    );
    violated(
        "time_lags",
        "struct time { long s, us; }; int gettimeofday(struct time *, void *); long time(long *); int main(void) { \
         struct time a; gettimeofday(&a, 0); if (time(0) < a.s) reach_error(); return 0; }",
    );
}

#[test]
fn pages_have_one_size() {
    proved(
        "page_size",
        "int getpagesize(void); long sysconf(int); int main(void) { if (sysconf(30) != getpagesize()) reach_error(); return 0; }",
    );
}

#[test]
fn any_arguments() {
    violated(
        "argv_text",
        "int main(int n, char **v) { if (n > 2 && v[2][0] == 'a' && v[2][1] == 'b' && !v[2][2]) reach_error(); return 0; }",
    );
    violated("argv_null", "int main(int n, char **v) { if (n == 2 && !v[2]) reach_error(); return 0; }");
    violated(
        "environment",
        "int main(int n, char **v, char **e) { if (e[0] && e[0][1] == 'A') reach_error(); return 0; }",
    );
    proved(
        "argv_end",
        "int main(int n, char **v) { if (n == 1 && v[1]) reach_error(); if (n > 1 && !v[1]) reach_error(); return 0; }",
    );
}

#[test]
fn arguments_that_are_not_there() {
    let folder = Folder::new("argv_outside");
    let file = folder.file("x.c", "int main(int n, char **v) { return v[2] == 0; }");
    assert_eq!(says(&["--property", "valid-memsafety"], &file), "false(valid-deref)");
    let file = folder.file("y.c", "int main(int n, char **v) { return n > 1 ? v[1][5] : 0; }");
    for engine in ENGINES {
        let options = [engine, &["--property", "valid-memsafety"]].concat();
        assert_ne!(says(&options, &file), "true", "{engine:?}: the string may be shorter");
    }
}

#[test]
fn variables_of_the_environment() {
    violated("getenv", "char *getenv(const char *); int main(void) { if (getenv(\"A\")) reach_error(); return 0; }");
    violated(
        "getenv_long",
        "char *getenv(const char *); int main(void) { char *p = getenv(\"A\"); if (p && p[0] && p[40] == 'x') reach_error(); return 0; }",
    );
    proved(
        "getenv_twice",
        "char *getenv(const char *); int main(void) { if (getenv(\"A\") && !getenv(\"A\")) reach_error(); return 0; }",
    );
}

#[test]
fn clocks_have_fractions_and_do_not_go_back() {
    violated(
        "clock_fraction",
        "#include <time.h>\nint main(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); if (t.tv_nsec == 7) reach_error(); return 0; }",
    );
    violated("clock_start", "#include <time.h>\nint main(void) { if (time(0) < 1000) reach_error(); return 0; }");
    proved("clock_sign", "#include <time.h>\nint main(void) { if (time(0) < 0) reach_error(); return 0; }");
    let folder = Folder::new("clock_order");
    let back =
        "#include <time.h>\nint main(void) { time_t a = time(0), b = time(0); if (b < a) reach_error(); return 0; }";
    let file = folder.file("x.c", format!("{PROLOGUE}{back}"));
    assert_ne!(says(&[], &file), "false(unreach-call)");
}

#[test]
fn calls_may_fail() {
    violated("close_fails", "#include <unistd.h>\nint main(void) { if (close(3)) reach_error(); return 0; }");
    violated(
        "errno_is_set",
        "#include <errno.h>\n#include <unistd.h>\nint main(void) { char c; if (read(0, &c, 1) < 0 && errno == EINTR) reach_error(); return 0; }",
    );
    violated("fclose_fails", "#include <stdio.h>\nint main(void) { if (fclose(stdin)) reach_error(); return 0; }");
    proved(
        "descriptors",
        "#include <fcntl.h>\nint main(void) { if (open(\"x\", O_RDONLY) < -1) reach_error(); return 0; }",
    );
}

#[test]
fn files_are_any_files() {
    violated(
        "file_size",
        "#include <sys/stat.h>\nint main(void) { struct stat s = {0}; if (!stat(\"x\", &s) && s.st_size == 5) reach_error(); return 0; }",
    );
    proved(
        "file_sizes",
        "#include <sys/stat.h>\nint main(void) { struct stat s = {0}; if (!stat(\"x\", &s) && s.st_size < 0) reach_error(); return 0; }",
    );
    violated(
        "ready",
        "#include <sys/select.h>\nint main(void) { fd_set s; FD_ZERO(&s); FD_SET(4, &s); struct timeval t = {1, 0};\n\
         if (select(5, &s, 0, 0, &t) == 0 && !FD_ISSET(4, &s)) reach_error(); return 0; }",
    );
}

#[test]
fn numbers_of_the_process_are_chosen_once() {
    proved(
        "pid",
        "#include <unistd.h>\nint main(void) { if (getpid() != getpid() || getpid() < 1) reach_error(); return 0; }",
    );
    violated("pid_any", "#include <unistd.h>\nint main(void) { if (getpid() == 17) reach_error(); return 0; }");
    let folder = Folder::new("pid_race");
    let file = folder.file(
        "x.c",
        "#include <pthread.h>\n#include <unistd.h>\nlong n, id;\nvoid *run(void *a) { n += 2; return 0; }\n\
         int main(void) { pthread_t t; id = getpid() + sysconf(84); pthread_create(&t, 0, run, 0); n = 0; return 0; }",
    );
    assert_eq!(says(&["--property", "no-data-race"], &file), "false(no-data-race)");
}

#[test]
fn missing_bodies_write_numbers() {
    candidate(
        "writes_int",
        "void put(int *); int main(void) { int n = 1; put(&n); if (n == 4) reach_error(); return 0; }",
    );
    candidate(
        "writes_array",
        "void put(long *, int); long a[8]; int main(void) { long *p = a; put(p, 8); if (a[5]) reach_error(); return 0; }",
    );
    candidate(
        "writes_record",
        "struct r { char *name; struct { short a[2]; double d; } in; }; void put(void *);\n\
         int main(void) { struct r r = {0}; put(&r); if (r.in.a[1] == 3) reach_error(); return 0; }",
    );
    candidate(
        "writes_bytes",
        "void put(void *); char b[6]; int main(void) { void *p = b; put(p); if (b[5] == 'z') reach_error(); return 0; }",
    );
    candidate("writes_unknown", "int n; int main(void) { put(0, &n); if (n) reach_error(); return 0; }");
    candidate(
        "writes_later",
        "void put(int *); void (*volatile f)(int *) = put; int main(void) { int n = 0; f(&n); if (n) reach_error(); return 0; }",
    );
    candidate(
        "writes_twice",
        "#include <pthread.h>\nvoid put(int *); int n; void *look(void *a) { if (n == 1 && n == 2) reach_error(); return 0; }\n\
         int main(void) { pthread_t t; pthread_create(&t, 0, look, 0); put(&n); pthread_join(t, 0); return 0; }",
    );
}

#[test]
fn missing_bodies_call_functions() {
    candidate(
        "calls_back",
        "void on(void (*)(int), int); static int seen; static void event(int k) { if (k == 9) seen++; }\n\
         int main(void) { on(event, 1); if (seen == 2) reach_error(); return 0; }",
    );
    candidate(
        "calls_with_what_it_is_handed",
        "void on(void *, void *); static void event(int *n) { if (n) ++*n; }\n\
         int main(void) { int n = 0; const int *p = &n; on((void *)event, (void *)&n); if (n == 1) reach_error(); return 0; }",
    );
}

#[test]
fn missing_bodies_reach_neighbours() {
    candidate(
        "neighbours",
        "struct r { int a, b; }; void put(int *); int main(void) { struct r r = {1, 2}; put(&r.a); if (r.b != 2) reach_error(); return 0; }",
    );
}

#[test]
fn what_missing_bodies_leave_alone() {
    proved(
        "reads_only",
        "void put(const int *); int main(void) { int n = 1; put(&n); if (n != 1) reach_error(); return 0; }",
    );
    proved(
        "pointers_stay",
        "struct r { int n; const int *p; }; void put(struct r *); int x;\n\
         int main(void) { struct r r = {0, &x}; put(&r); if (r.p != &x) reach_error(); return 0; }",
    );
    let folder = Folder::new("nothing_invalid");
    let file = folder
        .file("x.c", "void put(char *, int *, int *); int a[2]; int main(void) { put(\"text\", 0, a + 2); return 0; }");
    assert_eq!(says(&["--property", "valid-memsafety"], &file), "true");
}

#[test]
fn a_run_without_effects_is_a_plain_run() {
    violated(
        "plain_beside",
        "void put(int *); int any(void); int main(void) { int n = 0; put(&n); if (any() == 321) reach_error(); return 0; }",
    );
}

#[test]
fn the_ledger_says_what_missing_bodies_do() {
    let folder = Folder::new("missing_ledger");
    let file = folder.file("x.c", "void put(int *); int main(void) { int n; put(&n); return 0; }");
    let text = |options: &[&str]| stdout(&heddle(&[&["check"], options, &[&file]].concat()));
    assert!(text(&[]).contains("assumed [over] put: has no body"), "{}", text(&[]));
    let pure = text(&["--missing", "pure"]);
    assert!(pure.contains("assumed [convention] put: has no body") && pure.contains("--missing pure"), "{pure}");
}

/// The answer is not `true`, whatever engine is asked, and this by default.
#[track_caller]
fn open(name: &str, text: &str, answer: &str) {
    let folder = Folder::new(name);
    let file = folder.file("x.c", format!("{PROLOGUE}{text}"));
    assert_eq!(says(&[], &file), answer, "{text}");
    not_proved(&file, text);
}

#[test]
fn errors_are_told() {
    let text = "#include <errno.h>\n#include <stdio.h>\n\
                int main(void) { errno = 0; FILE *f = fopen(\"a\", \"r\"); if (!f && errno == 2) reach_error(); return 0; }";
    violated("errno_fopen", text);
    let text = "#include <errno.h>\nint work(int);\nint main(void) { errno = 0; work(1); if (errno) reach_error(); return 0; }";
    candidate("errno_missing", text);
    proved(
        "noreturn_missing",
        "_Noreturn void stop(int);\nint main(int n, char **v) { if (n > 1) stop(n); if (n > 1) reach_error(); return 0; }",
    );
}

#[test]
fn models_allow_what_c_allows() {
    let imprecise = "unknown(imprecise model)";
    violated(
        "order_of_strings",
        "#include <string.h>\nint main(int n, char **v) { if (n > 1 && strcmp(v[1], \"m\") < -1) reach_error(); return 0; }",
    );
    open(
        "daylight",
        "#include <time.h>\nint main(void) { tzset(); if (daylight == 7) reach_error(); return 0; }",
        imprecise,
    );
    open(
        "stream_state",
        "#include <stdio.h>\nint main(void) { FILE *f = fopen(\"a\", \"r\"); if (f && ferror(f)) reach_error(); return 0; }",
        imprecise,
    );
    open(
        "text_of_error",
        "#define _GNU_SOURCE\n#include <string.h>\nint main(void) { char b[9] = \"\"; strerror_r(1, b, 9); if (b[0]) reach_error(); return 0; }",
        imprecise,
    );
    open(
        "date",
        "#include <time.h>\nint main(void) { struct tm d = {0}; d.tm_sec = 70; mktime(&d); if (d.tm_sec == 10) reach_error(); return 0; }",
        imprecise,
    );
}

#[test]
fn what_leads_to_memory_that_is_not_told_is_not_understood() {
    open(
        "pointer_from_text",
        "#include <stdio.h>\nint n;\nint main(void) { char b[32]; int *p = &n; sprintf(b, \"%p\", (void *)p); p = 0;\n\
         sscanf(b, \"%p\", (void **)&p); *p = 1; if (n) reach_error(); return 0; }",
        "unknown(not understood: scanf of a pointer)",
    );
    open(
        "buffer",
        "#include <stdio.h>\nchar b[64];\nint main(void) { setvbuf(stdout, b, _IOFBF, 64); puts(\"a\"); if (b[0]) reach_error(); return 0; }",
        "unknown(not understood: a stream with a buffer of the program)",
    );
    open(
        "memory_stream",
        "#include <stdio.h>\nint main(void) { char b[4] = \"\"; FILE *f = fmemopen(b, 4, \"w\"); if (f) { fputs(\"a\", f); fclose(f); }\n\
         if (b[0] == 'a') reach_error(); return 0; }",
        "unknown(left out: fmemopen)",
    );
}
