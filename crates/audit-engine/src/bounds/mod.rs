//! Every bound that a site can meet in an audit, with its unit and its reason.
//!
//! What a page, a header or a file can lengthen has a bound, so that no site decides how much memory or time
//! its audit takes. What is left out at a bound is counted, and reported in `unjudged` or `coverage.skipped`.
//! Here are those on what is kept of a whole audit, each with a test that crosses it, beside the code that keeps
//! it or in `tests/engine/bounds.rs`; the modules have the others. Those of the tree of a document stand in `dom::limit`,
//! with what is said where one is reached; those of a single check stand in its file.

pub(crate) mod access;
pub(crate) mod crawl;
pub(crate) mod page;
pub(crate) mod style;

use std::time::Duration;

pub use domain::report::{
    MAX_CAUSES, MAX_EVIDENCE_BYTES, MAX_OCCURRENCES, MAX_OCCURRENCES_PER_PAGE, MAX_PAGES_BYTES,
};

/// Findings of one check about one subject that are counted. Then the check stops looking, and `unjudged` says
/// so. A page of ordinary size has at most some hundred; at 20,000 a list tells nobody more.
pub const MAX_FINDINGS_PER_SUBJECT: u64 = 20_000;

/// Bytes of evidence of one check about one subject that are kept until they are recorded; beyond them findings
/// are counted only. With all checks at this bound a page waits for its turn with some 18 MiB.
pub const MAX_SUBJECT_EVIDENCE_BYTES: usize = 128 * 1024;

/// Bytes of evidence of one check that are kept during an audit: all checks together hold at most some 57 MiB.
/// At its end [`MAX_EVIDENCE_BYTES`] remain of the whole run.
pub const MAX_CHECK_EVIDENCE_BYTES: usize = 384 * 1024;

/// Bytes of evidence that every check with findings may keep in a report, whatever the others have: some five
/// causes with an occurrence each, of the longest texts.
pub const MIN_CHECK_EVIDENCE_BYTES: usize = 16 * 1024;

/// Different causes of all checks together that are counted, at some twenty bytes each. Beyond them
/// `causes_total` is "at least", and `unjudged` says so.
pub const MAX_COUNTED_CAUSES: usize = 1_000_000;

/// Addresses of which the number of issues is counted, at some thirty bytes each.
pub const MAX_COUNTED_ADDRESSES: usize = 500_000;

/// Bytes of what tells a cause from others. Longer keys are cut and end with a hash of the whole.
pub const MAX_CAUSE_KEY_BYTES: usize = 500;

/// Bytes of the URL of an occurrence, as the URL gate allows them.
pub const MAX_EVIDENCE_URL_BYTES: usize = domain::target::MAX_URL_BYTES;

/// Bytes of a selector; an element that needs a longer one has its line alone.
pub const MAX_SELECTOR_BYTES: usize = 500;

/// Characters of an excerpt.
pub const MAX_SNIPPET_CHARS: usize = 200;

/// Characters of a message or a headline.
pub const MAX_MESSAGE_CHARS: usize = 500;

/// URLs of one site, internal and external, that are kept.
pub const MAX_KNOWN_URLS: usize = 500_000;

/// Bytes of these URLs.
pub const MAX_KNOWN_URL_BYTES: usize = 40 * 1024 * 1024;

/// Bytes of the written forms of links of a whole site that are kept. Of links beyond them the target is known
/// and not how it is written.
pub const MAX_HREF_BYTES: usize = 24 * 1024 * 1024;

/// Bytes that are remembered of all pages of a site together: links, titles, headers, language versions, places.
/// A page beyond them is judged by the checks of pages, and the checks of the site do not see its links. Ordinary
/// pages take about a kilobyte each.
pub const MAX_PAGE_FACTS_BYTES: usize = 128 * 1024 * 1024;

/// Bytes of the language versions that one page names that are remembered.
pub const MAX_ALTERNATES_BYTES: usize = 64 * 1024;

/// Bytes of the URLs of all sitemaps of a site that are kept, and again of all its feeds: 200,000 URLs of eighty
/// bytes.
pub const MAX_LISTED_BYTES: usize = 16 * 1024 * 1024;

/// Bytes of response headers that are remembered of one resource; longer values are left out.
pub const MAX_RESOURCE_HEADER_BYTES: usize = 8 * 1024;

/// Bytes of the bodies of scripts and style sheets of a site that are kept until they are judged.
pub const MAX_RESOURCE_BODY_BYTES: usize = 32 * 1024 * 1024;

/// Bytes of style sheets that are kept while pages are judged by them, as files and as rules: rules take
/// several times the bytes of their text.
pub const MAX_STYLESHEET_BYTES: usize = 8 * 1024 * 1024;

/// Time for all checks of one page, a last resort: lists and steps are bounded so that pages stay far below it.
/// Checks that are left then are not run, and `unjudged` says so.
pub const PAGE_BUDGET: Duration = Duration::from_secs(5);
