//! F209: the response shows the inside of the API.

use std::sync::LazyLock;

use regex::Regex;
use steady_model::{FaultCode, Payload};

use super::{CallContext, DetectedFault};

/// How much of a body is searched.
const MAX_TEXT: usize = 64 * 1024;

#[expect(clippy::expect_used, reason = "the expression is a constant, and tests compile it")]
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        (?P<python> Traceback\ \(most\ recent\ call\ last\) | File\ \\?"[^"\n]{1,200}\.py\\?",\ line\ \d+ )
        | (?P<jvm> \bat\ [\w$.]+\.[\w$<>]+\([\w$]+\.(?:java|kt|scala|groovy):\d+\) )
        | (?P<node> \bat\ [^\n]{0,200}[\w./\\-]+\.[cm]?[jt]s:\d+:\d+ )
        | (?P<dotnet> \bat\ [\w.`<>]+\([^)\n]{0,200}\)\ in\ [^\n]{1,200}:line\ \d+ )
        | (?P<go> goroutine\ \d+\ \[running\] )
        | (?P<php> \#0\ [^\n]{1,200}\.php\(\d+\) )
        | (?P<ruby> [\w./-]+\.rb:\d+:in\ [`'] )
        | (?P<rust> thread\ '[^'\n]{0,100}'\ panicked\ at )
    "#,
    )
    .expect("a valid expression")
});

#[expect(clippy::expect_used, reason = "the expression is a constant, and tests compile it")]
static MARK: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"at |\.py|Traceback|goroutine|\.php|\.rb:|panicked").expect("a valid expression")
});

/// One fault per operation and kind of trace.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response()?;
    let Payload::Text(text) = &response.body else { return None };
    // Every kind of trace has one of these, and most bodies have none: the cheap test first.
    if !MARK.is_match(text) {
        return None;
    }
    let end = (0..=MAX_TEXT.min(text.len())).rev().find(|end| text.is_char_boundary(*end))?;
    let found = TRACE.captures(&text[..end])?;
    let kind = TRACE.capture_names().flatten().find(|name| found.name(name).is_some())?;
    let excerpt: String = found.get(0)?.as_str().chars().take(80).collect();
    Some(DetectedFault::new(
        FaultCode::StackTraceLeaked,
        kind,
        format!("a {kind} stack trace is in the response: {excerpt}"),
    ))
}

#[cfg(test)]
mod tests {
    use super::{MARK, TRACE};

    #[test]
    fn traces_of_every_runtime_are_known_and_prose_is_not() {
        for trace in [
            "Traceback (most recent call last):\n  File \"app.py\", line 3, in f",
            "at com.shop.Orders.create(Orders.java:42)",
            "    at Object.<anonymous> (/srv/app/index.js:10:5)",
            "at Shop.Orders.Create(Int32 id) in C:\\src\\Orders.cs:line 12",
            "goroutine 1 [running]:",
            "#0 /var/www/index.php(12): main()",
            "app/models/order.rb:12:in `save'",
            "thread 'main' panicked at src/main.rs:3",
        ] {
            assert!(TRACE.is_match(trace) && MARK.is_match(trace), "{trace}");
        }
        for prose in
            ["meet at noon (room 12)", "at most 3 items", "see index.js for more", "order.rb: not found"]
        {
            assert!(!TRACE.is_match(prose), "{prose}");
        }
    }
}
