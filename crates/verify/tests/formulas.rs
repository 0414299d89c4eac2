//! Conditions and proofs that hold formulas: what they say of steps, and what is refused as ill-formed.

use base::{IndexVec, SourceMap, Span};
use logic::{Sort, Term};
use program::{
    EdgeId, ErrorKind, Function, FunctionBuilder, FunctionId, Global, GlobalId, GlobalInit, Ledger, Local, LocalId,
    LocalKind, Location, Machine, Op, Program, Scalar, Storage, TypeId, Types,
};
use semantics::ThreadId;
use verify::{
    Auxiliary, AuxiliaryId, Condition, Follow, Formulas, Invariants, LocationVector, NodeId, Place, ProofOutline,
    StateId, ThreadStep, Tree, TreeNode, Variable,
};

const MAIN: FunctionId = FunctionId(0);

/// A global of four bytes, and `main` with one local of 32 bits: `L0 -error-> L1 -return-> L2`.
fn program() -> Program {
    let mut builder = FunctionBuilder::new("main", Span::NONE);
    let (storage, kind) = (Storage::Plain(Scalar::Int(32)), LocalKind::Named);
    builder.locals.push(Local { name: "x".into(), ty: TypeId(0), storage, kind, span: Span::NONE });
    let (first, second, end) = (builder.entry, builder.location(), builder.location());
    builder.edge(first, Op::Error(ErrorKind::Assert), second, Span::NONE);
    builder.edge(second, Op::Return, end, Span::NONE);
    let global = Global {
        name: "g".into(),
        ty: TypeId(0),
        size: 4,
        align: 4,
        init: GlobalInit::Zero,
        thread_local: false,
        read_only: false,
        address_taken: false,
        span: Span::NONE,
    };
    Program {
        machine: Machine { pointer_bits: 64 },
        types: Types::default(),
        globals: IndexVec::from_iter([global]),
        functions: IndexVec::<FunctionId, Function>::from_iter([builder.finish()]),
        entry: MAIN,
        main: MAIN,
        ledger: Ledger::default(),
        sources: SourceMap::new(),
    }
}

fn step(thread: u32, edge: u32) -> ThreadStep {
    ThreadStep { thread: ThreadId(thread), function: MAIN, edge: EdgeId(edge) }
}

fn global(offset: u64) -> Variable {
    Variable::Global { global: GlobalId(0), offset }
}

fn local(local: u32) -> Variable {
    Variable::Local { thread: None, frame: 0, function: MAIN, local: LocalId(local) }
}

/// That the variable, of so many bits, is zero.
fn is_zero(formulas: &mut Formulas, variable: Variable, bits: u8) -> Term {
    let (variable, zero) = (formulas.variable(variable, Sort::Bits(bits)), formulas.terms.bits(bits, 0));
    formulas.terms.eq(variable, zero)
}

fn at(locations: &[u32]) -> LocationVector {
    LocationVector(locations.iter().map(|location| vec![(MAIN, Location(*location))]).collect())
}

fn is_shared_between_threads<T: Send + Sync>() {}

#[test]
fn formulas_can_be_shared_between_threads() {
    is_shared_between_threads::<Condition>();
    is_shared_between_threads::<Invariants>();
    is_shared_between_threads::<Tree>();
    is_shared_between_threads::<ProofOutline>();
}

#[test]
fn an_automaton_says_which_steps_stay_inside() {
    let mut condition = Condition::of_first_state();
    let assumption = is_zero(&mut condition.formulas, global(0), 32);
    let first = condition.initial().expect("the first state was verified");
    let second = condition.add_state();
    condition.add(first, step(1, 0), None, second);
    condition.add(first, step(0, 1), Some(assumption), Condition::VERIFIED);
    assert_eq!(condition.follow(first, step(1, 0)), Follow::Inside(second));
    assert_eq!(condition.follow(first, step(0, 1)), Follow::If(assumption, Condition::VERIFIED));
    // The step that is put off here is left, though the same step of another thread is not.
    assert_eq!(condition.follow(first, step(0, 0)), Follow::Outside);
    assert_eq!(condition.follow(second, step(1, 0)), Follow::Outside);
    assert_eq!(condition.follow(Condition::VERIFIED, step(7, 0)), Follow::Inside(Condition::VERIFIED));
    assert_eq!(condition.check(&program()), Ok(()));
    assert!(!condition.is_empty() && !condition.is_trivial());
}

