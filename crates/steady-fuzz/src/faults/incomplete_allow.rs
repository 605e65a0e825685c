//! F956: the `Allow` header leaves out what the document describes.

use steady_model::FaultCode;

use super::{CallContext, DetectedFault};

/// RFC 9110 section 10.2.1: Allow lists the methods the target supports. Once per path, whatever method was refused.
pub fn check(context: &CallContext<'_>) -> Option<DetectedFault> {
    let response = context.response().filter(|response| response.status == 405)?;
    let allowed = response.header("allow")?;
    if !context.speaks_for_its_path() {
        return None;
    }
    let path = &context.endpoint().operation.id.path;
    let lists = |name: &str| allowed.split(',').any(|method| method.trim().eq_ignore_ascii_case(name));
    let missing: Vec<&str> = context
        .model
        .catalog
        .described()
        .filter(|(_, endpoint)| &endpoint.operation.id.path == path)
        .map(|(_, endpoint)| endpoint.operation.id.method.as_str())
        .filter(|method| !lists(method))
        .collect();
    if missing.is_empty() {
        return None;
    }
    let summary =
        format!("405 with `Allow: {allowed}`, which leaves out {} of the document", missing.join(", "));
    Some(DetectedFault::new(FaultCode::IncompleteAllow, "", summary))
}
