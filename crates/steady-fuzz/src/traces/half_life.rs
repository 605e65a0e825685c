//! A set that forgets what is old, half of it at a time.

use std::hash::Hash;

use indexmap::IndexSet;

/// At most twice `most` values: when the newer half is full, the older one is forgotten.
#[derive(Debug)]
pub struct HalfLife<T> {
    newer: IndexSet<T>,
    older: IndexSet<T>,
    most: usize,
}

impl<T: Hash + Eq> HalfLife<T> {
    pub fn new(most: usize) -> Self {
        Self { newer: IndexSet::new(), older: IndexSet::new(), most }
    }

    pub fn insert(&mut self, value: T) {
        if self.newer.len() >= self.most {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(value);
    }

    pub fn contains(&self, value: &T) -> bool {
        self.newer.contains(value) || self.older.contains(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_stay() {
        let mut set = HalfLife::new(10);
        (0..35).for_each(|value| set.insert(value));
        let kept: Vec<i32> = (0..35).filter(|value| set.contains(value)).collect();
        assert_eq!(kept, (20..35).collect::<Vec<_>>());
    }
}
