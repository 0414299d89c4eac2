//! Undefined behaviour never makes a proof, whatever engine finds it, and nothing that is defined is kept from being proved.

mod support;

use support::{Folder, heddle, stderr, stdout};

/// All that prove.
const ENGINES: [&str; 7] = ["auto", "static", "value", "interval", "bdd", "value+bdd", "interval+bdd"];

struct Case {
    name: &'static str,
    property: &'static str,
    text: &'static str,
    /// What `auto` says.
    verdict: &'static str,
}

/// Something goes wrong before the assertion, or the race, is reached.
const UNDEFINED: &[Case] = &[
    Case {
        name: "division",
        property: "unreach-call",
        text: "void reach_error(void); int zero; int main(void) { int x = 7 % zero; reach_error(); return x; }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "shift",
        property: "unreach-call",
        text: "void reach_error(void); int main(void) { int n = 40; int x = 1 << n; reach_error(); return x; }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null",
        property: "unreach-call",
        text: "void reach_error(void); int *p; int main(void) { *p = 1; reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "outside",
        property: "unreach-call",
        text: "void reach_error(void); int a[4], i = 4; int main(void) { a[i] = 1; reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "freed",
        property: "unreach-call",
        text: "#include <stdlib.h>\nvoid reach_error(void);\n\
               int main(void) { int *p = malloc(4); free(p); if (*p == 3) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "goto_nowhere",
        property: "unreach-call",
        text: "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
               int main(void) { void *to[2] = {&&here, 0}; int i = __VERIFIER_nondet_int() & 1; goto *to[i];\n\
               here: if (i) reach_error(); return 0; }",
        verdict: "unknown(not understood: goto",
    },
    Case {
        name: "lock_at_a_number",
        property: "no-data-race",
        text: "#include <pthread.h>\nint x; pthread_mutex_t *m = (pthread_mutex_t *)4096;\n\
               void *work(void *p) { pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return p; }\n\
               int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); work(0); return 0; }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "overlap",
        property: "unreach-call",
        text: "#include <string.h>\nvoid reach_error(void);\n\
               int main(void) { char s[8] = \"abcdefg\"; memcpy(s + 1, s, 4); if (s[2] != 'a') reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "overlap_of_first_bytes",
        property: "unreach-call",
        text: "#include <string.h>\nvoid reach_error(void);\n\
               int main(void) { char s[9] = \"abcdef\"; strncpy(s + 1, s, 4); if (s[2] != 'a') reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "overlap_of_strings",
        property: "unreach-call",
        text: "#include <string.h>\nvoid reach_error(void);\n\
               int main(void) { char s[8] = \"abcdef\"; strcpy(s, s + 1); if (s[0] != 'b') reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "mutex_in_few_bytes",
        property: "no-data-race",
        text: "#include <pthread.h>\nint x; char few[4];\n\
               void *work(void *p) { pthread_mutex_t *m = (pthread_mutex_t *)few;\n\
               pthread_mutex_lock(m); x++; pthread_mutex_unlock(m); return p; }\n\
               int main(void) { pthread_t a; pthread_create(&a, 0, work, 0); work(0); return 0; }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "mutex_at_the_end",
        property: "unreach-call",
        text: "#include <pthread.h>\n#include <stdlib.h>\nvoid reach_error(void); int n;\n\
               int main(void) { char *p = malloc(sizeof(pthread_mutex_t) + 7); if (!p) return 1;\n\
               pthread_mutex_init((pthread_mutex_t *)(p + 8), 0); if (n) reach_error(); free(p); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "semaphore_in_a_byte",
        property: "unreach-call",
        text: "#include <semaphore.h>\nvoid reach_error(void); char c; int n;\n\
               int main(void) { sem_init((sem_t *)&c, 0, 1); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "overlap_up_to_a_byte",
        property: "unreach-call",
        text: "#include <string.h>\nvoid reach_error(void);\n\
               int main(void) { char s[8] = \"abcdef\"; memccpy(s + 1, s, 'z', 5); if (s[5] != 'a') reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "closed_and_read",
        property: "unreach-call",
        text: "#include <stdio.h>\nvoid reach_error(void); int n;\n\
               int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 1; fclose(f); n = getc(f); if (n > 255) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "closed_by_another",
        property: "unreach-call",
        text: "#include <pthread.h>\n#include <stdio.h>\nvoid reach_error(void); FILE *f; int n;\n\
               void *work(void *p) { fclose(f); return p; }\n\
               int main(void) { pthread_t t; f = fopen(\"a\", \"w\"); if (!f) return 1; pthread_create(&t, 0, work, 0);\n\
               fputs(\"a\", f); pthread_join(t, 0); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "in_thread",
        property: "unreach-call",
        text: "#include <pthread.h>\nvoid reach_error(void); int d;\n\
               void *work(void *p) { int x = 1 / d; reach_error(); return p; }\n\
               int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "races_behind_freed",
        property: "no-data-race",
        text: "#include <pthread.h>\n#include <stdlib.h>\nstatic int *cell;\n\
               void *work(void *p) { *cell = 1; return p; }\n\
               int main(void) { pthread_t a, b; cell = malloc(4); free(cell);\n\
               pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0); return 0; }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "joined_twice",
        property: "unreach-call",
        text: "#include <pthread.h>\nvoid reach_error(void);\nvoid *work(void *p) { return p; }\n\
               int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_join(t, 0); pthread_join(t, 0);\n\
               reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_stream",
        property: "unreach-call",
        text: "#include <stdio.h>\nvoid reach_error(void);\n\
               int main(void) { int c = getc(fopen(\"a\", \"r\")); if (c > 255) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_stream_in_thread",
        property: "unreach-call",
        text: "#include <pthread.h>\n#include <stdio.h>\nvoid reach_error(void); FILE *out; int n;\n\
               void *work(void *p) { fprintf(out, \"%d\", n); return p; }\n\
               int main(void) { pthread_t t; out = fopen(\"a\", \"w\"); pthread_create(&t, 0, work, 0);\n\
               pthread_join(t, 0); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "closed_twice",
        property: "unreach-call",
        text: "#include <stdio.h>\nvoid reach_error(void); int n;\n\
               int main(void) { FILE *f = fopen(\"a\", \"r\"); if (!f) return 1; fclose(f); fclose(f); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_variable",
        property: "unreach-call",
        text: "#include <stdlib.h>\nvoid reach_error(void); int n;\n\
               int main(void) { n = *getenv(\"HOME\") == 'a'; if (n > 1) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_time",
        property: "unreach-call",
        text: "#include <time.h>\nvoid reach_error(void); int n; struct timespec *now;\n\
               int main(void) { clock_gettime(CLOCK_MONOTONIC, now); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_pause",
        property: "unreach-call",
        text: "#include <time.h>\nvoid reach_error(void); int n; struct timespec *pause;\n\
               int main(void) { nanosleep(pause, 0); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "null_limit",
        property: "unreach-call",
        text: "#include <pthread.h>\nvoid reach_error(void); int n; struct timespec *limit;\n\
               pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;\n\
               int main(void) { pthread_rwlock_wrlock(&lock); pthread_rwlock_timedwrlock(&lock, limit);\n\
               if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "freed_name",
        property: "unreach-call",
        text: "#include <stdio.h>\n#include <stdlib.h>\nvoid reach_error(void); int n;\n\
               int main(void) { char *name = calloc(4, 1); free(name); rename(\"a\", name); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "name_without_end",
        property: "unreach-call",
        text: "#include <stdlib.h>\nvoid reach_error(void); int n; char name[3] = {'a', 'b', 'c'};\n\
               int main(void) { unsetenv(name); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "unreachable",
        property: "unreach-call",
        text: "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
               int main(void) { int n = __VERIFIER_nondet_int(); if (n > 7) __builtin_unreachable();\n\
               if (n > 7) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
    Case {
        name: "returns",
        property: "unreach-call",
        text: "void reach_error(void); int n; __attribute__((noreturn)) void stop(int code) { n = code; }\n\
               int main(void) { stop(0); if (n) reach_error(); }",
        verdict: "unknown(undefined behaviour at",
    },
];

/// A run violates the property by memory that an indeterminate pointer leads to.
const VIOLATED: &[Case] = &[
    Case {
        name: "uninitialised",
        property: "unreach-call",
        text: "void reach_error(void); int main(void) { int *p; *p = 3; if (*p == 3) reach_error(); }",
        verdict: "false(unreach-call)",
    },
    Case {
        name: "member",
        property: "unreach-call",
        text: "#include <stdlib.h>\nvoid reach_error(void); struct s { struct s *next; int on; };\n\
               int main(void) { struct s *s = malloc(sizeof *s); if (s->next->on == 5) reach_error(); }",
        verdict: "false(unreach-call)",
    },
    Case {
        name: "alias",
        property: "unreach-call",
        text: "void reach_error(void); void *__VERIFIER_nondet_pointer(void); int x;\n\
               int main(void) { int *p = __VERIFIER_nondet_pointer(), *q = p;\n\
               if (q == &x) { *p = 1; if (x == 1) reach_error(); } }",
        verdict: "false(unreach-call)",
    },
    Case {
        name: "null_or_not",
        property: "unreach-call",
        text: "void reach_error(void); void *__VERIFIER_nondet_pointer(void);\n\
               int main(void) { if (__VERIFIER_nondet_pointer() == 0) reach_error(); }",
        verdict: "false(unreach-call)",
    },
    Case {
        name: "race",
        property: "no-data-race",
        text: "#include <pthread.h>\nvoid *work(void *p) { *(int *)p = 1; return 0; }\n\
               int main(void) { int *p; pthread_t a, b; pthread_create(&a, 0, work, p); pthread_create(&b, 0, work, p);\n\
               pthread_join(a, 0); pthread_join(b, 0); }",
        verdict: "false(no-data-race)",
    },
];

/// Defined, or by convention so.
const PROVED: &[Case] = &[
    Case {
        name: "guarded_division",
        property: "unreach-call",
        text: "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
               int main(void) { int d = __VERIFIER_nondet_int(); if (d != 0 && d != -1 && 0 / d != 0) reach_error(); }",
        verdict: "true",
    },
    Case {
        name: "guarded_pointer",
        property: "unreach-call",
        text: "void reach_error(void); void *__VERIFIER_nondet_pointer(void);\n\
               int main(void) { int *p = __VERIFIER_nondet_pointer(); if (p) { *p = 2; if (*p != 2) reach_error(); } }",
        verdict: "true",
    },
    Case {
        name: "guarded_stream",
        property: "unreach-call",
        text: "#include <stdio.h>\nvoid reach_error(void); int n;\n\
               int main(void) { FILE *f = fopen(\"a\", \"r\"), *g = fopen(\"b\", \"r\");\n\
               if (f && g && f == g) reach_error(); if (f) { n = fgetc(f) > 255; fclose(f); } if (n) reach_error(); }",
        verdict: "true",
    },
    Case {
        name: "mutex_with_room",
        property: "no-data-race",
        text: "#include <pthread.h>\n#include <stdlib.h>\nstruct cell { pthread_mutex_t lock; int n; };\n\
               void *work(void *p) { struct cell *c = p; pthread_mutex_lock(&c->lock); c->n++; pthread_mutex_unlock(&c->lock);\n\
               return 0; }\n\
               int main(void) { struct cell *c = malloc(sizeof *c); if (!c) return 1; c->n = 0; pthread_t t;\n\
               pthread_mutex_init(&c->lock, 0); pthread_create(&t, 0, work, c); work(c); pthread_join(t, 0); free(c); }",
        verdict: "true",
    },
    Case {
        name: "stream_closed_at_last",
        property: "unreach-call",
        text: "#include <pthread.h>\n#include <stdio.h>\nvoid reach_error(void); int n;\n\
               void *work(void *p) { fputs(\"a\", p); return 0; }\n\
               int main(void) { FILE *f = fopen(\"a\", \"w\"); if (!f) return 1; pthread_t t; pthread_create(&t, 0, work, f);\n\
               work(f); pthread_join(t, 0); fclose(f); if (n) reach_error(); }",
        verdict: "true",
    },
    Case {
        name: "standard_streams",
        property: "unreach-call",
        text: "#include <stdio.h>\nvoid reach_error(void); int n;\n\
               int main(void) { fprintf(stderr, \"%d\", n); fputs(\"b\", stdout); if (n) reach_error(); }",
        verdict: "true",
    },
    Case {
        name: "streams_are_no_race",
        property: "no-data-race",
        text: "#include <pthread.h>\n#include <stdio.h>\n\
               void *work(void *p) { fputs(\"a\", stdout); fflush(stdout); return p; }\n\
               int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); work(0); pthread_join(t, 0); }",
        verdict: "true",
    },
    Case {
        name: "limit_that_is_not_read",
        property: "unreach-call",
        text: "#include <pthread.h>\nvoid reach_error(void); struct timespec *limit;\n\
               pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;\n\
               int main(void) { if (pthread_mutex_timedlock(&lock, limit)) reach_error(); }",
        verdict: "true",
    },
    Case {
        name: "never_unreachable",
        property: "unreach-call",
        text: "void reach_error(void); int __VERIFIER_nondet_int(void);\n\
               __attribute__((noreturn)) void stop(void) { for (;;) ; }\n\
               int main(void) { int n = __VERIFIER_nondet_int() & 3; if (n > 3) __builtin_unreachable();\n\
               if (n == 2) stop(); if (n == 2) reach_error(); }",
        verdict: "true",
    },
];

fn check(folder: &Folder, case: &Case, more: &[&str]) -> String {
    let file = folder.file(&format!("{}.c", case.name), case.text);
    let arguments = [&["check", "--property", case.property], more, &[file.as_str()]].concat();
    let output = heddle(&arguments);
    assert!(matches!(output.status.code(), Some(0..=2)), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

fn verdict(output: &str) -> &str {
    output.lines().rev().find_map(|line| line.strip_prefix("VERDICT: ")).unwrap_or("none")
}

#[test]
fn what_is_undefined_is_never_proved() {
    let folder = Folder::new("undefined-never-proved");
    let cases: Vec<&Case> = UNDEFINED.iter().chain(VIOLATED).collect();
    testing::for_each(&cases, |case| ENGINES.iter().for_each(|engine| is_not_proved(&folder, case, engine)));
}

fn is_not_proved(folder: &Folder, case: &Case, engine: &str) {
    let limit = if engine == "static" { &[][..] } else { &["--limit", "states=2000"] };
    for facts in [&[][..], &["--no-static"]] {
        if engine == "static" && !facts.is_empty() {
            continue;
        }
        let output = check(folder, case, &[&["--engine", engine], limit, facts].concat());
        let said = verdict(&output);
        let first = output.lines().next().unwrap_or_default();
        // An engine of its own may not find the run; then it says what it assumes.
        let is_plain = said == "true" && !first.contains("assuming no undefined behaviour");
        assert!(!is_plain, "{} by {engine}: {output}", case.name);
    }
}

#[test]
fn runs_into_undefined_behaviour_are_shown_and_others_go_on() {
    let folder = Folder::new("undefined-shown");
    for case in UNDEFINED.iter().chain(VIOLATED).chain(PROVED) {
        let output = check(&folder, case, &[]);
        assert!(verdict(&output).starts_with(case.verdict), "{}: {output}", case.name);
        if case.verdict.starts_with("unknown(undefined") {
            assert!(output.contains("is undefined behaviour"), "the run is shown: {output}");
        }
        if case.verdict == "true" {
            assert!(!output.contains("assuming"), "{}: {output}", case.name);
        }
    }
}

#[test]
fn undefined_behaviour_can_be_trusted_not_to_happen() {
    let folder = Folder::new("undefined-trusted");
    let output = check(&folder, &UNDEFINED[0], &["--undefined", "trust"]);
    assert_eq!(verdict(&output), "true", "{output}");
    assert!(output.contains("vacuous"), "nothing is left to be checked: {output}");
}

#[test]
fn what_is_not_excluded_is_named_and_strict_wants_no_such_proof() {
    let folder = Folder::new("undefined-named");
    // The index stays inside, which static facts cannot tell, and states are too many.
    let case = Case {
        name: "inside",
        property: "no-data-race",
        text: "int __VERIFIER_nondet_int(void); int a[1000];\n\
               int main(void) { unsigned i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();\n\
               if (i + j < 1000 && i < 100000 && j < 100000) a[i * j % 1000 + (i + j) / 1000] = 1; }",
        verdict: "true",
    };
    let output = check(&folder, &case, &["--engine", "static"]);
    assert_eq!(verdict(&output), "true", "{output}");
    assert!(output.lines().next().is_some_and(|line| line.contains("assuming no undefined behaviour")), "{output}");
    let strict = check(&folder, &case, &["--engine", "static", "--strict"]);
    assert_eq!(verdict(&strict), "unknown(undefined behaviour is not excluded)", "{strict}");
}
