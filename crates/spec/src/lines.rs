//! Which edges begin a source line.

use program::{EdgeId, Function, Program};

/// The edges of a function by which control comes to a line: what leads there is elsewhere, or a loop goes round.
pub fn entering(program: &Program, function: &Function, file: Option<&str>, line: u32) -> Vec<EdgeId> {
    let is_there = |edge: &program::Edge| {
        program
            .sources
            .place(edge.span)
            .is_some_and(|place| place.line == line && !place.system && file.is_none_or(|file| names(place.file, file)))
    };
    let there: Vec<bool> = function.edges.iter().map(is_there).collect();
    if !there.contains(&true) {
        return Vec::new();
    }
    let enters = |edge: &program::Edge| {
        let mut inward = function.edges.iter().zip(&there).filter(|(other, _)| other.to == edge.from);
        edge.from == function.entry || function.is_loop_head(edge.from) || inward.any(|(_, there)| !there)
    };
    let edges = function.edges.iter_enumerated().zip(&there);
    edges.filter(|((_, edge), there)| **there && enters(edge)).map(|((id, _), _)| id).collect()
}

/// `src/x.c` is named by itself, and by `x.c`.
fn names(path: &str, file: &str) -> bool {
    path == file || path.strip_suffix(file).is_some_and(|folder| folder.ends_with('/'))
}

/// Lines of the file, or of the program's own files, that have edges: the nearest on both sides.
pub fn nearest(program: &Program, file: Option<&str>, line: u32) -> (Option<u32>, Option<u32>) {
    let edges = program.functions.iter().flat_map(|function| function.edges.iter());
    let places = edges.filter_map(|edge| program.sources.place(edge.span)).filter(|place| !place.system);
    let there = places.filter(|place| match file {
        Some(file) => names(place.file, file),
        None => !place.file.starts_with('<'),
    });
    there.fold((None, None), |(before, behind), place| match place.line < line {
        true => (before.max(Some(place.line)), behind),
        false => (before, Some(behind.map_or(place.line, |old: u32| old.min(place.line)))),
    })
}
