//! Lists that the API keeps as sets: what was sent in one order comes back in another, and no rule explains it.
//!
//! A process often has such an order until it ends, and then running a test again does not show it; many tests together do.

use std::collections::BTreeMap;

use serde_json::Value;

use super::observed_test::ObservedTest;
use super::relation::walk;

/// The lists of all answers that were sent first, by their place, with the orders they may be in.
#[derive(Debug, Default)]
pub struct UnorderedLists {
    places: BTreeMap<String, Orders>,
}

impl UnorderedLists {
    /// Looks through the answers of all tests.
    pub fn detect(tests: &[ObservedTest]) -> Self {
        let mut disorder = Self::default();
        for (sent, answer) in tests.iter().flat_map(ObservedTest::echoes) {
            for (place, sent) in lists_in(sent) {
                if let Some(answered) = answer.pointer(&place).and_then(Value::as_array)
                    && let Some(returned) = returned(sent, answered)
                {
                    disorder.places.entry(place).or_default().record_run(sent, &returned, answered);
                }
            }
        }
        disorder.places.retain(|_, orders| orders.is_none());
        disorder
    }

    /// Lets every test see those lists in another order, as a new process may give them.
    pub fn apply(&self, tests: &mut [ObservedTest]) {
        for observed in tests {
            observed.infers(|answer| {
                let before = answer.clone();
                for place in self.places.keys() {
                    if let Some(list) = answer.pointer_mut(place).and_then(Value::as_array_mut) {
                        list.reverse();
                    }
                }
                *answer != before
            });
        }
    }
}

/// The orders that nothing seen so far speaks against.
#[derive(Debug)]
struct Orders {
    as_sent: bool,
    last_sent_first: bool,
    rising: bool,
    falling: bool,
}

impl Default for Orders {
    fn default() -> Self {
        Self { as_sent: true, last_sent_first: true, rising: true, falling: true }
    }
}

impl Orders {
    fn record_run(&mut self, sent: &[Value], returned: &[&Value], answered: &[Value]) {
        self.as_sent &= sent.iter().eq(returned.iter().copied());
        self.last_sent_first &= sent.iter().rev().eq(returned.iter().copied());
        let texts: Vec<&str> = answered.iter().filter_map(Value::as_str).collect();
        let plain: Vec<String> = texts.iter().map(|text| text.to_lowercase()).collect();
        self.rising &= texts.is_sorted() || plain.is_sorted();
        self.falling &= texts.iter().rev().is_sorted() || plain.iter().rev().is_sorted();
    }

    fn is_none(&self) -> bool {
        !(self.as_sent || self.last_sent_first || self.rising || self.falling)
    }
}

/// The lists of several different texts in a value, with their places.
fn lists_in(value: &Value) -> Vec<(String, &Vec<Value>)> {
    let mut found = Vec::new();
    walk(value, &mut String::new(), &mut |place, value| {
        let Value::Array(items) = value else { return };
        let differ = |(index, item): (usize, &Value)| item.is_string() && !items[..index].contains(item);
        if items.len() > 1 && items.iter().enumerate().all(differ) {
            found.push((place.to_owned(), items));
        }
    });
    found
}

/// What was sent, as it stands in the answer; nothing unless the answer is a list of texts that has all of it, each once.
fn returned<'a>(sent: &[Value], answered: &'a [Value]) -> Option<Vec<&'a Value>> {
    let returned: Vec<&Value> = answered.iter().filter(|item| sent.contains(item)).collect();
    let is_whole = answered.iter().all(Value::is_string) && returned.len() == sent.len();
    (is_whole && sent.iter().all(|item| answered.contains(item))).then_some(returned)
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use serde_json::json;
    use steady_model::{Body, Matcher, Method};
    use steady_suite::Variables;

    use super::*;
    use crate::classify::Step;
    use crate::drive::fakes::{self, call, equals, response, test_case};
    use crate::relax::Policy;

    /// A test that sends members to a group and expects what it was answered.
    fn observed(sent: &[&str], answered: &[&str]) -> ObservedTest {
        let expected = |(index, text): (usize, &&str)| equals(&format!("members/{index}"), *text);
        let mut call = call(Method::Post, "/groups", answered.iter().enumerate().map(expected).collect());
        call.request.body = Some(Body::json(json!({ "members": sent }), IndexMap::new()));
        let mut observed = fakes::observed(test_case(&sent.join("_"), vec![call]));
        let response = response(201, &json!({ "members": answered }));
        observed.record_run(Step::Rerun, [&response], &Variables::default());
        observed
    }

    #[test]
    fn a_test_whose_list_came_back_as_sent_learns_from_the_others_that_this_was_luck() {
        let mut tests = [observed(&["b", "c", "a"], &["c", "a", "b"]), observed(&["x", "y"], &["x", "y"])];
        UnorderedLists::detect(&tests).apply(&mut tests);
        let (test, moving) = tests[1].handled(Policy::Relax, &());
        let matchers: Vec<&Matcher> =
            test.calls[0].expect.iter().map(|assertion| &assertion.matcher).collect();
        assert_eq!(matchers, [&Matcher::Unordered(vec![json!("x"), json!("y")])]);
        assert_eq!(moving[0].moving.evidence, [Step::Inferred]);
    }

    fn orders(pairs: &[([&str; 3], [&str; 3])]) -> bool {
        let list = |texts: &[&str]| texts.iter().map(|text| Value::from(*text)).collect::<Vec<_>>();
        let mut orders = Orders::default();
        for (sent, answered) in pairs {
            let (sent, answered) = (list(sent), list(answered));
            orders.record_run(&sent, &returned(&sent, &answered).unwrap(), &answered);
        }
        !orders.is_none()
    }

    #[test]
    fn a_list_that_is_kept_turned_round_or_sorted_has_an_order() {
        assert!(orders(&[(["b", "c", "a"], ["b", "c", "a"]), (["z", "x", "y"], ["z", "x", "y"])]));
        assert!(orders(&[(["b", "c", "a"], ["a", "c", "b"]), (["z", "x", "y"], ["y", "x", "z"])]));
        assert!(orders(&[(["b", "c", "a"], ["a", "b", "c"]), (["z", "X", "y"], ["X", "y", "z"])]));
        assert!(orders(&[(["b", "c", "a"], ["c", "b", "a"])]));
        assert!(!orders(&[(["b", "c", "a"], ["c", "a", "b"])]));
    }

    #[test]
    fn only_lists_that_were_sent_and_came_back_whole_are_looked_at() {
        let sent = json!({"tags": ["a", "b"], "one": ["a"], "numbers": [1, 2], "twice": ["a", "a"]});
        let lists = lists_in(&sent);
        assert_eq!(lists.iter().map(|(place, _)| place.as_str()).collect::<Vec<_>>(), ["/tags"]);
        let list = |value: Value| value.as_array().cloned().unwrap();
        let sent = list(json!(["a", "b"]));
        assert!(returned(&sent, &list(json!(["b", "admin", "a"]))).is_some());
        assert!(returned(&sent, &list(json!(["a"]))).is_none());
        assert!(returned(&sent, &list(json!(["a", "b", "a"]))).is_none());
    }
}
