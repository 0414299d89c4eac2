//! Facts beside the source: one note for each line that touches shared memory, starts or awaits threads, or sets a number of which
//! something is known.

use std::collections::{BTreeMap, BTreeSet};

use base::Span;
use facts::Facts;
use facts::eval::Eval;
use facts::tables::{AbstractThread, Phase};
use facts::value::{Number, Value};
use facts::{Protection, Sharing};
use program::{ExprKind, LocalKind, Op, Program, Scalar, Storage};

use super::names::{Names, Spot};
use super::parallel::Events;
use super::survey::Survey;

/// Facts about places of the source, in order.
pub fn notes(program: &Program, facts: &Facts) -> Vec<(Span, String)> {
    let names = Names::new(program, facts);
    let mut page = Page { names: &names, lines: BTreeMap::new() };
    page.functions();
    page.threads(&Events::new(&names));
    page.accesses(&Survey::new(&names));
    page.numbers();
    page.lines.into_values().map(|(span, notes)| (span, notes.join("; "))).collect()
}

struct Page<'n, 'f> {
    names: &'n Names<'f>,
    lines: BTreeMap<Spot, (Span, Vec<String>)>,
}

/// What is known of a part of an object on a line.
#[derive(Default)]
struct Line {
    span: Span,
    sharing: Option<Sharing>,
    protections: BTreeSet<Protection>,
    held: BTreeSet<String>,
    /// With those who may touch the same memory at the same time.
    abstract_threads: BTreeMap<AbstractThread, BTreeSet<AbstractThread>>,
}

