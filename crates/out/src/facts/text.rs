//! All facts as a text: threads, locks, shared memory, values, counts.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use base::{Idx, Span};
use facts::analysis::{ArgumentShape, Facts};
use facts::contents::Contents;
use facts::locks::Kind;
use facts::offsets::Offsets;
use facts::tables::{AbstractObject, AbstractThread, Base, Role};
use facts::{Protection, SharedObject, Sharing};
use program::{Program, Scalar, Type, TypeId};

use super::blocks;
use super::names::{Names, Spot};
use super::parallel::Events;
use super::survey::{Survey, sharing_name};

pub fn text(program: &Program, facts: &Facts) -> String {
    let names = Names::new(program, facts);
    let (events, survey) = (Events::new(&names), Survey::new(&names));
    let sections = [
        ("threads", threads(&names, &events)),
        ("locks", locks(&names, &events, &survey)),
        ("shared memory", shared(&names, &survey)),
        values(&names, &events),
        (blocks::TITLE, blocks::blocks(program, facts)),
        ("counts", counts(&names, &survey)),
    ];
    let mut out = String::new();
    for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        let _ = writeln!(out, "{}{title}", if out.is_empty() { "" } else { "\n" });
        for line in lines {
            let _ = writeln!(out, "  {line}");
        }
    }
    out
}

fn threads(names: &Names<'_>, events: &Events) -> Vec<String> {
    let mut abstract_threads: Vec<AbstractThread> = names.facts.tables.abstract_threads.ids().collect();
    abstract_threads.sort_by_key(|abstract_thread| (names.created(*abstract_thread), *abstract_thread));
    abstract_threads.into_iter().map(|abstract_thread| thread(names, events, abstract_thread)).collect()
}

fn thread(names: &Names<'_>, events: &Events, abstract_thread: AbstractThread) -> String {
    let tables = &names.facts.tables;
    let facts = &names.facts.solution.abstract_threads[abstract_thread.index()];
    let Some((creator, edge)) = tables.abstract_threads[abstract_thread].created else {
        return names.abstract_thread(abstract_thread).to_owned();
    };
    let created = names.place(names.spot_of(creator, edge));
    let by = names.abstract_thread(tables.call_strings[creator].abstract_thread);
    if !names.starts(abstract_thread) {
        return format!(
            "{}: created in {created} by {by}, but no run gets past that",
            names.abstract_thread(abstract_thread)
        );
    }
    let often = match (facts.many, tables.abstract_threads[abstract_thread].once) {
        (true, _) if names.is_created_in_loop(abstract_thread) => "several at once, in a loop".to_owned(),
        (true, _) => format!("several at once: {}", names.many_because(events, abstract_thread, 0)),
        (false, true) => "once".to_owned(),
        (false, false) => "one after the other".to_owned(),
    };
    let each = match facts.shape {
        ArgumentShape::Numbers { .. } if facts.many => ", another one for each",
        ArgumentShape::Objects if facts.many => ", a new one for each",
        _ => "",
    };
    let entry = &names.program.functions[tables.abstract_threads[abstract_thread].entry];
    let ty = entry.params.first().map(|param| entry.locals[*param].ty);
    let argument = format!("argument {}{each}", names.value(&facts.argument, ty));
    let joined = match events.joins.get(&abstract_thread) {
        Some(spots) => format!("joined in {}", names.places(spots.iter().copied())),
        None => "never joined".to_owned(),
    };
    format!("{}: created in {created} by {by}, {often}; {argument}; {joined}", names.abstract_thread(abstract_thread))
}

fn locks(names: &Names<'_>, events: &Events, survey: &Survey) -> Vec<String> {
    let mut locks: BTreeMap<(Spot, Span, String), Known> = BTreeMap::new();
    for ((kind, base, at), spots) in &events.takes {
        let at = at.within(names.size(*base).saturating_sub(1)).unwrap_or(*at);
        let (spot, span) = names.origin(*base);
        let known = locks.entry((spot, span, names.part(*base, at, 1))).or_insert_with(|| Known {
            kind: *kind,
            taken: BTreeSet::new(),
            protects: BTreeSet::new(),
            broken: BTreeSet::new(),
        });
        known.taken.extend(spots);
        let is_this = |(other, place): &(Base, Offsets)| {
            names.facts.tables.as_role(*other, Role::Shared) == *base && place.overlaps(1, at, 1)
        };
        for (i, object) in survey.objects.iter().enumerate() {
            if protects(object, &is_this) {
                known.protects.insert(i);
            }
        }
        let broken = names.facts.solution.broken.get(&(*kind, *base)).is_some_and(|spoiled| spoiled.overlaps(1, at, 1));
        let openers = events.breaks.iter().filter(|(k, b, place, _)| k == kind && is_this(&(*b, *place)));
        known.broken.extend(openers.filter(|_| broken).map(|(.., spot)| *spot));
    }
    let line = |((.., name), known): ((_, _, String), Known)| known.line(names, survey, &name);
    locks.into_iter().map(line).collect()
}

