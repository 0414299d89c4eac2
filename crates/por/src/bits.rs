//! Sets of small numbers.

/// Without zeros at the end, so that equal sets are equal.
#[derive(Clone, PartialEq, Eq, Hash, Default, Debug)]
pub struct Bits(Vec<u64>);

impl Bits {
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if self.0.len() <= word {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub fn contains(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// True if it grew.
    pub fn add(&mut self, other: &Bits) -> bool {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        let mut grew = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            grew |= *more & !*word != 0;
            *word |= more;
        }
        grew
    }

    pub fn intersects(&self, other: &Bits) -> bool {
        self.0.iter().zip(&other.0).any(|(a, b)| a & b != 0)
    }

    pub fn iter(&self) -> impl Iterator<Item = u32> + '_ {
        let numbers = |(i, word): (usize, &u64)| {
            let word = *word;
            (0..64).filter(move |bit| word >> bit & 1 == 1).map(move |bit| i as u32 * 64 + bit)
        };
        self.0.iter().enumerate().flat_map(numbers)
    }
}

impl FromIterator<u32> for Bits {
    fn from_iter<I: IntoIterator<Item = u32>>(numbers: I) -> Self {
        let mut bits = Bits::default();
        numbers.into_iter().for_each(|number| bits.insert(number));
        bits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_of_numbers() {
        let mut a: Bits = [1, 63, 64, 200].into_iter().collect();
        let b: Bits = [64, 3].into_iter().collect();
        assert_eq!(a.iter().collect::<Vec<_>>(), [1, 63, 64, 200]);
        assert!(a.intersects(&b) && b.intersects(&a));
        assert!(a.add(&b) && !a.add(&b));
        assert!(a.contains(3) && a.contains(64) && !a.contains(65) && !a.contains(1000));
        assert!(!b.intersects(&[1, 63].into_iter().collect()));
    }
}