impl Page<'_, '_> {
    fn note(&mut self, span: Span, note: String) {
        if self.names.is_own(span) {
            let notes = &mut self.lines.entry(self.names.spot(span)).or_insert((span, Vec::new())).1;
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
    }

    /// Who runs a function.
    fn functions(&mut self) {
        let (program, facts) = (self.names.program, self.names.facts);
        let mut runners: BTreeMap<_, BTreeSet<AbstractThread>> = BTreeMap::new();
        for info in facts.tables.call_strings.iter() {
            runners.entry(info.function).or_default().insert(info.abstract_thread);
        }
        for (function, abstract_threads) in runners {
            let note = format!("run by {}", self.abstract_threads(&abstract_threads));
            self.note(program.functions[function].span, note);
        }
    }

    fn threads(&mut self, events: &Events) {
        let (names, facts) = (self.names, self.names.facts);
        for (abstract_thread, info) in facts.tables.abstract_threads.iter_enumerated() {
            if let Some((call_string, edge)) = info.created {
                let several = if facts.is_many(abstract_thread) { ", several at once" } else { "" };
                self.note(names.span(call_string, edge), format!("starts {}{several}", names.entry(abstract_thread)));
            }
        }
        let joins: BTreeSet<_> = events
            .joins
            .iter()
            .flat_map(|(abstract_thread, spots)| spots.iter().map(|s| (*s, *abstract_thread)))
            .collect();
        for (spot, abstract_thread) in joins {
            let note = format!("joins {}", names.entry(abstract_thread));
            if let Some(span) = events.spans.get(&spot) {
                self.note(*span, note);
            }
        }
    }

    fn accesses(&mut self, survey: &Survey) {
        let names = self.names;
        let mut lines: BTreeMap<(Spot, String), Line> = BTreeMap::new();
        for group in survey.objects.iter().flat_map(|object| &object.groups) {
            for access in &group.accesses {
                let span = names.access_span(access);
                let line =
                    lines.entry((names.spot(span), names.short_part(access.base, access.at, access.size))).or_default();
                line.span = span;
                line.sharing = Some(line.sharing.map_or(group.sharing, |old| old.harder(group.sharing)));
                line.protections.extend(group.protections.iter().cloned());
                line.held.extend(names.held(access));
                line.abstract_threads.entry(access.abstract_thread).or_default().extend(group.parallel.iter().copied());
            }
        }
        self.early_accesses(survey, &mut lines);
        // Parts of which the same is to be said are shown together.
        let mut shown: BTreeMap<(Spot, String), (Span, Vec<String>)> = BTreeMap::new();
        for ((spot, part), line) in lines {
            let (_, parts) = shown.entry((spot, self.access(&line))).or_insert((line.span, Vec::new()));
            parts.push(part);
        }
        for ((_, access), (span, parts)) in shown {
            self.note(span, format!("{}: {access}", parts.join(", ")));
        }
    }

    /// Accesses to what is shared later.
    fn early_accesses(&self, survey: &Survey, lines: &mut BTreeMap<(Spot, String), Line>) {
        let (names, facts) = (self.names, self.names.facts);
        let shared: BTreeSet<_> = survey.objects.iter().map(|object| object.base).collect();
        let later: BTreeSet<_> = survey
            .objects
            .iter()
            .flat_map(|object| object.accesses().map(|access| (names.access_spot(access), access.base)))
            .collect();
        for node in 0..facts.solution.states.len() as u32 {
            if facts.tables.nodes[node as usize].phase != Phase::Before {
                continue;
            }
            for access in facts.accesses(names.program, node).iter().filter(|c| shared.contains(&c.base)) {
                if later.contains(&(names.access_spot(access), access.base)) {
                    continue;
                }
                let span = names.access_span(access);
                let line =
                    lines.entry((names.spot(span), names.short_part(access.base, access.at, access.size))).or_default();
                line.span = span;
                line.abstract_threads.entry(access.abstract_thread).or_default();
            }
        }
    }

    fn access(&self, line: &Line) -> String {
        let names = self.names;
        let locks = || {
            let locks = line.protections.iter().filter_map(|protection| match protection {
                Protection::Lockset(locks) => Some(names.lock_names(locks)),
                Protection::Section => Some("atomic sections".to_owned()),
                _ => None,
            });
            Vec::from_iter(BTreeSet::from_iter(locks)).join(" or ")
        };
        let class = match line.sharing {
            None | Some(Sharing::Local) => return "no other thread runs yet".to_owned(),
            Some(Sharing::ReadOnly) => return "read-only".to_owned(),
            Some(Sharing::Atomic) => "atomic".to_owned(),
            Some(Sharing::Protected) => format!("protected by {}", locks()),
            Some(Sharing::Contended) if line.held.is_empty() => "contended".to_owned(),
            Some(Sharing::Contended) => {
                format!("contended, holding {}", Vec::from_iter(line.held.iter().cloned()).join(", "))
            }
            Some(Sharing::Apart) => match line.protections.iter().rfind(|protection| self.keeps_apart(protection)) {
                Some(Protection::OneThread) => {
                    return format!("only {} uses it", self.abstract_threads(line.abstract_threads.keys()));
                }
                Some(Protection::OwnPart) => "each thread has its own part".to_owned(),
                Some(Protection::OtherPart) => "others touch other parts".to_owned(),
                _ if line.abstract_threads.values().all(BTreeSet::is_empty) => {
                    "no one else at the same time".to_owned()
                }
                _ => "never written at the same time".to_owned(),
            },
        };
        format!("{class} ({})", self.beside(&line.abstract_threads))
    }

    /// `main beside add`: each pair once.
    fn beside(&self, abstract_threads: &BTreeMap<AbstractThread, BTreeSet<AbstractThread>>) -> String {
        let mut pairs: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        let mut met = BTreeSet::new();
        for (abstract_thread, others) in abstract_threads {
            for other in others {
                let (a, b) = (self.names.entry(*abstract_thread), self.names.entry(*other));
                if met.insert((a.min(b), a.max(b))) {
                    pairs.entry(a).or_default().push(b);
                }
            }
        }
        let is_alone = |abstract_thread: &&AbstractThread| {
            !met.iter().any(|(a, b)| [*a, *b].contains(&self.names.entry(**abstract_thread)))
        };
        let alone = self.abstract_threads(abstract_threads.keys().filter(is_alone));
        let pairs =
            pairs.iter().map(|(abstract_thread, others)| format!("{abstract_thread} beside {}", others.join(", ")));
        let parts: Vec<String> = pairs.chain((!alone.is_empty()).then_some(alone)).collect();
        parts.join("; ")
    }

    fn keeps_apart(&self, protection: &Protection) -> bool {
        matches!(protection, Protection::OneThread | Protection::OwnPart | Protection::OtherPart | Protection::Order)
    }

    /// By the functions they run.
    fn abstract_threads<'c>(&self, abstract_threads: impl IntoIterator<Item = &'c AbstractThread>) -> String {
        let mut entries: Vec<&str> = Vec::new();
        for abstract_thread in abstract_threads {
            let entry = self.names.entry(*abstract_thread);
            if !entries.contains(&entry) {
                entries.push(entry);
            }
        }
        entries.join(", ")
    }

    /// Numbers that variables of the program get, where that is not plain to see.
    fn numbers(&mut self) {
        let (program, facts) = (self.names.program, self.names.facts);
        let mut known: BTreeMap<_, (Span, Value)> = BTreeMap::new();
        for (node, state) in facts.reached() {
            let id = facts.tables.call_strings[node.call_string].function;
            let function = &program.functions[id];
            for (edge, op) in function.edges_from(node.location) {
                let Op::Assign(to, value) = op.op else { continue };
                let local = &function.locals[to];
                let is_number = matches!(local.storage, Storage::Plain(Scalar::Int(2..)));
                let constant = matches!(function.exprs[value].kind, ExprKind::Const(_));
                let named = local.kind != LocalKind::Temporary && !local.name.is_empty() && function.result != Some(to);
                if is_number && named && !constant {
                    let new = Eval::new(program, &facts.tables, node.call_string, state).value(value);
                    let new = new.unwrap_or_else(Value::nothing);
                    let entry = known.entry((id, edge, to)).or_insert((op.span, Value::nothing()));
                    entry.1 = entry.1.join(&new);
                }
            }
        }
        for ((function, _, local), (span, value)) in known {
            let Number::Range(range) = value.number else { continue };
            if value.pointers.is_empty() && !range.is_top() {
                let local = &program.functions[function].locals[local];
                let note = format!("{} = {}", local.name, self.names.value(&value, Some(local.ty)));
                self.note(span, note);
            }
        }
    }
}
