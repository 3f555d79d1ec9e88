//! What a person chooses from: the options of a list, or boxes to tick.

use domain::key::Role;

/// One of the things to choose from.
pub(super) struct Choice {
    /// What the form sends.
    pub(super) value: String,
    /// What the person reads.
    pub(super) label: String,
    pub(super) is_chosen: bool,
}

impl Choice {
    pub(super) fn new(value: impl Into<String>, label: impl Into<String>, is_chosen: bool) -> Self {
        Self {
            value: value.into(),
            label: label.into(),
            is_chosen,
        }
    }

    /// The roles, with this one chosen.
    pub(super) fn roles(chosen: Role) -> Vec<Self> {
        let roles = Role::ALL.into_iter();
        roles
            .map(|role| Self::new(role.as_str(), role.as_str(), role == chosen))
            .collect()
    }
}
