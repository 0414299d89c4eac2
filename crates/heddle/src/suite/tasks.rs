//! Tasks: what is to be verified, what is expected of it, and the formats in which people write that down.

mod definition;
mod list;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use verify::Property;

use crate::check;
use crate::cli::{DataModel, Failure};
use crate::diagnostics;
use crate::suite::arguments::{SuiteArgs, Threads};

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Task {
    pub suite: String,
    /// The file, or the task definition, as the user or the list writes it.
    pub name: String,
    pub files: Vec<PathBuf>,
    pub property: Property,
    /// Where the property was read, if in a file.
    pub property_file: Option<PathBuf>,
    pub expected: Option<Expected>,
    pub model: DataModel,
    /// Where the list says it.
    pub threads: Option<bool>,
    /// Where it was read, for messages.
    pub origin: String,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    True,
    /// Which part of the property is violated, if that is known.
    False(Option<String>),
}

impl Expected {
    pub fn word(expected: Option<&Expected>) -> &'static str {
        match expected {
            Some(Expected::True) => "true",
            Some(Expected::False(_)) => "false",
            None => "",
        }
    }
}

/// Tasks that were read, and what was passed over.
#[derive(Default)]
pub struct Found {
    pub tasks: Vec<Task>,
    pub notes: Vec<String>,
}

/// What task files leave open.
pub struct Defaults {
    model: DataModel,
    /// For C files.
    properties: Vec<Property>,
}

/// All that the arguments ask for, each once, in the order of the lists.
pub fn tasks(args: &SuiteArgs) -> Result<Found, Failure> {
    let only = check::properties(&args.property)?;
    let properties = if only.is_empty() { vec![Property::UnreachCall] } else { only.clone() };
    let defaults = Defaults { model: args.data_model, properties };
    let mut found = Found::default();
    for path in &args.tasks {
        read(path, &defaults, &mut found)?;
    }
    let Found { tasks, notes } = found;
    let tasks = each_once(chosen(tasks, args, &only)?)?;
    let tasks = sample(tasks, args.sample, args.seed);
    if tasks.is_empty() {
        return Err(refused("no task is left: the lists have none, or none that the options allow".to_owned()));
    }
    tasks.iter().try_for_each(exists)?;
    Ok(Found { tasks, notes })
}

/// By the ending of its name.
fn read(path: &Path, defaults: &Defaults, found: &mut Found) -> Result<(), Failure> {
    let shown = path.display().to_string();
    match path.extension().and_then(|ending| ending.to_str()) {
        Some("tsv") => list::tsv(path, defaults, found),
        Some("set") => list::set(path, defaults, found),
        Some("yml" | "yaml") => definition::read(path, &parent_name(path), &shown, defaults, found),
        Some("c" | "i") => {
            found.tasks.extend(c_file(path, &parent_name(path), &shown, defaults));
            Ok(())
        }
        _ => Err(refused(format!("{shown} is no task: there are .tsv, .set, .yml, .c and .i"))),
    }
}

fn c_file(path: &Path, suite: &str, name: &str, defaults: &Defaults) -> Vec<Task> {
    let task = |property: &Property| Task {
        suite: suite.to_owned(),
        name: name.to_owned(),
        files: vec![path.to_owned()],
        property: *property,
        property_file: None,
        expected: None,
        model: defaults.model,
        threads: None,
        origin: name.to_owned(),
    };
    defaults.properties.iter().map(task).collect()
}

fn chosen(mut tasks: Vec<Task>, args: &SuiteArgs, only: &[Property]) -> Result<Vec<Task>, Failure> {
    tasks.retain(|task| only.is_empty() || only.contains(&task.property));
    tasks.retain(|task| args.containing.as_ref().is_none_or(|part| task.name.contains(part.as_str())));
    let Some(threads) = args.threads else { return Ok(tasks) };
    if let Some(task) = tasks.iter().find(|task| task.threads.is_none()) {
        let message = format!("{} does not say whether it has threads: --threads needs a list that does", task.origin);
        return Err(refused(message));
    }
    tasks.retain(|task| task.threads == Some(threads == Threads::Yes));
    Ok(tasks)
}

/// Sets overlap. What is expected must not depend on the list that names a task.
fn each_once(tasks: Vec<Task>) -> Result<Vec<Task>, Failure> {
    let mut first: BTreeMap<(Vec<PathBuf>, Property, bool), usize> = BTreeMap::new();
    let mut kept: Vec<Task> = Vec::new();
    for task in tasks {
        let key = (task.files.clone(), task.property, task.model == DataModel::Lp64);
        match first.get(&key).map(|i| &kept[*i]) {
            Some(other) if other.expected != task.expected => {
                let message = format!("{} and {} do not expect the same verdict", other.origin, task.origin);
                return Err(refused(message));
            }
            Some(_) => {}
            None => {
                first.insert(key, kept.len());
                kept.push(task);
            }
        }
    }
    Ok(kept)
}

/// In the order they had.
fn sample(tasks: Vec<Task>, size: Option<usize>, seed: u64) -> Vec<Task> {
    let Some(size) = size.filter(|size| *size < tasks.len()) else { return tasks };
    let mut order: Vec<usize> = (0..tasks.len()).collect();
    fastrand::Rng::with_seed(seed).shuffle(&mut order);
    let mut taken = vec![false; tasks.len()];
    order[..size].iter().for_each(|i| taken[*i] = true);
    tasks.into_iter().zip(taken).filter(|(_, taken)| *taken).map(|(task, _)| task).collect()
}

fn exists(task: &Task) -> Result<(), Failure> {
    match task.files.iter().find(|file| !file.is_file()) {
        Some(file) => Err(refused(format!("{}: there is no file {}", task.origin, file.display()))),
        None => Ok(()),
    }
}

/// The folder gives the suite its name.
fn parent_name(path: &Path) -> String {
    let folder = path.parent().and_then(Path::file_name);
    folder.map_or_else(|| "tasks".to_owned(), |name| name.to_string_lossy().into_owned())
}

fn model(text: &str, defaults: &Defaults) -> Result<DataModel, String> {
    match text.to_ascii_lowercase().as_str() {
        "" => Ok(defaults.model),
        "lp64" => Ok(DataModel::Lp64),
        "ilp32" => Ok(DataModel::Ilp32),
        _ => Err(format!("‘{text}’ is no data model: there are LP64 and ILP32")),
    }
}

fn refused(message: String) -> Failure {
    Failure::refused(diagnostics::plain(&message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_keep_the_order_and_repeat() {
        let defaults = Defaults { model: DataModel::Lp64, properties: vec![Property::UnreachCall] };
        let file = |i: usize| c_file(Path::new(&format!("{i:03}.c")), "s", &format!("{i:03}.c"), &defaults);
        let tasks: Vec<Task> = (0..100).flat_map(file).collect();
        let names = |seed| sample(tasks.clone(), Some(10), seed).into_iter().map(|t| t.name).collect::<Vec<_>>();
        assert_eq!(names(1).len(), 10);
        assert!(names(1).is_sorted());
        assert_eq!(names(1), names(1));
        assert_ne!(names(1), names(2));
        assert_eq!(sample(tasks.clone(), Some(500), 1).len(), 100);
    }
}
