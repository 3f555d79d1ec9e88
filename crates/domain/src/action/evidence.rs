//! What is stored of the last time an item was found, so that a later audit can tell whether it is
//! gone.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};

use crate::SubjectKind;
use crate::page_key::PageKey;
use crate::report::{CrawlMode, Issue};
use crate::run::Device;

/// The most pages that are kept of one item.
pub const MAX_EVIDENCE_PAGES: usize = 1_000;

/// How a page was looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ObservationMode {
    /// As the server sent it.
    Static,
    /// In a browser that pretended to be this device.
    Rendered(Device),
}

impl ObservationMode {
    /// How a run looked at pages.
    #[must_use]
    pub const fn new(mode: CrawlMode, device: Device) -> Self {
        match mode {
            CrawlMode::Static => Self::Static,
            CrawlMode::Rendered => Self::Rendered(device),
        }
    }

    /// The name it is stored by: `static`, `rendered_mobile` or `rendered_desktop`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Static => "static",
            Self::Rendered(Device::Mobile) => "rendered_mobile",
            Self::Rendered(Device::Desktop) => "rendered_desktop",
        }
    }

    /// The mode of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let rendered = Device::ALL.map(Self::Rendered);
        std::iter::once(Self::Static)
            .chain(rendered)
            .find(|mode| mode.as_str() == name)
    }

    /// Whether what was seen by `evidence` would be seen by this: a browser sees what the server
    /// sent, too, but nobody sees what another device is shown.
    pub(super) fn sees(self, evidence: Self) -> bool {
        evidence == Self::Static || evidence == self
    }
}

/// What is stored of the last time an item was found.
///
/// A later audit that does not find the item any more must be able to tell whether it looked
/// everywhere. Of a check of pages that is every page the item was found on, so these are stored, as
/// [`PageKey`]s. There are at most [`MAX_EVIDENCE_PAGES`] of them; `all_pages` says whether there were
/// more.
/// Of all other checks the kind of subject says enough. [`RunCoverage::covers`] decides.
///
/// A store keeps one of these with each item that an audit made, and replaces it whole.
///
/// [`RunCoverage::covers`]: super::RunCoverage::covers
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Evidence {
    /// What the check judges.
    pub subject: SubjectKind,
    /// How the pages were looked at.
    pub mode: ObservationMode,
    /// The pages it was found on, for a check of pages; else empty.
    pub pages: BTreeSet<PageKey>,
    /// Whether `pages` are all of them.
    pub all_pages: bool,
    /// When the run that found it ended. A run that began before cannot show that it is gone.
    pub found_at: DateTime<Utc>,
}

impl Evidence {
    /// The evidence in an issue.
    #[must_use]
    pub fn new(issue: &Issue, mode: ObservationMode, found_at: DateTime<Utc>) -> Self {
        let pages: BTreeSet<_> = match issue.subject {
            SubjectKind::Page => issue
                .pages
                .iter()
                .copied()
                .take(MAX_EVIDENCE_PAGES)
                .collect(),
            _ => BTreeSet::new(),
        };
        let known = u64::try_from(pages.len()).unwrap_or(u64::MAX);
        Self {
            subject: issue.subject,
            mode,
            all_pages: issue.subject != SubjectKind::Page || known >= issue.affected,
            pages,
            found_at,
        }
    }
}

impl Evidence {
    /// The evidence of a run, with what an earlier one found where this one did not look.
    ///
    /// A page that was seen by a browser alone stays to be seen by one. Where not all pages were known
    /// before, they are not known now, unless this run was complete.
    #[must_use]
    pub fn with_unseen(
        mut self,
        before: &Self,
        unseen: BTreeSet<PageKey>,
        coverage: &super::RunCoverage,
    ) -> Self {
        if self.subject != SubjectKind::Page || before.subject != SubjectKind::Page {
            return self;
        }
        if !unseen.is_empty() && before.mode != ObservationMode::Static {
            self.mode = before.mode;
        }
        self.all_pages &= before.all_pages || coverage.saw_every_page();
        self.pages.extend(unseen);
        while self.pages.len() > MAX_EVIDENCE_PAGES {
            self.all_pages = false;
            self.pages.pop_last();
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_never_change_and_come_back() {
        // printf 'https://example.com/' | sha256sum | head -c 32
        let key = PageKey::from_url("https://example.com/#top");
        assert_eq!(key.to_string(), "0f115db062b7c0dd030b16878c99dea5");
        assert_eq!(PageKey::parse(&key.to_string()), Some(key));
        for wrong in [
            "",
            "0f",
            "+f115db062b7c0dd030b16878c99dea5",
            "0F115DB062B7C0DD030B16878C99DEA5",
        ] {
            assert_eq!(PageKey::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_browser_sees_what_the_server_sent_and_not_the_reverse() {
        let phone = ObservationMode::Rendered(Device::Mobile);
        let desktop = ObservationMode::Rendered(Device::Desktop);
        assert!(phone.sees(ObservationMode::Static) && phone.sees(phone));
        assert!(!ObservationMode::Static.sees(phone) && !desktop.sees(phone));
        for mode in [ObservationMode::Static, phone, desktop] {
            assert_eq!(ObservationMode::named(mode.as_str()), Some(mode));
        }
    }
}
