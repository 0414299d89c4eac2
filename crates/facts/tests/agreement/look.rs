//! Is a concrete state contained in the facts?

use base::Idx;
use facts::Facts;
use facts::analysis::ArgumentShape;
use facts::contents::Contents;
use facts::guard::Guard;
use facts::locks::{Kind, Lock, LockPlace, Mode};
use facts::map::Map;
use facts::offsets::Offsets;
use facts::replicas::Bound;
use facts::state::ThreadState as Abstract;
use facts::tables::{AbstractObject, AbstractThread, Base, Phase, Role};
use facts::value::{Number, Symbol, Term, Value as AbstractValue};
use program::{LocalId, Scalar, Storage};
use semantics::indeterminate::ORIGIN;
use semantics::{
    Base as ConcreteBase, Byte, Life, LockKey, LockKind, Machine, ObjectId, Pointer, Read, State, ThreadId, ThreadLife,
    Value, mask,
};

use crate::ghost::Ghost;

pub struct Look<'a, 'p> {
    pub machine: &'a Machine<'p>,
    pub facts: &'a Facts,
    pub state: &'a State,
    pub ghost: &'a Ghost,
    live: &'a Live,
    hands: &'a [(ThreadId, Map<()>)],
    /// For each object, the threads that can reach it, as bits.
    reach: Vec<u64>,
}

/// The globals in the hands of threads.
pub type Hands = Vec<(ThreadId, Map<()>)>;

/// By function and location, the locals whose values matter.
pub type Live = Vec<Vec<Vec<LocalId>>>;

pub type Check = Result<(), String>;

/// More of an object is not looked at.
const MOST_BYTES: u64 = 128;

impl<'a, 'p> Look<'a, 'p> {
    pub fn new(
        machine: &'a Machine<'p>,
        facts: &'a Facts,
        state: &'a State,
        ghost: &'a Ghost,
        live: &'a Live,
        hands: &'a [(ThreadId, Map<()>)],
    ) -> Self {
        Look { machine, facts, state, ghost, live, hands, reach: reach(state, hands) }
    }

    pub fn runs(&self, thread: ThreadId) -> bool {
        self.state.thread(thread).life != ThreadLife::Finished
    }

    fn abstract_thread(&self, thread: ThreadId) -> AbstractThread {
        self.ghost.members[thread.index()].abstract_thread
    }

    /// The nodes where a thread may be, by what is known of the run.
    pub fn nodes(&self, thread: ThreadId) -> Vec<u32> {
        let phases: &[Phase] = if self.state.threads.len() == 1 {
            &[Phase::Before]
        } else if self.state.thread_ids().any(|other| self.runs(other) && self.descends(other, thread)) {
            &[Phase::Among]
        } else {
            &[Phase::Among, Phase::Alone]
        };
        let call_string = *self.ghost.members[thread.index()].stack.last().expect("it runs");
        let location = self.state.frame(thread).location;
        phases.iter().map(|phase| self.facts.tables.node(call_string, location, *phase)).collect()
    }

    /// Was `thread` created by `ancestor`, or by one that it created?
    fn descends(&self, thread: ThreadId, ancestor: ThreadId) -> bool {
        let parent = |thread: &ThreadId| self.ghost.members[thread.index()].parent;
        std::iter::successors(parent(&thread), parent).any(|thread| thread == ancestor)
    }

    // Names.

    fn newest(&self, object: ObjectId) -> bool {
        let maker = self.ghost.makers[object.index()];
        self.ghost.makers[object.index() + 1..].iter().all(|other| *other != maker)
    }

    fn reached_by_others(&self, object: ObjectId, thread: ThreadId) -> bool {
        self.reach[object.index()] & !(1 << thread.0) != 0
    }

    /// The names under which a thread may know an object.
    fn names(&self, thread: ThreadId, object: ObjectId) -> Vec<Base> {
        let maker = self.ghost.makers[object.index()];
        if maker.abstract_object == AbstractObject::Indeterminate {
            return vec![Base::INDETERMINATE, Base::UNDECIDED];
        }
        let roles: &[Role] = if self.state.object(object).life != Life::Live {
            &[Role::Own, Role::Older, Role::Shared]
        } else if self.reached_by_others(object, thread) || maker.thread != thread {
            &[Role::Shared]
        } else if matches!(maker.abstract_object, AbstractObject::CommandText(_)) {
            &[Role::Own, Role::Older, Role::Shared]
        } else if self.newest(object) {
            &[Role::Own, Role::Shared]
        } else {
            &[Role::Older, Role::Shared]
        };
        roles.iter().filter_map(|role| self.facts.tables.find(maker.abstract_object.with_role(*role))).collect()
    }

