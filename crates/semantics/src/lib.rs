//! What a program means, written once: states with threads, stacks, objects and locks; enabled edges; `step`, which executes one
//! edge; every property's violation seen at the step that causes it. The reference interpreter, the replay of schedules and the
//! exhaustive explorer are built on these. Knows no logic and no engine.

pub mod format;
pub mod ops;
