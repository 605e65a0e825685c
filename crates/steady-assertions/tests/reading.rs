//! What is listed of a test file, and what is not.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use steady_assertions::{Source, SourceAssertion};

/// Every assertion on a line: line, lines of its request, what it says.
fn listed(path: &str, text: &str) -> Vec<String> {
    let source = Source::read(path, text).unwrap();
    source.assertions().iter().map(|found| format!("{} {}", summary(found), says(found))).collect()
}

fn summary(found: &SourceAssertion) -> String {
    format!("{}<{}-{}", found.line, found.call.first_line, found.call.last_line)
}

fn says(found: &SourceAssertion) -> String {
    let places = found.places.iter().map(|place| {
        let json = serde_json::to_value(place).unwrap();
        format!("{} {}", place.place, json["is"])
    });
    places.collect::<Vec<_>>().join(", ")
}

const EVOMASTER_JAVA: &str = r#"
public class EvoMasterTest {
    @Test @Timeout(60)
    public void test_0() throws Exception {
        given().accept("*/*")
                .header("x-EMextraHeader123", "")
                .get(baseUrlOfSut + "/api/items")
                .then()
                .statusCode(200)
                .assertThat()
                .contentType("application/json")
                .body("'id'", numberMatches(3.0))
                .body("'name'", containsString("a.b"))
                .body("'items'.size()", equalTo(2))
                .body("'items'[0].'id'", nullValue())
                .body("", hasItems("x", "y"))
                .body("'none'.isEmpty()", is(true))
                .body("'odd'.find { it.x }", equalTo(1));
        ValidatableResponse res_1 = given().accept("*/*").post(baseUrlOfSut + "/api/items").then()
                .statusCode(201).header("location", "/api/items/7");
        String id = res_1.extract().body().path("id").toString();
    }
}
"#;

#[test]
fn evomaster_java() {
    assert_eq!(
        listed("T.java", EVOMASTER_JAVA),
        [
            r#"9<5-7 status {"equals":200}"#,
            r#"11<5-7 header:content-type {"media_type":"application/json"}"#,
            r#"12<5-7 body:/id {"equals":3.0}"#,
            r#"13<5-7 body:/name {"pattern":{"regex":"[\\s\\S]*a\\.b[\\s\\S]*","what":"text with `a.b` in it"}}"#,
            r#"14<5-7 body:/items {"size":2}"#,
            r#"15<5-7 body:/items/0/id {"equals":null}"#,
            r#"16<5-7 body: {"unordered":["x","y"]}"#,
            r#"17<5-7 body:/none {"equals":{}}"#,
            r#"20<19-19 status {"equals":201}"#,
            r#"20<19-19 header:location {"equals":"/api/items/7"}"#,
        ]
    );
}

#[test]
fn java_as_people_write_it() {
    let text = r#"
class T {
    @Test
    void createsUser() {
        Response response = given().contentType(ContentType.JSON).body(user).when().post("/users");
        response.then().log().all().statusCode(is(201)).and().body("name", is("Ada"), "tags", contains("a", "b"));
        assertEquals(201, response.getStatusCode());
        assertEquals("wrong id", "x", response.path("id"));
        assertThat(response.jsonPath().getString("id"), equalTo("x"));
        JsonPath json = response.jsonPath();
        assertThat(json.getList("items").size(), is(2));
        assertThat(json.getInt("age")).isEqualTo(36);
        Assertions.assertNotNull(json.get("token"));
        assertTrue(json.getBoolean("active"));
        assertEquals("application/json", response.getContentType());
        String id = get("/users").then().extract().path("[0].id");
        assertEquals("x", id);
        assertEquals(1, helper().getStatusCode());
        for (int i = 0; i < 3; i++) {
            response = get("/users/" + i);
            assertEquals(200, response.statusCode());
        }
        assertEquals(200, response.statusCode());
    }
    void helper() { get("/x").then().statusCode(200); }
}
"#;
    assert_eq!(
        listed("T.java", text),
        [
            r#"6<5-5 status {"equals":201}"#,
            r#"6<5-5 body:/name {"equals":"Ada"}, body:/tags {"equals":["a","b"]}"#,
            r#"7<5-5 status {"equals":201}"#,
            r#"8<5-5 body:/id {"equals":"x"}"#,
            r#"9<5-5 body:/id {"equals":"x"}"#,
            r#"11<5-5 body:/items {"size":2}"#,
            r#"12<5-5 body:/age {"equals":36}"#,
            r#"13<5-5 body:/token "present""#,
            r#"14<5-5 body:/active {"equals":true}"#,
            r#"15<5-5 header:content-type {"equals":"application/json"}"#,
            r#"17<16-16 body:/0/id {"equals":"x"}"#,
            r#"18<18-18 status {"equals":1}"#,
        ]
    );
}

