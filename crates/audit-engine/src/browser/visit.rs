//! The visit of one page: navigate, wait until it has settled, freeze it, take its snapshot.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::Value;
use tokio::time::Instant;
use url::Url;

use super::capture::{Captured, Early, capture, capture_early, complete, resume, stop_script};
use super::cdp::commands::{ClearCookies, ClearOrigin, Navigate, Navigated, StopLoading};
use super::cdp::events::Event;
use super::cdp::{CdpError, HUNG, Session};
use super::context::Context;
use super::coverage;
use super::event_log::EventLog;
use super::focus_walk::{MOST_TIME, Walk};
use super::frames::Frames;
use super::interruptions::Interruptions;
use super::main_document::MainDocument;
use super::rule_usage::{self, SheetLog};
use super::settle::{self, Decision, Observed, Painting, Purpose, Settling, Signal, Version};
use super::world::World;
use crate::address::SiteKey;
use crate::gather::{FileCoverage, FocusWalk, RenderError, RenderedPage, WalkEnd, Want};
use crate::lab::TimedRequest;

/// The page is taken as it is after this time, however often scripts replaced its document.
const VISIT_CAP: Duration = Duration::from_secs(22);

/// How much longer than one of its documents a page is measured whose scripts replace its document.
const FURTHER_DOCUMENTS: Duration = Duration::from_secs(2);

/// When a visit has to end that does more than show a page, so that its time is not over before.
const VISIT_END: Duration = Duration::from_secs(26);

/// How long a document may take to arrive.
pub(super) const NAVIGATION_TIMEOUT: Duration = Duration::from_secs(20);

/// How often a loaded page is asked whether it still changes.
const POLL: Duration = Duration::from_millis(100);

/// Navigations by scripts that are followed.
const MAX_NAVIGATIONS: u32 = 5;

/// Everything that a page may have stored but its cache.
const STORED: &str =
    "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,websql";

/// The error of a navigation if the browser asks its default proxy, on which nothing listens. Its network process has ended,
/// and the new one does not know the proxy of this context any more.
const NO_PROXY: &str = "net::ERR_PROXY_CONNECTION_FAILED";

/// A message that arrives during a visit.
enum Arrived {
    Navigated(Result<Navigated, CdpError>),
    Observed(Result<Option<Signal>, CdpError>),
    /// A script that did not let the page answer was stopped.
    Stopped(Result<(), RenderError>),
    /// A snapshot of the document with this number.
    Captured(u32, Result<Box<(Version, Early)>, RenderError>),
    Event(Option<Event>),
    Tick,
}

