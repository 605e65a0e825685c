//! What is wrong with an answer.
//!
//! Every fault has a file with one function that looks at a [`CallContext`] and says what it saw. Those in [`of_response`]
//! depend on the answer alone, so equal answers are judged once; those in [`of_sequence`] look at the calls before it.

mod broken_response;
mod delete_does_not_delete;
mod hidden_method;
mod ignored_authentication;
mod incomplete_allow;
mod invalid_input_accepted;
mod method_not_refused;
mod missing_allow;
mod missing_www_authenticate;
mod no_content_with_body;
mod normalize;
mod put_not_idempotent;
mod schema_mismatch;
mod server_error;
mod stack_trace_leaked;
mod valid_input_never_accepted;
mod valid_input_rejected;

use steady_model::{Document, FaultCode, Response};
use xxhash_rust::xxh3::xxh3_64;

use crate::api_model::ApiModel;
use crate::catalog::Endpoint;
use crate::endpoint_id::EndpointId;
use crate::endpoint_stats::EndpointStats;
use crate::execution::{Executed, Execution};
use crate::plan::{Intent, PlannedCall};
use crate::request::Arguments;

/// A fault as it was seen once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DetectedFault {
    /// What kind of fault.
    pub code: FaultCode,
    /// What distinguishes it from other faults of the same operation.
    pub key: u64,
    /// What is wrong, in a line.
    pub summary: String,
    /// How many calls before the one it showed in the fault was made.
    pub calls_ago: usize,
}

impl DetectedFault {
    /// A fault that `distinction` keeps apart from others.
    fn new(code: FaultCode, distinction: &str, summary: String) -> Self {
        Self { code, key: xxh3_64(distinction.as_bytes()), summary, calls_ago: 0 }
    }

    /// The same fault, made by the call before the one it showed in.
    fn of_call_before(self) -> Self {
        self.of_calls_before(1)
    }

    /// The same fault, made so many calls before the one it showed in.
    fn of_calls_before(self, calls_ago: usize) -> Self {
        Self { calls_ago, ..self }
    }
}

/// A call and what led to it.
#[derive(Debug, Clone, Copy)]
pub struct CallContext<'a> {
    /// The API.
    pub model: &'a ApiModel,
    /// The calls so far.
    pub execution: &'a Execution,
    /// The call to judge.
    pub index: usize,
    /// The past of the endpoint called.
    pub stats: &'a EndpointStats,
}

impl<'a> CallContext<'a> {
    fn planned(&self) -> &'a PlannedCall {
        &self.execution.plan.calls[self.index]
    }

    fn executed(&self) -> &'a Executed {
        &self.execution.calls[self.index]
    }

    fn endpoint(&self) -> &'a Endpoint {
        &self.model.catalog[self.planned().endpoint]
    }

    /// Whether the call tries a method the document does not describe.
    fn is_probe(&self) -> bool {
        self.model.catalog.is_probe(self.planned().endpoint)
    }

    /// Whether faults of the path are reported for this endpoint: for one probe per path, or they would come once per method.
    fn speaks_for_its_path(&self) -> bool {
        let catalog = &self.model.catalog;
        let path = &self.endpoint().operation.id.path;
        let is_on_path = |probe: &EndpointId| &catalog[*probe].operation.id.path == path;
        !self.is_probe() || catalog.probes().find(is_on_path) == Some(self.planned().endpoint)
    }

    /// Whether everything about the call is as the document wants it, as far as that is known before it is answered.
    pub fn is_well_meant(&self) -> bool {
        let planned = self.planned();
        let Arguments { parameters, body, headers } = &planned.arguments;
        let catalog = &self.model.catalog;
        let called_by_somebody = planned.identity.is_some() || self.model.identities.is_empty();
        let specs = &self.endpoint().operation.parameters;
        let complete = specs.iter().zip(parameters).all(|(spec, value)| {
            !spec.required
                || value.is_some()
                || (planned.identity.is_some() && self.model.is_sent_by_identities(spec))
        });
        let valid_parameters = parameters.iter().enumerate().all(|(index, value)| {
            let check = catalog.parameter_check(planned.endpoint, index);
            value.as_ref().is_none_or(|value| check.is_none_or(|check| check.is_valid(value)))
        });
        let valid_body = body.as_ref().is_none_or(|body| {
            let check = catalog.body_check(planned.endpoint, body.media);
            body.raw.is_none() && check.is_none_or(|check| check.is_valid(&body.value))
        });
        let made_up = planned.borrowed > 0 || !headers.is_empty();
        planned.intent == Intent::Explore
            && !self.is_probe()
            && called_by_somebody
            && !made_up
            && complete
            && valid_parameters
            && valid_body
    }

    fn response(&self) -> Option<&'a Response> {
        self.executed().outcome.as_ref().ok()
    }

    fn document(&self) -> &'a Document {
        self.executed().document()
    }
}

/// Faults of the answer itself.
pub fn of_response(context: &CallContext<'_>) -> Vec<DetectedFault> {
    let mut detected_faults = Vec::new();
    detected_faults.extend(server_error::check(context));
    detected_faults.extend(stack_trace_leaked::check(context));
    detected_faults.extend(schema_mismatch::check(context));
    detected_faults.extend(no_content_with_body::check(context));
    detected_faults.extend(hidden_method::check(context));
    detected_faults.extend(method_not_refused::check(context));
    detected_faults.extend(missing_allow::check(context));
    detected_faults.extend(incomplete_allow::check(context));
    detected_faults.extend(missing_www_authenticate::check(context));
    detected_faults
}

/// Faults of the answer in the light of what was asked and what came before.
pub fn of_sequence(context: &CallContext<'_>) -> Vec<DetectedFault> {
    let mut detected_faults = Vec::new();
    detected_faults.extend(broken_response::check(context));
    detected_faults.extend(invalid_input_accepted::check(context));
    detected_faults.extend(valid_input_rejected::check(context));
    detected_faults.extend(valid_input_never_accepted::check(context));
    detected_faults.extend(ignored_authentication::check(context));
    detected_faults.extend(delete_does_not_delete::check(context));
    detected_faults.extend(put_not_idempotent::check(context));
    detected_faults
}
