//! Where the links of a site lead.

use crate::cursor::{signed, unsigned};
use crate::named_enum::named_enum;

/// Link targets of a run that are kept, at most. Broken ones are kept before redirects, those before external ones,
/// and in each group the targets that most pages link to.
pub const MAX_LINK_TARGETS: usize = 5_000;
/// Bytes of text in the link targets of a run that are kept, at most.
pub const MAX_LINK_TARGET_BYTES: usize = 1024 * 1024;
/// Linking pages that are kept of each link target, at most.
pub const MAX_LINKING_PAGES: usize = 3;
/// Redirect chains of a run that are kept, at most: those that most pages link to.
pub const MAX_REDIRECT_CHAINS: usize = 1_000;
/// Bytes of text in the redirect chains of a run that are kept, at most.
pub const MAX_REDIRECT_CHAIN_BYTES: usize = 512 * 1024;
/// URLs of one redirect chain, at most: the first, ten redirects, and the one that ends or repeats it.
pub const MAX_CHAIN_HOPS: usize = 12;

named_enum! {
    /// A kind of link targets. A target may be of several: broken and external, for example.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum LinkKind {
        /// The link is certainly broken.
        Broken = "broken",
        /// The target redirects.
        Redirect = "redirect",
        /// The target is on another site.
        External = "external",
        /// The target is on the site.
        Internal = "internal",
    }
}

named_enum! {
    /// What is known about a link target.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
    pub enum LinkVerdict {
        /// It responded with success, after redirects if it has any.
        Ok = "ok",
        /// The link is certainly broken.
        Broken = "broken",
        /// The response applies only to this visitor or moment, so it is not known whether the link is broken.
        Unverified = "unverified",
        /// It was not requested.
        NotRequested = "not_requested",
    }
}

/// A distinct URL that pages of the site link to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct LinkTarget {
    /// The URL, without a fragment.
    pub url: String,
    /// Whether it is on the site.
    pub internal: bool,
    /// What is known about it.
    pub verdict: LinkVerdict,
    /// The status that it answered, before redirects; none where it did not answer.
    pub status: Option<u16>,
    /// Why the verdict is not [`LinkVerdict::Ok`]: a predicate, or the reason for which it was not requested.
    pub reason: Option<String>,
    /// Whether it redirects.
    pub redirects: bool,
    /// Where its redirects lead in the end; none where they lead nowhere.
    pub leads_to: Option<String>,
    /// How many pages link to it.
    pub linking_pages: u64,
    /// The places of the first of them in the list of pages, at most [`MAX_LINKING_PAGES`].
    pub first_pages: Vec<u32>,
}

impl LinkTarget {
    /// Whether it is of a kind.
    #[must_use]
    pub fn is(&self, kind: LinkKind) -> bool {
        match kind {
            LinkKind::Broken => self.verdict == LinkVerdict::Broken,
            LinkKind::Redirect => self.redirects,
            LinkKind::External => !self.internal,
            LinkKind::Internal => self.internal,
        }
    }

    /// Bytes of its texts.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        let texts = [&self.reason, &self.leads_to];
        self.url.len() + texts.into_iter().flatten().map(String::len).sum::<usize>()
    }
}

/// A URL of a redirect chain.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct RedirectHop {
    /// The URL.
    pub url: String,
    /// The status that it answered; none where it did not answer or was not requested.
    pub status: Option<u16>,
}

/// A redirect chain: a URL that pages link to, a sitemap lists or the run began at, and where it leads.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct RedirectChain {
    /// The URLs in order, at least two and at most [`MAX_CHAIN_HOPS`].
    pub hops: Vec<RedirectHop>,
    /// Whether the last one occurred before.
    pub is_loop: bool,
    /// How many pages link to the first one.
    pub linking_pages: u64,
}

impl RedirectChain {
    /// Bytes of its texts.
    #[must_use]
    pub fn text_bytes(&self) -> usize {
        self.hops.iter().map(|hop| hop.url.len()).sum()
    }
}

/// How many there are, and how many of them are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct KeptCount {
    /// All.
    pub total: u64,
    /// Those that are kept.
    pub stored: u64,
}

