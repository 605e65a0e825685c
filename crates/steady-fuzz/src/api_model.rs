//! What does not change during a search: the API, who produces what, what must be left alone.

use steady_model::{Identity, LoginUse, OperationId, Secret};
use steady_openapi::{Api, Location, Operation, Parameter};

use crate::catalog::Catalog;
use crate::endpoint_id::EndpointId;
use crate::focus::Focus;
use crate::guard::Guard;
use crate::resources::Resources;

/// The compiled API, and what a search must not do with it.
#[derive(Debug)]
pub struct ApiModel {
    /// The operations.
    pub catalog: Catalog,
    /// Who produces what.
    pub resources: Resources,
    /// What must be left alone.
    pub guard: Guard,
    /// The names of those calls are made as.
    pub identities: Vec<String>,
    /// Headers, in lower case, and query parameters that identities send with every call.
    pub credential_names: Vec<String>,
    /// What the search is mostly about.
    pub focus: Focus,
}

impl ApiModel {
    /// Compiles an API. `principals` are the accounts the identities belong to, `secrets` their passwords.
    pub fn new(
        api: Api,
        base_path: String,
        identities: &[Identity],
        principals: Vec<String>,
        secrets: Vec<Secret>,
        keep: impl Fn(&Operation) -> bool,
    ) -> Self {
        let catalog = Catalog::new(api, base_path, keep);
        let resources = Resources::new(&catalog);
        let guard = Guard::new(&catalog, principals, secrets, !identities.is_empty());
        let credential_names = identities.iter().flat_map(credential_names).collect();
        let identities = identities.iter().map(|identity| identity.name.clone()).collect();
        Self { catalog, resources, guard, identities, credential_names, focus: Focus::default() }
    }

    /// The same model for a search that is mostly about the operations that `choose` picks.
    pub fn focused(mut self, choose: impl Fn(&OperationId) -> bool) -> Self {
        self.focus = Focus::new(&self, choose);
        self
    }

    /// The same model for an API that cannot be restarted.
    #[must_use]
    pub fn without_restart(mut self) -> Self {
        self.guard = self.guard.without_restart();
        self
    }

    /// Whether identities send what a parameter stands for with every call.
    pub fn is_sent_by_identities(&self, parameter: &Parameter) -> bool {
        match parameter.location {
            Location::Header => self.credential_names.contains(&parameter.name.to_ascii_lowercase()),
            Location::Query => self.credential_names.contains(&parameter.name),
            Location::Cookie | Location::Path => false,
        }
    }

    /// The described endpoints that may be called.
    pub fn open_endpoints(&self) -> impl Iterator<Item = EndpointId> {
        self.catalog.described().map(|(id, _)| id).filter(|endpoint| self.guard.closed(*endpoint).is_none())
    }
}

fn credential_names(identity: &Identity) -> Vec<String> {
    let mut names: Vec<String> = identity.headers.iter().map(|(name, _)| name.to_ascii_lowercase()).collect();
    names.extend(identity.login.as_ref().map(|login| match &login.usage {
        LoginUse::Cookies => "cookie".to_owned(),
        LoginUse::Header { name, .. } | LoginUse::Query { name, .. } => name.clone(),
    }));
    names
}
