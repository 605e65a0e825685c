//! How alike two lines of code are: the cosine of their tf-idf vectors, as TRaf computes it.

use std::collections::BTreeMap;

use super::corpus::Source;
use super::words::{KEYWORDS, all_words, words};
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
        let table = table(&vocabulary);
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

/// Words by their hashes, since every word of every line is looked up; the words of the language have no place.
fn table(vocabulary: &[&str]) -> Vec<(u64, Option<usize>)> {
    let words = vocabulary.iter().enumerate().map(|(index, word)| (hash(word), Some(index)));
    let mut table: Vec<_> = words.chain(KEYWORDS.iter().map(|word| (hash(word), None))).collect();
    table.sort_unstable();
    table
}

/// FNV-1a.
fn hash(word: &str) -> u64 {
    word.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// How many lines a file has, and how many of them have each word.
fn count(
    file: &Source,
    table: &[(u64, Option<usize>)],
    vocabulary: usize,
    left_out: Option<usize>,
) -> (usize, Vec<usize>) {
    let mut documents = 0;
    let mut having = vec![0; vocabulary];
    let mut last_seen = vec![usize::MAX; vocabulary];
    for (index, line) in file.text.lines().enumerate() {
        if Some(index + 1) == left_out {
            continue;
        }
        let mut is_empty = true;
        for word in all_words(line) {
            let hash = hash(word);
            match table.binary_search_by_key(&hash, |entry| entry.0).map(|found| table[found].1) {
                Ok(Some(place)) => {
                    is_empty = false;
                    if last_seen[place] != index {
                        last_seen[place] = index;
                        having[place] += 1;
                    }
                }
                Ok(None) => {}
                Err(_) => is_empty = false,
            }
        }
        documents += usize::from(!is_empty);
    }
    (documents, having)
}
