//! Breaks long lines the way a formatter would: a list that does not fit gets one item per line.

/// Lines are broken beyond this many characters.
const WIDTH: usize = 100;

/// A piece of code that may be laid out over several lines.
#[derive(Debug, Clone)]
pub(crate) enum Code {
    /// Stays as it is.
    Text(String),
    /// One after the other.
    Sequence(Vec<Code>),
    /// Items between brackets.
    List {
        /// The opening bracket and what stands before it.
        open: String,
        /// The items.
        items: Vec<Code>,
        /// The closing bracket and what stands after it.
        close: String,
    },
}

/// What formatters of different languages do not agree on.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Style {
    /// One step of indentation.
    pub(crate) tab: &'static str,
    /// Whether a comma follows the last item of a broken list.
    pub(crate) trailing_comma: bool,
}

impl Code {
    pub(crate) fn text(text: impl Into<String>) -> Self {
        Self::Text(text.into())
    }

    pub(crate) fn list(open: impl Into<String>, items: Vec<Self>, close: impl Into<String>) -> Self {
        Self::List { open: open.into(), items, close: close.into() }
    }

    /// This piece with something in front.
    pub(crate) fn after(self, prefix: impl Into<String>) -> Self {
        Self::Sequence(vec![Self::text(prefix), self])
    }

    /// The code on one line.
    pub(crate) fn flat(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
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
        self.write(&mut out, depth, style);
        out.push('\n');
        out
    }

    fn write(&self, out: &mut String, depth: usize, style: Style) {
        match self {
            Self::Text(text) => out.push_str(text),
            Self::Sequence(parts) => parts.iter().for_each(|part| part.write(out, depth, style)),
            Self::List { open, items, close } => {
                let flat = self.flat();
                let column = out.rsplit('\n').next().unwrap_or_default().chars().count();
                if items.is_empty() || column + flat.chars().count() <= WIDTH {
                    out.push_str(&flat);
                    return;
                }
                out.push_str(open);
                for (index, item) in items.iter().enumerate() {
                    out.push('\n');
                    out.push_str(&style.tab.repeat(depth + 1));
                    item.write(out, depth + 1, style);
                    if style.trailing_comma || index + 1 < items.len() {
                        out.push(',');
                    }
                }
                out.push('\n');
                out.push_str(&style.tab.repeat(depth));
                out.push_str(close);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { tab: "  ", trailing_comma: true };

    #[test]
    fn a_list_is_broken_only_when_it_does_not_fit() {
        let list = |length: usize| {
            let inner = Code::list("[", vec![Code::text("1"), Code::text("2")], "]");
            Code::list("f(", vec![Code::text("a".repeat(length)), inner], ")").after("x = ")
        };
        assert_eq!(list(3).statement(1, STYLE), "  x = f(aaa, [1, 2])\n");
        let long = "a".repeat(95);
        assert_eq!(list(95).statement(1, STYLE), format!("  x = f(\n    {long},\n    [1, 2],\n  )\n"));
    }
}
