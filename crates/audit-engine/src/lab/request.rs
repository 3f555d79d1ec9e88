//! The requests of a load that was measured.

/// Requests of one load that are kept: the first.
pub const MAX_TIMED_REQUESTS: usize = 500;

/// What a request is for, as browsers name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RequestKind {
    /// The document of the page or of a frame.
    Document,
    /// A style sheet.
    Stylesheet,
    /// An image.
    Image,
    /// Audio, video or their subtitles.
    Media,
    /// A font.
    Font,
    /// A script.
    Script,
    /// Data that a script requests.
    Data,
    /// Anything else, such as beacons, prefetched documents and icons.
    Other,
}

impl RequestKind {
    /// The name in messages.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Document => "document",
            Self::Stylesheet => "style sheet",
            Self::Image => "image",
            Self::Media => "audio or video",
            Self::Font => "font",
            Self::Script => "script",
            Self::Data => "data",
            Self::Other => "file",
        }
    }
}

/// What made the browser send a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Initiator {
    /// The markup of the page or a style sheet names the file.
    Parser,
    /// A script.
    Script,
    /// A preload.
    Preload,
    /// Something else, or it is not known.
    #[default]
    Other,
}

/// A request of a load that was measured, with its redirects.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedRequest {
    /// The URL that was requested first, without its fragment.
    pub url: String,
    /// The URL that answered; none if it is the first.
    pub landed_at: Option<String>,
    /// What it is for.
    pub kind: RequestKind,
    /// What made the browser send it.
    pub initiator: Initiator,
    /// The document, style sheet or script that named the file; none if it is not known.
    pub named_by: Option<String>,
    /// When it began, in milliseconds since the navigation began.
    pub began_ms: u32,
    /// When its response had arrived; none if it had not.
    pub ended_ms: Option<u32>,
    /// Bytes over the wire with the header fields of the response; 0 if it came from the cache.
    pub wire_bytes: u64,
    /// How many redirects came before the response.
    pub redirects: u32,
    /// How long they took.
    pub redirects_ms: u32,
    /// Whether the browser paints nothing before the response has arrived.
    pub blocks_rendering: bool,
}

impl TimedRequest {
    /// How long the request took with its redirects; none if it had not ended.
    #[must_use]
    pub fn took_ms(&self) -> Option<u32> {
        Some(self.ended_ms?.saturating_sub(self.began_ms))
    }
}
