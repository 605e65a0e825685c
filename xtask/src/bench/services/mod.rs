//! The services, one file each.
//!
//! To add one: pin it below `bench/services/<name>/`, write its file here by analogy with a sibling, and list it in [`all`].

mod cedar_agent;
mod changedetection;
mod kinto;
mod loopback_todo;
mod powerdns;
mod shop;
mod wiremock;

pub use cedar_agent::CedarAgent;
pub use shop::Shop;

use super::service::Service;

/// Every third-party service, in the order of the table.
pub fn all() -> Vec<Box<dyn Service>> {
    vec![
        Box::new(kinto::Kinto),
        Box::new(wiremock::WireMock),
        Box::new(changedetection::ChangeDetection),
        Box::new(CedarAgent),
        Box::new(loopback_todo::LoopBackTodo),
        Box::new(powerdns::PowerDns),
    ]
}
