//! The memory of all threads: frames with the values of plain locals, objects with their contents, symbols for unknown values with
//! ranges and definitions. Control is known only from steps. Mirrors the interpreter: where all values are known, both agree.

mod access;
mod advance;
mod arguments;
mod canonical;
mod contents;
mod eval;
mod exchange;
mod held;
mod indeterminate;
mod modular;
mod order;
mod pointers;
mod precision;
pub(crate) mod step;
mod store;
mod symmetry;
pub mod value;

use base::{Idx, IndexVec};
use program::{
    AddressBase, ExprId, Function, FunctionId, GlobalId, GlobalInit, Image, LocalId, Program, Storage, Type, TypeId,
};
use semantics::live::{Liveness, live_locals};
use semantics::{Base, Life, ObjectId, Pointer};
use smallvec::SmallVec;

pub use advance::Before;
pub use contents::{Cell, Fill, Object};
use por::Site;
pub use precision::{Precision, TrackedPlace};
use spec::Place;
pub use value::{Symbol, Value};

use crate::analysis::{Analysis, Answers, Around, Blocks, InPlace, Names, Naming, States};
use crate::intern::{Lists, Shared, Store};
use crate::step::{Advance, Known, Post, Queries, Step, Unknown};
use crate::symmetry::{Edges, Order, Signatures};
use value::{DEEPEST, Symbols};

/// How states are joined and what they keep.
#[derive(Clone, Debug, Default)]
pub struct Options {
    pub join: Join,
    /// Where numbers become ranges, those that grow are widened to these.
    pub thresholds: Vec<i64>,
    /// Values of dead named locals are kept, for they keep heap blocks from being lost.
    pub keep_named: bool,
    /// Numbers are not kept: another component of the product does, and is queried where a pointer depends on one.
    pub pointers_only: bool,
    /// Only these numbers are kept, if not all.
    pub tracked: Option<Precision>,
}

/// Which states are joined.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Join {
    #[default]
    None,
    /// Those of one location vector.
    Places,
    /// Parts of all states, thread-modularly: of a thread by its location, of objects by the locks that are held.
    Threads,
}

pub struct Memory<'p> {
    pub program: &'p Program,
    pub options: Options,
    liveness: IndexVec<FunctionId, Liveness>,
    memory_locals: IndexVec<FunctionId, Vec<LocalId>>,
    /// Arguments of the program that `main` does not read: what they are need not be known.
    unread_by_main: Vec<LocalId>,
    /// Locals whose numbers are not kept; none at all if all are.
    dropped: IndexVec<FunctionId, Box<[LocalId]>>,
    /// Where a global is among a state's objects; `None` for those that never change.
    slots: IndexVec<GlobalId, Option<u32>>,
    fixed: IndexVec<GlobalId, Object>,
    changing: usize,
    tables: Tables,
    no_symbols: Shared<Symbols>,
    /// For joins of threads.
    seen: modular::Seen,
    /// Definitions deeper than this are forgotten.
    deepest: u32,
    /// States list the symbols that were made for inputs.
    records: bool,
    /// Where threads are created whose handles are not read: they are not kept.
    unread: Edges,
    /// Conditions that do not hold are passed all the same, to follow an infeasible path to its end.
    pub lenient: bool,
    /// Nothing is cached: every step is made.
    anew: bool,
    /// A cache of the results of expressions and steps.
    cache: advance::Memo,
    /// Numbers of a state that is stored; empty in between.
    list: Vec<u32>,
}

/// The components of states, stored once; independent of the program, so that they can be kept in a certificate.
#[derive(Default)]
pub struct Tables {
    frames: Store<Frame>,
    extras: Store<Extras>,
    objects: Store<Object>,
    symbols: Store<Symbols>,
    lists: Lists,
}

#[derive(Clone, Debug)]
pub struct MemoryState {
    pub threads: SmallVec<[Own; 4]>,
    /// Globals that change, then all other objects.
    pub objects: Vec<Shared<Object>>,
    pub symbols: Shared<Symbols>,
    /// The program observed addresses as numbers: a number may lead to an object.
    pub addresses: bool,
    /// The threads that read inputs and the symbols of these, in order; only in [`Memory::for_path`].
    pub inputs: Vec<(u32, Symbol)>,
}

