//! Limits of requests, and of the responses that are kept.

/// URLs that are distinguished, at some sixteen bytes each. Further URLs of a site are not counted: their
/// number is reported as "at least".
pub(crate) const MAX_COUNTED_LEFT_OUT: usize = 500_000;

/// URLs of crawl traps that are kept, so that links to them can be identified.
pub(crate) const MAX_KEPT_IN_TRAPS: usize = 10_000;

/// Crawl traps that a report names.
pub(crate) const MAX_TRAPS: usize = 1_000;

/// Bytes of all pages that are queued or in flight. One page may have nearly as many.
pub(crate) const MAX_WAITING_BYTES: usize = 12 * 1024 * 1024;

/// External URLs of one site that are requested.
pub(crate) const MAX_EXTERNAL_LINKS: usize = 1_000;

/// External URLs on one host that are requested, so that a host does not receive many requests because it is
/// linked often.
pub(crate) const MAX_EXTERNAL_OF_A_HOST: usize = 200;

/// Redirects of an external link that are followed.
pub(crate) const MAX_EXTERNAL_HOPS: usize = 5;

/// Language versions of one site that are requested: as many as it has pages, and at most this many.
pub(crate) const MAX_ALTERNATES_REQUESTED: usize = 500;

/// Canonical URLs of one site that are requested because the crawl has not discovered them.
pub(crate) const MAX_CANONICALS_REQUESTED: usize = 500;

/// Feeds of one site that are read.
pub(crate) const MAX_FEEDS: usize = 5;

/// Decoded bytes read of the response of a well-known URL, such as `/llms.txt`.
pub(crate) const MAX_PROBE_BYTES: u64 = 512 * 1024;

/// Bytes of robots.txt that are read (RFC 9309, section 2.5).
pub(crate) const MAX_ROBOTS_BYTES: u64 = 512_000;

/// Decoded bytes read of one sitemap file: the largest permitted size (sitemaps.org, 50 MiB), and one byte that
/// shows that a file is larger.
pub(crate) const MAX_SITEMAP_BYTES: u64 = 52_428_801;

/// Sitemap files of one site that are read.
pub(crate) const MAX_SITEMAPS: usize = 50;

/// URLs of all sitemap files together that are kept, at some ninety bytes each.
pub(crate) const MAX_SITEMAP_URLS: usize = 200_000;

/// Resources of one site that are requested.
pub(crate) const MAX_RESOURCES: usize = 2_000;

/// Resources that only style sheets reference: each may reference a hundred, which may reference a hundred
/// each.
pub(crate) const MAX_RESOURCES_OF_SHEETS: usize = 500;

/// Preview images that no page loads.
pub(crate) const MAX_PREVIEWS: usize = 100;

/// Bytes over the wire after which no further resource is requested.
pub(crate) const MAX_ALL_RESOURCE_BYTES: u64 = 256 * 1024 * 1024;

/// Levels of style sheet imports.
pub(crate) const MAX_RESOURCE_IMPORTS: usize = 3;

/// References of one style sheet that are followed.
pub(crate) const MAX_RESOURCE_REFERENCES: usize = 100;

/// Decoded bytes read of one resource.
pub(crate) const MAX_RESOURCE_BYTES: u64 = 5 * 1024 * 1024;

/// Largest header section of an HTTP/2 response, in bytes.
pub(crate) const MAX_HEADER_LIST_BYTES: u32 = 128 * 1024;

/// Header fields of a response; more are an error.
pub(crate) const MAX_HEADERS: usize = 200;

/// Nested content codings that are decoded. More than two occur only in attacks.
pub(crate) const MAX_CODINGS: usize = 2;

/// Certificates of a chain that are evaluated.
pub(crate) const MAX_CERTIFICATE_CHAIN: usize = 10;

/// Host names whose addresses are cached.
pub(crate) const MAX_RESOLVED_NAMES: usize = 4_096;

/// Maximum number of fragment routes (`#/about`) of a site that are crawled as pages. Further routes are only counted.
pub(crate) const MAX_ROUTES: usize = 50;
