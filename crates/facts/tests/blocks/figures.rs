//! The paper's example, and two programs that its rule gets wrong.

use base::Budget;
use facts::Movers;
use facts::blocks::{Blocks, Circumstances, Mover, edge_kind};
use program::{Function, FunctionId, Location, MutexOp, Op, Program, ThreadOp};
use semantics::Machine;

use crate::explore::{Scheduler, Space, explore};
use crate::observed::Observed;

const DECLARATIONS: &str = "
typedef union { char size[40]; long align; } pthread_mutex_t;
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void reach_error(void);
pthread_mutex_t mx, my;
int x = 2, y = 2;
";

const OTHER_THREADS: &str = "
void *thread2(void *arg) {
    pthread_mutex_lock(&mx);
    x = x + 2;
    pthread_mutex_unlock(&mx);
    return 0;
}
void *thread3(void *arg) {
    pthread_mutex_lock(&my);
    y = y + 2;
    pthread_mutex_unlock(&my);
    return 0;
}
int main(void) {
    pthread_t a, b, c;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread2, 0);
    pthread_create(&c, 0, thread3, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    pthread_join(c, 0);
    if (x == 11) reach_error();
    return 0;
}
";

/// A program with all its states and its blocks.
struct Reduced {
    program: Program,
    contended: Vec<(FunctionId, program::EdgeId)>,
    blocks: Blocks,
    /// The same by the facts.
    movers: Movers,
    known: Blocks,
    full: Space,
    reduced: Space,
    reduced_by_facts: Space,
}

fn reduced(text: &str) -> Reduced {
    let program = testing::program(&format!("{DECLARATIONS}{text}"));
    let machine = Machine::new(&program);
    let full = explore(&machine, &[0, 1], 100_000, Scheduler::Free).expect("few states");
    let observed = Observed::new(&machine, &full.states);
    let blocks = Blocks::of(&program, &observed);
    let reduced = explore(&machine, &[0, 1], 100_000, Scheduler::Outside(&blocks)).expect("few states");
    let movers = facts::analyze(&program, &Budget::unlimited()).expect("it is understood").movers(&program);
    let known = movers.blocks(&program);
    let reduced_by_facts = explore(&machine, &[0, 1], 100_000, Scheduler::Outside(&known)).expect("few states");
    assert_eq!(full.steps, reduced_by_facts.steps);
    assert_eq!(full.mistakes, reduced_by_facts.mistakes);
    let all = program.functions.iter_enumerated().flat_map(|(id, f)| f.edges.ids().map(move |edge| (id, edge)));
    let contended = all.filter(|(id, edge)| observed.is_contended(*id, *edge)).collect();
    Reduced { contended, blocks, movers, known, full, reduced, reduced_by_facts, program }
}

impl Reduced {
    fn function(&self, name: &str) -> (FunctionId, &Function) {
        self.program.functions.iter_enumerated().find(|(_, f)| *f.name == *name).expect("the program has it")
    }

    /// What follows at the locations outside: the operation of their first edge.
    fn outside(&self, name: &str) -> Vec<String> {
        let (id, function) = self.function(name);
        let outside = |blocks: &Blocks| -> Vec<String> {
            let outside = function.locations().filter(|location| !blocks.is_inside(id, *location));
            outside.map(|location| self.describe(function, location)).collect()
        };
        assert_eq!(outside(&self.blocks), outside(&self.known), "{name} by the facts");
        outside(&self.blocks)
    }

    fn describe(&self, function: &Function, location: Location) -> String {
        let line = |span| self.program.sources.place(span).map_or(0, |place| place.line);
        match function.edges_from(location).next() {
            None => "end".into(),
            Some((_, edge)) => {
                let line = line(edge.span) - line(function.span);
                match &edge.op {
                    Op::Thread(op) => match &**op {
                        ThreadOp::Mutex { op: MutexOp::Lock, .. } => format!("{line}: lock"),
                        ThreadOp::Mutex { op: MutexOp::Unlock, .. } => format!("{line}: unlock"),
                        _ => format!("{line}: other"),
                    },
                    Op::Assume(_) => format!("{line}: branch"),
                    _ => format!("{line}: other"),
                }
            }
        }
    }

    fn movers(&self, name: &str) -> Vec<Mover> {
        let (id, function) = self.function(name);
        let kind = |(edge, e): (_, &program::Edge)| edge_kind(&e.op, self.contended.contains(&(id, edge)));
        let movers: Vec<_> = function.edges.iter_enumerated().map(kind).collect();
        let known: Vec<_> = function.edges.ids().map(|edge| self.movers.mover(id, edge)).collect();
        assert_eq!(movers, known, "{name} by the facts");
        movers
    }
}

