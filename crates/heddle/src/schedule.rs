//! Schedules as files: which program they are for, then the steps, then how many there were, so that a part of one is known for
//! what it is.

use std::path::Path;

use c_front::preprocess::Loaded;
use semantics::Trace;

use crate::cli::{DataModel, Failure};
use crate::{diagnostics, files};

const TITLE: &str = "heddle schedule 1";

/// What identifies a program: its preprocessed texts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    data_model: &'static str,
    files: Vec<(String, u64)>,
}

impl Identity {
    pub fn of(loaded: &[Loaded], data_model: DataModel) -> Identity {
        let data_model = match data_model {
            DataModel::Lp64 => "lp64",
            DataModel::Ilp32 => "ilp32",
        };
        let files = loaded.iter().map(|file| (file.name.clone(), hash(&file.text))).collect();
        Identity { data_model, files }
    }
}

/// FNV-1a over the lines that are not markers of the preprocessor: those hold the path by which a file was named.
fn hash(text: &str) -> u64 {
    let own = text.lines().filter(|line| !line.starts_with('#'));
    let bytes = own.flat_map(|line| line.bytes().chain([b'\n']));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

pub fn write(path: &Path, identity: &Identity, trace: &Trace) -> Result<(), Failure> {
    let mut text = format!("{TITLE}\ndata-model {}\n", identity.data_model);
    for (name, hash) in &identity.files {
        text += &format!("file {hash:016x} {}\n", name.replace('\n', " "));
    }
    text += &trace.to_text();
    text += &format!("end {}\n", trace.steps.len());
    files::write(path, &text)
}

/// A schedule for this program.
pub fn read(path: &Path, identity: &Identity) -> Result<Trace, Failure> {
    let text = files::read(path)?;
    parse(&text, identity).map_err(|why| Failure::refused(diagnostics::plain(&format!("{}{why}", path.display()))))
}

/// On failure what follows the file's name: `:3: …`.
fn parse(text: &str, identity: &Identity) -> Result<Trace, String> {
    let mut lines = text.lines().enumerate().map(|(i, line)| (i + 1, line)).peekable();
    match lines.next() {
        Some((_, TITLE)) => {}
        Some((_, line)) if line.starts_with("heddle schedule ") => {
            return Err(":1: a schedule of another version of Heddle".to_owned());
        }
        _ => return Err(":1: not a schedule (its first line is not ‘heddle schedule 1’)".to_owned()),
    }
    match lines.next().and_then(|(_, line)| line.strip_prefix("data-model ")) {
        Some(model) if model == identity.data_model => {}
        Some(model) => return Err(format!(":2: made for --data-model {model}")),
        None => return Err(":2: the data model is missing".to_owned()),
    }
    let mut hashes = Vec::new();
    while let Some((number, line)) = lines.next_if(|(_, line)| line.starts_with("file ")) {
        let hash = line.split(' ').nth(1).and_then(|word| u64::from_str_radix(word, 16).ok());
        hashes.push(hash.ok_or(format!(":{number}: expected ‘file HASH NAME’"))?);
    }
    if hashes != identity.files.iter().map(|(_, hash)| *hash).collect::<Vec<_>>() {
        return Err(": made for another program: the preprocessed text differs (were -I or -D different?)".to_owned());
    }
    steps(lines)
}

fn steps<'t>(lines: impl Iterator<Item = (usize, &'t str)>) -> Result<Trace, String> {
    let mut body: Vec<(usize, &str)> = lines.collect();
    let count = body.pop().and_then(|(_, line)| line.strip_prefix("end ")).and_then(|n| n.parse::<usize>().ok());
    let count = count.ok_or(": the schedule is cut off: it does not end with ‘end N’")?;
    let first = body.first().map_or(0, |(number, _)| *number);
    let text: String = body.iter().flat_map(|(_, line)| [*line, "\n"]).collect();
    let wrong = |line: usize| format!(":{}: expected ‘THREAD EDGE CHOICE…’ in numbers", first + line - 1);
    let trace = Trace::from_text(&text).map_err(wrong)?;
    match trace.steps.len() == count {
        true => Ok(trace),
        false => Err(format!(": {} steps are there, {count} were written", trace.steps.len())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_schedule_is_told() {
        let identity = Identity { data_model: "lp64", files: vec![("x.c".to_owned(), 7)] };
        let head = "heddle schedule 1\ndata-model lp64\nfile 0000000000000007 x.c\n";
        let parsed = |text: &str| parse(text, &identity);
        assert_eq!(parsed(&format!("{head}start\n0 1\n1 2 3\nend 2\n")).unwrap().steps.len(), 2);
        assert!(parsed("").unwrap_err().contains("not a schedule"));
        assert!(parsed(&head.replace("lp64", "ilp32")).unwrap_err().contains("ilp32"));
        assert!(parsed(&head.replace("07", "08")).unwrap_err().contains("another program"));
        assert!(parsed(&format!("{head}start\n0 1\n")).unwrap_err().contains("cut off"));
        assert!(parsed(&format!("{head}start\n0 1\nend 2\n")).unwrap_err().contains("1 steps"));
        assert!(parsed(&format!("{head}start\n0 x\nend 1\n")).unwrap_err().starts_with(":5:"));
    }

    #[test]
    fn the_path_of_a_file_does_not_matter() {
        assert_eq!(hash("# 1 \"a.c\"\nint x;\n"), hash("# 1 \"b/a.c\"\nint x;\n"));
        assert_ne!(hash("int x;\n"), hash("int y;\n"));
    }
}
