//! What a proof rests on.

use facts::Facts;
use facts::tables::AbstractThread;
use program::Program;
use verify::Proof;

use super::names::Names;
use super::survey::Survey;

/// More are not shown.
const MOST: usize = 10;

/// What a proof rests on, one line each.
pub fn grounds(program: &Program, proof: &Proof) -> Vec<String> {
    match proof {
        Proof::Facts(facts) => facts_in_words(program, facts),
        Proof::Reached(certificate) => {
            vec![format!("{} states, closed under steps, none with a violation", certificate.states())]
        }
        Proof::Invariants(invariants) => vec![format!("formulas at {} places", invariants.at.len())],
        Proof::Tree(tree) => vec![format!("{} nodes, each with a formula or covered", tree.nodes.len())],
        Proof::Outline(outline) => vec![format!(
            "assertions at {} locations, {} auxiliary variables",
            outline.assertions.len(),
            outline.auxiliary.len()
        )],
    }
}

fn facts_in_words(program: &Program, facts: &Facts) -> Vec<String> {
    let names = Names::new(program, facts);
    let mut lines = vec![names.threads()];
    if facts.tables.abstract_threads.len() == 1 {
        return lines;
    }
    let survey = Survey::new(&names);
    let (private, shared): (Vec<_>, Vec<_>) = survey.objects.iter().partition(|object| object.is_of_one_thread());
    let (read, written): (Vec<_>, Vec<_>) =
        shared.into_iter().partition(|object| object.accesses().all(|access| !access.write));
    // Objects of one name of which the same is to be said are shown together.
    let mut shown: Vec<(String, String, usize)> = Vec::new();
    for object in written.into_iter().chain(read) {
        let (name, kept) = (names.short_object(object.base), names.kept(object));
        match shown.iter_mut().find(|(other, how, _)| *other == name && *how == kept) {
            Some((.., count)) => *count += 1,
            None => shown.push((name, kept, 1)),
        }
    }
    lines.extend(shown.iter().take(MOST).map(|(name, kept, count)| match count {
        1 => format!("{name}: {kept}"),
        _ => format!("{name} ({count} of them): {kept}"),
    }));
    let more: usize = shown.iter().skip(MOST).map(|(.., count)| count).sum();
    if more > 0 {
        lines.push(format!("… and {more} more that several threads use"));
    }
    if !private.is_empty() {
        let count = private.len();
        let objects = if count == 1 { "object is" } else { "objects are" };
        lines.push(format!("{count} {objects} used by one thread only"));
    }
    lines
}

impl Names<'_> {
    /// `3 threads: main, add (line 20), add (line 21)`
    pub fn threads(&self) -> String {
        let tables = &self.facts.tables;
        let abstract_threads: Vec<AbstractThread> =
            tables.abstract_threads.ids().filter(|abstract_thread| self.starts(*abstract_thread)).collect();
        let is_several = |abstract_thread: AbstractThread| {
            self.facts.is_many(abstract_thread) || !tables.abstract_threads[abstract_thread].once
        };
        let list = abstract_threads.iter().take(MOST).map(|abstract_thread| match is_several(*abstract_thread) {
            true => format!("any number of {}", self.abstract_thread(*abstract_thread)),
            false => self.abstract_thread(*abstract_thread).to_owned(),
        });
        let mut list = list.collect::<Vec<_>>().join(", ");
        if abstract_threads.len() > MOST {
            list.push_str(", …");
        }
        match abstract_threads.len() {
            1 => format!("one thread: {list}"),
            _ if abstract_threads.iter().any(|abstract_thread| is_several(*abstract_thread)) => {
                format!("threads: {list}")
            }
            count => format!("{count} threads: {list}"),
        }
    }
}
