//! Substitution, and copying from one arena to another.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Op, Term, Terms};

impl Terms {
    /// The term with each of these terms, where it occurs, replaced by the other, all at once. Terms of another sort are a panic.
    pub fn substitute(&mut self, term: Term, replacements: &FxHashMap<Term, Term>) -> Term {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for old in self.postorder(&[term]) {
            let new = match replacements.get(&old) {
                Some(new) => {
                    assert_eq!(self.sort(old), self.sort(*new), "{} is replaced", self.print(old));
                    *new
                }
                None => {
                    let node = self.node(old).clone();
                    let args: SmallVec<[Term; 3]> = node.args.iter().map(|arg| made[arg]).collect();
                    self.apply(node.op, &args)
                }
            };
            made.insert(old, new);
        }
        made[&term]
    }

    /// The same terms as those of another arena; symbols are the same if their names are.
    pub fn import(&mut self, other: &Terms, roots: &[Term]) -> Vec<Term> {
        let mut made: FxHashMap<Term, Term> = FxHashMap::default();
        for old in other.postorder(roots) {
            let node = other.node(old);
            let op = match node.op {
                Op::Symbol(symbol, sort) => Op::Symbol(self.symbol(&other.describe(symbol).name, sort), sort),
                op => op,
            };
            let args: SmallVec<[Term; 3]> = node.args.iter().map(|arg| made[arg]).collect();
            let new = self.apply(op, &args);
            made.insert(old, new);
        }
        roots.iter().map(|root| made[root]).collect()
    }
}
