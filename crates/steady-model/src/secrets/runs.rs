//! Base64 inside of other text, wherever it begins and however it is padded.

use std::ops::Range;

/// Fewer characters hold no secret that is looked for.
const LEAST: usize = 11;

/// Characters of base64 and base64url that follow each other.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Run {
    /// All of them, padding included.
    pub whole: Range<usize>,
    /// The parts between slashes, if there are slashes: it may be a path as well.
    pub segments: Vec<Range<usize>>,
}

impl Run {
    /// What is left of the run beside some of its segments, which are in order.
    pub fn without(&self, segments: &[Range<usize>]) -> Vec<Range<usize>> {
        let starts = std::iter::once(self.whole.start).chain(segments.iter().map(|segment| segment.end));
        let ends = segments.iter().map(|segment| segment.start).chain([self.whole.end]);
        starts.zip(ends).map(|(start, end)| start..end).filter(|rest| rest.len() >= LEAST).collect()
    }
}

/// The runs that are long enough to hold a secret.
pub(super) fn runs(bytes: &[u8]) -> Vec<Run> {
    let mut runs = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        if sextet(bytes[at]).is_none() {
            at += 1;
            continue;
        }
        let length = bytes[at..].iter().take_while(|byte| sextet(**byte).is_some()).count();
        let run = at..at + length;
        at = run.end;
        if length < LEAST {
            continue;
        }
        let padding = bytes[at..].iter().take(2).take_while(|byte| **byte == b'=').count();
        let mut segments = Vec::new();
        let mut start = run.start;
        for segment in bytes[run.clone()].split(|byte| *byte == b'/') {
            if segment.len() >= LEAST && segment.len() < length {
                let end = start + segment.len();
                segments.push(start..if end == run.end { end + padding } else { end });
            }
            start += segment.len() + 1;
        }
        runs.push(Run { whole: run.start..run.end + padding, segments });
    }
    runs
}

/// What a run says, read from each place where it may begin.
pub(super) fn readings(run: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    let length = run.iter().take_while(|byte| sextet(**byte).is_some()).count();
    (0..4).map(move |skipped| decode(run.get(skipped..length).unwrap_or_default()))
}

fn decode(characters: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(characters.len() * 3 / 4);
    for group in characters.chunks(4) {
        let bits = group.iter().fold(0_u32, |bits, byte| bits << 6 | u32::from(sextet(*byte).unwrap_or(0)));
        let bits = bits << (6 * (4 - group.len()));
        let [_, whole @ ..] = bits.to_be_bytes();
        bytes.extend(&whole[..group.len() * 6 / 8]);
    }
    bytes
}

fn sextet(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' | b'-' => 62,
        b'/' | b'_' => 63,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_where_the_alphabet_ends_and_keep_their_padding() {
        let text = b"Basic YWxpY2U6cGFzc3dvcmQ=, x";
        assert_eq!(runs(text), [Run { whole: 6..26, segments: Vec::new() }]);
        let [run] = &runs(b"/v1/YWxpY2U6cGFzc3c/eHl6eHl6eHl6/x")[..] else { panic!("one run") };
        assert_eq!((&run.whole, &run.segments[..]), (&(0..34), &[4..19, 20..32][..]));
        assert_eq!(run.without(&run.segments), Vec::new());
        let rest = run.without(&run.segments[..1]);
        assert_eq!((rest.len(), rest.first()), (1, Some(&(19..34))));
        assert_eq!(runs(b"tooShort=="), []);
    }

    #[test]
    fn a_run_is_read_from_wherever_it_may_begin() {
        let said: Vec<Vec<u8>> = readings(b"--YWxpY2U6cGFzc3dvcmQ=").collect();
        assert!(said.iter().any(|said| said == b"alice:password"), "{said:?}");
    }
}
