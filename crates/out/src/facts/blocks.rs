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
            Line { program, movers: &movers, blocks: &blocks, id, written: BTreeSet::new(), text: String::new() };
        line.write_all();
        format!("{}:{}", function.name, line.text)
    })
    .collect()
}

struct Line<'f> {
    program: &'f Program,
    movers: &'f Movers,
    blocks: &'f Blocks,
    id: FunctionId,
    written: BTreeSet<EdgeId>,
    text: String,
}

impl Line<'_> {
    fn write_all(&mut self) {
        let mut first = true;
        for location in self.program.functions[self.id].locations() {
            while self.next(location).is_some() {
                self.text.push_str(if first { "" } else { ";" });
                first = false;
                self.write_path(location);
            }
        }
    }

    /// An edge from there that is not written yet.
    fn next(&self, location: Location) -> Option<(EdgeId, Location)> {
        let mut edges = self.program.functions[self.id].edges_from(location);
        let new = edges.find(|(edge, _)| !self.written.contains(edge));
        new.filter(|_| self.movers.is_reached(self.id, location)).map(|(edge, e)| (edge, e.to))
    }

    /// From a location on, as far as there is something new. Locations that are of no interest are left out.
    fn write_path(&mut self, from: Location) {
        self.write_location(from);
        let (mut at, mut letters) = (from, String::new());
        while let Some((edge, to)) = self.next(at) {
            self.written.insert(edge);
            letters.push(letter(self.movers.mover(self.id, edge)));
            at = to;
            if self.is_notable(at) {
                self.text.push_str(&format!(" {letters}"));
                letters.clear();
                self.write_location(at);
            }
        }
        if !letters.is_empty() {
            self.text.push_str(&format!(" {letters}"));
            self.write_location(at);
        }
    }

    fn is_notable(&self, location: Location) -> bool {
        let successors = self.program.functions[self.id].edges_from(location).count();
        successors != 1 || !self.blocks.is_inside(self.id, location)
    }

    fn write_location(&mut self, location: Location) {
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
