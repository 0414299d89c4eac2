//! Where threads are created whose handles no thread will look at.

use facts::Facts;
use program::{EdgeId, FunctionId, Op, Program, ThreadOp};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::Site;
use crate::collect::sites;
use crate::effects::{Bytes, EdgeKey};

/// Edges that create threads and store the handle where, by the facts, nothing is ever read.
pub fn unread_handles(program: &Program, facts: &Facts) -> FxHashSet<(FunctionId, EdgeId)> {
    let mut stored: Vec<(EdgeKey, Bytes)> = Vec::new();
    let mut read: FxHashMap<Site, Vec<Bytes>> = FxHashMap::default();
    for node in 0..facts.solution.states.len() as u32 {
        let function = facts.tables.call_strings[facts.tables.nodes[node as usize].call_string].function;
        for access in facts.accesses(program, node) {
            let op = &program.functions[function].edges[access.edge].op;
            for site in sites(program, facts, facts.tables.abstract_object(access.base)) {
                let bytes = Bytes { site, at: access.at, size: access.size, write: access.write };
                if creates(op) {
                    stored.push(((function, access.edge), bytes));
                } else if may_read(op) {
                    read.entry(site).or_default().push(bytes);
                }
            }
        }
    }
    let is_read = |bytes: &Bytes| read.get(&bytes.site).is_some_and(|all| all.iter().any(|b| b.overlaps(bytes)));
    let mut unread: FxHashSet<EdgeKey> = stored.iter().map(|(place, _)| *place).collect();
    for (place, bytes) in &stored {
        if is_read(bytes) {
            unread.remove(place);
        }
    }
    unread
}

fn creates(op: &Op) -> bool {
    matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::Create { .. }))
}

/// Whatever touches memory and is not known to write only.
fn may_read(op: &Op) -> bool {
    match op {
        // What is beside the bits stays.
        Op::Store { to, .. } => to.bits.is_some(),
        Op::Free(_) => false,
        _ => true,
    }
}
