//! The facts at the head of a report: when, how many pages, and how long it took.

use domain::report::Coverage;
use domain::text::count;

use super::coverage::stop_in_short;
use super::duration::duration;

/// "2026-11-21 14:05 UTC" of a time in RFC 3339.
pub(crate) fn date(created_at: &str) -> String {
    let minutes = created_at.get(..16).filter(|_| created_at.ends_with('Z'));
    minutes.map_or_else(
        || created_at.to_owned(),
        |minutes| format!("{} UTC", minutes.replace('T', " ")),
    )
}

/// "2026-11-21 14:05 UTC · 692 pages in 8.2 s · the crawl stopped at the page limit"; what is unknown is left out.
pub(crate) fn facts(
    created_at: Option<&str>,
    coverage: &Coverage,
    duration_ms: Option<u64>,
) -> String {
    let pages = count(coverage.pages_audited, "page", "pages");
    let pages = match duration_ms.map(duration) {
        Some(duration) => format!("{pages} in {duration}"),
        None => pages,
    };
    let stopped = coverage.stopped_by.map(stop_in_short);
    let stopped = stopped.map(|stopped| stopped.trim_start_matches("; ").to_owned());
    let facts = created_at.map(date).into_iter().chain([pages]);
    facts.chain(stopped).collect::<Vec<_>>().join(" · ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_shown_to_the_minute() {
        assert_eq!(date("2026-11-21T12:05:40.000Z"), "2026-11-21 12:05 UTC");
        assert_eq!(
            date("2026-11-21T12:05:40+02:00"),
            "2026-11-21T12:05:40+02:00"
        );
        assert_eq!(date(""), "");
    }

    #[test]
    fn what_is_unknown_is_left_out() {
        let coverage = crate::sample::empty().coverage;
        assert_eq!(facts(None, &coverage, None), "12 pages");
        let coverage = crate::sample::bad().coverage;
        assert_eq!(
            facts(Some("2026-11-21T12:05:40.000Z"), &coverage, Some(8_260)),
            "2026-11-21 12:05 UTC · 12 pages in 8.2 s · the crawl stopped at the page limit"
        );
    }
}
