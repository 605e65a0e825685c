//! One response to a call, as it was observed in one run.

use std::borrow::Cow;
use std::sync::{Arc, LazyLock, OnceLock};

use jiff::Timestamp;
use serde_json::Value;
use steady_model::{Document, Payload, Place, Response};
use steady_suite::{Variables, look_up};

use crate::classify::Step;

/// The largest body that is kept; what is larger is not asserted.
const MAX_BODY: usize = 64 * 1024;
/// What stands for a body that is not kept: not text, and not empty.
static NOT_KEPT: LazyLock<Payload> = LazyLock::new(|| Payload::Bytes([0xff].into()));

/// A response and the run it was observed in. The body is parsed once, when it is first looked at; clones share it.
#[derive(Debug, Clone)]
pub struct Observation {
    /// What was different in the run.
    pub step: Step,
    /// What came back, without a body too large to be asserted or cut at the limit.
    pub response: Response,
    document: Arc<OnceLock<Document>>,
    /// The test's variables that are set when the response is looked at.
    pub variables: Variables,
    /// The ids of the processes that answered, as far as they are known.
    pub processes: Arc<[u32]>,
    /// The time that the API had, where it is known otherwise than from the response.
    pub clock: Option<Timestamp>,
}

impl Observation {
    /// A response that was observed in a run.
    pub fn new(step: Step, response: &Response) -> Self {
        let is_kept = !response.truncated && response.body.as_bytes().len() <= MAX_BODY;
        let body = if is_kept { &response.body } else { &*NOT_KEPT };
        let response = Response {
            status: response.status,
            headers: response.headers.clone(),
            body: body.clone(),
            truncated: response.truncated,
        };
        let document = Arc::default();
        Self {
            step,
            response,
            document,
            variables: Variables::default(),
            processes: Arc::default(),
            clock: None,
        }
    }

    /// The same with the test's variables.
    pub fn with_variables(self, variables: Variables) -> Self {
        Self { variables, ..self }
    }

    /// The same with the ids of the processes that may have answered, and the time that they had.
    pub fn of_processes(self, processes: &[u32], clock: Option<Timestamp>) -> Self {
        Self { processes: processes.into(), clock, ..self }
    }

    /// The same under another step.
    pub fn under(&self, step: Step) -> Self {
        Self { step, ..self.clone() }
    }

    /// The same with another response and other variables.
    pub fn saying(&self, response: Response, variables: Variables) -> Self {
        Self { response, document: Arc::default(), variables, ..self.clone() }
    }

    /// The body, parsed.
    pub fn document(&self) -> &Document {
        self.document.get_or_init(|| self.response.document())
    }

    /// The value at a place.
    pub fn at(&self, place: &Place) -> Option<Value> {
        look_up(place, &self.response, self.document()).map(Cow::into_owned)
    }

    /// Shares the body of an earlier observation that has the same one: most runs of a call answer the same, and a suite is run
    /// many times.
    pub fn share_body_of(&mut self, earlier: &Self) -> bool {
        let is_same = self.response.body == earlier.response.body
            && self.response.header("content-type") == earlier.response.header("content-type");
        if is_same {
            self.response.body = earlier.response.body.clone();
            self.document = Arc::clone(&earlier.document);
        }
        is_same
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(body: &str) -> Response {
        let headers = vec![("content-type".to_owned(), "application/json".to_owned())];
        Response { status: 200, headers, body: Payload::Text(body.into()), truncated: false }
    }

    #[test]
    fn a_body_is_parsed_once_for_all_observations_that_have_it() {
        let first = Observation::new(Step::Rerun, &response("[1, 2]"));
        let parsed: *const Document = first.document();
        let mut again = Observation::new(Step::Restart, &response("[1, 2]"));
        assert!(again.share_body_of(&first));
        assert!(std::ptr::eq(again.document(), parsed));
        assert!(std::ptr::eq(first.under(Step::Reset).document(), parsed));
        let mut other = Observation::new(Step::Rerun, &response("[2, 1]"));
        assert!(!other.share_body_of(&first));
        assert_ne!(other.document(), first.document());
    }

    #[test]
    fn the_same_text_of_another_type_is_another_document() {
        let first = Observation::new(Step::Rerun, &response("7"));
        let mut plain = response("7");
        plain.headers[0].1 = "text/plain".to_owned();
        let mut plain = Observation::new(Step::Rerun, &plain);
        assert!(!plain.share_body_of(&first));
        assert_eq!(plain.document(), &Document::Text("7".into()));
    }

    #[test]
    fn what_is_too_large_or_cut_is_neither_text_nor_empty() {
        let large = response(&"x".repeat(MAX_BODY + 1));
        let cut = Response { truncated: true, ..response("[1, 2") };
        for response in [large, cut] {
            assert!(matches!(Observation::new(Step::Rerun, &response).document(), Document::Bytes(_)));
        }
    }
}
