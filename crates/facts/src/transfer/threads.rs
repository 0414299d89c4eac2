//! Creation, end and join of threads: what may happen in parallel from then on.

use std::collections::BTreeMap;
use std::sync::Arc;

use program::{LocalId, ThreadOp};

use super::sync::EDEADLK;
use super::{AT_END, Step, copied, enter_function};
use crate::analysis::{Again, Analysis, ArgumentShape};
use crate::contents::{Contents, Fill};
use crate::eval::plain_type;
use crate::guard::globals;
use crate::offsets::Offsets;
use crate::replicas::{Arguments, Bound, Handles, Replicas};
use crate::state::ThreadState;
use crate::tables::{AbstractObject, AbstractThread, Base, Created, Phase, Role};
use crate::value::{Number, Symbol, Term, Value};

/// Where the handlers' routines and their arguments are kept.
const ROUTINE: Offsets = Offsets { lo: 0, hi: 0, stride: 0 };
const HANDLER_ARGUMENT: Offsets = Offsets { lo: 8, hi: 8, stride: 0 };

/// A thread of the abstract thread begins. What it gets is known to the abstract thread, but for what the first thread of all begins with.
pub(crate) fn start_thread(analysis: &mut Analysis<'_>, abstract_thread: AbstractThread, mut state: ThreadState) {
    let program = analysis.program;
    let root = analysis.tables.abstract_threads[abstract_thread].root;
    for (id, global) in program.globals.iter_enumerated() {
        if global.thread_local {
            let own = analysis.tables.intern(AbstractObject::ThreadLocal(abstract_thread, id, Role::Own));
            state.memory.insert(own.0, Arc::new(Contents::new(Fill::Image(id))));
        }
    }
    for abstract_object in [AbstractObject::Keys(abstract_thread), AbstractObject::Handlers(abstract_thread)] {
        let base = analysis.tables.intern(abstract_object);
        state.memory.insert(base.0, Arc::new(Contents::new(Fill::Zero)));
    }
    let facts = analysis.abstract_thread(abstract_thread);
    let body = &program.functions[analysis.tables.abstract_threads[abstract_thread].entry];
    let mut step = Step { analysis, call_string: root, id: AT_END, state };
    let function = step.analysis.tables.call_strings[root].function;
    for local in step.analysis.tables.shapes[function].liveness.at_entry().to_vec() {
        let ty = plain_type(body, local);
        let value = match body.params.first() {
            Some(first) if *first == local => {
                Value { term: facts.shape.term(abstract_thread), ..facts.argument.clone() }
            }
            _ => Value::input(ty),
        };
        step.assign(local, value);
    }
    let state = step.state;
    analysis.flow(root, body.entry, state);
}

