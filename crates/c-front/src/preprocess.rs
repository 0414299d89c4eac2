//! From a file's name to the text the lexer reads: the file itself, or what the system's C preprocessor makes of it.

use std::fs;
use std::io::{self, Read};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use thiserror::Error;

use crate::lexer::ESCAPED_BYTE;

/// More text than this is refused, from a file or from the preprocessor.
const MAX_TEXT: u64 = 1 << 30;
const BYTE_ORDER_MARK: &[u8] = "\u{feff}".as_bytes();
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Messages of the preprocessor beyond this are dropped.
const MAX_MESSAGES: u64 = 1 << 20;

#[derive(Clone, Debug, Default)]
pub struct PreprocessOptions {
    pub include_dirs: Vec<PathBuf>,
    /// `NAME` or `NAME=VALUE`.
    pub defines: Vec<String>,
    /// The command to run instead of `cc`; words after the first are its arguments.
    pub cpp: Option<String>,
    /// Preprocess for the 32-bit data model.
    pub m32: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Loaded {
    pub text: String,
    pub name: String,
}

#[derive(Debug, Error)]
pub enum LoadError {
    #[error("{0}: no such file; check the path")]
    Missing(String),
    #[error("{0} is a directory; name a C file in it")]
    Directory(String),
    #[error("{0} is not a regular file; give a .c or .i file")]
    NotRegular(String),
    #[error("{0} cannot be read: {1}")]
    Unreadable(String, io::Error),
    #[error("{0} is empty; a C program is needed")]
    Empty(String),
    #[error("{0} is a binary file, not C text (byte {1} is zero); give the source it was made from")]
    Binary(String, usize),
    #[error("{0} is larger than {limit} MB; split the program", limit = MAX_TEXT >> 20)]
    TooLarge(String),
    #[error(
        "the C preprocessor ‘{command}’, which {file} needs, cannot be run ({reason}); \
         install gcc, name another one with --cpp, or give a preprocessed file (.i)"
    )]
    PreprocessorMissing { file: String, command: String, reason: io::Error },
    #[error("{message}\n --> {place}\nhelp: {help}")]
    PreprocessorFailed { place: String, message: String, help: &'static str },
    #[error(
        "the 32-bit system headers that {file} includes are not installed ({message}); \
         run ‘apt-get install gcc-multilib’, choose the 64-bit data model, or give a preprocessed file (.i)"
    )]
    Headers32Missing { file: String, message: String },
    #[error("the preprocessor did not finish {file} within {limit} s; does it include something endless?", limit = TIME_LIMIT.as_secs())]
    PreprocessorTimeout { file: String },
    #[error("what the preprocessor makes of {file} exceeds {limit} MB; does it include itself?", limit = MAX_TEXT >> 20)]
    OutputTooLarge { file: String },
}

/// Reads `path`. A `.i` file, and one that no preprocessor would change, is taken as it is.
pub fn load(path: &Path, options: &PreprocessOptions) -> Result<Loaded, LoadError> {
    let name = path.display().to_string();
    let bytes = read_file(path, &name)?;
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(LoadError::Empty(name));
    }
    let preprocessed = path.extension().is_some_and(|extension| extension == "i");
    let bytes = match preprocessed || options.defines.is_empty() && stands_alone(&bytes) {
        true => bytes,
        false => preprocess(path, &name, &bytes, options)?,
    };
    Ok(Loaded { text: text_of(bytes), name })
}

fn read_file(path: &Path, name: &str) -> Result<Vec<u8>, LoadError> {
    let unreadable = |error: io::Error| match error.kind() {
        io::ErrorKind::NotFound => LoadError::Missing(name.to_owned()),
        _ => LoadError::Unreadable(name.to_owned(), error),
    };
    // Before opening: opening a pipe would wait for a writer.
    let kind = fs::metadata(path).map_err(unreadable)?.file_type();
    if kind.is_dir() {
        return Err(LoadError::Directory(name.to_owned()));
    }
    if !kind.is_file() {
        return Err(LoadError::NotRegular(name.to_owned()));
    }
    let mut bytes = Vec::new();
    let file = fs::File::open(path).map_err(unreadable)?;
    file.take(MAX_TEXT + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() as u64 > MAX_TEXT {
        return Err(LoadError::TooLarge(name.to_owned()));
    }
    match bytes.iter().position(|&byte| byte == 0) {
        Some(position) => Err(LoadError::Binary(name.to_owned(), position)),
        None => Ok(bytes),
    }
}

/// Bytes that are not UTF-8 become characters from which literals get the byte back.
fn text_of(mut bytes: Vec<u8>) -> String {
    // A byte-order mark is no column of the first line.
    if bytes.starts_with(BYTE_ORDER_MARK) {
        bytes.drain(..BYTE_ORDER_MARK.len());
    }
    let bytes = match String::from_utf8(bytes) {
        Ok(text) => return text,
        Err(error) => error.into_bytes(),
    };
    let mut text = String::with_capacity(bytes.len() + bytes.len() / 8);
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().filter_map(|&byte| char::from_u32(ESCAPED_BYTE + u32::from(byte))));
    }
    text
}

