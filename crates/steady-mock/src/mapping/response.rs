//! What a request is answered.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use indexmap::IndexMap;
use serde::de::{self, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::{Map, Value};

use super::text;

/// The name WireMock's templating has in `transformers`.
pub const RESPONSE_TEMPLATE: &str = "response-template";

/// An answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub struct ResponseDefinition {
    /// The status; 200 when it is not stated.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "status")]
    pub status: Option<u16>,
    /// The words after the status, in HTTP/1.1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub status_message: Option<String>,
    /// Headers.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: IndexMap<String, HeaderValues>,
    /// A body of text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<String>,
    /// A body of JSON.
    #[serde(skip_serializing_if = "Option::is_none", deserialize_with = "present")]
    pub json_body: Option<Value>,
    /// A body of bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub base64_body: Option<Base64>,
    /// A body in a file below `__files`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body_file_name: Option<String>,
    /// How long to wait first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed_delay_milliseconds: Option<u64>,
    /// How long to wait first, drawn at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delay_distribution: Option<Delay>,
    /// The body in pieces.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chunked_dribble_delay: Option<Dribble>,
    /// What goes wrong instead of an answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// `response-template`, when body and headers are templates.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub transformers: Vec<String>,
    /// Values that templates find as `parameters`.
    #[serde(skip_serializing_if = "Map::is_empty")]
    pub transformer_parameters: Map<String, Value>,
    /// WireMock writes it into its journal.
    #[serde(skip_serializing)]
    pub from_configured_stub: Option<bool>,
}

impl ResponseDefinition {
    /// An answer without a body.
    pub fn with_status(status: u16) -> Self {
        Self { status: Some(status), ..Self::default() }
    }

    /// An answer of JSON.
    pub fn json(status: u16, body: Value) -> Self {
        let headers = [("Content-Type".to_owned(), HeaderValues::one("application/json"))];
        Self { headers: headers.into(), json_body: Some(body), ..Self::with_status(status) }
    }

    /// Whether body and headers are templates.
    pub fn is_template(&self) -> bool {
        self.transformers.iter().any(|name| name == RESPONSE_TEMPLATE)
    }
}

/// The values of a header: one, or several.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeaderValues(pub Vec<String>);

impl HeaderValues {
    /// One value.
    pub fn one(value: impl Into<String>) -> Self {
        Self(vec![value.into()])
    }
}

/// Bytes, in base64.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Base64(pub Bytes);

/// Milliseconds drawn at random.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "camelCase", deny_unknown_fields)]
pub enum Delay {
    /// Half of the waits are below the median; `sigma` says how long the tail is.
    Lognormal {
        /// The median.
        median: f64,
        /// The standard deviation of the logarithm.
        sigma: f64,
        /// No wait is longer.
        #[serde(rename = "maxValue", default, skip_serializing_if = "Option::is_none")]
        max_value: Option<f64>,
    },
    /// Every value in a range is as likely.
    Uniform {
        /// The shortest.
        lower: u64,
        /// The longest.
        upper: u64,
    },
    /// Always the same.
    Fixed {
        /// The wait.
        milliseconds: u64,
    },
}

/// A body that is sent in pieces, spread over a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Dribble {
    /// How many pieces.
    pub number_of_chunks: u32,
    /// Over how many milliseconds.
    pub total_duration: u64,
}

/// What goes wrong with the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Fault {
    /// The connection closes without an answer.
    EmptyResponse,
    /// A good head, then bytes that are no chunk.
    MalformedResponseChunk,
    /// Bytes that are no answer.
    RandomDataThenClose,
    /// The connection is reset.
    ConnectionResetByPeer,
}

pub(super) fn decoded(text: &str) -> Result<Bytes, String> {
    STANDARD.decode(text).map(Bytes::from).map_err(|error| format!("`{text}` is not base64: {error}"))
}

pub(super) fn encoded(bytes: &[u8]) -> String {
    STANDARD.encode(bytes)
}

fn status<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u16>, D::Error> {
    let status = u16::deserialize(deserializer)?;
    if (100..=999).contains(&status) {
        return Ok(Some(status));
    }
    Err(de::Error::custom(format!("`{status}` is not a status; expected 100 to 999")))
}

/// `null` is a body, too.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

impl<'de> Deserialize<'de> for Base64 {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        decoded(&String::deserialize(deserializer)?).map(Self).map_err(de::Error::custom)
    }
}

impl Serialize for Base64 {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&encoded(&self.0))
    }
}

impl Serialize for HeaderValues {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.0.as_slice() {
            [one] => serializer.serialize_str(one),
            several => several.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for HeaderValues {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Values;

        impl<'de> Visitor<'de> for Values {
            type Value = HeaderValues;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("a string or a list of strings")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Self::Value, E> {
                Ok(HeaderValues::one(text))
            }

            fn visit_u64<E: de::Error>(self, value: u64) -> Result<Self::Value, E> {
                Ok(HeaderValues::one(value.to_string()))
            }

            fn visit_bool<E: de::Error>(self, value: bool) -> Result<Self::Value, E> {
                Ok(HeaderValues::one(value.to_string()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element_seed(TextSeed)? {
                    values.push(value);
                }
                Ok(HeaderValues(values))
            }
        }

        deserializer.deserialize_any(Values)
    }
}

struct TextSeed;

impl<'de> de::DeserializeSeed<'de> for TextSeed {
    type Value = String;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<String, D::Error> {
        deserializer.deserialize_any(text::Text)
    }
}
