//! The navigation beside every page of the settings.

use domain::key::Role;

use crate::visit::Visit;

/// The pages, with the role that each needs.
const ENTRIES: [(&str, &str, Role); 9] = [
    ("/settings", "Organization", Role::Read),
    ("/settings/members", "Members", Role::Admin),
    ("/settings/api", "API and agents", Role::Admin),
    ("/settings/webhooks", "Webhooks", Role::Admin),
    ("/settings/retention", "Retention", Role::Read),
    ("/settings/audit-log", "Audit log", Role::Admin),
    ("/settings/account", "Your account", Role::Read),
    ("/settings/sessions", "Your sessions", Role::Read),
    ("/settings/second-factor", "Your second factor", Role::Read),
];

/// The pages for people who lack the second factor that their organization requires.
const WITHOUT_SECOND_FACTOR: [&str; 2] = ["/settings/account", "/settings/second-factor"];

/// The entries that a person may open.
pub(super) struct Nav {
    pub(super) entries: Vec<Entry>,
}

/// A link of the navigation.
pub(super) struct Entry {
    pub(super) path: &'static str,
    pub(super) label: &'static str,
    /// Whether the page is this one or below it.
    pub(super) is_current: bool,
}

impl Nav {
    /// The navigation on the page with the path `current`, or on a page below it.
    pub(super) fn new(visit: &Visit, current: &str) -> Self {
        let lacks = visit.lacks_second_factor();
        let entries = ENTRIES
            .into_iter()
            .filter(|(path, ..)| !lacks || WITHOUT_SECOND_FACTOR.contains(path));
        Self {
            entries: entries
                .filter(|(_, _, role)| visit.may(*role))
                .map(|(path, label, _)| Entry {
                    path,
                    label,
                    is_current: path == current,
                })
                .collect(),
        }
    }
}
