//! The abstract state of one thread at a node: its variables, the memory that only it can reach or has privatised, its lockset, the
//! threads that may run.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::Program;

use crate::contents::Contents;
use crate::less::{self, Less, Order};
use crate::locks::{self, Condition, Lock, LockPlace, Locks};
use crate::map::Map;
use crate::replicas::{Bound, Replicas};
use crate::tables::{AbstractThread, Base, Phase, Tables};
use crate::value::{Symbol, Term, Value};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ThreadState {
    pub phase: Phase,
    /// Plain locals of all frames on the stack, by variable.
    pub variables: Map<Value>,
    /// Objects that only this thread can reach; before the first thread is created, all.
    pub memory: Map<Arc<Contents>>,
    pub locks: Locks,
    /// How many atomic sections it is at least in.
    pub sections: u8,
    /// Abstract threads of which threads that this one created, or those that they created, may still run.
    pub alive: Map<()>,
    /// Abstract threads that have surely ended.
    pub ended: Map<()>,
    /// What is known of abstract threads that this thread creates several of.
    pub replicas: Map<Replicas>,
    /// Variables that a term may mention, and where in memory such terms are.
    pub mentioned: Map<Mention>,
    /// Locals and blocks, by their own name, of which the newest may already be shared or have been given back.
    pub shared_locals: Map<()>,
    /// Globals that are in the memory of this thread although others can reach them: they cannot as long as it has them.
    pub privatised: Map<()>,
    /// Variables with a number that they took from a counter, which no other thread gets: the counter, and by how much it rose.
    pub taken: Map<(Base, i64)>,
    /// Globals that only rise, and how high this thread has seen them at least.
    pub seen: Map<i64>,
    pub order: Order,
    /// The variable that was loaded last with a handle in it, and the address it came from.
    pub loaded: Option<(u32, Term)>,
}

/// The objects whose contents may be known relative to a variable.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mention {
    Nowhere,
    In(Base),
    Anywhere,
}

impl Mention {
    fn join(self, other: Mention) -> Mention {
        match (self, other) {
            (Mention::Nowhere, mention) | (mention, Mention::Nowhere) => mention,
            (a, b) if a == b => a,
            _ => Mention::Anywhere,
        }
    }
}

impl ThreadState {
    pub fn new(phase: Phase) -> ThreadState {
        ThreadState {
            phase,
            variables: Map::new(),
            memory: Map::new(),
            locks: Locks::default(),
            sections: 0,
            alive: Map::new(),
            ended: Map::new(),
            replicas: Map::new(),
            mentioned: Map::new(),
            shared_locals: Map::new(),
            privatised: Map::new(),
            taken: Map::new(),
            seen: Map::new(),
            order: Order::default(),
            loaded: None,
        }
    }

    /// The phase follows from whether others may be alive.
    pub fn settle_phase(&mut self) {
        self.phase = match self.phase {
            Phase::Before => Phase::Before,
            _ if self.alive.is_empty() => Phase::Alone,
            _ => Phase::Among,
        };
    }

    pub fn join(&self, other: &ThreadState, tables: &Tables, program: &Program) -> ThreadState {
        self.combine(other, tables, program, Value::join)
    }

    pub fn widen(&self, next: &ThreadState, tables: &Tables, program: &Program, thresholds: &[i64]) -> ThreadState {
        let mut result = self.combine(next, tables, program, |a, b| a.widen(b, thresholds));
        // What still moves is given up.
        result.replicas = result.replicas.map_values(|abstract_thread, replicas| {
            let old = self.replicas.get(abstract_thread)?;
            let moves = old.arguments != replicas.arguments;
            let steady = moves && old.arguments.map(|a| a.below.symbol) == replicas.arguments.map(|a| a.below.symbol);
            steady.then_some(Replicas { arguments: None, ..*replicas })
        });
        let unchanged = |less: &Less| less::bound(&self.order, less.first, less.second) == Some(less.plus);
        result.order = Arc::new(result.order.iter().copied().filter(unchanged).collect());
        result
    }

