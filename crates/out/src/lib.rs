//! What users see of a result: counterexamples as interleavings in columns, static facts, accesses that may race, what was
//! assumed, the line with the verdict; the same as JSON. Knows no engine and touches no file.

mod alarms;
mod columns;
mod coverage;
mod facts;
mod interleaving;
mod json;
mod listing;
mod names;
mod report;

pub use alarms::{RaceAccess, RaceAlarm};
pub use columns::{Detail, columns};
pub use facts::{grounds, notes, race_alarms, text as facts_text};
pub use interleaving::{Interleaving, Lines, Note, Row, SourceLine, interleaving, specification_interleaving};
pub use json::json;
pub use listing::listing;
pub use report::{Answer, Report, assumptions, details, verdict_lines};
