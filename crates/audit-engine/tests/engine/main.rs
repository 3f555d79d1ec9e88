//! Tests of the engine's public interface: audits of replayed sites, requests on loopback, the check
//! catalog.
//!
//! A single test binary, so that common code is linked once.

mod added_headers;
mod blocked;
mod bounds;
mod catalogue;
mod completeness;
mod crawl;
mod determinism;
mod egress_dns;
mod egress_h2;
mod egress_post;
mod egress_proxy;
mod egress_spellings;
mod egress_tls;
#[cfg(feature = "browser")]
mod egress_tunnel;
mod egress_vectors;
mod guarded_client;
mod known_failures;
mod measured;
mod pages;
mod pictures;
mod politeness;
mod raw_and_rendered;
mod rendered;
mod rendered_events;
mod replayed;
mod robots_differential;
mod robots_fetched;
mod robots_vectors;
mod serialization;
mod site_links;
mod style_sheets;
mod tls_probe;
mod untrusted_certificate;
