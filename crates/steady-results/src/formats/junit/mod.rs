//! JUnit XML: what nearly every runner can write, each in its own way.
//!
//! Written by pytest, Maven Surefire and Failsafe, Gradle, jest-junit, Vitest, Playwright, nextest, gotestsum, node:test,
//! PHPUnit and others. There is no standard, only `<testsuite>`s with `<testcase>`s in them. What differs is where the file
//! and the class are (`place`), and how a second try is reported: Surefire, nextest and Playwright use `<flakyFailure>` and
//! `<rerunFailure>` (`attempts`), pytest writes the test twice (`pytest`).
//!
//! Read with quick-xml's events rather than junit-parser: that one recurses without a limit, keeps a single status per
//! test (pytest and node:test write two), and needs valid UTF-8. Entities are never expanded beyond the five of XML itself,
//! so a document cannot grow while it is read.

mod attempts;
mod element;
mod place;
mod pytest;

use quick_xml::Reader;
use quick_xml::events::Event;

use self::element::{OpenCase, Suite, attribute, entity};
use self::place::Placer;
use crate::base::Base;
use crate::case::Case;
use crate::error::{ReadError, ReportPosition};
use crate::format::Format;
use crate::text;

/// How deep elements may be nested; PHPUnit, the deepest, uses about ten levels.
const DEPTH_LIMIT: usize = 100;

pub(crate) fn sniff(start: &[u8]) -> bool {
    let start = text::decode(start);
    start.trim_start().starts_with('<') && start.contains("<testsuite")
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut document =
        Document { placer: Placer::new(base), suites: Vec::new(), open: None, cases: Vec::new() };
    let mut reader = Reader::from_str(&text);
    let mut depth = 0_usize;
    loop {
        match reader.read_event() {
            Ok(Event::Start(start)) => {
                depth += 1;
                if depth > DEPTH_LIMIT {
                    return Err(ReadError::TooDeep { format: Format::Junit, limit: DEPTH_LIMIT });
                }
                document.begin(&start);
            }
            Ok(Event::Empty(start)) => {
                document.begin(&start);
                document.end(start.local_name().as_ref());
            }
            Ok(Event::End(end)) => {
                depth = depth.saturating_sub(1);
                document.end(end.local_name().as_ref());
            }
            Ok(Event::Text(content)) => document.text(&content),
            Ok(Event::CData(content)) => document.text(&content),
            Ok(Event::GeneralRef(name)) => document.text(&entity(&name)),
            Ok(Event::Eof) if depth > 0 => return Err(malformed(text.len() as u64, "it ends too early")),
            Ok(Event::Eof) => break,
            Ok(_) => {}
            Err(error) => return Err(malformed(reader.error_position(), &error.to_string())),
        }
    }
    Ok(if document.placer.is_pytest() { pytest::join(document.cases) } else { document.cases })
}

fn malformed(byte: u64, detail: &str) -> ReadError {
    ReadError::Malformed {
        format: Format::Junit,
        place: ReportPosition::Byte(byte),
        detail: detail.to_owned(),
    }
}

/// What is known in the middle of a document.
struct Document<'a> {
    placer: Placer<'a>,
    suites: Vec<Suite>,
    open: Option<OpenCase>,
    cases: Vec<Case>,
}

impl Document<'_> {
    fn begin(&mut self, start: &quick_xml::events::BytesStart<'_>) {
        match (start.local_name().as_ref(), &mut self.open) {
            (_, Some(open)) => open.begin(start),
            ("testsuites", None) => self.placer.learn(start),
            ("testsuite", None) => {
                self.placer.learn(start);
                self.suites.push(Suite::of(start));
            }
            ("testcase", None) => self.open = Some(OpenCase::of(start)),
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "testcase" => {
                if let Some(open) = self.open.take() {
                    let (id, line) = (self.placer.place(&open, &self.suites), open.line);
                    self.cases.push(Case { id, line, attempts: attempts::of(&open) });
                }
            }
            "testsuite" if self.open.is_none() => {
                self.suites.pop();
            }
            _ => {
                if let Some(open) = &mut self.open {
                    open.end();
                }
            }
        }
    }

    fn text(&mut self, content: &str) {
        if let Some(open) = &mut self.open {
            open.text(content);
        }
    }
}

#[cfg(test)]
mod tests {
    use steady_model::rerun::Outcome::{self, Failed, Passed, Skipped};

    use super::*;

    fn outcomes(xml: &str) -> Vec<(String, Vec<Outcome>)> {
        let cases = read(xml.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        let outcomes = |case: &Case| case.attempts.iter().map(|attempt| attempt.outcome).collect();
        cases.iter().map(|case| (case.id.clone(), outcomes(case))).collect()
    }

    #[test]
    fn the_child_of_a_case_tells_its_outcome() {
        let table = [
            ("", vec![Passed]),
            ("<failure/>", vec![Failed]),
            ("<error>broken</error>", vec![Failed]),
            ("<skipped/>", vec![Skipped]),
            ("<skipped/><failure/>", vec![Skipped]),
            ("<failure/><error/>", vec![Failed]),
            ("<flakyFailure/>", vec![Failed, Passed]),
            ("<flakyError/><flakyFailure/>", vec![Failed, Failed, Passed]),
            ("<failure/><rerunFailure/>", vec![Failed, Failed]),
            ("<system-out><failure/></system-out>", vec![Passed]),
            ("<properties><property name='failure' value='1'/></properties>", vec![Passed]),
        ];
        for (inside, expected) in table {
            let xml = format!("<testsuite><testcase classname='A' name='b'>{inside}</testcase></testsuite>");
            assert_eq!(outcomes(&xml), [("A::b".to_owned(), expected)], "{inside}");
        }
    }

    #[test]
    fn entities_are_not_expanded() {
        let xml = r#"<!DOCTYPE x [<!ENTITY a "boom"><!ENTITY b "&a;&a;&a;">]>
            <testsuite><testcase classname="A" name="&b; &lt;&#65;&#x42;&#0;&nothing"><failure>&b;&amp;</failure></testcase></testsuite>"#;
        let cases = read(xml.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        assert_eq!(cases[0].id, "A::&b; <AB&#0;&nothing");
        assert_eq!(cases[0].attempts[0].message.as_deref(), Some("&b;&"));
    }

    #[test]
    fn what_is_no_report_is_refused_with_the_place() {
        let base = Base::new("/home/ann/shop");
        let deep = format!("<testsuite>{}", "<x>".repeat(200));
        assert_eq!(
            read(deep.as_bytes(), &base),
            Err(ReadError::TooDeep { format: Format::Junit, limit: 100 })
        );
        let cut = read(b"<testsuite><testcase name='a'>", &base).unwrap_err().to_string();
        assert_eq!(
            cut,
            "broken JUnit XML report at byte 30: it ends too early; was the runner ended while it wrote?"
        );
        assert!(read(b"<testsuite><testcase name='a'></testsuite>", &base).is_err());
    }

    #[test]
    fn invalid_utf8_is_tolerated() {
        let cases =
            read(b"<testsuite><testcase name='a\xff'/></testsuite>", &Base::new("/home/ann/shop")).unwrap();
        assert_eq!(cases[0].id, "a\u{fffd}");
    }
}
