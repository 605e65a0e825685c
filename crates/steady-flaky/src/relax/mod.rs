//! Keeps every assertion in the strongest form that is true.
//!
//! [`handle`] takes the assertions of a call, written from one response, and everything that was seen when the call was
//! made again. What held every time stays as it is, unless its shape says that it will not hold for long. What did not is
//! taken to the first form that holds, a file each: a variable of the test, a relation to other places, the same items in any order,
//! what the document promises, a token with its claims, a pattern with its literal parts, a type. A form is only taken
//! when it is true of everything that was seen.

mod address;
mod avoided;
mod borrowed;
mod captured;
mod conclude;
mod discreet;
mod documented;
mod handler;
mod kind;
mod observed_test;
mod pattern;
mod permuted;
mod policy;
mod recent;
mod relation;
mod shape;
mod site;
mod subject;
#[cfg(test)]
mod tests;
mod token;
mod unordered;
mod unordered_lists;

use steady_model::{Assertion, Response};

use crate::compare::Comparison;
use handler::Handler;

pub use conclude::conclude;
pub use discreet::without_secrets;
pub use documented::Schema;
pub use observed_test::{Described, MovingCall, ObservedTest};
pub use policy::UnknownPolicy;
pub use subject::{Handled, Moving, Policy, Subject};
pub use unordered_lists::UnorderedLists;

/// Keeps every assertion in the strongest form that is true of everything that was seen.
pub fn handle(expect: &[Assertion], subject: &Subject<'_>, policy: Policy) -> Handled {
    let responses: Vec<&Response> = subject.seen.iter().map(|seen| &seen.response).collect();
    let mut handler =
        Handler { subject, policy, comparison: Comparison::of(&responses), handled: Handled::default() };
    for assertion in expect {
        handler.assertion(assertion);
    }
    handler.handled
}
