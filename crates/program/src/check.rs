//! Is a program well-formed? Every analysis relies on what is checked here and checks none of it again; tests and fuzzing
//! run it behind lowering.
//!
//! Of a program: ids are in range, images fit their objects. Of a function:
//! - parameters are the first locals, plain and of kind `Param`; the result is plain; a plain local of scalar type has that type;
//! - operands of an expression come before it, and its types fit the operator (`check/expr.rs`);
//! - locals, types and constants in operations fit (`check/op.rs`); `Enter`, `Leave` and addresses are for locals in memory, all
//!   else for plain ones;
//! - edges are sorted by where they start; where several start, each is an `Assume`, and no `Assume` is alone;
//! - a location without edges is reached only by what ends the run of the thread or of the frame (`Return`, `End`, thread exit)
//!   or is not understood (`Unsupported`), and the first three lead nowhere else;
//! - every cycle goes through a loop head, and loop heads are sorted.

mod expr;
mod op;

use base::Idx;

use crate::{
    Address, AddressBase, Edge, Function, FunctionId, Global, GlobalInit, LocalId, LocalKind, Location, Op, Program,
    Scalar, Storage, TypeId,
};

/// The first error, and where.
pub fn check(program: &Program) -> Result<(), String> {
    if !matches!(program.machine.pointer_bits, 32 | 64) {
        return Err(format!("pointers of {} bits", program.machine.pointer_bits));
    }
    for (what, id) in [("entry", program.entry), ("main", program.main)] {
        ensure(id.index() < program.functions.len(), || format!("{what} is {id}, which does not exist"))?;
    }
    for (id, global) in program.globals.iter_enumerated() {
        check_global(program, global).map_err(|e| format!("global {id} ({}): {e}", global.name))?;
    }
    for id in program.functions.ids() {
        check_function(program, id)?;
    }
    Ok(())
}

pub fn check_function(program: &Program, id: FunctionId) -> Result<(), String> {
    let function = &program.functions[id];
    let checker = Checker { program, function };
    checker.check().map_err(|e| format!("function {id} ({}): {e}", function.name))
}

pub(crate) fn ensure(holds: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message()) }
}

fn check_global(program: &Program, global: &Global) -> Result<(), String> {
    check_type(program, global.ty)?;
    let least = program.types.size(global.ty);
    ensure(global.size >= least, || format!("of {} bytes, but its type has {least}", global.size))?;
    ensure(global.align.is_power_of_two(), || format!("alignment {} is no power of two", global.align))?;
    let GlobalInit::Image(image) = &global.init else { return Ok(()) };
    ensure(image.bytes.len() as u64 <= global.size, || "its image is longer than it".to_owned())?;
    let mut end = 0;
    for (offset, address) in &image.pointers {
        ensure(*offset >= end, || format!("pointers at offset {offset} out of order or overlapping"))?;
        end = offset.saturating_add(program.machine.pointer_bytes());
        ensure(end <= global.size, || format!("the pointer at offset {offset} reaches behind its end"))?;
        let bytes = image.bytes.iter().skip(*offset as usize).take(program.machine.pointer_bytes() as usize);
        ensure(bytes.into_iter().all(|b| *b == 0), || {
            format!("bytes under the pointer at offset {offset} are not zero")
        })?;
        check_address(program, *address)?;
    }
    Ok(())
}

fn check_address(program: &Program, address: Address) -> Result<(), String> {
    let exists = match address.base {
        AddressBase::Global(id) => id.index() < program.globals.len(),
        AddressBase::Function(id) => id.index() < program.functions.len(),
    };
    ensure(exists, || format!("{:?} does not exist", address.base))
}

fn check_type(program: &Program, id: TypeId) -> Result<(), String> {
    ensure(id.index() < program.types.len(), || format!("type {id} does not exist"))
}

struct Checker<'p> {
    program: &'p Program,
    function: &'p Function,
}

