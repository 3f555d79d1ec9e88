//! Progress on the standard error.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicU8, Ordering};

use audit_engine::{Phase, Progress};
use domain::text::count;
use indicatif::{ProgressBar, ProgressStyle};

use crate::output::write_note;

/// A bar on a terminal; elsewhere a line when the phase changes.
pub(crate) struct ProgressLine {
    bar: Option<ProgressBar>,
    phase: AtomicU8,
}

impl ProgressLine {
    pub(crate) fn new() -> Self {
        let bar = std::io::stderr().is_terminal().then(|| {
            let bar = ProgressBar::new(100);
            let style = ProgressStyle::with_template("{bar:30} {percent:>3} %  {msg}");
            if let Ok(style) = style {
                bar.set_style(style.progress_chars("━╸─"));
            }
            bar
        });
        Self {
            bar,
            phase: AtomicU8::new(u8::MAX),
        }
    }

    pub(crate) fn show(&self, progress: &Progress) {
        let text = describe(progress);
        if let Some(bar) = &self.bar {
            bar.set_position(u64::from(progress.percent));
            bar.set_message(text);
            return;
        }
        let number = match progress.phase {
            Phase::Discovering => 0,
            Phase::Crawling => 1,
            Phase::Scoring => 2,
            Phase::Done => 3,
        };
        // The report follows at once; it says how many pages there were.
        if number != 3 && self.phase.swap(number, Ordering::Relaxed) != number {
            write_note(&text);
        }
    }

    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

fn describe(progress: &Progress) -> String {
    match progress.phase {
        Phase::Discovering => "looking at robots.txt, the start page and sitemaps".to_owned(),
        Phase::Crawling => format!(
            "crawling: {} audited, {} requested of {} found",
            count(progress.pages_audited, "page", "pages"),
            progress.pages_fetched,
            count(progress.pages_discovered, "URL", "URLs")
        ),
        Phase::Scoring => format!(
            "{} audited; checking resources, links and well-known places",
            count(progress.pages_audited, "page", "pages")
        ),
        Phase::Done => format!("{} audited", count(progress.pages_audited, "page", "pages")),
    }
}