/// What is known of a lock.
struct Known {
    kind: Kind,
    taken: BTreeSet<Spot>,
    /// By their place in the survey.
    protects: BTreeSet<usize>,
    broken: BTreeSet<Spot>,
}

impl Known {
    fn line(self, names: &Names<'_>, survey: &Survey, name: &str) -> String {
        let kind = match self.kind {
            Kind::Mutex => "mutex",
            Kind::RwLock => "rwlock",
            Kind::Semaphore => "semaphore",
            Kind::Once => "once control",
            Kind::Section => "atomic section",
        };
        let mut line = format!("{name} ({kind}): taken in {}", names.places(self.taken));
        if !self.protects.is_empty() {
            let objects: Vec<_> = self
                .protects
                .iter()
                .map(|i| {
                    let object = &survey.objects[*i];
                    let some = if object.sharing() == Sharing::Contended { "some accesses to " } else { "" };
                    format!("{some}{}", names.object(object.base))
                })
                .collect();
            let _ = write!(line, "; protects {}", objects.join(", "));
        }
        if !self.broken.is_empty() {
            let _ = write!(line, "; may be opened by who does not hold it ({})", names.places(self.broken));
        }
        line
    }
}

fn protects(object: &SharedObject, is_this: &dyn Fn(&(Base, Offsets)) -> bool) -> bool {
    object.groups.iter().any(|group| {
        let held = group.accesses[0].state.locks.iter();
        let mut used = held.filter(|lock| {
            group.protections.iter().any(|p| matches!(p, Protection::Lockset(locks) if locks.contains(&lock.name)))
        });
        used.any(|lock| lock.targets.iter().any(is_this))
    })
}

fn shared(names: &Names<'_>, survey: &Survey) -> Vec<String> {
    let (private, shared): (Vec<_>, Vec<_>) = survey.objects.iter().partition(|object| object.is_of_one_thread());
    let mut lines = Vec::new();
    for object in shared {
        lines.push(format!("{}: {}", names.object(object.base), names.kept(object)));
        lines.extend(accesses(names, object).into_iter().map(|line| format!("  {line}")));
    }
    if !private.is_empty() {
        let list: Vec<_> = private.iter().map(|object| names.object(object.base)).collect();
        lines.push(format!("used by one thread only: {}", list.join(", ")));
    }
    lines
}

/// Accesses of which the same is to be said are shown together.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Kin {
    part: String,
    atomic: bool,
    held: Vec<String>,
}

#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Users {
    sharing: Sharing,
    reads: bool,
    writes: bool,
    abstract_threads: BTreeSet<AbstractThread>,
}

fn accesses(names: &Names<'_>, object: &SharedObject) -> Vec<String> {
    let mut at_spots: BTreeMap<(Spot, Kin), Users> = BTreeMap::new();
    for group in &object.groups {
        for access in &group.accesses {
            let (part, held) = (names.access_part(access), names.held(access));
            let kin = Kin { part, held, atomic: access.atomic };
            let none =
                Users { sharing: Sharing::Local, reads: false, writes: false, abstract_threads: BTreeSet::new() };
            let users = at_spots.entry((names.access_spot(access), kin)).or_insert(none);
            users.sharing = users.sharing.harder(group.sharing);
            users.reads |= !access.write;
            users.writes |= access.write;
            users.abstract_threads.insert(access.abstract_thread);
        }
    }
    let mut spots: BTreeMap<(Kin, Users), BTreeSet<Spot>> = BTreeMap::new();
    for ((spot, kin), users) in at_spots {
        spots.entry((kin, users)).or_default().insert(spot);
    }
    let mut lines: Vec<_> = spots.into_iter().map(|(known, spots)| (spots, known)).collect();
    lines.sort();
    lines.iter().map(|(spots, (kin, users))| access(names, object, spots, kin, users)).collect()
}

fn access(names: &Names<'_>, object: &SharedObject, spots: &BTreeSet<Spot>, kin: &Kin, users: &Users) -> String {
    let verb = match (users.reads, users.writes) {
        (true, true) => "read and written",
        (false, true) => "written",
        _ => "read",
    };
    let part = if kin.part == names.object(object.base) { String::new() } else { format!("{} ", kin.part) };
    let atomic = if kin.atomic { " atomically" } else { "" };
    let abstract_threads: Vec<_> =
        users.abstract_threads.iter().map(|abstract_thread| names.abstract_thread(*abstract_thread)).collect();
    let held = if kin.held.is_empty() { String::new() } else { format!(" holding {}", kin.held.join(", ")) };
    let places = names.places(spots.iter().copied());
    format!("{}: {places}: {part}{verb}{atomic} by {}{held}", sharing_name(users.sharing), abstract_threads.join(", "))
}

