//! Keeps secrets out of findings and out of tests.

mod capture;
mod loosen;
mod suite;
#[cfg(test)]
mod tests;

pub use suite::without_secrets;

use steady_model::{Place, mask_by_place};

/// Values as they may be reported: none that is a secret by its place. Those that are secrets by their value only a run knows, and masks.
pub(super) fn discreet(place: &Place, observed: Vec<String>) -> Vec<String> {
    observed.into_iter().map(|value| mask_by_place(place, &value).into_owned()).collect()
}
