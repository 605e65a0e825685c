//! A longer value, for slower machines.

/// The value times the margin, rounded up to a step that suits its size: 5, 10, 50 or 100 ms. A margin of 1 or less changes nothing.
pub fn with_margin(ms: u64, margin: f64) -> u64 {
    if !(margin.is_finite() && margin > 1.0) {
        return ms;
    }
    // Casts of floats to integers saturate.
    let longer = (ms as f64 * margin).ceil() as u64;
    let step = match longer {
        0..50 => 5,
        50..200 => 10,
        200..1000 => 50,
        _ => 100,
    };
    longer.checked_next_multiple_of(step).unwrap_or(longer)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_rounded_up_to_steps_of_their_size() {
        let longer = [(0, 0), (3, 5), (40, 60), (179, 300), (500, 750), (1000, 1500), (1333, 2000)];
        for (ms, expected) in longer {
            assert_eq!(with_margin(ms, 1.5), expected, "{ms}");
        }
    }

    #[test]
    fn a_margin_of_one_keeps_the_value() {
        for margin in [1.0, 0.5, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(with_margin(177, margin), 177, "{margin}");
        }
        assert_eq!(with_margin(u64::MAX, 1.5), u64::MAX);
    }
}
