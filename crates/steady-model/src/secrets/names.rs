//! Which names secrets go under.

use crate::words::words;

/// How much a name says about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Naming {
    /// Nothing.
    Plain,
    /// Its value is a secret if it looks drawn.
    Perhaps,
    /// Its value is a secret.
    Secret,
}

/// What the last word of a secret's name ends with; `accesstoken` is written as one word, too.
const ENDINGS: [&str; 9] = [
    "password",
    "passwd",
    "passphrase",
    "passcode",
    "secret",
    "token",
    "apikey",
    "authorization",
    "credential",
];
/// What a key opens something with.
const KEYS: [&str; 10] =
    ["api", "access", "secret", "private", "auth", "encryption", "signing", "master", "session", "shared"];
/// Tokens that only say how far a list was read.
const BOOKMARKS: [&str; 12] = [
    "page",
    "next",
    "previous",
    "prev",
    "continuation",
    "continue",
    "cursor",
    "sync",
    "delta",
    "skip",
    "pagination",
    "offset",
];
/// What is made of a password.
const DIGESTS: [&str; 3] = ["hash", "digest", "salt"];
/// Names of values that are secrets when they look drawn.
const PERHAPS: [&str; 12] = [
    "pwd",
    "pass",
    "jwt",
    "sid",
    "sessionid",
    "jsessionid",
    "credentials",
    "secrets",
    "bearer",
    "otp",
    "csrf",
    "xsrf",
];
/// Codes that are good for one entrance.
const CODES: [&str; 7] =
    ["auth", "authorization", "verification", "recovery", "backup", "reset", "activation"];
/// Parameters of addresses that let their holder in; in bodies the same names mean anything.
const PARAMETERS: [&str; 6] = ["code", "sig", "signature", "ticket", "auth", "assertion"];

/// What every name of a secret has in it.
const STEMS: [&[u8]; 15] = [
    b"pass",
    b"pwd",
    b"secret",
    b"sid",
    b"session",
    b"token",
    b"key",
    b"authoriz",
    b"credential",
    b"csrf",
    b"code",
    b"jwt",
    b"bearer",
    b"otp",
    b"xsrf",
];
/// What every text with a secret in it has, other than such a name: a token, an address, a parameter of one.
const SIGNS: [&[u8]; 8] = [b"eyj", b"://", b"basic ", b"sig", b"ticket", b"auth", b"assertion", b"bearer "];

/// Whether a text may have a secret in it. Most have none, and this is quickly told.
pub(super) fn is_telling(text: &str) -> bool {
    has_any(text, &STEMS, &STEM_STARTS) || has_any(text, &SIGNS, &SIGN_STARTS)
}

/// Which pairs of bytes, in lower case, some texts begin with: a bit each.
type Starts = [u64; 1024];
static STEM_STARTS: Starts = starts(&STEMS);
static SIGN_STARTS: Starts = starts(&SIGNS);

const fn starts(stems: &[&[u8]]) -> Starts {
    let mut starts = [0; 1024];
    let mut index = 0;
    while index < stems.len() {
        let pair = (stems[index][0] as usize) << 8 | stems[index][1] as usize;
        starts[pair / 64] |= 1 << (pair % 64);
        index += 1;
    }
    starts
}

fn has_any(text: &str, stems: &[&[u8]], starts: &Starts) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(2).enumerate().any(|(at, pair)| {
        let pair = usize::from(pair[0].to_ascii_lowercase()) << 8 | usize::from(pair[1].to_ascii_lowercase());
        let begins = |stem: &&[u8]| {
            bytes.get(at..at + stem.len()).is_some_and(|found| found.eq_ignore_ascii_case(stem))
        };
        starts[pair / 64] & 1 << (pair % 64) != 0 && stems.iter().any(begins)
    })
}

