//! Facts in words: `heddle dump facts`, as a text and beside the source, and what `heddle check --engine static` makes of them.
//!
//! Where the analysis comes to know more, look at what changed and run with `INSTA_UPDATE=always`.

mod support;

use support::{Folder, example, heddle, stderr, stdout};

const EXAMPLES: &[&str] = &[
    "bounded_buffer",
    "counter_locked",
    "counter_racy",
    "double_checked_init",
    "peterson",
    "philosophers",
    "two_locks",
    "use_after_free",
];

/// What is printed; only the name is left of the file's path.
fn printed(arguments: &[&str], file: &str) -> String {
    let output = heddle(&[arguments, &[file]].concat());
    assert!(output.status.code().is_some_and(|code| code < 3), "{}", stderr(&output));
    let folder = &file[..file.rfind('/').map_or(0, |slash| slash + 1)];
    stdout(&output).replace(folder, "")
}

/// How many nodes there are is no matter of words.
fn facts(file: &str) -> String {
    let text = printed(&["dump", "facts"], file);
    text.lines().filter(|line| !line.starts_with("  nodes: ")).map(|line| format!("{line}\n")).collect()
}

fn listing(file: &str) -> String {
    printed(&["dump", "facts", "--listing"], file)
}

fn checked(file: &str) -> String {
    printed(&["check", "--engine=static", "--property=no-data-race"], file)
}

#[test]
fn facts_about_the_examples() {
    for name in EXAMPLES {
        insta::assert_snapshot!(format!("facts_{name}"), facts(&example(name)));
    }
}

#[test]
fn facts_beside_the_examples() {
    for name in ["bounded_buffer", "counter_racy", "peterson", "two_locks"] {
        insta::assert_snapshot!(format!("listing_{name}"), listing(&example(name)));
    }
}

#[test]
fn what_the_static_engine_says_of_the_examples() {
    for name in EXAMPLES {
        insta::assert_snapshot!(format!("check_{name}"), checked(&example(name)));
    }
}

/// The same facts, whoever asks and how often.
#[test]
fn same_program_same_text() {
    let file = example("double_checked_init");
    assert_eq!(facts(&file), facts(&file));
    assert_eq!(listing(&file), listing(&file));
}

const LOCKS: &str = r#"#include <pthread.h>
struct node { pthread_mutex_t lock; int value; struct node *next; };
struct node table[8];
int total, hits, limit = 10;
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void bump(struct node *n)
{
    pthread_mutex_lock(&n->lock);
    n->value++;
    pthread_mutex_unlock(&n->lock);
}
void *work(void *arg)
{
    bump(&table[(long)arg & 7]);
    pthread_mutex_lock(&a);
    total += limit;
    pthread_mutex_unlock(&a);
    pthread_rwlock_rdlock(&rw);
    hits++;
    pthread_rwlock_unlock(&rw);
    return 0;
}
void *other(void *arg)
{
    pthread_mutex_lock(&b);
    total++;
    pthread_mutex_unlock(&b);
    return arg;
}
int main(void)
{
    pthread_t t, o;
    for (long i = 0; i < 8; i++)
        pthread_create(&t, 0, work, (void *)i);
    pthread_create(&o, 0, other, 0);
    pthread_join(o, 0);
    return 0;
}
"#;

#[test]
fn locks_have_the_names_that_c_gives_them() {
    let folder = Folder::new("facts_locks");
    let file = folder.file("x.c", LOCKS);
    let text = facts(&file);
    for line in [
        "  table[…].lock (mutex): taken in line 9; protects table\n",
        "  a (mutex): taken in line 16; protects some accesses to total\n",
        "    protected: line 10: table[…].value read and written by work holding n->lock\n",
        "  limit: only read once threads run\n",
        "  limit: 10\n",
    ] {
        assert!(text.contains(line), "{text} lacks {line}");
    }
    let beside = listing(&file);
    for line in [
        "10      n->value++;                                 table[…].value: protected by n->lock (work beside work)\n",
        "35          pthread_create(&t, 0, work, (void *)i);  starts work, several at once\n",
    ] {
        let squeezed = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(squeezed(&beside).contains(&squeezed(line)), "{beside} lacks {line}");
    }
}

