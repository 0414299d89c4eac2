//! What a step may do that others may notice: atoms, numbered, equal ones once.

use facts::offsets::Offsets;
use program::{EdgeId, FunctionId};
use rustc_hash::FxHashMap;

use crate::depend::{Kind, enables, kind, operations_depend};
use crate::{Site, Sync, SyncOp, Touch};

/// One thing that an edge may do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Atom {
    /// Something that is not understood.
    Anything,
    /// Some step, whatever it does.
    Step,
    Bytes(Bytes),
    /// Without a place: at any.
    Sync(Option<(Site, Offsets)>, SyncOp),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Bytes {
    pub site: Site,
    pub at: Offsets,
    pub size: u64,
    pub write: bool,
}

/// The numbers of the first two atoms.
pub const ANYTHING: u32 = 0;
pub const STEP: u32 = 1;

pub type Place = (FunctionId, EdgeId);

#[derive(Default)]
pub struct Atoms {
    all: Vec<Atom>,
    numbers: FxHashMap<Atom, u32>,
    by_edge: FxHashMap<Place, Vec<u32>>,
    by_site: FxHashMap<Site, Vec<u32>>,
    /// Syncs at any place.
    anywhere: Vec<u32>,
}

impl Bytes {
    pub fn overlaps(&self, other: &Bytes) -> bool {
        self.site == other.site && self.at.overlaps(self.size, other.at, other.size)
    }

    fn of(touch: &Touch) -> Bytes {
        let Touch { site, start, length, write, .. } = *touch;
        Bytes { site, at: Offsets::constant(start), size: length, write }
    }
}

impl Atom {
    pub fn of_touch(touch: &Touch) -> Atom {
        Atom::Bytes(Bytes::of(touch))
    }

    pub fn of_sync(sync: &Sync) -> Atom {
        Atom::Sync(sync.site.map(|site| (site, Offsets::constant(sync.offset))), sync.op)
    }

    /// Do both not commute, if they concern the same object?
    pub fn is_at_odds(&self, other: &Atom) -> bool {
        match (self, other) {
            (Atom::Anything, _) | (_, Atom::Anything) => true,
            (Atom::Step, _) | (_, Atom::Step) => false,
            (Atom::Bytes(a), Atom::Bytes(b)) => (a.write || b.write) && a.overlaps(b),
            (Atom::Sync(a, op), Atom::Sync(b, other)) => operations_depend(*op, *other) && may_meet(a, b),
            (Atom::Bytes(bytes), Atom::Sync(at, op)) | (Atom::Sync(at, op), Atom::Bytes(bytes)) => {
                ends(bytes, *at, *op)
            }
        }
    }

    /// May this let a thread go on that is kept waiting at a sync, if somebody else than those that it surely waits for does it?
    pub fn may_enable(&self, waiting: &Atom, known: bool) -> bool {
        let Atom::Sync(place, waits) = waiting else { return false };
        match self {
            Atom::Anything => true,
            Atom::Step => false,
            Atom::Bytes(bytes) => ends(bytes, *place, *waits),
            Atom::Sync(at, op) => {
                let releases = if known { *op == SyncOp::OtherMutex } else { true };
                releases && enables(*op, *waits) && may_meet(at, place)
            }
        }
    }
}

/// Locks end with the object that they lie in.
fn ends(bytes: &Bytes, lock: Option<(Site, Offsets)>, op: SyncOp) -> bool {
    let in_memory = !matches!(kind(op), Kind::Thread | Kind::Key);
    let inside = lock.is_none_or(|(site, at)| site == bytes.site && bytes.at.overlaps(bytes.size, at, 1));
    in_memory && bytes.write && inside
}

fn may_meet(a: &Option<(Site, Offsets)>, b: &Option<(Site, Offsets)>) -> bool {
    match (a, b) {
        (Some((site, at)), Some((other, place))) => site == other && at.overlaps(1, *place, 1),
        _ => true,
    }
}

impl Atoms {
    pub fn new() -> Atoms {
        let mut atoms = Atoms::default();
        let first = [Atom::Anything, Atom::Step].map(|atom| atoms.number(atom));
        debug_assert_eq!(first, [ANYTHING, STEP]);
        atoms
    }

    pub fn of_edge(&self, function: FunctionId, edge: EdgeId) -> &[u32] {
        self.by_edge.get(&(function, edge)).map_or(&[], |atoms| atoms)
    }

    pub fn get(&self, number: u32) -> Atom {
        self.all[number as usize]
    }

    /// Those that may concern the same objects as `atom`, and some more.
    pub fn near<'a>(&'a self, atom: &Atom) -> Box<dyn Iterator<Item = u32> + 'a> {
        match atom {
            Atom::Bytes(Bytes { site, .. }) | Atom::Sync(Some((site, _)), _) => {
                let there = self.by_site.get(site).into_iter().flatten();
                Box::new([ANYTHING].into_iter().chain(there.chain(&self.anywhere).copied()))
            }
            _ => Box::new(0..self.all.len() as u32),
        }
    }

    fn number(&mut self, atom: Atom) -> u32 {
        if let Some(number) = self.numbers.get(&atom) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(atom);
        self.numbers.insert(atom, number);
        match atom {
            Atom::Bytes(Bytes { site, .. }) | Atom::Sync(Some((site, _)), _) => {
                self.by_site.entry(site).or_default().push(number);
            }
            Atom::Sync(None, _) => self.anywhere.push(number),
            Atom::Anything | Atom::Step => {}
        }
        number
    }

    pub fn add(&mut self, place: Place, atom: Atom) {
        let number = self.number(atom);
        let known = self.by_edge.entry(place).or_default();
        if !known.contains(&number) {
            known.push(number);
        }
    }
}
