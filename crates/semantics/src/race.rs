//! Accesses that threads are about to make, and whether two of them race: either could be the next, they access the same bytes, one
//! writes, and they are not both atomic.

use program::{Access, Extent, LibraryCall, Op, Order, Overwrite};
use smallvec::SmallVec;

use crate::next::Next;
use crate::state::{Life, State};
use crate::step::{Machine, Step};
use crate::trace::Recorded;
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value};

/// An access that is about to be made: a range of bytes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Touch {
    pub object: ObjectId,
    pub start: i64,
    pub length: u64,
    pub write: bool,
    pub atomic: bool,
}

impl Touch {
    fn overlaps(&self, other: &Touch) -> bool {
        let end = |t: &Touch| t.start.saturating_add_unsigned(t.length);
        self.object == other.object && self.start < end(other) && other.start < end(self)
    }

    pub fn conflicts(&self, other: &Touch) -> bool {
        self.overlaps(other) && (self.write || other.write) && !(self.atomic && other.atomic)
    }
}

impl Machine<'_> {
    /// Two threads whose next accesses race.
    pub fn race(&self, state: &State) -> Option<(ThreadId, ThreadId)> {
        self.race_among(state, &self.next_of_all(state))
    }

    pub(crate) fn race_among(&self, state: &State, next: &[Next]) -> Option<(ThreadId, ThreadId)> {
        let touches: SmallVec<[_; 4]> =
            state.thread_ids().zip(next).map(|(thread, next)| self.touches_of(state, thread, next)).collect();
        for (i, first) in touches.iter().enumerate() {
            for (j, second) in touches.iter().enumerate().skip(i + 1) {
                let in_section = |t: usize| state.threads[t].atomic > 0;
                if in_section(i) && in_section(j) {
                    continue;
                }
                if first.iter().any(|a| second.iter().any(|b| a.conflicts(b))) {
                    return Some((ThreadId(i as u32), ThreadId(j as u32)));
                }
            }
        }
        None
    }

    /// The accesses of a thread's next step. Being kept waiting by another's atomic section does not count.
    pub fn touches(&self, state: &State, thread: ThreadId) -> SmallVec<[Touch; 2]> {
        self.touches_of(state, thread, &self.next(state, thread))
    }

    fn touches_of(&self, state: &State, thread: ThreadId, next: &Next) -> SmallVec<[Touch; 2]> {
        let mut touches = SmallVec::new();
        let Some(edge) = next.edge() else { return touches };
        let op = &self.edge(state, thread, edge).op;
        if let Op::Library(call) = op {
            return self.touched_by_library(state, thread, call).into();
        }
        op.accesses(&mut |access| {
            let write = access.mode.writes();
            touches.extend(match access.extent {
                Extent::Scalar(scalar) => self.touch(state, thread, scalar, write),
                Extent::Elements(overwrite) => self.overwritten(state, thread, overwrite),
                Extent::Block | Extent::Range => self.whole(state, self.peek(state, thread, access.address)),
            });
        });
        touches
    }

    /// What a library function reads and writes depends on its arguments: it is executed on a copy. Bytes not chosen yet are zeros there.
    fn touched_by_library(&self, state: &State, thread: ThreadId, call: &LibraryCall) -> Vec<Touch> {
        let (mut copy, mut environment) = (state.clone(), Recorded::new(&[]));
        let mut step = Step::new(self, &mut copy, thread, &mut environment);
        step.touched = Some(Vec::new());
        // If it fails, what was accessed before was accessed.
        let _ = step.library_call(call);
        step.touched.unwrap_or_default()
    }

    fn overwritten(&self, state: &State, thread: ThreadId, overwrite: &Overwrite) -> Option<Touch> {
        let Value::Pointer(Pointer { base: Base::Object(object), offset }) =
            self.peek(state, thread, overwrite.address)?
        else {
            return None;
        };
        let (found, write) = (state.object(object), overwrite.writes());
        let offset = u64::try_from(offset).ok().filter(|offset| *offset <= found.contents.size)?;
        let start = overwrite.start(offset);
        let length = overwrite.extent(found.contents.size - start);
        let happens = found.life == Life::Live && !(found.read_only && write) && length > 0;
        happens.then_some(Touch { object, start: start as i64, length, write, atomic: false })
    }

    fn touch(&self, state: &State, thread: ThreadId, access: &Access, write: bool) -> Option<Touch> {
        let Value::Pointer(Pointer { base: Base::Object(object), offset }) =
            self.peek(state, thread, access.address)?
        else {
            return None;
        };
        let (start, length) = match &access.bits {
            None => (offset, access.ty.bytes()),
            Some(bits) => (offset - i64::from(bits.before), u64::from(bits.length)),
        };
        Some(Touch { object, start, length, write, atomic: access.order == Order::Atomic })
    }

    /// Freeing a block writes all of it.
    fn whole(&self, state: &State, pointer: Option<Value>) -> Option<Touch> {
        let Value::Pointer(Pointer { base: Base::Object(object), .. }) = pointer? else { return None };
        let length = state.object(object).contents.size;
        Some(Touch { object, start: 0, length, write: true, atomic: false })
    }
}
