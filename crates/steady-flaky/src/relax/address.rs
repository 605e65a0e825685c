//! The API's own address, which is no part of what its answers say.
//!
//! It is taken out of everything that was seen before anything is compared, because a link has to be the same on every port, and put
//! back as a segment into what is asserted then. One placeholder stands for it in between: exact texts, patterns, relations and
//! lists need not know.

use crate::Observation;
use indexmap::IndexMap;
use serde_json::Value;
use steady_model::{Assertion, Base, Document, Matcher, Payload, Response, Substitution, Text};

/// The address a test was run at the first time.
#[derive(Debug, Clone)]
pub(super) struct Address {
    base: Base,
    own: Substitution,
}

impl Address {
    pub fn new(base: &Base) -> Self {
        Self { base: base.clone(), own: Substitution::of_base(base) }
    }

    /// What replaces the address in a test.
    pub fn substitution(&self) -> &Substitution {
        &self.own
    }

    /// An observation without it.
    pub fn hidden_from(&self, observation: &Observation) -> Observation {
        let hidden = |text: Text| text.at(&Base::placeholder()).to_string();
        let response = &observation.response;
        let headers: Vec<(String, String)> = response
            .headers
            .iter()
            .map(|(name, value)| (name.clone(), hidden(self.own.header(name, value))))
            .collect();
        let variables = observation.variables.clone();
        let variables = variables.map_texts(|text| hidden(self.own.text(text))).at(Base::placeholder());
        let body = match observation.document() {
            Document::Json(value) => {
                let mut value = value.clone();
                self.hide_in(&mut value).then(|| value.to_string())
            }
            Document::Text(text) if self.own.is_in(text) => Some(hidden(self.own.text(text))),
            _ => None,
        };
        match body {
            Some(body) => {
                let response = Response { headers, body: Payload::Text(body.into()), ..*response };
                observation.saying(response, variables)
            }
            // The body stays as it is, and parsed.
            None => {
                let mut same = observation.clone().with_variables(variables);
                same.response.headers = headers;
                same
            }
        }
    }

    /// A text for people, with the address in it again.
    pub fn shown_in(&self, text: &str) -> String {
        Substitution::of_base(&Base::placeholder()).text(text).at(&self.base).to_string()
    }

    /// Whether something was replaced.
    fn hide_in(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) if self.own.is_in(text) => {
                *text = self.own.text(text).at(&Base::placeholder()).to_string();
                true
            }
            Value::Array(items) => items.iter_mut().fold(false, |any, item| self.hide_in(item) | any),
            Value::Object(fields) => fields.values_mut().fold(false, |any, field| self.hide_in(field) | any),
            _ => false,
        }
    }
}

/// Whether a response has what would be taken for a placeholder.
pub(super) fn is_ambiguous(response: &Response) -> bool {
    let in_body = match &response.body {
        Payload::Text(text) => Base::is_in(text) || text.contains(r"\ue7") || text.contains(r"\uE7"),
        Payload::Bytes(_) => false,
    };
    in_body || response.headers.iter().any(|(_, value)| Base::is_in(value))
}

/// Assertions with the placeholder where they speak of the address.
pub(super) fn hide(expect: &mut [Assertion]) {
    let placeholder = Base::placeholder();
    for assertion in expect {
        match &mut assertion.matcher {
            Matcher::Text(text) => {
                *text = text.at(&placeholder);
                if let Some(literal) = text.as_literal() {
                    assertion.matcher = Matcher::Equals(literal.into());
                }
            }
            Matcher::Pattern(pattern) => pattern.regex = pattern.regex.at(&placeholder),
            Matcher::Equals(value) => fill(value, &mut assertion.texts, &placeholder),
            Matcher::Unordered(items) | Matcher::OneOf(items) => {
                let mut list = Value::Array(std::mem::take(items));
                fill(&mut list, &mut assertion.texts, &placeholder);
                if let Value::Array(filled) = list {
                    *items = filled;
                }
            }
            Matcher::Jwt(jwt) => {
                let mut token = serde_json::json!({"header": jwt.header, "claims": jwt.claims});
                fill(&mut token, &mut assertion.texts, &placeholder);
                let fields = |part: &str| token[part].as_object().cloned().unwrap_or_default();
                (jwt.header, jwt.claims) = (fields("header"), fields("claims"));
            }
            _ => {}
        }
    }
}

