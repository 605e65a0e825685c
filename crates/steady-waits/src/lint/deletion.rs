//! Takes sleeps out of a file.

use steady_edit::Span;
use steady_js::Script;
use steady_js::repair::without_unused_imports;

/// The text of a file without some of its statements, and without the imports that nothing uses any more; `None` if that would not
/// parse. A statement that has its lines to itself goes with them, and with a comment behind it.
pub fn without(script: &Script, statements: &[Span]) -> Option<String> {
    let mut spans: Vec<Span> = statements.iter().map(|span| lines_of(script.text(), *span)).collect();
    spans.sort_unstable();
    spans.dedup();
    let mut text = script.text().to_owned();
    for span in spans.iter().rev() {
        text.replace_range(span.start..span.end, "");
    }
    let text = without_unused_imports(script, &text).unwrap_or(text);
    Script::read(script.path(), &text).is_ok().then_some(text)
}

/// The whole lines of a statement, if nothing else stands on them.
fn lines_of(text: &str, span: Span) -> Span {
    let start = text[..span.start].rfind('\n').map_or(0, |at| at + 1);
    let line_end = text[span.end..].find('\n').map_or(text.len(), |at| span.end + at + 1);
    let rest = text[span.end..line_end].trim();
    let is_alone = text[start..span.start].trim().is_empty() && (rest.is_empty() || rest.starts_with("//"));
    if is_alone {
        return Span { start, end: line_end };
    }
    // What follows on the line moves up to where the statement was.
    let end =
        span.end + (text[span.end..line_end].len() - text[span.end..line_end].trim_start_matches(' ').len());
    Span { start: span.start, end }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;

    fn left(text: &str, statement: &str) -> Option<String> {
        let script = Script::read(Path::new("a.test.ts"), text).expect("a script");
        let start = text.find(statement).expect("the statement");
        without(&script, &[Span { start, end: start + statement.len() }])
    }

    #[test]
    fn a_statement_goes_with_its_line_and_the_import_that_it_alone_used() {
        let text = "import { sleep } from './util';\nawait open();\n  await sleep(5); // let it settle\nawait close();\n";
        assert_eq!(left(text, "await sleep(5);").as_deref(), Some("await open();\nawait close();\n"));
        let beside = "await open(); await sleep(5); await close();\n";
        assert_eq!(left(beside, "await sleep(5);").as_deref(), Some("await open(); await close();\n"));
        let last = "await open();\nawait sleep(5);";
        assert_eq!(left(last, "await sleep(5);").as_deref(), Some("await open();\n"));
    }
}
