//! The visit of one page whose pictures are taken.

use std::time::Duration;

use tokio::time::Instant;
use url::Url;

use super::capture::after_freezing;
use super::cdp::commands::{Navigate, SetScriptsDisabled};
use super::context::Context;
use super::pictures;
use super::settle::Purpose;
use super::visit::{NAVIGATION_TIMEOUT, Visit, Visited, clear, is_of_tab};
use crate::address::{SiteKey, is_same_document};
use crate::gather::{PagePictures, Photo, PictureOrder, RenderError, Want};

/// How long a page whose scripts do not run may load. It is pictured as it is then.
const LOAD_WITHOUT_SCRIPTS: Duration = Duration::from_secs(5);

/// Shows a page, and takes the pictures of it.
pub(super) async fn photograph(
    context: &Context,
    url: &Url,
    order: &PictureOrder,
) -> Visited<PagePictures> {
    let Some(site) = SiteKey::from_url(url) else {
        return Visited::failed(RenderError::Left(url.to_string()));
    };
    let mut visit = Visit::new(context, site.clone(), Purpose::Pictures, Want::default());
    let taken = take(&mut visit, context, url, order).await;
    visit.is_spent |= taken.as_ref().is_err_and(is_of_tab);
    visit.is_spent |= visit.has_too_many_windows();
    visit.leave().await;
    clear(
        context,
        visit.document().map_or(url, |document| &document.url),
    )
    .await;
    Visited {
        shown: taken,
        is_spent: visit.is_spent,
    }
}

async fn take(
    visit: &mut Visit<'_>,
    context: &Context,
    url: &Url,
    order: &PictureOrder,
) -> Result<PagePictures, RenderError> {
    visit.answer_last_page().await?;
    let without_scripts = match order.without_scripts {
        true => without_scripts(visit, context, url).await?,
        false => None,
    };
    visit.leave_fragment(url).await?;
    visit.settle(url).await?;
    let shown = visit.document().map(|document| document.url.clone());
    if let Some(shown) = shown.filter(|shown| !is_same_document(shown, url)) {
        return Err(RenderError::Left(shown.to_string()));
    }
    let tab = context.tab();
    let frame = context.main_frame();
    let taking = async { Ok(pictures::take(tab, frame, order).await?) };
    let (mut taken, _) = tokio::select! {
        taken = after_freezing(tab, frame, taking) => taken?,
        // A dialog that opened just before holds everything until it is answered.
        () = visit.interrupted() => return Err(RenderError::Crashed),
    };
    // A picture that shows the same says nothing.
    taken.without_scripts = without_scripts.filter(|photo| taken.viewport.as_ref() != Some(photo));
    Ok(taken)
}

/// A picture of the page as it is where scripts do not run; none if it does not load so.
async fn without_scripts(
    visit: &mut Visit<'_>,
    context: &Context,
    url: &Url,
) -> Result<Option<Photo>, RenderError> {
    let tab = context.tab();
    tab.call(&SetScriptsDisabled { value: true }).await?;
    visit.leave_fragment(url).await?;
    let photo = match load(visit, context, url).await {
        Ok(true) => Ok(pictures::window(tab, context.main_frame()).await),
        Ok(false) => Ok(Ok(None)),
        Err(error) => Err(error),
    };
    // Whatever happened: the tab may show another page.
    tab.call(&SetScriptsDisabled { value: false }).await?;
    Ok(photo??)
}

/// Loads a page for some time. Returns whether there is a document.
async fn load(visit: &mut Visit<'_>, context: &Context, url: &Url) -> Result<bool, RenderError> {
    let tab = context.tab();
    let navigate = Navigate { url: url.as_str() };
    let navigated = tab.call_within(&navigate, NAVIGATION_TIMEOUT).await?;
    if navigated.error_text.is_some() || navigated.is_download {
        return Ok(false);
    }
    let until = Instant::now() + LOAD_WITHOUT_SCRIPTS;
    loop {
        tokio::select! {
            event = tab.next_event() => match event {
                None => return Err(RenderError::Crashed),
                Some(event) if event.method == "Page.loadEventFired" => return Ok(true),
                Some(event) => visit.answer(&event).await?,
            },
            () = tokio::time::sleep_until(until) => return Ok(true),
        }
    }
}
