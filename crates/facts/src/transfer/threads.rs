//! Threads begin, end and wait for each other.

use std::collections::BTreeMap;
use std::rc::Rc;

use program::{LocalId, ThreadOp};

use super::sync::EDEADLK;
use super::{AT_END, Step, copied, enter_function};
use crate::analysis::{Again, Analysis, Shape};
use crate::contents::{Contents, Fill};
use crate::crowd::{Arguments, Bound, Crowd, Handles};
use crate::eval::plain_type;
use crate::guard::globals;
use crate::offsets::Offsets;
use crate::state::State;
use crate::tables::{Base, Created, Crew, Phase, Role, Thing};
use crate::value::{Number, Symbol, Term, Value};

/// Where the handlers' routines and their arguments are kept.
const ROUTINE: Offsets = Offsets { lo: 0, hi: 0, stride: 0 };
const HANDLER_ARGUMENT: Offsets = Offsets { lo: 8, hi: 8, stride: 0 };

/// A thread of the crew begins. What it gets is known to the crew, but for what the first thread of all begins with.
pub(crate) fn start_thread(analysis: &mut Analysis<'_>, crew: Crew, mut state: State) {
    let program = analysis.program;
    let root = analysis.tables.crews[crew].root;
    for (id, global) in program.globals.iter_enumerated() {
        if global.thread_local {
            let own = analysis.tables.intern(Thing::ThreadLocal(crew, id, Role::Own));
            state.memory.insert(own.0, Rc::new(Contents::new(Fill::Image(id))));
        }
    }
    for thing in [Thing::Keys(crew), Thing::Handlers(crew)] {
        let base = analysis.tables.intern(thing);
        state.memory.insert(base.0, Rc::new(Contents::new(Fill::Zero)));
    }
    let facts = analysis.crew(crew);
    let body = &program.functions[analysis.tables.crews[crew].entry];
    let mut step = Step { analysis, instance: root, id: AT_END, state };
    let function = step.analysis.tables.instances[root].function;
    for local in step.analysis.tables.shapes[function].liveness.at_entry().to_vec() {
        let ty = plain_type(body, local);
        let value = match body.params.first() {
            Some(first) if *first == local => Value { term: facts.shape.term(crew), ..facts.argument.clone() },
            _ => Value::input(ty),
        };
        step.assign(local, value);
    }
    let state = step.state;
    analysis.flow(root, body.entry, state);
}

/// Clean-up handlers and destructors run when a thread ends; behind each it ends again.
pub(crate) fn finish_thread(analysis: &mut Analysis<'_>, crew: Crew, state: &Rc<State>) {
    let root = analysis.tables.crews[crew].root;
    let (program, word) = (analysis.program, analysis.program.machine.word());
    let read = |analysis: &Analysis<'_>, thing: Thing, at: Offsets| {
        let base = analysis.tables.find(thing)?;
        let contents = state.memory.get(base.0)?;
        Some(contents.read(&analysis.tables, program, at, word))
    };
    let handlers = read(analysis, Thing::Handlers(crew), ROUTINE);
    let handed = read(analysis, Thing::Handlers(crew), HANDLER_ARGUMENT);
    let all = Offsets::steps(i64::from(u16::MAX) * 8, 8);
    let kept = read(analysis, Thing::Keys(crew), all);
    let destructors = analysis.solution.destructors.clone();
    for (routines, value) in [(handlers, handed), (Some(destructors), kept)] {
        let (Some(routines), Some(value)) = (routines, value) else { continue };
        let mut step = Step { analysis, instance: root, id: AT_END, state: (**state).clone() };
        let routines = step.reach(&routines);
        for function in step.functions_of(&routines) {
            let value = Value { number: Value::top(word).number, ..value.clone() };
            let _ = enter_function(step.analysis, (root, AT_END), function, &[value], (**state).clone());
        }
    }
}

