//! Lines of stack traces: JVM, Python, Node, Go, .NET, Rust, Ruby and PHP, each with the file and line that change with every
//! build.

use steady_model::rerun::Category;

use super::engine::{Candidate, Judgement, Rule};
use super::{Context, Family, Strength};

pub(super) const RULE: Rule = Rule { family: Family::StackFrame, pattern: PATTERN, numbers: false, judge };

const PATTERN: &str = r#"(?x)
    (?:at\x20)?(?:[\w.$/@-]+/)?[\w$.<>]+\((?:[\w$-]+\.(?:java|kt|scala|groovy|clj):\d+|Native\x20Method|Unknown\x20Source)\)
    |[\w$-]+\.(?:java|kt|scala|groovy|clj):\d+
    |File\x20"(?u:[^"\n])+",\x20line\x20\d+(?:,\x20in\x20[\w<>.]+)?
    |at\x20(?:[\w.$<>\[\]\x20]+\x20)?\(?(?:node:|file:///?|/|\w:\\|webpack:|webpack-internal:)?(?u:[^\s():])+:\d+:\d+\)?
    |at\x20[\w.`<>+\[\],]+\((?u:[^()\n])*\)\x20in\x20(?u:[^\n])+:line\x20\d+
    |[\w./@-]*\w\.(?:go|rs|rb|php|py|ts|js|mjs|cs|c|cc|cpp|ex):\d+(?::\d+)?(?:\x20\+0x[0-9a-f]+)?(?::in\x20[`'](?u:[^'`\n])+')?
    |\#\d+\x20[\w./-]+\.php\(\d+\):\x20[\w\\:>-]+(?:\((?u:[^)\n])*\))?"#;

fn judge(candidate: &Candidate<'_>, _context: &Context) -> Option<Judgement> {
    let text = candidate.text;
    // `http://example.js:80` is an address, not a file.
    if candidate.before.ends_with(':')
        || text.starts_with("//")
        || text.contains("://") && !text.contains("file://")
    {
        return None;
    }
    // `at 10:30:15` is a time: a frame names a file or a function.
    if !text.contains(['/', '\\', '.', '(', '"']) {
        return None;
    }
    let has = |part: &str| text.contains(part);
    let detail = if has(".java:") || has("(Native") || has("(Unknown") || has(".kt:") || has(".scala:") {
        "JVM"
    } else if text.starts_with("File \"") || has(".py:") {
        "Python"
    } else if has(":line ") || has(".cs:") {
        ".NET"
    } else if has(".go:") {
        "Go"
    } else if has(".rs:") {
        "Rust"
    } else {
        "script"
    };
    Some(Judgement::new(Category::RunMsg, Strength::Likely, detail))
}

#[cfg(test)]
mod tests {
    use super::super::table::check;
    use super::*;

    #[test]
    fn table() {
        let known = [
            ("trace", "at com.shop.Cart.total(Cart.java:42)"),
            ("trace", "at java.base/java.lang.Thread.run(Thread.java:833)"),
            ("trace", "at jdk.internal.reflect.NativeMethodAccessorImpl.invoke0(Native Method)"),
            ("trace", "at com.shop.Cart.<init>(Cart.kt:7)"),
            ("trace", "Cart.java:42"),
            ("trace", "File \"/srv/app/cart.py\", line 12, in total"),
            ("trace", "at Cart.total (/srv/app/cart.js:10:5)"),
            ("trace", "at Object.<anonymous> (/srv/app/index.js:3:1)"),
            ("trace", "at node:internal/main/run_main_module:23:47"),
            ("trace", "at Shop.Cart.Total(Int32 id) in /src/Cart.cs:line 42"),
            ("trace", "/srv/app/main.go:42 +0x1d"),
            ("trace", "src/main.rs:10:5"),
            ("trace", "/srv/app/cart.rb:12:in `total'"),
        ];
        let look_alikes = [
            ("file", "Cart.java"),
            ("file", "index.js"),
            ("url", "http://example.com:8080/x"),
            ("url", "https://cdn.example.js:443"),
            ("text", "see you at noon"),
            ("text", "File \"notes.txt\" not found"),
            ("call", "total(cart)"),
            ("time", "at 10:30:15"),
            ("ratio", "16:9"),
            ("text", "line 42"),
        ];
        check(&RULE, Category::RunMsg, &known, &look_alikes);
    }
}