#[test]
fn the_example_of_the_paper() {
    let thread1 = "void *thread1(void *arg) {
    int a;
    pthread_mutex_lock(&mx);
    a = x;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    a = a + 1;
    pthread_mutex_lock(&my);
    y = y + a;
    pthread_mutex_unlock(&my);
    x = 2 * x + a;
    pthread_mutex_unlock(&mx);
    return 0;
}";
    let found = reduced(&format!("{thread1}{OTHER_THREADS}"));
    // Example 4: only locks are right movers, only releases are left movers, and there are no non-movers.
    for (thread, locks) in [("thread1", 3), ("thread2", 1), ("thread3", 1)] {
        let movers = found.movers(thread);
        let count = |mover| movers.iter().filter(|m| **m == mover).count();
        assert_eq!((count(Mover::Right), count(Mover::Left), count(Mover::Non)), (locks, locks, 0), "{thread}");
    }
    // Example 5: outside are ℓ0, ℓ6 and ℓ11 of the first thread, the first and last location of the others.
    assert_eq!(found.outside("thread1"), ["1: other", "8: lock", "end"]);
    assert_eq!(found.outside("thread2"), ["1: lock", "end"]);
    assert_eq!(found.outside("thread3"), ["1: lock", "end"]);
    assert!(found.full.mistakes.is_empty() && found.reduced.mistakes.is_empty());
    assert_eq!((found.full.states.len(), found.reduced.states.len(), found.reduced.between), (1497, 243, 27));
    assert_eq!((found.reduced_by_facts.states.len(), found.reduced_by_facts.between), (167, 17));
}

/// Example 2: the loop's head is reached before the commit, and behind it again. The paper leaves the blocks as they were.
#[test]
fn a_loop_that_is_entered_again_behind_the_commit() {
    let thread1 = "void *thread1(void *arg) {
    int a;
    pthread_mutex_lock(&mx);
    a = x;
    while (a <= 4) {
        pthread_mutex_lock(&my);
        y = y + a;
        pthread_mutex_unlock(&my);
        a = a + 1;
        pthread_mutex_lock(&my);
        y = y + a;
        pthread_mutex_unlock(&my);
    }
    x = 2 * x + a;
    pthread_mutex_unlock(&mx);
    return 0;
}";
    let found = reduced(&format!("{thread1}{OTHER_THREADS}"));
    assert_eq!(found.outside("thread1"), ["1: other", "4: branch", "9: lock", "end"]);
    assert_eq!(found.full.steps, found.reduced.steps);
    assert_eq!(found.full.mistakes, found.reduced.mistakes);
}

/// The write must be seen though its block never ends.
#[test]
fn a_thread_that_runs_for_ever_behind_its_commit() {
    let found = reduced(
        "void *thread1(void *arg) {
    x = 1;
    while (1);
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread1, 0);
    if (x == 1) reach_error();
    return 0;
}",
    );
    assert_eq!(found.outside("thread1"), ["1: other", "2: other"]);
    assert_eq!(found.reduced.mistakes.len(), 1);
    assert_eq!(found.full.mistakes, found.reduced.mistakes);
}

/// The same by recursion, where no function has a loop. (Here it ends, as the interpreter must.)
#[test]
fn a_thread_that_recurses_behind_its_commit() {
    let found = reduced(
        "void again(int n) { if (n) again(n - 1); }
void *thread1(void *arg) {
    x = 1;
    again(2);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread1, 0);
    if (x == 1) reach_error();
    return 0;
}",
    );
    assert_eq!(found.outside("again"), ["0: branch", "end"]);
    assert_eq!(found.full.steps, found.reduced.steps);
}

/// Where a thread stands behind its commit, but before a step that may end the run, others see it.
#[test]
fn a_step_that_fails_behind_a_commit() {
    let found = reduced(
        "int *p;
void *thread1(void *arg) {
    pthread_mutex_lock(&mx);
    x = 1;
    pthread_mutex_unlock(&mx);
    *p = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, thread1, 0);
    pthread_mutex_lock(&mx);
    if (x == 1) reach_error();
    pthread_mutex_unlock(&mx);
    return 0;
}",
    );
    assert_eq!(found.outside("thread1"), ["1: lock", "4: other", "end"]);
    assert_eq!(found.reduced.mistakes.len(), 4, "{:?}", found.reduced.mistakes);
    assert_eq!(found.full.mistakes, found.reduced.mistakes);
}

/// Two calls of one function, before and behind a commit, do not mix.
#[test]
fn phases_pass_through_calls() {
    let found = reduced(
        "static int twice(int n) { return n + n; }
void *thread1(void *arg) {
    int a = twice(1);
    pthread_mutex_lock(&mx);
    a = twice(a) + x;
    pthread_mutex_unlock(&mx);
    a = twice(a);
    return 0;
}
void *thread2(void *arg) {
    pthread_mutex_lock(&mx);
    x = 3;
    pthread_mutex_unlock(&mx);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread2, 0);
    return 0;
}",
    );
    assert_eq!(found.outside("twice"), ["end"]);
    assert_eq!(found.outside("thread1"), ["1: other", "end"]);
    assert_eq!(found.full.steps, found.reduced.steps);
}

/// A section is one step, whatever it touches; in between, nothing is outside but what must be seen.
#[test]
fn sections_are_inside() {
    let found = reduced(
        "void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
void *thread1(void *arg) {
    __VERIFIER_atomic_begin();
    x = x + 1;
    y = x;
    __VERIFIER_atomic_end();
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, thread1, 0);
    pthread_create(&b, 0, thread1, 0);
    if (x == 3 && y == 3) reach_error();
    return 0;
}",
    );
    assert_eq!(found.outside("thread1"), ["1: other", "end"]);
    assert!(!found.contended.is_empty());
    assert_eq!(found.reduced.mistakes.len(), 1);
    assert_eq!(found.full.steps, found.reduced.steps);
}
