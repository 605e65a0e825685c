//! Lists: how many, which and in what order.

use hyper::StatusCode;
use serde::Serialize;

use crate::answer::{self, Answer, Refusal};
use crate::call::ShopRequest;
use crate::volatile::Volatile;

const DEFAULT_LIMIT: usize = 20;
const MAX_LIMIT: usize = 100;
const MAX_SEARCH: usize = 50;

/// The parameters of a list.
pub(crate) struct Page {
    limit: usize,
    /// Part of a name, in lower case.
    pub(crate) search: Option<String>,
    /// One of the orders the list knows.
    pub(crate) sort: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct List<'a, T> {
    request_id: String,
    generated_at: String,
    total: usize,
    items: &'a [T],
}

impl Default for Page {
    fn default() -> Self {
        Self { limit: DEFAULT_LIMIT, search: None, sort: None }
    }
}

impl Page {
    /// Reads `limit`, `q` and `sort`.
    pub(crate) fn of(call: &ShopRequest, sorts: &[&str]) -> Result<Self, Refusal> {
        let limit = match call.query("limit") {
            Some(text) => {
                text.parse().ok().filter(|limit| (1..=MAX_LIMIT).contains(limit)).ok_or_else(|| {
                    Refusal::bad_request(format!("limit must be an integer between 1 and {MAX_LIMIT}"))
                })?
            }
            None => DEFAULT_LIMIT,
        };
        let search = call.query("q").map(|search| search.to_lowercase());
        if search.as_ref().is_some_and(|search| search.chars().count() > MAX_SEARCH) {
            return Err(Refusal::bad_request(format!("q must not be longer than {MAX_SEARCH} characters")));
        }
        let sort = call.query("sort");
        if sort.as_deref().is_some_and(|sort| !sorts.contains(&sort)) {
            return Err(Refusal::bad_request(format!("sort must be one of {}", sorts.join(", "))));
        }
        Ok(Self { limit, search, sort })
    }

    /// Whether what has this name was looked for.
    pub(crate) fn matches(&self, name: &str) -> bool {
        self.search.as_deref().is_none_or(|search| name.to_lowercase().contains(search))
    }

    /// The first of what was found, as a response.
    pub(crate) fn answer<T: Serialize>(&self, found: &[T], volatile: &mut Volatile) -> Answer {
        let list = List {
            request_id: volatile.uuid(),
            generated_at: volatile.now(),
            total: found.len(),
            items: &found[..found.len().min(self.limit)],
        };
        answer::json(StatusCode::OK, &list)
    }
}
