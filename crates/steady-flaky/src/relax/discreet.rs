//! Keeps secrets out of what is told about values.

use steady_model::Place;

use crate::infer::words_of;

/// Names of values that open doors.
const SECRET: [&str; 12] = [
    "token",
    "secret",
    "password",
    "passwd",
    "authorization",
    "cookie",
    "session",
    "sid",
    "jwt",
    "apikey",
    "credential",
    "credentials",
];
/// Characters that are told of one.
const TOLD: usize = 4;

/// Values as they may be told: of a credential only how it begins.
pub(super) fn discreet(place: &Place, observed: Vec<String>) -> Vec<String> {
    let name = match place {
        Place::Status => "",
        Place::Header(name) => name.as_str(),
        Place::Body(pointer) => pointer.rsplit('/').next().unwrap_or_default(),
    };
    let opens = words_of(name).iter().any(|word| SECRET.contains(&word.as_str()));
    let mut told: Vec<String> = Vec::new();
    for value in observed {
        let value = if opens || value.starts_with("eyJ") { beginning(place, &value) } else { value };
        if !told.contains(&value) {
            told.push(value);
        }
    }
    told
}

/// A cookie's name is none of its secrets.
fn beginning(place: &Place, value: &str) -> String {
    let secret = match place {
        Place::Header(name) if name == "set-cookie" => value.find('=').map_or(0, |at| at + 1),
        _ => 0,
    };
    let told: String = value[secret..].chars().take(TOLD).collect();
    if secret + told.len() == value.len() {
        "…".to_owned()
    } else {
        format!("{}{told}…", &value[..secret])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_told_by_how_they_begin() {
        let told = |place: &str, values: &[&str]| {
            discreet(&place.parse().unwrap(), values.iter().map(|value| (*value).to_owned()).collect())
        };
        assert_eq!(told("body:/accessToken", &["abcdef123", "abcdxyz"]), ["abcd…"]);
        assert_eq!(told("body:/password", &["abc"]), ["…"]);
        assert_eq!(told("header:set-cookie", &["sid=b4361e81; Path=/"]), ["sid=b436…"]);
        assert_eq!(told("body:/value", &["eyJhbGciOiJIUzI1NiJ9.e30.x"]), ["eyJh…"]);
        assert_eq!(told("body:/total", &["3", "7"]), ["3", "7"]);
    }
}