    /// The number that is the value of a symbol, if it is known.
    fn worth(&self, symbol: Symbol) -> Option<i64> {
        let Symbol::Variable(variable) = symbol else { return None };
        let range = self.variables.get(variable)?.as_range()?;
        range.as_constant().map(|_| range.min_signed())
    }

    /// The least and the greatest that a symbol may be worth.
    fn extent(&self, symbol: Symbol) -> Option<(i64, i64)> {
        let Symbol::Variable(variable) = symbol else { return None };
        let range = self.variables.get(variable)?.as_range()?;
        Some((range.min_signed(), range.max_signed()))
    }

    fn knows(&self, less: &Less) -> bool {
        if let Some(plus) = less::bound(&self.order, less.first, less.second) {
            return plus <= less.plus;
        }
        let (first, second) = (self.extent(less.first), self.extent(less.second));
        first
            .zip(second)
            .is_some_and(|((_, most), (least, _))| i128::from(most) <= i128::from(least) + i128::from(less.plus))
    }

    /// Is the first surely not above the second?
    pub fn is_below(&self, first: Bound, second: Bound) -> bool {
        match (first.symbol, second.symbol) {
            (Some(a), Some(b)) if a == b => first.plus <= second.plus,
            (Some(a), Some(b)) => {
                let plus = second.plus.checked_sub(first.plus);
                plus.is_some_and(|plus| self.knows(&Less { first: a, second: b, plus }))
            }
            (None, None) => first.plus <= second.plus,
            (None, Some(b)) => self
                .extent(b)
                .is_some_and(|(least, _)| i128::from(first.plus) <= i128::from(least) + i128::from(second.plus)),
            (Some(a), None) => self
                .extent(a)
                .is_some_and(|(_, most)| i128::from(most) + i128::from(first.plus) <= i128::from(second.plus)),
        }
    }

    /// A comparison came out so: `first <= second + plus`. If they turn out to be equal, one is replaced by the other.
    pub fn learn(&mut self, new: Less) {
        if new.first == new.second {
            return;
        }
        for symbol in [new.first, new.second] {
            self.mention(Term::of(symbol));
        }
        less::add(&mut self.order, new);
        let back = Less { first: new.second, second: new.first, plus: -new.plus };
        if !self.knows(&back) {
            return;
        }
        // Variables are told by cells, and by variables that came before them.
        let (gone, stays, plus) = match (new.first, new.second) {
            (Symbol::Variable(a), Symbol::Variable(b)) if a < b => (new.second, new.first, -new.plus),
            (Symbol::Variable(_), _) => (new.first, new.second, new.plus),
            _ => (new.second, new.first, -new.plus),
        };
        let Symbol::Variable(variable) = gone else { return };
        let by = |term: Term| Term { symbol: stays, ..term }.plus(term.coefficient.checked_mul(plus)?);
        let at = self.mention_of(variable);
        self.replace(gone, by, None);
        self.mentioned.remove(variable);
        self.mention_in(Term::of(stays), at);
        if let Some(value) = self.variables.get(variable) {
            let value = Value { term: Term::of(stays).plus(plus), ..value.clone() };
            self.variables.insert(variable, value);
        }
    }

    fn combine(
        &self,
        other: &ThreadState,
        tables: &Tables,
        program: &Program,
        values: impl Fn(&Value, &Value) -> Value,
    ) -> ThreadState {
        let contents = |a: &Arc<Contents>, b: &Arc<Contents>| {
            if Arc::ptr_eq(a, b) || a == b { a.clone() } else { Arc::new(a.combine(b, tables, program, &values)) }
        };
        let (mine, theirs) = (|symbol| self.worth(symbol), |symbol| other.worth(symbol));
        debug_assert_eq!(self.privatised, other.privatised, "only states with the same globals privatised are joined");
        ThreadState {
            phase: self.phase,
            variables: self.variables.union(&other.variables, |_, a, b| values(a, b)),
            memory: self.memory.union(&other.memory, |_, a, b| contents(a, b)),
            locks: locks::meet(&self.locks, &other.locks),
            sections: self.sections.min(other.sections),
            alive: self.alive.union(&other.alive, |_, (), ()| ()),
            ended: self.ended.intersect(&other.ended, |_, (), ()| Some(())),
            replicas: self.replicas.union(&other.replicas, |_, a, b| a.join(b, &mine, &theirs)),
            mentioned: self.mentioned.union(&other.mentioned, |_, a, b| a.join(*b)),
            shared_locals: self.shared_locals.union(&other.shared_locals, |_, (), ()| ()),
            privatised: self.privatised.clone(),
            taken: self.taken.intersect(&other.taken, |_, a, b| (a == b).then_some(*a)),
            seen: self.seen.intersect(&other.seen, |_, a, b| Some(*a.min(b))),
            order: less::meet(&self.order, &other.order, |less| self.knows(less), |less| other.knows(less)),
            loaded: self.loaded.filter(|_| self.loaded == other.loaded),
        }
    }

