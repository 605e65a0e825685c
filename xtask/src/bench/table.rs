//! Tables in Markdown that are also readable as they stand.

/// A table whose columns are as wide as their widest cell; all but the first two are numbers, so to the right.
pub fn render(header: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([header[column].chars().count(), 3]).max().unwrap_or(3)
    };
    let widths: Vec<usize> = (0..header.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let cells = cells.zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column < 2 { format!(" {cell:<width$} ") } else { format!(" {cell:>width$} ") }
        });
        format!("|{}|\n", cells.collect::<Vec<_>>().join("|"))
    };
    let rule = widths.iter().enumerate().map(|(column, width)| {
        if column < 2 { format!(" {} ", "-".repeat(*width)) } else { format!(" {}: ", "-".repeat(width - 1)) }
    });
    let mut table = line(&mut header.iter().copied());
    table.push_str(&format!("|{}|\n", rule.collect::<Vec<_>>().join("|")));
    for row in rows {
        table.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_align_and_numbers_stand_to_the_right() {
        let rows = vec![
            vec!["Kinto".to_owned(), "steady".to_owned(), "44".to_owned()],
            vec!["Kinto".to_owned(), "a peer".to_owned(), "1,044".to_owned()],
        ];
        let expected = "\
| service | tool   |   ops |
| ------- | ------ | ----: |
| Kinto   | steady |    44 |
| Kinto   | a peer | 1,044 |
";
        assert_eq!(render(&["service", "tool", "ops"], &rows), expected);
    }
}
