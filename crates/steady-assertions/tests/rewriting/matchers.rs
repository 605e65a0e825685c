//! Every matcher in the idiom of every framework.

use super::{added, every, place, relax};
use steady_model::Matcher;

/// What every matcher becomes in the place of an assertion, without what is the same for all.
fn table(path: &str, text: &str, strip: (&str, &str)) -> Vec<String> {
    let plain = |line: String| {
        let line = line.strip_prefix(strip.0).map(str::to_owned).unwrap_or(line);
        line.strip_suffix(strip.1).map(str::to_owned).unwrap_or(line)
    };
    every()
        .into_iter()
        .map(|(at, matcher)| {
            let lines = added(path, text, 0, relax(at, matcher));
            lines
                .into_iter()
                .filter(|line| !line.is_empty() && !line.starts_with("import "))
                .map(plain)
                .collect::<Vec<_>>()
                .join(" & ")
        })
        .collect()
}

#[test]
fn hamcrest_in_java() {
    let text = "class T {\n  @Test\n  void a() {\n    get(\"/\").then().body(\"x\", equalTo(3));\n  }\n}\n";
    assert_eq!(
        table("T.java", text, ("get(\"/\").then().body(\"x\", ", ");")),
        [
            r#"equalTo("a\"$b")"#,
            r#"matchesPattern("[0-9a-f]{8}\\.[/x]|-")"#,
            r#"matchesPattern("[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT")"#,
            "allOf(greaterThanOrEqualTo(1000000000000L), lessThanOrEqualTo(9999999999000L))",
            r#"matchesPattern("[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]*")"#,
            r#"containsInAnyOrder("b", "a")"#,
            "hasSize(2)",
            r#"oneOf(1, "b")"#,
            "allOf(greaterThanOrEqualTo(1), lessThanOrEqualTo(5))",
            "instanceOf(Number.class)",
            "hasSize(2)",
            "nullValue()",
            "instanceOf(Boolean.class)",
            "anyOf(instanceOf(Integer.class), instanceOf(Long.class))",
            "instanceOf(Number.class)",
            "instanceOf(String.class)",
            "instanceOf(java.util.List.class)",
            "instanceOf(java.util.Map.class)",
            r#"get("/").then().body("$", hasKey("x")"#,
            "nullValue()",
            "anyOf(instanceOf(Integer.class), instanceOf(Long.class))",
            "anyOf(instanceOf(Integer.class), instanceOf(Long.class))",
            "anyOf(instanceOf(Integer.class), instanceOf(Long.class))",
            "anyOf(instanceOf(Integer.class), instanceOf(Long.class))",
        ]
    );
}

