//! Which operations are called: `--include` and `--exclude`.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, de};
use steady_model::{Method, fits_wildcards};
use steady_openapi::Operation;

use crate::values::ValueError;

/// A pattern for operations: `GET /orders/{id}`, `/orders/*`, `DELETE *`, `tag:admin` or an `operationId`.
///
/// `*` stands for any run of characters; upper and lower case are the same only in methods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum OperationPattern {
    /// By path, and by method when one is given.
    Path {
        /// The method; any when absent.
        method: Option<Method>,
        /// The path template, with `*`.
        path: String,
    },
    /// By tag.
    Tag(String),
    /// By `operationId`.
    Id(String),
}

impl OperationPattern {
    /// Whether the pattern is for this operation.
    pub fn matches(&self, operation: &Operation) -> bool {
        match self {
            Self::Path { method, path } => {
                method.is_none_or(|method| method == operation.id.method)
                    && fits_wildcards(path, &operation.id.path)
            }
            Self::Tag(tag) => operation.tags.iter().any(|given| fits_wildcards(tag, given)),
            Self::Id(id) => operation.operation_id.as_deref().is_some_and(|given| fits_wildcards(id, given)),
        }
    }
}

impl FromStr for OperationPattern {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let text = text.trim();
        let error = || ValueError {
            given: text.to_owned(),
            expected: "a pattern for operations, like `GET /orders/*`, `/orders/*`, `DELETE *`, `tag:admin` or an operationId",
        };
        if text.is_empty() {
            return Err(error());
        }
        if let Some(tag) = text.strip_prefix("tag:") {
            return Ok(Self::Tag(tag.trim().to_owned()));
        }
        if text.starts_with(['/', '*']) {
            return Ok(Self::Path { method: None, path: text.to_owned() });
        }
        match text.split_once(char::is_whitespace) {
            Some((method, path)) => {
                let method = method.parse().map_err(|_| error())?;
                Ok(Self::Path { method: Some(method), path: path.trim().to_owned() })
            }
            None => Ok(Self::Id(text.to_owned())),
        }
    }
}

impl<'de> Deserialize<'de> for OperationPattern {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

/// The operations a run calls.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OperationFilter {
    /// Any of these; all when empty.
    pub include: Vec<OperationPattern>,
    /// None of these, even when included.
    pub exclude: Vec<OperationPattern>,
}

impl OperationFilter {
    /// Whether the operation is called.
    pub fn admits(&self, operation: &Operation) -> bool {
        let any = |patterns: &[OperationPattern]| patterns.iter().any(|pattern| pattern.matches(operation));
        (self.include.is_empty() || any(&self.include)) && !any(&self.exclude)
    }
}

#[cfg(test)]
mod tests {
    use steady_model::OperationId;

    use super::*;

    fn operation(id: &str, tag: &str, operation_id: &str) -> Operation {
        Operation {
            id: id.parse::<OperationId>().unwrap(),
            operation_id: Some(operation_id.into()),
            tags: vec![tag.into()],
            summary: String::new(),
            parameters: vec![],
            body: None,
            responses: vec![],
            servers: vec![],
            base_path: None,
            security: None,
        }
    }

    #[test]
    fn patterns_name_paths_methods_tags_and_ids() {
        let order = operation("GET /orders/{id}", "shop", "getOrder");
        let cases = [
            ("/orders/{id}", true),
            ("/orders", false),
            ("/orders*", true),
            ("*", true),
            ("/*/{id}", true),
            ("get /orders/*", true),
            ("DELETE *", false),
            ("tag:shop", true),
            ("tag:admin", false),
            ("getOrder", true),
            ("get*", true),
            ("getorder", false),
        ];
        for (pattern, expected) in cases {
            let pattern: OperationPattern = pattern.parse().unwrap();
            assert_eq!(pattern.matches(&order), expected, "{pattern:?}");
        }
        assert!("FETCH /orders".parse::<OperationPattern>().is_err());
        assert!(" ".parse::<OperationPattern>().is_err());
    }

    #[test]
    fn exclusion_beats_inclusion() {
        let filter = OperationFilter {
            include: vec!["/orders*".parse().unwrap()],
            exclude: vec!["DELETE *".parse().unwrap()],
        };
        assert!(filter.admits(&operation("GET /orders", "", "a")));
        assert!(!filter.admits(&operation("DELETE /orders", "", "b")));
        assert!(!filter.admits(&operation("GET /users", "", "c")));
    }
}
