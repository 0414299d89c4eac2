//! Abstract objects: globals, locals and heap blocks by where they are made. What a thread made last at a place is kept apart from
//! older ones (recency abstraction: Balakrishnan and Reps, SAS 2006), and what has escaped from what has not.

use base::Idx;
use program::{EdgeId, FunctionId, GlobalId, LocalId, Program};

use super::{AbstractThread, Base, CallString, Tables};

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum AbstractObject {
    Function(FunctionId),
    Thread(AbstractThread),
    Global(GlobalId),
    /// A thread's own copy.
    ThreadLocal(AbstractThread, GlobalId, Role),
    /// A local in memory.
    Local(CallString, LocalId, Role),
    /// A block of memory that this edge allocates.
    Block(CallString, EdgeId, Role),
    /// The vector of the command line's strings, and the strings.
    CommandLine(Role),
    CommandText(Role),
    /// What a thread keeps under keys, and its clean-up handlers: nothing in the program points there.
    Keys(AbstractThread),
    Handlers(AbstractThread),
    /// All memory behind indeterminate pointers.
    Indeterminate,
}

impl Base {
    /// Memory behind indeterminate pointers: a pointer that leads there is not null, but may turn out, by a comparison, to lead to an
    /// exposed object.
    pub const INDETERMINATE: Base = Base(u32::MAX - 1);

    /// The same for pointers that a comparison may still find to be null.
    pub const UNDECIDED: Base = Base(u32::MAX - 2);

    pub fn is_indeterminate(self) -> bool {
        self == Base::INDETERMINATE || self == Base::UNDECIDED
    }
}

/// Objects that are made more than once have three names. What a thread made last and no other thread can reach yet is its own, and one
/// object. Those before it, as long as no other thread can reach them, are its older ones. All that others may reach are shared.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    Own,
    Older,
    Shared,
}

impl AbstractObject {
    pub fn role(self) -> Option<Role> {
        match self {
            AbstractObject::ThreadLocal(.., role)
            | AbstractObject::Local(.., role)
            | AbstractObject::Block(.., role)
            | AbstractObject::CommandLine(role)
            | AbstractObject::CommandText(role) => Some(role),
            _ => None,
        }
    }

    pub fn with_role(self, role: Role) -> AbstractObject {
        match self {
            AbstractObject::ThreadLocal(abstract_thread, global, _) => {
                AbstractObject::ThreadLocal(abstract_thread, global, role)
            }
            AbstractObject::Local(call_string, local, _) => AbstractObject::Local(call_string, local, role),
            AbstractObject::Block(call_string, edge, _) => AbstractObject::Block(call_string, edge, role),
            AbstractObject::CommandLine(_) => AbstractObject::CommandLine(role),
            AbstractObject::CommandText(_) => AbstractObject::CommandText(role),
            other => other,
        }
    }
}

impl Tables {
    pub fn abstract_object(&self, base: Base) -> AbstractObject {
        if base.is_indeterminate() { AbstractObject::Indeterminate } else { self.abstract_objects[base] }
    }

    pub fn bases(&self) -> impl Iterator<Item = Base> + use<> {
        (0..self.abstract_objects.len()).map(Base::from_usize)
    }

    /// Is it a string literal, or a string of the command line?
    pub fn is_string(&self, program: &Program, base: Base) -> bool {
        match self.abstract_object(base) {
            AbstractObject::Global(global) => program.globals[global].read_only,
            AbstractObject::CommandText(_) => true,
            _ => false,
        }
    }

    pub fn global(&self, global: GlobalId) -> Base {
        Base(global.0)
    }

    pub fn function(&self, function: FunctionId) -> Base {
        Base(self.globals + function.0)
    }

    /// The name of an abstract object. All its roles get names at once, one behind the other.
    pub fn intern(&mut self, abstract_object: AbstractObject) -> Base {
        if let Some(base) = self.bases.get(&abstract_object) {
            return *base;
        }
        let roles: &[Role] =
            if abstract_object.role().is_some() { &[Role::Own, Role::Older, Role::Shared] } else { &[Role::Own] };
        for role in roles {
            let named = abstract_object.with_role(*role);
            let base = self.abstract_objects.push(named);
            self.bases.insert(named, base);
        }
        self.bases[&abstract_object]
    }

    pub fn find(&self, abstract_object: AbstractObject) -> Option<Base> {
        self.bases.get(&abstract_object).copied()
    }

    /// The same object in another role.
    pub fn as_role(&self, base: Base, role: Role) -> Base {
        let offset = |role: Role| role as u32;
        match self.abstract_object(base).role() {
            Some(now) => Base(base.0 - offset(now) + offset(role)),
            None => base,
        }
    }

    /// Is there at most one such object in the whole run?
    pub fn is_single(&self, program: &Program, base: Base) -> bool {
        match self.abstract_object(base) {
            AbstractObject::Function(_) | AbstractObject::CommandLine(_) => true,
            AbstractObject::Global(global) => !program.globals[global].thread_local,
            AbstractObject::Thread(abstract_thread)
            | AbstractObject::ThreadLocal(abstract_thread, ..)
            | AbstractObject::Keys(abstract_thread)
            | AbstractObject::Handlers(abstract_thread) => self.abstract_threads[abstract_thread].once,
            AbstractObject::Local(call_string, local, _) => {
                let info = &self.call_strings[call_string];
                info.once && self.shapes[info.function].entered_once[local.index()]
            }
            AbstractObject::Block(call_string, edge, _) => self.runs_once(program, call_string, edge),
            AbstractObject::CommandText(_) | AbstractObject::Indeterminate => false,
        }
    }
}
