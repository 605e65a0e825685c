//! What a test can be worth keeping for.

use serde::Serialize;
use serde_json::Value;
use steady_model::{FaultCode, Response};
use steady_openapi::Location;
use xxhash_rust::xxh3::xxh3_64;

use crate::catalog::{Catalog, Endpoint};
use crate::endpoint_id::EndpointId;
use crate::request::Arguments;

/// Something a call can show.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
pub enum Goal {
    /// The operation answered with this status.
    Status {
        /// The endpoint.
        endpoint: EndpointId,
        /// The status.
        status: u16,
    },
    /// The operation answered in this media type, in this class of statuses.
    MediaType {
        /// The endpoint.
        endpoint: EndpointId,
        /// The status's first digit.
        class: u16,
        /// The media type.
        media_type: String,
    },
    /// The operation answered in this class with an optional parameter given or left out.
    Presence {
        /// The endpoint.
        endpoint: EndpointId,
        /// The parameter.
        parameter: usize,
        /// Whether it was given.
        given: bool,
        /// The status's first digit.
        class: u16,
    },
    /// The operation answered in this class with an enumerated parameter at this value.
    Choice {
        /// The endpoint.
        endpoint: EndpointId,
        /// The parameter.
        parameter: usize,
        /// The value, as JSON.
        value: String,
        /// The status's first digit.
        class: u16,
    },
    /// The operation showed a fault.
    Fault {
        /// The endpoint.
        endpoint: EndpointId,
        /// The fault's code.
        code: FaultCode,
        /// What distinguishes it from other faults of the code.
        key: u64,
    },
}

impl Goal {
    /// The endpoint concerned.
    pub fn endpoint(&self) -> EndpointId {
        match self {
            Self::Status { endpoint, .. }
            | Self::MediaType { endpoint, .. }
            | Self::Presence { endpoint, .. }
            | Self::Choice { endpoint, .. }
            | Self::Fault { endpoint, .. } => *endpoint,
        }
    }

    /// What is shown, in words that mean the same in every search of the API.
    pub fn line(&self, catalog: &Catalog) -> String {
        let endpoint = &catalog[self.endpoint()];
        let named = |parameter: usize| match endpoint.operation.parameters.get(parameter) {
            Some(spec) => format!("{} in the {}", spec.name, place(spec.location)),
            None => format!("parameter {parameter}"),
        };
        match self {
            Self::Status { status, .. } => format!("answers {status}"),
            Self::MediaType { class, media_type, .. } => format!("answers {class}xx in {media_type}"),
            Self::Presence { parameter, given: true, class, .. } => {
                format!("answers {class}xx with {}", named(*parameter))
            }
            Self::Presence { parameter, given: false, class, .. } => {
                format!("answers {class}xx without {}", named(*parameter))
            }
            Self::Choice { parameter, value, class, .. } => {
                format!("answers {class}xx with {value} as {}", named(*parameter))
            }
            Self::Fault { code, key, .. } => format!("shows {code} {key:016x}"),
        }
    }

    /// The parameter without which the goal is not reached.
    pub fn needs_parameter(&self) -> Option<usize> {
        match self {
            Self::Presence { parameter, given: true, .. } | Self::Choice { parameter, .. } => {
                Some(*parameter)
            }
            _ => None,
        }
    }
}

fn place(location: Location) -> &'static str {
    match location {
        Location::Path => "path",
        Location::Query => "query",
        Location::Header => "headers",
        Location::Cookie => "cookies",
    }
}

/// A hash of what decides the goals of a call; calls with the same one reach the same goals.
pub fn fingerprint(
    endpoint: EndpointId,
    target: &Endpoint,
    arguments: &Arguments,
    response: &Response,
) -> u64 {
    let mut bytes: Vec<u8> = Vec::with_capacity(64);
    bytes.extend_from_slice(&endpoint.position().to_le_bytes());
    bytes.extend_from_slice(&response.status.to_le_bytes());
    bytes.extend_from_slice(response.header("content-type").unwrap_or_default().as_bytes());
    for (index, value) in arguments.parameters.iter().enumerate() {
        let Some(value) = value else {
            bytes.push(0);
            continue;
        };
        bytes.push(1);
        if target.choices(index).is_some() {
            bytes.extend_from_slice(value.to_string().as_bytes());
        }
    }
    xxh3_64(&bytes)
}

/// The goals a call reached, faults aside.
pub fn reached(
    endpoint: EndpointId,
    target: &Endpoint,
    arguments: &Arguments,
    response: &Response,
) -> Vec<Goal> {
    let status = response.status;
    // Says how much was asked before, not how the operation behaves: a test of it fails on a fresh start.
    if status == 429 {
        return Vec::new();
    }
    let class = status / 100;
    let mut goals = vec![Goal::Status { endpoint, status }];
    if let Some(media_type) = response.media_type() {
        goals.push(Goal::MediaType { endpoint, class, media_type });
    }
    // Only successes say something about a parameter; a refusal may have any reason.
    if class != 2 {
        return goals;
    }
    for (parameter, (spec, value)) in
        target.operation.parameters.iter().zip(&arguments.parameters).enumerate()
    {
        if spec.location != Location::Path && !spec.required {
            goals.push(Goal::Presence { endpoint, parameter, given: value.is_some(), class });
        }
        if let (Some(choices), Some(value)) = (target.choices(parameter), value)
            && choices.contains(value)
        {
            goals.push(Goal::Choice { endpoint, parameter, value: value.to_string(), class });
        }
    }
    goals
}

/// The goals about parameters that an endpoint's successes can reach.
pub fn wanted(endpoint: EndpointId, target: &Endpoint) -> Vec<(Goal, usize, Option<Value>)> {
    let class = 2;
    let mut goals = Vec::new();
    for (parameter, spec) in target.operation.parameters.iter().enumerate() {
        if spec.location != Location::Path && !spec.required {
            goals.push((Goal::Presence { endpoint, parameter, given: true, class }, parameter, None));
        }
        for value in target.choices(parameter).into_iter().flatten() {
            let goal = Goal::Choice { endpoint, parameter, value: value.to_string(), class };
            goals.push((goal, parameter, Some(value.clone())));
        }
    }
    goals
}
