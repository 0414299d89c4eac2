//! Random record types: size, alignment, offsets and bit positions must be GCC's.
//!
//! `HEDDLE_LAYOUT_TYPES=10000 cargo test --release --test layout` tries that many for each data model.

mod common;

use c_front::types::DataModel;
use fastrand::Rng;
use std::fmt::Write;

#[test]
fn records_are_laid_out_as_gcc_does() {
    let total = common::count("HEDDLE_LAYOUT_TYPES", 300);
    for model in common::MODELS {
        let mut rng = Rng::with_seed(0x1a_7047 + u64::from(model == DataModel::Ilp32));
        let mut done = 0;
        while done < total {
            let batch = (total - done).min(100);
            let generated = generate(&mut rng, batch, model);
            common::compare(&generated.text, model, |object| generated.context(object));
            done += batch;
        }
    }
}

struct Generated {
    text: String,
    /// The declaration of each type.
    types: Vec<String>,
}

impl Generated {
    /// The type whose number the object's name bears, and all it may contain.
    fn context(&self, object: &str) -> String {
        let number: usize = object.split('_').nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut wanted = vec![number];
        let mut text = String::new();
        while let Some(index) = wanted.pop() {
            let declaration = self.types[index].clone();
            for other in 0..index {
                if declaration.contains(&format!("T{other} ")) && !wanted.contains(&other) {
                    wanted.push(other);
                }
            }
            text = declaration + &text;
        }
        text
    }
}

const PRELUDE: &str = "\
typedef int over_aligned __attribute__((aligned(16)));
typedef long long under_aligned __attribute__((aligned(2)));
typedef double aligned_double __attribute__((aligned(8)));
enum plain { P1, P2 = 100 };
enum negative { N1 = -1, N2 };
enum big { B1 = 0x7fffffffffll, B2 };
enum __attribute__((packed)) tiny { Y1, Y2 = 200 };
enum __attribute__((packed)) small { S1 = -1, S2 = 1000 };
";

const INTEGERS: [&str; 17] = [
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
    "_Bool",
    "enum plain",
    "enum negative",
    "enum big",
    "enum tiny",
    "enum small",
];

const OTHERS: [&str; 12] = [
    "float",
    "double",
    "long double",
    "__float128",
    "void *",
    "over_aligned",
    "under_aligned",
    "aligned_double",
    "_Atomic long long",
    "_Atomic char",
    "_Atomic double",
    "_Atomic int",
];

struct Builder<'r> {
    rng: &'r mut Rng,
    model: DataModel,
    fields: usize,
    named: Vec<String>,
    bit_fields: Vec<String>,
}

fn generate(rng: &mut Rng, count: usize, model: DataModel) -> Generated {
    let mut generated = Generated { text: PRELUDE.to_owned(), types: Vec::new() };
    for index in 0..count {
        let mut builder = Builder { rng, model, fields: 0, named: Vec::new(), bit_fields: Vec::new() };
        let declaration = builder.record_type(index);
        let (named, bit_fields) = (builder.named, builder.bit_fields);
        generated.text += &declaration;
        let mut facts = format!("sizeof(T{index}), _Alignof(T{index})");
        for name in &named {
            write!(facts, ", __builtin_offsetof(T{index}, {name})").unwrap();
        }
        writeln!(generated.text, "unsigned long long r_{index}[] = {{ {facts} }};").unwrap();
        for (number, name) in bit_fields.iter().enumerate() {
            writeln!(generated.text, "T{index} b_{index}_{number} = {{ .{name} = -1 }};").unwrap();
        }
        generated.types.push(declaration);
    }
    generated
}

