//! Runs checks: tests their preconditions first and catches panics.

use std::borrow::Cow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use domain::score::Share;

use super::exclusions;
use crate::bounds::PAGE_BUDGET;
use crate::check::{Check, Need, Outcome, PageOutcome, Rule, Verdicts};
use crate::site::{Exclusion, Site};
use crate::view::Page;

/// The number of checks between clock reads: most take no longer than reading the clock.
const CHECKS_PER_LOOK: usize = 8;

/// The page size in bytes from which the clock is read before each check, because such a page may be
/// built to cost time.
const LARGE_PAGE: usize = 256 * 1024;

/// The result of running a check once.
#[derive(Debug, Clone, PartialEq)]
pub enum Evaluated {
    /// The check returned an outcome.
    Answered(Outcome),
    /// The check panicked.
    Errored,
    /// The check was skipped because the page had already used up its time.
    TimedOut,
}

impl Evaluated {
    fn make_precise(&mut self) {
        if let Self::Answered(outcome) = self {
            outcome.make_precise();
        }
    }

    /// The bytes of its evidence.
    pub(crate) fn bytes(&self) -> usize {
        match self {
            Self::Answered(Outcome::Failed(failures) | Outcome::Graded(_, failures)) => {
                failures.bytes()
            }
            _ => 0,
        }
    }
}

/// The reason why a check does not run on this site at all.
pub(crate) fn not_run(check: &Check, site: &Site) -> Option<&'static str> {
    if check.needs(Need::Browser) && !site.rendered {
        Some("it needs a browser, in mode rendered or auto")
    } else if check.needs(Need::Measured) && site.lab.is_empty() {
        Some("no page was measured")
    } else if check.needs(Need::ExternalLinks) && !site.external_checked {
        Some("external links were not requested")
    } else {
        None
    }
}

