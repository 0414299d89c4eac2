//! Components of states, hash-consed: each is stored once and known by a number.

use std::cell::Cell;
use std::hash::{BuildHasher, Hash};
use std::ops::Deref;
use std::rc::Rc;

use hashbrown::HashTable;
use rustc_hash::FxBuildHasher;

const NONE: u32 = u32::MAX;

/// A component that is shared between states and, once stored, knows its number. A changed copy has none.
pub struct Shared<T>(Rc<Inner<T>>);

struct Inner<T> {
    number: Cell<u32>,
    value: T,
}

impl<T> Shared<T> {
    pub fn new(value: T) -> Self {
        Shared(Rc::new(Inner { number: Cell::new(NONE), value }))
    }

    /// The number, if it is stored.
    pub fn number(&self) -> Option<u32> {
        Some(self.0.number.get()).filter(|number| *number != NONE)
    }

    /// Is it this very component, not one that is equal?
    pub fn is(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

impl<T: Clone> Shared<T> {
    /// For a change: a copy, if it is shared.
    pub fn edit(&mut self) -> &mut T {
        let inner = Rc::make_mut(&mut self.0);
        *inner.number.get_mut() = NONE;
        &mut inner.value
    }
}

impl<T: Clone> Clone for Inner<T> {
    fn clone(&self) -> Self {
        Inner { number: Cell::new(NONE), value: self.value.clone() }
    }
}

impl<T> Clone for Shared<T> {
    fn clone(&self) -> Self {
        Shared(self.0.clone())
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0.value
    }
}

impl<T: std::fmt::Debug> std::fmt::Debug for Shared<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.value.fmt(f)
    }
}

/// All stored components of one kind.
pub struct Store<T> {
    all: Vec<Shared<T>>,
    table: HashTable<u32>,
}

impl<T> Default for Store<T> {
    fn default() -> Self {
        Store { all: Vec::new(), table: HashTable::new() }
    }
}

impl<T: Eq + Hash> Store<T> {
    /// The number of a component, which becomes the stored one.
    #[inline]
    pub fn number(&mut self, component: &mut Shared<T>) -> u32 {
        match component.number() {
            Some(number) => number,
            None => self.find_or_store(component),
        }
    }

    /// The number of a component that is equal to this one.
    pub fn find(&self, component: &T) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(component);
        self.table.find(hash, |number| *self.all[*number as usize] == *component).copied()
    }

    fn find_or_store(&mut self, component: &mut Shared<T>) -> u32 {
        let hash = FxBuildHasher.hash_one(&**component);
        if let Some(number) = self.table.find(hash, |number| *self.all[*number as usize] == **component) {
            *component = self.all[*number as usize].clone();
            return *number;
        }
        let number = self.all.len() as u32;
        component.0.number.set(number);
        self.all.push(component.clone());
        self.table.insert_unique(hash, number, |number| FxBuildHasher.hash_one(&*self.all[*number as usize]));
        number
    }

    pub fn get(&self, number: u32) -> &Shared<T> {
        &self.all[number as usize]
    }

    pub fn len(&self) -> usize {
        self.all.len()
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }
}

/// Short lists of numbers, each stored once. The number of a list says where it is.
#[derive(Default)]
pub struct Lists {
    /// One list after the other, each behind its length.
    data: Vec<u32>,
    table: HashTable<u32>,
}

impl Lists {
    pub fn number(&mut self, list: &[u32]) -> u32 {
        let hash = FxBuildHasher.hash_one(list);
        let data = &self.data;
        if let Some(number) = self.table.find(hash, |number| slice(data, *number) == list) {
            return *number;
        }
        let number = u32::try_from(self.data.len()).expect("fewer than 2^32 numbers");
        self.data.push(list.len() as u32);
        self.data.extend_from_slice(list);
        let data = &self.data;
        self.table.insert_unique(hash, number, |number| FxBuildHasher.hash_one(slice(data, *number)));
        number
    }

    pub fn get(&self, number: u32) -> &[u32] {
        slice(&self.data, number)
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn is_empty(&self) -> bool {
        self.table.is_empty()
    }

    /// Bytes that all lists take.
    pub fn bytes(&self) -> usize {
        self.data.len() * 4 + self.table.capacity() * 5
    }
}

fn slice(data: &[u32], number: u32) -> &[u32] {
    let start = number as usize + 1;
    &data[start..start + data[number as usize] as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_components_have_one_number() {
        let mut store = Store::default();
        let (mut a, mut b) = (Shared::new(vec![1]), Shared::new(vec![1]));
        assert_eq!((store.number(&mut a), store.number(&mut b)), (0, 0));
        let mut c = a.clone();
        c.edit().push(2);
        assert_eq!((c.number(), store.number(&mut c), a.len()), (None, 1, 1));
    }

    #[test]
    fn equal_lists_have_one_number() {
        let mut lists = Lists::default();
        let numbers = [lists.number(&[]), lists.number(&[1, 2]), lists.number(&[]), lists.number(&[1, 2])];
        assert_eq!((numbers[0], numbers[1]), (numbers[2], numbers[3]));
        assert_eq!((lists.get(numbers[0]), lists.get(numbers[1]), lists.len()), (&[][..], &[1, 2][..], 2));
    }
}
