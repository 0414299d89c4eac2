//! Integer conversions.

use super::Field;
use super::directive::{Case, Directive, Flags, Radix};

pub fn signed(directive: &Directive, value: i64) -> Field {
    let digits = digits(directive, Radix::Decimal, value.unsigned_abs());
    field(directive, sign(directive.flags, value < 0).to_vec(), digits)
}

pub fn unsigned(directive: &Directive, radix: Radix, value: u64) -> Field {
    let mut digits = digits(directive, radix, value);
    let mut prefix = Vec::new();
    if directive.flags.alternate {
        match radix {
            Radix::Octal if digits.first() != Some(&b'0') => digits.insert(0, b'0'),
            Radix::Hexadecimal(case) if value != 0 => prefix.extend(base_prefix(case, b'x')),
            Radix::Binary(case) if value != 0 => prefix.extend(base_prefix(case, b'b')),
            Radix::Octal | Radix::Decimal | Radix::Hexadecimal(_) | Radix::Binary(_) => {}
        }
    }
    field(directive, prefix, digits)
}

/// Like a number in hexadecimal, except that glibc heeds the flags for signs.
pub fn pointer(directive: &Directive, address: u64) -> Field {
    let mut prefix = sign(directive.flags, false).to_vec();
    prefix.extend(base_prefix(Case::Lower, b'x'));
    field(directive, prefix, digits(directive, Radix::Hexadecimal(Case::Lower), address))
}

pub fn sign(flags: Flags, negative: bool) -> &'static [u8] {
    match (negative, flags.plus, flags.space) {
        (true, _, _) => b"-",
        (false, true, _) => b"+",
        (false, false, true) => b" ",
        (false, false, false) => b"",
    }
}

pub fn base_prefix(case: Case, letter: u8) -> [u8; 2] {
    match case {
        Case::Lower => [b'0', letter],
        Case::Upper => [b'0', letter.to_ascii_uppercase()],
    }
}

fn field(directive: &Directive, prefix: Vec<u8>, body: Vec<u8>) -> Field {
    Field { prefix, body, zero_pads: directive.precision.is_none() }
}

/// At least as many as the precision says; none for zero with precision zero.
fn digits(directive: &Directive, radix: Radix, value: u64) -> Vec<u8> {
    let digits = match radix {
        _ if value == 0 => String::new(),
        Radix::Binary(_) => format!("{value:b}"),
        Radix::Octal => format!("{value:o}"),
        Radix::Decimal => value.to_string(),
        Radix::Hexadecimal(Case::Lower) => format!("{value:x}"),
        Radix::Hexadecimal(Case::Upper) => format!("{value:X}"),
    };
    let zeros = directive.precision.unwrap_or(1).saturating_sub(digits.len());
    let mut padded = vec![b'0'; zeros];
    padded.extend(digits.into_bytes());
    padded
}
