//! F207: an operation that demands authentication does without.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};
use crate::plan::Intent;

/// One fault per operation: the document demands a credential, the call had none or a made-up one, the answer is a 2xx.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    if context.planned().identity.is_some() {
        return None;
    }
    let protection = context.endpoint().protection.as_ref()?;
    let status = context.executed().status().filter(|status| (200..300).contains(status))?;
    let credential = match &context.planned().intent {
        Intent::Unauthenticated { credential } => credential.what,
        // A value drawn for a parameter of the credential's name might be a good one: an example of the document, say.
        _ if protection.is_met_by(&context.executed().request) => return None,
        _ => "no credential",
    };
    let summary =
        format!("the document demands authentication, but with {credential} the answer is {status}");
    Some(DetectedFault::new(FaultCode::IgnoredAuthentication, "", summary))
}
