//! Which items are handed over to a coding agent, and how.

use std::collections::BTreeSet;

use super::{FieldProblem, InvalidAction};
use crate::named_enum::named_enum;

/// The most items of one handoff.
pub const MAX_HANDOFF_ITEMS: usize = 10;

named_enum! {
    /// For whom a handoff is written.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    pub enum HandoffFormat {
        /// Any coding agent, and people.
        #[default]
        Markdown = "markdown",
        /// The agent in Cursor.
        Cursor = "cursor",
    }
}

impl HandoffFormat {
    /// The format of that name in a request.
    ///
    /// # Errors
    /// When there is none; the error names the field `format`.
    pub fn parse(name: &str) -> Result<Self, InvalidAction> {
        let known = "markdown, cursor";
        Self::named(name).ok_or(InvalidAction::new(
            "format",
            FieldProblem::UnknownValue { known },
        ))
    }
}

/// The ids of a handoff: 1 to 10, none twice, in the order given. They need not be ids of anything:
/// a malformed one is unknown, as one of another organization is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandoffIds(Vec<String>);

impl HandoffIds {
    /// The ids in a request.
    ///
    /// # Errors
    /// When there are none, too many, or one twice; the error names the field `ids`.
    pub fn parse(ids: Vec<String>) -> Result<Self, InvalidAction> {
        if ids.is_empty() || ids.len() > MAX_HANDOFF_ITEMS {
            let most = MAX_HANDOFF_ITEMS;
            return Err(InvalidAction::new("ids", FieldProblem::Count { most }));
        }
        if ids.iter().collect::<BTreeSet<_>>().len() < ids.len() {
            return Err(InvalidAction::new("ids", FieldProblem::Repeated));
        }
        Ok(Self(ids))
    }

    /// The ids, in the order given.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids(number: usize) -> Vec<String> {
        (0..number).map(|n| format!("act_{n}")).collect()
    }

    #[test]
    fn one_to_ten_ids_in_order() {
        for number in [1, 10] {
            assert_eq!(
                HandoffIds::parse(ids(number)).unwrap().as_slice(),
                ids(number)
            );
        }
        let twice = [ids(2), ids(1)].concat();
        for wrong in [ids(0), ids(11), twice] {
            assert_eq!(HandoffIds::parse(wrong).unwrap_err().field(), Some("ids"));
        }
    }

    #[test]
    fn formats_are_known_by_name() {
        for format in HandoffFormat::ALL {
            assert_eq!(HandoffFormat::parse(format.as_str()), Ok(format));
        }
        assert_eq!(
            HandoffFormat::parse("html").unwrap_err().field(),
            Some("format")
        );
    }
}
