//! Values of terms.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::Sort;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    Bool(bool),
    /// Zero-extended.
    Bits {
        width: u8,
        value: u128,
    },
    Array(Arc<ArrayValue>),
}

/// All elements are `rest` but for those listed. Equal if all elements are.
#[derive(Clone, Debug)]
pub struct ArrayValue {
    pub index: u8,
    pub element: u8,
    pub rest: u128,
    elements: BTreeMap<u128, u128>,
}

impl Value {
    /// The low bits of `value`.
    pub fn bits(width: u8, value: u128) -> Value {
        Value::Bits { width, value: mask(width, value) }
    }

    pub fn sort(&self) -> Sort {
        match self {
            Value::Bool(_) => Sort::Bool,
            Value::Bits { width, .. } => Sort::Bits(*width),
            Value::Array(array) => Sort::Array { index: array.index, element: array.element },
        }
    }

    pub fn as_bool(&self) -> Option<bool> {
        if let Value::Bool(value) = self { Some(*value) } else { None }
    }

    pub fn as_bits(&self) -> Option<u128> {
        if let Value::Bits { value, .. } = self { Some(*value) } else { None }
    }
}

impl ArrayValue {
    pub fn new(index: u8, element: u8, rest: u128) -> ArrayValue {
        ArrayValue { index, element, rest: mask(element, rest), elements: BTreeMap::new() }
    }

    pub fn get(&self, index: u128) -> u128 {
        self.elements.get(&index).copied().unwrap_or(self.rest)
    }

    pub fn set(&mut self, index: u128, value: u128) {
        let (index, value) = (mask(self.index, index), mask(self.element, value));
        if value == self.rest {
            self.elements.remove(&index);
        } else {
            self.elements.insert(index, value);
        }
    }

    /// The elements that are not as the rest, by index.
    pub fn listed(&self) -> impl Iterator<Item = (u128, u128)> {
        self.elements.iter().map(|(index, value)| (*index, *value))
    }

    /// Each index is listed in one of the two.
    fn all_listed(&self, other: &ArrayValue) -> bool {
        let more = other.elements.keys().filter(|index| !self.elements.contains_key(index)).count();
        let listed = (self.elements.len() + more) as u128;
        self.index < 64 && listed == 1 << self.index
    }
}

impl PartialEq for ArrayValue {
    fn eq(&self, other: &ArrayValue) -> bool {
        let same = |index: &u128| self.get(*index) == other.get(*index);
        (self.index, self.element) == (other.index, other.element)
            && self.elements.keys().chain(other.elements.keys()).all(same)
            && (self.rest == other.rest || self.all_listed(other))
    }
}

impl Eq for ArrayValue {}

/// The low bits.
pub(crate) fn mask(width: u8, value: u128) -> u128 {
    value & (u128::MAX >> (128 - u32::from(width)))
}

/// In two's complement.
pub(crate) fn signed(width: u8, value: u128) -> i128 {
    let unused = 128 - u32::from(width);
    ((value << unused) as i128) >> unused
}

#[cfg(test)]
mod tests {
    use super::*;

    fn array(rest: u128, elements: &[(u128, u128)]) -> ArrayValue {
        let mut array = ArrayValue::new(1, 8, rest);
        elements.iter().for_each(|(index, value)| array.set(*index, *value));
        array
    }

    #[test]
    fn arrays_are_equal_if_all_elements_are() {
        assert_eq!(array(0, &[(1, 5)]), array(5, &[(0, 0)]));
        assert_eq!(array(7, &[(0, 0), (1, 5)]), array(0, &[(1, 5)]));
        assert_ne!(array(0, &[(1, 5)]), array(5, &[]));
        assert_ne!(ArrayValue::new(8, 8, 0), ArrayValue::new(8, 8, 1));
    }

    #[test]
    fn values_are_cut_to_their_width() {
        assert_eq!(Value::bits(4, 0x1f), Value::bits(4, 15));
        assert_eq!(array(0, &[(3, 0x105)]).get(1), 5);
    }
}
