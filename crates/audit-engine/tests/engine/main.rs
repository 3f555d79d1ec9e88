//! The engine from outside: whole audits of replayed sites, its requests on loopback, its catalogue.
//!
//! One program, so that what the tests have in common is linked once.

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
mod egress_vectors;
mod guarded_client;
mod known_failures;
mod pages;
mod politeness;
mod robots_differential;
mod robots_fetched;
mod robots_vectors;
mod style_sheets;
mod tls_probe;
