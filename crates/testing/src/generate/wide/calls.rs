//! Statements with calls: of the library, of functions without a body, through pointers; and what `main` is given.

use crate::generate::Generator;

impl Generator {
    pub fn library(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(12) {
            0 => {
                let word = self.one_of(&["", "x", "17", "-3a", "abc", "1234567", "12345678"]);
                self.line(format!("strcpy(text, \"{word}\");"));
            }
            1 => self.line(format!("{to} = strlen(text);")),
            2 => self.line(format!("{to} = atoi(text);")),
            3 => self.line(format!("{to} = abs({value});")),
            4 => {
                let size = self.one_of(&["2", "3", "7", "8"]);
                self.line(format!("memset(text, 'z', {size});"));
                self.line("text[7] = 0;");
            }
            5 => {
                let at = self.fresh("at");
                self.line(format!("char *{at} = strchr(text, 'b');"));
                let guard = self.one_of(&["if (at) ", "if (at) ", ""]).replace("at", &at);
                self.line(format!("{guard}*{at} = 'c';"));
            }
            6 => {
                let buffer = self.fresh("buffer");
                self.line(format!("char {buffer}[4] = \"\";"));
                let copy = self.one_of(&["strncpy", "memcpy", "memmove"]);
                self.line(format!("{copy}({buffer}, text, 3);"));
                self.line(format!("{to} = {buffer}[1];"));
            }
            7 => self.line(format!("{to} = strcmp(text, \"ab\") < 0;")),
            8 => self.line(format!("{to} = memcmp(text, \"zz\", 2) > 0;")),
            9 => self.line("memmove(text + 1, text, 3);"),
            10 => {
                let buffer = self.fresh("buffer");
                self.line(format!("char {buffer}[4];"));
                self.line(format!("strcpy({buffer}, text);"));
                self.line(format!("{to} = strlen({buffer});"));
            }
            _ => {
                let size = self.fresh("size");
                self.line(format!("int {size} = ({value}) & 3;"));
                self.line(format!("memset(text, 0, {size});"));
            }
        }
    }

    pub fn missing(&mut self) {
        let (value, to) = (self.value(), self.kept());
        let own = self.fresh("own");
        match self.random.below(6) {
            0 => self.line(format!("{to} = missing_number();")),
            1 | 2 => {
                self.line(format!("int {own}[2] = {{ {value}, 1 }};"));
                self.line(format!("missing_fill({own}, 2);"));
                self.line(format!("{to} = {own}[1];"));
            }
            3 => {
                self.line(format!("int {own} = {value};"));
                self.line(format!("{to} = missing_look(&{own}) + {own};"));
            }
            4 => {
                let function = self.one_of(&["twice", "keep"]);
                self.line(format!("{to} = missing_call({function}, {value});"));
            }
            _ => {
                self.line(format!("int {own} = 0;"));
                self.line(format!("missing_fill(&{own}, 1);"));
                self.block(format!("if ({own} == 5)"));
            }
        }
    }

    pub fn callbacks(&mut self) {
        let (value, to) = (self.value(), self.kept());
        match self.random.below(6) {
            0 => self.line("hook = twice;"),
            1 => self.line("hook = keep;"),
            2 => self.line(format!("{to} = table[({value}) & 1]({to});")),
            3 | 4 => {
                let own = self.fresh("own");
                self.line(format!("int (*{own})(int) = hook;"));
                self.line(format!("if ({own}) {to} = {own}({value});"));
            }
            _ => {
                let guard = if self.random.once_in(5) { "" } else { "if (hook) " };
                self.line(format!("{guard}{to} = hook({value});"));
            }
        }
    }

    /// What `main` is given decides.
    pub fn arguments(&mut self) {
        self.left = 2;
        match self.random.below(6) {
            0 => self.block("if (argc > 1)"),
            1 => self.block("if (argc > 2 && argv[2][0] == 'a')"),
            2 => self.line("x = argc;"),
            3 => self.line("if (argc > 1) t = atoi(argv[1]);"),
            4 => self.line("while (argv[t]) t++;"),
            _ => {
                self.line("if (argc > 1) { while (argv[1][t]) t++; }");
                self.block("if (t == 2)");
            }
        }
    }
}
