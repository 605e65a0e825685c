//! What can be wrong with a suite.

/// The suite cannot be written as test code.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EmitError {
    /// A variable is used that nothing before it sets.
    #[error("{place} uses the variable `{variable}`, which nothing before it captures")]
    UnknownVariable {
        /// The test or identity.
        place: String,
        /// The variable.
        variable: String,
    },
    /// A call is made as someone the suite does not know.
    #[error("{place} makes a call as `{identity}`, who is not among the suite's identities")]
    UnknownIdentity {
        /// The test.
        place: String,
        /// The identity.
        identity: String,
    },
    /// A variable is to be put where the JSON body has nothing.
    #[error("{place} puts a variable at `{pointer}` of a JSON body that has nothing there")]
    BindsNothing {
        /// The test or identity.
        place: String,
        /// The JSON pointer.
        pointer: String,
    },
}
