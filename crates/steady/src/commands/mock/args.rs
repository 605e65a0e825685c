//! `steady mock` on the command line.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

/// `steady mock`.
#[derive(Debug, Clone, Args)]
#[command(after_help = "\
Examples:
  steady mock serve stubs                                   serve a folder of WireMock mappings
  steady mock serve stubs --port 0 --host partner.test:443  on a free port, and one service on an address of its own
  steady mock record https://api.test --into stubs          pass requests on and write down the answers
  steady mock import traffic.har --into stubs               mappings from recorded traffic")]
pub struct MockArgs {
    /// What to do.
    #[command(subcommand)]
    pub command: MockCommand,
}

/// What to do with mocks.
#[derive(Debug, Clone, Subcommand)]
pub enum MockCommand {
    /// Serve a folder of mappings; they are read again when they change
    Serve(ServeArgs),
    /// Pass requests on to a real service and write its answers as mappings
    Record(RecordArgs),
    /// Write mappings from a HAR file, a Postman collection or an OpenAPI document
    Import(ImportArgs),
}

/// `steady mock serve`.
#[derive(Debug, Clone, Args)]
pub struct ServeArgs {
    /// The folder with `mappings` and `__files`, or with the mappings themselves
    #[arg(value_name = "DIR")]
    pub folder: PathBuf,
    /// Listen on this port of 127.0.0.1 for HTTP, HTTPS and HTTP/2; 0 takes a free one
    #[arg(long, value_name = "N", default_value = "8080")]
    pub port: u16,
    /// Listen on this port, too
    #[arg(long, value_name = "N")]
    pub https_port: Option<u16>,
    /// Give this service a loopback address of its own; repeatable
    #[arg(long = "host", value_name = "HOST[:PORT]")]
    pub hosts: Vec<String>,
    /// Keep this many requests for verification; 0 keeps none
    #[arg(long, value_name = "N", default_value = "10000")]
    pub journal: usize,
}

/// `steady mock record`.
#[derive(Debug, Clone, Args)]
pub struct RecordArgs {
    /// The address of the real service
    #[arg(value_name = "URL")]
    pub url: String,
    /// Listen on this port of 127.0.0.1; 0 takes a free one
    #[arg(long, value_name = "N", default_value = "8080")]
    pub port: u16,
    /// The folder of mappings to write into
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// Accept any certificate of the service
    #[arg(long)]
    pub insecure: bool,
}

/// `steady mock import`.
#[derive(Debug, Clone, Args)]
pub struct ImportArgs {
    /// The document
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
    /// The folder of mappings to write into
    #[arg(long, value_name = "DIR")]
    pub into: PathBuf,
    /// What the document is [default: what it looks like]
    #[arg(long = "as", value_name = "KIND", value_enum)]
    pub kind: Option<ImportKind>,
}

/// What a document is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ImportKind {
    /// Recorded traffic
    Har,
    /// A Postman collection (v2.1)
    Postman,
    /// An OpenAPI document
    Openapi,
}
