//! One function as a control-flow automaton, and the builder that makes it: expressions are shared and folded as they are made,
//! empty edges and dead locations are dropped at the end, loop heads are found by depth-first search (so any `goto` will do).

use base::{Idx, IndexVec, Span, index_type};
use rustc_hash::FxHashMap;

use crate::{Expr, ExprId, ExprKind, Op, Scalar, ThreadOp, TypeId};

index_type! {
    pub struct FunctionId = "f";
    pub struct LocalId = "v";
    pub struct Location = "L";
    pub struct EdgeId = "e";
}

#[derive(Debug)]
pub struct Function {
    pub name: Box<str>,
    /// In order of the arguments of a call; the first ones of `locals`. Records come as pointers to a copy that the caller made.
    pub params: Vec<LocalId>,
    /// Takes the value to return.
    pub result: Option<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    pub exprs: IndexVec<ExprId, Expr>,
    /// Constants of more than 64 bits.
    pub wide: Vec<u128>,
    /// Sorted by where they start.
    pub edges: IndexVec<EdgeId, Edge>,
    /// For each location, its first edge; one more at the end.
    first_edge: Vec<u32>,
    pub entry: Location,
    /// Targets of back edges, in order: every cycle has one.
    pub loop_heads: Vec<Location>,
    /// Errors and creations of threads that were written behind an end or a loop without one: for coverage only.
    pub dead: Box<[Edge]>,
    /// False if the program has no body for it and this one was made up.
    pub defined: bool,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Local {
    pub name: Box<str>,
    pub ty: TypeId,
    pub storage: Storage,
    pub kind: LocalKind,
    pub span: Span,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Storage {
    /// A value that only this frame's expressions read and write.
    Plain(Scalar),
    /// An object from `Enter` to `Leave`, reached by its address.
    Memory,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum LocalKind {
    Param,
    Named,
    /// Holds a value within one full expression.
    Temporary,
}

#[derive(Clone, PartialEq, Debug)]
pub struct Edge {
    pub from: Location,
    pub to: Location,
    pub op: Op,
    pub span: Span,
}

/// What the names of models of library functions, written in C, begin with.
pub const MODEL_PREFIX: &str = "__heddle_";

impl Function {
    /// The program's own: neither made up nor a model of a library function.
    pub fn is_own(&self) -> bool {
        self.defined && !self.name.starts_with(MODEL_PREFIX) && !self.name.starts_with('<')
    }

    /// As users know it.
    pub fn title(&self) -> &str {
        match self.name.strip_prefix(MODEL_PREFIX) {
            Some(_) => "the library",
            None if self.name.starts_with('<') => "the start of the program",
            None => &self.name,
        }
    }

    pub fn locations(&self) -> impl DoubleEndedIterator<Item = Location> + ExactSizeIterator + use<> {
        (0..self.first_edge.len() - 1).map(Location::from_usize)
    }

    pub fn edges_from(&self, location: Location) -> impl DoubleEndedIterator<Item = (EdgeId, &Edge)> {
        let range = self.first_edge[location.index()]..self.first_edge[location.index() + 1];
        range.map(|i| (EdgeId(i), &self.edges[EdgeId(i)]))
    }

    pub fn is_loop_head(&self, location: Location) -> bool {
        self.loop_heads.binary_search(&location).is_ok()
    }
}

/// Builds one function. Locations are made freely and connected by edges; [`FunctionBuilder::finish`] tidies up.
pub struct FunctionBuilder {
    pub name: Box<str>,
    pub params: Vec<LocalId>,
    pub result: Option<LocalId>,
    pub locals: IndexVec<LocalId, Local>,
    exprs: IndexVec<ExprId, Expr>,
    known: FxHashMap<(ExprKind, Scalar), ExprId>,
    wide: Vec<u128>,
    edges: Vec<Edge>,
    locations: u32,
    pub entry: Location,
    pub defined: bool,
    pub span: Span,
}

impl FunctionBuilder {
    pub fn new(name: &str, span: Span) -> Self {
        FunctionBuilder {
            name: name.into(),
            params: Vec::new(),
            result: None,
            locals: IndexVec::new(),
            exprs: IndexVec::new(),
            known: FxHashMap::default(),
            wide: Vec::new(),
            edges: Vec::new(),
            locations: 1,
            entry: Location(0),
            defined: true,
            span,
        }
    }

    pub fn location(&mut self) -> Location {
        self.locations += 1;
        Location(self.locations - 1)
    }

    pub fn edge(&mut self, from: Location, op: Op, to: Location, span: Span) {
        self.edges.push(Edge { from, to, op, span });
    }

    /// If the newest edge leads to `at` and fills `temporary`, it fills `local` instead. Nothing else may read the temporary.
    pub fn redirect(&mut self, at: Location, temporary: LocalId, local: LocalId) -> bool {
        let Some(edge) = self.edges.last_mut().filter(|edge| edge.to == at) else { return false };
        let to = match &mut edge.op {
            Op::Load { to, .. } | Op::Havoc(to, _) => Some(to),
            Op::Call(call) => call.to.as_mut(),
            Op::Allocate(allocate) => Some(&mut allocate.to),
            _ => None,
        };
        match to {
            Some(to) if *to == temporary => {
                *to = local;
                true
            }
            _ => false,
        }
    }

    /// The expression, made if it is new. No folding: see `fold`.
    pub fn expr(&mut self, kind: ExprKind, ty: Scalar) -> ExprId {
        *self.known.entry((kind, ty)).or_insert_with(|| self.exprs.push(Expr { kind, ty }))
    }

    pub fn get(&self, id: ExprId) -> Expr {
        self.exprs[id]
    }

    pub fn ty(&self, id: ExprId) -> Scalar {
        self.exprs[id].ty
    }

    /// A constant given by its bits.
    pub fn constant(&mut self, ty: Scalar, bits: u128) -> ExprId {
        let bits = if ty.bits() < 128 { bits & ((1 << ty.bits()) - 1) } else { bits };
        match u64::try_from(bits) {
            Ok(bits) => self.expr(ExprKind::Const(bits), ty),
            Err(_) => {
                let index = self.wide.iter().position(|w| *w == bits).unwrap_or_else(|| {
                    self.wide.push(bits);
                    self.wide.len() - 1
                });
                self.expr(ExprKind::Wide(index as u32), ty)
            }
        }
    }

    /// The bits of a constant expression.
    pub fn as_constant(&self, id: ExprId) -> Option<u128> {
        match self.exprs[id].kind {
            ExprKind::Const(bits) => Some(u128::from(bits)),
            ExprKind::Wide(index) => Some(self.wide[index as usize]),
            _ => None,
        }
    }

    pub fn finish(mut self) -> Function {
        self.cut_behind_ends();
        let alias = aliases(&self.edges, self.locations as usize);
        let Reachable { edges, first_edge, entry, dead } = reachable(self.edges, &alias, self.entry);
        let loop_heads = loop_heads(&edges, &first_edge, entry);
        Function {
            name: self.name,
            params: self.params,
            result: self.result,
            locals: self.locals,
            exprs: self.exprs,
            wide: self.wide,
            edges,
            first_edge,
            entry,
            loop_heads,
            dead: dead.into(),
            defined: self.defined,
            span: self.span,
        }
    }

    /// Edges that never continue lead to one location from which no edge leaves: what was written behind them is dead.
    fn cut_behind_ends(&mut self) {
        let end = self.location();
        for edge in self.edges.iter_mut().filter(|edge| edge.op.is_final()) {
            edge.to = end;
        }
    }
}

/// Where each location really leads: one whose only edge is empty is replaced by that edge's target. A cycle of empty edges
/// keeps one of its locations, so that an endless loop stays one.
fn aliases(edges: &[Edge], locations: usize) -> Vec<Location> {
    const NONE: u32 = u32::MAX;
    const SEVERAL: u32 = u32::MAX - 1;
    let mut skip = vec![NONE; locations];
    for edge in edges {
        let slot = &mut skip[edge.from.index()];
        *slot = if *slot == NONE && edge.op == Op::Skip { edge.to.0 } else { SEVERAL };
    }
    let mut alias: Vec<u32> = vec![NONE; locations];
    let mut path = Vec::new();
    for start in 0..locations as u32 {
        let mut at = start;
        // Mark the path with its start so that a cycle is noticed.
        let end = loop {
            let known = alias[at as usize];
            if known != NONE {
                break if known == SEVERAL { at } else { known };
            }
            let next = skip[at as usize];
            if next == NONE || next == SEVERAL {
                break at;
            }
            alias[at as usize] = SEVERAL;
            path.push(at);
            at = next;
        };
        for location in path.drain(..) {
            alias[location as usize] = end;
        }
        if alias[end as usize] == NONE {
            alias[end as usize] = end;
        }
    }
    alias.into_iter().map(Location).collect()
}

fn matters_dead(op: &Op) -> bool {
    match op {
        Op::Error(_) => true,
        Op::Thread(op) => matches!(**op, ThreadOp::Create { .. }),
        _ => false,
    }
}

struct Reachable {
    edges: IndexVec<EdgeId, Edge>,
    first_edge: Vec<u32>,
    entry: Location,
    dead: Vec<Edge>,
}

/// Drops what cannot be reached from the entry, renumbers the rest in reverse postorder (so that, back edges aside, edges lead to
/// higher numbers and the text reads downwards), sorts the edges by where they start.
fn reachable(edges: Vec<Edge>, alias: &[Location], entry: Location) -> Reachable {
    let live = |edge: &Edge| alias[edge.from.index()] == edge.from;
    let mut count = vec![0u32; alias.len() + 1];
    for edge in edges.iter().filter(|e| live(e)) {
        count[edge.from.index() + 1] += 1;
    }
    for i in 1..count.len() {
        count[i] += count[i - 1];
    }
    let first = count.clone();
    let mut by_from: Vec<Option<Edge>> = vec![None; *count.last().unwrap_or(&0) as usize];
    for edge in edges {
        if live(&edge) {
            let slot = &mut count[edge.from.index()];
            by_from[*slot as usize] = Some(edge);
            *slot += 1;
        }
    }
    let targets = |at: Location| {
        let slots = first[at.index()] as usize..first[at.index() + 1] as usize;
        by_from[slots].iter().flatten().map(|edge| alias[edge.to.index()])
    };
    let order = reverse_postorder(alias[entry.index()], alias.len(), targets);
    let mut number = vec![u32::MAX; alias.len()];
    for (i, old) in order.iter().enumerate() {
        number[old.index()] = i as u32;
    }
    let mut result = IndexVec::new();
    let mut first_edge = Vec::with_capacity(order.len() + 1);
    for (i, old) in order.iter().enumerate() {
        first_edge.push(result.len() as u32);
        for slot in first[old.index()]..first[old.index() + 1] {
            let mut edge = by_from[slot as usize].take().expect("every location is visited once");
            edge.from = Location::from_usize(i);
            edge.to = Location(number[alias[edge.to.index()].index()]);
            result.push(edge);
        }
    }
    first_edge.push(result.len() as u32);
    result.shrink_to_fit();
    let dead = by_from.into_iter().flatten().filter(|edge| matters_dead(&edge.op)).collect();
    Reachable { edges: result, first_edge, entry: Location(number[alias[entry.index()].index()]), dead }
}

/// The last branch is visited first, so that the first one comes first.
fn reverse_postorder<I: DoubleEndedIterator<Item = Location>>(
    entry: Location,
    locations: usize,
    targets: impl Fn(Location) -> I,
) -> Vec<Location> {
    let mut seen = vec![false; locations];
    let mut order = Vec::new();
    seen[entry.index()] = true;
    let mut stack = vec![(entry, targets(entry).rev())];
    while let Some((at, rest)) = stack.last_mut() {
        match rest.next() {
            Some(to) if !seen[to.index()] => {
                seen[to.index()] = true;
                stack.push((to, targets(to).rev()));
            }
            Some(_) => {}
            None => {
                order.push(*at);
                stack.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Targets of the back edges of a depth-first search.
fn loop_heads(edges: &IndexVec<EdgeId, Edge>, first_edge: &[u32], entry: Location) -> Vec<Location> {
    #[derive(Clone, Copy, PartialEq)]
    enum Mark {
        New,
        Open,
        Done,
    }
    let mut mark = vec![Mark::New; first_edge.len() - 1];
    let mut heads = Vec::new();
    let mut stack = vec![(entry, first_edge[entry.index()])];
    mark[entry.index()] = Mark::Open;
    while let Some((at, next)) = stack.last_mut() {
        if *next == first_edge[at.index() + 1] {
            mark[at.index()] = Mark::Done;
            stack.pop();
            continue;
        }
        let to = edges[EdgeId(*next)].to;
        *next += 1;
        match mark[to.index()] {
            Mark::New => {
                mark[to.index()] = Mark::Open;
                stack.push((to, first_edge[to.index()]));
            }
            Mark::Open => heads.push(to),
            Mark::Done => {}
        }
    }
    heads.sort_unstable();
    heads.dedup();
    heads
}

#[cfg(test)]
mod tests {
    use super::*;

    fn build(edges: &[(u32, Op, u32)]) -> Function {
        let mut builder = FunctionBuilder::new("f", Span::NONE);
        let last = edges.iter().map(|(from, _, to)| *from.max(to)).max().unwrap();
        while builder.location().0 < last {}
        for (from, op, to) in edges {
            builder.edge(Location(*from), op.clone(), Location(*to), Span::NONE);
        }
        builder.finish()
    }

    #[test]
    fn empty_edges_vanish_and_dead_locations_too() {
        let f =
            build(&[(0, Op::Skip, 1), (1, Op::AtomicBegin, 2), (2, Op::Skip, 3), (3, Op::Return, 4), (5, Op::Skip, 1)]);
        let shape: Vec<_> = f.edges.iter().map(|e| (e.from.0, e.to.0)).collect();
        assert_eq!(shape, [(0, 1), (1, 2)]);
        assert!(f.loop_heads.is_empty());
    }

    #[test]
    fn code_behind_a_return_is_dead() {
        let f = build(&[(0, Op::AtomicBegin, 1), (1, Op::Return, 2), (2, Op::AtomicEnd, 3), (3, Op::Return, 0)]);
        let shape: Vec<_> = f.edges.iter().map(|e| (e.from.0, e.to.0)).collect();
        assert_eq!(shape, [(0, 1), (1, 2)]);
        assert!(f.loop_heads.is_empty());
    }

    #[test]
    fn an_endless_empty_loop_stays() {
        let f = build(&[(0, Op::AtomicBegin, 1), (1, Op::Skip, 2), (2, Op::Skip, 1)]);
        assert_eq!(f.edges.len(), 2);
        let last = &f.edges.raw()[1];
        assert_eq!((last.from, &last.op), (last.to, &Op::Skip));
        assert_eq!(f.loop_heads, [last.to]);
    }

    #[test]
    fn irreducible_cycles_have_a_head() {
        let f = build(&[
            (0, Op::AtomicBegin, 1),
            (0, Op::AtomicEnd, 2),
            (1, Op::AtomicBegin, 2),
            (2, Op::AtomicEnd, 1),
            (2, Op::Return, 3),
        ]);
        assert_eq!(f.loop_heads.len(), 1);
    }
}
