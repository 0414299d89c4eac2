//! A configurable analysis of threads and data (Beyer and Friedberger, "A Light-Weight Approach for Verifying Multi-Threaded
//! Programs with CPAchecker", 2016; Beyer, Gulwani and Schmidt, "Combining Model Checking and Data-Flow Analysis", 2018): states are
//! reached, covered, joined and expanded until none is left. Which data they hold, how they are kept and in which order they are
//! expanded, and which steps of threads are made, can be chosen.

mod explore;
mod growth;
mod names;
mod path;
mod reached;
mod refine;
mod slice;
mod waitlist;

use std::rc::Rc;
use std::sync::Arc;

pub use analyses::Reduction;
use analyses::bdd::{self, Bdd};
pub use analyses::memory::Join;
use analyses::memory::{self, Memory};
use analyses::{Evidence, Product, System, Threads};
use base::{Alarm, Budget, Limit};
use facts::Facts;
use program::{BinaryOp, ExprKind, Ledger, Program};
use semantics::Machine;
use verify::{
    Condition, Engine, EngineError, Observer, Outcome, Proof, Reason, Statistic, Target, Task, Verdict, alarms,
};

use explore::{Ended, Explorer};
pub use reached::Partition;
use refine::{Answer, Refinement};
pub use waitlist::{Order, Strategy};

/// What the engine is made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Which states are joined; `value` joins none, `bdd` always those of one location vector.
    pub join: Join,
    pub reduction: Reduction,
    /// Sleep sets: steps of threads that another order has made already are left out.
    pub sleep: bool,
    /// States that differ only in names of threads are kept once; not if states are joined, for threads with different
    /// numbers would be joined, too, nor if a monitor automaton follows the steps.
    pub symmetry: bool,
    pub partition: Partition,
    pub strategy: Strategy,
    pub seed: u64,
    /// Stop when more are kept.
    pub most_states: Option<u64>,
    /// Facts may be known: reductions rest on them.
    pub facts: bool,
    /// States are explored also where facts are a proof.
    pub always: bool,
    /// Which numbers states keep; of values only.
    pub track: Track,
}

/// Which numbers states keep.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Track {
    All,
    /// Those that turn out to matter.
    Refine,
    /// All, and now and then those that matter.
    Auto,
}

/// The parts of the time when [`Track::Auto`] turns to those that matter, and back: soon, for they are often found at once, and
/// later once more.
const TURNS: [(f64, f64); 2] = [(0.1, 0.2), (0.5, 0.7)];

/// Bounds on threads that are tried one after the other, as long as they keep threads from being created, each up to a part of the
/// time: in programs that create very many, few show most violations.
const BOUNDS: [(Option<u32>, f64); 4] = [(Some(3), 0.3), (Some(5), 0.55), (Some(9), 0.8), (None, 1.0)];

impl Default for Options {
    fn default() -> Self {
        Options {
            join: Join::Places,
            reduction: Reduction::Source,
            sleep: false,
            symmetry: true,
            partition: Partition::Hash,
            strategy: Strategy { fewest_threads: false, order: Order::Mixed },
            seed: 1,
            most_states: None,
            facts: true,
            always: false,
            track: Track::Auto,
        }
    }
}

pub struct CpaEngine {
    name: &'static str,
    domain: Domain,
    options: Options,
}

/// What is known of data.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Domain {
    Memory,
    /// Pointers as in memory, numbers as decision diagrams.
    Diagrams,
    /// The product of both: what one refutes, no run does.
    Both,
}

impl CpaEngine {
    /// Values that are known, and symbols for those that are not.
    pub fn value(options: Options) -> CpaEngine {
        CpaEngine { name: "value", domain: Domain::Memory, options: Options { join: Join::None, ..options } }
    }

    /// Ranges of values, joined as the options say.
    pub fn interval(options: Options) -> CpaEngine {
        CpaEngine { name: "interval", domain: Domain::Memory, options }
    }

