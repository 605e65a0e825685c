//! Suites of every shape, for proptest.

use indexmap::IndexMap;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Map, Value};
use steady_model::{
    ApiInfo, Assertion, BasePart, Body, Call, Capture, Encoding, Fresh, Group, Identity, JsonType, Jwt,
    Login, LoginUse, Matcher, Method, OperationId, Part, Pattern, Payload, Place, Range, Relation,
    RequestTemplate, Segment, SignUp, Suite, Take, TestCase, Text, TimeFormat,
};

/// A suite. Its names and values are anything; a suite need not make sense to be written and read.
pub fn suite() -> impl Strategy<Value = Suite> {
    let api = (word(), word()).prop_map(|(title, url)| ApiInfo { title, url });
    (api, any::<u64>(), vec(identity(), 0..3), vec(test(), 0..3)).prop_map(
        |(api, seed, identities, tests)| Suite { version: Suite::VERSION, api, seed, identities, tests },
    )
}

fn word() -> impl Strategy<Value = String> {
    "(?s:.{0,8})"
}

fn text() -> impl Strategy<Value = Text> {
    let segment = prop_oneof![
        word().prop_map(Segment::Literal),
        word().prop_map(|var| Segment::Variable { var }),
        (word(), encoding()).prop_map(|(env, encoded)| Segment::Environment { env, encoded }),
        (prop::sample::select(BasePart::ALL.to_vec()), encoding())
            .prop_map(|(base, encoded)| Segment::Base { base, encoded }),
    ];
    vec(segment, 0..4).prop_map(Text::new)
}

fn encoding() -> impl Strategy<Value = Encoding> {
    prop::sample::select(Encoding::ALL.to_vec())
}

/// Texts of a JSON value, by pointer.
fn texts() -> impl Strategy<Value = IndexMap<String, Text>> {
    vec(("/[a-z]{1,4}", text()), 0..3).prop_map(IndexMap::from_iter)
}

fn pairs() -> impl Strategy<Value = Vec<(String, Text)>> {
    vec((word(), text()), 0..3)
}

fn json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 4, |inner| {
        prop_oneof![
            vec(inner.clone(), 0..4).prop_map(Value::from),
            vec((word(), inner), 0..4).prop_map(|fields| Value::Object(Map::from_iter(fields))),
        ]
    })
}

fn payload() -> impl Strategy<Value = Payload> {
    vec(any::<u8>(), 0..8).prop_map(Payload::from_bytes)
}

fn place() -> impl Strategy<Value = Place> {
    let header = "[a-z][a-z0-9-]{0,8}".prop_map(Place::Header);
    let body = vec(word(), 0..3).prop_map(|tokens| {
        let escaped = tokens.iter().map(|token| format!("/{}", token.replace('~', "~0").replace('/', "~1")));
        Place::Body(escaped.collect())
    });
    prop_oneof![Just(Place::Status), header, body]
}

fn method() -> impl Strategy<Value = Method> {
    prop::sample::select(Method::ALL.to_vec())
}

fn request() -> impl Strategy<Value = RequestTemplate> {
    (method(), text(), pairs(), option::of(body()))
        .prop_map(|(method, target, headers, body)| RequestTemplate { method, target, headers, body })
}

fn body() -> impl Strategy<Value = Body> {
    let bind = vec(("/[a-z]{1,4}", word()), 0..3).prop_map(IndexMap::from_iter);
    prop_oneof![
        (json(), bind, texts()).prop_map(|(value, bind, texts)| Body::Json { value, bind, texts }),
        pairs().prop_map(Body::Form),
        vec(part(), 0..3).prop_map(Body::Multipart),
        (word(), text()).prop_map(|(content_type, text)| Body::Text { content_type, text }),
        (word(), payload()).prop_map(|(content_type, payload)| Body::Bytes { content_type, payload }),
    ]
}

fn part() -> impl Strategy<Value = Part> {
    (word(), option::of(word()), option::of(word()), payload())
        .prop_map(|(name, filename, content_type, content)| Part { name, filename, content_type, content })
}

fn identity() -> impl Strategy<Value = Identity> {
    (word(), pairs(), option::of(sign_up()), option::of(login()))
        .prop_map(|(name, headers, sign_up, login)| Identity { name, headers, sign_up, login })
}

