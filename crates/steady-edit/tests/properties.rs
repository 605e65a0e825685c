//! Whatever is edited: other bytes stay, and the diff says all that has changed.

use std::path::Path;

use proptest::prelude::*;
use steady_edit::{Edit, LineIndex, Span, apply, diff, moved};

/// Texts of several lines with characters of every width and both line endings.
fn text() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "a",
        "bc",
        "é",
        "😀",
        " ",
        "\n",
        "\r\n",
        "\n\n",
        "-",
        "+x",
        "@@ -1 +1 @@",
        "\\",
    ]);
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

/// A text and edits of it that do not overlap, in any order.
fn edited() -> impl Strategy<Value = (String, Vec<Edit>)> {
    let parts = (text(), any::<bool>(), text());
    prop::collection::vec(parts, 0..8).prop_flat_map(|parts| {
        let (mut all, mut edits) = (String::new(), Vec::new());
        for (old, is_edited, new) in parts {
            let start = all.len();
            all.push_str(&old);
            if is_edited {
                edits.push(Edit::new(start..all.len(), new));
            }
        }
        (Just(all), Just(edits).prop_shuffle())
    })
}

/// The new text that a unified diff makes of the old one; none if the diff does not fit.
fn patched(old: &str, diff: &str) -> Option<String> {
    let mut rest = old.split_inclusive('\n');
    let (mut new, mut line) = (String::new(), 1);
    let mut lines = diff.split_inclusive('\n').skip(2).peekable();
    while let Some(said) = lines.next() {
        // A line without its line ending is followed by a remark that says so.
        let is_last = lines.next_if(|next| next.starts_with("\\ No newline")).is_some();
        let content = if is_last { said[1..].trim_end_matches('\n') } else { &said[1..] };
        match &said[..1] {
            "@" => {
                let first: usize = said.split(['-', ',', ' ']).nth(2)?.parse().ok()?;
                for _ in line..first {
                    new.push_str(rest.next()?);
                }
                line = line.max(first);
            }
            "+" => new.push_str(content),
            sign => {
                rest.next().filter(|old| *old == content)?;
                line += 1;
                new.push_str(if sign == " " { content } else { "" });
            }
        }
    }
    new.extend(rest);
    Some(new)
}

proptest! {
    #[test]
    fn all_other_bytes_stay((old, edits) in edited()) {
        let new = apply(&old, &edits).unwrap();
        let mut ordered = edits.clone();
        ordered.sort_by_key(|edit| edit.span);
        let (mut at, mut rest) = (0, new.as_str());
        for edit in &ordered {
            rest = rest.strip_prefix(&old[at..edit.span.start]).unwrap();
            rest = rest.strip_prefix(edit.text.as_str()).unwrap();
            at = edit.span.end;
        }
        prop_assert_eq!(rest, &old[at..]);
    }

    #[test]
    fn what_is_not_edited_is_found_where_it_moved((old, edits) in edited(), a in any::<prop::sample::Index>(), b in any::<prop::sample::Index>()) {
        let ends: Vec<usize> = old.char_indices().map(|(at, _)| at).chain([old.len()]).collect();
        let (a, b) = (*a.get(&ends), *b.get(&ends));
        let span = Span::new(a.min(b), a.max(b));
        let is_touched = |edit: &Edit| edit.span.start <= span.end && span.start <= edit.span.end;
        prop_assume!(!edits.iter().any(is_touched));
        let new = apply(&old, &edits).unwrap();
        prop_assert_eq!(&new[moved(span, &edits)], &old[span]);
    }

    #[test]
    fn the_diff_makes_the_new_text_of_the_old_one((old, edits) in edited()) {
        let new = apply(&old, &edits).unwrap();
        let shown = diff(Path::new("a.py"), &old, &new);
        prop_assert_eq!(shown.is_empty(), old == new);
        prop_assert_eq!(patched(&old, &shown), Some(new));
    }

    #[test]
    fn every_byte_is_on_the_line_that_holds_it(text in text()) {
        let lines = LineIndex::new(&text);
        prop_assert_eq!(lines.count(), text.matches('\n').count() + 1);
        for (at, _) in text.char_indices() {
            let line = text[..at].matches('\n').count() + 1;
            prop_assert_eq!(lines.line(at), line);
            let span = lines.span(&text, line).unwrap();
            prop_assert_eq!(lines.line_start(at), span.start);
            prop_assert!(span.start <= at && !text[span].contains('\n'));
        }
    }
}