impl Step<'_, '_> {
    pub fn thread_op(&mut self, op: &ThreadOp) -> Option<()> {
        match op {
            ThreadOp::Create { .. } => self.create(op)?,
            ThreadOp::Join { thread, value, to } => {
                let handle = self.value(*thread)?;
                let handle = self.reach(&handle);
                let from = copied(self.function(), *thread).map(|l| self.analysis.tables.variable(self.instance, l));
                let from = self.state.loaded.filter(|(variable, _)| Some(*variable) == from).map(|(_, from)| from);
                self.join(&handle, from, *value, *to)?;
            }
            ThreadOp::Detach { to, .. } => self.assign_int(*to, &[0]),
            ThreadOp::Exit { value } => {
                let value = self.value(*value)?;
                self.end_thread(Some(value));
                return None;
            }
            ThreadOp::Current { to } => {
                let crew = self.crew();
                let base = self.analysis.tables.intern(Thing::Thread(crew));
                self.assign(*to, Value::pointer(base, Offsets::ZERO));
            }
            ThreadOp::CleanupPush { routine, arg } => {
                let (routine, arg) = (self.value(*routine)?, self.value(*arg)?);
                self.keep(Thing::Handlers(self.crew()), ROUTINE, &routine);
                self.keep(Thing::Handlers(self.crew()), HANDLER_ARGUMENT, &arg);
            }
            ThreadOp::CleanupPop { routine, arg } => {
                let kept = self.kept(Thing::Handlers(self.crew()), ROUTINE);
                self.assign(*routine, kept);
                let kept = self.kept(Thing::Handlers(self.crew()), HANDLER_ARGUMENT);
                self.assign(*arg, kept);
            }
            ThreadOp::KeyCreate { destructor, to } => {
                let destructor = self.value(*destructor)?;
                self.analysis.add_destructor(&destructor);
                let ty = plain_type(self.function(), *to);
                self.assign(*to, Value::range(crate::range::Range::signed(ty.bits(), 0, i64::from(u16::MAX))));
            }
            ThreadOp::KeyDelete { .. } => {}
            ThreadOp::KeySet { key, value } => {
                let (key, value) = (self.value(*key)?, self.value(*value)?);
                self.keep(Thing::Keys(self.crew()), slots(&key), &value);
            }
            ThreadOp::KeyGet { key, to } => {
                let key = self.value(*key)?;
                let kept = self.kept(Thing::Keys(self.crew()), slots(&key));
                self.assign(*to, kept);
            }
            _ => self.sync_op(op)?,
        }
        Some(())
    }

    pub fn crew(&self) -> Crew {
        self.analysis.tables.instances[self.instance].crew
    }

    fn keep(&mut self, thing: Thing, at: Offsets, value: &Value) {
        let base = self.analysis.tables.intern(thing);
        let Some(contents) = self.state.memory.get(base.0) else { return };
        let mut contents = (**contents).clone();
        let word = self.program().machine.word();
        let value = Value { term: None, ..value.clone() };
        contents.write_weakly(&self.analysis.tables, self.analysis.program, at, word, &value);
        self.state.memory.insert(base.0, Rc::new(contents));
    }

    fn kept(&mut self, thing: Thing, at: Offsets) -> Value {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let contents = tables.find(thing).and_then(|base| self.state.memory.get(base.0));
        let word = program.machine.word();
        contents.map_or_else(|| Value::top(word), |contents| contents.read(tables, program, at, word))
    }

    fn create(&mut self, op: &ThreadOp) -> Option<()> {
        let ThreadOp::Create { handle, entry, arg, to, .. } = op else { return None };
        let functions = {
            let entry = self.value(*entry)?;
            let entry = self.reach(&entry);
            self.functions_of(&entry)
        };
        let creator = self.crew();
        let mut crews = Vec::new();
        for function in functions {
            match self.analysis.tables.crew(self.analysis.program, self.instance, self.id, function) {
                Created::Crew(crew) => crews.push(crew),
                Created::Repeated(function, edge) => {
                    self.analysis.again = Some(Again::Repeated(function, edge));
                    return None;
                }
            }
        }
        // The handle is there before the thread runs.
        let mut handles = Value::nothing();
        for crew in &crews {
            let base = self.analysis.tables.intern(Thing::Thread(*crew));
            handles = handles.join(&Value::pointer(base, Offsets::ZERO));
        }
        let before = self.state.crowds.clone();
        let address = self.value(handle.address)?;
        self.store_value(handle, handles, false)?;
        let argument = self.value(*arg)?;
        let mut shapes = Vec::new();
        for crew in &crews {
            let old = before.get(crew.0).copied();
            let handles = self.handles(*crew, old, &address).filter(|_| crews.len() == 1);
            let (shape, arguments) = self.shape(*crew, &argument);
            shapes.push(shape);
            // One thread is no crowd.
            if !self.analysis.tables.crews[*crew].once {
                self.state.crowds.insert(crew.0, Crowd { arguments, handles });
            }
            for term in [address.term, argument.term].into_iter().flatten() {
                self.state.mention(term);
            }
        }
        let names = self.share_with_threads(&argument);
        let argument = Value { term: None, ..self.value(*arg)? };
        let before = self.state.alive.clone();
        let many = self.analysis.crew(creator).many;
        for (crew, shape) in crews.iter().zip(shapes) {
            let tables = &self.analysis.tables;
            // What an earlier one left behind counts: it may run with this one and with what this one creates.
            let creates = tables.crews[*crew].creates;
            let left = creates && before.iter().any(|(alive, ())| tables.is_ancestor(*crew, Crew(alive)));
            let again = left || many || self.state.may_be_alive(tables, *crew) || tables.is_recursive_crew(*crew);
            let ended = self.state.ended.clone();
            // Of several creators each counts on its own.
            let alone = !many && !self.analysis.tables.is_recursive_crew(*crew);
            let shape = shape.renamed(&names);
            let shape = if alone || shape == Shape::Objects { shape } else { Shape::Unknown };
            self.analysis.change_crew(*crew, |facts| {
                facts.argument = facts.argument.join(&argument);
                facts.shape = facts.shape.join(shape);
                facts.ended = Some(match &facts.ended {
                    None => ended,
                    Some(old) => old.intersect(&ended, |_, (), ()| Some(())),
                });
                facts.alive_before = facts.alive_before.union(&before, |_, (), ()| ());
                facts.many |= again;
            });
        }
        for crew in crews {
            self.state.alive.insert(crew.0, ());
            let mut state = State::new(Phase::Among);
            state.ended = self.analysis.crew(crew).ended.unwrap_or_default();
            start_thread(self.analysis, crew, state);
        }
        self.state.phase = Phase::Among;
        self.assign_int(*to, &[0]);
        Some(())
    }

