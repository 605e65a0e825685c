//! Placeholders in a command: `{job}`, `{port}`, `{port1}` and on.
//!
//! Commands are full of braces that mean something else, so only a bare name in braces is a placeholder: JSON, `{}`, `{1..3}` and
//! `{a,b}` are kept, and so is a name with `$`, `%`, `@` or `#` before it (shell, curl, git, Ruby). Two braces around a name
//! stand for one: `{{job}}` becomes `{job}`.

use std::fmt;

/// How many ports one command can ask for: `{port}` to `{port15}`.
const MOST_PORTS: usize = 16;

/// An unknown name in braces.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown placeholder `{{{name}}}` in {place}; known are {{job}}, {{port}} and {{port1}} to {{port15}}; \
     write `{{{{{name}}}}}` for the text itself"
)]
pub struct PlaceholderError {
    /// The name between the braces.
    pub name: String,
    /// Where it stands.
    pub place: CommandPart,
}

/// A part of a command in which placeholders may stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CommandPart {
    /// The program's name.
    Program,
    /// An argument, counted from 1.
    Argument(usize),
    /// The string given to the shell.
    Shell,
    /// The value of this environment variable.
    Variable(String),
    /// The working folder.
    Folder,
    /// An address, such as the one a server is reached at.
    Address,
}

impl fmt::Display for CommandPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Program => f.write_str("the program"),
            Self::Argument(number) => write!(f, "argument {number}"),
            Self::Shell => f.write_str("the command"),
            Self::Variable(name) => write!(f, "environment variable `{name}`"),
            Self::Folder => f.write_str("the working folder"),
            Self::Address => f.write_str("the address"),
        }
    }
}

/// What placeholders stand for in one run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Values<'a> {
    pub(crate) job: usize,
    pub(crate) ports: &'a [u16],
}

/// Replaces the placeholders of a text. The error is the unknown name.
pub(crate) fn substitute(text: &str, values: Values<'_>) -> Result<String, String> {
    let mut result = String::with_capacity(text.len());
    for token in Tokens::of(text) {
        match token {
            Token::Text(text) => result.push_str(text),
            Token::Escaped(name) => result.extend(["{", name, "}"]),
            Token::Name(name) => match meaning(name) {
                Some(Meaning::Job) => result.push_str(&values.job.to_string()),
                Some(Meaning::Port(index)) if index < values.ports.len() => {
                    result.push_str(&values.ports[index].to_string());
                }
                _ => return Err(name.to_owned()),
            },
        }
    }
    Ok(result)
}

/// An address with its placeholders replaced, as they are in a command that has this job's number and these ports.
pub fn fill_address(address: &str, job: usize, ports: &[u16]) -> Result<String, PlaceholderError> {
    substitute(address, Values { job, ports })
        .map_err(|name| PlaceholderError { name, place: CommandPart::Address })
}

/// How many ports a text asks for: one more than the highest it names.
pub fn ports_in(text: &str) -> usize {
    let asked = Tokens::of(text).filter_map(|token| match token {
        Token::Name(name) => match meaning(name)? {
            Meaning::Port(index) => Some(index + 1),
            Meaning::Job => None,
        },
        Token::Text(_) | Token::Escaped(_) => None,
    });
    asked.max().unwrap_or(0)
}

enum Meaning {
    Job,
    Port(usize),
}

fn meaning(name: &str) -> Option<Meaning> {
    match name {
        "job" => Some(Meaning::Job),
        "port" => Some(Meaning::Port(0)),
        _ => {
            let digits = name.strip_prefix("port")?;
            let index = digits.parse().ok()?;
            // `{port01}` would be a second name of the same port.
            let plain = !digits.starts_with(['0', '+']);
            (plain && index < MOST_PORTS).then_some(Meaning::Port(index))
        }
    }
}

