//! The values of numbers, characters and strings, as gcc reads them.

use std::borrow::Cow;

use super::{ESCAPED_BYTE, splice_length};
use crate::ast::{Encoding, FloatSuffix, IntSuffix};

#[derive(Debug, PartialEq)]
pub(crate) enum Number {
    Int { value: u128, suffix: IntSuffix, decimal: bool },
    Float { digits: String, suffix: FloatSuffix },
}

/// Removes spliced lines.
pub(crate) fn joined(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut result = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        let length = splice_length(&rest.as_bytes()[at..]);
        // An escaped backslash must not be taken for the start of a splice.
        let kept = if length > 0 { at } else { (at + 2).min(rest.len()) };
        let kept = (kept..=rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        result.push_str(&rest[..kept]);
        rest = &rest[kept + length..];
    }
    result.push_str(rest);
    Cow::Owned(result)
}

/// Also ACSL's `\true` and `\false`.
pub(crate) fn number(text: &str) -> Result<Number, String> {
    if text.starts_with('\\') {
        return Ok(Number::Int { value: u128::from(text == "\\true"), suffix: IntSuffix::default(), decimal: true });
    }
    let text = &*joined(text);
    let lower = text.as_bytes().get(1).map(u8::to_ascii_lowercase);
    let (radix, body) = match (text.as_bytes()[0], lower) {
        (b'0', Some(b'x')) => (16, &text[2..]),
        (b'0', Some(b'b')) => (2, &text[2..]),
        _ => (10, text),
    };
    let digits = body.bytes().take_while(|b| (*b as char).is_digit(if radix == 16 { 16 } else { 10 })).count();
    let is_float = match body.as_bytes().get(digits) {
        Some(b'.') => true,
        Some(b'e' | b'E') => radix == 10,
        Some(b'p' | b'P') => radix == 16,
        _ => false,
    };
    match is_float {
        true => float(text, radix == 16),
        false => integer(text, radix, &body[..digits], &body[digits..]),
    }
}

fn integer(text: &str, radix: u32, digits: &str, suffix: &str) -> Result<Number, String> {
    let octal = radix == 10 && digits.starts_with('0');
    let base = if octal { 8 } else { radix };
    if digits.is_empty() {
        return Err(format!("the number ‘{text}’ has no digits"));
    }
    let mut value: u128 = 0;
    for digit in digits.chars() {
        let Some(digit) = digit.to_digit(base) else {
            let kind = if octal { "octal" } else { "binary" };
            return Err(format!("invalid digit ‘{digit}’ in the {kind} constant ‘{text}’"));
        };
        value = value.wrapping_mul(u128::from(base)).wrapping_add(u128::from(digit));
    }
    let bad_suffix = || format!("invalid suffix ‘{suffix}’ on the integer constant ‘{text}’");
    let (plain, imaginary) = without_imaginary(suffix);
    let suffix = integer_suffix(&plain).ok_or_else(bad_suffix)?;
    match imaginary {
        true => Ok(Number::Float { digits: digits.to_owned(), suffix: FloatSuffix::Imaginary }),
        false => Ok(Number::Int { value, suffix, decimal: radix == 10 && !octal }),
    }
}

fn integer_suffix(suffix: &str) -> Option<IntSuffix> {
    let (unsigned, longs) = match suffix {
        "" => (false, ""),
        _ if suffix.starts_with(['u', 'U']) => (true, &suffix[1..]),
        _ if suffix.ends_with(['u', 'U']) => (true, &suffix[..suffix.len() - 1]),
        _ => (false, suffix),
    };
    let longs = match longs {
        "" => 0,
        "l" | "L" => 1,
        "ll" | "LL" => 2,
        _ => return None,
    };
    Some(IntSuffix { unsigned, longs })
}

fn without_imaginary(suffix: &str) -> (Cow<'_, str>, bool) {
    match suffix.find(['i', 'I', 'j', 'J']) {
        Some(at) => (Cow::Owned(format!("{}{}", &suffix[..at], &suffix[at + 1..])), true),
        None => (Cow::Borrowed(suffix), false),
    }
}

