//! Whether the organization requires a second factor of its members.

use crate::failure::Failure;
use crate::visit::Visit;

/// The part of the page of the organization that shows it to administrators.
pub(super) struct RequiredFactor {
    pub(super) is_required: bool,
    /// Whether the administrator has one, without which it cannot be required.
    pub(super) has_own: bool,
    /// Members with a second factor.
    pub(super) with_factor: usize,
    /// Members with an account.
    pub(super) with_account: usize,
    /// Why it was not changed.
    pub(super) problem: Option<String>,
}

impl RequiredFactor {
    pub(super) fn new(visit: &Visit, problem: Option<String>) -> Result<Self, Failure> {
        let signed_in = visit.signed_in()?;
        let (stores, org) = (&visit.state.stores, visit.org()?);
        Ok(Self {
            is_required: signed_in.membership.organization.requires_second_factor,
            has_own: signed_in.has_second_factor,
            with_factor: stores.members_with_second_factor(org)?.len(),
            with_account: stores.members_with_account(org)?.len(),
            problem,
        })
    }
}
