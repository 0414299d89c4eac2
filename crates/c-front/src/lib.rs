//! C text to a typed syntax tree: preprocessing, parsing, names and types, every implicit conversion made explicit,
//! data model, layout, constants. Returns diagnostics beside a result; knows nothing of automata or logic.

pub mod analyze;
pub mod ast;
pub mod ast_print;
pub mod constant;
pub mod layout;
pub mod lexer;
pub mod parser;
pub mod preprocess;
pub mod sema;
pub mod type_query;
pub mod typed;
pub mod typed_check;
pub mod typed_print;
pub mod types;
pub mod types_print;

pub use analyze::analyze;
pub use sema::Analyzer;
