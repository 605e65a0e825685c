//! The names that hold a response, or a part of one.

use steady_model::Place;

use super::Finder;
use super::subject::{At, Subject};
use crate::syntax::Names;

impl Finder<'_> {
    pub(super) fn bind(&mut self, names: &Names, subject: Option<Subject>) {
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

    pub(super) fn bind_one(&mut self, name: &str, subject: Option<Subject>) {
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
}