    fn names_of(&self, thread: ThreadId, base: ConcreteBase) -> Vec<Base> {
        let tables = &self.facts.tables;
        match base {
            ConcreteBase::Object(object) => self.names(thread, object),
            ConcreteBase::Function(function) => vec![tables.function(function)],
            ConcreteBase::Thread(of) => {
                tables.find(AbstractObject::Thread(self.abstract_thread(of))).into_iter().collect()
            }
        }
    }

    /// The object that a name stands for, of which there is only one.
    fn object_named(&self, base: Base) -> Option<ObjectId> {
        let abstract_object = self.facts.tables.abstract_object(base).with_role(Role::Own);
        self.ghost.makers.iter().rposition(|maker| maker.abstract_object == abstract_object).map(ObjectId::from_usize)
    }

    // Values.

    pub fn contains(&self, thread: ThreadId, ty: Scalar, value: Value, fact: &AbstractValue) -> Check {
        let number = |bits: u128| match fact.number {
            Number::None => false,
            Number::Any => true,
            Number::Range(range) => {
                range.bits() == ty.bits() && u64::try_from(bits & mask(ty)).is_ok_and(|bits| range.contains(bits))
            }
        };
        let holds = match value {
            Value::Undefined => true,
            Value::Bits(bits) => number(u128::from(bits)) || self.may_have_become_number(fact),
            Value::Wide(..) => number(value.bits().unwrap_or(0)),
            Value::Pointer(pointer) => {
                let names = self.names_of(thread, pointer.base);
                fact.pointers.iter().any(|(base, at)| names.contains(base) && at.contains(pointer.offset))
                    || self.may_be_exposed(fact, &names)
            }
            Value::Part(pointer, _) => {
                let names = self.names_of(thread, pointer.base);
                fact.pointers.iter().any(|(base, _)| names.contains(base)) && fact.number != Number::None
                    || self.may_be_exposed(fact, &names)
            }
        };
        let names = || match value {
            Value::Pointer(p) => self.describe(&self.names_of(thread, p.base)),
            _ => String::new(),
        };
        if holds {
            return Ok(());
        }
        let bases: Vec<Base> = fact.pointers.iter().map(|(base, _)| *base).collect();
        Err(format!("{value:?} {} is not in {fact:?} {}", names(), self.describe(&bases)))
    }

    /// May an indeterminate pointer have turned out to be null or another number?
    fn may_have_become_number(&self, fact: &AbstractValue) -> bool {
        let exposed = &self.facts.solution.exposed;
        fact.is_undecided() && exposed.null || fact.is_indeterminate() && exposed.number
    }

    /// May a number, or an indeterminate pointer, lead there?
    fn may_be_exposed(&self, fact: &AbstractValue, names: &[Base]) -> bool {
        let shared = |base: &Base| self.facts.tables.as_role(*base, Role::Shared);
        let exposed = &self.facts.solution.exposed.objects;
        fact.is_loose() && names.iter().any(|name| exposed.contains(&shared(name)))
    }

    fn describe(&self, bases: &[Base]) -> String {
        bases.iter().map(|base| format!("[{base} {:?}]", self.facts.tables.abstract_object(*base))).collect()
    }

    /// Is the value what its term says?
    fn fits_term(&self, thread: ThreadId, ty: Scalar, value: Value, term: Option<Term>) -> Check {
        let Some(term) = term.filter(|_| value != Value::Undefined) else { return Ok(()) };
        let Some(expected) = self.evaluate(thread, term) else { return Ok(()) };
        let holds = match (value, expected) {
            (_, Expected::Number(number)) => value.bits().is_some_and(|bits| signed(bits, ty) == number),
            (Value::Pointer(pointer), Expected::Place(place)) => pointer == place,
            (Value::Pointer(pointer), Expected::Object(base)) => pointer.base == base,
            _ => false,
        };
        if holds { Ok(()) } else { Err(format!("{value:?} is not {term:?}, which is {expected:?}")) }
    }

