//! What facts are about: functions with call strings, abstract threads, abstract objects. They are made when the analysis first meets
//! them and named by small numbers.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use base::{Idx, IndexVec, index_type};
use program::{Allocation, EdgeId, Function, FunctionId, GlobalId, LocalId, Location, Op, Program, Storage};
use rustc_hash::FxHashMap;
use semantics::live::Liveness;

use crate::locks::LockName;

index_type! {
    /// An object, function or thread that a pointer can lead to.
    pub struct Base = "o";
    /// A function as called along one way from where its thread starts.
    pub struct CallString = "i";
    /// The threads that one place of the program creates.
    pub struct AbstractThread = "w";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbstractObject {
    Function(FunctionId),
    Thread(AbstractThread),
    Global(GlobalId),
    /// A thread's own copy.
    ThreadLocal(AbstractThread, GlobalId, Role),
    /// A local in memory.
    Local(CallString, LocalId, Role),
    /// A block of memory that this edge allocates.
    Block(CallString, EdgeId, Role),
    /// The vector of the command line's strings, and the strings.
    CommandLine(Role),
    CommandText(Role),
    /// What a thread keeps under keys, and its clean-up handlers: nothing in the program points there.
    Keys(AbstractThread),
    Handlers(AbstractThread),
    /// All memory behind indeterminate pointers.
    Indeterminate,
}

impl Base {
    /// Memory behind indeterminate pointers: a pointer that leads there is not null, but may turn out, by a comparison, to lead to an
    /// exposed object.
    pub const INDETERMINATE: Base = Base(u32::MAX - 1);
    /// The same for pointers that a comparison may still find to be null.
    pub const UNDECIDED: Base = Base(u32::MAX - 2);

    pub fn is_indeterminate(self) -> bool {
        self == Base::INDETERMINATE || self == Base::UNDECIDED
    }
}

/// Objects that are made more than once have three names. What a thread made last and nobody else can reach yet is its own, and one
/// object. Those before it, as long as nobody else can reach them, are its older ones. All that others may reach are shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    Own,
    Older,
    Shared,
}

impl AbstractObject {
    pub fn role(self) -> Option<Role> {
        match self {
            AbstractObject::ThreadLocal(.., role)
            | AbstractObject::Local(.., role)
            | AbstractObject::Block(.., role)
            | AbstractObject::CommandLine(role)
            | AbstractObject::CommandText(role) => Some(role),
            _ => None,
        }
    }

    pub fn with_role(self, role: Role) -> AbstractObject {
        match self {
            AbstractObject::ThreadLocal(abstract_thread, global, _) => {
                AbstractObject::ThreadLocal(abstract_thread, global, role)
            }
            AbstractObject::Local(call_string, local, _) => AbstractObject::Local(call_string, local, role),
            AbstractObject::Block(call_string, edge, _) => AbstractObject::Block(call_string, edge, role),
            AbstractObject::CommandLine(_) => AbstractObject::CommandLine(role),
            AbstractObject::CommandText(_) => AbstractObject::CommandText(role),
            other => other,
        }
    }
}

#[derive(Clone)]
pub struct CallStringInfo {
    pub function: FunctionId,
    pub abstract_thread: AbstractThread,
    /// Who called it first; none for where a thread starts.
    pub caller: Option<(CallString, EdgeId)>,
    /// There may be several frames of it on one stack.
    pub recursive: bool,
    /// Runs at most once in the whole run of the program.
    pub once: bool,
    /// Its variables are numbered from here on.
    pub first_variable: u32,
    pub first_node: u32,
}

#[derive(Clone)]
pub struct AbstractThreadInfo {
    /// Where it is created; none for the first thread.
    pub created: Option<(CallString, EdgeId)>,
    pub entry: FunctionId,
    /// Its threads create threads.
    pub creates: bool,
    /// The abstract threads that create it; itself among them if it is recursive.
    pub parents: Vec<AbstractThread>,
    /// At most one such thread in the whole run of the program.
    pub once: bool,
    pub root: CallString,
}

/// What is known of a function without any analysis.
pub struct Shape {
    pub liveness: Liveness,
    /// Can the location be reached from itself?
    pub in_cycle: Vec<bool>,
    /// Locals that take the results of calls, or give the function's own.
    pub results: Vec<bool>,
    /// Of locals: whether they are entered at one place at most, which no cycle passes.
    entered_once: Vec<bool>,
    /// Of locals: arrays of variable length.
    pub variable_length: Vec<bool>,
}