/// The state of a visit.
pub(super) struct Visit<'a> {
    context: &'a Context,
    purpose: Purpose,
    want: Want,
    site: SiteKey,
    begun: Instant,
    /// When the current document began.
    document_at: Duration,
    settling: Settling,
    /// The last response for the main frame: the next document, unless its navigation is replaced.
    response: Option<MainDocument>,
    document: Option<MainDocument>,
    has_navigated: bool,
    is_observing: bool,
    is_capturing: bool,
    /// A snapshot that was taken when the page was calm, and what it had been through then.
    early: Option<Box<(Version, Early)>>,
    navigations: u32,
    interruptions: Interruptions,
    log: EventLog,
    sheets: SheetLog,
    /// What the window showed, if it is measured.
    pub(super) frames: Frames,
    /// Whether requests were open when the page was taken.
    is_loading: bool,
    /// Whether the tab may not answer any more.
    pub(super) is_spent: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestEvent {
    request_id: String,
    #[serde(default, rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
struct FrameEvent {
    frame: Frame,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Frame {
    id: String,
    url: String,
    #[serde(default)]
    parent_id: Option<String>,
    #[serde(default)]
    loader_id: String,
}

/// How a visit ended.
pub(super) struct Visited<T = RenderedPage> {
    pub(super) shown: Result<T, RenderError>,
    /// Whether the tab may not be able to show another page.
    pub(super) is_spent: bool,
}

impl<T> Visited<T> {
    pub(super) fn failed(error: RenderError) -> Self {
        Self {
            is_spent: is_of_tab(&error),
            shown: Err(error),
        }
    }
}

/// Whether the tab does not work any more.
pub(super) const fn is_of_tab(error: &RenderError) -> bool {
    matches!(
        error,
        RenderError::Crashed | RenderError::Hung | RenderError::Browser(_)
    )
}

/// Shows a page, and finds out what is wanted.
pub(super) async fn visit(context: &Context, url: &Url, want: Want) -> Visited {
    let Some(site) = SiteKey::from_url(url) else {
        return Visited::failed(RenderError::Left(url.to_string()));
    };
    let mut visit = Visit::new(context, site, Purpose::Snapshot, want);
    if want.coverage
        && let Err(error) = begin_coverage(context).await
    {
        return Visited::failed(error.into());
    }
    let shown = visit.show(url).await;
    visit.is_spent |= shown.as_ref().is_err_and(is_of_tab);
    visit.is_spent |= visit.interruptions.has_too_many_windows();
    if want.coverage {
        end_coverage(context.tab()).await;
    }
    visit.leave().await;
    let origin = visit
        .document
        .as_ref()
        .map_or(url, |document| &document.url);
    clear(context, origin).await;
    Visited {
        shown,
        is_spent: visit.is_spent,
    }
}

/// Begins to note what the next page uses of its scripts and style sheets.
async fn begin_coverage(context: &Context) -> Result<(), CdpError> {
    let tab = context.tab();
    coverage::begin(tab).await?;
    rule_usage::begin(tab).await
}

async fn end_coverage(tab: &Session) {
    coverage::end(tab).await;
    rule_usage::end(tab).await;
}

/// Removes what the page stored. The next visit must not depend on this one.
pub(super) async fn clear(context: &Context, url: &Url) {
    let cookies = ClearCookies {
        browser_context_id: context.id(),
    };
    let origin = url.origin().ascii_serialization();
    let stored = ClearOrigin {
        origin: &origin,
        storage_types: STORED,
    };
    let (cookies, stored) = tokio::join!(
        context.browser().call(&cookies),
        context.tab().call(&stored)
    );
    for error in [cookies.err(), stored.err()].into_iter().flatten() {
        tracing::debug!(%error, "what a page stored was not removed");
    }
}

impl<'a> Visit<'a> {
    pub(super) fn new(context: &'a Context, site: SiteKey, purpose: Purpose, want: Want) -> Self {
        Self {
            context,
            purpose,
            want,
            site,
            begun: Instant::now(),
            document_at: Duration::ZERO,
            settling: settling(purpose, want),
            response: None,
            document: None,
            has_navigated: false,
            is_observing: false,
            is_capturing: false,
            early: None,
            navigations: 0,
            interruptions: Interruptions::default(),
            log: EventLog::default(),
            sheets: SheetLog::default(),
            frames: Frames::default(),
            is_loading: false,
            is_spent: false,
        }
    }

    /// The document that is shown.
    pub(super) const fn document(&self) -> Option<&MainDocument> {
        self.document.as_ref()
    }

    /// The requests of the document until now, with their times.
    pub(super) fn timed_requests(&mut self) -> Vec<TimedRequest> {
        std::mem::take(&mut self.log).finish_timed()
    }

    /// Answers what the page opens, until it crashes or opens too much.
    pub(super) async fn interrupted(&mut self) {
        self.interruptions.answer_all(self.context).await;
    }

    fn tab(&self) -> &'a Session {
        self.context.tab()
    }

    async fn show(&mut self, url: &Url) -> Result<RenderedPage, RenderError> {
        self.leave_fragment(url).await?;
        self.answer_last_page().await?;
        let decision = self.settle(url).await?;
        let document = self.document.clone().ok_or(RenderError::Timeout)?;
        let coverage = match self.want.coverage {
            true => self.coverage(document.url.as_str()).await?,
            false => None,
        };
        let captured = self.capture(decision).await?;
        if captured.stopped_script {
            self.log.script_was_stopped();
        }
        self.is_loading = self.log.is_loading();
        let mut events = std::mem::take(&mut self.log).finish();
        self.context.headers().hide_in_events(&mut events);
        events.coverage = coverage;
        if self.want.focus {
            events.focus = Some(self.walk().await);
        }
        events.text_colors = captured.text_colors;
        let stops = events.focus.iter().flat_map(|walk| &walk.stops);
        let texts = events.text_colors.iter().flatten();
        let marked = stops.filter_map(|stop| stop.node);
        let marked = marked.chain(texts.map(|text| text.node)).collect();
        Ok(RenderedPage {
            url: document.url,
            // The first navigation is that of the engine.
            led_by_page: self.navigations > 1,
            status: document.status,
            headers: self.context.headers().hide_in_headers(document.headers),
            is_settled: decision == Decision::Settled,
            snapshot: captured.snapshot.with_marked(marked),
            events,
        })
    }

    /// The page as it is now, which an early snapshot may show.
    async fn capture(&mut self, decision: Decision) -> Result<Captured, RenderError> {
        let (tab, frame) = (self.tab(), self.context.main_frame());
        let left = VISIT_END.saturating_sub(self.begun.elapsed());
        let of_texts = self.want.pixels.then_some(left);
        let version = self.settling.version();
        let early = self.early.take();
        let early = early.filter(|early| version == Some(early.0));
        let context = self.context;
        let capturing = async {
            match early {
                Some(early) if decision == Decision::Settled => {
                    complete(tab, frame, early.1, of_texts).await
                }
                _ => capture(tab, frame, context.headers(), of_texts).await,
            }
        };
        // A dialog that opened just before holds everything until it is answered.
        tokio::select! {
            captured = capturing => captured,
            () = self.interruptions.answer_all(context) => Err(RenderError::Crashed),
        }
    }

    /// What the page used of its scripts and style sheets. None if it does not answer in time. Fails if its process ends.
    async fn coverage(&self, document: &str) -> Result<Option<Vec<FileCoverage>>, CdpError> {
        let Some(mut files) = coverage::take(self.tab(), document).await? else {
            return Ok(None);
        };
        files.extend(self.sheets.take(self.tab()).await?.unwrap_or_default());
        // The capture enables the tree again where it needs it.
        rule_usage::end(self.tab()).await;
        Ok(Some(files))
    }

    /// The tab may show the same document as a URL with a fragment, and would then only change the fragment.
    pub(super) async fn leave_fragment(&self, url: &Url) -> Result<(), RenderError> {
        if url.fragment().is_some() {
            let blank = Navigate { url: "about:blank" };
            self.tab().call(&blank).await?;
        }
        Ok(())
    }

    /// Answers what the page opens.
    pub(super) async fn answer(&mut self, event: &Event) -> Result<(), RenderError> {
        self.interruptions.answer(self.context, event).await
    }

    /// Whether the page opened more windows than are closed one by one.
    pub(super) fn has_too_many_windows(&self) -> bool {
        self.interruptions.has_too_many_windows()
    }

    /// What the last page opened since its visit must not hold this one.
    pub(super) async fn answer_last_page(&self) -> Result<(), RenderError> {
        let mut of_last_page = Interruptions::default();
        for event in self.tab().take_events() {
            let answered = of_last_page.answer(self.context, &event).await;
            // Also if it opened more windows than are closed one by one: this page is then shown in another tab.
            answered.map_err(|_| RenderError::Crashed)?;
        }
        Ok(())
    }

    /// Leaves a page that may hold the next one: with requests that wait for an answer, of which a browser sends six to a
    /// host at a time, or with what it opens. Others stay, because the next page is then shown sooner.
    pub(super) async fn leave(&mut self) {
        let has_open = self.is_loading || self.log.is_loading();
        if self.is_spent || !(has_open || self.interruptions.were_any()) {
            return;
        }
        let blank = Navigate { url: "about:blank" };
        let has_left = tokio::select! {
            left = self.context.tab().call_within(&blank, HUNG) => left.is_ok(),
            () = self.interruptions.answer_all(self.context) => false,
        };
        self.is_spent |= !has_left;
    }

    /// Presses the Tab key, while dialogs and windows are answered as they come.
    async fn walk(&mut self) -> FocusWalk {
        let (tab, frame) = (self.tab(), self.context.main_frame());
        let left = VISIT_END.saturating_sub(self.begun.elapsed());
        let most = MOST_TIME.min(left);
        let mut walk = Walk::new(tab, frame, most);
        let walking = async {
            resume(tab, frame).await?;
            walk.run().await
        };
        let ended = tokio::select! {
            ended = walking => ended.unwrap_or_else(|error| {
                self.is_spent |= !matches!(error, CdpError::Refused { .. });
                Some(WalkEnd::PageLost)
            }),
            () = self.interruptions.answer_all(self.context) => {
                self.is_spent = true;
                Some(WalkEnd::PageLost)
            }
            () = tokio::time::sleep(most + HUNG) => {
                self.is_spent = true;
                Some(WalkEnd::Timeout)
            }
        };
        Walk::end(tab).await;
        walk.finish(ended)
    }

    /// Waits until the page has settled, or its time is over.
    pub(super) async fn settle(&mut self, url: &Url) -> Result<Decision, RenderError> {
        let tab = self.tab();
        let text = url.as_str().to_owned();
        let mut calls: FuturesUnordered<BoxFuture<'a, Arrived>> = FuturesUnordered::new();
        let navigate = async move {
            let command = Navigate { url: &text };
            Arrived::Navigated(tab.call_within(&command, NAVIGATION_TIMEOUT).await)
        };
        calls.push(navigate.boxed());
        loop {
            let age = self.begun.elapsed().saturating_sub(self.document_at);
            let pause = self.settling.ask_after(age, POLL);
            let arrived = tokio::select! {
                Some(done) = calls.next() => done,
                event = tab.next_event() => Arrived::Event(event),
                () = tokio::time::sleep(pause) => Arrived::Tick,
            };
            let now = self.begun.elapsed();
            match arrived {
                Arrived::Navigated(answer) => self.navigated(answer).await?,
                // A script that is measured takes its time on a processor that is slowed down.
                Arrived::Observed(Err(CdpError::TimedOut { .. }))
                    if !matches!(self.purpose, Purpose::Metrics { .. }) =>
                {
                    // Dialogs are answered meanwhile: one of them may be what holds the page.
                    calls.push(stop_script(tab).map(Arrived::Stopped).boxed());
                }
                Arrived::Observed(answer) => {
                    self.is_observing = false;
                    self.observed(answer, now)?;
                }
                Arrived::Stopped(stopped) => {
                    stopped?;
                    self.is_observing = false;
                    self.log.script_was_stopped();
                }
                Arrived::Captured(document, captured) => {
                    self.is_capturing = false;
                    self.captured_early(document, captured)?;
                }
                Arrived::Event(None) => return Err(RenderError::Crashed),
                Arrived::Event(Some(event)) => self.event(&event, now).await?,
                Arrived::Tick => {
                    let age = now.saturating_sub(self.document_at);
                    if self.has_navigated && !self.is_observing && self.settling.has_loaded(age) {
                        self.is_observing = true;
                        let frame = self.context.main_frame();
                        calls.push(observe(tab, frame, self.purpose).boxed());
                    }
                }
            }
            let age = now.saturating_sub(self.document_at);
            let decision = self.settling.decide(age);
            let has_arrived = self.has_navigated && self.document.is_some();
            if has_arrived && decision != Decision::Wait && !self.is_capturing {
                return Ok(decision);
            }
            if has_arrived && let Some(version) = self.settling.calm(age) {
                self.is_capturing = true;
                calls.push(self.capturing(version).boxed());
            }
            let cap = match self.purpose {
                Purpose::Snapshot | Purpose::Pictures => VISIT_CAP,
                Purpose::Metrics { most, .. } => most.saturating_add(FURTHER_DOCUMENTS),
            };
            if now >= cap {
                return Ok(Decision::GaveUp);
            }
        }
    }

    async fn navigated(&mut self, answer: Result<Navigated, CdpError>) -> Result<(), RenderError> {
        let answer = match answer {
            Ok(answer) => answer,
            Err(CdpError::TimedOut { .. }) => {
                // The next visit must not wait for this one.
                let _ = self.tab().call_within(&StopLoading {}, HUNG).await;
                return Err(RenderError::Timeout);
            }
            Err(error) => return Err(error.into()),
        };
        if answer.is_download {
            return Err(RenderError::Download);
        }
        match answer.error_text {
            Some(error) if error == NO_PROXY => return Err(RenderError::Crashed),
            Some(error) => return Err(RenderError::Navigation(error)),
            None => {}
        }
        self.has_navigated = true;
        Ok(())
    }

    fn observed(
        &mut self,
        answer: Result<Option<Signal>, CdpError>,
        now: Duration,
    ) -> Result<(), RenderError> {
        match answer {
            Ok(Some(signal)) => {
                let age = now.saturating_sub(self.document_at);
                self.settling.note(signal, age);
            }
            // The document was just replaced, or a script is busy.
            Ok(None) | Err(CdpError::Refused { .. } | CdpError::TimedOut { .. }) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Takes a snapshot while the page is calm.
    fn capturing(&self, version: Version) -> impl Future<Output = Arrived> + Send + 'a {
        let (context, document) = (self.context, self.navigations);
        let wants_texts = self.want.pixels;
        async move {
            let (tab, frame) = (context.tab(), context.main_frame());
            let early = capture_early(tab, frame, context.headers(), wants_texts).await;
            Arrived::Captured(document, early.map(|early| Box::new((version, early))))
        }
    }

    fn captured_early(
        &mut self,
        document: u32,
        captured: Result<Box<(Version, Early)>, RenderError>,
    ) -> Result<(), RenderError> {
        if document != self.navigations {
            return Ok(());
        }
        match captured {
            Ok(early) => self.early = Some(early),
            Err(RenderError::TooLarge) => return Err(RenderError::TooLarge),
            // It is taken once more when the page has settled.
            Err(error) => tracing::debug!(%error, "there is no early snapshot"),
        }
        Ok(())
    }

    async fn event(&mut self, event: &Event, now: Duration) -> Result<(), RenderError> {
        let age = now.saturating_sub(self.document_at);
        self.log.note(event);
        self.sheets.note(event);
        match event.method.as_str() {
            "Page.domContentEventFired" => self.settling.note(Signal::ContentLoaded, age),
            "Page.loadEventFired" => self.settling.note(Signal::Loaded, age),
            "Network.requestWillBeSent" => {
                if let Some(sent) = event.read::<RequestEvent>()
                    && settle::counts(&sent.kind)
                {
                    self.settling
                        .note(Signal::RequestBegan(sent.request_id), age);
                }
            }
            "Network.loadingFinished" | "Network.loadingFailed" => {
                if let Some(ended) = event.read::<RequestEvent>() {
                    self.settling
                        .note(Signal::RequestEnded(ended.request_id), age);
                }
            }
            "Network.responseReceived" => {
                let response = MainDocument::read(event, self.context.main_frame())?;
                self.response = response.or(self.response.take());
            }
            "Page.frameNavigated" => self.frame(event, now).await?,
            "Page.screencastFrame" => self.frames.add(self.tab(), event).await,
            _ => self.interruptions.answer(self.context, event).await?,
        }
        Ok(())
    }

    /// A document has replaced another: the one that was asked for, or one that a script chose.
    async fn frame(&mut self, event: &Event, now: Duration) -> Result<(), RenderError> {
        let Some(FrameEvent { frame }) = event.read() else {
            return Ok(());
        };
        if frame.parent_id.is_some() || frame.id != self.context.main_frame() {
            return Ok(());
        }
        let stays = Url::parse(&frame.url)
            .ok()
            .filter(|url| matches!(url.scheme(), "http" | "https"))
            .and_then(|url| SiteKey::from_url(&url))
            .is_some_and(|site| site == self.site);
        self.navigations += 1;
        // The first is the navigation of the engine, which may redirect to another site.
        if self.navigations > 1 && (!stays || self.navigations > MAX_NAVIGATIONS + 1) {
            let _ = self.tab().call_within(&StopLoading {}, HUNG).await;
            return Err(RenderError::Left(frame.url));
        }
        // What the document before it did says nothing about this one.
        self.settling = settling(self.purpose, self.want);
        self.early = None;
        self.log.begin_document(&frame.loader_id);
        self.sheets.begin_document();
        self.document_at = now;
        let own = |response: &mut MainDocument| response.loader == frame.loader_id;
        if let Some(response) = self.response.take_if(own) {
            self.document = Some(response);
        }
        Ok(())
    }
}

/// The state of a document that has just begun. A snapshot while it is calm would count as a use of its style sheets.
fn settling(purpose: Purpose, want: Want) -> Settling {
    let takes_early = purpose == Purpose::Snapshot && !want.coverage;
    Settling::new(purpose).awaiting_calm(takes_early)
}

/// Asks the observer in the page.
async fn observe(tab: &Session, frame: &str, purpose: Purpose) -> Arrived {
    let asked = async {
        let world = World::enter(tab, frame).await?;
        let asking = "globalThis.assayObserved ? assayObserved() : null";
        world.evaluate(asking).await
    };
    Arrived::Observed(asked.await.map(|answer| match purpose {
        Purpose::Snapshot | Purpose::Pictures => read_observed(&answer).map(Signal::Observed),
        Purpose::Metrics { .. } => read_painting(&answer).map(Signal::Painting),
    }))
}

fn read_observed(value: &Value) -> Option<Observed> {
    let [quiet, words, fonts, responsive, changes, still] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(Observed {
        tree_quiet: Duration::from_millis(quiet.as_u64()?),
        words: u32::try_from(words.as_u64()?).unwrap_or(u32::MAX),
        are_fonts_ready: fonts.as_bool()?,
        is_responsive: responsive.as_bool()?,
        changes: changes.as_u64()?,
        is_still: still.as_bool()?,
    })
}

fn read_painting(value: &Value) -> Option<Painting> {
    let [has_painted, steady] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(Painting {
        has_painted: has_painted.as_bool()?,
        steady: Duration::from_millis(steady.as_u64()?),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_observer_says_is_read() {
        let observed = read_observed(&json!([250, 12, true, false, 3, true])).unwrap();
        assert_eq!(observed.tree_quiet, Duration::from_millis(250));
        assert_eq!(
            (
                observed.words,
                observed.are_fonts_ready,
                observed.is_responsive
            ),
            (12, true, false)
        );
        assert_eq!((observed.changes, observed.is_still), (3, true));
        assert_eq!(read_observed(&json!(null)), None);
        assert_eq!(read_observed(&json!([1, 2])), None);
        let painting = read_painting(&json!([true, 1_200])).unwrap();
        assert_eq!(
            (painting.has_painted, painting.steady),
            (true, Duration::from_millis(1_200))
        );
        assert_eq!(read_painting(&json!([1, 2])), None);
    }
}