    /// Before a thread runs, everything that it can reach must be known as shared.
    fn share_with_threads(&mut self, argument: &Value) -> BTreeMap<Base, Base> {
        let mut roots: Vec<_> = argument.pointers.iter().map(|(base, _)| *base).collect();
        if self.state.phase == Phase::Before {
            roots.extend(globals(self.program()).chain([Base::INDETERMINATE]));
            self.analysis.exposed();
            roots.extend(self.analysis.solution.exposed_own(&self.analysis.tables, &self.state));
            self.state.phase = Phase::Among;
        }
        self.share_all(roots)
    }

    /// How this argument differs from those that threads of the crew got before.
    fn shape(&self, crew: Crew, argument: &Value) -> (Shape, Option<Arguments>) {
        let fresh = |(base, _)| {
            matches!(self.analysis.tables.thing(base), Thing::Block(.., Role::Own))
                && self.state.memory.get(base.0).is_some()
                && !self.analysis.tables.is_single(self.program(), base)
        };
        if argument.number == Number::None && argument.place().is_some_and(fresh) {
            return (Shape::Objects, None);
        }
        let (shape, arguments) = self.numbered(crew, argument).unzip();
        (shape.unwrap_or(Shape::Unknown), arguments)
    }

    /// Where the handles of the crew's threads are, with the one that is created now.
    fn handles(&self, crew: Crew, old: Option<Crowd>, address: &Value) -> Option<Handles> {
        let Term { base: Some(base), coefficient, symbol, offset: Some(offset) } = address.term? else { return None };
        let Symbol::Variable(variable) = symbol else { return None };
        // Handles that overlap are not there any more when the next one is.
        (coefficient.unsigned_abs() >= self.program().machine.pointer_bytes()).then_some(())?;
        let now = Bound::of(symbol, 0);
        let from = if self.state.may_be_alive(&self.analysis.tables, crew) {
            let old = old?.handles?;
            let same = old.base == base && old.coefficient == coefficient && old.offset == offset;
            let next = self.state.is_below(old.to, now) && self.state.is_below(now, old.to);
            (same && next).then_some(old.from)?
        } else {
            let index = self.state.variables.get(variable)?.as_range()?;
            index.as_constant().map_or(now, |_| Bound::constant(index.min_signed()))
        };
        Some(Handles { base, coefficient, offset, from, to: Bound::of(symbol, 1) })
    }

    fn numbered(&self, crew: Crew, argument: &Value) -> Option<(Shape, Arguments)> {
        let Term { base, coefficient, symbol, offset } = argument.term?;
        let Symbol::Variable(_) = symbol else { return None };
        let offset = offset?;
        let below = match self.state.crowds.get(crew.0) {
            None => true,
            Some(Crowd { arguments: None, .. }) => false,
            Some(Crowd { arguments: Some(old), .. }) => {
                let same = old.base == base && old.coefficient == coefficient && old.offset == offset;
                same && self.state.is_below(old.below, Bound::of(symbol, 0))
            }
        };
        below.then_some((
            Shape::Numbers { base, coefficient, offset },
            Arguments { base, coefficient, offset, below: Bound::of(symbol, 1) },
        ))
    }

