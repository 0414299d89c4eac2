//! Objects: loads and stores, what begins and ends, and how what one thread made becomes reachable for others.

use std::collections::BTreeMap;
use std::rc::Rc;

use base::Idx;
use program::{
    Access, Allocate, Allocation, CompareExchange, ExprId, GlobalInit, Library, LibraryCall, LocalId, Overwrite, Scalar,
};

use super::{BYTE, Step, elements, everywhere};
use crate::contents::{Contents, Fill};
use crate::eval::plain_type;
use crate::exposure::Exposure;
use crate::offsets::Offsets;
use crate::replicas::Replicas;
use crate::state::Mention;
use crate::tables::{AbstractObject, Base, Phase, Role, Tables};
use crate::value::{Number, Pointers, Symbol, Term, Value};

/// More in the hands of one thread cost more than they are worth.
const MOST_BORROWED: usize = 24;
/// More that a thread has seen, too: whatever it has seen is taken along to all that follows.
const MOST_SEEN: usize = 8;

impl Step<'_, '_> {
    /// The places that `size` bytes at an address may be, as far as there are any.
    fn places(&mut self, address: &Value, size: u64) -> Pointers {
        let address = self.reach(address);
        let (program, tables) = (self.program(), &self.analysis.tables);
        let place = |(base, at): &(Base, Offsets)| {
            let object = object_size(program, tables, *base)?;
            at.within(object.saturating_sub_unsigned(size)).map(|at| (*base, at))
        };
        address.pointers.iter().filter_map(place).filter(|(base, _)| self.is_there(*base)).collect()
    }

    /// Objects of a thread's own end with it knowing.
    fn is_there(&self, base: Base) -> bool {
        match self.analysis.tables.abstract_object(base).role() {
            Some(Role::Own | Role::Older) => self.state.memory.get(base.0).is_some(),
            _ => true,
        }
    }

    fn contents(&mut self, base: Base) -> Option<Rc<Contents>> {
        match self.state.memory.get(base.0) {
            Some(contents) => Some(contents.clone()),
            None => self.analysis.shared_contents(base),
        }
    }

    pub fn load(&mut self, access: &Access) -> Option<Value> {
        let address = self.value(access.address)?;
        match &access.bits {
            Some(bits) => {
                // A bit-field has no value of its own, but there may be parts of pointers in it.
                let unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                let bytes = self.read(&unit.moved(Offsets::steps(i64::from(bits.length) - 1, 1)), BYTE)?;
                Some(bytes.blurred(access.ty))
            }
            None => self.read(&address, access.ty),
        }
    }

    fn read(&mut self, address: &Value, ty: Scalar) -> Option<Value> {
        let places = self.places(address, ty.bytes());
        for (base, _) in &places {
            self.borrow(*base, false);
        }
        let mut value = Value::nothing();
        for (base, at) in &places {
            if let Some(contents) = self.contents(*base) {
                let (tables, program) = (&self.analysis.tables, self.program());
                value = value.join(&contents.read(tables, program, *at, ty));
                self.choose(*base, *at, ty, &contents);
            }
        }
        if let [(base, at)] = &places[..]
            && value.term.is_none()
        {
            value.term = self.constant_cell(*base, *at, ty);
        }
        (!value.is_nothing()).then_some(value)
    }

