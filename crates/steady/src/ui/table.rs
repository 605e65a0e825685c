//! Figures in two columns.

/// A line per figure: its name, then its value, aligned at the right.
pub fn figures_table(rows: &[(&str, String)]) -> String {
    let width = |text: &str| text.chars().count();
    let names = rows.iter().map(|(name, _)| width(name)).max().unwrap_or_default();
    let values = rows.iter().map(|(_, value)| width(value)).max().unwrap_or_default();
    rows.iter().map(|(name, value)| format!("  {name:<names$}  {value:>values$}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_aligned_at_the_left_and_values_at_the_right() {
        let rows = [("requests", "1,234".to_owned()), ("tests", "41".to_owned())];
        assert_eq!(figures_table(&rows), "  requests  1,234\n  tests        41\n");
    }
}