    fn join(&mut self, thread: &Value, from: Option<Term>, value: LocalId, to: LocalId) -> Option<()> {
        let crew = |base| match self.analysis.tables.thing(base) {
            Thing::Thread(crew) => Some(crew),
            _ => None,
        };
        let crews: Vec<Crew> = thread.pointers.iter().filter_map(|(base, _)| crew(*base)).collect();
        let mut result = Value::nothing();
        let mut ends = Vec::new();
        for crew in &crews {
            let facts = self.analysis.crew(*crew);
            if let Some(end) = &facts.end {
                result = result.join(&facts.result);
                ends.push((*crew, facts.many, end.clone()));
            }
        }
        // Who joins itself is told so at once.
        let is_self = crews.contains(&self.crew());
        if is_self {
            result = result.join(&Value::top(self.program().machine.word()));
        } else if ends.is_empty() {
            return None;
        }
        match (&crews[..], &ends[..]) {
            _ if is_self => {}
            ([_], [(crew, false, _)]) => self.have_ended(*crew),
            ([_], [(crew, true, _)]) => self.one_of_many(*crew, from),
            _ => {}
        }
        self.assign(value, result);
        self.assign_int(to, &[0, EDEADLK]);
        self.end_crowds();
        Some(())
    }

    /// All threads of the crew that this thread created have ended.
    fn have_ended(&mut self, crew: Crew) {
        let Some(end) = self.analysis.crew(crew).end else { return };
        self.state.alive.remove(crew.0);
        self.state.alive = self.state.alive.union(&end.alive, |_, (), ()| ());
        if self.analysis.tables.crews[crew].once {
            self.state.ended.insert(crew.0, ());
        }
        self.state.crowds.remove(crew.0);
        self.state.settle_phase();
    }

    /// A thread of which the handle was at this address has ended. If it was the first of those that may run, the next one is now.
    fn one_of_many(&mut self, crew: Crew, from: Option<Term>) {
        let Some(crowd) = self.state.crowds.get(crew.0).copied() else { return };
        let (Some(handles), Some(term)) = (crowd.handles, from) else { return };
        let same = Some(handles.base) == term.base
            && handles.coefficient == term.coefficient
            && Some(handles.offset) == term.offset
            && self.keeps_handles(crew, handles.base);
        let now = Bound::of(term.symbol, 0);
        let first = self.state.is_below(handles.from, now) && self.state.is_below(now, handles.from);
        if same && first {
            let handles = Handles { from: Bound::of(term.symbol, 1), ..handles };
            self.state.mention(term);
            self.state.crowds.insert(crew.0, Crowd { handles: Some(handles), ..crowd });
        }
    }

    /// Does nobody but who creates threads of the crew write to the object?
    fn keeps_handles(&mut self, crew: Crew, base: Base) -> bool {
        if self.state.memory.get(base.0).is_some() {
            return true;
        }
        let created = self.analysis.tables.crews[crew].created;
        self.analysis.all_writers(base, |writer| Some(writer) == created)
    }

    /// Crews of which all handles have been joined have ended.
    pub fn end_crowds(&mut self) {
        let over = |crowd: &Crowd| crowd.handles.is_some_and(|handles| self.state.is_below(handles.to, handles.from));
        let ended: Vec<_> =
            self.state.crowds.iter().filter(|(_, crowd)| over(crowd)).map(|(crew, _)| Crew(crew)).collect();
        for crew in ended {
            self.have_ended(crew);
        }
    }

    /// The running thread ends; who joins it gets the value.
    pub fn end_thread(&mut self, value: Option<Value>) {
        let crew = self.crew();
        self.give_back(|_, _| false);
        let value = value.unwrap_or_else(|| Value::constant(self.program().machine.word(), 0));
        let names = self.share(&value);
        let value = value.renamed(&names).unwrap_or(value);
        let value = Value { term: None, ..value };
        self.analysis.change_crew(crew, |facts| facts.result = facts.result.join(&value));
        let mut state = self.state.clone();
        // Nothing of the frames is left but what handlers and destructors were given.
        state.variables = crate::map::Map::new();
        self.analysis.end(crew, state);
    }
}

/// Where the value of a key is kept.
fn slots(key: &Value) -> Offsets {
    let most = i64::from(u16::MAX);
    let last = key.as_range().map_or(most, |range| range.max_signed().clamp(1, most));
    Offsets::steps(last * 8, 8)
}
