//! `[auth]`: who calls are made as.

use std::path::PathBuf;

use serde::{Deserialize, Deserializer, de};

use crate::auth::wfc;

/// `[auth]` with a file, or `[[auth]]` with the users themselves.
#[derive(Debug, Clone)]
pub enum AuthConfig {
    /// In a file of the Web Fuzzing Commons format.
    File(PathBuf),
    /// Here.
    Inline(Vec<wfc::AuthenticationInfo>),
}

impl<'de> Deserialize<'de> for AuthConfig {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Named {
            file: PathBuf,
        }

        struct Visitor;

        // Not an untagged enum: its errors do not say where.
        impl<'de> de::Visitor<'de> for Visitor {
            type Value = AuthConfig;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("[auth] with a `file`, or [[auth]] with users")
            }

            fn visit_map<A: de::MapAccess<'de>>(self, map: A) -> Result<AuthConfig, A::Error> {
                let named = Named::deserialize(de::value::MapAccessDeserializer::new(map))?;
                Ok(AuthConfig::File(named.file))
            }

            fn visit_seq<A: de::SeqAccess<'de>>(self, users: A) -> Result<AuthConfig, A::Error> {
                Vec::deserialize(de::value::SeqAccessDeserializer::new(users)).map(AuthConfig::Inline)
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}
