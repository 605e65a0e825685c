//! The script that runs a folder of Hurl files.

use steady_model::Fresh;

use super::entry::variables_of;
use super::identities;
use super::quote::environment_variable;
use crate::plan::{Plan, Step, Test};
use crate::prose::{fill, one_line};

/// `run.sh`: finds out what the files need and calls `hurl`.
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
    fill(
        include_str!("../../support/hurl/run.sh"),
        &[("title", &one_line(plan.title)), ("url", &shell_quoted(plan.url)), ("values", &values)],
    )
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

/// The variables of a test and of those who make calls in it, which sign up anew in every file.
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

/// A word of the shell, whatever is in it. It ends up in a file of one variable per line, so line ends become spaces.
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
