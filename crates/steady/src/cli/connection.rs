//! How an API is talked to.

use clap::{ArgAction, Args};

use crate::values::{ByteSize, Span};

/// How an API is talked to.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Connection")]
pub struct ConnectionArgs {
    /// Give up on an answer after this long [default: 30s]
    #[arg(long, value_name = "TIME")]
    pub timeout: Option<Span>,
    /// Accept any certificate, self-signed ones included
    #[arg(long, action = ArgAction::SetTrue)]
    pub insecure: bool,
    /// Speak only HTTP/1.1
    #[arg(long, conflicts_with = "http2")]
    pub http1: bool,
    /// Speak only HTTP/2
    #[arg(long)]
    pub http2: bool,
    /// Keep at most this much of an answer [default: 4MB]
    #[arg(long, value_name = "SIZE")]
    pub max_body: Option<ByteSize>,
}