#[derive(Clone)]
pub struct Tables {
    abstract_objects: IndexVec<Base, AbstractObject>,
    bases: FxHashMap<AbstractObject, Base>,
    pub call_strings: IndexVec<CallString, CallStringInfo>,
    callees: FxHashMap<(CallString, EdgeId, FunctionId), CallString>,
    pub abstract_threads: IndexVec<AbstractThread, AbstractThreadInfo>,
    created: FxHashMap<(CallString, EdgeId, FunctionId), AbstractThread>,
    pub shapes: Rc<IndexVec<FunctionId, Shape>>,
    variables: u32,
    /// For each node, where it is.
    pub nodes: Vec<Node>,
    /// Functions of which more than one frame may be on a stack.
    recursive: Vec<bool>,
    repeated: BTreeSet<(FunctionId, EdgeId)>,
    /// One call string for each function and abstract thread, to save work.
    pub merged: bool,
    globals: u32,
}

/// A location in a call string, in a phase of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub call_string: CallString,
    pub location: Location,
    pub phase: Phase,
}

/// States of different phases are kept apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub enum Phase {
    /// No thread has been created yet.
    Before,
    /// Others may run.
    Among,
    /// Those that this thread created have ended.
    Alone,
}

pub const PHASES: [Phase; 3] = [Phase::Before, Phase::Among, Phase::Alone];
/// With more globals, or more abstract threads, no guards are looked for.
pub const MOST_GUARDED: usize = 500;
/// More call strings are not worth their cost.
pub const MOST_INSTANCES: usize = 4_000;

impl Tables {
    pub fn new(program: &Program, marks: &Marks) -> Tables {
        let shapes = Rc::new(program.functions.iter().map(Shape::of).collect());
        let mut tables = Tables {
            abstract_objects: IndexVec::new(),
            bases: FxHashMap::from_iter([(AbstractObject::Indeterminate, Base::INDETERMINATE)]),
            call_strings: IndexVec::new(),
            callees: FxHashMap::default(),
            abstract_threads: IndexVec::new(),
            created: FxHashMap::default(),
            shapes,
            variables: 0,
            nodes: Vec::new(),
            recursive: marks.recursive.clone(),
            repeated: marks.repeated.clone(),
            merged: marks.merged,
            globals: program.globals.len() as u32,
        };
        for global in program.globals.ids() {
            tables.intern(AbstractObject::Global(global));
        }
        for function in program.functions.ids() {
            tables.intern(AbstractObject::Function(function));
        }
        let root = tables.new_instance(program, program.entry, AbstractThread(0), None, true);
        tables.abstract_threads.push(AbstractThreadInfo {
            created: None,
            entry: program.entry,
            creates: false,
            parents: Vec::new(),
            once: true,
            root,
        });
        tables
    }

    pub fn abstract_object(&self, base: Base) -> AbstractObject {
        if base.is_indeterminate() { AbstractObject::Indeterminate } else { self.abstract_objects[base] }
    }

    pub fn bases(&self) -> impl Iterator<Item = Base> + use<> {
        (0..self.abstract_objects.len()).map(Base::from_usize)
    }

    /// Is it a string literal, or a string of the command line?
    pub fn is_string(&self, program: &Program, base: Base) -> bool {
        match self.abstract_object(base) {
            AbstractObject::Global(global) => program.globals[global].read_only,
            AbstractObject::CommandText(_) => true,
            _ => false,
        }
    }

    pub fn global(&self, global: GlobalId) -> Base {
        Base(global.0)
    }

    pub fn function(&self, function: FunctionId) -> Base {
        Base(self.globals + function.0)
    }

    /// The name of an abstract object. All its roles get names at once, one behind the other.
    pub fn intern(&mut self, abstract_object: AbstractObject) -> Base {
        if let Some(base) = self.bases.get(&abstract_object) {
            return *base;
        }
        let roles: &[Role] =
            if abstract_object.role().is_some() { &[Role::Own, Role::Older, Role::Shared] } else { &[Role::Own] };
        for role in roles {
            let named = abstract_object.with_role(*role);
            let base = self.abstract_objects.push(named);
            self.bases.insert(named, base);
        }
        self.bases[&abstract_object]
    }

    pub fn find(&self, abstract_object: AbstractObject) -> Option<Base> {
        self.bases.get(&abstract_object).copied()
    }

    /// The same object in another role.
    pub fn as_role(&self, base: Base, role: Role) -> Base {
        let offset = |role: Role| role as u32;
        match self.abstract_object(base).role() {
            Some(now) => Base(base.0 - offset(now) + offset(role)),
            None => base,
        }
    }

