//! The `printf` family as a pure function, byte for byte as glibc does it in the C locale.

mod decimal;
mod directive;
mod float;
mod integer;

use program::FloatKind;
use thiserror::Error;

use directive::{Conversion, Directive, Flags, Length};

/// More bytes than this from one directive are an error: no program under verification means them.
pub const LONGEST: usize = 1 << 24;

/// Where a format takes its arguments from. `None` stops the formatting: there is no such argument, or it cannot be read.
pub trait Arguments {
    /// The bits of an integer passed as `bits` wide, which is 32 or 64.
    fn integer(&mut self, bits: u8) -> Option<u64>;
    fn double(&mut self) -> Option<(FloatKind, u128)>;
    fn long_double(&mut self) -> Option<(FloatKind, u128)>;
    /// The address of a pointer; 0 for null.
    fn pointer(&mut self) -> Option<u64>;
    /// The bytes before the terminator, which need not be there if `max` bytes come first.
    fn string(&mut self, max: Option<usize>) -> Option<Text<u8>>;
    fn wide_string(&mut self, max: Option<usize>) -> Option<Text<u32>>;
    /// `%n`: stores to where the argument points, as an integer of `bits`.
    fn store_count(&mut self, bits: u8, count: u64) -> Option<()>;
}

/// What a string argument points to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Text<C> {
    Null,
    Characters(Vec<C>),
}

/// `position` is that of the directive's `%` in the template.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum FormatError {
    #[error("the directive at byte {position} of the format is not valid")]
    Directive { position: usize },
    #[error("the directive at byte {position} of the format has no readable argument")]
    Argument { position: usize },
    #[error("the directive at byte {position} of the format writes too much")]
    TooLong { position: usize },
    /// `printf` fails with `EILSEQ`.
    #[error("the directive at byte {position} of the format prints a wide character that is not ASCII")]
    WideCharacter { position: usize },
}

/// Appends what `template` makes of `args` to `out` and returns how many bytes that were. `long_bits` is the width of `long`,
/// and so of `size_t` and `ptrdiff_t`. On an error `out` holds what was printed before the directive that failed.
pub fn format(
    template: &[u8],
    long_bits: u8,
    args: &mut dyn Arguments,
    out: &mut Vec<u8>,
) -> Result<usize, FormatError> {
    let start = out.len();
    let mut position = 0;
    while let Some(plain) = template[position..].iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&template[position..position + plain]);
        position += plain;
        let (directive, length) = Directive::read(&template[position..], args).map_err(|why| why.at(position))?;
        let mut printer = Printer { directive, long_bits, written: out.len() - start, args, out };
        printer.print().map_err(|why| why.at(position))?;
        position += length;
    }
    out.extend_from_slice(&template[position..]);
    Ok(out.len() - start)
}

/// A [`FormatError`] before its position is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Failure {
    Directive,
    Argument,
    TooLong,
    WideCharacter,
}

impl Failure {
    fn at(self, position: usize) -> FormatError {
        match self {
            Failure::Directive => FormatError::Directive { position },
            Failure::Argument => FormatError::Argument { position },
            Failure::TooLong => FormatError::TooLong { position },
            Failure::WideCharacter => FormatError::WideCharacter { position },
        }
    }
}

/// What one directive prints, before padding.
struct Field {
    /// Sign and base, which zeros follow.
    prefix: Vec<u8>,
    body: Vec<u8>,
    /// May the `0` flag pad between the two?
    zero_pads: bool,
}

impl Field {
    fn text(body: Vec<u8>) -> Field {
        Field { prefix: Vec::new(), body, zero_pads: false }
    }

    fn write(self, flags: Flags, width: usize, out: &mut Vec<u8>) {
        let padding = width.saturating_sub(self.prefix.len() + self.body.len());
        let (spaces, zeros) = if self.zero_pads && flags.zero && !flags.left { (0, padding) } else { (padding, 0) };
        let (before, after) = if flags.left { (0, spaces) } else { (spaces, 0) };
        out.resize(out.len() + before, b' ');
        out.extend(self.prefix);
        out.resize(out.len() + zeros, b'0');
        out.extend(self.body);
        out.resize(out.len() + after, b' ');
    }
}

