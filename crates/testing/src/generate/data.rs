//! Globals and helper functions.

use super::{Feature, Generator, wide};

impl Generator {
    pub fn globals(&mut self) {
        for name in ["x", "y"] {
            let ty = self.one_of(&["int", "int", "int", "int", "unsigned", "char", "short", "long", "volatile int"]);
            let init = self.one_of(&["", "", "", " = 1", " = 2"]);
            self.line(format!("{ty} {name}{init};"));
        }
        let handles = self.threads;
        self.line(format!("pthread_t thread[{handles}];"));
        for feature in self.features.clone() {
            self.globals_of(feature);
        }
        if self.has(Feature::Condition) && !self.has(Feature::Mutex) {
            self.line("pthread_mutex_t m0;");
        }
    }

    fn globals_of(&mut self, feature: Feature) {
        let text: &[&str] = match feature {
            Feature::Mutex => &["pthread_mutex_t m0;", "pthread_mutex_t m1;"],
            Feature::RwLock => &["pthread_rwlock_t rw;"],
            Feature::Condition => &["pthread_cond_t cv;", "int ready;"],
            Feature::Semaphore => &["sem_t sem;"],
            Feature::Barrier => &["pthread_barrier_t bar;"],
            Feature::Once => &["pthread_once_t once;"],
            Feature::Key => &["pthread_key_t key;"],
            Feature::Atomic => &["int n;", "_Atomic int c;"],
            Feature::Heap => &["int *block;"],
            Feature::List => &["struct node { int value; struct node *next; };", "struct node *top;"],
            Feature::Array => &["int a[3];"],
            Feature::Record => {
                &["struct pair { int first; char second; int low : 4; int high : 4; };", "struct pair s;"]
            }
            Feature::Pointer => &["int z;", "int *p = &z;"],
            Feature::ThreadLocal => &["_Thread_local int own;"],
            feature => wide::globals(feature),
        };
        text.iter().for_each(|line| self.line(line));
    }

    pub fn helpers(&mut self) {
        self.locals.clear();
        if self.has(Feature::Helper) {
            self.line("static int larger(int a, int b) { if (a > b) return a; return b; }");
            self.line("static void add(int *to, int by) { *to = *to + by; }");
            self.line("int sum(int k) { if (k <= 0) return 0; return k + sum(k - 1); }");
        }
        if self.has(Feature::Section) {
            let (to, value) = (self.place(), self.value());
            self.line(format!("void __VERIFIER_atomic_change(void) {{ {to} = {value}; x = x + 1; }}"));
        }
        if self.has(Feature::Once) {
            let (to, value) = (self.place(), self.value());
            self.line(format!("void set_up(void) {{ {to} = {value}; }}"));
        }
        if self.has(Feature::Key) || self.has(Feature::Cleanup) {
            let to = self.place();
            let body = match self.random.below(3) {
                0 => "y = y + 1;".to_owned(),
                1 => "*(char *)v = *(char *)v + 1;".to_owned(),
                _ => format!("{to} = 3;"),
            };
            self.line(format!("void finish(void *v) {{ {body} }}"));
        }
        self.wide_helpers();
    }
}
