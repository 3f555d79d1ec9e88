//! Entries of lists that could not be read.

use api_types::problem::FieldError;

use super::Tree;

/// Entries that were removed from lists, because they could not be read. The others are validated without them.
#[derive(Debug, Default)]
pub(in crate::input) struct RemovedEntries(Vec<(String, Vec<usize>)>);

impl RemovedEntries {
    /// Removes the placeholders from the lists of a tree.
    pub(super) fn remove_from(tree: &mut Tree) -> Self {
        let mut removed = Self::default();
        removed.remove(tree, "");
        removed
    }

    fn remove(&mut self, tree: &mut Tree, path: &str) {
        match tree {
            Tree::Object(entries) => {
                for (name, value) in entries {
                    // Only lists in objects that the type knows have placeholders, and these are not nested deeply.
                    if matches!(value, Tree::List(_) | Tree::Object(_)) {
                        let separator = if path.is_empty() { "" } else { "." };
                        self.remove(value, &format!("{path}{separator}{name}"));
                    }
                }
            }
            Tree::List(items) => {
                let is_placeholder = |item: &Tree| matches!(item, Tree::Anything);
                let indexes = items.iter().enumerate();
                let indexes = indexes.filter(|(_, item)| is_placeholder(item));
                let indexes: Vec<usize> = indexes.map(|(index, _)| index).collect();
                if !indexes.is_empty() {
                    items.retain(|item| !is_placeholder(item));
                    self.0.push((path.to_owned(), indexes));
                }
            }
            _ => {}
        }
    }

    /// Whether nothing was removed.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether entries of the list at this path were removed.
    pub(in crate::input) fn has(&self, path: &str) -> bool {
        self.0.iter().any(|(list, _)| list == path)
    }

    /// An error of an entry, with the index that the entry has in the request.
    pub(in crate::input) fn renumbered(&self, mut error: FieldError) -> FieldError {
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
        let placeholders = [0, 2, 3];
        let items = (0..6).map(|index| match placeholders.contains(&index) {
            true => Tree::Anything,
            false => Tree::Unsigned(1),
        });
        let list = Tree::Object(vec![("b".to_owned(), Tree::List(items.collect()))]);
        let mut tree = Tree::Object(vec![("a".to_owned(), list)]);
        let removed = RemovedEntries::remove_from(&mut tree);
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
