//! How the client connects to an API.

use clap::{ArgAction, Args};
use steady_http::{ClientOptions, HttpVersion};

use crate::config::FuzzConfig;
use crate::values::{ByteSize, HumanDuration};

/// How the client connects to an API.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Time limit for one response [default: 30s, at most --time / 4]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<HumanDuration>,
    /// Accept any certificate, including self-signed ones
    #[arg(long, action = ArgAction::SetTrue)]
    pub insecure: bool,
    /// Use HTTP/1.1 only
    #[arg(long, conflicts_with = "http2")]
    pub http1: bool,
    /// Use HTTP/2 only
    #[arg(long)]
    pub http2: bool,
    /// Read at most this much of a response body [default: 4MB]
    #[arg(long, value_name = "SIZE")]
    pub max_body: Option<ByteSize>,
}

impl ConnectionArgs {
    /// The options of the client: flags, then what `[fuzz]` of `steady.toml` says.
    pub fn client_options(&self, config: &FuzzConfig) -> ClientOptions {
        let defaults = ClientOptions::default();
        let version = match (self.http1, self.http2) {
            (true, _) => HttpVersion::Http1,
            (_, true) => HttpVersion::Http2,
            _ if config.http1 => HttpVersion::Http1,
            _ if config.http2 => HttpVersion::Http2,
            _ => HttpVersion::Auto,
        };
        ClientOptions {
            timeout: self.timeout.or(config.timeout).map_or(defaults.timeout, |span| span.0),
            max_body: self.max_body.or(config.max_body).map_or(defaults.max_body, |size| size.0),
            insecure: self.insecure || config.insecure,
            version,
            ..defaults
        }
    }

    /// The options of the client when only flags decide.
    pub fn client_options_of_flags(&self) -> ClientOptions {
        self.client_options(&FuzzConfig::default())
    }
}
