//! Laws of what facts are made of: joins are upper bounds, orders agree with what is contained, widening ends, and contents see what
//! was written. On samples, the same each time.

use base::{Budget, Idx};
use facts::contents::{Contents, Fill};
use facts::locks::{self, Kind, Lock, LockName, LockPlace, Locks, Mode};
use facts::offsets::Offsets;
use facts::range::Range;
use facts::tables::{Base, Marks, Tables};
use facts::value::{Number, Symbol, Term, Value};
use fastrand::Rng;
use program::{Program, Scalar};

const SAMPLES: usize = 20_000;
/// Far more than any chain of widenings should take.
const LONGEST_CHAIN: usize = 600;

// Offsets.

fn random_offsets(random: &mut Rng) -> Offsets {
    let lo = random.i64(-20..20);
    match random.u8(0..8) {
        0 => Offsets::ALL,
        1 => Offsets::ONWARD,
        2 | 3 => Offsets::constant(lo),
        4 => Offsets::steps(random.i64(0..40), random.u64(1..9)),
        5 => Offsets::ZERO.widen(Offsets::constant(lo)),
        _ => Offsets::between(lo.into(), (lo + random.i64(0..40)).into(), random.u64(1..9)),
    }
}

fn members(offsets: Offsets) -> impl Iterator<Item = i64> {
    (-70..70).chain([-1 << 60, 1 << 59, 1 << 60]).filter(move |offset| offsets.contains(*offset))
}

#[test]
fn offsets_are_ordered_by_what_they_contain() {
    let mut random = Rng::with_seed(1);
    for _ in 0..SAMPLES {
        let (a, b) = (random_offsets(&mut random), random_offsets(&mut random));
        let (join, widened) = (a.join(b), a.widen(b));
        assert!(a.leq(a), "{a:?}");
        for (whole, how) in [(join, "join"), (widened, "widening")] {
            assert!(a.leq(whole) && b.leq(whole), "{how} of {a:?} and {b:?} is {whole:?}");
            assert!(members(a).chain(members(b)).all(|x| whole.contains(x)), "{how} of {a:?} and {b:?} is {whole:?}");
        }
        if a.leq(b) {
            assert!(members(a).all(|x| b.contains(x)), "{a:?} is not in {b:?}");
        }
    }
}

#[test]
fn offsets_are_moved_and_cut_as_their_members() {
    let mut random = Rng::with_seed(2);
    for _ in 0..SAMPLES / 4 {
        let (a, b, last) = (random_offsets(&mut random), random_offsets(&mut random), random.i64(-5..50));
        let (sum, difference) = (a.plus(b), a.minus(b));
        let small = |offsets: Offsets| members(offsets).filter(|x| x.abs() < 70);
        for (x, y) in small(a).flat_map(|x| small(b).map(move |y| (x, y))) {
            assert!(sum.contains(x + y), "{x} + {y} in {a:?} plus {b:?} which is {sum:?}");
            assert!(difference.contains(x - y), "{x} - {y} in {a:?} minus {b:?} which is {difference:?}");
        }
        for x in small(a).filter(|x| (0..=last).contains(x)) {
            assert!(a.within(last).is_some_and(|cut| cut.contains(x)), "{x} of {a:?} within {last}");
        }
    }
}

#[test]
fn offsets_overlap_if_members_do() {
    let mut random = Rng::with_seed(3);
    for _ in 0..SAMPLES / 4 {
        let (a, b) = (random_offsets(&mut random), random_offsets(&mut random));
        let (of_a, of_b) = (random.u64(1..9), random.u64(1..9));
        for (x, y) in members(a).flat_map(|x| members(b).map(move |y| (x, y))) {
            if x < y + of_b as i64 && y < x + of_a as i64 {
                assert!(a.overlaps(of_a, b, of_b), "{a:?} of {of_a} and {b:?} of {of_b}");
                assert!(x == y || !a.coincides(of_a, b, of_b), "{a:?} of {of_a} and {b:?} of {of_b}: {x} {y}");
            }
        }
    }
}

#[test]
fn widening_offsets_ends() {
    let mut random = Rng::with_seed(4);
    for _ in 0..SAMPLES / 10 {
        let mut at = random_offsets(&mut random);
        let changes = (0..200).filter(|_| {
            let next = at.widen(random_offsets(&mut random));
            std::mem::replace(&mut at, next) != next
        });
        assert!(changes.count() < 70);
    }
}

// Values.

