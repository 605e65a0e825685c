//! Sources nobody would write: huge, deep, cut off, random.

use proptest::prelude::*;
use steady_assertions::{Change, LARGEST, ParseError, Source};

const EXTENSIONS: [&str; 5] = ["java", "kt", "py", "js", "ts"];

#[test]
fn deep_nesting_is_read_or_refused() {
    let deep = 20_000;
    let (open, close) = ("(".repeat(deep), ")".repeat(deep));
    let (list, end) = ("[".repeat(deep), "]".repeat(deep));
    let sum = "1+".repeat(deep);
    for (path, text) in [
        (
            "a.js",
            format!(
                "test('a', async () => {{ const r = await fetch(u); expect(r.status).toBe({open}1{close}); }});"
            ),
        ),
        (
            "a.ts",
            format!(
                "test('a', async () => {{ const r = await fetch(u); expect(r.status).toBe({}1); }});",
                "!".repeat(deep)
            ),
        ),
        ("a.py", format!("def test_a():\n  r = c.get(u)\n  assert r.json() == {list}{end}\n")),
        ("A.java", format!("class A {{ @Test void a() {{ get(\"/\").then().statusCode({sum}1); }} }}")),
        ("A.kt", format!("class A {{ @Test fun a() {{ get(\"/\").then().statusCode({sum}1) }} }}")),
        ("a.js", format!("{}{}", "if (a) {".repeat(deep), "}".repeat(deep))),
        ("A.java", format!("class A {{ @Test void a() {{ {} {} }} }}", "{".repeat(deep), "}".repeat(deep))),
    ] {
        if let Ok(source) = Source::read(path, text.clone()) {
            assert_eq!(source.rewrite(&[]).unwrap().text, text);
        }
    }
}

#[test]
fn long_garbage_is_refused() {
    for (path, piece) in [
        ("A.java", "([{"),
        ("a.js", "a = "),
        ("a.ts", "x => "),
        ("a.py", "not "),
        ("A.kt", "a<b>(c) "),
        ("A.kt", "if x for y def class ( ) : = + "),
    ] {
        let text = piece.repeat(100_000 / piece.len());
        assert!(Source::read(path, text).is_err(), "{path}: {piece}");
    }
}

#[test]
fn a_long_chain_is_not_deep() {
    let calls = ".body(\"a\", is(1))\n".repeat(5_000);
    let text = format!("class A {{ @Test void a() {{ get(\"/\").then()\n{calls}; }} }}");
    let source = Source::read("A.java", text).unwrap();
    assert_eq!(source.assertions().len(), 5_000);
    let changes = [(4_999, Change::Disable { note: "x".to_owned() })];
    assert!(source.rewrite(&changes).unwrap().text.ends_with("\n// x\n// .body(\"a\", is(1))\n; } }"));
}

#[test]
fn a_file_of_many_tests_is_read() {
    let one = "def test_a():\n    r = c.get(u)\n    assert r.json()[\"a\"] == 1\n";
    let source = Source::read("a.py", one.repeat(5_000)).unwrap();
    assert_eq!(source.assertions().len(), 5_000);
    assert_eq!(source.assertions()[4_999].line, 15_000);
}

#[test]
fn what_is_too_large_is_refused() {
    let error = Source::read("a.py", " ".repeat(LARGEST + 1)).unwrap_err();
    assert!(matches!(error, ParseError::TooLarge { bytes, .. } if bytes == LARGEST + 1));
}

/// Pieces that test code is made of, good and bad.
fn piece() -> impl Strategy<Value = String> {
    prop_oneof![
        8 => prop::sample::select(vec![
            "r = c.get(u)\n", "assert r.json()[\"a\"] == 1\n", "assert r.status_code == 200\n", "    ", "if x:\n", "def test_a():\n",
            "test('é', async () => {\n", "});\n", "const r = await fetch(u);\n", "expect(r.status).toBe(200);\n", "expect(r.body.a.b).toEqual({ a: [1] })\n",
            "class A { @Test void a() {", "}", "get(\"/\").then()", ".statusCode(200)", ".body(\"'a'[0]\", is(-1))", ";\n", "fun a() {", "val r = get(\"/\")\n",
            "// x\n", "# x\n", "/*", "*/", "\"", "'", "`", "\r\n", "\u{feff}", "assertEquals(1, r.statusCode)\n", "😀", "\\", "${", "\"\"\"",
        ]).prop_map(str::to_owned),
        1 => any::<String>(),
    ]
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused_and_never_changed(
        pieces in prop::collection::vec(piece(), 0..40),
        extension in prop::sample::select(EXTENSIONS.to_vec()),
    ) {
        let text = pieces.concat();
        match Source::read(format!("a.{extension}"), text.clone()) {
            Err(error) => prop_assert!(!error.to_string().is_empty()),
            Ok(source) => {
                for found in source.assertions() {
                    prop_assert!(found.span.get(&text).is_some_and(|code| !code.is_empty()));
                    prop_assert!(found.call.first_line <= found.call.last_line);
                    prop_assert!(found.call.last_line <= text.matches('\n').count() + 1);
                    prop_assert!(!found.places.is_empty());
                }
                prop_assert_eq!(source.rewrite(&[]).unwrap().text, text);
            }
        }
    }

    #[test]
    fn disabling_leaves_the_other_assertions(
        statements in prop::collection::vec(prop::sample::select(vec![
            "r = c.get(u)", "assert r.json()[\"a\"] == 1", "assert r.status_code == 200; x()", "if x: assert r.text == 'é'", "y()",
            "if z:\n        assert r.json() == [1,\n 2]", "self.assertIn('a', r.json())",
        ]), 1..12),
        chosen in any::<prop::sample::Index>(),
        windows in any::<bool>(),
    ) {
        let text = format!("def test_a(self):\n    r = c.get(u)\n    {}\n", statements.join("\n    "));
        let text = if windows { text.replace('\n', "\r\n") } else { text };
        let source = Source::read("a.py", text).unwrap();
        let count = source.assertions().len();
        prop_assume!(count > 0);
        let index = chosen.index(count);
        let new = source.rewrite(&[(index, Change::Disable { note: "é\nx".to_owned() })]).unwrap();
        let again = Source::read("a.py", new.text).unwrap();
        prop_assert_eq!(again.assertions().len(), count - 1);
    }
}
