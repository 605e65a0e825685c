//! Which operations bring forth what others need: creators, lists, links.

use indexmap::{IndexMap, IndexSet};
use serde_json::Value;
use steady_model::{Method, OperationId, Place};
use steady_openapi::{Link, Location};

use crate::catalog::{Catalog, Endpoint};
use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::names::Name;

/// How many producers of a parameter are worth knowing: large documents have thousands of the same noun.
const MOST_PRODUCERS: usize = 32;
/// What the first segment after a collection begins with where POST adds to the collection.
const CREATION_VERBS: [&str; 6] = ["create", "add", "new", "register", "import", "upload"];

/// Where the value of a parameter can be had.
#[derive(Debug, Clone, PartialEq)]
pub struct Producer {
    /// The endpoint to call first.
    pub endpoint: EndpointId,
    /// What its answer, or its request, gives.
    pub how: How,
    /// How good a source it is; the best comes first.
    pub rank: u32,
}

/// How an endpoint brings forth a value.
#[derive(Debug, Clone, PartialEq)]
pub enum How {
    /// Its answer names what it created.
    Creates,
    /// The client chooses the id: `PUT /buckets/{id}`. The index is that of the parameter.
    Chooses(usize),
    /// Its answer lists what there is.
    Lists,
    /// The document links a place in its answer to the parameter.
    Links(Place),
}

/// Producers per endpoint and parameter, and per noun.
#[derive(Debug, Default)]
pub struct Resources {
    by_parameter: PerEndpoint<Vec<Vec<Producer>>>,
    by_noun: IndexMap<String, Vec<Producer>>,
    deleters: IndexMap<String, EndpointId>,
    /// Path shapes of collections that POST, or PUT of a member, adds to.
    growing: IndexSet<String>,
    /// Nouns of the collections that operations change.
    changing: IndexSet<String>,
}

impl Resources {
    /// Works out who produces what from paths, names and links.
    pub fn new(catalog: &Catalog) -> Self {
        let mut resources = Self { changing: changing_nouns(catalog), ..Self::default() };
        for (id, endpoint) in catalog.described() {
            if let Some(producer) = collection_producer(id, endpoint)
                && let Some(noun) = collection_noun(&endpoint.operation.id.path)
            {
                resources.by_noun.entry(noun).or_default().push(producer);
            }
            match endpoint.operation.id.method {
                Method::Post => {
                    resources.growing.insert(shape_of(&endpoint.operation.id.path));
                }
                Method::Put => {
                    let shape = shape_of(&endpoint.operation.id.path);
                    resources.growing.extend(shape.strip_suffix("/{}").map(str::to_owned));
                }
                _ => {}
            }
            if endpoint.operation.id.method == Method::Delete {
                resources.deleters.insert(shape_of(&endpoint.operation.id.path), id);
            }
        }
        for producers in resources.by_noun.values_mut() {
            producers.sort_by_key(|producer| std::cmp::Reverse(producer.rank));
        }
        let sources = Sources::new(catalog);
        resources.by_parameter = catalog.endpoints().map(|id, endpoint| {
            let parameters = 0..endpoint.operation.parameters.len();
            parameters.map(|parameter| resources.producers_for(catalog, &sources, id, parameter)).collect()
        });
        resources
    }

    /// Who produces values for a parameter, the best first.
    pub fn producers(&self, endpoint: EndpointId, parameter: usize) -> &[Producer] {
        self.by_parameter[endpoint].get(parameter).map(Vec::as_slice).unwrap_or_default()
    }

    /// Who produces what a name such as `orderId` refers to.
    pub fn referenced(&self, name: &Name) -> &[Producer] {
        name.referent().and_then(|noun| self.by_noun.get(&noun)).map(Vec::as_slice).unwrap_or_default()
    }

    /// Whether the collection at this path has operations that add to it.
    pub fn is_added_to(&self, path: &str) -> bool {
        self.growing.contains(&shape_of(path))
    }

    /// Whether some operation changes a thing that this path speaks of: after `DELETE /assignments/{id}` another list is
    /// found at `/assignments/by-project/{projectId}`.
    pub fn is_changed(&self, path: &str) -> bool {
        nouns(path).any(|noun| self.changing.contains(&noun))
    }

    /// The DELETE on a path template, parameter names aside.
    pub fn deleter(&self, path: &str) -> Option<EndpointId> {
        self.deleters.get(&shape_of(path)).copied()
    }