    /// Is there at most one such object in the whole run?
    pub fn is_single(&self, program: &Program, base: Base) -> bool {
        match self.abstract_object(base) {
            AbstractObject::Function(_) | AbstractObject::CommandLine(_) => true,
            AbstractObject::Global(global) => !program.globals[global].thread_local,
            AbstractObject::Thread(abstract_thread)
            | AbstractObject::ThreadLocal(abstract_thread, ..)
            | AbstractObject::Keys(abstract_thread)
            | AbstractObject::Handlers(abstract_thread) => self.abstract_threads[abstract_thread].once,
            AbstractObject::Local(call_string, local, _) => {
                let info = &self.call_strings[call_string];
                info.once && self.shapes[info.function].entered_once[local.index()]
            }
            AbstractObject::Block(call_string, edge, _) => self.runs_once(program, call_string, edge),
            AbstractObject::CommandText(_) | AbstractObject::Indeterminate => false,
        }
    }

    pub fn runs_once(&self, program: &Program, call_string: CallString, edge: EdgeId) -> bool {
        let info = &self.call_strings[call_string];
        let Some(edge) = program.functions[info.function].edges.get(edge) else { return false };
        let from = edge.from;
        info.once && !self.shapes[info.function].in_cycle[from.index()]
    }

    fn new_instance(
        &mut self,
        program: &Program,
        function: FunctionId,
        abstract_thread: AbstractThread,
        caller: Option<(CallString, EdgeId)>,
        once: bool,
    ) -> CallString {
        let body = &program.functions[function];
        let info = CallStringInfo {
            function,
            abstract_thread,
            caller,
            recursive: self.recursive[function.index()],
            once: once && !self.recursive[function.index()],
            first_variable: self.variables,
            first_node: self.nodes.len() as u32,
        };
        let call_string = self.call_strings.push(info);
        self.variables += body.locals.len() as u32;
        for location in body.locations() {
            self.nodes.extend(PHASES.map(|phase| Node { call_string, location, phase }));
        }
        call_string
    }

    /// The call string that a call leads to.
    pub fn callee(&mut self, program: &Program, caller: CallString, edge: EdgeId, function: FunctionId) -> Called {
        let key = (caller, edge, function);
        if let Some(call_string) = self.callees.get(&key) {
            return Called::CallString(*call_string);
        }
        let abstract_thread = self.call_strings[caller].abstract_thread;
        let mut at = Some(caller);
        while let Some(call_string) = at {
            let info = &self.call_strings[call_string];
            if info.function == function {
                return self.close_circle(key, call_string);
            }
            at = info.caller.map(|(call_string, _)| call_string);
        }
        if self.call_strings.len() >= MOST_INSTANCES && !self.merged {
            return Called::TooMany;
        }
        if self.merged
            && let Some(call_string) = self.merged_instance(abstract_thread, function)
        {
            return self.close_circle(key, call_string);
        }
        let once = self.runs_once(program, caller, edge) && !self.merged;
        let call_string = self.new_instance(program, function, abstract_thread, Some((caller, edge)), once);
        self.callees.insert(key, call_string);
        Called::CallString(call_string)
    }

    /// A call that leads to a call string that is there already. All between it and the caller are then called by themselves, too.
    fn close_circle(&mut self, key: (CallString, EdgeId, FunctionId), callee: CallString) -> Called {
        let (behind, before) =
            (self.reached(callee, |(from, to)| (from, to)), self.reached(key.0, |(from, to)| (to, from)));
        let on_circle = behind.iter().filter(|call_string| before.contains(call_string));
        let mut plain = on_circle.filter(|call_string| !self.call_strings[**call_string].recursive);
        if let Some(call_string) = plain.next() {
            return Called::Recursive(self.call_strings[*call_string].function);
        }
        self.callees.insert(key, callee);
        Called::CallString(callee)
    }

    /// The call strings that calls lead to from one, directly or not, that one included; or, the other way round, those that lead to it.
    fn reached(
        &self,
        from: CallString,
        turn: impl Fn((CallString, CallString)) -> (CallString, CallString),
    ) -> Vec<CallString> {
        let mut found = vec![from];
        let mut next = 0;
        while next < found.len() {
            for ((caller, ..), callee) in &self.callees {
                let (at, to) = turn((*caller, *callee));
                if at == found[next] && !found.contains(&to) {
                    found.push(to);
                }
            }
            next += 1;
        }
        found
    }

    /// The call string that a call leads to, if there is such a call.
    pub fn find_callee(&self, caller: CallString, edge: EdgeId, function: FunctionId) -> Option<CallString> {
        self.callees.get(&(caller, edge, function)).copied()
    }

