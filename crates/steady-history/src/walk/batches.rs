//! Walks the folder's own commits in batches. After each batch the rename follower receives the position and the files
//! added in it.

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

/// The number of commits in a batch. It is fixed, so every run finds the same.
const BATCH: usize = 500;

/// A finished batch.
pub(crate) struct Batch {
    /// Its last position.
    pub(crate) end: CommitTime,
    /// The files added in it.
    pub(crate) new: AddedFiles,
}

/// Walks the requested route to its end while another thread follows renames.
pub(crate) fn walk_in_batches(
    result: &mut WalkResult,
    request: &WalkRequest<'_>,
    ask: &BlobRequests,
) -> Result<Walked, HistoryError> {
    let (sender, batches) = mpsc::channel();
    let (walked, found) = thread::scope(|scope| {
        let follower = scope.spawn(move || rename_follower::follow(batches, request, ask));
        let mut known = 0;
        let mut end = CommitTime::LAST;
        let mut send_batch = |result: &mut WalkResult, end| {
            let new = added_since(result, known);
            known = result.edges.len();
            // The send fails only when the follower has returned, and its result says why.
            let _ = sender.send(Batch { end, new });
        };
        let walked = walk(request.git, &request.route, request.deadline, |commit, number| {
            result.take_in(&commit, number, request, request.wanted, ask);
            end = CommitTime::of(&commit, number);
            if number.is_multiple_of(BATCH) {
                send_batch(result, end);
            }
            ControlFlow::Continue(())
        });
        let is_cut = walked.as_ref().is_ok_and(|walked| walked.more);
        send_batch(result, if is_cut { end } else { CommitTime::LAST });
        drop(sender);
        (walked, follower.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (mut walked, mut found) = (walked?, found?);
    walked.in_time &= found.in_time;
    walked.problem = walked.problem.or(found.problem.take());
    result.take_in_found(found, request, ask);
    Ok(walked)
}