struct Printer<'a> {
    directive: Directive,
    long_bits: u8,
    /// Bytes before this directive.
    written: usize,
    args: &'a mut dyn Arguments,
    out: &'a mut Vec<u8>,
}

impl Printer<'_> {
    fn print(&mut self) -> Result<(), Failure> {
        let field = match self.directive.conversion {
            Conversion::Percent => {
                self.out.push(b'%');
                return Ok(());
            }
            Conversion::Count => return self.store_count(),
            Conversion::Signed => self.signed()?,
            Conversion::Unsigned(radix) => {
                let value = self.integer()?;
                integer::unsigned(&self.directive, radix, value)
            }
            Conversion::Float(style) => {
                let (kind, bits) = self.float()?;
                float::field(&self.directive, style, kind, bits)
            }
            Conversion::Character => Field::text(vec![self.character()?]),
            Conversion::Text => Field::text(self.text()?),
            Conversion::Pointer => match self.args.pointer().ok_or(Failure::Argument)? {
                0 => Field::text(b"(nil)".to_vec()),
                address => integer::pointer(&self.directive, address),
            },
        };
        field.write(self.directive.flags, self.directive.width, self.out);
        Ok(())
    }

    fn store_count(&mut self) -> Result<(), Failure> {
        let bits = self.directive.length.bits(self.long_bits);
        self.args.store_count(bits, self.written as u64).ok_or(Failure::Argument)
    }

    fn signed(&mut self) -> Result<Field, Failure> {
        let unused = 64 - u32::from(self.directive.length.bits(self.long_bits));
        let value = ((self.integer()? << unused) as i64) >> unused;
        Ok(integer::signed(&self.directive, value))
    }

    /// Zero-extended from the width that the length modifier names.
    fn integer(&mut self) -> Result<u64, Failure> {
        let bits = self.directive.length.bits(self.long_bits);
        // Narrower arguments are promoted to `int`.
        let value = self.args.integer(bits.max(32)).ok_or(Failure::Argument)?;
        Ok(value & (u64::MAX >> (64 - bits)))
    }

    fn float(&mut self) -> Result<(FloatKind, u128), Failure> {
        let value = match self.directive.length {
            Length::LongLong => self.args.long_double(),
            _ => self.args.double(),
        };
        value.ok_or(Failure::Argument)
    }

    fn character(&mut self) -> Result<u8, Failure> {
        let value = self.args.integer(32).ok_or(Failure::Argument)?;
        match self.directive.length {
            Length::Long => ascii(value as u32),
            _ => Ok(value as u8),
        }
    }

    fn text(&mut self) -> Result<Vec<u8>, Failure> {
        let max = self.directive.precision;
        let text = match self.directive.length {
            Length::Long => match self.args.wide_string(max).ok_or(Failure::Argument)? {
                Text::Null => Text::Null,
                Text::Characters(wide) => {
                    let shown = wide.into_iter().take(max.unwrap_or(usize::MAX));
                    Text::Characters(shown.map(ascii).collect::<Result<Vec<u8>, Failure>>()?)
                }
            },
            _ => self.args.string(max).ok_or(Failure::Argument)?,
        };
        Ok(match text {
            Text::Characters(mut bytes) => {
                bytes.truncate(max.unwrap_or(usize::MAX));
                bytes
            }
            // glibc prints this or nothing, never a part of it.
            Text::Null if max.is_none_or(|max| max >= 6) => b"(null)".to_vec(),
            Text::Null => Vec::new(),
        })
    }
}

fn ascii(wide: u32) -> Result<u8, Failure> {
    u8::try_from(wide).ok().filter(u8::is_ascii).ok_or(Failure::WideCharacter)
}

#[cfg(test)]
mod tests;
