//! Suspects values by their shape.
//!
//! Each family of volatile values is one file: the standard it follows, a pattern that finds candidates, a judge that
//! decides on each of them, and a table of values it must know and of look-alikes it must not match. A value may be
//! such a value whole, or hold some in a longer text; then [`find`] returns their spans, and the rest of the text can
//! still be asserted.
//!
//! A suspicion is no proof: a fixed release date looks like any other date. Its [`Strength`] says how much it is worth
//! before a rerun or a perturbation has confirmed it.

mod base64;
mod context;
mod date_string;
mod duration;
mod engine;
mod entropy;
mod epoch;
mod hex;
mod host;
mod http_date;
mod identity;
mod iso8601;
mod jwt;
mod ksuid;
mod nanoid;
mod object_id;
mod password_hash;
mod pointer;
mod port;
mod snowflake;
mod stack_frame;
#[cfg(test)]
mod table;
mod temp_path;
mod ulid;
mod uuid;

use std::fmt;
use std::ops::Range;

use steady_model::rerun::Category;

pub use context::{Context, Fact};
pub use engine::{find, suspect};

use engine::Rule;

/// A kind of value that tends to differ between runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Family {
    /// A date, a time or both, as ISO 8601 writes them.
    Iso8601,
    /// A date as HTTP and mail headers write it.
    HttpDate,
    /// A date as the print functions of languages and loggers write it.
    DateString,
    /// Seconds, or a decimal fraction of them, since 1970.
    Epoch,
    /// A UUID.
    Uuid,
    /// A ULID.
    Ulid,
    /// A KSUID.
    Ksuid,
    /// A MongoDB object id.
    ObjectId,
    /// A Nano ID.
    NanoId,
    /// A Snowflake id.
    Snowflake,
    /// A JSON web token.
    Jwt,
    /// The hash of a password, with its salt.
    PasswordHash,
    /// Random-looking hexadecimal digits: a digest or a token.
    Hex,
    /// Random-looking base64.
    Base64,
    /// An object's identity as its runtime prints it.
    Identity,
    /// An address in memory.
    Pointer,
    /// A line of a stack trace.
    StackFrame,
    /// A host with a port the system chose.
    Port,
    /// A path below a folder for temporary files.
    TempPath,
    /// The name of a machine, a container or a pod.
    Host,
    /// How long something took.
    Duration,
    /// A text known to be this machine's or this process's.
    Own,
}

impl Family {
    /// All of them.
    pub const ALL: [Self; 22] = [
        Self::Iso8601,
        Self::HttpDate,
        Self::DateString,
        Self::Epoch,
        Self::Uuid,
        Self::Ulid,
        Self::Ksuid,
        Self::ObjectId,
        Self::NanoId,
        Self::Snowflake,
        Self::Jwt,
        Self::PasswordHash,
        Self::Hex,
        Self::Base64,
        Self::Identity,
        Self::Pointer,
        Self::StackFrame,
        Self::Port,
        Self::TempPath,
        Self::Host,
        Self::Duration,
        Self::Own,
    ];
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Iso8601 => "ISO 8601 time",
            Self::HttpDate => "HTTP date",
            Self::DateString => "printed date",
            Self::Epoch => "epoch time",
            Self::Uuid => "UUID",
            Self::Ulid => "ULID",
            Self::Ksuid => "KSUID",
            Self::ObjectId => "object id",
            Self::NanoId => "Nano ID",
            Self::Snowflake => "Snowflake id",
            Self::Jwt => "JWT",
            Self::PasswordHash => "password hash",
            Self::Hex => "hexadecimal token",
            Self::Base64 => "base64 token",
            Self::Identity => "object identity",
            Self::Pointer => "pointer",
            Self::StackFrame => "stack frame",
            Self::Port => "port",
            Self::TempPath => "temporary path",
            Self::Host => "host name",
            Self::Duration => "duration",
            Self::Own => "value of this machine",
        })
    }
}

/// How much a suspicion is worth before anything confirmed it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Strength {
    /// Constants of this shape are common: believe it only when a rerun or a perturbation moved the value.
    Weak,
    /// Values of this shape are mostly made at run time.
    Likely,
    /// Nothing but a value made in this run looks like this.
    Certain,
}

/// Why a value is not expected to stay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspicion {
    /// What the value looks like.
    pub family: Family,
    /// Why such values vary.
    pub category: Category,
    /// How much this is worth.
    pub strength: Strength,
    /// The form in words, such as `version 4`.
    pub detail: String,
    /// Where in the text it is, in bytes; the whole text when the value as a whole is suspected.
    pub span: Range<usize>,
    /// Whether the span is the whole value.
    pub whole: bool,
}

/// All families; among candidates of equal length the earlier one wins.
const RULES: [Rule; 21] = [
    iso8601::RULE,
    http_date::RULE,
    date_string::RULE,
    epoch::RULE,
    uuid::RULE,
    ulid::RULE,
    ksuid::RULE,
    object_id::RULE,
    jwt::RULE,
    password_hash::RULE,
    host::RULE,
    hex::RULE,
    nanoid::RULE,
    base64::RULE,
    snowflake::RULE,
    stack_frame::RULE,
    identity::RULE,
    pointer::RULE,
    port::RULE,
    temp_path::RULE,
    duration::RULE,
];
