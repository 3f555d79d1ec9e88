//! The visit of one page: navigate, wait until it has settled, freeze it, take its snapshot.

use std::time::Duration;

use futures_util::StreamExt;
use futures_util::future::{BoxFuture, FutureExt};
use futures_util::stream::FuturesUnordered;
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::time::Instant;
use url::Url;

use super::cdp::commands::{
    CaptureSnapshot, ClearCookies, ClearOrigin, CloseTarget, CreateIsolatedWorld, DescribeNode,
    DisableDom, Evaluate, GetDocument, HandleDialog, Navigate, Navigated, QuerySelectorAll,
    RunIfWaiting, SetScriptsDisabled, StopLoading, TerminateExecution,
};
use super::cdp::events::Event;
use super::cdp::{CdpError, Session};
use super::context::{Context, WORLD};
use super::settle::{self, Decision, Observed, Settling, Signal};
use crate::address::SiteKey;
use crate::gather::{Headers, RenderError, RenderedPage};
use crate::snapshot::{STYLES, Snapshot};

/// The page is taken as it is after this time, however often scripts replaced its document.
const VISIT_CAP: Duration = Duration::from_secs(22);

/// How long a document may take to arrive.
const NAVIGATION_TIMEOUT: Duration = Duration::from_secs(20);

/// How often a loaded page is asked whether it still changes.
const POLL: Duration = Duration::from_millis(100);

/// A page that does not answer for this long is stopped: its script does not end.
const HUNG: Duration = Duration::from_secs(3);

/// Navigations by scripts that are followed.
const MAX_NAVIGATIONS: u32 = 5;

/// Windows that a page opens and that are closed. A page that opens more is left.
const MAX_POPUPS: u32 = 50;

/// Modal dialogs that are read. Visitors see the last one.
const MAX_MODAL: usize = 10;

/// Everything that a page may have stored but its cache.
const STORED: &str =
    "cookies,file_systems,indexeddb,local_storage,service_workers,cache_storage,websql";

/// A message that arrives during a visit.
enum Arrived {
    Navigated(Result<Navigated, CdpError>),
    Observed(Result<Option<Observed>, CdpError>),
    Event(Option<Event>),
    Tick,
}

/// The state of a visit.
struct Visit<'a> {
    context: &'a Context,
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
    navigations: u32,
    popups: u32,
}

