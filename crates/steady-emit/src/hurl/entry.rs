//! Entries of Hurl files: a request, what is taken out of its response, and what must hold.

use steady_model::{Method, Place, Take};

use super::assert::Document;
use super::body::{body, encodes_itself};
use super::quote::{Naming, StringContext, escaped, template, variable};
use super::varying::related_query;
use crate::language::{comment, remark};
use crate::plan::{Condition, Identity, Json, Plan, Request, Setting, Step, Template, Variable, Varying};

/// One entry.
pub(super) struct Entry<'p, 'a> {
    request: &'p Request<'a>,
    /// The identity of the call.
    identity: Option<&'p Identity<'a>>,
    /// What the names of the call's own variables begin with.
    prefix: String,
    captures: Vec<(&'p Variable, &'p Place, Take)>,
    checks: Vec<(&'p Place, &'p Condition<'a>, Option<&'a str>)>,
}

impl<'p, 'a> Entry<'p, 'a> {
    /// The entries of a test's steps, or of the login of `who`: calls first, then what cleans up.
    pub(super) fn all(steps: &'p [Step<'a>], plan: &'p Plan<'a>, who: Option<&'p Identity<'a>>) -> Vec<Self> {
        let prefix = who.map(variables_of).unwrap_or_default();
        let entry = |request: &'p Request<'a>| Self {
            request,
            identity: plan.identities.iter().find(|identity| Some(identity.key) == request.identity),
            prefix: prefix.clone(),
            captures: vec![],
            checks: vec![],
        };
        let mut calls: Vec<Self> = Vec::new();
        let mut cleanup = Vec::new();
        for step in steps {
            match (step, calls.last_mut()) {
                (Step::Send(request), _) => calls.push(entry(request)),
                (Step::Cleanup(request), _) => cleanup.push(entry(request)),
                (Step::Capture { variable, from, take }, Some(call)) => {
                    call.captures.push((variable, from, *take));
                }
                (Step::Check { place, condition, note }, Some(call)) => {
                    call.checks.push((place, condition, *note));
                }
                (Step::Fresh { .. } | Step::Capture { .. } | Step::Check { .. }, _) => {}
            }
        }
        calls.extend(cleanup.into_iter().rev());
        calls
    }

    /// The names of the variables that this entry puts into URLs.
    pub(super) fn variables_in_urls(&self) -> Vec<String> {
        let own = Naming { prefix: &self.prefix, setting: Setting::Text };
        let mut names: Vec<String> =
            self.request.target.pieces().iter().map(|piece| variable(piece, own)).collect();
        if let Some(content) = &self.request.content
            && encodes_itself(content)
        {
            let pieces = self.request.templates().flat_map(Template::pieces);
            names.extend(pieces.map(|piece| variable(piece, own)));
        }
        if let Some(who) = self.identity {
            let naming = Naming { prefix: &variables_of(who), setting: Setting::Text };
            let pieces = who.query.iter().flat_map(|(_, value)| value.pieces());
            names.extend(pieces.map(|piece| variable(piece, naming)));
        }
        names
    }

    /// The entry's text; `in_urls` are the variables that need a percent-encoded twin.
    pub(super) fn text(&self, in_urls: &[String], options: &str) -> String {
        let document = Document::of(
            self.captures
                .iter()
                .map(|(_, from, _)| (*from, None))
                .chain(self.checks.iter().map(|(place, condition, _)| (*place, Some(*condition)))),
        );
        let mut out = format!("{} {}\n", self.request.method, self.url());
        let body = self.request.content.as_ref().map(|content| body(content, &self.prefix));
        for (name, value) in self.headers(body.as_ref().and_then(|body| body.content_type.as_deref())) {
            out.push_str(&format!("{}: {value}\n", escaped(&name, StringContext::Key)));
        }
        out.push_str(options);
        out.push_str(&body.map(|body| body.text).unwrap_or_default());
        out.push_str(&self.response(&document, in_urls));
        out
    }

    fn url(&self) -> String {
        let naming = Naming { prefix: &self.prefix, setting: Setting::Target };
        let mut url = template(&self.request.target, StringContext::Line, naming);
        if !url.starts_with("http://") && !url.starts_with("https://") {
            url.insert_str(0, "{{url}}");
        }
        if let Some(who) = self.identity {
            let naming = Naming { prefix: &variables_of(who), setting: Setting::Target };
            for (name, value) in &who.query {
                let separator = if url.contains('?') { '&' } else { '?' };
                url.push_str(&format!("{separator}{name}={}", template(value, StringContext::Line, naming)));
            }
        }
        url
    }

    fn headers(&self, content_type: Option<&str>) -> Vec<(String, String)> {
        let own = Naming { prefix: &self.prefix, setting: Setting::Text };
        let line = |(name, value): &(&str, Template<'_>), naming: Naming<'_>| {
            ((*name).to_owned(), template(value, StringContext::Line, naming))
        };
        let mut headers: Vec<(String, String)> =
            self.request.headers.iter().map(|header| line(header, own)).collect();
        let mut otherwise = Vec::new();
        if let Some(who) = self.identity {
            let naming = Naming { prefix: &variables_of(who), setting: Setting::Text };
            otherwise.extend(who.headers.iter().map(|header| line(header, naming)));
        }
        if let Some(content_type) = content_type {
            otherwise.push(("content-type".to_owned(), escaped(content_type, StringContext::Line)));
        }
        let expects_content = matches!(self.request.method, Method::Post | Method::Put | Method::Patch);
        if self.request.content.is_none() && expects_content {
            otherwise.push(("content-length".to_owned(), "0".to_owned()));
        }
        otherwise.push(("accept-language".to_owned(), "en".to_owned()));
        otherwise.retain(|(name, _)| !headers.iter().any(|(given, _)| given.eq_ignore_ascii_case(name)));
        headers.extend(otherwise);
        headers
    }

    fn response(&self, document: &Document, in_urls: &[String]) -> String {
        let mut captures = String::new();
        for (variable, from, take) in &self.captures {
            let name = format!("{}{}", self.prefix, variable.name.snake());
            let query = document.query(from);
            // Hurl cuts and encodes nothing but strings.
            let string =
                if matches!(from, Place::Header(_)) { query.clone() } else { format!("{query} toString") };
            let (whole, string) = match take {
                Take::Whole => (query, string),
                Take::LastSegment => {
                    let segment = format!("{string} regex \"(?:^|/)([^/?#]+)/*(?:[?#].*)?$\" urlDecode");
                    (segment.clone(), segment)
                }
            };
            captures.push_str(&format!("{name}: {whole}\n"));
            if in_urls.contains(&name) {
                captures.push_str(&format!("{name}_path: {string} urlEncode replace \"/\" \"%2F\"\n"));
            }
        }
        let mut status = None;
        let mut asserts = String::new();
        for (index, (place, condition, note)) in self.checks.iter().enumerate() {
            if let (Place::Status, Condition::Equals(Json::Number(number)), None, None) =
                (place, condition, status, note)
            {
                status = Some(number);
                continue;
            }
            if let Some(note) = remark(place, condition, *note) {
                asserts.push_str(&comment(&note, "#"));
            }
            // No name of a variable has two underscores in a row.
            let related = format!("{}related__{}", self.prefix, index + 1);
            if let Condition::Varying(Varying::Relation(relation)) = condition
                && let Some(query) = related_query(document, relation)
            {
                captures.push_str(&format!("{related}: {query}\n"));
            }
            for line in document.asserts(place, condition, &self.prefix, &related) {
                asserts.push_str(&format!("{line}\n"));
            }
        }
        if status.is_none() && captures.is_empty() && asserts.is_empty() {
            return String::new();
        }
        let mut out = format!("HTTP {}\n", status.map_or_else(|| "*".to_owned(), ToString::to_string));
        for (section, lines) in [("Captures", captures), ("Asserts", asserts)] {
            if !lines.is_empty() {
                out.push_str(&format!("[{section}]\n{lines}"));
            }
        }
        out
    }
}

/// What the names of the variables of someone's login begin with.
pub(super) fn variables_of(who: &Identity<'_>) -> String {
    format!("{}_", who.name.snake())
}
