//! A proof passes only if it excludes every target.

use std::sync::Arc;
use std::time::Duration;

use base::{Budget, Limit};
use certify::Refused;
use verify::{Invariants, LocationVector, Proof, ProofOutline, Property, Target, Targets, Tree, TreeNode};

const ALONE: &str = "int x; int main(void) { return x++; }";
const RACY: &str = "typedef unsigned long pthread_t;\n\
    int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);\n\
    int x; void *f(void *p) { x = 1; return p; }\n\
    int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return x; }";

/// Do the facts of the program prove that no run reaches the targets?
fn check(text: &str, targets: Targets) -> Result<(), String> {
    let program = testing::program(text);
    let facts = facts::analyze(&program, &Budget::unlimited()).expect("there are facts");
    certify::check(&program, targets, None, &Proof::Facts(Arc::new(facts)))
}

#[test]
fn what_is_excluded_passes() {
    assert_eq!(check(ALONE, Property::NoDataRace.targets()), Ok(()));
}

#[test]
fn what_is_not_excluded_does_not() {
    let refused = Err("it does not exclude a data race".to_owned());
    assert_eq!(check(RACY, Property::NoDataRace.targets()), refused);
    let two = [Target::Race, Target::Endless].into_iter().collect();
    assert_eq!(check(ALONE, two), Err("it does not exclude an endless run".to_owned()), "every target counts");
}

#[test]
fn a_proof_that_is_not_looked_at_to_the_end_does_not_pass() {
    let program = testing::program(ALONE);
    let proof = Proof::Facts(Arc::new(facts::analyze(&program, &Budget::unlimited()).expect("there are facts")));
    let targets = Property::NoDataRace.targets();
    let within = |time| certify::check_within(&program, targets, None, &proof, &Budget::unlimited().with_time(time));
    assert_eq!(within(Duration::ZERO), Err(Refused::Limit(Limit::Time)));
    assert!(within(Duration::from_secs(3600)).is_ok());
}

/// Formulas prove nothing as long as there is no checker of formulas.
#[test]
fn proofs_that_hold_formulas_are_refused_without_a_solver() {
    let program = testing::program(ALONE);
    let refused = |proof| certify::check(&program, [Target::Error].into_iter().collect(), None, &proof).unwrap_err();
    let mut tree = Tree::default();
    let label = tree.formulas.terms.bool(true);
    let locations = LocationVector::default();
    tree.nodes.push(TreeNode { parent: None, locations, label, covered_by: None });
    let no_solver = "there is no solver to check its formulas with";
    assert_eq!(refused(Proof::Invariants(Invariants::default().into())), no_solver);
    assert_eq!(refused(Proof::Tree(tree.into())), no_solver);
    assert_eq!(refused(Proof::Outline(ProofOutline::default().into())), no_solver);
    assert_eq!(refused(Proof::Tree(Tree::default().into())), "it is not well-formed: there is no root");
}
