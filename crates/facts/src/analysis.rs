//! The fixpoint: states at nodes, interference between threads, what is known of abstract threads. A thread-modular analysis by abstract
//! interpretation (Miné, "Static analysis of run-time errors in embedded critical parallel C programs", ESOP 2011): each abstract thread is
//! analysed alone, against what the others may write. Chaotic iteration with a worklist and side effects on what is shared, as in Goblint
//! (Vojdani et al., "Static race detection for device drivers: the Goblint approach", ASE 2016): every transfer only adds, and nodes that
//! depend on what grew are looked at again.

mod interference;
mod partition;
mod recheck;
mod solution;
mod threads;
mod widening;

pub use recheck::{recheck, recheck_within};
pub use solution::{AbstractThreadFacts, ArgumentShape, Shared, Solution};

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Alarm, Budget, Idx, Limit};
use program::{ExprKind, MutexOp, Op, Program, ThreadOp};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::contents::{Contents, Fill};
use crate::map::Map;
use crate::state::ThreadState;
use crate::tables::{AbstractThread, Base, CallString, MOST_GUARDED, Marks, Node, PHASES, Phase, Tables};
use crate::transfer;
use widening::thresholds;

/// What holds in every run of a program. The facts about nodes hold there, the others always.
pub struct Facts {
    pub tables: Tables,
    pub solution: Solution,
    pub(crate) marks: Marks,
}

impl Facts {
    /// Every node that can be reached, with each of its states.
    pub fn reached(&self) -> impl Iterator<Item = (&Node, &Arc<ThreadState>)> {
        let nodes = self.tables.nodes.iter().zip(&self.solution.states);
        nodes.flat_map(|(node, states)| states.iter().map(move |state| (node, state)))
    }

    /// Where threads are created.
    pub fn creations(&self) -> impl Iterator<Item = (CallString, program::EdgeId)> {
        let abstract_threads = self.tables.abstract_threads.iter().zip(&self.solution.abstract_threads);
        abstract_threads
            .filter(|(_, facts)| facts.ended.is_some())
            .filter_map(|(abstract_thread, _)| abstract_thread.created)
    }

    /// How many states there are at nodes.
    pub fn reached_states(&self) -> usize {
        self.reached().count()
    }

    /// How many abstract objects several threads may reach.
    pub fn shared_count(&self) -> usize {
        self.solution.shared.len()
    }
}

impl std::fmt::Debug for Facts {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "facts about {} nodes", self.solution.states.len())
    }
}

/// Why there are no facts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Stop {
    Limit(Limit),
    /// Runs reach something that is not understood.
    Unsupported(Box<str>),
}

/// Finds the facts.
pub fn analyze(program: &Program, budget: &Budget) -> Result<Facts, Stop> {
    if let Some(limit) = budget.exhausted() {
        return Err(Stop::Limit(limit));
    }
    analyze_with(program, budget, Marks::of(program))
}

/// The same, with more known, or given up, from the beginning.
pub fn analyze_with(program: &Program, budget: &Budget, mut marks: Marks) -> Result<Facts, Stop> {
    let alarm = Alarm::new(budget);
    loop {
        let mut analysis = Analysis::new(program, &marks);
        analysis.begin();
        analysis.solve(&alarm)?;
        match analysis.again {
            None => return analysis.facts(),
            Some(Again::Recursive(function)) => marks.recursive[function.index()] = true,
            Some(Again::Repeated(function, edge)) => {
                marks.repeated.insert((function, edge));
            }
            Some(Again::Merge) => marks.merged = true,
            Some(Again::Guards) => marks.guards = analysis.marks.guards,
            Some(Again::Unguarded) => marks.unguarded = true,
        }
    }
}

pub(crate) enum Again {
    Recursive(program::FunctionId),
    Repeated(program::FunctionId, program::EdgeId),
    Merge,
    /// Weaker guards.
    Guards,
    /// No guards.
    Unguarded,
}

/// Who must be looked at again when something grows.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Source {
    Shared(Base),
    Writers(Base),
    AbstractThread(AbstractThread),
    Destructors,
    Exposed,
}

