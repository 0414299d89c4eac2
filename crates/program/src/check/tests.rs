use super::*;
use crate::sample::{self, Chain, INT, POINTER, SampleTypes, WORD, access};
use crate::*;

/// One function, whose body `fill` writes; then a return.
fn checked(fill: impl FnOnce(&mut Chain, SampleTypes)) -> String {
    broken(fill, |_| ())
}

/// The same, spoilt behind the builder's back.
fn broken(fill: impl FnOnce(&mut Chain, SampleTypes), spoil: impl FnOnce(&mut Program)) -> String {
    let mut types = Types::default();
    let sample_types = sample::types(&mut types);
    let mut c = Chain::new("f");
    fill(&mut c, sample_types);
    c.then(Op::Return);
    let mut program = sample::program(types, sample_types, vec![c.builder.finish()]);
    spoil(&mut program);
    check(&program).expect_err("the program is ill-formed")
}

fn int(c: &mut Chain, types: SampleTypes) -> LocalId {
    c.local("x", types.int, Storage::Plain(INT), LocalKind::Named)
}

fn complains(error: String, about: &str) {
    assert!(error.contains(about), "{error:?} does not mention {about:?}");
}

#[test]
fn the_sample_is_well_formed() {
    assert_eq!(check(&sample::whole()), Ok(()));
}

#[test]
fn types_of_operands_must_agree() {
    let error = checked(|c, types| {
        let x = int(c, types);
        let (a, b) = (c.read(x), c.builder.constant(WORD, 1));
        c.binary(BinaryOp::SAdd, a, b, INT);
    });
    complains(error, "SAdd of Int(32) and Int(64) does not give Int(32)");
    let error = checked(|c, types| {
        let x = int(c, types);
        let a = c.read(x);
        c.cast(Cast::ZExt, a, INT);
    });
    complains(error, "ZExt of Int(32) does not give Int(32)");
    let error = checked(|c, types| {
        let x = int(c, types);
        let a = c.read(x);
        c.unary(UnaryOp::FIsNan, a, Scalar::BOOL);
    });
    complains(error, "FIsNan of Int(32)");
}

#[test]
fn constants_fit_their_type() {
    let error = checked(|c, _| {
        c.builder.expr(ExprKind::Const(256), Scalar::Int(8));
    });
    complains(error, "0x100 is no constant of Int(8)");
    let error = checked(|c, _| {
        c.builder.expr(ExprKind::Const(1), POINTER);
    });
    complains(error, "0x1 is no constant of Pointer(8)");
    let error = checked(|c, _| {
        c.builder.expr(ExprKind::Wide(0), Scalar::Int(128));
    });
    complains(error, "no such wide constant");
}

#[test]
fn plain_locals_have_no_address_and_others_no_value() {
    let error = checked(|c, types| {
        let x = int(c, types);
        c.builder.expr(ExprKind::LocalAddress(x), POINTER);
    });
    complains(error, "v0 is plain");
    let error = checked(|c, types| {
        let x = c.local("x", types.int, Storage::Memory, LocalKind::Named);
        c.builder.expr(ExprKind::Local(x), INT);
    });
    complains(error, "v0 is in memory");
    let error = checked(|c, types| {
        let x = int(c, types);
        c.then(Op::Enter(x));
    });
    complains(error, "edge e0 (L0 -> L1): local v0 is plain");
}

#[test]
fn values_fit_what_takes_them() {
    let error = checked(|c, types| {
        let x = int(c, types);
        let address = c.global(0);
        c.then(Op::Load { to: x, from: access(address, WORD, Order::Plain) });
    });
    complains(error, "target is Int(64), but goes to a local of Int(32)");
    let error = checked(|c, _| {
        let (address, value) = (c.global(0), c.int(1));
        c.then(Op::Store { to: access(address, Scalar::Int(8), Order::Plain), value });
    });
    complains(error, "value is Int(32), not Int(8)");
    let error = checked(|c, _| {
        let (address, value) = (c.global(0), c.builder.constant(Scalar::Int(3), 1));
        let bits = Some(Box::new(Bits { start: 6, before: 0, length: 1 }));
        c.then(Op::Store { to: Access { bits, ..access(address, Scalar::Int(3), Order::Plain) }, value });
    });
    complains(error, "Int(3) is not accessible");
}

