//! Whether a text is JSON, however deep it is and however large its numbers are.

/// Whether `text` is JSON by the grammar of RFC 8259.
///
/// A parser that builds a value refuses more: nesting its stack does not hold, numbers no double holds, half a surrogate
/// pair. Those are its limits, not the text's. This one builds nothing and does not call itself: what is open lies on a
/// list, a byte for each.
pub(crate) fn is_json(text: &str) -> bool {
    let mut scanner = Scanner { rest: text.as_bytes() };
    scanner.document().is_some()
}

/// What is open: a list or an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Open {
    List,
    Object,
}

/// What comes next.
enum Next {
    Value,
    /// A value, or the end of the list that was just opened.
    ValueOrEnd,
    /// A name, or the end of the object that was just opened.
    NameOrEnd,
    Name,
    /// A comma, or the end of what is open.
    CommaOrEnd,
}

struct Scanner<'t> {
    rest: &'t [u8],
}

impl Scanner<'_> {
    fn document(&mut self) -> Option<()> {
        let mut open: Vec<Open> = Vec::new();
        let mut next = Next::Value;
        loop {
            self.skip_space();
            next = match next {
                Next::ValueOrEnd if self.eat(b"]") => closed(&mut open)?,
                Next::NameOrEnd if self.eat(b"}") => closed(&mut open)?,
                Next::Value | Next::ValueOrEnd => match self.rest.first()? {
                    b'[' => self.opened(&mut open, Open::List),
                    b'{' => self.opened(&mut open, Open::Object),
                    _ => {
                        self.scalar()?;
                        Next::CommaOrEnd
                    }
                },
                Next::Name | Next::NameOrEnd => {
                    self.string()?;
                    self.skip_space();
                    self.expect(b":")?;
                    Next::Value
                }
                Next::CommaOrEnd => match open.last() {
                    None => return self.rest.is_empty().then_some(()),
                    Some(Open::List) if self.eat(b",") => Next::Value,
                    Some(Open::Object) if self.eat(b",") => Next::Name,
                    Some(Open::List) if self.eat(b"]") => closed(&mut open)?,
                    Some(Open::Object) if self.eat(b"}") => closed(&mut open)?,
                    Some(_) => return None,
                },
            };
        }
    }

    fn opened(&mut self, open: &mut Vec<Open>, what: Open) -> Next {
        self.rest = &self.rest[1..];
        open.push(what);
        match what {
            Open::List => Next::ValueOrEnd,
            Open::Object => Next::NameOrEnd,
        }
    }

    fn scalar(&mut self) -> Option<()> {
        match self.rest.first()? {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => self.number(),
            _ => [&b"true"[..], b"false", b"null"].iter().any(|word| self.eat(word)).then_some(()),
        }
    }

    fn string(&mut self) -> Option<()> {
        self.expect(b"\"")?;
        loop {
            let end = self.rest.iter().position(|byte| matches!(byte, b'"' | b'\\' | 0..=0x1f))?;
            let special = self.rest[end];
            self.rest = &self.rest[end + 1..];
            match special {
                b'"' => return Some(()),
                b'\\' if self.eat(b"u") => {
                    let (digits, rest) = self.rest.split_at_checked(4)?;
                    if !digits.iter().all(u8::is_ascii_hexdigit) {
                        return None;
                    }
                    self.rest = rest;
                }
                b'\\' => {
                    let (escaped, rest) = self.rest.split_first()?;
                    if !b"\"\\/bfnrt".contains(escaped) {
                        return None;
                    }
                    self.rest = rest;
                }
                _ => return None,
            }
        }
    }

    fn number(&mut self) -> Option<()> {
        self.eat(b"-");
        if !self.eat(b"0") {
            self.digits()?;
        }
        if self.eat(b".") {
            self.digits()?;
        }
        if self.eat(b"e") || self.eat(b"E") {
            let _ = self.eat(b"+") || self.eat(b"-");
            self.digits()?;
        }
        Some(())
    }

    fn digits(&mut self) -> Option<()> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        self.rest = &self.rest[length..];
        (length > 0).then_some(())
    }

    fn skip_space(&mut self) {
        let length = self.rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count();
        self.rest = &self.rest[length..];
    }

    fn eat(&mut self, word: &[u8]) -> bool {
        let Some(rest) = self.rest.strip_prefix(word) else { return false };
        self.rest = rest;
        true
    }

    fn expect(&mut self, word: &[u8]) -> Option<()> {
        self.eat(word).then_some(())
    }
}

fn closed(open: &mut Vec<Open>) -> Option<Next> {
    open.pop()?;
    Some(Next::CommaOrEnd)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn depth_and_size_of_numbers_are_no_matter() {
        let deep = |levels: usize| format!("{}{}", "[".repeat(levels), "]".repeat(levels));
        let objects = format!("{}1{}", r#"{"a":"#.repeat(300_000), "}".repeat(300_000));
        for text in [&deep(2_000), &deep(1_000_000), &objects, "1e999", r#"{"n": -1e-999}"#, r#""\ud800""#] {
            assert!(is_json(text), "{}", &text[..text.len().min(40)]);
        }
    }

    #[test]
    fn what_the_grammar_does_not_have_is_no_json() {
        let table = [
            "",
            " ",
            "NaN",
            "Infinity",
            "-Infinity",
            "-",
            "01",
            "1.",
            ".5",
            "+1",
            "1e",
            "tru",
            "nulll",
            "[1,]",
            "[,1]",
            "[1 2]",
            "{\"a\"}",
            "{\"a\":}",
            "{a:1}",
            "{\"a\":1,}",
            "[",
            "]",
            "{",
            "[}",
            "[[]",
            "[]]",
            "\"",
            "\"\\x\"",
            "\"\\u12g4\"",
            "\"\n\"",
            "'a'",
            "1 2",
            "\u{feff}1",
        ];
        for text in table {
            assert!(!is_json(text), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn what_a_parser_takes_is_json_and_what_it_refuses_is_not(text in r#"[\[\]{}:,"\\ 0-9eE.+\-a-fntrul]{0,12}"#) {
            let limits = ["number out of range", "surrogate", "unexpected end of hex escape"];
            match serde_json::from_str::<serde_json::Value>(&text) {
                Ok(_) => prop_assert!(is_json(&text)),
                Err(error) if limits.iter().any(|limit| error.to_string().contains(limit)) => {}
                Err(_) => prop_assert!(!is_json(&text)),
            }
        }
    }
}
