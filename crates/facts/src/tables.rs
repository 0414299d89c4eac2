//! The things that facts are about: instances of functions, crews of threads, objects. They are made when the analysis first meets
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
    pub struct Instance = "i";
    /// The threads that one place of the program creates.
    pub struct Crew = "w";
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Thing {
    Function(FunctionId),
    Thread(Crew),
    Global(GlobalId),
    /// A thread's own copy.
    ThreadLocal(Crew, GlobalId, Role),
    /// A local in memory.
    Local(Instance, LocalId, Role),
    /// A block of memory that this edge allocates.
    Block(Instance, EdgeId, Role),
    /// The vector of the command line's strings, and the strings.
    CommandLine(Role),
    CommandText(Role),
    /// What a thread keeps under keys, and its clean-up handlers: nothing in the program points there.
    Keys(Crew),
    Handlers(Crew),
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

impl Thing {
    pub fn role(self) -> Option<Role> {
        match self {
            Thing::ThreadLocal(.., role)
            | Thing::Local(.., role)
            | Thing::Block(.., role)
            | Thing::CommandLine(role)
            | Thing::CommandText(role) => Some(role),
            _ => None,
        }
    }

    pub fn with_role(self, role: Role) -> Thing {
        match self {
            Thing::ThreadLocal(crew, global, _) => Thing::ThreadLocal(crew, global, role),
            Thing::Local(instance, local, _) => Thing::Local(instance, local, role),
            Thing::Block(instance, edge, _) => Thing::Block(instance, edge, role),
            Thing::CommandLine(_) => Thing::CommandLine(role),
            Thing::CommandText(_) => Thing::CommandText(role),
            other => other,
        }
    }
}

#[derive(Clone)]
pub struct InstanceInfo {
    pub function: FunctionId,
    pub crew: Crew,
    /// Who called it first; none for where a thread starts.
    pub caller: Option<(Instance, EdgeId)>,
    /// There may be several frames of it on one stack.
    pub recursive: bool,
    /// Runs at most once in the whole run of the program.
    pub once: bool,
    /// Its variables are numbered from here on.
    pub first_variable: u32,
    pub first_node: u32,
}

#[derive(Clone)]
pub struct CrewInfo {
    /// Where it is created; none for the first thread.
    pub created: Option<(Instance, EdgeId)>,
    pub entry: FunctionId,
    /// Its threads create threads.
    pub creates: bool,
    /// The crews that create it; itself among them if it is recursive.
    pub parents: Vec<Crew>,
    /// At most one such thread in the whole run of the program.
    pub once: bool,
    pub root: Instance,
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
    things: IndexVec<Base, Thing>,
    bases: FxHashMap<Thing, Base>,
    pub instances: IndexVec<Instance, InstanceInfo>,
    callees: FxHashMap<(Instance, EdgeId, FunctionId), Instance>,
    pub crews: IndexVec<Crew, CrewInfo>,
    created: FxHashMap<(Instance, EdgeId, FunctionId), Crew>,
    pub shapes: Rc<IndexVec<FunctionId, Shape>>,
    variables: u32,
    /// For each node, where it is.
    pub nodes: Vec<Node>,
    /// Functions of which more than one frame may be on a stack.
    recursive: Vec<bool>,
    repeated: BTreeSet<(FunctionId, EdgeId)>,
    /// One instance for each function and crew, to save work.
    pub merged: bool,
    globals: u32,
}

/// A location in an instance, in a phase of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Node {
    pub instance: Instance,
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
/// With more globals, or more crews, no guards are looked for.
pub const MOST_GUARDED: usize = 500;
/// More instances are not worth their cost.
pub const MOST_INSTANCES: usize = 4_000;

impl Tables {
    pub fn new(program: &Program, marks: &Marks) -> Tables {
        let shapes = Rc::new(program.functions.iter().map(Shape::of).collect());
        let mut tables = Tables {
            things: IndexVec::new(),
            bases: FxHashMap::from_iter([(Thing::Indeterminate, Base::INDETERMINATE)]),
            instances: IndexVec::new(),
            callees: FxHashMap::default(),
            crews: IndexVec::new(),
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
            tables.intern(Thing::Global(global));
        }
        for function in program.functions.ids() {
            tables.intern(Thing::Function(function));
        }
        let root = tables.new_instance(program, program.entry, Crew(0), None, true);
        tables.crews.push(CrewInfo {
            created: None,
            entry: program.entry,
            creates: false,
            parents: Vec::new(),
            once: true,
            root,
        });
        tables
    }

    pub fn thing(&self, base: Base) -> Thing {
        if base.is_indeterminate() { Thing::Indeterminate } else { self.things[base] }
    }

    pub fn bases(&self) -> impl Iterator<Item = Base> + use<> {
        (0..self.things.len()).map(Base::from_usize)
    }

    pub fn global(&self, global: GlobalId) -> Base {
        Base(global.0)
    }

    pub fn function(&self, function: FunctionId) -> Base {
        Base(self.globals + function.0)
    }

    /// The name of a thing. All its roles get names at once, one behind the other.
    pub fn intern(&mut self, thing: Thing) -> Base {
        if let Some(base) = self.bases.get(&thing) {
            return *base;
        }
        let roles: &[Role] =
            if thing.role().is_some() { &[Role::Own, Role::Older, Role::Shared] } else { &[Role::Own] };
        for role in roles {
            let named = thing.with_role(*role);
            let base = self.things.push(named);
            self.bases.insert(named, base);
        }
        self.bases[&thing]
    }

    pub fn find(&self, thing: Thing) -> Option<Base> {
        self.bases.get(&thing).copied()
    }

    /// The same thing in another role.
    pub fn as_role(&self, base: Base, role: Role) -> Base {
        let offset = |role: Role| role as u32;
        match self.thing(base).role() {
            Some(now) => Base(base.0 - offset(now) + offset(role)),
            None => base,
        }
    }

    /// Is there at most one such object in the whole run?
    pub fn is_single(&self, program: &Program, base: Base) -> bool {
        match self.thing(base) {
            Thing::Function(_) | Thing::CommandLine(_) => true,
            Thing::Global(global) => !program.globals[global].thread_local,
            Thing::Thread(crew) | Thing::ThreadLocal(crew, ..) | Thing::Keys(crew) | Thing::Handlers(crew) => {
                self.crews[crew].once
            }
            Thing::Local(instance, local, _) => {
                let info = &self.instances[instance];
                info.once && self.shapes[info.function].entered_once[local.index()]
            }
            Thing::Block(instance, edge, _) => self.runs_once(program, instance, edge),
            Thing::CommandText(_) | Thing::Indeterminate => false,
        }
    }

    pub fn runs_once(&self, program: &Program, instance: Instance, edge: EdgeId) -> bool {
        let info = &self.instances[instance];
        let Some(edge) = program.functions[info.function].edges.get(edge) else { return false };
        let from = edge.from;
        info.once && !self.shapes[info.function].in_cycle[from.index()]
    }

    fn new_instance(
        &mut self,
        program: &Program,
        function: FunctionId,
        crew: Crew,
        caller: Option<(Instance, EdgeId)>,
        once: bool,
    ) -> Instance {
        let body = &program.functions[function];
        let info = InstanceInfo {
            function,
            crew,
            caller,
            recursive: self.recursive[function.index()],
            once: once && !self.recursive[function.index()],
            first_variable: self.variables,
            first_node: self.nodes.len() as u32,
        };
        let instance = self.instances.push(info);
        self.variables += body.locals.len() as u32;
        for location in body.locations() {
            self.nodes.extend(PHASES.map(|phase| Node { instance, location, phase }));
        }
        instance
    }

    /// The instance that a call leads to.
    pub fn callee(&mut self, program: &Program, caller: Instance, edge: EdgeId, function: FunctionId) -> Called {
        let key = (caller, edge, function);
        if let Some(instance) = self.callees.get(&key) {
            return Called::Instance(*instance);
        }
        let crew = self.instances[caller].crew;
        let mut at = Some(caller);
        while let Some(instance) = at {
            let info = &self.instances[instance];
            if info.function == function {
                return self.close_circle(key, instance);
            }
            at = info.caller.map(|(instance, _)| instance);
        }
        if self.instances.len() >= MOST_INSTANCES && !self.merged {
            return Called::TooMany;
        }
        if self.merged
            && let Some(instance) = self.merged_instance(crew, function)
        {
            return self.close_circle(key, instance);
        }
        let once = self.runs_once(program, caller, edge) && !self.merged;
        let instance = self.new_instance(program, function, crew, Some((caller, edge)), once);
        self.callees.insert(key, instance);
        Called::Instance(instance)
    }

    /// A call that leads to an instance that is there already. All between it and the caller are then called by themselves, too.
    fn close_circle(&mut self, key: (Instance, EdgeId, FunctionId), callee: Instance) -> Called {
        let (behind, before) =
            (self.reached(callee, |(from, to)| (from, to)), self.reached(key.0, |(from, to)| (to, from)));
        let on_circle = behind.iter().filter(|instance| before.contains(instance));
        let mut plain = on_circle.filter(|instance| !self.instances[**instance].recursive);
        if let Some(instance) = plain.next() {
            return Called::Recursive(self.instances[*instance].function);
        }
        self.callees.insert(key, callee);
        Called::Instance(callee)
    }

    /// The instances that calls lead to from one, directly or not, that one included; or, the other way round, those that lead to it.
    fn reached(&self, from: Instance, turn: impl Fn((Instance, Instance)) -> (Instance, Instance)) -> Vec<Instance> {
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

    /// The instance that a call leads to, if there is such a call.
    pub fn find_callee(&self, caller: Instance, edge: EdgeId, function: FunctionId) -> Option<Instance> {
        self.callees.get(&(caller, edge, function)).copied()
    }

    /// The threads that are created there to run `entry`, if there are any.
    pub fn find_crew(&self, creator: Instance, edge: EdgeId, entry: FunctionId) -> Option<Crew> {
        self.created.get(&(creator, edge, entry)).copied()
    }

    fn merged_instance(&self, crew: Crew, function: FunctionId) -> Option<Instance> {
        let found = self.instances.iter_enumerated().find(|(_, i)| i.crew == crew && i.function == function);
        found.map(|(instance, _)| instance)
    }

    /// The threads that are created there to run `entry`.
    pub fn crew(&mut self, program: &Program, creator: Instance, edge: EdgeId, entry: FunctionId) -> Created {
        let key = (creator, edge, entry);
        if let Some(crew) = self.created.get(&key) {
            return Created::Crew(*crew);
        }
        let place = (self.instances[creator].function, edge);
        let parent = self.instances[creator].crew;
        self.crews[parent].creates = true;
        if let Some(crew) = self.recursive_crew(creator, edge, entry) {
            if self.crews[crew].once {
                return Created::Repeated(place.0, place.1);
            }
            self.created.insert(key, crew);
            if !self.crews[crew].parents.contains(&parent) {
                self.crews[crew].parents.push(parent);
            }
            return Created::Crew(crew);
        }
        let once = self.runs_once(program, creator, edge) && !self.repeated.contains(&place);
        let crew = self.crews.next_id();
        let root = self.new_instance(program, entry, crew, None, once);
        self.crews.push(CrewInfo {
            created: Some((creator, edge)),
            entry,
            creates: false,
            parents: vec![parent],
            once,
            root,
        });
        self.created.insert(key, crew);
        Created::Crew(crew)
    }

    /// A crew whose threads create, perhaps by others, threads at the same place again.
    fn recursive_crew(&self, creator: Instance, edge: EdgeId, entry: FunctionId) -> Option<Crew> {
        let function = self.instances[creator].function;
        let mut at = self.instances[creator].crew;
        loop {
            let info = &self.crews[at];
            let (instance, place) = info.created?;
            if info.entry == entry && place == edge && self.instances[instance].function == function {
                return Some(at);
            }
            at = self.instances[instance].crew;
        }
    }

    pub fn node(&self, instance: Instance, location: Location, phase: Phase) -> u32 {
        self.instances[instance].first_node + location.0 * PHASES.len() as u32 + phase as u32
    }

    pub fn variable(&self, instance: Instance, local: LocalId) -> u32 {
        self.instances[instance].first_variable + local.0
    }

    pub fn variables_of(&self, program: &Program, instance: Instance) -> std::ops::Range<u32> {
        let info = &self.instances[instance];
        info.first_variable..info.first_variable + program.functions[info.function].locals.len() as u32
    }

    /// Is the crew itself, or one that creates it directly or not?
    pub fn is_ancestor(&self, ancestor: Crew, crew: Crew) -> bool {
        self.ancestors(crew).contains(&ancestor)
    }

    /// With the crew itself first.
    pub fn ancestors(&self, crew: Crew) -> Vec<Crew> {
        let mut found = vec![crew];
        let mut next = 0;
        while next < found.len() {
            for parent in &self.crews[found[next]].parents {
                if !found.contains(parent) {
                    found.push(*parent);
                }
            }
            next += 1;
        }
        found
    }

    /// Do its threads create threads of the same crew?
    pub fn is_recursive_crew(&self, crew: Crew) -> bool {
        self.crews[crew].parents.len() > 1
    }
}

pub enum Called {
    Instance(Instance),
    /// The function turns out to be recursive: the analysis must begin again, knowing that.
    Recursive(FunctionId),
    TooMany,
}

pub enum Created {
    Crew(Crew),
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