/// What belongs to one thread.
#[derive(Clone, Debug)]
pub struct Own {
    /// The running function last.
    pub frames: SmallVec<[Shared<Frame>; 3]>,
    pub extras: Shared<Extras>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Frame {
    pub function: FunctionId,
    /// For locals in memory, a pointer to the object while there is one.
    pub locals: Box<[Value]>,
    /// From `alloca`.
    pub allocated: Vec<ObjectId>,
    /// Where the caller wants the result.
    pub to: Option<LocalId>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Extras {
    pub result: Option<Value>,
    /// Arguments of clean-up handlers.
    pub cleanup: Vec<Value>,
    pub specific: Vec<Value>,
    pub thread_locals: Vec<(GlobalId, ObjectId)>,
}

impl<'p> Memory<'p> {
    pub fn new(program: &'p Program, options: Options) -> Self {
        Memory::with(program, options, Tables::default())
    }

    /// For one path: all definitions of symbols are kept, and inputs are listed.
    pub fn for_path(program: &'p Program) -> Self {
        let options = Options { keep_named: true, ..Options::default() };
        Memory { deepest: u32::MAX, records: true, ..Memory::new(program, options) }
    }

    /// For checkers of proofs: without caches.
    pub fn anew(self) -> Self {
        Memory { anew: true, ..self }
    }

    pub fn into_tables(self) -> Tables {
        self.tables
    }

    /// Goes on with the states of another one, of the same program and options.
    pub fn with(program: &'p Program, options: Options, tables: Tables) -> Self {
        let in_memory = |f: &Function| {
            let locals = f.locals.iter_enumerated();
            locals.filter(|(_, l)| l.storage == Storage::Memory).map(|(id, _)| id).collect()
        };
        let liveness = if options.keep_named { Liveness::of } else { Liveness::of_plain };
        let mut changing = 0;
        let slots = program.globals.iter().map(|global| {
            (!global.read_only && !global.thread_local).then(|| {
                changing += 1;
                changing - 1
            })
        });
        let slots: IndexVec<GlobalId, Option<u32>> = slots.collect();
        let fixed = program.globals.ids().map(|id| initial_object(program, id, Site::Global(id))).collect();
        let mut memory = Memory {
            program,
            liveness: program.functions.iter().map(liveness).collect(),
            dropped: options.tracked.as_ref().map(|precision| precision.dropped_locals(program)).unwrap_or_default(),
            options,
            memory_locals: program.functions.iter().map(in_memory).collect(),
            unread_by_main: unread_params(&program.functions[program.main]),
            slots,
            fixed,
            changing: changing as usize,
            tables,
            no_symbols: Shared::new(Symbols::default()),
            seen: modular::Seen::default(),
            deepest: DEEPEST,
            records: false,
            unread: Edges::default(),
            lenient: false,
            anew: false,
            cache: advance::Memo::default(),
            list: Vec::new(),
        };
        if memory.options.pointers_only || memory.options.tracked.is_some() {
            memory.fixed = program.globals.ids().map(|id| memory.initial_object(id, Site::Global(id))).collect();
        }
        memory
    }

    fn initial_object(&self, id: GlobalId, site: Site) -> Object {
        let object = initial_object(self.program, id, site);
        match self.options.pointers_only {
            true => self.without_numbers(self.program.globals[id].ty, object),
            // What cannot be written stays.
            false if object.read_only => object,
            false => self.with_kept(self.program.globals[id].ty, object),
        }
    }

    /// Where an object is among a state's; `None` for fixed ones.
    fn index(&self, id: ObjectId) -> Option<usize> {
        match self.slots.get(GlobalId(id.0)) {
            Some(slot) => slot.map(|slot| slot as usize),
            None => Some(self.changing + id.index() - self.slots.len()),
        }
    }

    /// The name of the object at an index.
    fn name(&self, index: usize) -> ObjectId {
        match index.checked_sub(self.changing) {
            Some(other) => ObjectId::from_usize(self.slots.len() + other),
            None => {
                let at = self.slots.iter().position(|slot| *slot == Some(index as u32));
                ObjectId::from_usize(at.expect("every slot has a global"))
            }
        }
    }

    /// `None` for an id that names no object: locks by bare numbers have one.
    pub fn find<'s>(&'s self, state: &'s MemoryState, id: ObjectId) -> Option<&'s Object> {
        match self.index(id) {
            Some(index) => state.objects.get(index).map(|object| &**object),
            None => Some(&self.fixed[GlobalId(id.0)]),
        }
    }

    fn new_object(&self, state: &mut MemoryState, object: Object) -> ObjectId {
        state.objects.push(Shared::new(object));
        self.name(state.objects.len() - 1)
    }

    fn function(&self, id: FunctionId) -> &'p Function {
        &self.program.functions[id]
    }

    fn new_frame(&self, function: FunctionId, args: &[Value], to: Option<LocalId>) -> Frame {
        let f = self.function(function);
        let mut locals = vec![Value::Undefined; f.locals.len()].into_boxed_slice();
        for (param, value) in f.params.iter().zip(args) {
            locals[param.index()] = *value;
        }
        Frame { function, locals, allocated: Vec::new(), to }
    }

    fn new_thread(&self, state: &mut MemoryState, entry: FunctionId, args: &[Value]) {
        let mut thread_locals = Vec::new();
        for (global, _) in self.program.globals.iter_enumerated().filter(|(_, g)| g.thread_local) {
            let object = self.initial_object(global, Site::ThreadLocal(global));
            thread_locals.push((global, self.new_object(state, object)));
        }
        let extras = Extras { result: None, cleanup: Vec::new(), specific: Vec::new(), thread_locals };
        let mut frames = SmallVec::new();
        frames.push(Shared::new(self.new_frame(entry, args, None)));
        state.threads.push(Own { frames, extras: Shared::new(extras) });
    }

    /// Heap blocks that were not freed.
    pub fn live_blocks(&self, state: &MemoryState) -> usize {
        state.objects.iter().filter(|object| object.heap && object.life == Life::Live).count()
    }

    /// How many different states were stored, and the bytes that their lists take.
    pub fn stored(&self) -> (usize, usize) {
        (self.tables.lists.len(), self.tables.lists.bytes())
    }
}

fn unread_params(function: &Function) -> Vec<LocalId> {
    let live = &live_locals(function)[function.entry.index()];
    let is_plain = |local: &LocalId| matches!(function.locals[*local].storage, Storage::Plain(_));
    function.params.iter().copied().filter(|param| is_plain(param) && !live.contains(param)).collect()
}

fn initial_object(program: &Program, id: GlobalId, site: Site) -> Object {
    let global = &program.globals[id];
    let fill = match global.init {
        GlobalInit::Arbitrary => Fill::Undefined,
        GlobalInit::Zero | GlobalInit::Image(_) => Fill::Zero,
    };
    let mut object = Object::new(global.size, fill, site);
    object.read_only = global.read_only;
    if let GlobalInit::Image(image) = &global.init {
        object.cells = cells_of_image(program, global.ty, image);
    }
    object
}

/// Bytes of an image as the values that the type has there, so that reading them whole finds them whole.
fn cells_of_image(program: &Program, ty: TypeId, image: &Image) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let word = program.machine.pointer_bytes();
    for (offset, address) in &image.pointers {
        let base = match address.base {
            AddressBase::Global(global) => Base::Object(ObjectId(global.0)),
            AddressBase::Function(function) => Base::Function(function),
        };
        let value = Value::Pointer(Pointer { base, offset: address.offset });
        cells.push(Cell { at: *offset as u32, length: word as u8, value });
    }
    // The bytes that are not zero and no longer to be placed.
    let mut rest = image.bytes.clone();
    let mut scalars = Vec::new();
    scalars_of(program, ty, 0, rest.len() as u64, &mut scalars);
    for (at, length) in scalars {
        let Some(bytes) = rest.get_mut(at as usize..(at + length) as usize) else { continue };
        let bits = bytes.iter().rev().fold(0u64, |sum, byte| sum << 8 | u64::from(*byte));
        if bits != 0 {
            bytes.fill(0);
            cells.push(Cell { at: at as u32, length: length as u8, value: Value::Bits(bits) });
        }
    }
    for (at, byte) in rest.iter().enumerate().filter(|(_, byte)| **byte != 0) {
        cells.push(Cell { at: at as u32, length: 1, value: Value::Bits(u64::from(*byte)) });
    }
    cells.sort_by_key(|cell| cell.at);
    cells
}

