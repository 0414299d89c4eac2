use super::*;
use crate::sample;

#[test]
fn every_edge_as_text() {
    insta::assert_snapshot!(text(&sample::whole(), Extent::Program));
}

#[test]
fn one_function_as_a_graph() {
    insta::assert_snapshot!(dot(&sample::whole(), Extent::Function(FunctionId(0))));
}

/// Forty additions that share their operands are a tree of a trillion nodes.
#[test]
fn shared_expressions_stay_short() {
    let mut types = crate::Types::default();
    let sample_types = sample::types(&mut types);
    let mut c = sample::Chain::new("f");
    let x = c.local("x", sample_types.int, Storage::Plain(sample::INT), LocalKind::Param);
    let mut value = c.read(x);
    for _ in 0..40 {
        value = c.binary(crate::BinaryOp::Add, value, value, sample::INT);
    }
    c.then(crate::Op::Assign(x, value));
    c.then(crate::Op::Return);
    let program = sample::program(types, sample_types, vec![c.builder.finish()]);
    assert!(text(&program, Extent::Program).to_string().len() < 1_000_000);
}
