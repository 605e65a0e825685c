//! Prints an error: what, where, what to do.
//!
//! ```text
//! error: unknown field `tiem`, expected one of `time`, `requests`
//!  --> steady.toml:6:1
//!   |
//! 6 | tiem = "60s"
//!   | ^^^^ not known here
//! hint: did you mean `time`?
//! ```

use std::iter::successors;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use anstyle::{AnsiColor, Style};

use crate::error::UserError;
use crate::ui::escape_controls;

/// How much of a program's output is shown.
const SHOWN_LINES: usize = 30;
const HINT: Style = AnsiColor::Cyan.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();

/// The error as styled text; the stream it is written to takes the styles out where they are not wanted.
pub fn render(error: &dyn UserError) -> String {
    let title = Level::ERROR.primary_title(one_line(&error.to_string()));
    let group = match error.excerpt() {
        None => Group::with_title(title),
        Some(excerpt) => title.element(
            Snippet::source(excerpt.line.as_str())
                .line_start(excerpt.line_number)
                .path(excerpt.origin.as_str())
                .annotation(AnnotationKind::Primary.span(excerpt.span.clone()).label(excerpt.label.as_str())),
        ),
    };
    let mut text = Renderer::styled().render(&[group]);
    for cause in successors(error.source(), |cause| (*cause).source()) {
        text.push_str(&format!("\n  caused by: {}", one_line(&cause.to_string())));
    }
    let output = error.output();
    if output.len() > 1 {
        text.push_str("\n  what it printed last:");
        for line in &output[output.len().saturating_sub(SHOWN_LINES)..] {
            text.push_str(&format!("\n    {}", escape_controls(line.trim_end())));
        }
    }
    if let Some(hint) = error.hint() {
        text.push_str(&format!("\n{HINT}hint{HINT:#}: {}", one_line(&hint)));
    }
    text
}

/// A warning as styled text.
pub fn render_warning(message: &str) -> String {
    format!("{WARNING}warning{WARNING:#}: {}", one_line(message))
}

fn one_line(text: &str) -> String {
    escape_controls(text.trim())
}

#[cfg(test)]
mod tests {
    use steady_process::Exit;
    use steady_sut::SutError;

    use super::*;

    #[test]
    fn what_a_program_printed_is_shown_at_its_end_and_cannot_act() {
        let mut output: Vec<String> = (1..=200).map(|number| format!("line {number}")).collect();
        output.push("\u{1b}[2J".to_owned());
        let error = SutError::ExitedEarly { command: "serve".to_owned(), exit: Exit::Code(4), output };
        let text = render(&error);
        let shown: Vec<&str> = text.lines().filter(|line| line.starts_with("    ")).collect();
        assert_eq!(
            (shown.len(), shown.first(), shown.last()),
            (30, Some(&"    line 172"), Some(&"    \\u{1b}[2J"))
        );
        assert!(text.contains("(exit code 4)") && text.contains("try the command by hand"), "{text}");
    }
}