    pub fn leq(&self, other: &ThreadState, tables: &Tables, program: &Program) -> bool {
        self.phase == other.phase
            && self.privatised == other.privatised
            && other.variables.includes(&self.variables, |_, theirs, mine| match (mine, theirs) {
                (Some(mine), Some(theirs)) => mine.leq(theirs),
                (mine, _) => mine.is_none(),
            })
            && other.memory.includes(&self.memory, |_, theirs, mine| match (mine, theirs) {
                (Some(mine), Some(theirs)) => Arc::ptr_eq(mine, theirs) || mine.leq(theirs, tables, program),
                (mine, _) => mine.is_none(),
            })
            && locks::leq(&self.locks, &other.locks)
            && self.sections >= other.sections
            && other.alive.includes(&self.alive, |_, theirs, mine| mine.is_none() || theirs.is_some())
            && other.ended.includes(&self.ended, |_, theirs, mine| theirs.is_none() || mine.is_some())
            && other.replicas.includes(&self.replicas, |_, theirs, mine| match (mine, theirs) {
                (Some(a), Some(b)) => a.leq(b, &|symbol| self.worth(symbol), &|symbol| other.worth(symbol)),
                (mine, _) => mine.is_none(),
            })
            && other.order.iter().all(|less| self.knows(less))
            && (other.loaded.is_none() || self.loaded == other.loaded)
            && other.taken.includes(&self.taken, |_, theirs, mine| theirs.is_none() || mine == theirs)
            && other.seen.includes(&self.seen, |_, theirs, mine| {
                theirs.is_none_or(|theirs| mine.is_some_and(|mine| theirs <= mine))
            })
            && other.mentioned.includes(&self.mentioned, |_, theirs, mine| match (mine, theirs) {
                (Some(mine), Some(theirs)) => mine.join(*theirs) == *theirs,
                (mine, _) => mine.is_none(),
            })
            && other.shared_locals.includes(&self.shared_locals, |_, theirs, mine| mine.is_none() || theirs.is_some())
    }

    /// May a thread of this abstract thread still run, for all that this one has created?
    pub fn may_be_alive(&self, tables: &Tables, abstract_thread: AbstractThread) -> bool {
        !self.alive.is_empty() && contains_line(tables, &self.alive, abstract_thread)
    }

    /// A term is known, but not in memory.
    pub fn mention(&mut self, term: Term) {
        self.mention_in(term, Mention::Nowhere);
    }

    pub fn mention_in(&mut self, term: Term, at: Mention) {
        if let Symbol::Variable(variable) = term.symbol {
            let old = self.mentioned.get(variable).copied();
            self.mentioned.insert(variable, old.map_or(at, |old| old.join(at)));
        }
    }

    /// Where in memory terms over the variable are.
    fn mention_of(&self, variable: u32) -> Mention {
        self.mentioned.get(variable).copied().unwrap_or(Mention::Nowhere)
    }

