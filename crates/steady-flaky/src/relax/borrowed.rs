//! Something the test did not create: a list showed it, and another time the list may show something else first.
//!
//! Its id is the variable that was taken from the list. Of its other fields only the type is said: they are those of an item that may
//! be gone, taken along by the removal of another.

use steady_model::{JsonType, Matcher, Place};
use steady_suite::same_value;

use super::site::Site;

/// Why less is asserted.
pub(super) const NOTE: &str = "belongs to something that the test did not create";

/// Headers that say something about what a response shows.
const OF_ITEMS: [&str; 5] = ["etag", "last-modified", "location", "content-location", "link"];

/// Whether a place says something about the item, and not about the response.
pub(super) fn is_about_it(place: &Place) -> bool {
    match place {
        Place::Status => false,
        Place::Header(name) => OF_ITEMS.contains(&name.as_str()),
        Place::Body(_) => true,
    }
}

/// What can be said of a place; nothing where another item may have nothing at all.
pub(super) fn of(site: &Site<'_>) -> Option<Matcher> {
    let value = site.sample()?;
    // Another time a list may have fewer items, and each of them less in it.
    if !is_in_a_list(site.place)
        && let Some(name) = variable(site)
    {
        return Some(Matcher::Variable(name));
    }
    let Place::Body(pointer) = site.place else { return Some(Matcher::Present) };
    // What is deeper, or empty here, may be missing or filled elsewhere.
    let shallow = pointer.matches('/').count() <= 1 && !pointer.ends_with(|last: char| last.is_ascii_digit());
    match JsonType::of(value) {
        JsonType::Null => None,
        kind if shallow => Some(Matcher::Type(kind)),
        _ => None,
    }
}

fn is_in_a_list(place: &Place) -> bool {
    let is_index = |token: &str| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_digit());
    matches!(place, Place::Body(pointer) if pointer.split('/').any(is_index))
}

/// A variable of the place's name that had its value every time; that a count happens to be the same says nothing.
pub(super) fn variable(site: &Site<'_>) -> Option<String> {
    let Place::Body(pointer) = site.place else { return None };
    let field = letters(pointer.rsplit('/').next()?);
    let first = site.subject.seen.first()?;
    let is_it = |name: &str| {
        site.subject.seen.iter().zip(&site.values).all(|(seen, value)| {
            let known = seen.variables.get(name).zip(value.as_deref());
            known.is_some_and(|(known, value)| same_value(known, value))
        })
    };
    let names = first.variables.iter().map(|(name, _)| name);
    let mut alike = names.filter(|name| are_alike(&letters(name), &field));
    alike.find(|name| is_it(name)).map(str::to_owned)
}

/// Whether two names may mean the same: `employeeId` is `employee_id`, and `id` where only one of them says whose.
fn are_alike(variable: &str, field: &str) -> bool {
    let bare = |one: &str, other: &str| one == "id" && other.ends_with("id");
    variable == field || bare(variable, field) || bare(field, variable)
}

fn letters(name: &str) -> String {
    name.chars().filter(|character| character.is_alphabetic()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use steady_model::{Assertion, Call, Capture, Matcher, Method, Place, Take, Text};
    use steady_suite::Variables;

    use super::super::{ObservedTest, Policy};
    use crate::classify::Step;
    use crate::drive::fakes::{self, call, equals, response, test_case};

    const EMPLOYEE: &str = r#"{"employeeId": 14, "firstName": "admin", "age": 14, "boss": null,
        "tags": ["a"], "home": {"city": "x"}, "reports": [{"employeeId": 14}]}"#;

    /// A test that takes the first employee of a list and looks at it.
    fn observed() -> ObservedTest {
        let looks_at = |path: &str, captures: Vec<Capture>, body: &Value| {
            let fields = body.as_object().into_iter().flatten();
            let mut expect: Vec<Assertion> =
                fields.map(|(name, value)| equals(name, value.clone())).collect();
            expect.push(Assertion::new(Place::Status, Matcher::Equals(json!(200))));
            Call { captures, ..call(Method::Get, path, expect) }
        };
        let taken = Capture {
            name: "employee_id".to_owned(),
            from: Place::Body("/all/0/employeeId".to_owned()),
            take: Take::Whole,
        };
        let employee = serde_json::from_str(EMPLOYEE).unwrap();
        let calls = vec![
            looks_at("/employees", vec![taken], &json!({})),
            looks_at("/employees/{id}", Vec::new(), &employee),
        ];
        let mut observed = fakes::observed(test_case("reads", calls));
        observed.borrows(1);
        observed
    }

    fn see(observed: &mut ObservedTest, step: Step) {
        let employee: Value = serde_json::from_str(EMPLOYEE).unwrap();
        let list = response(200, &json!({ "all": [employee] }));
        let variables: Variables = [("employee_id", json!(14))].into_iter().collect();
        observed.record_run(step, [&list, &response(200, &employee)], &variables);
    }

    fn said(observed: &ObservedTest) -> Vec<(String, String)> {
        let (test, _) = observed.handled(Policy::Relax, &());
        let all = test.calls[1].expect.iter();
        all.map(|assertion| (assertion.place.to_string(), assertion.matcher.name().to_string())).collect()
    }

    #[test]
    fn an_item_of_a_list_is_asserted_by_the_variable_and_by_types() {
        let mut observed = observed();
        see(&mut observed, Step::Rerun);
        see(&mut observed, Step::Rerun);
        let expected = [
            ("body:/employeeId", "variable"),
            ("body:/firstName", "string"),
            ("body:/age", "integer"),
            ("body:/tags", "array"),
            ("body:/home", "object"),
            ("body:/reports", "array"),
            ("status", "equals"),
        ];
        assert_eq!(said(&observed), expected.map(|(place, name)| (place.to_owned(), name.to_owned())));
    }

    #[test]
    fn what_an_item_of_a_list_holds_is_not_asserted() {
        let mut observed = observed();
        let place = Place::Body("/reports/0/employeeId".to_owned());
        observed.test.calls[1].expect.push(Assertion::new(place.clone(), Matcher::Equals(json!(14))));
        see(&mut observed, Step::Rerun);
        see(&mut observed, Step::Rerun);
        assert!(said(&observed).iter().all(|(said, _)| *said != place.to_string()), "{:?}", said(&observed));
    }

    #[test]
    fn what_a_call_sends_is_expected_back_as_the_variable() {
        let mut observed = observed();
        observed.test.calls[1].request.target = Text::variable("employee_id");
        see(&mut observed, Step::Rerun);
        see(&mut observed, Step::Restart);
        let said = said(&observed);
        assert_eq!(said[0], ("body:/employeeId".to_owned(), "variable".to_owned()));
        assert!(said[1..].iter().all(|(_, name)| name == "equals"), "{said:?}");
    }

    #[test]
    fn what_a_fresh_start_has_again_stays_exact() {
        let mut observed = observed();
        see(&mut observed, Step::Rerun);
        see(&mut observed, Step::Restart);
        assert!(said(&observed).iter().all(|(_, name)| name == "equals"), "{:?}", said(&observed));
    }
}
