//! Random runs of a program, each with numbers kept that were chosen by chance, beside the interpreter.

use analyses::memory::{self, Memory, Precision, TrackedPlace, Value as Abstract};
use analyses::{Analysis, Control, Finding, NoAnswers, Post, Product, States, Step, Threads};
use base::Idx;
use por::Site;
use program::{EdgeId, FunctionId, Input, Location, Op, Program, Scalar};
use semantics::{
    Effects, Ending, Environment, Life, Machine, ObjectId, ObjectKind, Random, Read, State, ThreadId, Value, Violation,
};

#[derive(Default, Debug)]
pub struct Tally {
    pub runs: u64,
    pub steps: u64,
    /// Runs that the analysis gave up.
    pub unknowns: u64,
    /// Values that were looked at, and those of them that were left out.
    pub values: u64,
    pub left_out: u64,
}

impl Tally {
    pub fn sum(all: Vec<Tally>) -> Tally {
        let mut sum = Tally::default();
        for one in all {
            sum.runs += one.runs;
            sum.steps += one.steps;
            sum.unknowns += one.unknowns;
            sum.values += one.values;
            sum.left_out += one.left_out;
        }
        sum
    }
}

type Whole<'p> = Product<Threads<'p>, Memory<'p>>;
type Ours<'p> = <Whole<'p> as States>::State;

const LONGEST: usize = 200;
const MOST_THREADS: usize = 40;
/// States that may all be the interpreter's.
const MOST_STATES: usize = 24;

struct Guesses {
    random: Random,
    chosen: Vec<u32>,
}

impl Environment for Guesses {
    fn input(&mut self, _: Scalar, _: Input) -> u128 {
        *self.random.pick(&[0, 1, 2, -2_i64 as u128, 7])
    }

    fn choose(&mut self, options: u32) -> u32 {
        self.chosen.push(self.random.below(options as usize) as u32);
        self.chosen[self.chosen.len() - 1]
    }

    fn print(&mut self, _: &[u8]) {}
}

/// Some of all places; none at all in the first run.
fn precision(program: &Program, seed: u64, random: &mut Random) -> Precision {
    let locals = program.functions.iter_enumerated();
    let locals = locals.flat_map(|(id, function)| function.locals.ids().map(move |l| TrackedPlace::Local(id, l)));
    let globals = program.globals.iter_enumerated().flat_map(|(id, global)| {
        let site = if global.thread_local { Site::ThreadLocal(id) } else { Site::Global(id) };
        let offsets = (0..global.size.min(64)).step_by(4);
        offsets.map(move |offset| TrackedPlace::in_object(program, site, global.size, offset))
    });
    let places = locals.chain(globals).filter(|_| seed > 0 && random.once_in(2)).collect();
    Precision { places }
}

pub fn check(program: &Program, runs: u64, tally: &mut Tally) -> Result<(), String> {
    let machine = Machine::new(program);
    for seed in 0..runs {
        tally.runs += 1;
        let mut random = Random::new(seed);
        let tracked = Some(precision(program, seed, &mut random));
        let options = memory::Options { tracked, ..Default::default() };
        let mut guesses = Guesses { random, chosen: Vec::new() };
        let theirs = machine.initial(&mut guesses);
        let mut whole = Product(Threads::new(program), Memory::new(program, options));
        let ours = vec![whole.initial().map_err(|unknown| unknown.describe().to_owned())?];
        let mut pair = Pair { machine: &machine, whole, guesses, ours, theirs };
        for _ in 0..LONGEST {
            let Some((thread, edge)) = pair.choose() else { break };
            tally.steps += 1;
            let what = machine.edge(&pair.theirs, thread, edge);
            let line = program.sources.place(what.span).map_or(0, |place| place.line);
            let stepped = pair.step(thread, edge, tally);
            if !stepped.map_err(|e| format!("run {seed}, {thread}, line {line}: {:?}: {e}", what.op))? {
                break;
            }
        }
    }
    Ok(())
}

struct Pair<'a, 'p> {
    machine: &'a Machine<'p>,
    whole: Whole<'p>,
    guesses: Guesses,
    ours: Vec<Ours<'p>>,
    theirs: State,
}

