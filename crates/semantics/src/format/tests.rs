use program::FloatKind;

use super::{Arguments, FormatError, Text, format};

/// Gives the same argument each time, of the type that is wanted.
struct Constant {
    integer: Option<u64>,
    text: Text<u8>,
    counts: Vec<(u8, u64)>,
}

impl Arguments for Constant {
    fn integer(&mut self, _: u8) -> Option<u64> {
        self.integer
    }

    fn double(&mut self) -> Option<(FloatKind, u128)> {
        Some((FloatKind::F64, 1.5f64.to_bits().into()))
    }

    fn long_double(&mut self) -> Option<(FloatKind, u128)> {
        Some((FloatKind::X87In12, 0x3fff_c000_0000_0000_0000))
    }

    fn pointer(&mut self) -> Option<u64> {
        self.integer
    }

    fn string(&mut self, _: Option<usize>) -> Option<Text<u8>> {
        Some(self.text.clone())
    }

    fn wide_string(&mut self, _: Option<usize>) -> Option<Text<u32>> {
        Some(Text::Characters(vec![0x41, 0x42, 0x20ac]))
    }

    fn store_count(&mut self, bits: u8, count: u64) -> Option<()> {
        self.counts.push((bits, count));
        Some(())
    }
}

fn constant() -> Constant {
    Constant { integer: Some(u64::MAX), text: Text::Characters(b"weft".to_vec()), counts: Vec::new() }
}

fn printed(template: &str) -> Result<String, FormatError> {
    let mut out = b"before ".to_vec();
    let length = format(template.as_bytes(), 32, &mut constant(), &mut out)?;
    assert_eq!(length, out.len() - "before ".len());
    Ok(String::from_utf8(out.split_off("before ".len())).expect("ASCII"))
}

#[test]
fn lengths_follow_the_machine() {
    assert_eq!(printed("%lu %zu %llu %hhu %hd"), Ok("4294967295 4294967295 18446744073709551615 255 -1".to_owned()));
    assert_eq!(printed("%La %a %s|%.2s"), Ok("0xcp-3 0x1.8p+0 weft|we".to_owned()));
}

#[test]
fn counts_are_of_this_call() {
    let mut arguments = constant();
    let mut out = b"before".to_vec();
    format(b"ab%n%5s%lln", 64, &mut arguments, &mut out).unwrap();
    assert_eq!(arguments.counts, [(32, 2), (64, 7)]);
}

#[test]
fn bad_directives_are_errors_where_they_start() {
    assert_eq!(printed("ab%y"), Err(FormatError::Directive { position: 2 }));
    assert_eq!(printed("%d %"), Err(FormatError::Directive { position: 3 }));
    assert_eq!(printed("%5.3"), Err(FormatError::Directive { position: 0 }));
    assert_eq!(printed("%99999999999999999999d"), Err(FormatError::TooLong { position: 0 }));
    assert_eq!(printed("%.2ls"), Ok("AB".to_owned()));
    assert_eq!(printed("+%ls"), Err(FormatError::WideCharacter { position: 1 }));
}

#[test]
fn missing_arguments_are_errors() {
    let mut arguments = Constant { integer: None, text: Text::Null, counts: Vec::new() };
    let mut out = Vec::new();
    let result = format(b"%s|%.5s|%d", 64, &mut arguments, &mut out);
    assert_eq!(result, Err(FormatError::Argument { position: 8 }));
    assert_eq!(out, b"(null)||");
}
