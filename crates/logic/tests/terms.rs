//! Single terms: normal forms, text, and what is refused.

use logic::{Assignment, Op, ParseError, Sort, Term, Terms, Unassigned, Value};

fn byte(terms: &mut Terms, name: &str) -> Term {
    let symbol = terms.symbol(name, Sort::Bits(8));
    terms.variable(symbol)
}

fn is_shared_between_threads<T: Send + Sync>() {}

#[test]
fn an_arena_can_be_shared_between_threads() {
    is_shared_between_threads::<Terms>();
    is_shared_between_threads::<Assignment>();
}

#[test]
fn equal_terms_are_one() {
    let mut terms = Terms::new();
    let (x, y) = (byte(&mut terms, "x"), byte(&mut terms, "y"));
    assert_eq!(terms.bvadd(x, y), terms.bvadd(y, x));
    assert_ne!(terms.bvsub(x, y), terms.bvsub(y, x));
    let (three, four) = (terms.bits(8, 3), terms.bits(8, 4));
    let sum = terms.bvadd(three, x);
    let sum = terms.bvadd(sum, four);
    assert_eq!(terms.print(sum), "(bvadd x #x07)");
    let less = terms.bvule(x, y);
    assert_eq!(terms.print(less), "(not (bvult y x))");
}

#[test]
fn a_truth_value_as_a_bit_is_the_truth_value_again() {
    let mut terms = Terms::new();
    let (x, y) = (byte(&mut terms, "x"), byte(&mut terms, "y"));
    let less = terms.bvslt(x, y);
    let bit = terms.bit_of(less);
    assert_eq!(terms.is_nonzero(bit), less);
}

#[test]
fn elements_are_found_behind_stores_elsewhere() {
    let mut terms = Terms::new();
    let memory = terms.symbol("memory", Sort::Array { index: 64, element: 8 });
    let (start, at, value) = (terms.variable(memory), terms.bits(64, 7), byte(&mut terms, "x"));
    let mut array = terms.store(start, at, value);
    for i in 100..50_000 {
        let (index, other) = (terms.bits(64, i), terms.bits(8, i));
        array = terms.store(array, index, other);
    }
    assert_eq!(terms.select(array, at), value);
    let unknown = terms.bits(64, 8);
    assert_eq!(terms.select(array, unknown), terms.select(start, unknown));
}

#[test]
fn shared_terms_are_written_once() {
    let mut terms = Terms::new();
    let mut term = byte(&mut terms, "a b");
    for _ in 0..3 {
        term = terms.bvmul(term, term);
    }
    let text = "(let ((?1 (bvmul |a b| |a b|))) (let ((?2 (bvmul ?1 ?1))) (bvmul ?2 ?2)))";
    assert_eq!(terms.print(term), text);
    assert_eq!(terms.parse(text), Ok(term));
}

#[test]
fn deep_terms_need_no_deep_stack() {
    let mut terms = Terms::new();
    let (x, mut term) = (byte(&mut terms, "x"), byte(&mut terms, "x"));
    for _ in 0..200_000 {
        term = terms.bvnot(term);
        term = terms.bvadd(term, x);
    }
    let text = terms.print(term);
    assert_eq!(terms.parse(&text), Ok(term));
    let symbol = terms.symbol_named("x").expect("it is there");
    let zero: Assignment = [(symbol, Value::bits(8, 0))].into_iter().collect();
    assert_eq!(terms.eval(term, &zero), Ok(Value::bits(8, 0)));
}

#[test]
fn a_script_declares_what_it_mentions() {
    let mut terms = Terms::new();
    let (x, _) = (byte(&mut terms, "x"), byte(&mut terms, "y"));
    let memory = terms.symbol("m", Sort::Array { index: 8, element: 8 });
    let memory = terms.variable(memory);
    let (element, constant) = (terms.select(memory, x), terms.bits(8, 10));
    let formula = terms.eq(element, constant);
    let expected = "(set-logic QF_ABV)\n(declare-const x (_ BitVec 8))\n\
                    (declare-const m (Array (_ BitVec 8) (_ BitVec 8)))\n(assert (= (select m x) #x0a))\n";
    assert_eq!(terms.script(&[formula]), expected);
}

#[test]
fn operands_that_do_not_fit_are_refused() {
    let mut terms = Terms::new();
    let (x, truth, wide) = (byte(&mut terms, "x"), terms.bool(true), terms.bits(128, 1));
    let bad: [(Op, &[Term]); 9] = [
        (Op::BvAdd, &[x, wide]),
        (Op::BvAdd, &[x]),
        (Op::And, &[x, truth]),
        (Op::Ite, &[x, x, x]),
        (Op::Extract { high: 8, low: 0 }, &[x]),
        (Op::Extract { high: 0, low: 1 }, &[x]),
        (Op::ZeroExtend(0), &[x]),
        (Op::Concat, &[wide, x]),
        (Op::Bits { width: 8, value: 256 }, &[]),
    ];
    for (op, args) in bad {
        assert!(terms.try_apply(op, args).is_err(), "{op:?} takes {args:?}");
    }
    let error = terms.try_apply(Op::BvAdd, &[x, truth]).unwrap_err();
    assert_eq!(error.to_string(), "bvadd does not take ((_ BitVec 8) Bool)");
}

#[test]
#[should_panic(expected = "bvult does not take ((_ BitVec 8) (_ BitVec 16))")]
fn constructors_fail_loudly() {
    let mut terms = Terms::new();
    let (x, y) = (byte(&mut terms, "x"), terms.bits(16, 0));
    terms.bvult(x, y);
}

#[test]
#[should_panic(expected = "x is known with another sort")]
fn a_name_has_one_sort() {
    let mut terms = Terms::new();
    terms.symbol("x", Sort::Bool);
    terms.symbol("x", Sort::Bits(1));
}

#[test]
fn symbols_without_a_value_are_told() {
    let mut terms = Terms::new();
    let x = byte(&mut terms, "x");
    let symbol = terms.as_symbol(x).expect("it is one");
    assert_eq!(terms.eval(x, &Assignment::default()), Err(Unassigned(symbol)));
}

#[test]
fn text_that_is_no_term_is_refused() {
    let mut terms = Terms::new();
    byte(&mut terms, "x");
    for text in ["", "(", ")", "y", "(bvadd x", "(bvadd x x) x", "(foo x)", "(let ((?1 x)) )", "#x", "?1", "(())"] {
        assert!(terms.parse(text).is_err(), "{text}");
    }
    assert!(matches!(terms.parse("(bvadd x #b1)"), Err(ParseError::Sort(_))));
    assert_eq!(terms.parse("(let ((?1 x)) ?1) ?1"), Err(ParseError::Unexpected(" ?1".into())));
}
