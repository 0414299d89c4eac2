//! Values, conditions and places of a generated program.

use super::{Feature, Generator};

impl Generator {
    /// Something that threads share and that can be assigned.
    pub fn place(&mut self) -> String {
        let mut places = vec!["x", "y", "x"];
        let of = [
            (Feature::Array, &["a[id]", "a[0]", "a[1]"][..]),
            (Feature::Record, &["s.first", "s.second", "s.low", "s.high"]),
            (Feature::Pointer, &["*p", "z"]),
            (Feature::Heap, &["*block"]),
            (Feature::ThreadLocal, &["own"]),
            (Feature::Atomic, &["c", "n"]),
            (Feature::Union, &["u.whole", "u.halves[1]", "u.bytes[2]"]),
            (Feature::Bits, &["f.a", "f.b", "f.sign"]),
            (Feature::Copy, &["r0.a", "r0.b", "r1.c[1]"]),
            (Feature::Library, &["text[1]"]),
            (Feature::Risk, &["g[1]", "g[3]"]),
            (Feature::Address, &["cells[0]", "*link"]),
            (Feature::Control, &["matrix[0][0]"]),
        ];
        for (feature, names) in of {
            if self.has(feature) {
                places.extend(names);
            }
        }
        let place = self.one_of(&places);
        let knows = |name: &str| self.locals.iter().any(|local| local == name);
        match place {
            "a[id]" if knows("t") && self.random.once_in(30) => "a[t]".into(),
            "a[id]" if knows("id") => "a[id % 3]".into(),
            "a[id]" => "a[2]".into(),
            place => place.into(),
        }
    }

    fn local(&mut self) -> Option<String> {
        if self.locals.is_empty() { None } else { Some(self.random.pick(&self.locals).clone()) }
    }

    fn constant(&mut self) -> String {
        self.one_of(&["0", "1", "1", "2", "3"]).into()
    }

    fn operand(&mut self) -> String {
        let input = if self.has(Feature::Input) { 3 } else { 0 };
        match self.random.below(9 + input) {
            0..=2 => self.constant(),
            3..=5 => self.local().unwrap_or_else(|| "2".into()),
            6..=8 => self.place(),
            9 => "__VERIFIER_nondet_int() % 3".into(),
            10 => "__VERIFIER_nondet_bool()".into(),
            _ => "(__VERIFIER_nondet_int() > 0)".into(),
        }
    }

    fn quiet_operand(&mut self) -> String {
        let local = self.local().unwrap_or_else(|| "1".into());
        if self.random.once_in(2) { self.constant() } else { local }
    }

    /// An `int`; reads at most one shared place, most often.
    pub fn value(&mut self) -> String {
        let (a, b) = (self.operand(), self.quiet_operand());
        match self.random.below(16) {
            0..=6 => a,
            7..=9 => format!("{a} + {b}"),
            10 => format!("{a} - {b}"),
            11 => format!("{a} * 2"),
            12 => format!("({a} & 1)"),
            13 => format!("({a} == {b})"),
            14 => self.risky(&a, &b),
            _ => self.called(&a, &b),
        }
    }

    /// Undefined for some values.
    fn risky(&mut self, a: &str, b: &str) -> String {
        match self.random.below(8) {
            0 => format!("{b} / ({a})"),
            1 => format!("1 << ({a})"),
            2 => format!("2147483646 + ({a})"),
            _ => format!("({a} ^ {b})"),
        }
    }

    fn called(&mut self, a: &str, b: &str) -> String {
        if !self.has(Feature::Helper) {
            return format!("({a} ? {b} : 1)");
        }
        if self.random.once_in(3) { format!("sum(({a}) & 1)") } else { format!("larger({a}, {b})") }
    }

    pub fn condition(&mut self) -> String {
        let (a, b) = (self.operand(), self.quiet_operand());
        let operator = self.one_of(&["==", "!=", "<", ">", "<=", ">="]);
        match self.random.below(8) {
            0 => a,
            1 => format!("!({a})"),
            2 => format!("{a} {operator} {b} && x {operator} 1"),
            3 => format!("{a} {operator} {b} || y"),
            _ => format!("{a} {operator} {b}"),
        }
    }
}