#[test]
fn everything_and_nothing() {
    let (all, none, first) = (Condition::everything(), Condition::nothing(), Condition::of_first_state());
    assert!(all.is_trivial() && !all.is_empty());
    assert!(none.is_empty() && !none.is_trivial() && none.initial().is_none());
    assert!(!first.is_empty() && !first.is_trivial());
    assert_eq!(first.follow(first.initial().unwrap(), step(0, 0)), Follow::Outside);
    for condition in [all, none, first] {
        assert_eq!(condition.check(&program()), Ok(()));
    }
}

#[test]
fn conditions_of_other_programs_are_refused() {
    let refused = |change: &dyn Fn(&mut Condition, StateId)| {
        let mut condition = Condition::of_first_state();
        let first = condition.initial().expect("the first state was verified");
        change(&mut condition, first);
        condition.check(&program()).unwrap_err()
    };
    assert_eq!(refused(&|c, q| c.add(q, step(0, 2), None, q)), "q1: the program has no edge f0 e2");
    assert_eq!(refused(&|c, q| c.add(q, step(0, 0), None, StateId(9))), "q1: there is no state q9");
    let number = |c: &mut Condition, q| {
        let term = c.formulas.terms.bits(8, 0);
        c.add(q, step(0, 0), Some(term), q);
    };
    assert_eq!(refused(&number), "q1, f0 e0: #x00 is a (_ BitVec 8), not a Bool");
    let unknown = |c: &mut Condition, q| {
        let symbol = c.formulas.terms.symbol("b", Sort::Bool);
        let term = c.formulas.terms.variable(symbol);
        c.add(q, step(0, 0), Some(term), q);
    };
    assert_eq!(refused(&unknown), "q1, f0 e0: what b denotes is not known");
    let elsewhere = |c: &mut Condition, q| c.add(q, step(0, 0), Some(Term(77)), q);
    assert_eq!(refused(&elsewhere), "q1, f0 e0: there is no term t77");
}

#[test]
#[should_panic(expected = "two transitions with one step")]
fn an_automaton_is_deterministic() {
    let mut condition = Condition::of_first_state();
    let first = condition.initial().expect("the first state was verified");
    condition.add(first, step(0, 0), None, first);
    condition.add(first, step(0, 0), None, Condition::VERIFIED);
}

#[test]
fn variables_must_be_those_of_the_program() {
    let program = program();
    let check = |variable, bits| {
        let mut formulas = Formulas::default();
        let formula = is_zero(&mut formulas, variable, bits);
        formulas.check(&program, formula, Sort::Bool)
    };
    for (variable, bits) in [(global(0), 32), (global(3), 8), (global(0), 1), (local(0), 32)] {
        assert_eq!(check(variable, bits), Ok(()), "{variable}");
    }
    let other = Variable::Global { global: GlobalId(1), offset: 0 };
    let overflowing = (global(u64::MAX), 32);
    for (variable, bits) in [(global(1), 32), (other, 8), (local(0), 64), (local(1), 32), overflowing] {
        assert!(check(variable, bits).is_err(), "{variable} of {bits} bits");
    }
}

#[test]
fn invariants_are_printed_and_checked() {
    let program = program();
    let mut invariants = Invariants::default();
    let formula = is_zero(&mut invariants.formulas, global(0), 32);
    invariants.at.push((Place::Vector(at(&[0, 1])), formula));
    invariants.at.push((Place::Thread(MAIN, Location(2)), formula));
    assert_eq!(invariants.check(&program), Ok(()));
    let text = "T0 f0 L0, T1 f0 L1: (= g0.0 #x00000000)\nf0 L2: (= g0.0 #x00000000)\n";
    assert_eq!(invariants.print(), text);
    let refused = |place, formula| {
        let mut changed = invariants.clone();
        changed.at.push((place, formula));
        changed.check(&program).unwrap_err()
    };
    assert_eq!(refused(Place::Thread(MAIN, Location(2)), formula), "f0 L2: there are two formulas");
    assert_eq!(refused(Place::Thread(MAIN, Location(3)), formula), "the program has no location f0 L3");
    assert_eq!(refused(Place::Vector(at(&[5])), formula), "the program has no location f0 L5");
    let mut changed = invariants.clone();
    let auxiliary = changed.formulas.variable(Variable::Auxiliary(AuxiliaryId(0)), Sort::Bool);
    changed.at.push((Place::Thread(MAIN, Location(0)), auxiliary));
    assert_eq!(changed.check(&program), Err("f0 L0: there is no aux0".to_owned()));
}

