//! Random constant expressions: value, type and size must be GCC's.
//!
//! `HEDDLE_CONSTANTS=10000 cargo test --release --test constants` tries that many for each data model.

mod common;

use c_front::types::DataModel;
use fastrand::Rng;
use std::fmt::Write;

#[test]
fn constant_expressions_have_gccs_values_and_types() {
    let total = common::count("HEDDLE_CONSTANTS", 400);
    for model in common::MODELS {
        let mut rng = Rng::with_seed(0xc0_57a7 + u64::from(model == DataModel::Ilp32));
        let mut done = 0;
        while done < total {
            let batch = (total - done).min(200);
            let generated = generate(&mut rng, batch, model);
            let show = |object: &str| {
                let number: usize = object.split('_').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
                generated.1[number].clone()
            };
            let text = common::accepted_lines(&generated.0, model);
            common::compare(&text, model, show);
            done += batch;
        }
    }
}

const PRELUDE: &str = "\
struct record { char c; int i[3]; double d; struct { short s; long l; } in; };
enum colour { RED, GREEN = 7, BLUE = -3 };
enum large { HUGE = 0x123456789all };
#define KIND(e) _Generic((e), _Bool: 1, char: 2, signed char: 3, unsigned char: 4, short: 5, unsigned short: 6, \\
    int: 7, unsigned: 8, long: 9, unsigned long: 10, long long: 11, unsigned long long: 12, float: 13, double: 14, \\
    long double: 15, default: 99)
";

/// The macro of the prelude, written out: the front end reads preprocessed text.
fn kind(expr: &str) -> String {
    let start = PRELUDE.find("_Generic((e),").expect("the prelude has the macro");
    let body = PRELUDE[start..].replace("\\\n", " ");
    body.trim_end().replacen("(e)", &format!("({expr})"), 1)
}

fn generate(rng: &mut Rng, count: usize, model: DataModel) -> (String, Vec<String>) {
    let declarations = PRELUDE.split("#define").next().expect("text before the macro");
    let mut text = declarations.to_owned();
    let mut shown = Vec::new();
    for index in 0..count {
        let mut builder = Builder { rng, model };
        let expr = if builder.rng.u32(0..100) < 30 { builder.float(4) } else { builder.integer(5) };
        writeln!(text, "__typeof__({expr}) v_{index} = {expr};").unwrap();
        writeln!(text, "int k_{index} = {};", kind(&expr)).unwrap();
        shown.push(expr);
    }
    // Where C asks for an integer constant expression.
    for index in 0..count / 4 {
        let mut builder = Builder { rng, model };
        let expr = builder.integer(3);
        writeln!(text, "char a_{index}[((unsigned long long)({expr})) % 100 + 1];").unwrap();
        writeln!(text, "enum {{ E{index} = ({expr}) % 1000 == 3 ? 2 : (int)({expr}) }}; int e_{index} = E{index};")
            .unwrap();
    }
    (text, shown)
}

struct Builder<'r> {
    rng: &'r mut Rng,
    model: DataModel,
}

const INTEGER_TYPES: [&str; 14] = [
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "enum colour",
    "enum large",
];

