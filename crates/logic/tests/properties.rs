//! Random terms: what constructors make of them keeps its value, text leads back to the same term, and substitution and import agree
//! with evaluation. Constants and widths are such that rewriting rules apply often.

use std::sync::Arc;

use fastrand::Rng;
use logic::{ArrayValue, Assignment, Op, Sort, Term, Terms, Value};

const WIDTHS: [u8; 5] = [1, 3, 4, 8, 128];
const ARRAY: Sort = Sort::Array { index: 3, element: 8 };

/// Makes terms, and beside each the value that its operators have on the values of its operands, without any rewriting.
struct Generator {
    rng: Rng,
    terms: Terms,
    assignment: Assignment,
}

impl Generator {
    fn new(seed: u64) -> Generator {
        let mut generator =
            Generator { rng: Rng::with_seed(seed), terms: Terms::new(), assignment: Assignment::default() };
        let sorts = WIDTHS.map(Sort::Bits).into_iter().chain([Sort::Bool, ARRAY]);
        for sort in sorts {
            for name in ["x", "y"] {
                let symbol = generator.terms.symbol(&format!("{name} {sort}"), sort);
                let value = generator.value(sort);
                generator.assignment.set(symbol, value);
            }
        }
        generator
    }

    fn value(&mut self, sort: Sort) -> Value {
        match sort {
            Sort::Bool => Value::Bool(self.rng.bool()),
            Sort::Bits(width) => {
                let special = [0, 1, u128::MAX, 1 << (width - 1), u128::from(width)];
                let value = if self.rng.bool() { self.rng.u128(..) } else { special[self.rng.usize(..special.len())] };
                Value::bits(width, value)
            }
            Sort::Array { index, element } => {
                let mut array = ArrayValue::new(index, element, self.rng.u128(..2));
                (0..self.rng.u32(..4)).for_each(|_| array.set(self.rng.u128(..8), self.rng.u128(..3)));
                Value::Array(Arc::new(array))
            }
        }
    }

    fn leaf(&mut self, sort: Sort) -> (Term, Value) {
        if self.rng.bool() {
            let value = self.value(sort);
            return (self.terms.literal(&value), value);
        }
        let name = if self.rng.bool() { "x" } else { "y" };
        let symbol = self.terms.symbol_named(&format!("{name} {sort}")).expect("all are there");
        (self.terms.variable(symbol), self.assignment.get(symbol).expect("all have values").clone())
    }

    fn term(&mut self, sort: Sort, depth: u32) -> (Term, Value) {
        if depth == 0 {
            return self.leaf(sort);
        }
        let (op, sorts) = self.operator(sort);
        let operands: Vec<(Term, Value)> = sorts.into_iter().map(|sort| self.term(sort, depth - 1)).collect();
        let (args, values): (Vec<Term>, Vec<Value>) = operands.into_iter().unzip();
        (self.terms.apply(op, &args), op.value(&values).expect("no symbol"))
    }

