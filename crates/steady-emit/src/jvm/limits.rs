//! Limits of a class file: 65,535 bytes in a string constant, 65,535 bytes of code in a method, 65,535
//! constants in a class.
//!
//! Nothing here counts exactly. A step's weight is how many values it mentions; a value costs at most about twenty
//! bytes of code and three constants, and the limits leave twice the room that takes.

use crate::plan::{Condition, Content, Json, Request, Step, Template, Test, Varying};

/// Longer text is written separately.
pub(super) const LONG_TEXT: usize = 1_000;

/// Values that hold more values than this are written as JSON text.
pub(super) const MOST_VALUES: usize = 300;

/// What a literal takes up at most, in bytes.
const LONGEST_LITERAL: usize = 48_000;

/// What the steps of a method weigh at most.
const HEAVIEST_METHOD: usize = 1_500;

/// What the tests of a class weigh at most; 200 of the lightest tests do.
pub(super) const HEAVIEST_CLASS: usize = 10_000;

/// The text in pieces that each fit into a constant; one piece when it is empty.
pub(super) fn literal_pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let (mut start, mut bytes) = (0, 0);
    for (at, c) in text.char_indices() {
        let size = constant_bytes(c);
        if bytes + size > LONGEST_LITERAL {
            pieces.push(&text[start..at]);
            (start, bytes) = (at, 0);
        }
        bytes += size;
    }
    pieces.push(&text[start..]);
    pieces
}

/// How many bytes a character takes in a class file, which encodes each half of a surrogate pair, and zero in two.
fn constant_bytes(c: char) -> usize {
    match c {
        '\0' => 2,
        c if c.len_utf16() == 2 => 6,
        c => c.len_utf8(),
    }
}

/// The steps of a test in parts that each fit into a method. A part begins with a call, or continues with the
/// assertions on the last call of the part before it; then it holds no other.
pub(super) fn parts<'t, 'a>(steps: &'t [Step<'a>]) -> Vec<&'t [Step<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut end, mut heavy) = (0, 0, 0);
    for call in steps.chunk_by(|_, next| !matches!(next, Step::Send(_))) {
        let more: usize = call.iter().map(weight).sum();
        if heavy + more > HEAVIEST_METHOD && start < end {
            parts.push(&steps[start..end]);
            (start, heavy) = (end, 0);
        }
        end += call.len();
        heavy += more;
        if more > HEAVIEST_METHOD {
            parts.extend(cut(call));
            (start, heavy) = (end, 0);
        }
    }
    if start < end || parts.is_empty() {
        parts.push(&steps[start..end]);
    }
    parts
}

/// A call and its assertions, cut where a method is full.
fn cut<'t, 'a>(call: &'t [Step<'a>]) -> Vec<&'t [Step<'a>]> {
    let mut parts = Vec::new();
    let (mut start, mut heavy) = (0, 0);
    for (at, step) in call.iter().enumerate() {
        heavy += weight(step);
        if heavy > HEAVIEST_METHOD && start < at {
            parts.push(&call[start..at]);
            (start, heavy) = (at, weight(step));
        }
    }
    parts.push(&call[start..]);
    parts
}

/// What a test weighs.
pub(super) fn test_weight(test: &Test<'_>) -> usize {
    let weight: usize = test.steps.iter().map(weight).sum();
    weight.max(HEAVIEST_CLASS / 200)
}

fn weight(step: &Step<'_>) -> usize {
    match step {
        Step::Fresh { .. } | Step::Capture { .. } => 3,
        Step::Send(request) | Step::Cleanup(request) => 3 + request_weight(request),
        Step::Check { condition, .. } => 3 + condition_weight(condition),
    }
}

fn condition_weight(condition: &Condition<'_>) -> usize {
    match condition {
        Condition::Equals(json) | Condition::Varying(Varying::Unordered(json) | Varying::OneOf(json)) => {
            json_weight(json)
        }
        Condition::Varying(Varying::Jwt { header, claims }) => json_weight(header) + json_weight(claims),
        Condition::Varying(Varying::Relation(relation)) => relation.places().len() * 2,
        Condition::Text(text) => text.pieces().len(),
        _ => 1,
    }
}

fn request_weight(request: &Request<'_>) -> usize {
    let pairs = |pairs: &[(&str, Template<'_>)]| -> usize {
        pairs.iter().map(|(_, value)| 2 + value.pieces().len()).sum()
    };
    let content = match &request.content {
        Some(Content::Json(json)) => json_weight(json),
        Some(Content::Form(fields)) => pairs(fields),
        Some(Content::Multipart(parts)) => parts.len() * 5,
        Some(Content::Text { text, .. }) => 1 + text.pieces().len(),
        Some(Content::Bytes { .. }) => 2,
        None => 0,
    };
    request.target.pieces().len() + pairs(&request.headers) + content
}

fn json_weight(json: &Json<'_>) -> usize {
    match json.count() {
        count if count <= MOST_VALUES => count * 2,
        _ => 2 + json.sample().1.len() * 2,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::{Value, json};
    use steady_model::Suite;

    use super::*;
    use crate::plan::Plan;

    fn suite(checks: &[usize]) -> Suite {
        let call = |checks: &usize| {
            let expect: Vec<Value> =
                (0..*checks).map(|_| json!({"where": "body:", "is": "present"})).collect();
            json!({"operation": "GET /", "request": {"method": "GET", "target": "/"}, "expect": expect})
        };
        let calls: Vec<Value> = checks.iter().map(call).collect();
        let test = json!({"name": "t", "group": "successes", "about": "", "calls": calls});
        serde_json::from_value(
            json!({"version": 1, "api": {"title": "", "url": ""}, "seed": 1, "tests": [test]}),
        )
        .unwrap()
    }

    #[test]
    fn a_character_takes_what_a_class_file_takes() {
        let sizes = ['a', '\0', 'é', '中', '😀'].map(constant_bytes);
        assert_eq!(sizes, [1, 2, 2, 3, 6]);
    }

    #[test]
    fn a_small_test_is_one_part() {
        let suite = suite(&[3, 0, 5]);
        assert_eq!(parts(&Plan::of(&suite).unwrap().tests[0].steps).len(), 1);
    }

    proptest! {
        #[test]
        fn pieces_fit_and_make_up_the_text(text in "([a中😀]{1,4}|\\PC){0,20}", times in 1..3_000_usize) {
            let text = text.repeat(times);
            let pieces = literal_pieces(&text);
            prop_assert!(pieces.iter().all(|piece| piece.chars().map(constant_bytes).sum::<usize>() <= LONGEST_LITERAL));
            prop_assert_eq!(pieces.concat(), text);
        }

        #[test]
        fn parts_fit_and_make_up_the_test(checks in prop::collection::vec(0..900_usize, 0..6)) {
            let suite = suite(&checks);
            let plan = Plan::of(&suite).unwrap();
            let steps = &plan.tests[0].steps;
            let parts = parts(steps);
            prop_assert_eq!(parts.iter().map(|part| part.len()).sum::<usize>(), steps.len());
            for (index, part) in parts.iter().enumerate() {
                prop_assert!(part.iter().map(weight).sum::<usize>() <= HEAVIEST_METHOD);
                let calls = part.iter().filter(|step| matches!(step, Step::Send(_))).count();
                let begins_with_call = matches!(part.first(), Some(Step::Send(_)));
                prop_assert!(index == 0 || begins_with_call || calls == 0);
            }
        }
    }
}
