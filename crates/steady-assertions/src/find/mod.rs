//! Finds, in the statements of a test, the assertions about responses and the requests they belong to.
//!
//! A test is read from top to bottom with the names that hold a response, or a part of one, in scope; what runs before it is
//! read first, and a function of the same file, or of one that it is imported from, where it is called. What is made in a loop or bound in one branch only is not
//! known, and nothing said of it is listed. Any other function is taken to return a response, or the body of one, by how its
//! result is used; whether it made a request is for whoever watched it to say. Assertions that lead to no response are listed, too.

mod follow;
mod hamcrest;
mod jvm;
mod names;
mod not_followed;
mod python;
mod script;

use std::collections::BTreeMap;
use std::sync::Arc;

use names::{JVM_FUNCTIONS, PYTHON_FUNCTIONS, RESPONSE_FIELDS, SCRIPT_FUNCTIONS, VERBS};
use serde_json::Value;
use steady_edit::{LineIndex, Span};
use steady_model::{Assertion, Matcher, Pattern, Place};

use crate::assertion::{CallSite, Form, Found, HeldBody, NotFollowed, Site, leaves};
use crate::fixtures::FixtureFile;
use crate::imported::ImportedName;
use crate::language::Language;
use crate::pointer;
use crate::syntax::{Action, Expr, Function, Kind, Link, Names, Statement, Step, Test, method};

/// What a test asserts.
pub(crate) struct Findings {
    /// Its assertions about responses, in the order of the source.
    pub found: Vec<Found>,
    /// Its other assertions, by span.
    pub not_followed: BTreeMap<usize, NotFollowed>,
}

/// A file whose code is read.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Home<'s> {
    pub text: &'s str,
    pub lines: &'s LineIndex,
    pub functions: &'s BTreeMap<String, Function>,
    /// Its place among the files of fixtures; none for the file of the tests.
    pub fixture_file: Option<usize>,
}

/// What a test sees of other files.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Shared<'s> {
    /// The files of fixtures, the nearest first, and those that functions are imported from.
    pub files: &'s [Arc<FixtureFile>],
    /// The names that its file imports.
    pub imported: &'s [ImportedName],
}

/// The assertions of a test of a file.
pub(crate) fn find<'s>(test: &'s Test, own: Home<'s>, shared: Shared<'s>, language: Language) -> Findings {
    let mut finder = Finder {
        here: own,
        own,
        shared,
        language,
        test: test.span,
        scope: BTreeMap::new(),
        found: Vec::new(),
        not_followed: BTreeMap::new(),
        returned: None,
        depth: 0,
        asserts_elsewhere: false,
    };
    finder.fixtures(&test.parameters);
    finder.run(&test.setup);
    finder.run(&test.body);
    let mut found = finder.found;
    // A chain is read once for the assertions in it, and again for its value.
    found.sort_by_key(|found| (found.span.start, found.span.end, found.call));
    found.dedup_by(|next, kept| next.span == kept.span && next.call == kept.call);
    Findings { found, not_followed: finder.not_followed }
}

struct Finder<'s> {
    /// The file that is being read.
    here: Home<'s>,
    /// The file of the test.
    own: Home<'s>,
    /// What the test sees of other files.
    shared: Shared<'s>,
    language: Language,
    /// The code of the test.
    test: Span,
    scope: BTreeMap<String, Subject>,
    found: Vec<Found>,
    not_followed: BTreeMap<usize, NotFollowed>,
    /// What the function that is read returns, once it does.
    returned: Option<Option<Subject>>,
    /// How many functions are being read.
    depth: usize,
    /// Whether a function of another file that was read asserts something.
    asserts_elsewhere: bool,
}

/// A response, or what was taken from it.
#[derive(Debug, Clone, PartialEq)]
struct Subject {
    call: CallSite,
    at: At,
    code: String,
    known: BTreeMap<String, String>,
    once: bool,
    /// The code of the request, where the subject's code makes it.
    request: Option<String>,
    /// Whether it is what a function of another file returns: a response, or the body of one.
    foreign: bool,
    /// Whether it was taken for the body of a response.
    assumed: bool,
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
    /// What is at a pointer in every item of the array there.
    Each {
        list: String,
        path: String,
    },
}

