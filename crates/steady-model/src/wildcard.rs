//! Patterns with wildcards, as people write them to name tests and operations.

/// Whether the whole text fits a pattern, in which `*` stands for any characters and `?` for one.
///
/// ```
/// use steady_model::fits_wildcards;
///
/// assert!(fits_wildcards("/orders/*", "/orders/{id}"));
/// assert!(!fits_wildcards("/orders", "/orders/{id}"));
/// ```
pub fn fits_wildcards(pattern: &str, text: &str) -> bool {
    let pattern: Vec<char> = pattern.chars().collect();
    let text: Vec<char> = text.chars().collect();
    fits(&pattern, &text)
}

/// Walks both once; on a mismatch the last `*` takes one character more. No pattern makes it slower than their product.
fn fits(pattern: &[char], text: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while read < text.len() {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(&expected) if expected == '?' || expected == text[read] => {
                at += 1;
                read += 1;
            }
            _ => {
                let Some((after, taken)) = star else { return false };
                star = Some((after, taken + 1));
                at = after + 1;
                read = taken + 1;
            }
        }
    }
    pattern[at..].iter().all(|&left| left == '*')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_any_text_and_a_question_mark_one_character() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("a*c", "abbc", true),
            ("a*c", "abbd", false),
            ("*/{id}", "/orders/{id}", true),
            ("a?c", "abc", true),
            ("a?c", "ac", false),
            ("ä*", "äb", true),
            ("abc", "abcd", false),
        ] {
            assert_eq!(fits_wildcards(pattern, text), expected, "{pattern} {text}");
        }
    }
}
