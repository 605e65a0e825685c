//! Schemas whose parts multiply.
//!
//! `allOf`, `anyOf`, `oneOf`, `not` and `$ref` apply further schemas to the same value. Forty definitions that each name the
//! next one twice are four kilobytes of document and 2^40 checks of a single text. A definition that takes too many is
//! emptied: any value is right there.

use serde_json::{Map, Value, json};

use super::walk;
use crate::Definitions;
use crate::problems::Problems;

/// Schemas that may apply to one value, those that others lead to included. The largest real documents stay below 1,000.
const MAX_CHECKS: u64 = 10_000;

/// Empties the definitions that take more checks of one value than there may be.
pub(super) fn bound(definitions: &mut Definitions, problems: &mut Problems) {
    for index in innermost_first(definitions) {
        let Some((_, schema)) = definitions.get_index(index) else { continue };
        // Counted definitions are bounded, so this is a sum and not a search.
        let checks = checks(schema, definitions);
        if checks > MAX_CHECKS
            && let Some((name, schema)) = definitions.get_index_mut(index)
        {
            *schema = json!({});
            let message = format!(
                "its alternatives lead to more than {MAX_CHECKS} checks of one value; any value is taken as right there"
            );
            problems.note(&format!("#/$defs/{name}"), message);
        } else if let Some((_, Value::Object(map))) = definitions.get_index_mut(index) {
            map.insert(CHECKS.to_owned(), checks.into());
        }
    }
    for schema in definitions.values_mut() {
        if let Value::Object(map) = schema {
            map.shift_remove(CHECKS);
        }
    }
}

/// Where the count of a definition is kept meanwhile.
const CHECKS: &str = "x-steady-checks";

/// The schemas that apply to a value of this one; a definition that was not counted yet leads back to itself.
fn checks(schema: &Value, definitions: &Definitions) -> u64 {
    let mut count = 0_u64;
    walk::visit_in_place(schema, &mut |map| {
        let target = target(map, definitions).and_then(|index| definitions.get_index(index));
        let behind = target.and_then(|(_, schema)| schema.get(CHECKS)?.as_u64()).unwrap_or(0);
        count = count.saturating_add(1).saturating_add(behind);
    });
    count
}

/// The definitions' indices, those that others refer to in place before these.
fn innermost_first(definitions: &Definitions) -> Vec<usize> {
    let mut order = Vec::with_capacity(definitions.len());
    let mut met = vec![false; definitions.len()];
    for start in 0..definitions.len() {
        // Written as a list of what is to be done: a chain of references may be as long as the document.
        let mut waiting = vec![(start, false)];
        while let Some((index, is_done)) = waiting.pop() {
            if is_done {
                order.push(index);
                continue;
            }
            if std::mem::replace(&mut met[index], true) {
                continue;
            }
            waiting.push((index, true));
            if let Some((_, schema)) = definitions.get_index(index) {
                walk::visit_in_place(schema, &mut |map| {
                    waiting.extend(target(map, definitions).map(|target| (target, false)));
                });
            }
        }
    }
    order
}

fn target(map: &Map<String, Value>, definitions: &Definitions) -> Option<usize> {
    definitions.get_index_of(map.get("$ref")?.as_str()?.strip_prefix("#/$defs/")?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty definitions, each made of the next one twice by `combine`.
    fn fan(combine: impl Fn(Value) -> Value) -> (Definitions, Problems) {
        let mut definitions: Definitions = (0..40)
            .map(|level| (format!("L{level}"), combine(json!({"$ref": format!("#/$defs/L{}", level + 1)}))))
            .collect();
        definitions.insert("L40".to_owned(), json!({"type": "string"}));
        let mut problems = Problems::default();
        bound(&mut definitions, &mut problems);
        (definitions, problems)
    }

    #[test]
    fn every_way_to_multiply_is_bounded() {
        let ways: [fn(Value) -> Value; 5] = [
            |next| json!({"allOf": [next, next]}),
            |next| json!({"oneOf": [next, next]}),
            |next| json!({"anyOf": [{"not": next}, {"not": next}]}),
            |next| json!({"if": next, "then": next, "else": next}),
            |next| json!({"$ref": next["$ref"], "dependentSchemas": {"a": next}}),
        ];
        for way in ways {
            let (definitions, problems) = fan(way);
            let sample = definitions.get("L0").map(ToString::to_string);
            assert!(!sample.clone().unwrap_or_default().contains(CHECKS));
            let emptied = definitions.values().filter(|schema| **schema == json!({})).count();
            assert!((1..10).contains(&emptied), "{sample:?}: {emptied}");
            assert_eq!(problems.into_list().len(), emptied);
        }
    }

    #[test]
    fn parts_of_a_value_do_not_multiply_and_cycles_end() {
        let (definitions, problems) =
            fan(|next| json!({"properties": {"a": next, "b": next}, "anyOf": [{"$ref": "#/$defs/L0"}]}));
        assert!(definitions.values().all(|schema| *schema != json!({})));
        assert_eq!(problems.into_list(), []);
    }

    #[test]
    fn a_chain_as_long_as_the_document_is_followed() {
        let link =
            |number: usize| (format!("L{number}"), json!({"$ref": format!("#/$defs/L{}", number + 1)}));
        let mut definitions: Definitions = (0..9_000).map(link).collect();
        let mut problems = Problems::default();
        bound(&mut definitions, &mut problems);
        assert_eq!(problems.into_list(), []);
    }
}
