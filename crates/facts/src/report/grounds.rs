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
        let (private, shared): (Vec<_>, Vec<_>) =
            survey.objects.iter().partition(|object| object.is_of_one_thread());
        let (read, written): (Vec<_>, Vec<_>) =
            shared.into_iter().partition(|object| object.contacts().all(|contact| !contact.write));
        let told: Vec<_> = written.iter().chain(&read).take(MOST).collect();
        lines.extend(told.iter().map(|object| format!("{}: {}", names.object(object.base), names.kept(object))));
        let more = written.len() + read.len() - told.len();
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
