//! What a key allows.

use std::str::FromStr;

use crate::named_enum::named_enum;

named_enum! {
    /// What a key, or a member, may do. Each role may do all that those before it may.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum Role {
        /// Look at everything, and ask for handoff prompts.
        Read = "read",
        /// Also start and cancel runs, and work on actions.
        Member = "member",
        /// Also change sites, schedules and webhooks.
        Admin = "admin",
    }
}

impl Role {
    /// Tells whether this role may do what `needed` may.
    #[must_use]
    pub fn allows(self, needed: Self) -> bool {
        self >= needed
    }
}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::named(text).ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

/// A name that is none of the roles.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("unknown role `{0}`; known roles: read, member, admin")]
pub struct UnknownRole(pub String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_parse_back_and_others_list_the_known() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        let error = "owner".parse::<Role>().unwrap_err();
        assert!(error.to_string().contains("read, member, admin"), "{error}");
    }

    #[test]
    fn each_role_allows_what_the_lesser_do() {
        assert!(Role::Admin.allows(Role::Member));
        assert!(Role::Member.allows(Role::Member));
        assert!(!Role::Read.allows(Role::Member));
    }
}
