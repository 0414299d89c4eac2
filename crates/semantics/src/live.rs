//! Live variables of temporaries: which will not be read again. No variable of the program, they must not keep a heap block from being lost; and
//! states that differ in nothing else are the same.

use base::{Idx, IndexVec};
use program::{Edge, EdgeId, ExprId, ExprKind, Function, Local, LocalId, LocalKind, Location, Op, Storage};

/// For one function: what may be forgotten, and when.
pub struct Liveness {
    /// What dies with an edge.
    dying: IndexVec<EdgeId, Box<[LocalId]>>,
    /// Results of calls that are not read: the locations where calls return to, in order.
    unread: Vec<(Location, LocalId)>,
    /// Read before anything is written to them, on some path.
    entry: Box<[LocalId]>,
}

impl Liveness {
    /// Of the temporaries.
    pub fn of(function: &Function) -> Liveness {
        Self::of_those(function, |local| local.kind == LocalKind::Temporary)
    }

    /// Of all plain locals.
    pub fn of_plain(function: &Function) -> Liveness {
        Self::of_those(function, |_| true)
    }

    fn of_those(function: &Function, counts: impl Fn(&Local) -> bool) -> Liveness {
        let temporaries = Temporaries::of(function, counts);
        let uses: Vec<Use> = function.edges.iter().map(|edge| temporaries.uses(function, edge)).collect();
        let live = solve(function, &temporaries, &uses);
        let members = |set: &Set| -> Box<[LocalId]> {
            temporaries.ids.iter().enumerate().filter(|(i, _)| set.has(Some(*i))).map(|(_, id)| *id).collect()
        };
        let entry = members(&live[function.entry.index()]);
        let mut liveness = Liveness { dying: IndexVec::new(), unread: Vec::new(), entry };
        for (edge, used) in function.edges.iter().zip(uses) {
            let mut dying = live[edge.from.index()].clone();
            dying.add(&used.written);
            dying.remove(&live[edge.to.index()]);
            if let Op::Call(call) = &edge.op
                && let Some(to) = call.to.filter(|to| dying.has(temporaries.numbers[to.index()]))
            {
                liveness.unread.push((edge.to, to));
            }
            liveness.dying.push(members(&dying));
        }
        liveness.unread.sort_unstable();
        liveness
    }

    pub fn dying(&self, edge: EdgeId) -> &[LocalId] {
        &self.dying[edge]
    }

    /// What is read before it is written, parameters included.
    pub fn at_entry(&self) -> &[LocalId] {
        &self.entry
    }

    /// Is the result of a call that returns to this location never read?
    pub fn is_unread(&self, location: Location, result: LocalId) -> bool {
        self.unread.binary_search(&(location, result)).is_ok()
    }
}

/// For each location the plain locals that may be read before they are written.
pub fn live_locals(function: &Function) -> Vec<Vec<LocalId>> {
    let plain = Temporaries::of(function, |_| true);
    let uses: Vec<Use> = function.edges.iter().map(|edge| plain.uses(function, edge)).collect();
    let members =
        |set: &Set| plain.ids.iter().enumerate().filter(|(i, _)| set.has(Some(*i))).map(|(_, id)| *id).collect();
    solve(function, &plain, &uses).iter().map(members).collect()
}

fn solve(function: &Function, temporaries: &Temporaries, uses: &[Use]) -> Vec<Set> {
    let mut live = vec![Set::new(temporaries); function.locations().len()];
    while (0..uses.len()).rev().fold(false, |changed, i| {
        let edge = &function.edges[EdgeId::from_usize(i)];
        let mut before = live[edge.to.index()].clone();
        before.remove(&uses[i].written);
        before.add(&uses[i].read);
        live[edge.from.index()].add(&before) | changed
    }) {}
    live
}

struct Use {
    read: Set,
    written: Set,
}

#[derive(Clone)]
struct Set(Box<[u64]>);

impl Set {
    fn new(temporaries: &Temporaries) -> Set {
        Set(vec![0; temporaries.ids.len().div_ceil(64)].into())
    }

    fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    fn has(&self, number: Option<usize>) -> bool {
        number.is_some_and(|number| self.0[number / 64] >> (number % 64) & 1 == 1)
    }

    /// True if that changes the set.
    fn add(&mut self, other: &Set) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }

    fn remove(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, gone)| *word &= !gone);
    }
}

/// The plain locals in question, numbered.
struct Temporaries {
    ids: Vec<LocalId>,
    numbers: Vec<Option<usize>>,
    /// Those that an expression reads.
    read: Vec<Set>,
}

impl Temporaries {
    fn of(function: &Function, counts: impl Fn(&Local) -> bool) -> Temporaries {
        let mut temporaries = Temporaries { ids: Vec::new(), numbers: Vec::new(), read: Vec::new() };
        for (id, local) in function.locals.iter_enumerated() {
            let counts = counts(local) && matches!(local.storage, Storage::Plain(_));
            temporaries.numbers.push(counts.then_some(temporaries.ids.len()));
            if counts {
                temporaries.ids.push(id);
            }
        }
        for expr in function.exprs.iter() {
            let mut read = Set::new(&temporaries);
            let mut operand = |id: ExprId| {
                read.add(&temporaries.read[id.index()]);
            };
            match expr.kind {
                ExprKind::Unary(_, a) | ExprKind::Cast(_, a) => operand(a),
                ExprKind::Binary(_, a, b) => [a, b].into_iter().for_each(operand),
                ExprKind::If(a, b, c) => [a, b, c].into_iter().for_each(operand),
                ExprKind::Local(local) => temporaries.numbers[local.index()].into_iter().for_each(|n| read.insert(n)),
                _ => {}
            }
            temporaries.read.push(read);
        }
        temporaries
    }

    fn uses(&self, function: &Function, edge: &Edge) -> Use {
        let (mut read, mut written) = (Set::new(self), Set::new(self));
        let insert =
            |set: &mut Set, local: LocalId| self.numbers[local.index()].into_iter().for_each(|n| set.insert(n));
        edge.op.written_locals(&mut |local| insert(&mut written, local));
        edge.op.operands(&mut |expr, _| {
            read.add(&self.read[expr.index()]);
        });
        if let Op::Modify(modify) = &edge.op {
            // The new value may mention the old one, which the edge itself writes.
            let mut old = Set::new(self);
            insert(&mut old, modify.old);
            read.remove(&old);
        }
        if let (Op::Return, Some(result)) = (&edge.op, function.result) {
            insert(&mut read, result);
        }
        Use { read, written }
    }
}
