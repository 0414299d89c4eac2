//! Reading one directive: `%`, flags, width, precision, length, conversion.

use super::{Arguments, Failure, LONGEST};

pub struct Directive {
    pub flags: Flags,
    pub width: usize,
    pub precision: Option<usize>,
    pub length: Length,
    pub conversion: Conversion,
}

#[derive(Clone, Copy, Default)]
pub struct Flags {
    pub left: bool,
    pub plus: bool,
    pub space: bool,
    pub alternate: bool,
    pub zero: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Length {
    Char,
    Short,
    Int,
    Long,
    /// Also `j`; also `L`, which glibc takes for it on integers and which means `long double` on floats.
    LongLong,
    /// `z` and `t`.
    Word,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Conversion {
    Signed,
    Unsigned(Radix),
    Float(Style),
    Character,
    Text,
    Pointer,
    Count,
    Percent,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Radix {
    Binary(Case),
    Octal,
    Decimal,
    Hexadecimal(Case),
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Case {
    Lower,
    Upper,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Style {
    pub notation: Notation,
    pub case: Case,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    Fixed,
    Exponent,
    General,
    Hexadecimal,
}

impl Length {
    /// Of an integer.
    pub fn bits(self, long_bits: u8) -> u8 {
        match self {
            Length::Char => 8,
            Length::Short => 16,
            Length::Int => 32,
            Length::LongLong => 64,
            Length::Long | Length::Word => long_bits,
        }
    }
}

impl Directive {
    /// Reads the directive that `template` starts with and says how many bytes it takes. Widths and precisions given as `*`
    /// are taken from `args`.
    pub fn read(template: &[u8], args: &mut dyn Arguments) -> Result<(Directive, usize), Failure> {
        let mut reader = Reader { template, next: 1, args };
        let mut flags = reader.flags();
        let width = reader.count()?.unwrap_or(0);
        flags.left |= width < 0;
        let precision = reader.precision()?;
        let length = reader.length();
        let (conversion, length) = reader.conversion(length)?;
        let width = bounded(width.unsigned_abs())?;
        Ok((Directive { flags, width, precision, length, conversion }, reader.next))
    }
}

struct Reader<'a> {
    template: &'a [u8],
    next: usize,
    args: &'a mut dyn Arguments,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.template.get(self.next).copied()
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.next += usize::from(found);
        found
    }

    fn flags(&mut self) -> Flags {
        let mut flags = Flags::default();
        loop {
            match self.peek() {
                Some(b'-') => flags.left = true,
                Some(b'+') => flags.plus = true,
                Some(b' ') => flags.space = true,
                Some(b'#') => flags.alternate = true,
                Some(b'0') => flags.zero = true,
                // Grouping and other digits: the C locale has neither.
                Some(b'\'' | b'I') => {}
                _ => return flags,
            }
            self.next += 1;
        }
    }

    /// A number or `*`.
    fn count(&mut self) -> Result<Option<i64>, Failure> {
        if self.take(b'*') {
            let value = self.args.integer(32).ok_or(Failure::Argument)?;
            return Ok(Some(i64::from(value as u32 as i32)));
        }
        let mut count = None;
        while let Some(digit @ b'0'..=b'9') = self.peek() {
            self.next += 1;
            let value = count.unwrap_or(0) * 10 + i64::from(digit - b'0');
            bounded(value.unsigned_abs())?;
            count = Some(value);
        }
        Ok(count)
    }

    /// A negative precision is as if there were none.
    fn precision(&mut self) -> Result<Option<usize>, Failure> {
        if !self.take(b'.') {
            return Ok(None);
        }
        let precision = self.count()?.unwrap_or(0);
        u64::try_from(precision).ok().map(bounded).transpose()
    }

    fn length(&mut self) -> Length {
        if self.take(b'h') {
            return if self.take(b'h') { Length::Char } else { Length::Short };
        }
        if self.take(b'l') {
            return if self.take(b'l') { Length::LongLong } else { Length::Long };
        }
        if self.take(b'L') || self.take(b'q') || self.take(b'j') {
            return Length::LongLong;
        }
        if self.take(b'z') || self.take(b'Z') || self.take(b't') {
            return Length::Word;
        }
        Length::Int
    }

    /// With the length that the conversion itself implies.
    fn conversion(&mut self, length: Length) -> Result<(Conversion, Length), Failure> {
        let letter = self.peek().ok_or(Failure::Directive)?;
        self.next += 1;
        let case = if letter.is_ascii_uppercase() { Case::Upper } else { Case::Lower };
        let conversion = match letter {
            b'd' | b'i' => Conversion::Signed,
            b'u' => Conversion::Unsigned(Radix::Decimal),
            b'o' => Conversion::Unsigned(Radix::Octal),
            b'x' | b'X' => Conversion::Unsigned(Radix::Hexadecimal(case)),
            b'b' | b'B' => Conversion::Unsigned(Radix::Binary(case)),
            b'f' | b'F' => Conversion::Float(Style { notation: Notation::Fixed, case }),
            b'e' | b'E' => Conversion::Float(Style { notation: Notation::Exponent, case }),
            b'g' | b'G' => Conversion::Float(Style { notation: Notation::General, case }),
            b'a' | b'A' => Conversion::Float(Style { notation: Notation::Hexadecimal, case }),
            b'c' => Conversion::Character,
            b's' => Conversion::Text,
            b'C' => return Ok((Conversion::Character, Length::Long)),
            b'S' => return Ok((Conversion::Text, Length::Long)),
            b'p' => Conversion::Pointer,
            b'n' => Conversion::Count,
            b'%' => Conversion::Percent,
            _ => return Err(Failure::Directive),
        };
        Ok((conversion, length))
    }
}

fn bounded(count: u64) -> Result<usize, Failure> {
    usize::try_from(count).ok().filter(|&count| count <= LONGEST).ok_or(Failure::TooLong)
}
