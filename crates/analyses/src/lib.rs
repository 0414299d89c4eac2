//! Abstract states and what steps do to them: threads as an analysis of its own that knows no data; data as values or intervals, or as
//! pointers beside a numerical domain such as binary decision diagrams; products of these. Engines search
//! among the states; a checker of proofs makes single steps with the same analyses.

mod analysis;
pub mod bdd;
mod cache;
pub mod intern;
pub mod memory;
pub mod monitor;
pub mod numbers;
mod product;
mod reached_set;
mod step;
pub mod symmetry;
pub mod system;
pub mod threads;

pub use analysis::{Analysis, Answers, Blocks, InPlace, Names, Naming, States};
pub use monitor::Monitored;
pub use product::Product;
pub use reached_set::{Evidence, Kept, ReachedSet, Tables};
pub use step::{Advance, Control, Finding, Known, NoAnswers, Post, Queries, Step, Then, Unknown};
pub use system::{Reduction, System};
pub use threads::Threads;
