//! The `printf` engine against glibc's.

mod support;

use std::fmt::Write;

use program::FloatKind;
use semantics::format::{Arguments, Text, format};
use support::{Random, output_of_c};

const ROWS: usize = 6000;

/// A template with one directive, its value, and the values of `*`, in order.
struct Row {
    template: String,
    kind: Kind,
    value: u128,
    stars: Vec<i32>,
}

/// Which type the value is passed as: the letter is for the C program.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Int,
    Long,
    Double,
    LongDouble,
    Pointer,
    Text,
}

/// The text of each string argument is one of these.
const TEXTS: [&str; 4] = ["", "w", "warp and weft", "(null)"];

struct OneValue<'a> {
    row: &'a Row,
    stars: std::slice::Iter<'a, i32>,
}

impl Arguments for OneValue<'_> {
    fn integer(&mut self, _: u8) -> Option<u64> {
        match self.stars.next() {
            Some(&star) => Some(star as u64),
            None => Some(self.row.value as u64),
        }
    }

    fn double(&mut self) -> Option<(FloatKind, u128)> {
        Some((FloatKind::F64, self.row.value))
    }

    fn long_double(&mut self) -> Option<(FloatKind, u128)> {
        Some((FloatKind::X87In16, self.row.value))
    }

    fn pointer(&mut self) -> Option<u64> {
        Some(self.row.value as u64)
    }

    fn string(&mut self, _: Option<usize>) -> Option<Text<u8>> {
        let text = TEXTS.get(self.row.value as usize);
        Some(text.map_or(Text::Null, |text| Text::Characters(text.as_bytes().to_vec())))
    }

    fn wide_string(&mut self, max: Option<usize>) -> Option<Text<u32>> {
        Some(match self.string(max)? {
            Text::Null => Text::Null,
            Text::Characters(bytes) => Text::Characters(bytes.into_iter().map(u32::from).collect()),
        })
    }

    fn store_count(&mut self, _: u8, _: u64) -> Option<()> {
        None
    }
}

