//! The values of a new account: what stands in for them in a payload, and how they are made.

use steady_model::{Fresh, Segment, Text};

use super::identity::IncompleteAuth;
use super::wfc::{CreateUsers, Generator};

/// How many random characters a value has unless the file says otherwise.
const LENGTH: usize = 10;

/// The placeholders of one user's payloads; none when the user has an account already.
#[derive(Debug, Default)]
pub(super) struct Placeholders {
    marks: Vec<String>,
    fresh: Vec<Fresh>,
}

impl Placeholders {
    /// The placeholders of a sign-up, each of which its payload must hold.
    pub(super) fn of(create: &CreateUsers, user: &str) -> Result<Self, IncompleteAuth> {
        let incomplete = |problem: String, advice| IncompleteAuth { user: user.to_owned(), problem, advice };
        let payload = create.payload_raw.as_deref().ok_or_else(|| {
            incomplete("`createUsers` has no `payloadRaw`".to_owned(), "say what is sent to make an account")
        })?;
        let mut placeholders = Self::default();
        for generator in create.generators.iter().flatten() {
            let mark =
                generator.place_holder.as_deref().filter(|mark| !mark.is_empty()).ok_or_else(|| {
                    incomplete("a generator has no `placeHolder`".to_owned(), "name it, like {$username}")
                })?;
            if !payload.contains(mark) {
                return Err(incomplete(
                    format!("the `payloadRaw` of `createUsers` does not hold the placeholder `{mark}`"),
                    "put the placeholder where the generated value goes",
                ));
            }
            let length = length(generator).ok_or_else(|| {
                incomplete(
                    format!("the generator of `{mark}` leaves no room for a value of its own"),
                    "raise its `maxLength`, or shorten `prefix` and `postfix`",
                )
            })?;
            placeholders.fresh.push(Fresh {
                name: placeholders.variable(mark),
                prefix: generator.prefix.clone().unwrap_or_default(),
                length,
                suffix: generator.postfix.clone().unwrap_or_default(),
            });
            placeholders.marks.push(mark.to_owned());
        }
        if placeholders.is_empty() {
            return Err(incomplete(
                "`createUsers` has no `generators`".to_owned(),
                "add one, so that every run makes an account of its own",
            ));
        }
        Ok(placeholders)
    }

    /// Whether there are none.
    pub(super) fn is_empty(&self) -> bool {
        self.marks.is_empty()
    }

    /// The variables that stand for the values.
    pub(super) fn fresh(&self) -> &[Fresh] {
        &self.fresh
    }

    /// The text with variables in place of the placeholders.
    pub(super) fn fill(&self, text: &str) -> Text {
        let mut filled = Text::default();
        let mut rest = text;
        let next = |rest: &str| {
            let found =
                self.marks.iter().enumerate().filter_map(|(index, mark)| Some((rest.find(mark)?, index)));
            // Of placeholders that begin alike, the longest is meant.
            found.min_by_key(|(at, index)| (*at, usize::MAX - self.marks[*index].len()))
        };
        while let Some((at, index)) = next(rest) {
            if at > 0 {
                filled.push(Segment::Literal(rest[..at].to_owned()));
            }
            filled.push(Segment::Variable { var: self.fresh[index].name.clone() });
            rest = &rest[at + self.marks[index].len()..];
        }
        if !rest.is_empty() {
            filled.push(Segment::Literal(rest.to_owned()));
        }
        filled
    }

    /// A variable's name: the placeholder's letters and digits, and a number where it is taken.
    fn variable(&self, mark: &str) -> String {
        let word: String = mark.chars().filter(char::is_ascii_alphanumeric).collect();
        let word = if word.is_empty() { "value".to_owned() } else { word };
        let is_taken = |name: &String| self.fresh.iter().any(|fresh| fresh.name == *name);
        let numbered = (2..).map(|number| format!("{word}_{number}"));
        std::iter::once(word.clone()).chain(numbered).find(|name| !is_taken(name)).unwrap_or_default()
    }
}

/// How many random characters make a value as long as it must and may be; `None` when there is no room for any.
fn length(generator: &Generator) -> Option<usize> {
    let chars = |text: &Option<String>| text.as_deref().unwrap_or_default().chars().count();
    let fixed = chars(&generator.prefix) + chars(&generator.postfix);
    let least = generator.min_length.unwrap_or_default().saturating_sub(fixed);
    let most = generator.max_length.map_or(usize::MAX, |most| most.saturating_sub(fixed));
    Some(LENGTH.max(least).min(most)).filter(|length| *length > 0 && *length >= least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn generator(least: Option<usize>, most: Option<usize>) -> Generator {
        let postfix = Some("@a.test".to_owned());
        Generator { min_length: least, max_length: most, postfix, ..Generator::default() }
    }

    #[test]
    fn a_value_is_as_long_as_it_must_and_may_be() {
        assert_eq!(length(&generator(None, None)), Some(10));
        assert_eq!(length(&generator(Some(20), None)), Some(13));
        assert_eq!(length(&generator(None, Some(9))), Some(2));
        assert_eq!(length(&generator(None, Some(7))), None);
        assert_eq!(length(&generator(Some(12), Some(11))), None);
    }

    #[test]
    fn placeholders_become_variables() {
        let generators = ["{$a}", "$a", "a"]
            .map(|mark| Generator { place_holder: Some(mark.to_owned()), ..Generator::default() });
        let create = CreateUsers {
            payload_raw: Some("{$a} $a a".to_owned()),
            generators: Some(generators.to_vec()),
            ..CreateUsers::default()
        };
        let placeholders = Placeholders::of(&create, "u").unwrap();
        let variable = |name: &str| Segment::Variable { var: name.to_owned() };
        let literal = |text: &str| Segment::Literal(text.to_owned());
        assert_eq!(
            placeholders.fill("x{$a}y$a").segments(),
            [literal("x"), variable("a"), literal("y"), variable("a_2")]
        );
        assert_eq!(placeholders.fill("").segments(), []);
    }
}
