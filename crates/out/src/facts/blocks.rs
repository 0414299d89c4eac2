//! How steps move, and where blocks end: one line for each function, with the locations of `dump cfa`.

use std::collections::BTreeSet;

use facts::blocks::{Blocks, Mover};
use facts::{Facts, Movers};
use program::{EdgeId, FunctionId, Location, Program};

pub const TITLE: &str = "movers (Right, Left, Both, Non); | where threads may be switched";

/// Of functions that run: `work: |0 RBBL |4` locks, takes two steps and unlocks.
pub fn blocks(program: &Program, facts: &Facts) -> Vec<String> {
    let movers = facts.movers(program);
    let blocks = movers.blocks(program);
    let functions = program.functions.iter_enumerated();
    let runs = functions.filter(|(id, function)| movers.is_reached(*id, function.entry));
    runs.map(|(id, function)| {
        let mut line =
            Line { program, movers: &movers, blocks: &blocks, id, told: BTreeSet::new(), text: String::new() };
        line.tell_all();
        format!("{}:{}", function.name, line.text)
    })
    .collect()
}

struct Line<'f> {
    program: &'f Program,
    movers: &'f Movers,
    blocks: &'f Blocks,
    id: FunctionId,
    told: BTreeSet<EdgeId>,
    text: String,
}

impl Line<'_> {
    fn tell_all(&mut self) {
        let mut first = true;
        for location in self.program.functions[self.id].locations() {
            while self.next(location).is_some() {
                self.text.push_str(if first { "" } else { ";" });
                first = false;
                self.tell_way(location);
            }
        }
    }

    /// An edge from there that is not told yet.
    fn next(&self, location: Location) -> Option<(EdgeId, Location)> {
        let mut edges = self.program.functions[self.id].edges_from(location);
        let new = edges.find(|(edge, _)| !self.told.contains(edge));
        new.filter(|_| self.movers.is_reached(self.id, location)).map(|(edge, e)| (edge, e.to))
    }

    /// From a location on, as far as there is something new. Locations that are of no interest are left out.
    fn tell_way(&mut self, from: Location) {
        self.tell_location(from);
        let (mut at, mut letters) = (from, String::new());
        while let Some((edge, to)) = self.next(at) {
            self.told.insert(edge);
            letters.push(letter(self.movers.mover(self.id, edge)));
            at = to;
            if self.is_notable(at) {
                self.text.push_str(&format!(" {letters}"));
                letters.clear();
                self.tell_location(at);
            }
        }
        if !letters.is_empty() {
            self.text.push_str(&format!(" {letters}"));
            self.tell_location(at);
        }
    }

    fn is_notable(&self, location: Location) -> bool {
        let ways = self.program.functions[self.id].edges_from(location).count();
        ways != 1 || !self.blocks.is_inside(self.id, location)
    }

    fn tell_location(&mut self, location: Location) {
        let reached = self.movers.is_reached(self.id, location);
        let mark = if reached && !self.blocks.is_inside(self.id, location) { "|" } else { "" };
        self.text.push_str(&format!(" {mark}{}", location.0));
    }
}

fn letter(mover: Mover) -> char {
    match mover {
        Mover::Right => 'R',
        Mover::Left => 'L',
        Mover::Both => 'B',
        Mover::Non => 'N',
    }
}
