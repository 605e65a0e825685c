//! Loads OpenAPI 2.0, 3.0, 3.1 and 3.2 documents, forgivingly, into one model.
//!
//! Start with [`load`] for a file or URL, or [`parse`] for a text; both yield an [`Api`], the same for the same API
//! whichever version described it. Real documents are full of mistakes. Each is repaired or left out on its own and
//! listed in [`Api::problems`]; only a text that is not an OpenAPI document at all is a [`LoadError`].
//!
//! Every schema comes out as JSON Schema 2020-12 whose references lead to [`Api::definitions`];
//! [`Api::validator`] makes a [`Validator`] of one.
//!
//! ```
//! let api = steady_openapi::parse(
//!     "openapi: 3.0.3
//! paths:
//!   /pets/{id}:
//!     get:
//!       parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
//!       responses:
//!         200: {content: {application/json: {schema: {type: object, required: [name]}}}}",
//!     "pets.yaml",
//! )?;
//! let operation = &api.operations[0];
//! assert_eq!(operation.id.to_string(), "GET /pets/{id}");
//!
//! let described = operation.response(200).and_then(|response| response.content[0].schema.as_ref()).unwrap();
//! let issues = api.validator(described)?.errors(&serde_json::json!({"age": 3}));
//! assert_eq!(issues[0].message, "\"name\" is a required property");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod address;
mod documents;
mod error;
mod model;
mod node;
mod problems;
mod read;
mod reference;
mod schema;
mod source;
mod syntax;
mod validate;
mod yaml;

pub use error::{Excerpt, LoadError};
pub use model::{
    Api, Definitions, Encoding, HeaderSpec, Link, Location, MediaType, Operation, Parameter, Problem,
    RequestBody, ResponseSpec, Schema, SecurityScheme, StatusPattern, Style,
};
pub use source::{Fetch, Fetched, LoadOptions, Source, load, parse};
pub use validate::{SchemaError, ValidationIssue, Validator};
