//! A text and what it says once it is decoded, with the way back to where each byte was written.

use std::ops::Range;

/// How often a text is decoded: a URL in a JSON string in an HTML page.
const DEPTH: usize = 3;
/// Decodings of one text that are looked at.
const MOST_VIEWS: usize = 24;

/// Bytes, and where each of them stands in the text they were decoded from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct View {
    pub bytes: Vec<u8>,
    /// `None` where every byte stands for itself.
    origins: Option<Vec<(usize, usize)>>,
}

impl View {
    fn plain(bytes: &[u8]) -> Self {
        Self { bytes: bytes.to_vec(), origins: None }
    }

    /// Where bytes of the view stand in the text.
    pub fn origin(&self, range: &Range<usize>) -> Range<usize> {
        match &self.origins {
            None => range.clone(),
            Some(origins) => {
                let start = origins.get(range.start).map_or(0, |(start, _)| *start);
                let end = range
                    .end
                    .checked_sub(1)
                    .and_then(|last| origins.get(last))
                    .map_or(start, |(_, end)| *end);
                start..end
            }
        }
    }

    /// The view with what `unit` recognises at a position replaced by the bytes it stands for; `None` if there is nothing.
    fn decoded(&self, unit: Unit) -> Option<Self> {
        let first = (0..self.bytes.len()).find(|at| unit(&self.bytes[*at..], &mut Vec::new()).is_some())?;
        let mut bytes = self.bytes[..first].to_vec();
        let mut origins: Vec<(usize, usize)> = Vec::with_capacity(self.bytes.len());
        let own = |range: Range<usize>| {
            let Range { start, end } = self.origin(&range);
            (start, end)
        };
        origins.extend((0..first).map(|at| own(at..at + 1)));
        let mut at = first;
        while at < self.bytes.len() {
            let length = unit(&self.bytes[at..], &mut bytes).unwrap_or_else(|| {
                bytes.push(self.bytes[at]);
                1
            });
            origins.resize(bytes.len(), own(at..at + length));
            at += length;
        }
        Some(Self { bytes, origins: Some(origins) })
    }
}

/// Recognises one escape at the beginning of some bytes, appends what it stands for, and says how long it is.
type Unit = fn(&[u8], &mut Vec<u8>) -> Option<usize>;

/// The text as it is and in every way it can be decoded.
pub(super) fn views(text: &[u8]) -> Vec<View> {
    let mut views = vec![View::plain(text)];
    let mut from = 0;
    for _ in 0..DEPTH {
        let to = views.len();
        for index in from..to {
            for unit in [percent, form, json, html] as [Unit; 4] {
                if views.len() < MOST_VIEWS
                    && let Some(view) = views[index].decoded(unit)
                    && !views.iter().any(|known| known.bytes == view.bytes)
                {
                    views.push(view);
                }
            }
        }
        from = to;
    }
    views
}

/// `%41` (RFC 3986).
fn percent(bytes: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let [b'%', high, low, ..] = bytes else { return None };
    out.push(u8::try_from(digit(*high)? * 16 + digit(*low)?).ok()?);
    Some(3)
}

/// The same with `+` for a space, as forms write it.
fn form(bytes: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    if bytes.first() == Some(&b'+') {
        out.push(b' ');
        return Some(1);
    }
    percent(bytes, out)
}

/// `\"`, `\/`, `\u0041`, with pairs of surrogates (RFC 8259).
fn json(bytes: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    let [b'\\', kind, rest @ ..] = bytes else { return None };
    let plain = match kind {
        b'"' | b'\\' | b'/' | b'\'' => *kind,
        b'n' => b'\n',
        b'r' => b'\r',
        b't' => b'\t',
        b'b' => 8,
        b'f' => 12,
        b'u' => {
            let (character, length) = unicode(rest)?;
            out.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
            return Some(2 + length);
        }
        _ => return None,
    };
    out.push(plain);
    Some(2)
}

/// The character of the digits after a `\u`, and how many bytes they take.
fn unicode(bytes: &[u8]) -> Option<(char, usize)> {
    let unit =
        |bytes: &[u8]| bytes.get(..4)?.iter().try_fold(0, |value, byte| Some(value * 16 + digit(*byte)?));
    let first = unit(bytes)?;
    if let Some(character) = char::from_u32(first) {
        return Some((character, 4));
    }
    let second = unit(bytes.get(4..)?.strip_prefix(b"\\u")?)?;
    let pair = [u16::try_from(first).ok()?, u16::try_from(second).ok()?];
    let character = char::decode_utf16(pair).next()?.ok()?;
    Some((character, 10))
}

/// `&amp;`, `&#65;`, `&#x41;`.
fn html(bytes: &[u8], out: &mut Vec<u8>) -> Option<usize> {
    const NAMED: [(&[u8], u8); 6] =
        [(b"amp", b'&'), (b"lt", b'<'), (b"gt", b'>'), (b"quot", b'"'), (b"apos", b'\''), (b"sol", b'/')];
    let [b'&', rest @ ..] = bytes else { return None };
    let end = rest.iter().take(10).position(|byte| *byte == b';')?;
    let name = &rest[..end];
    let character = match name {
        [b'#', b'x' | b'X', digits @ ..] if !digits.is_empty() => number(digits, 16)?,
        [b'#', digits @ ..] if !digits.is_empty() => number(digits, 10)?,
        _ => char::from(NAMED.iter().find(|(known, _)| *known == name)?.1),
    };
    out.extend(character.encode_utf8(&mut [0; 4]).as_bytes());
    Some(end + 2)
}

fn number(digits: &[u8], base: u32) -> Option<char> {
    let value = digits.iter().try_fold(0_u32, |value, byte| {
        value.checked_mul(base)?.checked_add(char::from(*byte).to_digit(base)?)
    });
    char::from_u32(value?)
}

fn digit(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_escape_is_read_and_leads_back() {
        let cases = [
            ("a%2Fb", "a/b", 1..2, 1..4),
            ("a+b%3d", "a b=", 3..4, 3..6),
            (r"x\u00e9\/", "x\u{e9}/", 1..3, 1..7),
            (r"\ud83d\ude00!", "\u{1f600}!", 0..4, 0..12),
            ("&lt;&#65;&#x42;&amp;", "<AB&", 1..3, 4..15),
            (r"%5C%22", "\"", 0..1, 0..6),
            ("%2541", "A", 0..1, 0..5),
        ];
        for (text, decoded, range, origin) in cases {
            let views = views(text.as_bytes());
            let view = views.iter().find(|view| view.bytes == decoded.as_bytes());
            let view = view.unwrap_or_else(|| panic!("{text} is never read as {decoded}"));
            assert_eq!(view.origin(&range), origin, "{text}");
        }
    }

    #[test]
    fn what_is_no_escape_stays() {
        for text in ["100%", "50%-off", "a\\", "\\u12", "&copy;", "&#;", "&#xffffffffff;", "a & b;"] {
            assert_eq!(views(text.as_bytes()).len(), 1, "{text}");
        }
    }
}