/// Two nodes, and a third that the second covers.
fn tree() -> Tree {
    let mut tree = Tree::default();
    let label = tree.formulas.terms.bool(true);
    let node = |parent, location, covered_by| TreeNode { parent, locations: at(&[location]), label, covered_by };
    tree.nodes.push(node(None, 0, None));
    tree.nodes.push(node(Some((NodeId(0), step(0, 0))), 1, None));
    tree.nodes.push(node(Some((NodeId(0), step(0, 0))), 1, Some(NodeId(1))));
    tree
}

#[test]
fn trees_are_printed_and_checked() {
    let program = program();
    assert_eq!(tree().check(&program), Ok(()));
    let text = "n0 at T0 f0 L0: true\nn1 from n0 by T0 f0 e0 at T0 f0 L1: true\n\
                n2 from n0 by T0 f0 e0 at T0 f0 L1: true, covered by n1\n";
    assert_eq!(tree().print(), text);
    let refused = |change: &dyn Fn(&mut Tree)| {
        let mut tree = tree();
        change(&mut tree);
        tree.check(&program).unwrap_err()
    };
    assert_eq!(refused(&|t| t.nodes = IndexVec::new()), "there is no root");
    assert_eq!(refused(&|t| t.nodes[NodeId(1)].parent = None), "n1: it has no parent");
    let own = Some((NodeId(1), step(0, 0)));
    assert_eq!(refused(&|t| t.nodes[NodeId(1)].parent = own), "n1: its parent n1 does not come before it");
    let other = Some((NodeId(0), step(0, 1)));
    assert_eq!(refused(&|t| t.nodes[NodeId(1)].parent = other), "n1: f0 e1 does not leave f0 L0");
    let missing_thread = Some((NodeId(0), step(3, 0)));
    assert_eq!(refused(&|t| t.nodes[NodeId(1)].parent = missing_thread), "n1: T3 does not run at n0");
    let covering = |by| move |t: &mut Tree| t.nodes[NodeId(2)].covered_by = Some(NodeId(by));
    assert_eq!(refused(&covering(0)), "n2: it is covered by n0, which is elsewhere");
    assert_eq!(refused(&covering(2)), "n2: it is covered by n2, which is covered");
    assert_eq!(refused(&covering(9)), "n2: it is covered by n9, which is not there");
    let below = |t: &mut Tree| {
        let node =
            TreeNode { parent: Some((NodeId(2), step(0, 1))), locations: at(&[2]), ..t.nodes[NodeId(0)].clone() };
        t.nodes.push(node);
    };
    assert_eq!(refused(&below), "n3: its parent n2 is covered");
}

#[test]
fn proof_outlines_are_printed_and_checked() {
    let program = program();
    let mut outline = ProofOutline::default();
    let counter = Variable::Auxiliary(AuxiliaryId(0));
    let zero = outline.formulas.terms.bits(8, 0);
    let assertion = is_zero(&mut outline.formulas, counter, 8);
    outline.auxiliary.push(Auxiliary { sort: Sort::Bits(8), initial: zero });
    outline.assertions.push(((MAIN, Location(0)), assertion));
    outline.updates.push(((MAIN, EdgeId(0)), AuxiliaryId(0), zero));
    assert_eq!(outline.check(&program), Ok(()));
    let text = "aux0: (_ BitVec 8) = #x00\nf0 e0: aux0 := #x00\nf0 L0: (= aux0 #x00)\n";
    assert_eq!(outline.print(), text);
    let refused = |change: &dyn Fn(&mut ProofOutline)| {
        let mut outline = outline.clone();
        change(&mut outline);
        outline.check(&program).unwrap_err()
    };
    assert_eq!(refused(&|o| o.auxiliary = IndexVec::new()), "f0 L0: there is no aux0");
    assert_eq!(refused(&|o| o.updates.extend_from_within(..)), "f0 e0 writes aux0 twice");
    assert_eq!(refused(&|o| o.assertions.extend_from_within(..)), "f0 L0: there are two assertions");
    let absent = ((MAIN, EdgeId(4)), AuxiliaryId(0), zero);
    assert_eq!(refused(&|o| o.updates.push(absent)), "the program has no edge f0 e4");
    assert_eq!(refused(&|o| o.updates[0].2 = assertion), "aux0: (= aux0 #x00) is a Bool, not a (_ BitVec 8)");
}