fn float(text: &str, hexadecimal: bool) -> Result<Number, String> {
    let bytes = text.as_bytes();
    let digits = |from: usize| {
        let is_digit = |b: &&u8| if hexadecimal { b.is_ascii_hexdigit() } else { b.is_ascii_digit() };
        bytes[from..].iter().take_while(is_digit).count()
    };
    let first = if hexadecimal { 2 } else { 0 };
    let whole = digits(first);
    let mut end = first + whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = digits(end + 1);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return Err(format!("the number ‘{text}’ has no digits"));
    }
    let mark = if hexadecimal { b'p' } else { b'e' };
    if bytes.get(end).map(u8::to_ascii_lowercase) == Some(mark) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let power = bytes[end + 1 + sign..].iter().take_while(|b| b.is_ascii_digit()).count();
        if power == 0 {
            return Err(format!("the exponent of ‘{text}’ has no digits"));
        }
        end += 1 + sign + power;
    } else if hexadecimal {
        return Err(format!("the hexadecimal floating constant ‘{text}’ needs an exponent"));
    }
    let suffix = float_suffix(&text[end..])
        .ok_or_else(|| format!("invalid suffix ‘{}’ on the floating constant ‘{text}’", &text[end..]))?;
    Ok(Number::Float { digits: text[..end].to_owned(), suffix })
}

fn float_suffix(suffix: &str) -> Option<FloatSuffix> {
    let (plain, imaginary) = without_imaginary(suffix);
    let suffix = match &*plain {
        "" | "d" | "D" | "f64" | "F64" | "f32x" | "F32x" => FloatSuffix::None,
        "f" | "F" | "f32" | "F32" => FloatSuffix::F,
        "l" | "L" | "w" | "W" | "f64x" | "F64x" => FloatSuffix::L,
        "q" | "Q" | "f128" | "F128" => FloatSuffix::Q,
        _ => return None,
    };
    Some(if imaginary { FloatSuffix::Imaginary } else { suffix })
}

/// Splits a literal into its encoding, whether it is raw, and the rest from the quote on.
fn prefix(text: &str) -> (Encoding, bool, &str) {
    let quote = text.find(['"', '\'']).unwrap_or(0);
    let word = joined(&text[..quote]);
    let raw = word.ends_with('R');
    let encoding = match word.trim_end_matches('R') {
        "L" => Encoding::Wide,
        "u" => Encoding::Utf16,
        "U" => Encoding::Utf32,
        "u8" => Encoding::Utf8,
        _ => Encoding::Plain,
    };
    (encoding, raw, &text[quote..])
}

pub(crate) fn encoding(text: &str) -> Encoding {
    prefix(text).0
}

/// Appends the code units of one string literal, read in `encoding`.
pub(crate) fn string_units(text: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let (_, raw, quoted) = prefix(text);
    if raw {
        let open = quoted.find('(').unwrap_or(0);
        let body = &quoted[open + 1..quoted.len() - open - 1];
        body.chars().for_each(|character| push_character(character, encoding, units));
        return Ok(());
    }
    let text = joined(text);
    let (_, _, quoted) = prefix(&text);
    let body = &quoted[1..quoted.len() - 1];
    if encoding_of_bytes(encoding) && body.is_ascii() && !body.contains('\\') {
        units.extend(body.bytes().map(u32::from));
        return Ok(());
    }
    escaped_units(body, encoding, units)
}

/// The value of a character constant: what gcc's `int` holds, as bits. A plain `'\xff'` is therefore 0xffffffff.
pub(crate) fn character(text: &str) -> Result<(u32, Encoding), String> {
    let text = joined(text);
    let (encoding, _, quoted) = prefix(&text);
    let mut units = Vec::new();
    escaped_units(&quoted[1..quoted.len() - 1], encoding, &mut units)?;
    let value = match (encoding, units.as_slice()) {
        (_, []) => return Err("this character constant is empty".to_owned()),
        (Encoding::Plain, [unit]) => *unit as u8 as i8 as u32,
        (Encoding::Plain, units) => units.iter().fold(0, |value: u32, unit| value << 8 | unit & 0xff),
        // Of several wide characters gcc keeps the last.
        (_, units) => units[units.len() - 1],
    };
    Ok((value, encoding))
}

