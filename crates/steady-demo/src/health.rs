//! How the shop is.

use hyper::StatusCode;
use serde_json::json;

use crate::answer::{self, Answer};
use crate::store::Store;
use crate::volatile::{RELEASE_DATE, TENANT_ID};

/// `GET /health`
pub(crate) fn show(store: &mut Store) -> Answer {
    let volatile = &mut store.volatile;
    let body = json!({
        "status": "up",
        "version": "1.4.2",
        "releaseDate": RELEASE_DATE,
        "tenantId": TENANT_ID,
        "startedAt": volatile.started(),
        "uptimeMs": volatile.uptime(),
        "instance": volatile.object("shop.Instance"),
        "pid": std::process::id(),
    });
    answer::json(StatusCode::OK, &body)
}