#[test]
fn kotlin_as_fuzzers_and_people_write_it() {
    let text = r#"
class T {
    @Test @Timeout(60)
    fun `test 0`() {
        given().accept("*/*")
                .get("${baseUrlOfSut}/api/items")
                .then()
                .statusCode(200)
                .body("'id'", equalTo(3))
                .body("name", `is`("Ada"))
        val res = `when`().get("/x")
        assertEquals(200, res.statusCode)
        val id = res.then().extract().path<String>("id")
        assertEquals("x", id)
        assertThat(res.jsonPath().getList<Any>("items").size, equalTo(2))
    }
    @Test
    fun short() = get("/y").then().statusCode(204)
}
"#;
    assert_eq!(
        listed("T.kt", text),
        [
            r#"8<5-6 status {"equals":200}"#,
            r#"9<5-6 body:/id {"equals":3}"#,
            r#"10<5-6 body:/name {"equals":"Ada"}"#,
            r#"12<11-11 status {"equals":200}"#,
            r#"14<11-11 body:/id {"equals":"x"}"#,
            r#"15<11-11 body:/items {"size":2}"#,
            r#"18<18-18 status {"equals":204}"#,
        ]
    );
}

#[test]
fn python_as_fuzzers_and_people_write_it() {
    let text = r#"
class T(unittest.TestCase):
    @timeout_decorator.timeout(60)
    def test_0(self):
        headers = {}
        res_0 = requests \
            .get(self.baseUrlOfSut + "/x", headers=headers)
        assert res_0.status_code == 200
        assert "application/json" in res_0.headers["content-type"]
        assert len(res_0.json()["items"]) == 2
        assert res_0.json()["items"][0]["id"] == 3.0
        self.assertEqual(res_0.json(), {"a": [1, None], "b": {}, "c": x})
        self.assertIn("id", res_0.json())
        self.assertIsNone(res_0.json()["gone"])
        assert res_0.text == "hello"
        assert res_0.text == "{}"

def test_b(client, session):
    r = session.get("/a")
    body = r.json()
    item = body.get("items")[0]
    assert "x" == item["name"]
    assert body["at"] is not None, "no time"
    assert r.headers.get("X-Kind").startswith("a")
    with client.get("/b") as r:
        assert r.status_code in [200, 201]
    for i in range(3):
        r = client.get("/c")
        assert r.status_code == 200
    assert r.status_code == 200
    if flag:
        r = client.get("/d")
        assert r.json()["d"] is True
    assert r.status_code == 1
    r = client.post("/e")
    assert "hi" in r.text
    assert r.text == ''
    data = json.loads(r.text)
    assert data["a"] == 1
    assert json.loads(r.content)["b"] == 2

def helper(r):
    assert r.status_code == 200
"#;
    assert_eq!(
        listed("test_t.py", text),
        [
            r#"8<6-7 status {"equals":200}"#,
            r#"9<6-7 header:content-type {"media_type":"application/json"}"#,
            r#"10<6-7 body:/items {"size":2}"#,
            r#"11<6-7 body:/items/0/id {"equals":3.0}"#,
            r#"12<6-7 body:/a {"size":2}, body:/a/0 {"equals":1}, body:/a/1 {"equals":null}, body:/b {"equals":{}}"#,
            r#"13<6-7 body:/id "present""#,
            r#"14<6-7 body:/gone {"equals":null}"#,
            r#"15<6-7 body: {"equals":"hello"}"#,
            r#"22<19-19 body:/items/0/name {"equals":"x"}"#,
            r#"23<19-19 body:/at "present""#,
            r#"24<19-19 header:x-kind {"pattern":{"regex":"a[\\s\\S]*","what":"text that begins with `a`"}}"#,
            r#"26<25-25 status {"one_of":[200,201]}"#,
            r#"33<32-32 body:/d {"equals":true}"#,
            r#"36<35-35 body: {"pattern":{"regex":"[\\s\\S]*hi[\\s\\S]*","what":"text with `hi` in it"}}"#,
            r#"37<35-35 body: "absent""#,
            r#"39<35-35 body:/a {"equals":1}"#,
            r#"40<35-35 body:/b {"equals":2}"#,
        ]
    );
}

