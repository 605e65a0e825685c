//! What holds for any response and any value.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use steady_flaky::compare::Template;
use steady_flaky::infer::{Context, find, suspect};
use steady_flaky::{Comparison, Evidence, Kind, Step, classify};
use steady_model::{Payload, Place, Response};

fn response(media_type: &str, body: &str) -> Response {
    Response {
        status: 200,
        headers: vec![("content-type".to_owned(), media_type.to_owned())],
        body: Payload::Text(body.into()),
        truncated: false,
    }
}

fn json_response(body: &Value) -> Response {
    response("application/json", &body.to_string())
}

fn now() -> jiff::Timestamp {
    jiff::Timestamp::constant(1_773_144_000, 0)
}

fn document() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        (-1e9..1e9).prop_map(|number: f64| Value::from(number)),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 48, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map("[a-z~/ ]{0,6}", inner, 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

/// The pointers of all leaves.
fn leaves(value: &Value, pointer: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(members) if !members.is_empty() => {
            for (name, inner) in members {
                let token = name.replace('~', "~0").replace('/', "~1");
                leaves(inner, &format!("{pointer}/{token}"), found);
            }
        }
        Value::Array(items) if !items.is_empty() => {
            for (index, inner) in items.iter().enumerate() {
                leaves(inner, &format!("{pointer}/{index}"), found);
            }
        }
        _ => found.push(pointer.to_owned()),
    }
}

proptest! {
    #[test]
    fn a_response_does_not_differ_from_itself(body in document(), times in 1_usize..4) {
        let one = json_response(&body);
        let spaced = response("application/json", &serde_json::to_string_pretty(&body).expect("JSON"));
        let mut all = vec![&one; times];
        all.push(&spaced);
        prop_assert_eq!(Comparison::of(&all), Comparison::default());
    }

    #[test]
    fn any_text_is_compared_without_a_panic(one in ".{0,200}", other in ".{0,200}", kind in 0_usize..3) {
        let media_type = ["application/json", "application/xml", "text/html"][kind];
        let (first, second) = (response(media_type, &one), response(media_type, &other));
        let comparison = Comparison::of(&[&first, &second]);
        // Text is what it is; JSON and XML may say the same in other characters.
        prop_assert!(one != other || comparison.is_empty());
        prop_assert!(kind != 2 || comparison.is_empty() == (one == other));
    }

    #[test]
    fn a_changed_leaf_is_reported_at_its_pointer(body in document(), choice in any::<prop::sample::Index>()) {
        let mut pointers = Vec::new();
        leaves(&body, "", &mut pointers);
        let pointer = pointers[choice.index(pointers.len())].clone();
        let mut changed = body.clone();
        *changed.pointer_mut(&pointer).expect("a leaf") = json!("a value that no document has");
        let (first, second) = (json_response(&body), json_response(&changed));
        let comparison = Comparison::of(&[&first, &second]);
        let places: Vec<&Place> = comparison.variations.iter().map(|found| &found.place).collect();
        prop_assert_eq!(places, [&Place::Body(pointer)]);
    }

    #[test]
    fn a_shuffled_list_is_reported_once(
        items in prop::collection::vec(document(), 2..8),
        turn in 1_usize..7,
    ) {
        let mut turned = items.clone();
        turned.rotate_left(turn % items.len());
        prop_assume!(turned != items);
        let body = |items: Vec<Value>| json_response(&json!({"before": 1, "list": items, "after": [1, 2]}));
        let (first, second) = (body(items), body(turned));
        let comparison = Comparison::of(&[&first, &second]);
        let found: Vec<(String, Kind)> =
            comparison.variations.iter().map(|found| (found.place.to_string(), found.kind)).collect();
        prop_assert_eq!(found, [("body:/list".to_owned(), Kind::Order)]);
    }

    #[test]
    fn places_that_differ_are_places_of_the_first_or_of_another_response(one in document(), other in document()) {
        let (first, second) = (json_response(&one), json_response(&other));
        for variation in Comparison::of(&[&first, &second]).variations {
            let Place::Body(pointer) = &variation.place else { panic!("only the body differs") };
            prop_assert!(one.pointer(pointer).is_some() || other.pointer(pointer).is_some());
            let evidence = Evidence::of(&variation, &Context::at(&variation.place, now())).moved(Step::Rerun);
            prop_assert_eq!(&classify(&variation, &evidence).evidence[0], &Step::Rerun);
        }
    }

    #[test]
    fn suspected_parts_lie_in_the_text_in_order(
        text in r"(\PC{0,12}|[0-9a-f]{8,40}|[A-Za-z0-9_-]{18,30}|[0-9]{10,19}|20[0-9]{2}-[01][0-9]-[0-3][0-9]|[ T:@./$-]){0,12}",
        name in "[a-zA-Z]{0,10}",
    ) {
        let context = Context::new(&name, now());
        let mut end = 0;
        for found in find(&text, &context) {
            prop_assert!(found.span.start >= end && found.span.start < found.span.end);
            prop_assert!(text.get(found.span.clone()).is_some());
            prop_assert_eq!(found.whole, found.span == (0..text.len()));
            end = found.span.end;
        }
    }

    #[test]
    fn any_value_can_be_suspected(value in document()) {
        let found = suspect(&value, &Context::new("value", now()));
        prop_assert!(found.is_none() || value.is_string() || value.is_number());
    }

    #[test]
    fn a_template_fits_what_it_was_made_of(texts in prop::collection::vec("[ab ,.1]{0,20}", 1..5)) {
        let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
        if let Some(template) = Template::of(&texts) {
            for text in &texts {
                prop_assert!(template.fits(text), "{template} does not fit {text:?}");
            }
        }
    }
}
