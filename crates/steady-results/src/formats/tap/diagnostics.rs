//! The YAML below a test point, as far as it is needed: the line that says what went wrong, first.

/// Keys that repeat what is known, or differ between machines and say nothing.
const NOISE: [&str; 6] = ["type:", "location:", "failureType:", "exitCode:", "signal:", "code:"];

/// Whether a line of a block is worth keeping.
pub(super) fn is_telling(line: &str) -> bool {
    let line = line.trim_start();
    !NOISE.iter().any(|key| line.starts_with(key))
}

/// What went wrong, by the first `error` or `message` that has a value of its own or on the next line.
pub(super) fn headline(block: &str) -> Option<&str> {
    let mut lines = block.lines().map(str::trim);
    while let Some(line) = lines.next() {
        let Some(value) = line.strip_prefix("error:").or_else(|| line.strip_prefix("message:")) else {
            continue;
        };
        match value.trim() {
            "" => {}
            "|" | "|-" | ">" | ">-" => return lines.next(),
            value => return Some(value.trim_matches(['\'', '"'])),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_error_is_found_where_runners_put_it() {
        let table = [
            ("error: 'no database'\nstack: |-\n  x", Some("no database")),
            ("message: |-\n  9 == 8\nstack: |-\n  x", Some("9 == 8")),
            ("error:\n    name: \"Error\"\n    message: \"the second\"", Some("the second")),
            ("Error: no\n  at x", None),
        ];
        for (block, expected) in table {
            assert_eq!(headline(block), expected, "{block}");
        }
    }
}
