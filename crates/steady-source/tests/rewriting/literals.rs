//! Objects and arrays that are compared whole.

use steady_model::{Assertion, JsonType, Matcher};
use steady_source::Change;

use super::{pattern, place, relax, rewritten};

const JEST: &str = "it('a', async () => {
  const r = await superagent.get(u);
  expect(r.body).toEqual({ id: 3, name: 'x', tags: ['b', 'a'], at: { s: 'y' } });
});
";

fn several(places: Vec<(&str, Matcher)>) -> Change {
    let relaxed = places.into_iter().map(|(at, matcher)| Assertion {
        place: place(at),
        matcher,
        note: Some(format!("{at} varies")),
    });
    Change::Relax(relaxed.collect())
}

#[test]
fn jest_matches_inside_of_the_object() {
    let change = several(vec![
        ("body:/at/s", pattern("[a-z]+")),
        ("body:/tags", Matcher::Unordered(vec!["a".into(), "b".into()])),
        ("body:/id", Matcher::Type(JsonType::Number)),
        ("body:/name", Matcher::Equals("x".into())),
    ]);
    assert_eq!(
        rewritten("a.ts", JEST, 0, change).unwrap(),
        "it('a', async () => {
  const r = await superagent.get(u);
  // body:/at/s varies
  // body:/tags varies
  // body:/id varies
  expect(r.body).toEqual({ id: expect.any(Number), name: 'x', tags: r.body.tags, at: { s: expect.stringMatching(/^[a-z]+$/) } });
  expect([...r.body.tags].sort()).toEqual([\"a\", \"b\"].sort());
});
"
    );
}

#[test]
fn a_body_that_can_be_read_once_is_read_once() {
    let text = JEST.replace("r.body)", "await r.json())");
    let change =
        several(vec![("body:/tags", Matcher::Unordered(vec!["a".into()])), ("body:/id", Matcher::Disabled)]);
    let new = rewritten("a.js", &text, 0, change).unwrap();
    assert!(
        new.contains(
            "toEqual({ id: expect.anything(), name: 'x', tags: expect.arrayContaining([\"a\"]), at:"
        ),
        "{new}"
    );
}

#[test]
fn python_compares_the_rest_whole() {
    let text = "def test_a():\n    body = c.get(u).json()\n    assert body == {\n        \"id\": 3,\n        \"name\": \"x\",  # why\n    }\n";
    let change = several(vec![("body:/id", Matcher::Type(JsonType::Integer))]);
    assert_eq!(
        rewritten("a.py", text, 0, change).unwrap(),
        "def test_a():\n    body = c.get(u).json()\n    # body:/id varies\n    assert body == {\n        \"id\": body[\"id\"],\n        \"name\": \"x\",  # why\n    }\n    assert isinstance(body[\"id\"], int)\n"
    );
}

#[test]
fn the_whole_may_be_replaced() {
    let change = relax("body:", Matcher::Type(JsonType::Object));
    let new = rewritten("a.js", JEST, 0, change).unwrap();
    assert!(new.contains("\n  expect(r.body).toEqual(expect.any(Object));\n"), "{new}");
}

#[test]
fn what_stays_the_same_changes_nothing() {
    let change = relax("body:/id", Matcher::Equals(3.into()));
    assert_eq!(rewritten("a.js", JEST, 0, change).unwrap(), JEST);
}

#[test]
fn several_paths_of_one_call_become_several_calls() {
    let text = "class T {\n  @Test\n  void a() {\n    get(\"/\").then()\n      .body(\"a\", is(1), \"b\", is(2));\n  }\n}\n";
    let change =
        several(vec![("body:/a", Matcher::Type(JsonType::String)), ("body:/b", Matcher::Equals(2.into()))]);
    assert_eq!(
        rewritten("T.java", text, 0, change).unwrap(),
        "import static org.hamcrest.Matchers.equalTo;\nimport static org.hamcrest.Matchers.instanceOf;\n\nclass T {\n  @Test\n  void a() {\n    get(\"/\").then()\n      // body:/a varies\n      .body(\"a\", instanceOf(String.class))\n      // body:/b varies\n      .body(\"b\", equalTo(2));\n  }\n}\n"
    );
}
