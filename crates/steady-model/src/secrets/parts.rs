//! What credentials are made of.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use super::names::{Naming, naming};
use crate::{percent, words};

/// The parts of a credential that open something by themselves: the token after its scheme, the password of `user:password`, the values of cookies,
/// the secret members of a login's body.
pub(super) fn parts(credential: &str) -> Vec<String> {
    let mut parts = Vec::new();
    if let Some((_, rest)) = credential.split_once(' ') {
        parts.push(rest.trim().to_owned());
        let decoded = STANDARD.decode(rest.trim()).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        if let Some(decoded) = decoded
            && let Some((_, password)) = decoded.split_once(':')
        {
            parts.extend([password.to_owned(), decoded.clone()]);
        }
    }
    match serde_json::from_str::<Value>(credential) {
        Ok(body @ (Value::Object(_) | Value::Array(_))) => login_values("", &body, &mut parts),
        _ => {
            // Cookies, and forms.
            for pair in credential.split([';', '&']) {
                if let Some((name, value)) = pair.trim().split_once('=')
                    && !is_account(name)
                {
                    parts.extend([value.to_owned(), percent::decode(&value.replace('+', " "))]);
                }
            }
        }
    }
    // A password inside of a JSON text is given as it stands there.
    if credential.contains('\\')
        && let Ok(Value::String(text)) = serde_json::from_str(&format!("\"{credential}\""))
    {
        parts.push(text);
    }
    parts
}

/// The members of a login's body that are not the account's name.
fn login_values(name: &str, value: &Value, parts: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(name, value)| login_values(name, value, parts)),
        Value::Array(items) => items.iter().for_each(|item| login_values(name, item, parts)),
        Value::String(text) if naming(name) != Naming::Plain || !is_account(name) => parts.push(text.clone()),
        _ => {}
    }
}

/// Whether a member of a login says who logs in, or how.
fn is_account(name: &str) -> bool {
    const WORDS: [&str; 12] = [
        "user", "login", "email", "mail", "name", "account", "grant", "scope", "client", "realm", "tenant",
        "type",
    ];
    naming(name) == Naming::Plain
        && words(name).iter().any(|word| WORDS.iter().any(|known| word.contains(known)))
}
