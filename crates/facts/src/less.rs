//! Differences of named values, `x <= y + c` for a few pairs: a bounded part of the zone domain (Miné, PADO 2001), without closure.

use std::sync::Arc;

use crate::value::{Symbol, Term};

/// `first <= second + plus`, as mathematical integers. Sorted; each pair has one bound.
#[derive(Clone, Copy, PartialEq, Eq, Debug, PartialOrd, Ord)]
pub struct Less {
    pub first: Symbol,
    pub second: Symbol,
    pub plus: i64,
}

pub type Order = Arc<Vec<Less>>;

/// More are not worth their cost.
const MOST: usize = 12;

pub fn add(order: &mut Order, new: Less) {
    let list = Arc::make_mut(order);
    match list.binary_search_by_key(&(new.first, new.second), |less| (less.first, less.second)) {
        Ok(i) => list[i].plus = list[i].plus.min(new.plus),
        Err(i) if list.len() < MOST => list.insert(i, new),
        Err(_) => {}
    }
}

pub fn bound(order: &Order, first: Symbol, second: Symbol) -> Option<i64> {
    let i = order.binary_search_by_key(&(first, second), |less| (less.first, less.second)).ok()?;
    Some(order[i].plus)
}

/// What both know. `a_knows` and `b_knows` say what follows from what else is known on either side.
pub fn meet(a: &Order, b: &Order, a_knows: impl Fn(&Less) -> bool, b_knows: impl Fn(&Less) -> bool) -> Order {
    if Arc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    let mut result = Order::default();
    for less in a.iter() {
        match bound(b, less.first, less.second) {
            Some(plus) => add(&mut result, Less { plus: plus.max(less.plus), ..*less }),
            None if b_knows(less) => add(&mut result, *less),
            None => {}
        }
    }
    for less in b.iter() {
        if bound(a, less.first, less.second).is_none() && a_knows(less) {
            add(&mut result, *less);
        }
    }
    result
}

pub fn mentions(order: &Order, symbol: Symbol) -> bool {
    order.iter().any(|less| less.first == symbol || less.second == symbol)
}

pub fn replaced(order: &Order, symbol: Symbol, change: &impl Fn(Term) -> Option<Term>) -> Order {
    let plain = |from: Symbol| {
        if from != symbol {
            return Some((from, 0));
        }
        let term = change(Term::of(from))?;
        let plain = term.base.is_none() && term.coefficient == 1;
        Some((term.symbol, term.offset.filter(|_| plain)?))
    };
    let mut result = Order::default();
    for less in order.iter() {
        if let (Some((first, a)), Some((second, b))) = (plain(less.first), plain(less.second))
            && first != second
            && let Some(plus) = less.plus.checked_add(b).and_then(|plus| plus.checked_sub(a))
        {
            add(&mut result, Less { first, second, plus });
        }
    }
    result
}
