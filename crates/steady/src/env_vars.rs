//! The environment variables steady reads, each once.

/// The base URL of the API; beats `steady.toml` and the suite, is beaten by `--url`. Emitted tests read it too.
pub const STEADY_URL: &str = "STEADY_URL";
/// The OpenAPI document, as `--openapi`.
pub const STEADY_OPENAPI: &str = "STEADY_OPENAPI";
/// The output folder, as `--out`.
pub const STEADY_OUT: &str = "STEADY_OUT";
/// The seed, as `--seed`.
pub const STEADY_SEED: &str = "STEADY_SEED";
/// The configuration file, as `--config`.
pub const STEADY_CONFIG: &str = "STEADY_CONFIG";
/// The prefix of the variables that secrets are read from by suites and emitted tests.
pub const SECRET_PREFIX: &str = "STEADY_";
/// Set by GitHub Actions: findings become annotations.
pub const GITHUB_ACTIONS: &str = "GITHUB_ACTIONS";
