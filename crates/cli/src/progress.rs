//! Progress on standard error.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::time::{Duration, Instant};

use audit_engine::{Measuring, Phase, Progress, Step, Waiting};
use domain::text::{count, grouped, time_left};
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::write_note;

/// The interval between progress lines without a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(15);
/// The redraw interval of the bar, so that its clock advances.
const TICK: Duration = Duration::from_millis(250);

/// A bar on a terminal; otherwise a line for each phase change and at intervals.
pub(crate) struct ProgressLine {
    shown: Shown,
    clock: Mutex<Clock>,
}

enum Shown {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

/// What was printed last, and when.
#[derive(Default)]
struct Clock {
    phase: Option<Phase>,
    told: Option<Instant>,
    crawl_begun: Option<Instant>,
}

impl ProgressLine {
    pub(crate) fn new(quiet: bool) -> Self {
        let shown = if quiet {
            Shown::Nothing
        } else if std::io::stderr().is_terminal() {
            let bar = ProgressBar::new(100);
            // Text that does not fit is cut, so that the line never wraps.
            let template = "{bar:10} {percent:>3} %  {elapsed}  {wide_msg}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style.progress_chars("━╸─"));
            }
            bar.enable_steady_tick(TICK);
            Shown::Bar(bar)
        } else {
            Shown::Lines
        };
        Self {
            shown,
            clock: Mutex::default(),
        }
    }

    pub(crate) fn show(&self, progress: &Progress) {
        let now = Instant::now();
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(progress.phase, Phase::Crawling | Phase::Rendering) {
            clock.crawl_begun.get_or_insert(now);
        }
        let rate = clock
            .crawl_begun
            .and_then(|begun| rate(progress.pages_audited, now.saturating_duration_since(begun)));
        match &self.shown {
            Shown::Nothing => {}
            Shown::Bar(bar) => {
                bar.set_position(u64::from(progress.percent));
                bar.set_message(short(progress, rate));
            }
            Shown::Lines => {
                let is_new = clock.phase != Some(progress.phase);
                let is_due = clock
                    .told
                    .is_none_or(|told| now.saturating_duration_since(told) >= BETWEEN_LINES);
                clock.phase = Some(progress.phase);
                // The report follows and contains the number of pages.
                if progress.phase != Phase::Done && (is_new || is_due) {
                    clock.told = Some(now);
                    write_note(&long(progress, rate));
                }
            }
        }
    }

    /// Runs a function that writes lines while the bar is hidden.
    pub(crate) fn suspend(&self, write: impl FnOnce()) {
        match &self.shown {
            Shown::Bar(bar) => bar.suspend(write),
            Shown::Lines | Shown::Nothing => write(),
        }
    }

    pub(crate) fn finish(&self) {
        if let Shown::Bar(bar) = &self.shown {
            bar.finish_and_clear();
        }
    }
}

/// Pages per second, once enough pages were audited.
fn rate(pages: u64, took: Duration) -> Option<f64> {
    let pages = u32::try_from(pages).ok()?;
    (took >= Duration::from_millis(500) && pages > 0).then(|| f64::from(pages) / took.as_secs_f64())
}

/// "8.2 pages/s"
fn per_second(rate: f64) -> String {
    if rate < 10.0 {
        format!("{rate:.1} pages/s")
    } else {
        format!("{rate:.0} pages/s")
    }
}

/// The text beside the bar, most important part first.
fn short(progress: &Progress, rate: Option<f64>) -> String {
    let pages = count(progress.pages_audited, "page", "pages");
    match progress.phase {
        Phase::Discovering => "discovering pages".to_owned(),
        Phase::Crawling => {
            let rate = rate.map_or_else(String::new, |rate| format!(", {}", per_second(rate)));
            let (audited, found) = (progress.pages_audited, progress.pages_discovered);
            format!("crawling: {} of {}{rate}", grouped(audited), grouped(found))
        }
        Phase::Rendering => rendering(progress),
        Phase::Scoring => match &progress.waiting {
            Some(waiting) => format!("{pages}; {}", described(waiting)),
            None => format!("{pages}, checking links and files"),
        },
        Phase::Done => format!("{pages} audited"),
    }
}

