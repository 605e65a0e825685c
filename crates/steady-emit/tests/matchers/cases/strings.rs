//! Text with variables in it, patterns, and JSON web tokens.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde_json::{Value, json};

use super::{Case, NAME};

pub fn texts() -> Vec<Case> {
    let whole = format!("order-7/{NAME}\n");
    vec![
        Case::values(
            "text",
            &json!({"text": ["order-", {"var": "id"}, "/", {"var": "name"}, "\n"]}),
            &[json!(whole)],
            &[json!(format!("order-8/{NAME}\n")), json!(whole.trim_end()), json!(["order-7"])],
        ),
        Case::values(
            "text_of_a_number",
            &json!({"text": [{"var": "id"}]}),
            &[json!("7")],
            &[json!(7), json!("8")],
        ),
    ]
}

pub fn patterns() -> Vec<Case> {
    let pattern = |regex: &str| json!({"pattern": {"regex": regex, "what": "text \"like\" this"}});
    let uuid = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}";
    vec![
        Case::values(
            "pattern",
            &pattern(uuid),
            &[json!("00000000-0000-4000-8000-00000000000f")],
            &[
                json!("00000000-0000-1000-8000-00000000000f"),
                json!("00000000-0000-4000-8000-00000000000F"),
                json!("00000000-0000-4000-8000-00000000000f\n"),
                json!(" 00000000-0000-4000-8000-00000000000f"),
                json!(4),
                json!(null),
                json!(["00000000-0000-4000-8000-00000000000f"]),
            ],
        ),
        Case::values(
            "pattern_of_alternatives",
            &pattern("a|bc"),
            &[json!("a"), json!("bc")],
            &[json!("ac"), json!("abc")],
        ),
        Case::values(
            "pattern_of_letters",
            &pattern("(?:\u{1f600}|\u{e4}\n\u{2028}|\u{4e2d}){2}\u{1f600}+"),
            &[json!("\u{1f600}\u{e4}\n\u{2028}\u{1f600}\u{1f600}")],
            &[json!("\u{1f600}\u{1f600}"), json!("\u{e4}\u{4e2d}\u{1f600}")],
        ),
        Case::values(
            "pattern_of_template",
            &pattern("at \\$\\{x\\} \\[1\\] \"q\" '/`\\.\\\\ #\\{\\{ in [\\s\\S]*\\."),
            &[json!("at ${x} [1] \"q\" '/`.\\ #{{ in a\nb.\u{2028}.")],
            &[json!("at ${x} [1] \"q\" '/`.\\ #{{ in a\nb"), json!("at ${x} [1] \"q\" '/`x\\ #{{ in .")],
        ),
    ]
}

pub fn tokens() -> Vec<Case> {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    let token = |header: Value, claims: Value, signature: &str| {
        json!(format!("{}.{}.{signature}", part(&header), part(&claims)))
    };
    let header = || json!({"typ": "JWT", "alg": "HS256"});
    let claims =
        || json!({"sub": "alic\u{e9}", "exp": 1_700_000_000, "level": 1.0, "roles": ["a", {"b": null}]});
    let good = token(header(), claims(), "c2ln");
    let text = good.as_str().map(str::to_owned).unwrap_or_default();
    let padded = text.replacen('.', "=.", 1);
    let jwt = json!({"jwt": {
        "header": {"alg": "HS256"},
        "claims": {"sub": "alic\u{e9}", "level": 1, "roles": ["a", {"b": null}]},
    }});
    vec![
        Case::values(
            "jwt",
            &jwt,
            &[good.clone(), token(header(), claims(), "")],
            &[
                token(json!({"alg": "none"}), claims(), "c2ln"),
                token(header(), json!({"sub": "bob", "level": 1, "roles": ["a", {"b": null}]}), "c2ln"),
                token(
                    header(),
                    json!({"sub": "alic\u{e9}", "level": true, "roles": ["a", {"b": null}]}),
                    "c2ln",
                ),
                token(header(), json!({"sub": "alic\u{e9}", "level": 1}), "c2ln"),
                token(header(), json!(["alic\u{e9}"]), "c2ln"),
                token(header(), claims(), "c2ln.c2ln"),
                token(header(), claims(), "c2+n"),
                json!(text.rsplit_once('.').map(|(rest, _)| rest)),
                json!(padded),
                json!("a.b.c"),
                json!({"alg": "HS256"}),
            ],
        ),
        Case::values(
            "jwt_of_any_kind",
            &json!({"jwt": {}}),
            &[good],
            &[json!("a.b.c"), json!("bm8.bm8.bm8")],
        ),
    ]
}