/// No more scalars of a type are listed.
const MOST_SCALARS: usize = 1 << 20;

/// Offsets and lengths of the scalars of at most eight bytes in a type, up to an offset; some, if there are very many.
fn scalars_of(program: &Program, ty: TypeId, at: u64, end: u64, out: &mut Vec<(u64, u64)>) {
    if at >= end || out.len() > MOST_SCALARS {
        return;
    }
    match &program.types[ty] {
        Type::Scalar { scalar, .. } if scalar.bytes() <= 8 => out.push((at, scalar.bytes())),
        Type::Array { element, length } => {
            let size = program.types.size(*element).max(1);
            for i in (0..*length).take_while(|i| at + i * size < end) {
                scalars_of(program, *element, at + i * size, end, out);
                if out.len() > MOST_SCALARS {
                    return;
                }
            }
        }
        Type::Record { fields, .. } => {
            for field in fields.iter().filter(|field| field.bits.is_none()) {
                scalars_of(program, field.ty, at + field.offset, end, out);
            }
        }
        Type::Scalar { .. } | Type::Bytes { .. } => {}
    }
}

impl States for Memory<'_> {
    type State = MemoryState;
    type Key = u32;

    fn store(&mut self, state: &mut MemoryState) -> u32 {
        let mut list = std::mem::take(&mut self.list);
        list.clear();
        list.push(self.tables.symbols.number(&mut state.symbols) << 1 | u32::from(state.addresses));
        list.push(state.threads.len() as u32);
        for own in &mut state.threads {
            list.push(own.frames.len() as u32);
            for frame in &mut own.frames {
                list.push(self.tables.frames.number(frame));
            }
            list.push(self.tables.extras.number(&mut own.extras));
        }
        for object in &mut state.objects {
            list.push(self.tables.objects.number(object));
        }
        let number = self.tables.lists.number(&list);
        self.list = list;
        number
    }

    fn load(&self, key: u32) -> MemoryState {
        let list = self.tables.lists.get(key);
        let (first, count, mut at) = (list[0], list[1] as usize, 2);
        let mut threads = SmallVec::with_capacity(count);
        for _ in 0..count {
            let end = at + 1 + list[at] as usize;
            let mut frames = SmallVec::with_capacity(list[at] as usize);
            list[at + 1..end].iter().for_each(|frame| frames.push(self.tables.frames.get(*frame).clone()));
            threads.push(Own { frames, extras: self.tables.extras.get(list[end]).clone() });
            at = end + 1;
        }
        let objects = list[at..].iter().map(|number| self.tables.objects.get(*number).clone()).collect();
        let symbols = self.tables.symbols.get(first >> 1).clone();
        MemoryState { threads, objects, symbols, addresses: first & 1 != 0, inputs: Vec::new() }
    }
}

