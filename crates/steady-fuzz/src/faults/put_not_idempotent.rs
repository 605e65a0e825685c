//! F905: the same PUT twice gave two results.

use serde_json::Value;
use steady_model::{Document, FaultCode};

use super::{CallContext, DetectedFault};
use crate::names::Name;
use crate::plan::Intent;
use crate::values::escape;

/// Fields that may honestly move with every write.
const BOOKKEEPING: [&str; 14] = [
    "updated",
    "modified",
    "version",
    "revision",
    "etag",
    "time",
    "timestamp",
    "date",
    "at",
    "ts",
    "rev",
    "changed",
    "serial",
    "uptime",
];

/// Two ways to see it: the second PUT is refused, or what is read afterwards is no longer what was read twice before.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    if context.planned().intent == Intent::Repeat {
        return refused(context);
    }
    let repeat = context.index.checked_sub(1)?;
    if context.execution.plan.calls[repeat].intent != Intent::Repeat || repeat < 3 {
        return None;
    }
    let calls = &context.execution.calls;
    if ![repeat - 3, repeat - 2, repeat - 1, repeat, context.index]
        .into_iter()
        .all(|index| calls[index].succeeded())
    {
        return None;
    }
    let (Document::Json(first), Document::Json(second), Document::Json(after)) =
        (calls[repeat - 2].document(), calls[repeat - 1].document(), context.document())
    else {
        return None;
    };
    let moved = moved(first, second, after, "")?;
    let summary = format!("the same PUT twice changed `{moved}` twice");
    Some(DetectedFault::new(FaultCode::PutNotIdempotent, &moved, summary).of_call_before())
}

fn refused(context: &CallContext<'_>) -> Option<DetectedFault> {
    let reads = usize::from(
        context.index >= 3
            && context.execution.plan.calls[context.index - 1].endpoint != context.planned().endpoint,
    ) * 2;
    let first = context.execution.calls.get(context.index.checked_sub(1 + reads)?)?;
    let (before, now) = (first.status()?, context.executed().status()?);
    // 409 and 412 may be honest answers to a stale precondition; a server error is F100's business.
    if !first.succeeded() || !(400..500).contains(&now) || matches!(now, 409 | 412 | 429) {
        return None;
    }
    let summary = format!("the same PUT was answered {before}, then {now}");
    Some(DetectedFault::new(FaultCode::PutNotIdempotent, "status", summary))
}

fn sorted(list: &Value) -> Vec<String> {
    let mut items: Vec<String> = list.as_array().into_iter().flatten().map(Value::to_string).collect();
    items.sort();
    items
}

/// The first place that was the same in two reads and differs in the third.
fn moved(first: &Value, second: &Value, after: &Value, pointer: &str) -> Option<String> {
    match (first, second, after) {
        (Value::Object(a), Value::Object(b), Value::Object(c)) => a.iter().find_map(|(name, value)| {
            let words = Name::new(name).snake();
            if words.split('_').any(|word| BOOKKEEPING.contains(&word)) {
                return None;
            }
            moved(
                value,
                b.get(name)?,
                c.get(name).unwrap_or(&Value::Null),
                &format!("{pointer}/{}", escape(name)),
            )
        }),
        // A set is often written in any order.
        (Value::Array(_), Value::Array(_), Value::Array(_)) if sorted(first) == sorted(after) => None,
        (a, b, c) if a == b && a != c => Some(pointer.to_owned()),
        _ => None,
    }
}
