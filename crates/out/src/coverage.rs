//! What a proof covers, as text and as JSON.

use serde_json::{Value, json};
use verify::{Coverage, Part, Spot, Words};

use crate::columns::Detail;

/// For the first line of properties that are shown together: why there is little to their proof.
pub fn remark(alike: &[&Coverage]) -> Option<String> {
    let absent: Vec<&str> = alike.iter().filter_map(|coverage| coverage.absent()).collect();
    let absent = || format!("nothing to check: the program has no {}", absent.join(" and no "));
    let first = alike.first()?;
    let vacuous = first.vacuous().map(|why| format!("vacuous: {why}"));
    vacuous.or_else(|| first.absent().map(|_| absent()))
}

/// May two be shown together?
pub fn are_alike(a: &Coverage, b: &Coverage) -> bool {
    let same = a.functions == b.functions && a.creations == b.creations;
    same && a.vacuous() == b.vacuous() && a.absent().is_some() == b.absent().is_some()
}

/// Of properties that are shown together.
pub fn lines(alike: &[&Coverage], detail: Detail) -> Vec<String> {
    let Some(Coverage { functions, creations, .. }) = alike.first() else { return Vec::new() };
    let operations = alike.iter().filter_map(|coverage| coverage.operations.as_ref());
    let parts = [functions, creations].into_iter().chain(operations).filter(|part| part.count > 0);
    let counts: Vec<String> = parts.map(count).collect();
    let mut lines = vec![format!("covered: {}", counts.join(", "))];
    if detail == Detail::Full {
        lines.extend(functions.missed.iter().map(|spot| format!("not covered: function {}", place(spot))));
        lines.extend(creations.missed.iter().map(|spot| format!("not covered: thread creation in {}", place(spot))));
    }
    lines
}

/// `2 of 3 thread creations`
fn count(part: &Part) -> String {
    let Part { words: Words { one, several, .. }, count, .. } = part;
    format!("{} of {count} {}", part.covered(), if *count == 1 { one } else { several })
}

fn place(Spot { file, line, function }: &Spot) -> String {
    format!("{function} ({file}:{line})")
}

pub fn json(coverage: &Coverage) -> Value {
    let Coverage { functions, creations, operations } = coverage;
    json!({
        "functions": part(functions),
        "thread_creations": part(creations),
        "operations": operations.as_ref().map(|operations| json!({
            "kind": operations.words.several,
            "covered": operations.covered(),
            "of": operations.count,
        })),
    })
}

fn part(part: &Part) -> Value {
    let spot = |spot: &Spot| json!({ "function": spot.function, "file": spot.file, "line": spot.line });
    let missed: Vec<Value> = part.missed.iter().map(spot).collect();
    json!({ "covered": part.covered(), "of": part.count, "not_covered": missed })
}
