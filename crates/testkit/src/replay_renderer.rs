//! A renderer that replays pages: no browser is needed.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use audit_engine::gather::{
    Headers, MeasureFuture, PageEvents, PagePictures, Photo, PictureOrder, PicturesFuture,
    RenderError, RenderFuture, RenderedPage, Renderer, Want,
};
use audit_engine::lab::MeasuredLoad;
use audit_engine::snapshot::Snapshot;
use url::Url;

/// Shows pages as they were given: markup as it is after the scripts, of which every element is visible, or an error.
/// Any other page is [`RenderError::Timeout`]. It measures nothing unless it has loads.
#[derive(Debug, Default)]
pub struct ReplayRenderer {
    pages: HashMap<Url, Replayed>,
    events: HashMap<Url, PageEvents>,
    loads: Mutex<HashMap<Url, VecDeque<MeasuredLoad>>>,
    pictures: HashMap<Url, Photo>,
}

#[derive(Debug)]
enum Replayed {
    Shown {
        markup: String,
        url: Url,
        status: u16,
    },
    Failed(RenderError),
}

impl ReplayRenderer {
    /// A renderer without pages.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Shows this markup at the URL.
    #[must_use]
    pub fn shows(self, url: &Url, markup: &str) -> Self {
        self.with(url, markup, url.clone(), 200)
    }

    /// Shows this markup at the URL, to which the page led from another one.
    #[must_use]
    pub fn leads(self, from: &Url, to: &Url, markup: &str) -> Self {
        self.with(from, markup, to.clone(), 200)
    }

    /// The server answers the browser with this status code.
    #[must_use]
    pub fn answers(self, url: &Url, status: u16) -> Self {
        self.with(url, "<h1>Error</h1>", url.clone(), status)
    }

    /// This happens while the page at the URL is shown.
    #[must_use]
    pub fn with_events(mut self, url: &Url, events: PageEvents) -> Self {
        self.events.insert(url.clone(), events);
        self
    }

    /// Measures these loads of the page, one after the other. A further load is [`RenderError::Timeout`].
    #[must_use]
    pub fn measures(self, url: &Url, loads: impl IntoIterator<Item = MeasuredLoad>) -> Self {
        let mut known = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(url.clone()).or_default().extend(loads);
        drop(known);
        self
    }

    /// Takes this picture of the window of the page, and of every element of it.
    #[must_use]
    pub fn pictures(mut self, url: &Url, photo: Photo) -> Self {
        self.pictures.insert(url.clone(), photo);
        self
    }

    /// The page is not shown.
    #[must_use]
    pub fn fails(mut self, url: &Url, error: RenderError) -> Self {
        self.pages.insert(url.clone(), Replayed::Failed(error));
        self
    }

    fn with(mut self, at: &Url, markup: &str, url: Url, status: u16) -> Self {
        let markup = markup.to_owned();
        let shown = Replayed::Shown {
            markup,
            url,
            status,
        };
        self.pages.insert(at.clone(), shown);
        self
    }

    fn next_load(&self, url: &Url) -> Result<MeasuredLoad, RenderError> {
        let mut known = self.loads.lock().unwrap_or_else(PoisonError::into_inner);
        if known.is_empty() {
            return Err(RenderError::Unavailable("there are no loads".to_owned()));
        }
        let loads = known.get_mut(url);
        loads
            .and_then(VecDeque::pop_front)
            .ok_or(RenderError::Timeout)
    }

    fn replay(&self, url: &Url) -> Result<RenderedPage, RenderError> {
        let events = self.events.get(url).cloned().unwrap_or_default();
        match self.pages.get(url) {
            None => Err(RenderError::Timeout),
            Some(Replayed::Failed(error)) => Err(error.clone()),
            Some(Replayed::Shown {
                markup,
                url: shown_at,
                status,
            }) => Ok(RenderedPage {
                url: shown_at.clone(),
                led_by_page: shown_at != url,
                status: *status,
                headers: Headers::new(),
                is_settled: true,
                snapshot: Snapshot::of_markup(markup)
                    .map_err(|error| RenderError::Browser(error.to_string()))?,
                events,
            }),
        }
    }
}

impl Renderer for ReplayRenderer {
    fn render_with(&self, url: Url, _: Want) -> RenderFuture<'_> {
        Box::pin(async move { self.replay(&url) })
    }

    fn photograph(&self, url: Url, order: PictureOrder) -> PicturesFuture<'_> {
        Box::pin(async move {
            let photo = self.pictures.get(&url).ok_or(RenderError::Timeout)?;
            Ok(PagePictures {
                viewport: Some(photo.clone()),
                without_scripts: order.without_scripts.then(|| photo.clone()),
                elements: vec![Some(photo.clone()); order.elements.len()],
            })
        })
    }

    fn measure(&self, url: Url) -> MeasureFuture<'_> {
        Box::pin(async move { self.next_load(&url) })
    }
}
