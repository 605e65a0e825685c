//! The suite: what `suite.json` holds and everything else is made from.

use indexmap::IndexMap;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use crate::object::object;
use crate::{Assertion, Method, OperationId, Payload, Place, Text};

/// A test suite for one API.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The format's version, [`Self::VERSION`].
    pub version: u32,
    /// The API the suite is for.
    pub api: ApiInfo,
    /// The seed the suite was generated with.
    pub seed: u64,
    /// Who the calls are made as.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub identities: Vec<Identity>,
    /// The tests, in the order they were checked in.
    pub tests: Vec<TestCase>,
}

impl Suite {
    /// The version of the format that this steady writes.
    pub const VERSION: u32 = 1;
}

/// Which API a suite is for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ApiInfo {
    /// The document's title.
    pub title: String,
    /// The base URL the suite was made with; `STEADY_URL` or `--url` take its place.
    pub url: String,
}

/// Someone calls can be made as. Secrets are environment lookups, never literals.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// The name calls refer to.
    pub name: String,
    /// Headers sent with every call, lower-case names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, Text)>,
    /// How its account is made, where it has a new one in every run; made once before the login.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sign_up: Option<SignUp>,
    /// A login made once before the first call.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub login: Option<Login>,
}

/// A request that makes an account of the run's own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SignUp {
    /// Variables of this request and of the login's, each with a new value whenever an account is made.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<Fresh>,
    /// The request; its `target` may be a full URL when accounts are made elsewhere.
    pub request: RequestTemplate,
}

/// A login request and what its answer is good for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Login {
    /// The request; its `target` may be a full URL when the login service is another one.
    pub request: RequestTemplate,
    /// How later calls show the login.
    #[serde(rename = "use")]
    pub usage: LoginUse,
}

/// How a login is shown to later calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum LoginUse {
    /// All cookies set by the login are sent back.
    Cookies,
    /// A token from the login's response is sent in a header.
    Header {
        /// Where in the login's response the token is.
        token: Place,
        /// The header's lower-case name.
        name: String,
        /// The header's value; `{token}` stands for the token.
        template: String,
    },
    /// A token from the login's response is sent as a query parameter.
    Query {
        /// Where in the login's response the token is.
        token: Place,
        /// The parameter's name.
        name: String,
    },
}

/// What a test is kept for; decides the file it is emitted to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Group {
    /// Ends in a 2xx and shows no fault.
    Successes,
    /// Shows a fault.
    Faults,
    /// The rest: rejections, redirects.
    Others,
}

/// A test: calls made in order, then a clean-up.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TestCase {
    /// A unique snake-case name saying what is tested, such as `post_orders_returns_201`.
    pub name: String,
    /// What it is kept for.
    pub group: Group,
    /// One line for the reader: why the test is there.
    pub about: String,
    /// What its last call shows that makes the test worth keeping, a line each. The lines mean the same in every suite for an
    /// API, so that suites can be joined; a test without any is kept for its own sake.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub covers: Vec<String>,
    /// Variables that get a new value in every run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<Fresh>,
    /// The calls, in order.
    pub calls: Vec<Call>,
    /// Calls that remove what the test created; made even when it failed, and not asserted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cleanup: Vec<Call>,
}

/// A variable with a new value in every run, so that a test can create the same thing twice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fresh {
    /// The variable's name.
    pub name: String,
    /// What the value begins with.
    pub prefix: String,
    /// How many random lower-case letters and digits follow.
    pub length: usize,
    /// What the value ends with, such as the domain of an address.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub suffix: String,
}

/// One call of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Call {
    /// The operation called.
    pub operation: OperationId,
    /// Who calls; nobody when absent.
    #[serde(default, rename = "as", skip_serializing_if = "Option::is_none")]
    pub identity: Option<String>,
    /// What is sent.
    pub request: RequestTemplate,
    /// Variables taken from the response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub captures: Vec<Capture>,
    /// What must hold of the response.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub expect: Vec<Assertion>,
}

/// A request whose variables are not bound yet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RequestTemplate {
    /// The method.
    pub method: Method,
    /// Path and query, percent-encoded; the values of variables are percent-encoded when bound.
    pub target: Text,
    /// Header names (lower case) and values.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headers: Vec<(String, Text)>,
    /// The body.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
}

/// A request body. The content type of [`Body::Json`] and [`Body::Form`] is theirs unless a header says otherwise.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Body {
    /// A JSON value.
    #[serde(deserialize_with = "json_body")]
    Json {
        /// The value, with a sample where a variable will stand.
        value: Value,
        /// The places, by JSON pointer, that variables of this name are put into, keeping the variable's type.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        bind: IndexMap<String, String>,
        /// The places, by JSON pointer, of texts that are only known when a test runs.
        #[serde(default, skip_serializing_if = "IndexMap::is_empty")]
        texts: IndexMap<String, Text>,
    },
    /// `application/x-www-form-urlencoded`, not yet encoded.
    Form(Vec<(String, Text)>),
    /// `multipart/form-data`; the boundary is chosen when it is sent.
    Multipart(Vec<Part>),
    /// Text of any other content type.
    Text {
        /// The content type.
        content_type: String,
        /// The text.
        text: Text,
    },
    /// Bytes of any content type.
    Bytes {
        /// The content type.
        content_type: String,
        /// The bytes.
        payload: Payload,
    },
}

type JsonBody = (Value, IndexMap<String, String>, IndexMap<String, Text>);

/// Reads the fields of a [`Body::Json`].
fn json_body<'de, D: Deserializer<'de>>(deserializer: D) -> Result<JsonBody, D::Error> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Json {
        value: Value,
        #[serde(default)]
        bind: IndexMap<String, String>,
        #[serde(default)]
        texts: IndexMap<String, Text>,
    }
    let Json { value, bind, texts } = object(deserializer)?;
    Ok((value, bind, texts))
}

impl Body {
    /// A JSON body in which variables of these names stand.
    pub fn json(value: Value, bind: IndexMap<String, String>) -> Self {
        Self::Json { value, bind, texts: IndexMap::new() }
    }
}

impl RequestTemplate {
    /// The texts in it that may have to be filled in.
    pub fn templates(&self) -> impl Iterator<Item = &Text> {
        let body: Vec<&Text> = match &self.body {
            Some(Body::Json { texts, .. }) => texts.values().collect(),
            Some(Body::Form(fields)) => fields.iter().map(|(_, value)| value).collect(),
            Some(Body::Text { text, .. }) => vec![text],
            Some(Body::Multipart(_) | Body::Bytes { .. }) | None => vec![],
        };
        std::iter::once(&self.target).chain(self.headers.iter().map(|(_, value)| value)).chain(body)
    }
}

/// A part of a multipart body.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The field's name.
    pub name: String,
    /// The file name, for files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
    /// The part's own content type.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_type: Option<String>,
    /// The part's content.
    pub content: Payload,
}

/// A variable taken from a response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Capture {
    /// The variable's name.
    pub name: String,
    /// Where the value is.
    pub from: Place,
    /// How much of it is taken.
    #[serde(default, skip_serializing_if = "Take::is_whole")]
    pub take: Take,
}

/// How much of a captured value is taken.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Take {
    /// All of it.
    #[default]
    Whole,
    /// The last segment of its path, percent-decoded: the id at the end of a `Location`.
    LastSegment,
}

impl Take {
    fn is_whole(&self) -> bool {
        *self == Self::Whole
    }
}
