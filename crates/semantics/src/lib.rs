//! What a program means, written once: states with threads, stacks, objects and locks; enabled edges; `step`, which executes one
//! edge; every property's violation seen at the step that causes it. The reference interpreter, the replay of schedules and the
//! exhaustive explorer are built on these. Knows no logic and no engine.

mod access;
mod canonical;
mod concrete;
mod eval;
mod execute;
mod explore;
pub mod format;
pub mod indeterminate;
mod library;
pub mod live;
pub mod locks;
mod memory;
mod next;
pub mod ops;
mod pointers;
mod race;
mod random;
mod reach;
mod run;
mod state;
mod step;
mod store;
mod sync;
mod trace;
mod value;

pub use access::LONGEST_ARRAY;
pub use canonical::canonical;
pub use eval::{Domain, eval, walk};
pub use execute::{Control, Store, Then, execute};
pub use explore::{Choices, Exploration, HowEnded, Limits, Outcome, for_each_choice};
pub use memory::{Byte, Contents, Read};
pub use next::Next;
pub use pointers::keeping_object;
pub use race::Touch;
pub use random::Random;
pub use reach::{live_blocks, lost_block};
pub use run::{Driver, Run, RunEnd};
pub use state::{Frame, Life, Lock, LockKey, LockKind, MutexKind, Object, ObjectKind, State, Thread, ThreadLife};
pub use step::{DEEPEST, Effects, Ending, Environment, Machine, Undefined, Violation};
pub use sync::{MOST_THREADS, ROUNDS};
pub use trace::{Recorded, Replay, ReplayError, Trace, TraceStep};
pub use value::{Base, ObjectId, Pointer, ThreadId, Value, mask};
