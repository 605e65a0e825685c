//! What stands around an assertion: line ends, marks, imports, the other assertions.

use steady_assertions::{RewriteError, Source};
use steady_model::{JsonType, Matcher};

use super::{disable, pattern, relax, relax_noted, rewritten};

#[test]
fn line_ends_and_marks_stay() {
    let text = "\u{feff}def test_a():\r\n    r = c.get(u)\r\n    assert r.json()[\"a\"] == 'x'\r\n";
    assert_eq!(
        rewritten("a.py", text, 0, relax_noted("body:/a", pattern("y"), "why")).unwrap(),
        "\u{feff}import re\r\ndef test_a():\r\n    r = c.get(u)\r\n    # why\r\n    assert re.fullmatch(r\"y\", r.json()[\"a\"])\r\n"
    );
}

#[test]
fn python_imports_go_to_those_of_the_standard_library() {
    for (head, new) in [
        ("import os\nimport requests\n", "import os\nimport re\nimport requests\n"),
        (
            "import json\nimport os\nfrom time import sleep\n\nimport pytest\n\nimport shop\n",
            "import json\nimport os\nimport re\nfrom time import sleep\n\nimport pytest\n\nimport shop\n",
        ),
        ("import pytest\nimport requests\n", "import re\n\nimport pytest\nimport requests\n"),
        (
            "from collections import (\n    abc,\n    deque,\n)\n",
            "import re\nfrom collections import (\n    abc,\n    deque,\n)\n",
        ),
        (
            "import requests\n\nTEXT = \"\"\"\nimport os\n\"\"\"\n",
            "import re\n\nimport requests\n\nTEXT = \"\"\"\nimport os\n\"\"\"\n",
        ),
        ("import os, re\n", "import os, re\n"),
        (
            "\"\"\"Doc.\n\nMore.\n\"\"\"\nfrom x import y\n",
            "\"\"\"Doc.\n\nMore.\n\"\"\"\nimport re\n\nfrom x import y\n",
        ),
        (
            "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n",
            "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\nimport re\n",
        ),
        (
            "'''Doc.'''\nfrom __future__ import annotations\n",
            "'''Doc.'''\nfrom __future__ import annotations\nimport re\n",
        ),
        (
            "from __future__ import annotations\nimport os\n",
            "from __future__ import annotations\nimport os\nimport re\n",
        ),
        ("import re as regex\n", "import re\nimport re as regex\n"),
    ] {
        let body = "def test_a():\n    r = c.get(u)\n    assert r.json()[\"a\"] == 'x'\n";
        let text = format!("{head}{body}");
        let rewritten = rewritten("a.py", &text, 0, relax("body:/a", pattern("y"))).unwrap();
        assert_eq!(rewritten.split("def ").next().unwrap(), new);
    }
}

#[test]
fn the_first_imports_of_python_leave_the_blank_lines_below_them() {
    let text = "\"\"\"Doc.\"\"\"\n\n\ndef test_a():\n    r = c.get(u)\n    assert r.json()[\"a\"] == 1\n";
    let new = rewritten("a.py", text, 0, relax("body:/a", pattern("y"))).unwrap();
    assert!(new.starts_with("\"\"\"Doc.\"\"\"\n\nimport re\n\n\ndef test_a():\n"), "{new}");
}

#[test]
fn static_imports_of_java_go_to_theirs() {
    let body = "class T {\n  @Test\n  void a() {\n    get(\"/\").then().body(\"a\", is(1));\n  }\n}\n";
    for (head, new) in [
        ("package p;\n\n", "package p;\n\nimport static org.hamcrest.Matchers.oneOf;\n\n"),
        ("import static org.hamcrest.Matchers.*;\n", "import static org.hamcrest.Matchers.*;\n"),
        (
            "import static org.hamcrest.Matchers.is;\nimport org.junit.Test;\n",
            "import static org.hamcrest.Matchers.is;\nimport static org.hamcrest.Matchers.oneOf;\nimport org.junit.Test;\n",
        ),
        (
            "import org.junit.Test;\r\n",
            "import org.junit.Test;\r\nimport static org.hamcrest.Matchers.oneOf;\r\n",
        ),
    ] {
        let text = format!("{head}{body}");
        let change = relax("body:/a", Matcher::OneOf(vec![1.into(), 2.into()]));
        let rewritten = rewritten("T.java", &text, 0, change).unwrap();
        assert_eq!(rewritten.split("class ").next().unwrap(), new);
    }
}

#[test]
fn core_matchers_are_matchers() {
    let text = "import static org.hamcrest.CoreMatchers.instanceOf;\nclass T { @Test void a() { get(\"/\").then().body(\"a\", is(\"x\")); } }\n";
    let change = relax("body:/a", Matcher::Type(JsonType::String));
    assert_eq!(rewritten("T.java", text, 0, change).unwrap().matches("import").count(), 1);
}

#[test]
fn kotlin_imports_are_plain() {
    let text = "package p\n\nimport org.junit.Test\n\nclass T { @Test fun a() { val r = get(\"/\")\n assertEquals(1, r.statusCode) } }\n";
    let new = rewritten("T.kt", text, 0, relax("status", Matcher::OneOf(vec![1.into(), 2.into()]))).unwrap();
    assert!(
        new.starts_with("package p\n\nimport org.junit.Test\nimport org.hamcrest.MatcherAssert.assertThat\nimport org.hamcrest.Matchers.oneOf\n\n"),
        "{new}"
    );
}

#[test]
fn no_change_changes_nothing_and_unknown_indices_are_errors() {
    let text = "def test_a():\n    r = c.get(u)\n    assert r.status_code == 200\n";
    let source = Source::read("a.py", text).unwrap();
    assert_eq!(source.rewrite(&[]).unwrap().text, text);
    assert_eq!(source.rewrite(&[(1, disable("x"))]), Err(RewriteError::Index { index: 1 }));
    assert_eq!(
        source.rewrite(&[(0, disable("x")), (0, disable("y"))]),
        Err(RewriteError::Index { index: 0 })
    );
}

#[test]
fn what_is_relaxed_once_can_be_relaxed_again() {
    let text =
        "def test_a():\n    r = c.get(u)\n    assert r.json()[\"a\"] == 1\n    assert r.status_code == 200\n";
    let one_of = || relax_noted("body:/a", Matcher::OneOf(vec![1.into(), 2.into()]), "why");
    let once = rewritten("a.py", text, 0, one_of()).unwrap();
    let source = Source::read("a.py", once.clone()).unwrap();
    assert_eq!(source.assertions().len(), 2);
    let again =
        rewritten("a.py", &once, 0, relax("body:/a", Matcher::OneOf(vec![1.into(), 2.into()]))).unwrap();
    assert_eq!(again, once);
}
