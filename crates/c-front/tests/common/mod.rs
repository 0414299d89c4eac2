//! Compares what the front end makes of global objects with what GCC makes of them, byte for byte.
//!
//! GCC is asked for assembly, so that programs for ILP32 need not be run, and the data directives are read back.
#![allow(dead_code)]

use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::process::{Command, Output, Stdio};

use base::{Interner, SourceMap};
use c_front::preprocess::Loaded;
use c_front::typed::{Constant, InitPart, InitValue, Object, Unit};
use c_front::types::{BitRange, DataModel};

pub const MODELS: [DataModel; 2] = [DataModel::Lp64, DataModel::Ilp32];

pub fn analyze(text: &str, model: DataModel) -> (Unit, Interner) {
    let mut sources = SourceMap::new();
    let mut names = Interner::new();
    let file = Loaded { text: text.to_owned(), name: "test.c".to_owned() };
    match c_front::analyze(vec![file], model, &mut sources, &mut names) {
        Ok((unit, _)) => (unit, names),
        Err(errors) => {
            let error = errors.last().expect("a failure has a reason");
            let line = sources.place(error.span).map(|place| place.text.to_owned()).unwrap_or_default();
            panic!("{}: {line}", error.message);
        }
    }
}

/// How many to try: the environment variable if it is set.
pub fn count(variable: &str, default: usize) -> usize {
    match std::env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable} must be a number, not {text:?}")),
        Err(_) => default,
    }
}

/// The initial bytes of every global, as the front end has them. Addresses show as `0xaa` bytes.
pub fn our_images(unit: &Unit, names: &Interner) -> BTreeMap<String, Vec<u8>> {
    let image = |object: &Object| (names.resolve(object.name).to_owned(), image(unit, object));
    unit.objects.iter().filter(|object| object.defined).map(image).collect()
}

fn image(unit: &Unit, object: &Object) -> Vec<u8> {
    let size = unit.types.size_of(object.ty.ty).expect("a defined object is complete");
    let mut bytes = vec![0; size as usize];
    for part in object.init.iter().flat_map(|init| &init.parts) {
        write_part(unit, part, part.offset, &part.repeat, &mut bytes);
    }
    bytes
}

fn write_part(unit: &Unit, part: &InitPart<Constant>, offset: u64, repeat: &[(u64, u64)], out: &mut Vec<u8>) {
    if let Some((&(count, stride), inner)) = repeat.split_first() {
        for index in 0..count {
            write_part(unit, part, offset + index * stride, inner, out);
        }
        return;
    }
    match &part.value {
        InitValue::String(id, length) => {
            let string = &unit.strings[*id];
            for index in 0..*length {
                let value = string.units.get(index as usize).copied().unwrap_or(0);
                let at = offset + index * u64::from(string.unit);
                write_bytes(out, at, u128::from(value), u64::from(string.unit));
            }
        }
        InitValue::Value(value) => {
            let size = unit.types.size_of(part.ty.ty).expect("a scalar has a size");
            match (*value, part.bits) {
                (Constant::Int(value), Some(bits)) => write_bits(out, offset, bits, value),
                (Constant::Int(value) | Constant::Float(value), None) => write_bytes(out, offset, value, size),
                _ => write_bytes(out, offset, u128::MAX / 3 * 2, size),
            }
        }
    }
}

fn write_bytes(out: &mut Vec<u8>, offset: u64, value: u128, size: u64) {
    let (offset, size) = (offset as usize, size as usize);
    if out.len() < offset + size {
        out.resize(offset + size, 0);
    }
    for (index, byte) in out[offset..offset + size].iter_mut().enumerate() {
        *byte = if index < 16 { (value >> (index * 8)) as u8 } else { 0 };
    }
}

fn write_bits(out: &mut Vec<u8>, offset: u64, range: BitRange, value: u128) {
    for bit in 0..u64::from(range.width) {
        let at = offset * 8 + u64::from(range.start) + bit;
        let byte = (at / 8) as usize;
        if out.len() <= byte {
            out.resize(byte + 1, 0);
        }
        let mask = 1 << (at % 8);
        out[byte] = (out[byte] & !mask) | if value >> bit & 1 == 1 { mask } else { 0 };
    }
}

/// The initial bytes of every global of a C text, as GCC has them.
pub fn gcc_images(text: &str, model: DataModel) -> BTreeMap<String, Vec<u8>> {
    parse_assembly(&gcc_assembly(text, model), model)
}

/// The text without the lines that GCC refuses; panics if those are more than a few.
pub fn accepted_lines(text: &str, model: DataModel) -> String {
    let output = gcc(text, model, &["-fsyntax-only"]);
    let messages = String::from_utf8_lossy(&output.stderr);
    let refused: BTreeSet<usize> = messages
        .lines()
        .filter(|line| line.contains("error:"))
        .filter_map(|line| line.strip_prefix("<stdin>:")?.split(':').next()?.parse().ok())
        .collect();
    let lines = text.lines().count();
    assert!(refused.len() * 5 < lines, "gcc refuses {} of {lines} lines:\n{messages}", refused.len());
    let kept = text.lines().enumerate().filter(|(index, _)| !refused.contains(&(index + 1)));
    kept.map(|(_, line)| format!("{line}\n")).collect()
}

