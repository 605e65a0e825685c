//! The walk along a folder's own past. It goes in batches: after each, those who follow the files that came from elsewhere are told how far
//! it is and which files came.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use crate::HistoryError;
use crate::rename::rename_follower;
use crate::rename::source::{AddedFiles, added_since};
use crate::walk::commit_time::CommitTime;
use crate::walk::requests::BlobRequests;
use crate::walk::result::{WalkRequest, WalkResult};
use crate::walk::route::{Walked, walk};

/// So many commits are a batch. Always as many, so that the same is found every time.
const BATCH: usize = 500;

/// A batch that was gone.
pub(crate) struct Batch {
    /// Where it ended.
    pub(crate) end: CommitTime,
    /// The files that came on it.
    pub(crate) new: AddedFiles,
}

/// Walks the route of a request to its end, and beside it follows the files that came from elsewhere.
pub(crate) fn walk_in_batches(
    result: &mut WalkResult,
    request: &WalkRequest<'_>,
    ask: &BlobRequests,
) -> Result<Walked, HistoryError> {
    let (tell, batches) = mpsc::channel();
    let (walked, found) = thread::scope(|scope| {
        let follower = scope.spawn(move || rename_follower::follow(batches, request, ask));
        let mut known = 0;
        let mut end = CommitTime::LAST;
        let mut tell_of = |result: &mut WalkResult, end| {
            let new = added_since(result, known);
            known = result.edges.len();
            // One that has ended, in time or not, has said why.
            let _ = tell.send(Batch { end, new });
        };
        let walked = walk(request.git, &request.route, request.deadline, |commit, number| {
            result.take_in(&commit, number, request, request.wanted, ask);
            end = CommitTime::of(&commit, number);
            if number.is_multiple_of(BATCH) {
                tell_of(result, end);
            }
            ControlFlow::Continue(())
        });
        let is_cut = walked.as_ref().is_ok_and(|walked| walked.more);
        tell_of(result, if is_cut { end } else { CommitTime::LAST });
        drop(tell);
        (walked, follower.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (mut walked, mut found) = (walked?, found?);
    walked.in_time &= found.in_time;
    walked.problem = walked.problem.or(found.problem.take());
    result.take_in_found(found, request, ask);
    Ok(walked)
}
