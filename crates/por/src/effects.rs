//! Effects: what a step may do that others may notice, numbered, equal ones once.

use facts::offsets::Offsets;
use program::{EdgeId, FunctionId};
use rustc_hash::FxHashMap;

use crate::depend::{Kind, enables, kind, operations_depend};
use crate::{Site, Sync, SyncOp, Touch};

/// One effect that an edge may have.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
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

/// The numbers of the first two effects.
pub const ANYTHING: u32 = 0;
pub const STEP: u32 = 1;

pub type EdgeKey = (FunctionId, EdgeId);

#[derive(Default)]
pub struct Effects {
    all: Vec<Effect>,
    numbers: FxHashMap<Effect, u32>,
    by_edge: FxHashMap<EdgeKey, Vec<u32>>,
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

impl Effect {
    pub fn of_touch(touch: &Touch) -> Effect {
        Effect::Bytes(Bytes::of(touch))
    }

    pub fn of_sync(sync: &Sync) -> Effect {
        Effect::Sync(sync.site.map(|site| (site, Offsets::constant(sync.offset))), sync.op)
    }

    /// Do both not commute, if they concern the same object?
    pub fn is_dependent(&self, other: &Effect) -> bool {
        match (self, other) {
            (Effect::Anything, _) | (_, Effect::Anything) => true,
            (Effect::Step, _) | (_, Effect::Step) => false,
            (Effect::Bytes(a), Effect::Bytes(b)) => (a.write || b.write) && a.overlaps(b),
            (Effect::Sync(a, op), Effect::Sync(b, other)) => operations_depend(*op, *other) && may_meet(a, b),
            (Effect::Bytes(bytes), Effect::Sync(at, op)) | (Effect::Sync(at, op), Effect::Bytes(bytes)) => {
                ends(bytes, *at, *op)
            }
        }
    }

    /// May this let a thread go on that is kept waiting at a sync, if somebody else than those that it surely waits for does it?
    pub fn may_enable(&self, waiting: &Effect, known: bool) -> bool {
        let Effect::Sync(place, waits) = waiting else { return false };
        match self {
            Effect::Anything => true,
            Effect::Step => false,
            Effect::Bytes(bytes) => ends(bytes, *place, *waits),
            Effect::Sync(at, op) => {
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

impl Effects {
    pub fn new() -> Effects {
        let mut effects = Effects::default();
        let first = [Effect::Anything, Effect::Step].map(|effect| effects.number(effect));
        debug_assert_eq!(first, [ANYTHING, STEP]);
        effects
    }

    pub fn of_edge(&self, function: FunctionId, edge: EdgeId) -> &[u32] {
        self.by_edge.get(&(function, edge)).map_or(&[], |effects| effects)
    }

    pub fn get(&self, number: u32) -> Effect {
        self.all[number as usize]
    }

    /// Those that may concern the same objects as `effect`, and some more.
    pub fn near<'a>(&'a self, effect: &Effect) -> Box<dyn Iterator<Item = u32> + 'a> {
        match effect {
            Effect::Bytes(Bytes { site, .. }) | Effect::Sync(Some((site, _)), _) => {
                let there = self.by_site.get(site).into_iter().flatten();
                Box::new([ANYTHING].into_iter().chain(there.chain(&self.anywhere).copied()))
            }
            _ => Box::new(0..self.all.len() as u32),
        }
    }

    fn number(&mut self, effect: Effect) -> u32 {
        if let Some(number) = self.numbers.get(&effect) {
            return *number;
        }
        let number = self.all.len() as u32;
        self.all.push(effect);
        self.numbers.insert(effect, number);
        match effect {
            Effect::Bytes(Bytes { site, .. }) | Effect::Sync(Some((site, _)), _) => {
                self.by_site.entry(site).or_default().push(number);
            }
            Effect::Sync(None, _) => self.anywhere.push(number),
            Effect::Anything | Effect::Step => {}
        }
        number
    }

    pub fn add(&mut self, place: EdgeKey, effect: Effect) {
        let number = self.number(effect);
        let known = self.by_edge.entry(place).or_default();
        if !known.contains(&number) {
            known.push(number);
        }
    }
}
