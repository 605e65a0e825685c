//! Keeps the head and the tail of an endless output in bounded memory.

use std::collections::VecDeque;

use crate::output::{Output, Part, Stream};

/// The overhead of a piece in bytes. It is counted, otherwise a command that alternates streams with every byte exceeds the limit.
const PIECE_COST: usize = size_of::<Piece>();
/// Pieces stay small: the tail is shortened a piece at a time.
const LARGEST_PIECE: usize = 8 * 1024;

/// The bounded output of one command. Each stream has its own limit, so a flood on one does not displace the other.
#[derive(Debug)]
pub(crate) struct Capture {
    /// How many bytes came on both streams.
    position: u64,
    stdout: Kept,
    stderr: Kept,
}

/// What is kept of one stream.
#[derive(Debug)]
struct Kept {
    head: Vec<Piece>,
    head_room: usize,
    tail: VecDeque<Piece>,
    tail_room: usize,
    dropped: u64,
}

/// Adjacent bytes of one stream, and their position among the bytes of both streams.
#[derive(Debug, Clone)]
struct Piece {
    at: u64,
    bytes: Vec<u8>,
}

impl Piece {
    fn end(&self) -> u64 {
        self.at + self.bytes.len() as u64
    }

    fn cost(&self) -> usize {
        self.bytes.len() + PIECE_COST
    }
}

impl Capture {
    /// Keeps at most `limit` bytes of each stream: half of them from its beginning, half from its end.
    pub(crate) fn new(limit: usize) -> Self {
        Self { position: 0, stdout: Kept::new(limit), stderr: Kept::new(limit) }
    }

    pub(crate) fn push(&mut self, stream: Stream, bytes: &[u8]) {
        let kept = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        for bytes in bytes.chunks(LARGEST_PIECE) {
            kept.push(self.position, bytes);
            self.position += bytes.len() as u64;
        }
    }

    /// The output so far.
    pub(crate) fn output(&self) -> Output {
        let mut parts = self.stdout.parts(Stream::Stdout);
        parts.extend(self.stderr.parts(Stream::Stderr));
        // The sort is stable: a gap stays before the piece that follows it.
        parts.sort_by_key(|(at, _)| *at);
        let mut joined: Vec<Part> = Vec::new();
        for (_, part) in parts {
            match (joined.last_mut(), part) {
                (Some(Part::Printed { stream: last, bytes }), Part::Printed { stream, bytes: more })
                    if *last == stream =>
                {
                    bytes.extend(more);
                }
                (_, part) => joined.push(part),
            }
        }
        Output::new(joined)
    }
}

impl Kept {
    fn new(limit: usize) -> Self {
        let head_room = limit / 2;
        let tail_room = limit - head_room;
        Self { head: Vec::new(), head_room, tail: VecDeque::new(), tail_room, dropped: 0 }
    }

    fn push(&mut self, at: u64, bytes: &[u8]) {
        let continues = self.head.last().is_some_and(|last| last.end() == at);
        let cost = if continues { 0 } else { PIECE_COST };
        let taken = if self.tail.is_empty() && self.dropped == 0 {
            bytes.len().min(self.head_room.saturating_sub(cost))
        } else {
            0
        };
        let (head, tail) = bytes.split_at(taken);
        if taken > 0 {
            self.head_room -= taken + cost;
            match self.head.last_mut() {
                Some(last) if continues => last.bytes.extend(head),
                _ => self.head.push(Piece { at, bytes: head.to_vec() }),
            }
        }
        if !tail.is_empty() {
            self.push_tail(at + taken as u64, tail);
        }
    }

    fn push_tail(&mut self, at: u64, bytes: &[u8]) {
        let mut cost = bytes.len();
        match self.tail.back_mut() {
            Some(last) if last.end() == at && last.bytes.len() + bytes.len() <= LARGEST_PIECE => {
                last.bytes.extend(bytes);
            }
            _ => {
                self.tail.push_back(Piece { at, bytes: bytes.to_vec() });
                cost += PIECE_COST;
            }
        }
        let mut excess = cost.saturating_sub(self.tail_room);
        self.tail_room = self.tail_room.saturating_sub(cost);
        while excess > 0 {
            let Some(first) = self.tail.front_mut() else { break };
            if first.cost() > excess && first.bytes.len() > excess {
                first.bytes.drain(..excess);
                first.at += excess as u64;
                self.dropped += excess as u64;
                excess = 0;
            } else {
                let freed = first.cost();
                self.dropped += first.bytes.len() as u64;
                self.tail.pop_front();
                self.tail_room += freed.saturating_sub(excess);
                excess = excess.saturating_sub(freed);
            }
        }
    }

