//! Tests as steps in the order they are written.

use steady_model::{
    Assertion, Body, Call, Fresh, Group, Matcher, Place, RequestTemplate, Suite, Take, TestCase, Text,
};

use super::scope::Scope;
use super::{Condition, Content, EmitError, Filling, Name, Piece, Request, Template, Variable};

/// A test.
#[derive(Debug)]
pub(crate) struct Test<'a> {
    pub(crate) name: Name,
    pub(crate) group: Group,
    pub(crate) about: &'a str,
    pub(crate) steps: Vec<Step<'a>>,
}

/// A statement of a test.
#[derive(Debug)]
pub(crate) enum Step<'a> {
    /// Sets a variable to a value of this run's own.
    Fresh { variable: Variable, value: &'a Fresh },
    /// Makes a call; its response is what the steps up to the next call speak of.
    Send(Request<'a>),
    /// Takes a variable out of the response.
    Capture { variable: Variable, from: &'a Place, take: Take },
    /// Leaves a call to be made when the test is over, last left first made.
    Cleanup(Request<'a>),
    /// States something about the response.
    Check { place: &'a Place, condition: Condition<'a>, note: Option<&'a str> },
}

impl<'a> Test<'a> {
    pub(crate) fn of(test: &'a TestCase, name: Name, suite: &'a Suite) -> Result<Self, EmitError> {
        let mut builder =
            Builder { suite, test, scope: Scope::new(format!("test `{}`", test.name)), steps: Vec::new() };
        for fresh in &test.fresh {
            let variable = builder.scope.declare(&fresh.name, true);
            builder.steps.push(Step::Fresh { variable, value: fresh });
        }
        builder.leave_cleanup(None)?;
        for (index, call) in test.calls.iter().enumerate() {
            builder.call(index, call)?;
        }
        Ok(Self { name, group: test.group, about: &test.about, steps: builder.steps })
    }
}

/// The names of the variables a request needs.
fn variables(request: &RequestTemplate) -> Vec<&str> {
    let bound = match &request.body {
        Some(Body::Json { bind, .. }) => bind.values().map(String::as_str).collect(),
        _ => Vec::new(),
    };
    request.templates().flat_map(Text::variables).chain(bound).collect()
}

struct Builder<'a> {
    suite: &'a Suite,
    test: &'a TestCase,
    scope: Scope<'a>,
    steps: Vec<Step<'a>>,
}

impl<'a> Builder<'a> {
    fn call(&mut self, index: usize, call: &'a Call) -> Result<(), EmitError> {
        self.identity_is_known(call)?;
        self.steps.push(Step::Send(Request::of(&call.request, call.identity.as_deref(), &self.scope)?));
        // What the call created must be known to the clean-up before anything can fail; where nothing is to be
        // removed, a wrong status comes first, because it explains why there is nothing to capture.
        let captures_first = self.test.cleanup.iter().any(|cleanup| self.ready_after(cleanup) == Some(index));
        let (status, rest): (Vec<_>, Vec<_>) =
            call.expect.iter().partition(|assertion| !captures_first && is_plain_status(assertion));
        self.checks(status)?;
        for capture in &call.captures {
            let is_text = matches!(capture.from, Place::Header(_));
            let variable = self.scope.declare(&capture.name, is_text);
            self.steps.push(Step::Capture { variable, from: &capture.from, take: capture.take });
        }
        self.leave_cleanup(Some(index))?;
        self.checks(rest)
    }

    fn checks(&mut self, assertions: Vec<&'a Assertion>) -> Result<(), EmitError> {
        for assertion in assertions {
            let condition = Condition::of(assertion, &self.scope)?;
            let note = assertion.note.as_deref();
            self.steps.push(Step::Check { place: &assertion.place, condition, note });
        }
        Ok(())
    }

    /// Leaves the clean-up calls that can be made from now on. They are made last first, so they are left in
    /// reverse.
    fn leave_cleanup(&mut self, after: Option<usize>) -> Result<(), EmitError> {
        let test = self.test;
        for call in test.cleanup.iter().rev() {
            if self.ready_after(call) != after {
                continue;
            }
            self.identity_is_known(call)?;
            let request = Request::of(&call.request, call.identity.as_deref(), &self.scope)?;
            self.steps.push(Step::Cleanup(request));
        }
        Ok(())
    }

    /// The call after which all variables of a clean-up call are set; `None` when that is before the first.
    fn ready_after(&self, cleanup: &Call) -> Option<usize> {
        let last_call_setting = |variable: &str| {
            let sets = |call: &Call| call.captures.iter().any(|capture| capture.name == variable);
            self.test.calls.iter().rposition(sets)
        };
        variables(&cleanup.request).into_iter().filter_map(last_call_setting).max()
    }

    fn identity_is_known(&self, call: &Call) -> Result<(), EmitError> {
        match &call.identity {
            Some(name) if !self.suite.identities.iter().any(|identity| identity.name == *name) => {
                Err(EmitError::UnknownIdentity { place: self.scope.place(), identity: name.clone() })
            }
            _ => Ok(()),
        }
    }
}

fn is_plain_status(assertion: &Assertion) -> bool {
    assertion.place == Place::Status && matches!(assertion.matcher, Matcher::Equals(_))
}

impl<'a> Step<'a> {
    /// The variable the step sets.
    pub(crate) fn sets(&self) -> Option<&Variable> {
        match self {
            Self::Fresh { variable, .. } | Self::Capture { variable, .. } => Some(variable),
            _ => None,
        }
    }

    /// Whether the step needs the variable.
    pub(crate) fn uses(&self, variable: &Variable) -> bool {
        let is_it = |piece: &Piece<'_>| matches!(piece, Piece::Variable(other) if other == variable);
        let stands_alone = match self {
            Self::Send(Request { content: Some(Content::Json(json)), .. })
            | Self::Cleanup(Request { content: Some(Content::Json(json)), .. }) => {
                let is_it = |filling: &Filling<'_, '_>| matches!(filling, Filling::Variable(other) if *other == variable);
                json.sample().1.iter().any(|(_, filling)| is_it(filling))
            }
            Self::Check { condition: Condition::Variable(other), .. } => other == variable,
            _ => false,
        };
        stands_alone || self.templates().flat_map(Template::pieces).any(is_it)
    }

    /// The templates of the step: those of its request, or what it compares with.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template<'a>> {
        let (request, condition) = match self {
            Self::Send(request) | Self::Cleanup(request) => (Some(request), None),
            Self::Check { condition, .. } => (None, Some(condition)),
            Self::Fresh { .. } | Self::Capture { .. } => (None, None),
        };
        let expected = condition.into_iter().flat_map(Condition::templates);
        request.into_iter().flat_map(Request::templates).chain(expected)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};
    use steady_model::Suite;

    use super::*;
    use crate::plan::Plan;

    fn suite(test: &Value) -> Suite {
        serde_json::from_value(json!({
            "version": 1, "api": {"title": "", "url": ""}, "seed": 1, "tests": [test],
        }))
        .unwrap()
    }

    fn call(target: &Value, captures: &[&str]) -> Value {
        let captures: Vec<Value> =
            captures.iter().map(|name| json!({"name": name, "from": "body:/id"})).collect();
        json!({
            "operation": "GET /", "request": {"method": "GET", "target": target}, "captures": captures,
            "expect": [{"where": "body:/a", "is": "present"}, {"where": "status", "is": {"equals": 200}}],
        })
    }

    fn test(calls: &Value, cleanup: &Value) -> Value {
        json!({"name": "t", "group": "successes", "about": "", "calls": calls, "cleanup": cleanup})
    }

    /// The steps in a few words.
    fn outline(test: &Value) -> Vec<String> {
        let suite = suite(test);
        let plan = Plan::of(&suite).unwrap();
        let target =
            |request: &Request<'_>| format!("{:?}", request.target.as_literal().unwrap_or("variable"));
        let words = |step: &Step<'_>| match step {
            Step::Fresh { .. } => "fresh".to_owned(),
            Step::Send(request) => format!("send {}", target(request)),
            Step::Capture { variable, .. } => format!("capture {}", variable.name.snake()),
            Step::Cleanup(request) => format!("leave {}", target(request)),
            Step::Check { place, .. } => format!("check {place}"),
        };
        plan.tests[0].steps.iter().map(words).collect()
    }

    #[test]
    fn a_wrong_status_is_reported_before_what_is_missing_because_of_it() {
        let test = test(&json!([call(&json!("/a"), &["id"])]), &json!([]));
        assert_eq!(outline(&test), ["send \"/a\"", "check status", "capture id", "check body:/a"]);
    }

    #[test]
    fn a_clean_up_is_left_as_soon_as_it_can_be_made_and_before_anything_can_fail() {
        let calls = json!([call(&json!("/a"), &["a"]), call(&json!("/b"), &["b"])]);
        let cleanup = json!([
            call(&json!(["/", {"var": "b"}]), &[]),
            call(&json!(["/", {"var": "a"}]), &[]),
            call(&json!("/first"), &[]),
            call(&json!("/second"), &[]),
        ]);
        assert_eq!(
            outline(&test(&calls, &cleanup)),
            [
                "leave \"/second\"",
                "leave \"/first\"",
                "send \"/a\"",
                "capture a",
                "leave \"variable\"",
                "check body:/a",
                "check status",
                "send \"/b\"",
                "capture b",
                "leave \"variable\"",
                "check body:/a",
                "check status",
            ]
        );
    }

    #[test]
    fn a_variable_set_twice_is_two_variables() {
        let calls = json!([call(&json!("/a"), &["id"]), call(&json!("/b"), &["id"])]);
        let outline = outline(&test(&calls, &json!([])));
        assert_eq!((outline[2].as_str(), outline[6].as_str()), ("capture id", "capture id_2"));
    }

    #[test]
    fn text_uses_its_variables_and_looks_up_its_secrets() {
        let mut first = call(&json!("/a"), &["id"]);
        first["expect"] = json!([{"where": "body:/b", "is": {"text": ["#", {"var": "id"}, {"env": "KEY"}]}}]);
        let suite = suite(&test(&json!([first]), &json!([])));
        let plan = Plan::of(&suite).unwrap();
        let [_, capture, check] = plan.tests[0].steps.as_slice() else { panic!("three steps") };
        assert!(check.uses(capture.sets().unwrap()));
        assert_eq!(plan.environment(), ["KEY"]);
    }

    #[test]
    fn what_a_suite_gets_wrong_is_named() {
        let unknown_variable = test(&json!([call(&json!(["/", {"var": "id"}]), &["id"])]), &json!([]));
        let mut as_nobody = call(&json!("/"), &[]);
        as_nobody["as"] = json!("bob");
        let mut binds_nothing = call(&json!("/"), &["id"]);
        binds_nothing["request"]["body"] = json!({"json": {"value": {}, "bind": {"/a": "id"}}});
        let cases = [
            (unknown_variable, "test `t` uses the variable `id`, which nothing before it captures"),
            (
                test(&json!([as_nobody]), &json!([])),
                "test `t` makes a call as `bob`, who is not among the suite's identities",
            ),
            (
                test(&json!([call(&json!("/"), &["id"]), binds_nothing]), &json!([])),
                "test `t` puts a variable at `/a` of a JSON body that has nothing there",
            ),
        ];
        for (test, message) in cases {
            assert_eq!(Plan::of(&suite(&test)).unwrap_err().to_string(), message);
        }
    }
}
