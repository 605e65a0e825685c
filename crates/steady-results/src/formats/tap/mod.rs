//! TAP, the Test Anything Protocol, versions 12 to 14.
//!
//! Written by node:test, Mocha, Vitest, node-tap, Perl's Test::More (also as `prove -v` prints it), pg_prove and others.
//!
//! - Subtests are indented by four and stand before their parent, or after it inside `{` and `}`. A parent is not a test:
//!   it is left out, unless it failed and none of its subtests did (a hook broke).
//! - A point with `# TODO` is not ready and counts as skipped. `Bail out!` is reported as a failure of that name.
//! - Files are named only where they are a subtest (Vitest) or a heading (`prove`). node:test reports the place of a failure
//!   but not of a pass, so it cannot be part of the name.

mod diagnostics;
mod line;

use steady_model::rerun::Outcome;

use self::line::{Directive, Line};
use crate::base::Base;
use crate::case::{Attempt, Case};
use crate::error::ReadError;
use crate::format::Format;
use crate::identity;
use crate::text::{self, MESSAGE_LIMIT};

/// How deep subtests may be nested.
const DEPTH_LIMIT: usize = 100;

pub(crate) fn sniff(start: &[u8]) -> bool {
    text::decode(start).lines().any(line::is_sure_sign)
}

pub(crate) fn read(bytes: &[u8], base: &Base) -> Result<Vec<Case>, ReadError> {
    let text = text::decode(bytes);
    let mut document = Document::default();
    for line in text.lines() {
        document.add(line)?;
    }
    Ok(document.cases(base))
}

/// A test point, with the subtests that belong to it.
#[derive(Debug, Default)]
struct Point {
    /// The heading of `prove` above it.
    file: String,
    name: String,
    failed: bool,
    directive: Directive,
    said: String,
    milliseconds: Option<f64>,
    children: Vec<Point>,
    /// Whether `{` opened it and no `}` has closed it.
    open: bool,
}

#[derive(Debug, Default)]
struct Document {
    /// The points of every depth that have no parent yet.
    levels: Vec<Vec<Point>>,
    /// The depth of the last point: text that follows belongs to it.
    last: usize,
    /// The indentation of the YAML block that is open.
    yaml: Option<usize>,
    file: String,
}

impl Document {
    fn add(&mut self, raw: &str) -> Result<(), ReadError> {
        let indent = raw.len() - raw.trim_start_matches(' ').len();
        let depth = indent / 4;
        if let Some(opened) = self.yaml {
            if indent <= opened && raw.trim() == "..." {
                self.yaml = None;
            } else {
                self.describe(raw.get(opened.min(indent)..).unwrap_or(raw));
            }
            return Ok(());
        }
        match line::parse(raw) {
            Line::Point { .. } | Line::Close if depth > DEPTH_LIMIT => {
                return Err(ReadError::TooDeep { format: Format::Tap, limit: DEPTH_LIMIT });
            }
            Line::Point { bare: true, .. } if !self.file.is_empty() => {}
            Line::Point { failed, number, name, directive, opens, .. } => {
                let number = number.unwrap_or_else(|| self.level(depth).len() + 1);
                let name = if name.is_empty() { format!("test {number}") } else { name };
                let point = Point {
                    file: self.file.clone(),
                    name,
                    failed,
                    directive,
                    open: opens,
                    ..Point::default()
                };
                self.point(depth, point);
            }
            Line::Close => {
                let children = self.orphans(depth + 1);
                if let Some(parent) = self.level(depth).last_mut().filter(|parent| parent.open) {
                    parent.open = false;
                    parent.children.extend(children);
                }
            }
            Line::Yaml => self.yaml = Some(indent),
            Line::Heading(file) => file.clone_into(&mut self.file),
            Line::BailOut(reason) => {
                let point = Point {
                    file: self.file.clone(),
                    name: "Bail out!".to_owned(),
                    failed: true,
                    ..Point::default()
                };
                self.point(0, Point { said: reason.to_owned(), ..point });
            }
            Line::Other if indent > self.last * 4 => self.describe(raw.trim_end()),
            Line::Other => {}
        }
        Ok(())
    }

    fn point(&mut self, depth: usize, mut point: Point) {
        // Inside `{` the subtests before belong to the point that is still open.
        point.children = self.orphans(depth + 1);
        point.milliseconds = point.directive.milliseconds();
        self.level(depth).push(point);
        self.last = depth;
    }

    /// Adds to what is said about the last point, or takes its duration.
    fn describe(&mut self, line: &str) {
        let depth = self.last;
        let Some(point) = self.level(depth).last_mut() else { return };
        if let Some(milliseconds) = line.trim().strip_prefix("duration_ms:") {
            point.milliseconds = milliseconds.trim().parse().ok();
        } else if point.said.len() < MESSAGE_LIMIT * 8 && diagnostics::is_telling(line) {
            point.said.push_str(line);
            point.said.push('\n');
        }
    }

    fn level(&mut self, depth: usize) -> &mut Vec<Point> {
        if self.levels.len() <= depth {
            self.levels.resize_with(depth + 1, Vec::new);
        }
        &mut self.levels[depth]
    }