    fn producers_for(
        &self,
        catalog: &Catalog,
        sources: &Sources<'_>,
        endpoint: EndpointId,
        parameter: usize,
    ) -> Vec<Producer> {
        let target = &catalog[endpoint];
        let spec = &target.operation.parameters[parameter];
        let mut found = sources.linked(&target.operation.id, &spec.name);
        if spec.location == Location::Path {
            let collection = collection_before(&target.operation.id.path, &spec.name);
            let members = sources.members.get(&shape_of(&collection)).into_iter().flatten();
            found.extend(members.filter(|other| other.endpoint != endpoint).cloned());
            let nouns = [collection_noun(&collection), Name::new(&spec.name).referent()];
            for noun in nouns.into_iter().flatten() {
                found.extend(best_of(self.by_noun.get(&noun).into_iter().flatten(), endpoint));
            }
        } else {
            found.extend(best_of(self.referenced(&Name::new(&spec.name)), endpoint));
        }
        found.sort_by_key(|producer| std::cmp::Reverse(producer.rank));
        let mut seen = IndexSet::new();
        found.retain(|producer| seen.insert(producer.endpoint));
        found.truncate(MOST_PRODUCERS);
        found
    }
}

/// What operations change, by the noun of the collection that each works on; not by what stands before it, such as `api` or the
/// part of the API.
fn changing_nouns(catalog: &Catalog) -> IndexSet<String> {
    let described = catalog.described().map(|(_, endpoint)| &endpoint.operation.id);
    described.filter(|id| !id.method.is_safe()).filter_map(|id| collection_noun(&id.path)).collect()
}

/// What a path speaks of, in the singular: every word of its segments, and what its parameters refer to.
fn nouns(path: &str) -> impl Iterator<Item = String> {
    path.split('/').flat_map(|segment| match segment.strip_prefix('{') {
        Some(parameter) => Name::new(parameter).referent().into_iter().collect(),
        None => Name::new(segment).nouns(),
    })
}

/// The first producers of a sorted list, without the endpoint that asks.
fn best_of<'a>(
    producers: impl IntoIterator<Item = &'a Producer>,
    endpoint: EndpointId,
) -> impl Iterator<Item = Producer> {
    producers.into_iter().filter(move |other| other.endpoint != endpoint).take(MOST_PRODUCERS).cloned()
}

/// Who brings forth what, by what is asked for: every parameter of the document asks.
struct Sources<'a> {
    /// Producers of a collection's members, by the shape of its path.
    members: IndexMap<String, Vec<Producer>>,
    /// Links and the endpoints that have them, by where they lead.
    links: IndexMap<&'a OperationId, Vec<(EndpointId, &'a Link)>>,
}

impl<'a> Sources<'a> {
    fn new(catalog: &'a Catalog) -> Self {
        let mut sources = Self { members: IndexMap::new(), links: IndexMap::new() };
        for (id, endpoint) in catalog.endpoints().iter() {
            if !catalog.is_probe(id) {
                for (collection, how, rank) in fills(endpoint) {
                    let producer = Producer { endpoint: id, how, rank };
                    sources.members.entry(collection).or_default().push(producer);
                }
            }
            for link in endpoint.operation.responses.iter().flat_map(|response| &response.links) {
                sources.links.entry(&link.target).or_default().push((id, link));
            }
        }
        sources
    }

    fn linked(&self, target: &OperationId, parameter: &str) -> Vec<Producer> {
        let mut found = Vec::new();
        for (id, link) in self.links.get(target).into_iter().flatten() {
            let qualified = link.parameters.iter().find(|(name, _)| {
                name.as_str() == parameter || name.split_once('.').is_some_and(|(_, bare)| bare == parameter)
            });
            if let Some(place) = qualified.and_then(|(_, expression)| response_place(expression)) {
                found.push(Producer { endpoint: *id, how: How::Links(place), rank: 120 });
            }
        }
        found
    }
}

/// The path shapes of the collections whose members an endpoint brings forth, and how.
fn fills(endpoint: &Endpoint) -> Vec<(String, How, u32)> {
    let id = &endpoint.operation.id;
    let shape = shape_of(&id.path);
    match id.method {
        Method::Post => {
            let above = shape.match_indices('/').filter(|(at, _)| is_creation_verb(&shape[at + 1..]));
            let mut filled: Vec<(String, How, u32)> =
                above.map(|(at, _)| (shape[..at].to_owned(), How::Creates, 80)).collect();
            filled.push((shape, How::Creates, 100));
            filled
        }
        Method::Put => {
            let chosen = endpoint.path_parameters().last();
            let collection = shape.strip_suffix("/{}").zip(chosen);
            collection
                .map(|(collection, parameter)| (collection.to_owned(), How::Chooses(parameter), 90))
                .into_iter()
                .collect()
        }
        Method::Get => vec![(shape, How::Lists, 40)],
        _ => Vec::new(),
    }
}

fn is_creation_verb(segment: &str) -> bool {
    CREATION_VERBS.iter().any(|verb| segment.starts_with(verb))
}

/// What an endpoint on a collection produces, whatever the path that asks.
fn collection_producer(id: EndpointId, endpoint: &Endpoint) -> Option<Producer> {
    let path = &endpoint.operation.id.path;
    if path.ends_with('}') {
        return None;
    }
    let (how, rank) = match endpoint.operation.id.method {
        Method::Post => (How::Creates, 60),
        Method::Get => (How::Lists, 30),
        _ => return None,
    };
    Some(Producer { endpoint: id, how, rank })
}

