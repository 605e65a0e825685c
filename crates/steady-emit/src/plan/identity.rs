//! The identities of calls.

use steady_model::LoginUse;

use super::name::UniqueNames;
use super::request::pairs;
use super::scope::Scope;
use super::{EmitError, Name, Piece, Request, Step, Template};

/// An identity that calls can be made as.
#[derive(Debug)]
pub(crate) struct Identity<'a> {
    /// The name calls use.
    pub(crate) key: &'a str,
    /// The name in the emitted code.
    pub(crate) name: Name,
    /// The sign-up and the login: calls, and what is taken out of the last response. Empty when there are none.
    pub(crate) login: Vec<Step<'a>>,
    /// The headers that later calls carry.
    pub(crate) headers: Vec<(&'a str, Template<'a>)>,
    /// The query parameters that later calls carry.
    pub(crate) query: Vec<(&'a str, Template<'a>)>,
    /// Whether later calls carry the cookies that the login's response sets.
    pub(crate) cookies: bool,
}

impl<'a> Identity<'a> {
    pub(crate) fn of(
        identity: &'a steady_model::Identity,
        names: &mut UniqueNames,
    ) -> Result<Self, EmitError> {
        let mut scope = Scope::new(format!("identity `{}`", identity.name));
        let mut headers = pairs(&identity.headers, &scope)?;
        let (mut login, mut query, mut cookies) = (Vec::new(), Vec::new(), false);
        if let Some(sign_up) = &identity.sign_up {
            for value in &sign_up.fresh {
                login.push(Step::Fresh { variable: scope.declare(&value.name, true), value });
            }
            login.push(Step::Send(Request::of(&sign_up.request, None, &scope)?));
        }
        if let Some(made) = &identity.login {
            login.push(Step::Send(Request::of(&made.request, None, &scope)?));
            let mut token = |from| {
                let variable = scope.declare("token", false);
                login.push(Step::Capture { variable: variable.clone(), from, take: Default::default() });
                Piece::Variable(variable)
            };
            match &made.usage {
                LoginUse::Cookies => cookies = true,
                LoginUse::Header { token: from, name, template } => {
                    headers.push((name, filled(template, &token(from))));
                }
                LoginUse::Query { token: from, name } => {
                    query.push((name.as_str(), Template::new(vec![token(from)])));
                }
            }
        }
        let (key, name) = (&identity.name, names.claim(Name::of(&identity.name)));
        Ok(Self { key, name, login, headers, query, cookies })
    }

    /// All templates in it.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template<'a>> {
        let carried = self.headers.iter().chain(&self.query).map(|(_, value)| value);
        self.login.iter().flat_map(Step::templates).chain(carried)
    }
}

/// A header's template with the token where it says `{token}`.
fn filled<'a>(template: &'a str, token: &Piece<'a>) -> Template<'a> {
    let mut pieces = Vec::new();
    for (index, literal) in template.split("{token}").enumerate() {
        if index > 0 {
            pieces.push(token.clone());
        }
        if !literal.is_empty() {
            pieces.push(Piece::Literal(literal));
        }
    }
    Template::new(pieces)
}
