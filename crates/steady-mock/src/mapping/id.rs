//! The identity of a stub.

use std::fmt;
use std::hash::{BuildHasher as _, RandomState};
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize};
use xxhash_rust::xxh3::xxh3_128;

/// A UUID, as WireMock's clients expect.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(into = "String")]
pub struct StubId(u128);

/// The text is no UUID.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not a UUID such as 4a3f0a3e-8ad5-4a30-9a8f-0c2a4f0c5a11")]
pub struct ParseStubIdError(String);

impl StubId {
    /// An identity nobody else has.
    pub fn random() -> Self {
        // Each `RandomState` is keyed by the system's randomness.
        let half = || u128::from(RandomState::new().hash_one(0));
        Self::from_bits(half() << 64 | half())
    }

    /// The identity that this text always gets: a mapping keeps its own when its file is read again.
    pub fn of_text(text: &str) -> Self {
        Self::from_bits(xxh3_128(text.as_bytes()))
    }

    /// The identity that this number always gets.
    pub(crate) fn of_number(number: u64) -> Self {
        Self::from_bits(u128::from(number) | u128::from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15)) << 64)
    }

    /// Sets version and variant, so that strict readers accept it.
    fn from_bits(bits: u128) -> Self {
        Self(bits & !(0xf << 76) & !(0x3 << 62) | (0x4 << 76) | (0x2 << 62))
    }
}

impl fmt::Display for StubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = format!("{:032x}", self.0);
        write!(f, "{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
    }
}

impl fmt::Debug for StubId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for StubId {
    type Err = ParseStubIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lengths = text.split('-').map(str::len);
        let digits: String = text.chars().filter(|character| *character != '-').collect();
        let shaped = lengths.eq([8, 4, 4, 4, 12]) && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
        let bits = shaped.then(|| u128::from_str_radix(&digits, 16).ok()).flatten();
        bits.map(Self).ok_or_else(|| ParseStubIdError(text.to_owned()))
    }
}

impl From<StubId> for String {
    fn from(id: StubId) -> Self {
        id.to_string()
    }
}

impl<'de> Deserialize<'de> for StubId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identity_reads_what_it_writes() {
        for id in [StubId::random(), StubId::of_text("a.json")] {
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().as_bytes()[14], b'4');
        }
        assert_eq!(StubId::of_text("a"), StubId::of_text("a"));
        assert!("4a3f0a3e8ad54a309a8f0c2a4f0c5a11".parse::<StubId>().is_err());
    }
}
