//! Comma-separated values (RFC 4180).

pub fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{}\"", text.replace('"', "\"\""));
    }
    text.to_owned()
}

/// Only rows that end: a last one without a line break was torn off.
pub fn rows(text: &str) -> Vec<Vec<String>> {
    let (mut rows, mut row, mut cell) = (Vec::new(), Vec::new(), String::new());
    let mut quoted = false;
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        match (character, quoted) {
            ('"', true) if characters.peek() == Some(&'"') => {
                characters.next();
                cell.push('"');
            }
            ('"', _) => quoted = !quoted,
            (',', false) => row.push(std::mem::take(&mut cell)),
            ('\n', false) => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            ('\r', false) => {}
            _ => cell.push(character),
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let cells = ["a", "", "b,c", "say \"x\"", "two\nlines"];
        let line = cells.map(cell).join(",") + "\n";
        assert_eq!(rows(&line), [cells.map(str::to_owned)]);
    }

    #[test]
    fn a_torn_row_is_left_out() {
        assert_eq!(rows("a,b\nc,").len(), 1);
        assert_eq!(rows("a,b\nc,\"d\n").len(), 1);
    }
}