    /// A plain local takes a value. What was known relative to its old value is told relative to the new one, or to another variable
    /// with that value, or forgotten.
    pub fn assign(&mut self, variable: u32, mut value: Value) {
        let own = Symbol::Variable(variable);
        self.loaded = self.loaded.filter(|(loaded, _)| *loaded != variable);
        if self.mentioned.get(variable).is_some() {
            match value.term {
                Some(Term { base: None, coefficient: 1, symbol, offset: Some(by) }) if symbol == own => {
                    if !self.stays_within(variable, by) {
                        self.forget_bounds(own);
                    }
                    self.shift(own, by);
                }
                _ => self.forget(variable),
            }
        }
        value.term = value.term.filter(|term| term.symbol != own);
        if let Some(term) = value.term {
            self.mention(term);
        }
        self.variables.insert(variable, value);
    }

    /// `variable` is about to lose its value, or is dead: bounds on replicas over it become the number it is,
    /// if that is known.
    pub fn settle_bounds(&mut self, variable: u32) {
        if !self.replicas.is_empty()
            && let symbol = Symbol::Variable(variable)
            && let Some(worth) = self.worth(symbol)
        {
            self.replicas = self.replicas.map_values(|_, replicas| replicas.settled(symbol, worth));
        }
    }

    /// `variable` loses its value. If another variable has the same, that replaces it from now on.
    pub fn forget(&mut self, variable: u32) {
        self.settle_bounds(variable);
        let own = Symbol::Variable(variable);
        let same = |value: &Value| value.term.and_then(Term::as_symbol) == Some(own);
        let heir = self.variables.iter().find(|(other, value)| *other != variable && same(value)).map(|(v, _)| v);
        if let Some(heir) = heir {
            let mut value = self.variables.get(heir).cloned().unwrap_or_else(Value::nothing);
            value.term = None;
            self.variables.insert(heir, value);
            self.mention_in(Term::of(Symbol::Variable(heir)), self.mention_of(variable));
        }
        self.replace(own, |term| heir.map(|heir| Term { symbol: Symbol::Variable(heir), ..term }), heir);
        self.mentioned.remove(variable);
    }

    /// The variable takes over what is known relative to another, whose value it has got and which is not read any more.
    pub fn take_over(&mut self, from: u32, to: u32) {
        if let Some((variable, _)) = &mut self.loaded
            && *variable == from
        {
            *variable = to;
        }
        if self.mentioned.get(from).is_some() {
            self.replace(Symbol::Variable(from), |term| Some(Term { symbol: Symbol::Variable(to), ..term }), Some(to));
            let at = self.mention_of(from);
            self.mentioned.remove(from);
            self.mention_in(Term::of(Symbol::Variable(to)), at);
        }
        self.variables.remove(from);
    }

    /// Does adding this much not wrap?
    fn stays_within(&self, variable: u32, by: i64) -> bool {
        let Some(range) = self.variables.get(variable).and_then(Value::as_range) else { return false };
        let most = (1i128 << (range.bits() - 1)) - 1;
        let by = i128::from(by);
        i128::from(range.max_signed()) + by <= most && i128::from(range.min_signed()) + by >= -most - 1
    }

    /// Terms hold although sums wrap; bounds do not.
    fn forget_bounds(&mut self, symbol: Symbol) {
        self.replicas = self.replicas.map_values(|_, replicas| replicas.replaced(symbol, &|_| None));
        self.order = less::replaced(&self.order, symbol, &|_| None);
    }

    /// Whatever has the value of the symbol is narrowed: variables, and cells of privatised globals.
    pub fn narrow_alike(&mut self, symbol: Symbol, narrower: impl Fn(&Value) -> Value) {
        let is = |value: &Value| value.term.and_then(Term::as_symbol) == Some(symbol);
        if let Symbol::Variable(variable) = symbol {
            if self.mentioned.get(variable).is_none() {
                return;
            }
            if let Some(value) = self.variables.get(variable) {
                let value = narrower(value);
                self.variables.insert(variable, value);
            }
        }
        self.variables = self.variables.map_values(|_, value| is(value).then(|| narrower(value)));
        for (base, ()) in self.privatised.clone().iter() {
            let narrowed =
                self.memory.get(base).and_then(|contents| contents.map(|value| is(value).then(|| narrower(value))));
            if let Some(contents) = narrowed {
                self.memory.insert(base, Arc::new(contents));
            }
        }
    }