#[test]
fn calls_fit_the_callee() {
    let call = |args: Box<[ExprId]>, to| Op::Call(Box::new(Call { callee: Callee::Direct(FunctionId(0)), args, to }));
    let error = checked(|c, _| {
        let one = c.int(1);
        c.then(call(Box::new([one]), None));
    });
    complains(error, "1 arguments for the 0 parameters of f0");
    let error = checked(|c, types| {
        let x = int(c, types);
        c.then(call(Box::new([]), Some(x)));
    });
    complains(error, "f0 has no result");
}

#[test]
fn assumptions_come_together() {
    let error = checked(|c, _| {
        let condition = c.builder.constant(Scalar::BOOL, 1);
        c.then(Op::Assume(condition));
    });
    complains(error, "1 of 1 edges from L0 are assumptions");
    let error = checked(|c, _| {
        let one = c.int(1);
        c.then(Op::Assume(one));
    });
    complains(error, "condition is Int(32), not Int(1)");
    let error = checked(|c, _| {
        let end = c.builder.location();
        c.edge(c.at, Op::Return, end);
    });
    complains(error, "0 of 2 edges from L0 are assumptions");
}

#[test]
fn only_what_ends_leads_nowhere() {
    let error =
        broken(|c, _| c.then(Op::AtomicBegin), |p| p.functions[FunctionId(0)].edges[EdgeId(1)].op = Op::AtomicEnd);
    complains(error, "no edge leaves L2, where AtomicEnd leads");
    let spoil = |p: &mut Program| p.functions[FunctionId(0)].edges[EdgeId(0)].op = Op::End(End::Exit);
    let error = broken(|c, _| c.then(Op::AtomicBegin), spoil);
    complains(error, "edges leave L1, where End(Exit) leads");
}

#[test]
fn ids_are_in_range() {
    let spoilt = |spoil: fn(&mut Function)| {
        broken(|c, _| c.then(Op::AtomicBegin), |program| spoil(&mut program.functions[FunctionId(0)]))
    };
    complains(spoilt(|f| f.edges[EdgeId(0)].to = Location(9)), "a location does not exist");
    complains(spoilt(|f| f.edges[EdgeId(0)].from = Location(1)), "edges listed for L0 start elsewhere");
    complains(spoilt(|f| f.edges[EdgeId(0)].op = Op::Assume(ExprId(7))), "expression x7 does not exist");
    complains(spoilt(|f| f.edges[EdgeId(0)].op = Op::Leave(LocalId(7))), "local v7 does not exist");
    complains(spoilt(|f| f.params.push(LocalId(3))), "parameter 0 is v3");
    complains(spoilt(|f| f.entry = Location(9)), "entry L9 does not exist");
    complains(broken(|_, _| (), |p| p.main = FunctionId(4)), "main is f4");
    complains(broken(|_, _| (), |p| p.globals[GlobalId(0)].ty = TypeId(99)), "type t99 does not exist");
}

#[test]
fn every_cycle_has_a_head() {
    let error = broken(
        |c, _| {
            let condition = c.builder.constant(Scalar::BOOL, 1);
            let (start, inside, outside) = (c.at, c.builder.location(), c.builder.location());
            c.edge(start, Op::Assume(condition), inside);
            c.edge(start, Op::Assume(condition), outside);
            c.edge(inside, Op::AtomicBegin, start);
            c.at = outside;
        },
        |program| program.functions[FunctionId(0)].loop_heads.clear(),
    );
    complains(error, "has no loop head");
}

#[test]
fn images_fit_their_objects() {
    let image = |bytes: usize, pointers: &[u64]| {
        let target = Address { base: AddressBase::Global(GlobalId(0)), offset: 0 };
        let pointers = pointers.iter().map(|offset| (*offset, target)).collect();
        GlobalInit::Image(Box::new(Image { bytes: vec![0; bytes], pointers }))
    };
    let spoilt = |init| broken(|_, _| (), |p| p.globals[GlobalId(1)].init = init);
    complains(spoilt(image(17, &[])), "its image is longer");
    complains(spoilt(image(0, &[12])), "reaches behind its end");
    complains(spoilt(image(0, &[8, 0])), "out of order");
}