    fn parts(&self, stream: Stream) -> Vec<(u64, Part)> {
        let printed = |piece: &Piece| (piece.at, Part::Printed { stream, bytes: piece.bytes.clone() });
        let mut parts: Vec<_> = self.head.iter().map(printed).collect();
        if self.dropped > 0 {
            let at = self.tail.front().map_or(u64::MAX, |piece| piece.at);
            parts.push((at, Part::Dropped { stream, bytes: self.dropped }));
        }
        parts.extend(self.tail.iter().map(printed));
        parts
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn printed(stream: Stream, text: &str) -> Part {
        Part::Printed { stream, bytes: text.as_bytes().to_vec() }
    }

    #[test]
    fn streams_keep_their_order() {
        let mut capture = Capture::new(1000);
        capture.push(Stream::Stdout, b"a");
        capture.push(Stream::Stdout, b"b");
        capture.push(Stream::Stderr, b"!");
        capture.push(Stream::Stdout, b"c");
        let expected =
            [printed(Stream::Stdout, "ab"), printed(Stream::Stderr, "!"), printed(Stream::Stdout, "c")];
        assert_eq!(capture.output().parts(), expected);
    }

    #[test]
    fn the_middle_of_a_flood_is_dropped_and_counted() {
        let mut capture = Capture::new(100_000);
        capture.push(Stream::Stderr, b"first error");
        capture.push(Stream::Stdout, b"BEGIN");
        for _ in 0..100 {
            capture.push(Stream::Stdout, &[b'.'; 30_000]);
        }
        capture.push(Stream::Stdout, b"END");
        let output = capture.output();
        let kept = output.bytes(Stream::Stdout);
        assert!(kept.starts_with(b"BEGIN.") && kept.ends_with(b".END"));
        assert!(kept.len() <= 100_000 && kept.len() > 90_000, "{}", kept.len());
        assert_eq!(output.dropped(Stream::Stdout) + kept.len() as u64, 3_000_008);
        assert_eq!(output.bytes(Stream::Stderr), b"first error");
        assert!(output.text().contains("bytes left out"));
    }

    #[test]
    fn one_byte_at_a_time_on_both_streams_stays_within_the_limit() {
        let mut capture = Capture::new(10_000);
        for _ in 0..50_000 {
            capture.push(Stream::Stdout, b"o");
            capture.push(Stream::Stderr, b"e");
        }
        let pieces = capture.stdout.head.len() + capture.stdout.tail.len();
        assert!(pieces * (PIECE_COST + 1) <= 10_000, "{pieces} pieces");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_uncounted(
            limit in 0_usize..600,
            pieces in prop::collection::vec((any::<bool>(), 0_usize..200), 0..30),
        ) {
            let mut capture = Capture::new(limit);
            let mut sent = [Vec::new(), Vec::new()];
            for (number, (error, length)) in pieces.into_iter().enumerate() {
                let bytes = vec![u8::try_from(number).unwrap(); length];
                capture.push(if error { Stream::Stderr } else { Stream::Stdout }, &bytes);
                sent[usize::from(error)].extend(bytes);
            }
            let output = capture.output();
            for (stream, sent) in [(Stream::Stdout, &sent[0]), (Stream::Stderr, &sent[1])] {
                let kept = output.bytes(stream);
                let dropped = usize::try_from(output.dropped(stream)).unwrap();
                prop_assert_eq!(kept.len() + dropped, sent.len());
                prop_assert!(kept.len() <= limit);
                // A head and a tail: the kept bytes without the dropped middle.
                let fits = (0..=kept.len()).any(|head| {
                    kept[..head] == sent[..head] && kept[head..] == sent[head + dropped..]
                });
                prop_assert!(fits);
            }
        }
    }
}
