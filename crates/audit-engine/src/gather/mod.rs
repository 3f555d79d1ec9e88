//! Gathering: requests and responses, and the forms in which checks see them.

mod events;
mod fetch;
mod headers;
mod large_body_permits;
mod lines;
mod pictures;
mod recording;
mod render;
pub mod robots;
pub mod sitemap;
mod tls;

pub use events::{
    ColorPair, FileCoverage, FocusChange, FocusStop, FocusWalk, MAX_COVERED_FILES,
    MAX_PAGE_EVENT_URL_BYTES, MAX_PAGE_MESSAGE_CHARS, MAX_PAGE_MESSAGES, MAX_PAGE_REQUESTS,
    MAX_PICTURED_TEXTS, MAX_UNUSED_RANGES, MessageKind, PageEvents, PageMessage, PageRequest,
    RequestEnd, TextColors, WalkEnd,
};
pub use fetch::{
    ACCEPT_ANY, ACCEPT_PAGE, BodyPolicy, CertificatePolicy, FetchError, FetchErrorKind,
    FetchFuture, Fetcher, HttpVersion, Method, Request, Response, is_html_type, media_type,
    media_type_parameter,
};
pub use headers::Headers;
pub use large_body_permits::{LARGE_BODY, LargeBodyPermit, LargeBodyPermits};
pub use pictures::{PagePictures, Photo, PictureOrder, PicturedElement, PicturesFuture};
pub use recording::{RECORDING_BASE, Recording, RecordingError};
pub use render::{MeasureFuture, RenderError, RenderFuture, RenderedPage, Renderer, Want};
pub use tls::{Certificate, CertificateKey, LegacyVersion, Signature, TlsFacts, TlsFuture};
