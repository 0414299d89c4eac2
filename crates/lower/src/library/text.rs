//! Models written in C. The files are plain GNU C and are never preprocessed; a line `// model: NAME` starts the text of one
//! model, which defines `__heddle_NAME` and declares every other `__heddle_` function that it uses.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use rustc_hash::FxHashMap;

use super::effects::reads_text;
use super::{Kind, PREFIX, model};

const FILES: &[&str] = &[
    include_str!("text/ctype.c"),
    include_str!("text/memory.c"),
    include_str!("text/stdio.c"),
    include_str!("text/stdlib.c"),
    include_str!("text/string.c"),
    include_str!("text/time.c"),
    include_str!("text/unistd.c"),
];

const MARK: &str = "// model: ";

/// C text of the model of `name`, to be analysed together with the program; defines `__heddle_NAME`
/// and may use other models, which are then needed too: see [`needed`].
pub fn source(name: &str) -> Option<&'static str> {
    static TEXTS: OnceLock<FxHashMap<&'static str, &'static str>> = OnceLock::new();
    let texts = TEXTS.get_or_init(|| texts().collect());
    let model = model(name)?;
    match model.kind {
        Kind::Text => texts.get(model.name).copied(),
        Kind::Alias(of, _) => source(of),
        _ => None,
    }
}

/// Names and C texts of the models that a program needs which calls these functions without defining them: each once, in order
/// of name, and with it the models that it uses.
pub fn needed<'n>(names: impl IntoIterator<Item = &'n str>) -> Vec<(&'static str, &'static str)> {
    let mut open: Vec<&str> = names.into_iter().collect();
    let mut needed = BTreeMap::new();
    while let Some(name) = open.pop() {
        open.extend(reads_text(name).then_some("strlen"));
        let Some(model) = model(name) else { continue };
        if let Kind::Alias(of, _) = model.kind {
            open.push(of);
        } else if let Some(text) = source(model.name)
            && needed.insert(model.name, text).is_none()
        {
            open.extend(mentioned(text));
        }
    }
    needed.into_iter().collect()
}

/// Every model's name and text.
pub(super) fn texts() -> impl Iterator<Item = (&'static str, &'static str)> {
    FILES.iter().flat_map(|file| file.split(MARK).skip(1)).filter_map(|part| part.split_once('\n'))
}

/// The `__heddle_` names that occur in a text.
pub(super) fn mentioned(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_ascii_alphanumeric() && c != '_').filter(|word| word.starts_with(PREFIX))
}
