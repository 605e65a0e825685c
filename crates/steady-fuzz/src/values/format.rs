//! Text that stands for something: dates, addresses, identifiers.

use jiff::civil::{Date, DateTime};

use crate::random::Random;

/// A `format` of OpenAPI or JSON Schema that values are made for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Date,
    DateTime,
    Time,
    Duration,
    Email,
    Hostname,
    Ipv4,
    Ipv6,
    Uri,
    UriReference,
    Uuid,
    Byte,
    Binary,
    Password,
    JsonPointer,
    Regex,
}

impl Format {
    /// The format of this name; unknown names are no constraint.
    pub fn named(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "date" => Self::Date,
            "date-time" | "datetime" => Self::DateTime,
            "time" | "partial-time" => Self::Time,
            "duration" => Self::Duration,
            "email" | "idn-email" => Self::Email,
            "hostname" | "idn-hostname" | "host" => Self::Hostname,
            "ipv4" | "ip" => Self::Ipv4,
            "ipv6" => Self::Ipv6,
            "uri" | "url" | "iri" => Self::Uri,
            "uri-reference" | "iri-reference" => Self::UriReference,
            "uuid" | "guid" => Self::Uuid,
            "byte" | "base64" => Self::Byte,
            "binary" => Self::Binary,
            "password" => Self::Password,
            "json-pointer" => Self::JsonPointer,
            "regex" => Self::Regex,
            _ => return None,
        })
    }

    /// A value of the format.
    pub fn generate(self, random: &mut Random) -> String {
        match self {
            Self::Date => random_date(random).to_string(),
            Self::DateTime => format!("{}Z", random_date_time(random)),
            Self::Time => format!(
                "{:02}:{:02}:{:02}Z",
                random.between(0, 23),
                random.between(0, 59),
                random.between(0, 59)
            ),
            Self::Duration => format!("PT{}M", random.between(1, 90)),
            Self::Email => format!("{}@example.com", random.word(6)),
            Self::Hostname => format!("{}.example.com", random.word(6)),
            Self::Ipv4 => format!("192.0.2.{}", random.between(1, 254)),
            Self::Ipv6 => format!("2001:db8::{:x}", random.between(1, 65535)),
            Self::Uri => format!("http://example.com/{}", random.word(5)),
            Self::UriReference => format!("/{}", random.word(5)),
            Self::Uuid => uuid(random),
            Self::Byte => "c3RlYWR5".to_owned(),
            Self::Binary => random.word(12),
            Self::Password => format!("Aa1!{}", random.word(8)),
            Self::JsonPointer => format!("/{}", random.word(4)),
            Self::Regex => "^[a-z]+$".to_owned(),
        }
    }

    /// Values at the format's edges, all of them valid.
    pub fn edges(self) -> &'static [&'static str] {
        match self {
            Self::Date => &["1970-01-01", "2024-02-29", "0001-01-01", "9999-12-31"],
            Self::DateTime => {
                &["1970-01-01T00:00:00Z", "2024-02-29T23:59:59.999999+14:00", "9999-12-31T23:59:59Z"]
            }
            Self::Email => &["a@b.co", "very.long.local.part.of.an.address+tag@sub.domain.example.com"],
            Self::Uri => &["http://localhost", "https://example.com:8443/a/b?c=d#e"],
            Self::Uuid => &["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"],
            Self::Ipv4 => &["0.0.0.0", "255.255.255.255"],
            Self::Ipv6 => &["::", "::1"],
            _ => &[],
        }
    }

    /// Text that is not of the format; the validator still has the last word.
    pub fn broken(self) -> &'static str {
        match self {
            Self::Date | Self::DateTime | Self::Time => "2024-13-45T99:99",
            Self::Email => "not an e-mail",
            Self::Uuid => "not-a-uuid",
            Self::Uri => "::not a uri::",
            Self::Ipv4 | Self::Ipv6 => "999.1.1",
            _ => "\u{0}",
        }
    }
}

fn random_date(random: &mut Random) -> Date {
    let (year, month, day) = (random.between(1990, 2035), random.between(1, 12), random.between(1, 28));
    // Days up to 28 exist in every month, so the fallback is never taken.
    i16::try_from(year)
        .ok()
        .zip(i8::try_from(month).ok())
        .zip(i8::try_from(day).ok())
        .and_then(|((year, month), day)| Date::new(year, month, day).ok())
        .unwrap_or(Date::ZERO)
}

fn random_date_time(random: &mut Random) -> DateTime {
    let date = random_date(random);
    let hour = i8::try_from(random.between(0, 23)).unwrap_or(0);
    let minute = i8::try_from(random.between(0, 59)).unwrap_or(0);
    date.at(hour, minute, 0, 0)
}

fn uuid(random: &mut Random) -> String {
    let (high, low) = (random.bits(), random.bits());
    // Version 4, variant 1 (RFC 9562 section 5.4).
    let high = (high & 0xffff_ffff_ffff_0fff) | 0x4000;
    let low = (low & 0x3fff_ffff_ffff_ffff) | 0x8000_0000_0000_0000;
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        high >> 32,
        (high >> 16) & 0xffff,
        high & 0xffff,
        low >> 48,
        low & 0xffff_ffff_ffff
    )
}
