//! The placeholders of entries that could not be read.

use super::Tree;
use crate::input::removed_entries::RemovedEntries;

/// Removes the placeholders from the lists of a tree.
pub(super) fn remove_from(tree: &mut Tree) -> RemovedEntries {
    let mut removed = RemovedEntries::default();
    remove(tree, "", &mut removed);
    removed
}

fn remove(tree: &mut Tree, path: &str, removed: &mut RemovedEntries) {
    match tree {
        Tree::Object(entries) => {
            for (name, value) in entries {
                // Only lists in objects that the type knows have placeholders, and these are not nested deeply.
                if matches!(value, Tree::List(_) | Tree::Object(_)) {
                    let separator = if path.is_empty() { "" } else { "." };
                    remove(value, &format!("{path}{separator}{name}"), removed);
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
                removed.add(path, indexes);
            }
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn placeholders_leave_their_lists_and_are_remembered() {
        let items = [true, false, true, false].map(|is_placeholder| match is_placeholder {
            true => Tree::Anything,
            false => Tree::Unsigned(1),
        });
        let list = Tree::Object(vec![("b".to_owned(), Tree::List(items.into()))]);
        let mut tree = Tree::Object(vec![("a".to_owned(), list)]);
        let removed = remove_from(&mut tree);
        assert!(removed.has("a.b") && !removed.has("a"));
        let Tree::Object(entries) = tree else {
            panic!("the tree is an object");
        };
        let Some((_, Tree::Object(inner))) = entries.into_iter().next() else {
            panic!("it has the inner object");
        };
        assert!(matches!(inner.as_slice(), [(_, Tree::List(rest))] if rest.len() == 2));
    }
}
