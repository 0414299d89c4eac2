//! Which threads are chosen in small programs, and why.

mod support;

use base::Idx;
use facts::Facts;
use por::{Action, Sleep, View, local_global, source_set};
use program::{FunctionId, MutexOp, Op, Program, ThreadOp};
use semantics::{State, ThreadId};

use support::{First, Manner, PRELUDE, Sites, Watch, facts_of};

/// A program with its facts.
struct Setting {
    program: Program,
    facts: Facts,
}

impl Setting {
    fn new(text: &str) -> Setting {
        let program = testing::program(&format!("{PRELUDE}{text}"));
        let facts = facts_of(&program).expect("it is understood");
        Setting { program, facts }
    }

    fn scene(&self) -> Scene<'_> {
        let watch = Watch::new(&self.program, &self.facts, Manner::Plain);
        let state = watch.machine.initial(&mut First);
        let sites = watch.first_sites(&state);
        Scene { watch, state, sites }
    }
}

/// A state of a run that a test directs.
struct Scene<'p> {
    watch: Watch<'p>,
    state: State,
    sites: Sites,
}

impl Scene<'_> {
    /// True if it could.
    fn try_step(&mut self, thread: ThreadId) -> bool {
        let Some(edge) = self.watch.machine.next(&self.state, thread).edge() else { return false };
        let before = self.state.clone();
        let effects = self.watch.machine.step(&mut self.state, thread, edge, &mut First);
        assert_eq!(effects.ending, None);
        self.watch.follow(&mut self.sites, &before, &self.state, (thread, edge));
        true
    }

    fn step(&mut self, thread: u32) -> &mut Self {
        assert!(self.try_step(ThreadId(thread)), "T{thread} is kept waiting");
        self
    }

    /// Lets a thread run until its next step is such a one, even if it has to wait for it.
    fn run(&mut self, thread: u32, stop: impl Fn(&Op) -> bool) -> &mut Self {
        let thread = ThreadId(thread);
        for _ in 0..1000 {
            let frame = self.state.frame(thread);
            let mut edges = self.watch.machine.function(frame.function).edges_from(frame.location);
            if edges.any(|(_, edge)| stop(&edge.op)) {
                return self;
            }
            assert!(self.try_step(thread), "{thread} does not get there");
        }
        panic!("{thread} does not get there")
    }

    /// Until it stores to memory.
    fn until_store(&mut self, thread: u32) -> &mut Self {
        self.run(thread, |op| matches!(op, Op::Store { .. }))
    }

    fn until_mutex(&mut self, thread: u32, wanted: MutexOp) -> &mut Self {
        self.run(thread, |op| match op {
            Op::Thread(op) => matches!(**op, ThreadOp::Mutex { op, .. } if op == wanted),
            _ => false,
        })
    }

    /// All threads are there.
    fn until_join(&mut self) -> &mut Self {
        self.run(0, |op| matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Join { .. })))
    }

    fn until_begin(&mut self, thread: u32) -> &mut Self {
        self.run(thread, |op| *op == Op::AtomicBegin)
    }

    fn views(&mut self) -> Vec<View> {
        self.watch.views(&self.state, &self.sites)
    }

    fn chosen(&mut self) -> Vec<usize> {
        let views = self.views();
        source_set(&mut self.watch.remaining, &views).to_vec()
    }

    /// Does the next step of one depend on what the other may do?
    fn conflict(&mut self, thread: usize, other: usize) -> bool {
        let views = self.views();
        self.watch.remaining.conflicts(&views[thread].action, views[other].remaining)
    }
}

/// Two threads with these bodies, created by a `main` that joins them.
fn two(globals: &str, first: &str, second: &str) -> Setting {
    Setting::new(&format!(
        "{globals}
        void *f(void *arg) {{ {first} return 0; }}
        void *g(void *arg) {{ {second} return 0; }}
        int main() {{ pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0);
            pthread_join(s, 0); pthread_join(t, 0); return 0; }}"
    ))
}