impl Analysis for Memory<'_> {
    fn initial(&mut self) -> Result<MemoryState, Unknown> {
        let mut state = MemoryState {
            threads: SmallVec::new(),
            objects: Vec::new(),
            symbols: Shared::new(Symbols::default()),
            addresses: false,
            inputs: Vec::new(),
        };
        for (id, _) in self.slots.iter_enumerated().filter(|(_, slot)| slot.is_some()) {
            state.objects.push(Shared::new(self.fixed[id].clone()));
        }
        self.new_thread(&mut state, self.program.entry, &[]);
        Ok(state)
    }

    fn prepare(&mut self, state: MemoryState, step: &Step, out: &mut Vec<MemoryState>) -> Option<Unknown> {
        self.split_for(state, step, out)
    }

    fn transfer(
        &mut self,
        state: MemoryState,
        step: &Step,
        others: &mut dyn Queries,
        post: &mut Post<MemoryState>,
    ) -> Result<(), Unknown> {
        self.step(state, step, others, post)
    }

    fn leq(&mut self, a: u32, b: u32) -> bool {
        a == b || self.is_covered(a, b)
    }

    fn merge(&mut self, new: u32, old: u32, times: u32) -> Option<u32> {
        match self.options.join {
            Join::None => None,
            // What was seen of its parts has grown.
            Join::Threads if self.is_covered(old, new) => Some(new),
            Join::Places | Join::Threads => self.join(new, old, times),
        }
    }

    fn enlarge(&mut self, state: &mut MemoryState, around: &Around) -> bool {
        self.options.join == Join::Threads && self.join_parts(state, around)
    }

    fn is_exact(&self, state: &MemoryState) -> bool {
        state.symbols.all.is_empty() && !state.addresses && !self.has_undecided(state)
    }

    fn keeps_all(&self) -> bool {
        self.options.tracked.is_none()
    }
}