#[test]
fn prints_what_glibc_prints() {
    let mut random = Random(7);
    let rows: Vec<Row> = (0..ROWS).map(|_| row(&mut random)).collect();
    let Some(output) = output_of_c("formats", &source(), &[], &input(&rows)) else { return };
    let lines: Vec<&[u8]> = output.split(|&byte| byte == 1).collect();
    let mut wrong = String::new();
    for (row, line) in rows.iter().zip(&lines) {
        let mut out = Vec::new();
        let mut arguments = OneValue { row, stars: row.stars.iter() };
        format(row.template.as_bytes(), 64, &mut arguments, &mut out).expect("the format is valid");
        if out != *line {
            let (expected, got) = (String::from_utf8_lossy(line), String::from_utf8_lossy(&out));
            writeln!(wrong, "{:?} {:?} {:#x}: {got:?}, glibc: {expected:?}", row.template, row.stars, row.value)
                .unwrap();
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
    assert_eq!(lines.len(), rows.len() + 1);
}

fn row(random: &mut Random) -> Row {
    let kind = random.pick(&[
        Kind::Int,
        Kind::Long,
        Kind::Double,
        Kind::Double,
        Kind::LongDouble,
        Kind::LongDouble,
        Kind::Pointer,
        Kind::Text,
    ]);
    let mut template = String::from("<%");
    for _ in 0..random.below(4) {
        template.push(random.pick(&['-', '+', ' ', '#', '0', '\'']));
    }
    let mut stars = Vec::new();
    match random.below(4) {
        0 => write!(template, "{}", 1 + random.below(40)).unwrap(),
        1 => {
            template.push('*');
            stars.push(random.below(60) as i32 - 30);
        }
        _ => {}
    }
    match random.below(4) {
        0 => write!(template, ".{}", random.below(40)).unwrap(),
        1 => {
            template.push_str(".*");
            stars.push(random.below(25) as i32 - 3);
        }
        2 if random.below(4) == 0 => template.push('.'),
        _ => {}
    }
    let (conversion, value) = conversion(random, kind);
    template.push_str(conversion);
    template.push('>');
    Row { template, kind, value, stars }
}

fn conversion(random: &mut Random, kind: Kind) -> (&'static str, u128) {
    match kind {
        Kind::Int => {
            let all =
                ["d", "i", "u", "o", "x", "X", "b", "B", "hd", "hi", "hu", "hx", "hhd", "hho", "hhX", "hhi", "c", "%"];
            match random.pick(&all) {
                // A zero byte would do too, but not in a line of text.
                "c" => ("c", u128::from(0x20 + random.below(0xd0))),
                other => (other, random.integer(32)),
            }
        }
        Kind::Long => {
            let all = ["ld", "lu", "lx", "lo", "lld", "llX", "jd", "ju", "zu", "zd", "td", "tx", "qd", "Lu", "lb"];
            (random.pick(&all), random.integer(64))
        }
        Kind::Double => {
            let value = if random.below(3) == 0 { short_decimal(random) } else { random.float(11, 52, false) };
            (random.pick(&["f", "F", "e", "E", "g", "G", "a", "A", "lf", "lg"]), value)
        }
        Kind::LongDouble => {
            (random.pick(&["Lf", "LF", "Le", "LE", "Lg", "LG", "La", "LA"]), random.float(15, 63, true))
        }
        Kind::Pointer => ("p", if random.below(4) == 0 { 0 } else { random.integer(64) }),
        Kind::Text => (random.pick(&["s", "s", "ls", "S"]), random.below(5).into()),
    }
}

/// Values as programs print them, ties of rounding among them.
fn short_decimal(random: &mut Random) -> u128 {
    let value = random.below(2_000_000) as f64 - 1_000_000.0;
    (value / random.pick(&[1.0, 2.0, 8.0, 10.0, 1000.0, 65536.0])).to_bits().into()
}

fn letter(kind: Kind) -> char {
    match kind {
        Kind::Int => 'i',
        Kind::Long => 'l',
        Kind::Double => 'd',
        Kind::LongDouble => 'L',
        Kind::Pointer => 'p',
        Kind::Text => 's',
    }
}

/// Each row on two lines: the kind, the value's halves and the stars; then the template.
fn input(rows: &[Row]) -> String {
    let mut text = String::new();
    for row in rows {
        let wide = row.kind == Kind::Text && (row.template.contains("ls") || row.template.contains('S'));
        let kind = if wide { 'S' } else { letter(row.kind) };
        let star = |index: usize| row.stars.get(index).copied().unwrap_or(0);
        let (high, low) = ((row.value >> 64) as u64, row.value as u64);
        writeln!(text, "{kind} {high:x} {low:x} {} {} {}", row.stars.len(), star(0), star(1)).unwrap();
        writeln!(text, "{}", row.template).unwrap();
    }
    text
}

fn source() -> String {
    let mut text = String::from(
        r#"#include <stdio.h>
#include <string.h>
#include <stddef.h>
#define PRINT(v) do { if (n == 0) printf(f, v); else if (n == 1) printf(f, x, v); else printf(f, x, y, v); } while (0)
"#,
    );
    let list = |prefix: &str| TEXTS.map(|text| format!("{prefix}{text:?}")).join(", ");
    writeln!(text, "static const char *texts[] = {{ {}, 0 }};", list("")).unwrap();
    writeln!(text, "static const wchar_t *wide_texts[] = {{ {}, 0 }};", list("L")).unwrap();
    text.push_str(
        r#"int main() {
  char kind, f[200]; unsigned long high, low; int n, x, y;
  while (scanf(" %c %lx %lx %d %d %d ", &kind, &high, &low, &n, &x, &y) == 6 && fgets(f, sizeof f, stdin)) {
    f[strcspn(f, "\n")] = 0;
    double d; long double l = 0;
    memcpy(&d, &low, 8); memcpy(&l, &low, 8); memcpy((char *)&l + 8, &high, 2);
    switch (kind) {
      case 'i': PRINT((int)low); break;
      case 'l': PRINT((long)low); break;
      case 'd': PRINT(d); break;
      case 'L': PRINT(l); break;
      case 'p': PRINT((void *)low); break;
      case 's': PRINT(texts[low]); break;
      case 'S': PRINT(wide_texts[low]); break;
    }
    putchar(1);
  }
}
"#,
    );
    text
}
