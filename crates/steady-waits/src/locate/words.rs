//! The words of a line of code.

/// Words of the language itself; they say nothing about what a line is for.
pub(crate) const KEYWORDS: [&str; 46] = [
    "as",
    "async",
    "await",
    "break",
    "case",
    "catch",
    "class",
    "const",
    "continue",
    "debugger",
    "default",
    "delete",
    "do",
    "else",
    "enum",
    "export",
    "extends",
    "false",
    "finally",
    "for",
    "from",
    "function",
    "if",
    "import",
    "in",
    "instanceof",
    "interface",
    "let",
    "new",
    "null",
    "of",
    "return",
    "static",
    "super",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "undefined",
    "var",
    "void",
    "while",
    "with",
    "yield",
];

/// Names and numbers of a line, without the words of the language.
pub(crate) fn words(line: &str) -> impl Iterator<Item = &str> {
    all_words(line).filter(|word| KEYWORDS.binary_search(word).is_err())
}

/// Names and numbers of a line, and the words of the language.
pub(crate) fn all_words(line: &str) -> impl Iterator<Item = &str> {
    line.split(|sign: char| sign.is_ascii() && !(sign.is_ascii_alphanumeric() || sign == '_' || sign == '$'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_and_numbers() {
        let line = "await new Promise(r => setTimeout(r, 1_000)); // größer";
        assert_eq!(words(line).collect::<Vec<_>>(), ["Promise", "r", "setTimeout", "r", "1_000", "größer"]);
    }

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }
}
