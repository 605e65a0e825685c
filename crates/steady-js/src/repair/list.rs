//! Adds items to a list that is written out: arguments in brackets, properties in braces.

use steady_edit::Span;

use super::Edit;
use super::layout::Layout;

/// A list and the bytes of its brackets.
pub(super) struct List<'l> {
    /// The opening bracket.
    pub(super) open: usize,
    pub(super) items: &'l [Span],
    /// The closing bracket.
    pub(super) close: usize,
}

/// Adds items at the end: on the last item's line, or on lines of their own where the items have such. A trailing comma
/// stays one.
pub(super) fn append(list: &List<'_>, added: &[String], layout: &Layout<'_>) -> Vec<Edit> {
    let Some(last) = list.items.last() else { return vec![only(list, added, layout)] };
    let comma = comma(last.end, list.close, layout);
    let end = comma.map_or(last.end, |comma| comma + 1);
    let has_lines = (layout.begins_line(last.start) || comma.is_some())
        && layout.lines.line(end) != layout.lines.line(list.close)
        && layout.ends_line(end);
    if !has_lines {
        let text = match comma {
            Some(_) => format!(" {},", added.join(", ")),
            None => format!(", {}", added.join(", ")),
        };
        return vec![Edit::insert(end, text)];
    }
    let beside = if layout.begins_line(last.start) { last.start } else { last.end - 1 };
    let line = format!("{}{}", layout.newline(), layout.indentation(beside));
    let lines: Vec<String> = added.iter().map(|item| format!("{line}{item}")).collect();
    let behind = layout.line_end(end);
    match comma {
        Some(_) => vec![Edit::insert(behind, format!("{},", lines.join(",")))],
        None if behind == end => vec![Edit::insert(end, format!(",{}", lines.join(",")))],
        None => vec![Edit::insert(end, ",".to_owned()), Edit::insert(behind, lines.join(","))],
    }
}

/// The items of a list that had none. Braces have white space inside, brackets do not.
fn only(list: &List<'_>, added: &[String], layout: &Layout<'_>) -> Edit {
    let inside = Span { start: list.open + 1, end: list.close };
    let items = added.join(", ");
    let has_comment = layout.outline.comments.iter().any(|comment| inside.covers(*comment));
    if has_comment {
        return Edit::insert(list.close, items);
    }
    let is_object = layout.text[list.open..].starts_with('{');
    Edit { span: inside, text: if is_object { format!(" {items} ") } else { items } }
}

/// The comma behind the last item.
fn comma(from: usize, until: usize, layout: &Layout<'_>) -> Option<usize> {
    let commas = layout.text.get(from..until)?.match_indices(',').map(|(at, _)| from + at);
    commas.into_iter().find(|at| !layout.outline.is_comment(*at))
}