/// Clean-up handlers and destructors run when a thread ends; behind each it ends again.
pub(crate) fn finish_thread(analysis: &mut Analysis<'_>, abstract_thread: AbstractThread, state: &Arc<ThreadState>) {
    let root = analysis.tables.abstract_threads[abstract_thread].root;
    let (program, word) = (analysis.program, analysis.program.machine.word());
    let read = |analysis: &Analysis<'_>, abstract_object: AbstractObject, at: Offsets| {
        let base = analysis.tables.find(abstract_object)?;
        let contents = state.memory.get(base.0)?;
        Some(contents.read(&analysis.tables, program, at, word))
    };
    let handlers = read(analysis, AbstractObject::Handlers(abstract_thread), ROUTINE);
    let handed = read(analysis, AbstractObject::Handlers(abstract_thread), HANDLER_ARGUMENT);
    let all = Offsets::steps(i64::from(u16::MAX) * 8, 8);
    let kept = read(analysis, AbstractObject::Keys(abstract_thread), all);
    let destructors = analysis.solution.destructors.clone();
    for (routines, value) in [(handlers, handed), (Some(destructors), kept)] {
        let (Some(routines), Some(value)) = (routines, value) else { continue };
        let mut step = Step { analysis, call_string: root, id: AT_END, state: (**state).clone() };
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
                let from = copied(self.function(), *thread).map(|l| self.analysis.tables.variable(self.call_string, l));
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
                let abstract_thread = self.abstract_thread();
                let base = self.analysis.tables.intern(AbstractObject::Thread(abstract_thread));
                self.assign(*to, Value::pointer(base, Offsets::ZERO));
            }
            ThreadOp::CleanupPush { routine, arg } => {
                let (routine, arg) = (self.value(*routine)?, self.value(*arg)?);
                self.keep(AbstractObject::Handlers(self.abstract_thread()), ROUTINE, &routine);
                self.keep(AbstractObject::Handlers(self.abstract_thread()), HANDLER_ARGUMENT, &arg);
            }
            ThreadOp::CleanupPop { routine, arg } => {
                let kept = self.kept(AbstractObject::Handlers(self.abstract_thread()), ROUTINE);
                self.assign(*routine, kept);
                let kept = self.kept(AbstractObject::Handlers(self.abstract_thread()), HANDLER_ARGUMENT);
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
                self.keep(AbstractObject::Keys(self.abstract_thread()), slots(&key), &value);
            }
            ThreadOp::KeyGet { key, to } => {
                let key = self.value(*key)?;
                let kept = self.kept(AbstractObject::Keys(self.abstract_thread()), slots(&key));
                self.assign(*to, kept);
            }
            _ => self.sync_op(op)?,
        }
        Some(())
    }

    pub fn abstract_thread(&self) -> AbstractThread {
        self.analysis.tables.call_strings[self.call_string].abstract_thread
    }

    fn keep(&mut self, abstract_object: AbstractObject, at: Offsets, value: &Value) {
        let base = self.analysis.tables.intern(abstract_object);
        let Some(contents) = self.state.memory.get(base.0) else { return };
        let mut contents = (**contents).clone();
        let word = self.program().machine.word();
        let value = Value { term: None, ..value.clone() };
        contents.write_weakly(&self.analysis.tables, self.analysis.program, at, word, &value);
        self.state.memory.insert(base.0, Arc::new(contents));
    }

    fn kept(&mut self, abstract_object: AbstractObject, at: Offsets) -> Value {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let contents = tables.find(abstract_object).and_then(|base| self.state.memory.get(base.0));
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
        let creator = self.abstract_thread();
        let mut abstract_threads = Vec::new();
        for function in functions {
            match self.analysis.tables.abstract_thread(self.analysis.program, self.call_string, self.id, function) {
                Created::AbstractThread(abstract_thread) => abstract_threads.push(abstract_thread),
                Created::Repeated(function, edge) => {
                    self.analysis.again = Some(Again::Repeated(function, edge));
                    return None;
                }
            }
        }
        // The handle is there before the thread runs.
        let mut handles = Value::nothing();
        for abstract_thread in &abstract_threads {
            let base = self.analysis.tables.intern(AbstractObject::Thread(*abstract_thread));
            handles = handles.join(&Value::pointer(base, Offsets::ZERO));
        }
        let before = self.state.replicas.clone();
        let address = self.value(handle.address)?;
        self.store_value(handle, handles, false)?;
        let argument = self.value(*arg)?;
        let mut shapes = Vec::new();
        for abstract_thread in &abstract_threads {
            let old = before.get(abstract_thread.0).copied();
            let handles = self.handles(*abstract_thread, old, &address).filter(|_| abstract_threads.len() == 1);
            let (shape, arguments) = self.shape(*abstract_thread, &argument);
            shapes.push(shape);
            // One thread has no replicas.
            if !self.analysis.tables.abstract_threads[*abstract_thread].once {
                self.state.replicas.insert(abstract_thread.0, Replicas { arguments, handles });
            }
            for term in [address.term, argument.term].into_iter().flatten() {
                self.state.mention(term);
            }
        }
        let names = self.share_with_threads(&argument);
        let argument = Value { term: None, ..self.value(*arg)? };
        let before = self.state.alive.clone();
        let many = self.analysis.abstract_thread(creator).many;
        for (abstract_thread, shape) in abstract_threads.iter().zip(shapes) {
            let tables = &self.analysis.tables;
            // What an earlier one left behind counts: it may run with this one and with what this one creates.
            let creates = tables.abstract_threads[*abstract_thread].creates;
            let left =
                creates && before.iter().any(|(alive, ())| tables.is_ancestor(*abstract_thread, AbstractThread(alive)));
            let again = left
                || many
                || self.state.may_be_alive(tables, *abstract_thread)
                || tables.is_recursive_thread(*abstract_thread);
            let ended = self.state.ended.clone();
            // Of several creators each counts on its own.
            let alone = !many && !self.analysis.tables.is_recursive_thread(*abstract_thread);
            let shape = shape.renamed(&names);
            let shape = if alone || shape == ArgumentShape::Objects { shape } else { ArgumentShape::Unknown };
            self.analysis.update_abstract_thread(*abstract_thread, |facts| {
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
        for abstract_thread in abstract_threads {
            self.state.alive.insert(abstract_thread.0, ());
            let mut state = ThreadState::new(Phase::Among);
            state.ended = self.analysis.abstract_thread(abstract_thread).ended.unwrap_or_default();
            start_thread(self.analysis, abstract_thread, state);
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

    /// How this argument differs from those that threads of the abstract thread got before.
    fn shape(&self, abstract_thread: AbstractThread, argument: &Value) -> (ArgumentShape, Option<Arguments>) {
        let fresh = |(base, _)| {
            matches!(self.analysis.tables.abstract_object(base), AbstractObject::Block(.., Role::Own))
                && self.state.memory.get(base.0).is_some()
                && !self.analysis.tables.is_single(self.program(), base)
        };
        if argument.number == Number::None && argument.place().is_some_and(fresh) {
            return (ArgumentShape::Objects, None);
        }
        let (shape, arguments) = self.numbered(abstract_thread, argument).unzip();
        (shape.unwrap_or(ArgumentShape::Unknown), arguments)
    }

    /// Where the handles of the abstract thread's threads are, with the one that is created now.
    fn handles(&self, abstract_thread: AbstractThread, old: Option<Replicas>, address: &Value) -> Option<Handles> {
        let Term { base: Some(base), coefficient, symbol, offset: Some(offset) } = address.term? else { return None };
        let Symbol::Variable(variable) = symbol else { return None };
        // Handles that overlap are not there any more when the next one is.
        (coefficient.unsigned_abs() >= self.program().machine.pointer_bytes()).then_some(())?;
        let now = Bound::of(symbol, 0);
        let from = if self.state.may_be_alive(&self.analysis.tables, abstract_thread) {
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

    fn numbered(&self, abstract_thread: AbstractThread, argument: &Value) -> Option<(ArgumentShape, Arguments)> {
        let Term { base, coefficient, symbol, offset } = argument.term?;
        let Symbol::Variable(_) = symbol else { return None };
        let offset = offset?;
        let below = match self.state.replicas.get(abstract_thread.0) {
            None => true,
            Some(Replicas { arguments: None, .. }) => false,
            Some(Replicas { arguments: Some(old), .. }) => {
                let same = old.base == base && old.coefficient == coefficient && old.offset == offset;
                same && self.state.is_below(old.below, Bound::of(symbol, 0))
            }
        };
        below.then_some((
            ArgumentShape::Numbers { base, coefficient, offset },
            Arguments { base, coefficient, offset, below: Bound::of(symbol, 1) },
        ))
    }

    fn join(&mut self, thread: &Value, from: Option<Term>, value: LocalId, to: LocalId) -> Option<()> {
        let abstract_thread = |base| match self.analysis.tables.abstract_object(base) {
            AbstractObject::Thread(abstract_thread) => Some(abstract_thread),
            _ => None,
        };
        let abstract_threads: Vec<AbstractThread> =
            thread.pointers.iter().filter_map(|(base, _)| abstract_thread(*base)).collect();
        let mut result = Value::nothing();
        let mut ends = Vec::new();
        for abstract_thread in &abstract_threads {
            let facts = self.analysis.abstract_thread(*abstract_thread);
            if let Some(end) = &facts.end {
                result = result.join(&facts.result);
                ends.push((*abstract_thread, facts.many, end.clone()));
            }
        }
        // Who joins itself is told so at once.
        let is_self = abstract_threads.contains(&self.abstract_thread());
        if is_self {
            result = result.join(&Value::top(self.program().machine.word()));
        } else if ends.is_empty() {
            return None;
        }
        match (&abstract_threads[..], &ends[..]) {
            _ if is_self => {}
            ([_], [(abstract_thread, false, _)]) => self.have_ended(*abstract_thread),
            ([_], [(abstract_thread, true, _)]) => self.one_of_many(*abstract_thread, from),
            _ => {}
        }
        self.assign(value, result);
        self.assign_int(to, &[0, EDEADLK]);
        self.end_crowds();
        Some(())
    }

    /// All threads of the abstract thread that this thread created have ended.
    fn have_ended(&mut self, abstract_thread: AbstractThread) {
        let Some(end) = self.analysis.abstract_thread(abstract_thread).end else { return };
        self.state.alive.remove(abstract_thread.0);
        self.state.alive = self.state.alive.union(&end.alive, |_, (), ()| ());
        if self.analysis.tables.abstract_threads[abstract_thread].once {
            self.state.ended.insert(abstract_thread.0, ());
        }
        self.state.replicas.remove(abstract_thread.0);
        self.state.settle_phase();
    }

    /// A thread of which the handle was at this address has ended. If it was the first of those that may run, the next one is now.
    fn one_of_many(&mut self, abstract_thread: AbstractThread, from: Option<Term>) {
        let Some(replicas) = self.state.replicas.get(abstract_thread.0).copied() else { return };
        let (Some(handles), Some(term)) = (replicas.handles, from) else { return };
        let same = Some(handles.base) == term.base
            && handles.coefficient == term.coefficient
            && Some(handles.offset) == term.offset
            && self.keeps_handles(abstract_thread, handles.base);
        let now = Bound::of(term.symbol, 0);
        let first = self.state.is_below(handles.from, now) && self.state.is_below(now, handles.from);
        if same && first {
            let handles = Handles { from: Bound::of(term.symbol, 1), ..handles };
            self.state.mention(term);
            self.state.replicas.insert(abstract_thread.0, Replicas { handles: Some(handles), ..replicas });
        }
    }

    /// Does no thread but who creates threads of the abstract thread write to the object?
    fn keeps_handles(&mut self, abstract_thread: AbstractThread, base: Base) -> bool {
        if self.state.memory.get(base.0).is_some() {
            return true;
        }
        let created = self.analysis.tables.abstract_threads[abstract_thread].created;
        self.analysis.all_writers(base, |writer| Some(writer) == created)
    }

    /// Abstract threads of which all handles have been joined have ended.
    pub fn end_crowds(&mut self) {
        let over =
            |replicas: &Replicas| replicas.handles.is_some_and(|handles| self.state.is_below(handles.to, handles.from));
        let ended: Vec<_> = self
            .state
            .replicas
            .iter()
            .filter(|(_, replicas)| over(replicas))
            .map(|(abstract_thread, _)| AbstractThread(abstract_thread))
            .collect();
        for abstract_thread in ended {
            self.have_ended(abstract_thread);
        }
    }

    /// The running thread ends; who joins it gets the value.
    pub fn end_thread(&mut self, value: Option<Value>) {
        let abstract_thread = self.abstract_thread();
        self.give_back(|_, _| false);
        let value = value.unwrap_or_else(|| Value::constant(self.program().machine.word(), 0));
        let names = self.share(&value);
        let value = value.renamed(&names).unwrap_or(value);
        let value = Value { term: None, ..value };
        self.analysis.update_abstract_thread(abstract_thread, |facts| facts.result = facts.result.join(&value));
        let mut state = self.state.clone();
        // Nothing of the frames is left but what handlers and destructors were given.
        state.variables = crate::map::Map::new();
        self.analysis.end(abstract_thread, state);
    }
}

/// Where the value of a key is kept.
fn slots(key: &Value) -> Offsets {
    let most = i64::from(u16::MAX);
    let last = key.as_range().map_or(most, |range| range.max_signed().clamp(1, most));
    Offsets::steps(last * 8, 8)
}
