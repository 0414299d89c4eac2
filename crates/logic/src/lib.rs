//! Terms of many-sorted first-order logic without quantifiers: Booleans, bit-vectors of 1 to 128 bits, and arrays of them, with the
//! meaning that SMT-LIB 2.6 gives them (theories `Core`, `FixedSizeBitVectors`, `ArraysEx`; Barrett, Fontaine and Tinelli, 2017).
//!
//! Terms are hash-consed in an arena, [`Terms`]: equal terms have one id, a term is a `Copy` number, and arguments have smaller
//! numbers than what is made of them, so that all work on terms is a loop, never a recursion. There is no object of a solver inside:
//! an arena is `Send + Sync`, and evidence that holds formulas holds its own.
//!
//! ```
//! use logic::{Assignment, Sort, Terms, Value};
//!
//! let mut terms = Terms::new();
//! let x = terms.symbol("x", Sort::Bits(8));
//! let (one, sum) = (terms.bits(8, 1), terms.bits(8, 0));
//! let (x, sum) = (terms.variable(x), terms.bvadd(sum, one));
//! let less = terms.bvult(x, sum);
//! assert_eq!(terms.print(less), "(bvult x #x01)");
//! let zero: Assignment = terms.symbols_of(&[less]).map(|x| (x, Value::bits(8, 0))).collect();
//! assert_eq!(terms.eval(less, &zero), Ok(Value::Bool(true)));
//! ```

mod build;
mod eval;
mod meaning;
mod op;
mod overflow;
mod parse;
mod print;
mod rewrite;
mod substitute;
mod term;
mod value;

pub use eval::{Assignment, Unassigned};
pub use op::{Op, Sort, SortError};
pub use parse::ParseError;
pub use term::{Node, Symbol, SymbolId, Term, Terms};
pub use value::{ArrayValue, Value};
