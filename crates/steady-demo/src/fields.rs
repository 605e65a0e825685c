//! Reading the properties of a request body, and saying what is wrong with each of them.

use serde_json::{Map, Value};

use crate::answer::{FieldError, Refusal};

/// Reads a JSON object property by property. Every reader notes what is wrong and continues; [`Fields::finish`] reports all.
pub(crate) struct Fields<'a> {
    object: &'a Map<String, Value>,
    known: Vec<&'static str>,
    errors: Vec<FieldError>,
    partial: bool,
}

impl<'a> Fields<'a> {
    /// All of an entity: what is required has to be there.
    pub(crate) fn whole(object: &'a Map<String, Value>) -> Self {
        Self { object, known: Vec::new(), errors: Vec::new(), partial: false }
    }

    /// Some properties of an entity: none has to be there.
    pub(crate) fn partial(object: &'a Map<String, Value>) -> Self {
        Self { partial: true, ..Self::whole(object) }
    }

    /// A property that may be missing, read by `read`; the error is the message.
    pub(crate) fn optional<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        self.known.push(name);
        let value = self.object.get(name)?;
        read(value).map_err(|message| self.errors.push(FieldError::new(name, message))).ok()
    }

    /// A property that has to be there.
    pub(crate) fn required<T>(
        &mut self,
        name: &'static str,
        read: impl FnOnce(&Value) -> Result<T, String>,
    ) -> Option<T> {
        if !self.partial && !self.object.contains_key(name) {
            self.errors.push(FieldError::new(name, "is required"));
        }
        self.optional(name, read)
    }

    /// Refuses the body when a property was wrong or is not known.
    pub(crate) fn finish(mut self) -> Result<(), Refusal> {
        for name in self.object.keys().filter(|name| !self.known.contains(&name.as_str())) {
            self.errors.push(FieldError::new(name, "is not known"));
        }
        if self.errors.is_empty() { Ok(()) } else { Err(Refusal::invalid(self.errors)) }
    }
}

/// Text of so many characters.
pub(crate) fn text(value: &Value, shortest: usize, longest: usize) -> Result<String, String> {
    match value.as_str() {
        Some(text) if (shortest..=longest).contains(&text.chars().count()) => Ok(text.to_owned()),
        Some(_) => Err(format!("must have {shortest} to {longest} characters")),
        None => Err("must be a string".to_owned()),
    }
}

/// Text that passes a check.
pub(crate) fn matching(
    value: &Value,
    expected: &str,
    check: impl Fn(&str) -> bool,
) -> Result<String, String> {
    match value.as_str() {
        Some(text) if check(text) => Ok(text.to_owned()),
        Some(_) => Err(format!("must be {expected}")),
        None => Err("must be a string".to_owned()),
    }
}

/// One of a few words.
pub(crate) fn one_of(value: &Value, words: &[&'static str]) -> Result<&'static str, String> {
    let found = words.iter().find(|word| value.as_str() == Some(word));
    found.copied().ok_or_else(|| format!("must be one of {}", words.join(", ")))
}

/// A whole number in a range; `3.0` is one too.
pub(crate) fn integer(value: &Value, least: i64, most: i64) -> Result<i64, String> {
    let whole = value.as_f64().filter(|number| number.fract() == 0.0 && number.abs() < 1e15);
    match value.as_i64().or(whole.map(|number| number as i64)) {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        Some(_) => Err(format!("must be between {least} and {most}")),
        None => Err("must be an integer".to_owned()),
    }
}

/// A number that is not over the limit.
pub(crate) fn number(value: &Value, most: f64) -> Result<f64, String> {
    match value.as_f64() {
        Some(number) if number <= most => Ok(number),
        Some(_) => Err(format!("must not be over {most}")),
        None => Err("must be a number".to_owned()),
    }
}

/// `true` or `false`.
pub(crate) fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "must be a boolean".to_owned())
}

/// An e-mail address, as far as that is checked without sending one.
pub(crate) fn is_email(text: &str) -> bool {
    let plain = text.chars().all(|c| c.is_ascii_graphic());
    match text.split_once('@') {
        Some((local, domain)) => {
            plain
                && !local.is_empty()
                && !domain.contains('@')
                && domain.contains('.')
                && domain.split('.').all(|label| !label.is_empty())
        }
        None => false,
    }
}

/// A calendar date, `YYYY-MM-DD`.
pub(crate) fn is_date(text: &str) -> bool {
    text.len() == 10 && text.parse::<jiff::civil::Date>().is_ok()
}

/// Text of exactly so many digits.
pub(crate) fn is_digits(text: &str, count: usize) -> bool {
    text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn addresses_and_dates_are_told_from_what_only_resembles_them() {
        for good in ["ann@shop.test", "a.b+c@mail.example.com"] {
            assert!(is_email(good), "{good}");
        }
        for bad in
            ["", "ann", "@shop.test", "ann@", "ann@shop", "a b@shop.test", "a@b@c.test", "ann@shop..test"]
        {
            assert!(!is_email(bad), "{bad}");
        }
        assert!(is_date("2024-02-29"));
        for bad in ["2023-02-29", "2024-2-9", "20240229", "2024-02-29T00:00:00"] {
            assert!(!is_date(bad), "{bad}");
        }
    }

    #[test]
    fn all_errors_of_a_body_are_told_at_once() {
        let body = json!({"name": "", "extra": 1});
        let mut fields = Fields::whole(body.as_object().unwrap());
        fields.required("name", |value| text(value, 1, 5));
        fields.required("email", |value| text(value, 1, 5));
        let refusal = format!("{:?}", fields.finish().unwrap_err());
        for field in ["name", "email", "extra"] {
            assert!(refusal.contains(field), "{refusal}");
        }
    }
}
