//! Names and the words they are made of.

/// Splits `createdAt`, `created_at`, `Created-At` and `createdATTime` into their words, in lower case.
pub fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut characters = name.chars().peekable();
    let mut previous_lower = false;
    while let Some(character) = characters.next() {
        let next_lower = characters.peek().is_some_and(|next| next.is_lowercase());
        let starts = character.is_uppercase() && (previous_lower || next_lower);
        if (starts || !character.is_alphanumeric()) && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        if character.is_alphanumeric() {
            word.extend(character.to_lowercase());
        }
        previous_lower = character.is_lowercase() || character.is_numeric();
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for name in ["createdAt", "created_at", "Created-At", "CREATED_AT", "created at"] {
            assert_eq!(words(name), ["created", "at"], "{name}");
        }
        assert_eq!(words("lastHTTPStatus2"), ["last", "http", "status2"]);
        assert!(words("").is_empty());
    }
}
