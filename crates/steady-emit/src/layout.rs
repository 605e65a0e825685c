//! Breaks long lines the way a formatter would: a list that does not fit gets one item per line.

/// Lines are broken beyond this many characters.
pub(crate) const WIDTH: usize = 100;

/// A piece of code that may be laid out over several lines.
#[derive(Debug, Clone)]
pub(crate) enum Code {
    /// Stays as it is.
    Text(String),
    /// A string of several lines: one literal, or one for each line.
    Lines {
        /// The one literal.
        whole: String,
        /// The literals of the lines.
        lines: Vec<String>,
    },
    /// One after the other.
    Sequence(Vec<Code>),
    /// Items between brackets.
    List {
        /// The opening bracket and the text before it.
        open: String,
        /// The items.
        items: Vec<Code>,
        /// The closing bracket and the text after it.
        close: String,
    },
}

/// The differences between formatters.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// One step of indentation.
    pub(crate) tab: &'static str,
    /// Whether a comma follows the last item of a broken list.
    pub(crate) trailing_comma: bool,
    /// Whether only the last item is broken when the others fit beside it: `call(a, {` and so on.
    pub(crate) breaks_last: bool,
    /// The text before, between and after literals that make up one string.
    pub(crate) lines: (&'static str, &'static str, &'static str),
}

/// A string is written line by line when it has no more lines than this.
const MOST_LINES: usize = 30;

impl Code {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn list(open: impl Into<String>, items: Vec<Self>, close: impl Into<String>) -> Self {
        Self::List { open: open.into(), items, close: close.into() }
    }

    /// A string, given how the language writes a literal.
    pub(crate) fn string(text: &str, literal: impl Fn(&str) -> String) -> Self {
        let whole = literal(text);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        // A line beyond any width is data, and a text longer than a screen is not easier to read in lines.
        let is_readable =
            (2..=MOST_LINES).contains(&lines.len()) && lines.iter().all(|line| line.len() <= 200);
        if !is_readable {
            return Self::Text(whole);
        }
        Self::Lines { whole, lines: lines.into_iter().map(literal).collect() }
    }

    /// No code at all.
    pub(crate) fn nothing() -> Self {
        Self::Sequence(Vec::new())
    }

    /// Whether there is no code.
    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Sequence(parts) if parts.is_empty())
    }

    /// This piece with something in front.
    pub(crate) fn after(self, prefix: impl Into<String>) -> Self {
        Self::Sequence(vec![Self::text(prefix), self])
    }

    /// The code on one line.
    pub(crate) fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lines { whole, .. } => whole.clone(),
            Self::Sequence(parts) => parts.iter().map(Self::flat).collect(),
            Self::List { open, items, close } => {
                let items: Vec<String> = items.iter().map(Self::flat).collect();
                format!("{open}{}{close}", items.join(", "))
            }
        }
    }

    /// The code as a statement, `depth` steps indented, with its line end.
    pub(crate) fn statement(&self, depth: usize, style: Style) -> String {
        let mut out = style.tab.repeat(depth);
        self.write(&mut out, depth, 0, style);
        out.push('\n');
        out
    }

    /// Writes the code; `behind` more characters follow on its last line.
    fn write(&self, out: &mut String, depth: usize, behind: usize, style: Style) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Lines { whole, .. } if column(out) + whole.chars().count() + behind <= WIDTH => {
                out.push_str(whole);
            }
            Self::Lines { lines, .. } => {
                let (open, joint, close) = style.lines;
                let line_end = format!("\n{}", style.tab.repeat(depth + 1));
                let first = if open.is_empty() { String::new() } else { format!("{open}{line_end}") };
                out.push_str(&first);
                out.push_str(&lines.join(&format!("{joint}{line_end}")));
                if !close.is_empty() {
                    out.push_str(&format!("\n{}{close}", style.tab.repeat(depth)));
                }
            }
            Self::Sequence(parts) => parts.iter().for_each(|part| part.write(out, depth, behind, style)),
            Self::List { open, items, close } => {
                let flat = self.flat();
                if items.is_empty() || column(out) + flat.chars().count() + behind <= WIDTH {
                    out.push_str(&flat);
                } else if !self.write_last_broken(out, depth, behind, style) {
                    out.push_str(open.trim_end());
                    for (index, item) in items.iter().enumerate() {
                        out.push('\n');
                        out.push_str(&style.tab.repeat(depth + 1));
                        item.write(out, depth + 1, 1, style);
                        if style.trailing_comma || index + 1 < items.len() {
                            out.push(',');
                        }
                    }
                    out.push('\n');
                    out.push_str(&style.tab.repeat(depth));
                    out.push_str(close.trim_start());
                }
            }
        }
    }

    /// Writes a list whose last item is a list too, breaking only that one; false when the others do not fit.
    fn write_last_broken(&self, out: &mut String, depth: usize, behind: usize, style: Style) -> bool {
        let Self::List { open, items, close } = self else { return false };
        let Some((last @ Self::List { open: inner, items: inner_items, .. }, others)) = items.split_last()
        else {
            return false;
        };
        // Lists side by side are read line by line.
        if others.iter().any(|item| matches!(item, Self::List { .. })) {
            return false;
        }
        let others: String = others.iter().map(|item| item.flat() + ", ").collect();
        let line = format!("{open}{others}");
        let fits = column(out) + line.chars().count() + inner.chars().count() <= WIDTH;
        if !style.breaks_last || !fits || inner_items.is_empty() {
            return false;
        }
        out.push_str(&line);
        last.write(out, depth, close.chars().count() + behind, style);
        out.push_str(close);
        true
    }
}

fn column(out: &str) -> usize {
    out.rsplit('\n').next().unwrap_or_default().chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { tab: "  ", trailing_comma: true, breaks_last: false, lines: ("(", "", ")") };

    fn call(length: usize) -> Code {
        let inner = Code::list("{ ", vec![Code::text("a".repeat(length)), Code::text("b")], " }");
        Code::list("f(", vec![Code::text("x"), inner], ");").after("y = ")
    }

    #[test]
    fn a_list_is_broken_only_when_it_does_not_fit() {
        assert_eq!(call(3).statement(1, STYLE), "  y = f(x, { aaa, b });\n");
        let long = "a".repeat(85);
        assert_eq!(call(85).statement(1, STYLE), format!("  y = f(\n    x,\n    {{ {long}, b }},\n  );\n"));
    }

    #[test]
    fn the_last_item_alone_is_broken_where_that_is_the_custom() {
        let style = Style { breaks_last: true, ..STYLE };
        let long = "a".repeat(90);
        assert_eq!(call(90).statement(1, style), format!("  y = f(x, {{\n    {long},\n    b,\n  }});\n"));
    }

    #[test]
    fn a_string_that_does_not_fit_is_written_line_by_line() {
        let quoted = |text: &str| format!("{text:?}");
        let text = format!("{}\n\tb\n", "a".repeat(90));
        let code = Code::string(&text, quoted).after("x = ");
        let first = format!("{}\\n", "a".repeat(90));
        assert_eq!(code.statement(1, STYLE), format!("  x = (\n    \"{first}\"\n    \"\\tb\\n\"\n  )\n"));
        let sum = Style { lines: ("", " +", ""), ..STYLE };
        assert_eq!(code.statement(1, sum), format!("  x = \"{first}\" +\n    \"\\tb\\n\"\n"));
        assert_eq!(Code::string("a\nb", quoted).statement(0, STYLE), "\"a\\nb\"\n");
        assert!(matches!(Code::string(&"a\n".repeat(31), quoted), Code::Text(_)));
    }
}
