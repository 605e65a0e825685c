//! Bad input gets what, where and what to do; exit code 2; and nothing is written.

use crate::support::Invocation;

#[test]
fn a_base_url_without_scheme_is_refused() {
    Invocation::new(["fuzz", "--openapi", "api.json", "--url", "localhost:8080"])
        .run()
        .exits_with(2)
        .prints("")
        .says(
            "error: invalid value 'localhost:8080' for '--url <BASE>': `localhost:8080` has no scheme; \
             add http:// or https:// in front\n\nFor more information, try '--help'.\n",
        )
        .writes(&[]);
}

#[test]
fn unknown_option_values_are_answered_with_the_known_ones() {
    let cases = [
        (
            vec!["fuzz", "--emit", "pytest,phpunit"],
            "pytest, unittest, jest, playwright, junit5, kotlin, hurl",
        ),
        (vec!["run", "s.json", "--format", "xml"], "human, json"),
        (vec!["run", "s.json", "--color", "blue"], "auto, always, never"),
        (vec!["completions", "tcsh"], "bash, elvish, fish, powershell, zsh"),
        (vec!["fuzz", "--time", "60"], "like 90s or 2m"),
        (vec!["fuzz", "--rate", "fast"], "like 50/s or 300/m"),
        (vec!["fuzz", "--max-body", "big"], "like 4MB"),
        (vec!["fuzz", "--header", "Authorization"], "like 'X-Tenant: blue'"),
        (vec!["fuzz", "--include", "FETCH /a"], "like `GET /orders/*`"),
        (vec!["fuzz", "--workers", "0"], "at least 1"),
        (vec!["run", "s.json", "--repeat", "0"], "at least 1"),
    ];
    for (arguments, expected) in cases {
        let outcome = Invocation::new(&arguments).run().exits_with(2).prints("").writes(&[]);
        assert!(outcome.stderr.contains(expected), "{arguments:?}\n{}", outcome.stderr);
    }
}

#[test]
fn a_missing_document_says_how_to_give_one() {
    Invocation::new(["fuzz"]).run().exits_with(2).says(
        "error: no OpenAPI document is given\n\
         hint: add `--openapi FILE|URL`, or `openapi = \"…\"` under [api] in steady.toml\n",
    );
}

#[test]
fn a_mistake_in_the_configuration_is_shown_where_it_is() {
    Invocation::new(["fuzz"])
        .file("steady.toml", "[api]\nopenapi = \"api.json\"\n\n[fuzz]\nworkers = \"two\"\n")
        .run()
        .exits_with(2)
        .prints("")
        .says(
            "error: expected a whole number of at least 1, found \"two\"\n \
             --> steady.toml:5:11\n  |\n5 | workers = \"two\"\n  |           ^^^^^ of the wrong type\n",
        )
        .writes(&[]);
}

#[test]
fn an_unknown_key_of_the_configuration_is_answered_with_the_closest() {
    let outcome = Invocation::new(["fuzz", "--config", "my.toml"])
        .file("my.toml", "[fuzz]\ntiem = \"60s\"\n")
        .run()
        .exits_with(2);
    assert!(
        outcome.stderr.ends_with("2 | tiem = \"60s\"\n  | ^^^^ not known here\nhint: did you mean `time`?\n")
    );
}

#[test]
fn unreadable_files_are_named() {
    let cases = [
        (vec!["fuzz", "--config", "no.toml"], "cannot read the configuration `no.toml`"),
        (
            vec!["fuzz", "--openapi", "a.json", "--auth", "no.yaml"],
            "cannot read the authentication file `no.yaml`",
        ),
        (vec!["run", "no.json"], "cannot read the suite `no.json`"),
    ];
    for (arguments, message) in cases {
        Invocation::new(arguments).run().exits_with(2).prints("").writes(&[]).says(&format!(
            "error: {message}\n  caused by: No such file or directory (os error 2)\n\
             hint: check the path; it is relative to the current folder\n"
        ));
    }
}

#[test]
fn a_file_that_is_not_text_is_refused() {
    let outcome =
        Invocation::new(["run", "suite.json"]).file("suite.json", [0xff, 0xfe, 0x00]).run().exits_with(2);
    assert!(outcome.stderr.ends_with("hint: the file must be UTF-8 text\n"), "{}", outcome.stderr);
}

#[test]
fn a_mistake_in_the_authentication_file_is_shown_where_it_is() {
    let cases = [
        ("auth.yaml", "auth:\n- name: a\n  fixedHeader: []\n", 3),
        ("auth.json", "{\"auth\": [\n {\"name\": \"a\", \"fixedHeader\": []}]}", 2),
        ("auth.toml", "[[auth]]\nname = \"a\"\nfixedHeader = []\n", 3),
    ];
    for (name, text, line) in cases {
        let outcome = Invocation::new(["fuzz", "--openapi", "a.json", "--auth", name])
            .file(name, text)
            .run()
            .exits_with(2);
        assert!(outcome.stderr.contains("unknown field `fixedHeader`"), "{}", outcome.stderr);
        assert!(outcome.stderr.contains(&format!("--> {name}:{line}:")), "{}", outcome.stderr);
        assert!(outcome.stderr.ends_with("hint: did you mean `fixedHeaders`?\n"), "{}", outcome.stderr);
    }
}

#[test]
fn a_suite_that_is_no_suite_is_shown_where_it_breaks() {
    Invocation::new(["run", "suite.json"])
        .file("suite.json", "{\n  \"version\": 1,\n  \"api\": \"shop\"\n}\n")
        .run()
        .exits_with(2)
        .prints("")
        .says(
            "error: `suite.json` is not a suite: expected an object, found \"shop\"\n \
             --> suite.json:3:15\n  |\n3 |   \"api\": \"shop\"\n  |               ^ of the wrong type\n\
             hint: give the suite.json that `steady fuzz` wrote, or the folder it is in\n",
        );
}

#[test]
fn a_suite_of_a_later_version_says_which_side_is_older() {
    Invocation::new(["run", "suite.json"]).file("suite.json", r#"{"version": 9}"#).run().exits_with(2).says(
        "error: `suite.json` has version 9, this steady reads version 1\n\
         hint: this steady (0.1.0) is older than the suite: upgrade steady, or make the suite again with this one\n",
    );
}

#[test]
fn a_service_that_refuses_is_an_error_and_no_failed_test() {
    let suite = crate::run_suite::suite("http://127.0.0.1:1", &[crate::run_suite::get_health(200)]);
    Invocation::new(["run", "suite.json", "--junit", "out.xml"])
        .file("suite.json", suite)
        .run()
        .exits_with(2)
        .prints("")
        .says("error: http://127.0.0.1:[PORT] refused the connection; is the service running there?\n")
        .writes(&[]);
}

#[test]
fn results_that_could_not_be_kept_are_not_made() {
    let suite = crate::run_suite::suite("http://127.0.0.1:1", &[crate::run_suite::get_health(200)]);
    Invocation::new(["run", "suite.json", "--junit", "no/out.xml"])
        .file("suite.json", suite)
        .run()
        .exits_with(2)
        .says(
            "error: cannot write to `no/out.xml`\n  \
         caused by: the folder does not exist\n\
         hint: make the folder first, or name another place\n",
        );
}