/// The place a runtime expression on the response names (OpenAPI 3.1 section 4.8.20.4).
fn response_place(expression: &Value) -> Option<Place> {
    let text = expression.as_str()?.trim_matches(['{', '}']);
    if let Some(pointer) = text.strip_prefix("$response.body") {
        return Some(Place::Body(pointer.trim_start_matches('#').to_owned()));
    }
    let header = text.strip_prefix("$response.header.")?;
    Some(Place::Header(header.to_ascii_lowercase()))
}

/// The path before `/{parameter}`.
pub fn collection_before(path: &str, parameter: &str) -> String {
    let placeholder = format!("{{{parameter}}}");
    path.find(&placeholder).map_or(path, |at| &path[..at]).trim_end_matches('/').to_owned()
}

/// The noun of a collection: its last literal segment, in the singular.
pub fn collection_noun(path: &str) -> Option<String> {
    path.split('/')
        .rev()
        .find(|segment| !segment.is_empty() && !segment.contains('{'))
        .and_then(|segment| Name::new(segment).noun())
}

/// The least of the ids that are far from all that exist.
pub const LEAST_ABSENT_ID: u64 = 1_200_000_000;

/// The field of a body that names the very thing a POST to this path creates: `orderId`, or plain `id`, for `/orders`.
pub fn own_id(path: &str, body: &Value) -> Option<String> {
    let nouns = own_nouns(path);
    let is_own = |name: &&String| {
        let name = Name::new(name);
        name.key() == "id" || name.referent().is_some_and(|referent| nouns.contains(&referent))
    };
    body.as_object()?.keys().find(is_own).cloned()
}

/// The nouns that a POST to this path may create one of. Not what is above it: in `/orders/{orderId}/items`, an `orderId` names
/// the order that the item is of.
pub fn own_nouns(path: &str) -> Vec<String> {
    let segments: Vec<&str> = path.split('/').collect();
    let is_above = |at: usize| segments.get(at + 1).is_some_and(|next| next.starts_with('{'));
    let literal =
        segments.iter().enumerate().filter(|(at, segment)| !segment.starts_with('{') && !is_above(*at));
    literal.flat_map(|(_, segment)| Name::new(segment).nouns()).collect()
}

/// A path template with its parameter names blotted out.
pub fn shape_of(path: &str) -> String {
    let mut shape = String::with_capacity(path.len());
    let mut inside = false;
    for character in path.trim_end_matches('/').chars() {
        match character {
            '{' => {
                inside = true;
                shape.push_str("{}");
            }
            '}' => inside = false,
            _ if inside => {}
            other => shape.push(other),
        }
    }
    shape
}

#[cfg(test)]
mod tests {
    use super::*;

    fn resources(operations: &[&str]) -> Resources {
        let mut paths = serde_json::Map::new();
        for operation in operations {
            let (method, path) = operation.split_once(' ').unwrap();
            let item = paths.entry(path).or_insert_with(|| serde_json::json!({}));
            item[method.to_lowercase()] = serde_json::json!({"responses": {"200": {"description": ""}}});
        }
        let document = serde_json::json!({
            "openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": paths,
        });
        let api = steady_openapi::parse(&document.to_string(), "api").unwrap();
        Resources::new(&Catalog::new(api, String::new(), |_| true))
    }

    #[test]
    fn what_other_operations_change_is_known_by_its_noun() {
        let resources = resources(&[
            "GET /api/assignments/data/project-commit/{projectId}",
            "DELETE /api/assignments/{assignmentId}",
            "GET /api/reports/{projectId}",
            "PUT /api/projects/{projectId}",
            "GET /api/countries",
        ]);
        assert!(resources.is_changed("/api/assignments/data/project-commit/{projectId}"));
        assert!(resources.is_changed("/api/reports/{projectId}"), "a report of what is changed");
        assert!(!resources.is_changed("/api/countries"), "nothing changes a country");
    }

    #[test]
    fn the_id_of_what_is_created_is_kept_apart_from_those_of_others() {
        let body = serde_json::json!({"title": "a", "orderId": 1, "itemId": 2, "customerId": 3});
        let own = |path: &str| own_id(path, &body);
        assert_eq!(own("/orders").as_deref(), Some("orderId"));
        assert_eq!(own("/api/orders/save").as_deref(), Some("orderId"));
        assert_eq!(own("/orders/{orderId}/items").as_deref(), Some("itemId"));
        assert_eq!(own("/stores"), None);
    }

    #[test]
    fn an_api_that_changes_nothing_has_no_shared_lists() {
        let resources = resources(&["GET /v2/all", "GET /v2/name/{name}"]);
        assert!(!resources.is_changed("/v2/all"));
    }
}
