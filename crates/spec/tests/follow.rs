//! What automata say of small programs with one order of steps, or with the one that the first thread that can run makes.

mod support;

use program::{EdgeId, Input, Scalar};
use semantics::{Driver, Effects, Environment, Machine, State, ThreadId, TraceStep};
use spec::{Automaton, How, Known, Monitor, Reached, Said};
use support::{automaton, program};

/// The newest thread that can run makes the next step; inputs count up from one.
struct Newest<'d, 'p> {
    machine: &'d Machine<'p>,
    automaton: &'d Automaton,
    monitor: Option<Monitor<'d, 'p>>,
    input: u128,
    found: Option<Reached>,
}

impl Environment for Newest<'_, '_> {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        self.input += 1;
        self.input
    }

    fn choose(&mut self, _: u32) -> u32 {
        0
    }

    fn print(&mut self, _: &[u8]) {}
}

impl Driver for Newest<'_, '_> {
    fn schedule(&mut self, state: &State, steps: &[(ThreadId, EdgeId)]) -> Option<usize> {
        let monitor = self.monitor.get_or_insert_with(|| Monitor::new(self.machine, self.automaton, state));
        let (thread, edge) = *steps.last()?;
        monitor.before(state, thread, edge);
        Some(steps.len() - 1)
    }

    fn see(&mut self, state: &State, _: &TraceStep, effects: &Effects) -> bool {
        let monitor = self.monitor.as_mut().expect("it has begun");
        monitor.after(state, effects);
        self.found = monitor.reached().cloned();
        self.found.is_none()
    }
}

fn reached(source: &str, text: &str) -> Option<Reached> {
    let program = program(source);
    let automaton = automaton(text, &program).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let machine = Machine::new(&program);
    let mut driver = Newest { machine: &machine, automaton: &automaton, monitor: None, input: 0, found: None };
    machine.run(&mut driver);
    driver.found
}

/// The message of the error that is reached, numbers included.
fn message(source: &str, text: &str) -> Option<String> {
    let said = |said: &Said| match said {
        Said::Text(text) => text.clone(),
        Said::Value(Known::Number(number)) => (*number as i128).to_string(),
        Said::Value(Known::Place(_) | Known::Gone) => "a place".to_owned(),
        Said::Unknown => "?".to_owned(),
    };
    reached(source, text).map(|reached| reached.message.iter().map(said).collect())
}

/// With one state: the error that the first of these transitions leads to.
fn first(source: &str, transitions: &str) -> Option<String> {
    message(source, &format!("automaton a {{ initial state s {{ {transitions} }} }}"))
}

#[track_caller]
fn expect(source: &str, transitions: &str, said: &str) {
    assert_eq!(first(source, transitions).as_deref(), (!said.is_empty()).then_some(said), "{transitions}");
}

#[test]
fn calls_and_returns_of_functions() {
    let source = "int f(int a, char b) { return a - b; } int g; void (*p)(int, char) = (void (*)(int, char))f; \
        struct pair { int x, y; }; struct pair make(int a) { struct pair r = {a, a}; return r; } \
        int total(int n, ...) { return n; }\n\
        int main(void) { f(-3, 4); p(7, 8); g = make(5).x; total(2, 3, 4); return 0; }";
    expect(source, "on call f($a, $b) goto error \"$a $b\";", "-3 4");
    expect(source, "on call f(7, $b) goto error \"$b\";", "8");
    expect(source, "on call f($a, $a) goto error \"\";", "");
    expect(source, "on call f($a, ...) when $a > 0 goto error \"$a\";", "7");
    expect(source, "on call f when g == 1 goto error \"\";", "");
    expect(source, "on return f -> $r goto error \"$r\";", "-7");
    expect(source, "on return f -> -1 goto error \"minus one\";", "minus one");
    expect(source, "on call make($a) goto error \"$a\";", "5");
    expect(source, "on call total($n) goto error \"$n\";", "2");
}

#[test]
fn functions_without_a_body() {
    let source = "int given(int a, char *b); void nothing(void); int twice(); \
        int main(void) { nothing(); twice(1, 2); return given(4, 0); }";
    expect(source, "on call given($a, null) goto error \"$a\";", "4");
    expect(source, "on call nothing goto error \"called\";", "called");
    // Inputs are numbered; some decide what missing code does.
    expect(source, "on return given -> $r goto error \"$r\";", "5");
    expect(source, "on return twice -> $r goto error \"$r\";", "2");
    expect(source, "on call given(_, $b) when $b != 0 goto error \"\";", "");
}