    /// Sets of numbers as decision diagrams, joined by location vector.
    pub fn bdd(options: Options) -> CpaEngine {
        CpaEngine { name: "bdd", domain: Domain::Diagrams, options: Options { join: Join::Places, ..options } }
    }

    /// Values and symbols, and beside them the relations between numbers.
    pub fn value_and_bdd(options: Options) -> CpaEngine {
        CpaEngine { name: "value+bdd", domain: Domain::Both, options: Options { join: Join::None, ..options } }
    }

    /// Ranges, joined by location vector, and beside them sets of numbers.
    pub fn interval_and_bdd(options: Options) -> CpaEngine {
        CpaEngine { name: "interval+bdd", domain: Domain::Both, options: Options { join: Join::Places, ..options } }
    }
}

impl Engine for CpaEngine {
    fn name(&self) -> &'static str {
        self.name
    }

    fn run(&mut self, task: &Task<'_>, budget: &Budget, log: &mut dyn Observer) -> Result<Outcome, EngineError> {
        // States can be explored without facts, if not as well.
        let find = || task.facts.get(task.program, &budget.quarter()).ok();
        let facts = if self.options.facts { find() } else { None };
        let outcome = |verdict, statistics| {
            Ok(Outcome { condition: Condition::of(&verdict), verdict, ledger: Ledger::default(), statistics })
        };
        if budget.exhausted() == Some(Limit::Cancelled) {
            return outcome(Verdict::Open(Reason::Limit(Limit::Cancelled)), Vec::new());
        }
        let left_out = task.program.ledger.left_out().map(|entry| Reason::LeftOut(entry.subject.as_str().into()));
        let alarm = Alarm::new(budget);
        if let Some(facts) = &facts
            && !self.options.always
            && left_out.is_none()
            && task
                .targets
                .iter()
                .all(|target| alarms(task.program, facts, target, &alarm).is_some_and(|s| s.is_empty()))
        {
            return outcome(Verdict::Holds(Proof::Facts(facts.clone())), Statistic::of_facts(facts));
        }
        if task.targets.contains(Target::Specification) && task.specification.is_none() {
            return outcome(Verdict::Open(Reason::Beyond(Target::Specification)), Vec::new());
        }
        let machine = Machine::new(task.program);
        let keep_named = task.targets.contains(Target::Lost);
        let heap = keep_named || task.targets.contains(Target::NotFreed);
        let reduction = if heap { Reduction::None } else { self.options.reduction };
        let has_no_facts = self.options.facts && facts.is_none();
        let search = Search { task, options: &self.options, machine: &machine, facts, reduction };
        let (program, thresholds) = (task.program, thresholds(task.program));
        let kept = |pointers_only| {
            let join = self.options.join;
            let thresholds = thresholds.clone();
            memory::Options { join, thresholds, keep_named, pointers_only, tracked: None }
        };
        let track = if self.options.join == Join::None { self.options.track } else { Track::All };
        let (verdict, mut statistics) = match (self.domain, track) {
            (Domain::Memory, Track::Refine) => {
                search.refine(&mut Refinement::new(program, kept(false)), None, budget, log)
            }
            (Domain::Memory, track) => {
                let kept = kept(false);
                let refined = (track == Track::Auto).then_some(&kept);
                search.run(|| Memory::new(program, kept.clone()), refined, budget, log)
            }
            (Domain::Diagrams | Domain::Both, _) => {
                let kept = || kept(self.domain == Domain::Diagrams);
                let data = || Product(Memory::new(program, kept()), Bdd::new(program, bdd::Options::default()));
                search.run(data, None, budget, log)
            }
        };
        if has_no_facts {
            statistics.push((Statistic::SearchesWithoutFacts, 1));
        }
        match (verdict, left_out) {
            (Verdict::Holds(_), Some(reason)) => outcome(Verdict::Open(reason), statistics),
            (verdict, _) => outcome(verdict, statistics),
        }
    }
}

