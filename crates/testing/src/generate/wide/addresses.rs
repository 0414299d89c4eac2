//! Statements about pointers that are kept in other forms: as numbers, with marks in their low bits, byte by byte, in records.

use crate::generate::Generator;

impl Generator {
    pub fn addresses(&mut self) {
        let (value, to) = (self.value(), self.kept());
        let (bits, at) = (self.fresh("bits"), self.fresh("at"));
        match self.random.below(8) {
            0 => {
                self.line(format!("unsigned long {bits} = (unsigned long)&cells[1];"));
                self.line(format!("if ({value}) {bits} |= 1;"));
                self.line(format!("int *{at} = (int *)({bits} & ~1ul);"));
                self.line(format!("*{at} = {to};"));
                self.line(format!("{to} = {bits} & 1;"));
            }
            1 => {
                self.line(format!("int *{at};"));
                self.line(format!("int *{bits} = &cells[({value}) & 1];"));
                self.line(format!("memcpy(&{at}, &{bits}, sizeof {at});"));
                self.line(format!("{to} = *{at};"));
            }
            2 => self.line(format!("link = ({value}) ? &cells[2] : &cells[0];")),
            3 => self.line("link = link == &cells[2] ? cells : link;"),
            4 => {
                self.line(format!("int *{at} = link;"));
                self.line(format!("{to} = {at} - cells;"));
                self.line(format!("if ({at} != cells) {at}[-1] = 4;"));
            }
            5 => {
                self.line(format!("struct holder {at} = {{ .count = {value}, .place = &cells[1] }};"));
                self.line(format!("struct holder *{bits} = (struct holder *)((char *)&{at}.count - 8);"));
                self.line(format!("*{bits}->place = {bits}->count;"));
            }
            6 => {
                self.line(format!("int **{at} = &link;"));
                self.line(format!("**{at} = {value};"));
            }
            _ => {
                self.line(format!("unsigned long {bits} = (unsigned long)link - (unsigned long)cells;"));
                self.line(format!("{to} = {bits} / sizeof(int);"));
            }
        }
    }

    pub fn control(&mut self) {
        let (value, to) = (self.value(), self.kept());
        let k = self.fresh("k");
        match self.random.below(7) {
            0 => {
                self.line(format!("int {k} = {value};"));
                self.line(format!("do {{ {to} = {k}; {k} = {k} / 2; }} while ({k} > 1);"));
            }
            1 => {
                self.line(format!("static int {k} = 1;"));
                self.line(format!("{k} = ({k} + 1) & 3;"));
                self.line(format!("{to} = {k};"));
            }
            2 => {
                self.line(format!("int {k} = ({value}) & 1;"));
                self.line(format!("matrix[{k}][1 - {k}] = {to};"));
            }
            3 => self.line(format!("{to} = matrix[0][({value}) & 1] + matrix[1][0];")),
            4 => {
                self.line(format!("int {k} = 0;"));
                self.line(format!("again{k}: {k}++;"));
                self.line(format!("if ({k} < 3 && matrix[0][0] < 2) goto again{k};"));
                self.line(format!("{to} = {k};"));
            }
            5 => {
                self.line(format!("int {k}[(({value}) & 1) + 1];"));
                self.line(format!("{k}[0] = {to};"));
                self.line(format!("{to} = sizeof {k} / sizeof(int) + {k}[0];"));
            }
            _ => {
                self.line(format!("const char *{k} = ({value}) ? \"one\" : \"other\";"));
                self.line(format!("while (*{k} != 'e') {k}++;"));
                self.line(format!("{to} = {k}[1];"));
            }
        }
    }
}
