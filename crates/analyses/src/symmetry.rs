//! Symmetry reduction: of a handle, a program sees no more than whether it is the same as another one, so names of threads carry no
//! information. Threads may be renamed in a state like objects (Emerson and Sistla, "Symmetry and Model Checking", 1996; Clarke et al.,
//! "Exploiting Symmetry in Temporal Logic Model Checking", 1996; Bošnački, Dams and Holenderski, "Symmetric Spin", 2002, sort threads as
//! is done here): states that differ only in names are kept once. A thread that has ended
//! and that no handle leads to is dropped.
//!
//! Every order is right; one that depends on names less makes more states equal. Threads are put in order of the places that hold
//! their handles, then of where they are, then of what else is known of them. The first thread stays the first.

use std::hash::{BuildHasher, Hash};
use std::rc::Rc;

use por::Site;
use program::{EdgeId, FunctionId};
use rustc_hash::{FxBuildHasher, FxHashSet};
use semantics::{Base, Pointer, ThreadId};
use smallvec::{SmallVec, smallvec};

/// Edges of functions.
pub type Edges = Rc<FxHashSet<(FunctionId, EdgeId)>>;

/// New names of the threads of a state.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Order {
    /// By new names the old ones.
    old: SmallVec<[u32; 8]>,
    /// By old names the new ones; `None` for those that are dropped.
    new: SmallVec<[Option<u32>; 8]>,
    /// Is one that is mentioned renamed?
    renames: bool,
}

impl Order {
    /// `old` has the old names by the new ones; those that are missing are not mentioned.
    fn of(old: SmallVec<[u32; 8]>, count: usize) -> Order {
        let mut new: SmallVec<[Option<u32>; 8]> = smallvec![None; count];
        old.iter().enumerate().for_each(|(name, thread)| new[*thread as usize] = Some(name as u32));
        Order { old, new, renames: false }
    }

    pub fn old(&self) -> &[u32] {
        &self.old
    }

    /// Must data look for handles?
    pub fn renames(&self) -> bool {
        self.renames
    }

    /// The new name of a thread that is not dropped.
    pub fn thread(&self, old: u32) -> u32 {
        self.new[old as usize].expect("who is mentioned is not dropped")
    }

    pub fn thread_id(&self, old: ThreadId) -> ThreadId {
        ThreadId(self.thread(old.0))
    }

    pub fn pointer(&self, pointer: Pointer) -> Pointer {
        match pointer.base {
            Base::Thread(thread) => Pointer { base: Base::Thread(self.thread_id(thread)), ..pointer },
            _ => pointer,
        }
    }
}

/// Symmetry signatures: what is known of the threads of a state, but for names of threads and objects. Components of a product add
/// what they know.
#[derive(Debug)]
pub struct Signatures {
    all: SmallVec<[Signature; 8]>,
    mentions: SmallVec<[Mention; 8]>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Signature {
    /// The first of the objects' bytes that hold its handle.
    held: Option<(Site, u32)>,
    place: [u32; 3],
    own: u64,
    is_over: bool,
    is_mentioned: bool,
}

impl Signature {
    fn is_dropped(&self) -> bool {
        self.is_over && !self.is_mentioned
    }

    /// What is compared first. Threads whose handles are held nowhere come last.
    fn first(&self) -> (bool, Option<(Site, u32)>, [u32; 3]) {
        (self.held.is_none(), self.held, self.place)
    }
}

#[derive(Clone, Copy, Debug)]
struct Mention {
    thread: u32,
    /// The thread that does, if it is one.
    by: Option<u32>,
    /// A hash of where and how.
    how: u64,
}

impl Signatures {
    pub fn new(threads: usize) -> Signatures {
        Signatures { all: smallvec![Signature::default(); threads], mentions: SmallVec::new() }
    }

    /// Where a thread is, in numbers; has it ended?
    pub fn place(&mut self, thread: u32, place: [u32; 3], is_over: bool) {
        let signature = &mut self.all[thread as usize];
        (signature.place, signature.is_over) = (place, is_over);
        self.add(thread, summary(place));
    }

    /// Something that is known of a thread.
    pub fn add(&mut self, thread: u32, known: u64) {
        let own = &mut self.all[thread as usize].own;
        *own = summary((*own, known));
    }

    /// The thread is mentioned, perhaps `by` another one. It is not dropped.
    pub fn mention(&mut self, thread: u32, by: Option<u32>, how: u64) {
        self.keep(thread);
        self.mentions.push(Mention { thread, by, how });
    }