    fn evaluate(&self, thread: ThreadId, term: Term) -> Option<Expected> {
        let symbol = self.symbol(thread, term.symbol)?;
        let base = match term.base {
            None => None,
            Some(base) => Some(ConcreteBase::Object(self.object_named(base)?)),
        };
        match (base, symbol, term.offset) {
            (None, Expected::Place(place), Some(offset)) if term.coefficient == 1 => {
                Some(Expected::Place(place.moved(offset)))
            }
            (None, Expected::Place(place), None) if term.coefficient == 1 => Some(Expected::Object(place.base)),
            (None, Expected::Number(number), Some(offset)) => {
                Some(Expected::Number(i128::from(term.coefficient) * number + i128::from(offset)))
            }
            (Some(base), Expected::Number(number), Some(offset)) => {
                let offset = i128::from(term.coefficient) * number + i128::from(offset);
                Some(Expected::Place(Pointer { base, offset: i64::try_from(offset).ok()? }))
            }
            _ => None,
        }
    }

    fn symbol(&self, thread: ThreadId, symbol: Symbol) -> Option<Expected> {
        let (value, ty) = match symbol {
            Symbol::Variable(variable) => self.variable(thread, variable)?,
            Symbol::Cell(base, offset, size) => {
                let (object, ty) = (self.object_named(base)?, Scalar::Int(size * 8));
                // What an object had that is gone is no longer known here.
                (self.state.object(object).life == Life::Live).then_some(())?;
                (self.read(object, u64::try_from(offset).ok()?, ty)?, ty)
            }
            Symbol::Argument(abstract_thread) => return self.argument(thread, abstract_thread),
        };
        match value {
            Value::Pointer(pointer) => Some(Expected::Place(pointer)),
            value => value.bits().map(|bits| Expected::Number(signed(bits, ty))),
        }
    }

    fn argument(&self, thread: ThreadId, abstract_thread: AbstractThread) -> Option<Expected> {
        let member = &self.ghost.members[thread.index()];
        let (ArgumentShape::Numbers { base, coefficient, offset }, true) = (
            self.facts.solution.abstract_threads[abstract_thread.index()].shape,
            member.abstract_thread == abstract_thread,
        ) else {
            return match member.argument {
                Value::Pointer(pointer) => Some(Expected::Place(pointer)),
                _ => None,
            };
        };
        self.number_of(member.argument, base, coefficient, offset).map(Expected::Number)
    }

    /// `n` in `base + coefficient * n + offset`.
    fn number_of(&self, argument: Value, base: Option<Base>, coefficient: i64, offset: i64) -> Option<i128> {
        let word = self.machine.program.machine.word();
        let product = match (base, argument) {
            (None, Value::Bits(bits)) => signed(u128::from(bits), word),
            (Some(base), Value::Pointer(Pointer { base: ConcreteBase::Object(object), offset })) => {
                (self.object_named(base)? == object).then_some(i128::from(offset))?
            }
            _ => return None,
        };
        let product = product - i128::from(offset);
        (product % i128::from(coefficient) == 0).then(|| product / i128::from(coefficient))
    }

    /// The value of a plain local of some frame.
    fn variable(&self, thread: ThreadId, variable: u32) -> Option<(Value, Scalar)> {
        let (program, tables) = (self.machine.program, &self.facts.tables);
        let stack = &self.ghost.members[thread.index()].stack;
        let depth =
            stack.iter().rposition(|call_string| tables.variables_of(program, *call_string).contains(&variable))?;
        let local = LocalId(variable - tables.call_strings[stack[depth]].first_variable);
        let frame = &self.state.thread(thread).frames[depth];
        let Storage::Plain(ty) = program.functions[frame.function].locals[local].storage else { return None };
        Some((frame.locals[local.index()], ty)).filter(|(value, _)| *value != Value::Undefined)
    }

    /// What loading from there would give.
    fn read(&self, object: ObjectId, offset: u64, ty: Scalar) -> Option<Value> {
        let contents = &self.state.object(object).contents;
        if !contents.contains(offset as i64, ty.bytes()) {
            return None;
        }
        match contents.read(offset, ty.bytes()) {
            Read::Bits(bits) => Some(Value::from_bits(bits & mask(ty))),
            Read::Pointer(pointer) if ty.bytes() == self.machine.program.machine.pointer_bytes() => {
                Some(Value::Pointer(pointer))
            }
            Read::Undefined => None,
            Read::Mixed if ty.bytes() == 1 => match contents.byte(offset) {
                Byte::Part(pointer, index) => Some(Value::Part(pointer, index)),
                _ => None,
            },
            Read::Pointer(_) | Read::Mixed => {
                let mut bits = 0;
                for i in (0..ty.bytes()).rev() {
                    bits = bits << 8 | u128::from(self.byte(object, offset + i)?);
                }
                Some(Value::from_bits(bits))
            }
        }
    }

