//! Why two accesses may happen at once, and why the locks do not help.

use std::collections::{BTreeMap, BTreeSet};

use base::{Idx, Span};
use facts::AbstractAccess;
use facts::eval::Eval;
use facts::locks::{Kind, Lock, LockPlace};
use facts::map::Map;
use facts::offsets::Offsets;
use facts::state::{ThreadState, contains_line};
use facts::tables::{AbstractObject, AbstractThread, Base, CallString, Role};
use facts::value::Value;
use program::{ConditionOp, ExprId, MutexOp, Op, RwLockOp, SemaphoreOp, ThreadOp};

use super::names::{Names, Spot};
use super::terms::READING;

/// What edges do with threads and locks, where they can be reached.
#[derive(Default)]
pub struct Events {
    pub joins: BTreeMap<AbstractThread, BTreeSet<Spot>>,
    /// Where the joins are in the text.
    pub spans: BTreeMap<Spot, Span>,
    /// Where locks may be opened by others than who holds them, or made anew.
    pub breaks: Vec<(Kind, Base, Offsets, Spot)>,
    /// Where locks are taken.
    pub takes: BTreeMap<(Kind, Base, Offsets), BTreeSet<Spot>>,
}

impl Events {
    pub fn new(names: &Names<'_>) -> Events {
        let (program, facts) = (names.program, names.facts);
        let mut events = Events::default();
        for (node, state) in facts.reached() {
            let function = &program.functions[facts.tables.call_strings[node.call_string].function];
            for (edge, op) in function.edges_from(node.location) {
                if let Op::Thread(op) = &op.op {
                    events.meet(names, node.call_string, state, op, names.span(node.call_string, edge));
                }
            }
        }
        events
    }