    /// The handle is in an object.
    pub fn hold(&mut self, thread: u32, site: Site, at: u32) {
        self.mention(thread, None, summary((site, at)));
        let held = &mut self.all[thread as usize].held;
        *held = Some(held.map_or((site, at), |held| held.min((site, at))));
    }

    /// The thread is not dropped.
    pub fn keep(&mut self, thread: u32) {
        self.all[thread as usize].is_mentioned = true;
    }

    /// Is there more to be known of threads to put them in order?
    pub fn has_ties(&self) -> bool {
        let kept: SmallVec<[&Signature; 8]> =
            self.all[1..].iter().filter(|signature| !signature.is_dropped()).collect();
        let is_tied = |(i, signature): (usize, &&Signature)| kept[..i].iter().any(|p| p.first() == signature.first());
        kept.iter().enumerate().any(is_tied)
    }

    /// `None` if all keep their names.
    pub fn order(&self) -> Option<Order> {
        let count = self.all.len();
        let ties = self.ties();
        let is_kept = |thread: &u32| *thread == 0 || !self.all[*thread as usize].is_dropped();
        let mut old: SmallVec<[u32; 8]> = (0..count as u32).filter(is_kept).collect();
        old[1..].sort_by_key(|thread| {
            let signature = &self.all[*thread as usize];
            (signature.first(), signature.own, ties[*thread as usize])
        });
        if old.len() == count && old.is_sorted() {
            return None;
        }
        let mut order = Order::of(old, count);
        order.renames = self.mentions.iter().any(|mention| order.thread(mention.thread) != mention.thread);
        Some(order)
    }

    /// For each thread a hash of which threads mention it and which it mentions.
    fn ties(&self) -> SmallVec<[u64; 8]> {
        let mut ties: SmallVec<[u64; 8]> = smallvec![0; self.all.len()];
        let mut add = |thread: u32, tie: u64| {
            let sum = &mut ties[thread as usize];
            *sum = sum.wrapping_add(tie);
        };
        let own = |thread: u32| self.all[thread as usize].own;
        for Mention { thread, by, how } in &self.mentions {
            add(*thread, summary((how, by.map(own))));
            if let Some(by) = by {
                add(*by, summary((own(*thread), how)));
            }
        }
        ties
    }
}

/// A hash: equal values have equal ones.
pub fn summary(value: impl Hash) -> u64 {
    FxBuildHasher.hash_one(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use program::GlobalId;

    fn signatures(places: &[u32]) -> Signatures {
        let mut signatures = Signatures::new(places.len());
        for (thread, place) in places.iter().enumerate() {
            signatures.place(thread as u32, [*place, 0, 0], *place == 9);
        }
        signatures
    }

    #[test]
    fn threads_are_in_order_of_their_places() {
        assert_eq!(signatures(&[7, 1, 2, 2]).order(), None, "they are already, but for the first");
        let order = signatures(&[7, 3, 1, 2]).order().expect("they are not in order");
        assert_eq!((order.old(), order.thread(1), order.renames()), (&[0, 2, 3, 1][..], 3, false));
    }

    #[test]
    fn who_has_ended_is_dropped_unless_mentioned() {
        let mut signatures = signatures(&[9, 9, 1, 9]);
        signatures.mention(3, Some(2), 0);
        let order = signatures.order().expect("one is dropped");
        assert_eq!((order.old(), order.thread(3), order.renames()), (&[0, 2, 3][..], 2, true));
    }

    #[test]
    fn handles_in_objects_come_first() {
        let mut signatures = signatures(&[7, 1, 2, 3]);
        signatures.hold(3, Site::Global(GlobalId(0)), 8);
        signatures.hold(2, Site::Global(GlobalId(0)), 0);
        assert_eq!(signatures.order().expect("they are not in order").old(), [0, 2, 3, 1]);
    }

    #[test]
    fn equal_threads_are_ordered_by_the_threads_they_mention() {
        let order = |by: [u32; 2]| {
            let mut signatures = signatures(&[7, 1, 1, 2, 3]);
            signatures.mention(3, Some(by[0]), 0);
            signatures.mention(4, Some(by[1]), 0);
            signatures.order().map_or([1, 2], |order| [order.old()[1], order.old()[2]])
        };
        let [first, second] = [order([1, 2]), order([2, 1])];
        assert_eq!([first[0], first[1]], [second[1], second[0]]);
    }
}