    fn byte(&self, object: ObjectId, offset: u64) -> Option<u8> {
        match self.state.object(object).contents.byte(offset) {
            Byte::Concrete(byte) => Some(byte),
            Byte::Part(pointer, index) => {
                let address = self.state.address_of(pointer, self.machine.program.machine.pointer_bits);
                Some((address >> (8 * index)) as u8)
            }
            Byte::Undefined => None,
        }
    }

    /// Does a thread that reads the object by these contents see what is there?
    fn holds(&self, thread: ThreadId, object: ObjectId, contents: &Contents) -> Check {
        let (program, tables) = (self.machine.program, &self.facts.tables);
        let is_indeterminate = self.ghost.makers[object.index()].abstract_object == AbstractObject::Indeterminate;
        let start = if is_indeterminate { ORIGIN as u64 - MOST_BYTES / 2 } else { 0 };
        let end = self.state.object(object).contents.size.min(start + MOST_BYTES);
        for width in [8, 4, 2, 1u64] {
            for offset in (start..end).step_by(width as usize) {
                let ty = Scalar::Int(width as u8 * 8);
                let Some(value) = self.read(object, offset, ty) else { continue };
                let fact = contents.read(tables, program, Offsets::constant(offset as i64), ty);
                self.contains(thread, ty, value, &fact)
                    .and_then(|()| self.fits_term(thread, ty, value, fact.term))
                    .map_err(|e| {
                        format!("{object} {:?} at {offset}: {e}", self.ghost.makers[object.index()].abstract_object)
                    })?;
            }
        }
        Ok(())
    }

    // Threads.

    /// Does everything in the state hold?
    pub fn is_in(&self, thread: ThreadId, facts: &Abstract) -> Check {
        let hand = self.hands.iter().find(|(of, _)| *of == thread);
        if hand.is_none_or(|(_, hand)| *hand != facts.privatised) {
            return Err("it has something else in its hands".into());
        }
        if !facts.privatised.is_empty() && self.waits_in_section(thread) {
            return Ok(());
        }
        for (base, ()) in &facts.privatised {
            let contents = facts.memory.get(base).ok_or("what is in its hands is not in its memory")?;
            self.holds(thread, ObjectId(base), contents)?;
        }
        self.check_variables(thread, facts)?;
        self.check_private(thread, facts)?;
        self.check_locks(thread, facts)?;
        self.check_order(thread, facts)?;
        self.check_seen(facts)?;
        self.check_crowds(thread, facts)?;
        self.check_others(thread, facts)
    }

    /// May the thread wait inside an atomic section? Then it gives back what is in its hands by the very step.
    fn waits_in_section(&self, thread: ThreadId) -> bool {
        let frame = self.state.frame(thread);
        let mut edges = self.machine.function(frame.function).edges_from(frame.location);
        self.state.thread(thread).atomic > 0 && edges.any(|(_, edge)| matches!(edge.op, program::Op::Thread(_)))
    }

    fn check_order(&self, thread: ThreadId, facts: &Abstract) -> Check {
        for less in facts.order.iter() {
            let (first, second) = (self.symbol(thread, less.first), self.symbol(thread, less.second));
            if let (Some(Expected::Number(first)), Some(Expected::Number(second))) = (first, second)
                && first > second + i128::from(less.plus)
            {
                return Err(format!("{first} and {second} are not as {less:?} says"));
            }
        }
        Ok(())
    }

    /// Is the global one that only rises?
    fn rises(&self, base: Base) -> bool {
        let solution = &self.facts.solution;
        !solution.falling.contains(&base) && matches!(solution.guards.get(&base), Some(Guard::Locks(_)))
    }

    fn check_seen(&self, facts: &Abstract) -> Check {
        for (base, seen) in &facts.seen {
            let AbstractObject::Global(global) = self.facts.tables.abstract_object(Base(base)) else { continue };
            let Some(ty) = self.machine.program.types.scalar(self.machine.program.globals[global].ty) else { continue };
            let now = self.read(ObjectId(base), 0, ty).and_then(Value::bits).map(|bits| signed(bits, ty));
            if self.rises(Base(base)) && now.is_some_and(|now| now < i128::from(*seen)) {
                return Err(format!("global {base} is {now:?}, but was seen at {seen}"));
            }
        }
        Ok(())
    }