#[test]
fn different_globals_are_apart() {
    let setting = two("int x, y;", "x = 1;", "y = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert_eq!(scene.chosen().len(), 1);
    assert!(!scene.conflict(1, 2) && !scene.conflict(2, 1));
}

#[test]
fn one_global_needs_both() {
    let setting = two("int x;", "x = 1;", "x = 2;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert_eq!(scene.chosen(), [1, 2]);
    assert!(scene.conflict(1, 2) && scene.conflict(2, 1));
}

#[test]
fn reads_are_apart_and_what_is_done_is_done() {
    let setting = two("int x, y, z;", "y = x; y = 3;", "z = x; x = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    // Both have read x; the second one will write it, the first one will not read it any more.
    assert!(!scene.conflict(1, 2) && !scene.conflict(2, 1));
    let mut scene = setting.scene();
    scene.until_join().run(1, |op| matches!(op, Op::Load { .. })).run(2, |op| matches!(op, Op::Load { .. }));
    assert!(scene.conflict(1, 2), "it is going to be written");
    assert!(!scene.conflict(2, 1), "it is only read");
}

#[test]
fn elements_of_arrays_are_apart() {
    let setting = two("int a[4];", "a[1] = 1;", "a[2] = 1; a[3] = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert_eq!(scene.chosen().len(), 1);
    let setting = two("int a[4];", "a[1] = 1;", "for (int i = 0; i < 4; i++) a[i] = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert!(scene.conflict(1, 2) && !scene.conflict(2, 1), "now it is at the first one");
    assert_eq!(scene.chosen(), [2]);
    scene.step(2).until_store(2);
    assert_eq!(scene.chosen(), [1, 2]);
}

const LOCKED: &str = "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);";

#[test]
fn locking_needs_whoever_locks() {
    let setting = two("int x; pthread_mutex_t m;", LOCKED, LOCKED);
    let mut scene = setting.scene();
    scene.until_join().until_mutex(1, MutexOp::Lock).until_mutex(2, MutexOp::Lock);
    assert_eq!(scene.chosen(), [1, 2]);
    // Who holds it goes on alone: the other one waits for it, and what it guards is not touched meanwhile.
    scene.run(1, |op| matches!(op, Op::Load { .. }));
    assert_eq!(scene.chosen(), [1]);
    let views = scene.views();
    assert!(!scene.watch.remaining.may_enable(&views[2].action, true, views[1].remaining), "that it does so is known");
    assert!(scene.watch.remaining.may_enable(&views[2].action, false, views[1].remaining));
    scene.until_mutex(1, MutexOp::Unlock);
    assert_eq!(scene.chosen(), [1]);
    assert!(!scene.conflict(1, 2));
}

#[test]
fn a_lock_that_others_may_open_does_not_wait_for_its_owner_only() {
    let setting = Setting::new(
        "int x, y; pthread_mutex_t m;
        void *f(void *arg) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
        void *g(void *arg) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
        void *h(void *arg) { y = 1; pthread_mutex_unlock(&m); return 0; }
        int main() { pthread_t s; pthread_create(&s, 0, f, 0); pthread_create(&s, 0, g, 0); pthread_create(&s, 0, h, 0);
            pthread_join(s, 0); return 0; }",
    );
    let mut scene = setting.scene();
    scene.until_join().until_mutex(2, MutexOp::Lock).until_store(1);
    let views = scene.views();
    assert!(!views[2].enabled && views[2].waits_for[..] == [1]);
    assert!(scene.watch.remaining.may_enable(&views[2].action, true, views[3].remaining));
}

#[test]
fn trying_is_at_odds_with_unlocking() {
    let setting = two("int x; pthread_mutex_t m;", LOCKED, "pthread_mutex_trylock(&m);");
    let mut scene = setting.scene();
    scene.until_join().until_mutex(1, MutexOp::Unlock).until_mutex(2, MutexOp::TryLock);
    assert_eq!(scene.chosen(), [1, 2]);
}

#[test]
fn joining_the_same_thread_and_keys_count() {
    let setting = Setting::new(
        "pthread_t s; unsigned key; int pthread_key_create(unsigned *, void (*)(void *)); int pthread_detach(pthread_t);
        int x; void *pthread_getspecific(unsigned);
        void *f(void *arg) { x = 1; return 0; }
        void *g(void *arg) { pthread_join(s, 0); return 0; }
        void *h(void *arg) { x = 2; pthread_getspecific(key); pthread_detach(s); return 0; }
        int main() { pthread_t t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, g, 0); pthread_create(&t, 0, h, 0);
            pthread_key_create(&key, 0); pthread_join(t, 0); return 0; }",
    );
    let is_join = |op: &Op| matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Join { .. }));
    let is_key = |op: &Op| matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::KeyCreate { .. }));
    let mut scene = setting.scene();
    scene.run(0, is_key).run(2, is_join).until_store(3);
    scene.until_store(1);
    while scene.try_step(ThreadId(1)) {}
    assert!(scene.views()[2].enabled);
    assert!(scene.conflict(2, 3), "it detaches the same thread");
    assert!(scene.conflict(0, 3), "it uses a key");
    assert!(!scene.conflict(0, 2));
}

