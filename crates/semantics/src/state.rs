//! A state of a program: threads with their stacks, objects with their contents, locks. Components are shared between copies and
//! copied when changed.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Idx;
use program::{End, FunctionId, GlobalInit, Input, LocalId, Location, Program};

use crate::indeterminate::Undecided;
use crate::memory::{Contents, Fill};
use crate::value::{Base, ObjectId, Pointer, ThreadId, Value};

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct State {
    pub threads: Vec<Rc<Thread>>,
    /// All objects there ever were; ended ones keep their id so that dangling pointers are known for what they are.
    pub objects: Vec<Rc<Object>>,
    pub locks: Rc<BTreeMap<LockKey, Lock>>,
    /// Destructors of thread-specific keys; `None` for deleted ones.
    pub keys: Rc<Vec<Option<Value>>>,
    /// The thread inside an atomic section.
    pub atomic: Option<ThreadId>,
    /// The program observed the number or order of addresses: objects must keep theirs.
    pub addresses_seen: bool,
    pub ended: Option<End>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Object {
    pub contents: Contents,
    pub kind: ObjectKind,
    pub life: Life,
    pub read_only: bool,
    /// What an indeterminate pointer leads to, while it may still be null or another object.
    pub undecided: Option<Box<Undecided>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectKind {
    Global(program::GlobalId),
    /// A thread's own copy.
    ThreadLocal(program::GlobalId),
    /// A local of a frame, `alloca` included.
    Local,
    Heap,
    /// Behind an indeterminate pointer.
    Indeterminate(Input),
    /// The vector of so many arguments of the program.
    Arguments(u32),
    /// One of them.
    Argument,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Life {
    Live,
    /// Freed.
    Freed,
    /// Its scope or thread ended.
    Ended,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Thread {
    /// Which child of which child … of the first thread: does not depend on the order of creation by different threads.
    pub path: Rc<[u32]>,
    pub children: u32,
    /// The running function last.
    pub frames: Vec<Rc<Frame>>,
    pub life: ThreadLife,
    pub detached: bool,
    pub joined: bool,
    /// Nesting of atomic sections.
    pub atomic: u32,
    /// What the thread returned, once it is terminating.
    pub result: Value,
    /// Waiting for a signal of this condition variable, or woken from it.
    pub sleeping: Option<(LockKey, bool)>,
    /// At a barrier: released, and whether it came last.
    pub at_barrier: Option<(LockKey, Option<bool>)>,
    pub cleanup: Vec<(Value, Value)>,
    /// Values of thread-specific keys.
    pub specific: Vec<Value>,
    /// Frames that `pthread_exit` left: nothing runs in them any more.
    pub left: usize,
    /// Destructors run by rounds over the keys: the round, and the key that is next in it.
    pub round: (u32, u32),
    pub thread_locals: Vec<(program::GlobalId, ObjectId)>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ThreadLife {
    Running,
    /// Runs clean-up handlers and destructors.
    Leaving,
    Finished,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub function: FunctionId,
    pub location: Location,
    /// Values of plain locals; for locals in memory, a pointer to the object while there is one.
    pub locals: Box<[Value]>,
    /// From `alloca`.
    pub allocated: Vec<ObjectId>,
    /// Where the caller wants the result.
    pub to: Option<LocalId>,
}

/// Locks are known by their address; what is there as data does not matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct LockKey {
    pub kind: LockKind,
    pub at: Pointer,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub enum LockKind {
    Mutex,
    RwLock,
    Condition,
    Barrier,
    Semaphore,
    Once,
}

/// The state of a lock that differs from a new one's.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Lock {
    Mutex {
        kind: MutexKind,
        owner: Option<ThreadId>,
        count: u32,
    },
    RwLock {
        writer: Option<ThreadId>,
        readers: Vec<ThreadId>,
    },
    Barrier {
        count: u32,
        arrived: u32,
    },
    Semaphore {
        value: u32,
    },
    /// The thread that runs the routine, or none once it is done.
    Once {
        running: Option<ThreadId>,
    },
}

impl Lock {
    /// The threads that hold it: alone, or with others.
    pub fn holders(&self) -> impl Iterator<Item = (ThreadId, bool)> {
        let (alone, others): (_, &[ThreadId]) = match self {
            Lock::Mutex { owner, .. } => (*owner, &[]),
            Lock::RwLock { writer, readers } => (*writer, readers),
            Lock::Once { running } => (*running, &[]),
            Lock::Barrier { .. } | Lock::Semaphore { .. } => (None, &[]),
        };
        alone.map(|thread| (thread, true)).into_iter().chain(others.iter().map(|thread| (*thread, false)))
    }

    /// The same lock where threads have other names.
    pub fn renamed(&self, thread: impl Fn(ThreadId) -> ThreadId) -> Lock {
        match self {
            Lock::Mutex { kind, owner, count } => Lock::Mutex { kind: *kind, owner: owner.map(&thread), count: *count },
            Lock::RwLock { writer, readers } => {
                let mut readers: Vec<_> = readers.iter().map(|reader| thread(*reader)).collect();
                readers.sort_unstable();
                Lock::RwLock { writer: writer.map(&thread), readers }
            }
            Lock::Once { running } => Lock::Once { running: running.map(&thread) },
            Lock::Barrier { .. } | Lock::Semaphore { .. } => self.clone(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum MutexKind {
    #[default]
    Normal,
    Recursive,
    ErrorChecking,
}

impl State {
    /// Before the first step: globals are there, the first thread is about to start.
    pub fn initial(program: &Program) -> State {
        let mut state = State {
            threads: Vec::new(),
            objects: Vec::new(),
            locks: Rc::default(),
            keys: Rc::default(),
            atomic: None,
            addresses_seen: false,
            ended: None,
        };
        for (id, global) in program.globals.iter_enumerated() {
            // The template of thread-local objects keeps its place so that global ids and object ids agree.
            let contents = initial_contents(program, id);
            state.new_object(contents, ObjectKind::Global(id), global.read_only);
        }
        state.new_thread(program, Rc::from([]), program.entry, &[]);
        state
    }

    pub fn new_object(&mut self, contents: Contents, kind: ObjectKind, read_only: bool) -> ObjectId {
        let id = ObjectId::from_usize(self.objects.len());
        self.objects.push(Rc::new(Object { contents, kind, life: Life::Live, read_only, undecided: None }));
        id
    }

    pub fn new_thread(&mut self, program: &Program, path: Rc<[u32]>, entry: FunctionId, args: &[Value]) -> ThreadId {
        let id = ThreadId::from_usize(self.threads.len());
        let mut thread_locals = Vec::new();
        for (global, info) in program.globals.iter_enumerated().filter(|(_, g)| g.thread_local) {
            let contents = initial_contents(program, global);
            thread_locals.push((global, self.new_object(contents, ObjectKind::ThreadLocal(global), info.read_only)));
        }
        self.threads.push(Rc::new(Thread {
            path,
            children: 0,
            frames: vec![Rc::new(new_frame(program, entry, args, None))],
            life: ThreadLife::Running,
            detached: false,
            joined: false,
            atomic: 0,
            result: Value::NULL,
            sleeping: None,
            at_barrier: None,
            cleanup: Vec::new(),
            specific: Vec::new(),
            left: 0,
            round: (0, 0),
            thread_locals,
        }));
        id
    }

    pub fn thread_ids(&self) -> impl DoubleEndedIterator<Item = ThreadId> + use<> {
        (0..self.threads.len()).map(ThreadId::from_usize)
    }

    pub fn thread(&self, id: ThreadId) -> &Thread {
        &self.threads[id.index()]
    }

    pub fn thread_mut(&mut self, id: ThreadId) -> &mut Thread {
        Rc::make_mut(&mut self.threads[id.index()])
    }

    /// The running frame of a thread that has not finished.
    pub fn frame(&self, id: ThreadId) -> &Frame {
        self.thread(id).frames.last().expect("a thread that runs has a frame")
    }

    pub fn frame_mut(&mut self, id: ThreadId) -> &mut Frame {
        Rc::make_mut(self.thread_mut(id).frames.last_mut().expect("a thread that runs has a frame"))
    }

    pub fn object(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    pub fn object_mut(&mut self, id: ObjectId) -> &mut Object {
        Rc::make_mut(&mut self.objects[id.index()])
    }

    /// The thread's own copy of a thread-local object, or the object itself.
    pub fn global_object(&self, thread: ThreadId, global: program::GlobalId) -> ObjectId {
        let own = &self.thread(thread).thread_locals;
        own.iter().find(|(g, _)| *g == global).map_or(ObjectId(global.0), |(_, object)| *object)
    }

    /// Ends an object's life; its locks are forgotten.
    pub fn end_object(&mut self, id: ObjectId, life: Life) {
        let object = self.object_mut(id);
        object.life = life;
        // The size stays, so that addresses do.
        object.contents = Contents::new(object.contents.size, Fill::Zero);
        let is_here = |key: &LockKey| key.at.base == Base::Object(id);
        if self.locks.keys().any(is_here) {
            Rc::make_mut(&mut self.locks).retain(|key, _| !is_here(key));
        }
    }

    pub fn lock(&self, key: LockKey) -> Option<&Lock> {
        self.locks.get(&key)
    }

    /// `None` makes the lock a new one again.
    pub fn set_lock(&mut self, key: LockKey, lock: Option<Lock>) {
        let locks = Rc::make_mut(&mut self.locks);
        match lock {
            Some(lock) => locks.insert(key, lock),
            None => locks.remove(&key),
        };
    }

    /// The object, alive, that a number leads into (or just behind): the inverse of [`State::address_of`].
    pub fn object_at(&self, address: u64) -> Option<Pointer> {
        let mut start = FIRST_ADDRESS;
        for (i, object) in self.objects.iter().enumerate() {
            if (start..=start + object.contents.size).contains(&address) && object.life == Life::Live {
                return Some(Pointer { base: Base::Object(ObjectId::from_usize(i)), offset: (address - start) as i64 });
            }
            start += room(object);
        }
        None
    }

    /// A number for a pointer. Objects lie apart from each other in order of their ids, aligned to 16 bytes, so that the query does
    /// not change the state.
    pub fn address_of(&self, pointer: Pointer, pointer_bits: u8) -> u64 {
        let base = match pointer.base {
            Base::Object(id) => self.objects[..id.index()].iter().fold(FIRST_ADDRESS, |at, object| at + room(object)),
            Base::Function(function) => 0x1000 + u64::from(function.0) * 16,
            Base::Thread(thread) => 0x7000_0000 + u64::from(thread.0) * 4096,
        };
        let address = base.wrapping_add(pointer.offset as u64);
        if pointer_bits == 32 { address & 0xffff_ffff } else { address }
    }
}

const FIRST_ADDRESS: u64 = 0x1_0000;

/// Bytes from the start of an object to that of the next.
fn room(object: &Object) -> u64 {
    (object.contents.size.min(1 << 40) + 32) / 16 * 16
}

pub fn new_frame(program: &Program, function: FunctionId, args: &[Value], to: Option<LocalId>) -> Frame {
    let f = &program.functions[function];
    let mut locals = vec![Value::Undefined; f.locals.len()].into_boxed_slice();
    for (param, value) in f.params.iter().zip(args) {
        locals[param.index()] = *value;
    }
    Frame { function, location: f.entry, locals, allocated: Vec::new(), to }
}

fn initial_contents(program: &Program, id: program::GlobalId) -> Contents {
    let global = &program.globals[id];
    match &global.init {
        GlobalInit::Zero => Contents::new(global.size, Fill::Zero),
        GlobalInit::Arbitrary => Contents::new(global.size, Fill::Undefined),
        GlobalInit::Image(image) => {
            let mut contents = Contents::with_image(global.size, &image.bytes);
            for (offset, address) in &image.pointers {
                let base = match address.base {
                    program::AddressBase::Global(global) => Base::Object(ObjectId(global.0)),
                    program::AddressBase::Function(function) => Base::Function(function),
                };
                let pointer = Pointer { base, offset: address.offset };
                contents
                    .write_pointer(*offset, program.machine.pointer_bytes(), pointer)
                    .expect("an image is no larger than the text that describes it");
            }
            contents
        }
    }
}
