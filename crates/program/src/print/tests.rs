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

#[test]
fn long_contents_are_shortened() {
    let mut program = sample::whole();
    let ty = program.globals.raw()[1].ty;
    for (id, bytes, read_only) in [(0, vec![7; 10_000_000], false), (1, vec![b'x'; 1_000_000], true)] {
        let global = &mut program.globals[crate::GlobalId(id)];
        (global.ty, global.size, global.read_only) = (ty, bytes.len() as u64 + 1, read_only);
        global.init = crate::GlobalInit::Image(Box::new(crate::Image { bytes, pointers: Vec::new() }));
    }
    let text = text(&program, Extent::Program).to_string();
    assert!(text.contains("… (10000001 bytes in all)\n"), "{text:.20000}");
    assert!(text.contains("xx\" … (1000001 bytes in all)\n"), "{text:.20000}");
    assert!(text.len() < 20_000, "{}", text.len());
}
