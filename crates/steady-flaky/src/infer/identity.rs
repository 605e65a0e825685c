//! Identities of objects and threads as runtimes print them: `java.lang.Object.toString`, Python's and Ruby's default
//! `repr`, .NET's traced hash codes, goroutines and pooled threads.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::Identity, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r"(?x)
    (?:\[+[BCDFIJSZL])?[A-Za-z_$][\w$]*(?:[./][\w$]+)*;?@[0-9a-f]{5,8}|\[+[BCDFIJSZ]@[0-9a-f]{5,8}
    |<[\w.\x20'<>]+?\x20at\x200x[0-9a-fA-F]{6,16}>+
    |\#<[\w:]+:0x[0-9a-f]{6,16}(?u:[^>])*>
    |<[A-Z]\w+:\x200x[0-9a-f]{6,16}(?u:[^>])*>
    |(?:[A-Z]\w*\.)*[A-Z]\w+\#\d{6,10}
    |goroutine\x20\d+\x20\[[\w\x20,]+\]
    |(?:[a-z][\w.-]*-)?(?:nio|https?|exec|pool|worker|thread)(?:-\w+)*-(?:exec|thread|worker)-\d+
    |ForkJoinPool[\w.]*-worker-\d+";

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    let text = candidate.text;
    let (strength, detail) = if let Some((class, _)) = text.split_once('@') {
        // `alice@facade.org` is an address: its name is no class, or its host goes on.
        let is_class = class.starts_with('[') || class.contains(|c: char| c.is_ascii_uppercase());
        let goes_on = candidate.after.starts_with(['.', '-', '@'])
            && candidate.after.chars().nth(1).is_some_and(char::is_alphanumeric);
        if !is_class || goes_on {
            return None;
        }
        (Strength::Certain, "JVM object")
    } else if text.starts_with("#<") {
        (Strength::Certain, "Ruby object")
    } else if text.starts_with('<') {
        (Strength::Certain, if text.contains(" at 0x") { "Python object" } else { "object with address" })
    } else if text.contains('#') {
        (Strength::Likely, ".NET object")
    } else {
        (Strength::Likely, "thread")
    };
    Some(Judgement::new(Category::RunMsg, strength, detail))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("m", "java.lang.Object@1b6d3586"),
            ("m", "Foo@7852e922"),
            ("m", "[B@4e25154f"),
            ("m", "[Ljava.lang.String;@70dea4e"),
            ("m", "com.shop.Cart$$Lambda$14/0x0000000800066840@5c647e05"),
            ("m", "org.apache.catalina.connector.CoyoteInputStream@3f2a1c"),
            ("m", "<__main__.Cart object at 0x7f8b1c2d3e40>"),
            ("m", "<function handler at 0x10a3b5d30>"),
            ("m", "<bound method Cart.total of <Cart object at 0x7f8b1c2d3e40>>"),
            ("m", "#<Cart:0x00007f9b8c0a1b2c>"),
            ("m", "<UIView: 0x7f8b1c2d3e40>"),
            ("m", "HttpWebRequest#33163964"),
            ("m", "goroutine 18 [running]"),
            ("m", "http-nio-8080-exec-3"),
            ("m", "pool-2-thread-1"),
            ("m", "ForkJoinPool.commonPool-worker-3"),
        ];
        let look_alikes = [
            ("email", "alice@example.com"),
            ("email", "bob@decade"),
            ("email", "Bob@facade.org"),
            ("email", "Alice@abcdef.com"),
            ("package", "react@18.2.0"),
            ("package", "lodash@4"),
            ("handle", "@deadbeef"),
            ("tag", "<div class='x'>"),
            ("m", "[object Object]"),
            ("issue", "Issue#12"),
            ("slug", "thread-safe"),
            ("m", "look at 0x7f8b1c2d3e40"),
        ];
        check(&RULE, Category::RunMsg, &known, &look_alikes);
    }
}
