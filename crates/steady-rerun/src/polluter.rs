//! Finds the few tests, of many that ran before, which decide another test's outcome.
//!
//! Delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating Failure-Inducing Input", 2002, figure 2): halves
//! first, so that a single polluter among n tests costs about 2 log₂ n tries; finer pieces and their complements when
//! several act together.

/// The fewest of `before`, in their order, that still provoke what all of them provoke together.
///
/// `provokes` is asked about ever smaller lists; `None` when the whole list does not provoke it.
pub fn minimal<T: Clone, E>(
    before: &[T],
    mut provokes: impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<Vec<T>>, E> {
    if !provokes(before)? {
        return Ok(None);
    }
    let mut kept = before.to_vec();
    let mut pieces = 2;
    while kept.len() >= 2 {
        match smaller(&kept, pieces, &mut provokes)? {
            Some((fewer, pieces_then)) => (kept, pieces) = (fewer, pieces_then),
            None if pieces >= kept.len() => break,
            None => pieces = (pieces * 2).min(kept.len()),
        }
    }
    Ok(Some(kept))
}

/// A piece of the list, or the list without one, that provokes it; and into how many pieces to cut that.
fn smaller<T: Clone, E>(
    kept: &[T],
    pieces: usize,
    provokes: &mut impl FnMut(&[T]) -> Result<bool, E>,
) -> Result<Option<(Vec<T>, usize)>, E> {
    let bounds: Vec<(usize, usize)> =
        (0..pieces).map(|piece| (kept.len() * piece / pieces, kept.len() * (piece + 1) / pieces)).collect();
    // The nearest tests are tried first: they are the polluter most often.
    for &(from, to) in bounds.iter().rev() {
        if provokes(&kept[from..to])? {
            return Ok(Some((kept[from..to].to_vec(), 2)));
        }
    }
    if pieces > 2 {
        for &(from, to) in &bounds {
            let rest: Vec<T> = kept[..from].iter().chain(&kept[to..]).cloned().collect();
            if provokes(&rest)? {
                return Ok(Some((rest, (pieces - 1).max(2))));
            }
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::convert::Infallible;

    use proptest::prelude::*;

    use super::*;

    fn find(before: &[u32], culprits: &[u32]) -> (Option<Vec<u32>>, usize) {
        let mut tries = 0;
        let found = minimal(before, |list| {
            tries += 1;
            Ok::<_, Infallible>(culprits.iter().all(|culprit| list.contains(culprit)))
        });
        (found.unwrap(), tries)
    }

    #[test]
    fn one_polluter_among_a_thousand_takes_few_tries() {
        let before: Vec<u32> = (0..1_000).collect();
        for culprit in [0, 1, 499, 500, 998, 999] {
            let (found, tries) = find(&before, &[culprit]);
            assert_eq!(found, Some(vec![culprit]));
            assert!(tries <= 22, "{tries} tries for {culprit}");
        }
    }

    #[test]
    fn nothing_is_found_where_nothing_provokes() {
        assert_eq!(find(&[1, 2, 3], &[4]).0, None);
    }

    #[test]
    fn a_test_that_fails_by_itself_needs_no_polluter() {
        assert_eq!(find(&[], &[]).0, Some(vec![]));
    }

    proptest! {
        #[test]
        fn several_that_act_together_are_all_found(
            length in 1_u32..40,
            picks in proptest::collection::vec(0_u32..40, 1..5),
        ) {
            let before: Vec<u32> = (0..length).collect();
            let culprits: BTreeSet<u32> = picks.into_iter().map(|pick| pick % length).collect();
            let culprits: Vec<u32> = culprits.into_iter().collect();
            prop_assert_eq!(find(&before, &culprits).0, Some(culprits));
        }
    }
}
