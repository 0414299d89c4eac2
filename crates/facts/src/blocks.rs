//! Reducible blocks: stretches of a thread that need not be interrupted, by Lipton's reduction (CACM 1975).
//!
//! Steps that commute with those of other threads ([`Mover`]) group into blocks `right* (non)? left*`: whatever others do between
//! the steps of a block they could as well do before or behind it. A thread inside a block has either not committed yet (only
//! right movers so far), or it has (only left movers from here on). A location is outside if a block must or may end there; a
//! scheduler that switches threads only while the running one is [outside](Blocks::is_inside) loses nothing of what is promised
//! below.
//!
//! The idea of phases is that of "Reduction for Compositional Verification of Multi-Threaded Programs" (Popeea, Rybalchenko,
//! Wilhelm), section V, and of the work on transactions by Flanagan and Qadeer. The rule printed there calls a location inside if
//! it is so in one of its phases, and lets threads stay in a block for ever; here
//! - a location is inside only if it is in *all* phases that it is reached in;
//! - a thread that has committed always reaches the end of its block, alone: outside are, where reached after the commit, the
//!   heads of loops, the entries of recursive functions, every location whose step is no left mover (all that may be kept waiting
//!   are none) or may end the run by undefined behaviour, and every location without a step;
//! - locations before [`Op::Error`], [`Op::End`] and [`Op::Unsupported`], and where threads start, are outside in any case.
//!
//! Why that is enough. Take a run that ends with a step of thread `t`. In any other thread's last block
//! - that has not committed, all steps so far are right movers: moved behind the run's end and dropped. Whether the thread would
//!   be kept waiting next, or loops for ever, does not matter: no thread has seen anything of it;
//! - that has committed, the missing steps are left movers that can be made, do not fail and come to an end: appended, and moved
//!   to the left. (If `t` ends the run inside an atomic section, or for good, they could not be made behind it; but they are
//!   independent of all that happened since the thread's own last step, so they can be made there.)
//!
//! Now each block's first half moves right and its second half left, until the block is in one piece. (`t` stays where it was in
//! its last block, which is the last of the run.)
//!
//! Atomic sections. No other thread runs while a thread is inside one, unless it is kept waiting there, and then it takes over as soon
//! as it can go on. Programs with steps that wait in sections, or with threads that end in them, get no blocks at all. In others a
//! section is one step: its thread cannot be interrupted inside, so that all its locations are inside a block, whatever it does;
//! and a step of another thread moves past the whole of it, if it moves past each of its steps when they are taken for steps
//! outside of sections. So what happens in sections depends on what happens elsewhere (see [`Circumstances::is_contended`]).
//! Beginning a section does not commit, ending the outermost one does.
//!
//! What is preserved: for every step that a thread can make, with the values of its locals, that it can make it. So errors,
//! overflows, invalid accesses and other undefined behaviour are found at the same edges. What is not: deadlocks, races, lost
//! memory, the order of what is printed, and whatever else is said of the state of several threads at once.

mod fail;
mod flow;
mod mover;

#[cfg(doc)]
use program::Op;
use program::{EdgeId, FunctionId, Location, Program};

pub use fail::may_fail;
pub use mover::{Mover, edge_kind, may_block};

/// What must be known of a program to find its blocks. Each answer may err on the safe side: more callees, more starts, true.
pub trait Circumstances {
    /// The functions that a call edge may enter.
    fn callees(&self, function: FunctionId, edge: EdgeId) -> Vec<FunctionId>;

    /// The functions that a thread may start in, or run on its way out: the program's entry, those that threads are created with,
    /// clean-up handlers, destructors of keys.
    fn starts(&self) -> Vec<FunctionId>;

    /// May another thread, at a moment when this edge is a thread's next one, be about to make a step that depends on it?
    /// Atomic sections, of either thread, do not count as keeping the other out. Dependent are, where one of them is
    /// - an access to memory (an atomic one, too; that of a library function; that to the handle of
    ///   [`program::ThreadOp::Create`]): another to the same bytes, if one of the two writes. The beginning, clearing and end of
    ///   an object write all of it (that of locals, by `Return`, and of all frames, by `Exit` and a thread's last `Return`,
    ///   included), and the locks in it;
    /// - `Init` or `Destroy`, of whatever: any operation on the same object, even one that is kept waiting;
    /// - an operation on a lock, condition variable, barrier, semaphore or once-control: the end of the object that it lies in, even while it is kept waiting;
    ///   one that tries, has a time limit or asks for the value; and of mutexes, the release by a thread that does not own it;
    /// - `Join` or `Detach`: another of the same thread;
    /// - `KeySet`, `KeyGet`, `Exit`, or a thread's last `Return`: `KeyDelete`.
    ///
    /// If the program looks at addresses as numbers, then objects depend on each other wherever they are made.
    fn is_contended(&self, function: FunctionId, edge: EdgeId) -> bool;

    /// May the step end the run by undefined behaviour? [`may_fail`] answers by the text of the edge alone.
    fn may_fail(&self, function: FunctionId, edge: EdgeId) -> bool;
}

/// For each location of a program whether it is inside a block.
#[derive(Clone, Debug)]
pub struct Blocks {
    inside: Vec<Box<[bool]>>,
}

impl Blocks {
    pub fn of(program: &Program, circumstances: &dyn Circumstances) -> Blocks {
        Blocks { inside: flow::inside(program, circumstances) }
    }

    /// Need no other thread run while one is here (in its running frame)? Not in a function or at a location that is never
    /// reached.
    pub fn is_inside(&self, function: FunctionId, location: Location) -> bool {
        use base::Idx;
        self.inside[function.index()][location.index()]
    }
}