fn random_value(random: &mut Rng, bits: u32) -> Value {
    let number = match random.u8(0..6) {
        0 => Number::None,
        1 => Number::Any,
        2 => Number::Range(Range::top(bits)),
        3 => Number::Range(Range::signed(bits, random.i64(-9..0), random.i64(0..9))),
        _ => Number::Range(Range::constant(bits, random.u64(0..9))),
    };
    let mut value = Value::number(number);
    for base in 0..3 {
        if random.u8(0..4) == 0 {
            value = value.join(&Value::pointer(Base(base), random_offsets(random)));
        }
    }
    if random.u8(0..3) == 0 {
        let offset = random.bool().then(|| random.i64(0..2));
        value.term = Some(Term { base: None, coefficient: 1, symbol: Symbol::Variable(random.u32(0..2)), offset });
    }
    value
}

#[test]
fn values_are_ordered() {
    let mut random = Rng::with_seed(5);
    for _ in 0..SAMPLES {
        let [a, b, c] = [0; 3].map(|_| random_value(&mut random, 32));
        let (join, widened) = (a.join(&b), a.widen(&b, &[0, 4]));
        assert!(a.leq(&a), "{a:?}");
        assert!(a.leq(&join) && b.leq(&join), "the join of {a:?} and {b:?} is {join:?}");
        assert!(a.leq(&widened) && b.leq(&widened), "the widening of {a:?} and {b:?} is {widened:?}");
        assert!(!(a.leq(&b) && b.leq(&c)) || a.leq(&c), "{a:?}, {b:?}, {c:?}");
    }
}

#[test]
fn widening_values_ends() {
    let mut random = Rng::with_seed(6);
    for _ in 0..SAMPLES / 40 {
        let mut at = random_value(&mut random, 32);
        let changes = (0..LONGEST_CHAIN).filter(|_| {
            let next = at.widen(&random_value(&mut random, 32), &[0, 4]);
            std::mem::replace(&mut at, next.clone()) != next
        });
        assert!(changes.count() < 200);
    }
}

// Contents.

const SIZE: usize = 16;

/// An object of some bytes beside what is known of it. Each byte is a number or one byte of the address of a base.
#[derive(Clone)]
struct Twin {
    bytes: [Content; SIZE],
    contents: Contents,
}

#[derive(Clone, Copy, PartialEq, Debug)]
enum Content {
    Number(u8),
    /// Which pointer, and which byte of it.
    Part(Base, u8),
}

struct Setting<'p> {
    program: &'p Program,
    tables: Tables,
}

impl Setting<'_> {
    /// Objects that have an image always have it.
    fn new_twin(&self, random: &mut Rng, is_image: bool) -> Twin {
        let mut bytes = [Content::Number(0); SIZE];
        let fill = match random.u8(0..2) {
            _ if is_image => {
                bytes[0] = Content::Number(7);
                let global = |name: &str| {
                    let mut globals = self.program.globals.iter_enumerated();
                    globals.find(|(_, global)| *global.name == *name).expect("it is declared").0
                };
                let to = self.tables.global(global("x"));
                (0..8).for_each(|i| bytes[8 + i as usize] = Content::Part(to, i));
                Fill::Image(global("s"))
            }
            0 => Fill::Zero,
            _ => {
                bytes.fill_with(|| Content::Number(random.u8(..)));
                Fill::Any
            }
        };
        Twin { bytes, contents: Contents::new(fill) }
    }

    /// Writes somewhere, and tells the contents more or less exactly where and what.
    fn change(&self, random: &mut Rng, twin: &mut Twin) {
        let size = *random.choice(&[1usize, 2, 4, 8]).expect("there are some");
        let offset = random.usize(0..=SIZE - size);
        let offset = if random.bool() { offset / size * size } else { offset };
        let ty = Scalar::Int(size as u8 * 8);
        let mut value;
        if size == 8 && random.bool() {
            let base = Base(random.u32(0..2));
            (0..8).for_each(|i| twin.bytes[offset + i] = Content::Part(base, i as u8));
            value = Value::pointer(base, Offsets::ZERO);
        } else if size == 1 && random.bool() {
            // A byte on its way from one pointer to another.
            let part = Content::Part(Base(random.u32(0..2)), random.u8(0..8));
            twin.bytes[offset] = part;
            let Content::Part(base, _) = part else { unreachable!() };
            value = Value::pointer(base, Offsets::ALL).join(&Value::top(ty));
        } else {
            let number = random.u64(0..3);
            (0..size).for_each(|i| twin.bytes[offset + i] = Content::Number((number >> (8 * i)) as u8));
            value = Value::constant(ty, number.into());
        }
        if random.bool() {
            value = value.join(&random_value(random, ty.bits()));
        }
        match random.u8(0..3) {
            0 => twin.contents.write(offset as i64, ty, value),
            1 => {
                let at = Offsets::constant(offset as i64);
                twin.contents.write_weakly(&self.tables, self.program, at, ty, &value);
            }
            _ => {
                let stride = random.u64(1..=8);
                let at = Offsets::between(0, SIZE as i128 - size as i128, stride);
                let at = at.join(Offsets::constant(offset as i64));
                twin.contents.write_weakly(&self.tables, self.program, at, ty, &value);
            }
        }
    }

    fn twin(&self, random: &mut Rng, is_image: bool) -> Twin {
        let mut twin = self.new_twin(random, is_image);
        for _ in 0..random.usize(0..12) {
            self.change(random, &mut twin);
        }
        twin
    }

    /// Whoever reads gets a value that contains what is there.
    fn check(&self, bytes: &[Content; SIZE], contents: &Contents, what: &str) {
        for size in [1, 2, 4, 8] {
            for offset in 0..=SIZE - size {
                let ty = Scalar::Int(size as u8 * 8);
                let at = Offsets::constant(offset as i64);
                let wide = at.join(Offsets::constant((offset % size) as i64));
                for at in [at, wide] {
                    let read = contents.read(&self.tables, self.program, at, ty);
                    let there = &bytes[offset..offset + size];
                    assert!(holds(there, &read), "{what}: {there:?} at {offset} is not in {read:?} of {contents:#?}");
                }
            }
        }
    }
}

