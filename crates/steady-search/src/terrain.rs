//! What does not change during a search: the API, who produces what, what must be left alone.

use steady_model::Secret;
use steady_openapi::{Api, Operation};

use crate::catalog::Catalog;
use crate::guard::Guard;
use crate::resources::Resources;

/// The ground a search moves over.
#[derive(Debug)]
pub struct Terrain {
    /// The operations.
    pub catalog: Catalog,
    /// Who produces what.
    pub resources: Resources,
    /// What must be left alone.
    pub guard: Guard,
    /// The names of those calls are made as.
    pub identities: Vec<String>,
}

impl Terrain {
    /// Compiles an API. `principals` are the accounts the identities belong to, `secrets` their passwords.
    pub fn new(
        api: Api,
        base_path: String,
        identities: Vec<String>,
        principals: Vec<String>,
        secrets: Vec<Secret>,
        keep: impl Fn(&Operation) -> bool,
    ) -> Self {
        let catalog = Catalog::new(api, base_path, keep);
        let resources = Resources::new(&catalog);
        let guard = Guard::new(&catalog, principals, secrets, !identities.is_empty());
        Self { catalog, resources, guard, identities }
    }

    /// The described endpoints that may be called.
    pub fn open_endpoints(&self) -> impl Iterator<Item = usize> {
        (0..self.catalog.described).filter(|endpoint| self.guard.closed(*endpoint).is_none())
    }
}
