//! Many programs on all cores: a test that goes through hundreds of programs one by one leaves the other cores idle at the end.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use program::Program;

use crate::generate::{GenerateOptions, generate};
use crate::number;
use crate::programs::{Listed, name, read, try_program};

/// Of a worker: deep trees are walked by recursion.
const STACK: usize = 256 << 20;

/// What takes longer is printed.
const LONG: Duration = Duration::from_secs(2);

/// The results for all items, in their order.
pub fn for_each<T: Sync, R: Send>(items: &[T], check: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let (next, results) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        let draw = || next.fetch_add(1, Ordering::Relaxed);
        while let Some((i, item)) = Some(draw()).and_then(|i| Some((i, items.get(i)?))) {
            let result = check(item);
            results.lock().expect("no worker failed").push((i, result));
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, NonZero::get).min(items.len()) {
            std::thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).expect("a thread starts");
        }
    });
    let mut results = results.into_inner().expect("no worker failed");
    results.sort_by_key(|(i, _)| *i);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The first `count` results that numbers from `first` on have.
pub fn first_results<R: Send>(first: u64, count: usize, check: impl Fn(u64) -> Option<R> + Sync) -> Vec<R> {
    let (mut found, mut next) = (Vec::new(), first);
    while found.len() < count {
        let numbers: Vec<u64> = (next..).take(count - found.len()).collect();
        next += numbers.len() as u64;
        found.extend(for_each(&numbers, |number| check(*number)).into_iter().flatten());
    }
    found
}

/// Checks programs of files; panics if there is something wrong with one.
pub fn on_files<R: Send>(paths: &[PathBuf], check: impl Fn(&Path, &Listed) -> Result<R, String> + Sync) -> Vec<R> {
    all_right(for_each(paths, |path| {
        let begin = Instant::now();
        let checked = read(path).and_then(|listed| check(path, &listed));
        if begin.elapsed() > LONG {
            println!("{} took {} ms", name(path), begin.elapsed().as_millis());
        }
        checked.map_err(|problem| format!("{}: {problem}", name(path)))
    }))
}

/// Checks random programs; panics if there is something wrong with one. `HEDDLE_RANDOM_PROGRAMS=2000` sets how many,
/// `HEDDLE_RANDOM_PROGRAMS_SEED` where to start.
pub fn on_random_programs<R: Send>(
    count: u64,
    options: impl Fn(u64) -> GenerateOptions + Sync,
    check: impl Fn(u64, &Program) -> Result<R, String> + Sync,
) -> Vec<R> {
    on_suitable_programs(count, options, |seed, program| check(seed, program).map(Some))
}

/// As `on_random_programs`, with others in place of those for which the check has no result.
pub fn on_suitable_programs<R: Send>(
    count: u64,
    options: impl Fn(u64) -> GenerateOptions + Sync,
    check: impl Fn(u64, &Program) -> Result<Option<R>, String> + Sync,
) -> Vec<R> {
    let (count, first) = (number("HEDDLE_RANDOM_PROGRAMS", count), number("HEDDLE_RANDOM_PROGRAMS_SEED", 0));
    all_right(first_results(first, count as usize, |seed| {
        let text = generate(seed, &options(seed));
        let checked = try_program(&text).and_then(|program| check(seed, &program));
        checked.map_err(|problem| format!("seed {seed}: {problem}\n{text}")).transpose()
    }))
}

/// What was checked; panics if there is something wrong with it.
pub fn all_right<R>(checked: Vec<Result<R, String>>) -> Vec<R> {
    let (mut right, mut wrong) = (Vec::new(), Vec::new());
    checked.into_iter().for_each(|result| match result {
        Ok(result) => right.push(result),
        Err(problem) => wrong.push(problem),
    });
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    right
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_in_order_and_none_is_missing() {
        let items: Vec<u64> = (0..100).collect();
        assert_eq!(for_each(&items, |n| n * 2), (0..100).map(|n| n * 2).collect::<Vec<_>>());
        assert_eq!(first_results(10, 4, |n| n.is_multiple_of(3).then_some(n)), [12, 15, 18, 21]);
    }

    #[test]
    #[should_panic(expected = "1 wrong:\nseed 3: odd")]
    fn what_is_wrong_is_reported() {
        on_random_programs(
            5,
            |_| GenerateOptions::default(),
            |seed, _| if seed == 3 { Err("odd".into()) } else { Ok(()) },
        );
    }
}
