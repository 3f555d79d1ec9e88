//! The rule that an organization keeps somebody who can sign in and administer it.

use crate::key::Role;

/// What an administrator changes of a member.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MemberChange {
    /// The member gets this role.
    Role(Role),
    /// The member is removed.
    Removal,
}

/// Why a member was not changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum MemberNotChanged {
    /// There is no such member in the organization.
    #[error("there is no such member")]
    NoMember,
    /// Nobody else who can sign in is an administrator.
    #[error(
        "this is the only administrator who can sign in; make somebody with an account an administrator first"
    )]
    LastAdministrator,
}

impl MemberChange {
    /// Whether the organization would lose its last administrator who can sign in. `others` is the number of other
    /// administrators with an account. A member without an account cannot sign in, so removing one loses nobody.
    #[must_use]
    pub fn removes_last_administrator(self, role: Role, has_account: bool, others: u64) -> bool {
        let is_administrator = has_account && role.allows(Role::Admin);
        let stays_administrator = match self {
            Self::Role(role) => role.allows(Role::Admin),
            Self::Removal => false,
        };
        is_administrator && !stays_administrator && others == 0
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::removed(MemberChange::Removal)]
    #[case::demoted(MemberChange::Role(Role::Member))]
    #[case::demoted_further(MemberChange::Role(Role::Read))]
    fn the_last_administrator_stays(#[case] change: MemberChange) {
        assert!(change.removes_last_administrator(Role::Admin, true, 0));
        assert!(!change.removes_last_administrator(Role::Admin, true, 1));
    }

    #[rstest]
    #[case::still_an_administrator(MemberChange::Role(Role::Admin), Role::Admin, true)]
    #[case::cannot_sign_in(MemberChange::Removal, Role::Admin, false)]
    #[case::never_was_one(MemberChange::Removal, Role::Member, true)]
    #[case::becomes_one(MemberChange::Role(Role::Admin), Role::Read, true)]
    fn other_changes_lose_nobody(
        #[case] change: MemberChange,
        #[case] role: Role,
        #[case] has_account: bool,
    ) {
        assert!(!change.removes_last_administrator(role, has_account, 0));
    }
}
