//! Lists of tasks: tables with a heading (.tsv), and sets of patterns for task definitions (.set).

use std::path::Path;

use verify::Property;

use super::{Defaults, Expected, Found, Task, c_file, definition, model, refused};
use crate::cli::Failure;
use crate::files;

/// The columns `file` and `property` must be there; `suite`, `expected`, `subproperty`, `data_model` and `threads` may be; others are
/// not looked at. Files are relative to the list.
pub fn tsv(path: &Path, defaults: &Defaults, found: &mut Found) -> Result<(), Failure> {
    let text = files::read(path)?;
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let place = |line: usize| format!("{}:{}", path.display(), line + 1);
    let Some((_, heading)) = lines.next() else { return Err(refused(format!("{} is empty", path.display()))) };
    let heading: Vec<&str> = heading.trim_start_matches('\u{feff}').split('\t').map(str::trim).collect();
    if let Some(missing) = ["file", "property"].into_iter().find(|column| !heading.contains(column)) {
        return Err(refused(format!("{}: the heading has no column ‘{missing}’", path.display())));
    }
    for (number, line) in lines {
        let row = Row::new(&heading, line).and_then(|row| row.task(path, place(number), defaults));
        found.tasks.push(row.map_err(|why| refused(format!("{}: {why}", place(number))))?);
    }
    Ok(())
}

struct Row<'r> {
    heading: &'r [&'r str],
    cells: Vec<&'r str>,
}

impl<'r> Row<'r> {
    fn new(heading: &'r [&'r str], line: &'r str) -> Result<Self, String> {
        let cells: Vec<&str> = line.split('\t').map(str::trim).collect();
        match cells.len() == heading.len() {
            true => Ok(Row { heading, cells }),
            false => Err(format!("{} columns, but the heading has {}", cells.len(), heading.len())),
        }
    }

    fn cell(&self, column: &str) -> Option<&'r str> {
        let position = self.heading.iter().position(|name| *name == column)?;
        Some(self.cells[position]).filter(|cell| !cell.is_empty())
    }

    fn task(&self, list: &Path, origin: String, defaults: &Defaults) -> Result<Task, String> {
        let name = self.cell("file").ok_or("the file is missing")?;
        let property = self.cell("property").ok_or("the property is missing")?;
        let stem = || list.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        Ok(Task {
            suite: self.cell("suite").map_or_else(stem, str::to_owned),
            name: name.to_owned(),
            files: vec![list.parent().unwrap_or(Path::new("")).join(name)],
            property: Property::from_name(property).ok_or_else(|| no_property(property))?,
            property_file: None,
            expected: self.expected()?,
            model: model(self.cell("data_model").unwrap_or(""), defaults)?,
            threads: self.threads()?,
            origin,
        })
    }

    fn expected(&self) -> Result<Option<Expected>, String> {
        match self.cell("expected") {
            None | Some("unknown") => Ok(None),
            Some("true") => Ok(Some(Expected::True)),
            Some("false") => Ok(Some(Expected::False(self.cell("subproperty").map(str::to_owned)))),
            Some(other) => Err(format!("‘{other}’ is no verdict: there are true, false, unknown and nothing")),
        }
    }

    fn threads(&self) -> Result<Option<bool>, String> {
        match self.cell("threads") {
            None => Ok(None),
            Some("yes") => Ok(Some(true)),
            Some("no") => Ok(Some(false)),
            Some(other) => Err(format!("threads is ‘{other}’, but there are yes, no and nothing")),
        }
    }
}

fn no_property(name: &str) -> String {
    let names: Vec<_> = Property::ALL.iter().map(|property| property.name()).collect();
    format!("there is no property ‘{name}’, but there are {}", names.join(", "))
}

/// A pattern a line, relative to the set; `#` begins a comment.
pub fn set(path: &Path, defaults: &Defaults, found: &mut Found) -> Result<(), Failure> {
    let text = files::read(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let suite = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    for (number, line) in text.lines().enumerate() {
        let pattern = line.split('#').next().unwrap_or("").trim();
        if pattern.is_empty() {
            continue;
        }
        let place = format!("{}:{}", path.display(), number + 1);
        let whole = Path::new(&glob::Pattern::escape(&folder.to_string_lossy())).join(pattern);
        let files = glob::glob(&whole.to_string_lossy()).map_err(|error| refused(format!("{place}: {error}")))?;
        let files: Vec<_> = files.flatten().collect();
        if files.is_empty() {
            found.notes.push(format!("{place}: no file is meant by {pattern}"));
        }
        for file in files {
            member(&file, folder, &suite, defaults, found)?;
        }
    }
    Ok(())
}

fn member(file: &Path, folder: &Path, suite: &str, defaults: &Defaults, found: &mut Found) -> Result<(), Failure> {
    let name = file.strip_prefix(folder).unwrap_or(file).display().to_string();
    match file.extension().and_then(|ending| ending.to_str()) {
        Some("yml" | "yaml") => definition::read(file, suite, &name, defaults, found),
        Some("c" | "i") => {
            found.tasks.extend(c_file(file, suite, &name, defaults));
            Ok(())
        }
        _ => Err(refused(format!("{}: {} is neither a task definition nor C", suite, file.display()))),
    }
}
