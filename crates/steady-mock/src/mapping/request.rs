//! Which requests a mapping is for.

use indexmap::IndexMap;
use serde::{Deserialize, Serialize, Serializer};

use super::{Matcher, Pattern};

/// Matchers by the name of what they match.
pub type Matchers = IndexMap<String, Matcher>;

/// Which requests a mapping is for; what is not stated does not matter.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default, try_from = "Written")]
pub struct RequestPattern {
    /// The method; `ANY` or nothing for all.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub method: Option<String>,
    /// Where.
    #[serde(flatten)]
    pub url: UrlMatch,
    /// Segments of `urlPathTemplate`, by the names of its variables.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub path_parameters: Matchers,
    /// Parameters of the query.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub query_parameters: Matchers,
    /// Fields of a form in the body.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub form_parameters: Matchers,
    /// Headers; names in any case.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub headers: Matchers,
    /// Cookies.
    #[serde(skip_serializing_if = "IndexMap::is_empty")]
    pub cookies: Matchers,
    /// User name and password of basic authentication.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub basic_auth_credentials: Option<BasicAuth>,
    /// What the body has to be; all of them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub body_patterns: Vec<Matcher>,
    /// The host of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<Matcher>,
    /// The port of the service.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<u16>,
    /// `http` or `https`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scheme: Option<String>,
}

/// How the address of a request is matched.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum UrlMatch {
    /// Any address; `urlPattern` `.*` in WireMock's words.
    #[default]
    Any,
    /// `url`: path and query, to the letter.
    Url(String),
    /// `urlPath`: the path, to the letter.
    UrlPath(String),
    /// `urlPattern`: path and query.
    UrlPattern(Pattern),
    /// `urlPathPattern`: the path.
    UrlPathPattern(Pattern),
    /// `urlPathTemplate`: the path, `{name}` standing for a segment; with the pattern it stands for.
    UrlPathTemplate(String, Pattern),
}

/// User name and password.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "the names say it")]
pub struct BasicAuth {
    pub username: String,
    pub password: String,
}

impl RequestPattern {
    /// Requests with this method to this path and query.
    pub fn to(method: &str, url: &str) -> Self {
        Self { method: Some(method.to_owned()), url: UrlMatch::Url(url.to_owned()), ..Self::default() }
    }
}

impl UrlMatch {
    /// The match of a path template.
    pub fn template(template: &str) -> Result<Self, super::ParsePatternError> {
        let mut pattern = String::new();
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            pattern.push_str(&regex::escape(before));
            pattern.push_str("[^/]+");
            rest = after.split_once('}').map_or("", |(_, rest)| rest);
        }
        pattern.push_str(&regex::escape(rest));
        // `/**` at the end stands for anything below.
        if let Some(start) = pattern.strip_suffix(r"/\*\*") {
            pattern = format!("{start}/.*");
        }
        Ok(Self::UrlPathTemplate(template.to_owned(), pattern.parse()?))
    }
}

/// The request as it is written, before it is known which of its addresses is meant.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
struct Written {
    method: Option<String>,
    url: Option<String>,
    url_path: Option<String>,
    url_pattern: Option<String>,
    url_path_pattern: Option<String>,
    url_path_template: Option<String>,
    path_parameters: Matchers,
    query_parameters: Matchers,
    form_parameters: Matchers,
    headers: Matchers,
    cookies: Matchers,
    #[serde(alias = "basicAuth")]
    basic_auth_credentials: Option<BasicAuth>,
    body_patterns: Vec<Matcher>,
    host: Option<Matcher>,
    port: Option<u16>,
    scheme: Option<String>,
}

impl TryFrom<Written> for RequestPattern {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        let pattern = |text: &str| text.parse().map_err(|error: super::ParsePatternError| error.to_string());
        let mut urls = Vec::new();
        urls.extend(written.url.map(|url| ("url", UrlMatch::Url(url))));
        urls.extend(written.url_path.map(|path| ("urlPath", UrlMatch::UrlPath(path))));
        if let Some(text) = written.url_pattern {
            urls.push(("urlPattern", UrlMatch::UrlPattern(pattern(&text)?)));
        }
        if let Some(text) = written.url_path_pattern {
            urls.push(("urlPathPattern", UrlMatch::UrlPathPattern(pattern(&text)?)));
        }
        if let Some(text) = written.url_path_template {
            let template = UrlMatch::template(&text).map_err(|error| error.to_string())?;
            urls.push(("urlPathTemplate", template));
        }
        if urls.len() > 1 {
            return Err(format!("`{}` and `{}` in one request; keep one of them", urls[1].0, urls[0].0));
        }
        let url = urls.pop().map(|(_, url)| url).unwrap_or_default();
        if !written.path_parameters.is_empty() && !matches!(url, UrlMatch::UrlPathTemplate(..)) {
            return Err("`pathParameters` need a `urlPathTemplate` with variables".to_owned());
        }
        Ok(Self {
            method: written.method,
            url,
            path_parameters: written.path_parameters,
            query_parameters: written.query_parameters,
            form_parameters: written.form_parameters,
            headers: written.headers,
            cookies: written.cookies,
            basic_auth_credentials: written.basic_auth_credentials,
            body_patterns: written.body_patterns,
            host: written.host,
            port: written.port,
            scheme: written.scheme,
        })
    }
}

impl Serialize for UrlMatch {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let written = match self {
            Self::Any => None,
            Self::Url(url) => Some(("url", url.as_str())),
            Self::UrlPath(path) => Some(("urlPath", path.as_str())),
            Self::UrlPattern(pattern) => Some(("urlPattern", pattern.source())),
            Self::UrlPathPattern(pattern) => Some(("urlPathPattern", pattern.source())),
            Self::UrlPathTemplate(template, _) => Some(("urlPathTemplate", template.as_str())),
        };
        serializer.collect_map(written)
    }
}