    /// Have two threads different numbers from one counter?
    pub fn have_taken_others(&self, (first, a): (ThreadId, &Abstract), (second, b): (ThreadId, &Abstract)) -> Check {
        for (mine, (of, by)) in a.taken.iter() {
            for (theirs, _) in b.taken.iter().filter(|(_, (other, _))| of == other && self.rises(*of)) {
                let (x, y) = (self.variable(first, mine), self.variable(second, theirs));
                let (Some((x, ty)), Some((y, _))) = (x, y) else { continue };
                if !self.is_live(first, mine) || !self.is_live(second, theirs) {
                    continue;
                }
                if x == y {
                    return Err(format!("{first} and {second} have both taken {x:?} ({ty:?}) from {of} by {by}"));
                }
            }
        }
        Ok(())
    }

    fn is_live(&self, thread: ThreadId, variable: u32) -> bool {
        let (program, tables) = (self.machine.program, &self.facts.tables);
        let stack = &self.ghost.members[thread.index()].stack;
        let depth =
            stack.iter().rposition(|call_string| tables.variables_of(program, *call_string).contains(&variable));
        depth.is_some_and(|depth| {
            let frame = &self.state.thread(thread).frames[depth];
            let local = LocalId(variable - tables.call_strings[stack[depth]].first_variable);
            self.live[frame.function.index()][frame.location.index()].contains(&local)
        })
    }

    fn bound(&self, thread: ThreadId, bound: Bound) -> Option<i128> {
        match bound.symbol {
            None => Some(bound.plus.into()),
            Some(symbol) => match self.symbol(thread, symbol)? {
                Expected::Number(number) => Some(number + i128::from(bound.plus)),
                _ => None,
            },
        }
    }

    /// Does nobody but who creates threads of the abstract thread write to the object?
    fn keeps_handles(&self, facts: &Abstract, abstract_thread: AbstractThread, base: Base) -> bool {
        let created = self.facts.tables.abstract_threads[abstract_thread].created;
        let shared = self.facts.solution.shared.get(&base);
        let only = || shared.is_some_and(|shared| shared.writers.iter().all(|writer| Some(*writer) == created));
        facts.memory.get(base.0).is_some() || only()
    }

    /// Threads that this one created and that still run were given numbers below a bound, and their handles are where they should be.
    fn check_crowds(&self, thread: ThreadId, facts: &Abstract) -> Check {
        for (other, member) in self.state.thread_ids().zip(&self.ghost.members) {
            let replicas = facts.replicas.get(member.abstract_thread.0);
            let Some(replicas) = replicas.filter(|_| member.parent == Some(thread) && self.runs(other)) else {
                continue;
            };
            // What an indeterminate pointer has turned out to be since, the argument that was given does not tell.
            if let Some(arguments) = replicas.arguments.filter(|_| !self.is_indeterminate(member.argument))
                && let Some(below) = self.bound(thread, arguments.below)
            {
                let number = self.number_of(member.argument, arguments.base, arguments.coefficient, arguments.offset);
                if number.is_none_or(|number| number >= below) {
                    return Err(format!("{other} got {:?}: {number:?} is not below {below}", member.argument));
                }
            }
            if let Some(handles) =
                replicas.handles.filter(|handles| self.keeps_handles(facts, member.abstract_thread, handles.base))
                && let (Some(from), Some(to)) = (self.bound(thread, handles.from), self.bound(thread, handles.to))
                && let Some(object) = self.object_named(handles.base)
            {
                let handle = Value::Pointer(Pointer::to(ConcreteBase::Thread(other)));
                let word = self.machine.program.machine.word();
                let there = (from..to.min(from + 64)).any(|n| {
                    let at = i128::from(handles.coefficient) * n + i128::from(handles.offset);
                    u64::try_from(at).is_ok_and(|at| self.read(object, at, word) == Some(handle))
                });
                if !there {
                    return Err(format!("the handle of {other} is not in {handles:?}: {from} to {to}"));
                }
            }
        }
        Ok(())
    }

    fn is_indeterminate(&self, value: Value) -> bool {
        match value {
            Value::Pointer(Pointer { base: ConcreteBase::Object(object), .. }) => {
                self.ghost.makers[object.index()].abstract_object == AbstractObject::Indeterminate
            }
            _ => false,
        }
    }

