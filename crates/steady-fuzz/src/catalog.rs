//! The API, compiled for the search: paths in pieces, schemas as shapes, responses with their validators.

use std::cell::OnceCell;
use std::ops::Index;

use indexmap::IndexMap;
use serde_json::Value;
use steady_model::Method;
use steady_openapi::{Api, Definitions, Location, MediaType, Operation, Schema, SecurityScheme, Validator};

use crate::endpoint_id::{EndpointId, PerEndpoint};
use crate::probes::undescribed;
use crate::protection::Protection;
use crate::values::{Excess, Kind, Shape, Shapes};

/// The operations of an API, ready to be called and judged.
#[derive(Debug)]
pub struct Catalog {
    /// The operations that may be called: those that the document describes, then the [probes](Catalog::probes).
    endpoints: PerEndpoint<Endpoint>,
    described: usize,
    /// The API's shapes.
    pub shapes: Shapes,
    /// What stands before every path.
    pub base_path: String,
    /// The described endpoints on each path template.
    by_path: IndexMap<String, Vec<EndpointId>>,
    api: Api,
}

/// One operation.
#[derive(Debug)]
pub struct Endpoint {
    /// As the document describes it.
    pub operation: Operation,
    /// The path template in pieces.
    pub path: Vec<PathPiece>,
    /// The shape of each parameter.
    pub parameters: Vec<Shape>,
    /// The shape of each request media type.
    pub bodies: Vec<Shape>,
    /// The authentication it demands.
    pub protection: Option<Protection>,
    choices: Vec<Option<Vec<Value>>>,
    /// Checks on parameter values, compiled when first needed.
    parameter_checks: Vec<OnceCell<Option<Validator>>>,
    body_checks: Vec<OnceCell<Option<Validator>>>,
    /// Per described response, per media type.
    response_checks: Vec<Vec<OnceCell<Option<Validator>>>>,
    /// Per described response, per header.
    header_checks: Vec<Vec<OnceCell<Option<Validator>>>>,
}

/// A piece of a path template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathPiece {
    /// Stands as it is.
    Literal(String),
    /// The parameter of this index.
    Parameter(usize),
}

impl Catalog {
    /// Compiles the operations that `keep` admits.
    pub fn new(api: Api, base_path: String, keep: impl Fn(&Operation) -> bool) -> Self {
        let shapes = Shapes::new(api.definitions.clone());
        let mut endpoints: Vec<Endpoint> = api
            .operations
            .iter()
            .filter(|operation| keep(operation))
            .map(|operation| Endpoint::new(operation, &shapes, &api.security_schemes))
            .collect();
        let described = endpoints.len();
        let known: Vec<&Operation> = endpoints.iter().map(|endpoint| &endpoint.operation).collect();
        let probes: Vec<Operation> = undescribed(&api, &known);
        let schemes = &api.security_schemes;
        endpoints.extend(probes.iter().map(|operation| Endpoint::new(operation, &shapes, schemes)));
        let mut by_path: IndexMap<String, Vec<EndpointId>> = IndexMap::new();
        let endpoints = PerEndpoint::from(endpoints);
        for (id, endpoint) in endpoints.iter().take(described) {
            by_path.entry(endpoint.operation.id.path.clone()).or_default().push(id);
        }
        Self { endpoints, described, shapes, base_path, by_path, api }
    }

    /// Endpoints the document does not describe: other methods on its paths, to see them refused properly.
    pub fn probes(&self) -> impl Iterator<Item = EndpointId> {
        self.endpoints.iter().skip(self.described).map(|(id, _)| id)
    }

    /// Whether the document does not describe an endpoint.
    pub fn is_probe(&self, endpoint: EndpointId) -> bool {
        endpoint.position() >= self.described
    }

    /// The endpoints that the document describes.
    pub fn described(&self) -> impl Iterator<Item = (EndpointId, &Endpoint)> {
        self.endpoints.iter().take(self.described)
    }

    /// How many endpoints the document describes.
    pub fn described_count(&self) -> usize {
        self.described
    }

    /// All endpoints, the probes among them.
    pub fn endpoints(&self) -> &PerEndpoint<Endpoint> {
        &self.endpoints
    }

    /// The endpoint of `method` on a path template.
    pub fn on(&self, method: Method, path: &str) -> Option<EndpointId> {
        self.by_path.get(path)?.iter().copied().find(|id| self[*id].operation.id.method == method)
    }

    /// The operations for which a valid request is larger than what is made, as far as they were called: what of the
    /// request it is, and the limit.
    pub fn oversize(&self) -> Vec<(&Operation, String, Excess)> {
        let mut found = Vec::new();
        for (_, endpoint) in self.described() {
            let parameters = endpoint.operation.parameters.iter().zip(&endpoint.parameters);
            let parameters = parameters.map(|(spec, shape)| (format!("parameter `{}`", spec.name), shape));
            let bodies = endpoint.bodies.iter().map(|shape| ("body".to_owned(), shape));
            for (what, shape) in parameters.chain(bodies) {
                found.extend(self.shapes.excess(shape).map(|excess| (&endpoint.operation, what, excess)));
            }
        }
        found
    }

