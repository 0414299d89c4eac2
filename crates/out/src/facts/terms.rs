//! Terms and locks as C would say them: `p->lock`, `table[i].lock`.

use base::Idx;
use facts::locks::{Kind, Lock, LockName, LockPlace, Mode};
use facts::offsets::Offsets;
use facts::tables::{Base, CallString};
use facts::value::{Symbol, Term};
use program::{BinaryOp, Cast, ExprId, ExprKind, Function, LocalId, LocalKind, Op, TypeId};

use super::names::Names;
use super::path::{Pointees, path};

/// Behind a lock that others may hold, too.
pub const READING: &str = " (for reading)";

impl Names<'_> {
    /// A lock that is held.
    pub fn lock(&self, lock: &Lock) -> String {
        let name = self.lock_name(lock.name);
        match (lock.name.kind, lock.mode) {
            (Kind::RwLock, Mode::Shared) => format!("{name}{READING}"),
            _ => name,
        }
    }

    pub fn lock_name(&self, name: LockName) -> String {
        match name.place {
            LockPlace::At(base, offset) => self.part(base, Offsets::constant(offset), 1),
            LockPlace::Relative(term) => self.place_of(term),
        }
    }

    /// The memory whose address is the term.
    pub fn place_of(&self, term: Term) -> String {
        let (symbol, ty) = self.symbol(term.symbol);
        if let Some(base) = term.base {
            let element = self.element(base, term, &symbol);
            return element.unwrap_or_else(|| format!("{} + {}", self.object(base), sum(term, &symbol)));
        }
        let Some(offset) = term.offset else { return format!("somewhere in *{symbol}") };
        if term.coefficient != 1 {
            return sum(term, &symbol);
        }
        let target = ty.and_then(|ty| self.pointees.of(ty));
        let inside = target.filter(|ty| (0..self.program.types.size(*ty) as i64).contains(&offset));
        let path = inside.map(|ty| path(&self.program.types, ty, Offsets::constant(offset), 1).0);
        match path {
            Some(path) if path.is_empty() => format!("*{symbol}"),
            Some(path) => match path.strip_prefix('.') {
                Some(field) => format!("{symbol}->{field}"),
                None => format!("(*{symbol}){path}"),
            },
            None if offset == 0 => format!("*{symbol}"),
            None => sum(term, &symbol),
        }
    }

    /// `base[symbol].field`, if the coefficient is a multiple of the size of the elements.
    fn element(&self, base: Base, term: Term, symbol: &str) -> Option<String> {
        let ty = self.type_of(base)?;
        let program::Type::Array { element, .. } = self.program.types[ty] else { return None };
        let size = i64::try_from(self.program.types.size(element)).ok().filter(|size| *size > 0)?;
        let offset = term.offset?;
        (term.coefficient % size == 0).then_some(())?;
        let index = Term { coefficient: term.coefficient / size, offset: Some(offset.div_euclid(size)), ..term };
        let inside = Offsets::constant(offset.rem_euclid(size));
        let inner = path(&self.program.types, element, inside, 1).0;
        Some(self.with_path(base, &format!("[{}]{inner}", sum(index, symbol))))
    }

    /// A value with a name, and its type.
    pub fn symbol(&self, symbol: Symbol) -> (String, Option<TypeId>) {
        match symbol {
            Symbol::Variable(variable) => match self.variable(variable) {
                Some((call_string, local)) => {
                    let info = &self.facts.tables.call_strings[call_string];
                    let function = &self.program.functions[info.function];
                    local_text(&self.pointees, function, local, 0)
                }
                None => ("value".to_owned(), None),
            },
            Symbol::Cell(base, offset, _) => {
                let at = Offsets::constant(offset);
                (self.part(base, at, 1), self.part_type(base, at, 1))
            }
            Symbol::Argument(abstract_thread) => {
                let entry = &self.program.functions[self.facts.tables.abstract_threads[abstract_thread].entry];
                let param = entry.params.first().map(|param| &entry.locals[*param]);
                let name = param.map(|param| param.name.to_string()).filter(|name| !name.is_empty());
                (name.unwrap_or_else(|| "argument".to_owned()), param.map(|param| param.ty))
            }
        }
    }

    fn variable(&self, variable: u32) -> Option<(CallString, LocalId)> {
        let tables = &self.facts.tables;
        // Call strings number their variables one after the other.
        let last = tables.call_strings.raw().partition_point(|info| info.first_variable <= variable).checked_sub(1)?;
        let call_string = CallString::from_usize(last);
        let own = tables.variables_of(self.program, call_string).contains(&variable);
        own.then(|| (call_string, LocalId(variable - tables.call_strings[call_string].first_variable)))
    }
}

