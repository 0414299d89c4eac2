//! Files that are read or written besides the program: whole or not at all.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use crate::cli::Failure;
use crate::diagnostics;

/// Larger ones are not what they are taken for.
const LARGEST: u64 = 1 << 30;

pub fn read(path: &Path) -> Result<String, Failure> {
    let size = fs::metadata(path).map(|data| data.len());
    let text = size.and_then(|size| match size {
        0..=LARGEST => fs::read(path),
        _ => Err(std::io::Error::other("it is larger than 1 GB")),
    });
    let text = text.map_err(|error| error.to_string());
    let text = text.and_then(|bytes| String::from_utf8(bytes).map_err(|_| "it is no text".to_owned()));
    text.map_err(|why| refused(path, &format!("cannot be read: {why}")))
}

/// Before any work is done for it: can a file be made there?
pub fn can_be_made(path: Option<&PathBuf>) -> Result<(), Failure> {
    let Some(path) = path else { return Ok(()) };
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.is_dir(), path.is_dir()) {
        (true, false) => Ok(()),
        (_, true) => Err(refused(path, "cannot be written: it is a directory")),
        _ => Err(refused(path, "cannot be written: there is no such directory")),
    }
}

/// Under another name first, so that half of it is never seen.
pub fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let written = match path.exists() && !path.is_file() {
        // A pipe or device cannot be replaced.
        true => fs::write(path, text),
        false => {
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{}.part", std::process::id()));
            let part = PathBuf::from(name);
            let written = fs::write(&part, text).and_then(|()| fs::rename(&part, path));
            written.inspect_err(|_| {
                let _ = fs::remove_file(&part);
            })
        }
    };
    written.map_err(|error| cannot_be_written(path, &error))
}

/// With those around it; one that exists is as good.
pub fn make_folder(path: &Path) -> Result<(), Failure> {
    fs::create_dir_all(path).map_err(|error| refused(path, &format!("cannot be made: {error}")))
}

pub fn cannot_be_written(path: &Path, error: &std::io::Error) -> Failure {
    refused(path, &format!("cannot be written: {error}"))
}

fn refused(path: &Path, why: &str) -> Failure {
    Failure::refused(diagnostics::plain(&format!("{} {why}", path.display())))
}

/// Lines of the user's files, each file read once.
#[derive(Default)]
pub struct SourceLines {
    files: std::cell::RefCell<BTreeMap<String, Vec<String>>>,
}

impl SourceLines {
    pub fn line(&self, file: &str, line: u32) -> Option<String> {
        let mut files = self.files.borrow_mut();
        let lines = files.entry(file.to_owned()).or_insert_with(|| {
            let readable = fs::metadata(file).is_ok_and(|m| m.is_file() && m.len() <= LARGEST);
            let bytes = readable.then(|| fs::read(file).ok()).flatten().unwrap_or_default();
            String::from_utf8_lossy(&bytes).lines().map(str::to_owned).collect()
        });
        lines.get(line.checked_sub(1)? as usize).cloned()
    }
}
