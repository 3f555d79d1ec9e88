//! Bounds of what is requested, and of what is kept of answers.

/// URLs that are told apart, at some sixteen bytes each. Of a site with more, the others are not
/// counted: what is said of it is "at least".
pub(crate) const MAX_COUNTED_LEFT_OUT: usize = 500_000;

/// URLs of endless spaces that are kept, so that links to them can be told.
pub(crate) const MAX_KEPT_IN_TRAPS: usize = 10_000;

/// Endless spaces that a report names.
pub(crate) const MAX_TRAPS: usize = 1_000;

/// Bytes of all pages that wait for their turn or are awaited. One page may have nearly as many.
pub(crate) const MAX_WAITING_BYTES: usize = 12 * 1024 * 1024;

/// External URLs of one site that are requested.
pub(crate) const MAX_EXTERNAL_LINKS: usize = 1_000;

/// External URLs on one host that are requested, so that a host is not requested often because it is linked often.
pub(crate) const MAX_EXTERNAL_OF_A_HOST: usize = 200;

/// Redirects of an external link that are followed.
pub(crate) const MAX_EXTERNAL_HOPS: usize = 5;

/// Language versions of one site that are requested: as many as it has pages, and at most this many.
pub(crate) const MAX_ALTERNATES_REQUESTED: usize = 500;

/// Feeds of one site that are read.
pub(crate) const MAX_FEEDS: usize = 5;

/// Decoded bytes read of an answer of a well-known place, such as `/llms.txt`.
pub(crate) const MAX_PROBE_BYTES: u64 = 512 * 1024;

/// robots.txt is read up to here (RFC 9309, section 2.5).
pub(crate) const MAX_ROBOTS_BYTES: u64 = 512_000;

/// Read of one sitemap file, decoded: as large as one may be (sitemaps.org, 50 MiB), and a byte that
/// tells one that is larger.
pub(crate) const MAX_SITEMAP_BYTES: u64 = 52_428_801;

/// Sitemap files of one site that are read.
pub(crate) const MAX_SITEMAPS: usize = 50;

/// URLs of all sitemap files together that are kept, at some ninety bytes each.
pub(crate) const MAX_SITEMAP_URLS: usize = 200_000;

/// Resources of one site that are requested.
pub(crate) const MAX_RESOURCES: usize = 2_000;

/// Resources that only style sheets name: each may name a hundred, which name a hundred each.
pub(crate) const MAX_RESOURCES_OF_SHEETS: usize = 500;

/// Images that stand for pages elsewhere, and that no page loads.
pub(crate) const MAX_PREVIEWS: usize = 100;

/// Bytes over the wire after which no further resource is requested.
pub(crate) const MAX_ALL_RESOURCE_BYTES: u64 = 256 * 1024 * 1024;

/// Style sheets that import one another, at most.
pub(crate) const MAX_RESOURCE_IMPORTS: usize = 3;

/// References of one style sheet that are followed.
pub(crate) const MAX_RESOURCE_REFERENCES: usize = 100;

/// Decoded bytes read of one resource.
pub(crate) const MAX_RESOURCE_BYTES: u64 = 5 * 1024 * 1024;

/// Largest head of an HTTP/2 answer, in bytes.
pub(crate) const MAX_HEADER_LIST_BYTES: u32 = 128 * 1024;

/// Header fields of an answer; one with more is an error.
pub(crate) const MAX_HEADERS: usize = 200;

/// Codings that are undone, one upon the other. More than two never occur but as an attack.
pub(crate) const MAX_CODINGS: usize = 2;

/// Certificates of a chain that are looked at.
pub(crate) const MAX_CERTIFICATE_CHAIN: usize = 10;

/// Host names of which the addresses are remembered.
pub(crate) const MAX_RESOLVED_NAMES: usize = 4_096;