/// "links to other sites: 120 requests, at most 31 s more"
fn described(waiting: &Waiting) -> String {
    let step = match waiting.step {
        Step::WellKnown => "well-known URLs",
        Step::Resources => "images, scripts and styles",
        Step::ExternalLinks => "links to other sites",
    };
    let requests = count(waiting.requests, "request", "requests");
    let seconds = waiting.at_most.as_secs();
    format!("{step}: {requests}, at most {seconds} s more")
}

/// "rendering in a browser: 12 of 40 pages, about 2 minutes left"
fn rendering(progress: &Progress) -> String {
    let left = progress.time_left.map_or_else(String::new, |left| {
        format!(", {}", time_left(left.as_secs()))
    });
    match progress.measuring {
        Some(Measuring { pages, chosen }) => {
            let chosen = count(chosen, "page", "pages");
            format!(
                "measuring in a browser: {} of {chosen}{left}",
                grouped(pages)
            )
        }
        None => format!(
            "rendering in a browser: {} of {}{left}",
            grouped(progress.pages_rendered),
            count(progress.pages_discovered, "page", "pages")
        ),
    }
}

fn long(progress: &Progress, rate: Option<f64>) -> String {
    let pages = count(progress.pages_audited, "page", "pages");
    match progress.phase {
        Phase::Discovering => "fetching robots.txt, the start page and sitemaps".to_owned(),
        Phase::Crawling => {
            let rate = rate.map_or_else(String::new, |rate| format!(", {}", per_second(rate)));
            format!(
                "crawling: {pages} audited, {} requested of {} found{rate}",
                progress.pages_fetched,
                count(progress.pages_discovered, "URL", "URLs")
            )
        }
        Phase::Rendering => format!("{pages} audited; {}", rendering(progress)),
        Phase::Scoring => match &progress.waiting {
            Some(waiting) => format!("{pages} audited; {}", described(waiting)),
            None => format!("{pages} audited; checking resources, links and well-known URLs"),
        },
        Phase::Done => format!("{pages} audited"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_audit_waits_for_and_how_long_is_told() {
        let waiting = Waiting {
            step: Step::ExternalLinks,
            requests: 1_200,
            at_most: Duration::from_millis(31_900),
        };
        let text = described(&waiting);
        assert_eq!(
            text,
            "links to other sites: 1,200 requests, at most 31 s more"
        );
    }

    #[test]
    fn what_the_browser_does_and_how_long_is_told() {
        let mut progress = Progress {
            phase: Phase::Rendering,
            pages_discovered: 1_040,
            pages_fetched: 14,
            pages_audited: 13,
            pages_rendered: 12,
            measuring: None,
            time_left: Some(Duration::from_secs(100)),
            percent: 20,
            waiting: None,
        };
        let expected = "rendering in a browser: 12 of 1,040 pages, about 2 minutes left";
        assert_eq!(short(&progress, None), expected);
        progress.measuring = Some(Measuring {
            pages: 1,
            chosen: 5,
        });
        progress.time_left = None;
        let expected = "13 pages audited; measuring in a browser: 1 of 5 pages";
        assert_eq!(long(&progress, None), expected);
    }

    #[test]
    fn a_rate_is_told_once_it_means_something() {
        assert_eq!(rate(5, Duration::from_millis(100)), None);
        assert_eq!(rate(0, Duration::from_secs(5)), None);
        assert_eq!(rate(5, Duration::from_secs(2)), Some(2.5));
        assert_eq!(per_second(2.5), "2.5 pages/s");
        assert_eq!(per_second(123.4), "123 pages/s");
    }
}
