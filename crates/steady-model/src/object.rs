//! Reading an object as an object and nothing else.

use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// Reads a struct from a JSON object.
///
/// A derived reader also takes an array with the fields in their order. Where every field has a default, `[]` would then be read
/// as an object without fields, which `suite.schema.json` does not allow.
pub(crate) fn object<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: DeserializeOwned,
{
    let fields = Map::<String, Value>::deserialize(deserializer)?;
    T::deserialize(Value::Object(fields)).map_err(D::Error::custom)
}