    /// An operator that makes a term of that sort, with the sorts of its operands.
    fn operator(&mut self, sort: Sort) -> (Op, Vec<Sort>) {
        use Op::*;
        let width = WIDTHS[self.rng.usize(..WIDTHS.len())];
        let bits = Sort::Bits(width);
        let options: Vec<(Op, Vec<Sort>)> = match sort {
            Sort::Bool => vec![
                (Not, vec![sort]),
                (And, vec![sort; 2]),
                (Or, vec![sort; 2]),
                (Eq, vec![sort; 2]),
                (Eq, vec![bits; 2]),
                (Eq, vec![ARRAY; 2]),
                (BvUlt, vec![bits; 2]),
                (BvSlt, vec![bits; 2]),
            ],
            Sort::Bits(own) => {
                let two =
                    [BvAnd, BvOr, BvXor, BvAdd, BvSub, BvMul, BvUdiv, BvUrem, BvSdiv, BvSrem, BvShl, BvLshr, BvAshr];
                let mut options: Vec<(Op, Vec<Sort>)> = two.iter().map(|op| (*op, vec![sort; 2])).collect();
                options.extend([(BvNot, vec![sort]), (BvNeg, vec![sort])]);
                options.extend((own > width).then(|| (Concat, vec![Sort::Bits(own - width), bits])));
                options.extend((own > width).then(|| (ZeroExtend(own - width), vec![bits])));
                options.extend((own > width).then(|| (SignExtend(own - width), vec![bits])));
                let low = self.rng.u8(..=width.saturating_sub(own));
                options.extend((own <= width).then(|| (Extract { high: low + own - 1, low }, vec![bits])));
                options.extend((own == 8).then(|| (Select, vec![ARRAY, Sort::Bits(3)])));
                options
            }
            Sort::Array { index, .. } => {
                vec![(Store, vec![ARRAY, Sort::Bits(3), Sort::Bits(8)]), (ConstArray { index }, vec![Sort::Bits(8)])]
            }
        };
        let usable = |(_, sorts): &(Op, Vec<Sort>)| sorts.iter().all(|sort| self.is_usable(*sort));
        let mut options: Vec<_> = options.into_iter().filter(usable).collect();
        options.push((Ite, vec![Sort::Bool, sort, sort]));
        let chosen = self.rng.usize(..options.len());
        options.swap_remove(chosen)
    }

    fn is_usable(&self, sort: Sort) -> bool {
        self.terms.symbol_named(&format!("x {sort}")).is_some()
    }

    fn any_sort(&mut self) -> Sort {
        let sorts: Vec<Sort> = WIDTHS.map(Sort::Bits).into_iter().chain([Sort::Bool, ARRAY]).collect();
        sorts[self.rng.usize(..sorts.len())]
    }
}

/// Many terms, over several arenas.
fn for_each_term(mut body: impl FnMut(&mut Generator, Term, Value)) {
    for seed in 0..40 {
        let mut generator = Generator::new(seed);
        for i in 0..200 {
            let sort = generator.any_sort();
            let (term, value) = generator.term(sort, 1 + i % 4);
            body(&mut generator, term, value);
        }
    }
}

#[test]
fn rewriting_keeps_values() {
    let mut folded = 0;
    for_each_term(|generator, term, value| {
        assert_eq!(generator.terms.sort(term), value.sort());
        let found = generator.terms.eval(term, &generator.assignment).expect("all symbols have values");
        assert_eq!(found, value, "{}", generator.terms.print(term));
        folded += u32::from(generator.terms.constant(term).is_some());
    });
    assert!((400..4_000).contains(&folded), "{folded} of 8000 terms became constants");
}

#[test]
fn text_leads_back_to_the_term() {
    for_each_term(|generator, term, _| {
        let text = generator.terms.print(term);
        assert_eq!(generator.terms.parse(&text), Ok(term), "{text}");
    });
}

#[test]
fn substitution_agrees_with_evaluation() {
    for_each_term(|generator, term, _| {
        let x = generator.terms.symbol_named("x (_ BitVec 8)").expect("it is there");
        let (new, value) = generator.term(Sort::Bits(8), 2);
        let old = generator.terms.variable(x);
        let substituted = generator.terms.substitute(term, &[(old, new)].into_iter().collect());
        let mut changed = generator.assignment.clone();
        changed.set(x, value);
        let expected = generator.terms.eval(term, &changed);
        assert_eq!(generator.terms.eval(substituted, &generator.assignment), expected);
    });
}

#[test]
fn another_arena_has_the_same_terms() {
    for_each_term(|generator, term, _| {
        let mut other = Terms::new();
        other.symbol("first", Sort::Bool);
        let imported = other.import(&generator.terms, &[term])[0];
        assert_eq!(generator.terms.import(&other, &[imported]), [term]);
    });
}
