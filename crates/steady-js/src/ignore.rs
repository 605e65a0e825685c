//! Comments that silence a rule: `// steady-ignore`, `// steady-ignore-next-line fixed-sleep -- the clock is the subject`.

use oxc_ast::ast::Program;
use steady_edit::LineIndex;

/// The comments of a file that silence rules.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ignores(Vec<Ignore>);

#[derive(Debug, Clone)]
struct Ignore {
    /// `None`: every line.
    line: Option<usize>,
    /// Empty: every rule.
    rules: Vec<String>,
}

impl Ignores {
    pub(crate) fn of(program: &Program<'_>, text: &str, lines: &LineIndex) -> Self {
        let comments = program.comments.iter().filter_map(|comment| {
            let line = lines.line(comment.span.start as usize);
            let last_line = lines.line(comment.span.end.saturating_sub(1) as usize);
            read(comment.content_span().source_text(text), line, last_line)
        });
        Self(comments.collect())
    }

    /// Whether a rule is silenced on a line.
    pub(crate) fn cover(&self, line: usize, rule: &str) -> bool {
        self.0.iter().any(|ignore| {
            ignore.line.is_none_or(|silenced| silenced == line)
                && (ignore.rules.is_empty() || ignore.rules.iter().any(|one| one == rule))
        })
    }
}

fn read(comment: &str, line: usize, last_line: usize) -> Option<Ignore> {
    let comment = comment.trim_start_matches(|sign: char| sign == '*' || sign.is_whitespace());
    let said = comment.split_once("--").map_or(comment, |(said, _why)| said);
    let mut words =
        said.split(|sign: char| sign.is_whitespace() || sign == ',').filter(|word| !word.is_empty());
    let line = match words.next()? {
        "steady-ignore" => Some(line),
        "steady-ignore-next-line" => Some(last_line + 1),
        "steady-ignore-file" => None,
        _ => return None,
    };
    Some(Ignore { line, rules: words.map(str::to_owned).collect() })
}
