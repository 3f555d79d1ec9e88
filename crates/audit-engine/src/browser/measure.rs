//! Measures the load of one page, in a context of its own and over a tunnel that is slowed down.

use std::time::Duration;

use domain::report::LabProfile;
use serde::Deserialize;
use url::Url;

use super::cdp::commands::{EnablePerformance, GetMetrics, SetCpuRate};
use super::cdp::{CdpError, HUNG, Session, optional};
use super::context::Context;
use super::focus_walk::press_tab;
use super::frames::{self, Frames, milliseconds};
use super::late_changes::quiet_with_changes;
use super::settle::{Decision, Purpose, QUIET_WHILE_MEASURED};
use super::visit::Visit;
use super::world::World;
use crate::address::SiteKey;
use crate::gather::{RenderError, Want};
use crate::lab::{
    BusyScript, LabElement, LargestPaint, MAX_BUSY_SCRIPTS, MAX_LAB_TEXT_BYTES, MAX_LONG_TASKS,
    MAX_SHIFT_SOURCES, MAX_SHIFTS, Observed, Shift, ShiftSource, Task, TimedRequest, cpu_rate,
};

/// How often the Tab key is pressed to see how quickly the page paints then.
const KEYS: u32 = 5;

/// What the script in the page says. Its lists and texts are bounded there, and again here.
#[derive(Debug, Deserialize)]
struct Said {
    /// When the navigation began, in milliseconds since 1970.
    origin: f64,
    now: u32,
    ttfb: Option<u32>,
    /// When `DOMContentLoaded` was handled.
    ready: Option<u32>,
    fcp: Option<u32>,
    lcp: Option<SaidPaint>,
    shifts: Vec<(u32, u32)>,
    sources: Vec<SaidShift>,
    tasks: Vec<(u32, u32)>,
    scripts: Vec<(String, u32)>,
    /// The URLs of the files that block rendering.
    blocking: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct SaidPaint {
    at: u32,
    element: Option<SaidElement>,
    url: Option<String>,
    loaded: Option<(u32, u32)>,
}

#[derive(Debug, Deserialize)]
struct SaidShift {
    shift: (u32, u32),
    element: Option<SaidElement>,
    elements: u32,
}

#[derive(Debug, Deserialize)]
struct SaidElement {
    selector: Option<String>,
    snippet: String,
}

/// How a load is measured.
#[derive(Debug, Clone, Copy)]
pub(super) struct Conditions {
    pub(super) profile: LabProfile,
    /// The `BenchmarkIndex` of the machine.
    pub(super) machine_index: u32,
    /// How long the page is quiet at the end, if that is known.
    pub(super) quiet: Option<Duration>,
    /// How long it is measured at most.
    pub(super) most: Duration,
}

/// A load that was measured.
#[derive(Debug)]
pub(super) enum Measurement {
    Complete(Box<Load>),
    /// The page changes later. It has to be measured with this quiet time.
    ChangesLater(Duration),
}

/// What was measured of a load.
#[derive(Debug)]
pub(super) struct Load {
    /// The page that was shown.
    pub(super) url: Url,
    /// Whether it had settled at the end.
    pub(super) is_settled: bool,
    pub(super) observed: Observed,
}

/// A load whose values have been read. Whether it has all changes of the page is not known yet.
pub(super) struct ReadLoad {
    load: Load,
    pictures: Frames,
    origin: f64,
    /// Whether it was quiet at the end for as long as the changes of the page take.
    is_long: bool,
}

/// Loads the page, and measures it until it has settled.
pub(super) async fn read_load(
    context: &Context,
    url: &Url,
    conditions: Conditions,
) -> Result<ReadLoad, RenderError> {
    let Some(site) = SiteKey::from_url(url) else {
        return Err(RenderError::Left(url.to_string()));
    };
    let tab = context.tab();
    let rate = cpu_rate(conditions.profile, conditions.machine_index);
    tab.call(&SetCpuRate { rate }).await?;
    tab.call(&EnablePerformance {}).await?;
    frames::begin(tab).await?;
    let quiet = conditions.quiet.unwrap_or(QUIET_WHILE_MEASURED);
    let purpose = Purpose::Metrics {
        quiet,
        most: conditions.most,
    };
    let mut visit = Visit::new(context, site, purpose, Want::default());
    let decision = visit.settle(url).await?;
    let work = main_thread(tab).await?;
    let said = said(context).await?;
    for event in tab.take_events() {
        if event.method == "Page.screencastFrame" {
            visit.frames.add(tab, &event).await;
        }
    }
    frames::end(tab).await;
    let requests = requests(context, &mut visit, &said.blocking);
    let key_ms = keys(context, &mut visit).await?;
    let document = visit.document().ok_or(RenderError::Timeout)?;
    let (url, status) = (document.url.clone(), document.status);
    if !(200..300).contains(&status) {
        let reason = format!("the browser got the status code {status}");
        return Err(RenderError::Navigation(reason));
    }
    Ok(ReadLoad {
        pictures: std::mem::take(&mut visit.frames),
        origin: said.origin,
        is_long: conditions.quiet.is_some(),
        load: Load {
            url,
            is_settled: decision == Decision::Settled,
            observed: Observed {
                key_ms,
                main_thread_ms: work.tasks,
                script_ms: work.scripts,
                layout_ms: work.layout,
                requests,
                ..said.into()
            },
        },
    })
}

impl ReadLoad {
    /// Whether the load is complete. The tab cannot show another page afterwards.
    pub(super) async fn complete(mut self, context: &Context) -> Measurement {
        // A page that did not settle has been observed for as long as a load may take.
        if self.load.is_settled
            && !self.is_long
            && let Some(quiet) = quiet_with_changes(context.tab(), context.main_frame()).await
        {
            return Measurement::ChangesLater(quiet);
        }
        let (pictures, origin) = (self.pictures, self.origin);
        let frames = tokio::task::spawn_blocking(move || pictures.read(origin)).await;
        self.load.observed.frames = frames.unwrap_or_default();
        Measurement::Complete(Box::new(self.load))
    }
}

/// What the main thread has done, in milliseconds.
#[derive(Debug, Default)]
struct MainThread {
    tasks: Option<u32>,
    scripts: Option<u32>,
    layout: Option<u32>,
}

async fn main_thread(tab: &Session) -> Result<MainThread, CdpError> {
    let sums = tab.call(&GetMetrics {}).await?.metrics;
    let sum = |name: &str| {
        let found = sums.iter().find(|sum| sum.name == name)?;
        Some(milliseconds(found.value * 1_000.0))
    };
    let styles = sum("RecalcStyleDuration");
    let layout = sum("LayoutDuration").zip(styles);
    Ok(MainThread {
        tasks: sum("TaskDuration"),
        scripts: sum("ScriptDuration"),
        layout: layout.map(|(layout, styles)| layout.saturating_add(styles)),
    })
}

/// The requests until now, with those marked that block rendering, and without the secret values of the run.
fn requests(context: &Context, visit: &mut Visit<'_>, blocking: &[String]) -> Vec<TimedRequest> {
    let mut requests = visit.timed_requests();
    for request in &mut requests {
        context.headers().hide_in_request(request);
        request.blocks_rendering = blocking.contains(&request.url);
    }
    requests
}

/// What the script in the page noted.
async fn said(context: &Context) -> Result<Said, RenderError> {
    let asked = async {
        let world = World::enter(context.tab(), context.main_frame()).await?;
        world.evaluate("assayMeasured()").await
    };
    let answer = asked.await?.to_string();
    let answer = context.headers().hide_in_json(&answer);
    serde_json::from_str(&answer).map_err(|error| RenderError::Browser(error.to_string()))
}

/// The longest time from pressing the Tab key to the next paint. None if no key took as long as the browser reports, or if
/// the page does not answer. Fails if the page crashes or opens too many windows.
async fn keys(context: &Context, visit: &mut Visit<'_>) -> Result<Option<u32>, RenderError> {
    let pressing = async {
        for _ in 0..KEYS {
            press_tab(context.tab()).await?;
        }
        let world = World::enter(context.tab(), context.main_frame()).await?;
        world.promised("assayKeys()").await
    };
    let answer = tokio::select! {
        answer = pressing => optional(answer)?,
        () = visit.interrupted() => return Err(RenderError::Crashed),
        () = tokio::time::sleep(2 * HUNG) => None,
    };
    let ms = answer.and_then(|answer| answer.as_u64());
    Ok(ms.and_then(|ms| u32::try_from(ms).ok()))
}

impl From<Said> for Observed {
    fn from(said: Said) -> Self {
        let shift = |(at_ms, millionths)| Shift { at_ms, millionths };
        let shifts = said.shifts.into_iter().take(MAX_SHIFTS);
        let sources = said.sources.into_iter().take(MAX_SHIFT_SOURCES);
        let tasks = said.tasks.into_iter().take(MAX_LONG_TASKS);
        let scripts = said.scripts.into_iter().take(MAX_BUSY_SCRIPTS);
        Self {
            ttfb_ms: said.ttfb,
            fcp_ms: said.fcp,
            largest: said.lcp.map(|paint| LargestPaint {
                at_ms: paint.at,
                element: paint.element.map(SaidElement::bounded),
                url: paint.url.map(bounded),
                loaded_ms: paint.loaded,
            }),
            shifts: shifts.map(shift).collect(),
            shift_sources: sources
                .map(|source| ShiftSource {
                    shift: shift(source.shift),
                    element: source.element.map(SaidElement::bounded),
                    elements: source.elements,
                })
                .collect(),
            long_tasks: tasks.map(|(at_ms, ms)| Task { at_ms, ms }).collect(),
            busy_scripts: scripts
                .map(|(url, ms)| BusyScript {
                    url: bounded(url),
                    ms,
                })
                .collect(),
            content_loaded_ms: said.ready,
            ended_ms: said.now,
            ..Self::default()
        }
    }
}

impl SaidElement {
    fn bounded(self) -> LabElement {
        LabElement {
            // A part of a selector would match other elements.
            selector: self
                .selector
                .filter(|text| text.len() <= MAX_LAB_TEXT_BYTES),
            snippet: bounded(self.snippet),
        }
    }
}

fn bounded(mut text: String) -> String {
    text.truncate(text.floor_char_boundary(MAX_LAB_TEXT_BYTES));
    text
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read(said: serde_json::Value) -> Observed {
        serde_json::from_value::<Said>(said).unwrap().into()
    }

    #[test]
    fn what_the_page_says_is_read() {
        let element = json!({"selector": "#hero", "snippet": "<img id=\"hero\">"});
        let observed = read(json!({
            "origin": 1.5e12, "now": 3_000, "ttfb": 160, "ready": 700, "fcp": 900,
            "lcp": {"at": 1_200, "element": element, "url": "https://example.com/a.png", "loaded": [400, 1_100]},
            "shifts": [[1_500, 120_000]],
            "sources": [{"shift": [1_500, 120_000], "element": element, "elements": 3}],
            "tasks": [[1_000, 300]], "scripts": [["https://example.com/a.js", 290]], "blocking": [],
        }));
        let largest = observed.largest.unwrap();
        assert_eq!(largest.loaded_ms, Some((400, 1_100)));
        assert_eq!(largest.element.unwrap().selector.as_deref(), Some("#hero"));
        assert_eq!(observed.shift_sources[0].elements, 3);
        assert_eq!(
            observed.long_tasks,
            [Task {
                at_ms: 1_000,
                ms: 300
            }]
        );
        assert_eq!(observed.busy_scripts[0].ms, 290);
        assert_eq!(observed.content_loaded_ms, Some(700));
    }

    #[test]
    fn a_page_that_says_nothing_is_read_too() {
        let observed = read(json!({
            "origin": 0, "now": 0, "ttfb": null, "fcp": null, "lcp": null, "shifts": [], "sources": [],
            "tasks": [], "scripts": [], "blocking": [],
        }));
        assert_eq!(observed, Observed::default());
    }

    #[test]
    fn lists_and_texts_are_bounded() {
        let long = "ü".repeat(MAX_LAB_TEXT_BYTES);
        let element = json!({"selector": long, "snippet": long});
        let source = json!({"shift": [1, 1], "element": element, "elements": 1});
        let observed = read(json!({
            "origin": 0, "now": 0, "ttfb": null, "fcp": null,
            "lcp": {"at": 1, "element": element, "url": long, "loaded": null},
            "shifts": vec![[1, 1]; MAX_SHIFTS + 1],
            "sources": vec![source; MAX_SHIFT_SOURCES + 1],
            "tasks": vec![[1, 50]; MAX_LONG_TASKS + 1],
            "scripts": vec![json!([long, 1]); MAX_BUSY_SCRIPTS + 1], "blocking": [],
        }));
        assert_eq!(observed.shifts.len(), MAX_SHIFTS);
        assert_eq!(observed.shift_sources.len(), MAX_SHIFT_SOURCES);
        assert_eq!(observed.long_tasks.len(), MAX_LONG_TASKS);
        assert_eq!(observed.busy_scripts.len(), MAX_BUSY_SCRIPTS);
        let largest = observed.largest.unwrap();
        let element = largest.element.unwrap();
        assert_eq!(element.selector, None);
        for text in [
            &element.snippet,
            &largest.url.unwrap(),
            &observed.busy_scripts[0].url,
        ] {
            assert_eq!(text.len(), MAX_LAB_TEXT_BYTES);
        }
    }
}