    /// The threads that are created there to run `entry`, if there are any.
    pub fn find_abstract_thread(&self, creator: CallString, edge: EdgeId, entry: FunctionId) -> Option<AbstractThread> {
        self.created.get(&(creator, edge, entry)).copied()
    }

    fn merged_instance(&self, abstract_thread: AbstractThread, function: FunctionId) -> Option<CallString> {
        let found = self
            .call_strings
            .iter_enumerated()
            .find(|(_, i)| i.abstract_thread == abstract_thread && i.function == function);
        found.map(|(call_string, _)| call_string)
    }

    /// The threads that are created there to run `entry`.
    pub fn abstract_thread(
        &mut self,
        program: &Program,
        creator: CallString,
        edge: EdgeId,
        entry: FunctionId,
    ) -> Created {
        let key = (creator, edge, entry);
        if let Some(abstract_thread) = self.created.get(&key) {
            return Created::AbstractThread(*abstract_thread);
        }
        let place = (self.call_strings[creator].function, edge);
        let parent = self.call_strings[creator].abstract_thread;
        self.abstract_threads[parent].creates = true;
        if let Some(abstract_thread) = self.recursive_crew(creator, edge, entry) {
            if self.abstract_threads[abstract_thread].once {
                return Created::Repeated(place.0, place.1);
            }
            self.created.insert(key, abstract_thread);
            if !self.abstract_threads[abstract_thread].parents.contains(&parent) {
                self.abstract_threads[abstract_thread].parents.push(parent);
            }
            return Created::AbstractThread(abstract_thread);
        }
        let once = self.runs_once(program, creator, edge) && !self.repeated.contains(&place);
        let abstract_thread = self.abstract_threads.next_id();
        let root = self.new_instance(program, entry, abstract_thread, None, once);
        self.abstract_threads.push(AbstractThreadInfo {
            created: Some((creator, edge)),
            entry,
            creates: false,
            parents: vec![parent],
            once,
            root,
        });
        self.created.insert(key, abstract_thread);
        Created::AbstractThread(abstract_thread)
    }

    /// An abstract thread whose threads create, perhaps by others, threads at the same place again.
    fn recursive_crew(&self, creator: CallString, edge: EdgeId, entry: FunctionId) -> Option<AbstractThread> {
        let function = self.call_strings[creator].function;
        let mut at = self.call_strings[creator].abstract_thread;
        loop {
            let info = &self.abstract_threads[at];
            let (call_string, place) = info.created?;
            if info.entry == entry && place == edge && self.call_strings[call_string].function == function {
                return Some(at);
            }
            at = self.call_strings[call_string].abstract_thread;
        }
    }

    pub fn node(&self, call_string: CallString, location: Location, phase: Phase) -> u32 {
        self.call_strings[call_string].first_node + location.0 * PHASES.len() as u32 + phase as u32
    }

    pub fn variable(&self, call_string: CallString, local: LocalId) -> u32 {
        self.call_strings[call_string].first_variable + local.0
    }

    pub fn variables_of(&self, program: &Program, call_string: CallString) -> std::ops::Range<u32> {
        let info = &self.call_strings[call_string];
        info.first_variable..info.first_variable + program.functions[info.function].locals.len() as u32
    }

    /// Is the abstract thread itself, or one that creates it directly or not?
    pub fn is_ancestor(&self, ancestor: AbstractThread, abstract_thread: AbstractThread) -> bool {
        self.ancestors(abstract_thread).contains(&ancestor)
    }

    /// With the abstract thread itself first.
    pub fn ancestors(&self, abstract_thread: AbstractThread) -> Vec<AbstractThread> {
        let mut found = vec![abstract_thread];
        let mut next = 0;
        while next < found.len() {
            for parent in &self.abstract_threads[found[next]].parents {
                if !found.contains(parent) {
                    found.push(*parent);
                }
            }
            next += 1;
        }
        found
    }

    /// Do its threads create threads of the same abstract thread?
    pub fn is_recursive_crew(&self, abstract_thread: AbstractThread) -> bool {
        self.abstract_threads[abstract_thread].parents.len() > 1
    }
}

pub enum Called {
    CallString(CallString),
    /// The function turns out to be recursive: the analysis must begin again, knowing that.
    Recursive(FunctionId),
    TooMany,
}

pub enum Created {
    AbstractThread(AbstractThread),
    /// Threads that are created there turn out to create more of their kind: the analysis must begin again, knowing that.
    Repeated(FunctionId, EdgeId),
}