    fn meet(&mut self, names: &Names<'_>, call_string: CallString, state: &ThreadState, op: &ThreadOp, span: Span) {
        let (tables, spot) = (&names.facts.tables, names.spot(span));
        let value = |expr: ExprId| Eval::new(names.program, tables, call_string, state).value(expr);
        if let ThreadOp::Join { thread, .. } = op {
            for (base, _) in value(*thread).map(|value| value.pointers).unwrap_or_default() {
                if let AbstractObject::Thread(abstract_thread) = tables.abstract_object(base) {
                    self.joins.entry(abstract_thread).or_default().insert(spot);
                    self.spans.insert(spot, span);
                }
            }
            return;
        }
        let Some((kind, lock, effect)) = effect(op) else { return };
        let Some(target) = value(lock) else { return };
        let breaks = match effect {
            Effect::Take => false,
            Effect::Reset => true,
            Effect::Open => !state.locks.iter().any(|held| held.condition.is_none() && is_same(held, kind, &target)),
        };
        for (base, at) in &target.pointers {
            let base = tables.as_role(*base, Role::Shared);
            if breaks {
                self.breaks.push((kind, base, *at, spot));
            }
            if effect == Effect::Take {
                self.takes.entry((kind, base, *at)).or_default().insert(spot);
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Effect {
    Take,
    Open,
    Reset,
}

fn effect(op: &ThreadOp) -> Option<(Kind, ExprId, Effect)> {
    use Effect::{Open, Reset, Take};
    Some(match op {
        ThreadOp::Mutex { op, mutex, .. } => {
            let effect = match op {
                MutexOp::Init { .. } | MutexOp::Destroy => return None,
                MutexOp::Lock | MutexOp::TryLock | MutexOp::TimedLock => Take,
                MutexOp::Unlock => Open,
            };
            (Kind::Mutex, *mutex, effect)
        }
        ThreadOp::RwLock { op, lock, .. } => {
            let effect = match op {
                RwLockOp::Init | RwLockOp::Destroy => return None,
                RwLockOp::Unlock => Open,
                _ => Take,
            };
            (Kind::RwLock, *lock, effect)
        }
        ThreadOp::Semaphore { op, semaphore, .. } => {
            let effect = match op {
                SemaphoreOp::Init { .. } | SemaphoreOp::Destroy => Reset,
                SemaphoreOp::Post => Open,
                SemaphoreOp::Wait | SemaphoreOp::TryWait | SemaphoreOp::TimedWait => Take,
                SemaphoreOp::Value => return None,
            };
            (Kind::Semaphore, *semaphore, effect)
        }
        ThreadOp::Condition { op: ConditionOp::Sleep { mutex }, .. } => (Kind::Mutex, *mutex, Open),
        ThreadOp::OnceBegin { control, .. } => (Kind::Once, *control, Take),
        _ => return None,
    })
}

/// Is it surely the lock at this address that is held?
fn is_same(held: &Lock, kind: Kind, target: &Value) -> bool {
    held.name.kind == kind
        && match held.name.place {
            LockPlace::At(base, offset) => target.place() == Some((base, offset)),
            LockPlace::Relative(term) => target.term == Some(term),
        }
}

impl Names<'_> {
    /// One or two sentences.
    pub fn why_parallel(&self, events: &Events, a: &AbstractAccess, b: &AbstractAccess) -> String {
        let mut why = self.why_together(events, a, b);
        if let Some(locks) = self.why_unprotected(events, a, b) {
            why = format!("{why}. {locks}");
        }
        why
    }

    fn why_together(&self, events: &Events, a: &AbstractAccess, b: &AbstractAccess) -> String {
        if a.abstract_thread == b.abstract_thread {
            return self.why_many(events, a.abstract_thread);
        }
        let tables = &self.facts.tables;
        let (of_a, of_b) = (tables.ancestors(a.abstract_thread), tables.ancestors(b.abstract_thread));
        let recursive = of_a.iter().chain(&of_b).find(|abstract_thread| tables.is_recursive_thread(**abstract_thread));
        if let Some(abstract_thread) = recursive {
            return self.why_many(events, *abstract_thread);
        }
        let Some(common) = of_a.iter().position(|abstract_thread| of_b.contains(abstract_thread)) else {
            return "it is not known which of them ends before the other begins".to_owned();
        };
        let ancestor = of_a[common];
        if self.facts.is_many(ancestor) {
            return format!("{}, and each has its own threads", self.why_many(events, ancestor));
        }
        let other = of_b.iter().position(|abstract_thread| *abstract_thread == ancestor).expect("it is common");
        if ancestor == a.abstract_thread {
            return self.why_alive(events, a, of_b[other - 1], b.abstract_thread);
        }
        if ancestor == b.abstract_thread {
            return self.why_alive(events, b, of_a[common - 1], a.abstract_thread);
        }
        let (to_a, to_b) = (of_a[common - 1], of_b[other - 1]);
        let before = |abstract_thread: AbstractThread| {
            &self.facts.solution.abstract_threads[abstract_thread.index()].alive_before
        };
        let a_first = contains_line(tables, before(to_b), a.abstract_thread);
        let (first, second, runs) =
            if a_first { (to_a, to_b, a.abstract_thread) } else { (to_b, to_a, b.abstract_thread) };
        format!(
            "{} creates both, and {} while {} may still run: {}",
            self.abstract_thread(ancestor),
            self.created_in(second),
            self.created_in(runs),
            self.joined(events, self.not_ended(before(second), runs).unwrap_or(first), runs)
        )
    }

    /// A thread that another one created may still run where that one is.
    fn why_alive(
        &self,
        events: &Events,
        at: &AbstractAccess,
        child: AbstractThread,
        descendant: AbstractThread,
    ) -> String {
        let here = self.place(self.access_spot(at));
        let by = if child == descendant { String::new() } else { format!(" by {}", self.created_in(child)) };
        let created = self.created(descendant).map_or_else(String::new, |spot| self.place(spot));
        let alive = self.not_ended(&at.state.alive, descendant).unwrap_or(child);
        let joined = self.joined(events, alive, descendant);
        format!("{} is created in {created}{by} and may still run in {here}: {joined}", self.entry(descendant))
    }

    /// The abstract thread itself or the one that creates it, whichever is known to be able to run.
    fn not_ended(&self, alive: &Map<()>, abstract_thread: AbstractThread) -> Option<AbstractThread> {
        self.facts.tables.ancestors(abstract_thread).into_iter().find(|ancestor| alive.contains(ancestor.0))
    }

    /// `add (line 20)`, whether the line tells it from others or not.
    fn created_in(&self, abstract_thread: AbstractThread) -> String {
        match self.created(abstract_thread) {
            Some(spot) if self.abstract_thread(abstract_thread) == self.entry(abstract_thread) => {
                format!("{} ({})", self.entry(abstract_thread), self.place(spot))
            }
            _ => self.abstract_thread(abstract_thread).to_owned(),
        }
    }

    /// Where an abstract thread is joined, after a sentence about `subject`.
    fn joined(&self, events: &Events, abstract_thread: AbstractThread, subject: AbstractThread) -> String {
        let it = if abstract_thread == subject { "it" } else { self.entry(abstract_thread) };
        match events.joins.get(&abstract_thread) {
            None => format!("{it} is never joined"),
            Some(spots) if self.facts.is_many(abstract_thread) => {
                format!("the join in {} may not wait for all of them", self.places(spots.iter().copied()))
            }
            Some(spots) => format!("{it} is joined only in {}", self.places(spots.iter().copied())),
        }
    }

    fn why_many(&self, events: &Events, abstract_thread: AbstractThread) -> String {
        format!(
            "several threads run {} at once: {}",
            self.entry(abstract_thread),
            self.many_because(events, abstract_thread, 0)
        )
    }

    pub fn is_created_in_loop(&self, abstract_thread: AbstractThread) -> bool {
        let tables = &self.facts.tables;
        let Some((creator, edge)) = tables.abstract_threads[abstract_thread].created else { return false };
        let function = tables.call_strings[creator].function;
        let from = self.program.functions[function].edges.get(edge).map(|edge| edge.from);
        from.is_some_and(|from| tables.shapes[function].in_cycle[from.index()])
    }

    /// Why threads of an abstract thread are created while others of it run.
    pub fn many_because(&self, events: &Events, abstract_thread: AbstractThread, depth: u32) -> String {
        const DEEPEST: u32 = 8;
        let tables = &self.facts.tables;
        let info = &tables.abstract_threads[abstract_thread];
        let Some((creator, edge)) = info.created else { return "it starts several times".to_owned() };
        let created = self.place(self.spot_of(creator, edge));
        if tables.is_recursive_thread(abstract_thread) {
            return format!("they create more of them ({created})");
        }
        let joined = match events.joins.get(&abstract_thread) {
            None => ", and never joined",
            Some(_) => "",
        };
        let parent = tables.call_strings[creator].abstract_thread;
        if self.facts.is_many(parent) && depth < DEEPEST {
            return format!(
                "created in {created} by several threads that run {}: {}",
                self.entry(parent),
                self.many_because(events, parent, depth + 1)
            );
        }
        let (mut call_string, mut edge) = (creator, edge);
        loop {
            let info = &tables.call_strings[call_string];
            let function = &self.program.functions[info.function];
            let Some(from) = function.edges.get(edge).map(|edge| edge.from) else { break };
            if tables.shapes[info.function].in_cycle[from.index()] {
                let how = if call_string == creator {
                    format!("created in a loop ({created}){joined}")
                } else {
                    let call = self.place(self.spot_of(call_string, edge));
                    format!("created in {created}, in a function that a loop calls ({call}){joined}")
                };
                return format!("it is {how}");
            }
            if info.recursive {
                return format!("it is created in {created}, in a recursive function{joined}");
            }
            match info.caller {
                Some(caller) => (call_string, edge) = caller,
                None => break,
            }
        }
        format!("it may be created several times ({created}){joined}")
    }

    fn why_unprotected(&self, events: &Events, a: &AbstractAccess, b: &AbstractAccess) -> Option<String> {
        let (held_a, held_b) = (self.held(a), self.held(b));
        if held_a.is_empty() || held_b.is_empty() {
            return None;
        }
        if let Some(broken) = self.broken(events, a).or_else(|| self.broken(events, b)) {
            return Some(broken);
        }
        let (x, y) = (held_a.join(", "), held_b.join(", "));
        Some(match held_a.iter().find(|lock| held_b.contains(lock)) {
            Some(lock) if lock.ends_with(READING) => {
                format!("Both hold {} only for reading", lock.trim_end_matches(READING))
            }
            Some(lock) => format!("Both hold {lock}, but that may be another lock in each"),
            None => format!("They hold different locks: {x} and {y}"),
        })
    }

    /// A lock that is held, but may be opened by others.
    fn broken(&self, events: &Events, access: &AbstractAccess) -> Option<String> {
        let useful: Vec<_> = self.facts.useful_locks(access).collect();
        let lock = access.lockset().find(|lock| !useful.contains(lock))?;
        let spots = events.breaks.iter().filter(|(kind, base, at, _)| {
            let target = |(held, place): &(Base, Offsets)| {
                self.facts.tables.as_role(*held, Role::Shared) == *base && place.overlaps(1, *at, 1)
            };
            *kind == lock.name.kind && lock.targets.iter().any(target)
        });
        let spots: BTreeSet<Spot> = spots.map(|(.., spot)| *spot).collect();
        let places = if spots.is_empty() { String::new() } else { format!(" ({})", self.places(spots)) };
        let name = self.lock(lock);
        Some(format!("{name} does not protect them: a thread that does not hold it may open it{places}"))
    }
}