    /// Whoever reads what nobody has written as a pointer chooses the pointer: so others see it, whatever they read it as.
    fn choose(&mut self, base: Base, at: Offsets, ty: Scalar, contents: &Rc<Contents>) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let as_number = |contents: &Contents| contents.read(tables, program, at, Scalar::Int(ty.bits() as u8));
        let is_pointer = matches!(ty, Scalar::Pointer(_));
        if !is_pointer || !contents.read(tables, program, at, ty).is_undecided() || as_number(contents).is_undecided() {
            return;
        }
        let mut chosen = (**contents).clone();
        chosen.choose(tables, program, at, ty);
        if self.state.memory.get(base.0).is_some() {
            self.state.memory.insert(base.0, Rc::new(chosen));
        } else {
            self.analysis.publish_again(base, &chosen, (self.call_string, self.id));
        }
    }

    /// What nobody writes any more has a name.
    fn constant_cell(&mut self, base: Base, at: Offsets, ty: Scalar) -> Option<Term> {
        let offset = at.as_constant()?;
        let single = self.state.memory.get(base.0).is_none() && self.analysis.tables.is_single(self.program(), base);
        let constant = single && self.analysis.all_writers(base, |_| false);
        constant.then_some(Term::of(Symbol::Cell(base, offset, ty.bytes() as u8)))
    }

    pub fn load_into(&mut self, to: LocalId, access: &Access) -> Option<()> {
        let address = self.value(access.address)?;
        let value = self.load(access)?;
        let named = value.term.is_some() || access.bits.is_some();
        let is_handle = |(base, _): &(Base, Offsets)| {
            matches!(self.analysis.tables.abstract_object(*base), AbstractObject::Thread(_))
        };
        let from = address.term.filter(|_| value.pointers.iter().any(is_handle));
        self.assign(to, value);
        if let Some(term) = from.filter(|_| !self.is_recursive()) {
            self.state.loaded = Some((self.analysis.tables.variable(self.call_string, to), term));
            self.state.mention(term);
        }
        if !named && !self.is_recursive() {
            self.name_cell(&address, access.ty, to);
        }
        Some(())
    }

    /// From now on the cell's value is known to be that of the variable. For globals that is of use only once there are others.
    fn name_cell(&mut self, address: &Value, ty: Scalar, to: LocalId) {
        let Some((base, offset)) = address.place() else { return };
        let own = self.state.borrowed.contains(base.0)
            || self.analysis.tables.abstract_object(base).role() == Some(Role::Own);
        let Some(contents) = self.state.memory.get(base.0).filter(|_| own) else { return };
        let variable = self.analysis.tables.variable(self.call_string, to);
        let Some(value) = self.state.variables.get(variable).cloned() else { return };
        let term = Term::of(Symbol::Variable(variable));
        let mut contents = (**contents).clone();
        contents.write(offset, ty, Value { term: Some(term), ..value });
        self.state.memory.insert(base.0, Rc::new(contents));
        self.state.mention_in(term, Mention::In(base));
    }

    pub fn store(&mut self, access: &Access, value: ExprId) -> Option<()> {
        let value = self.value(value)?;
        self.store_value(access, value, false)
    }

    pub fn store_value(&mut self, access: &Access, value: Value, weakly: bool) -> Option<()> {
        let address = self.value(access.address)?;
        let (address, size, ty, value) = match &access.bits {
            None => (address, access.ty.bytes(), access.ty, value),
            Some(bits) => {
                let unit = address.moved(Offsets::constant(-i64::from(bits.before)));
                let at = unit.moved(Offsets::steps(i64::from(bits.length) - 1, 1));
                (at, 1, BYTE, value.blurred(BYTE))
            }
        };
        let weakly = weakly || access.bits.is_some();
        self.write(&address, size, ty, &value, weakly)
    }

    /// Shared objects must not lead to what is a thread's own: what the value leads to becomes shared first.
    fn write(&mut self, address: &Value, size: u64, ty: Scalar, value: &Value, weakly: bool) -> Option<()> {
        let mut places = self.places(address, size);
        if places.is_empty() {
            return None;
        }
        for (base, _) in &places {
            self.borrow(*base, true);
        }
        let mut value = value.clone();
        if places.iter().any(|(base, _)| self.state.memory.get(base.0).is_none()) {
            let names = self.share(&value);
            let address = Value { pointers: places, ..Value::nothing() };
            places = address.renamed(&names).unwrap_or(address).pointers;
            value = value.renamed(&names).unwrap_or(value);
        }
        self.lose_handles(&places, size);
        let exact = match &places[..] {
            [(base, at)] => at.as_constant().filter(|_| !weakly && self.is_one(*base)),
            _ => None,
        };
        for (base, at) in &places {
            if let Some(taken) = self.rise(*base, *at, ty, &value)
                && exact.is_some()
            {
                self.state.taken.insert(taken.0, (*base, taken.1));
                self.state.mention(Term::of(Symbol::Variable(taken.0)));
            }
        }
        for (base, at) in &places {
            let Some(contents) = self.state.memory.get(base.0) else {
                self.analysis.write_shared(*base, *at, ty, &value, (self.call_string, self.id));
                continue;
            };
            if self.state.borrowed.contains(base.0) {
                self.analysis.note_writer(*base, (self.call_string, self.id));
            }
            let mut contents = (**contents).clone();
            match exact {
                Some(offset) => contents.write(offset, ty, value.clone()),
                None => contents.write_weakly(&self.analysis.tables, self.analysis.program, *at, ty, &value),
            }
            if let Some(term) = value.term {
                self.state.mention_in(term, Mention::In(*base));
            }
            self.state.memory.insert(base.0, Rc::new(contents));
        }
        Some(())
    }

    /// A global that is guarded and only rises is a counter, or tells how far the program is. Who makes it rise from a number that it
    /// has in a variable is the only one to have that number, if that is what is written: the variable, and by how much it rises.
    fn rise(&mut self, base: Base, at: Offsets, ty: Scalar, value: &Value) -> Option<(u32, i64)> {
        let AbstractObject::Global(global) = self.analysis.tables.abstract_object(base) else { return None };
        if self.state.phase == Phase::Before {
            return None;
        }
        // Of a part nothing is known that is true of the whole.
        let whole = self.program().types.scalar(self.program().globals[global].ty);
        if whole.is_none_or(|whole| whole.bits() != ty.bits()) {
            self.analysis.note_falling(base);
            return None;
        }
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let old = match self.state.memory.get(base.0) {
            Some(contents) if at == Offsets::ZERO => contents.read(tables, program, at, ty),
            _ => {
                self.analysis.note_falling(base);
                return None;
            }
        };
        let (Some(before), Some(after)) = (old.as_range(), value.as_range()) else {
            self.analysis.note_falling(base);
            return None;
        };
        let plain = |term: Option<Term>| term.filter(|term| term.base.is_none() && term.coefficient == 1);
        let step = match (plain(old.term), plain(value.term)) {
            (Some(from), Some(to)) if from.symbol == to.symbol => {
                to.offset.zip(from.offset).and_then(|(to, from)| to.checked_sub(from))
            }
            _ => None,
        };
        if step.is_none_or(|step| step < 0) && after.min_signed() < before.max_signed() {
            self.analysis.note_falling(base);
            return None;
        }
        match (step, old.term.and_then(Term::as_symbol)) {
            (Some(step @ 1..), Some(Symbol::Variable(variable))) => Some((variable, step)),
            _ => None,
        }
    }

    /// Where handles were written over, nothing is known of them.
    fn lose_handles(&mut self, places: &Pointers, size: u64) {
        self.state.loaded = None;
        let bytes = self.program().machine.pointer_bytes();
        self.state.replicas = self.state.replicas.map_values(|_, replicas| {
            let handles = replicas.handles?;
            let hit =
                places.iter().any(|(base, at)| *base == handles.base && at.overlaps(size, handles.places(), bytes));
            hit.then_some(Replicas { handles: None, ..*replicas })
        });
    }

    /// Does the name stand for one object?
    fn is_one(&self, base: Base) -> bool {
        match self.analysis.tables.abstract_object(base) {
            AbstractObject::Global(_) => true,
            abstract_object => abstract_object.role() == Some(Role::Own),
        }
    }

    pub fn compare_exchange(&mut self, exchange: &CompareExchange) -> Option<()> {
        let (old, expected) = (self.load(&exchange.access)?, self.value(exchange.expected)?);
        let mut compared = Exposure::default();
        compared.compare(&old, &expected);
        self.expose(&compared);
        let desired = self.value(exchange.desired)?;
        // What is stored may get other names by that; what was there stays.
        self.store_value(&exchange.access, desired, true)?;
        let old = self.load(&exchange.access)?;
        let old = Value { term: None, ..old };
        self.assign(exchange.old, old);
        self.assign_int(exchange.success, &[0, 1]);
        Some(())
    }

    // What begins and ends.

    pub fn enter(&mut self, local: LocalId) {
        let own = self.analysis.tables.intern(AbstractObject::Local(self.call_string, local, Role::Own));
        let fresh = Contents::new(Fill::Any);
        if self.is_recursive() {
            self.make_older(own);
            self.state.memory.insert(own.0, Rc::new(fresh));
            return;
        }
        if self.state.shared_locals.get(own.0).is_some() {
            let shared = self.analysis.tables.as_role(own, Role::Shared);
            self.analysis.publish_again(shared, &fresh, (self.call_string, self.id));
        }
        // It may have an object already, which then stays.
        let contents = match self.state.memory.get(own.0) {
            Some(old) => old.join(&fresh, &self.analysis.tables, self.analysis.program),
            None => {
                self.make_older(own);
                fresh
            }
        };
        self.state.memory.insert(own.0, Rc::new(contents));
    }

    pub fn clear(&mut self, local: LocalId) {
        let own = self.analysis.tables.intern(AbstractObject::Local(self.call_string, local, Role::Own));
        let zero = Contents::new(Fill::Zero);
        if self.state.shared_locals.get(own.0).is_some() {
            let shared = self.analysis.tables.as_role(own, Role::Shared);
            self.analysis.publish_again(shared, &zero, (self.call_string, self.id));
        }
        if self.state.memory.get(own.0).is_some() {
            self.state.memory.insert(own.0, Rc::new(zero));
        }
    }

    pub fn leave(&mut self, local: LocalId) {
        if let Some(own) = self.analysis.tables.find(AbstractObject::Local(self.call_string, local, Role::Own))
            && !self.is_recursive()
        {
            self.end_objects(&[own]);
            self.state.shared_locals.remove(own.0);
        }
    }

    /// Objects of the thread's own end. Pointers that still lead there must not lead to the next one that gets the name.
    pub fn end_objects(&mut self, own: &[Base]) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let there = own.iter().filter(|own| self.state.memory.get(own.0).is_some());
        let names: BTreeMap<Base, Base> = there.map(|own| (*own, tables.as_role(*own, Role::Older))).collect();
        if !names.is_empty() {
            names.keys().for_each(|own| self.state.memory.remove(own.0));
            self.state.rename(&names, tables, program);
        }
    }

    /// There is a newer one.
    fn make_older(&mut self, own: Base) {
        let Some(contents) = self.state.memory.get(own.0).cloned() else { return };
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let older = tables.as_role(own, Role::Older);
        let contents = match self.state.memory.get(older.0) {
            Some(more) => Rc::new(more.join(&contents, tables, program)),
            None => contents,
        };
        self.state.memory.remove(own.0);
        self.state.memory.insert(older.0, contents);
        self.state.rename(&BTreeMap::from([(own, older)]), tables, program);
    }

    pub fn allocate(&mut self, allocate: &Allocate) -> Option<()> {
        let fill = if allocate.kind == Allocation::HeapZeroed { Fill::Zero } else { Fill::Any };
        let mut contents = Contents::new(fill);
        let abstract_object = match allocate.kind {
            Allocation::Variable(local) => AbstractObject::Local(self.call_string, local, Role::Own),
            _ => AbstractObject::Block(self.call_string, self.id, Role::Own),
        };
        let own = self.analysis.tables.intern(abstract_object);
        if let Allocation::Realloc(old) = allocate.kind {
            let old = self.value(old)?;
            for (base, _) in self.places(&everywhere(&old), 0) {
                if let Some(more) = self.contents(base) {
                    let more = more.without_terms(|_| true).map_or(more, Rc::new);
                    contents = contents.join(&more, &self.analysis.tables, self.analysis.program);
                }
            }
            self.end_block(&old);
        }
        let size = self.value(allocate.size)?.as_range().map_or(0, |range| range.min_unsigned());
        self.analysis.note_size(own, i64::try_from(size).unwrap_or(i64::MAX / 4));
        self.make_older(own);
        self.state.memory.insert(own.0, Rc::new(contents));
        self.state.shared_locals.remove(own.0);
        self.assign(allocate.to, Value::pointer(own, Offsets::ZERO));
        Some(())
    }

    pub fn free(&mut self, pointer: ExprId) -> Option<()> {
        let pointer = self.value(pointer)?;
        self.end_block(&pointer);
        Some(())
    }

    fn end_block(&mut self, pointer: &Value) {
        let pointer = &self.reach(pointer);
        for (base, _) in &pointer.pointers {
            self.analysis.note_freed(self.analysis.tables.as_role(*base, Role::Own));
        }
        if let [(base, _)] = pointer.pointers[..]
            && pointer.number == Number::None
            && self.analysis.tables.abstract_object(base).role() == Some(Role::Own)
        {
            self.end_objects(&[base]);
        }
    }

    pub fn command_line(&mut self, count: LocalId, vector: LocalId) {
        let ty = plain_type(self.function(), count);
        let most = (1 << (ty.bits() - 1)) - 1;
        self.assign(count, Value::range(crate::range::Range::signed(ty.bits(), 0, most)));
        let text = self.analysis.tables.intern(AbstractObject::CommandText(Role::Own));
        let strings = self.analysis.tables.intern(AbstractObject::CommandLine(Role::Own));
        let bytes = self.program().machine.pointer_bytes() as u8;
        let mut contents = Contents::new(Fill::Zero);
        let all = Offsets::steps(i64::from(bytes) << 32, u64::from(bytes));
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let older = tables.as_role(text, Role::Older);
        let string = Value::pointer(older, Offsets::ZERO);
        contents.write_weakly(tables, program, all, Scalar::Pointer(bytes), &string);
        self.state.memory.insert(strings.0, Rc::new(contents));
        self.state.memory.insert(older.0, Rc::new(Contents::new(Fill::Any)));
        self.assign(vector, Value::pointer(strings, Offsets::ZERO));
    }

    /// Each number may have been written, or not.
    pub fn overwrite(&mut self, overwrite: &Overwrite) -> Option<()> {
        let address = self.value(overwrite.address)?;
        if !self.functions_of(&address).is_empty() {
            self.analysis.meet_unsupported("a call by a function without a body of a function behind a data pointer");
        }
        let elements = if overwrite.all { elements(address, overwrite.size) } else { address };
        for numbers in &overwrite.numbers {
            let first = Offsets::constant(numbers.offset as i64);
            let inner = Offsets::steps((numbers.count - 1) as i64 * numbers.stride as i64, numbers.stride);
            let ty = Scalar::Int(numbers.bytes as u8 * 8);
            self.write(&elements.clone().moved(first.plus(inner)), numbers.bytes, ty, &Value::top(ty), true);
        }
        Some(())
    }

    pub fn library(&mut self, call: &LibraryCall) -> Option<()> {
        let template = match call.function {
            Library::Print | Library::PrintList => Some(0),
            Library::PrintTo | Library::PrintListTo => Some(1),
            Library::Format | Library::FormatList => Some(2),
            Library::PutChar | Library::PutLine => None,
        };
        if let Some(template) = template {
            let template = self.value(call.args[template])?;
            if self.may_convert(&template, b'n') {
                self.analysis.meet_unsupported("a format that may store a count");
            }
            if self.may_convert(&template, b'p') {
                self.look_at_arguments(&call.args);
            }
        }
        if let Library::Format | Library::FormatList = call.function {
            let buffer = self.value(call.args[0])?;
            self.write(&everywhere(&buffer), 1, BYTE, &Value::top(BYTE), true);
        }
        if let Library::PrintList | Library::PrintListTo | Library::FormatList = call.function {
            let list = self.value(*call.args.last()?)?;
            let word = Scalar::Pointer(self.program().machine.pointer_bytes() as u8);
            let next = everywhere(&self.read(&list, word)?);
            self.write(&list, word.bytes(), word, &next, true)?;
        }
        if let Some(to) = call.to {
            let ty = plain_type(self.function(), to);
            self.assign(to, Value::top(ty));
        }
        Some(())
    }

    /// What is printed of addresses may be read again.
    fn look_at_arguments(&mut self, args: &[ExprId]) {
        let mut printed = Exposure::default();
        for arg in args {
            if let Some(value) = self.value(*arg) {
                printed.add(&value);
            }
        }
        self.expose(&printed);
    }

    /// Is the format anything but a string that is known and has no such conversion?
    fn may_convert(&self, template: &Value, conversion: u8) -> bool {
        let text = |base: &Base| {
            let AbstractObject::Global(global) = self.analysis.tables.abstract_object(*base) else { return None };
            let global = &self.program().globals[global];
            match &global.init {
                GlobalInit::Image(image) if global.read_only => Some(&image.bytes),
                _ => None,
            }
        };
        template.pointers.iter().any(|(base, _)| text(base).is_none_or(|text| converts(text, conversion)))
    }

    // Guarded globals.

    /// Takes a global into the thread's hands, if nobody else can touch it.
    fn borrow(&mut self, base: Base, write: bool) {
        let abstract_thread = self.abstract_thread();
        if self.analysis.touch_guarded(base, abstract_thread, &self.state, write)
            && self.state.memory.get(base.0).is_none()
            && self.state.borrowed.len() < MOST_BORROWED
            && let Some(contents) = self.analysis.shared_contents(base)
        {
            self.state.memory.insert(base.0, contents);
            self.state.borrowed.insert(base.0, ());
        }
    }

    /// Gives back what nothing keeps others from any more.
    pub fn give_back_unguarded(&mut self) {
        let abstract_thread = self.abstract_thread();
        self.give_back(|step, base| step.analysis.is_guarded(base, abstract_thread, &step.state));
    }

    /// How high a global is when the thread gives it back.
    fn see(&mut self, base: Base) {
        let (tables, program) = (&self.analysis.tables, self.analysis.program);
        let AbstractObject::Global(global) = tables.abstract_object(base) else { return };
        let ty = program.types.scalar(program.globals[global].ty);
        let (Some(ty), Some(contents)) = (ty, self.state.memory.get(base.0)) else { return };
        if let Some(range) = contents.read(tables, program, Offsets::ZERO, ty).as_range() {
            let least = range.min_signed();
            if self.state.seen.len() >= MOST_SEEN && !self.state.seen.contains(base.0) {
                return;
            }
            let most = self.state.seen.get(base.0).map_or(least, |seen| least.max(*seen));
            self.state.seen.insert(base.0, most);
        }
    }

    /// While a thread waits in an atomic section, others run.
    pub fn wait_in_section(&mut self) {
        let sections = std::mem::take(&mut self.state.sections);
        self.give_back_unguarded();
        self.state.sections = sections;
    }

    /// Gives back all but what may be kept.
    pub fn give_back(&mut self, keep: impl Fn(&Self, Base) -> bool) {
        let gone: Vec<Base> =
            self.state.borrowed.iter().map(|(base, ())| Base(base)).filter(|base| !keep(self, *base)).collect();
        for base in gone {
            self.see(base);
            self.state.borrowed.remove(base.0);
            self.share_all(vec![base]);
        }
    }

    // Sharing.

    /// Everything that the value leads to becomes reachable for others.
    pub fn share(&mut self, value: &Value) -> BTreeMap<Base, Base> {
        let roots = value.pointers.iter().map(|(base, _)| *base).collect();
        self.share_all(roots)
    }

    /// The objects and all that they lead to, if they are the thread's own, get the names under which others know them.
    pub fn share_all(&mut self, mut pending: Vec<Base>) -> BTreeMap<Base, Base> {
        let mut found: BTreeMap<Base, Rc<Contents>> = BTreeMap::new();
        while let Some(base) = pending.pop() {
            if found.contains_key(&base) || self.is_hidden(base) {
                continue;
            }
            let Some(contents) = self.state.memory.get(base.0) else { continue };
            pending.extend(contents.values().flat_map(|value| value.pointers.iter().map(|(base, _)| *base)));
            pending.extend(contents.initial_pointers(&self.analysis.tables, self.analysis.program));
            found.insert(base, contents.clone());
        }
        let tables = &self.analysis.tables;
        let names: BTreeMap<Base, Base> = found
            .keys()
            .filter(|base| tables.abstract_object(**base).role().is_some())
            .map(|base| (*base, tables.as_role(*base, Role::Shared)))
            .collect();
        for base in found.keys() {
            self.state.memory.remove(base.0);
            self.state.borrowed.remove(base.0);
            if tables.abstract_object(*base).role() == Some(Role::Own) {
                self.state.shared_locals.insert(base.0, ());
            }
        }
        if !names.is_empty() {
            self.state.rename(&names, tables, self.analysis.program);
        }
        for (base, contents) in found {
            let name = names.get(&base).copied().unwrap_or(base);
            let contents = contents.renamed(&names).map_or(contents, Rc::new);
            self.analysis.publish(name, &contents);
        }
        names
    }

    /// No pointer leads there.
    fn is_hidden(&self, base: Base) -> bool {
        matches!(self.analysis.tables.abstract_object(base), AbstractObject::Keys(_) | AbstractObject::Handlers(_))
    }
}

