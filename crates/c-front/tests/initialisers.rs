//! Initialisers: what they make of an object must be GCC's bytes.
//!
//! `HEDDLE_INITIALISERS=10000 cargo test --release --test initialisers` tries that many for each data model.

mod common;

use c_front::types::DataModel;
use fastrand::Rng;
use std::fmt::Write;

const WRITTEN: &str = r#"
typedef struct S { int a, b; struct { char c; union { long u; float f; }; }; int arr[4]; } S;
S s0 = { 1, 2, { 'c', { .u = 5 } }, { [2] = 7, 8 } };
S s1 = { .arr = { [0 ... 2] = 3, [1] = 4 }, .a = 9, 10, .f = 1.5f };
S sa[] = { [3] = { 1 }, [1].arr[2] = 5, 6, [0] = { .b = 1 }, };
S sc = { .c = 1, 2, 3, 4 };
S elided[2] = { 1, 2, 'x', 4, 5, 6, 7, 8, 9, 10 };
S copied = (S){ 1, .arr = { 1, 2 } };
int m[][3] = { 1, 2, 3, 4, 5, 6, { 7 }, [5][1] = 9 };
int braces = { 3 }, more[2] = { { 1 }, { 2 } };
char text[] = "hello", cut[3] = "abcd", braced[] = { "x" }, filled[10] = { 'a', 'b' }, joined[] = "a" "b\0c";
unsigned char bytes[] = "\377\x80z";
__WCHAR_TYPE__ wide[] = L"wide";
__CHAR16_TYPE__ utf16[] = u"ab";
__CHAR32_TYPE__ utf32[4] = U"a";
struct flex { int n; char data[]; } flex = { 3, "abcdef" };
struct flex2 { int n; int d[]; } flex2 = { 2, { 1, 2, 3 } };
union U { int i; double d; char c[8]; } u1 = { 3 }, u2 = { .d = 2.0 }, u3 = { .c = "abc" }, u4 = { .i = 1, .d = 3 };
struct bits { unsigned a : 3; int b : 5; unsigned : 0; long long c : 40; _Bool d : 1; } bits = { 9, -2, 1ll << 39, 5 };
struct { char name[4]; int v; } table[] = { { "ab", 1 }, "cd", 2, { .v = 3 } };
int ranges[20] = { [0 ... 19] = 1, [5 ... 10] = 2, [7] = 3, 4, [18 ... 19] = 9 };
int grid[3][4] = { [0 ... 2][1 ... 2] = 5, [1] = { [3] = 7 } };
struct { struct { int x, y; } p[3]; int z; } deep = { .p[1].y = 4, 5, 6, 7, .p[0] = { 1 } };
struct { int a; struct { int b, c; }; int d; } anonymous = { 1, 2, 3, 4 }, anonymous2 = { .c = 3, 4 };
struct {} empty; struct { struct {} e; int x; } inner = { {}, 3 };
_Bool truth[] = { 0, 1, 2, 0.5, 0.0 };
double floats[] = { 1, 1.5f, 'a', 1e400, -0.0 };
long double extended[2] = { 1.5, 3 };
const int five = 5;
int from_const = five, from_conditional = five > 3 ? 7 : 8;
long difference = (char *)&s0.arr[2] - (char *)&s0, null_member = (long)&((S *)0)->arr[1];
enum { A, B = 5, C } e[] = { A, B, C };
unsigned char narrow = 300; signed char negative = 200; unsigned mixed = -1; unsigned long long big = -1;
int overridden[3] = { 1, 2, 3, [1] = 5, [0] = 6 };
static int function_local(void) { static int once = 7; static char buffer[] = "q"; return once + buffer[0]; }
int (*pointer)(void) = function_local;
"#;

#[test]
fn written_initialisers() {
    for model in common::MODELS {
        let predefined = [
            ("__WCHAR_TYPE__", if model == DataModel::Lp64 { "int" } else { "long" }),
            ("__CHAR16_TYPE__", "unsigned short"),
            ("__CHAR32_TYPE__", "unsigned"),
        ];
        let text = predefined.iter().fold(WRITTEN.to_owned(), |text, (name, ty)| text.replace(name, ty));
        common::compare_globals(&text, model, |_| String::new());
    }
}