fn encoding_of_bytes(encoding: Encoding) -> bool {
    matches!(encoding, Encoding::Plain | Encoding::Utf8)
}

fn escaped_units(body: &str, encoding: Encoding, units: &mut Vec<u32>) -> Result<(), String> {
    let mut rest = body;
    while let Some(character) = rest.chars().next() {
        rest = &rest[character.len_utf8()..];
        match character {
            '\\' => rest = escape(rest, encoding, units)?,
            _ => push_character(character, encoding, units),
        }
    }
    Ok(())
}

fn push_character(character: char, encoding: Encoding, units: &mut Vec<u32>) {
    let code = character as u32;
    match encoding {
        _ if code > ESCAPED_BYTE => units.push(code - ESCAPED_BYTE),
        Encoding::Plain | Encoding::Utf8 => {
            units.extend(character.encode_utf8(&mut [0; 4]).bytes().map(u32::from));
        }
        Encoding::Utf16 => units.extend(character.encode_utf16(&mut [0; 2]).iter().map(|&unit| u32::from(unit))),
        Encoding::Utf32 | Encoding::Wide => units.push(code),
    }
}

/// Reads what follows a backslash and returns the rest.
fn escape<'t>(rest: &'t str, encoding: Encoding, units: &mut Vec<u32>) -> Result<&'t str, String> {
    let Some(character) = rest.chars().next() else { return Ok(rest) };
    let mask = match encoding {
        Encoding::Plain | Encoding::Utf8 => 0xff,
        Encoding::Utf16 => 0xffff,
        Encoding::Utf32 | Encoding::Wide => u32::MAX,
    };
    let behind = &rest[character.len_utf8()..];
    let unit = match character {
        'n' => b'\n',
        't' => b'\t',
        'r' => b'\r',
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '0'..='7' => {
            let length = rest.bytes().take(3).take_while(|b| (b'0'..=b'7').contains(b)).count();
            units.push(u32::from_str_radix(&rest[..length], 8).unwrap_or(0) & mask);
            return Ok(&rest[length..]);
        }
        'x' => {
            let length = behind.bytes().take_while(u8::is_ascii_hexdigit).count();
            if length == 0 {
                return Err("‘\\x’ is followed by no hexadecimal digits".to_owned());
            }
            let value = behind[..length].chars().filter_map(|c| c.to_digit(16)).fold(0u32, |v, digit| v << 4 | digit);
            units.push(value & mask);
            return Ok(&behind[length..]);
        }
        'u' | 'U' => {
            let Some((character, length)) = universal_name(rest) else {
                return Err(format!("‘\\{character}’ is not followed by the digits of a character"));
            };
            push_character(character, encoding, units);
            return Ok(&rest[length..]);
        }
        other => {
            push_character(other, encoding, units);
            return Ok(behind);
        }
    };
    units.push(u32::from(unit));
    Ok(behind)
}

/// Reads `uXXXX` or `UXXXXXXXX`: the character and how many bytes it took.
pub(crate) fn universal_name(rest: &str) -> Option<(char, usize)> {
    let length = match rest.bytes().next()? {
        b'u' => 5,
        b'U' => 9,
        _ => return None,
    };
    let digits = rest.get(1..length)?;
    if !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
        return None;
    }
    char::from_u32(u32::from_str_radix(digits, 16).ok()?).map(|character| (character, length))
}

/// A name in double quotes as line markers and `_Pragma` write it, and what follows.
pub(super) fn unquote(text: &str) -> Option<(String, &str)> {
    let body = text.strip_prefix('L').unwrap_or(text).strip_prefix('"')?;
    let mut name = String::new();
    let mut characters = body.char_indices();
    while let Some((at, character)) = characters.next() {
        match character {
            '"' => return Some((name, &body[at + 1..])),
            '\\' => name.extend(characters.next().map(|(_, escaped)| escaped)),
            _ => name.push(character),
        }
    }
    None
}