fn holds(there: &[Content], read: &Value) -> bool {
    let leads = |base: &Base| read.pointers.iter().any(|(other, at)| other == base && at.contains(0));
    if let [Content::Part(base, 0), ..] = there
        && there.len() == 8
        && there.iter().enumerate().all(|(i, part)| *part == Content::Part(*base, i as u8))
    {
        return leads(base);
    }
    let parts = there.iter().filter_map(|content| match content {
        Content::Part(base, _) => Some(base),
        Content::Number(_) => None,
    });
    let mut parts = parts.peekable();
    if parts.peek().is_some() {
        return read.number != Number::None && parts.all(|base| read.pointers.iter().any(|(other, _)| other == base));
    }
    let number = |content: &Content| match content {
        Content::Number(byte) => u64::from(*byte),
        Content::Part(..) => 0,
    };
    read.may_be(there.iter().rev().fold(0, |bits, content| bits << 8 | number(content)))
}

fn with_setting(check: impl Fn(&Setting<'_>)) {
    let program = testing::program("int x; struct { char c; int *p; } s = { 7, &x }; int main(void) { return s.c; }");
    let tables = Tables::new(&program, &Marks::of(&program));
    check(&Setting { program: &program, tables });
}

#[test]
fn contents_have_what_was_written() {
    with_setting(|setting| {
        let mut random = Rng::with_seed(7);
        for _ in 0..SAMPLES / 10 {
            let is_image = random.bool();
            let twin = setting.twin(&mut random, is_image);
            setting.check(&twin.bytes, &twin.contents, "written");
        }
    });
}

#[test]
fn contents_are_ordered_by_what_they_contain() {
    with_setting(|setting| {
        let mut random = Rng::with_seed(8);
        let (tables, program) = (&setting.tables, setting.program);
        for _ in 0..SAMPLES / 10 {
            let is_image = random.bool();
            let a = setting.twin(&mut random, is_image);
            let mut b = if random.bool() { a.clone() } else { setting.twin(&mut random, is_image) };
            (0..random.u8(0..3)).for_each(|_| setting.change(&mut random, &mut b));
            assert!(a.contents.leq(&a.contents, tables, program), "{:#?}", a.contents);
            let join = a.contents.join(&b.contents, tables, program);
            let widened = a.contents.combine(&b.contents, tables, program, |a, b| a.widen(b, &[0, 4]));
            for (whole, how) in [(join, "join"), (widened, "widening")] {
                setting.check(&a.bytes, &whole, how);
                setting.check(&b.bytes, &whole, how);
                for part in [&a.contents, &b.contents] {
                    assert!(part.leq(&whole, tables, program), "{how}: {part:#?} is not below {whole:#?}");
                }
            }
            if a.contents.leq(&b.contents, tables, program) {
                setting.check(&a.bytes, &b.contents, "order");
            }
        }
    });
}

#[test]
fn widening_contents_ends() {
    with_setting(|setting| {
        let mut random = Rng::with_seed(9);
        let (tables, program) = (&setting.tables, setting.program);
        for _ in 0..40 {
            let is_image = random.bool();
            let mut at = setting.twin(&mut random, is_image).contents;
            let changes = (0..LONGEST_CHAIN).filter(|_| {
                let next = setting.twin(&mut random, is_image).contents;
                if next.leq(&at, tables, program) {
                    return false;
                }
                at = at.combine(&next, tables, program, |a, b| a.widen(b, &[0, 4]));
                true
            });
            assert!(changes.count() < LONGEST_CHAIN / 2, "{at:#?}");
        }
    });
}

// Locks.

fn random_locks(random: &mut Rng) -> Locks {
    let mut held = Locks::default();
    for base in 0..3 {
        if random.bool() {
            let kind = if random.bool() { Kind::Mutex } else { Kind::RwLock };
            let mode = if random.bool() { Mode::Exclusive } else { Mode::Shared };
            let targets = Value::pointer(Base(base), random_offsets(random)).pointers;
            let name = LockName { kind, place: LockPlace::At(Base(base), 0) };
            locks::insert(&mut held, Lock { name, mode, targets, condition: None, depth: random.u8(1..3) });
        }
    }
    held
}

#[test]
fn locks_are_ordered() {
    let mut random = Rng::with_seed(10);
    for _ in 0..SAMPLES {
        let (a, b) = (random_locks(&mut random), random_locks(&mut random));
        let both = locks::meet(&a, &b);
        assert!(locks::leq(&a, &a), "{a:?}");
        assert!(locks::leq(&a, &both) && locks::leq(&b, &both), "{a:?} and {b:?} have {both:?} in common");
        let held = |locks: &Locks, lock: &Lock| {
            locks.iter().any(|l| l.name == lock.name && l.mode == lock.mode && l.depth >= lock.depth)
        };
        assert!(both.iter().all(|lock| held(&a, lock) && held(&b, lock)), "{a:?} and {b:?} have {both:?} in common");
    }
}

// States, as they come up.

const THREADS: &str = "
typedef unsigned long pthread_t;
typedef union { char size[40]; long align; } pthread_mutex_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
void *malloc(unsigned long);
int __VERIFIER_nondet_int(void);
struct n { struct n *next; int v; pthread_mutex_t m; } *list;
pthread_mutex_t m;
int a[8], total;
void *work(void *arg) {
    long i = (long)arg;
    for (int k = 0; k < 3; k++) {
        a[i] += k;
        if (pthread_mutex_trylock(&m) == 0) { total += a[i]; pthread_mutex_unlock(&m); }
        for (struct n *n = list; n; n = n->next) { pthread_mutex_lock(&n->m); n->v++; pthread_mutex_unlock(&n->m); }
    }
    return 0;
}
int main(void) {
    pthread_t t[4];
    for (int i = 0; i < 3; i++) {
        struct n *n = malloc(sizeof *n);
        n->next = list;
        n->v = __VERIFIER_nondet_int();
        list = n;
    }
    for (long i = 0; i < 4; i++) pthread_create(&t[i], 0, work, (void *)i);
    int x = __VERIFIER_nondet_int(), y = x;
    if (x < 0) pthread_mutex_lock(&m);
    int *p = x < 0 ? &y : &x;
    *p = 3;
    if (x < 0) pthread_mutex_unlock(&m);
    for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
    return x + y + total;
}";

#[test]
fn states_are_ordered() {
    let program = testing::program(THREADS);
    let facts = facts::analyze(&program, &Budget::unlimited()).expect("there are facts");
    let (tables, mut random) = (&facts.tables, Rng::with_seed(11));
    let states: Vec<_> = facts.reached().collect();
    for _ in 0..2_000 {
        let (at, a) = states[random.usize(..states.len())];
        let near = states.iter().filter(|(node, state)| {
            node.call_string == at.call_string && node.phase == at.phase && state.privatised == a.privatised
        });
        let near: Vec<_> = near.collect();
        let (_, b) = near[random.usize(..near.len())];
        assert!(a.leq(a, tables, &program), "a state at {at:?}");
        let (join, widened) = (a.join(b, tables, &program), a.widen(b, tables, &program, &[0, 4]));
        for whole in [&join, &widened] {
            assert!(a.leq(whole, tables, &program), "the first at {at:?}");
            assert!(b.leq(whole, tables, &program), "the second at {at:?}");
        }
    }
}

#[test]
fn widening_states_ends() {
    let program = testing::program(THREADS);
    let facts = facts::analyze(&program, &Budget::unlimited()).expect("there are facts");
    let (tables, mut random) = (&facts.tables, Rng::with_seed(12));
    let states: Vec<_> = facts.reached().collect();
    for call_string in 0..tables.call_strings.len() {
        let near = states
            .iter()
            .filter(|(node, state)| node.call_string.index() == call_string && state.privatised.is_empty());
        let near: Vec<_> = near.filter(|(node, _)| node.phase == facts::tables::Phase::Among).collect();
        if near.is_empty() {
            continue;
        }
        let mut at = (*near[0].1).as_ref().clone();
        let changes = (0..LONGEST_CHAIN).filter(|_| {
            let next = near[random.usize(..near.len())].1;
            if next.leq(&at, tables, &program) {
                return false;
            }
            at = at.widen(next, tables, &program, &[0, 4]);
            true
        });
        assert!(changes.count() < LONGEST_CHAIN / 2);
    }
}
