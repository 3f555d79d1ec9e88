//! Takes the snapshot of a page.

use std::time::Duration;

use serde_json::value::RawValue;

use super::cdp::commands::{
    CaptureSnapshot, DescribeNode, DisableDom, GetDocument, QuerySelectorAll, SetScriptsDisabled,
    TerminateExecution,
};
use super::cdp::{CdpError, Session};
use super::site_headers::SiteHeaders;
use super::visit::failed;
use crate::gather::RenderError;
use crate::snapshot::{STYLES, Snapshot};

/// A page that does not answer for this long is stopped: its script does not end.
pub(super) const HUNG: Duration = Duration::from_secs(3);

/// Modal dialogs that are read. Visitors see the last one.
const MAX_MODAL: usize = 10;

/// A page at one moment.
pub(super) struct Captured {
    pub(super) snapshot: Snapshot,
    /// Whether a script had to be stopped.
    pub(super) stopped_script: bool,
}

/// Takes the snapshot while no script of the page runs, so that all its parts are of one moment.
pub(super) async fn capture(tab: &Session, headers: &SiteHeaders) -> Result<Captured, RenderError> {
    let freeze = SetScriptsDisabled { value: true };
    let mut stopped_script = false;
    if let Err(CdpError::TimedOut { .. }) = tab.call_within(&freeze, HUNG).await {
        stop_script(tab).await?;
        stopped_script = true;
    }
    let capture = CaptureSnapshot {
        computed_styles: STYLES,
        include_paint_order: true,
    };
    let taken: Result<Box<RawValue>, CdpError> = tab.call(&capture).await;
    let modal = match &taken {
        Ok(_) => modal_dialogs(tab).await,
        Err(_) => Ok(Vec::new()),
    };
    let thawed = tab.call(&SetScriptsDisabled { value: false }).await;
    let json = taken.map_err(|error| failed(&error))?;
    thawed.map_err(|error| failed(&error))?;
    let modal = modal.map_err(|error| failed(&error))?;
    let snapshot =
        Snapshot::read(&headers.hide_in_json(json.get())).map_err(|error| match error {
            crate::snapshot::ReadError::TooLarge => RenderError::TooLarge,
            other => RenderError::Browser(other.to_string()),
        })?;
    Ok(Captured {
        snapshot: snapshot.with_modal(modal),
        stopped_script,
    })
}

/// Stops a script that runs too long. The page is then read in its current state.
pub(super) async fn stop_script(tab: &Session) -> Result<(), RenderError> {
    let stopped = tab.call_within(&TerminateExecution {}, HUNG).await;
    stopped.map(|_| ()).map_err(|error| match error {
        CdpError::TimedOut { .. } => RenderError::Hung,
        other => failed(&other),
    })
}

/// The modal dialogs, by the numbers that their elements have in the snapshot, which does not tell them from
/// others.
async fn modal_dialogs(tab: &Session) -> Result<Vec<i64>, CdpError> {
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
