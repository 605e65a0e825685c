//! Turns a request template into a request.

use steady_model::{Body, Payload, Request, RequestTemplate, Segment, Text, percent};

use crate::multipart::multipart;
use crate::{Environment, Variables, fill};

/// A request could not be made from its template.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BindError {
    /// A variable has no value: nothing captured it.
    #[error("variable `{name}` has no value, because no earlier response held it")]
    UnboundVariable {
        /// The variable's name.
        name: String,
    },
    /// An environment variable is needed and not set.
    #[error("environment variable `{name}` is not set; it holds a secret the suite needs")]
    UnsetEnvironment {
        /// The environment variable's name.
        name: String,
    },
    /// The JSON value has no such place.
    #[error("the JSON value has no place `{pointer}` to put `{name}` into")]
    NoSuchPlace {
        /// The JSON pointer.
        pointer: String,
        /// The variable's name, or the text.
        name: String,
    },
    /// The address of the API is needed, and the caller did not give it.
    #[error("the address of the API is not known")]
    UnknownBase,
}

/// Puts variables and environment lookups into a template.
///
/// In the target they are percent-encoded; in a JSON body variables keep their type. The content type follows from
/// the body unless a header of the template gives one.
pub fn bind(
    template: &RequestTemplate,
    variables: &Variables,
    environment: &dyn Environment,
) -> Result<Request, BindError> {
    let binding = Binding { variables, environment };
    let target = binding.text_with(&template.target, |value| percent::encode(&value))?;
    let mut headers = Vec::with_capacity(template.headers.len() + 1);
    for (name, value) in &template.headers {
        headers.push((name.clone(), binding.text(value)?));
    }
    let body = match &template.body {
        None => None,
        Some(body) => {
            let bound = binding.body(body)?;
            set_content_type(&mut headers, &bound);
            Some(bound.payload)
        }
    };
    Ok(Request { method: template.method, target, headers, body })
}

/// Binds text by itself.
pub(crate) fn bind_text(
    text: &Text,
    variables: &Variables,
    environment: &dyn Environment,
) -> Result<String, BindError> {
    Binding { variables, environment }.text(text)
}

struct Binding<'a> {
    variables: &'a Variables,
    environment: &'a dyn Environment,
}

struct BoundBody {
    payload: Payload,
    content_type: String,
    boundary: Option<String>,
}

impl Binding<'_> {
    fn text(&self, text: &Text) -> Result<String, BindError> {
        self.text_with(text, |value| value)
    }

    fn text_with(&self, text: &Text, encode: impl Fn(String) -> String) -> Result<String, BindError> {
        let mut bound = String::new();
        for segment in text.segments() {
            match segment {
                Segment::Literal(literal) => bound.push_str(literal),
                Segment::Environment { env, encoded } => {
                    bound.push_str(&encode(encoded.apply(&self.lookup(env)?)));
                }
                Segment::Variable { .. } | Segment::Base { .. } => {
                    bound.push_str(&encode(fill::value_of(segment, self.variables)?));
                }
            }
        }
        Ok(bound)
    }

    fn lookup(&self, name: &str) -> Result<String, BindError> {
        self.environment.get(name).ok_or_else(|| BindError::UnsetEnvironment { name: name.to_owned() })
    }

    fn body(&self, body: &Body) -> Result<BoundBody, BindError> {
        let bound = |payload, content_type: &str| BoundBody {
            payload,
            content_type: content_type.to_owned(),
            boundary: None,
        };
        Ok(match body {
            Body::Json { value, bind, texts } => {
                let mut value = value.clone();
                for (pointer, text) in texts {
                    let missing =
                        || BindError::NoSuchPlace { pointer: pointer.clone(), name: text.to_string() };
                    *value.pointer_mut(pointer).ok_or_else(missing)? = self.text(text)?.into();
                }
                for (pointer, name) in bind {
                    let variable = self
                        .variables
                        .get(name)
                        .ok_or_else(|| BindError::UnboundVariable { name: name.clone() })?;
                    let place = value.pointer_mut(pointer).ok_or_else(|| BindError::NoSuchPlace {
                        pointer: pointer.clone(),
                        name: name.clone(),
                    })?;
                    *place = variable.clone();
                }
                bound(Payload::Text(value.to_string().into()), "application/json")
            }
            Body::Form(fields) => {
                let fields = fields
                    .iter()
                    .map(|(name, value)| Ok((name.as_str(), self.text(value)?)))
                    .collect::<Result<Vec<_>, _>>()?;
                let encoded =
                    percent::encode_form(fields.iter().map(|(name, value)| (*name, value.as_str())));
                bound(Payload::Text(encoded.into()), "application/x-www-form-urlencoded")
            }
            Body::Multipart(parts) => {
                let multipart = multipart(parts);
                BoundBody {
                    payload: Payload::from_bytes(multipart.bytes),
                    content_type: "multipart/form-data".to_owned(),
                    boundary: Some(multipart.boundary),
                }
            }
            Body::Text { content_type, text } => bound(Payload::Text(self.text(text)?.into()), content_type),
            Body::Bytes { content_type, payload } => bound(payload.clone(), content_type),
        })
    }
}

/// A header of the template wins, but a multipart body always gets the boundary it was written with.
fn set_content_type(headers: &mut Vec<(String, String)>, body: &BoundBody) {
    let given = headers.iter().position(|(name, _)| name == "content-type");
    let boundary = body.boundary.as_ref().map(|boundary| format!("; boundary={boundary}"));
    match (given, boundary) {
        (Some(at), Some(boundary)) => {
            let value = &mut headers[at].1;
            if value.starts_with("multipart/") && !value.contains("boundary=") {
                value.push_str(&boundary);
            }
        }
        (Some(_), None) => {}
        (None, boundary) => {
            let value = format!("{}{}", body.content_type, boundary.unwrap_or_default());
            headers.push(("content-type".to_owned(), value));
        }
    }
}

