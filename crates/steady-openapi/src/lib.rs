//! Loads OpenAPI 2.0, 3.0 and 3.1 documents, forgivingly, into one model.

mod model;

pub use model::{
    Api, Definitions, Encoding, HeaderSpec, Link, Location, MediaType, Operation, Parameter, Problem,
    RequestBody, ResponseSpec, Schema, SecurityScheme, StatusPattern, Style,
};
