//! Measures a few pages after the crawl: the start page, and one of each pattern of URLs.

use std::collections::HashSet;

use domain::report::{LabSpread, MAX_MEASURED_PAGES};
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::address::is_same_document;
use crate::crawl::progress::{LoadCounts, Measuring};
use crate::crawl::url_pattern;
use crate::gather::{RenderError, Renderer};
use crate::lab::{MeasuredLoad, median_by_largest_paint};
use crate::options::LabOptions;
use crate::site::{MeasuredPage, PageFacts};

/// The pages that were measured.
#[derive(Debug, Default)]
pub(super) struct Measured {
    /// In the order of the crawl.
    pub(super) pages: Vec<MeasuredPage>,
    /// Pages that were chosen and not measured.
    pub(super) failed: u64,
}

/// The loads of a page.
#[derive(Debug, Default)]
struct Loads {
    steady: Vec<MeasuredLoad>,
    /// Those during which the speed of the machine changed.
    unsteady: Vec<MeasuredLoad>,
}

/// Measures the pages one after the other until the time is over. Nothing else of the audit may run meanwhile.
pub(super) async fn measure(
    renderer: &dyn Renderer,
    pages: &[PageFacts],
    options: LabOptions,
    until: Instant,
    on_load: &(dyn Fn(LoadCounts) + Send + Sync),
) -> Measured {
    let mut measured = Measured::default();
    let start = pages.first().map(|page| &page.url);
    let chosen: Vec<_> = chosen(pages, options.pages)
        .map(|url| match start == Some(url) {
            true => (url, options.start_page_loads.max(1)),
            false => (url, 1),
        })
        .collect();
    let mut counts = LoadCounts {
        pages: Measuring {
            pages: 0,
            chosen: u64::try_from(chosen.len()).unwrap_or(u64::MAX),
        },
        loads: 0,
        planned: total(chosen.iter().map(|(_, runs)| *runs)),
    };
    on_load(counts);
    for (place, (url, runs)) in chosen.iter().copied().enumerate() {
        let before = counts.loads;
        let end = total(chosen.iter().take(place + 1).map(|(_, runs)| *runs));
        let most_drift = options.most_drift_percent;
        let mut on_load_of_page = |loads: u32| {
            counts.loads = before.saturating_add(loads).min(end);
            on_load(counts);
        };
        let loaded = load(renderer, url, runs, most_drift, until, &mut on_load_of_page).await;
        match loaded {
            Ok(page) => {
                counts.pages.pages += u64::from(page.is_some());
                measured.pages.extend(page);
            }
            Err(error) => {
                tracing::info!(page.url = %url, reason = %error, "page not measured");
                if matches!(error, RenderError::Unavailable(_)) {
                    break;
                }
                measured.failed += 1;
            }
        }
        counts.loads = end;
        on_load(counts);
    }
    measured
}

/// The sum of numbers of loads.
fn total(loads: impl Iterator<Item = usize>) -> u32 {
    u32::try_from(loads.sum::<usize>()).unwrap_or(u32::MAX)
}

/// The start page, and the first page of each further pattern of URLs, of those that the browser showed: it would fail to
/// show the others once more.
fn chosen(pages: &[PageFacts], most: usize) -> impl Iterator<Item = &Url> {
    let mut patterns = HashSet::new();
    let shown = pages.iter().filter(|page| page.is_rendered);
    let urls = shown.map(|page| &page.url);
    urls.filter(move |url| patterns.insert(url_pattern(url)))
        .take(most.min(MAX_MEASURED_PAGES))
}

/// Loads the page this many times, and once more if the speed of the machine changed, and says after each load how many
/// there were. A page that does not settle is loaded once. None if the time was over before.
async fn load(
    renderer: &dyn Renderer,
    url: &Url,
    runs: usize,
    most_drift_percent: u32,
    until: Instant,
    on_load: &mut (dyn FnMut(u32) + Send),
) -> Result<Option<MeasuredPage>, RenderError> {
    let mut loads = Loads::default();
    for before in 0..=u32::try_from(runs).unwrap_or(u32::MAX) {
        on_load(before);
        if loads.steady.len() >= runs {
            break;
        }
        match timeout_at(until, renderer.measure(url.clone())).await {
            Ok(Ok(load)) if !is_same_document(&load.url, url) => {
                return Err(RenderError::Left(load.url.to_string()));
            }
            Ok(Ok(load)) => {
                let is_settled = load.is_settled;
                match load.is_steady(most_drift_percent) {
                    true => loads.steady.push(load),
                    false => loads.unsteady.push(load),
                }
                // A page that never rests takes all the time that a load may take, each time.
                if !is_settled {
                    break;
                }
            }
            Ok(Err(error)) if loads.is_empty() => return Err(error),
            // What was measured before is still true.
            Ok(Err(_)) | Err(_) => break,
        }
    }
    Ok(loads.reported(url))
}

impl Loads {
    const fn is_empty(&self) -> bool {
        self.steady.is_empty() && self.unsteady.is_empty()
    }

    /// The load that is reported: one during which the machine was steady, if there is one.
    fn reported(self, url: &Url) -> Option<MeasuredPage> {
        let is_steady = !self.steady.is_empty();
        let loads = if is_steady {
            self.steady
        } else {
            self.unsteady
        };
        let runs = u32::try_from(loads.len()).unwrap_or(u32::MAX);
        let metrics: Vec<_> = loads.iter().map(MeasuredLoad::metrics).collect();
        let spread = LabSpread::of(&metrics);
        let load = median_by_largest_paint(loads)?;
        Some(MeasuredPage {
            measurement: load.measurement(url.as_str(), (runs, spread), is_steady),
            load,
        })
    }
}
