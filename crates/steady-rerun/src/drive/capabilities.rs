//! What can be perturbed on this machine, for this command.

use std::path::Path;

use steady_exec::{Capabilities, installed_locales};
use steady_model::rerun::{Perturbation, TestId};
use steady_preload::Support;
use steady_runners::{Order, Recognised};

use super::Setup;

/// Runners whose tests run in a runtime with language data of its own.
const OWN_LANGUAGE_DATA: [&str; 7] = ["jest", "vitest", "playwright", "mocha", "node", "maven", "gradle"];

/// The capabilities, and notes for the user.
pub struct Survey {
    /// The capabilities.
    pub capabilities: Capabilities,
    /// Notes about requested perturbations that are not available.
    pub notes: Vec<String>,
    /// Requested perturbations that are not available.
    pub unsupported: Vec<Perturbation>,
}

/// Detects the capabilities.
pub fn survey(setup: &Setup<'_>, runner: &Recognised) -> Survey {
    let asked = |what: Perturbation| setup.perturbations.contains(&what);
    let mut notes = Vec::new();
    let can_order = asked(Perturbation::Order) && can_order(setup, runner);
    // A perturbation that would only serve an explanation is skipped silently.
    let explicit = setup.policy.probing == crate::Probing::Always;
    if asked(Perturbation::Order) && !can_order && explicit {
        notes.push(format!(
            "the order of the tests is not changed: {} does not accept one",
            runner.runner.name()
        ));
    }
    let interposed = [Perturbation::Clock, Perturbation::Random, Perturbation::Latency];
    let program = setup.command.first().map(Path::new);
    let can_preload = match program.map(steady_preload::check) {
        Some(Support::Fails { program, obstacle }) => {
            let left_out = interposed.into_iter().filter(|what| explicit && asked(*what));
            notes.extend(
                left_out.map(|what| format!("`{what}` is left out: {}: {obstacle}", program.display())),
            );
            false
        }
        Some(_) => true,
        None => false,
    };
    let capabilities = Capabilities {
        locales: if asked(Perturbation::Locale) { installed_locales() } else { Vec::new() },
        own_language_data: OWN_LANGUAGE_DATA.contains(&runner.runner.name()),
        can_order,
        can_preload,
    };
    let lacks = |what: &Perturbation| match what {
        Perturbation::Order => !capabilities.can_order,
        other => !capabilities.can_preload && interposed.contains(other),
    };
    let unsupported = setup.perturbations.iter().copied().filter(lacks).collect();
    Survey { capabilities, notes, unsupported }
}

fn can_order(setup: &Setup<'_>, runner: &Recognised) -> bool {
    let mut scratch = runner.invocation(&setup.state);
    let any = [TestId::from("any")];
    runner.runner.order(&mut scratch.clone(), Order::Listed(&any)).is_ok()
        || runner.runner.order(&mut scratch, Order::Shuffled(1)).is_ok()
}
