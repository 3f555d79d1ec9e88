//! Entries of lists that could not be read.

use api_types::problem::FieldError;

/// Entries that were removed from lists, because they could not be read. The others are validated without them.
#[derive(Debug, Default)]
pub(super) struct RemovedEntries(Vec<(String, Vec<usize>)>);

impl RemovedEntries {
    /// Adds the indexes that were removed from the list at a path, in ascending order.
    pub(super) fn add(&mut self, list: &str, indexes: Vec<usize>) {
        self.0.push((list.to_owned(), indexes));
    }

    /// Whether nothing was removed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether entries of the list at this path were removed.
    pub(super) fn has(&self, path: &str) -> bool {
        self.0.iter().any(|(list, _)| list == path)
    }

    /// An error of an entry, with the index that the entry has in the request.
    pub(super) fn renumbered(&self, mut error: FieldError) -> FieldError {
        let found = self.0.iter().find_map(|(list, removed)| {
            let rest = error.field.strip_prefix(list.as_str())?.strip_prefix('[')?;
            let (number, after) = rest.split_once(']')?;
            let index: usize = number.parse().ok()?;
            let index = removed.iter().fold(index, |index, removed| {
                index + usize::from(*removed <= index)
            });
            Some(format!("{list}[{index}]{after}"))
        });
        if let Some(field) = found {
            error.field = field;
        }
        error
    }
}

#[cfg(test)]
mod tests {
    use httpkit::problem::{FieldCode, field_error};

    use super::*;

    #[test]
    fn entries_have_the_index_of_the_request() {
        let mut removed = RemovedEntries::default();
        removed.add("a.b", vec![0, 2, 3]);
        assert!(removed.has("a.b") && !removed.has("a"));
        let renumbered = |field: &str| {
            removed
                .renumbered(field_error(FieldCode::Invalid, field, ""))
                .field
        };
        assert_eq!(renumbered("a.b[0]"), "a.b[1]");
        assert_eq!(renumbered("a.b[1].x"), "a.b[4].x");
        assert_eq!(renumbered("a.b[2]"), "a.b[5]");
        assert_eq!(renumbered("a.c[0]"), "a.c[0]");
        assert_eq!(renumbered("a.b"), "a.b");
    }
}