/// Whether preprocessing would not change the program: no directive but line markers and pragmas, and no name that
/// the compiler may have predefined.
fn stands_alone(bytes: &[u8]) -> bool {
    bytes.split(|&byte| byte == b'\n').all(|line| !needs_preprocessor(line)) && !words(bytes).any(may_be_predefined)
}

fn needs_preprocessor(line: &[u8]) -> bool {
    let line = line.trim_ascii_start();
    let Some(rest) = line.strip_prefix(b"#").or_else(|| line.strip_prefix(b"%:")) else { return line.ends_with(b"\\") };
    let rest = rest.trim_ascii_start();
    !rest.first().is_some_and(u8::is_ascii_digit) && !rest.starts_with(b"pragma")
}

fn words(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').filter(|word| !word.is_empty())
}

fn may_be_predefined(word: &[u8]) -> bool {
    match word {
        b"linux" | b"unix" | b"i386" | b"_LP64" | b"_Pragma" => true,
        b"__linux" | b"__unix" | b"__i386" | b"__x86_64" | b"__amd64" | b"__k8" | b"__i686" => true,
        b"__func__" | b"__FUNCTION__" | b"__PRETTY_FUNCTION__" => false,
        _ => word.starts_with(b"__") && (has_capitals_only(word) || is_target_name(word)),
    }
}

/// `__INT_MAX__`, `__GNUC__` and the like; with digits, without small letters except those of `__x86_64__`.
fn has_capitals_only(word: &[u8]) -> bool {
    word.ends_with(b"__") && word.iter().any(u8::is_ascii_uppercase) && !word.iter().any(u8::is_ascii_lowercase)
}

fn is_target_name(word: &[u8]) -> bool {
    const NAMES: [&[u8]; 14] = [
        b"__linux__",
        b"__unix__",
        b"__gnu_linux__",
        b"__i386__",
        b"__i686__",
        b"__x86_64__",
        b"__amd64__",
        b"__k8__",
        b"__pic__",
        b"__pie__",
        b"__code_model_32__",
        b"__code_model_small__",
        b"__tune_i686__",
        b"__pentiumpro__",
    ];
    NAMES.contains(&word)
}

fn preprocess(path: &Path, name: &str, source: &[u8], options: &PreprocessOptions) -> Result<Vec<u8>, LoadError> {
    let file = || name.to_owned();
    let missing =
        |reason| LoadError::PreprocessorMissing { file: file(), command: program(options).to_owned(), reason };
    let mut child = command(path, source, options).spawn().map_err(missing)?;
    let finished = communicate(&mut child);
    if !matches!(finished, Ok(Finished { output: Some(_), .. })) {
        end(&mut child);
    }
    let Finished { output, messages } = finished.map_err(|Timeout| LoadError::PreprocessorTimeout { file: file() })?;
    let output = output.ok_or_else(|| LoadError::OutputTooLarge { file: file() })?;
    let status = child.wait().map_err(|error| LoadError::Unreadable(file(), error))?;
    match status.code() {
        Some(0) => {}
        Some(NOT_FOUND) => return Err(missing(io::ErrorKind::NotFound.into())),
        Some(NOT_EXECUTABLE) => return Err(missing(io::ErrorKind::PermissionDenied.into())),
        _ => return Err(failure(name, status, &messages, options.m32)),
    }
    match output.iter().position(|&byte| byte == 0) {
        Some(position) => Err(LoadError::Binary(file(), position)),
        None => Ok(output),
    }
}

/// What a shell's exit status says about a command that it could not run.
const NOT_EXECUTABLE: i32 = 126;
const NOT_FOUND: i32 = 127;

fn program(options: &PreprocessOptions) -> &str {
    options.cpp.as_deref().and_then(|command| command.split_ascii_whitespace().next()).unwrap_or("cc")
}

/// The shell between bounds the preprocessor's memory: an include of a device would otherwise take all there is.
fn command(path: &Path, source: &[u8], options: &PreprocessOptions) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -v 4194304; exec \"$@\"", "sh", program(options)]);
    command.args(options.cpp.as_deref().unwrap_or_default().split_ascii_whitespace().skip(1));
    command.args(["-E", "-std=gnu11", "-w"]);
    if options.m32 {
        command.arg("-m32");
    }
    if has_annotations(source) {
        command.arg("-C");
    }
    for directory in &options.include_dirs {
        command.arg("-I").arg(directory);
    }
    for define in &options.defines {
        command.arg("-D").arg(define);
    }
    // A name that begins with a dash must not be taken for an option.
    let dashed = path.to_string_lossy().starts_with('-');
    command.args(["-x", "c"]).arg(if dashed { Path::new(".").join(path) } else { path.to_owned() });
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).env("LC_ALL", "C").process_group(0);
    command
}