/// `2*i + 1`
fn sum(term: Term, symbol: &str) -> String {
    let product = match term.coefficient {
        1 => symbol.to_owned(),
        -1 => format!("-{symbol}"),
        coefficient => format!("{coefficient}*{symbol}"),
    };
    match term.offset {
        None => format!("{product} + …"),
        Some(0) => product,
        Some(offset) if offset < 0 => format!("{product} - {}", offset.unsigned_abs()),
        Some(offset) => format!("{product} + {offset}"),
    }
}

/// Expressions are followed no deeper.
const DEEPEST: u32 = 4;

/// The name of a local; of a temporary, what it is loaded from.
fn local_text(pointees: &Pointees<'_>, function: &Function, local: LocalId, depth: u32) -> (String, Option<TypeId>) {
    let known = &function.locals[local];
    if known.kind != LocalKind::Temporary && !known.name.is_empty() {
        return (known.name.to_string(), Some(known.ty));
    }
    let mut made = function.edges.iter().filter_map(|edge| match &edge.op {
        Op::Load { to, from } if *to == local => Some((from.address, true)),
        Op::Assign(to, value) if *to == local => Some((*value, false)),
        _ => None,
    });
    let found = match (made.next(), made.next()) {
        (Some((address, true)), None) if depth < DEEPEST => memory_text(pointees, function, address, depth + 1),
        (Some((value, false)), None) if depth < DEEPEST => value_text(pointees, function, value, depth + 1),
        _ => None,
    };
    found.unwrap_or_else(|| ("value".to_owned(), None))
}

fn value_text(
    pointees: &Pointees<'_>,
    function: &Function,
    expr: ExprId,
    depth: u32,
) -> Option<(String, Option<TypeId>)> {
    match function.exprs[expr].kind {
        ExprKind::Local(local) => Some(local_text(pointees, function, local, depth)),
        ExprKind::Cast(Cast::SExt | Cast::ZExt | Cast::Trunc | Cast::IntToPtr | Cast::PtrToInt, inner) => {
            value_text(pointees, function, inner, depth)
        }
        _ => None,
    }
}

/// What is in memory at an address.
fn memory_text(
    pointees: &Pointees<'_>,
    function: &Function,
    address: ExprId,
    depth: u32,
) -> Option<(String, Option<TypeId>)> {
    let (base, offset) = match function.exprs[address].kind {
        ExprKind::Binary(BinaryOp::PtrAdd, base, by) => match function.exprs[by].kind {
            ExprKind::Const(by) => (base, by as i64),
            _ => return None,
        },
        _ => (address, 0),
    };
    let (program, at) = (pointees.program, Offsets::constant(offset));
    let inside =
        |ty: TypeId| (0..program.types.size(ty) as i64).contains(&offset).then(|| path(&program.types, ty, at, 1));
    let declared = |name: &str, ty: TypeId| inside(ty).map(|(path, ty)| (format!("{name}{path}"), ty));
    match function.exprs[base].kind {
        ExprKind::GlobalAddress(global) => declared(&program.globals[global].name, program.globals[global].ty),
        ExprKind::LocalAddress(local) => declared(&function.locals[local].name, function.locals[local].ty),
        _ => {
            let (pointer, ty) = value_text(pointees, function, base, depth)?;
            let (path, ty) = inside(pointees.of(ty?)?)?;
            Some(match path.strip_prefix('.') {
                Some(field) => (format!("{pointer}->{field}"), ty),
                None => (format!("(*{pointer}){path}"), ty),
            })
        }
    }
}

/// What a pointer in a local leads to: by the local's type, or that of the first variable that takes its value.
pub fn taken_as(pointees: &Pointees<'_>, function: &Function, local: LocalId) -> Option<TypeId> {
    let known = &function.locals[local];
    if let Some(ty) = pointees.of(known.ty) {
        return Some(ty);
    }
    let is_local = |expr: ExprId| function.exprs[expr].kind == ExprKind::Local(local);
    function.edges.iter().find_map(|edge| match &edge.op {
        Op::Assign(to, value) if is_local(*value) && *to != local => pointees.of(function.locals[*to].ty),
        Op::Store { to, value } if is_local(*value) => {
            memory_text(pointees, function, to.address, 0).and_then(|(_, ty)| pointees.of(ty?))
        }
        _ => None,
    })
}
