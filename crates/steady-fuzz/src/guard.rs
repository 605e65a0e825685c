//! Keeps a run from ending its own access: its account, its session, the API's process.

use indexmap::IndexMap;
use steady_model::{Method, Request, Secret, percent};

use crate::catalog::{Catalog, Endpoint};
use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::halts::{self, Halt};
use crate::names::{Name, singular};

/// Operations that end the API's process, by the last word of their path.
const STOPPERS: [&str; 7] = ["shutdown", "poweroff", "reboot", "halt", "terminate", "quit", "exit"];
/// Operations that end a session or empty the whole API.
const ENDERS: [&str; 9] =
    ["logout", "signout", "logoff", "revoke", "flush", "wipe", "purge", "deactivate", "unregister"];
/// Things that accounts are.
const ACCOUNTS: [&str; 9] =
    ["account", "user", "member", "principal", "credential", "apikey", "admin", "operator", "login"];
/// Paths that mean the caller.
const SELF: [&str; 8] = ["me", "self", "current", "profile", "password", "myself", "whoami", "account"];

/// What must be left alone, and why.
#[derive(Debug)]
pub struct Guard {
    closed: PerEndpoint<Option<&'static str>>,
    halts: PerEndpoint<Option<Halt>>,
    accounts: PerEndpoint<bool>,
    principals: Vec<String>,
    secrets: Vec<Secret>,
}

impl Guard {
    /// Works out what endangers a run with these accounts.
    pub fn new(
        catalog: &Catalog,
        principals: Vec<String>,
        secrets: Vec<Secret>,
        authenticated: bool,
    ) -> Self {
        Self {
            closed: closed(catalog, authenticated),
            halts: halts::find(catalog),
            accounts: catalog.endpoints().map(|_, endpoint| authenticated && concerns_accounts(endpoint)),
            principals: principals.into_iter().filter(|name| !name.is_empty()).collect(),
            secrets: secrets.into_iter().filter(|secret| !secret.reveal().is_empty()).collect(),
        }
    }

    /// The same for an API that cannot be started again: what stops it for good is never called.
    #[must_use]
    pub fn without_restart(mut self) -> Self {
        for (endpoint, closed) in self.closed.iter_mut() {
            if self.halts[endpoint].is_some_and(|halt| halt.undo.is_none()) {
                closed.get_or_insert(
                    "it would stop the service for all clients, and nothing in the document starts it again",
                );
            }
        }
        self
    }

    /// Why an endpoint is never called; `None` for one that may be, if only at the end.
    pub fn refused(&self, endpoint: EndpointId) -> Option<&'static str> {
        self.closed[endpoint]
    }

    /// Why an endpoint is not called in the search; `None` for one that may be.
    pub fn closed(&self, endpoint: EndpointId) -> Option<&'static str> {
        self.refused(endpoint)
            .or(self.halts[endpoint].map(|_| "it stops the service for all clients, and is called last"))
    }

    /// The endpoints that stop the service for all clients, and what undoes that: to be called when all else is done, in this order.
    pub fn last(&self) -> Vec<(EndpointId, Halt)> {
        let halts = self.halts.iter().filter_map(|(endpoint, halt)| Some((endpoint, (*halt)?)));
        let mut last: Vec<(EndpointId, Halt)> =
            halts.filter(|(endpoint, _)| self.refused(*endpoint).is_none()).collect();
        last.sort_by_key(|(_, halt)| (halt.undo.is_none(), halt.severity));
        last
    }

    /// Whether changing an account's members by guessed ids is off limits at this endpoint.
    pub fn own_things_only(&self, endpoint: EndpointId, method: Method) -> bool {
        self.accounts[endpoint] && matches!(method, Method::Put | Method::Patch | Method::Delete)
    }

    /// Whether a concrete request leaves the run's own accounts alone.
    pub fn allows(&self, endpoint: EndpointId, request: &Request) -> bool {
        if request.method.is_safe() || self.principals.is_empty() {
            return true;
        }
        let path = request.target.split('?').next().unwrap_or_default();
        let names_one =
            |text: &str| self.principals.iter().any(|principal| text.eq_ignore_ascii_case(principal));
        if path.split('/').any(|segment| names_one(segment) || names_one(&percent::decode(segment))) {
            return false;
        }
        let body = request.body.as_ref().map(steady_model::Payload::as_bytes).unwrap_or_default();
        // With the right password the account only logs in or is set to what it is; with a wrong one it may be locked.
        if self.secrets.iter().any(|secret| contains(body, secret.reveal().as_bytes())) {
            return request.method == Method::Post;
        }
        let touches_accounts = self.accounts[endpoint];
        !(touches_accounts && self.principals.iter().any(|principal| contains(body, principal.as_bytes())))
    }
}

/// Why each endpoint must not be called. A probe stays away from a path as soon as one of its methods is dangerous: what another
/// method does there is unknown.
fn closed(catalog: &Catalog, authenticated: bool) -> PerEndpoint<Option<&'static str>> {
    let mut closed = catalog.endpoints().map(|_, endpoint| closing_reason(endpoint, authenticated));
    let mut by_path: IndexMap<&str, &'static str> = IndexMap::new();
    for (id, reason) in closed.iter() {
        if let Some(reason) = reason {
            by_path.entry(&catalog[id].operation.id.path).or_insert(reason);
        }
    }
    for (id, halt) in halts::find(catalog).iter() {
        if halt.is_some() {
            by_path
                .entry(&catalog[id].operation.id.path)
                .or_insert("it would stop the service for all clients");
        }
    }
    for probe in catalog.probes() {
        closed[probe] = by_path.get(catalog[probe].operation.id.path.as_str()).copied();
    }
    closed
}

