//! Task definitions of the software verification competition: a YAML file that names input files, properties and verdicts.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use verify::Property;

use super::{Defaults, Expected, Found, Task, model, refused};
use crate::cli::Failure;
use crate::files;

#[derive(Deserialize)]
struct Definition {
    input_files: Files,
    #[serde(default)]
    properties: Vec<Entry>,
    #[serde(default)]
    options: Options,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Several(Vec<String>),
}

#[derive(Deserialize)]
struct Entry {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Default, Deserialize)]
struct Options {
    data_model: Option<String>,
}

/// One task for each property that is known; coverage and the like are passed over.
pub fn read(path: &Path, suite: &str, name: &str, defaults: &Defaults, found: &mut Found) -> Result<(), Failure> {
    let wrong = |why: &str| refused(format!("{}: {why}", path.display()));
    let text = files::read(path)?;
    let definition: Definition = serde_saphyr::from_str(&text).map_err(|error| wrong(&first_line(&error)))?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let names = match definition.input_files {
        Files::One(file) => vec![file],
        Files::Several(files) => files,
    };
    if names.is_empty() {
        return Err(wrong("input_files is empty"));
    }
    let inputs: Vec<PathBuf> = names.iter().map(|file| folder.join(file)).collect();
    let model = model(definition.options.data_model.as_deref().unwrap_or(""), defaults).map_err(|why| wrong(&why))?;
    for entry in definition.properties {
        let file = folder.join(&entry.property_file);
        let Some(property) = property(&file) else {
            found.notes.push(format!("{}: the property of {} is not known", path.display(), entry.property_file));
            continue;
        };
        found.tasks.push(Task {
            suite: suite.to_owned(),
            name: name.to_owned(),
            files: inputs.clone(),
            property,
            expected: entry.expected_verdict.map(|holds| match holds {
                true => Expected::True,
                false => Expected::False(entry.subproperty),
            }),
            property_file: Some(file).filter(|file| file.is_file()),
            model,
            threads: None,
            origin: path.display().to_string(),
        });
    }
    Ok(())
}

/// By the text of the file; if there is none, by its name.
fn property(file: &Path) -> Option<Property> {
    let by_name = || Property::from_name(file.file_stem()?.to_str()?);
    let Ok(text) = files::read(file) else { return by_name() };
    match Property::from_file_text(&text).as_deref() {
        Ok([property]) => Some(*property),
        _ => by_name(),
    }
}

/// The rest of the message is an excerpt.
fn first_line(error: &serde_saphyr::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or("it is no YAML").trim_start_matches("error: ").to_owned()
}
