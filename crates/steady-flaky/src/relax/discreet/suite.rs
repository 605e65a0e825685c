//! A suite without secrets.

use steady_model::{Call, Matcher, Place, Secrets, Suite, TestCase};

use super::capture::capture_issued;
use super::loosen::loosen;

/// Takes every secret out of a suite: what was given is looked up, what a call of the same test issued is captured, and where neither
/// can be, less is asserted. Yields the names of tests that cannot do without, because they send one; they are left out.
pub fn without_secrets(suite: &mut Suite, secrets: &Secrets) -> Vec<String> {
    secrets.lookups().suite(suite);
    let mut left_out = Vec::new();
    suite.tests.retain_mut(|test| {
        rid(test, secrets);
        // Whatever was overlooked: a test that shows a secret is none that can be kept.
        let shows = serde_json::to_string(test).is_ok_and(|text| !secrets.find(&text).is_empty());
        if shows {
            left_out.push(test.name.clone());
        }
        !shows
    });
    left_out
}

fn rid(test: &mut TestCase, secrets: &Secrets) {
    capture_issued(test, secrets);
    for call in &mut test.calls {
        let status = status(call);
        call.expect = std::mem::take(&mut call.expect)
            .into_iter()
            .filter_map(|assertion| loosen(assertion, status, secrets))
            .collect();
    }
    secrets.mask_in(&mut test.about);
    test.covers.iter_mut().for_each(|line| secrets.mask_in(line));
}

/// The status a call expects; an error's fields are often about secrets without being any.
fn status(call: &Call) -> u16 {
    let mut expected =
        call.expect.iter().filter_map(|assertion| match (&assertion.place, &assertion.matcher) {
            (Place::Status, Matcher::Equals(status)) => status.as_u64(),
            _ => None,
        });
    expected.next().and_then(|status| u16::try_from(status).ok()).unwrap_or(200)
}
