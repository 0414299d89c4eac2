//! Types and global objects.

use std::fmt;

use base::Idx;

use super::expr::constant;
use super::names::Names;
use crate::{Address, AddressBase, Global, GlobalInit, Image, Program, Type, TypeId, Types};

/// How much of an object's contents is shown: rows of 32 bytes that are not zero, pointers, characters of a string.
const MOST_ROWS: usize = 16;
const MOST_POINTERS: usize = 64;
const MOST_CHARACTERS: usize = 200;

pub fn type_name(types: &Types, id: TypeId) -> String {
    if id.index() >= types.len() {
        return id.to_string();
    }
    let mut lengths = String::new();
    let mut at = id;
    while let Type::Array { element, length } = types[at] {
        lengths.push_str(&format!("[{length}]"));
        at = element;
    }
    let element = match &types[at] {
        Type::Scalar { name, .. } | Type::Record { name, .. } => name.to_string(),
        Type::Array { .. } => unreachable!("arrays were peeled off"),
        Type::Bytes { size, .. } => format!("bytes[{size}]"),
    };
    element + &lengths
}

/// The layout of every record.
pub fn records(f: &mut fmt::Formatter<'_>, program: &Program) -> fmt::Result {
    for id in (0..program.types.len()).map(TypeId::from_usize) {
        let Type::Record { name, fields, size, align } = &program.types[id] else { continue };
        writeln!(f, "\n{name}: {}", extent(*size, *align))?;
        for field in fields {
            let ty = type_name(&program.types, field.ty);
            let bits = field.bits.map_or(String::new(), |(start, width)| format!(", bits {start}+{width}"));
            writeln!(f, "  {:<4} {}: {ty}{bits}", field.offset, field.name)?;
        }
    }
    Ok(())
}

pub fn globals(f: &mut fmt::Formatter<'_>, program: &Program, names: &Names) -> fmt::Result {
    if !program.globals.is_empty() {
        writeln!(f)?;
    }
    for (id, global) in program.globals.iter_enumerated() {
        let storage = if global.thread_local { "thread-local" } else { "global" };
        let read_only = if global.read_only { ", read-only" } else { "" };
        let taken = if global.address_taken { ", address taken" } else { "" };
        let ty = type_name(&program.types, global.ty);
        let extent = extent(global.size, global.align);
        write!(f, "{storage} {}: {ty} ({extent}{read_only}{taken})", names.global(id))?;
        match &global.init {
            GlobalInit::Zero => writeln!(f)?,
            GlobalInit::Arbitrary => writeln!(f, " = arbitrary")?,
            GlobalInit::Image(image) => write_image(f, program, names, global, image)?,
        }
    }
    Ok(())
}

fn extent(size: u64, align: u64) -> String {
    format!("{size} byte{}, align {align}", if size == 1 { "" } else { "s" })
}

fn write_image(
    f: &mut fmt::Formatter<'_>,
    program: &Program,
    names: &Names,
    global: &Global,
    image: &Image,
) -> fmt::Result {
    if let (Some(scalar), true) = (program.types.scalar(global.ty), image.pointers.is_empty() && global.size <= 16) {
        let mut bytes = [0; 16];
        let length = image.bytes.len().min(16);
        bytes[..length].copy_from_slice(&image.bytes[..length]);
        f.write_str(" = ")?;
        constant(f, scalar, u128::from_le_bytes(bytes))?;
        return writeln!(f);
    }
    if let (1, [(0, address)]) = (image.pointers.len(), image.pointers.as_slice())
        && program.types.scalar(global.ty).is_some()
    {
        return writeln!(f, " = {}", address_text(names, *address));
    }
    if let Some(text) = as_string(global, image) {
        return writeln!(f, " = {text}");
    }
    writeln!(f, " =")?;
    let mut rows = image.bytes.chunks(32).enumerate().filter(|(_, row)| row.iter().any(|b| *b != 0));
    for (i, row) in rows.by_ref().take(MOST_ROWS) {
        write!(f, "  {:<6}", i * 32)?;
        for word in row.chunks(4) {
            f.write_str(" ")?;
            word.iter().try_for_each(|byte| write!(f, "{byte:02x}"))?;
        }
        writeln!(f)?;
    }
    let more = rows.next().is_some();
    for (offset, address) in image.pointers.iter().take(MOST_POINTERS) {
        writeln!(f, "  {offset:<6} {}", address_text(names, *address))?;
    }
    if more || image.pointers.len() > MOST_POINTERS {
        let pointers =
            if image.pointers.is_empty() { String::new() } else { format!(", {} pointers", image.pointers.len()) };
        writeln!(f, "  … ({} bytes{pointers} in all)", global.size)?;
    }
    Ok(())
}

/// A string literal, without the zero that ends it.
fn as_string(global: &Global, image: &Image) -> Option<String> {
    let length = usize::try_from(global.size).ok()?.checked_sub(1)?;
    let text = image.bytes.get(..length).filter(|_| image.bytes.get(length).is_none_or(|last| *last == 0))?;
    let readable = |byte: &u8| matches!(byte, b'\n' | b'\t' | b'\r' | b' '..=b'~');
    if !global.read_only || !text.iter().all(readable) {
        return None;
    }
    let shown = String::from_utf8_lossy(&text[..length.min(MOST_CHARACTERS)]);
    Some(match length > MOST_CHARACTERS {
        true => format!("{shown:?} … ({} bytes in all)", global.size),
        false => format!("{shown:?}"),
    })
}

fn address_text(names: &Names, address: Address) -> String {
    let base = match address.base {
        AddressBase::Global(id) => names.global(id),
        AddressBase::Function(id) => names.function(id),
    };
    match address.offset {
        0 => format!("&{base}"),
        offset if offset < 0 => format!("&{base} - {}", offset.unsigned_abs()),
        offset => format!("&{base} + {offset}"),
    }
}
