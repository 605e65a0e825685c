use serde_json::json;

use super::*;

fn shown(base: &str, text: &str) -> String {
    Substitution::of_base(&Base::at(base)).text(text).to_string()
}

#[test]
fn an_address_is_found_however_it_is_written_and_only_whole() {
    let cases = [
        ("http://h:80801/x", "http://h:80801/x"),
        ("http://h:8080/x/1", "{base url}/x/1"),
        ("see http://h:8080.", "see {base url}."),
        ("see http://h:8080.5", "see http://h:8080.5"),
        ("<http://h:8080/x?page=2>; rel=\"next\"", "<{base url}/x?page=2>; rel=\"next\""),
        ("{\"href\":\"http:\\/\\/h:8080\\/x\"}", "{\"href\":\"{base url}\\/x\"}"),
        ("/login?next=http%3A%2F%2Fh%3A8080%2Fx", "/login?next={base url}%2Fx"),
        ("a%3Dhttp%3A%2F%2Fh%3A8080", "a%3D{base url}"),
        ("https://h:8080/x", "https://{base authority}/x"),
        ("listening on h:8080", "listening on {base authority}"),
        ("oh:8080", "oh:8080"),
        ("me@h:8080", "me@h:8080"),
        ("port 8080 of h", "port 8080 of h"),
        ("http://other:8080/x", "http://other:8080/x"),
        ("http://h/x", "http://h/x"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown("http://h:8080", text), expected, "{text}");
    }
}

#[test]
fn each_way_of_writing_keeps_its_encoding() {
    let text =
        Substitution::of_base(&Base::at("http://h:8080")).text("http%3A%2F%2Fh%3A8080 http:\\/\\/h:8080");
    let url = |encoded| Segment::Base { base: BasePart::Url, encoded };
    let expected = [url(Encoding::Percent), Segment::Literal(" ".into()), url(Encoding::Json)];
    assert_eq!(text, Text::new(expected));
}

#[test]
fn the_path_of_a_base_counts_where_something_begins_with_it() {
    let cases = [
        ("http://h:1/app/x", "{base url}/x"),
        ("http://h:1/app", "{base url}"),
        ("http://h:1/apple/x", "{base origin}/apple/x"),
        ("http://h:1/other", "{base origin}/other"),
        ("/app/x", "{base path}/x"),
        ("<a href=\"/app/x\">", "<a href=\"{base path}/x\">"),
        ("/apple", "/apple"),
        ("/other/app/x", "/other/app/x"),
    ];
    for (text, expected) in cases {
        assert_eq!(shown("http://h:1/app", text), expected, "{text}");
    }
}

#[test]
fn a_default_port_leaves_a_host_that_is_no_address_by_itself() {
    assert_eq!(shown("http://localhost:80", "http://localhost/x"), "{base url}/x");
    assert_eq!(shown("http://localhost:80", "localhost is here"), "localhost is here");
}

#[test]
fn a_reference_by_path_stands_under_the_base() {
    let substitution = Substitution::of_base(&Base::at("http://h:1"));
    assert_eq!(substitution.header("location", "/x/1").to_string(), "{base path}/x/1");
    assert_eq!(substitution.header("location", "//other/x").to_string(), "//other/x");
    assert_eq!(substitution.header("location", "x").to_string(), "x");
    assert_eq!(substitution.header("x-path", "/x/1").to_string(), "/x/1");
    assert_eq!(substitution.text("/x/1").to_string(), "/x/1");
}

