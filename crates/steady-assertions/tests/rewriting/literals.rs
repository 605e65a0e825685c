//! Objects and arrays that are compared whole.

use serde_json::json;
use steady_assertions::Change;
use steady_model::{Assertion, JsonType, Matcher, Relation};

use super::{pattern, place, relax, rewritten};

const JEST: &str = "it('a', async () => {
  const r = await superagent.get(u);
  expect(r.body).toEqual({ id: 3, name: 'x', tags: ['b', 'a'], at: { s: 'y' } });
});
";

fn several(places: Vec<(&str, Matcher)>) -> Change {
    let relaxed = places
        .into_iter()
        .map(|(at, matcher)| Assertion::new(place(at), matcher).noted(Some(format!("{at} varies"))));
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
  expect(r.body).toEqual({ id: expect.any(Number), name: 'x', tags: expect.any(Array), at: { s: expect.stringMatching(/^[a-z]+$/) } });
  expect([...r.body.tags].sort()).toEqual([\"b\", \"a\"].sort());
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
    assert!(new.contains("  const body = await r.json();\n"), "{new}");
    assert!(
        new.contains("expect(body).toEqual({ id: body.id, name: 'x', tags: expect.any(Array), at:"),
        "{new}"
    );
    assert!(new.contains("expect([...body.tags].sort()).toEqual([\"a\"].sort());"), "{new}");
}

#[test]
fn python_compares_the_rest_whole() {
    let text = "def test_a():\n    body = c.get(u).json()\n    assert body == {\n        \"id\": 3,\n        \"name\": \"x\",  # why\n    }\n";
    let change = several(vec![("body:/id", Matcher::Type(JsonType::Integer))]);
    assert_eq!(
        rewritten("a.py", text, 0, change).unwrap(),
        "from unittest.mock import ANY\ndef test_a():\n    body = c.get(u).json()\n    # body:/id varies\n    assert body == {\n        \"id\": ANY,\n        \"name\": \"x\",  # why\n    }\n    assert isinstance(body[\"id\"], int)\n"
    );
}

#[test]
fn no_field_is_compared_with_itself() {
    let python = "from unittest import mock\n\ndef test_a():\n    body = c.get(u).json()\n    assert body == {\"n\": 2, \"items\": [{\"b\": 1}, {\"a\": 2}], \"copy\": 3, \"name\": \"x\"}\n";
    let change = several(vec![
        ("body:/n", Matcher::Relation(Relation::Count(place("body:/items")))),
        ("body:/items", Matcher::Unordered(vec![json!({"a": 2}), json!({"b": 1})])),
        ("body:/copy", Matcher::Relation(Relation::Same(place("body:/n")))),
        ("body:/name", Matcher::Equals("y".into())),
    ]);
    let new = rewritten("a.py", python, 0, change).unwrap();
    let whole =
        r#"assert body == {"n": len(body["items"]), "items": mock.ANY, "copy": body["n"], "name": "y"}"#;
    assert!(new.contains(whole) && !new.contains("import ANY"), "{new}");
    // The items are in the order in which the test had them, and what is said in the place is not said again.
    assert!(new.contains(r#"== sorted([{"b": 1}, {"a": 2}], key"#), "{new}");
    assert_eq!(new.matches("assert ").count(), 2, "{new}");

    let change = several(vec![("body:/id", Matcher::Type(JsonType::Integer))]);
    let new = rewritten("a.js", JEST, 0, change).unwrap();
    assert!(new.contains("toEqual({ id: expect.any(Number), name: 'x',"), "{new}");
    assert!(new.contains("expect(Number.isInteger(r.body.id)).toBe(true);"), "{new}");
}

#[test]
fn what_equals_everything_has_the_name_that_the_file_gives_it() {
    let test = "def test_a():\n    body = c.get(u).json()\n    assert body == {\"id\": 3}\n";
    for (head, import, name) in [
        ("import os\n\n", "import os\nfrom unittest.mock import ANY\n", " ANY}"),
        ("from unittest.mock import ANY, patch\n\n", "from unittest.mock import ANY, patch\n", " ANY}"),
        (
            "from unittest.mock import patch\n\n",
            "from unittest.mock import ANY\nfrom unittest.mock import patch\n",
            " ANY}",
        ),
        ("from shop import ANY\n\n", "import unittest.mock\n\nfrom shop import ANY\n", " unittest.mock.ANY}"),
    ] {
        let change = relax("body:/id", Matcher::Type(JsonType::Integer));
        let new = rewritten("a.py", &format!("{head}{test}"), 0, change).unwrap();
        assert!(new.starts_with(import) && new.contains(name), "{new}");
    }
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
