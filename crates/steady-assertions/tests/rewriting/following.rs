//! Values that reach an assertion through a function, a hook, a list of parts or a call of SuperTest.

use std::sync::Arc;

use serde_json::json;
use steady_assertions::{Change, FixtureFile, Source};
use steady_model::{Assertion, JsonType, Matcher};

use super::{added, disable, pattern, place, relax, rewritten};

/// What is asserted: test, line, lines of the request and places.
fn listed(path: &str, text: &str) -> Vec<String> {
    let source = Source::read(path, text).unwrap();
    let assertions = source.assertions().iter();
    assertions
        .map(|found| {
            let places: Vec<String> = found.places.iter().map(|place| place.place.to_string()).collect();
            let also: String = found.also.iter().map(|call| format!("+{}", call.first_line)).collect();
            format!("{} {} @{}{also} {}", found.test, found.line, found.call.first_line, places.join(" "))
        })
        .collect()
}

const HELPER: &str = "def place(item):
    r = requests.post(u, json=item)
    assert r.status_code == 201
    return r.json()


def test_a():
    order = place(\"pear\")
    assert order[\"ref\"] == \"a1\"


def test_b():
    assert place(\"fig\")[\"ref\"] == \"a1\"
";

#[test]
fn a_function_of_the_file_is_read_where_it_is_called() {
    assert_eq!(
        listed("a.py", HELPER),
        ["test_a 3 @2 status", "test_a 9 @8 body:/ref", "test_b 13 @13 body:/ref"]
    );
    let lines = added("a.py", HELPER, 1, relax("body:/ref", pattern("[0-9a-f]+")));
    assert_eq!(lines, ["import re", r#"assert re.fullmatch(r"[0-9a-f]+", order["ref"])"#]);
}

#[test]
fn an_assertion_in_a_function_is_about_the_requests_of_all_who_call_it() {
    let text = "function same(note) {
  expect(note.id).toBe('a');
}
const make = async (title) => (await request(app).post('/notes').send({ title })).body;
it('one', async () => {
  same(await make('x'));
});
it('two', async () => {
  const made = await make('y');
  same(made);
});
";
    assert_eq!(listed("a.js", text), ["one 2 @6+9 body:/id"]);
}

#[test]
fn what_runs_before_each_test_is_read_first() {
    let text = "describe('n', () => {
  let note;
  beforeEach(async () => {
    const res = await request(app).post('/notes');
    note = res.body;
  });
  it('a', () => {
    expect(note.at).toBe('x');
  });
});
";
    assert_eq!(listed("a.js", text), ["n a 8 @4 body:/at"]);
    let fixture = "@pytest.fixture
def order(api):
    return api.post(u).json()


def test_a(order):
    assert order[\"ref\"] == \"x\"
";
    assert_eq!(listed("a.py", fixture), ["test_a 7 @3 body:/ref"]);
}

/// What a file of Python asserts with these files of fixtures, the nearest first: line, file and line of the request, places.
fn listed_with(text: &str, fixtures: &[(&str, &str)]) -> Vec<String> {
    let read = |(path, text): &(&str, &str)| Arc::new(FixtureFile::read(*path, *text).unwrap());
    let files: Vec<Arc<FixtureFile>> = fixtures.iter().map(read).collect();
    let source = Source::read_with("tests/test_a.py", text, &files).unwrap();
    let assertions = source.assertions().iter();
    assertions
        .map(|found| {
            let places: Vec<String> = found.places.iter().map(|place| place.place.to_string()).collect();
            let file = source.file_of(&found.call).display().to_string();
            format!("{} {file}:{} {}", found.line, found.call.first_line, places.join(" "))
        })
        .collect()
}

#[test]
fn fixtures_of_other_files_are_followed() {
    let near = "@pytest.fixture
def order(api):
    response = api.post(u)
    assert response.status_code == 201
    yield response.get_json()


@pytest.fixture(params=[1, 2])
def client(client, request):
    return client.as_user(request.param)


def create():
    return api.post(u)
";
    let far = "@pytest.fixture
def order(api):
    return None


@pytest.fixture
def placed(order):
    body = order
    return body


@pytest.fixture(scope=\"session\")
def client():
    return make_client()
";
    let fixtures = [("tests/conftest.py", near), ("conftest.py", far)];
    let text = "def test_a(order):
    assert order[\"ref\"] == \"x\"


def test_b(placed, client):
    assert placed[\"ref\"] == \"x\"
    assert client.get(\"/orders\").json()[\"count\"] == 3


def test_c(create):
    assert create[\"ref\"] == \"x\"
";
    assert_eq!(
        listed_with(text, &fixtures),
        [
            "2 tests/conftest.py:3 body:/ref",
            "6 tests/conftest.py:3 body:/ref",
            "7 tests/test_a.py:7 body:/count"
        ]
    );
    let file = Arc::new(FixtureFile::read("tests/conftest.py", near).unwrap());
    let source = Source::read_with("tests/test_a.py", text, &[file]).unwrap();
    let new = source.rewrite(&[(0, relax("body:/ref", pattern("[0-9]+")))]).unwrap().text;
    assert!(new.contains("    assert re.fullmatch(r\"[0-9]+\", order[\"ref\"])\n"), "{new}");
    // A fixture of the file itself comes first.
    let own = format!("@pytest.fixture\ndef order():\n    return c.get(u).json()\n\n\n{text}");
    assert_eq!(listed_with(&own, &fixtures)[0], "7 tests/test_a.py:3 body:/ref");
}

#[test]
fn what_a_function_elsewhere_returns_may_send_requests_itself() {
    let text = "def test_a():
    client = make_client()
    assert client.get(\"/orders/1\").json()[\"id\"] == 1
    body = load()
    assert body.get(\"id\") == 1
";
    assert_eq!(listed("a.py", text), ["test_a 3 @3 body:/id", "test_a 5 @4 body:/id"]);
}

#[test]
fn a_parameter_that_is_taken_apart_is_followed() {
    let text = "it('a', async () => {
  const res = await request(app).get(u).expect(({ body }) => {
    expect(body.total).toBe(2);
  });
  const ids = res.body.items.map(({ id }) => id);
  expect(ids).toEqual([1, 2]);
  expect(res.body.items.map(({ tag: label }) => label)).toEqual(['a', 'b']);
});
";
    assert_eq!(
        listed("a.js", text),
        [
            "a 3 @2 body:/total",
            "a 6 @2 body:/items body:/items/0/id body:/items/1/id",
            "a 7 @2 body:/items body:/items/0/tag body:/items/1/tag"
        ]
    );
}

#[test]
fn data_of_what_a_function_elsewhere_returns_is_only_assumed_to_be_the_body() {
    let text = "it('a', async () => {
  const titles = (await load('/notes')).data.map((one) => one.title);
  expect(titles).toEqual(['alpha']);
});
";
    assert!(Source::read("a.js", text).unwrap().assertions()[0].assumed);
}

#[test]
fn a_part_of_every_item_is_compared_in_any_order() {
    let shuffled = || {
        let items = vec![json!({"id": 1, "tag": "a"}), json!({"id": 2, "tag": "b"})];
        relax("body:/items", Matcher::Unordered(items))
    };
    let python = "def test_a():
    body = c.get(u).json()
    assert [x[\"id\"] for x in body[\"items\"]] == [1, 2]
";
    assert_eq!(listed("a.py", python), ["test_a 3 @2 body:/items body:/items/0/id body:/items/1/id"]);
    let sorted = r#"assert sorted([x["id"] for x in body["items"]]) == sorted([1, 2])"#;
    assert_eq!(added("a.py", python, 0, shuffled()), [sorted]);
    let script = "it('a', async () => {
  const { body } = await request(app).get(u);
  const ids = body.items.map((x) => x.id);
  expect(ids).toEqual([1, 2]);
});
";
    assert_eq!(added("a.js", script, 0, shuffled()), ["expect([...ids].sort()).toEqual([1, 2].sort());"]);
    let changed = relax("body:/items/1/id", Matcher::Type(JsonType::Number));
    assert_eq!(added("a.js", script, 0, changed), ["expect(ids).toEqual([1, expect.any(Number)]);"]);
}

#[test]
fn one_item_of_a_list_without_order_is_looked_for_in_the_list() {
    let shuffled =
        || relax("body:", Matcher::Unordered(vec![json!({"name": "pear"}), json!({"name": "fig"})]));
    let python = "def test_a():
    products = c.get(u).json()
    assert products[0][\"name\"] == \"pear\"
";
    assert_eq!(
        added("a.py", python, 0, shuffled()),
        [r#"assert "pear" in [item["name"] for item in products]"#]
    );
    let script = "it('a', async () => {
  const r = await request(app).get(u);
  expect(r.body[0].name).toBe('pear');
});
";
    assert_eq!(
        added("a.js", script, 0, shuffled()),
        [r#"expect(r.body.map((item) => item.name)).toContain("pear");"#]
    );
}

#[test]
fn a_line_that_says_what_another_says_is_not_written_twice() {
    let text = "def test_a():
    body = c.get(u).json()
    assert body[\"id\"] == \"a\"
    assert body[\"id\"] == \"b\"
";
    let source = Source::read("a.py", text).unwrap();
    let change = |index| (index, relax("body:/id", Matcher::Type(JsonType::String)));
    let new = source.rewrite(&[change(0), change(1)]).unwrap().text;
    assert_eq!(new.matches("isinstance").count(), 1, "{new}");
    assert!(!new.contains("pass"), "{new}");
}

#[test]
fn a_body_that_is_asked_for_in_the_assertion_is_split_by_field() {
    let text = "def test_a():
    assert requests.get(u).json() == {\"status\": \"ok\", \"uptime\": 3.5, \"host\": \"api-1\"}
";
    let places = vec![
        Assertion::new(place("body:/uptime"), Matcher::Type(JsonType::Number)),
        Assertion::new(place("body:/host"), pattern("api-[0-9]+")),
    ];
    let new = rewritten("a.py", text, 0, Change::Relax(places)).unwrap();
    assert_eq!(
        new,
        "import re
from unittest.mock import ANY
def test_a():
    body = requests.get(u).json()
    assert body == {\"status\": \"ok\", \"uptime\": ANY, \"host\": ANY}
    assert isinstance(body[\"uptime\"], (int, float))
    assert re.fullmatch(r\"api-[0-9]+\", body[\"host\"])
"
    );
}

#[test]
fn a_field_of_an_earlier_response_is_compared_with_it() {
    let text = "@pytest.fixture
def order():
    return c.post(u).json()

def test_a(order):
    items = c.get(u).json()[\"items\"]
    again = c.get(u).json()
    assert again[\"ref\"] == \"x\"
    assert again == {\"ref\": \"x\", \"n\": 1}
";
    let source = Source::read("a.py", text).unwrap();
    let held = &source.assertions()[0].held;
    let named: Vec<(&str, &str, usize)> =
        held.iter().map(|held| (held.name.as_str(), held.pointer.as_str(), held.call.first_line)).collect();
    assert_eq!(named, [("items", "/items", 6), ("order", "", 3)]);
    assert_eq!(held[1].variable("/ref").as_deref(), Some("order/ref"));
    assert_eq!(held[0].variable("/items/0/ref").as_deref(), Some("items/0/ref"));
    assert_eq!(held[0].variable("/itemsize"), None);
    let same = || relax("body:/ref", Matcher::Variable("order/ref".to_owned()));
    assert_eq!(added("a.py", text, 0, same()), [r#"assert again["ref"] == order["ref"]"#]);
    assert_eq!(added("a.py", text, 1, same()), [r#"assert again == {"ref": order["ref"], "n": 1}"#]);
    let script = "let note;
beforeEach(async () => {
  note = (await request(app).post(u)).body;
});
it('a', async () => {
  const again = (await request(app).get(u)).body;
  expect(again.ref).toBe('x');
  expect(again).toEqual({ ref: 'x', n: 1 });
});
";
    let same = || relax("body:/ref", Matcher::Variable("note/ref".to_owned()));
    assert_eq!(added("a.js", script, 0, same()), ["expect(again.ref).toBe(note.ref);"]);
    assert_eq!(added("a.js", script, 1, same()), ["expect(again).toEqual({ ref: note.ref, n: 1 });"]);
}

#[test]
fn a_request_that_an_assertion_makes_is_made_without_it() {
    let text = "def test_a():\n    assert requests.get(u).json() == {\"id\": 3}\n";
    let new = rewritten("a.py", text, 0, disable("varies")).unwrap();
    assert!(new.ends_with("\n    requests.get(u)\n") && !new.contains("pass"), "{new}");
}

const SUPERTEST: &str = "it('a', () =>
  request(app)
    .get('/stats')
    .expect(200, { today: '2026-11-18', open: 3 })
    .expect((res) => {
      expect(res.body.open).toBe(3);
    }));
";

#[test]
fn supertest_compares_a_body_field_by_field() {
    assert_eq!(listed("a.js", SUPERTEST), ["a 4 @2 status body:/today body:/open", "a 6 @2 body:/open"]);
    let new = rewritten("a.js", SUPERTEST, 0, relax("body:/today", pattern("[0-9]{4}"))).unwrap();
    assert!(
        new.contains(
            "    .expect(200)
    .expect((res) => { expect(res.body).toEqual({ today: expect.stringMatching(/^[0-9]{4}$/), open: 3 }); })
    .expect((res) => {"
        ),
        "{new}"
    );
}

#[test]
fn the_result_of_a_function_elsewhere_is_a_body_by_its_use() {
    let text = "def test_a():
    order = create_order(2)
    assert order[\"total\"] == 3
    assert order == {\"total\": 3}
";
    assert_eq!(listed("a.py", text), ["test_a 3 @2 body:/total", "test_a 4 @2 body:/total"]);
    assert!(Source::read("a.py", text).unwrap().assertions().iter().all(|found| found.assumed));
    let response = "def test_a():\n    r = create(2)\n    assert r.status_code == 201\n";
    assert!(!Source::read("a.py", response).unwrap().assertions()[0].assumed);
}

#[test]
fn assertions_that_lead_to_no_response_are_listed_with_the_reason() {
    let text = "def test_a(order):
    r = requests.get(u)
    assert order[\"ref\"] == \"x\"
    assert r.json()[\"total\"] == total
    for name in r.json():
        assert name == \"x\"
";
    let source = Source::read("a.py", text).unwrap();
    let told: Vec<(usize, &str)> =
        source.not_followed().iter().map(|entry| (entry.line, entry.reason)).collect();
    assert_eq!(
        told,
        [
            (3, "its value is not followed back to a response"),
            (4, "it compares a response in a way that is not followed, or with a value that is computed"),
            (6, "it stands in a loop or a block that may run any number of times"),
        ]
    );
}

/// What a file asserts that imports from another, and what is not followed in it.
fn listed_importing(path: &str, text: &str, helper: (&str, &str, &str)) -> (Vec<String>, Vec<String>) {
    let (file, code, module) = helper;
    let files = [Arc::new(FixtureFile::imported(file, code, module).unwrap())];
    let source = Source::read_with(path, text, &files).unwrap();
    let found = source.assertions().iter().map(|found| {
        let places: Vec<String> = found.places.iter().map(|place| place.place.to_string()).collect();
        format!("{} @{} {}", found.line, found.call.first_line, places.join(" "))
    });
    let not = source.not_followed().iter().map(|not| format!("{} {}", not.line, not.reason));
    (found.collect(), not.collect())
}

#[test]
fn functions_of_files_that_are_imported_from_are_followed() {
    let helper = "import { app } from '../app';
export const titles = (body) => body.map((note) => note.title);
export async function make(title) {
  const res = await request(app).post('/notes').send({ title });
  return res.body;
}
";
    let test = "import { titles as names, make } from './read';
it('a', async () => {
  const res = await request(app).get('/notes');
  expect(names(res.body)).toEqual(['x']);
  const note = await make('y');
  expect(note.id).toBe(7);
});
";
    let (found, not) = listed_importing("t/a.test.js", test, ("t/read.js", helper, "./read"));
    assert_eq!(found, ["4 @3 body: body:/0/title", "6 @5 body:/id"]);
    assert_eq!(not, Vec::<String>::new());
    let client = "def place(item):
    r = requests.post(u, json=item)
    return r.json()
";
    let test = "from client import place as order


def test_a():
    made = order(\"pear\")
    assert made[\"ref\"] == \"a1\"
";
    let (found, _) = listed_importing("tests/test_a.py", test, ("tests/client.py", client, "client"));
    assert_eq!(found, ["6 @5 body:/ref"]);
}

#[test]
fn what_a_function_of_another_file_asserts_is_named_where_it_is_called() {
    let helper = "def check(order):
    assert order[\"ref\"] == \"a1\"
";
    let test = "from .checks import check


def test_a():
    r = requests.get(u)
    check(r.json())
";
    let (found, not) = listed_importing("tests/test_a.py", test, ("tests/checks.py", helper, ".checks"));
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(not, ["6 it asserts in a function of another file, which is not rewritten"]);
}