#[test]
fn threads_that_do_not_exist_yet_count() {
    let setting = Setting::new(
        "int x;
        void *f(void *arg) { x = 1; return 0; }
        void *g(void *arg) { x = 2; return 0; }
        void *middle(void *arg) { pthread_t t; pthread_create(&t, 0, g, 0); pthread_join(t, 0); return 0; }
        int main() { pthread_t s, t; pthread_create(&s, 0, f, 0); pthread_create(&t, 0, middle, 0);
            pthread_join(s, 0); return 0; }",
    );
    let is_create = |op: &Op| matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }));
    let mut scene = setting.scene();
    scene.run(0, is_create).step(0).run(0, is_create).until_store(1);
    assert!(scene.conflict(1, 0), "main creates one that creates one that writes");
    scene.until_join();
    assert!(scene.conflict(1, 2) && !scene.conflict(1, 0));
}

#[test]
fn calls_and_where_they_return_to_count() {
    let setting = two(
        "int x, y; void leaf(int n) { x = n; if (n) leaf(n - 1); } void stem() { y = 1; }",
        "x = 1;",
        "y = 0; stem(); leaf(3);",
    );
    let mut scene = setting.scene();
    scene.until_join().until_store(1);
    assert!(scene.conflict(1, 2));
    scene.until_store(2).step(2).until_store(2);
    assert_eq!(scene.state.thread(ThreadId(2)).frames.len(), 2, "it is in stem");
    assert!(scene.conflict(1, 2), "it will be back");
    let setting = two(
        "int x, y; void (*p)(void); void a() { x = 1; } void b() { y = 1; }",
        "x = 1;",
        "p = arg ? b : a; y = 2; p(); y = 3;",
    );
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert!(scene.conflict(1, 2), "a function pointer leads there");
}

#[test]
fn blocks_are_told_apart_by_where_they_are_made() {
    let text = |second: &str| {
        format!(
            "void *f(void *arg) {{ *(int *)arg = 1; return 0; }}
            int main() {{ pthread_t s, t; int *a = malloc(4); int *b = malloc(4);
                pthread_create(&s, 0, f, a); pthread_create(&t, 0, f, {second});
                pthread_join(s, 0); pthread_join(t, 0); free(a); free(b); return 0; }}"
        )
    };
    let setting = Setting::new(
        "void *f(void *arg) { *(int *)arg = 1; return 0; }
        void *g(void *arg) { *(int *)arg = 1; return 0; }
        int main() { pthread_t s, t; int *a = malloc(4); int *b = malloc(4);
            pthread_create(&s, 0, f, a); pthread_create(&t, 0, g, b);
            pthread_join(s, 0); pthread_join(t, 0); free(a); free(b); return 0; }",
    );
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert!(!scene.conflict(1, 2) && !scene.conflict(1, 0), "freed when alone");
    let setting = Setting::new(&text("a"));
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert_eq!(scene.chosen(), [1, 2]);
}

#[test]
fn giving_back_what_others_use() {
    let setting = Setting::new(
        "void *f(void *arg) { *(int *)arg = 1; return 0; }
        int main() { pthread_t s; int *a = malloc(4); int b;
            pthread_create(&s, 0, f, a); pthread_create(&s, 0, f, &b); free(a); return 0; }",
    );
    let mut scene = setting.scene();
    scene.run(0, |op| matches!(op, Op::Free(_))).until_store(1).until_store(2);
    assert!(scene.conflict(0, 1), "a block");
    assert!(scene.conflict(1, 0));
    assert!(scene.conflict(2, 0), "a local that ends with its frame");
    scene.run(0, |op| *op == Op::Return);
    assert!(scene.conflict(0, 2));
}

