//! The time of the audit, from the site's `Date` headers.

use chrono::DateTime;

use crate::site::Site;

/// Seconds since 1970, from the `Date` header of the first probe response that has one. The engine reads
/// no system clock.
pub(crate) fn now(site: &Site) -> Option<i64> {
    let probes = &site.probes;
    [
        &probes.robots_txt,
        &probes.missing_page,
        &probes.llms_txt,
        &probes.security_txt,
        &probes.plain_http,
        &probes.https_twin,
        &probes.foreign_origin,
    ]
    .into_iter()
    .filter_map(|probe| probe.as_ref()?.answer()?.headers.get("date"))
    .find_map(|date| DateTime::parse_from_rfc2822(date).ok())
    .map(|date| date.timestamp())
}

/// Formats the day as `2026-05-01`.
pub(crate) fn day(seconds: i64) -> String {
    DateTime::from_timestamp(seconds, 0).map_or_else(
        || "a date that cannot be represented".to_owned(),
        |date| date.format("%Y-%m-%d").to_string(),
    )
}