pub(crate) struct Analysis<'p> {
    pub program: &'p Program,
    pub tables: Tables,
    pub solution: Solution,
    pub again: Option<Again>,
    pub marks: Marks,
    /// A mutex may be of the kind that reports errors.
    pub error_checking: bool,
    readers: FxHashMap<Source, BTreeSet<u32>>,
    /// Deep call strings first, within them the order of the text.
    work: BTreeSet<(std::cmp::Reverse<CallString>, u32)>,
    visits: Vec<u32>,
    /// Of call strings that may call themselves.
    returns: Vec<u32>,
    thresholds: Vec<i64>,
    /// The node that is looked at.
    at: u32,
    frozen: bool,
    violated: Option<String>,
}

impl<'p> Analysis<'p> {
    fn new(program: &'p Program, marks: &Marks) -> Analysis<'p> {
        Analysis {
            program,
            tables: Tables::new(program, marks),
            solution: Solution::new(),
            again: None,
            marks: marks.clone(),
            error_checking: may_check_errors(program),
            readers: FxHashMap::default(),
            work: BTreeSet::new(),
            visits: Vec::new(),
            returns: Vec::new(),
            thresholds: thresholds(program),
            at: 0,
            frozen: false,
            violated: None,
        }
    }

    fn facts(mut self) -> Result<Facts, Stop> {
        self.grow();
        match self.solution.unsupported.first() {
            Some(construct) => Err(Stop::Unsupported(construct.clone())),
            None => Ok(Facts { tables: self.tables, solution: self.solution, marks: self.marks }),
        }
    }

    fn begin(&mut self) {
        let mut state = ThreadState::new(Phase::Before);
        for (id, global) in self.program.globals.iter_enumerated() {
            if !global.thread_local {
                state.memory.insert(self.tables.global(id).0, Arc::new(Contents::new(Fill::Image(id))));
            }
        }
        state.memory.insert(Base::INDETERMINATE.0, Arc::new(Contents::new(Fill::Any)));
        self.grow();
        if !self.frozen {
            self.solution.abstract_threads[0].ended = Some(Map::new());
        }
        transfer::start_thread(self, AbstractThread(0), state);
    }

    fn solve(&mut self, alarm: &Alarm) -> Result<(), Stop> {
        while let Some((_, node)) = self.work.pop_first() {
            if !self.marks.unguarded && self.tables.abstract_threads.len() > MOST_GUARDED {
                self.again = Some(Again::Unguarded);
            }
            if !matches!(self.again, None | Some(Again::Guards)) {
                return Ok(());
            }
            if let Some(limit) = alarm.struck() {
                return Err(Stop::Limit(limit));
            }
            self.look_at(node);
        }
        self.check_guards();
        Ok(())
    }

    fn look_at(&mut self, node: u32) {
        self.grow();
        self.at = node;
        for state in self.solution.states[node as usize].clone() {
            transfer::from_node(self, node, &state);
        }
    }

    /// Room for what the tables have got since.
    fn grow(&mut self) {
        let solution = &mut self.solution;
        solution.states.resize(self.tables.nodes.len(), SmallVec::new());
        self.visits.resize(self.tables.nodes.len(), 0);
        self.returns.resize(self.tables.call_strings.len(), 0);
        solution.exits.resize(self.tables.call_strings.len(), [const { None }; PHASES.len()]);
        solution.callers.resize(self.tables.call_strings.len(), BTreeSet::new());
        while solution.abstract_threads.len() < self.tables.abstract_threads.len() {
            solution.abstract_threads.push(AbstractThreadFacts::new());
        }
    }

    fn enqueue(&mut self, node: u32) {
        let call_string = self.tables.nodes[node as usize].call_string;
        self.work.insert((std::cmp::Reverse(call_string), node));
    }

    fn wake(&mut self, source: Source) {
        for node in self.readers.get(&source).cloned().unwrap_or_default() {
            self.enqueue(node);
        }
    }

    fn depend(&mut self, source: Source) {
        self.readers.entry(source).or_default().insert(self.at);
    }
}

/// Is there a mutex that may be initialised as one that reports errors?
fn may_check_errors(program: &Program) -> bool {
    program.functions.iter().any(|function| {
        function.edges.iter().any(|edge| {
            let Op::Thread(op) = &edge.op else { return false };
            let ThreadOp::Mutex { op: MutexOp::Init { kind }, .. } = **op else { return false };
            !matches!(function.exprs[kind].kind, ExprKind::Const(kind) if kind & 3 != 2)
        })
    })
}
