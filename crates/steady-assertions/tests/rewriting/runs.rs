//! The rewritten code is run: it accepts what the matcher accepts, and nothing else.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use steady_assertions::{Change, Source};
use steady_model::{Assertion, JsonType, Matcher, Relation, TimeFormat};

use super::{every, pattern, place, range, relax, rewritten};

/// A matcher for `x`, a body it accepts and one it does not.
fn cases() -> Vec<(Matcher, Value, Value)> {
    let x = |value: Value| json!({ "x": value });
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
    vec![
        (pattern("[a-z]+|-"), x(json!("ab")), x(json!("ab1"))),
        (pattern("[a-z]+"), x(json!("ab")), x(json!("ab\n"))),
        (Matcher::Unordered(vec![1.into(), 2.into()]), x(json!([2, 1])), x(json!([1, 1]))),
        (
            Matcher::Unordered(vec![json!({"a": 1, "b": 2}), json!({"a": 2})]),
            x(json!([{"a": 2}, {"b": 2, "a": 1}])),
            x(json!([{"a": 2}, {"a": 1}])),
        ),
        (Matcher::OneOf(vec![1.into(), Value::Null]), x(Value::Null), x(json!(2))),
        (range(1, 5), x(json!(5)), x(json!(6))),
        (Matcher::Size(2), x(json!([1, 2])), x(json!([1]))),
        (Matcher::Type(JsonType::Integer), x(json!(7)), x(json!("7"))),
        (Matcher::Type(JsonType::Number), x(json!(7.5)), x(json!(null))),
        (Matcher::Type(JsonType::String), x(json!("")), x(json!(1))),
        (Matcher::Present, x(Value::Null), json!({})),
        (Matcher::Absent, json!({}), x(Value::Null)),
        (Matcher::Recent(TimeFormat::Seconds), x(json!(now)), x(json!(18_000_000_000_i64))),
        (Matcher::Recent(TimeFormat::Seconds), x(json!(now)), x(json!(now - 2 * 60 * 60))),
        (Matcher::Recent(TimeFormat::Seconds), x(json!(now)), x(json!(now.to_string()))),
        (Matcher::Recent(TimeFormat::Milliseconds), x(json!(now * 1000)), x(json!(now))),
        (
            Matcher::Relation(Relation::Same(place("body:/y"))),
            json!({ "x": 4, "y": 4 }),
            json!({ "x": 4, "y": 5 }),
        ),
        (
            Matcher::Relation(Relation::Sum(vec![place("body:/y"), place("body:/z/0")])),
            json!({ "x": 0.3, "y": 0.1, "z": [0.2] }),
            json!({ "x": 0.4, "y": 0.1, "z": [0.2] }),
        ),
        (
            Matcher::Relation(Relation::Count(place("body:/z"))),
            json!({ "x": 2, "z": [0, 0] }),
            json!({ "x": 3, "z": [0, 0] }),
        ),
    ]
}

/// Runs a program on a file and says whether it succeeded, with what it said.
fn run(program: &str, arguments: &[&str], file: &Path) -> (bool, String) {
    let output = Command::new(program).args(arguments).arg(file).output().unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.success(), String::from_utf8_lossy(&said).into_owned())
}

/// What a test of Python needs around it: a client that answers with `BODY`.
const PYTHON_HEAD: &str = "
import sys, unittest
BODY = None
class Answer:
    status_code = 200
    def json(self):
        return BODY
class Client:
    def get(self, url):
        return Answer()
c = Client()
";

#[test]
fn python_accepts_and_rejects() {
    let mut script = String::from(PYTHON_HEAD);
    script.push_str("class Tests(unittest.TestCase):\n    pass\n");
    let mut calls = String::new();
    for (at, (matcher, good, bad)) in cases().into_iter().enumerate() {
        for (form, assertion) in [
            ("pytest", "assert r.json()[\"x\"] == 3"),
            ("unittest", "self.assertEqual(3, r.json()[\"x\"])"),
            ("whole", "assert r.json() == {\"x\": 3}"),
        ] {
            // With the object compared whole, another field is a difference.
            let other = good.get("y").or(good.get("z")).is_some();
            if form == "whole" && (other || good == json!({})) {
                continue;
            }
            let text = format!("def test_it(self):\n    r = c.get(1)\n    {assertion}\n");
            let new = rewritten("a.py", &text, 0, relax("body:/x", matcher.clone())).unwrap();
            let literal = |value: &Value| serde_json::to_string(&value.to_string()).unwrap();
            script.push_str(&format!("\n{new}\ntest_{at}_{form} = test_it\n"));
            let name = matcher.name();
            calls.push_str(&format!(
                "check('{form} {name} {at}', test_{at}_{form}, {}, {})\n",
                literal(&good),
                literal(&bad)
            ));
        }
    }
    script.push_str(
        "
import json
failed = []
def passes(test, body):
    global BODY
    BODY = json.loads(body)
    try:
        test(Tests())
    except Exception:
        return False
    return True
def check(name, test, good, bad):
    if not passes(test, good):
        failed.append(name + ' rejects ' + good)
    if passes(test, bad):
        failed.append(name + ' accepts ' + bad)
",
    );
    script.push_str(&calls);
    script.push_str("print('\\n'.join(failed))\nsys.exit(1 if failed else 0)\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.py");
    fs::write(&file, script).unwrap();
    let (passed, said) = run("python3", &[], &file);
    assert!(passed, "{said}");
}

/// The part of Jest that the rewritten code uses.
const JEST_HEAD: &str = r#"
const fails = (what) => { throw new Error(what); };
class Any { constructor(type) { this.type = type; }
  asymmetric(v) { return this.type === Object ? typeof v === "object" && v !== null : v != null && Object(v) instanceof this.type; } }