/// Evaluates all page checks on a page, with one result for each of `checks`, in their order. Other
/// checks, and checks whose input is missing, return [`Outcome::NotApplicable`]: for example, header
/// checks on a page that was built without headers.
///
/// ```
/// use audit_engine::check::Outcome;
/// use audit_engine::checks::catalogue;
/// use audit_engine::view::Page;
/// use audit_engine::{Evaluated, evaluate_page};
///
/// let page = Page::builder().html("<!doctype html><html lang=en><title>Menu</title><img src=cake.jpg>");
/// let checks = catalogue();
/// for (check, judged) in checks.iter().zip(evaluate_page(&checks, &page)) {
///     if let Evaluated::Answered(Outcome::Failed(failures)) = judged {
///         println!("{}: {} occurrences", check.title, failures.len());
///     }
/// }
/// ```
#[must_use]
pub fn evaluate_page(checks: &[&'static Check], page: &Page) -> Vec<Evaluated> {
    let mut judged = evaluate_page_of_many(checks, page);
    judged.iter_mut().for_each(Evaluated::make_precise);
    judged
}

/// Evaluates all page checks as [`evaluate_page`] does, but with the shorter message where a longer one takes longer to
/// make than the page to parse, such as one that names a detected language. An audit makes the longer messages for the
/// first occurrences of a check only.
#[must_use]
pub fn evaluate_page_of_many(checks: &[&'static Check], page: &Page) -> Vec<Evaluated> {
    evaluate_visit(checks, page).recorded
}

/// The verdicts of all page checks on a page of the crawl.
#[derive(Debug)]
pub(crate) struct PageVerdicts {
    /// One for each check, in their order.
    pub(crate) recorded: Vec<Evaluated>,
    /// Verdicts of checks that need an indexable page, on a page that is not, by the check's place. They count if
    /// another check reports what keeps the page out of search results.
    pub(crate) withheld: Vec<(u16, Evaluated)>,
    /// What keeps the page out of search results.
    pub(crate) exclusion: Exclusion,
}

/// Evaluates all page checks as [`evaluate_page_of_many`] does, and on a page that is not indexable those that need an
/// indexable page as well.
pub(crate) fn evaluate_visit(checks: &[&'static Check], page: &Page) -> PageVerdicts {
    let begun = Instant::now();
    let loopback = page.is_loopback();
    // A real response always has headers.
    let has_headers = !page.headers().is_empty();
    let checks_per_look = if page.source().len() < LARGE_PAGE {
        CHECKS_PER_LOOK
    } else {
        1
    };
    let is_gated = |check: &Check| {
        (check.needs(Need::Browser) && !is_examined(check, page))
            || (check.needs(Need::Headers) && !has_headers)
            || (check.needs(Need::PublicOrigin) && loopback)
    };
    let mut late = false;
    let mut judged: Vec<Evaluated> = checks
        .iter()
        .enumerate()
        .map(|(place, check)| {
            if place % checks_per_look == 0 {
                late = begun.elapsed() > PAGE_BUDGET;
            }
            let Rule::Page(evaluate) = check.rule else {
                return Evaluated::Answered(Outcome::NotApplicable);
            };
            if is_gated(check) {
                return Evaluated::Answered(Outcome::NotApplicable);
            }
            if late {
                return out_of_time(check, page);
            }
            catch_panic(check, || evaluate(check.subject(page)))
                .map_or(Evaluated::Errored, Evaluated::Answered)
        })
        .collect();
    let exclusion = exclusions::of(page, |check| {
        let failed = catch_panic(check, || {
            let outcome = outcomes(&[check], checks, &judged, page).pop();
            outcome.is_some_and(|(_, outcome)| matches!(*outcome, Outcome::Failed(_)))
        });
        failed == Some(true)
    });
    let withheld = if exclusion.is_none() {
        Vec::new()
    } else {
        withhold(checks, &mut judged)
    };
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
            catch_panic(check, || {
                evaluate(&outcomes(summarized(), checks, &judged, page))
            })
            .map_or(Evaluated::Errored, Evaluated::Answered)
        };
        if let Some(judged) = judged.get_mut(place) {
            *judged = summary;
        }
    }
    PageVerdicts {
        recorded: judged,
        withheld,
        exclusion,
    }
}

/// Whether a browser examined what the check judges. A page that led the browser to another one was not shown, but its
/// response is known.
fn is_examined(check: &Check, page: &Page) -> bool {
    page.is_rendered() || (check.needs(Need::AsServed) && page.led_to().is_some())
}

/// Takes out the verdicts of the checks that need an indexable page.
fn withhold(checks: &[&'static Check], judged: &mut [Evaluated]) -> Vec<(u16, Evaluated)> {
    let mut withheld = Vec::new();
    for (place, (check, judged)) in checks.iter().zip(judged).enumerate() {
        let none = Evaluated::Answered(Outcome::NotApplicable);
        if let Ok(place) = u16::try_from(place)
            && check.needs(Need::Indexable)
            && *judged != none
        {
            withheld.push((place, std::mem::replace(judged, none)));
        }
    }
    withheld
}

/// The outcomes of checks on a page: from `judged` if they are there, otherwise evaluated now.
fn outcomes<'a>(
    wanted: &[&'static Check],
    checks: &[&'static Check],
    judged: &'a [Evaluated],
    page: &Page,
) -> Vec<PageOutcome<'a>> {
    let of_check = |check: &&'static Check| {
        let mut known = checks.iter().zip(judged);
        let outcome = match known.find(|(known, _)| known.id == check.id) {
            Some((_, Evaluated::Answered(outcome))) => Cow::Borrowed(outcome),
            _ => Cow::Owned(check.evaluate_page(page)?),
        };
        Some((check.id, outcome))
    };
    wanted.iter().filter_map(of_check).collect()
}

fn out_of_time(check: &Check, page: &Page) -> Evaluated {
    tracing::warn!(check.id = check.id, page.url = %page.url(), "check skipped: page out of time");
    Evaluated::TimedOut
}

/// The result of running a site check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum SiteOutcome {
    /// It is a page check and was not run.
    PageCheck,
    /// Its verdicts were recorded; how much of its penalty it costs, if the check says so itself.
    Recorded(Option<Share>),
    /// Its verdicts were recorded, and it cannot tell for other subjects.
    CannotTell(&'static str),
    /// It panicked.
    Errored,
}

/// Evaluates a site check and passes each verdict to `record`.
pub(crate) fn evaluate_site(
    check: &'static Check,
    site: &Site,
    record: &mut dyn FnMut(&str, Outcome) -> bool,
) -> SiteOutcome {
    let home = site.start.as_str();
    let gate = if check.needs(Need::PublicOrigin) && site.loopback {
        Some(Outcome::NotApplicable)
    } else if check.needs(Need::CompleteCrawl) && !site.complete {
        Some(Outcome::CannotTell("The crawl did not reach every page."))
    } else {
        None
    };
    match (check.rule, gate) {
        (Rule::Page(_) | Rule::Summary(..), _) => SiteOutcome::PageCheck,
        (_, Some(outcome)) => {
            record(home, outcome);
            SiteOutcome::Recorded(None)
        }
        (Rule::Site(evaluate), None) => match catch_panic(check, || evaluate(site)) {
            Some(outcome) => {
                record(home, outcome);
                SiteOutcome::Recorded(None)
            }
            None => SiteOutcome::Errored,
        },
        (Rule::Each(evaluate), None) => {
            let judged = catch_panic(check, || {
                let mut verdicts = Verdicts::new(record);
                evaluate(site, &mut verdicts);
                (verdicts.unknown(), verdicts.reach())
            });
            match judged {
                Some((None, reach)) => SiteOutcome::Recorded(reach),
                Some((Some(reason), _)) => SiteOutcome::CannotTell(reason),
                None => SiteOutcome::Errored,
            }
        }
    }
}

/// Runs the function; a panic loses only this result.
fn catch_panic<T>(check: &Check, evaluate: impl FnOnce() -> T) -> Option<T> {
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
    fn one_page_alone_gets_the_precise_messages() {
        let checks: Vec<_> = find("html-has-lang").into_iter().collect();
        let text = "The next ferry leaves at noon, and another one leaves at six. ".repeat(4);
        let page = Page::builder().html(&format!("<!doctype html><title>Ferries</title><p>{text}"));
        let names_language = |judged: &[Evaluated]| match judged {
            [Evaluated::Answered(Outcome::Failed(failures))] => failures
                .iter()
                .all(|evidence| evidence.message.contains("English")),
            other => panic!("{other:?}"),
        };
        assert!(names_language(&evaluate_page(&checks, &page)));
        assert!(!names_language(&evaluate_page_of_many(&checks, &page)));
    }

    #[test]
    fn header_checks_require_headers() {
        let checks: Vec<_> = find("csp-missing").into_iter().collect();
        let html = "<!doctype html><html lang=en><title>Menu</title>";
        let builder = || Page::builder().url("https://example.com/");
        let bare = builder().html(html);
        let judged = evaluate_page(&checks, &bare);
        assert!(matches!(
            judged[..],
            [Evaluated::Answered(Outcome::NotApplicable)]
        ));
        let served = builder().header("content-type", "text/html").html(html);
        let judged = evaluate_page(&checks, &served);
        assert!(matches!(
            judged[..],
            [Evaluated::Answered(Outcome::Failed(_))]
        ));
    }
}
