//! Takes the snapshot of a page.

use std::collections::BTreeMap;
use std::time::Duration;

use super::cdp::commands::{
    CaptureSnapshot, DescribeNode, DisableDom, GetDocument, QuerySelectorAll, SetScriptsDisabled,
    TerminateExecution,
};
use super::cdp::{CdpError, HUNG, Session};
use super::site_headers::SiteHeaders;
use super::text_colors;
use super::world::World;
use crate::gather::{RenderError, TextColors};
use crate::snapshot::{STYLES, Snapshot};

/// Modal dialogs that are read. Visitors see the last one.
const MAX_MODAL: usize = 10;

/// A page at one moment.
pub(super) struct Captured {
    pub(super) snapshot: Snapshot,
    /// The colors of texts, if they were wanted and the page let them be seen.
    pub(super) text_colors: Option<Vec<TextColors>>,
    /// Whether a script had to be stopped.
    pub(super) stopped_script: bool,
}

/// Ends what is animated and ends some time, and stops what never ends at its beginning, so that the moment of the
/// snapshot does not matter.
const STAND_STILL: &str = include_str!("stand_still.js");

/// The sizes of images, `[0, 0]` of those that have not loaded.
const IMAGE_SIZES: &str = include_str!("image_sizes.js");

/// Takes the snapshot while no script of the page runs, so that all its parts are of one moment. The colors of texts are
/// read for `most` of the time, if they are wanted.
pub(super) async fn capture(
    tab: &Session,
    frame: &str,
    headers: &SiteHeaders,
    most: Option<Duration>,
) -> Result<Captured, RenderError> {
    let stopped_script = freeze(tab).await?;
    stand_still(tab, frame).await?;
    let taken = match take(tab, frame, headers).await {
        Ok(snapshot) => match most {
            Some(most) => with_texts(tab, frame, snapshot, most).await,
            None => Ok((snapshot, None)),
        },
        Err(error) => Err(error),
    };
    let thawed = tab.call(&SetScriptsDisabled { value: false }).await;
    let (snapshot, text_colors) = taken?;
    thawed?;
    Ok(Captured {
        snapshot,
        text_colors,
        stopped_script,
    })
}

/// Lets no script of the page run any more. Returns whether one had to be stopped.
pub(super) async fn freeze(tab: &Session) -> Result<bool, RenderError> {
    let freeze = SetScriptsDisabled { value: true };
    if let Err(CdpError::TimedOut { .. }) = tab.call_within(&freeze, HUNG).await {
        stop_script(tab).await?;
        return Ok(true);
    }
    Ok(false)
}

/// Ends what moves.
pub(super) async fn stand_still(tab: &Session, frame: &str) -> Result<(), CdpError> {
    let world = World::enter(tab, frame).await?;
    world.evaluate(STAND_STILL).await.map(|_| ())
}

/// The page with the colors of the texts whose styles do not tell them; without if the page does not let them be seen.
async fn with_texts(
    tab: &Session,
    frame: &str,
    snapshot: Snapshot,
    most: Duration,
) -> Result<(Snapshot, Option<Vec<TextColors>>), RenderError> {
    let wanted = tokio::task::spawn_blocking(move || {
        let wanted = text_colors::wanted(&snapshot);
        (snapshot, wanted)
    });
    let (snapshot, wanted) = wanted
        .await
        .map_err(|error| RenderError::Browser(error.to_string()))?;
    let seen = text_colors::text_colors(tab, frame, &wanted, most).await;
    let seen =
        seen.inspect_err(|error| tracing::debug!(%error, "the colors of texts were not read"));
    Ok((snapshot, seen.ok()))
}

async fn take(tab: &Session, frame: &str, headers: &SiteHeaders) -> Result<Snapshot, RenderError> {
    let capture = CaptureSnapshot {
        computed_styles: STYLES,
        include_paint_order: true,
    };
    let json = tab.call(&capture).await?;
    let modal = modal_dialogs(tab).await?;
    let snapshot =
        Snapshot::read(&headers.hide_in_json(json.get())).map_err(|error| match error {
            crate::snapshot::ReadError::TooLarge => RenderError::TooLarge,
            other => RenderError::Browser(other.to_string()),
        })?;
    let images = image_sizes(tab, frame, &snapshot).await?;
    Ok(snapshot.with_modal(modal).with_image_sizes(images))
}

/// The width and the height of background images that the page has loaded, in pixels of its style sheets. Nothing is requested.
async fn image_sizes(
    tab: &Session,
    frame: &str,
    snapshot: &Snapshot,
) -> Result<BTreeMap<String, (f32, f32)>, CdpError> {
    let urls = snapshot.single_images();
    if urls.is_empty() {
        return Ok(BTreeMap::new());
    }
    let list = serde_json::json!(urls);
    let world = World::enter(tab, frame).await?;
    let sizes = world.evaluate(&format!("({IMAGE_SIZES})({list})")).await?;
    // A page whose images are not known is judged by its pictures.
    let sizes: Vec<(f32, f32)> = serde_json::from_value(sizes).unwrap_or_default();
    let known = urls.into_iter().zip(sizes);
    let known = known.filter(|(_, (width, height))| *width > 0.0 && *height > 0.0);
    Ok(known.map(|(url, size)| (url.to_owned(), size)).collect())
}

/// Stops a script that runs too long. The page is then read in its current state.
pub(super) async fn stop_script(tab: &Session) -> Result<(), RenderError> {
    let stopped = tab.call_within(&TerminateExecution {}, HUNG).await;
    stopped.map(|_| ()).map_err(|error| match error {
        CdpError::TimedOut { .. } => RenderError::Hung,
        other => other.into(),
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