/// In bytes; `None` for what is no object. Of blocks nothing is known.
pub(crate) fn object_size(program: &program::Program, tables: &Tables, base: Base) -> Option<i64> {
    match tables.abstract_object(base) {
        AbstractObject::Function(_) | AbstractObject::Thread(_) => None,
        AbstractObject::Indeterminate => Some(semantics::indeterminate::SIZE as i64),
        AbstractObject::Global(global) | AbstractObject::ThreadLocal(_, global, _) => {
            i64::try_from(program.globals[global].size).ok()
        }
        AbstractObject::Local(call_string, local, _) => {
            let function = &program.functions[tables.call_strings[call_string].function];
            let ty = function.locals[local].ty;
            let shape = &tables.shapes[tables.call_strings[call_string].function];
            if shape.variable_length[local.index()] {
                Some(i64::MAX / 4)
            } else {
                i64::try_from(program.types.size(ty)).ok()
            }
        }
        _ => Some(i64::MAX / 4),
    }
}

fn converts(text: &[u8], conversion: u8) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        rest = &rest[at + 1..];
        let end = rest.iter().position(|byte| !b"0123456789-+ #.*'hljztqL$I".contains(byte)).unwrap_or(rest.len());
        match rest.get(end) {
            Some(found) if *found == conversion => return true,
            Some(b'%') => rest = &rest[end + 1..],
            _ => rest = &rest[end..],
        }
    }
    false
}