#[test]
fn hamcrest_in_kotlin() {
    let text = "class T {\n  @Test\n  fun a() {\n    get(\"/\").then().body(\"x\", equalTo(3))\n  }\n}\n";
    let lines = table("T.kt", text, ("get(\"/\").then().body(\"x\", ", ")"));
    assert_eq!(lines[0], r#"equalTo("a\"\$b")"#);
    assert_eq!(
        lines[13],
        "anyOf(instanceOf<Any>(Int::class.javaObjectType), instanceOf<Any>(Long::class.javaObjectType))"
    );
    assert_eq!(lines[16], "instanceOf<Any>(List::class.java)");
}

#[test]
fn getters_in_java_read_the_type_that_the_matcher_wants() {
    let text = "class T {\n  @Test\n  void a() {\n    Response r = get(\"/\");\n    \
                assertEquals(\"3\", r.jsonPath().getString(\"x\"));\n  }\n}\n";
    let lines = table("T.java", text, ("assertThat(r.jsonPath().", ");"));
    assert_eq!(lines[1], r#"getString("x"), matchesPattern("[0-9a-f]{8}\\.[/x]|-")"#);
    assert_eq!(lines[5], r#"get("x"), containsInAnyOrder("b", "a")"#);
    assert_eq!(lines[8], r#"get("x"), allOf(greaterThanOrEqualTo(1), lessThanOrEqualTo(5))"#);
    assert_eq!(lines[18], r#"getMap("$"), hasKey("x")"#);
    assert_eq!(lines[20], r#"getString("x"), instanceOf(String.class)"#);
}

#[test]
fn getters_in_kotlin_name_their_type() {
    let text = "class T {\n  @Test\n  fun a() {\n    val r = get(\"/\")\n    \
                assertEquals(\"3\", r.jsonPath().getString(\"x\"))\n  }\n}\n";
    let lines = table("T.kt", text, ("assertThat(r.jsonPath().", ")"));
    assert_eq!(lines[8], r#"get<Int>("x"), allOf(greaterThanOrEqualTo(1), lessThanOrEqualTo(5))"#);
    assert_eq!(lines[17], r#"get<Any>("x"), instanceOf<Any>(Map::class.java)"#);
}

#[test]
fn pytest() {
    let text = "def test_a():\n    r = requests.get(u)\n    assert r.json()[\"x\"] == 3\n";
    assert_eq!(
        table("a.py", text, ("assert ", "")),
        [
            r#"r.json()["x"] == "a\"$b""#,
            r#"re.fullmatch(r"[0-9a-f]{8}\.[/x]|-", r.json()["x"])"#,
            r#"re.fullmatch(r"[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT", r.json()["x"])"#,
            r#"abs(r.json()["x"] - time.time() * 1000) < 60 * 60 * 1000"#,
            r#"re.fullmatch(r"[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*", r.json()["x"])"#,
            r#"sorted(r.json()["x"]) == sorted(["b", "a"])"#,
            r#"sorted(r.json()["x"], key=lambda item: json.dumps(item, sort_keys=True)) == sorted([{"a": 1, "b": None}, True], key=lambda item: json.dumps(item, sort_keys=True))"#,
            r#"r.json()["x"] in [1, "b"]"#,
            r#"1 <= r.json()["x"] <= 5"#,
            r#"r.json()["x"] >= 1"#,
            r#"len(r.json()["x"]) == 2"#,
            r#"r.json()["x"] is None"#,
            r#"isinstance(r.json()["x"], bool)"#,
            r#"isinstance(r.json()["x"], int)"#,
            r#"isinstance(r.json()["x"], (int, float))"#,
            r#"isinstance(r.json()["x"], str)"#,
            r#"isinstance(r.json()["x"], list)"#,
            r#"isinstance(r.json()["x"], dict)"#,
            r#""x" in r.json()"#,
            r#""x" not in r.json()"#,
            r#"r.json()["x"] == r.json()["y"]"#,
            r#"abs(r.json()["x"] - (r.json()["y"] + r.json()["z"][0])) <= 1e-9 * abs(r.json()["x"])"#,
            r#"r.json()["x"] == len(r.json()["z"])"#,
            r#"isinstance(r.json()["x"], int)"#,
        ]
    );
}

#[test]
fn unittest() {
    let text = "class T(TestCase):\n  def test_a(self):\n    body = requests.get(u).json()\n    \
                self.assertEqual(body[\"x\"], 3.0)\n";
    let lines = table("a.py", text, ("self.", ""));
    assert_eq!(lines[0], r#"assertEqual(body["x"], "a\"$b")"#);
    assert_eq!(lines[1], r#"assertRegex(body["x"], r"^(?:[0-9a-f]{8}\.[/x]|-)\Z")"#);
    assert_eq!(lines[7], r#"assertIn(body["x"], [1, "b"])"#);
    assert_eq!(lines[8], r#"assertTrue(1 <= body["x"] <= 5)"#);
    assert_eq!(lines[11], r#"assertIsNone(body["x"])"#);
    assert_eq!(lines[13], r#"assertTrue(float(body["x"]).is_integer())"#);
    assert_eq!(lines[15], r#"assertIsInstance(body["x"], str)"#);
    assert_eq!(lines[18], r#"assertIn("x", body)"#);
}

#[test]
fn jest() {
    let text =
        "test(\"a\", async () => {\n  const r = await superagent.get(u);\n  expect(r.body.x).toBe(3);\n});\n";
    assert_eq!(
        table("a.js", text, ("expect(r.body.x).", ";")),
        [
            r#"toEqual("a\"$b")"#,
            r"toMatch(/^(?:[0-9a-f]{8}\.[\/x]|-)$/)",
            r"toMatch(/^[A-Z][a-z]{2}, [0-9]{2} [A-Z][a-z]{2} [0-9]{4} [0-9]{2}:[0-9]{2}:[0-9]{2} GMT$/) & expect(Math.abs(Date.parse(r.body.x) - Date.now())).toBeLessThan(60 * 60 * 1000)",
            "toBeGreaterThan(Date.now() - 60 * 60 * 1000) & toBeLessThan(Date.now() + 60 * 60 * 1000)",
            r"toMatch(/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/)",
            r#"expect([...r.body.x].sort()).toEqual(["b", "a"].sort())"#,
            r#"toHaveLength(2) & toEqual(expect.arrayContaining([{"a": 1, "b": null}, true]))"#,
            r#"expect([1, "b"]).toContain(r.body.x)"#,
            "toBeGreaterThanOrEqual(1) & toBeLessThanOrEqual(5)",
            "toBeGreaterThanOrEqual(1)",
            "toHaveLength(2)",
            "toBeNull()",
            "toEqual(expect.any(Boolean))",
            "expect(Number.isInteger(r.body.x)).toBe(true)",
            "toEqual(expect.any(Number))",
            "toEqual(expect.any(String))",
            "toEqual(expect.any(Array))",
            "toEqual(expect.any(Object))",
            "toBeDefined()",
            "toBeUndefined()",
            "toEqual(r.body.y)",
            "expect(Math.abs(r.body.x - (r.body.y + r.body.z[0]))).toBeLessThanOrEqual(1e-9 * Math.abs(r.body.x))",
            "toBe(r.body.z.length)",
            "expect(Number.isInteger(r.body.x)).toBe(true)",
        ]
    );
}

#[test]
fn statuses_and_headers() {
    let one_of = || Matcher::OneOf(vec![200.into(), 503.into()]);
    let media = || Matcher::MediaType("text/plain".to_owned());
    let java = "class T { @Test void a() { get(\"/\").then().statusCode(200)\n  .contentType(\"a/b\")\n  .header(\"X-A\", \"b\"); } }";
    let change = |index, at, matcher| added("T.java", java, index, relax(at, matcher)).pop().unwrap();
    assert!(change(0, "status", one_of()).ends_with(".statusCode(oneOf(200, 503))"));
    assert_eq!(change(1, "header:content-type", media()), r#".contentType(startsWith("text/plain"))"#);
    assert_eq!(change(2, "header:x-a", Matcher::Present), r#".header("x-a", notNullValue()); } }"#);

    let python =
        "def test_a():\n  r = c.get(u)\n  assert r.status_code == 200\n  assert r.headers[\"X-A\"] == 'b'\n";
    assert_eq!(added("a.py", python, 0, relax("status", one_of())), ["assert r.status_code in [200, 503]"]);
    assert_eq!(
        added("a.py", python, 1, relax("header:x-a", Matcher::Present)),
        [r#"assert r.headers["X-A"] is not None"#]
    );

    let jest =
        "it('a', async () => {\n  await request(app).get('/').expect(200)\n    .expect('X-A', 'b');\n});\n";
    let change = |index, at, matcher| added("a.ts", jest, index, relax(at, matcher)).pop().unwrap();
    assert!(
        change(0, "status", one_of())
            .ends_with(".expect((res) => { expect([200, 503]).toContain(res.status); })")
    );
    assert_eq!(
        change(1, "header:x-a", Matcher::Present),
        r#".expect((res) => { expect(res.headers["x-a"]).toBeDefined(); });"#
    );
}

#[test]
fn a_place_the_code_cannot_reach_is_an_error() {
    let text = "def test_a():\n    r = c.get(u)\n    assert r.status_code == 200\n";
    let error = super::rewritten("a.py", text, 0, relax("body:/x", Matcher::Present)).unwrap_err();
    assert_eq!(
        error.to_string(),
        "line 3: cannot assert present of body:/x here; disable the assertion instead"
    );
    let once =
        "it('a', async () => {\n  const r = await fetch(u);\n  expect((await r.json()).x).toBe(3);\n});\n";
    let relation = steady_model::Relation::Same(place("body:/y"));
    // A body that is read where it is asserted is read once.
    assert_eq!(
        added("a.js", once, 0, relax("body:/x", Matcher::Relation(relation))),
        ["expect(Number.isInteger((await r.json()).x)).toBe(true);"]
    );
}

#[test]
fn a_length_becomes_a_statement_about_the_array() {
    let list = || relax("body:/a", Matcher::Type(steady_model::JsonType::Array));
    for (path, text, new) in [
        (
            "a.py",
            "def test_a():\n    r = c.get(u)\n    assert len(r.json()[\"a\"]) == 2\n",
            "assert isinstance(r.json()[\"a\"], list)",
        ),
        (
            "a.ts",
            "it('a', async () => {\n  const r = await axios.get(u);\n  expect(r.data.a.length).toBe(2);\n});\n",
            "expect(r.data.a).toEqual(expect.any(Array));",
        ),
        (
            "T.java",
            "class T {\n  @Test\n  void a() {\n    get(\"/\")\n      .then()\n      .body(\"'a'.size()\", equalTo(2));\n  }\n}\n",
            ".body(\"'a'\", instanceOf(java.util.List.class));",
        ),
        (
            "T.java",
            "class T {\n  @Test\n  void a() {\n    List<String> a = get(\"/\").path(\"a\");\n    assertThat(a, hasSize(2));\n  }\n}\n",
            "assertThat(a, instanceOf(java.util.List.class));",
        ),
    ] {
        assert_eq!(added(path, text, 0, list()).pop().unwrap(), new);
    }
}
