//! Names that say what is tested.

use std::collections::BTreeSet;

use super::draft::Draft;
use crate::engine::{Engine, FaultKey};
use crate::goals::Goal;
use crate::names::Name;
use crate::plan::Intent;

/// The longest name, its number aside.
const MAX_NAME: usize = 90;

/// Hands out unique names.
#[derive(Debug, Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// A unique name for a draft, and one line on why it is there.
    pub fn describe(&mut self, engine: &Engine, draft: &Draft) -> (String, String) {
        let planned = &draft.plan.calls[draft.length - 1];
        let operation = &engine.model().catalog[planned.endpoint].operation;
        let mut stem = format!(
            "{}_{}_returns_{}",
            operation.id.method.as_str().to_lowercase(),
            path_words(&operation.id.path),
            draft.status
        );
        let mut about = format!("{} answers {}", operation.id, draft.status);
        let parameter =
            |index: usize| operation.parameters.get(index).map(|spec| spec.name.as_str()).unwrap_or_default();
        if let Intent::Unauthenticated { credential } = &planned.intent {
            stem.push_str(&format!("_for_{}", Name::new(credential.what).snake()));
            about.push_str(&format!(" to a caller with {}", credential.what));
        } else if let Intent::Invalid { parameter: index, violation: alteration }
        | Intent::Odd { parameter: index, oddity: alteration } = &planned.intent
        {
            let place =
                index.map_or_else(|| alteration.pointer.rsplit('/').next().unwrap_or_default(), parameter);
            let place = if place.is_empty() { "body" } else { place };
            stem.push_str(&format!(
                "_for_{}_{}",
                Name::new(place).snake(),
                ascii(&alteration.what.replace([' ', '-'], "_"))
            ));
            let verdict = if matches!(planned.intent, Intent::Odd { .. }) { "odd" } else { "invalid" };
            about.push_str(&format!(" when `{place}` is {verdict}: {}", alteration.what));
        } else {
            let detail = draft.goals.iter().find_map(|goal| match goal {
                Goal::Choice { parameter: index, value, .. } => Some((
                    format!("_with_{}_{}", Name::new(parameter(*index)).snake(), Name::new(value).snake()),
                    format!(" with {} = {value}", parameter(*index)),
                )),
                Goal::Presence { parameter: index, given: true, .. } => Some((
                    format!("_with_{}", Name::new(parameter(*index)).snake()),
                    format!(" with {}", parameter(*index)),
                )),
                _ => None,
            });
            if let Some((suffix, remark)) = detail {
                stem.push_str(&suffix);
                about.push_str(&remark);
            }
        }
        let faults: Vec<String> = draft
            .faults()
            .filter_map(|(endpoint, code, key)| engine.fault(FaultKey { endpoint, code, key }))
            .map(|fault| format!("{} {}: {}", fault.code, fault.code.title(), fault.summary))
            .collect();
        if !faults.is_empty() {
            about = format!("{about}. {}", faults.join("; "));
        }
        about.push('.');
        (self.unique(&stem), about)
    }

    fn unique(&mut self, stem: &str) -> String {
        let stem: String = stem.chars().take(MAX_NAME).collect();
        self.number(stem.trim_end_matches('_'))
    }

    /// The name itself the first time it is asked for, with a number from then on.
    pub(crate) fn number(&mut self, stem: &str) -> String {
        let mut name = stem.to_owned();
        let mut number = 2;
        while !self.0.insert(name.clone()) {
            name = format!("{stem}_{number}");
            number += 1;
        }
        name
    }
}

/// `/orders/{orderId}/items` as `orders_by_order_id_items`.
fn path_words(path: &str) -> String {
    let words: Vec<String> = path
        .split('/')
        .filter(|segment| !segment.is_empty())
        .map(|segment| {
            let snake = ascii(&Name::new(segment).snake());
            if segment.starts_with('{') { format!("by_{snake}") } else { snake }
        })
        .filter(|word| !word.is_empty())
        .collect();
    if words.is_empty() { "root".to_owned() } else { words.join("_") }
}

/// Identifiers in every language steady writes are safe in ASCII only.
fn ascii(text: &str) -> String {
    text.chars().filter(|character| character.is_ascii_alphanumeric() || *character == '_').collect()
}