#[test]
fn random_initialisers() {
    let total = common::count("HEDDLE_INITIALISERS", 400);
    for model in common::MODELS {
        let mut rng = Rng::with_seed(0x1417 + u64::from(model == DataModel::Ilp32));
        let mut done = 0;
        while done < total {
            let batch = (total - done).min(200);
            let text = common::accepted_lines(&generate(&mut rng, batch), model);
            common::compare(&text, model, |object| {
                let mut lines = text.lines().filter(|line| line.contains(&format!(" {object}")));
                let line = lines.next().unwrap_or_default().to_owned();
                let number = line.split('T').nth(1).and_then(|rest| rest.split(' ').next()).unwrap_or("0").to_owned();
                let types = text.lines().filter(|other| other.contains("typedef")).collect::<Vec<_>>().join("\n");
                format!("{line}\n(type T{number})\n{types}")
            });
            done += batch;
        }
    }
}

#[derive(Clone)]
enum Shape {
    Scalar(&'static str),
    Bits(u32),
    Chars(u64),
    Array(Box<Shape>, u64),
    Struct(Vec<Shape>),
    Union(Vec<Shape>),
}

fn generate(rng: &mut Rng, count: usize) -> String {
    let mut text = String::new();
    let mut shapes = Vec::new();
    for index in 0..12 {
        let shape = random_shape(rng, 3);
        let shape = match shape {
            Shape::Struct(_) | Shape::Union(_) => shape,
            other => Shape::Struct(vec![other, Shape::Scalar("int")]),
        };
        writeln!(text, "typedef {} T{index};", declare(&shape, "").trim_end()).unwrap();
        shapes.push(shape);
    }
    for index in 0..count {
        let number = rng.usize(0..shapes.len());
        let mut value = 1;
        if rng.u32(0..3) == 0 {
            let shape = Shape::Array(Box::new(shapes[number].clone()), 4);
            let init = list(rng, &shape, &mut value);
            writeln!(text, "T{number} v_{index}[{}] = {init};", rng.choice(["", "4"]).unwrap()).unwrap();
        } else {
            let init = list(rng, &shapes[number], &mut value);
            writeln!(text, "T{number} v_{index} = {init};").unwrap();
        }
    }
    text
}

fn random_shape(rng: &mut Rng, depth: u32) -> Shape {
    match rng.u32(0..12) {
        0..4 => Shape::Scalar(["char", "short", "int", "long long", "double", "unsigned", "_Bool"][rng.usize(0..7)]),
        4 => Shape::Bits(rng.u32(1..30)),
        5 => Shape::Chars(rng.u64(1..6)),
        6 | 7 if depth > 0 => match random_shape(rng, depth - 1) {
            Shape::Bits(_) => Shape::Scalar("int"),
            element => Shape::Array(Box::new(element), rng.u64(1..4)),
        },
        8 if depth > 0 => Shape::Union(members(rng, depth)),
        _ if depth > 0 => Shape::Struct(members(rng, depth)),
        _ => Shape::Scalar("int"),
    }
}

fn members(rng: &mut Rng, depth: u32) -> Vec<Shape> {
    (0..rng.usize(1..5)).map(|_| random_shape(rng, depth - 1)).collect()
}

/// `name` with that shape, members called `m0`, `m1`, …
fn declare(shape: &Shape, name: &str) -> String {
    let record = |keyword: &str, members: &[Shape]| {
        let inner: Vec<_> =
            members.iter().enumerate().map(|(index, member)| declare(member, &format!("m{index}")) + ";").collect();
        format!("{keyword} {{ {} }} {name}", inner.join(" "))
    };
    match shape {
        Shape::Scalar(ty) => format!("{ty} {name}"),
        Shape::Bits(width) => format!("int {name} : {width}"),
        Shape::Chars(length) => format!("char {name}[{length}]"),
        Shape::Array(element, length) => declare(element, &format!("{name}[{length}]")),
        Shape::Struct(members) => record("struct", members),
        Shape::Union(members) => record("union", members),
    }
}

fn next(value: &mut u32) -> String {
    *value = *value % 100 + 1;
    value.to_string()
}

/// A list in braces: items in order, some with their braces elided, some designated.
fn list(rng: &mut Rng, shape: &Shape, value: &mut u32) -> String {
    let count = match shape {
        Shape::Scalar(_) | Shape::Bits(_) => return format!("{{ {} }}", next(value)),
        Shape::Chars(length) | Shape::Array(_, length) => *length as usize,
        Shape::Struct(members) => members.len(),
        Shape::Union(_) => 1,
    };
    let mut items = Vec::new();
    let mut index = 0;
    for _ in 0..rng.usize(0..=count + 1) {
        let mut item = String::new();
        if rng.u32(0..100) < 20 {
            let (designator, inner) = designate(rng, shape, 2);
            item = format!("{designator} = ");
            item += &initializer(rng, &inner, value);
            items.push(item);
            index = count;
            continue;
        }
        match member(shape, index) {
            Some(inner) if rng.u32(0..100) < 30 => elide(rng, &inner, value, &mut items),
            Some(inner) => items.push(item + &initializer(rng, &inner, value)),
            None => items.push(next(value)),
        }
        index += 1;
    }
    format!("{{ {} }}", items.join(", "))
}

fn member(shape: &Shape, index: usize) -> Option<Shape> {
    match shape {
        Shape::Chars(length) => ((index as u64) < *length).then_some(Shape::Scalar("char")),
        Shape::Array(element, length) => ((index as u64) < *length).then(|| (**element).clone()),
        Shape::Struct(members) => members.get(index).cloned(),
        Shape::Union(members) => members.get(index).filter(|_| index == 0).cloned(),
        Shape::Scalar(_) | Shape::Bits(_) => None,
    }
}

fn initializer(rng: &mut Rng, shape: &Shape, value: &mut u32) -> String {
    match shape {
        Shape::Scalar(_) | Shape::Bits(_) => next(value),
        Shape::Chars(_) if rng.bool() => ["\"ab\"", "{ \"xyz\" }", "\"longer\""][rng.usize(0..3)].to_owned(),
        _ => list(rng, shape, value),
    }
}

/// Some of the scalars inside, without braces.
fn elide(rng: &mut Rng, shape: &Shape, value: &mut u32, items: &mut Vec<String>) {
    let mut index = 0;
    if matches!(shape, Shape::Scalar(_) | Shape::Bits(_)) {
        items.push(next(value));
    }
    while let Some(inner) = member(shape, index) {
        elide(rng, &inner, value, items);
        index += 1;
        if rng.u32(0..10) == 0 {
            return;
        }
    }
}

fn designate(rng: &mut Rng, shape: &Shape, depth: u32) -> (String, Shape) {
    let (text, inner) = match shape {
        Shape::Chars(length) => (format!("[{}]", rng.u64(0..*length)), Shape::Scalar("char")),
        Shape::Array(element, length) => {
            let first = rng.u64(0..*length);
            let last = rng.u64(first..*length);
            let range = if last > first && rng.bool() { format!("[{first} ... {last}]") } else { format!("[{first}]") };
            (range, (**element).clone())
        }
        Shape::Struct(members) | Shape::Union(members) => {
            let index = rng.usize(0..members.len());
            (format!(".m{index}"), members[index].clone())
        }
        Shape::Scalar(_) | Shape::Bits(_) => return (String::new(), shape.clone()),
    };
    if depth > 0 && rng.u32(0..10) < 4 && !matches!(inner, Shape::Scalar(_) | Shape::Bits(_)) {
        let (rest, deeper) = designate(rng, &inner, depth - 1);
        return (text + &rest, deeper);
    }
    (text, inner)
}
