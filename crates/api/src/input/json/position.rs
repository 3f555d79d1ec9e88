//! The position of a field in the request, by which errors are ordered.

use super::{MAX_NAME_CHARS, Tree};

/// The position of the field at a path, as indexes from the root on. A field that is not in the request is after all
/// others of its object.
pub(super) fn of(tree: &Tree, field: &str) -> Vec<usize> {
    let mut position = Vec::new();
    let (mut tree, mut rest) = (tree, field);
    loop {
        let Some((index, inner, after)) = step(tree, rest) else {
            position.push(usize::MAX);
            return position;
        };
        position.push(index);
        match after {
            "" => return position,
            after => (tree, rest) = (inner, after),
        }
    }
}

/// The first entry on a path: its index, its value, and the path that remains.
fn step<'t, 'p>(tree: &'t Tree, path: &'p str) -> Option<(usize, &'t Tree, &'p str)> {
    match tree {
        Tree::Object(entries) => {
            let path = path.strip_prefix('.').unwrap_or(path);
            let mut entries = entries.iter().enumerate();
            entries.find_map(|(index, (name, value))| {
                let after = path.strip_prefix(shown(name))?;
                let ends = after.is_empty() || after.starts_with(['.', '[']);
                ends.then_some((index, value, after))
            })
        }
        Tree::List(items) => {
            let (number, after) = path.strip_prefix('[')?.split_once(']')?;
            let index = number.parse().ok()?;
            Some((index, items.get(index)?, after))
        }
        _ => None,
    }
}

/// The part of a name that errors show.
fn shown(name: &str) -> &str {
    match name.char_indices().nth(MAX_NAME_CHARS) {
        Some((end, _)) => name.get(..end).unwrap_or(name),
        None => name,
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::first("a", &[0])]
    #[case::nested("b.d", &[1, 1])]
    #[case::in_a_list("b.c[1]", &[1, 0, 1])]
    #[case::a_longer_name("bb", &[2])]
    #[case::a_name_with_a_dot("x.y", &[3])]
    #[case::missing("z", &[usize::MAX])]
    #[case::missing_in_an_object("b.z", &[1, usize::MAX])]
    #[case::missing_in_a_list("b.c[7]", &[1, 0, usize::MAX])]
    #[case::below_a_value("a.z", &[0, usize::MAX])]
    fn positions(#[case] field: &str, #[case] expected: &[usize]) {
        let text = r#"{"a": 1, "b": {"c": [1, 2], "d": 1}, "bb": 1, "x.y": 1}"#;
        let tree: Tree = serde_json::from_str(text).unwrap();
        assert_eq!(of(&tree, field), expected);
    }

    #[test]
    fn a_long_name_is_found_by_its_beginning() {
        let name = "é".repeat(MAX_NAME_CHARS + 5);
        let tree = Tree::Object(vec![("a".to_owned(), Tree::Null), (name, Tree::Null)]);
        assert_eq!(of(&tree, &"é".repeat(MAX_NAME_CHARS)), [1]);
    }
}