    /// The symbol's value grows: terms in the old one become terms in the new one.
    fn shift(&mut self, symbol: Symbol, by: i64) {
        let shifted = |term: Term| {
            let back = term.coefficient.checked_mul(by)?.checked_neg()?;
            term.plus(back)
        };
        self.replace(symbol, shifted, None);
    }

    /// Every term over a symbol becomes another one or is dropped; conditions on it move to `heir`.
    fn replace(&mut self, symbol: Symbol, change: impl Fn(Term) -> Option<Term>, heir: Option<u32>) {
        let renew = |value: &Value| {
            let term = value.term.filter(|term| term.symbol == symbol)?;
            Some(Value { term: change(term), ..value.clone() })
        };
        self.variables = self.variables.map_values(|_, value| renew(value));
        let at = match symbol {
            Symbol::Variable(variable) => self.mention_of(variable),
            _ => Mention::Anywhere,
        };
        match at {
            Mention::Nowhere => {}
            Mention::In(base) => {
                if let Some(contents) = self.memory.get(base.0).and_then(|contents| contents.map(renew)) {
                    self.memory.insert(base.0, Arc::new(contents));
                }
            }
            Mention::Anywhere => {
                self.memory = self.memory.map_values(|_, contents| contents.map(renew).map(Arc::new));
            }
        }
        if self.locks.iter().any(|lock| lock.mentions(symbol)) {
            locks::map(&mut self.locks, |lock| renew_lock(lock, symbol, &change, heir));
        }
        self.replicas = self.replicas.map_values(|_, replicas| replicas.replaced(symbol, &change));
        if let Symbol::Variable(variable) = symbol
            && let Some(taken) = self.taken.get(variable).copied()
        {
            // Moved by a number, it is another one than the others' as before; that is told by terms.
            let next = change(Term::of(symbol)).filter(|term| term.as_symbol().is_some());
            self.taken.remove(variable);
            if let Some(Term { symbol: Symbol::Variable(next), .. }) = next {
                self.taken.insert(next, taken);
                self.mention(Term::of(Symbol::Variable(next)));
            }
        }
        if less::mentions(&self.order, symbol) {
            self.order = less::replaced(&self.order, symbol, &change);
        }
        if let Some((variable, term)) = self.loaded {
            let moved = if Symbol::Variable(variable) == symbol { heir } else { Some(variable) };
            let term = if term.symbol == symbol { change(term) } else { Some(term) };
            self.loaded = moved.zip(term);
        }
    }

    /// Objects under other names.
    pub fn rename(&mut self, names: &BTreeMap<Base, Base>, tables: &Tables, program: &Program) {
        self.variables = self.variables.map_values(|_, value| value.renamed(names));
        self.memory = self.memory.map_values(|_, contents| contents.renamed(names).map(Arc::new));
        self.locks = locks::renamed(&self.locks, names, |base| tables.is_single(program, base));
        self.loaded = self.loaded.map(|(variable, term)| (variable, term.renamed(names)));
        self.replicas = self.replicas.map_values(|_, replicas| replicas.renamed(names));
        self.mentioned = self.mentioned.map_values(|_, mention| match mention {
            Mention::In(base) => names.get(base).map(|base| Mention::In(*base)),
            _ => None,
        });
    }
}

fn renew_lock(lock: &Lock, symbol: Symbol, change: &impl Fn(Term) -> Option<Term>, heir: Option<u32>) -> Option<Lock> {
    let mut lock = lock.clone();
    if let LockPlace::Relative(term) = lock.name.place
        && term.symbol == symbol
    {
        lock.name.place = LockPlace::Relative(change(term)?);
    }
    if let Some(condition) = lock.condition
        && Symbol::Variable(condition.variable) == symbol
    {
        lock.condition = Some(Condition { variable: heir?, ..condition });
    }
    Some(lock)
}

/// Does a set of abstract threads contain this one, or one that creates it?
pub fn contains_line(tables: &Tables, abstract_threads: &Map<()>, abstract_thread: AbstractThread) -> bool {
    tables.ancestors(abstract_thread).iter().any(|ancestor| abstract_threads.get(ancestor.0).is_some())
}