    fn check_variables(&self, thread: ThreadId, facts: &Abstract) -> Check {
        let (program, tables) = (self.machine.program, &self.facts.tables);
        let member = &self.ghost.members[thread.index()];
        let frames = &self.state.thread(thread).frames;
        for (i, (frame, call_string)) in frames.iter().zip(&member.stack).enumerate() {
            // It takes the result of the call that is under way.
            let pending = frames.get(i + 1).and_then(|above| above.to);
            let function = &program.functions[frame.function];
            for (local, info) in function.locals.iter_enumerated() {
                let Storage::Plain(ty) = info.storage else { continue };
                let (value, variable) = (frame.locals[local.index()], tables.variable(*call_string, local));
                let Some(fact) = facts.variables.get(variable) else { continue };
                let live = &self.live[frame.function.index()][frame.location.index()];
                if !live.contains(&local) || pending == Some(local) {
                    continue;
                }
                self.contains(thread, ty, value, fact)
                    .and_then(|()| self.fits_term(thread, ty, value, fact.term))
                    .map_err(|e| format!("{}.{} {local} (variable {variable}): {e}", function.name, info.name))?;
            }
        }
        Ok(())
    }

    fn check_private(&self, thread: ThreadId, facts: &Abstract) -> Check {
        for (i, maker) in self.ghost.makers.iter().enumerate() {
            let object = ObjectId::from_usize(i);
            let before = facts.phase == Phase::Before;
            let mine = maker.abstract_object != AbstractObject::Indeterminate
                && maker.thread == thread
                && !self.reached_by_others(object, thread)
                && self.reach[i] != 0;
            if !mine
                || self.state.object(object).life != Life::Live
                || matches!(maker.abstract_object, AbstractObject::Global(_) | AbstractObject::Indeterminate) && !before
            {
                continue;
            }
            if matches!(maker.abstract_object, AbstractObject::Global(global) if self.machine.program.globals[global].thread_local)
            {
                continue;
            }
            let names = match maker.abstract_object {
                AbstractObject::Global(global) => vec![self.facts.tables.global(global)],
                AbstractObject::Indeterminate => vec![Base::INDETERMINATE],
                _ => self.names(thread, object),
            };
            let mut problems = Vec::new();
            for name in names {
                let private = facts.memory.get(name.0).map(|contents| &**contents);
                let shared = self.facts.solution.shared.get(&name).map(|shared| &*shared.contents);
                match private.or(shared.filter(|_| !before)) {
                    Some(contents) => match self.holds(thread, object, contents) {
                        Ok(()) => {
                            problems.clear();
                            break;
                        }
                        Err(problem) => problems.push(problem),
                    },
                    None => problems.push(format!("{object} {:?} has no contents as {name}", maker.abstract_object)),
                }
            }
            if !problems.is_empty() {
                return Err(problems.join("; "));
            }
        }
        Ok(())
    }

    fn check_locks(&self, thread: ThreadId, facts: &Abstract) -> Check {
        let atomic = self.state.thread(thread).atomic;
        if atomic < u32::from(facts.sections) {
            return Err(format!("in {atomic} sections, not {}", facts.sections));
        }
        for lock in self.facts.unbroken_locks(facts).chain(facts.locks.iter().filter(|lock| lock.condition.is_some())) {
            if let Some(condition) = lock.condition {
                let Some((value, _)) = self.variable(thread, condition.variable) else { continue };
                if facts.variables.get(condition.variable).is_none() || (value.bits() == Some(0)) != condition.zero {
                    continue;
                }
            }
            if lock.condition.is_some() && !self.is_unbroken(lock) {
                continue;
            }
            let Some(key) = self.key(thread, lock) else { continue };
            let ConcreteBase::Object(object) = key.at.base else { continue };
            let alive = self.state.objects.get(object.index()).is_some_and(|object| object.life == Life::Live);
            if alive && !self.has(thread, key, lock.mode) {
                return Err(format!("{lock:?} is not held at {key:?}: {:?}", self.state.lock(key)));
            }
        }
        Ok(())
    }

    fn is_unbroken(&self, lock: &Lock) -> bool {
        let mut state = Abstract::new(Phase::Among);
        state.locks = std::sync::Arc::new(vec![Lock { condition: None, ..lock.clone() }]);
        self.facts.unbroken_locks(&state).next().is_some()
    }

