//! Running a C program on given input, and random numbers that are the same on every machine.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Compiles `source` with the system's gcc and gives what the program prints on `input`. `None` if there is no gcc.
pub fn output_of_c(name: &str, source: &str, libraries: &[&str], input: &str) -> Option<Vec<u8>> {
    Command::new("gcc").arg("--version").output().ok()?;
    let directory = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let (text, binary) = (directory.join(format!("{name}.c")), directory.join(name));
    std::fs::write(&text, source).expect("the source is written");
    let mut compiler = Command::new("gcc");
    compiler.args(["-O0", "-fwrapv", "-fno-builtin", "-w", "-o"]).arg(&binary).arg(&text).args(libraries);
    assert!(compiler.status().expect("gcc runs").success(), "gcc accepts {}", text.display());
    let mut program = Command::new(&binary);
    let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut stdin = child.stdin.take().expect("the input is a pipe");
    let input = input.to_owned();
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = child.wait_with_output().expect("the program ends");
    writer.join().expect("the writer ends").expect("the program reads all its input");
    assert!(output.status.success(), "{name} exits with {}", output.status);
    Some(output.stdout)
}

/// SplitMix64.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn wide(&mut self) -> u128 {
        u128::from(self.next()) << 64 | u128::from(self.next())
    }

    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// `bits` bits, often near a boundary of the type or small.
    pub fn integer(&mut self, bits: u32) -> u128 {
        let mask = u128::MAX >> (128 - bits);
        let near = |value: u128, random: &mut Random| value.wrapping_add(u128::from(random.below(5))).wrapping_sub(2);
        let value = match self.below(5) {
            0 => near(0, self),
            1 => near(1 << (bits - 1), self),
            2 => near(1 << self.below(bits.into()), self),
            3 => self.wide() >> self.below(128),
            _ => self.wide(),
        };
        value & mask
    }

    /// The bits of a float with `exponent` and `fraction` bits, and with its integer bit stored if `stored`: all classes.
    pub fn float(&mut self, exponent: u32, fraction: u32, stored: bool) -> u128 {
        let top = (1u64 << exponent) - 1;
        let bias = top >> 1;
        let power = match self.below(8) {
            0 => 0,
            1 => top,
            2 => self.pick(&[1, top - 1]),
            3 => self.below(top + 1),
            // Where whole and fractional parts, or the widths of integers, meet.
            4 => (bias - 2 + self.below(u64::from(fraction) + 5)).min(top - 1),
            5 => (bias - 2 + self.below(132)).min(top - 1),
            _ => bias - 3 + self.below(6),
        };
        let mask = (1u128 << fraction) - 1;
        let significand = match self.below(4) {
            0 => 0,
            1 => self.integer(fraction),
            2 => mask & !(u128::MAX >> 1 >> self.below(127)),
            _ => self.wide() & mask,
        };
        let integer = if stored { u128::from(power != 0) << fraction } else { 0 };
        let width = fraction + u32::from(stored);
        let sign = u128::from(self.below(2)) << (width + exponent);
        sign | u128::from(power) << width | integer | significand
    }
}
