//! Hosts with a port the system chose: the dynamic range of RFC 6335 section 6, begun as low as Linux begins it.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Port, pattern: PATTERN, numbers: true, judge };

const PATTERN: &str =
    r"(?:localhost|(?:\d{1,3}\.){3}\d{1,3}|\[[0-9a-fA-F:.]+\]|[A-Za-z][\w-]*(?:\.[\w-]+)*):\d{5}|\d{5}";

/// The first port of `net.ipv4.ip_local_port_range`.
const FIRST: u32 = 32_768;

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let (host, port) = candidate.text.rsplit_once(':').unwrap_or(("", candidate.text));
    if !(FIRST..=65_535).contains(&port.parse::<u32>().ok()?) {
        return None;
    }
    if host.is_empty() {
        let named = candidate.is_whole() && context.says(&["port"]);
        return named.then(|| Judgement::new(Category::Env, Strength::Weak, "port in the dynamic range"));
    }
    if candidate.before.ends_with(':') || candidate.after.starts_with(':') {
        return None;
    }
    let is_address =
        host == "localhost" || host.starts_with('[') || host.starts_with(|c: char| c.is_ascii_digit());
    let known = is_address || host.contains('.') || candidate.before.ends_with("//");
    // `word:54321` may be any key and value.
    let strength = if known { Strength::Likely } else { Strength::Weak };
    Some(Judgement::new(Category::Env, strength, "port in the dynamic range"))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("url", "localhost:54321"),
            ("url", "127.0.0.1:38122"),
            ("url", "[::1]:49152"),
            ("url", "[fe80::1]:60001"),
            ("peer", "10.0.3.7:51234"),
            ("url", "db.internal:40001"),
            ("peer", "worker:49999"),
            ("port", "50123"),
        ];
        let look_alikes = [
            ("url", "localhost:8080"),
            ("url", "127.0.0.1:27017"),
            ("url", "example.com:443"),
            ("image", "repo:12345"),
            ("id", "54321"),
            ("url", "localhost:99999"),
            ("time", "12:34:56"),
            ("port", "8080"),
            ("zip", "94105"),
            ("key", "a:54321:b"),
        ];
        check(&RULE, Category::Env, &known, &look_alikes);
    }
}
