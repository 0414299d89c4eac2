//! Atomic sections: what may happen in one, as if it were one step.
//!
//! A section is one step only if no other thread moves inside it. A thread that is kept waiting in its section lets others run, and
//! takes over as soon as it can go on; then nothing is known of what commutes. The same if it is not known where sections end.

use std::collections::BTreeMap;

use base::Idx;
use facts::Movers;
use facts::blocks::{Circumstances, may_block};
use program::{EdgeId, Function, FunctionId, Location, Op, Program, ThreadOp};

/// The edges of the section that each `AtomicBegin` begins.
pub type Sections = BTreeMap<(FunctionId, EdgeId), Vec<EdgeId>>;

/// `None` if a thread may be kept waiting inside a section, or end there, or if sections do not begin and end in one function.
pub fn sections(program: &Program, movers: &Movers) -> Option<Sections> {
    let mut sections = Sections::default();
    let mut inside = vec![false; program.functions.len()];
    let mut work = Vec::new();
    for (id, function) in program.functions.iter_enumerated() {
        let depths = depths(function)?;
        for (edge, e) in function.edges.iter_enumerated() {
            let depth = depths[e.from.index()].unwrap_or(0);
            if depth > 0 && is_within(&e.op) == Within::Lost && movers.is_reached(id, e.from) {
                return None;
            }
            if depth > 0 && matches!(e.op, Op::Call(_)) {
                work.extend(movers.callees(id, edge));
            }
            if e.op == Op::AtomicBegin {
                sections.insert((id, edge), between(function, e.to, &depths, depth));
            }
        }
    }
    // Whatever is called from a section is inside it.
    while let Some(id) = work.pop() {
        if std::mem::replace(&mut inside[id.index()], true) {
            continue;
        }
        for (edge, e) in program.functions[id].edges.iter_enumerated() {
            if movers.is_reached(id, e.from) && is_within(&e.op) == Within::Lost {
                return None;
            }
            work.extend(movers.callees(id, edge));
        }
    }
    Some(sections)
}

#[derive(PartialEq)]
enum Within {
    Fine,
    /// Others may run, or the thread ends.
    Lost,
}

fn is_within(op: &Op) -> Within {
    let exits = matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Exit { .. }));
    if may_block(op) || exits { Within::Lost } else { Within::Fine }
}

/// For each location how many sections of this function it is in. `None` if that differs, or the function ends inside one.
fn depths(function: &Function) -> Option<Vec<Option<u32>>> {
    let mut depths = vec![None; function.locations().len()];
    depths[function.entry.index()] = Some(0u32);
    let mut work = vec![function.entry];
    while let Some(location) = work.pop() {
        let depth = depths[location.index()]?;
        for (_, edge) in function.edges_from(location) {
            let behind = match &edge.op {
                Op::AtomicBegin => depth + 1,
                Op::AtomicEnd => depth.checked_sub(1)?,
                Op::Return if depth > 0 => return None,
                op if op.is_final() => continue,
                _ => depth,
            };
            match depths[edge.to.index()] {
                Some(known) if known != behind => return None,
                Some(_) => {}
                None => {
                    depths[edge.to.index()] = Some(behind);
                    work.push(edge.to);
                }
            }
        }
    }
    Some(depths)
}

/// The edges from a location on that are deeper than `depth`.
fn between(function: &Function, from: Location, depths: &[Option<u32>], depth: u32) -> Vec<EdgeId> {
    let mut seen = vec![false; depths.len()];
    let mut work = vec![from];
    let mut found = Vec::new();
    while let Some(location) = work.pop() {
        let outside = depths[location.index()].is_none_or(|here| here <= depth);
        if outside || std::mem::replace(&mut seen[location.index()], true) {
            continue;
        }
        for (id, edge) in function.edges_from(location) {
            found.push(id);
            work.push(edge.to);
        }
    }
    found
}
