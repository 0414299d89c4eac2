//! Statements about numbers: conversions and widths, and what is undefined unless a guard keeps it away. Some guards are wrong.

use crate::generate::Generator;

impl Generator {
    pub fn arithmetic(&mut self) {
        let (v, to) = (self.value(), self.kept());
        let value = match self.random.below(14) {
            0 => format!("(unsigned char)(({v}) * 37 + 11)"),
            1 => format!("(short)(({v}) * 4096) % 7"),
            2 => format!("(int)((unsigned)({v}) * 2654435761u >> 28)"),
            3 => format!("(({v}) ^ (int)0x80000000u) < 0 ? 1 : 2"),
            4 => format!("(long)({v}) * 100000 / 7 % 100"),
            5 => format!("((({v}) & 7) - 3) / 2"),
            6 => format!("((({v}) & 7) - 5) % 3"),
            7 => format!("(signed char)(200 + (({v}) & 3))"),
            8 => format!("-(({v}) & 3) >> 1"),
            9 => format!("(_Bool)(({v}) & 2) + (int)sizeof(long)"),
            10 => format!("(int)((({v}) & 7) / 2.0f * 3)"),
            11 => format!("({v}) < 1u"),
            12 => format!("(unsigned short)-({v} & 7) >> 13"),
            _ => format!("~({v}) & 15"),
        };
        self.line(format!("{to} = {value};"));
    }

    pub fn risks(&mut self) {
        let (value, to) = (self.value(), self.kept());
        let k = self.fresh("k");
        self.line(format!("int {k} = {value};"));
        let (guards, act): (&[&str], String) = match self.random.below(7) {
            0 => (&["k != 0", "k > 0", "k", "k >= 0", "k < 3"], format!("{to} = 12 / {k};")),
            1 => (&["k != 0", "k == 2", "k != 1"], format!("{to} = 7 % {k};")),
            2 => (&["k >= 0 && k < 4", "(unsigned)k < 4", "k >= 0 && k <= 4", "k < 4"], format!("g[{k}] = {to};")),
            3 => (&["k >= 0 && k < 4", "k > 0 && k <= 3", "k >= -1 && k < 4"], format!("{to} = g[{k}];")),
            4 => (&["k >= 0 && k < 31", "k >= 0 && k < 32", "k < 31"], format!("{to} = 1 << {k};")),
            5 => (&["k < 2147483647", "k < 100 && k > -100", "1"], format!("{to} = {k} + 2147483600;")),
            _ => (&["k > -40000 && k < 40000", "k < 50000"], format!("{to} = {k} * {k};")),
        };
        let guard = self.one_of_static(guards).replace('k', &k);
        self.line(format!("if ({guard}) {act}"));
        if self.random.once_in(5) {
            let pointer = self.fresh("q");
            let own = self.one_of(&["&g[2]", "0"]);
            self.line(format!("int *{pointer} = {k} > 1 ? {own} : &g[0];"));
            let guard = if self.random.once_in(3) { String::new() } else { format!("if ({pointer}) ") };
            self.line(format!("{guard}*{pointer} = {k};"));
        }
    }

    fn one_of_static(&mut self, options: &[&str]) -> String {
        options[self.random.below(options.len())].to_owned()
    }
}
