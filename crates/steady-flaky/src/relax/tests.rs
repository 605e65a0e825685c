//! What becomes of an assertion, by what was seen of its place.

use crate::Observation;
use serde_json::{Value, json};
use steady_model::rerun::{Category, Perturbation};
use steady_model::{
    Call, Capture, Handling, Matcher, MatcherName, Method, OperationId, Payload, Place, RequestTemplate,
    Take, Text,
};

use super::*;
use crate::classify::Step;
use crate::infer::Fact;

/// A call, answered as given, a body each time.
struct Case {
    call: Call,
    bodies: Vec<(Step, Value)>,
    variables: Vec<Value>,
    /// The process that answered, each time.
    processes: Vec<[u32; 1]>,
    own: Vec<Fact>,
}

impl Case {
    fn new(bodies: impl IntoIterator<Item = Value>) -> Self {
        let request = RequestTemplate {
            method: Method::Get,
            target: Text::new([steady_model::Segment::Literal("/x".to_owned())]),
            headers: Vec::new(),
            body: None,
        };
        let operation = OperationId::new(Method::Get, "/x".to_owned());
        let call = Call { operation, identity: None, request, captures: Vec::new(), expect: Vec::new() };
        Self {
            call,
            bodies: bodies.into_iter().map(|body| (Step::Rerun, body)).collect(),
            variables: Vec::new(),
            processes: Vec::new(),
            own: Vec::new(),
        }
    }

    fn after(mut self, step: Step, body: Value) -> Self {
        self.bodies.push((step, body));
        self
    }

    /// The variable `id`, each time.
    fn with_id(mut self, values: impl IntoIterator<Item = Value>) -> Self {
        self.variables = values.into_iter().collect();
        self
    }

    fn handled(&self, pointer: &str, policy: Policy) -> Handled {
        let expected = self.bodies[0].1.pointer(pointer).cloned().unwrap();
        let matcher = Matcher::Equals(expected);
        self.handle(&[Assertion::new(Place::Body(pointer.to_owned()), matcher)], policy)
    }

    fn handle(&self, expect: &[Assertion], policy: Policy) -> Handled {
        let observed = |(index, (step, body)): (usize, &(Step, Value))| {
            let id = self.variables.get(index).map(|value| ("id", value.clone()));
            let processes = self.processes.get(index).map_or(&[][..], |process| process.as_slice());
            Observation::new(*step, &answer(body))
                .with_variables(id.into_iter().collect())
                .of_processes(processes, None)
        };
        let observations: Vec<Observation> = self.bodies.iter().enumerate().map(observed).collect();
        let seen: Vec<&Observation> = observations.iter().collect();
        let now = "2026-03-10T12:00:00Z".parse().unwrap();
        handle(
            expect,
            &Subject {
                call: &self.call,
                seen: &seen,
                schema: None,
                now,
                own: &self.own,
                borrowed: false,
                fresh: &[],
            },
            policy,
        )
    }

    /// What is asserted of a place, by name.
    #[track_caller]
    fn says(&self, pointer: &str, matchers: &[&str]) {
        let handled = self.handled(pointer, Policy::Relax);
        let names: Vec<String> =
            handled.expect.iter().map(|assertion| assertion.matcher.name().to_string()).collect();
        assert_eq!(names, matchers, "{handled:#?}");
    }
}

fn answer(body: &Value) -> Response {
    let header = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    Response {
        status: 200,
        headers: vec![
            header("content-type", "application/json"),
            header("date", "Tue, 10 Mar 2026 12:00:00 GMT"),
        ],
        body: Payload::Text(body.to_string().into()),
        truncated: false,
    }
}

#[test]
fn a_number_that_is_the_process_id_each_time_is_of_the_environment() {
    let mut case = Case::new([json!({"worker": 812}), json!({"worker": 977}), json!({"worker": 40_311})]);
    assert_eq!(case.handled("/worker", Policy::Relax).moving[0].category, Category::Rand);
    case.processes = vec![[812], [977], [40_311]];
    assert_eq!(case.handled("/worker", Policy::Relax).moving[0].category, Category::Env);
    case.processes = vec![[812], [977], [40_312]];
    assert_eq!(case.handled("/worker", Policy::Relax).moving[0].category, Category::Rand);
}

#[test]
fn a_value_of_this_machine_that_another_one_was_expected_for_is_relaxed() {
    let mut case =
        Case::new([json!({"python": "3.11.7", "item": "lamp"}), json!({"python": "3.11.7", "item": "lamp"})]);
    case.own = vec![Fact::distinctive("3.11.7")];
    let of = |pointer: &str, expected: &str| {
        let matcher = Matcher::Equals(expected.into());
        case.handle(&[Assertion::new(Place::Body(pointer.to_owned()), matcher)], Policy::Relax)
    };
    let other = of("/python", "3.9.1");
    assert_eq!(
        (other.moving[0].category, other.expect[0].matcher.name()),
        (Category::Env, MatcherName::Pattern)
    );
    assert!(other.failing.is_empty());
    // What is no fact of the machine is wrong.
    assert_eq!(of("/item", "desk").failing, [Place::Body("/item".to_owned())]);
}

const RESTART: Step = Step::Restart;
const CLOCK: Step = Step::Perturbed(Perturbation::Clock);