impl<'s> Finder<'s> {
    fn run(&mut self, statements: &[Statement]) {
        for statement in statements {
            match &statement.kind {
                Action::Bind(names, value) => {
                    self.chained(value);
                    let subject = self.resolve(value);
                    self.bind(names, subject);
                }
                Action::Evaluate(value) => self.evaluate(statement, value),
                Action::Assert(condition) => {
                    let before = self.found.len();
                    self.python_assert(statement, condition);
                    self.note_unless_found(before, statement, &[condition]);
                }
                Action::Return(value) => {
                    self.chained(value);
                    let subject = self.resolve(value);
                    self.returned.get_or_insert(subject);
                }
                Action::Repeated(assertions) => {
                    for span in assertions {
                        self.not_follow(
                            *span,
                            "it stands in a loop or a block that may run any number of times",
                        );
                    }
                }
                Action::Sequence(inner) => self.run(inner),
                Action::Branches(inner) => {
                    let before = self.scope.clone();
                    self.run(inner);
                    self.scope.retain(|name, subject| before.get(name) == Some(subject));
                }
            }
        }
    }

    fn evaluate(&mut self, statement: &Statement, value: &Expr) {
        self.chained(value);
        let before = self.found.len();
        match self.language {
            Language::Java | Language::Kotlin => self.jvm_statement(statement, value),
            Language::Python => self.python_statement(statement, value),
            _ => self.script_statement(statement, value),
        }
        let Kind::Chain(base, links) = &value.kind else { return };
        let (Kind::Name(name), Some(first)) = (&base.kind, links.first()) else { return };
        match &first.kind {
            Step::Call(_) if self.callee(name).is_some() => {
                let before = std::mem::take(&mut self.asserts_elsewhere);
                self.resolve(value);
                if std::mem::replace(&mut self.asserts_elsewhere, before) && self.here.fixture_file.is_none()
                {
                    self.not_follow(
                        statement.span,
                        "it asserts in a function of another file, which is not rewritten",
                    );
                }
            }
            Step::Call(arguments) if name == "expect" => {
                let arguments: Vec<&Expr> = arguments.iter().collect();
                self.note_unless_found(before, statement, &arguments);
            }
            Step::Member(method) if name == "self" && method.starts_with("assert") => {
                let arguments: Vec<&Expr> = match links.get(1) {
                    Some(Link { kind: Step::Call(arguments), .. }) => arguments.iter().collect(),
                    _ => Vec::new(),
                };
                self.note_unless_found(before, statement, &arguments);
            }
            _ => {}
        }
    }

