//! Every limit that a site can reach in an audit, with its unit and its reason.
//!
//! Everything that a page, a header or a file can make longer has a limit, so that no site decides how much
//! memory or time its audit takes. Items beyond a limit are counted, and reported in `unjudged` or
//! `coverage.skipped`. This module has the limits of the data that is kept for a whole audit. Each has a test
//! that exceeds it, beside the code that keeps the data or in `tests/engine/bounds.rs`. The submodules have the
//! other limits. Limits of the document tree are in `dom::limit`, with the messages for reaching them. Limits
//! of a single check are in its file.

pub(crate) mod access;
#[cfg(feature = "browser")]
pub(crate) mod browser;
pub(crate) mod crawl;
pub(crate) mod page;
pub(crate) mod style;

use std::time::Duration;

pub use domain::report::{
    MAX_CAUSES, MAX_CHAIN_HOPS, MAX_EVIDENCE_BYTES, MAX_LINK_TARGET_BYTES, MAX_LINK_TARGETS,
    MAX_LINKING_PAGES, MAX_OCCURRENCES, MAX_OCCURRENCES_PER_PAGE, MAX_PAGE_TEXT_BYTES,
    MAX_PAGES_BYTES, MAX_REDIRECT_CHAIN_BYTES, MAX_REDIRECT_CHAINS,
};

/// Findings of one check about one subject that are counted. Then the check stops, and `unjudged` reports it.
/// An ordinary page has at most some hundred; a list of 20,000 has no further use.
pub const MAX_FINDINGS_PER_SUBJECT: u64 = 20_000;

/// Bytes of evidence of one check about one subject that are kept until they are recorded. Findings beyond them
/// are only counted. If all checks reach this limit, a waiting page takes some 18 MiB.
pub const MAX_SUBJECT_EVIDENCE_BYTES: usize = 128 * 1024;

/// Bytes of evidence of one check that are kept during an audit: all checks together hold at most some 57 MiB.
/// At the end of the audit the whole run keeps [`MAX_EVIDENCE_BYTES`].
pub const MAX_CHECK_EVIDENCE_BYTES: usize = 384 * 1024;

/// Bytes of evidence that every check with findings may keep in a report, regardless of the other checks: some
/// five causes with one occurrence each, with the longest texts.
pub const MIN_CHECK_EVIDENCE_BYTES: usize = 16 * 1024;

/// Distinct causes of all checks together that are counted, at some twenty bytes each. Beyond them
/// `causes_total` is "at least", and `unjudged` reports it.
pub const MAX_COUNTED_CAUSES: usize = 1_000_000;

/// Addresses whose issues are counted, at some thirty bytes each.
pub const MAX_COUNTED_ADDRESSES: usize = 500_000;

/// Bytes of the key that identifies a cause. Longer keys are cut and end with a hash of the whole key.
pub const MAX_CAUSE_KEY_BYTES: usize = 500;

/// Bytes of the URL of an occurrence, as the URL gate allows them.
pub const MAX_EVIDENCE_URL_BYTES: usize = domain::target::MAX_URL_BYTES;

/// Bytes of a selector. An element that needs a longer one has only its line.
pub const MAX_SELECTOR_BYTES: usize = 500;

/// Characters of an excerpt.
pub const MAX_SNIPPET_CHARS: usize = 200;

/// Characters of a message or a headline.
pub const MAX_MESSAGE_CHARS: usize = 500;

/// Bytes of the text of a page of which a more precise message is made.
pub const MAX_PRECISE_TEXT_BYTES: usize = 1_000;

/// Occurrences of a check whose more precise message is made. Readers see the first occurrences, and detecting a
/// language takes longer than parsing a page.
pub const MAX_PRECISE_MESSAGES: usize = 20;

/// Bytes of the verdicts on pages that are not indexable that wait until the site is known: some 2 KiB for each
/// page. Pages beyond them are judged as pages that are meant to stay out of search results.
pub const MAX_WITHHELD_BYTES: usize = 16 * 1024 * 1024;

/// URLs of one site, internal and external, that are kept.
pub const MAX_KNOWN_URLS: usize = 500_000;

/// Bytes of these URLs.
pub const MAX_KNOWN_URL_BYTES: usize = 40 * 1024 * 1024;

/// Bytes of the written forms of links of a whole site that are kept. Of links beyond them only the target is
/// known.
pub const MAX_HREF_BYTES: usize = 24 * 1024 * 1024;

/// Bytes of the facts of all pages of a site together: links, titles, headers, language versions, fragment
/// targets. A page beyond this limit is evaluated by page checks, and site checks do not see its links.
/// Ordinary pages take about a kilobyte each.
pub const MAX_PAGE_FACTS_BYTES: usize = 128 * 1024 * 1024;

/// Bytes of the language versions that are kept of one page.
pub const MAX_ALTERNATES_BYTES: usize = 64 * 1024;

/// Bytes of the URLs of all sitemaps of a site that are kept, and again of all its feeds: 200,000 URLs of
/// eighty bytes.
pub const MAX_LISTED_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of response headers that are kept of one resource; longer values are dropped.
pub const MAX_RESOURCE_HEADER_BYTES: usize = 8 * 1024;

/// Bytes of the bodies of scripts and style sheets of a site that are kept until they are evaluated.
pub const MAX_RESOURCE_BODY_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of style sheets that are kept while pages are evaluated with them, as files and as rules: rules take
/// several times the bytes of their text.
pub const MAX_STYLESHEET_BYTES: usize = 8 * 1024 * 1024;

/// The time limit for all checks of one page, as a last resort: other limits keep ordinary pages far below it.
/// The remaining checks are not run, and `unjudged` reports it.
pub const PAGE_BUDGET: Duration = Duration::from_secs(5);

/// Pages of a run that are pictured: the start page, the first page of further patterns of URLs, and pages of findings that none of
/// these has.
pub(crate) const MAX_PHOTOGRAPHED_PAGES: usize = 7;

/// Elements of a run that are pictured.
pub(crate) const MAX_PHOTOGRAPHED_ELEMENTS_OF_RUN: usize = 40;

/// Elements that are pictured for one check.
pub(crate) const MAX_PHOTOGRAPHED_ELEMENTS_OF_CHECK: usize = 3;
