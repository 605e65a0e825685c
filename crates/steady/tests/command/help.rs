//! What the command says about itself.

use crate::support::Invocation;

#[test]
fn help_groups_options_and_ends_with_examples() {
    let outcome = Invocation::new(["fuzz", "--help"]).run().exits_with(0).says("").writes(&[]);
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn every_command_is_listed() {
    let outcome = Invocation::new(["--help"]).run().exits_with(0).says("");
    insta::assert_snapshot!(outcome.stdout);
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let outcome = Invocation::new(["completions", shell]).run().exits_with(0).says("");
        assert!(outcome.stdout.contains("openapi"), "{shell}");
    }
}
