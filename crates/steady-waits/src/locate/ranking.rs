//! The ways to rank candidates, by the names of the command line.

use std::fmt;
use std::str::FromStr;

/// How candidates are ranked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Ranking {
    /// By the fitted model; always has an answer.
    #[default]
    Learned,
    /// By the similarity of lines, as the TRaf paper does.
    Traf,
    /// By how many lines of the folder have a value.
    Frequency,
}

impl Ranking {
    /// Every ranking, in the order they are offered.
    pub const ALL: [Self; 3] = [Self::Learned, Self::Traf, Self::Frequency];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Learned => "learned",
            Self::Traf => "traf",
            Self::Frequency => "frequency",
        }
    }
}

impl fmt::Display for Ranking {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text does not name a ranking.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown ranking `{name}`; choose from {}", Ranking::ALL.map(Ranking::as_str).join(", "))]
pub struct UnknownRanking {
    /// What was given.
    pub name: String,
}

impl FromStr for Ranking {
    type Err = UnknownRanking;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let named = Self::ALL.into_iter().find(|ranking| ranking.as_str() == name);
        named.ok_or_else(|| UnknownRanking { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_ranking_is_found_by_its_name() {
        for ranking in Ranking::ALL {
            assert_eq!(ranking.to_string().parse(), Ok(ranking));
        }
        let error = "best".parse::<Ranking>().unwrap_err();
        assert_eq!(error.to_string(), "unknown ranking `best`; choose from learned, traf, frequency");
    }
}
