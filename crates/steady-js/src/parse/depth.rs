//! How deep a text may be nested, seen without parsing it.
//!
//! The parser and the visitor go one call deeper for each level, so a hostile file could run out of stack. The bound is never
//! too small; for code that people write it is a few hundred, since statements and commas end what can nest.

/// A bound on how deep the syntax tree of `text` is.
pub(crate) fn bound(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut scan = Scan::default();
    let mut at = 0;
    while at < bytes.len() {
        at = match bytes[at] {
            quote @ (b'"' | b'\'') => scan.string(bytes, at, quote),
            byte if byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80 => {
                scan.word(bytes, at)
            }
            byte => scan.sign(bytes, at, byte),
        };
    }
    scan.bound()
}

#[derive(Default)]
struct Scan {
    brackets: usize,
    most_brackets: usize,
    /// Tokens since the last comma, semicolon or brace.
    tokens: usize,
    most_tokens: usize,
    /// Arrows, conditions and statement keywords since the last semicolon or brace: parameters may hold commas.
    arrows: usize,
    most_arrows: usize,
    elses: usize,
}

impl Scan {
    fn bound(&self) -> usize {
        self.most_brackets + self.most_tokens + self.most_arrows + self.elses
    }

    fn token(&mut self) {
        self.tokens += 1;
        self.most_tokens = self.most_tokens.max(self.tokens);
    }

    fn arrow(&mut self) {
        self.arrows += 1;
        self.most_arrows = self.most_arrows.max(self.arrows);
    }

    /// A string ends at its quote or, since it may be a part of a regular expression, with the line.
    fn string(&mut self, bytes: &[u8], start: usize, quote: u8) -> usize {
        self.token();
        let mut at = start + 1;
        while at < bytes.len() && bytes[at] != b'\n' {
            match bytes[at] {
                b'\\' => at += 2,
                byte if byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        at
    }

    fn word(&mut self, bytes: &[u8], start: usize) -> usize {
        self.token();
        let is_word =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || *byte >= 0x80;
        let length = bytes[start..].iter().take_while(|byte| is_word(byte)).count();
        match &bytes[start..start + length] {
            b"else" => self.elses += 1,
            b"if" | b"for" | b"while" | b"with" | b"do" | b"extends" => self.arrow(),
            _ => {}
        }
        start + length
    }

    fn sign(&mut self, bytes: &[u8], at: usize, byte: u8) -> usize {
        match byte {
            b'(' | b'[' | b'{' => {
                self.brackets += 1;
                self.most_brackets = self.most_brackets.max(self.brackets);
            }
            b')' | b']' | b'}' => self.brackets = self.brackets.saturating_sub(1),
            b'?' | b':' | b'<' => self.arrow(),
            b'=' if bytes.get(at + 1) == Some(&b'>') => self.arrow(),
            _ => {}
        }
        match byte {
            b';' | b'{' | b'}' => (self.tokens, self.arrows) = (0, 0),
            b',' => self.tokens = 0,
            byte if byte.is_ascii_whitespace() => {}
            _ => self.token(),
        }
        at + 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinary_code_is_shallow() {
        let test = "it('adds', async () => {\n  await page.click('#a');\n  expect(await sum(1, [2, 3])).toBe(6);\n});\n";
        assert!(bound(&test.repeat(5_000)) < 100);
    }

    #[test]
    fn whatever_nests_is_counted() {
        for unit in [
            "(",
            "[",
            "{",
            "!",
            "- ",
            "a=>",
            "(a,b)=>",
            "a?b:",
            "if(1)",
            "x=",
            "a.",
            "f()",
            "<a>",
            "else if(a){}",
            "typeof ",
        ] {
            let text = unit.repeat(10_000);
            assert!(bound(&text) >= 10_000, "{unit}: {}", bound(&text));
        }
    }
}
