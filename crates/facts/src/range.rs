//! Ranges of integers.