/// Assertions with segments where they have a placeholder.
pub(super) fn show(expect: &mut Vec<Assertion>) {
    Substitution::of_base(&Base::placeholder()).expectations(expect);
}

/// Texts that have nothing but the address in them go back into the value.
fn fill(value: &mut Value, texts: &mut IndexMap<String, Text>, placeholder: &Base) {
    texts.retain(|pointer, text| {
        *text = text.at(placeholder);
        match (text.as_literal(), value.pointer_mut(pointer)) {
            (Some(literal), Some(place)) => {
                *place = literal.into();
                false
            }
            _ => true,
        }
    });
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use steady_model::{Matcher, TestCase};

    use steady_suite::Variables;

    use super::super::{ObservedTest, Policy};
    use super::*;
    use crate::classify::Step;

    /// A test that creates something; the values of `id` and `key` are others in each run.
    fn test() -> TestCase {
        serde_json::from_value(json!({
            "name": "t", "group": "successes", "about": "", "calls": [{
                "operation": "POST /x",
                "request": {"method": "POST", "target": "/x?next=http%3A%2F%2Fh%3A1%2Fy"},
                "captures": [{"name": "id", "from": "body:/id"}],
                "expect": [
                    {"where": "header:location", "is": {"equals": "http://h:1/x/7"}},
                    {"where": "body:/self", "is": {"equals": "http://h:1/x"}},
                    {"where": "body:/made", "is": {"equals": "http://h:1/made/2026-03-10T12:00:00Z"}},
                    {"where": "body:/token", "is": {"equals": "see h:1/f47ac10b-58cc-4372-a567-0e02b2c3d479"}},
                    {"where": "body:/links", "is": {"size": 2}},
                    {"where": "body:/links/0", "is": {"equals": "http://h:1/a"}},
                    {"where": "body:/links/1", "is": {"equals": "http://h:1/b"}},
                    {"where": "body:/port", "is": {"equals": 1}},
                ],
            }],
        }))
        .unwrap()
    }

    fn response(base: &str, id: u32, uuid: &str, links: [&str; 2]) -> Response {
        let authority = base.trim_start_matches("http://");
        let links: Vec<String> = links.iter().map(|link| format!("{base}/{link}")).collect();
        let body = json!({
            "id": id, "self": format!("{base}/x"), "made": format!("{base}/made/2026-03-10T12:00:00Z"),
            "token": format!("see {authority}/{uuid}"), "links": links, "port": 1,
        });
        let headers = [("content-type", "application/json"), ("location", &format!("{base}/x/{id}"))];
        let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let body = Payload::Text(body.to_string().into());
        Response { status: 201, headers: headers.to_vec(), body, truncated: false }
    }

    fn handled(bases: [&str; 2]) -> (Vec<Value>, Vec<String>, Value) {
        let mut observed = ObservedTest::new(test(), "2026-03-10T12:00:00Z".parse().unwrap());
        let runs = [
            (7, "f47ac10b-58cc-4372-a567-0e02b2c3d479", ["a", "b"]),
            (8, "0b8e5a52-9a7e-4f0e-8f67-6d1e3c1f9a10", ["b", "a"]),
        ];
        for (base, (id, uuid, links)) in bases.into_iter().zip(runs) {
            let variables = [("id", json!(id))].into_iter().collect::<Variables>().at(Base::at(base));
            observed.record_run(Step::Rerun, [&response(base, id, uuid, links)], &variables);
        }
        let (test, moving) = observed.handled(Policy::Relax, &());
        let call = &test.calls[0];
        let expect = call.expect.iter().map(|assertion| serde_json::to_value(assertion).unwrap()).collect();
        let observed = moving.into_iter().flat_map(|found| found.moving.observed).collect();
        (expect, observed, serde_json::to_value(&call.request.target).unwrap())
    }

    #[test]
    fn every_step_of_relaxing_speaks_of_the_address_wherever_it_is() {
        for bases in [["http://h:1", "http://h:1"], ["http://h:1", "http://other.test:2"]] {
            let (expect, observed, target) = handled(bases);
            let url = json!({"base": "url"});
            let at = |place: &str| {
                let found = expect.iter().find(|assertion| assertion["where"] == place);
                found.unwrap_or_else(|| panic!("{place}: {expect:?}"))
            };
            assert_eq!(at("header:location")["is"], json!({"text": [url, "/x/", {"var": "id"}]}));
            assert_eq!(at("body:/self")["is"], json!({"text": [url, "/x"]}));
            let made = &at("body:/made")["is"]["pattern"]["regex"];
            assert!(made[0] == url && made[1].as_str().unwrap().starts_with("/made/[0-9]{4}-"), "{made}");
            let token = &at("body:/token")["is"]["pattern"]["regex"];
            assert_eq!((&token[0], &token[1]), (&json!("see "), &json!({"base": "authority"})), "{token}");
            let links = json!({"/0": [url, "/a"], "/1": [url, "/b"]});
            assert!(expect.iter().any(|assertion| assertion["texts"] == links), "{expect:?}");
            assert_eq!(at("body:/port")["is"], json!({"equals": 1}));
            assert_eq!(target, json!(["/x?next=", url, "%2Fy"]));
            assert!(observed.iter().any(|value| value.contains("http://h:1/x/7")), "{observed:?}");
            let said = serde_json::to_string(&expect).unwrap();
            assert!(!Base::is_in(&said) && !said.contains("h:1"), "{said}");
        }
    }

    #[test]
    fn an_answer_that_could_be_mistaken_keeps_what_it_says() {
        let mut observed = ObservedTest::new(test(), "2026-03-10T12:00:00Z".parse().unwrap());
        let mut odd = response("http://h:1", 7, "f47ac10b-58cc-4372-a567-0e02b2c3d479", ["a", "b"]);
        odd.headers.push(("x-odd".to_owned(), "\u{e7a0}".to_owned()));
        let variables = Variables::default().at(Base::at("http://h:1"));
        observed.record_run(Step::Rerun, [&odd], &variables);
        let (test, _) = observed.handled(Policy::Keep, &());
        assert_eq!(test.calls[0].expect[1].matcher, Matcher::Equals("http://h:1/x".into()));
    }

    #[test]
    fn what_a_suite_already_says_about_the_address_stays() {
        let expect = json!([
            {"where": "body:/self", "is": {"text": [{"base": "url"}, "/x"]}},
            {"where": "body:/links", "is": {"unordered": ["", ""]}, "texts": {"/0": [{"base": "url"}, "/b"], "/1": [{"base": "url"}, "/a"]}},
            {"where": "body:/self", "is": {"pattern": {"regex": [{"base": "origin"}, "/[a-z]"], "what": "a link"}}},
        ]);
        let mut test = test();
        test.calls[0].expect = serde_json::from_value(expect).unwrap();
        let before = test.calls[0].expect.clone();
        let mut observed = ObservedTest::new(test, "2026-03-10T12:00:00Z".parse().unwrap());
        for base in ["http://h:1", "http://h:2"] {
            let seen = response(base, 7, "f47ac10b-58cc-4372-a567-0e02b2c3d479", ["a", "b"]);
            observed.record_run(Step::Rerun, [&seen], &Variables::default().at(Base::at(base)));
        }
        let (test, moving) = observed.handled(Policy::Relax, &());
        assert!(moving.is_empty(), "{moving:?}");
        let places = |expect: &[Assertion]| -> Vec<(String, Matcher)> {
            let shown = |assertion: &Assertion| (assertion.place.to_string(), assertion.matcher.clone());
            expect.iter().map(shown).collect()
        };
        assert_eq!(places(&test.calls[0].expect)[0], places(&before)[0]);
        assert_eq!(test.calls[0].expect[1].texts, before[1].texts);
        assert_eq!(places(&test.calls[0].expect)[2], places(&before)[2]);
    }
}
