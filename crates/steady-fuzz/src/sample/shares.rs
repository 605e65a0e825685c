//! How often the sampler does what it can do in several ways.
//!
//! The values are judgement: they keep every way in use and the likeliest in front. No benchmark depends on their second digit.

/// Reuse of a call that worked, where the call only prepares the one that is wanted: its success matters, not its variety.
pub const REUSE_TO_PREPARE: f64 = 0.8;
/// Reuse of a call that worked, where all parameters or edge values are asked for: a call that worked mostly has neither.
pub const REUSE_FOR_RARE_VALUES: f64 = 0.3;
/// Reuse of a call that worked, in all other cases: as often as new values are drawn.
pub const REUSE: f64 = 0.5;

/// An id of the client's choice in a PUT that was seen to create with one (201).
pub const OWN_ID_WHERE_IT_CREATES: f64 = 0.7;
/// An id of the client's choice in a PUT that was called too rarely to know.
pub const OWN_ID_AT_FIRST: f64 = 0.5;
/// An id of the client's choice in a PUT that never created with one: most such calls end in 404.
pub const OWN_ID_IN_VAIN: f64 = 0.1;
/// Calls of a PUT after which it is known whether it creates.
pub const OWN_ID_ATTEMPTS: u64 = 8;

/// A query parameter filled from an earlier response: most are filters and pages, not references.
pub const BIND_QUERY: f64 = 0.3;
/// A reference in a body, such as `productId`, filled from an earlier response: a made-up one is mostly refused.
pub const BIND_REFERENCE: f64 = 0.7;
/// Another producer than the best one, for variety.
pub const OTHER_PRODUCER: f64 = 0.15;
/// Failed calls of a producer after which another one is asked.
pub const PRODUCER_ATTEMPTS: u64 = 15;

/// An id that is far from all that exist in a path, instead of a likely one: a test of its absence must stay true.
pub const ABSENT_ID: f64 = 0.7;
/// An optional parameter in a call that mixes.
pub const OPTIONAL_PARAMETER: f64 = 0.4;
/// An optional body in a plain call.
pub const OPTIONAL_BODY_PLAIN: f64 = 0.8;
/// An optional body in any other call: without it nothing in it is tried.
pub const OPTIONAL_BODY: f64 = 0.95;
/// JSON, where the operation takes other media types as well: most handlers read JSON.
pub const JSON_BODY: f64 = 0.85;
/// The texts of a new body that are replaced where the API has complained of conflicts.
pub const NEW_TEXTS_AFTER_CONFLICT: f64 = 0.4;
/// The texts of a reused body that are replaced where the API has complained of conflicts: the body itself may be the conflict.
pub const REPLACED_TEXTS_AFTER_CONFLICT: f64 = 0.7;
/// The texts of a reused body that are replaced elsewhere: what worked should mostly stay.
pub const REPLACED_TEXTS: f64 = 0.15;

/// The body as the place of an invalid value, where there is one: it has more places than the parameters.
pub const INVALID_BODY: f64 = 0.7;
/// A required parameter left out, instead of one with an invalid value.
pub const OMITTED_PARAMETER: f64 = 0.4;
/// The body as the place of an edge value: worth as much as all parameters together.
pub const EDGE_BODY: f64 = 0.5;

/// A call without an identity: refusals are behaviour, too.
pub const ANONYMOUS: f64 = 0.04;
/// The calls that bring forth what the target needs; the rest see it refuse.
pub const PREPARED: f64 = 0.92;
/// Another operation on the same thing before the target, such as the payment of an order before it is read.
pub const OTHER_OPERATION_FIRST: f64 = 0.25;
/// The deletion of what a plan created, which keeps lists of the API short.
pub const DELETED_AFTERWARDS: f64 = 0.3;

/// Where the share of each scenario ends on a line from 0 to 1, in the order in which they are considered. A scenario that does not
/// apply to an operation leaves its share to the next, and exploration takes the rest.
pub mod scenario {
    /// One promise of the document broken.
    pub const INVALID: f64 = 0.2;
    /// A body that is none.
    pub const MALFORMED: f64 = 0.26;
    /// One value at the edge of what the document allows.
    pub const EDGE: f64 = 0.38;
    /// Something odd in one place.
    pub const ODD: f64 = 0.47;
    /// No credential, or a made-up one.
    pub const UNAUTHENTICATED: f64 = 0.49;
    /// A parameter, or a value of one, that no success had yet.
    pub const COVER: f64 = 0.56;
    /// Delete and look again.
    pub const DELETE: f64 = 0.75;
    /// The same PUT twice.
    pub const PUT_TWICE: f64 = 0.65;
}