    /// The schemas that others refer to.
    pub fn definitions(&self) -> &Definitions {
        &self.api.definitions
    }

    /// Checks a response body, if it is described by a schema that compiles.
    pub fn response_check(&self, endpoint: EndpointId, response: usize, media: usize) -> Option<&Validator> {
        let endpoint = &self[endpoint];
        let schema = endpoint.operation.responses.get(response)?.content.get(media)?.schema.as_ref()?;
        self.compiled(endpoint.response_checks.get(response)?.get(media)?, schema)
    }

    /// Checks a parameter's value.
    pub fn parameter_check(&self, endpoint: EndpointId, parameter: usize) -> Option<&Validator> {
        let endpoint = &self[endpoint];
        let schema = &endpoint.operation.parameters.get(parameter)?.schema;
        self.compiled(endpoint.parameter_checks.get(parameter)?, schema)
    }

    /// Checks a request body's value.
    pub fn body_check(&self, endpoint: EndpointId, media: usize) -> Option<&Validator> {
        let endpoint = &self[endpoint];
        let schema = endpoint.operation.body.as_ref()?.content.get(media)?.schema.as_ref()?;
        endpoint.body_checks.get(media)?.get_or_init(|| self.api.request_validator(schema).ok()).as_ref()
    }

    /// Checks a response header's value.
    pub fn header_check(&self, endpoint: EndpointId, response: usize, header: usize) -> Option<&Validator> {
        let endpoint = &self[endpoint];
        let schema = endpoint.operation.responses.get(response)?.headers.get(header)?.schema.as_ref()?;
        self.compiled(endpoint.header_checks.get(response)?.get(header)?, schema)
    }

    fn compiled<'a>(&self, cell: &'a OnceCell<Option<Validator>>, schema: &Schema) -> Option<&'a Validator> {
        cell.get_or_init(|| self.api.validator(schema).ok()).as_ref()
    }
}

impl Index<EndpointId> for Catalog {
    type Output = Endpoint;

    fn index(&self, endpoint: EndpointId) -> &Endpoint {
        &self.endpoints[endpoint]
    }
}

impl Endpoint {
    fn new(operation: &Operation, shapes: &Shapes, schemes: &IndexMap<String, SecurityScheme>) -> Self {
        let parameters: Vec<Shape> = operation
            .parameters
            .iter()
            .map(|parameter| {
                let mut shape = shapes.of(&parameter.schema);
                shape.examples.splice(0..0, parameter.examples.iter().cloned());
                shape
            })
            .collect();
        let content = operation.body.as_ref().map(|body| body.content.as_slice()).unwrap_or_default();
        let bodies = content.iter().map(|media| body_shape(media, shapes)).collect();
        Self {
            path: pieces(operation),
            protection: Protection::of(operation, schemes),
            choices: parameters.iter().map(Shape::enumerable).collect(),
            parameters,
            bodies,
            parameter_checks: cells(operation.parameters.len()),
            body_checks: cells(content.len()),
            response_checks: operation
                .responses
                .iter()
                .map(|response| cells(response.content.len()))
                .collect(),
            header_checks: operation.responses.iter().map(|response| cells(response.headers.len())).collect(),
            operation: operation.clone(),
        }
    }

    /// The values of a parameter that are worth covering one by one.
    pub fn choices(&self, parameter: usize) -> Option<&[Value]> {
        self.choices.get(parameter)?.as_deref()
    }

    /// The path parameters' indices, from left to right.
    pub fn path_parameters(&self) -> impl Iterator<Item = usize> {
        self.path.iter().filter_map(|piece| match piece {
            PathPiece::Parameter(index) => Some(*index),
            PathPiece::Literal(_) => None,
        })
    }
}

fn cells(length: usize) -> Vec<OnceCell<Option<Validator>>> {
    (0..length).map(|_| OnceCell::new()).collect()
}

fn body_shape(media: &MediaType, shapes: &Shapes) -> Shape {
    let mut shape = media.schema.as_ref().map_or_else(|| Shape::of(Kind::Any), |schema| shapes.of(schema));
    shape.examples.splice(0..0, media.examples.iter().cloned());
    shape
}

fn pieces(operation: &Operation) -> Vec<PathPiece> {
    let mut pieces = Vec::new();
    let mut rest = operation.id.path.as_str();
    while let Some((before, after)) = rest.split_once('{') {
        let Some((name, after)) = after.split_once('}') else { break };
        let index = operation
            .parameters
            .iter()
            .position(|parameter| parameter.location == Location::Path && parameter.name == name);
        match index {
            Some(index) => {
                if !before.is_empty() {
                    pieces.push(PathPiece::Literal(before.to_owned()));
                }
                pieces.push(PathPiece::Parameter(index));
            }
            None => pieces.push(PathPiece::Literal(format!("{before}{name}"))),
        }
        rest = after;
    }
    if !rest.is_empty() {
        pieces.push(PathPiece::Literal(rest.to_owned()));
    }
    pieces
}
