//! Running the binary, for all tests of the command line.
#![allow(dead_code)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn heddle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_heddle")).args(arguments).output().expect("heddle runs")
}

/// A folder of its own for each test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("the folder can be made");
        Folder(path)
    }

    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a readable path").to_owned()
    }

    pub fn file(&self, name: &str, contents: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), contents).expect("the file can be written");
        self.path(name)
    }
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

pub fn example(name: &str) -> String {
    format!("{}/../../examples/{name}.c", env!("CARGO_MANIFEST_DIR"))
}

/// What the user typed cannot be meant.
pub fn misused(arguments: &[&str], what: &str) {
    let output = heddle(arguments);
    assert_eq!(output.status.code(), Some(64), "{}", stderr(&output));
    assert!(output.stdout.is_empty());
    assert!(stderr(&output).contains(what), "{:?} does not say {what:?}", stderr(&output));
}

/// Refused with exit code 3, nothing on standard output and exactly one error, which says `what`.
pub fn refused(arguments: &[&str], what: &str) {
    let output = heddle(arguments);
    let errors = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{errors}");
    assert_eq!(stdout(&output), "", "nothing is half-written");
    assert_eq!(errors.lines().filter(|line| line.starts_with("error: ")).count(), 1, "{errors}");
    assert!(errors.contains(what), "{errors:?} does not say {what:?}");
}
