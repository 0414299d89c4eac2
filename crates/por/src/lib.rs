//! Partial-order reduction for explorers that keep states: which steps commute, what threads may still do, and whose next steps
//! suffice at a state. Knows no engine and no domain: an engine describes what its threads are about to do by [`View`]s.
//!
//! # What is preserved
//!
//! A state is explored by the steps of a [`source_set`] only. Take a run from it in which no thread of the set moves: it does
//! nothing that does not commute with the set's next steps, and it keeps them possible. So the first step of the set in any run
//! can be moved to its front, and if there is none, one can be put there.
//!
//! With a cycle condition (on every cycle of what is explored, some state is explored by the steps of all threads) this preserves
//! - errors, overflows, invalid accesses and invalid frees: the step that shows it is still made;
//! - races: the first step of the set in a run to the racing state can be moved to the front. If none of the set moves in it and
//!   neither of the racing threads is in the set, a step of the set can be put in front. If one of them is in it, its access is its
//!   next step and depends on what the other one will do, so that the other is in the set as well, and since it does not
//!   move either, the race is there already;
//! - deadlocks. Those in which no thread can go on are found without the cycle condition, too; circles of threads that wait for
//!   each other while others run on need it. The set has a thread that can go on, so it moves in every run to a deadlock: waiters
//!   that may wake for no reason are not enough.
//!
//! Not preserved: lost memory, memory that is not given back at the end, the order of what is printed.
//!
//! Sleep sets ([`Sleep`]) leave out steps, not states, where nothing else is asked of them.

mod bits;
mod collect;
mod depend;
mod effects;
mod remaining;
mod sections;
mod select;
mod sleep;
mod unread;

use program::{EdgeId, ExprId, FunctionId, GlobalId, LocalId};
use smallvec::SmallVec;

pub use depend::{dependent, sync_ops};
pub use remaining::{RemainingEffects, RemainingId};
pub use select::{is_closed, local_global, source_set};
pub use sleep::Sleep;
pub use unread::unread_handles;

/// All objects made at one place of the program.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum Site {
    Global(GlobalId),
    /// Each thread's own copy.
    ThreadLocal(GlobalId),
    /// A local in memory that is no array of variable length.
    Local(FunctionId, LocalId),
    /// What an `Allocate` edge makes: on the heap, by `alloca`, as an array of variable length.
    Block(FunctionId, EdgeId),
    /// The vector of the command line's strings, and the strings.
    CommandLine,
    /// Behind an indeterminate pointer; promised by a function without a body, or not.
    Indeterminate {
        promised: bool,
    },
}

/// A range of bytes of an actual object. `object` is the engine's number for it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Touch {
    pub object: u32,
    pub site: Site,
    pub start: i64,
    pub length: u64,
    /// The end of an object writes all of it; so does its beginning, if the local had one already.
    pub write: bool,
    pub atomic: bool,
}

/// An operation on a lock at an actual place.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Sync {
    pub object: u32,
    /// None if it is not known, or if there is no such object.
    pub site: Option<Site>,
    pub offset: i64,
    pub op: SyncOp,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum SyncOp {
    Lock,
    /// By who holds it. Unlocking what another thread holds, or no thread, is `OtherMutex`.
    Unlock,
    /// Try, timed, init, destroy.
    OtherMutex,
    ReadLock,
    WriteLock,
    RwUnlock,
    OtherRw,
    /// Sleeping, signalling, init, destroy.
    Condition,
    /// Waking, signalled or for no reason.
    Wake,
    /// Init and destroy of a barrier, too.
    Arrive,
    Pass,
    Post,
    Wait,
    OtherSemaphore,
    Once,
    /// Joining or detaching the thread whose number `object` is; without a site.
    Thread,
    /// Making or deleting a key; without a site, `object` and `offset` do not matter.
    KeyChange,
    /// Setting or getting the value of a key, and the end of a thread, which looks at all keys.
    KeyUse,
}

/// What a thread's next step does at a state. If it has several next steps, what any of them does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing that others notice, and it only reads or writes what is the thread's own. Whatever the facts show to move to the left
    /// ([`facts::Movers::mover`]) may be called so, if it cannot fail: as long as such a step is next, no other thread makes one that is
    /// dependent on it.
    Local,
    /// Touches memory and locks, both may be several (sleeping on a condition is two syncs; returning ends the frame's objects:
    /// writes of whole objects).
    Does { touches: SmallVec<[Touch; 2]>, syncs: SmallVec<[Sync; 2]> },
    /// Begins an atomic section at this edge: acts as everything that may happen in the section.
    Section(FunctionId, EdgeId),
    /// May stop others or matter to all: ends the program, is not understood.
    Everything,
}

#[derive(Clone, Debug)]
pub struct View {
    pub action: Action,
    pub enabled: bool,
    /// Blocked: by whom, if that is known. (Indices into the views.)
    pub waits_for: SmallVec<[usize; 2]>,
    pub finished: bool,
    pub remaining: RemainingId,
}

/// What an operation does to which lock.
pub type SyncOps = SmallVec<[(SyncOp, Option<ExprId>); 2]>;