fn sign_up() -> impl Strategy<Value = SignUp> {
    (vec(fresh(), 0..2), request()).prop_map(|(fresh, request)| SignUp { fresh, request })
}

fn login() -> impl Strategy<Value = Login> {
    let usage = prop_oneof![
        Just(LoginUse::Cookies),
        (place(), word(), word()).prop_map(|(token, name, template)| LoginUse::Header {
            token,
            name,
            template
        }),
        (place(), word()).prop_map(|(token, name)| LoginUse::Query { token, name }),
    ];
    (request(), usage).prop_map(|(request, usage)| Login { request, usage })
}

fn fresh() -> impl Strategy<Value = Fresh> {
    (word(), word(), any::<u16>(), word()).prop_map(|(name, prefix, length, suffix)| Fresh {
        name,
        prefix,
        length: length.into(),
        suffix,
    })
}

fn test() -> impl Strategy<Value = TestCase> {
    let group = prop::sample::select(vec![Group::Successes, Group::Faults, Group::Others]);
    let parts = (vec(word(), 0..2), vec(fresh(), 0..2), vec(call(), 0..3), vec(call(), 0..2));
    (word(), group, word(), parts).prop_map(|(name, group, about, (covers, fresh, calls, cleanup))| {
        TestCase { name, group, about, covers, fresh, calls, cleanup }
    })
}

fn call() -> impl Strategy<Value = Call> {
    let operation = (method(), word()).prop_map(|(method, path)| OperationId::new(method, path));
    let take = prop::sample::select(vec![Take::Whole, Take::LastSegment]);
    let capture = (word(), place(), take).prop_map(|(name, from, take)| Capture { name, from, take });
    (operation, option::of(word()), request(), vec(capture, 0..2), vec(assertion(), 0..3)).prop_map(
        |(operation, identity, request, captures, expect)| Call {
            operation,
            identity,
            request,
            captures,
            expect,
        },
    )
}

fn assertion() -> impl Strategy<Value = Assertion> {
    let types = vec![
        JsonType::Null,
        JsonType::Boolean,
        JsonType::Integer,
        JsonType::Number,
        JsonType::String,
        JsonType::Array,
        JsonType::Object,
    ];
    let matcher = prop_oneof![
        json().prop_map(Matcher::Equals),
        word().prop_map(Matcher::Variable),
        text().prop_map(Matcher::Text),
        relation().prop_map(Matcher::Relation),
        vec(json(), 0..3).prop_map(Matcher::Unordered),
        (fields(), fields()).prop_map(|(header, claims)| Matcher::Jwt(Jwt { header, claims })),
        (text(), word()).prop_map(|(regex, what)| Matcher::Pattern(Pattern { regex, what })),
        prop::sample::select(vec![TimeFormat::Rfc3339, TimeFormat::Http, TimeFormat::Milliseconds])
            .prop_map(Matcher::Recent),
        vec(json(), 0..3).prop_map(Matcher::OneOf),
        (option::of(any::<i64>()), option::of(any::<u64>())).prop_map(|(min, max)| Matcher::Range(Range {
            min: min.map(Into::into),
            max: max.map(Into::into)
        })),
        Just(Matcher::Disabled),
        word().prop_map(Matcher::MediaType),
        any::<u32>().prop_map(|size| Matcher::Size(size as usize)),
        prop::sample::select(types).prop_map(Matcher::Type),
        Just(Matcher::Present),
        Just(Matcher::Absent),
    ];
    (place(), matcher, texts(), option::of(word())).prop_map(|(place, matcher, texts, note)| Assertion {
        place,
        matcher,
        texts,
        note,
    })
}

fn relation() -> impl Strategy<Value = Relation> {
    prop_oneof![
        place().prop_map(Relation::Same),
        vec(place(), 0..3).prop_map(Relation::Sum),
        vec(place(), 0..3).prop_map(Relation::Product),
        place().prop_map(Relation::Count),
    ]
}

fn fields() -> impl Strategy<Value = Map<String, Value>> {
    vec((word(), json()), 0..3).prop_map(Map::from_iter)
}
