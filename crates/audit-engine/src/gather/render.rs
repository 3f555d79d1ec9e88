//! A page as a browser renders it, and the port to the browser.

use std::future::Future;
use std::pin::Pin;

use url::Url;

use super::{Headers, PageEvents, PictureOrder, PicturesFuture};
use crate::lab::MeasuredLoad;
use crate::snapshot::Snapshot;

/// A page as a browser shows it.
#[derive(Debug)]
pub struct RenderedPage {
    /// The URL of the document, after redirects and navigations by scripts.
    pub url: Url,
    /// Whether a script or a refresh of the page led to this URL. Otherwise it is that of the navigation, after redirects of
    /// the server.
    pub led_by_page: bool,
    /// The status code of the document.
    pub status: u16,
    /// The response headers of the document.
    pub headers: Headers,
    /// Whether the page had settled. If not, it was still loading or changing when its time was over.
    pub is_settled: bool,
    /// The tree with its styles.
    pub snapshot: Snapshot,
    /// What happened meanwhile.
    pub events: PageEvents,
}

/// What a renderer finds out about a page beyond what it shows, because it takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Want {
    /// What the Tab key does: [`PageEvents::focus`].
    pub focus: bool,
    /// What it uses of its scripts and style sheets: [`PageEvents::coverage`].
    pub coverage: bool,
    /// The colors of texts on images and of others whose styles do not tell them: [`PageEvents::text_colors`].
    pub pixels: bool,
}

/// The future of a rendering.
pub type RenderFuture<'a> =
    Pin<Box<dyn Future<Output = Result<RenderedPage, RenderError>> + Send + 'a>>;

/// The future of a measurement.
pub type MeasureFuture<'a> =
    Pin<Box<dyn Future<Output = Result<MeasuredLoad, RenderError>> + Send + 'a>>;

/// Renders pages in a browser. One renderer serves one run.
pub trait Renderer: Send + Sync {
    /// Renders the page, and finds out what is wanted. Waits while all tabs are in use.
    fn render_with(&self, url: Url, want: Want) -> RenderFuture<'_>;

    /// Renders the page. Waits while all tabs are in use.
    fn render(&self, url: Url) -> RenderFuture<'_> {
        self.render_with(url, Want::default())
    }

    /// Shows the page once more and takes pictures of it. Waits while all tabs are in use. A renderer that takes none says
    /// that it is not available.
    fn photograph(&self, _: Url, _: PictureOrder) -> PicturesFuture<'_> {
        let message = "it takes no pictures".to_owned();
        Box::pin(async { Err(RenderError::Unavailable(message)) })
    }

    /// Loads the page with the connection and the processor of a profile, with an empty cache and without anything else
    /// beside it, and measures it. Waits until no other page is rendered. A renderer that measures nothing says that it is
    /// not available.
    fn measure(&self, _: Url) -> MeasureFuture<'_> {
        let message = "it does not measure pages".to_owned();
        Box::pin(async { Err(RenderError::Unavailable(message)) })
    }
}

/// Why a page was not rendered.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RenderError {
    /// There is no browser, or it does not start again.
    #[error("no browser is available: {0}")]
    Unavailable(String),
    /// The page ended its process, or the browser ended.
    #[error("the page crashed")]
    Crashed,
    /// A script never ended, and could not be stopped.
    #[error("a script of the page does not end")]
    Hung,
    /// The page has more elements than are read, or loads more than it may.
    #[error("the page is too large to render")]
    TooLarge,
    /// The page took too long.
    #[error("the page took too long")]
    Timeout,
    /// The response is a download.
    #[error("the response is a download")]
    Download,
    /// The document is no HTML.
    #[error("the document is not HTML")]
    NotHtml,
    /// A script navigated to another site, or to a URL whose scheme is not http or https.
    #[error("a script of the page navigated to {0}, which is not rendered")]
    Left(String),
    /// The browser could not load the document.
    #[error("the document could not be loaded: {0}")]
    Navigation(String),
    /// The response of the browser has a form that this version does not know.
    #[error("the browser could not show the page: {0}")]
    Browser(String),
}
