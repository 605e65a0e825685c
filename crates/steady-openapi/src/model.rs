//! An API as the rest of steady sees it, whichever version of OpenAPI described it.

use std::sync::Arc;

use indexmap::IndexMap;
use serde_json::Value;
use steady_model::{Method, OperationId};

/// An API: its operations and what they refer to.
#[derive(Debug, Clone)]
pub struct Api {
    /// `info.title`, or the file name.
    pub title: String,
    /// `info.version`.
    pub version: String,
    /// The servers' URLs, variables filled in with their defaults; possibly relative.
    pub servers: Vec<String>,
    /// The operations, in the document's order.
    pub operations: Vec<Operation>,
    /// What was left out, and why.
    pub problems: Vec<Problem>,
    /// Ways to authenticate, by name.
    pub security_schemes: IndexMap<String, SecurityScheme>,
    /// The schemas that others refer to as `#/$defs/<name>`.
    pub definitions: Arc<Definitions>,
}

/// Named schemas in JSON Schema 2020-12; references between them are `#/$defs/<name>`.
pub type Definitions = IndexMap<String, Value>;

/// A part of the document that could not be used; the rest could.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Where in the document, as `GET /orders` or a JSON pointer.
    pub place: String,
    /// What is wrong and what was done about it.
    pub message: String,
    /// Whether the whole operation was left out because of it.
    pub skipped_operation: bool,
}

/// A JSON Schema (2020-12); references in it are `#/$defs/<name>` into [`Api::definitions`].
#[derive(Debug, Clone, PartialEq)]
pub struct Schema(pub Arc<Value>);

impl Schema {
    /// The schema every value fits.
    pub fn anything() -> Self {
        Self(Arc::new(Value::Bool(true)))
    }

    /// The schema every string fits.
    pub fn string() -> Self {
        Self(Arc::new(serde_json::json!({ "type": "string" })))
    }
}

/// One operation.
#[derive(Debug, Clone)]
pub struct Operation {
    /// Method and path template.
    pub id: OperationId,
    /// `operationId`, where given.
    pub operation_id: Option<String>,
    /// Tags, for `--include` and `--exclude`.
    pub tags: Vec<String>,
    /// `summary` and `description`, for recognising dangerous operations.
    pub summary: String,
    /// Parameters of the path item and the operation, the latter winning.
    pub parameters: Vec<Parameter>,
    /// The request body.
    pub body: Option<RequestBody>,
    /// The responses, in the document's order.
    pub responses: Vec<ResponseSpec>,
    /// The URLs of its own servers or its path item's, which take the place of the API's; mostly empty.
    pub servers: Vec<String>,
    /// The base path of this operation, where it differs from that of the others. The document does not contain it: it is
    /// set once the address of the API is known.
    pub base_path: Option<String>,
    /// Alternatives of scheme names, any of which suffices; `None` when the document does not specify it,
    /// an empty alternative when anonymous access is allowed.
    pub security: Option<Vec<Vec<String>>>,
}

/// Where a parameter goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are the places")]
pub enum Location {
    Path,
    Query,
    Header,
    Cookie,
}

/// How arrays and objects are written in a parameter (OpenAPI 3.1 section 4.8.12.3; the last two are 2.0's).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are the styles of the specification")]
pub enum Style {
    Simple,
    Label,
    Matrix,
    Form,
    SpaceDelimited,
    PipeDelimited,
    DeepObject,
    TabDelimited,
}

/// A parameter in the path, query, headers or cookies.
#[derive(Debug, Clone)]
pub struct Parameter {
    /// Its name.
    pub name: String,
    /// Where it goes.
    pub location: Location,
    /// Whether it must be there; always true in the path.
    pub required: bool,
    /// Its values.
    pub schema: Schema,
    /// How arrays and objects are written.
    pub style: Style,
    /// Whether each item or property is written on its own.
    pub explode: bool,
    /// Whether reserved characters stay as they are.
    pub allow_reserved: bool,
    /// The media type the value is serialised in, for `content` parameters.
    pub content_type: Option<String>,
    /// Examples and defaults given for it.
    pub examples: Vec<Value>,
}