impl Builder<'_> {
    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.usize(0..from.len())]
    }

    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.integer_leaf();
        }
        let d = depth - 1;
        match self.rng.u32(0..22) {
            0..5 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "^"]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            5 => format!("({} / ({} | 1))", self.integer(d), self.integer(d)),
            6 => format!("({} % ({} | 1))", self.integer(d), self.integer(d)),
            7 => format!("({} << ({} & 15))", self.integer(d), self.integer(d)),
            8 => format!("({} >> ({} & 31))", self.integer(d), self.integer(d)),
            9 | 10 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            11 => {
                let op = self.pick(&["&&", "||"]);
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            12 => format!("({} ? {} : {})", self.integer(d), self.integer(d), self.integer(d)),
            13 => {
                let op = self.pick(&["-", "~", "!", "+"]);
                format!("({op}{})", self.integer(d))
            }
            14..17 => {
                let ty = self.integer_type();
                format!("(({ty}){})", self.integer(d))
            }
            17 => format!("((int)({} / 1e10))", self.float(d.min(1))),
            18 => {
                let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
                format!("({} {op} {})", self.float(d), self.float(d))
            }
            19 => self.builtin(d),
            20 => format!("(sizeof({}) + 0)", self.integer(d)),
            _ => self.integer_leaf(),
        }
    }

    fn integer_type(&mut self) -> &'static str {
        if self.model == DataModel::Lp64 && self.rng.u32(0..12) == 0 {
            return self.pick(&["__int128", "unsigned __int128"]);
        }
        self.pick(&INTEGER_TYPES)
    }

    fn builtin(&mut self, depth: u32) -> String {
        let operand = self.integer(depth);
        match self.rng.u32(0..7) {
            0 => format!("__builtin_popcount({operand})"),
            1 => format!("__builtin_clzll(({operand}) | 1)"),
            2 => format!("__builtin_ctz(({operand}) | 256)"),
            3 => format!("__builtin_bswap32({operand})"),
            4 => format!("__builtin_ffsl({operand})"),
            5 => format!("__builtin_parityll({operand})"),
            _ => format!("__builtin_choose_expr({operand} > 3, {operand}, 5)"),
        }
    }

    fn integer_leaf(&mut self) -> String {
        match self.rng.u32(0..16) {
            0..8 => self.literal(),
            8 => format!("sizeof({})", self.pick(&INTEGER_TYPES)),
            9 => format!("_Alignof({})", self.pick(&["double", "long long", "struct record", "char"])),
            10 => self.pick(&["RED", "GREEN", "BLUE", "HUGE"]).to_owned(),
            11 => self.pick(&["'a'", "'\\n'", "'\\xff'", "L'x'", "u'y'", "'ab'"]).to_owned(),
            12 => self.pick(&["\"abc\"[1]", "sizeof(\"hello\")", "sizeof(L\"ab\")", "1[\"xyz\"]"]).to_owned(),
            13 => {
                self.pick(&["(long)&((struct record *)0)->d", "(unsigned long)&((struct record *)0)->in.l"]).to_owned()
            }
            14 => format!("__builtin_offsetof(struct record, i[{}])", self.rng.u32(0..3)),
            _ => self.pick(&["__builtin_types_compatible_p(int, enum colour)", "sizeof(struct record)"]).to_owned(),
        }
    }

    fn literal(&mut self) -> String {
        let value = match self.rng.u32(0..6) {
            0 => self.rng.u64(0..10),
            1 => self.rng.u64(0..300),
            2 => u64::from(self.rng.u32(..)),
            3 => 1u64 << self.rng.u32(0..63),
            4 => self.rng.u64(..) >> 1,
            _ => self.rng.u64(..1 << 40),
        };
        let suffix = self.pick(&["", "", "", "u", "l", "ul", "ll", "ull", "LU"]);
        match self.rng.u32(0..4) {
            0 => format!("{value:#x}{suffix}"),
            1 => format!("0{value:o}{suffix}"),
            _ => format!("{value}{suffix}"),
        }
    }

    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return self.float_leaf();
        }
        let d = depth - 1;
        match self.rng.u32(0..10) {
            0..4 => {
                let op = self.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.float(d), self.float(d))
            }
            4 => format!("({} / {})", self.float(d), self.float_leaf()),
            5 => {
                let ty = self.pick(&["float", "double", "long double"]);
                format!("(({ty}){})", self.float(d))
            }
            6 => {
                let ty = self.pick(&["float", "double", "long double"]);
                format!("(({ty}){})", self.integer(d))
            }
            7 => format!("(-{})", self.float(d)),
            8 => format!("({} ? {} : {})", self.integer(d), self.float(d), self.float(d)),
            _ => self.float_leaf(),
        }
    }

    fn float_leaf(&mut self) -> String {
        let suffix = self.pick(&["", "", "f", "L"]);
        match self.rng.u32(0..5) {
            0 => format!("{}.{}{suffix}", self.rng.u32(0..1000), self.rng.u32(1..100_000)),
            1 => format!("{}.5e{}{suffix}", self.rng.u32(1..10), self.rng.i32(-8..8)),
            2 => format!("0x{:x}.8p{}{suffix}", self.rng.u32(1..5000), self.rng.i32(-20..20)),
            3 => format!("{}.{suffix}", self.rng.u32(1..100)),
            _ => format!(".{}{suffix}", self.rng.u32(1..1000)),
        }
    }
}