    /// The lock that a fact is about.
    pub fn key(&self, thread: ThreadId, lock: &Lock) -> Option<LockKey> {
        let kind = match lock.name.kind {
            Kind::Mutex => LockKind::Mutex,
            Kind::RwLock => LockKind::RwLock,
            Kind::Semaphore => LockKind::Semaphore,
            Kind::Once => LockKind::Once,
            Kind::Section => return None,
        };
        let at = match lock.name.place {
            LockPlace::At(base, offset) => Pointer { base: ConcreteBase::Object(self.object_named(base)?), offset },
            LockPlace::Relative(term) => match self.evaluate(thread, term)? {
                Expected::Place(place) => place,
                _ => return None,
            },
        };
        Some(LockKey { kind, at })
    }

    fn has(&self, thread: ThreadId, key: LockKey, mode: Mode) -> bool {
        match (self.state.lock(key), mode) {
            (Some(semantics::Lock::Mutex { owner, .. }), _) => *owner == Some(thread),
            (Some(semantics::Lock::RwLock { writer, .. }), Mode::Exclusive) => *writer == Some(thread),
            (Some(semantics::Lock::RwLock { readers, .. }), Mode::Shared) => readers.contains(&thread),
            (Some(semantics::Lock::Once { running }), Mode::Exclusive) => *running == Some(thread),
            (Some(semantics::Lock::Once { running }), Mode::Shared) => running.is_none_or(|runner| runner == thread),
            (Some(semantics::Lock::Semaphore { value }), _) => *value == 0,
            _ => false,
        }
    }

    fn check_others(&self, thread: ThreadId, facts: &Abstract) -> Check {
        let tables = &self.facts.tables;
        for other in self.state.thread_ids().filter(|other| self.runs(*other)) {
            let abstract_thread = self.abstract_thread(other);
            if self.descends(other, thread) && !facts.may_be_alive(tables, abstract_thread) {
                return Err(format!("{other} of {abstract_thread} runs, but only {:?} may", facts.alive));
            }
            if facts.ended.get(abstract_thread.0).is_some() {
                return Err(format!("{other} of {abstract_thread} runs, but {:?} have ended", facts.ended));
            }
        }
        Ok(())
    }

    // What does not depend on where threads are.

    pub fn check_shared(&self) -> Check {
        for (i, maker) in self.ghost.makers.iter().enumerate() {
            let object = ObjectId::from_usize(i);
            let is_template = matches!(maker.abstract_object, AbstractObject::Global(global) if self.machine.program.globals[global].thread_local);
            let shared = match maker.abstract_object {
                AbstractObject::Global(global) => {
                    let in_hand = self.hands.iter().any(|(_, hand)| hand.contains(global.0));
                    self.state.threads.len() > 1 && !is_template && !in_hand
                }
                AbstractObject::Indeterminate => self.state.threads.len() > 1 && self.reach[i] != 0,
                _ => self.reached_by_others(object, maker.thread),
            };
            if !shared || self.state.object(object).life != Life::Live {
                continue;
            }
            let name = self.facts.tables.find(maker.abstract_object.with_role(Role::Shared));
            let contents = name.and_then(|name| self.facts.solution.shared.get(&name));
            let Some(contents) = contents else {
                return Err(format!("{object} {:?} is not shared", maker.abstract_object));
            };
            // Read by whom does not matter: what is shared leads to what is shared. The first thread may be its maker.
            let reader = self.state.thread_ids().find(|thread| *thread != maker.thread).unwrap_or(ThreadId(0));
            self.holds(reader, object, &contents.contents)?;
        }
        Ok(())
    }

    pub fn check_crews(&self) -> Check {
        let members = || self.state.thread_ids().zip(&self.ghost.members).skip(1);
        for (thread, member) in members() {
            let facts = &self.facts.solution.abstract_threads[member.abstract_thread.index()];
            let word = self.machine.program.machine.word();
            self.contains(thread, word, member.argument, &facts.argument)
                .map_err(|e| format!("argument of {thread}: {e}"))?;
            let life = self.state.thread(thread);
            if life.life == ThreadLife::Finished && !life.joined {
                self.contains(thread, word, life.result, &facts.result.clone().fitting(word))
                    .map_err(|e| format!("result of {thread}: {e}"))?;
            }
            if !self.runs(thread) {
                continue;
            }
            for (other, twin) in members().filter(|(other, m)| {
                m.abstract_thread == member.abstract_thread && *other > thread && self.runs(*other)
            }) {
                if !facts.many {
                    return Err(format!("{thread} and {other} of {} run at once", member.abstract_thread));
                }
                let (a, b) = (member.argument, twin.argument);
                if !self.differ(facts.shape, a, b) {
                    return Err(format!(
                        "arguments {a:?} and {b:?} of {} are not {:?}",
                        member.abstract_thread, facts.shape
                    ));
                }
            }
        }
        Ok(())
    }

