//! Finds, in the statements of a test, the assertions about responses and the requests they belong to.
//!
//! A test is read from top to bottom with the names that hold a response, or a part of one, in scope. What is made in a
//! loop or bound in one branch only is not known, and nothing said of it is listed. A function of the tests' own is taken to
//! return a response when its result is used as one; whether it made a request is for whoever watched it to say.

mod hamcrest;
mod jvm;
mod python;
mod script;

use std::collections::BTreeMap;

use serde_json::Value;
use steady_model::{Assertion, Matcher, Pattern, Place};

use crate::assertion::{CallSite, Form, Found, Site, leaves};
use crate::language::Language;
use crate::lines::Lines;
use crate::syntax::{Action, Expr, Kind, Link, Names, Span, Statement, Step, Test, method};

/// The methods by which clients send requests.
const VERBS: &[&str] = &["get", "post", "put", "patch", "delete", "del", "head", "options", "request"];

/// Functions that are called by their names and are no test's own.
const JVM_FUNCTIONS: &[&str] = &[
    "given",
    "when",
    "expect",
    "with",
    "assertThat",
    "assertEquals",
    "assertTrue",
    "assertNotNull",
    "assertThrows",
    "assertAll",
    "is",
    "not",
    "check",
    "require",
    "listOf",
    "mapOf",
    "setOf",
    "println",
];
const PYTHON_FUNCTIONS: &[&str] = &[
    "len",
    "str",
    "int",
    "float",
    "bool",
    "list",
    "dict",
    "set",
    "tuple",
    "sorted",
    "reversed",
    "range",
    "enumerate",
    "zip",
    "print",
    "isinstance",
    "type",
    "any",
    "all",
    "sum",
    "min",
    "max",
    "next",
    "iter",
    "open",
    "repr",
    "getattr",
    "super",
];
const SCRIPT_FUNCTIONS: &[&str] = &[
    "expect",
    "require",
    "describe",
    "test",
    "it",
    "beforeEach",
    "afterEach",
    "beforeAll",
    "afterAll",
    "parseInt",
    "parseFloat",
    "setTimeout",
    "structuredClone",
    "supertest",
    "request",
    "agent",
];

/// The assertions of a test, in the order of the source.
pub(crate) fn find(test: &Test, text: &str, lines: &Lines, language: Language) -> Vec<Found> {
    let mut finder = Finder { text, lines, language, scope: BTreeMap::new(), found: Vec::new() };
    finder.run(&test.body);
    let mut found = finder.found;
    // A chain is read once for the assertions in it, and again for its value.
    found.sort_by_key(|found| (found.span.start, found.span.end));
    found.dedup_by(|next, kept| next.span == kept.span);
    found
}

struct Finder<'s> {
    text: &'s str,
    lines: &'s Lines,
    language: Language,
    scope: BTreeMap<String, Subject>,
    found: Vec<Found>,
}

/// A response, or what was taken from it.
#[derive(Debug, Clone, PartialEq)]
struct Subject {
    call: CallSite,
    at: At,
    code: String,
    known: BTreeMap<String, String>,
    once: bool,
}

/// How far into a response an expression reaches.
#[derive(Debug, Clone, PartialEq)]
enum At {
    Response,
    /// A response that is being validated, after `then()`.
    Validation,
    Headers,
    Value(Place),
    /// The body as text.
    Text,
    /// The length of the array there.
    Length(String),
    /// The number of fields of the object there.
    Fields(String),
}

