//! What `--shard` asks for.

use std::fmt;
use std::str::FromStr;

use super::{DetectError, Shard, ShardError};

/// What `--shard` asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Selection {
    /// `auto`: the shard that the environment names.
    Auto,
    /// `K/N`.
    Exactly(Shard),
}

impl Selection {
    /// The selected shard; the environment is read only for `auto`.
    pub fn resolve(self, lookup: &dyn Fn(&str) -> Option<String>) -> Result<Shard, DetectError> {
        match self {
            Self::Auto => Shard::from_environment(lookup).map(|detected| detected.shard),
            Self::Exactly(shard) => Ok(shard),
        }
    }
}

impl FromStr for Selection {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "auto" { Ok(Self::Auto) } else { text.parse().map(Self::Exactly) }
    }
}

impl fmt::Display for Selection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => formatter.write_str("auto"),
            Self::Exactly(shard) => shard.fmt(formatter),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_is_looked_at_only_when_asked_to() {
        let shard: Selection = "2/3".parse().unwrap();
        assert_eq!(shard.resolve(&|name| panic!("{name} was looked up")).unwrap().to_string(), "2/3");
        let auto: Selection = "auto".parse().unwrap();
        assert_eq!(
            auto.resolve(&|name| (name == "STEADY_SHARD").then(|| "1/2".to_owned())).unwrap().index(),
            1
        );
    }
}