#[test]
fn locks_that_do_not_help_are_told() {
    let folder = Folder::new("facts_useless");
    let expected = "\
no-data-race: unknown
  static: 2 pairs of accesses may race (below)
  next: look for a violation with --engine random

  1. total
     x.c:17  total += limit;
         work writes total, holding a
     x.c:27  total++;
         other writes total, holding b
     may run together: main creates both, and other (line 36) while work (line 35) may still run: it
       is never joined. They hold different locks: a and b

  2. hits
     x.c:20  hits++;
         work writes hits, holding rw (for reading)
     x.c:20  hits++;
         work writes hits, holding rw (for reading)
     may run together: several threads run work at once: it is created in a loop (line 35), and
       never joined. Both hold rw only for reading

assumed [convention] pthread_create: always succeeds (x.c:35, 2 times)

VERDICT: unknown(possible data race)
";
    assert_eq!(checked(&folder.file("x.c", LOCKS)), expected);
}

#[test]
fn a_lock_that_others_open_is_told() {
    let folder = Folder::new("facts_opened");
    let text = r"#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *f(void *arg)
{
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, f, 0);
    pthread_mutex_unlock(&m);
    pthread_mutex_lock(&m);
    x++;
    pthread_mutex_unlock(&m);
    return 0;
}
";
    let file = folder.file("x.c", text);
    let checked = checked(&file);
    let why = "
     may run together: f is created in line 14 and may still run in line 17: it is never joined. m
       does not protect them: a thread that does not hold it may open it (line 15)
";
    assert!(checked.contains(why), "{checked}");
    assert!(facts(&file).contains("may be opened by who does not hold it (line 15)"), "{}", facts(&file));
}

#[test]
fn what_a_model_touches_is_told_where_it_is_called() {
    let folder = Folder::new("facts_model");
    let text = r"#include <pthread.h>
#include <stdlib.h>
#include <string.h>
char text[16];
void *writer(void *arg)
{
    memset(text, 0, 16);
    return arg;
}
void *starter(void *arg)
{
    pthread_t t;
    pthread_create(&t, 0, writer, 0);
    return arg;
}
int main(void)
{
    pthread_t t;
    pthread_create(&t, 0, starter, 0);
    pthread_join(t, 0);
    return text[3];
}
";
    let file = folder.file("x.c", text);
    let expected = "
  1. text[…] and text[3]
     x.c:7  memset(text, 0, 16);
         writer writes text[…], holding no lock
     x.c:21  return text[3];
         main reads text[3], holding no lock
     may run together: writer is created in line 13 by starter (line 19) and may still run in line
       21: it is never joined
";
    let checked = checked(&file);
    assert!(checked.contains(expected), "{checked}");
}

#[test]
fn lines_of_several_files_are_told_with_the_file() {
    let folder = Folder::new("facts_files");
    let other = folder.file("other.c", "extern int x;\nvoid *f(void *arg)\n{\n    x++;\n    return arg;\n}\n");
    let text = "#include <pthread.h>\nint x;\nvoid *f(void *);\nint main(void)\n{\n    pthread_t t;\n    \
        pthread_create(&t, 0, f, 0);\n    return x;\n}\n";
    let main = folder.file("main.c", text);
    let output = heddle(&["dump", "facts", &main, &other]);
    let text = stdout(&output).replace(&folder.path(""), "");
    assert!(text.contains("f: created in main.c:7 by main, once; argument null; never joined"), "{text}");
    assert!(text.contains("contended: main.c:8: read by main\n"), "{text}");
    assert!(text.contains("contended: other.c:4: read and written by f\n"), "{text}");
}

#[test]
fn of_one_thread_the_values_in_the_end_are_told() {
    let folder = Folder::new("facts_alone");
    let file =
        folder.file("x.c", "int x, y = 3, *p;\nint main(void)\n{\n    x = y + 4;\n    p = &x;\n    return 0;\n}\n");
    let expected = "\
threads
  main

values of globals when main returns
  x: 7
  y: 3
  p: &x

movers (Right, Left, Both, Non); | where threads may be switched
  <start>: |0 B |1 N 2
  main: 0 BBBBB 5

counts
  call strings: 2 of 2 functions
  abstract threads: 1
  objects: 5, 0 of them shared
  accesses: 3 local, 0 read-only, 0 protected, 0 apart, 0 atomic, 0 contended
";
    assert_eq!(facts(&file), expected);
}