class Matching { constructor(regex) { this.regex = regex; } asymmetric(v) { return typeof v === "string" && this.regex.test(v); } }
class Containing { constructor(items) { this.items = items; }
  asymmetric(v) { return Array.isArray(v) && this.items.every((item) => v.some((other) => equal(other, item))); } }
const equal = (a, b) => {
  if (b && typeof b.asymmetric === "function") return b.asymmetric(a);
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return Object.is(a, b);
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const keys = (o) => Object.keys(o).filter((key) => o[key] !== undefined);
  return keys(a).length === keys(b).length && keys(a).every((key) => equal(a[key], b[key]));
};
const expect = (v) => ({
  toBe: (e) => Object.is(v, e) || fails("toBe"),
  toEqual: (e) => equal(v, e) || fails("toEqual"),
  toMatch: (e) => (typeof v === "string" && e.test(v)) || fails("toMatch"),
  toContain: (e) => v.includes(e) || fails("toContain"),
  toHaveLength: (e) => v.length === e || fails("toHaveLength"),
  toBeNull: () => v === null || fails("toBeNull"),
  toBeDefined: () => v !== undefined || fails("toBeDefined"),
  toBeUndefined: () => v === undefined || fails("toBeUndefined"),
  toBeGreaterThan: (e) => (typeof v === "number" && v > e) || fails("toBeGreaterThan"),
  toBeLessThan: (e) => (typeof v === "number" && v < e) || fails("toBeLessThan"),
  toBeGreaterThanOrEqual: (e) => (typeof v === "number" && v >= e) || fails("toBeGreaterThanOrEqual"),
  toBeLessThanOrEqual: (e) => (typeof v === "number" && v <= e) || fails("toBeLessThanOrEqual"),
});
expect.any = (type) => new Any(type);
expect.anything = () => ({ asymmetric: (v) => v != null });
expect.stringMatching = (regex) => new Matching(regex);
expect.arrayContaining = (items) => new Containing(items);
let BODY = null, run = null;
const test = (name, body) => { run = body; };
const c = { get: async () => ({ status: 200, body: BODY, json: async () => BODY }) };
const failed = [];
const passes = async (test, body) => {
  BODY = JSON.parse(body);
  try { await test(); return true; } catch { return false; }
};
const check = async (name, test, good, bad) => {
  if (!(await passes(test, good))) failed.push(`${name} rejects ${good}`);
  if (await passes(test, bad)) failed.push(`${name} accepts ${bad}`);
};
(async () => {
"#;

#[test]
fn javascript_accepts_and_rejects() {
    let mut script = String::from(JEST_HEAD);
    for (at, (matcher, good, bad)) in cases().into_iter().enumerate() {
        for (form, assertion) in [
            ("field", "expect(r.body.x).toBe(3);"),
            ("whole", "expect(r.body).toEqual({ x: 3 });"),
            ("fetch", "const b = await r.json();\n    expect(b.x).toBe(3);"),
        ] {
            let other = good.get("y").or(good.get("z")).is_some();
            if form == "whole" && (other || good == json!({})) {
                continue;
            }
            let text =
                format!("test('a', async () => {{\n    const r = await c.get(1);\n    {assertion}\n}});\n");
            let new = rewritten("a.js", &text, 0, relax("body:/x", matcher.clone())).unwrap();
            let literal = |value: &Value| serde_json::to_string(&value.to_string()).unwrap();
            let name = matcher.name();
            script.push_str(&format!(
                "{new}await check('{form} {name} {at}', run, {}, {});\n",
                literal(&good),
                literal(&bad)
            ));
        }
    }
    script.push_str("console.log(failed.join('\\n')); process.exit(failed.length);\n})();\n");
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("run.js");
    fs::write(&file, script).unwrap();
    let (passed, said) = run("node", &[], &file);
    assert!(passed, "{said}");
}

#[test]
fn every_rewritten_file_compiles() {
    let python = "class T(unittest.TestCase):\n    async def test_a(self):\n        r = await c.get(u)\n        \
                  if x: assert r.json()[\"x\"] == 3; y()\n        with z:\n            assert r.json()[\"x\"] == 3\n        \
                  self.assertEqual(r.json(), {\"x\": [1,\n          2]}); z()\n";
    let script = "test('a', async () => {\n  const r = await superagent.get(u)\n  expect(r.body.x).toBe(3)\n  \
                  if (y) { expect(r.body).toEqual({ x: 3 }) }\n  await request(app).get('/').expect(200)\n});\n";
    let folder = tempfile::tempdir().unwrap();
    for (path, text, program, arguments) in [
        ("a.py", python, "python3", &["-m", "py_compile"] as &[&str]),
        ("a.js", script, "node", &["--check"]),
    ] {
        let source = Source::read(path, text).unwrap();
        assert_eq!(source.assertions().len(), 3);
        let mut parts = Vec::new();
        for (at, matcher) in every() {
            let note = Some("why".to_owned());
            let relaxed = Assertion::new(place(at), matcher).noted(note);
            for index in 0..3 {
                let change = Change::Relax(vec![relaxed.clone()]);
                parts.push(source.rewrite(&[(index, change)]).unwrap().text);
            }
        }
        let disable = |index| (index, super::disable("why"));
        parts.push(source.rewrite(&[disable(0), disable(1), disable(2)]).unwrap().text);
        let file = folder.path().join(path);
        fs::write(&file, parts.join("\n")).unwrap();
        let (passed, said) = run(program, arguments, &file);
        assert!(passed, "{said}");
    }
}