impl Builder<'_> {
    fn chance(&mut self, percent: u32) -> bool {
        self.rng.u32(0..100) < percent
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.rng.usize(0..from.len())]
    }

    fn record_type(&mut self, index: usize) -> String {
        let pack = if self.chance(15) { Some(self.pick(&["1", "2", "4", "8", "16"])) } else { None };
        let keyword = if self.chance(80) { "struct" } else { "union" };
        let attributes = self.record_attributes();
        let members = self.members(index, keyword, 0);
        let mut text = String::new();
        if let Some(pack) = pack {
            writeln!(text, "#pragma pack(push, {pack})").unwrap();
        }
        writeln!(text, "typedef {keyword} {{\n{members}}} {attributes}T{index} ;").unwrap();
        if pack.is_some() {
            text += "#pragma pack(pop)\n";
        }
        text
    }

    fn record_attributes(&mut self) -> String {
        let mut text = String::new();
        if self.chance(20) {
            text += "__attribute__((packed)) ";
        }
        if self.chance(12) {
            let align = self.pick(&["1", "2", "4", "8", "16", "32"]);
            write!(text, "__attribute__((aligned({align}))) ").unwrap();
        }
        text
    }

    fn members(&mut self, index: usize, keyword: &str, depth: u32) -> String {
        let count = self.rng.usize(0..8);
        let mut text = String::new();
        for _ in 0..count {
            text += &self.member(index, depth);
        }
        if keyword == "struct" && depth == 0 && !self.named.is_empty() && self.chance(5) {
            let name = self.name();
            let element = self.array_element();
            writeln!(text, "  {element} {name}[];").unwrap();
        }
        text
    }

    fn name(&mut self) -> String {
        self.fields += 1;
        format!("f{}", self.fields)
    }

    fn scalar(&mut self) -> &'static str {
        if self.chance(60) {
            return self.pick(&INTEGERS);
        }
        if self.model == DataModel::Lp64 && self.chance(8) {
            return self.pick(&["__int128", "unsigned __int128"]);
        }
        self.pick(&OTHERS)
    }

    fn member(&mut self, index: usize, depth: u32) -> String {
        match self.rng.u32(0..100) {
            0..35 => self.bit_field(),
            35..40 if depth < 2 => self.anonymous(index, depth),
            40..50 if index > 0 => {
                let other = self.rng.usize(index.saturating_sub(20)..index);
                let name = self.name();
                let attributes = self.field_attributes();
                self.named.push(name.clone());
                let atomic = if self.chance(8) { "_Atomic " } else { "" };
                format!("  {atomic}T{other} {name}{attributes};\n")
            }
            50..60 => {
                let (name, ty) = (self.name(), self.array_element());
                let attributes = self.field_attributes();
                let length = self.rng.u32(0..4);
                self.named.push(name.clone());
                format!("  {ty} {name}[{length}]{attributes};\n")
            }
            _ => {
                let (name, ty) = (self.name(), self.scalar());
                let attributes = self.field_attributes();
                let prefix = if self.chance(3) { "_Alignas(32) " } else { "" };
                self.named.push(name.clone());
                format!("  {prefix}{ty} {name}{attributes};\n")
            }
        }
    }

    /// GCC refuses arrays whose elements are aligned beyond their size.
    fn array_element(&mut self) -> &'static str {
        loop {
            let ty = self.scalar();
            if ty != "over_aligned" {
                return ty;
            }
        }
    }

    fn anonymous(&mut self, index: usize, depth: u32) -> String {
        let keyword = if self.chance(50) { "struct" } else { "union" };
        let attributes = self.record_attributes();
        let members = self.members(index, keyword, depth + 1);
        format!("  {keyword} {{\n{members}  }} {attributes};\n")
    }

    fn field_attributes(&mut self) -> String {
        let mut text = String::new();
        if self.chance(8) {
            text += " __attribute__((packed))";
        }
        if self.chance(8) {
            let align = self.pick(&["1", "2", "4", "8", "16"]);
            write!(text, " __attribute__((aligned({align})))").unwrap();
        }
        text
    }

    fn bit_field(&mut self) -> String {
        let wide = self.model == DataModel::Lp64 && self.chance(4);
        let ty = match wide {
            true => self.pick(&["__int128", "unsigned __int128"]),
            false if self.chance(6) => self.pick(&["over_aligned", "under_aligned"]),
            false => self.pick(&INTEGERS),
        };
        if self.chance(8) {
            return format!("  {ty} : 0;\n");
        }
        let most = self.bits(ty);
        let width = match self.rng.u32(0..10) {
            0..2 => most,
            2..4 => [8, 16, 32, 64][self.rng.usize(0..4)].min(most),
            _ => self.rng.u32(1..=most),
        };
        if self.chance(10) {
            return format!("  {ty} : {width};\n");
        }
        let name = self.name();
        let attributes = self.field_attributes();
        self.bit_fields.push(name.clone());
        format!("  {ty} {name} : {width}{attributes};\n")
    }

    fn bits(&self, ty: &str) -> u32 {
        match ty {
            "_Bool" => 1,
            "char" | "signed char" | "unsigned char" | "enum tiny" => 8,
            "short" | "unsigned short" | "enum small" => 16,
            "long" | "unsigned long" if self.model == DataModel::Ilp32 => 32,
            "long" | "unsigned long" | "long long" | "unsigned long long" | "enum big" | "under_aligned" => 64,
            "__int128" | "unsigned __int128" => 128,
            _ => 32,
        }
    }
}