impl Finder<'_> {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                Action::Bind(names, value) => {
                    self.chained(value);
                    let subject = self.resolve(value);
                    self.bind(names, subject);
                }
                Action::Evaluate(value) => {
                    self.chained(value);
                    match self.language {
                        Language::Java | Language::Kotlin => self.jvm_statement(statement, value),
                        Language::Python => self.python_statement(statement, value),
                        _ => self.script_statement(statement, value),
                    }
                }
                Action::Assert(condition) => self.python_assert(statement, condition),
                Action::Sequence(inner) => self.run(inner),
                Action::Branches(inner) => {
                    let before = self.scope.clone();
                    self.run(inner);
                    self.scope.retain(|name, subject| before.get(name) == Some(subject));
                }
            }
        }
    }

    fn bind(&mut self, names: &Names, subject: Option<Subject>) {
        match names {
            Names::One(name) => self.bind_one(name, subject),
            Names::Unknown(names) => names.iter().for_each(|name| self.bind_one(name, None)),
            Names::Fields(fields) => {
                for (field, name) in fields {
                    let taken = subject.as_ref().and_then(|subject| self.script_field(subject, field));
                    self.bind_one(name, taken);
                }
            }
        }
    }

    fn bind_one(&mut self, name: &str, subject: Option<Subject>) {
        self.scope.remove(name);
        let mentions = |code: &str| {
            code.strip_prefix(name)
                .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '_' || c == '$'))
        };
        for other in self.scope.values_mut() {
            other.known.retain(|_, code| !mentions(code));
        }
        let Some(mut subject) = subject else { return };
        name.clone_into(&mut subject.code);
        subject.known.retain(|_, code| !mentions(code));
        if let At::Value(Place::Body(pointer)) = &subject.at
            && !self.language.is_jvm()
        {
            subject.known.insert(pointer.clone(), name.to_owned());
        }
        if subject.once {
            subject.known.retain(|_, code| code == name);
            subject.once = false;
        }
        self.scope.insert(name.to_owned(), subject);
    }

    /// What of a response an expression is, if it is of one.
    fn resolve(&mut self, expr: &Expr) -> Option<Subject> {
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
            _ => None,
        }
    }

    /// The body that a chain parses at its beginning: `json.loads(r.text)`, `JSON.parse(r.text)`.
    fn parsed(&mut self, base: &Expr, links: &[Link]) -> Option<Subject> {
        let Kind::Name(module) = &base.kind else { return None };
        let (function, [text]) = method(links, 0)? else { return None };
        matches!((module.as_str(), function), ("json", "loads") | ("JSON", "parse")).then_some(())?;
        let mut subject = self.resolve(text)?;
        let root = At::Value(Place::Body(String::new()));
        (subject.at == At::Text || subject.at == root).then_some(())?;
        subject.at = root;
        self.text[links.get(1)?.upto.clone()].clone_into(&mut subject.code);
        subject.known.insert(String::new(), subject.code.clone());
        Some(subject)
    }

    /// The response a chain begins with, and the first step after it.
    fn origin(&self, base: &Expr, links: &[Link]) -> Option<(Subject, usize)> {
        if let Kind::Name(name) = &base.kind {
            if let Some(subject) = self.scope.get(name) {
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
        let call = CallSite {
            first_line: self.lines.line(base.span.start),
            last_line: self.lines.line(last.end.saturating_sub(1)),
        };
        let code = self.text[last.clone()].to_owned();
        let response = Subject { call, at: At::Response, code, known: BTreeMap::new(), once: true };
        Some((response, end))
    }

    /// How many steps of a chain make the request, if it makes one.
    fn request(&self, base: &Expr, links: &[Link]) -> Option<usize> {
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
    fn is_helper(&self, name: &str) -> bool {
        let library = match self.language {
            Language::Java | Language::Kotlin => JVM_FUNCTIONS,
            Language::Python => PYTHON_FUNCTIONS,
            _ => SCRIPT_FUNCTIONS,
        };
        name.starts_with(|first: char| first.is_lowercase() || first == '_') && !library.contains(&name)
    }

    /// Takes the next step of a chain, and says which one comes after it.
    fn access(&mut self, subject: &mut Subject, links: &[Link], at: usize) -> Option<usize> {
        let (reached, next) = match self.language {
            Language::Java | Language::Kotlin => self.jvm_access(subject, links, at)?,
            Language::Python => python::access(subject, links, at)?,
            _ => self.script_access(subject, links, at)?,
        };
        subject.at = reached;
        self.text[links.get(next - 1)?.upto.clone()].clone_into(&mut subject.code);
        if let At::Value(Place::Body(pointer)) = &subject.at
            && !self.language.is_jvm()
        {
            subject.known.insert(pointer.clone(), subject.code.clone());
        }
        Some(next)
    }

    /// The assertions that are calls of a chain.
    fn chained(&mut self, value: &Expr) {
        match self.language {
            Language::Java | Language::Kotlin => self.jvm_chained(value),
            Language::Python => {}
            _ => self.script_chained(value),
        }
    }

    fn add(&mut self, form: Form, statement: &Statement, subject: &Subject, places: Vec<Assertion>) {
        self.add_literal(form, statement, subject, places, None);
    }

    fn add_literal(
        &mut self,
        form: Form,
        statement: &Statement,
        subject: &Subject,
        places: Vec<Assertion>,
        literal: Option<&Expr>,
    ) {
        let place = match &subject.at {
            At::Value(place) => place.clone(),
            At::Length(pointer) | At::Fields(pointer) => Place::Body(pointer.clone()),
            At::Text => Place::Body(String::new()),
            At::Response | At::Validation | At::Headers => return,
        };
        // A statement that another could not take the place of is left alone, and so is one whose line begins in a string:
        // a comment could not stand above it.
        let before = &self.text[self.lines.start(statement.span.start)..statement.span.start];
        let in_string =
            self.language == Language::Python && (before.contains("\"\"\"") || before.contains("'''"));
        if places.is_empty() || statement.block.is_none() || in_string {
            return;
        }
        let literal = literal.filter(|literal| matches!(literal.kind, Kind::List(_) | Kind::Map(_)));
        let site = Site {
            form,
            place,
            subject: subject.code.clone(),
            known: subject.known.clone(),
            literal: literal.cloned(),
            block: statement.block,
            once: subject.once,
            length: matches!(subject.at, At::Length(_) | At::Fields(_)),
        };
        self.found.push(Found { span: statement.span.clone(), call: subject.call, places, site });
    }

    fn add_link(&mut self, form: Form, span: Span, call: CallSite, places: Vec<Assertion>) {
        let Some(first) = places.first() else { return };
        let site = Site {
            form,
            place: first.place.clone(),
            subject: String::new(),
            known: BTreeMap::new(),
            literal: None,
            block: None,
            once: false,
            length: false,
        };
        self.found.push(Found { span, call, places, site });
    }
}

/// What equality with a literal says of a subject.
fn equality(subject: &Subject, literal: &Expr) -> Vec<Assertion> {
    match &subject.at {
        At::Value(place) => leaves(place, literal),
        At::Length(pointer) => size(pointer, literal),
        At::Fields(pointer) if literal.constant() == Some(0.into()) => {
            let none = Value::Object(serde_json::Map::new());
            vec![Assertion::new(Place::Body(pointer.clone()), Matcher::Equals(none))]
        }
        At::Text if literal.text() == Some("") => {
            vec![Assertion::new(Place::Body(String::new()), Matcher::Absent)]
        }
        At::Text => {
            // The body's text is its root's value only when it is not JSON.
            let Some(text) = literal.text().filter(|text| serde_json::from_str::<Value>(text).is_err())
            else {
                return Vec::new();
            };
            vec![Assertion::new(Place::Body(String::new()), Matcher::Equals(text.into()))]
        }
        At::Response | At::Validation | At::Headers | At::Fields(_) => Vec::new(),
    }
}

/// What a length says of the array at a pointer.
fn size(pointer: &str, literal: &Expr) -> Vec<Assertion> {
    let size =
        literal.constant().and_then(|value| value.as_u64()).and_then(|size| usize::try_from(size).ok());
    size.map(|size| Assertion::new(Place::Body(pointer.to_owned()), Matcher::Size(size)))
        .into_iter()
        .collect()
}

/// What it means that a text begins with this, or has this in it; a content type does when its media type is this.
fn containing(place: &Place, text: &str, from_start: bool) -> Vec<Assertion> {
    let content_type = *place == Place::Header("content-type".to_owned());
    let matcher = if content_type {
        Matcher::MediaType(text.split(';').next().unwrap_or(text).trim().to_ascii_lowercase())
    } else {
        let before = if from_start { "" } else { r"[\s\S]*" };
        let what = if from_start {
            format!("text that begins with `{text}`")
        } else {
            format!("text with `{text}` in it")
        };
        Matcher::Pattern(Pattern { regex: format!(r"{before}{}[\s\S]*", escape(text)), what })
    };
    vec![Assertion::new(place.clone(), matcher)]
}

/// Text as a pattern that matches nothing else.
pub(crate) fn escape(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for c in text.chars() {
        if r"\.+*?()|[]{}^$".contains(c) {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern
}
