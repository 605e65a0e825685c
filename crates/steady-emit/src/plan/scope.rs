//! Which variables a test has set so far.

use std::collections::BTreeMap;

use super::name::UniqueNames;
use super::{EmitError, Name};

/// A variable of a test.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Variable {
    /// Its name in the emitted code.
    pub(crate) name: Name,
    /// Whether it is sure to be a string; other values are turned into one when text is needed.
    pub(crate) is_text: bool,
}

/// The variables set so far. A variable set twice becomes two variables of the emitted code: none is ever reassigned.
#[derive(Debug)]
pub(crate) struct Scope<'a> {
    /// The test or identity, for messages.
    place: String,
    names: UniqueNames,
    variables: BTreeMap<&'a str, Variable>,
}

impl<'a> Scope<'a> {
    pub(crate) fn new(place: String) -> Self {
        Self { place, names: UniqueNames::default(), variables: BTreeMap::new() }
    }

    /// Sets a variable.
    pub(crate) fn declare(&mut self, name: &'a str, is_text: bool) -> Variable {
        let variable = Variable { name: self.names.claim(Name::of(name)), is_text };
        self.variables.insert(name, variable.clone());
        variable
    }

    /// The variable that `name` stands for now.
    pub(crate) fn find(&self, name: &str) -> Result<Variable, EmitError> {
        self.variables.get(name).cloned().ok_or_else(|| EmitError::UnknownVariable {
            place: self.place.clone(),
            variable: name.to_owned(),
        })
    }

    /// The test or identity the variables belong to.
    pub(crate) fn place(&self) -> String {
        self.place.clone()
    }
}