fn gcc_assembly(text: &str, model: DataModel) -> String {
    let output = gcc(text, model, &["-S", "-O0", "-fno-pie", "-o", "-"]);
    let messages = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success(),
        "gcc for {model:?} refused the test program (for ILP32 install 'gcc-multilib'):\n{}",
        messages.lines().take(20).collect::<Vec<_>>().join("\n")
    );
    String::from_utf8(output.stdout).expect("assembly is text")
}

fn gcc(text: &str, model: DataModel, arguments: &[&str]) -> Output {
    let flag = match model {
        DataModel::Lp64 => "-m64",
        DataModel::Ilp32 => "-m32",
    };
    let mut child = Command::new("gcc")
        .args(["-std=gnu11", "-w", flag])
        .args(arguments)
        .args(["-x", "c", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("this test compares with GCC: install it with 'apt-get install gcc gcc-multilib'");
    let mut stdin = child.stdin.take().expect("stdin is a pipe");
    let input = text.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("gcc ran");
    writer.join().expect("the writer does not panic").expect("gcc reads its input");
    output
}

/// Reads labels and data directives; everything else in the assembly is of no interest here.
fn parse_assembly(assembly: &str, model: DataModel) -> BTreeMap<String, Vec<u8>> {
    let mut images: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    let mut current: Option<String> = None;
    for line in assembly.lines() {
        let line = line.trim();
        if let Some(label) = line.strip_suffix(':') {
            current = (!label.starts_with(".L")).then(|| label.to_owned());
            if let Some(name) = &current {
                images.insert(name.clone(), Vec::new());
            }
            continue;
        }
        let (directive, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        if directive == ".comm" || directive == ".local" {
            let mut fields = rest.split(',');
            if let (Some(name), Some(size)) = (fields.next(), fields.next()) {
                images.insert(name.to_owned(), vec![0; size.trim().parse().expect("a size")]);
            }
            continue;
        }
        let Some(bytes) = current.as_ref().and_then(|name| images.get_mut(name)) else { continue };
        let word = if model == DataModel::Lp64 { 8 } else { 4 };
        match directive {
            ".byte" => push_values(bytes, rest, 1),
            ".value" | ".word" | ".short" => push_values(bytes, rest, 2),
            ".long" | ".int" => push_values(bytes, rest, 4),
            ".quad" => push_values(bytes, rest, 8.max(word)),
            ".zero" | ".skip" => {
                let count: usize = rest.trim().parse().expect("a size");
                bytes.resize(bytes.len() + count, 0);
            }
            ".string" => {
                push_text(bytes, rest);
                bytes.push(0);
            }
            ".ascii" => push_text(bytes, rest),
            _ => {}
        }
    }
    images
}

fn push_values(bytes: &mut Vec<u8>, list: &str, size: usize) {
    for value in list.split(',') {
        let value = value.trim();
        match value.parse::<i128>() {
            Ok(number) => bytes.extend_from_slice(&number.to_le_bytes()[..size]),
            Err(_) => bytes.extend(std::iter::repeat_n(0xaa, size)),
        }
    }
}

fn push_text(bytes: &mut Vec<u8>, quoted: &str) {
    let inner = quoted.trim().strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).expect("a quoted string");
    let mut chars = inner.bytes().peekable();
    while let Some(byte) = chars.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        let escape = chars.next().expect("an escape is not empty");
        bytes.push(match escape {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'b' => 8,
            b'f' => 12,
            b'0'..=b'7' => {
                let mut value = u32::from(escape - b'0');
                for _ in 0..2 {
                    match chars.peek() {
                        Some(&digit @ b'0'..=b'7') => value = value * 8 + u32::from(digit - b'0'),
                        _ => break,
                    }
                    chars.next();
                }
                value as u8
            }
            other => other,
        });
    }
}

/// GCC gives an object of no size a byte of its own.
fn same(mine: &[u8], theirs: &[u8]) -> bool {
    mine == theirs || (mine.is_empty() && theirs == [0])
}

/// As [`compare`], for programs with functions: only what the front end calls an object is looked at.
pub fn compare_globals(text: &str, model: DataModel, context: impl Fn(&str) -> String) {
    let gcc = gcc_images(text, model);
    let (unit, names) = analyze(text, model);
    let ours = our_images(&unit, &names);
    let mut compared = 0;
    for (name, mine) in &ours {
        let Some(theirs) = gcc.get(name) else { continue };
        compared += 1;
        assert!(same(mine, theirs), "{model:?}: '{name}'\n gcc:  {theirs:02x?}\n ours: {mine:02x?}\n{}", context(name));
    }
    assert!(compared > 0, "no object was compared");
}

/// Panics with the first object whose bytes differ. `context` shows the declarations that matter for it.
pub fn compare(text: &str, model: DataModel, context: impl Fn(&str) -> String) -> usize {
    let gcc = gcc_images(text, model);
    let (unit, names) = analyze(text, model);
    let ours = our_images(&unit, &names);
    assert!(!gcc.is_empty(), "no data was found in GCC's assembly");
    for (name, theirs) in &gcc {
        let mine = ours.get(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert!(
            same(mine, theirs),
            "{model:?}: '{name}' differs\n gcc:  {theirs:02x?}\n ours: {mine:02x?}\n{}",
            context(name)
        );
    }
    gcc.len()
}
