//! Objects and values in the user's words: `counter`, `table[2].lock`, `block of line 27`.

use std::collections::BTreeMap;

use base::{Idx, Span};
use program::{FloatKind, Program, Scalar, Storage, Type, TypeId};
use semantics::{Base, ObjectId, ObjectKind, Pointer, State, Value};

/// Where a heap block came from and where it went.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    pub allocated: Span,
    pub freed: Option<Span>,
}

pub struct Names<'p> {
    pub program: &'p Program,
    pub blocks: BTreeMap<ObjectId, Block>,
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program) -> Self {
        Names { program, blocks: BTreeMap::new() }
    }

    /// `file:line` of a span.
    pub fn place(&self, span: Span) -> String {
        self.program.sources.place(span).map_or_else(String::new, |p| format!("{}:{}", p.file, p.line))
    }

    /// What lies `offset` bytes into an object, and its type if that is known.
    pub fn part(&self, state: &State, object: ObjectId, offset: i64) -> (String, Option<TypeId>) {
        let Some((name, ty)) = self.whole(state, object) else {
            return match state.objects.get(object.index()).map(|object| object.kind) {
                Some(ObjectKind::Indeterminate(_)) => (self.indeterminate(offset), None),
                Some(ObjectKind::Arguments(_)) => (format!("argument vector{offset:+}"), None),
                Some(ObjectKind::Argument) => (format!("an argument{offset:+}"), None),
                _ => self.block(object, offset),
            };
        };
        if offset < 0 || offset as u64 >= self.program.types.size(ty).max(1) {
            return (format!("{name}{offset:+}"), None);
        }
        let (path, leaf) = self.path(ty, offset as u64);
        (name + &path, leaf)
    }

    fn block(&self, object: ObjectId, offset: i64) -> (String, Option<TypeId>) {
        let line = self.blocks.get(&object).and_then(|block| self.program.sources.place(block.allocated));
        let name = line.map_or_else(|| "a block".to_owned(), |place| format!("block of line {}", place.line));
        (if offset == 0 { name } else { format!("{name}, byte {offset}") }, None)
    }

    /// Memory behind an indeterminate pointer.
    fn indeterminate(&self, offset: i64) -> String {
        match offset - semantics::indeterminate::ORIGIN {
            0 => "memory behind an indeterminate pointer".to_owned(),
            distance => format!("memory behind an indeterminate pointer, byte {distance}"),
        }
    }

    /// The name and type of an object that the program declares.
    pub fn whole(&self, state: &State, object: ObjectId) -> Option<(String, TypeId)> {
        let known = state.objects.get(object.index())?;
        match known.kind {
            ObjectKind::Global(global) | ObjectKind::ThreadLocal(global) => {
                let global = &self.program.globals[global];
                let name = if global.read_only { "a string" } else { &*global.name };
                Some((name.to_owned(), global.ty))
            }
            ObjectKind::Local => self.local(state, object),
            ObjectKind::Heap | ObjectKind::Indeterminate(_) => None,
            ObjectKind::Arguments(_) | ObjectKind::Argument => None,
        }
    }

    fn local(&self, state: &State, object: ObjectId) -> Option<(String, TypeId)> {
        let wanted = Value::Pointer(Pointer::to(Base::Object(object)));
        state.threads.iter().flat_map(|thread| &thread.frames).find_map(|frame| {
            let locals = &self.program.functions[frame.function].locals;
            let at = frame.locals.iter().position(|value| *value == wanted)?;
            let local = locals.iter().nth(at).filter(|local| local.storage == Storage::Memory)?;
            Some((local.name.to_string(), local.ty))
        })
    }

    /// `.field[3]` …, down to a scalar or to what only a system header knows.
    fn path(&self, mut ty: TypeId, mut offset: u64) -> (String, Option<TypeId>) {
        let types = &self.program.types;
        let mut path = String::new();
        loop {
            match &types[ty] {
                Type::Scalar { .. } => return (path, Some(ty)),
                Type::Array { element, .. } => {
                    let size = types.size(*element).max(1);
                    path += &format!("[{}]", offset / size);
                    (ty, offset) = (*element, offset % size);
                }
                Type::Record { fields, .. } => {
                    let inside = |f: &&program::Field| (f.offset..f.offset + types.size(f.ty).max(1)).contains(&offset);
                    let Some(field) = fields.iter().find(inside).filter(|f| !f.name.starts_with("__")) else {
                        return (path, None);
                    };
                    if !field.name.is_empty() {
                        path += &format!(".{}", field.name);
                    }
                    (ty, offset) = (field.ty, offset - field.offset);
                }
                Type::Bytes { .. } => return (if offset == 0 { path } else { format!("{path}+{offset}") }, None),
            }
        }
    }

    pub fn pointer(&self, state: &State, pointer: Pointer) -> String {
        match pointer.base {
            Base::Object(object) if object.index() >= state.objects.len() => format!("{:#x}", pointer.offset),
            Base::Object(object) => match state.object(object).kind {
                ObjectKind::Heap => self.block(object, pointer.offset).0,
                ObjectKind::Indeterminate(_) => self.indeterminate(pointer.offset),
                _ => format!("&{}", self.part(state, object, pointer.offset).0),
            },
            Base::Function(function) => self.program.functions[function].name.to_string(),
            Base::Thread(thread) => thread.to_string(),
        }
    }

    /// A value as its type prints it; without one, as a signed number of its width.
    pub fn value(&self, state: &State, value: Value, scalar: Scalar, ty: Option<TypeId>) -> String {
        let bits = match value {
            Value::Pointer(pointer) => return self.pointer(state, pointer),
            Value::Undefined | Value::Part(..) => return "?".to_owned(),
            value => value.bits().unwrap_or(0),
        };
        let known = ty.map(|ty| &self.program.types[ty]);
        let (scalar, signed) = match known {
            Some(Type::Scalar { scalar: known, signed, .. }) if known.bits() == scalar.bits() => (*known, *signed),
            _ => (scalar, true),
        };
        match scalar {
            Scalar::Pointer(_) if bits == 0 => "null".to_owned(),
            Scalar::Pointer(_) => format!("{bits:#x}"),
            Scalar::Float(FloatKind::F32) => f32::from_bits(bits as u32).to_string(),
            Scalar::Float(FloatKind::F64) => f64::from_bits(bits as u64).to_string(),
            Scalar::Float(_) => format!("{bits:#x}"),
            Scalar::Int(width @ 2..=128) if signed => {
                let unused = 128 - u32::from(width);
                (((bits << unused) as i128) >> unused).to_string()
            }
            Scalar::Int(_) => bits.to_string(),
        }
    }
}