    /// Do the arguments of two threads differ as the shape says?
    fn differ(&self, shape: ArgumentShape, a: Value, b: Value) -> bool {
        match shape {
            ArgumentShape::Numbers { base, coefficient, offset } => {
                let number = |argument| self.number_of(argument, base, coefficient, offset);
                number(a).is_some() && number(b).is_some() && number(a) != number(b)
            }
            ArgumentShape::Objects => match (a, b) {
                (Value::Pointer(a), Value::Pointer(b)) => a.base != b.base,
                _ => false,
            },
            ArgumentShape::None => false,
            ArgumentShape::Unknown => true,
        }
    }

    // Touching the same memory.

    /// May the access be this touch of a thread?
    pub fn is_touch(&self, thread: ThreadId, access: &facts::AbstractAccess, touch: &semantics::Touch) -> bool {
        let names = self.names(thread, touch.object);
        let last = touch.start + touch.length as i64 - access.size as i64;
        // An access of many single bytes covers the whole range.
        let ends = access.at.contains(touch.start) && (access.size == touch.length || access.at.contains(last));
        names.contains(&access.base) && ends && (access.write || !touch.write) && access.atomic == touch.atomic
    }

    pub fn is_valid(&self, touch: &semantics::Touch) -> bool {
        let object = self.state.object(touch.object);
        let inside = object.contents.contains(touch.start, touch.length);
        touch.length > 0 && object.life == Life::Live && inside && !(touch.write && object.read_only)
    }
}

#[derive(Clone, Copy, Debug)]
enum Expected {
    Number(i128),
    Place(Pointer),
    /// Somewhere in it.
    Object(ConcreteBase),
}

fn signed(bits: u128, ty: Scalar) -> i128 {
    let unused = 128 - ty.bits();
    ((bits << unused) as i128) >> unused
}

/// For each object, the threads that can reach it, as bits.
fn reach(state: &State, hands: &[(ThreadId, Map<()>)]) -> Vec<u64> {
    let mut reach = vec![0; state.objects.len()];
    let everybody = if state.threads.len() == 1 { 1 } else { u64::MAX };
    let mut pending: Vec<(ObjectId, u64)> = Vec::new();
    let add = |value: Value, who: u64, pending: &mut Vec<(ObjectId, u64)>| {
        if let Value::Pointer(Pointer { base: ConcreteBase::Object(object), .. })
        | Value::Part(Pointer { base: ConcreteBase::Object(object), .. }, _) = value
        {
            pending.push((object, who));
        }
    };
    for (i, object) in state.objects.iter().enumerate() {
        if let semantics::ObjectKind::Global(_) = object.kind {
            let who = hands.iter().filter(|(_, hand)| hand.contains(i as u32)).map(|(thread, _)| 1 << thread.0);
            pending.push((ObjectId::from_usize(i), who.reduce(|a, b| a | b).unwrap_or(everybody)));
        }
    }
    for (id, thread) in state.thread_ids().zip(&state.threads) {
        let who = 1 << id.0;
        thread.frames.iter().flat_map(|frame| frame.locals.iter()).for_each(|value| add(*value, who, &mut pending));
        thread.specific.iter().for_each(|value| add(*value, who, &mut pending));
        for (routine, argument) in &thread.cleanup {
            add(*routine, who, &mut pending);
            add(*argument, who, &mut pending);
        }
        pending.extend(thread.thread_locals.iter().map(|(_, object)| (*object, who)));
        if thread.life == ThreadLife::Finished && !thread.joined {
            add(thread.result, everybody, &mut pending);
        }
    }
    while let Some((object, who)) = pending.pop() {
        let Some(known) = reach.get_mut(object.index()) else { continue };
        if *known | who == *known || state.object(object).life != Life::Live {
            continue;
        }
        *known |= who;
        let pointers = state.object(object).contents.pointers();
        pointers.for_each(|pointer| add(Value::Pointer(pointer), who, &mut pending));
    }
    reach
}
