//! Targets that facts exclude: errors that are not reached, operators that do not overflow, accesses that stay inside live objects.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::{Idx, Span};
use program::{Access, Allocation, Edge, ExprId, Extent, Op, OperandKind, Program, ThreadOp};

use crate::analysis::Facts;
use crate::eval::Eval;
use crate::offsets::Offsets;
use crate::state::ThreadState;
use crate::tables::{AbstractObject, AbstractThread, Base, CallString, Role};
use crate::transfer::object_size;
use crate::value::{Number, Value};

impl Facts {
    /// Errors that the program may report.
    pub fn errors(&self, program: &Program) -> Vec<Span> {
        self.doubts(program, |_, edge| matches!(edge.op, Op::Error(_)))
    }

    /// Signed operations that may leave the range of their type.
    pub fn overflows(&self, program: &Program) -> Vec<Span> {
        self.doubts(program, |here, edge| {
            let mut state = ThreadState::clone(here.state);
            if let Op::Modify(modify) = &edge.op {
                // The new value is made of the old one, whatever that is.
                state.variables.remove(self.tables.variable(here.call_string, modify.old));
            }
            let mut eval = Eval::new(program, &self.tables, here.call_string, &state);
            edge.op.operands(&mut |expr, _| {
                eval.value(expr);
            });
            eval.overflow
        })
    }

    /// Accesses, calls and locks that may not be where they should.
    pub fn invalid_accesses(&self, program: &Program) -> Vec<Span> {
        self.doubts(program, |here, edge| !here.is_valid(edge))
    }

    pub fn invalid_frees(&self, program: &Program) -> Vec<Span> {
        self.doubts(program, |here, edge| match &edge.op {
            Op::Free(pointer) => !here.may_free(*pointer),
            Op::Allocate(allocate) => matches!(allocate.kind, Allocation::Realloc(old) if !here.may_free(old)),
            _ => false,
        })
    }

    /// Allocations whose memory may be lost, or not be freed in the end: all.
    pub fn allocations(&self, program: &Program) -> Vec<Span> {
        self.doubts(program, |_, edge| match &edge.op {
            Op::Allocate(allocate) => !matches!(allocate.kind, Allocation::Frame | Allocation::Variable(_)),
            _ => false,
        })
    }

    /// The edges of which this is true in some state, in order of the text.
    fn doubts(&self, program: &Program, doubtful: impl Fn(&Here<'_>, &Edge) -> bool) -> Vec<Span> {
        let mut found = BTreeSet::new();
        for (node, state) in self.reached() {
            let function = &program.functions[self.tables.call_strings[node.call_string].function];
            let here = Here::new(self, program, node.call_string, state);
            let edges = function.edges_from(node.location);
            found.extend(edges.filter(|(_, edge)| doubtful(&here, edge)).map(|(_, edge)| edge.span));
        }
        found.into_iter().collect()
    }
}

/// A state of a node.
pub(crate) struct Here<'f> {
    pub facts: &'f Facts,
    pub program: &'f Program,
    pub call_string: CallString,
    pub state: &'f Arc<ThreadState>,
    /// Memory behind indeterminate pointers is there.
    pub lenient: bool,
}

