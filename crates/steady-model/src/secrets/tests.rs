use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD, URL_SAFE, URL_SAFE_NO_PAD};
use proptest::prelude::*;
use serde_json::json;

use super::*;
use crate::{Event, Method, Payload};

fn request(target: &str, body: Option<Value>) -> Request {
    let body = body.map(|body| Payload::Text(body.to_string().into()));
    Request { method: Method::Post, target: target.to_owned(), headers: Vec::new(), body }
}

fn response(status: u16, headers: &[(&str, &str)], body: &Value) -> Response {
    let mut headers: Vec<(String, String)> =
        headers.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    headers.push(("content-type".to_owned(), "application/json".to_owned()));
    Response { status, headers, body: Payload::Text(body.to_string().into()), truncated: false }
}

fn text(body: &str) -> Response {
    Response { status: 200, headers: Vec::new(), body: Payload::Text(body.into()), truncated: false }
}

fn given(value: &str) -> Secrets {
    Secrets::new([("STEADY_KEY".to_owned(), Secret::new(value))])
}

/// What is masked of these texts once a response was seen.
fn masked_after(response: &Response, texts: &[&str]) -> Vec<bool> {
    let secrets = Secrets::default();
    secrets.saw(&request("/", None), response);
    texts.iter().map(|text| secrets.mask(text) != *text).collect()
}

/// Every way an API may write a value that it repeats.
fn encodings(before: &str, value: &str, after: &str) -> Vec<String> {
    let whole = format!("{before}{value}{after}");
    let quoted = Value::from(value).to_string();
    let html = value.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;");
    let every = |write: fn(u8) -> String| value.bytes().map(write).collect::<String>();
    let unicode: String = value.encode_utf16().map(|unit| format!("\\u{unit:04x}")).collect();
    let numeric: String = value.chars().map(|character| format!("&#{};", u32::from(character))).collect();
    vec![
        whole.clone(),
        percent::encode(value),
        percent::encode_field(value),
        percent::encode(&percent::encode(value)),
        every(|byte| format!("%{byte:02x}")),
        quoted.replace('/', "\\/"),
        quoted,
        unicode,
        html,
        numeric,
        STANDARD.encode(&whole),
        STANDARD_NO_PAD.encode(&whole),
        URL_SAFE.encode(&whole),
        URL_SAFE_NO_PAD.encode(&whole),
        percent::encode(&STANDARD.encode(&whole)),
        STANDARD.encode(json!({ "password": value }).to_string()),
        STANDARD.encode(STANDARD.encode(&whole)),
    ]
}

