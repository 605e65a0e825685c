//! What the document promises of responses, for the relaxation of assertions.

use steady_flaky::relax::{Described, Schema};
use steady_model::{OperationId, Response};

use crate::catalog::Catalog;

/// The schemas of a catalog.
#[derive(Debug, Clone, Copy)]
pub struct Documented<'a>(pub &'a Catalog);

impl Described for Documented<'_> {
    fn schema(&self, operation: &OperationId, response: &Response) -> Option<Schema<'_>> {
        let (_, endpoint) =
            self.0.endpoints().iter().find(|(_, endpoint)| endpoint.operation.id == *operation)?;
        let described = endpoint.operation.response(response.status)?;
        let media_type = response.media_type()?;
        let content =
            described.content.iter().find(|content| content.name.eq_ignore_ascii_case(&media_type))?;
        Some(Schema { root: &content.schema.as_ref()?.0, definitions: self.0.definitions() })
    }
}