#[test]
fn jest_as_fuzzers_and_people_write_it() {
    let text = r#"
describe("users", () => {
  test("test_0", async () => {
    const res_0 = await superagent
        .get(baseUrlOfSut + "/x").set('Accept', "*/*")
        .ok(res => res.status);
    expect(res_0.status).toBe(200);
    expect(res_0.header["content-type"].startsWith("application/json")).toBe(true);
    expect(res_0.body.items[0].id).toBe(3);
    expect(res_0.body.items.length).toBe(2);
    expect(res_0.body["a-b"]).toStrictEqual({ c: [1], d: expect.any(String) });
  });
  it("fetches", async function () {
    const res = await fetch(url);
    const body = await res.json();
    expect(body.id).toEqual("x");
    expect(body).toHaveProperty("a.b[0]", 1);
    expect(res.headers.get("X-A")).toContain("b");
    expect(body.list).toHaveLength(4);
    expect(body.gone).toBeUndefined();
    expect(body.there).not.toBeNull();
    expect(body.other).not.toBe(3);
    const { data, status } = await axios.get(url);
    expect(status).toBe(200);
    expect(data.id).toBe(1);
    await request(app).get("/y").expect(200).expect("x-a", "b");
    return fetch(url).then(r => r.json()).then((d) => {
      expect(d.id).toBe(1);
    });
  });
  it.each([1, 2])("each %s", async (n) => {
    for (const i of [1]) { const r = await fetch(url); expect(r.status).toBe(200); }
    expect((await fetch(url)).status).toBe(200);
    const p = await request.get("/playwright");
    expect(p.status()).toBe(200);
    expect(p.headers()["x-a"]).toBe("b");
    expect(Object.keys((await p.json()).none).length).toBe(0);
    expect(await p.text()).toContain("hi");
    expect(JSON.parse(await p.text()).a).toBe(1);
  });
});
"#;
    for path in ["t.test.js", "t.test.ts", "t.test.tsx"] {
        assert_eq!(
            listed(path, text),
            [
                r#"7<4-6 status {"equals":200}"#,
                r#"8<4-6 header:content-type {"media_type":"application/json"}"#,
                r#"9<4-6 body:/items/0/id {"equals":3}"#,
                r#"10<4-6 body:/items {"size":2}"#,
                r#"11<4-6 body:/a-b/c {"size":1}, body:/a-b/c/0 {"equals":1}"#,
                r#"16<14-14 body:/id {"equals":"x"}"#,
                r#"17<14-14 body:/a/b/0 {"equals":1}"#,
                r#"18<14-14 header:x-a {"pattern":{"regex":"[\\s\\S]*b[\\s\\S]*","what":"text with `b` in it"}}"#,
                r#"19<14-14 body:/list {"size":4}"#,
                r#"20<14-14 body:/gone "absent""#,
                r#"21<14-14 body:/there "present""#,
                r#"24<23-23 status {"equals":200}"#,
                r#"25<23-23 body:/id {"equals":1}"#,
                r#"26<26-26 status {"equals":200}"#,
                r#"26<26-26 header:x-a {"equals":"b"}"#,
                r#"28<27-27 body:/id {"equals":1}"#,
                r#"33<33-33 status {"equals":200}"#,
                r#"35<34-34 status {"equals":200}"#,
                r#"36<34-34 header:x-a {"equals":"b"}"#,
                r#"37<34-34 body:/none {"equals":{}}"#,
                r#"38<34-34 body: {"pattern":{"regex":"[\\s\\S]*hi[\\s\\S]*","what":"text with `hi` in it"}}"#,
                r#"39<34-34 body:/a {"equals":1}"#,
            ],
            "{path}"
        );
    }
}

#[test]
fn tests_have_the_names_their_runner_prints() {
    let names = |path: &str, text: &str| -> Vec<String> {
        let source = Source::read(path, text).unwrap();
        source.assertions().iter().map(|found| found.test.clone()).collect()
    };
    let jest = "describe('a', () => { describe('b', () => { it('c', async () => { const r = await fetch(u); expect(r.status).toBe(1); }); }); });";
    assert_eq!(names("a.js", jest), ["a b c"]);
    let kotlin = "class A { @Test fun `gives 1`() { get(\"/\").then().statusCode(1) } }";
    assert_eq!(names("A.kt", kotlin), ["gives 1"]);
}

#[test]
fn source_that_does_not_parse_is_an_error_with_its_place() {
    for (path, text, message) in [
        ("a.py", "def test():\n    assert (1\n", "a.py:2:"),
        ("A.java", "class A {\n  void a() {\n    int x = ;\n  }\n}\n", "A.java:3:"),
        ("a.js", "test('x', () => {\n", "a.js:"),
        (
            "a.ts",
            "const a = 1;\nconst é = '😀' +;\n",
            "a.ts:2:16: unexpected token; the file is left as it is",
        ),
        ("a.tsx", "const a: = 1;\n", "a.tsx:1:10: "),
        ("A.kt", "class A {\n  fun a( { }\n}\n", "A.kt:"),
        ("a.rb", "x", "a.rb: not a language"),
    ] {
        let error = Source::read(path, text).unwrap_err().to_string();
        assert!(error.starts_with(message), "{error}");
    }
}

#[test]
fn what_can_only_be_disabled_is_marked() {
    let supported = |path: &str, text: &str| Source::read(path, text).unwrap().assertions()[0].supported;
    let java =
        |statement: &str| format!("class T {{ @Test void a() {{ Response r = get(\"/\"); {statement} }} }}");
    assert!(supported("T.java", &java("assertEquals(2, r.jsonPath().getList(\"a\").size());")));
    assert!(!supported("T.java", &java("assertEquals(2, (int) get(\"/\").path(\"a.size()\"));")));
    assert!(supported("a.py", "def test_a():\n  assert c.get(u).json()[\"a\"] == 1\n"));
    assert!(supported("a.py", "def test_a():\n  assert c.get(u).json() == {\"a\": 1}\n"));
}

#[test]
fn a_statement_on_a_line_that_begins_in_a_string_is_left_alone() {
    let text = "def test_a():\n    r = c.get(u)\n    x = \"\"\"a\n    b\"\"\"; assert r.status_code == 200\n";
    assert_eq!(listed("a.py", text), Vec::<String>::new());
}
