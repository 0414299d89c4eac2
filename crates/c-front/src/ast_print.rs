//! The syntax tree as indented text, one node on each line with its position.

mod declaration;
mod expression;
mod statement;

use std::fmt::Arguments;
use std::io::{self, Write};

use base::{Interner, SourceMap, Span, Symbol};

use crate::ast::ExternalDecl;

/// Writes one external declaration.
pub fn print(declaration: &ExternalDecl, names: &Interner, sources: &SourceMap, out: &mut dyn Write) -> io::Result<()> {
    let mut printer = Printer { names, sources, out, depth: 0 };
    match declaration {
        ExternalDecl::Function(function) => printer.function(function),
        ExternalDecl::Declaration(declaration) => printer.declaration(declaration),
        ExternalDecl::StaticAssert(assertion) => printer.static_assert(assertion),
        ExternalDecl::Asm(asm) => printer.asm(asm),
    }
}

struct Printer<'a> {
    names: &'a Interner,
    sources: &'a SourceMap,
    out: &'a mut dyn Write,
    depth: usize,
}

impl Printer<'_> {
    /// Writes a node.
    fn node(&mut self, span: Span, text: Arguments<'_>) -> io::Result<()> {
        for _ in 0..self.depth {
            self.out.write_all(b"  ")?;
        }
        match self.sources.place(span) {
            Some(place) => writeln!(self.out, "{}:{} {text}", place.line, place.column),
            None => writeln!(self.out, "- {text}"),
        }
    }

    /// Writes what lies below the last node.
    fn below(&mut self, write: impl FnOnce(&mut Self) -> io::Result<()>) -> io::Result<()> {
        self.depth += 1;
        write(self)?;
        self.depth -= 1;
        Ok(())
    }

    fn name(&self, name: Symbol) -> String {
        self.names.resolve(name).to_owned()
    }

    fn name_or(&self, name: Option<Symbol>, otherwise: &str) -> String {
        name.map_or_else(|| otherwise.to_owned(), |name| self.name(name))
    }
}

#[cfg(test)]
mod tests {
    use base::{Interner, SourceMap};

    use super::print;
    use crate::lexer::lex;
    use crate::parser::Parser;

    fn dump(text: &str) -> String {
        let (mut names, mut sources) = (Interner::new(), SourceMap::new());
        let start = sources.add("a.c", text.to_owned()).unwrap();
        let lexed = lex(sources.text(start), start, &mut names);
        let mut parser = Parser::new(sources.text(start), start, lexed);
        let mut out = Vec::new();
        while let Some(declaration) = parser.next_external(&mut names) {
            print(&declaration.unwrap(), &names, &sources, &mut out).unwrap();
        }
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_function_is_one_node_per_line() {
        let expected = "\
1:1 function f
  1:1 specifiers static int
  1:12 declarator f
    1:12 function type
      1:14 parameter
        1:14 specifiers char
        1:26 declarator p
          1:26 pointer const
  1:46 body
    1:31 return
      1:38 binary Add
        1:38 unary Deref
          1:39 name p
        1:43 int 1
";
        assert_eq!(dump("static int f(char *const p) { return *p + 1; }"), expected);
    }

    #[test]
    fn declarations_show_types_and_initialisers() {
        let text = "struct s { int a : 3, *b; } x = { .a = 1, [2 ... 3] = { } };\nenum e { A, B = 2 };";
        let found = dump(text);
        for line in [
            "struct s",
            "field",
            "bits",
            "declarator b",
            "initializer list",
            "range",
            "enum e",
            "enumerator B",
            "int 2",
        ] {
            assert!(found.contains(line), "no line {line} in\n{found}");
        }
    }

    #[test]
    fn every_kind_of_statement_has_a_line() {
        let text = "void f(int n) { __label__ l; l: if (n) ; else n--; while (n) continue; do break; while (0);
            for (int i = 0; i < n; i++) { } switch (n) { case 1 ... 2: default: return; } goto l; goto *&&l;
            __asm__(\"nop\" : : \"r\"(n)); //@ assert n;
            }";
        let found = dump(text);
        for line in [
            "local labels l",
            "label l",
            "if",
            "else",
            "while",
            "continue",
            "do",
            "break",
            "for",
            "switch",
            "case",
            "default",
            "goto l",
            "computed goto",
            "label address l",
            "asm \"nop\"",
            "assert",
        ] {
            assert!(found.contains(line), "no line {line} in\n{found}");
        }
    }
}
