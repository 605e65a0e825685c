//! What all rules have in common.

use super::said;
use crate::lint::Rule;

#[test]
fn comments_silence_at_the_call_and_at_its_statement() {
    assert_eq!(said("await sleep(5) // steady-ignore"), Vec::<String>::new());
    assert_eq!(
        said("// steady-ignore-next-line fixed-sleep -- animation\ncy.get('a')\n  .wait(5)"),
        Vec::<String>::new()
    );
    assert_eq!(said("/* steady-ignore-file zero-wait */\nawait sleep(0)\nawait sleep(5)"), ["3 fixed-sleep"]);
    assert_eq!(said("await sleep(5) // steady-ignore zero-wait"), ["1 fixed-sleep"]);
}

#[test]
fn rules_have_names_and_summaries() {
    for rule in Rule::ALL {
        assert!(rule.summary().ends_with('.') && rule.name() == serde_json::to_value(rule).unwrap());
    }
}