enum Token<'a> {
    Text(&'a str),
    Name(&'a str),
    Escaped(&'a str),
}

/// The tokens of a text; put together again they are the text.
struct Tokens<'a> {
    text: &'a str,
    /// Where the next token begins.
    at: usize,
}

impl<'a> Tokens<'a> {
    fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// A name in this many braces at `at`.
    fn name_at(&self, at: usize, braces: usize) -> Option<&'a str> {
        let inner = self.text[at..].strip_prefix(&"{{"[..braces])?;
        let length = inner.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
        let (name, rest) = inner.split_at(length);
        let named = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        (named && rest.starts_with(&"}}"[..braces])).then_some(name)
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = Token<'a>;

    fn next(&mut self) -> Option<Token<'a>> {
        let start = self.at;
        if start == self.text.len() {
            return None;
        }
        for (offset, _) in self.text[start..].match_indices('{') {
            let at = start + offset;
            let (name, braces) = match (self.name_at(at, 2), self.name_at(at, 1)) {
                (Some(name), _) => (name, 2),
                (None, Some(name)) if !self.text[..at].ends_with(['$', '%', '@', '#']) => (name, 1),
                _ => continue,
            };
            if at > start {
                self.at = at;
                return Some(Token::Text(&self.text[start..at]));
            }
            self.at = at + name.len() + 2 * braces;
            return Some(if braces == 2 { Token::Escaped(name) } else { Token::Name(name) });
        }
        self.at = self.text.len();
        Some(Token::Text(&self.text[start..]))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const VALUES: Values<'_> = Values { job: 3, ports: &[4001, 4002] };

    #[test]
    fn names_are_replaced() {
        for (text, expected) in [
            ("--port={port}", "--port=4001"),
            ("{job}", "3"),
            ("db_{job}:{port1}/{port}", "db_3:4002/4001"),
            ("ü{job}ü", "ü3ü"),
        ] {
            assert_eq!(substitute(text, VALUES).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn other_braces_are_left_alone() {
        for text in [
            r#"{"a":1}"#,
            r#"{"a":{"b":[{}]}}"#,
            "find . -exec rm {} +",
            "{1..3} {a,b} a{2,} x{3}",
            "${HOME} %{http_code} HEAD@{upstream} #{name}",
            "awk '{print $1}'",
            "{{ jinja }}",
            "{",
            "{job",
            "}{",
            "",
        ] {
            assert_eq!(substitute(text, VALUES).as_deref(), Ok(text));
        }
    }

    #[test]
    fn doubled_braces_stand_for_the_text_itself() {
        assert_eq!(substitute("{{job}} {{other}} {job}", VALUES).as_deref(), Ok("{job} {other} 3"));
        assert_eq!(substitute("{{{job}}}", VALUES).as_deref(), Ok("{{job}}"));
    }

    #[test]
    fn an_unknown_name_is_told() {
        for name in ["prot", "JOB", "port0", "port01", "port16", "port99999999999999999999", "_"] {
            assert_eq!(substitute(&format!("a {{{name}}}"), VALUES), Err(name.to_owned()));
        }
        let error = PlaceholderError { name: "prot".to_owned(), place: CommandPart::Argument(2) };
        assert_eq!(
            error.to_string(),
            "unknown placeholder `{prot}` in argument 2; known are {job}, {port} and {port1} to {port15}; \
             write `{{prot}}` for the text itself"
        );
    }

    #[test]
    fn ports_are_counted_by_the_highest() {
        for (text, count) in [("{job}", 0), ("{port}", 1), ("{port3} {port}", 4), ("{{port}} ${port}", 0)] {
            assert_eq!(ports_in(text), count, "{text}");
        }
    }

    proptest! {
        #[test]
        fn text_without_braces_stays(text in "[^{]*") {
            prop_assert_eq!(substitute(&text, VALUES), Ok(text));
        }

        #[test]
        fn hostile_braces_do_no_harm(text in r#"[{}$jobprt1 "]{0,40}"#) {
            let _ = substitute(&text, VALUES);
            prop_assert!(ports_in(&text) <= MOST_PORTS);
        }

        #[test]
        fn a_doubled_name_gives_the_single_one(name in "[a-z_][a-z0-9_]{0,8}") {
            prop_assert_eq!(substitute(&format!("{{{{{name}}}}}"), VALUES), Ok(format!("{{{name}}}")));
        }
    }
}