impl Checker<'_> {
    fn check(&self) -> Result<(), String> {
        self.locals()?;
        for (id, expr) in self.function.exprs.iter_enumerated() {
            self.expr(id).map_err(|e| format!("expression {id} ({expr:?}): {e}"))?;
        }
        let locations = self.function.locations().len();
        ensure(self.function.entry.index() < locations, || format!("entry {} does not exist", self.function.entry))?;
        let mut previous = Location(0);
        for (id, edge) in self.function.edges.iter_enumerated() {
            let describe = |e| format!("edge {id} ({} -> {}): {e}", edge.from, edge.to);
            let in_range = edge.from.index() < locations && edge.to.index() < locations;
            ensure(in_range, || describe("a location does not exist".to_owned()))?;
            ensure(edge.from >= previous, || describe("edges are not sorted".to_owned()))?;
            previous = edge.from;
            self.op(&edge.op).map_err(describe)?;
        }
        self.flow()?;
        self.loop_heads()
    }

    fn locals(&self) -> Result<(), String> {
        for (i, param) in self.function.params.iter().enumerate() {
            ensure(param.index() == i, || format!("parameter {i} is {param}: not in order"))?;
            let local = self.local(*param)?;
            let plain = matches!(local.storage, Storage::Plain(_)) && local.kind == LocalKind::Param;
            ensure(plain, || format!("parameter {param} is {:?} of kind {:?}", local.storage, local.kind))?;
        }
        for (id, local) in self.function.locals.iter_enumerated() {
            check_type(self.program, local.ty).map_err(|e| format!("local {id} ({}): {e}", local.name))?;
            if let (Storage::Plain(kept), Some(scalar)) = (local.storage, self.program.types.scalar(local.ty)) {
                let message = || format!("local {id} ({}) is kept as {kept:?}, but its type is {scalar:?}", local.name);
                ensure(kept == scalar, message)?;
                self.scalar(kept)?;
            }
            let listed = local.kind != LocalKind::Param || id.index() < self.function.params.len();
            ensure(listed, || format!("local {id} ({}) is a parameter that is not listed", local.name))?;
        }
        self.function.result.map_or(Ok(()), |result| self.plain(result).map(|_| ()))
    }

    fn flow(&self) -> Result<(), String> {
        let mut listed = 0;
        for location in self.function.locations() {
            let edges: Vec<&Edge> = self.function.edges_from(location).map(|(_, edge)| edge).collect();
            listed += edges.len();
            let own = edges.iter().all(|e| e.from == location);
            ensure(own, || format!("edges listed for {location} start elsewhere"))?;
            let assumes = edges.iter().filter(|e| matches!(e.op, Op::Assume(_))).count();
            let choice = match edges.len() {
                0 => true,
                1 => assumes == 0,
                count => assumes == count,
            };
            ensure(choice, || format!("{assumes} of {} edges from {location} are assumptions", edges.len()))?;
        }
        ensure(listed == self.function.edges.len(), || "some edges are not listed".to_owned())?;
        for edge in self.function.edges.iter() {
            let stuck = self.function.edges_from(edge.to).next().is_none();
            let fits = match edge.op {
                Op::Unsupported(_) => true,
                _ => stuck == edge.op.is_final(),
            };
            let what = if stuck { "no edge leaves" } else { "edges leave" };
            ensure(fits, || format!("{what} {}, where {:?} leads", edge.to, edge.op))?;
        }
        let empty = self.function.edges_from(self.function.entry).next().is_none();
        ensure(!empty, || "no edge leaves the entry".to_owned())
    }

    /// Without the loop heads, a depth-first search finds no cycle.
    fn loop_heads(&self) -> Result<(), String> {
        let heads = &self.function.loop_heads;
        ensure(heads.is_sorted(), || "loop heads are not sorted".to_owned())?;
        let locations = self.function.locations().len();
        ensure(heads.iter().all(|h| h.index() < locations), || "a loop head does not exist".to_owned())?;
        let (mut open, mut done) = (vec![false; locations], vec![false; locations]);
        for start in self.function.locations().filter(|l| !self.function.is_loop_head(*l)) {
            let mut stack = vec![(start, false)];
            while let Some((at, leaving)) = stack.pop() {
                if leaving {
                    open[at.index()] = false;
                    done[at.index()] = true;
                    continue;
                }
                if done[at.index()] || self.function.is_loop_head(at) {
                    continue;
                }
                ensure(!open[at.index()], || format!("a cycle through {at} has no loop head"))?;
                open[at.index()] = true;
                stack.push((at, true));
                stack.extend(self.function.edges_from(at).map(|(_, edge)| (edge.to, false)));
            }
        }
        Ok(())
    }

    fn local(&self, id: LocalId) -> Result<&crate::Local, String> {
        self.function.locals.get(id).ok_or_else(|| format!("local {id} does not exist"))
    }

    fn plain(&self, id: LocalId) -> Result<Scalar, String> {
        match self.local(id)?.storage {
            Storage::Plain(scalar) => Ok(scalar),
            Storage::Memory => Err(format!("local {id} is in memory, and not plain")),
        }
    }

    fn memory(&self, id: LocalId) -> Result<(), String> {
        let in_memory = self.local(id)?.storage == Storage::Memory;
        ensure(in_memory, || format!("local {id} is plain, and not in memory"))
    }

    fn scalar(&self, scalar: Scalar) -> Result<(), String> {
        let exists = match scalar {
            Scalar::Int(bits) => (1..=128).contains(&bits),
            Scalar::Float(_) => true,
            Scalar::Pointer(bytes) => u64::from(bytes) == self.program.machine.pointer_bytes(),
        };
        ensure(exists, || format!("{scalar:?} does not exist on this machine"))
    }

    fn pointer(&self) -> Scalar {
        Scalar::Pointer(self.program.machine.pointer_bits / 8)
    }
}

#[cfg(test)]
mod tests;
