//! The variables of a program that are kept, each with its block of Boolean variables: for every bit one for now and, right behind
//! it, one for after a step. High bits lie above low ones, for they are most often known.

use base::{Idx, index_type};
use oxidd::VarNo;
use program::{FunctionId, GlobalId, LocalId, Program, Scalar, Storage};
use rustc_hash::FxHashMap;

use super::bits::Bits;
use super::diagram::{Diagrams, Function, Made};
use super::groups::{GroupId, Groups};

/// What a variable is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Place {
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

pub struct Var {
    pub place: Place,
    /// Lowest bit first.
    pub now: Vec<Function>,
    pub next: Vec<Function>,
    /// Conjunctions of these.
    pub all_now: Function,
    pub all_next: Function,
    /// Now and next are equal.
    pub same: Function,
}

impl Var {
    pub fn bits(&self) -> Bits {
        self.now.iter().cloned().map(Some).collect()
    }

    pub fn width(&self) -> usize {
        self.now.len()
    }
}

/// A block of the order: so many numbers side by side.
struct Chunk {
    first: VarNo,
    numbers: u32,
    width: u32,
    taken: u32,
}

/// How many numbers lie side by side: room for several threads. Boolean variables that are not used cost little.
const FEWEST: u32 = 16;
const MOST: u32 = 256;

pub struct Vars {
    groups: Groups,
    ids: FxHashMap<Place, VarId>,
    all: Vec<Var>,
    /// The newest block for each group and width; groups without globals have their own for each thread.
    chunks: FxHashMap<(GroupId, Option<u32>, u32), Chunk>,
    frames: FxHashMap<(u32, u32), Vec<VarId>>,
}

impl Vars {
    pub fn new(program: &Program) -> Vars {
        Vars {
            groups: Groups::of(program),
            ids: FxHashMap::default(),
            all: Vec::new(),
            chunks: FxHashMap::default(),
            frames: FxHashMap::default(),
        }
    }

    pub fn get(&self, id: VarId) -> &Var {
        &self.all[id.index()]
    }

    /// The variable for a place, if there is one yet.
    pub fn find(&self, place: Place) -> Option<VarId> {
        self.ids.get(&place).copied()
    }

    pub fn all(&self) -> &[Var] {
        &self.all
    }

    /// Of one frame, so far.
    pub fn of_frame(&self, thread: u32, depth: u32) -> &[VarId] {
        self.frames.get(&(thread, depth)).map_or(&[], |ids| ids)
    }

    pub fn variable(&mut self, diagrams: &Diagrams, place: Place, width: u32) -> Made<VarId> {
        if let Some(id) = self.find(place) {
            debug_assert_eq!(self.get(id).width(), width as usize, "{place:?}");
            return Ok(id);
        }
        let var = self.make(diagrams, place, width)?;
        let id = VarId::from_usize(self.all.len());
        self.all.push(var);
        self.ids.insert(place, id);
        if let Place::Local { thread, depth, .. } | Place::Slot { thread, depth, .. } = place {
            self.frames.entry((thread, depth)).or_default().push(id);
        }
        Ok(id)
    }

    fn make(&mut self, diagrams: &Diagrams, place: Place, width: u32) -> Made<Var> {
        let (group, owner) = match place {
            Place::Local { thread, function, local, .. } | Place::Slot { thread, function, local, .. } => {
                let group = self.groups.of_local(function, local);
                (group, (!self.groups.is_shared(group)).then_some(thread))
            }
            Place::Cell { global, .. } => (self.groups.of_global(global), None),
        };
        // Numbers and truth values do not share a block; 32 and 64 bits do, for they are often compared.
        let block = if width <= 8 { width } else { 64 };
        let numbers = (4 * self.groups.members(group)).clamp(FEWEST, MOST);
        let chunk = self.chunks.entry((group, owner, block)).or_insert(Chunk {
            first: 0,
            numbers,
            width: block,
            taken: numbers,
        });
        if chunk.taken == chunk.numbers {
            chunk.first = diagrams.add_variables(chunk.numbers * chunk.width * 2);
            chunk.taken = 0;
        }
        let at = |bit: u32| chunk.first + ((chunk.width - 1 - bit) * chunk.numbers + chunk.taken) * 2;
        let bits = |after: u32| (0..width).map(|bit| diagrams.variable(at(bit) + after)).collect::<Made<Vec<_>>>();
        let (now, next) = (bits(0)?, bits(1)?);
        chunk.taken += 1;
        let all = |of: &[Function]| of.iter().try_fold(diagrams.yes.clone(), |all, bit| diagrams.and(&all, bit));
        let same = now
            .iter()
            .zip(&next)
            .try_fold(diagrams.yes.clone(), |same, (a, b)| diagrams.and(&same, &diagrams.equal(a, b)?))?;
        Ok(Var { place, all_now: all(&now)?, all_next: all(&next)?, same, now, next })
    }
}

/// The width of a local that is kept.
pub fn kept_width(program: &Program, function: FunctionId, local: LocalId) -> Option<u32> {
    match program.functions[function].locals[local].storage {
        Storage::Plain(Scalar::Int(bits @ 1..=64)) => Some(bits.into()),
        _ => None,
    }
}