#[test]
fn library_functions_by_their_names() {
    let source = "pthread_mutex_t m; int s; char *text = \"abc\"; int main(void) { pthread_mutex_lock(&m); \
        pthread_spin_lock(&s); pthread_spin_unlock(&s); pthread_mutex_unlock(&m); \
        if (pthread_mutex_trylock(&m)) return 1; void *p = malloc(8), *q = realloc(p, 16); free(q); \
        printf(text, 5); if (strlen(text) != 3) return 1; int n = __VERIFIER_nondet_int(); if (n) exit(n); abort(); }";
    expect(source, "on call pthread_mutex_lock($m) when $m == &m goto error \"m\";", "m");
    expect(source, "on call pthread_mutex_lock($m) when $m == &s goto error \"s\";", "");
    expect(source, "on call pthread_spin_lock(&s) goto error \"s\";", "s");
    expect(source, "on call pthread_spin_lock(&m) goto error \"m\";", "");
    expect(source, "on return pthread_mutex_trylock -> 0 goto error \"got it\";", "got it");
    expect(source, "on return pthread_mutex_lock -> 0 goto error \"nobody looks\";", "nobody looks");
    expect(source, "on call malloc($n) goto error \"$n\";", "8");
    expect(source, "on return malloc -> $p when $p != null goto error \"$p\";", "a place");
    expect(source, "on call realloc($p, 16) goto error \"$p\";", "a place");
    expect(source, "on call free($p) goto error \"$p\";", "a place");
    expect(source, "on call printf(_, 5) goto error \"five\";", "five");
    expect(source, "on call strlen($s) goto error \"$s\";", "a place");
    expect(source, "on return strlen -> $n goto error \"$n\";", "3");
    expect(source, "on return __VERIFIER_nondet_int -> $n goto error \"$n\";", "1");
    expect(source, "on call exit goto error \"exit\";", "exit");
    expect(source, "on call abort goto error \"abort\";", "");
    expect(source, "on end goto error \"end\";", "end");
}

#[test]
fn accesses_lines_and_conditions() {
    let source = "struct { int a; unsigned b : 3; } s; int x[4]; unsigned big; int *p = &x[2]; char c;\n\
        int main(void) {\n\
        s.a = -1;\n\
        *p = 7;\n\
        s.b = 5; c = s.b;\n\
        big = -1; for (int i = 0; i < 3; i++) x[3] += i;\n\
        return x[0]; }";
    expect(source, "on write s.a goto error \"written\";", "written");
    expect(source, "on write x[2] when s.a == -1 goto error \"through p\";", "through p");
    expect(source, "on write x[1] goto error \"\";", "");
    expect(source, "on write x goto error \"some\";", "some");
    expect(source, "on read x[0] when x[2] == 7 && x[3] == 3 goto error \"last\";", "last");
    expect(source, "when s.b == 5 goto error \"bits\";", "bits");
    expect(source, "when big > 0 goto error \"unsigned\";", "unsigned");
    expect(source, "when big < 0 || s.a > 0 goto error \"\";", "");
    expect(source, "when !(x[2] < 7) goto error \"negated\";", "negated");
    expect(source, "when p == &x[2] goto error \"at once\";", "at once");
    expect(source, "when p + 4 == &x[3] && s.a + 1 - 2 == -2 goto error \"sums\";", "sums");
    expect(source, "on at line 5 goto error \"line\";", "line");
    expect(source, "on at \"test.c\":5 when x[2] == 7 goto error \"\";", "");
    expect(source, "on at line 6 when x[2] == 7 goto error \"behind\";", "behind");
}

#[test]
fn a_line_is_entered_once_for_each_time_control_comes_to_it() {
    let source = "int x, y;\nint main(void) {\n for (int i = 0; i < 3; i++)\n  x = x + y + 1;\n return x; }";
    let counts = |n: usize| {
        let states: String = (1..n).map(|i| format!("state s{i} {{ on at line 5 goto s{}; }} ", i + 1)).collect();
        format!(
            "automaton a {{ initial state s0 {{ on at line 5 goto s1; }} {states} \
             state s{n} {{ on at line 6 goto error \"{n}\"; }} }}"
        )
    };
    assert_eq!(message(source, &counts(3)).as_deref(), Some("3"));
    assert_eq!(message(source, &counts(4)), None);
}

#[test]
fn instances_are_made_for_each_value_and_thread() {
    let discipline = "automaton d for each thread, $m { \
        initial state free { on call pthread_mutex_lock($m) goto held; \
            on call pthread_mutex_unlock($m) goto error \"not held\"; } \
        state held { on call pthread_mutex_unlock($m) goto free; \
            on call pthread_mutex_lock($m) goto error \"twice\"; } }";
    let main = |body: &str| format!("pthread_mutex_t a, b; int main(void) {{ {body} return 0; }}");
    let lock = |name: &str| format!("pthread_mutex_lock(&{name});");
    let unlock = |name: &str| format!("pthread_mutex_unlock(&{name});");
    let nested = [lock("a"), lock("b"), unlock("a"), lock("a"), unlock("b"), unlock("a")].concat();
    assert_eq!(message(&main(&nested), discipline), None);
    assert_eq!(message(&main(&[lock("a"), unlock("b")].concat()), discipline).as_deref(), Some("not held"));
    let twice = reached(&main(&[lock("a"), lock("a")].concat()), discipline).expect("an error");
    assert_eq!(twice.how, How::Waits, "the call that waits for ever is the error");
    let threads = "pthread_mutex_t a; void *f(void *p) { pthread_mutex_unlock(&a); return p; } int main(void) { \
        pthread_t t; pthread_mutex_lock(&a); pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }";
    let other = reached(threads, discipline).expect("an error");
    assert_eq!(other.thread, ThreadId(1));
    assert_eq!(
        message(threads, &discipline.replace("thread, ", "")),
        None,
        "the mutex alone does not tell threads apart"
    );
}

#[test]
fn deadlocks_are_events() {
    let text = "automaton a { initial state s { on deadlock when x == 1 goto error \"stuck\"; } }";
    let source = |x: i32| {
        format!(
            "int x; pthread_mutex_t m; int main(void) {{ x = {x}; pthread_mutex_lock(&m); pthread_mutex_lock(&m); }}"
        )
    };
    let stuck = reached(&source(1), text).expect("an error");
    assert_eq!(stuck.how, How::Deadlock);
    assert_eq!(message(&source(2), text), None);
}
