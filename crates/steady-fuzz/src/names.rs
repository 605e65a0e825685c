//! Names of fields and parameters, compared the way people vary them.
//!
//! `orderId`, `order_id` and `Order-ID` are the words *order id*; `orders` is the noun *order*.

/// A name as its lower-case words.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(Vec<String>);

/// Words that identify a thing rather than describe it.
const IDENTIFIERS: [&str; 12] =
    ["id", "ids", "uuid", "guid", "key", "slug", "code", "name", "number", "no", "identifier", "ref"];

impl Name {
    /// Splits a name at capitals, digits' edges and separators.
    pub fn new(text: &str) -> Self {
        let mut words: Vec<String> = Vec::new();
        let mut current = String::new();
        let mut previous_lower = false;
        for character in text.chars().take(200) {
            if !character.is_alphanumeric() {
                flush(&mut words, &mut current);
                previous_lower = false;
                continue;
            }
            if character.is_uppercase() && previous_lower {
                flush(&mut words, &mut current);
            }
            previous_lower = character.is_lowercase() || character.is_numeric();
            current.extend(character.to_lowercase());
        }
        flush(&mut words, &mut current);
        Self(words)
    }

    /// The words, joined: equal for names that differ only in writing.
    pub fn key(&self) -> String {
        self.0.concat()
    }

    /// The words in snake case, for variables.
    pub fn snake(&self) -> String {
        self.0.join("_")
    }

    /// Whether the name is nothing but an identifier word, such as `id` or `uuid`.
    pub fn is_bare_identifier(&self) -> bool {
        matches!(self.0.as_slice(), [word] if IDENTIFIERS.contains(&word.as_str()))
    }

    /// The noun of a reference such as `orderId` (*order*); `None` for a name that refers to nothing.
    pub fn referent(&self) -> Option<String> {
        match self.0.as_slice() {
            [nouns @ .., last] if !nouns.is_empty() && IDENTIFIERS.contains(&last.as_str()) => {
                nouns.last().map(|noun| singular(noun))
            }
            _ => None,
        }
    }

    /// The name's last word in the singular: the noun of a path segment such as `orders`.
    pub fn noun(&self) -> Option<String> {
        self.0.last().map(|word| singular(word))
    }

    /// Every word in the singular.
    pub fn nouns(&self) -> Vec<String> {
        self.0.iter().map(|word| singular(word)).collect()
    }

    /// How well `field` answers for this name: 0 not at all, 100 the same name.
    ///
    /// `noun` is what the field's object is, where known: the field `id` of an order answers for `orderId`.
    pub fn affinity(&self, field: &Name, noun: Option<&str>) -> u32 {
        if self.0 == field.0 || self.key() == field.key() {
            return 100;
        }
        let referent = self.referent();
        if field.is_bare_identifier() && noun.is_some() {
            let same_suffix = self.0.last() == field.0.last();
            let about_it = referent.is_none() || referent.as_deref() == noun;
            return match (about_it, same_suffix, self.0.len()) {
                (true, true, _) => 90,
                (true, false, 1) => 60,
                (true, false, _) => 50,
                (false, _, _) => 0,
            };
        }
        // `id` asks for `order_id` of an order.
        if self.is_bare_identifier() && field.referent().is_some() && field.referent().as_deref() == noun {
            return 70;
        }
        let (mine, other) = (self.key(), field.key());
        if mine.len() >= 5 && other.len() >= 5 && edit_distance_at_most_two(&mine, &other) {
            return 40;
        }
        0
    }
}

fn flush(words: &mut Vec<String>, current: &mut String) {
    if !current.is_empty() {
        words.push(std::mem::take(current));
    }
}

/// The singular of an English plural, by its ending; wrong for some words, but the same for both sides of a comparison.
pub fn singular(word: &str) -> String {
    if let Some(stem) = word.strip_suffix("ies").filter(|stem| stem.len() > 1) {
        format!("{stem}y")
    } else if let Some(stem) = word
        .strip_suffix("es")
        .filter(|stem| ["s", "x", "z", "ch", "sh"].iter().any(|end| stem.ends_with(end)))
    {
        stem.to_owned()
    } else if word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us") {
        word[..word.len() - 1].to_owned()
    } else {
        word.to_owned()
    }
}

/// Levenshtein distance of at most two, as the reference implementation's data pool allows.
fn edit_distance_at_most_two(left: &str, right: &str) -> bool {
    let (left, right): (Vec<char>, Vec<char>) = (left.chars().collect(), right.chars().collect());
    if left.len().abs_diff(right.len()) > 2 {
        return false;
    }
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substitution = diagonal + usize::from(a != b);
            diagonal = row[j + 1];
            row[j + 1] = substitution.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row.last().is_some_and(|distance| *distance <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_into_words() {
        for (text, words) in [
            ("orderId", vec!["order", "id"]),
            ("order_id", vec!["order", "id"]),
            ("Order-ID", vec!["order", "id"]),
            ("X-Request-Id", vec!["x", "request", "id"]),
            ("", vec![]),
        ] {
            assert_eq!(Name::new(text).0, words, "{text}");
        }
    }

    #[test]
    fn plurals_become_singular() {
        for (plural, one) in [
            ("orders", "order"),
            ("categories", "category"),
            ("boxes", "box"),
            ("status", "status"),
            ("address", "address"),
        ] {
            assert_eq!(singular(plural), one);
        }
    }

    #[test]
    fn the_id_of_an_order_answers_for_order_id_but_not_for_customer_id() {
        let id = Name::new("id");
        assert!(Name::new("orderId").affinity(&id, Some("order")) > 80);
        assert_eq!(Name::new("customerId").affinity(&id, Some("order")), 0);
        assert_eq!(Name::new("orderId").affinity(&Name::new("order_id"), None), 100);
        assert!(Name::new("petid").affinity(&Name::new("petsid"), None) > 0);
        assert_eq!(Name::new("limit").affinity(&Name::new("color"), None), 0);
    }
}
