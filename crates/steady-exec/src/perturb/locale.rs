//! The language: Turkish has another upper case of `i`, German another decimal separator, `C` no letters beyond ASCII.

use crate::{Capabilities, Overrides};

pub const FIRST: u32 = 2;
pub const MORE: u32 = 5;

const LOCALES: [&str; 3] = ["tr_TR.UTF-8", "de_DE.UTF-8", "C"];

pub fn values(capabilities: &Capabilities) -> Vec<String> {
    // A locale that is not installed makes `setlocale` fail, and the run would say nothing about the language.
    let usable = |locale: &str| {
        capabilities.own_language_data || capabilities.locales.iter().any(|known| same(known, locale))
    };
    LOCALES.into_iter().filter(|locale| usable(locale)).map(str::to_owned).collect()
}

/// `locale -a` writes the character set as `utf8`, people as `UTF-8`.
fn same(known: &str, locale: &str) -> bool {
    let plain = |name: &str| name.to_lowercase().replace('-', "");
    plain(known) == plain(locale)
}

pub fn apply(value: &str, overrides: &mut Overrides) {
    overrides.set("LC_ALL", value);
    overrides.set("LANG", value);
    // The JVM looks at its own properties first.
    if let Some((language, country)) = value.split_once('.').and_then(|(name, _)| name.split_once('_')) {
        overrides.append("JAVA_TOOL_OPTIONS", format!("-Duser.language={language} -Duser.country={country}"));
    }
}
