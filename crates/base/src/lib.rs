//! What every other crate needs and that knows nothing of C or of logic:
//! typed indices, interned names, source positions, diagnostics, budgets, floating formats.

pub mod budget;
pub mod diagnostic;
pub mod float;
pub mod index;
pub mod intern;
pub mod source;

pub use budget::{Alarm, Budget, Limit};
pub use diagnostic::{Diagnostic, Severity};
pub use index::{Idx, IndexVec};
pub use intern::{Interner, Symbol};
pub use source::{LineMarker, SourceMap, Span};
