//! The header of a program: what can happen in it.

use std::collections::BTreeSet;

use c_front::types::DataModel;
use program::ErrorKind;
use semantics::{HowEnded, Outcome, Undefined};

#[derive(Debug)]
pub struct Listing {
    /// As `describe` says them.
    pub outcomes: BTreeSet<String>,
    pub inputs: Vec<i64>,
    pub model: DataModel,
    /// Can it be run natively?
    pub is_compiled: bool,
}

impl Listing {
    /// Reads the comment lines at the start of a program.
    pub fn read(text: &str) -> Result<Listing, String> {
        let mut listing =
            Listing { outcomes: BTreeSet::new(), inputs: vec![0, 1], model: DataModel::Lp64, is_compiled: true };
        for line in text.lines().map_while(|line| line.strip_prefix("//")) {
            if let Some((key, value)) = line.trim().split_once(": ") {
                listing.set(key, value.trim())?;
            }
        }
        if listing.outcomes.is_empty() { Err("no outcome is listed".into()) } else { Ok(listing) }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        match key {
            "outcome" => {
                if !is_outcome(value) {
                    return Err(format!("{value} is no outcome"));
                }
                if !self.outcomes.insert(value.into()) {
                    return Err(format!("{value} is listed twice"));
                }
            }
            "inputs" => {
                let inputs = value.split_whitespace().map(str::parse).collect::<Result<_, _>>();
                self.inputs = inputs.map_err(|_| format!("inputs: {value}"))?;
            }
            "model" if value == "ilp32" => self.model = DataModel::Ilp32,
            "model" if value == "lp64" => self.model = DataModel::Lp64,
            "compiled" if value.starts_with("no, ") => self.is_compiled = false,
            "model" | "compiled" => return Err(format!("{key}: {value}")),
            _ => {}
        }
        Ok(())
    }

    pub fn has(&self, outcome: &str) -> bool {
        self.outcomes.contains(outcome)
    }
}

const SIMPLE: &[&str] = &["overflow", "invalid-access", "invalid-free", "lost", "not-freed", "deadlock", "race"];
const ERRORS: &[&str] = &["call", "assert", "label"];
const UNDEFINED: &[&str] = &["division-by-zero", "shift-amount", "float-range", "call", "handle", "format"];

fn is_outcome(text: &str) -> bool {
    let is_printed = |text: &str| text.len() >= 2 && text.starts_with('"') && text.ends_with('"');
    let rest = |word: &str| text.strip_prefix(word).map(str::trim_start);
    SIMPLE.contains(&text)
        || rest("error ").is_some_and(|kind| ERRORS.contains(&kind))
        || rest("undefined ").is_some_and(|kind| UNDEFINED.contains(&kind))
        || [Some(text), rest("exit "), rest("abort ")].iter().flatten().any(|text| is_printed(text))
}

/// An outcome as headers write it. An access or release that is invalid is one event, whether a property forbids it or not.
pub fn describe(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Ended(HowEnded::Normally, printed) => quoted(printed),
        Outcome::Ended(HowEnded::Exit, printed) => format!("exit {}", quoted(printed)),
        Outcome::Ended(HowEnded::Abort, printed) => format!("abort {}", quoted(printed)),
        Outcome::Error(ErrorKind::ErrorCall) => "error call".into(),
        Outcome::Error(ErrorKind::Assert) => "error assert".into(),
        Outcome::Error(ErrorKind::Label) => "error label".into(),
        Outcome::Overflow => "overflow".into(),
        Outcome::InvalidAccess | Outcome::Undefined(Undefined::Access) => "invalid-access".into(),
        Outcome::InvalidFree | Outcome::Undefined(Undefined::Free) => "invalid-free".into(),
        Outcome::Lost => "lost".into(),
        Outcome::NotFreed => "not-freed".into(),
        Outcome::Deadlock => "deadlock".into(),
        Outcome::Race => "race".into(),
        Outcome::Undefined(Undefined::DivisionByZero) => "undefined division-by-zero".into(),
        Outcome::Undefined(Undefined::ShiftAmount) => "undefined shift-amount".into(),
        Outcome::Undefined(Undefined::Address) => "undefined address".into(),
        Outcome::Undefined(Undefined::FloatRange) => "undefined float-range".into(),
        Outcome::Undefined(Undefined::Call) => "undefined call".into(),
        Outcome::Undefined(Undefined::Handle) => "undefined handle".into(),
        Outcome::Undefined(Undefined::Format) => "undefined format".into(),
        Outcome::Unsupported(what) => format!("unsupported {what}"),
        Outcome::Limit(what) => format!("limit {what}"),
    }
}

/// Printed text as a C string.
pub fn quoted(text: &[u8]) -> String {
    format!("\"{}\"", text.escape_ascii().to_string().replace("\\'", "'"))
}

pub fn shown(outcomes: &BTreeSet<String>) -> String {
    if outcomes.is_empty() { "none".into() } else { outcomes.iter().cloned().collect::<Vec<_>>().join(", ") }
}