#[cfg(test)]
mod tests {
    use indexmap::IndexMap;
    use proptest::prelude::*;
    use serde_json::json;
    use steady_model::{Base, BasePart, Method, Part, Secret, Secrets};

    use super::*;

    fn template(target: Text, body: Option<Body>) -> RequestTemplate {
        RequestTemplate { method: Method::Post, target, headers: vec![], body }
    }

    fn secrets() -> Secrets {
        Secrets::new([("STEADY_KEY".into(), Secret::new("s&cret"))])
    }

    fn bound(
        template: &RequestTemplate,
        variables: &[(&str, serde_json::Value)],
    ) -> Result<Request, BindError> {
        bind(template, &variables.iter().cloned().collect(), &secrets())
    }

    #[test]
    fn variables_in_the_target_are_percent_encoded() {
        let target = Text::new([
            Segment::Literal("/orders/".into()),
            Segment::Variable { var: "id".into() },
            Segment::Literal("?key=".into()),
            Segment::environment("STEADY_KEY"),
        ]);
        let request = bound(&template(target, None), &[("id", json!("a/b c"))]).unwrap();
        assert_eq!(request.target, "/orders/a%2Fb%20c?key=s%26cret");
        assert_eq!(request.headers, []);
    }

    #[test]
    fn variables_in_a_json_body_keep_their_type() {
        let body = Body::json(
            json!({"item": 0, "tags": ["x"]}),
            IndexMap::from([("/item".into(), "id".into()), ("/tags/0".into(), "tag".into())]),
        );
        let variables = [("id", json!(7)), ("tag", json!("new"))];
        let request = bound(&template("/".into(), Some(body)), &variables).unwrap();
        assert_eq!(request.body, Some(Payload::Text(r#"{"item":7,"tags":["new"]}"#.into())));
        assert_eq!(request.header("content-type"), Some("application/json"));
    }

    #[test]
    fn the_base_is_put_in_wherever_it_stands() {
        let url = || Segment::base(BasePart::Url);
        let texts =
            IndexMap::from([("/hooks/0".into(), Text::new([url(), Segment::Literal("/hook".into())]))]);
        let body = Body::Json { value: json!({"hooks": [""]}), bind: IndexMap::new(), texts };
        let mut template = template(Text::new([Segment::Literal("/x?next=".into()), url()]), Some(body));
        template.headers.push(("origin".into(), Text::new([Segment::base(BasePart::Origin)])));
        assert_eq!(bound(&template, &[]), Err(BindError::UnknownBase));
        let variables = Variables::default().at(Base::at("http://h:1/app"));
        let request = bind(&template, &variables, &secrets()).unwrap();
        assert_eq!(request.target, "/x?next=http%3A%2F%2Fh%3A1%2Fapp");
        assert_eq!(request.header("origin"), Some("http://h:1"));
        assert_eq!(request.body, Some(Payload::Text(r#"{"hooks":["http://h:1/app/hook"]}"#.into())));
    }

    #[test]
    fn a_content_type_of_the_template_wins() {
        let body = Body::json(json!({}), IndexMap::new());
        let mut template = template("/".into(), Some(body));
        template.headers.push(("content-type".into(), "application/merge-patch+json".into()));
        let request = bound(&template, &[]).unwrap();
        assert_eq!(request.headers.len(), 1);
        assert_eq!(request.header("content-type"), Some("application/merge-patch+json"));
    }

    #[test]
    fn a_multipart_content_type_always_names_the_boundary() {
        let part = Part {
            name: "a".into(),
            filename: None,
            content_type: None,
            content: Payload::Bytes(vec![0xff, 0xfe].into()),
        };
        let mut template = template("/".into(), Some(Body::Multipart(vec![part])));
        let plain = bound(&template, &[]).unwrap();
        template.headers.push(("content-type".into(), "multipart/form-data".into()));
        let given = bound(&template, &[]).unwrap();
        let expected = Some("multipart/form-data; boundary=steady-part-boundary-0");
        assert_eq!((plain.header("content-type"), given.header("content-type")), (expected, expected));
        assert!(matches!(plain.body, Some(Payload::Bytes(_))));
    }

    #[test]
    fn what_is_missing_is_named() {
        let cases = [
            (template(Text::variable("id"), None), "variable `id` has no value"),
            (template(Text::environment("STEADY_ABSENT"), None), "`STEADY_ABSENT` is not set"),
            (
                template(
                    "/".into(),
                    Some(Body::json(json!({}), IndexMap::from([("/a".into(), "known".into())]))),
                ),
                "no place `/a`",
            ),
        ];
        for (template, message) in cases {
            let error = bound(&template, &[("known", json!(1))]).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    proptest! {
        #[test]
        fn a_bound_value_never_changes_the_path_around_it(value in ".*") {
            let target = Text::new([
                Segment::Literal("/a/".into()),
                Segment::Variable { var: "v".into() },
                Segment::Literal("/b?c=d".into()),
            ]);
            let request = bound(&template(target, None), &[("v", json!(value))]).unwrap();
            prop_assert_eq!(request.target.matches('/').count(), 3);
            prop_assert_eq!(request.target.matches('?').count(), 1);
        }
    }
}