impl InPlace for Memory<'_> {
    type Before = Before;

    fn advance(&mut self, state: &mut MemoryState, step: &Step, _: &mut dyn Queries) -> Option<Advance<Before>> {
        self.advance_in_place(state, step)
    }

    fn take_back(&mut self, state: &mut MemoryState, thread: u32, before: Before) {
        before.restore(state, thread);
    }
}

impl Answers for Memory<'_> {
    fn value(&mut self, state: &MemoryState, thread: u32, function: FunctionId, expr: ExprId) -> Known {
        self.look(state, thread, function, expr)
    }

    fn value_with(
        &mut self,
        state: &MemoryState,
        thread: u32,
        function: FunctionId,
        expr: ExprId,
        others: &mut dyn Queries,
    ) -> Known {
        match self.options.pointers_only {
            true => self.look_for_pointer(state, thread, expr, others),
            false => self.look(state, thread, function, expr),
        }
    }

    fn at(&mut self, state: &MemoryState, thread: u32, function: FunctionId, place: Place) -> Known {
        match place {
            Place::Expr(expr) => self.look(state, thread, function, expr),
            Place::Local(local) => {
                let frame = state.threads[thread as usize].frames.last();
                frame.map_or(Known::Unknown, |frame| known(state.symbols.value(frame.locals[local.index()])))
            }
            Place::Global { global, offset, ty, bits } => known(self.held(state, thread, global, offset, ty, bits)),
        }
    }

    fn specific(&mut self, state: &MemoryState, thread: u32, key: u32) -> Known {
        let specific = &state.threads[thread as usize].extras.specific;
        known(state.symbols.value(specific.get(key as usize).copied().unwrap_or(Value::NULL)))
    }

    fn is_alive(&mut self, state: &MemoryState, pointer: Pointer, size: u64) -> bool {
        match pointer.base {
            Base::Object(id) => self
                .find(state, id)
                .is_none_or(|object| object.life == Life::Live && object.contains(pointer.offset, size)),
            _ => true,
        }
    }

    fn object(&self, state: &MemoryState, id: ObjectId) -> Option<(Site, u64)> {
        self.find(state, id).map(|object| (object.site, object.size))
    }

    fn ending(&self, state: &MemoryState, thread: u32, out: &mut Vec<ObjectId>) {
        let own = &state.threads[thread as usize];
        if let Some(frame) = own.frames.last() {
            let locals = self.memory_locals[frame.function].iter();
            out.extend(locals.filter_map(|local| contents::object_of(frame.locals[local.index()])));
            out.extend(frame.allocated.iter().copied());
        }
        if own.frames.len() <= 1 {
            out.extend(own.extras.thread_locals.iter().map(|(_, object)| *object));
        }
    }

    fn local_object(&self, state: &MemoryState, thread: u32, local: LocalId) -> Option<ObjectId> {
        let frame = state.threads[thread as usize].frames.last()?;
        contents::object_of(frame.locals[local.index()])
    }

    fn blocks(&self, state: &MemoryState) -> Option<Blocks> {
        let live = self.live_blocks(state) > 0;
        Some(Blocks { live, lost: live && self.has_lost_block(state) })
    }
}

impl Naming for Memory<'_> {
    fn canonical(&mut self, state: &mut MemoryState, mentioned: &[ObjectId]) -> Option<Names> {
        self.rename_all(state, mentioned)
    }

    fn sign(&self, state: &MemoryState, signatures: &mut Signatures) -> bool {
        self.sign_threads(state, signatures)
    }

    fn refine_signatures(&self, state: &MemoryState, signatures: &mut Signatures) {
        self.sign_data(state, signatures);
    }

    fn reorder(&mut self, state: &mut MemoryState, order: &Order) {
        self.reorder_threads(state, order);
    }

    fn forget_handles(&mut self, unread: Edges) {
        self.unread = unread;
    }
}

fn known(value: Value) -> Known {
    match value {
        Value::Bits(bits) => Known::Bits(bits),
        Value::Pointer(pointer) => Known::Pointer(pointer),
        Value::Undefined | Value::Part(..) | Value::Unknown(_) => Known::Unknown,
    }
}
