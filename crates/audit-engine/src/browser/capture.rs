//! Takes the snapshot of a page.

use std::collections::BTreeMap;
use std::time::Duration;

use super::cdp::commands::{CaptureSnapshot, SetScriptsDisabled, TerminateExecution};
use super::cdp::{CdpError, HUNG, Session, optional};
use super::site_headers::SiteHeaders;
use super::text_colors::{self, Wanted};
use super::world::World;
use crate::bounds::browser::BROWSER_CALL_TIMEOUT;
use crate::gather::{RenderError, TextColors};
use crate::snapshot::{STYLES, Snapshot};

/// Modal dialogs that are read. Visitors see the last one.
const MAX_MODAL: u64 = 10;

const MODAL: &str = "document.querySelectorAll('dialog:modal')";

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

/// A snapshot that was taken before the page had settled.
pub(super) struct Early {
    snapshot: Snapshot,
    /// The texts whose colors its styles do not tell.
    texts: Vec<Wanted>,
}

/// Takes a snapshot of a page that is calm, while its scripts run. It counts if the page is still the same when it has settled.
pub(super) async fn capture_early(
    tab: &Session,
    frame: &str,
    headers: &SiteHeaders,
    wants_texts: bool,
) -> Result<Early, RenderError> {
    let snapshot = take(tab, frame, headers).await?;
    let world = World::enter(tab, frame).await?;
    world.evaluate("globalThis.assayCaptured?.()").await?;
    let (snapshot, texts) = match wants_texts {
        true => wanted_texts(snapshot).await?,
        false => (snapshot, Vec::new()),
    };
    Ok(Early { snapshot, texts })
}

/// Makes an early snapshot one that counts. The colors of texts are read for `most` of the time, if they are wanted.
pub(super) async fn complete(
    tab: &Session,
    frame: &str,
    early: Early,
    most: Option<Duration>,
) -> Result<Captured, RenderError> {
    let Early { snapshot, texts } = early;
    let Some(left) = most.filter(|_| !texts.is_empty()) else {
        return Ok(Captured {
            snapshot,
            text_colors: most.map(|_| Vec::new()),
            stopped_script: false,
        });
    };
    let seeing = seen_texts(tab, frame, &texts, left);
    let (text_colors, stopped_script) = after_freezing(tab, frame, seeing).await?;
    Ok(Captured {
        snapshot,
        text_colors,
        stopped_script,
    })
}

/// Takes the snapshot while no script of the page runs, so that all its parts are of one moment. The colors of texts are
/// read for `most` of the time, if they are wanted.
pub(super) async fn capture(
    tab: &Session,
    frame: &str,
    headers: &SiteHeaders,
    most: Option<Duration>,
) -> Result<Captured, RenderError> {
    let taking = async {
        let snapshot = take(tab, frame, headers).await?;
        match most {
            Some(most) => with_texts(tab, frame, snapshot, most).await,
            None => Ok((snapshot, None)),
        }
    };
    let ((snapshot, text_colors), stopped_script) = after_freezing(tab, frame, taking).await?;
    Ok(Captured {
        snapshot,
        text_colors,
        stopped_script,
    })
}

/// Does something when no script of the page runs and nothing moves. Returns also whether a script had to be stopped.
///
/// The scripts do not run afterwards either, also not after an error: to let them run costs a large page more than a tenth of a second,
/// and most pages are left then. They run again after [`resume`], and in the next page of the tab
/// ([`Tab::is_usable`](super::tab::Tab::is_usable)).
pub(super) async fn after_freezing<T>(
    tab: &Session,
    frame: &str,
    work: impl Future<Output = Result<T, RenderError>>,
) -> Result<(T, bool), RenderError> {
    let stopped_script = freeze(tab).await?;
    stand_still(tab, frame).await?;
    Ok((work.await?, stopped_script))
}

/// Makes a page as it was before [`after_freezing`]: texts whose colors were read look and stand as before, and scripts run.
pub(super) async fn resume(tab: &Session, frame: &str) -> Result<(), CdpError> {
    text_colors::end(tab, frame).await?;
    tab.call(&SetScriptsDisabled { value: false }).await?;
    Ok(())
}

/// Lets no script of the page run any more. Returns whether one had to be stopped.
async fn freeze(tab: &Session) -> Result<bool, RenderError> {
    let freeze = SetScriptsDisabled { value: true };
    if let Err(CdpError::TimedOut { .. }) = tab.call_within(&freeze, HUNG).await {
        stop_script(tab).await?;
        return Ok(true);
    }
    Ok(false)
}

/// Ends what moves.
async fn stand_still(tab: &Session, frame: &str) -> Result<(), CdpError> {
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
    let (snapshot, wanted) = wanted_texts(snapshot).await?;
    let seen = seen_texts(tab, frame, &wanted, most).await?;
    Ok((snapshot, seen))
}

async fn wanted_texts(snapshot: Snapshot) -> Result<(Snapshot, Vec<Wanted>), RenderError> {
    let wanted = tokio::task::spawn_blocking(move || {
        let wanted = text_colors::wanted(&snapshot);
        (snapshot, wanted)
    });
    let wanted = wanted.await;
    wanted.map_err(|error| RenderError::Browser(error.to_string()))
}

/// The colors of texts. None if the page does not let them be seen. Fails if its process ends.
async fn seen_texts(
    tab: &Session,
    frame: &str,
    wanted: &[Wanted],
    most: Duration,
) -> Result<Option<Vec<TextColors>>, RenderError> {
    let seen = text_colors::text_colors(tab, frame, wanted, most).await;
    Ok(optional(seen)?)
}

async fn take(tab: &Session, frame: &str, headers: &SiteHeaders) -> Result<Snapshot, RenderError> {
    let capture = CaptureSnapshot {
        computed_styles: STYLES,
        include_paint_order: true,
    };
    let json = tab.call_unread(&capture, BROWSER_CALL_TIMEOUT).await?;
    let world = World::enter(tab, frame).await?;
    let modal = modal_dialogs(world).await?;
    let snapshot =
        Snapshot::read(&headers.hide_in_json(json.get())).map_err(|error| match error {
            crate::snapshot::ReadError::TooLarge => RenderError::TooLarge,
            other => RenderError::Browser(other.to_string()),
        })?;
    let images = image_sizes(world, &snapshot).await?;
    Ok(snapshot.with_modal(modal).with_image_sizes(images))
}

/// The width and the height of background images that the page has loaded, in pixels of its style sheets. Nothing is requested.
async fn image_sizes(
    world: World<'_>,
    snapshot: &Snapshot,
) -> Result<BTreeMap<String, (f32, f32)>, CdpError> {
    let urls = snapshot.single_images();
    if urls.is_empty() {
        return Ok(BTreeMap::new());
    }
    let list = serde_json::json!(urls);
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
async fn modal_dialogs(world: World<'_>) -> Result<Vec<i64>, CdpError> {
    let count = world.evaluate(&format!("{MODAL}.length")).await?.as_u64();
    let mut found = Vec::new();
    for place in 0..count.unwrap_or_default().min(MAX_MODAL) {
        found.extend(world.node(&format!("{MODAL}[{place}]")).await?);
    }
    Ok(found)
}