impl<'f> Here<'f> {
    pub fn new(
        facts: &'f Facts,
        program: &'f Program,
        call_string: CallString,
        state: &'f Arc<ThreadState>,
    ) -> Here<'f> {
        Here { facts, program, call_string, state, lenient: false }
    }

    pub fn value(&self, expr: ExprId) -> Option<Value> {
        Eval::new(self.program, &self.facts.tables, self.call_string, self.state).value(expr)
    }

    pub fn is_valid(&self, edge: &Edge) -> bool {
        let mut valid = match &edge.op {
            Op::Library(call) => self.may_print(call),
            _ => true,
        };
        edge.op.accesses(&mut |access| {
            if let Extent::Scalar(scalar) = access.extent {
                valid &= self.reaches(scalar, access.mode.writes());
            }
        });
        edge.op.operands(&mut |expr, kind| {
            valid &= match kind {
                OperandKind::Lock(size) => self.is_there(expr, size),
                // Handlers and destructors are called by the thread's end.
                OperandKind::Code => self.is_function(expr) || may_be_none(&edge.op) && self.is_null(expr),
                OperandKind::Value | OperandKind::Address | OperandKind::Name | OperandKind::Setting => true,
            };
        });
        valid
    }

    fn is_null(&self, expr: ExprId) -> bool {
        self.value(expr).is_none_or(|value| value.as_constant() == Some(0))
    }

    /// Does a lock of so many bytes lie in an object that has not ended?
    fn is_there(&self, expr: ExprId, size: u64) -> bool {
        let there = |(base, at): &(Base, Offsets)| self.holds(*base, *at, size);
        self.value(expr).is_none_or(|value| self.is_certain(&value) && value.pointers.iter().all(there))
    }

    /// Does it lead only to what its pointers tell?
    fn is_certain(&self, value: &Value) -> bool {
        let exposed = &self.facts.solution.exposed;
        let settled =
            || self.lenient && exposed.objects.is_empty() && !exposed.number && !(exposed.null && value.is_undecided());
        value.number == Number::None && (!value.is_indeterminate() || settled())
    }

    fn is_function(&self, expr: ExprId) -> bool {
        let function = |(base, at): &(Base, Offsets)| {
            matches!(self.facts.tables.abstract_object(*base), AbstractObject::Function(_)) && *at == Offsets::ZERO
        };
        self.value(expr).is_none_or(|value| value.number == Number::None && value.pointers.iter().all(function))
    }

    fn reaches(&self, access: &Access, write: bool) -> bool {
        let Some(address) = self.value(access.address) else { return true };
        let (address, size) = match &access.bits {
            None => (address, access.ty.bytes()),
            Some(bits) => (address.moved(Offsets::constant(-i64::from(bits.before))), u64::from(bits.length)),
        };
        self.is_certain(&address)
            && address
                .pointers
                .iter()
                .all(|(base, at)| self.holds(*base, *at, size) && !(write && self.is_read_only(*base)))
    }

    pub fn is_read_only(&self, base: Base) -> bool {
        matches!(self.facts.tables.abstract_object(base), AbstractObject::Global(global) if self.program.globals[global].read_only)
    }

    /// Is the object surely there, and are all these bytes in it?
    pub fn holds(&self, base: Base, at: Offsets, size: u64) -> bool {
        let tables = &self.facts.tables;
        let own = self.state.memory.get(base.0).is_some();
        let (there, bytes) = match tables.abstract_object(base) {
            AbstractObject::Function(_)
            | AbstractObject::Thread(_)
            | AbstractObject::Keys(_)
            | AbstractObject::Handlers(_) => return false,
            AbstractObject::Global(_) => (true, object_size(self.program, tables, base)),
            AbstractObject::ThreadLocal(.., role) => {
                (role == Role::Own && own, object_size(self.program, tables, base))
            }
            AbstractObject::Local(call_string, local, role) => {
                let there = role == Role::Own && own || self.is_of_main(call_string, local);
                let leaves = self.facts.solution.sizes.contains_key(&tables.as_role(base, Role::Own));
                (there && !leaves, object_size(self.program, tables, base))
            }
            AbstractObject::Block(..) => {
                let made = tables.as_role(base, Role::Own);
                let freed = self.facts.solution.freed.contains(&made);
                (!freed && self.is_heap(base), self.facts.solution.sizes.get(&made).copied())
            }
            AbstractObject::CommandLine(_) | AbstractObject::CommandText(_) => return false,
            AbstractObject::Indeterminate => {
                let freed = self.facts.solution.freed.contains(&Base::INDETERMINATE);
                (self.lenient && !freed, object_size(self.program, tables, base))
            }
        };
        there && at.lo >= 0 && bytes.is_some_and(|bytes| i128::from(at.hi) + i128::from(size) <= i128::from(bytes))
    }

    /// A local of `main` that lives until `main` returns, or the first thread ends, and this thread does not run longer.
    fn is_of_main(&self, call_string: CallString, local: program::LocalId) -> bool {
        let (tables, solution) = (&self.facts.tables, &self.facts.solution);
        let info = &tables.call_strings[call_string];
        let function = &self.program.functions[info.function];
        // Whoever runs must not run longer.
        let mut callers = std::iter::successors(Some(self.call_string), |at| {
            tables.call_strings[*at].caller.map(|(caller, _)| caller)
        });
        let within = tables.call_strings[self.call_string].abstract_thread != AbstractThread(0)
            || callers.any(|at| at == call_string);
        let mut ends = solution.exits[call_string.index()].iter().flatten();
        info.function == self.program.main
            && info.once
            && info.abstract_thread == AbstractThread(0)
            && within
            && ends.all(|end| end.alive.is_empty())
            && solution.abstract_threads[0].end.is_none()
            && !function.edges.iter().any(|edge| edge.op == Op::Leave(local))
    }

    fn is_heap(&self, base: Base) -> bool {
        let tables = &self.facts.tables;
        let AbstractObject::Block(call_string, edge, _) = tables.abstract_object(base) else { return false };
        let function = &self.program.functions[tables.call_strings[call_string].function];
        matches!(&function.edges[edge].op, Op::Allocate(a) if !matches!(a.kind, Allocation::Frame | Allocation::Variable(_)))
    }

    /// May this be given back: null, or a block that no other thread gives back?
    pub fn may_free(&self, expr: ExprId) -> bool {
        let tables = &self.facts.tables;
        let Some(value) = self.value(expr) else { return true };
        let number = value.number == Number::None || value.pointers.is_empty() && value.as_constant() == Some(0);
        number
            && match &value.pointers[..] {
                [] => true,
                [(base, at)] => {
                    let own = tables.abstract_object(*base).role() == Some(Role::Own);
                    own && self.state.memory.get(base.0).is_some() && *at == Offsets::ZERO && self.is_heap(*base)
                }
                _ => false,
            }
    }
}

/// Null means that there is nothing to call.
fn may_be_none(op: &Op) -> bool {
    matches!(op, Op::Thread(op) if matches!(**op, ThreadOp::KeyCreate { .. }))
}