/// The response of the main document.
#[derive(Debug, Clone)]
struct MainDocument {
    url: Url,
    status: u16,
    headers: Headers,
    loader: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct RequestEvent {
    request_id: String,
    #[serde(default, rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseEvent {
    #[serde(default, rename = "type")]
    kind: String,
    #[serde(default)]
    frame_id: String,
    #[serde(default)]
    loader_id: String,
    response: ResponseFacts,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ResponseFacts {
    url: String,
    status: i64,
    #[serde(default)]
    headers: serde_json::Map<String, Value>,
    #[serde(default)]
    mime_type: String,
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

#[derive(Deserialize)]
struct DialogEvent {
    #[serde(default, rename = "type")]
    kind: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct AttachedEvent {
    session_id: String,
    target_info: TargetInfo,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TargetInfo {
    target_id: String,
    #[serde(default, rename = "type")]
    kind: String,
}

/// Shows a page. The context can be used for the next page afterwards, unless the error is
/// [`RenderError::Crashed`], [`RenderError::Hung`] or [`RenderError::Browser`].
pub(super) async fn visit(context: &Context, url: &Url) -> Result<RenderedPage, RenderError> {
    let Some(site) = SiteKey::from_url(url) else {
        return Err(RenderError::Left(url.to_string()));
    };
    let mut visit = Visit {
        context,
        site,
        begun: Instant::now(),
        document_at: Duration::ZERO,
        settling: Settling::default(),
        response: None,
        document: None,
        has_navigated: false,
        is_observing: false,
        navigations: 0,
        popups: 0,
    };
    let shown = visit.show(url).await;
    let origin = visit
        .document
        .as_ref()
        .map_or(url, |document| &document.url);
    clear(context, origin).await;
    shown
}

/// Removes what the page stored. The next visit must not depend on this one.
async fn clear(context: &Context, url: &Url) {
    let cookies = ClearCookies {
        browser_context_id: context.id(),
    };
    let origin = url.origin().ascii_serialization();
    let stored = ClearOrigin {
        origin: &origin,
        storage_types: STORED,
    };
    for error in [
        context.browser().call(&cookies).await.err(),
        context.tab().call(&stored).await.err(),
    ]
    .into_iter()
    .flatten()
    {
        tracing::debug!(%error, "what a page stored was not removed");
    }
}

impl<'a> Visit<'a> {
    fn tab(&self) -> &'a Session {
        self.context.tab()
    }

    async fn show(&mut self, url: &Url) -> Result<RenderedPage, RenderError> {
        if url.fragment().is_some() {
            // The tab may show the same document, and would then only change the fragment.
            let blank = Navigate { url: "about:blank" };
            self.tab()
                .call(&blank)
                .await
                .map_err(|error| failed(&error))?;
        }
        // Of the last visit.
        self.tab().forget_events();
        let decision = self.settle(url).await?;
        let document = self.document.clone().ok_or(RenderError::Timeout)?;
        let (json, modal) = self.snapshot().await?;
        let snapshot =
            Snapshot::read(&self.context.headers().hide_in_json(json.get())).map_err(|error| {
                match error {
                    crate::snapshot::ReadError::TooLarge => RenderError::TooLarge,
                    other => RenderError::Browser(other.to_string()),
                }
            })?;
        Ok(RenderedPage {
            url: document.url,
            status: document.status,
            headers: self.context.headers().hide_in_headers(document.headers),
            is_settled: decision == Decision::Settled,
            snapshot: snapshot.with_modal(modal),
        })
    }

    /// Waits until the page has settled, or its time is over.
    async fn settle(&mut self, url: &Url) -> Result<Decision, RenderError> {
        let tab = self.tab();
        let text = url.as_str().to_owned();
        let mut calls: FuturesUnordered<BoxFuture<'a, Arrived>> = FuturesUnordered::new();
        let navigate = async move {
            let command = Navigate { url: &text };
            Arrived::Navigated(tab.call_within(&command, NAVIGATION_TIMEOUT).await)
        };
        calls.push(navigate.boxed());
        loop {
            let arrived = tokio::select! {
                Some(done) = calls.next() => done,
                event = tab.next_event() => Arrived::Event(event),
                () = tokio::time::sleep(POLL) => Arrived::Tick,
            };
            let now = self.begun.elapsed();
            match arrived {
                Arrived::Navigated(answer) => self.navigated(answer).await?,
                Arrived::Observed(answer) => self.observed(answer, now).await?,
                Arrived::Event(None) => return Err(RenderError::Crashed),
                Arrived::Event(Some(event)) => self.event(&event, now).await?,
                Arrived::Tick => {
                    let age = now.saturating_sub(self.document_at);
                    if self.has_navigated && !self.is_observing && self.settling.has_loaded(age) {
                        self.is_observing = true;
                        calls.push(observe(tab, self.context.main_frame()).boxed());
                    }
                }
            }
            let age = now.saturating_sub(self.document_at);
            let decision = self.settling.decide(age);
            let has_arrived = self.has_navigated && self.document.is_some();
            if has_arrived && decision != Decision::Wait {
                return Ok(decision);
            }
            if now >= VISIT_CAP {
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
            Err(error) => return Err(failed(&error)),
        };
        if answer.is_download {
            return Err(RenderError::Download);
        }
        if let Some(error) = answer.error_text {
            return Err(RenderError::Navigation(error));
        }
        self.has_navigated = true;
        Ok(())
    }

    async fn observed(
        &mut self,
        answer: Result<Option<Observed>, CdpError>,
        now: Duration,
    ) -> Result<(), RenderError> {
        self.is_observing = false;
        match answer {
            Ok(Some(observed)) => {
                let age = now.saturating_sub(self.document_at);
                self.settling.note(Signal::Observed(observed), age);
            }
            // The document was just replaced.
            Ok(None) | Err(CdpError::Refused { .. }) => {}
            Err(CdpError::TimedOut { .. }) => self.stop_script().await?,
            Err(error) => return Err(failed(&error)),
        }
        Ok(())
    }

    /// Stops a script that runs too long. The page is then read in its current state.
    async fn stop_script(&self) -> Result<(), RenderError> {
        let stopped = self.tab().call_within(&TerminateExecution {}, HUNG).await;
        stopped.map(|_| ()).map_err(|error| match error {
            CdpError::TimedOut { .. } => RenderError::Hung,
            other => failed(&other),
        })
    }

    async fn event(&mut self, event: &Event, now: Duration) -> Result<(), RenderError> {
        let age = now.saturating_sub(self.document_at);
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
            "Network.responseReceived" => self.response(event)?,
            "Fetch.requestPaused" => self.context.headers().resume(self.tab(), event).await,
            "Page.frameNavigated" => self.frame(event, now).await?,
            "Page.javascriptDialogOpening" => self.dialog(event).await,
            "Target.attachedToTarget" => self.attached(event).await?,
            "Inspector.targetCrashed" => return Err(RenderError::Crashed),
            _ => {}
        }
        Ok(())
    }

    /// Keeps the response of the main document.
    fn response(&mut self, event: &Event) -> Result<(), RenderError> {
        let Some(received) = event.read::<ResponseEvent>() else {
            return Ok(());
        };
        if received.kind != "Document" || received.frame_id != self.context.main_frame() {
            return Ok(());
        }
        let facts = received.response;
        let Ok(url) = Url::parse(&facts.url) else {
            return Ok(());
        };
        if !matches!(
            facts.mime_type.as_str(),
            "text/html" | "application/xhtml+xml"
        ) {
            return Err(RenderError::NotHtml);
        }
        let mut headers = Headers::new();
        for (name, value) in &facts.headers {
            // Repeated fields are joined by line breaks.
            for value in value.as_str().unwrap_or_default().split('\n') {
                headers.push(&name.to_ascii_lowercase(), value);
            }
        }
        self.response = Some(MainDocument {
            url,
            status: u16::try_from(facts.status).unwrap_or_default(),
            headers,
            loader: received.loader_id,
        });
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
        self.settling = Settling::default();
        self.document_at = now;
        let own = |response: &mut MainDocument| response.loader == frame.loader_id;
        if let Some(response) = self.response.take_if(own) {
            self.document = Some(response);
        }
        Ok(())
    }

    /// Leaves a page that asks whether it may be left, and dismisses everything else.
    async fn dialog(&self, event: &Event) {
        let kind = event.read::<DialogEvent>().map(|dialog| dialog.kind);
        let accept = kind.as_deref() == Some("beforeunload");
        // It may be closed already.
        let _ = self.tab().call_within(&HandleDialog { accept }, HUNG).await;
    }

    /// Closes a window that the page opened, and lets frames and workers run.
    async fn attached(&mut self, event: &Event) -> Result<(), RenderError> {
        let Some(attached) = event.read::<AttachedEvent>() else {
            return Ok(());
        };
        if attached.target_info.kind == "page" {
            self.popups += 1;
            if self.popups > MAX_POPUPS {
                return Err(RenderError::Left("more and more windows".to_owned()));
            }
            let close = CloseTarget {
                target_id: &attached.target_info.target_id,
            };
            let _ = self.context.browser().call_within(&close, HUNG).await;
            return Ok(());
        }
        let session = self.tab().connection().session(attached.session_id);
        // It may have ended already.
        let _ = session.call_within(&RunIfWaiting {}, HUNG).await;
        Ok(())
    }

    /// Takes the snapshot while no script of the page runs, so that all its parts are of one moment.
    async fn snapshot(&self) -> Result<(Box<RawValue>, Vec<i64>), RenderError> {
        let tab = self.tab();
        let freeze = SetScriptsDisabled { value: true };
        if let Err(CdpError::TimedOut { .. }) = tab.call_within(&freeze, HUNG).await {
            self.stop_script().await?;
        }
        let capture = CaptureSnapshot {
            computed_styles: STYLES,
            include_paint_order: true,
        };
        let taken = tab.call(&capture).await;
        let modal = match &taken {
            Ok(_) => self.modal_dialogs().await,
            Err(_) => Ok(Vec::new()),
        };
        let thawed = tab.call(&SetScriptsDisabled { value: false }).await;
        let json = taken.map_err(|error| failed(&error))?;
        thawed.map_err(|error| failed(&error))?;
        Ok((json, modal.map_err(|error| failed(&error))?))
    }

    /// The modal dialogs, by the numbers that their elements have in the snapshot, which does not tell them from
    /// others.
    async fn modal_dialogs(&self) -> Result<Vec<i64>, CdpError> {
        let tab = self.tab();
        let root = tab.call(&GetDocument { depth: 0 }).await?.root.id;
        let query = QuerySelectorAll {
            node_id: root,
            selector: "dialog:modal",
        };
        let mut found = Vec::new();
        for node_id in tab.call(&query).await?.ids.into_iter().take(MAX_MODAL) {
            let described = tab.call(&DescribeNode { node_id }).await?;
            found.push(described.node.backend_id);
        }
        tab.call(&DisableDom {}).await?;
        Ok(found)
    }
}

fn failed(error: &CdpError) -> RenderError {
    match error {
        CdpError::Closed => RenderError::Crashed,
        CdpError::TimedOut { .. } => RenderError::Hung,
        CdpError::TooLarge { .. } => RenderError::TooLarge,
        CdpError::Refused { .. } | CdpError::Unreadable { .. } => {
            RenderError::Browser(error.to_string())
        }
    }
}

/// Asks the observer in the page.
async fn observe(tab: &Session, frame: &str) -> Arrived {
    Arrived::Observed(observation(tab, frame).await)
}

async fn observation(tab: &Session, frame: &str) -> Result<Option<Observed>, CdpError> {
    let world = CreateIsolatedWorld {
        frame_id: frame,
        world_name: WORLD,
    };
    let world = tab.call_within(&world, HUNG).await?;
    let ask = Evaluate {
        expression: "globalThis.assayObserved ? assayObserved() : null",
        context_id: Some(world.id),
        return_by_value: true,
    };
    let answer = tab.call_within(&ask, HUNG).await?;
    Ok(read_observed(&answer.result.value))
}

fn read_observed(value: &Value) -> Option<Observed> {
    let [quiet, words, fonts, responsive] = value.as_array()?.as_slice() else {
        return None;
    };
    Some(Observed {
        tree_quiet: Duration::from_millis(quiet.as_u64()?),
        words: u32::try_from(words.as_u64()?).unwrap_or(u32::MAX),
        are_fonts_ready: fonts.as_bool()?,
        is_responsive: responsive.as_bool()?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_the_observer_says_is_read() {
        let observed = read_observed(&json!([250, 12, true, false])).unwrap();
        assert_eq!(observed.tree_quiet, Duration::from_millis(250));
        assert_eq!(
            (
                observed.words,
                observed.are_fonts_ready,
                observed.is_responsive
            ),
            (12, true, false)
        );
        assert_eq!(read_observed(&json!(null)), None);
        assert_eq!(read_observed(&json!([1, 2])), None);
    }
}