/// What the name of a field or a header says.
pub(super) fn naming(name: &str) -> Naming {
    if !has_any(name, &STEMS, &STEM_STARTS) {
        return Naming::Plain;
    }
    let words = words(name);
    let Some((last, before)) = words.split_last() else { return Naming::Plain };
    let previous = before.last().map(String::as_str).unwrap_or_default();
    let is_password = |word: &String| ENDINGS[..4].iter().any(|ending| word.ends_with(ending));
    if last.ends_with("token") && BOOKMARKS.contains(&previous) {
        return Naming::Plain;
    }
    let hashed = DIGESTS.contains(&last.as_str()) && before.iter().any(is_password);
    let is_key = last == "key" && KEYS.contains(&previous);
    if hashed || is_key || ENDINGS.iter().any(|ending| last.ends_with(ending)) {
        return Naming::Secret;
    }
    let of_session = previous == "session" && matches!(last.as_str(), "id" | "cookie");
    let is_code = last == "code" && CODES.contains(&previous);
    let plural = last.strip_suffix('s').is_some_and(|one| ["token", "password", "apikey"].contains(&one));
    let keys = last == "keys" && KEYS.contains(&previous);
    if of_session || is_code || plural || keys || PERHAPS.contains(&last.as_str()) {
        return Naming::Perhaps;
    }
    Naming::Plain
}

/// What the name of a parameter in an address says.
pub(super) fn naming_in_address(name: &str) -> Naming {
    let is_parameter = || match words(name).as_slice() {
        [only] => PARAMETERS.contains(&only.as_str()),
        [.., last] => last == "signature",
        [] => false,
    };
    match naming(name) {
        Naming::Plain if is_parameter() => Naming::Secret,
        Naming::Plain if name.eq_ignore_ascii_case("key") => Naming::Perhaps,
        naming => naming,
    }
}

/// Whether a header's value is a credential, going by the header's name. Where nothing else is known of a value that a
/// person gave, this says yes rather than no.
pub fn is_credential_header(name: &str) -> bool {
    const WORDS: [&str; 8] =
        ["auth", "cookie", "token", "key", "secret", "session", "password", "credential"];
    let name = name.to_ascii_lowercase();
    WORDS.iter().any(|word| name.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets_are_told_from_names_about_secrets() {
        for name in [
            "password",
            "Password",
            "user_password",
            "newPasswd",
            "access_token",
            "refreshToken",
            "accesstoken",
            "client_secret",
            "clientSecret",
            "api_key",
            "apiKey",
            "x-api-key",
            "apikey",
            "privateKey",
            "token",
            "X-Auth-Token",
            "authorization",
            "passwordHash",
            "csrfToken",
            "id_token",
            "secretKey",
        ] {
            assert_eq!(naming(name), Naming::Secret, "{name}");
        }
        for name in [
            "",
            "tokenType",
            "token_type",
            "passwordPolicy",
            "hasSecretQuestion",
            "nextPageToken",
            "next_token",
            "key",
            "keyword",
            "publicKey",
            "primaryKey",
            "idempotency-key",
            "code",
            "countryCode",
            "session",
            "tokenId",
            "passwordChangedAt",
            "name",
            "id",
            "etag",
            "secretary",
            "author",
            "authorized",
            "pin",
            "expiresIn",
            "maxTokensPerDay",
            "www-authenticate",
        ] {
            assert_eq!(naming(name), Naming::Plain, "{name}");
        }
        for name in ["tokens", "sessionId", "sid", "JSESSIONID", "verification_code", "jwt", "apiKeys"] {
            assert_eq!(naming(name), Naming::Perhaps, "{name}");
        }
    }

    #[test]
    fn an_address_has_names_of_its_own() {
        for name in ["code", "token", "X-Amz-Signature", "sig", "access_token"] {
            assert_eq!(naming_in_address(name), Naming::Secret, "{name}");
        }
        for name in ["page", "countryCode", "state", "next_page_token"] {
            assert_eq!(naming_in_address(name), Naming::Plain, "{name}");
        }
    }
}