    /// Takes the points from this depth inwards; where a level was left out, they count for the outer one.
    fn orphans(&mut self, depth: usize) -> Vec<Point> {
        self.levels.iter_mut().skip(depth).flat_map(std::mem::take).collect()
    }

    fn cases(mut self, base: &Base) -> Vec<Case> {
        let mut cases = Vec::new();
        // Subtests whose parent never came: the run was ended before.
        for point in self.orphans(0) {
            point.cases(&mut Vec::new(), base, &mut cases);
        }
        cases
    }
}

impl Point {
    /// Adds the tests of this point; says whether one of them failed.
    fn cases(self, titles: &mut Vec<String>, base: &Base, cases: &mut Vec<Case>) -> bool {
        let name = if self.name.starts_with('/') { base.relative(&self.name) } else { self.name };
        titles.push(name);
        let parent = !self.children.is_empty();
        let mut failed = false;
        for child in self.children {
            failed |= child.cases(titles, base, cases);
        }
        if !parent || (self.failed && !failed && self.directive.counts()) {
            let outcome = match (&self.directive, self.failed) {
                (Directive::Skip(_) | Directive::Todo(_), _) => Outcome::Skipped,
                (_, true) => Outcome::Failed,
                (_, false) => Outcome::Passed,
            };
            let headline = diagnostics::headline(&self.said).unwrap_or("");
            let said = text::headline_and_body(headline, &self.said).unwrap_or_default();
            let said = format!("{}\n{said}", self.directive.reason());
            let parts = [self.file.as_str()].into_iter().chain(titles.iter().map(String::as_str));
            let id = identity::id(base, parts);
            cases.push(Case::once(id, Attempt::new(outcome, self.milliseconds, &said)));
            failed = outcome == Outcome::Failed;
        }
        titles.pop();
        failed
    }
}

#[cfg(test)]
mod tests {
    use Outcome::{Failed, Passed, Skipped};

    use super::*;

    fn outcomes(tap: &str) -> Vec<(String, Outcome)> {
        let cases = read(tap.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        cases.into_iter().map(|case| (case.id, case.attempts[0].outcome)).collect()
    }

    fn named(id: &str, outcome: Outcome) -> (String, Outcome) {
        (id.to_owned(), outcome)
    }

    #[test]
    fn points_and_directives_make_the_outcome() {
        let table = [
            ("ok 1 - adds up", "adds up", Passed),
            ("ok adds up", "adds up", Passed),
            ("not ok 1 adds up", "adds up", Failed),
            ("ok 3", "test 3", Passed),
            ("ok 3 # skip not here", "test 3", Skipped),
            ("not ok 1 - a # TODO not yet", "a", Skipped),
            ("ok 1 - a # TODO", "a", Skipped),
            ("ok 1 - a \\# b # SKIP", "a # b", Skipped),
            ("ok 1 - a # b", "a # b", Passed),
            ("ok 1 - a # time=1.5ms", "a", Passed),
            ("Bail out! no database", "Bail out!", Failed),
        ];
        for (tap, id, outcome) in table {
            assert_eq!(outcomes(tap), [named(id, outcome)], "{tap}");
        }
    }

    #[test]
    fn subtests_carry_their_parents_and_parents_are_no_tests() {
        let before = "# Subtest: cart\n    ok 1 - a\n    not ok 2 - b\n      ---\n      error: 'x'\n      ...\n    1..2\nnot ok 1 - cart\n";
        assert_eq!(outcomes(before), [named("cart::a", Passed), named("cart::b", Failed)]);
        let braces = "not ok 1 - cart {\n    ok 1 - a\n    not ok 2 - b\n}\nok 2 - c\n";
        assert_eq!(
            outcomes(braces),
            [named("cart::a", Passed), named("cart::b", Failed), named("c", Passed)]
        );
        let hook = "    ok 1 - a\nnot ok 1 - cart\n";
        assert_eq!(outcomes(hook), [named("cart::a", Passed), named("cart", Failed)]);
        assert_eq!(outcomes("        ok 1 - a\n"), [named("a", Passed)]);
    }

    #[test]
    fn what_is_said_below_a_point_is_its_message() {
        let tap = "not ok 1 - a\n  ---\n  duration_ms: 2.5\n  error: 'not ok 2 - b'\n  ...\nnot ok 2 - c\n  Error: no\nok 3 - d\n";
        let cases = read(tap.as_bytes(), &Base::new("/home/ann/shop")).unwrap();
        let said: Vec<Option<&str>> = cases.iter().map(|case| case.attempts[0].message.as_deref()).collect();
        assert_eq!(said, [Some("error: 'not ok 2 - b'"), Some("Error: no"), None]);
        assert_eq!(cases[0].attempts[0].milliseconds, Some(2.5));
    }

    #[test]
    fn prove_names_the_file() {
        let tap = "t/cart.t .. \n1..1\nok 1 - a\nok\nt/order.t ..\nnot ok 1 - a\nAll tests successful.\n";
        assert_eq!(outcomes(tap), [named("t/cart.t::a", Passed), named("t/order.t::a", Failed)]);
    }
}
