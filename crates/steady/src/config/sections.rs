//! The sections of `steady.toml` that hold the options of commands, under the names the options have.

use std::collections::BTreeMap;
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};

use serde::{Deserialize, Deserializer, de};
use steady_emit::Emitter;
use steady_flaky::drive::DetectionPlan;
use steady_flaky::relax::Policy;
use steady_process::ports_in;
use steady_waits::locate::Ranking;

use crate::auth::HeaderArgument;
use crate::filter::OperationPattern;
use crate::values::{
    Age, ApiUrl, ByteSize, DocumentSource, Explain, Factor, HumanDuration, Perturbations, Probability, Rate,
    Switch,
};

/// `[api]`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ApiConfig {
    /// The OpenAPI document.
    pub openapi: Option<DocumentSource>,
    /// Where the API runs.
    #[serde(deserialize_with = "parsed")]
    pub url: Option<ApiUrl>,
}

impl ApiConfig {
    /// Whether a value depends on the port of an API that steady starts.
    pub(super) fn needs_port(&self) -> bool {
        let document = match &self.openapi {
            Some(DocumentSource::Url(url)) => ports_in(url) > 0,
            Some(DocumentSource::File(_)) | None => false,
        };
        document || self.url.as_ref().is_some_and(ApiUrl::needs_port)
    }
}

/// `[fuzz]`: the options of `steady fuzz`, same names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct FuzzConfig {
    pub allow_refs: bool,
    pub include: Vec<OperationPattern>,
    pub exclude: Vec<OperationPattern>,
    pub time: Option<HumanDuration>,
    pub detect_time: Option<HumanDuration>,
    pub requests: Option<NonZeroU64>,
    pub rate: Option<Rate>,
    pub workers: Option<NonZeroUsize>,
    #[serde(deserialize_with = "parsed_list")]
    pub emit: Vec<Emitter>,
    pub header: Vec<HeaderArgument>,
    pub timeout: Option<HumanDuration>,
    pub insecure: bool,
    pub http1: bool,
    pub http2: bool,
    pub max_body: Option<ByteSize>,
}

/// `[flaky]`: the options of `steady fuzz` and `steady stabilize` about flaky assertions, same names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FlakyConfig {
    #[serde(deserialize_with = "parsed")]
    pub flaky: Option<Policy>,
    pub reruns: Option<u32>,
    #[serde(deserialize_with = "parsed")]
    pub perturb: Option<DetectionPlan>,
}

/// `[waits]`: the options of `steady waits`, same names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct WaitsConfig {
    pub allow: Vec<String>,
    pub threshold: Option<HumanDuration>,
    #[serde(deserialize_with = "parsed")]
    pub ranking: Option<Ranking>,
    pub history: Option<Switch>,
    pub history_depth: Option<NonZeroUsize>,
    pub runs: Option<NonZeroU32>,
    pub margin: Option<Factor>,
    pub test_timeout: Option<HumanDuration>,
}

/// `[rerun]`: the options of `steady rerun`, same names.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct RerunConfig {
    pub runs: Option<NonZeroU32>,
    pub until_stable: bool,
    #[serde(deserialize_with = "probability")]
    pub confidence: Option<Probability>,
    #[serde(deserialize_with = "probability")]
    pub flake_rate: Option<Probability>,
    pub time: Option<HumanDuration>,
    pub timeout: Option<HumanDuration>,
    pub perturb: Option<Perturbations>,
    pub explain: Option<Explain>,
    pub shuffle: bool,
    pub jobs: Option<NonZeroUsize>,
    pub isolate: bool,
    pub env: BTreeMap<String, String>,
    pub results: Vec<String>,
}

/// `[store]`: where runs are remembered, and for how long.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct StoreConfig {
    /// `postgres://…`, or a file.
    pub url: Option<String>,
    /// The project's name in the store; the folder's when absent.
    pub project: Option<String>,
    /// How long single runs are kept.
    pub keep: Option<Age>,
    /// How large the store may grow.
    pub max_size: Option<ByteSize>,
}

/// A value written as the command line writes it.
pub(super) fn parsed<'de, D, T>(deserializer: D) -> Result<Option<T>, D::Error>
where
    D: Deserializer<'de>,
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    String::deserialize(deserializer)?.parse().map(Some).map_err(de::Error::custom)
}

/// A number, as TOML writes it.
fn probability<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Probability>, D::Error> {
    f64::deserialize(deserializer)?.to_string().parse().map(Some).map_err(de::Error::custom)
}

fn parsed_list<'de, D, T>(deserializer: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let texts = Vec::<String>::deserialize(deserializer)?;
    texts.iter().map(|text| text.parse().map_err(de::Error::custom)).collect()
}
