//! What a proof rests on.

use program::Program;

use super::names::Names;
use super::survey::Survey;
use crate::analysis::Facts;
use crate::tables::Crew;

/// Nobody reads more.
const MOST: usize = 10;

impl Facts {
    /// What a proof from these facts rests on, one line each.
    pub fn grounds(&self, program: &Program) -> Vec<String> {
        let names = Names::new(program, self);
        let mut lines = vec![names.threads()];
        if self.tables.crews.len() == 1 {
            return lines;
        }
        let survey = Survey::new(&names);
        let (private, shared): (Vec<_>, Vec<_>) = survey.objects.iter().partition(|object| object.is_of_one_thread());
        let (read, written): (Vec<_>, Vec<_>) =
            shared.into_iter().partition(|object| object.contacts().all(|contact| !contact.write));
        // Objects of one name of which the same is to be said are told together.
        let mut told: Vec<(String, String, usize)> = Vec::new();
        for object in written.into_iter().chain(read) {
            let (name, kept) = (names.short_object(object.base), names.kept(object));
            match told.iter_mut().find(|(other, how, _)| *other == name && *how == kept) {
                Some((.., count)) => *count += 1,
                None => told.push((name, kept, 1)),
            }
        }
        lines.extend(told.iter().take(MOST).map(|(name, kept, count)| match count {
            1 => format!("{name}: {kept}"),
            _ => format!("{name} ({count} of them): {kept}"),
        }));
        let more: usize = told.iter().skip(MOST).map(|(.., count)| count).sum();
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
}

impl Names<'_> {
    /// `3 threads: main, add (line 20), add (line 21)`
    pub fn threads(&self) -> String {
        let tables = &self.facts.tables;
        let crews: Vec<Crew> = tables.crews.ids().filter(|crew| self.starts(*crew)).collect();
        let is_several = |crew: Crew| self.facts.is_many(crew) || !tables.crews[crew].once;
        let list = crews.iter().take(MOST).map(|crew| match is_several(*crew) {
            true => format!("any number of {}", self.crew(*crew)),
            false => self.crew(*crew).to_owned(),
        });
        let mut list = list.collect::<Vec<_>>().join(", ");
        if crews.len() > MOST {
            list.push_str(", …");
        }
        match crews.len() {
            1 => format!("one thread: {list}"),
            _ if crews.iter().any(|crew| is_several(*crew)) => format!("threads: {list}"),
            count => format!("{count} threads: {list}"),
        }
    }
}
