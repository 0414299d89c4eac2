//! Automata as a graph: `dot -Tsvg`.

use std::fmt;

use super::names::Names;
use super::{Extent, FunctionText};
use crate::{FunctionId, Program};

/// Long operations would make the picture unreadable.
const MOST_CHARS: usize = 100;

pub struct Dot<'p> {
    program: &'p Program,
    extent: Extent,
}

impl<'p> Dot<'p> {
    pub(super) fn new(program: &'p Program, extent: Extent) -> Self {
        Dot { program, extent }
    }
}

impl fmt::Display for Dot<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Names::of(self.program);
        writeln!(f, "digraph program {{")?;
        writeln!(f, "  node [shape=circle, fontname=\"sans-serif\", fontsize=10]")?;
        writeln!(f, "  edge [fontname=\"monospace\", fontsize=9]")?;
        for id in self.extent.functions(self.program) {
            cluster(f, self.program, &names, id)?;
        }
        writeln!(f, "}}")
    }
}

fn cluster(f: &mut fmt::Formatter<'_>, program: &Program, names: &Names, id: FunctionId) -> fmt::Result {
    let function = &program.functions[id];
    let text = FunctionText::new(program, names, id, function);
    writeln!(f, "  subgraph cluster_{id} {{")?;
    writeln!(f, "    label=\"{}\"", escape(&text.header()))?;
    for location in function.locations() {
        let shape = if function.is_loop_head(location) { ", shape=doublecircle" } else { "" };
        let start = if location == function.entry { ", style=bold" } else { "" };
        writeln!(f, "    {id}_{location} [label=\"{location}\"{shape}{start}]")?;
    }
    for edge in function.edges.iter() {
        let mut label = text.op(&edge.op).to_string();
        if let Some((at, _)) = label.char_indices().nth(MOST_CHARS) {
            label.truncate(at);
            label.push('…');
        }
        let place = text.place(edge).map_or(String::new(), |place| format!(", tooltip=\"{}\"", escape(&place)));
        writeln!(f, "    {id}_{} -> {id}_{} [label=\"{}\"{place}]", edge.from, edge.to, escape(&label))?;
    }
    writeln!(f, "  }}")
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