#[test]
fn sections_act_as_all_that_happens_inside() {
    let inside = "__VERIFIER_atomic_begin(); x = 1; helper(); __VERIFIER_atomic_end(); z = 1;";
    let globals = "int x, y, z; void helper() { y = 1; }";
    let cases = [("x = 2;", true), ("y = 2;", true), ("z = 2;", false), ("int t = z;", false)];
    for (other, expected) in cases {
        let setting = two(globals, inside, other);
        let mut scene = setting.scene();
        scene.until_join().until_begin(1);
        assert!(matches!(scene.views()[1].action, Action::Section(..)));
        assert_eq!(scene.conflict(1, 2), expected, "{other}");
    }
}

#[test]
fn waiting_in_a_section_is_not_understood() {
    let locks = "__VERIFIER_atomic_begin(); helper(); __VERIFIER_atomic_end();";
    let globals = format!("int x, y; pthread_mutex_t m; void helper() {{ {LOCKED} }}");
    let setting = two(&globals, locks, "y = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_begin(1).until_store(2);
    assert_eq!(scene.chosen(), [1, 2]);
    // Nor is a section that goes on behind its function.
    let setting =
        two("int x, y; void open() { __VERIFIER_atomic_begin(); }", "open(); __VERIFIER_atomic_end();", "y = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_begin(1).until_store(2);
    assert_eq!(scene.chosen(), [1, 2]);
}

#[test]
fn the_end_of_the_program_needs_all() {
    let setting = Setting::new(
        "int x;
        void *f(void *arg) { int n = 1; if (n == 2) reach_error(); return 0; }
        int main() { pthread_t s; pthread_create(&s, 0, f, 0); return 0; }",
    );
    let mut scene = setting.scene();
    scene.run(0, |op| matches!(op, Op::End(_)));
    let views = scene.views();
    assert_eq!(views[0].action, Action::Everything);
    assert!(scene.conflict(0, 1), "it may still show an error");
    assert!(!scene.watch.remaining.conflicts(&Action::Local, views[1].remaining));
    let nothing = scene.watch.remaining.of(std::iter::empty());
    assert!(!scene.watch.remaining.conflicts(&Action::Everything, nothing));
}

#[test]
fn futures_are_numbered_once() {
    let setting = two("int x, y;", "x = 1; y = 1;", "int i = y; i++; x = i;");
    let mut scene = setting.scene();
    scene.until_join();
    let views = scene.views();
    assert_eq!(views[1].remaining, scene.views()[1].remaining);
    assert_ne!(views[1].remaining, views[2].remaining);
    let g = setting.program.functions.iter().position(|function| &*function.name == "g").expect("it is there");
    let entry = setting.program.functions[FunctionId::from_usize(g)].entry;
    let again = scene.watch.remaining.of([(FunctionId::from_usize(g), entry)].into_iter());
    assert_eq!(views[2].remaining, again);
}

#[test]
fn the_simple_choice_takes_one_local_step_or_all() {
    assert_eq!(local_global(&[1, 2, 3], |thread| thread != 1)[..], [2]);
    assert_eq!(local_global(&[1, 2], |_| false)[..], [1, 2]);
    assert!(local_global(&[], |_| true).is_empty());
}

#[test]
fn threads_sleep_until_somebody_is_at_odds_with_them() {
    let setting = two("int x, y;", "x = 1;", "y = 1;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    let mut sleep = Sleep::default();
    sleep.insert(1);
    assert_eq!(sleep.after(&scene.views(), &[], 2), sleep);
    assert!(Sleep::default().after(&scene.views(), &[1], 2).contains(1));
    assert!(!sleep.after(&scene.views(), &[2], 1).contains(1), "who moved is awake");
    let setting = two("int x;", "x = 1;", "x = 2;");
    let mut scene = setting.scene();
    scene.until_join().until_store(1).until_store(2);
    assert!(sleep.after(&scene.views(), &[], 2).is_empty());
    sleep.insert(64);
    assert!(!sleep.contains(64) && !sleep.contains(1000));
    assert!(Sleep::default().is_subset(sleep) && !sleep.is_subset(Sleep::default()));
    assert_eq!(sleep.intersection(Sleep::default()), Sleep::default());
}
