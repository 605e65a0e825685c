//! Times that are near now are compared with the clock, and keep their form.

use serde_json::json;
use steady_assertions::Change;
use steady_model::{Assertion, JsonType, Matcher, TimeFormat};

use super::{added, pattern, place, relax, rewritten};

/// What is said of a time: its form, then that it is near.
fn near(at: &str, form: Matcher, format: TimeFormat) -> Change {
    let noted = Assertion::new(place(at), form).noted(Some("varies".to_owned()));
    Change::Relax(vec![noted, Assertion::new(place(at), Matcher::Recent(format))])
}

fn python(value: &str) -> String {
    format!("def test_a():\n    r = c.get(u)\n    assert r.json()[\"at\"] == {value}\n")
}

fn script(assertion: &str) -> String {
    format!("it('a', async () => {{\n  const r = await request(app).get(u);\n  {assertion}\n}});\n")
}

#[test]
fn a_date_that_goes_with_the_clock_is_compared_with_it() {
    let today = || relax("body:/at", Matcher::Recent(TimeFormat::Date));
    let near = "abs((datetime.date.fromisoformat(r.json()[\"at\"]) - datetime.date.today()).days) <= 1";
    assert_eq!(
        added("a.py", &python("\"2026-11-18\""), 0, today()),
        ["import datetime".to_owned(), format!("assert {near}")]
    );
    // One statement needs no variable.
    let once = "def test_a():\n    assert c.get(u).json()[\"at\"] == \"2026-11-18\"\n";
    assert_eq!(
        added("a.py", once, 0, today()),
        ["import datetime".to_owned(), format!("assert {}", near.replace("r.json()", "c.get(u).json()"))]
    );
    // One of three texts: another form of the same day is none of them.
    assert_eq!(
        added("a.js", &script("expect(r.body.at).toBe('2026-11-18');"), 0, today()),
        [
            "expect([-1, 0, 1].map((days) => new Date(Date.now() + days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10))).toContain(r.body.at);"
        ]
    );
}

#[test]
fn an_instant_of_python_is_read_strictly() {
    let change = || near("body:/at", pattern("[0-9TZ:.-]+"), TimeFormat::Rfc3339);
    let now = "datetime.datetime.now(datetime.timezone.utc)";
    for (value, read) in [
        ("2026-01-05T10:00:00.000001+00:00", "r.json()[\"at\"]"),
        ("2026-01-05T10:00:00.123Z", "r.json()[\"at\"].replace(\"Z\", \"+00:00\")"),
    ] {
        assert_eq!(
            added("a.py", &python(&format!("{value:?}")), 0, change()),
            [
                "import datetime".to_owned(),
                "# varies; within an hour of now".to_owned(),
                format!(
                    "assert abs(datetime.datetime.fromisoformat({read}) - {now}) < datetime.timedelta(hours=1)"
                ),
            ]
        );
    }
    // Older versions of Python read no nanoseconds.
    let nanoseconds = python("\"2026-01-05T10:00:00.123456789Z\"");
    assert_eq!(
        added("a.py", &nanoseconds, 0, change()),
        ["import re", "# varies", "assert re.fullmatch(r\"[0-9TZ:.-]+\", r.json()[\"at\"])"]
    );
}

#[test]
fn a_name_that_is_taken_is_no_module() {
    let change = || near("body:/at", pattern("[0-9TZ:.-]+"), TimeFormat::Rfc3339);
    let test = python("\"2026-01-05T10:00:00Z\"");
    for head in [
        "from datetime import datetime, timezone\n",
        "from datetime import (\n    datetime,\n)\n",
        "import arrow as time\n",
    ] {
        let new = rewritten("a.py", &format!("{head}\n{test}"), 0, change()).unwrap();
        assert!(!new.contains("import datetime\n") && new.contains("assert re.fullmatch("), "{new}");
    }
    let new = rewritten("a.py", &format!("import datetime\n\n{test}"), 0, change()).unwrap();
    assert!(new.contains("fromisoformat"), "{new}");
}

#[test]
fn an_instant_of_jest_has_its_form_and_is_near() {
    let change = || near("body:/at", pattern("[0-9TZ:.-]+"), TimeFormat::Rfc3339);
    let close = "expect(Math.abs(Date.parse(r.body.at) - Date.now())).toBeLessThan(60 * 60 * 1000);";
    assert_eq!(
        added("a.js", &script("expect(r.body.at).toBe('2026-01-05T10:00:00.000Z');"), 0, change()),
        ["// varies; within an hour of now", "expect(r.body.at).toMatch(/^[0-9TZ:.-]+$/);", close]
    );
    assert_eq!(
        added(
            "a.js",
            &script("expect(r.body).toEqual({ id: 3, at: '2026-01-05T10:00:00.000Z' });"),
            0,
            change()
        ),
        [
            "// varies; within an hour of now",
            "expect(r.body).toEqual({ id: 3, at: expect.stringMatching(/^[0-9TZ:.-]+$/) });",
            close,
        ]
    );
}

#[test]
fn a_number_of_milliseconds_is_near_now() {
    let change = || near("body:/at", Matcher::Type(JsonType::Integer), TimeFormat::Milliseconds);
    let number = json!(1_767_607_200_000_i64);
    assert_eq!(
        added("a.py", &python(&number.to_string()), 0, change()),
        [
            "import time",
            "# varies; within an hour of now",
            "assert abs(r.json()[\"at\"] - time.time() * 1000) < 60 * 60 * 1000",
        ]
    );
    assert_eq!(
        added("a.js", &script(&format!("expect(r.body).toEqual({{ id: 3, at: {number} }});")), 0, change()),
        [
            "// varies; within an hour of now",
            "expect(r.body).toEqual({ id: 3, at: expect.any(Number) });",
            "expect(r.body.at).toBeGreaterThan(Date.now() - 60 * 60 * 1000);",
            "expect(r.body.at).toBeLessThan(Date.now() + 60 * 60 * 1000);",
        ]
    );
    // A body that is read in the assertion is read once, and asserted twice.
    let once = "it('a', async () => {\n  const r = await fetch(u);\n  expect((await r.json()).at).toBe(1767607200000);\n});\n";
    let lines = added("a.js", once, 0, change());
    assert_eq!(lines.iter().filter(|line| line.contains("await")).count(), 1, "{lines:?}");
    assert_eq!(lines.iter().filter(|line| line.contains("Date.now()")).count(), 2, "{lines:?}");
}
