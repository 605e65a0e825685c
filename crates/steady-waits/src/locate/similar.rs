//! How alike two lines of code are: the cosine of their tf-idf vectors, as TRaf computes it.

use std::collections::BTreeMap;

use super::corpus::Source;
use super::words::{KEYWORDS, words};
use crate::scripts::on_all_cores;

/// The lines of a folder as documents, and a place in it as the query.
#[derive(Debug)]
pub(crate) struct Space {
    /// How telling a word is.
    weights: BTreeMap<String, f64>,
    query: BTreeMap<String, f64>,
    norm: f64,
}

impl Space {
    /// The space of some files; the query is a line of one of them with its two neighbours. Only words that the query or a line
    /// with a time has are weighed.
    pub(crate) fn new(files: &[&Source], place: &Source, line: usize, candidates: &[&str]) -> Self {
        let asked: Vec<&str> =
            (line.saturating_sub(1)..=line + 1).flat_map(|line| words(place.line(line))).collect();
        let vocabulary = asked.iter().copied().chain(candidates.iter().flat_map(|text| words(text)));
        let mut vocabulary: Vec<&str> = vocabulary.collect();
        vocabulary.sort_unstable();
        vocabulary.dedup();
        let table = Table::new(&vocabulary);
        let counted = on_all_cores(files, |file| {
            count(file, &table, vocabulary.len(), std::ptr::eq(*file, place).then_some(line))
        });
        let documents: usize = counted.iter().map(|(documents, _)| documents).sum();
        let weights = vocabulary.iter().enumerate().map(|(index, word)| {
            let having: usize = counted.iter().map(|(_, having)| having[index]).sum();
            ((*word).to_owned(), (documents.max(1) as f64 / having.max(1) as f64).ln())
        });
        let mut space = Self { weights: weights.collect(), query: BTreeMap::new(), norm: 0.0 };
        let query = space.vector(asked.into_iter());
        (space.query, space.norm) = query;
        space
    }

    /// How alike a line is to the query, between 0 and 1.
    pub(crate) fn similarity(&self, line: &str) -> f64 {
        let (vector, norm) = self.vector(words(line));
        let product: f64 =
            vector.iter().filter_map(|(word, weight)| Some(self.query.get(word)? * weight)).sum();
        if norm * self.norm > 0.0 { product / (norm * self.norm) } else { 0.0 }
    }

    fn vector<'a>(&self, words: impl Iterator<Item = &'a str>) -> (BTreeMap<String, f64>, f64) {
        let mut counts: BTreeMap<&str, f64> = BTreeMap::new();
        let mut all = 0.0;
        for word in words {
            *counts.entry(word).or_default() += 1.0;
            all += 1.0;
        }
        let weighed = counts.into_iter().filter_map(|(word, count)| {
            self.weights.get(word).map(|weight| (word.to_owned(), count / all * weight))
        });
        let vector: BTreeMap<String, f64> = weighed.collect();
        let norm = vector.values().map(|weight| weight * weight).sum::<f64>().sqrt();
        (vector, norm)
    }
}

/// Words by their hashes, since every word of every line is looked up.
struct Table {
    /// The words of the language have no place.
    words: Vec<(u64, Option<usize>)>,
    /// Whether a word may be there, by the end of its hash: most words are not.
    may_have: Vec<bool>,
}

/// What a table knows of a word.
enum Known {
    Word(usize),
    Keyword,
    Nothing,
}

impl Table {
    const ENDS: u64 = 1 << 14;

    fn new(vocabulary: &[&str]) -> Self {
        let words = vocabulary.iter().enumerate().map(|(index, word)| (hash(word), Some(index)));
        let mut words: Vec<_> = words.chain(KEYWORDS.iter().map(|word| (hash(word), None))).collect();
        words.sort_unstable();
        let mut may_have = vec![false; Self::ENDS as usize];
        for (hash, _) in &words {
            may_have[(hash % Self::ENDS) as usize] = true;
        }
        Self { words, may_have }
    }

    fn find(&self, hash: u64) -> Known {
        if !self.may_have[(hash % Self::ENDS) as usize] {
            return Known::Nothing;
        }
        match self.words.binary_search_by_key(&hash, |entry| entry.0).map(|found| self.words[found].1) {
            Ok(Some(place)) => Known::Word(place),
            Ok(None) => Known::Keyword,
            Err(_) => Known::Nothing,
        }
    }
}

/// Where FNV-1a begins.
const SEED: u64 = 0xcbf2_9ce4_8422_2325;

fn hash(word: &str) -> u64 {
    word.bytes().fold(SEED, hashed)
}

fn hashed(hash: u64, byte: u8) -> u64 {
    (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
}

/// The hashes of the words of a line, in one pass: words are made of the same signs as in [`words`].
fn hashes(line: &str) -> impl Iterator<Item = u64> {
    let mut bytes = line.bytes();
    std::iter::from_fn(move || {
        let first = bytes.find(|byte| is_part(*byte))?;
        let mut word = hashed(SEED, first);
        // The sign behind a word is none of the next.
        for byte in bytes.by_ref().take_while(|byte| is_part(*byte)) {
            word = hashed(word, byte);
        }
        Some(word)
    })
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'$') || byte >= 0x80
}

/// How many lines a file has, and how many of them have each word.
fn count(file: &Source, table: &Table, vocabulary: usize, left_out: Option<usize>) -> (usize, Vec<usize>) {
    let mut documents = 0;
    let mut having = vec![0; vocabulary];
    let mut last_seen = vec![usize::MAX; vocabulary];
    for (index, line) in file.text.lines().enumerate() {
        if Some(index + 1) == left_out {
            continue;
        }
        let mut is_empty = true;
        for hash in hashes(line) {
            let known = table.find(hash);
            is_empty &= matches!(known, Known::Keyword);
            if let Known::Word(place) = known
                && last_seen[place] != index
            {
                last_seen[place] = index;
                having[place] += 1;
            }
        }
        documents += usize::from(!is_empty);
    }
    (documents, having)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::locate::words::all_words;

    #[test]
    fn hashes_are_those_of_the_words() {
        for line in ["await wait(1_000); // größer", "", "  ", "a", "$a.b_c", "é(ü)", "x=>y"] {
            assert_eq!(
                hashes(line).collect::<Vec<_>>(),
                all_words(line).map(hash).collect::<Vec<_>>(),
                "{line}"
            );
        }
    }

    #[test]
    fn lines_are_counted_once_for_each_of_their_words() {
        let text = "wait(wait, 5)\nreturn await\nother(5)\nwait\n".to_owned();
        let file = Source { path: "a.js".into(), text, waits: Vec::new() };
        let vocabulary = ["5", "wait"];
        assert_eq!(count(&file, &Table::new(&vocabulary), 2, None), (3, vec![2, 2]));
        assert_eq!(count(&file, &Table::new(&vocabulary), 2, Some(4)), (2, vec![2, 1]));
    }
}