/// A request body.
#[derive(Debug, Clone)]
pub struct RequestBody {
    /// Whether it must be there.
    pub required: bool,
    /// The media types it may have.
    pub content: Vec<MediaType>,
}

/// A body in one media type.
#[derive(Debug, Clone)]
pub struct MediaType {
    /// The media type as written, such as `application/json; charset=utf-8` or `image/*`.
    pub name: String,
    /// What the body holds; anything when absent. `type: file` and binary strings carry `"format": "binary"`.
    pub schema: Option<Schema>,
    /// Examples of whole bodies.
    pub examples: Vec<Value>,
    /// Style, explode and content type per property, for forms and multipart.
    pub encoding: IndexMap<String, Encoding>,
    /// `xml.name` of the schema or its component's name, for the root element.
    pub xml_name: Option<String>,
}

/// How one property of a form is written.
#[derive(Debug, Clone, Default)]
pub struct Encoding {
    /// The part's content type.
    pub content_type: Option<String>,
    /// How arrays and objects are written; [`Style::Form`] when absent.
    pub style: Option<Style>,
    /// Whether each item is written on its own; true when absent.
    pub explode: Option<bool>,
}

/// Which statuses a response description is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StatusPattern {
    /// This status.
    Exact(u16),
    /// `2XX`: statuses with this first digit.
    Class(u16),
    /// `default`: statuses not described otherwise.
    Default,
}

/// A described response.
#[derive(Debug, Clone)]
pub struct ResponseSpec {
    /// Which statuses it is for.
    pub status: StatusPattern,
    /// The bodies it may have; empty when the document describes none.
    pub content: Vec<MediaType>,
    /// The headers it may have, lower-case names.
    pub headers: Vec<HeaderSpec>,
    /// Links to other operations.
    pub links: Vec<Link>,
}

/// A described response header.
#[derive(Debug, Clone)]
pub struct HeaderSpec {
    /// Its lower-case name.
    pub name: String,
    /// Whether it must be there.
    pub required: bool,
    /// Its values, where described.
    pub schema: Option<Schema>,
}

/// A link: values of this response that are parameters of another operation.
#[derive(Debug, Clone)]
pub struct Link {
    /// The link's name.
    pub name: String,
    /// The operation it leads to.
    pub target: OperationId,
    /// Parameter names (possibly qualified as `path.id`) and runtime expressions (`$response.body#/id`) or constants.
    pub parameters: IndexMap<String, Value>,
    /// A runtime expression or constant for the body.
    pub request_body: Option<Value>,
}

/// A way to authenticate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SecurityScheme {
    /// A key in a header, the query or a cookie.
    ApiKey {
        /// Where the key goes.
        location: Location,
        /// The name it goes under.
        name: String,
    },
    /// HTTP authentication with this scheme, in lower case: `basic`, `bearer`, …
    Http(String),
    /// Anything else, by its type: `oauth2`, `openIdConnect`, `mutualTLS`.
    Other(String),
}

impl Api {
    /// The operation with this method and path template.
    pub fn operation(&self, id: &OperationId) -> Option<&Operation> {
        self.operations.iter().find(|operation| &operation.id == id)
    }

    /// Whether the document describes `method` on this path template.
    pub fn describes(&self, method: Method, path: &str) -> bool {
        self.operations.iter().any(|operation| operation.id.method == method && operation.id.path == path)
    }
}

impl Operation {
    /// The description that applies to a status: exact before class before `default`.
    pub fn response(&self, status: u16) -> Option<&ResponseSpec> {
        let by = |pattern| self.responses.iter().find(move |response| response.status == pattern);
        by(StatusPattern::Exact(status))
            .or_else(|| by(StatusPattern::Class(status / 100)))
            .or_else(|| by(StatusPattern::Default))
    }
}
