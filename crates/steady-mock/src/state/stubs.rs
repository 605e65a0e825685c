//! The stubs: those given at the start, and those that clients add and remove.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use indexmap::IndexMap;

use crate::answer::AnswerError;
use crate::mapping::{Mapping, StubId};
use crate::matching::StubIndex;
use crate::stub::Stub;

/// The stubs of a server. Searching takes a snapshot; the index is made when it is first needed after a change.
#[derive(Debug, Default)]
pub struct Stubs {
    inner: RwLock<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    stubs: IndexMap<StubId, Arc<Stub>>,
    /// Those a reset goes back to.
    defaults: Vec<Arc<Stub>>,
    files: Option<PathBuf>,
    next_order: u64,
    index: Option<Arc<StubIndex>>,
}

impl Stubs {
    /// Adds a stub, or replaces the one with its identity.
    pub fn add(&self, mapping: Mapping) -> Result<Arc<Stub>, AnswerError> {
        let mut inner = self.write();
        let stub = inner.prepare(mapping)?;
        inner.stubs.insert(stub.id, Arc::clone(&stub));
        Ok(stub)
    }

    /// Replaces a stub, which keeps its place among others; `None` when there is no such stub.
    pub fn replace(&self, id: StubId, mut mapping: Mapping) -> Result<Option<Arc<Stub>>, AnswerError> {
        let mut inner = self.write();
        let Some(order) = inner.stubs.get(&id).map(|stub| stub.order) else { return Ok(None) };
        mapping.id = Some(id);
        let stub = Arc::new(Stub::new(mapping, order, inner.files.as_deref())?);
        inner.stubs.insert(id, Arc::clone(&stub));
        Ok(Some(stub))
    }

    /// Removes a stub; whether there was one.
    pub fn remove(&self, id: StubId) -> bool {
        self.write().stubs.shift_remove(&id).is_some()
    }

    /// Removes all stubs.
    pub fn clear(&self) {
        self.write().stubs.clear();
    }

    /// Goes back to the stubs that were given at the start.
    pub fn reset(&self) {
        let mut inner = self.write();
        inner.stubs = inner.defaults.iter().map(|stub| (stub.id, Arc::clone(stub))).collect();
    }

    /// Sets the stubs a reset goes back to, with bodies in files below `files`. Stubs that clients added stay; nothing changes when one
    /// of the mappings cannot be answered, which is then returned with why.
    pub fn set_defaults(
        &self,
        mappings: Vec<Mapping>,
        files: Option<&Path>,
    ) -> Result<(), (usize, AnswerError)> {
        let mut inner = self.write();
        let first = inner.next_order;
        let mut defaults = Vec::with_capacity(mappings.len());
        for (at, mapping) in mappings.into_iter().enumerate() {
            let order = first + at as u64;
            defaults.push(Arc::new(Stub::new(mapping, order, files).map_err(|error| (at, error))?));
        }
        for old in std::mem::take(&mut inner.defaults) {
            inner.stubs.shift_remove(&old.id);
        }
        inner.next_order = first + defaults.len() as u64;
        inner.stubs.extend(defaults.iter().map(|stub| (stub.id, Arc::clone(stub))));
        inner.files = files.map(Path::to_owned);
        inner.defaults = defaults;
        Ok(())
    }

    /// The stub with this identity.
    pub fn get(&self, id: StubId) -> Option<Arc<Stub>> {
        self.read().stubs.get(&id).cloned()
    }

    /// All stubs, the newest first.
    pub fn all(&self) -> Vec<Arc<Stub>> {
        let mut stubs: Vec<_> = self.read().stubs.values().cloned().collect();
        stubs.sort_by_key(|stub| std::cmp::Reverse(stub.order));
        stubs
    }

    /// The stubs, prepared to be searched.
    pub fn index(&self) -> Arc<StubIndex> {
        if let Some(index) = &self.read().index {
            return Arc::clone(index);
        }
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        let stubs = &inner.stubs;
        let index = inner
            .index
            .clone()
            .unwrap_or_else(|| Arc::new(StubIndex::new(stubs.values().cloned().collect())));
        inner.index = Some(Arc::clone(&index));
        index
    }

    fn read(&self) -> RwLockReadGuard<'_, Inner> {
        self.inner.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whoever writes makes the index stale.
    fn write(&self) -> RwLockWriteGuard<'_, Inner> {
        let mut inner = self.inner.write().unwrap_or_else(PoisonError::into_inner);
        inner.index = None;
        inner
    }
}

impl Inner {
    fn prepare(&mut self, mapping: Mapping) -> Result<Arc<Stub>, AnswerError> {
        let stub = Stub::new(mapping, self.next_order, self.files.as_deref())?;
        self.next_order += 1;
        Ok(Arc::new(stub))
    }
}
