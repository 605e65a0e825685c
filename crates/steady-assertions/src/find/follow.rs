//! Follows values through functions of the same file and of files that it imports from, fixtures of this and of other files, and lists of something of every item.

use std::collections::BTreeMap;

use steady_edit::Span;
use steady_model::Place;

use super::subject::{At, Subject};
use super::{Finder, Home};
use crate::assertion::CallSite;
use crate::syntax::{Expr, Function};

/// How deep functions that call functions are followed.
const DEEPEST: usize = 8;
/// The request of an item of a list, while what is taken of every item is looked at.
const ITEM: CallSite = CallSite { first_line: 0, last_line: 0, fixture_file: None };

/// A function, and the file it stands in.
pub(super) struct Callee<'f> {
    name: &'f str,
    function: &'f Function,
    home: Home<'f>,
}

impl Callee<'_> {
    /// Whether it stands in this file.
    pub(super) fn is_in(&self, home: Home<'_>) -> bool {
        self.home.fixture_file == home.fixture_file
    }
}

impl<'s> Finder<'s> {
    /// The function that a name stands for where it is called: of the same file, or of one that it is imported from.
    pub(super) fn callee(&self, name: &str) -> Option<Callee<'s>> {
        if let Some((name, function)) = self.here.functions.get_key_value(name) {
            return Some(Callee { name, function, home: self.here });
        }
        // What files of helpers import in turn is not followed.
        self.here.fixture_file.is_none().then_some(())?;
        let imported = self.shared.imported.iter().find(|imported| imported.name == name)?;
        let at = self.shared.files.iter().position(|file| file.exports(imported))?;
        let home = self.shared.files.get(at)?.home(at);
        let (name, function) = home.functions.get_key_value(&imported.exported)?;
        Some(Callee { name, function, home })
    }

    /// Gives the parameters that name fixtures the fixtures' values.
    pub(super) fn fixtures(&mut self, parameters: &'s [String]) {
        for parameter in parameters {
            if let Some(fixture) = self.fixture(parameter, None) {
                self.bind_fixture(parameter, &fixture);
            }
        }
    }

    /// The fixture of a name that is nearest to the test: its own file's, then those of the files of fixtures; `beyond` is the
    /// file whose fixture of the same name asks for it.
    fn fixture(&self, name: &'s str, beyond: Option<Home<'s>>) -> Option<Callee<'s>> {
        let homes = std::iter::once(self.own)
            .chain(self.shared.files.iter().enumerate().map(|(at, file)| file.home(at)));
        let place = |home: Home<'s>| home.fixture_file.map_or(0, |at| at + 1);
        homes
            .filter(|home| beyond.is_none_or(|beyond| place(*home) > place(beyond)))
            .filter_map(|home| Some((home, home.functions.get(name)?)))
            .find(|(_, function)| function.fixture)
            .map(|(home, function)| Callee { name, function, home })
    }

    fn bind_fixture(&mut self, parameter: &str, fixture: &Callee<'s>) {
        let subject = self.called(fixture, &[], true);
        // The names of a fixture's body are not known in the test.
        let subject = subject.map(|subject| Subject { known: BTreeMap::new(), ..subject });
        self.bind_one(parameter, subject);
    }

    /// What a function returns when it is called with these.
    fn called(&mut self, callee: &Callee<'s>, given: &[Option<Subject>], fixture: bool) -> Option<Subject> {
        if self.depth >= DEEPEST {
            return None;
        }
        self.depth += 1;
        let (scope, returned) = (std::mem::take(&mut self.scope), self.returned.take());
        let (here, found) = (std::mem::replace(&mut self.here, callee.home), self.found.len());
        let not_followed = self.not_followed.clone();
        let Function { parameters, body, .. } = callee.function;
        if fixture {
            for parameter in parameters {
                let beyond = (parameter == callee.name).then_some(callee.home);
                if let Some(inner) = self.fixture(parameter, beyond) {
                    self.bind_fixture(parameter, &inner);
                }
            }
        }
        for (parameter, subject) in parameters.iter().zip(given) {
            self.bind_one(parameter, subject.clone());
        }
        self.run(body);
        let result = std::mem::replace(&mut self.returned, returned).flatten();
        if callee.home.fixture_file.is_some() {
            // What another file asserts is not this one's to change.
            self.asserts_elsewhere |= self.found.len() > found;
            self.found.truncate(found);
            self.not_followed = not_followed;
        }
        self.here = here;
        self.scope = scope;
        self.depth -= 1;
        result
    }

    /// What a call of a function is: its requests are made at the line of the call, too.
    pub(super) fn call_of(
        &mut self,
        callee: &Callee<'s>,
        arguments: &[Expr],
        whole: Span,
    ) -> Option<Subject> {
        let given: Vec<Option<Subject>> = arguments.iter().map(|argument| self.resolve(argument)).collect();
        let mut subject = self.called(callee, &given, false)?;
        let is_given = given.iter().flatten().any(|given| given.call == subject.call);
        if !is_given && subject.call != ITEM {
            subject.call = self.site(whole);
        }
        self.here.text[whole].clone_into(&mut subject.code);
        subject.request = Some(subject.code.clone());
        subject.once = true;
        subject.known.clear();
        if let At::Value(Place::Body(pointer)) = &subject.at {
            subject.known.insert(pointer.clone(), subject.code.clone());
        }
        Some(subject)
    }

    /// Gives a parameter its value, or its parts theirs: `({ id, tags: labels }) => …`.
    pub(super) fn bind_parameter(&mut self, parameter: &str, value: &Subject) {
        let Some(parts) = parameter.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
            return self.bind_one(parameter, Some(value.clone()));
        };
        for part in parts.split(',') {
            let (field, name) = part.split_once(':').unwrap_or((part, part));
            let taken = self.script_field(value, field.trim());
            self.bind_one(name.trim(), taken);
        }
    }

    /// What an element is of every item of a list.
    pub(super) fn each(&mut self, list: Subject, item: &str, element: &Expr, whole: Span) -> Option<Subject> {
        let At::Value(Place::Body(pointer)) = &list.at else { return None };
        let any =
            Subject { call: ITEM, at: At::Value(Place::Body(String::new())), once: false, ..list.clone() };
        let outer = self.scope.clone();
        self.bind_parameter(item, &any);
        let taken = self.resolve(element);
        self.scope = outer;
        let At::Value(Place::Body(path)) = taken.filter(|taken| taken.call == ITEM)?.at else { return None };
        let at = At::Each { list: pointer.clone(), path };
        Some(Subject { at, code: self.here.text[whole].to_owned(), ..list })
    }
}
