//! Runs checks: gates first, panics contained.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use crate::bounds::PAGE_BUDGET;
use crate::check::{Check, Need, Outcome, PageOutcome, Rule, Verdicts};
use crate::site::Site;
use crate::view::Page;

/// The clock is looked at once for so many checks: most take no longer than the look.
const CHECKS_PER_LOOK: usize = 8;

/// Bytes of a page from which the clock is read before each check: such a page may be built to cost time.
const LARGE_PAGE: usize = 256 * 1024;

/// What came of running a check once.
#[derive(Debug, Clone, PartialEq)]
pub enum Judged {
    /// It answered.
    Answered(Outcome),
    /// It panicked.
    Errored,
    /// It was not run, since the page had taken too long by then.
    TimedOut,
}

impl Judged {
    /// Bytes of the evidence in it.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Answered(Outcome::Failed(failures) | Outcome::Graded(_, failures)) => {
                failures.bytes()
            }
            _ => 0,
        }
    }
}

/// Why a check is not run at all on this site.
pub(crate) fn not_run(check: &Check, external_checked: bool) -> Option<&'static str> {
    if check.needs(Need::Browser) {
        Some("it needs a browser")
    } else if check.needs(Need::ExternalLinks) && !external_checked {
        Some("external links were not requested")
    } else {
        None
    }
}

/// Judges a page by every page check, one answer for each of `checks`, in their order. Checks of
/// another kind, and those that need what is not at hand, answer [`Outcome::NotApplicable`]: checks of
/// response headers, for example, where the page was built without any.
///
/// ```
/// use audit_engine::check::Outcome;
/// use audit_engine::checks::catalogue;
/// use audit_engine::view::Page;
/// use audit_engine::{Judged, judge_page};
///
/// let page = Page::builder().html("<!doctype html><html lang=en><title>Menu</title><img src=cake.jpg>");
/// let checks = catalogue();
/// for (check, judged) in checks.iter().zip(judge_page(&checks, &page)) {
///     if let Judged::Answered(Outcome::Failed(places)) = judged {
///         println!("{}: {} places", check.title, places.len());
///     }
/// }
/// ```
#[must_use]
pub fn judge_page(checks: &[&'static Check], page: &Page) -> Vec<Judged> {
    let begun = Instant::now();
    let indexable = page.is_indexable();
    let loopback = page.is_loopback();
    // No server answers without a header.
    let has_headers = !page.headers().is_empty();
    let checks_per_look = if page.source().len() < LARGE_PAGE {
        CHECKS_PER_LOOK
    } else {
        1
    };
    let is_gated = |check: &Check| {
        check.needs(Need::Browser)
            || (check.needs(Need::Headers) && !has_headers)
            || (check.needs(Need::Indexable) && !indexable)
            || (check.needs(Need::PublicOrigin) && loopback)
    };
    let mut late = false;
    let mut judged: Vec<Judged> = checks
        .iter()
        .enumerate()
        .map(|(place, check)| {
            if place % checks_per_look == 0 {
                late = begun.elapsed() > PAGE_BUDGET;
            }
            let Rule::Page(evaluate) = check.rule else {
                return Judged::Answered(Outcome::NotApplicable);
            };
            if is_gated(check) {
                return Judged::Answered(Outcome::NotApplicable);
            }
            if late {
                return out_of_time(check, page);
            }
            contained(check, || evaluate(page)).map_or(Judged::Errored, Judged::Answered)
        })
        .collect();
    for (place, check) in checks.iter().enumerate() {
        let Rule::Summary(summarized, evaluate) = check.rule else {
            continue;
        };
        if is_gated(check) {
            continue;
        }
        let summary = if begun.elapsed() > PAGE_BUDGET {
            out_of_time(check, page)
        } else {
            contained(check, || {
                evaluate(&outcomes(summarized(), checks, &judged, page))
            })
            .map_or(Judged::Errored, Judged::Answered)
        };
        if let Some(judged) = judged.get_mut(place) {
            *judged = summary;
        }
    }
    judged
}

/// The outcomes of checks on a page: as they were judged, or evaluated now where they were not.
fn outcomes<'a>(
    wanted: &[&'static Check],
    checks: &[&'static Check],
    judged: &'a [Judged],
    page: &Page,
) -> Vec<PageOutcome<'a>> {
    let of_check = |check: &&'static Check| {
        let mut known = checks.iter().zip(judged);
        let outcome = match known.find(|(known, _)| known.id == check.id) {
            Some((_, Judged::Answered(outcome))) => Cow::Borrowed(outcome),
            _ => Cow::Owned(check.evaluate_page(page)?),
        };
        Some((check.id, outcome))
    };
    wanted.iter().filter_map(of_check).collect()
}

fn out_of_time(check: &Check, page: &Page) -> Judged {
    tracing::warn!(check.id = check.id, page.url = %page.url(), "check skipped: page out of time");
    Judged::TimedOut
}

/// What came of running a check of the whole site.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteJudged {
    /// It is a check of pages, and was not run.
    NotOfSites,
    /// Its verdicts were recorded.
    Recorded,
    /// Its verdicts were recorded, and it said that nothing can be known of other subjects.
    CannotTell(&'static str),
    /// It panicked.
    Errored,
}

/// Judges the site by a check that is no page check, and hands each verdict to `record` as it comes.
pub(crate) fn judge_site(
    check: &'static Check,
    site: &Site,
    record: &mut dyn FnMut(&str, Outcome),
) -> SiteJudged {
    let home = site.start.as_str();
    let gate = if check.needs(Need::PublicOrigin) && site.loopback {
        Some(Outcome::NotApplicable)
    } else if check.needs(Need::CompleteCrawl) && !site.complete {
        Some(Outcome::CannotTell("the crawl did not reach every page"))
    } else {
        None
    };
    match (check.rule, gate) {
        (Rule::Page(_) | Rule::Summary(..), _) => SiteJudged::NotOfSites,
        (_, Some(outcome)) => {
            record(home, outcome);
            SiteJudged::Recorded
        }
        (Rule::Site(evaluate), None) => match contained(check, || evaluate(site)) {
            Some(outcome) => {
                record(home, outcome);
                SiteJudged::Recorded
            }
            None => SiteJudged::Errored,
        },
        (Rule::Each(evaluate), None) => {
            let judged = contained(check, || {
                let mut verdicts = Verdicts::new(record);
                evaluate(site, &mut verdicts);
                verdicts.unknown()
            });
            match judged {
                Some(None) => SiteJudged::Recorded,
                Some(Some(reason)) => SiteJudged::CannotTell(reason),
                None => SiteJudged::Errored,
            }
        }
    }
}

/// Runs the function; a panic costs this one verdict and nothing else.
fn contained<T>(check: &Check, evaluate: impl FnOnce() -> T) -> Option<T> {
    match catch_unwind(AssertUnwindSafe(evaluate)) {
        Ok(value) => Some(value),
        Err(_) => {
            tracing::error!(check.id = check.id, "check panicked");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::checks::find;

    #[test]
    fn checks_of_headers_need_headers() {
        let checks: Vec<_> = find("csp-missing").into_iter().collect();
        let html = "<!doctype html><html lang=en><title>Menu</title>";
        let builder = || Page::builder().url("https://example.com/");
        let bare = builder().html(html);
        let judged = judge_page(&checks, &bare);
        assert!(matches!(
            judged[..],
            [Judged::Answered(Outcome::NotApplicable)]
        ));
        let served = builder().header("content-type", "text/html").html(html);
        let judged = judge_page(&checks, &served);
        assert!(matches!(judged[..], [Judged::Answered(Outcome::Failed(_))]));
    }
}
