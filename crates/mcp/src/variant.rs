//! What a server offers.

use api_types::account::Account;
use api_types::report::Variant;

/// Which tools there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offers {
    /// All of them.
    Everything,
    /// All but those on action items, which the legacy variant does not have.
    NoActions,
}

impl Offers {
    /// What the service of this account offers.
    #[must_use]
    pub const fn of(account: &Account) -> Self {
        match account.variant {
            Variant::Current => Self::Everything,
            Variant::Legacy => Self::NoActions,
        }
    }

    /// Whether there are action items.
    #[must_use]
    pub const fn has_actions(self) -> bool {
        matches!(self, Self::Everything)
    }
}