fn closing_reason(endpoint: &Endpoint, authenticated: bool) -> Option<&'static str> {
    let id = &endpoint.operation.id;
    let segments: Vec<String> =
        id.path.split('/').filter(|segment| !segment.is_empty()).map(str::to_ascii_lowercase).collect();
    let literals: Vec<&str> =
        segments.iter().filter(|segment| !segment.contains('{')).map(String::as_str).collect();
    let last = literals.last().map(|segment| segment.trim_matches('_'))?;
    if STOPPERS.contains(&last) {
        return Some("it would stop the API");
    }
    if !authenticated || id.method.is_safe() {
        return None;
    }
    let ends_in_literal = segments.last().is_some_and(|segment| !segment.contains('{'));
    // A flush of one cache among many is harmless; one at the root empties everything, accounts included.
    let global = segments.len() <= 2;
    if ends_in_literal && ENDERS.contains(&last) && (global || !matches!(last, "flush" | "purge" | "wipe")) {
        return Some("it would end the session or empty the API");
    }
    if ends_in_literal && SELF.contains(&last) && id.method != Method::Post {
        return Some("it would change the account the run uses");
    }
    if last == "password" {
        return Some("it would change the password the run uses");
    }
    if id.method == Method::Delete && ends_in_literal && concerns_accounts(endpoint) {
        return Some("it would delete the account the run uses");
    }
    None
}

/// Whether the last collection of the path holds accounts.
fn concerns_accounts(endpoint: &Endpoint) -> bool {
    let literal = endpoint
        .operation
        .id
        .path
        .split('/')
        .rev()
        .find(|segment| !segment.is_empty() && !segment.contains('{'));
    literal.is_some_and(|segment| {
        let noun = Name::new(segment).noun().unwrap_or_default();
        ACCOUNTS.contains(&noun.as_str())
            || ACCOUNTS.contains(&singular(&segment.to_ascii_lowercase()).as_str())
    })
}

fn contains(haystack: &[u8], needle: &[u8]) -> bool {
    haystack.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle))
}

#[cfg(test)]
mod tests {
    use steady_model::Payload;

    use super::*;

    fn guard() -> (Catalog, Guard) {
        let document = r#"{"openapi": "3.0.3", "info": {"title": "t", "version": "1"}, "paths": {
            "/accounts": {"get": {}, "post": {}, "delete": {}},
            "/accounts/{id}": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                               "get": {}, "put": {}, "patch": {}, "delete": {}},
            "/me": {"get": {}, "delete": {}},
            "/me/password": {"post": {}},
            "/logout": {"post": {}},
            "/__flush__": {"post": {}},
            "/servers/{id}/cache/flush": {"parameters": [{"name": "id", "in": "path", "required": true, "schema": {"type": "string"}}],
                                          "put": {}},
            "/admin/shutdown": {"post": {}},
            "/orders": {"post": {}, "delete": {}}
        }}"#;
        let api = steady_openapi::parse(document, "accounts").unwrap();
        let catalog = Catalog::new(api, String::new(), |_| true);
        let guard = Guard::new(&catalog, vec!["admin".to_owned()], vec![Secret::new("s3cret")], true);
        (catalog, guard)
    }

    fn request(method: Method, target: &str, body: Option<&str>) -> Request {
        let body = body.map(|text| Payload::Text(text.into()));
        Request { method, target: target.to_owned(), headers: Vec::new(), body }
    }

    #[test]
    fn what_would_end_the_runs_access_or_the_api_is_closed_and_the_rest_is_open() {
        let (catalog, guard) = guard();
        let closed: Vec<String> = catalog
            .described()
            .filter(|(id, _)| guard.closed(*id).is_some())
            .map(|(_, endpoint)| endpoint.operation.id.to_string())
            .collect();
        let expected = [
            "DELETE /accounts",
            "DELETE /me",
            "POST /me/password",
            "POST /logout",
            "POST /__flush__",
            "POST /admin/shutdown",
        ];
        assert_eq!(closed, expected);
    }

    #[test]
    fn the_runs_own_account_is_never_written_to() {
        let (catalog, guard) = guard();
        let item = catalog.on(Method::Delete, "/accounts/{id}").unwrap();
        let collection = catalog.on(Method::Post, "/accounts").unwrap();
        let orders = catalog.on(Method::Post, "/orders").unwrap();
        for (endpoint, request, allowed) in [
            (item, request(Method::Delete, "/accounts/admin", None), false),
            (item, request(Method::Put, "/accounts/Admin?x=1", None), false),
            (item, request(Method::Patch, "/accounts/%61dmin", None), false),
            (item, request(Method::Delete, "/accounts/other", None), true),
            (item, request(Method::Get, "/accounts/admin", None), true),
            (
                collection,
                request(Method::Post, "/accounts", Some(r#"{"id": "admin", "password": "x"}"#)),
                false,
            ),
            (
                collection,
                request(Method::Post, "/accounts", Some(r#"{"id": "other", "password": "x"}"#)),
                true,
            ),
            (
                collection,
                request(Method::Post, "/accounts", Some(r#"{"id": "admin", "password": "s3cret"}"#)),
                true,
            ),
            (orders, request(Method::Post, "/orders", Some(r#"{"note": "for admin"}"#)), true),
        ] {
            assert_eq!(guard.allows(endpoint, &request), allowed, "{} {}", request.method, request.target);
        }
    }
}
