//! What waits for an answer during a visit: dialogs, windows, frames, workers, and requests that get headers. None of them may
//! hold the visit.

use serde::Deserialize;

use super::cdp::commands::{CloseTarget, HandleDialog, RunIfWaiting};
use super::cdp::events::Event;
use super::cdp::{HUNG, Session, TARGET_CRASHED};
use super::context::Context;
use crate::gather::RenderError;

/// Windows that a page opens and that are closed. A page that opens more is left.
const MAX_POPUPS: u32 = 10;

/// Answers what a page opens.
#[derive(Debug, Default)]
pub(super) struct Interruptions {
    popups: u32,
    dialogs: u32,
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

impl Interruptions {
    /// Whether the page opened dialogs or windows: it may open more as long as it is there.
    pub(super) const fn were_any(&self) -> bool {
        self.popups > 0 || self.dialogs > 0
    }

    /// Answers the event, if it says that something was opened.
    pub(super) async fn answer(
        &mut self,
        context: &Context,
        event: &Event,
    ) -> Result<(), RenderError> {
        match event.method.as_str() {
            "Page.javascriptDialogOpening" => {
                self.dialogs = self.dialogs.saturating_add(1);
                dialog(context.tab(), event).await;
            }
            "Target.attachedToTarget" => self.attached(context, event).await?,
            "Fetch.requestPaused" => context.headers().resume(context.tab(), event).await,
            TARGET_CRASHED => return Err(RenderError::Crashed),
            _ => {}
        }
        Ok(())
    }

    /// Answers what the page opens, until it crashes or opens too much.
    pub(super) async fn answer_all(&mut self, context: &Context) {
        while let Some(event) = context.tab().next_event().await {
            if self.answer(context, &event).await.is_err() {
                return;
            }
        }
    }

    /// Whether the page opened more windows than are closed one by one. Its tab is then closed, and the windows with it.
    pub(super) const fn has_too_many_windows(&self) -> bool {
        self.popups > MAX_POPUPS
    }

    /// Closes a window that the page opened, and lets frames and workers run.
    async fn attached(&mut self, context: &Context, event: &Event) -> Result<(), RenderError> {
        let Some(attached) = event.read::<AttachedEvent>() else {
            return Ok(());
        };
        if attached.target_info.kind == "page" {
            self.popups += 1;
            if self.has_too_many_windows() {
                return Err(RenderError::Left("more and more windows".to_owned()));
            }
            let close = CloseTarget {
                target_id: &attached.target_info.target_id,
            };
            let _ = context.browser().call_within(&close, HUNG).await;
            return Ok(());
        }
        let session = context.tab().connection().session(attached.session_id);
        // It may have ended already.
        let _ = session.call_within(&RunIfWaiting {}, HUNG).await;
        Ok(())
    }
}

/// Leaves a page that asks whether it may be left, and dismisses everything else.
async fn dialog(tab: &Session, event: &Event) {
    let kind = event.read::<DialogEvent>().map(|dialog| dialog.kind);
    let accept = kind.as_deref() == Some("beforeunload");
    // It may be closed already.
    let _ = tab.call_within(&HandleDialog { accept }, HUNG).await;
}
