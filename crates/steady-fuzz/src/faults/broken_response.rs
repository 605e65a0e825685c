//! F953: no answer, none that is HTTP, or one without end.

use steady_model::{FaultCode, Response};

use super::normalize::normalize;
use super::{CallContext, DetectedFault};

/// One fault per operation and way of failing.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    match &context.executed().outcome {
        Err(reason) => {
            Some(DetectedFault::new(FaultCode::BrokenResponse, &normalize(reason), reason.clone()))
        }
        Ok(response) if response.truncated => {
            let distinction = format!("{} cut", response.status);
            Some(DetectedFault::new(FaultCode::BrokenResponse, &distinction, too_long(response)))
        }
        Ok(_) => None,
    }
}

/// What is wrong with a body that was cut: it has no end, or one too far away to wait for.
fn too_long(response: &Response) -> String {
    let length = response.body.as_bytes().len();
    // As `--max-body` counts.
    let size = match length >> 20 {
        0 => format!("{length} bytes"),
        megabytes => format!("{megabytes} MB"),
    };
    let encoding =
        response.header("content-encoding").filter(|coding| !coding.eq_ignore_ascii_case("identity"));
    match encoding {
        Some(coding) => format!("the {coding} body expands to more than {size} and was cut there"),
        None => format!("the body is longer than {size} and was cut there"),
    }
}
