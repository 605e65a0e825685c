//! Templates in bodies and headers: a useful part of WireMock's Handlebars.
//!
//! `{{request.…}}` shows parts of the request, `{{parameters.…}}` those of the mapping; helpers take arguments, `name=value` options
//! and other helpers in parentheses; `#if`, `#unless`, `#each`, `#eq` and `#neq` have blocks, with `else`. `docs/mocks.md` lists all of them. What is
//! unknown fills in as nothing.

mod date;
mod fill;
mod helpers;
mod parse;
mod request;

use std::str::FromStr;

use parse::Node;
pub use parse::ParseTemplateError;

use super::Random;
use crate::mapping::Mapping;
use crate::matching::Received;

/// A text with places to fill in.
#[derive(Debug, PartialEq)]
pub(crate) struct Template {
    nodes: Vec<Node>,
}

impl Template {
    /// The text for a request.
    pub(crate) fn fill(&self, mapping: &Mapping, received: &Received, random: &mut Random) -> String {
        fill::Filling::new(mapping, received, random).text(&self.nodes)
    }
}

impl FromStr for Template {
    type Err = ParseTemplateError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse::parse(text).map(|nodes| Self { nodes })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use bytes::Bytes;
    use http::{HeaderMap, HeaderValue, Method};
    use rand::SeedableRng as _;
    use serde_json::json;

    use super::*;
    use crate::matching::Scheme;

    fn filled(template: &str) -> String {
        let mapping: Mapping = serde_json::from_value(json!({
            "request": {"urlPathTemplate": "/pets/{id}/toys"},
            "response": {"transformerParameters": {"greeting": "hi", "list": [1, 2]}},
        }))
        .unwrap();
        let mut headers = HeaderMap::new();
        headers.insert("x-name", HeaderValue::from_static("Ann"));
        headers.insert("cookie", HeaderValue::from_static("c=1"));
        let received = Received::new(
            Method::POST,
            (Scheme::Http, Arc::from("pets.test"), 8080),
            "/pets/7/toys?q=a&q=b%20c".parse().unwrap(),
            headers,
            Bytes::from_static(b"{\"a\": {\"b\": [1, \"x\"]}, \"n\": 2.5, \"t\": true}"),
        );
        let template: Template = template.parse().unwrap();
        template.fill(&mapping, &received, &mut Random::seed_from_u64(1))
    }

    #[test]
    fn places_are_filled_in() {
        let table = [
            ("plain", "plain"),
            ("{{request.url}}", "/pets/7/toys?q=a&q=b%20c"),
            ("{{request.path}}", "/pets/7/toys"),
            ("{{request.path.[1]}} {{request.pathSegments.[0]}}", "7 pets"),
            ("{{request.path.id}}", "7"),
            ("{{request.query.q}} {{request.query.q.[1]}}", "a b c"),
            ("{{request.headers.X-Name}}", "Ann"),
            ("{{request.headers.[X-Name]}}", "Ann"),
            ("{{request.cookies.c}}", "1"),
            (
                "{{request.method}} {{request.host}} {{request.port}} {{request.scheme}}",
                "POST pets.test 8080 http",
            ),
            ("{{request.baseUrl}}", "http://pets.test:8080"),
            ("{{{jsonPath request.body '$.a'}}}", "{\"b\":[1,\"x\"]}"),
            ("{{jsonPath request.body '$.a.b[1]'}} {{jsonPath request.body '$.n'}}", "x 2.5"),
            ("{{jsonPath request.body '$.none'}}", ""),
            ("{{parameters.greeting}}", "hi"),
            ("{{upper parameters.greeting}} {{capitalize (lower 'HO')}}", "HI Ho"),
            ("{{#if request.query.q}}yes{{else}}no{{/if}}", "yes"),
            ("{{#if request.query.z}}yes{{else}}no{{/if}}", "no"),
            ("{{#unless request.query.z}}none{{/unless}}", "none"),
            ("{{#each parameters.list}}{{@index}}={{this}}{{#unless @last}},{{/unless}}{{/each}}", "0=1,1=2"),
            ("{{#eq request.method 'POST'}}p{{else}}g{{/eq}}", "p"),
            ("{{#neq request.method 'POST'}}p{{else}}g{{/neq}}", "g"),
            ("{{size parameters.list}} {{join parameters.list '-'}}", "2 1-2"),
            ("{{math 7 '*' 6}} {{math 7 '/' 2}}", "42 3.5"),
            ("{{base64 'hi'}} {{base64 'aGk=' decode=true}}", "aGk= hi"),
            (
                "{{urlEncode 'a b'}} {{trim ' x '}} {{replace 'a-b' '-' '+'}} {{substring 'abcd' 1 3}}",
                "a+b x a+b bc",
            ),
            ("{{regexExtract request.url '[0-9]+'}}", "7"),
            ("{{regexExtract 'none' '[0-9]+' default='?'}}", "?"),
            ("{{val request.query.z or='fallback'}}", "fallback"),
            ("{{! a comment }}x", "x"),
            ("{{unknown.thing}}", ""),
            ("\\{{not}}", "{{not}}"),
        ];
        for (template, expected) in table {
            assert_eq!(filled(template), expected, "{template}");
        }
    }

    #[test]
    fn random_values_have_the_shape_that_was_asked_for() {
        let value = filled("{{randomValue length=12 type='ALPHANUMERIC'}}");
        assert!(value.len() == 12 && value.chars().all(|c| c.is_ascii_alphanumeric()), "{value}");
        assert_eq!(filled("{{randomValue type='UUID'}}").len(), 36);
        let number: i64 = filled("{{randomInt lower=5 upper=9}}").parse().unwrap();
        assert!((5..9).contains(&number));
        assert!(["a", "b"].contains(&filled("{{pickRandom 'a' 'b'}}").as_str()));
        assert_eq!(filled("{{randomValue length=4}}"), filled("{{randomValue length=4}}"));
    }

    #[test]
    fn what_is_no_template_is_refused() {
        for (template, message) in [
            ("a {{b", "`{{b` is not closed"),
            ("{{#if a}}x", "`if` is not closed"),
            ("{{/if}}", "`if` is closed and was not opened"),
            ("{{a 'b}}", "`a 'b` has a text without an end"),
        ] {
            assert_eq!(template.parse::<Template>().unwrap_err().to_string(), message);
        }
    }
}