impl<'p> Pair<'_, 'p> {
    fn choose(&mut self) -> Option<(ThreadId, EdgeId)> {
        let steps = self.machine.runnable(&self.theirs);
        let stops = steps.is_empty() || self.theirs.threads.len() > MOST_THREADS;
        (!stops).then(|| *self.guesses.random.pick(&steps))
    }

    /// Makes a step on both sides. False if the run ends.
    fn step(&mut self, thread: ThreadId, edge: EdgeId, tally: &mut Tally) -> Result<bool, String> {
        let op = &self.machine.edge(&self.theirs, thread, edge).op;
        let function = self.theirs.frame(thread).function;
        let step = Step { thread: thread.0, function, edge, choice: None, control: Control::Open };
        let (mut post, mut unknown) = (Post::default(), None);
        for state in std::mem::take(&mut self.ours) {
            let mut parts = Vec::new();
            unknown = unknown.or(self.whole.prepare(state, &step, &mut parts));
            for part in parts {
                unknown = unknown.or(self.whole.transfer(part, &step, &mut NoAnswers, &mut post).err());
            }
        }
        self.guesses.chosen.clear();
        let effects = self.machine.step(&mut self.theirs, thread, edge, &mut self.guesses);
        if unknown.or(post.missing.take()).is_some() {
            tally.unknowns += 1;
            return Ok(false);
        }
        if matches!(effects.ending, Some(Ending::Unsupported(_) | Ending::Limit(_))) {
            return Ok(false);
        }
        let prints = matches!(op, Op::Library(_));
        if !prints {
            are_found(&effects, &post.findings)?;
        }
        if effects.ending.is_some() {
            return if post.ends || prints { Ok(false) } else { Err(format!("does not end: {:?}", effects.ending)) };
        }
        if has_indeterminate(&self.theirs) {
            return Ok(false);
        }
        self.follow(op, post, tally)?;
        Ok(true)
    }

    /// Goes on with the successors that represent the interpreter's state.
    fn follow(&mut self, op: &Op, post: Post<Ours<'p>>, tally: &mut Tally) -> Result<(), String> {
        let chosen = self.guesses.chosen.first().copied();
        let choice = if matches!(op, Op::Thread(_) | Op::CompareExchange(_)) { chosen } else { None };
        let mut problems = Vec::new();
        for (mut state, step) in post.successors {
            let theirs = &self.theirs;
            self.whole.0.forget_locks(&mut state.0, |object| theirs.object(object).life != Life::Live);
            match self.differs(&state, tally) {
                _ if step.choice != choice => problems.push(format!("chooses {:?}", step.choice)),
                Some(problem) => problems.push(problem),
                None => self.ours.push(state),
            }
        }
        self.ours.truncate(MOST_STATES);
        match self.ours.is_empty() {
            true => Err(format!("no successor for choice {choice:?}: {}", problems.join("; "))),
            false => Ok(()),
        }
    }

    /// What is wrong with a state, if it does not represent the interpreter's.
    fn differs(&self, (control, data): &Ours<'p>, tally: &mut Tally) -> Option<String> {
        let (theirs, threads) = (&self.theirs, &self.whole.0);
        if threads.threads(control) != theirs.threads.len() {
            return Some("as many threads".into());
        }
        for thread in theirs.thread_ids() {
            let frames = &theirs.thread(thread).frames;
            let ours: Vec<(FunctionId, Location)> = threads.frames(control, thread.0).collect();
            if ours != frames.iter().rev().map(|frame| (frame.function, frame.location)).collect::<Vec<_>>() {
                return Some("control".into());
            }
            for (frame, own) in frames.iter().zip(&data.threads[thread.index()].frames) {
                for (i, (value, own)) in frame.locals.iter().zip(&own.locals).enumerate() {
                    if !represents(data, *own, *value, tally) {
                        return Some(format!("{thread}, v{i}: {own:?}, the interpreter has {value:?}"));
                    }
                }
            }
        }
        (0..theirs.objects.len()).find_map(|i| self.object_differs(data, ObjectId(i as u32), tally))
    }

    fn object_differs(&self, data: &memory::MemoryState, id: ObjectId, tally: &mut Tally) -> Option<String> {
        let theirs = self.theirs.object(id);
        let ours = self.whole.1.find(data, id).filter(|_| theirs.life == Life::Live)?;
        ours.cells.iter().find_map(|cell| {
            let value = match theirs.contents.read(cell.at.into(), cell.length.into()) {
                Read::Bits(bits) => Value::Bits(bits as u64),
                Read::Pointer(pointer) => Value::Pointer(pointer),
                Read::Undefined | Read::Mixed => return None,
            };
            let agrees = represents(data, cell.value, value, tally);
            (!agrees).then(|| format!("{id:?} at {}: {:?}, the interpreter has {value:?}", cell.at, cell.value))
        })
    }
}

fn represents(data: &memory::MemoryState, ours: Abstract, theirs: Value, tally: &mut Tally) -> bool {
    tally.values += 1;
    match (data.symbols.value(ours), theirs) {
        (_, Value::Undefined) => true,
        (Abstract::Undefined, _) => {
            tally.left_out += 1;
            true
        }
        (Abstract::Unknown(symbol), Value::Bits(bits)) => {
            data.symbols.info(symbol).range.is_none_or(|range| range.contains(bits))
        }
        (Abstract::Unknown(symbol), _) => data.symbols.info(symbol).address,
        (Abstract::Bits(a), Value::Bits(b)) => a == b,
        (Abstract::Pointer(a), Value::Pointer(b)) => a == b,
        (Abstract::Part(a, i), Value::Part(b, j)) => (a, i) == (b, j),
        // One byte of it was read.
        (Abstract::Part(a, _), Value::Pointer(b)) => a == b,
        _ => false,
    }
}

/// What happens is found.
fn are_found(effects: &Effects, found: &[Finding]) -> Result<(), String> {
    let known = |violation: &&Violation| {
        matches!(violation, Violation::Overflow | Violation::Error(_) | Violation::InvalidAccess)
    };
    match effects.violations.iter().filter(known).find(|v| !found.iter().any(|finding| finding.violation == **v)) {
        Some(violation) => Err(format!("not found: {violation:?}")),
        None => Ok(()),
    }
}

/// What an indeterminate pointer is, the interpreter decides a step earlier than analyses do: such runs are not followed in step, but
/// verdicts about them are compared elsewhere.
fn has_indeterminate(state: &State) -> bool {
    state.objects.iter().any(|object| matches!(object.kind, ObjectKind::Indeterminate(_)))
}
