//! Shows two values beside each other, never at more length than a person reads.

use serde_json::Value;
use similar::{ChangeTag, TextDiff};

const BRIEF_CHARACTERS: usize = 80;
const DIFF_LINES: usize = 40;
const LINE_CHARACTERS: usize = 160;
const CONTEXT_LINES: usize = 2;
/// Longer documents are cut here before they are compared, which bounds the time a hostile answer can cost.
const COMPARED_LINES: usize = 2_000;

/// A value in one short line.
pub(crate) fn brief(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(BRIEF_CHARACTERS) {
        None => text,
        Some((end, _)) => match value {
            Value::Array(items) => format!("an array of {} items", items.len()),
            Value::Object(members) => format!("an object of {} members", members.len()),
            _ => format!("{}… ({} characters)", &text[..end], text.chars().count()),
        },
    }
}

/// The differing lines of two values, `-` expected and `+` actual; `None` when [`brief`] says it all.
pub(crate) fn diff(expected: &Value, actual: &Value) -> Option<String> {
    let is_short = |value: &Value| value.to_string().chars().count() <= BRIEF_CHARACTERS;
    if is_short(expected) && is_short(actual) {
        return None;
    }
    let (expected, actual) = (rendered(expected), rendered(actual));
    if expected.contains('\n') || actual.contains('\n') {
        Some(line_diff(&expected, &actual))
    } else {
        Some(around_first_difference(&expected, &actual))
    }
}

/// Text as it is, JSON over several lines with its keys sorted: their order is no difference.
fn rendered(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        other => format!("{:#}", sorted(other)),
    }
}

fn sorted(value: &Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<_> =
                members.iter().map(|(key, value)| (key.clone(), sorted(value))).collect();
            members.sort_by(|(left, _), (right, _)| left.cmp(right));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(sorted).collect()),
        other => other.clone(),
    }
}

fn line_diff(expected: &str, actual: &str) -> String {
    let (expected, actual) = (first_lines(expected), first_lines(actual));
    let diff = TextDiff::from_slices(&expected, &actual);
    let mut lines = Vec::new();
    for (index, group) in diff.grouped_ops(CONTEXT_LINES).iter().enumerate() {
        if index > 0 {
            lines.push("  …".to_owned());
        }
        for change in group.iter().flat_map(|operation| diff.iter_changes(operation)) {
            let sign = match change.tag() {
                ChangeTag::Delete => '-',
                ChangeTag::Insert => '+',
                ChangeTag::Equal => ' ',
            };
            lines.push(format!("{sign} {}", cut(change.value())));
        }
    }
    if lines.is_empty() {
        return format!("  differs after line {COMPARED_LINES}");
    }
    if lines.len() > DIFF_LINES {
        let more = lines.len() - DIFF_LINES;
        lines.truncate(DIFF_LINES);
        lines.push(format!("  … and {more} more lines"));
    }
    lines.join("\n")
}

fn first_lines(text: &str) -> Vec<&str> {
    text.lines().take(COMPARED_LINES).collect()
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LINE_CHARACTERS) {
        None => line.to_owned(),
        Some((end, _)) => format!("{}…", &line[..end]),
    }
}

/// Two long lines, each shown from shortly before the first difference.
fn around_first_difference(expected: &str, actual: &str) -> String {
    let shared = expected.chars().zip(actual.chars()).take_while(|(left, right)| left == right).count();
    let start = shared.saturating_sub(BRIEF_CHARACTERS / 4);
    let excerpt = |text: &str| {
        let mut shown: String = text.chars().skip(start).take(BRIEF_CHARACTERS).collect();
        if start > 0 {
            shown.insert(0, '…');
        }
        if text.chars().count() > start + BRIEF_CHARACTERS {
            shown.push('…');
        }
        shown
    };
    format!("- {}\n+ {}\n  first difference at character {}", excerpt(expected), excerpt(actual), shared + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn short_values_need_no_diff() {
        assert_eq!(diff(&json!(3), &json!("seven")), None);
        assert_eq!(brief(&json!("seven")), "\"seven\"");
    }

    #[test]
    fn objects_are_compared_line_by_line_whatever_their_key_order() {
        let expected =
            json!({"name": "a rather long name of some product", "price": 3, "state": "in the warehouse"});
        let actual =
            json!({"state": "in the warehouse", "price": 7, "name": "a rather long name of some product"});
        let shown = diff(&expected, &actual).unwrap();
        assert_eq!(
            shown,
            "  {\n    \"name\": \"a rather long name of some product\",\n-   \"price\": 3,\n+   \"price\": 7,\n    \
             \"state\": \"in the warehouse\"\n  }"
        );
    }

    #[test]
    fn long_lines_are_shown_where_they_part() {
        let expected = json!(format!("{}x{}", "a".repeat(200), "b".repeat(200)));
        let actual = json!(format!("{}y{}", "a".repeat(200), "b".repeat(200)));
        let shown = diff(&expected, &actual).unwrap();
        assert!(shown.ends_with("first difference at character 201"), "{shown}");
        assert!(shown.contains("- …aaaaaaaaaaaaaaaaaaaaxb"), "{shown}");
    }

    #[test]
    fn a_huge_document_gives_a_bounded_diff() {
        let expected = json!((0..50_000).collect::<Vec<_>>());
        let actual = json!((1..50_001).collect::<Vec<_>>());
        let shown = diff(&expected, &actual).unwrap();
        assert!(shown.lines().count() <= DIFF_LINES + 1);
        assert_eq!(brief(&expected), "an array of 50000 items");
    }

    proptest! {
        #[test]
        fn a_diff_is_bounded_whatever_the_texts(left in "(?s).{0,3000}", right in "(?s).{0,3000}") {
            if let Some(shown) = diff(&json!(left), &json!(right)) {
                prop_assert!(shown.chars().count() <= (DIFF_LINES + 1) * (LINE_CHARACTERS + 5));
            }
        }
    }
}
