//! Terms as SMT-LIB 2 text. What occurs more than once is bound by `let`, so that text is as long as a term is large, not as its
//! tree is.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;

use crate::{Op, SymbolId, Term, Terms};

impl Terms {
    pub fn print(&self, term: Term) -> String {
        let order = self.postorder(&[term]);
        let mut uses: FxHashMap<Term, u32> = FxHashMap::default();
        for arg in order.iter().flat_map(|term| &self.node(*term).args) {
            *uses.entry(*arg).or_default() += 1;
        }
        let shared = order.into_iter().filter(|term| uses.get(term) > Some(&1) && !self.node(*term).args.is_empty());
        let (mut names, mut text, mut open) = (FxHashMap::default(), String::new(), 0);
        for term in shared {
            open += 1;
            let _ = write!(text, "(let ((?{open} ");
            self.write(term, &names, &mut text);
            text.push_str(")) ");
            names.insert(term, open);
        }
        self.write(term, &names, &mut text);
        text.extend(std::iter::repeat_n(')', open));
        text
    }

    /// All that a solver must know to look for a model of the formulas, `(check-sat)` aside.
    pub fn script(&self, formulas: &[Term]) -> String {
        let mut text = String::from("(set-logic QF_ABV)\n");
        for symbol in self.symbols_of(formulas) {
            let _ = writeln!(text, "(declare-const {} {})", self.name(symbol), self.describe(symbol).sort);
        }
        for formula in formulas {
            let _ = writeln!(text, "(assert {})", self.print(*formula));
        }
        text
    }

    fn write(&self, term: Term, names: &FxHashMap<Term, usize>, text: &mut String) {
        enum Todo {
            Write(Term),
            Close,
        }
        let mut todo = vec![Todo::Write(term)];
        while let Some(next) = todo.pop() {
            let Todo::Write(term) = next else {
                text.push(')');
                continue;
            };
            if !text.ends_with([' ', '(']) && !text.is_empty() {
                text.push(' ');
            }
            let node = self.node(term);
            if let Some(name) = names.get(&term) {
                let _ = write!(text, "?{name}");
            } else if node.args.is_empty() {
                self.write_op(term, text);
            } else {
                text.push('(');
                self.write_op(term, text);
                todo.push(Todo::Close);
                todo.extend(node.args.iter().rev().map(|arg| Todo::Write(*arg)));
            }
        }
    }

    fn write_op(&self, term: Term, text: &mut String) {
        let node = self.node(term);
        let _ = match node.op {
            Op::Symbol(symbol, _) => write!(text, "{}", self.name(symbol)),
            Op::ConstArray { .. } => write!(text, "(as const {})", node.sort),
            op => write!(text, "{op}"),
        };
    }

    /// Quoted if it is no simple symbol.
    fn name(&self, symbol: SymbolId) -> String {
        let name = &self.describe(symbol).name;
        let is_simple = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/".contains(c);
        let begins = |c: char| is_simple(c) && !c.is_ascii_digit() && !"@.".contains(c);
        let means_other = ["let", "as", "_", "true", "false"].contains(&&**name);
        match name.starts_with(begins) && name.chars().all(is_simple) && !means_other {
            true => name.to_string(),
            false => format!("|{name}|"),
        }
    }
}
