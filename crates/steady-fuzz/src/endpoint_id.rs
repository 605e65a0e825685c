//! Which endpoint: an index that cannot be mistaken for one of a parameter, a call or an identity.

use std::ops::{Index, IndexMut};

use serde::Serialize;

/// An endpoint of a [catalog](crate::catalog::Catalog). Ids are handed out by that catalog and mean nothing to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
pub struct EndpointId(usize);

impl EndpointId {
    /// The first endpoint of any catalog.
    #[cfg(test)]
    pub(crate) const FIRST: Self = Self(0);

    /// Its position in the catalog.
    pub(crate) fn position(self) -> usize {
        self.0
    }
}

/// One value per endpoint of a catalog.
#[derive(Debug, Clone, Default)]
pub struct PerEndpoint<T>(Vec<T>);

impl<T> PerEndpoint<T> {
    /// The values in the catalog's order.
    pub fn iter(&self) -> impl Iterator<Item = (EndpointId, &T)> {
        self.0.iter().enumerate().map(|(index, value)| (EndpointId(index), value))
    }

    /// The same, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = (EndpointId, &mut T)> {
        self.0.iter_mut().enumerate().map(|(index, value)| (EndpointId(index), value))
    }

    /// Another value per endpoint, made of this one.
    pub fn map<U>(&self, mut make: impl FnMut(EndpointId, &T) -> U) -> PerEndpoint<U> {
        PerEndpoint(self.iter().map(|(endpoint, value)| make(endpoint, value)).collect())
    }
}

impl<T> From<Vec<T>> for PerEndpoint<T> {
    fn from(values: Vec<T>) -> Self {
        Self(values)
    }
}

impl<T> Index<EndpointId> for PerEndpoint<T> {
    type Output = T;

    fn index(&self, endpoint: EndpointId) -> &T {
        &self.0[endpoint.0]
    }
}

impl<T> IndexMut<EndpointId> for PerEndpoint<T> {
    fn index_mut(&mut self, endpoint: EndpointId) -> &mut T {
        &mut self.0[endpoint.0]
    }
}