fn suite() -> Suite {
    let expect = json!([
        {"where": "header:location", "is": {"equals": "http://h:1/x/1"}},
        {"where": "header:location", "is": {"text": ["http://h:1/x/", {"var": "id"}]}},
        {"where": "body:/self", "is": {"pattern": {"regex": "http://h:1/x\\?a=[0-9]+", "what": "text like `http://h:1/x?a={…}`"}}},
        {"where": "body:/odd", "is": {"pattern": {"regex": "http://h:1[0-9]*", "what": "odd"}}},
        {"where": "body:/links", "is": {"unordered": ["http://h:1/a", {"b/c": "http://h:1/b", "n": 1}]}},
        {"where": "body:/any", "is": {"one_of": ["a", "h:1"]}},
        {"where": "body:/token", "is": {"jwt": {"claims": {"iss": "http://h:1"}}}},
        {"where": "body:/whole", "is": {"equals": {"self": "http://h:1", "n": 2}}},
        {"where": "body:/count", "is": {"equals": 1}, "note": "of http://h:1/x"},
        {"where": "body:/http:~1~1h:1~1x", "is": "present"},
        {"where": "body:/named", "is": {"equals": {"h:1": 2}}},
    ]);
    serde_json::from_value(json!({
        "version": 1, "api": {"title": "A", "url": "http://h:1"}, "seed": 1,
        "identities": [{"name": "ada", "login": {
            "request": {"method": "POST", "target": "http://h:1/login", "headers": [["origin", "http://h:1"]]},
            "use": "cookies",
        }}],
        "tests": [{
            "name": "t", "group": "successes", "about": "Finds http://h:1/x.",
            "calls": [{
                "operation": "POST /x",
                "request": {
                    "method": "POST", "target": "/x?a=http%3A%2F%2Fh%3A1%2Fy&b=http://h:1/y",
                    "body": {"json": {"value": {"hooks": ["http://h:1/hook", 7]}, "bind": {"/hooks/1": "n"}}},
                },
                "captures": [{"name": "id", "from": "body:/id"}],
                "expect": expect,
            }],
        }],
    }))
    .unwrap()
}

#[test]
fn a_suite_is_replaced_in_wherever_it_says_something() {
    let mut suite = suite();
    let substitution = Substitution::of_base(&Base::at(&suite.api.url));
    substitution.suite(&mut suite);
    let once = suite.clone();
    substitution.suite(&mut suite);
    assert_eq!(suite, once, "replacing twice is replacing once");

    let written = serde_json::to_value(&suite).unwrap();
    let url = json!({"base": "url"});
    let call = &written["tests"][0]["calls"][0];
    assert_eq!(written["tests"][0]["about"], "Finds {base url}/x.");
    assert_eq!(
        written["identities"][0]["login"]["request"],
        json!({"method": "POST", "target": "/login", "headers": [["origin", [url]]]}),
    );
    assert_eq!(call["request"]["target"], json!(["/x?a=", url, "%2Fy&b=", url, "/y"]));
    assert_eq!(
        call["request"]["body"],
        json!({"json": {
            "value": {"hooks": ["{base url}/hook", 7]}, "bind": {"/hooks/1": "n"}, "texts": {"/hooks/0": [url, "/hook"]},
        }})
    );
    assert_eq!(
        call["expect"],
        json!([
            {"where": "header:location", "is": {"text": [url, "/x/1"]}},
            {"where": "header:location", "is": {"text": [url, "/x/", {"var": "id"}]}},
            {"where": "body:/self", "is": {"pattern": {"regex": [url, "/x\\?a=[0-9]+"], "what": "text like `{base url}/x?a={…}`"}}},
            {"where": "body:/odd", "is": {"pattern": {"regex": "http://h:1[0-9]*", "what": "odd"}}},
            {
                "where": "body:/links", "is": {"unordered": ["{base url}/a", {"b/c": "{base url}/b", "n": 1}]},
                "texts": {"/0": [url, "/a"], "/1/b~1c": [url, "/b"]},
            },
            {"where": "body:/any", "is": {"one_of": ["a", "{base authority}"]}, "texts": {"/1": [{"base": "authority"}]}},
            {"where": "body:/token", "is": {"jwt": {"claims": {"iss": "{base url}"}}}, "texts": {"/claims/iss": [url]}},
            {"where": "body:/whole", "is": {"equals": {"self": "{base url}", "n": 2}}, "texts": {"/self": [url]}},
            {"where": "body:/count", "is": {"equals": 1}, "note": "of {base url}/x"},
        ])
    );
}

#[test]
fn any_value_can_be_replaced_by_any_segment() {
    let key = |literal: &str, encoded| Replacement {
        literal: literal.to_owned(),
        segment: Segment::environment("KEY").encoded(encoded),
        boundary: Boundary::Anywhere,
    };
    let replacements = Encoding::ALL.map(|encoding| key(&encoding.apply("s/cret-1"), encoding));
    let substitution = Substitution::new(replacements);
    let text = substitution.text("xs/cret-1y s%2Fcret-1 s\\/cret-1 cy9jcmV0LTE=");
    let encodings: Vec<Encoding> = text
        .segments()
        .iter()
        .filter_map(|segment| match segment {
            Segment::Environment { encoded, .. } => Some(*encoded),
            _ => None,
        })
        .collect();
    assert_eq!(encodings, Encoding::ALL);
    assert!(substitution.is_in("a s/cret-1") && !substitution.is_in("secret"));
}