fn has_annotations(source: &[u8]) -> bool {
    source.windows(3).any(|three| three == b"//@" || three == b"/*@")
}

struct Timeout;

struct Finished {
    /// None if there was too much.
    output: Option<Vec<u8>>,
    messages: Vec<u8>,
}

/// Reads both pipes at once, so that the child never waits for us while we wait for it.
fn communicate(child: &mut Child) -> Result<Finished, Timeout> {
    let deadline = Instant::now() + TIME_LIMIT;
    let (sender, receiver) = mpsc::channel();
    let pipes: [(_, Option<Box<dyn Read + Send>>, u64); 2] = [
        (Pipe::Output, child.stdout.take().map(|pipe| Box::new(pipe) as _), MAX_TEXT),
        (Pipe::Messages, child.stderr.take().map(|pipe| Box::new(pipe) as _), MAX_MESSAGES),
    ];
    for (which, pipe, limit) in pipes {
        let sender = sender.clone();
        thread::spawn(move || {
            let mut bytes = Vec::new();
            if let Some(mut pipe) = pipe {
                // What was read before an error is still the best there is; the exit status tells the rest.
                let _ = pipe.by_ref().take(limit + 1).read_to_end(&mut bytes);
                if which == Pipe::Messages {
                    let _ = io::copy(&mut pipe, &mut io::sink());
                }
            }
            let _ = sender.send((which, bytes));
        });
    }
    drop(sender);
    let (mut output, mut messages) = (Some(Vec::new()), Vec::new());
    loop {
        match receiver.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok((Pipe::Output, bytes)) if bytes.len() as u64 > MAX_TEXT => {
                return Ok(Finished { output: None, messages });
            }
            Ok((Pipe::Output, bytes)) => output = Some(bytes),
            Ok((Pipe::Messages, bytes)) => messages = bytes,
            Err(RecvTimeoutError::Disconnected) => return Ok(Finished { output: output.take(), messages }),
            Err(RecvTimeoutError::Timeout) => return Err(Timeout),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Pipe {
    Output,
    Messages,
}

/// `cc` is a driver: the work is done by its own child, so the whole process group has to go.
fn end(child: &mut Child) {
    let group = format!("kill -KILL -{}", child.id());
    let _ = Command::new("sh").args(["-c", &group]).stderr(Stdio::null()).status();
    let _ = child.kill();
    let _ = child.wait();
}

fn failure(name: &str, status: ExitStatus, messages: &[u8], m32: bool) -> LoadError {
    let messages = String::from_utf8_lossy(messages);
    let first =
        messages.lines().find(|line| line.contains("error")).or_else(|| messages.lines().find(|l| !l.is_empty()));
    let message = first.map_or_else(|| status.to_string(), |line| line.trim().to_owned());
    let lacks_header = message.contains("No such file or directory");
    let of_libc = ["bits/", "gnu/", "sys/cdefs.h"].iter().any(|part| message.contains(part));
    match m32 && lacks_header && of_libc {
        true => LoadError::Headers32Missing { file: name.to_owned(), message },
        false => refusal(name, &message),
    }
}

/// Takes `file:line:column: error: text` apart.
fn refusal(name: &str, message: &str) -> LoadError {
    let parts = [": fatal error: ", ": error: "].iter().find_map(|separator| message.split_once(separator));
    let (place, text) = parts.unwrap_or((name, message));
    let missing = text.strip_suffix(": No such file or directory").or_else(|| text.strip_suffix(" file not found"));
    let (message, help) = match missing.map(|header| header.trim_matches('\'')) {
        Some(header) => {
            (format!("the included file ‘{header}’ is not found"), "name the directory that holds it with -I DIR")
        }
        None if text.starts_with("#include nested depth") => {
            ("includes are nested too deeply".to_owned(), "does the file include itself? Give it an include guard")
        }
        None if text.starts_with("#error") => {
            (text.to_owned(), "the program asks for other macros: define them with -D NAME or -D NAME=VALUE")
        }
        None => (format!("the preprocessor says: {text}"), "the text must be C that ‘gcc -std=gnu11 -E’ accepts"),
    };
    LoadError::PreprocessorFailed { place: place.to_owned(), message, help }
}

#[cfg(test)]
mod tests;