    fn site(&self, span: Span) -> CallSite {
        CallSite {
            first_line: self.here.lines.line(span.start),
            last_line: self.here.lines.line(span.end.saturating_sub(1)),
            fixture_file: self.here.fixture_file,
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
            subject.request = None;
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
                        // What another file does may be too much to follow: its result is used as a response, or the body of one.
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
    fn parsed(&mut self, base: &Expr, links: &[Link]) -> Option<Subject> {
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
    fn origin(&self, base: &Expr, links: &[Link]) -> Option<(Subject, usize)> {
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
    fn is_client(&self, subject: &Subject, links: &[Link]) -> bool {
        let Some((verb, arguments)) = method(links, 0) else { return false };
        let is_address = |text: &str| text.starts_with('/') || text.contains("://");
        let leads_somewhere = || arguments.first().is_none_or(|first| first.text().is_none_or(is_address));
        subject.foreign
            && subject.at == At::Response
            && VERBS.contains(&verb)
            && (verb != "get" || leads_somewhere())
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
    fn reads_body(&self, links: &[Link], at: usize) -> bool {
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
            At::Length(pointer) | At::Fields(pointer) | At::Each { list: pointer, .. } => {
                Place::Body(pointer.clone())
            }
            At::Text => Place::Body(String::new()),
            At::Response | At::Validation | At::Headers => return,
        };
        // A statement that another could not take the place of is left alone, and so is one whose line begins in a string:
        // a comment could not stand above it.
        let before = &self.here.text[self.here.lines.line_start(statement.span.start)..statement.span.start];
        let in_string =
            self.language == Language::Python && (before.contains("\"\"\"") || before.contains("'''"));
        if places.is_empty() || statement.block.is_none() || in_string {
            return;
        }
        let literal = literal.filter(|literal| matches!(literal.kind, Kind::List(_) | Kind::Map(_)));
        let each = match &subject.at {
            At::Each { path, .. } => Some(path.clone()),
            _ => None,
        };
        let site = Site {
            form,
            place,
            subject: subject.code.clone(),
            known: subject.known.clone(),
            literal: literal.cloned(),
            block: statement.block,
            once: subject.once,
            length: matches!(subject.at, At::Length(_) | At::Fields(_)),
            each,
            request: subject.request.clone(),
            status: None,
            scope: self.scope_of(statement.span),
        };
        let assumed = subject.assumed;
        let held = self.held_besides(subject);
        let span = statement.span;
        self.found.push(Found { span, call: subject.call, assumed, places, held, site });
    }

    /// The bodies of responses to other requests that have a name here.
    fn held_besides(&self, subject: &Subject) -> Vec<HeldBody> {
        let held = |(name, other): (&String, &Subject)| match &other.at {
            At::Value(Place::Body(pointer)) if other.call != subject.call && !other.assumed => {
                Some(HeldBody { name: name.clone(), pointer: pointer.clone(), call: other.call })
            }
            _ => None,
        };
        self.scope.iter().filter_map(held).collect()
    }

    /// The code whose names a statement shares: its test, or the whole file for one of a function.
    fn scope_of(&self, span: Span) -> Span {
        if self.test.covers(span) { self.test } else { Span::new(0, self.here.text.len()) }
    }

    fn add_link(&mut self, form: Form, span: Span, call: CallSite, places: Vec<Assertion>) {
        self.add_expected(form, span, call, places, None, None);
    }

    /// A call of a chain, with the literal that it compares the body with and the status besides.
    fn add_expected(
        &mut self,
        form: Form,
        span: Span,
        call: CallSite,
        places: Vec<Assertion>,
        literal: Option<&Expr>,
        status: Option<&Expr>,
    ) {
        let Some(first) = places.first() else { return };
        let site = Site {
            form,
            place: if literal.is_some() { Place::Body(String::new()) } else { first.place.clone() },
            subject: String::new(),
            known: BTreeMap::new(),
            literal: literal.cloned(),
            block: None,
            once: false,
            length: false,
            each: None,
            request: None,
            status: status.map(|status| self.here.text[status.span].to_owned()),
            scope: self.scope_of(span),
        };
        self.found.push(Found { span, call, assumed: false, places, held: Vec::new(), site });
    }
}

/// Takes what a function of another file returns for the body of a response.
fn assume_body(subject: &mut Subject) {
    subject.at = At::Value(Place::Body(String::new()));
    subject.assumed = true;
    subject.known.insert(String::new(), subject.code.clone());
}

/// The same, where it is compared with an object or a list.
fn assume_literal(subject: &mut Subject, literal: &Expr) {
    if subject.foreign && subject.at == At::Response && matches!(literal.kind, Kind::Map(_) | Kind::List(_)) {
        assume_body(subject);
    }
}

/// What equality with a literal says of a subject.
fn equality(subject: &Subject, literal: &Expr) -> Vec<Assertion> {
    match &subject.at {
        At::Value(place) => leaves(place, literal),
        At::Length(pointer) => size(pointer, literal),
        At::Each { list, path } => match &literal.kind {
            Kind::List(items) => {
                let mut found = vec![Assertion::new(Place::Body(list.clone()), Matcher::Size(items.len()))];
                for (index, item) in items.iter().enumerate() {
                    let place = Place::Body(format!("{}{path}", pointer::join(list, &index.to_string())));
                    found.extend(leaves(&place, item));
                }
                found
            }
            _ => Vec::new(),
        },
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
        Matcher::Pattern(Pattern::new(format!(r"{before}{}[\s\S]*", escape(text)), what))
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
