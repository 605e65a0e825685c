//! Bodies of answers: whole, or in pieces spread over a time.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use hyper::body::{Body, Frame, SizeHint};
use tokio::time::{Sleep, sleep};

use crate::mapping::Dribble;

/// The body of an answer.
#[derive(Debug)]
pub(crate) enum AnswerBody {
    Whole(Option<Bytes>),
    Dribble { pieces: VecDeque<Bytes>, pause: Duration, waiting: Option<Pin<Box<Sleep>>> },
}

/// How many pieces a body is cut into at most.
const MOST_PIECES: usize = 10_000;

impl AnswerBody {
    /// These bytes at once.
    pub(crate) fn whole(bytes: impl Into<Bytes>) -> Self {
        Self::Whole(Some(bytes.into()).filter(|bytes| !bytes.is_empty()))
    }

    /// These bytes in pieces, each after a pause.
    pub(crate) fn dribble(bytes: &Bytes, dribble: Dribble) -> Self {
        let count = (dribble.number_of_chunks as usize).clamp(1, bytes.len().clamp(1, MOST_PIECES));
        let bound = |piece: usize| bytes.len() * piece / count;
        let pieces = (0..count).map(|piece| bytes.slice(bound(piece)..bound(piece + 1))).collect();
        let pause = Duration::from_millis(dribble.total_duration) / u32::try_from(count).unwrap_or(1);
        Self::Dribble { pieces, pause, waiting: None }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.get_mut() {
            Self::Whole(bytes) => Poll::Ready(bytes.take().map(|bytes| Ok(Frame::data(bytes)))),
            Self::Dribble { pieces, .. } if pieces.is_empty() => Poll::Ready(None),
            Self::Dribble { pieces, pause, waiting } => {
                let sleeping = waiting.get_or_insert_with(|| Box::pin(sleep(*pause)));
                if sleeping.as_mut().poll(context).is_pending() {
                    return Poll::Pending;
                }
                *waiting = None;
                Poll::Ready(pieces.pop_front().map(|piece| Ok(Frame::data(piece))))
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        match self {
            Self::Whole(bytes) => bytes.is_none(),
            Self::Dribble { pieces, .. } => pieces.is_empty(),
        }
    }

    fn size_hint(&self) -> SizeHint {
        SizeHint::with_exact(match self {
            Self::Whole(bytes) => bytes.as_ref().map_or(0, Bytes::len) as u64,
            Self::Dribble { pieces, .. } => pieces.iter().map(Bytes::len).sum::<usize>() as u64,
        })
    }
}