#[test]
fn a_credential_is_masked_by_the_name_of_its_variable_and_its_parts_by_stars() {
    let secrets = given("Bearer hunter2-hunter2");
    assert_eq!(secrets.mask("got Bearer hunter2-hunter2!"), "got ${STEADY_KEY}!");
    assert_eq!(secrets.mask("no such token: hunter2-hunter2"), "no such token: ***");
    assert_eq!(secrets.mask("nothing of it"), "nothing of it");
    assert_eq!(format!("{secrets:?}"), r#"{"STEADY_KEY": ***}"#);
}

#[test]
fn what_a_credential_is_made_of_is_one_too() {
    let cases = [
        ("Basic YWxpY2U6Y29ycmVjdC1ob3JzZQ==", "correct-horse", true),
        ("Basic YWxpY2U6Y29ycmVjdC1ob3JzZQ==", "YWxpY2U6Y29ycmVjdC1ob3JzZQ", true),
        ("sid=0123456789; theme=dark", "0123456789", true),
        (r#"{"username":"alexandra","password":"correct-horse"}"#, "correct-horse", true),
        (r#"{"username":"alexandra","password":"correct-horse"}"#, "alexandra", false),
        ("username=alexandra&p=correct%20horse", "correct horse", true),
        (r#"quote\"inside\""#, r#"quote"inside""#, true),
        ("short", "short", false),
    ];
    for (credential, text, masked) in cases {
        assert_eq!(given(credential).mask(text) != text, masked, "{text} of {credential}");
    }
}

#[test]
fn what_a_response_issues_is_masked_from_then_on() {
    let jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI3In0.c2lnbmF0dXJl";
    let body = json!({
        "access_token": "ACCESS-1234", "refreshToken": "refresh-abcd", "client_secret": "client-secret-1",
        "apiKey": "key-key-key", "user": {"password": "pass word"}, "proof": jwt,
        "db": "postgres://app:dbpassword@db/x", "callback": "/done?code=authcode1&state=statestate",
        "sessions": [{"sessionId": "0a1b2c3d4e5f6a7b8c9d"}], "tokens": ["0a1b2c3d4e5f6a7b8c9e"],
        "token": {"value": "0a1b2c3d4e5f6a7b8c9f", "expires": "2024-01-01T00:00:00Z"},
        "log": "connecting with password=s3cr3t-s3cr3t; ok",
    });
    let headers = [
        ("set-cookie", "csrf=CSRFCOOKIE999; Path=/; HttpOnly"),
        ("x-auth-token", "header-token"),
        ("location", "/x#access_token=frag-token"),
    ];
    let issued = [
        "ACCESS-1234",
        "refresh-abcd",
        "client-secret-1",
        "key-key-key",
        "pass word",
        jwt,
        "dbpassword",
        "authcode1",
        "0a1b2c3d4e5f6a7b8c9d",
        "0a1b2c3d4e5f6a7b8c9e",
        "0a1b2c3d4e5f6a7b8c9f",
        "s3cr3t-s3cr3t",
        "CSRFCOOKIE999",
        "header-token",
        "frag-token",
    ];
    let masked = masked_after(&response(200, &headers, &body), &issued);
    assert!(masked.iter().all(|masked| *masked), "{:?}", issued.iter().zip(masked).collect::<Vec<_>>());
    let page = r#"<input type="hidden" name="csrf_token" value="aabb11223344"><token>ccdd55667788</token>"#;
    assert_eq!(masked_after(&text(page), &["aabb11223344", "ccdd55667788"]), [true, true]);
    assert_eq!(masked_after(&text("access_token=tokentoken&token_type=bearer"), &["tokentoken"]), [true]);
}

#[test]
fn what_only_sounds_like_a_secret_is_none() {
    let body = json!({
        "tokens": 42, "passwordPolicy": "strict-policy", "tokenType": "bearertype", "nextPageToken": "page-token-2",
        "id": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "name": "Tokenizer 9000", "etag": "\"33a64df551425fcc\"",
        "secretSanta": "Santa Claus", "password": "********", "resetPassword": "https://host/reset-password",
        "key": "PROJECT-12345678901", "token": "/oauth/token", "publicKey": "public-key-1", "hasToken": true,
        "description": "the password: required field", "cursor": "eyJpZCI6MTIzNDU2Nzg5fQ", "session": "Keynote talk",
        "code": "COUNTRY-DE-0001", "home": "http://ada@host/profile?page=2&sort=nameofthing",
    });
    let texts: Vec<String> = body
        .as_object()
        .unwrap()
        .values()
        .map(|value| value.as_str().map_or(value.to_string(), str::to_owned))
        .collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let headers = [("etag", "W/\"0123456789\""), ("set-cookie", "zone=Europe/Berlin; Path=/")];
    let texts: Vec<&str> = texts.into_iter().chain(["0123456789", "Europe/Berlin"]).collect();
    let masked = masked_after(&response(200, &headers, &body), &texts);
    assert!(masked.iter().all(|masked| !masked), "{:?}", texts.iter().zip(masked).collect::<Vec<_>>());
}

#[test]
fn what_an_error_says_about_a_secret_is_none() {
    let body = json!({"password": "required", "token": ["is missing"], "secret": "must not be blank"});
    assert_eq!(
        masked_after(&response(400, &[], &body), &["required", "is missing", "must not be blank"]),
        [false; 3]
    );
    let leak = json!({"token": "0123abcd-expired"});
    assert_eq!(masked_after(&response(401, &[], &leak), &["0123abcd-expired"]), [true]);
}

#[test]
fn what_the_run_made_up_itself_is_no_secret() {
    let secrets = Secrets::default();
    let sign_up = request("/users?token=made-up-token", Some(json!({"password": "made-up-password"})));
    secrets.sent(&sign_up);
    let users =
        json!([{"password": "made-up-password"}, {"password": "somebody-elses"}, {"token": "made-up-token"}]);
    secrets.saw(&request("/users", None), &response(200, &[], &users));
    secrets.saw(
        &request("/echo", Some(json!({"a": "echoed-value"}))),
        &response(200, &[], &json!({"secret": "echoed-value"})),
    );
    assert_eq!(
        secrets.mask("made-up-password made-up-token echoed-value"),
        "made-up-password made-up-token echoed-value"
    );
    assert_eq!(secrets.mask("somebody-elses"), MASK);
    // A secret does not stop being one when it is sent.
    secrets.sent(&request("/check?token=somebody-elses", None));
    assert_eq!(secrets.mask("somebody-elses"), MASK);
}

#[test]
fn short_and_documented_values_are_masked_at_their_own_place_only() {
    let secrets = given("special-key");
    secrets.document(["special-key".to_owned(), "example-token".to_owned()]);
    secrets.choices(["token-standard".to_owned()]);
    let body = json!({"token": "example-token", "password": "hunter2", "grade": {"token": "token-standard"}});
    secrets.saw(&request("/", None), &response(200, &[], &body));
    for text in ["special-key", "example-token", "hunter2", "token-standard"] {
        assert_eq!(secrets.mask(text), text);
    }
    let at = |place: &str, text: &str| secrets.mask_at(&place.parse().unwrap(), text);
    assert_eq!(at("body:/token", "example-token"), MASK);
    assert_eq!(at("body:/password", "hunter2"), MASK);
    assert_eq!(at("body:/grade/token", "token-standard"), "token-standard");
    assert_eq!(at("header:set-cookie", "sid=b4361e; Path=/"), "sid=***; Path=/");
    assert_eq!(at("header:location", "/cb?code=abc&x=1"), "/cb?code=***&x=1");
    assert_eq!(at("body:/user/name", "hunter2"), "hunter2");
}

#[test]
fn what_is_left_of_a_secret_in_a_text_that_was_cut_is_masked() {
    let secrets = given("0123456789abcdefghijklmnop");
    assert_eq!(secrets.mask("\"no 0123456789ab… (90 characters)"), "\"no ***… (90 characters)");
    assert_eq!(secrets.mask("…efghijklmnop is wrong"), "…*** is wrong");
    assert_eq!(secrets.mask("the first 80 characters: 0123456789"), "the first 80 characters: ***");
    assert_eq!(secrets.mask("…89abcdefgh…"), "…***…");
    let basic = STANDARD.encode("alice:0123456789abcdefghijklmnop");
    assert_eq!(secrets.mask(&format!("Basic {}…", &basic[..24])), "Basic ***…");
}

#[test]
fn every_part_of_a_secret_in_base64_with_slashes_is_masked() {
    // Split at "=" and ";" it is several secrets, and its base64 has a slash in the middle of one of them.
    let secret = "=a😀  a;éa 😀  o😀é😀=aA00?😀😀";
    let secrets = given(secret);
    let encoded = STANDARD.encode(json!({ "password": secret }).to_string());
    assert!(encoded.contains('/'));
    let masked = secrets.mask(&encoded);
    assert!(secrets.find(&masked).is_empty(), "{masked}");
}

#[test]
fn events_are_masked() {
    let secrets = given("credential-1234");
    let mut event = Event::TestFinished {
        test: "t".to_owned(),
        passed: false,
        failures: vec!["got \"credential-1234\"".to_owned()],
        milliseconds: 1.0,
    };
    secrets.mask_event(&mut event);
    assert!(!serde_json::to_string(&event).unwrap().contains("credential-1234"));
}

proptest! {
    #[test]
    fn a_secret_survives_in_no_encoding(
        secret in r#"[ -~é€😀]{8,40}"#, before in "[a-z:/ ]{0,7}", after in "[a-z:/ ]{0,7}", around in r#"[ -~]{0,10}"#,
    ) {
        prop_assume!(secret.trim() == secret && secret.len() >= 8);
        let secrets = given(&secret);
        for encoded in encodings(&before, &secret, &after) {
            for text in [encoded.clone(), format!("{around} {encoded} {around}"), format!("\"{encoded}\"")] {
                let masked = secrets.mask(&text).into_owned();
                prop_assert!(!masked.contains(&encoded), "{text} is masked as {masked}");
                prop_assert!(secrets.find(&masked).is_empty(), "{text} is masked as {masked}");
            }
        }
    }

    #[test]
    fn no_text_makes_masking_fail(secret in ".{8,20}", text in ".{0,60}") {
        let secrets = given(&secret);
        secrets.saw(&request(&text, None), &self::text(&text));
        let _ = secrets.mask(&text);
    }
}
