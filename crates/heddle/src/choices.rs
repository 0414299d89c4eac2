//! Values of options that are chosen by name: each name beside its help and what it means to the engines.

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use engine_cpa::{Join, Order, Partition, Reduction, Strategy, Track};

pub struct Choice<T: 'static> {
    name: &'static str,
    help: &'static str,
    value: T,
}

const fn choice<T>(name: &'static str, value: T, help: &'static str) -> Choice<T> {
    Choice { name, help, value }
}

pub const REDUCTIONS: &[Choice<Reduction>] = &[
    choice("none", Reduction::None, "All steps of all threads"),
    choice("local", Reduction::LocalGlobal, "A step that is local by the facts is made alone"),
    choice("source", Reduction::Source, "Threads on whose steps nothing that others may still do depends"),
];

pub const JOINS: &[Choice<Join>] = &[
    choice("places", Join::Places, "Those with the same location vector and the same locks held"),
    choice(
        "threads",
        Join::Threads,
        "What each thread has, by its own location; what all share, by the locks that are held",
    ),
];

pub const SYMMETRIES: &[Choice<bool>] = &[
    choice("on", true, "Threads that have ended and that no thread can name are forgotten, too"),
    choice("off", false, "Threads are what they were created as"),
];

pub const TRACKS: &[Choice<Track>] = &[
    choice("all", Track::All, "All"),
    choice("refine", Track::Refine, "Few at first, and more as they turn out to matter"),
    choice("auto", Track::Auto, "All, and if that takes long, `refine` for parts of the time in between"),
];

pub const ORDERS: &[Choice<Strategy>] = &[
    choice("dfs", any(Order::Depth), "The newest"),
    choice("bfs", any(Order::Breadth), "The oldest"),
    choice("random", any(Order::Random), "Any"),
    choice("mixed", any(Order::Mixed), "The newest, but every fourth time any"),
    choice("threads-dfs", fewest_threads(Order::Depth), "With the fewest active threads, then the newest"),
    choice("threads-bfs", fewest_threads(Order::Breadth), "With the fewest active threads, then the oldest"),
    choice("threads-random", fewest_threads(Order::Random), "With the fewest active threads, then any"),
];

pub const PARTITIONS: &[Choice<Partition>] = &[
    choice("none", Partition::None, "Compared with every other"),
    choice("places", Partition::Places, "Compared with those of the same location vector"),
    choice("hash", Partition::Hash, "By hash, then as `places`"),
];

const fn any(order: Order) -> Strategy {
    Strategy { fewest_threads: false, order }
}

const fn fewest_threads(order: Order) -> Strategy {
    Strategy { fewest_threads: true, order }
}

/// Takes one of the names.
pub fn one_of<T: Copy + Send + Sync>(choices: &'static [Choice<T>]) -> impl TypedValueParser<Value = T> {
    by_name(choices, |choice| (choice.name, choice.help)).map(|choice| choice.value)
}

/// Takes the name of an entry; `text` is its name and help.
pub fn by_name<T: Sync>(
    table: &'static [T],
    text: fn(&T) -> (&'static str, &'static str),
) -> impl TypedValueParser<Value = &'static T> {
    let values = table.iter().map(text).map(|(name, help)| PossibleValue::new(name).help(help));
    let find = move |name: String| table.iter().find(|entry| text(entry).0 == name).expect("it is one of the names");
    PossibleValuesParser::new(values).map(find)
}