/// What a search needs to know.
struct Search<'s, 't> {
    task: &'s Task<'t>,
    options: &'s Options,
    machine: &'s Machine<'t>,
    facts: Option<Arc<Facts>>,
    reduction: Reduction,
}

impl<'t> Search<'_, 't> {
    fn explorer<D: Evidence>(&self, data: D, most_threads: Option<u32>) -> Explorer<'_, 't, D> {
        let (program, targets) = (self.task.program, self.task.targets);
        let threads = Threads::new(program);
        let mut system = System::new(program, threads, data, self.reduction, self.facts.as_deref());
        system.most_threads = most_threads;
        if let Some(automaton) = self.task.specification.filter(|_| targets.contains(Target::Specification)) {
            system.monitor(automaton);
        } else if self.options.symmetry && self.options.join == Join::None {
            system.rename_threads(self.facts.as_deref());
        }
        Explorer::new(system, self.machine, targets, self.options.clone())
    }

    /// Explores with few threads first, if there are many; in between with refined precision, if the options say so.
    fn run<D: Evidence>(
        &self,
        data: impl Fn() -> D,
        refined: Option<&memory::Options>,
        budget: &Budget,
        log: &mut dyn Observer,
    ) -> Answer {
        let targets = self.task.targets;
        let mut bounds = BOUNDS.into_iter();
        let (mut turns, mut refinement) = (TURNS.into_iter(), None);
        loop {
            let (most_threads, part) = bounds.next().expect("the last one is no bound");
            let mut explorer = self.explorer(data(), most_threads);
            explorer.pause = refined.and(turns.as_slice().first()).map(|(begin, _)| *begin);
            let mut end = explorer.run(budget, part, log);
            while let Some(options) = refined.filter(|_| end.leaves_open(explorer.system.is_cut))
                && let Some((_, until)) = turns.next()
            {
                let is_paused = matches!(end, Ended::Paused);
                let known = refinement.get_or_insert_with(|| Refinement::new(self.task.program, options.clone()));
                let answer = self.refine(known, is_paused.then_some(until), budget, log);
                if !matches!(answer.0, Verdict::Open(_)) {
                    return answer;
                }
                if !is_paused {
                    break;
                }
                // Without a limit of time, once is enough.
                explorer.pause = budget.progress().and(turns.as_slice().first()).map(|(begin, _)| *begin);
                end = explorer.run(budget, part, log);
            }
            let is_over = matches!(end, Ended::Found(..)) || budget.exhausted().is_some();
            if !is_over && explorer.system.is_cut {
                continue;
            }
            let statistics = explorer.statistics();
            let verdict = match end {
                Ended::Found(target, found) => Verdict::Violated { target, trace: found.trace },
                Ended::Open(reason) => Verdict::Open(reason),
                Ended::Obstacle(obstacle) => Verdict::Open(obstacle.reason),
                Ended::Paused => Verdict::Open(Reason::Limit(Limit::Time)),
                Ended::Complete if targets.contains(Target::Endless) => Verdict::Open(Reason::Beyond(Target::Endless)),
                Ended::Complete => Verdict::Holds(Proof::Reached(Rc::new(explorer.reached_set(self.facts.clone())))),
            };
            return (verdict, statistics);
        }
    }
}

/// Constants that the program compares with: the thresholds of widening (Blanchet et al., PLDI 2003).
fn thresholds(program: &Program) -> Vec<i64> {
    let mut found = Vec::new();
    for function in program.functions.iter() {
        for expr in function.exprs.iter() {
            let ExprKind::Binary(BinaryOp::Eq | BinaryOp::SLt | BinaryOp::SLe | BinaryOp::ULt | BinaryOp::ULe, a, b) =
                expr.kind
            else {
                continue;
            };
            for side in [a, b] {
                if let ExprKind::Const(bits) = function.exprs[side].kind {
                    let value = bits as i64;
                    found.extend([value.saturating_sub(1), value, value.saturating_add(1)]);
                }
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}
