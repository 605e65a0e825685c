//! How an API is talked to.

use clap::{ArgAction, Args};

use crate::values::{ByteSize, Span};

/// How an API is talked to.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Time limit for one response [default: 30s, at most --time / 4]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<Span>,
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