/// How many link targets and redirect chains a run found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "camelCase")
)]
pub struct LinkCounts {
    /// Link targets of any kind.
    pub all: KeptCount,
    /// Broken ones.
    pub broken: KeptCount,
    /// Those that redirect.
    pub redirect: KeptCount,
    /// Those on other sites.
    pub external: KeptCount,
    /// Those on the site.
    pub internal: KeptCount,
    /// Redirect chains.
    pub chains: KeptCount,
}

impl LinkCounts {
    /// The count of a kind, or of all link targets.
    #[must_use]
    pub const fn of(&self, kind: Option<LinkKind>) -> KeptCount {
        match kind {
            None => self.all,
            Some(LinkKind::Broken) => self.broken,
            Some(LinkKind::Redirect) => self.redirect,
            Some(LinkKind::External) => self.external,
            Some(LinkKind::Internal) => self.internal,
        }
    }

    /// Counts a link target.
    pub fn add(&mut self, target: &LinkTarget, is_kept: bool) {
        self.all.add(is_kept);
        for kind in LinkKind::ALL.into_iter().filter(|kind| target.is(*kind)) {
            let count = match kind {
                LinkKind::Broken => &mut self.broken,
                LinkKind::Redirect => &mut self.redirect,
                LinkKind::External => &mut self.external,
                LinkKind::Internal => &mut self.internal,
            };
            count.add(is_kept);
        }
    }
}

impl KeptCount {
    /// Counts one more.
    pub fn add(&mut self, is_kept: bool) {
        self.total += 1;
        self.stored += u64::from(is_kept);
    }
}

/// Where the links of a site lead, as far as it is kept.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct SiteLinks {
    /// The link targets: broken ones, then redirects, then external ones, then the others; in each group those that
    /// most pages link to first, then by URL.
    pub targets: Vec<LinkTarget>,
    /// The redirect chains, those that most pages link to first, then by URL.
    pub chains: Vec<RedirectChain>,
    /// How many there are.
    pub counts: LinkCounts,
}

/// Characters of a position.
const POSITION_LENGTH: usize = 8;

/// A place in the list of a report's link targets.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct LinkCursor {
    /// The place of the last one, from 0.
    pub position: u32,
}

impl LinkCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("k{:08x}", self.position))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        decode('k', text).map(|position| Self { position })
    }
}

/// A place in the list of a report's redirect chains.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RedirectCursor {
    /// The place of the last one, from 0.
    pub position: u32,
}

impl RedirectCursor {
    /// The cursor as callers carry it.
    #[must_use]
    pub fn encode(self) -> String {
        signed(format!("h{:08x}", self.position))
    }

    /// The cursor that a list gave; none for any other text.
    #[must_use]
    pub fn decode(text: &str) -> Option<Self> {
        decode('h', text).map(|position| Self { position })
    }
}

fn decode(letter: char, text: &str) -> Option<u32> {
    let digits = unsigned(text)?.strip_prefix(letter)?;
    let position = u32::from_str_radix(digits, 16).ok()?;
    (digits.len() == POSITION_LENGTH).then_some(position)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_target_is_counted_in_each_of_its_kinds() {
        let target = LinkTarget {
            url: "https://example.org/".to_owned(),
            internal: false,
            verdict: LinkVerdict::Broken,
            status: Some(301),
            reason: Some("redirects to https://example.org/x, which returns status 404".to_owned()),
            redirects: true,
            leads_to: Some("https://example.org/x".to_owned()),
            linking_pages: 2,
            first_pages: vec![0, 1],
        };
        let mut counts = LinkCounts::default();
        counts.add(&target, true);
        counts.add(&target, false);
        let (both, none) = (
            KeptCount {
                total: 2,
                stored: 1,
            },
            KeptCount::default(),
        );
        let found = LinkKind::ALL.map(|kind| counts.of(Some(kind)));
        assert_eq!(found, [both, both, both, none]);
        assert_eq!(counts.of(None), both);
    }

    proptest! {
        #[test]
        fn cursors_come_back(position: u32) {
            let (link, redirect) = (LinkCursor { position }, RedirectCursor { position });
            prop_assert_eq!(LinkCursor::decode(&link.encode()), Some(link));
            prop_assert_eq!(RedirectCursor::decode(&redirect.encode()), Some(redirect));
            prop_assert_eq!(LinkCursor::decode(&redirect.encode()), None);
            prop_assert_eq!(RedirectCursor::decode(&link.encode()), None);
        }
    }
}
