//! Maps that share what is equal.
