//! Statements about memory: blocks of the heap, unions, bit-fields, copied structs.

use crate::generate::Generator;

impl Generator {
    /// The local that keeps values, or something shared.
    pub fn kept(&mut self) -> String {
        if self.has_local() { "t".into() } else { self.place() }
    }

    /// One block that threads share, with its size; each is used with care, most often.
    pub fn blocks(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(12) {
            0 => self.line("if (heap) { free(heap); heap = 0; heap_size = 0; }"),
            1 => self.line("free(heap);"),
            2 | 3 => {
                let more = self.fresh("more");
                self.line(format!("int *{more} = realloc(heap, (heap_size + 1) * sizeof *heap);"));
                self.line(format!("{more}[heap_size] = {value};"));
                self.line(format!("heap = {more};"));
                self.line("heap_size = heap_size + 1;");
            }
            4 => {
                let own = self.fresh("own");
                self.line(format!("int *{own} = malloc(2 * sizeof(int));"));
                self.line(format!("{own}[0] = {value};"));
                self.line(format!("{own}[1] = {own}[0] + 1;"));
                self.line(format!("{to} = {own}[1];"));
                let free = self.one_of(&["free", "free", "free", "(void)"]);
                self.line(format!("{free}({own});"));
            }
            5..=7 => {
                let index = self.index(&value);
                self.line(format!("if (heap && {index} < heap_size) heap[{index}] = {to};"));
            }
            8 => {
                let index = self.index(&value);
                let bound = self.one_of(&["<", "<=", "<"]);
                self.line(format!("if (heap && {index} {bound} heap_size) {to} = heap[{index}];"));
            }
            9 => self.line(format!("*heap = {value};")),
            10 => self.line("memset(heap, 0, heap_size * sizeof *heap);"),
            _ => self.line(format!("if (heap) {to} = *heap;")),
        }
    }

    /// A local that holds a small index, computed; its name.
    fn index(&mut self, value: &str) -> String {
        let index = self.fresh("at");
        let mask = self.one_of(&["& 1", "& 1", "& 3"]);
        self.line(format!("int {index} = ({value}) {mask};"));
        index
    }

    pub fn unions(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(8) {
            0 => self.line(format!("u.whole = {value};")),
            1 => {
                let index = self.index(&value);
                self.line(format!("{to} = u.bytes[{index}];"));
            }
            2 => {
                let index = self.index(&value);
                self.line(format!("u.bytes[{index}] = {to};"));
            }
            3 => self.line(format!("{to} = u.halves[0];")),
            4 => {
                let view = self.fresh("view");
                self.line(format!("union view {view} = {{ {value} }};"));
                self.line(format!("{view}.bytes[1] = 7;"));
                self.line(format!("{to} = {view}.whole;"));
            }
            5 => {
                let byte = self.fresh("byte");
                self.line(format!("unsigned char *{byte} = (unsigned char *)&u;"));
                self.line(format!("{byte}[3] = {value};"));
            }
            6 => self.line(format!("memcpy(&u, &{}, sizeof u);", self.one_of_ints())),
            _ => {
                let (view, other) = (self.fresh("view"), self.fresh("view"));
                self.line(format!("union view {view} = u, {other} = {view};"));
                self.line(format!("if ({other}.halves[1] != {view}.halves[1]) reach_error();"));
            }
        }
    }

    /// Something with the size of an `int` and an address.
    fn one_of_ints(&self) -> &'static str {
        if self.has_local() { "t" } else { "u.whole" }
    }

    pub fn bits(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(8) {
            0 => self.line(format!("f.b = {value};")),
            1 => self.line("f.a++;"),
            2 => self.line("f.b -= 3;"),
            3 => self.line(format!("{to} = f.b * 2 - f.a;")),
            4 => self.line(format!("f.wide = (unsigned long long)({value}) << 33;")),
            5 => self.line(format!("{to} = (unsigned long long)f.wide >> 33;")),
            6 => {
                let own = self.fresh("own");
                self.line(format!("struct flags {own} = f;"));
                self.line(format!("{own}.a = {own}.a + 5;"));
                self.line(format!("{to} = {own}.a - {own}.sign;"));
            }
            _ => self.line(format!("f.sign = {value};")),
        }
    }

    pub fn copies(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(8) {
            0 => self.line("r0 = r1;"),
            1 => self.line(format!("r1 = make({value});")),
            2 => self.line("r0 = turned(r1);"),
            3 => self.line(format!("{to} = turned(make({value})).c[1];")),
            4 => {
                let own = self.fresh("own");
                self.line(format!("struct triple {own} = r0;"));
                self.line(format!("{own}.c[({to}) & 1] = {value};"));
                self.line(format!("r1 = {own};"));
            }
            5 => {
                let at = self.fresh("at");
                self.line(format!("struct triple *{at} = ({value}) ? &r0 : &r1;"));
                self.line(format!("{at}->b = {at}->b + 1;"));
            }
            6 => self.line("memcpy(&r0.c, &r1.c, sizeof r0.c);"),
            _ => {
                let own = self.fresh("own");
                self.line(format!("struct triple {own}[2] = {{ r0, {{ {value} }} }};"));
                self.line(format!("{own}[0] = {own}[1];"));
                self.line(format!("{to} = {own}[0].a + {own}[0].b;"));
            }
        }
    }
}
