//! One file per runner, each with: what the runner can do and since when, how it is recognised, and what is added.

mod cargo;
mod go;
mod gradle;
mod jest;
mod maven;
mod mocha;
mod nextest;
mod node;
mod playwright;
mod pytest;
mod unittest;
mod unknown;
mod vitest;

use crate::Runner;

/// Every runner that can be recognised.
pub(crate) static ALL: [&dyn Runner; 12] = [
    &pytest::Pytest,
    &unittest::Unittest,
    &jest::Jest,
    &vitest::Vitest,
    &mocha::Mocha,
    &playwright::Playwright,
    &node::NodeTest,
    &nextest::Nextest,
    &cargo::CargoTest,
    &maven::Maven,
    &gradle::Gradle,
    &go::GoTest,
];

/// The runner that environment variables reach through other tools.
pub(crate) static PYTEST: &dyn Runner = &pytest::Pytest;

/// The fallback for unknown runners.
pub(crate) static UNKNOWN: &dyn Runner = &unknown::Unknown;

/// The plan's reader for JavaScript, which every hook there loads.
const PLAN_CJS: (&str, &str) = ("steady-plan.cjs", include_str!("../inject/steady-plan.cjs"));

/// The plan's reader for Python.
const PLAN_PY: (&str, &str) = ("steady_plan.py", include_str!("../inject/steady_plan.py"));
