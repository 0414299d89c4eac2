//! Checks of many programs, those of folders and random ones; each has a tally of its own.

use program::Program;
use testing::generate::GenerateOptions;

/// The tallies of all programs of some folders.
pub fn in_folders<T: Default + Send>(
    folders: &[&str],
    check: impl Fn(&Program, &mut T) -> Result<(), String> + Sync,
) -> Vec<T> {
    let paths: Vec<_> = folders.iter().flat_map(|folder| testing::files(folder)).collect();
    testing::on_files(&paths, |_, listed| tallied(&listed.program, &check))
}

/// The tallies of so many random programs, every third of them a large one.
pub fn in_random<T: Default + Send>(
    count: u64,
    large: &GenerateOptions,
    check: impl Fn(&Program, &mut T) -> Result<(), String> + Sync,
) -> Vec<T> {
    let options = |seed| GenerateOptions::small_or_large(seed, large);
    testing::on_random_programs(count, options, |_, program| tallied(program, &check))
}

fn tallied<T: Default>(program: &Program, check: impl Fn(&Program, &mut T) -> Result<(), String>) -> Result<T, String> {
    let mut tally = T::default();
    check(program, &mut tally).map(|()| tally)
}
