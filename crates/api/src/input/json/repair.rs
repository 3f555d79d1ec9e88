//! Replaces the invalid part of a tree, so that the rest of it can be read.

use serde_path_to_error::{Path, Segment};

use super::{Tree, Wrong};

/// A step from an object or a list to one of its entries.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    Key(String),
    Index(usize),
}

/// The steps of a path.
pub(super) fn steps(path: &Path) -> Vec<Step> {
    let steps = path.iter().filter_map(|segment| match segment {
        Segment::Map { key } => Some(Step::Key(key.clone())),
        Segment::Seq { index } => Some(Step::Index(*index)),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    steps.collect()
}

/// Removes or replaces what is invalid. Returns whether the tree has changed; reading an unchanged tree again would
/// find the same.
pub(super) fn repair(tree: &mut Tree, steps: &[Step], wrong: &Wrong) -> bool {
    match wrong {
        Wrong::Missing(field) => object(tree, steps, field).is_some_and(|entries| {
            let is_missing = entries.iter().all(|(name, _)| name != field);
            entries.push((field.clone(), Tree::Anything));
            is_missing
        }),
        Wrong::Unknown(field, _) => object(tree, steps, field).is_some_and(|entries| {
            let before = entries.len();
            entries.retain(|(name, _)| name != field);
            entries.len() < before
        }),
        Wrong::Repeated(field) => object(tree, steps, field).is_some_and(|entries| {
            let before = entries.len();
            let mut seen = false;
            entries.retain(|(name, _)| name != field || !std::mem::replace(&mut seen, true));
            entries.len() < before
        }),
        Wrong::Choice(_) | Wrong::Kind(..) | Wrong::Range(_) | Wrong::Nul | Wrong::Other(_) => {
            replace(tree, steps)
        }
    }
}

/// The object that has, or should have, the field: reading a key fails at the object or at the key.
fn object<'a>(
    tree: &'a mut Tree,
    steps: &[Step],
    field: &str,
) -> Option<&'a mut Vec<(String, Tree)>> {
    let steps = match steps {
        [before @ .., Step::Key(last)] if last == field => before,
        all => all,
    };
    match find(tree, steps)? {
        Tree::Object(entries) => Some(entries),
        _ => None,
    }
}

/// Removes an invalid value of an object, whose field may be optional, and replaces one of a list.
fn replace(tree: &mut Tree, steps: &[Step]) -> bool {
    let Some((last, before)) = steps.split_last() else {
        return false;
    };
    match (find(tree, before), last) {
        (Some(Tree::Object(entries)), Step::Key(key)) => {
            let is_replaced =
                |(name, value): &(String, Tree)| name == key && matches!(value, Tree::Anything);
            if entries.iter().any(is_replaced) {
                return false;
            }
            let length = entries.len();
            entries.retain(|(name, _)| name != key);
            entries.len() < length
        }
        (Some(Tree::List(items)), Step::Index(index)) => match items.get_mut(*index) {
            None | Some(Tree::Anything) => false,
            Some(item) => {
                *item = Tree::Anything;
                true
            }
        },
        _ => false,
    }
}

fn find<'a>(tree: &'a mut Tree, steps: &[Step]) -> Option<&'a mut Tree> {
    steps
        .iter()
        .try_fold(tree, |tree, step| match (tree, step) {
            (Tree::Object(entries), Step::Key(key)) => entries
                .iter_mut()
                .find(|(name, _)| name == key)
                .map(|(_, value)| value),
            (Tree::List(items), Step::Index(index)) => items.get_mut(*index),
            _ => None,
        })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use serde::Deserialize;

    use httpkit::problem::MAX_FIELD_ERRORS;

    use super::super::read;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its fields' types matter")]
    struct Request {
        url: String,
        name: String,
        options: Option<Options>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields, rename_all = "camelCase")]
    #[expect(dead_code, reason = "only its fields' types matter")]
    struct Options {
        max_pages: Option<u32>,
        mode: Option<Mode>,
        include: Option<Vec<String>>,
        headers: Option<BTreeMap<String, String>>,
        depth: u32,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "snake_case")]
    enum Mode {
        Auto,
        Static,
    }

    /// Field and code of every error.
    fn wrong(text: &str) -> Vec<(String, String)> {
        let problem = read(text, Vec::new(), |_: Request, _| Some(())).unwrap_err();
        let errors = problem.into_fields().into_iter();
        errors.map(|error| (error.field, error.code)).collect()
    }

    #[test]
    fn every_invalid_field_is_named_once_with_its_code() {
        let text = r#"{"url": 1, "uri": "x", "options": {"maxPages": "10", "mode": "fast",
            "include": ["/a", 2, "/b", null], "headers": {"a": "b", "c": 3}, "more": {"url": 1}}, "options": 1}"#;
        let mut found = wrong(text);
        found.sort();
        let expected = [
            ("name", "required"),
            ("options", "repeated"),
            ("options.depth", "required"),
            ("options.headers.c", "wrong_type"),
            ("options.include[1]", "wrong_type"),
            ("options.include[3]", "wrong_type"),
            ("options.maxPages", "wrong_type"),
            ("options.mode", "unknown_value"),
            ("options.more", "unknown"),
            ("uri", "unknown"),
            ("url", "wrong_type"),
        ];
        let found: Vec<_> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    #[test]
    fn a_number_says_what_was_given_and_a_choice_what_is_allowed() {
        let text = r#"{"url": "", "name": "", "options": {"depth": -1, "maxPages": "10", "mode": "fast"}}"#;
        let mut errors = read(text, Vec::new(), |_: Request, _| Some(()))
            .unwrap_err()
            .into_fields();
        errors.sort_by(|a, b| a.field.cmp(&b.field));
        let messages: Vec<_> = errors.iter().map(|error| error.message.as_str()).collect();
        assert_eq!(
            messages,
            [
                "Must be a whole number from 0 to 4294967295 without a sign, a fraction or an exponent.",
                "Must be a whole number from 0 to 4294967295 without a sign, a fraction or an exponent; a text in quotation marks was given.",
                "Must be one of auto, static.",
            ]
        );
        assert_eq!(errors[2].allowed, ["auto", "static"]);
    }

    #[test]
    fn the_list_of_errors_is_bounded() {
        let unknown: Vec<String> = (0..MAX_FIELD_ERRORS + 5)
            .map(|number| format!("\"field{number}\": 1"))
            .collect();
        assert_eq!(
            wrong(&format!("{{{}}}", unknown.join(","))).len(),
            MAX_FIELD_ERRORS
        );
    }
}