/// What globals may hold while threads run; if there are none, in the end.
fn values<'t>(names: &Names<'_>, events: &Events) -> (&'t str, Vec<String>) {
    let (program, facts) = (names.program, names.facts);
    let mut globals: Vec<_> = program
        .globals
        .ids()
        .filter(|id| {
            let global = &program.globals[*id];
            !global.read_only && !global.thread_local && names.is_own(global.span)
        })
        .collect();
    globals.sort_by_key(|id| names.origin(facts.tables.global(*id)));
    let mut lines = Vec::new();
    for id in globals {
        let base = facts.tables.global(id);
        let is_lock = events.takes.keys().any(|(_, lock, _)| *lock == base);
        if is_lock && program.types.scalar(program.globals[id].ty).is_some() {
            continue;
        }
        let contents: Vec<&Contents> = match facts.solution.shared.get(&base) {
            Some(shared) => vec![&shared.contents],
            None => at_the_end(names, base),
        };
        for (path, at, ty, scalar) in leaves(program, program.globals[id].ty) {
            let read = contents.iter().map(|contents| contents.read(&facts.tables, program, at, scalar));
            if let Some(value) = read.reduce(|a, b| a.join(&b)) {
                lines.push(format!("{}: {}", names.with_path(base, &path), names.value(&value, Some(ty))));
            }
        }
    }
    let title = match facts.tables.abstract_threads.len() {
        1 => "values of globals when main returns",
        _ => "values of globals once threads run",
    };
    (title, lines)
}

fn at_the_end<'f>(names: &Names<'f>, base: Base) -> Vec<&'f Contents> {
    let (program, facts) = (names.program, names.facts);
    let main = facts.tables.call_strings.iter_enumerated().find(|(_, info)| info.function == program.main);
    let Some((main, _)) = main else { return Vec::new() };
    let exits = facts.solution.exits[main.index()].iter().flatten();
    exits.filter_map(|state| state.memory.get(base.0)).map(|contents| &**contents).collect()
}

/// Of larger objects, the first few.
const MOST_LEAVES: usize = 16;

/// The scalars in an object; those of an array together.
fn leaves(program: &Program, ty: TypeId) -> Vec<(String, Offsets, TypeId, Scalar)> {
    let mut leaves = Vec::new();
    let mut pending = vec![(String::new(), Offsets::ZERO, ty)];
    while let Some((path, at, ty)) = pending.pop() {
        if leaves.len() >= MOST_LEAVES {
            break;
        }
        match &program.types[ty] {
            Type::Scalar { scalar, .. } => leaves.push((path, at, ty, *scalar)),
            Type::Array { element, length } => {
                let size = program.types.size(*element);
                let last = size.saturating_mul(length.saturating_sub(1));
                if let (Ok(last), true) = (i64::try_from(last), size > 0 && *length > 0) {
                    pending.push((format!("{path}[…]"), at.plus(Offsets::steps(last, size)), *element));
                }
            }
            Type::Record { fields, .. } => {
                let shown = fields.iter().filter(|field| field.bits.is_none() && !field.name.starts_with("__"));
                for field in shown.rev() {
                    let dot = if field.name.is_empty() { "" } else { "." };
                    let inside = at.plus(Offsets::constant(field.offset as i64));
                    pending.push((format!("{path}{dot}{}", field.name), inside, field.ty));
                }
            }
            Type::Bytes { .. } => {}
        }
    }
    leaves
}

fn counts(names: &Names<'_>, survey: &Survey) -> Vec<String> {
    let facts = names.facts;
    let tables = &facts.tables;
    let states = facts.solution.states.iter().flatten().count();
    let functions: BTreeSet<_> = tables.call_strings.iter().map(|info| info.function).collect();
    let objects = tables.bases().filter(|base| {
        let abstract_object = tables.abstract_object(*base);
        abstract_object.role().is_none_or(|role| role == Role::Shared)
            && !matches!(abstract_object, AbstractObject::Function(_) | AbstractObject::Thread(_))
    });
    let all =
        [Sharing::Local, Sharing::ReadOnly, Sharing::Protected, Sharing::Apart, Sharing::Atomic, Sharing::Contended];
    let classes = all.map(|class| format!("{} {}", survey.counts.get(&class).unwrap_or(&0), sharing_name(class)));
    vec![
        format!("nodes: {states} of {}", tables.nodes.len()),
        format!("call strings: {} of {} functions", tables.call_strings.len(), functions.len()),
        format!("abstract threads: {}", tables.abstract_threads.len()),
        format!("objects: {}, {} of them shared", objects.count(), survey.objects.len()),
        format!("accesses: {}", classes.join(", ")),
    ]
}
