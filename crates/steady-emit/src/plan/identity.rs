//! Who calls are made as.

use steady_model::LoginUse;

use super::name::UniqueNames;
use super::scope::Scope;
use super::{EmitError, Name, Piece, Request, Step, Template};

/// Someone calls can be made as.
#[derive(Debug)]
pub(crate) struct Identity<'a> {
    /// The name calls use.
    pub(crate) key: &'a str,
    /// The name in the emitted code.
    pub(crate) name: Name,
    /// The login: a call and what is taken out of its response. Empty when there is none.
    pub(crate) login: Vec<Step<'a>>,
    /// What later calls carry.
    pub(crate) credentials: Vec<Credential<'a>>,
}

/// Something a call carries to show who makes it.
#[derive(Debug)]
pub(crate) enum Credential<'a> {
    Header(&'a str, Template<'a>),
    Query(&'a str, Template<'a>),
    /// All cookies the login's response sets.
    Cookies,
}

impl<'a> Identity<'a> {
    pub(crate) fn of(
        identity: &'a steady_model::Identity,
        names: &mut UniqueNames,
    ) -> Result<Self, EmitError> {
        let mut scope = Scope::new(format!("identity `{}`", identity.name));
        let mut credentials = Vec::new();
        for (name, value) in &identity.headers {
            credentials.push(Credential::Header(name, Template::of(value, &scope)?));
        }
        let mut login = Vec::new();
        if let Some(made) = &identity.login {
            login.push(Step::Send(Request::of(&made.request, None, &scope)?));
            let mut token = |from| {
                let variable = scope.declare("token", false);
                login.push(Step::Capture { variable: variable.clone(), from, take: Default::default() });
                Piece::Variable(variable)
            };
            credentials.push(match &made.usage {
                LoginUse::Cookies => Credential::Cookies,
                LoginUse::Header { token: from, name, template } => {
                    let token = token(from);
                    Credential::Header(name, filled(template, &token))
                }
                LoginUse::Query { token: from, name } => {
                    Credential::Query(name, Template::new(vec![token(from)]))
                }
            });
        }
        Ok(Self { key: &identity.name, name: names.claim(Name::of(&identity.name)), login, credentials })
    }

    /// All templates in it.
    pub(crate) fn templates(&self) -> impl Iterator<Item = &Template<'a>> {
        let credentials = self.credentials.iter().filter_map(|credential| match credential {
            Credential::Header(_, value) | Credential::Query(_, value) => Some(value),
            Credential::Cookies => None,
        });
        self.login.iter().flat_map(Step::templates).chain(credentials)
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
