//! Makes a test repeatable whose creations collide with those of its last run.

use serde_json::Value;
use steady_model::Fresh;

use crate::names::Name;
use crate::plan::{Binding, Intent, Plan, Supply};
use crate::request::Slot;

/// Random characters at the end of a fresh value.
const LENGTH: usize = 8;

/// The plan with the plain texts of its bodies new in every run; `None` when there are none.
///
/// Which of them has to be unique only the API knows, so all top-level ones are made so; the schema has the last word, since a
/// plan whose values are refused is not kept.
pub fn freshen(plan: &Plan) -> Option<Plan> {
    let mut fresher = plan.clone();
    for call in &mut fresher.calls {
        let Some(body) = &call.arguments.body else { continue };
        let Some(fields) = text_fields(&body.value) else { continue };
        for (pointer, name, text) in fields {
            let slot = Slot::Body(pointer);
            if call.bindings.iter().any(|binding| binding.slot == slot) {
                continue;
            }
            let stem = Name::new(&name).snake();
            let number = fresher.fresh.len() + 1;
            let prefix: String = text
                .chars()
                .take_while(|&character| character != '@')
                .filter(char::is_ascii_alphanumeric)
                .take(4)
                .collect();
            let suffix = text.find('@').map(|at| text[at..].to_owned()).unwrap_or_default();
            fresher.fresh.push(Fresh {
                name: format!("new_{stem}_{number}"),
                prefix,
                length: LENGTH,
                suffix,
            });
            call.bindings.push(Binding { slot, supply: Supply::Fresh(fresher.fresh.len() - 1) });
        }
    }
    (fresher.fresh.len() > plan.fresh.len()).then_some(fresher)
}

/// The plan with its last call made twice on fresh values: a conflict the test brings about by itself.
pub fn collide(plan: &Plan) -> Option<Plan> {
    let mut twice = freshen(plan)?;
    let mut first = twice.calls.last()?.clone();
    first.intent = Intent::Prepare;
    let last = twice.calls.len() - 1;
    twice.calls.insert(last, first);
    Some(twice)
}

/// Short words in a body, one level of wrapping looked through: pointer, name and text.
fn text_fields(value: &Value) -> Option<Vec<(String, String, String)>> {
    let fields = value.as_object()?;
    let mut found = Vec::new();
    for (name, inner) in fields {
        let pointer = format!("/{}", crate::values::invalid::escape(name));
        match inner {
            Value::String(text) if is_word(text) => found.push((pointer, name.clone(), text.clone())),
            Value::Object(_) => {
                for (below, name, text) in text_fields(inner).unwrap_or_default() {
                    found.push((format!("{pointer}{below}"), name, text));
                }
            }
            _ => {}
        }
        if found.len() >= 6 {
            break;
        }
    }
    Some(found)
}

/// A word, or an e-mail address; anything with more structure would lose it.
fn is_word(text: &str) -> bool {
    let (local, domain) = text.split_once('@').unwrap_or((text, "example.com"));
    let plain = |part: &str, others: &str| {
        !part.is_empty()
            && part.chars().all(|character| character.is_alphanumeric() || others.contains(character))
    };
    text.len() <= 64 && plain(local, "_ ") && plain(domain, ".-")
}