/// What an analysis learned that makes it begin again.
#[derive(Clone)]
pub struct Marks {
    pub recursive: Vec<bool>,
    /// Places where threads create, perhaps by others, threads at the same place again.
    pub repeated: BTreeSet<(FunctionId, EdgeId)>,
    pub merged: bool,
    /// The program is too large for guards to be worth their cost.
    pub unguarded: bool,
    /// Globals that are not only one thread's, and the locks that may guard them.
    pub guards: BTreeMap<Base, BTreeSet<LockName>>,
}

impl Marks {
    /// Recursion by direct calls is known beforehand.
    pub fn of(program: &Program) -> Marks {
        let calls: Vec<Vec<usize>> = program.functions.iter().map(direct_callees).collect();
        let variables = program.globals.iter().filter(|global| !global.read_only).count();
        let unguarded = variables > MOST_GUARDED;
        Marks {
            recursive: on_cycles(&calls),
            repeated: BTreeSet::new(),
            merged: false,
            unguarded,
            guards: BTreeMap::new(),
        }
    }
}

fn direct_callees(function: &Function) -> Vec<usize> {
    let callee = |edge: &program::Edge| match &edge.op {
        program::Op::Call(call) => match call.callee {
            program::Callee::Direct(callee) => Some(callee.index()),
            program::Callee::Indirect(_) => None,
        },
        _ => None,
    };
    function.edges.iter().filter_map(callee).collect()
}

impl Shape {
    fn of(function: &Function) -> Shape {
        let successors: Vec<Vec<usize>> =
            function.locations().map(|l| function.edges_from(l).map(|(_, edge)| edge.to.index()).collect()).collect();
        let in_cycle = on_cycles(&successors);
        let mut results = vec![false; function.locals.len()];
        function.result.into_iter().for_each(|result| results[result.index()] = true);
        for edge in function.edges.iter() {
            match &edge.op {
                program::Op::Call(call) => call.to.into_iter().for_each(|to| results[to.index()] = true),
                program::Op::Assign(to, value) if Some(*to) == function.result => {
                    if let program::ExprKind::Local(from) = function.exprs[*value].kind {
                        results[from.index()] = true;
                    }
                }
                _ => {}
            }
        }
        let mut entered = vec![0u32; function.locals.len()];
        let mut variable_length = vec![false; function.locals.len()];
        for edge in function.edges.iter() {
            let local = match &edge.op {
                Op::Enter(local) => *local,
                Op::Allocate(allocate) => match allocate.kind {
                    Allocation::Variable(local) => {
                        variable_length[local.index()] = true;
                        local
                    }
                    _ => continue,
                },
                _ => continue,
            };
            // Twice is once too often.
            entered[local.index()] += if in_cycle[edge.from.index()] { 2 } else { 1 };
        }
        let entered_once = entered.iter().map(|times| *times <= 1).collect();
        Shape { liveness: Liveness::of_plain(function), in_cycle, results, entered_once, variable_length }
    }
}

/// Which nodes of a graph can be reached from themselves (Tarjan's components, without recursion).
fn on_cycles(successors: &[Vec<usize>]) -> Vec<bool> {
    const NEW: usize = usize::MAX;
    let n = successors.len();
    let (mut order, mut low, mut open) = (vec![NEW; n], vec![0; n], vec![false; n]);
    let (mut stack, mut count, mut result) = (Vec::new(), 0, vec![false; n]);
    for start in 0..n {
        if order[start] != NEW {
            continue;
        }
        let mut calls = vec![(start, 0)];
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if *next == 0 {
                (order[node], low[node], open[node]) = (count, count, true);
                count += 1;
                stack.push(node);
            }
            if let Some(to) = successors[node].get(*next).copied() {
                *next += 1;
                if order[to] == NEW {
                    calls.push((to, 0));
                } else if open[to] {
                    low[node] = low[node].min(order[to]);
                    result[node] |= to == node;
                }
                continue;
            }
            calls.pop();
            if let Some((parent, _)) = calls.last() {
                low[*parent] = low[*parent].min(low[node]);
            }
            if low[node] == order[node] {
                let from = stack.iter().rposition(|x| *x == node).expect("it was pushed");
                let component = stack.split_off(from);
                let cycle = component.len() > 1;
                for member in component {
                    open[member] = false;
                    result[member] |= cycle;
                }
            }
        }
    }
    result
}

/// Locals that live in memory.
pub fn memory_locals(function: &Function) -> impl Iterator<Item = LocalId> + '_ {
    function.locals.iter_enumerated().filter(|(_, local)| local.storage == Storage::Memory).map(|(id, _)| id)
}