#[test]
fn each_form_is_taken_when_it_is_true() {
    let ids = ["f47ac10b-58cc-4372-a567-0e02b2c3d479", "0b8e5a52-9a7e-4f0e-8f67-6d1e3c1f9a10"];
    Case::new([json!({"a": 1}), json!({"a": 1})]).says("/a", &["equals"]);
    Case::new(ids.map(|id| json!({"id": id}))).with_id(ids.map(Value::from)).says("/id", &["variable"]);
    Case::new(ids.map(|id| json!({"url": format!("/orders/{id}/lines")})))
        .with_id(ids.map(Value::from))
        .says("/url", &["text"]);
    Case::new(ids.map(|id| json!({"id": id, "self": id}))).says("/self", &["relation"]);
    Case::new([3, 7, 8].map(|jitter| json!({"base": 10, "jitter": jitter, "total": 10 + jitter})))
        .says("/total", &["relation"]);
    Case::new([0, 7, 8].map(|jitter| json!({"base": 10, "jitter": jitter, "total": 10 + jitter})))
        .says("/total", &["relation"]);
    Case::new([3, 7, 8].map(|jitter| json!({"base": 10, "jitter": jitter, "total": 10 + jitter})))
        .says("/jitter", &["integer"]);
    Case::new([
        json!({"n": 2, "all": [1, 2]}),
        json!({"n": 3, "all": [1, 2, 3]}),
        json!({"n": 1, "all": [1]}),
    ])
    .says("/n", &["relation"]);
    Case::new([json!({"tags": ["a", "b"]}), json!({"tags": ["b", "a"]})]).says("/tags", &["unordered"]);
    Case::new(ids.map(|id| json!({"id": id}))).says("/id", &["pattern"]);
    Case::new([json!({"at": "2026-03-10T12:00:01Z"}), json!({"at": "2026-03-10T12:00:02Z"})])
        .says("/at", &["pattern", "recent"]);
    Case::new([json!({"at": 1_773_144_001}), json!({"at": 1_773_144_002})])
        .says("/at", &["integer", "recent"]);
    Case::new([json!({"r": 0.5}), json!({"r": 1})]).says("/r", &["number"]);
    Case::new([json!({"r": null}), json!({"r": "x"})]).says("/r", &["present"]);
    Case::new([json!({"r": "x"}), json!({})]).says("/r", &["disabled"]);
}

#[test]
fn items_of_a_shuffled_list_are_asserted_together() {
    let case = Case::new([json!([{"a": 1}, {"a": 2}]), json!([{"a": 2}, {"a": 1}])]);
    let expect = [
        Assertion::new(Place::Body(String::new()), Matcher::Size(2)),
        Assertion::new(Place::Body("/0/a".to_owned()), Matcher::Equals(json!(1))),
        Assertion::new(Place::Body("/1/a".to_owned()), Matcher::Equals(json!(2))),
    ];
    let handled = case.handle(&expect, Policy::Relax);
    let [size, items] = handled.expect.as_slice() else { panic!("{handled:#?}") };
    assert_eq!(size.matcher, Matcher::Size(2));
    assert_eq!(items.matcher, Matcher::Unordered(vec![json!({"a": 1}), json!({"a": 2})]));
    assert_eq!((handled.moving.len(), handled.moving[0].category), (1, Category::Unord));
}

#[test]
fn a_look_alike_stays_when_what_moves_its_kind_left_it_alone() {
    let tenant = json!({"tenant": "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
    Case::new([tenant.clone(), tenant.clone()]).says("/tenant", &["pattern"]);
    Case::new([tenant.clone()]).after(RESTART, tenant).says("/tenant", &["equals"]);
    let released = json!({"released": "2026-03-01T00:00:00Z"});
    Case::new([released.clone()]).after(RESTART, released.clone()).says("/released", &["pattern"]);
    Case::new([released.clone()]).after(CLOCK, released).says("/released", &["equals"]);
}

#[test]
fn what_the_test_sends_comes_back_the_same() {
    let body = json!({"tenant": "f47ac10b-58cc-4372-a567-0e02b2c3d479"});
    let mut case = Case::new([body.clone(), body]);
    case.call.request.target =
        Text::new([steady_model::Segment::Literal("/x?t=f47ac10b-58cc-4372-a567-0e02b2c3d479".to_owned())]);
    case.says("/tenant", &["equals"]);
}

#[test]
fn what_a_later_call_needs_is_the_apis_to_choose() {
    let mut case = Case::new([json!({"id": 7}), json!({"id": 7})]);
    case.call.captures.push(Capture {
        name: "id".to_owned(),
        from: Place::Body("/id".to_owned()),
        take: Take::Whole,
    });
    case.says("/id", &["integer"]);
    assert!(case.handled("/id", Policy::Relax).moving.is_empty());
}

#[test]
fn a_start_time_is_not_a_recent_one() {
    Case::new([json!({"up": "2026-03-10T11:59:59Z"})])
        .after(RESTART, json!({"up": "2026-03-10T12:00:01Z"}))
        .says("/up", &["pattern"]);
}

#[test]
fn the_policy_decides() {
    let case = Case::new([json!({"n": 3}), json!({"n": 7})]);
    let disabled = case.handled("/n", Policy::Disable);
    assert_eq!(disabled.expect[0].matcher, Matcher::Disabled);
    assert_eq!(disabled.expect[0].note.as_deref(), Some("Flaky value of field /n: 3 vs. 7"));
    assert_eq!(disabled.moving[0].handling, Handling::Disabled);
    let kept = case.handled("/n", Policy::Keep);
    assert_eq!(kept.expect[0].matcher, Matcher::Equals(json!(3)));
    assert_eq!(kept.moving[0].handling, Handling::Kept);
}

#[test]
fn wrong_every_time_is_failing_and_not_flaky() {
    let case = Case::new([json!({"n": 3}), json!({"n": 3})]);
    let wrong = Assertion::new(Place::Body("/n".to_owned()), Matcher::Equals(json!(4)));
    let handled = case.handle(std::slice::from_ref(&wrong), Policy::Relax);
    assert_eq!((handled.expect, handled.moving.len()), (vec![wrong], 0));
    assert_eq!(handled.failing, [Place::Body("/n".to_owned())]);
}
