//! The script that runs a folder of Hurl files.

use steady_model::{Encoding, Fresh};

use super::entry::variables_of;
use super::identities;
use super::quote::{Naming, encoding_suffix, environment_variable, variable};
use crate::plan::{Identity, Piece, Plan, Setting, Step, Template, Test};
use crate::prose::{fill, one_line};

/// `run.sh`: computes what the files need and calls `hurl`.
pub(super) fn run(plan: &Plan<'_>) -> String {
    let mut values = String::new();
    for test in &plan.tests {
        for (name, value) in fresh(test, plan) {
            let name = run_variable(test, &name);
            let (prefix, suffix) = (shell_quoted(&value.prefix), shell_quoted(&value.suffix));
            values.push_str(&format!("fresh {name} {prefix} {} {suffix}\n", value.length));
        }
    }
    for name in plan.environment() {
        values.push_str(&format!("secret {} {}\n", environment_variable(name), shell_quoted(name)));
    }
    for piece in known_before(plan) {
        let name = variable(&piece, Naming { prefix: "", setting: Setting::Text });
        values.push_str(&match piece {
            Piece::Environment(source, encoding) => {
                let encoding = &encoding_suffix(encoding)[1..];
                format!("secret {name} {} as_{encoding}\n", shell_quoted(source))
            }
            Piece::Base(part, Encoding::Plain) => format!("known {name} \"$base_{part}\"\n"),
            Piece::Base(part, encoding) => {
                let encoding = &encoding_suffix(encoding)[1..];
                format!("known {name} \"$(as_{encoding} \"$base_{part}\")\"\n")
            }
            Piece::Literal(_) | Piece::Variable(_) => String::new(),
        });
    }
    fill(
        include_str!("../../support/hurl/run.sh"),
        &[("title", &one_line(plan.title)), ("url", &shell_quoted(plan.url)), ("values", &values)],
    )
}

/// The parts of the address, and encoded secrets, that tests refer to: values that are known before the first test.
fn known_before<'a>(plan: &Plan<'a>) -> Vec<Piece<'a>> {
    let identities = plan.identities.iter().flat_map(Identity::templates);
    let steps = plan.tests.iter().flat_map(|test| &test.steps).flat_map(Step::templates);
    let mut known: Vec<Piece<'a>> = Vec::new();
    for piece in identities.chain(steps).flat_map(Template::pieces) {
        let counts = match piece {
            Piece::Base(..) => true,
            Piece::Environment(_, encoding) => *encoding != Encoding::Plain,
            Piece::Literal(_) | Piece::Variable(_) => false,
        };
        if counts && !known.contains(piece) {
            known.push(piece.clone());
        }
    }
    known
}

/// The options that give the test's variables their values of this run; `in_urls` need a percent-encoded twin.
pub(super) fn fresh_options(test: &Test<'_>, plan: &Plan<'_>, in_urls: &[String]) -> String {
    let mut options = String::new();
    for (name, _) in fresh(test, plan) {
        let twin = in_urls.contains(&name).then(|| format!("{name}_path"));
        for name in std::iter::once(name).chain(twin) {
            options.push_str(&format!("variable: {name}={{{{{}}}}}\n", run_variable(test, &name)));
        }
    }
    if options.is_empty() { options } else { format!("[Options]\n{options}") }
}

/// The variables of a test and of its identities, which sign up again in every file.
fn fresh<'a>(test: &Test<'a>, plan: &Plan<'a>) -> Vec<(String, &'a Fresh)> {
    let of_steps = |steps: &[Step<'a>], prefix: String| -> Vec<(String, &'a Fresh)> {
        let fresh = |step: &Step<'a>| match step {
            Step::Fresh { variable, value } => Some((format!("{prefix}{}", variable.name.snake()), *value)),
            _ => None,
        };
        steps.iter().filter_map(fresh).collect()
    };
    let mut values = Vec::new();
    for who in identities(test, plan) {
        values.extend(of_steps(&who.login, variables_of(who)));
    }
    values.extend(of_steps(&test.steps, String::new()));
    values
}

/// All tests of a run share their variables, so the names of those of a run begin with the test's.
fn run_variable(test: &Test<'_>, name: &str) -> String {
    format!("{}__{name}", test.name.snake())
}

/// A word of the shell, safely quoted. It ends up in a file of one variable per line, so line ends become spaces.
fn shell_quoted(text: &str) -> String {
    format!("'{}'", text.replace(char::is_control, " ").replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_leaves_its_word() {
        assert_eq!(shell_quoted("a'; rm -rf $HOME `x`\n"), "'a'\\''; rm -rf $HOME `x` '");
    }
}
