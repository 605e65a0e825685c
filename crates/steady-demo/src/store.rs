//! What the shop remembers: a bounded number of customers, products, orders and sessions.

use std::collections::{BTreeMap, VecDeque};

use crate::customers::Customer;
use crate::orders::Order;
use crate::products::Product;
use crate::volatile::Volatile;

/// How many of a kind are kept; the oldest makes room for the newest.
const CAPACITY: usize = 500;
/// The first entries of every table are the shop's own and stay.
const SEEDED: u64 = 5;

/// All state of the shop.
pub(crate) struct Store {
    pub(crate) customers: Table<Customer>,
    pub(crate) products: Table<Product>,
    pub(crate) orders: Table<Order>,
    pub(crate) sessions: VecDeque<String>,
    pub(crate) volatile: Volatile,
}

impl Store {
    /// A shop with a few customers and products in it; `seed` decides what is random about it.
    pub(crate) fn new(seed: u64) -> Self {
        let mut store = Self {
            customers: Table::default(),
            products: Table::default(),
            orders: Table::default(),
            sessions: VecDeque::new(),
            volatile: Volatile::new(seed),
        };
        store.reset();
        store
    }

    /// Forgets everything but what a new shop has.
    pub(crate) fn reset(&mut self) {
        self.customers = Table::default();
        self.products = Table::default();
        self.orders = Table::default();
        self.sessions.clear();
        Customer::seed(self);
        Product::seed(self);
    }

    /// Opens a session.
    pub(crate) fn open_session(&mut self, token: String) {
        if self.sessions.len() == CAPACITY {
            self.sessions.pop_front();
        }
        self.sessions.push_back(token);
    }
}

/// Entities by number, in the order they were created.
pub(crate) struct Table<T> {
    entries: BTreeMap<u64, T>,
    last: u64,
}

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self { entries: BTreeMap::new(), last: 0 }
    }
}

impl<T> Table<T> {
    /// Adds what `make` builds for the next number, and returns it.
    pub(crate) fn insert(&mut self, make: impl FnOnce(u64) -> T) -> &T {
        if self.entries.len() >= CAPACITY
            && let Some(oldest) = self.entries.range(SEEDED + 1..).next().map(|(number, _)| *number)
        {
            self.entries.remove(&oldest);
        }
        self.last += 1;
        self.entries.entry(self.last).or_insert(make(self.last))
    }

    pub(crate) fn get(&self, number: u64) -> Option<&T> {
        self.entries.get(&number)
    }

    pub(crate) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        self.entries.get_mut(&number)
    }

    pub(crate) fn remove(&mut self, number: u64) -> Option<T> {
        self.entries.remove(&number)
    }

    /// Removes all that are not wanted.
    pub(crate) fn retain(&mut self, wanted: impl Fn(&T) -> bool) {
        self.entries.retain(|_, entry| wanted(entry));
    }

    /// All entries, oldest first.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.entries.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_table_forgets_its_oldest_entry_but_never_a_seeded_one() {
        let mut table = Table::default();
        for _ in 0..CAPACITY + 2 {
            table.insert(|number| number);
        }
        assert_eq!(table.iter().count(), CAPACITY);
        assert!(table.get(SEEDED).is_some());
        assert!(table.get(SEEDED + 2).is_none());
        assert!(table.get(SEEDED + 3).is_some());
    }
}
