//! Where new code and comments go, so that what stands around them keeps its lines and indentation.

use steady_edit::{Edit, Span};

use crate::language::Language;

/// A line that takes an assertion's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Item {
    Comment(String),
    Code(String),
}

impl Item {
    /// Its code; none for a comment.
    pub fn code(&self) -> Option<&str> {
        match self {
            Self::Code(code) => Some(code),
            Self::Comment(_) => None,
        }
    }
}

/// The text around an assertion.
pub(crate) struct Layout<'s> {
    text: &'s str,
    language: Language,
    eol: &'static str,
}

impl<'s> Layout<'s> {
    pub fn new(text: &'s str, language: Language) -> Self {
        let eol = match text.find('\n') {
            Some(at) if text[..at].ends_with('\r') => "\r\n",
            _ => "\n",
        };
        Self { text, language, eol }
    }

    pub fn eol(&self) -> &'static str {
        self.eol
    }

    /// What takes the place of a statement.
    pub fn statement(&self, span: Span, items: &[Item]) -> Vec<Edit> {
        if self.shares_line(span) {
            return self.inline(span, items, None);
        }
        let indent = self.indent(span.start);
        vec![self.lines(span, items, &indent)]
    }

    /// What is put before and after a statement that stays, but for some edits inside.
    pub fn around(&self, span: Span, before: &[Item], after: &[Item]) -> Vec<Edit> {
        if self.shares_line(span) {
            let items = [before, after].concat();
            return self.inline(Span::empty(span.end), &items, Some(span));
        }
        let indent = self.indent(span.start);
        let gap = format!("{}{indent}", self.eol);
        let mut edits = Vec::new();
        let above: String = before.iter().map(|item| format!("{}{gap}", self.item(item))).collect();
        if !above.is_empty() {
            let lead = if self.starts_line(span.start) { "" } else { gap.as_str() };
            edits.push(Edit::insert(span.start, format!("{lead}{above}")));
        }
        let below: String = after.iter().map(|item| format!("{gap}{}", self.item(item))).collect();
        if !below.is_empty() {
            edits.push(Edit::insert(span.end, below));
        }
        edits
    }

    /// What takes the place of a call of a chain.
    pub fn link(&self, span: Span, items: &[Item]) -> Vec<Edit> {
        if let [Item::Code(code)] = items {
            return vec![Edit::new(span, code.as_str())];
        }
        let mut indent = self.indent(span.start);
        if !self.starts_line(span.start) {
            indent.push_str(if indent.contains('\t') { "\t" } else { "    " });
        }
        vec![self.lines(span, items, &indent)]
    }

    /// A comment that is the source at a span, line by line.
    pub fn commented(&self, span: Span) -> Vec<Item> {
        let indent = self.indent(span.start);
        let lines = self.text[span].lines();
        lines.map(|line| Item::Comment(line.strip_prefix(&indent).unwrap_or(line).to_owned())).collect()
    }

    /// Items on lines of their own, in the place of a span.
    fn lines(&self, span: Span, items: &[Item], indent: &str) -> Edit {
        let gap = format!("{}{indent}", self.eol);
        let mut start = span.start;
        let mut text = String::new();
        if !self.starts_line(start) {
            start = self.text[..start].trim_end_matches([' ', '\t']).len();
            text.push_str(&gap);
        }
        let items: Vec<_> = items.iter().map(|item| self.item(item)).collect();
        text.push_str(&items.join(&gap));
        if text.trim_start().is_empty() {
            text.clear();
        }
        let ends_in_comment = items.last().is_some_and(|item| item.starts_with(self.language.comment()));
        if ends_in_comment && self.code_follows(span.end) {
            text.push_str(&gap);
        }
        Edit::new(start..span.end, text)
    }

    /// Items where a line of Python has several statements: comments above the line, code in its place.
    fn inline(&self, span: Span, items: &[Item], kept: Option<Span>) -> Vec<Edit> {
        let line = self.line_start(kept.map_or(span.start, |kept| kept.start));
        let indent = self.indent(line);
        let (mut above, mut code) = (String::new(), Vec::new());
        for item in items {
            match item {
                Item::Comment(_) => above.push_str(&format!("{indent}{}{}", self.item(item), self.eol)),
                Item::Code(statement) => code.push(statement.as_str()),
            }
        }
        let text = match (kept, code.is_empty()) {
            (_, true) => String::new(),
            (None, false) => code.join("; "),
            (Some(_), false) => format!("; {}", code.join("; ")),
        };
        let separator = if kept.is_none() && code.is_empty() { self.separator(span) } else { Span::empty(0) };
        let mut edits = vec![
            Edit::insert(line, above),
            Edit { span, text },
            Edit { span: separator, text: String::new() },
        ];
        edits.retain(|edit| !edit.text.is_empty() || !edit.span.is_empty());
        edits
    }

    /// The semicolon between a statement of Python and its neighbour on the line, with the blanks around it.
    fn separator(&self, span: Span) -> Span {
        let rest = &self.text[span.end..];
        if self.code_follows(span.end) {
            let blank = rest.len() - rest.trim_start_matches([' ', '\t', ';']).len();
            return Span::new(span.end, span.end + blank);
        }
        let before = self.text[..span.start].trim_end_matches([' ', '\t']);
        let Some(before) = before.strip_suffix(';') else { return Span::empty(0) };
        // A neighbour that goes, too, takes the semicolon with it.
        let neighbour = before.rsplit(['\n', ';', ':']).next().unwrap_or_default().trim_start();
        if neighbour.starts_with("assert") { Span::empty(0) } else { Span::new(before.len(), span.start) }
    }

    fn item(&self, item: &Item) -> String {
        match item {
            Item::Code(code) => code.clone(),
            Item::Comment(comment) => format!("{} {comment}", self.language.comment()).trim_end().to_owned(),
        }
    }

    /// Whether a statement shares its line with others, where lines matter.
    fn shares_line(&self, span: Span) -> bool {
        self.language == Language::Python && (!self.starts_line(span.start) || self.code_follows(span.end))
    }

    fn line_start(&self, at: usize) -> usize {
        let start = self.text[..at].rfind('\n').map_or(0, |at| at + 1);
        // A byte order mark stays the first thing in the file.
        if start == 0 && self.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8().min(at) } else { start }
    }

    fn starts_line(&self, at: usize) -> bool {
        self.text[self.line_start(at)..at].chars().all(|c| c == ' ' || c == '\t')
    }

    /// The blanks that the line of a byte begins with.
    fn indent(&self, at: usize) -> String {
        let line = &self.text[self.line_start(at)..];
        line.chars().take_while(|&c| c == ' ' || c == '\t').collect()
    }

    /// Whether there is more than a comment on the rest of the line.
    fn code_follows(&self, at: usize) -> bool {
        let rest = self.text[at..].lines().next().unwrap_or("").trim();
        !rest.is_empty() && !rest.starts_with(self.language.comment())
    }
}

/// A note as one line of comment, whatever an API said in it.
pub(crate) fn comment(note: &str, language: Language) -> Item {
    const LONGEST: usize = 300;
    let mut line: String = note
        .chars()
        .map(|c| if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}') { ' ' } else { c })
        .take(LONGEST)
        .collect();
    if note.chars().nth(LONGEST).is_some() {
        line.push('…');
    }
    // Java reads `\u` as an escape even in comments.
    if language == Language::Java {
        line = line.replace("\\u", "\\ u");
    }
    Item::Comment(line.trim().to_owned())
}
