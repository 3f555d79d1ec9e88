//! Texts that are cut off.

/// The first characters of a text, with an ellipsis if there are more.
pub(crate) fn shortened(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", text.split_at(end).0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_cut_between_characters() {
        assert_eq!(shortened("übung", 5), "übung");
        assert_eq!(shortened("übungen", 1), "ü…");
    }
}
