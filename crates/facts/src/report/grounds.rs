//! What a proof rests on.

use program::Program;

use super::names::Names;
use super::survey::Survey;
use crate::analysis::Facts;

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
        if tables.crews.len() == 1 {
            return "one thread: main".to_owned();
        }
        let several = tables.crews.ids().any(|crew| self.facts.is_many(crew) || !tables.crews[crew].once);
        let crew = |crew| match self.facts.is_many(crew) || !tables.crews[crew].once {
            true => format!("any number of {}", self.crew(crew)),
            false => self.crew(crew).to_owned(),
        };
        let list: Vec<String> = tables.crews.ids().take(MOST).map(crew).collect();
        let more = if tables.crews.len() > MOST { ", …" } else { "" };
        let count = if several { String::new() } else { format!("{} ", tables.crews.len()) };
        format!("{count}threads: {}{more}", list.join(", "))
    }
}
