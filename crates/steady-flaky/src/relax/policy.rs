//! The policies by the names of the command line.

use std::fmt;
use std::str::FromStr;

use super::Policy;

impl Policy {
    /// Every policy, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Relax, Self::Disable, Self::Keep];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Relax => "relax",
            Self::Disable => "disable",
            Self::Keep => "keep",
        }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text does not name a policy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown policy for flaky assertions `{name}`; choose from {}", Policy::ALL.map(Policy::as_str).join(", "))]
pub struct UnknownPolicy {
    /// What was given.
    pub name: String,
}

impl FromStr for Policy {
    type Err = UnknownPolicy;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|policy| policy.as_str() == name);
        named.ok_or_else(|| UnknownPolicy { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_policy_is_found_by_its_name() {
        for policy in Policy::ALL {
            assert_eq!(policy.to_string().parse(), Ok(policy));
        }
        assert!(
            "fix".parse::<Policy>().unwrap_err().to_string().ends_with("choose from relax, disable, keep")
        );
    }
}
