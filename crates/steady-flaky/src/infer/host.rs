//! Names of machines that are given out at start: Docker container ids, Kubernetes pods of a deployment, EC2 instances and
//! their private names, and whatever stands under a name such as `hostname`.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::entropy::is_sequence;
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Host, pattern: PATTERN, numbers: false, judge };

/// Kubernetes draws from this alphabet, which has no vowels and none of 0, 1 and 3.
const PATTERN: &str = r"(?x)
    [0-9a-f]{64}|[0-9a-f]{12}
    |[a-z][a-z0-9-]*?-[bcdfghjklmnpqrstvwxz2456789]{8,10}-[bcdfghjklmnpqrstvwxz2456789]{5}
    |ip-\d{1,3}-\d{1,3}-\d{1,3}-\d{1,3}(?:\.[\w-]+)*|i-[0-9a-f]{17}
    |[A-Za-z0-9][A-Za-z0-9-]{0,62}(?:\.[A-Za-z0-9-]{1,63})*";

/// Words in the names of fields that hold a machine's name.
const HOSTS: [&str; 10] =
    ["host", "hostname", "machine", "container", "pod", "instance", "node", "server", "computer", "nodename"];
/// Names that every machine has.
const COMMON: [&str; 3] = ["localhost", "127.0.0.1", "0.0.0.0"];

fn judge(candidate: &Candidate<'_>, context: &Context) -> Option<Judgement> {
    let text = candidate.text;
    let named = context.says(&HOSTS);
    let is_hex = text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
    let (strength, detail) = if is_hex && matches!(text.len(), 12 | 64) {
        let mixed = text.bytes().any(|byte| byte.is_ascii_digit())
            && text.bytes().filter(u8::is_ascii_alphabetic).count() >= 2;
        if !mixed || is_sequence(text.as_bytes()) || !(named || (text.len() == 12 && candidate.is_whole())) {
            return None;
        }
        (if named { Strength::Likely } else { Strength::Weak }, "container id")
    } else if text.starts_with("ip-") && text.matches('-').count() >= 4 || is_instance(text) {
        (Strength::Likely, "EC2 name")
    } else if is_pod(text) {
        (if named { Strength::Certain } else { Strength::Likely }, "Kubernetes pod")
    } else if named && candidate.is_whole() && !COMMON.contains(&text) && text.len() > 2 {
        (Strength::Weak, "machine")
    } else {
        return None;
    };
    Some(Judgement::new(Category::Env, strength, detail))
}

fn is_instance(text: &str) -> bool {
    text.len() == 19 && text.starts_with("i-0") && text.bytes().skip(2).all(|byte| byte.is_ascii_hexdigit())
}

/// Whether the last two parts are drawn: of Kubernetes' alphabet and not all letters.
fn is_pod(text: &str) -> bool {
    let mut parts = text.rsplit('-');
    let (Some(pod), Some(set), Some(_)) = (parts.next(), parts.next(), parts.next()) else { return false };
    let drawn = |part: &str| {
        let letters = part.bytes().filter(u8::is_ascii_lowercase).count();
        part.bytes().all(|byte| b"bcdfghjklmnpqrstvwxz2456789".contains(&byte))
            && letters > 0
            && letters < part.len()
    };
    pod.len() == 5
        && (8..=10).contains(&set.len())
        && drawn(set)
        && (drawn(pod) || pod.bytes().all(|b| b.is_ascii_lowercase()))
}

#[cfg(test)]
mod tests {
    use super::super::table::{check, strength};
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("hostname", "3f4e8a9b2c1d"),
            ("container", "d1e2f3a4b5c6"),
            ("served", "3f4e8a9b2c1d"),
            ("pod", "shop-6b7c9d8f5d-x2v4k"),
            ("value", "my-app-7d9f8b6c5d-zk4tq"),
            ("host", "ip-10-0-1-23.ec2.internal"),
            ("value", "ip-172-31-5-9"),
            ("instance", "i-0abcd1234ef567890"),
            ("hostname", "buildbox7"),
            ("machine", "ADA-LAPTOP"),
        ];
        let look_alikes = [
            ("host", "localhost"),
            ("name", "buildbox7"),
            ("color", "aabbccddeeff"),
            ("number", "123456789012"),
            ("slug", "a-guide-to-testing"),
            ("slug", "my-product-2019"),
            ("text", "about 3f4e8a9b2c1d of them"),
            ("url", "example.com"),
            ("id", "i-0abc"),
            ("range", "ip-10"),
        ];
        check(&RULE, Category::Env, &known, &look_alikes);
    }

    #[test]
    fn a_name_makes_it_stronger() {
        assert_eq!(strength(&RULE, "hostname", "3f4e8a9b2c1d"), Some(Strength::Likely));
        assert_eq!(strength(&RULE, "value", "3f4e8a9b2c1d"), Some(Strength::Weak));
        assert_eq!(strength(&RULE, "host", "buildbox7"), Some(Strength::Weak));
    }
}
