//! The variables of a numerical domain: locals and integers in objects.

use base::{Idx, index_type};
use program::{FunctionId, GlobalId, LocalId, Program, Scalar, Storage};
use rustc_hash::FxHashMap;

use super::domain::{Made, NumericalDomain};

/// What a variable is in the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Variable {
    Local {
        thread: u32,
        /// How many frames are below.
        depth: u32,
        function: FunctionId,
        local: LocalId,
    },
    /// Bytes of a local that is an object.
    Slot { thread: u32, depth: u32, function: FunctionId, local: LocalId, offset: u64, length: u8 },
    /// Bytes of a global.
    Cell { global: GlobalId, offset: u64, length: u8 },
}

index_type! {
    pub struct VarId = "b";
}

#[derive(Default)]
pub struct Variables {
    ids: FxHashMap<Variable, VarId>,
    all: Vec<(Variable, u32)>,
    frames: FxHashMap<(u32, u32), Vec<VarId>>,
}

impl Variables {
    pub fn get(&self, id: VarId) -> Variable {
        self.all[id.index()].0
    }

    pub fn width(&self, id: VarId) -> u32 {
        self.all[id.index()].1
    }

    /// The number of a variable, if there is one yet.
    pub fn find(&self, variable: Variable) -> Option<VarId> {
        self.ids.get(&variable).copied()
    }

    pub fn all(&self) -> impl Iterator<Item = Variable> {
        self.all.iter().map(|(variable, _)| *variable)
    }

    /// Of one frame, so far.
    pub fn of_frame(&self, thread: u32, depth: u32) -> &[VarId] {
        self.frames.get(&(thread, depth)).map_or(&[], |ids| ids)
    }

    pub fn variable(&mut self, domain: &mut impl NumericalDomain, variable: Variable, width: u32) -> Made<VarId> {
        if let Some(id) = self.find(variable) {
            debug_assert_eq!(self.width(id), width, "{variable:?}");
            return Ok(id);
        }
        let id = VarId::from_usize(self.all.len());
        domain.add_variable(id, variable, width)?;
        self.all.push((variable, width));
        self.ids.insert(variable, id);
        if let Variable::Local { thread, depth, .. } | Variable::Slot { thread, depth, .. } = variable {
            self.frames.entry((thread, depth)).or_default().push(id);
        }
        Ok(id)
    }
}

/// The width of a local that is kept.
pub fn kept_width(program: &Program, function: FunctionId, local: LocalId) -> Option<u32> {
    match program.functions[function].locals[local].storage {
        Storage::Plain(Scalar::Int(bits @ 1..=64)) => Some(bits.into()),
        _ => None,
    }
}
