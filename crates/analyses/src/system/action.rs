//! The effects of a thread's next step, with the addresses that it has at a state, for [`por`] and for races.

use por::{Action, Site, Sync, SyncOp, Touch, sync_ops};
use program::{Access, Allocation, ExprId, Extent, LibraryCall, Op, Order, ThreadOp};
use semantics::{Base, Lock, LockKey, LockKind, ObjectId, Pointer};
use smallvec::SmallVec;

use super::{System, SystemState};
use crate::analysis::{Analysis, Answers};
use crate::step::Known;

impl<D: Analysis> System<'_, D> {
    /// Whether it is possible or waits. If the address is not known, everything.
    pub fn action(&mut self, state: &SystemState<D>, thread: u32) -> Action {
        match self.try_action(state, thread) {
            // What an indeterminate pointer leads to may become another object.
            Some(Action::Does { touches, syncs }) if touches_indeterminate(&touches, &syncs) => Action::Everything,
            action => action.unwrap_or(Action::Everything),
        }
    }

    fn try_action(&mut self, state: &SystemState<D>, thread: u32) -> Option<Action> {
        let threads = &self.both.0;
        let (function, location) = (threads.function(&state.0, thread), threads.location(&state.0, thread));
        let program = self.program;
        let Some((edge, first)) = program.functions[function].edges_from(location).next() else {
            return Some(Action::Local);
        };
        let mut touches: SmallVec<[Touch; 2]> = SmallVec::new();
        let mut syncs: SmallVec<[Sync; 2]> = SmallVec::new();
        match &first.op {
            Op::Skip | Op::Assume(_) | Op::Assign(..) | Op::Havoc(..) | Op::Call(_) | Op::CommandLine { .. } => {}
            Op::AtomicEnd | Op::Error(_) => {}
            Op::Load { .. } | Op::Store { .. } | Op::Modify(_) | Op::CompareExchange(_) => {}
            Op::Free(_) | Op::Overwrite(_) => {}
            Op::Allocate(allocate) => {
                if let Allocation::Variable(local) = allocate.kind {
                    let object = self.both.1.local_object(&state.1, thread, local);
                    touches.extend(object.and_then(|object| self.whole(state, object)));
                }
            }
            Op::Enter(local) | Op::Clear(local) | Op::Leave(local) => {
                let object = self.both.1.local_object(&state.1, thread, *local);
                touches.extend(object.and_then(|object| self.whole(state, object)));
            }
            Op::Return => {
                self.ending(state, thread, &mut touches);
                if self.both.0.frames(&state.0, thread).count() == 1 {
                    // A thread's end looks at all keys.
                    syncs.push(Sync { object: u32::MAX, site: None, offset: 0, op: SyncOp::KeyUse });
                }
            }
            Op::Library(call) => return self.library(state, thread, call),
            Op::AtomicBegin => return Some(Action::Section(function, edge)),
            Op::End(_) | Op::Unsupported(_) => return None,
            Op::Thread(op) => {
                if let ThreadOp::Exit { .. } = &**op {
                    // Handlers and all frames: rare enough.
                    return None;
                }
                for (op, place) in sync_ops(op) {
                    syncs.push(match place {
                        Some(place) => self.sync(state, thread, op, place)?,
                        None => Sync { object: u32::MAX, site: None, offset: 0, op },
                    });
                }
            }
        }
        self.accessed(state, thread, &first.op, &mut touches)?;
        Some(match touches.is_empty() && syncs.is_empty() {
            true => Action::Local,
            false => Action::Does { touches, syncs },
        })
    }

    /// What the next step accesses, as races have it: the end of an object is no access. `None` if that is not known.
    pub(super) fn accesses(&mut self, state: &SystemState<D>, thread: u32) -> Option<SmallVec<[Touch; 2]>> {
        let threads = &self.both.0;
        let (function, location) = (threads.function(&state.0, thread), threads.location(&state.0, thread));
        let program = self.program;
        let op = program.functions[function].edges_from(location).next().map(|(_, edge)| &edge.op);
        let mut accesses = false;
        if let Some(op) = op {
            op.accesses(&mut |_| accesses = true);
        }
        if !accesses {
            return Some(SmallVec::new());
        }
        match self.try_action(state, thread)? {
            Action::Does { touches, .. } => Some(touches),
            _ => Some(SmallVec::new()),
        }
    }

    fn known(&mut self, state: &SystemState<D>, thread: u32, expr: ExprId) -> Known {
        let function = self.both.0.function(&state.0, thread);
        self.both.1.value(&state.1, thread, function, expr)
    }

    /// Adds what an operation accesses. `None` if a place is not known.
    fn accessed(
        &mut self,
        state: &SystemState<D>,
        thread: u32,
        op: &Op,
        touches: &mut SmallVec<[Touch; 2]>,
    ) -> Option<()> {
        let mut known = Some(());
        op.accesses(&mut |access| {
            let write = access.mode.writes();
            let touch = match access.extent {
                Extent::Scalar(scalar) => self.touch(state, thread, scalar, write).map(Some),
                Extent::Block | Extent::Elements(_) | Extent::Range => self.block(state, thread, access.address),
            };
            known = known.and(touch.map(|touch| touches.extend(touch.map(|touch| Touch { write, ..touch }))));
        });
        known
    }

    /// `None` if the place is not known.
    fn touch(&mut self, state: &SystemState<D>, thread: u32, access: &Access, write: bool) -> Option<Touch> {
        let (object, offset) = match self.known(state, thread, access.address) {
            Known::Pointer(Pointer { base: Base::Object(object), offset }) => (object, offset),
            _ => return None,
        };
        let (site, _) = self.both.1.object(&state.1, object)?;
        let (start, length) = match &access.bits {
            None => (offset, access.ty.bytes()),
            Some(bits) => (offset - i64::from(bits.before), u64::from(bits.length)),
        };
        Some(Touch { object: object.0, site, start, length, write, atomic: access.order == Order::Atomic })
    }

    fn whole(&self, state: &SystemState<D>, object: ObjectId) -> Option<Touch> {
        let (site, length) = self.both.1.object(&state.1, object)?;
        Some(Touch { object: object.0, site, start: 0, length, write: true, atomic: false })
    }

    /// Freeing a block writes all of it; null does nothing. `None` if the place is not known.
    fn block(&mut self, state: &SystemState<D>, thread: u32, pointer: ExprId) -> Option<Option<Touch>> {
        match self.known(state, thread, pointer) {
            Known::Pointer(Pointer { base: Base::Object(object), .. }) => Some(self.whole(state, object)),
            Known::Bits(0) => Some(None),
            _ => None,
        }
    }

    /// Returning ends the frame's objects.
    fn ending(&self, state: &SystemState<D>, thread: u32, touches: &mut SmallVec<[Touch; 2]>) {
        let mut objects = Vec::new();
        self.both.1.ending(&state.1, thread, &mut objects);
        touches.extend(objects.into_iter().filter_map(|object| self.whole(state, object)));
    }

    fn sync(&mut self, state: &SystemState<D>, thread: u32, op: SyncOp, place: ExprId) -> Option<Sync> {
        match self.known(state, thread, place) {
            Known::Pointer(at @ Pointer { base: Base::Object(object), offset }) => {
                let site = self.both.1.object(&state.1, object).map(|(site, _)| site);
                let holds = || {
                    let key = LockKey { kind: LockKind::Mutex, at };
                    let lock = self.both.0.locks(&state.0).get(key);
                    matches!(lock, Some(Lock::Mutex { owner: Some(owner), .. }) if owner.0 == thread)
                };
                // Unlocking only enables others if the thread holds the lock.
                let op = if op == SyncOp::Unlock && !holds() { SyncOp::OtherMutex } else { op };
                Some(Sync { object: object.0, site, offset, op })
            }
            Known::Pointer(Pointer { base: Base::Thread(thread), .. }) => {
                Some(Sync { object: thread.0, site: None, offset: 0, op })
            }
            _ => None,
        }
    }

    /// Strings that are no literals may be written by others.
    fn library(&mut self, state: &SystemState<D>, thread: u32, call: &LibraryCall) -> Option<Action> {
        for arg in &call.args {
            if let Known::Pointer(Pointer { base: Base::Object(object), .. }) = self.known(state, thread, *arg)
                && let Some((site, _)) = self.both.1.object(&state.1, object)
            {
                let is_literal = matches!(site, por::Site::Global(global) if self.program.globals[global].read_only);
                if !is_literal {
                    return None;
                }
            }
        }
        Some(Action::Local)
    }
}

fn touches_indeterminate(touches: &[Touch], syncs: &[Sync]) -> bool {
    let is_indeterminate = |site: Site| matches!(site, Site::Indeterminate { .. });
    touches.iter().any(|touch| is_indeterminate(touch.site))
        || syncs.iter().any(|sync| sync.site.is_some_and(is_indeterminate))
}
