//! What of a response an expression is.

use std::collections::BTreeMap;

use steady_edit::Span;
use steady_model::Place;

use super::names::{JVM_FUNCTIONS, PYTHON_FUNCTIONS, RESPONSE_FIELDS, SCRIPT_FUNCTIONS, VERBS};
use super::subject::{At, Subject, assume_body};
use super::{Finder, python};
use crate::language::Language;
use crate::syntax::{Expr, Kind, Link, Step, method};

impl Finder<'_> {
    /// What of a response an expression is, if it is of one.
    pub(super) fn resolve(&mut self, expr: &Expr) -> Option<Subject> {
        match &expr.kind {
            Kind::Name(name) => self.scope.get(name).cloned(),
            Kind::Chain(base, links) => {
                if let (Kind::Name(function), [Link { kind: Step::Call(arguments), .. }]) =
                    (&base.kind, &links[..])
                    && function == "len"
                    && self.language == Language::Python
                {
                    return self.python_length(arguments, expr);
                }
                if let (Kind::Name(name), [Link { kind: Step::Call(arguments), upto, .. }, ..]) =
                    (&base.kind, &links[..])
                    && let Some(callee) = self.callee(name)
                {
                    let is_own = callee.is_in(self.here);
                    match self.call_of(&callee, arguments, *upto) {
                        Some(mut subject) => {
                            let mut next = 1;
                            while next < links.len() {
                                next = self.access(&mut subject, links, next)?;
                            }
                            return Some(subject);
                        }
                        None if is_own => return None,
                        // Another file may do too much to follow. Its result is then used as a response, or the body of one.
                        None => {}
                    }
                }
                if matches!(&base.kind, Kind::Name(name) if name == "Object") {
                    return self.script_keys(links, expr);
                }
                let (mut subject, mut next) = match self.parsed(base, links) {
                    Some(body) => (body, 2),
                    None => self.origin(base, links)?,
                };
                while next < links.len() {
                    next = self.access(&mut subject, links, next)?;
                }
                Some(subject)
            }
            Kind::Each { item, element, list } => {
                let list = self.resolve(list)?;
                self.each(list, item, element, expr.span)
            }
            _ => None,
        }
    }

    /// The body that a chain parses at its beginning: `json.loads(r.text)`, `JSON.parse(r.text)`.
    pub(super) fn parsed(&mut self, base: &Expr, links: &[Link]) -> Option<Subject> {
        let Kind::Name(module) = &base.kind else { return None };
        let (function, [text]) = method(links, 0)? else { return None };
        matches!((module.as_str(), function), ("json", "loads") | ("JSON", "parse")).then_some(())?;
        let mut subject = self.resolve(text)?;
        let root = At::Value(Place::Body(String::new()));
        (subject.at == At::Text || subject.at == root).then_some(())?;
        subject.at = root;
        self.here.text[links.get(1)?.upto].clone_into(&mut subject.code);
        subject.known.insert(String::new(), subject.code.clone());
        Some(subject)
    }

    /// The response a chain begins with, and the first step after it.
    pub(super) fn origin(&self, base: &Expr, links: &[Link]) -> Option<(Subject, usize)> {
        if let Kind::Name(name) = &base.kind {
            if let Some(subject) = self.scope.get(name)
                && !self.is_client(subject, links)
            {
                return Some((subject.clone(), 0));
            }
            if let Some(Link { kind: Step::Member(member), .. }) = links.first()
                && let Some(subject) = self.scope.get(&format!("{name}.{member}"))
            {
                return Some((subject.clone(), 1));
            }
        }
        let end = self.request(base, links)?;
        let last = &links.get(end - 1)?.upto;
        let call = self.site(Span::new(base.span.start, last.end));
        let code = self.here.text[*last].to_owned();
        let foreign = matches!(&base.kind, Kind::Name(name) if end == 1 && self.is_helper(name));
        let response = Subject {
            call,
            at: At::Response,
            request: Some(code.clone()),
            code,
            known: BTreeMap::new(),
            once: true,
            foreign: foreign && !self.language.is_jvm(),
            assumed: false,
        };
        Some((response, end))
    }

    /// Whether what a function elsewhere returned sends requests itself: `client.get("/orders")`, unlike `body.get("id")`.
    pub(super) fn is_client(&self, subject: &Subject, links: &[Link]) -> bool {
        let Some((verb, arguments)) = method(links, 0) else { return false };
        let is_address = |text: &str| text.starts_with('/') || text.contains("://");
        let leads_somewhere = || arguments.first().is_none_or(|first| first.text().is_none_or(is_address));
        subject.foreign
            && subject.at == At::Response
            && VERBS.contains(&verb)
            && (verb != "get" || leads_somewhere())
    }

    /// How many steps of a chain make the request, if it makes one.
    pub(super) fn request(&self, base: &Expr, links: &[Link]) -> Option<usize> {
        let called = |at: usize| matches!(links.get(at), Some(Link { kind: Step::Call(_), .. }));
        if let Kind::Name(name) = &base.kind
            && called(0)
        {
            let function = match self.language {
                Language::Java | Language::Kotlin => VERBS.contains(&name.as_str()),
                Language::Python => false,
                _ => matches!(name.as_str(), "fetch" | "axios" | "got" | "ky"),
            };
            if function || self.is_helper(name) {
                return Some(1);
            }
        }
        (0..links.len())
            .find(|&at| method(links, at).is_some_and(|(name, _)| VERBS.contains(&name)))
            .map(|at| at + 2)
    }

    /// Whether a name may be that of a function of the tests' own: by custom it begins with a small letter.
    pub(super) fn is_helper(&self, name: &str) -> bool {
        let library = match self.language {
            Language::Java | Language::Kotlin => JVM_FUNCTIONS,
            Language::Python => PYTHON_FUNCTIONS,
            _ => SCRIPT_FUNCTIONS,
        };
        name.starts_with(|first: char| first.is_lowercase() || first == '_') && !library.contains(&name)
    }

    /// Takes the next step of a chain, and says which one comes after it.
    pub(super) fn access(&mut self, subject: &mut Subject, links: &[Link], at: usize) -> Option<usize> {
        if subject.foreign && subject.at == At::Response && self.reads_body(links, at) {
            assume_body(subject);
        }
        // The object that a client gives back has the body at `data`; so may a body have something.
        let is_unsure = matches!(&links[at].kind, Step::Member(name) if name == "data" || name == "body");
        subject.assumed |= subject.foreign && subject.at == At::Response && is_unsure;
        let (reached, next) = match self.language {
            Language::Java | Language::Kotlin => self.jvm_access(subject, links, at)?,
            Language::Python => python::access(subject, links, at)?,
            _ => self.script_access(subject, links, at)?,
        };
        subject.at = reached;
        self.here.text[links.get(next - 1)?.upto].clone_into(&mut subject.code);
        if let At::Value(Place::Body(pointer)) = &subject.at
            && !self.language.is_jvm()
        {
            subject.known.insert(pointer.clone(), subject.code.clone());
        }
        Some(next)
    }

    /// Whether the next step is one that a body has and a response has not.
    pub(super) fn reads_body(&self, links: &[Link], at: usize) -> bool {
        match (&links[at].kind, self.language) {
            (Step::Index(_), _) => true,
            (Step::Member(name), Language::Python) => {
                name == "get" && !matches!(method(links, at), Some((_, [Expr { kind: Kind::Opaque, .. }])))
            }
            (Step::Member(name), _) => {
                method(links, at).is_none() && !RESPONSE_FIELDS.contains(&name.as_str())
            }
            (Step::Call(_), _) => false,
        }
    }
}
