//! Case-insensitive search for a text inside others.
//!
//! The database converts both sides to lower case, so that a text always contains itself. SQLite converts only ASCII
//! letters; PostgreSQL also others, depending on its locale.

use crate::database::values::storable;

diesel::define_sql_function! {
    /// SQL `LOWER`.
    fn lower(text: diesel::sql_types::Text) -> diesel::sql_types::Text;
}

/// The escape character of [`containing`].
pub(super) const ESCAPE: char = '\\';

/// The `LIKE` pattern that matches texts that contain `text`.
pub(super) fn containing(text: &str) -> String {
    let text = storable(text);
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for letter in text.chars() {
        if matches!(letter, '%' | '_' | ESCAPE) {
            pattern.push(ESCAPE);
        }
        pattern.push(letter);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wildcards_in_a_text_are_letters() {
        assert_eq!(containing("50%_a\\B"), "%50\\%\\_a\\\\B%");
    }
}
