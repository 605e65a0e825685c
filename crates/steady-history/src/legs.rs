//! The walk along a folder's own past. It goes in legs: after each, those who follow the files that came from elsewhere are told how far
//! it is and which files came.

use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc;
use std::thread;

use crate::HistoryError;
use crate::arrivals::{Newcomers, newcomers};
use crate::beside;
use crate::gather::{Errand, Harvest};
use crate::moment::Moment;
use crate::requests::Requests;
use crate::walk::{Walked, walk};

/// So many commits are a leg. Always as many, so that the same is found every time.
const LEG: usize = 500;

/// A leg that was gone.
pub(crate) struct Leg {
    /// Where it ended.
    pub(crate) end: Moment,
    /// The files that came on it.
    pub(crate) new: Newcomers,
}

/// Walks the route of an errand to its end, and beside it follows the files that came from elsewhere.
pub(crate) fn walk_legs(
    harvest: &mut Harvest,
    errand: &Errand<'_>,
    ask: &Requests,
) -> Result<Walked, HistoryError> {
    let (tell, legs) = mpsc::channel();
    let (walked, found) = thread::scope(|scope| {
        let beside = scope.spawn(move || beside::follow(legs, errand, ask));
        let mut known = 0;
        let mut end = Moment::LAST;
        let mut tell_of = |harvest: &mut Harvest, end| {
            let new = newcomers(harvest, known);
            known = harvest.edges.len();
            // One that has ended, in time or not, has said why.
            let _ = tell.send(Leg { end, new });
        };
        let walked = walk(errand.git, &errand.route, errand.deadline, |commit, number| {
            harvest.take_in(&commit, number, errand, errand.wanted, ask);
            end = Moment::of(&commit, number);
            if number.is_multiple_of(LEG) {
                tell_of(harvest, end);
            }
            ControlFlow::Continue(())
        });
        let is_cut = walked.as_ref().is_ok_and(|walked| walked.more);
        tell_of(harvest, if is_cut { end } else { Moment::LAST });
        drop(tell);
        (walked, beside.join().unwrap_or_else(|panic| resume_unwind(panic)))
    });
    let (mut walked, mut found) = (walked?, found?);
    walked.in_time &= found.in_time;
    walked.problem = walked.problem.or(found.problem.take());
    harvest.take_in_found(found, errand, ask);
    Ok(walked)
}
