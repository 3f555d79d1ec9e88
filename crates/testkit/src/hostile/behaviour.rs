//! The names of what a hostile server does.

/// Declares [`Behaviour`] with its list and its names.
macro_rules! behaviours {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $kind:ident;)*) => {
        /// What a hostile server does. Each has its own part of the server, `/name`, and a kind that
        /// says where else it shows.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Behaviour {
            $($(#[$doc])* $variant,)*
        }

        impl Behaviour {
            /// Every behaviour.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name, in small letters and dashes.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Where it shows.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => Kind::$kind,)*
                }
            }
        }
    };
}

/// Where a behaviour shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As a page that the start page links to.
    Page,
    /// As the robots.txt of the server.
    Robots,
    /// As a sitemap that robots.txt names.
    Sitemap,
    /// As the whole site, the start page included.
    Site,
}

behaviours! {
    /// The head comes a byte at a time.
    SlowHead = "slow-head", Page;
    /// The body comes a byte at a time and has no end within a day.
    SlowBody = "slow-body", Page;
    /// No answer, for as long as the other side waits.
    NoAnswer = "no-answer", Page;
    /// The connection ends without an answer.
    Closed = "closed", Page;
    /// The connection is reset without an answer.
    Reset = "reset", Page;
    /// The connection is reset in the middle of the body.
    ResetInBody = "reset-in-body", Page;
    /// Bytes that are no HTTP.
    Garbage = "garbage", Page;
    /// A document without a head, as before HTTP/1.0.
    Http09 = "http-0-9", Page;
    /// Header fields without an end.
    EndlessHeaders = "endless-headers", Page;
    /// 5,000 header fields.
    ManyHeaders = "many-headers", Page;
    /// One header field of 1 MiB.
    LargeHeader = "large-header", Page;
    /// 2,000 cookies of 100 bytes.
    CookieFlood = "cookie-flood", Page;
    /// Interim answers (103) without an end.
    InformationalFlood = "informational-flood", Page;
    /// A body without an end and without a length.
    EndlessBody = "endless-body", Page;
    /// Chunks without an end.
    EndlessChunks = "endless-chunks", Page;
    /// A chunk whose size is no number.
    BrokenChunks = "broken-chunks", Page;
    /// A `Content-Length` larger than the body.
    LengthTooLong = "length-too-long", Page;
    /// A `Content-Length` smaller than the body.
    LengthTooShort = "length-too-short", Page;
    /// Two `Content-Length` fields that disagree.
    TwoLengths = "two-lengths", Page;
    /// Status 999.
    Status999 = "status-999", Page;

    /// A gzip stream that breaks off.
    TruncatedGzip = "truncated-gzip", Page;
    /// 1 GiB in gzip.
    GzipBomb = "gzip-bomb", Page;
    /// 1 GiB in deflate.
    DeflateBomb = "deflate-bomb", Page;
    /// 64 MiB in Brotli.
    BrotliBomb = "brotli-bomb", Page;
    /// 1 GiB in Zstandard.
    ZstdBomb = "zstd-bomb", Page;
    /// 1 GiB in gzip in gzip.
    DoubleGzip = "double-gzip", Page;
    /// Ten codings, one on the other.
    ManyCodings = "many-codings", Page;
    /// Says gzip and is none.
    WrongCoding = "wrong-coding", Page;

    /// Redirects to itself.
    RedirectSelf = "redirect-self", Page;
    /// Redirects to another URL, which redirects back.
    RedirectCircle = "redirect-circle", Page;
    /// 25 redirects, then a page.
    RedirectChain = "redirect-chain", Page;
    /// Redirects from one URL to the next, a million times and more.
    RedirectEndless = "redirect-endless", Page;
    /// Redirects to a file.
    RedirectFile = "redirect-file", Page;
    /// Redirects to a script.
    RedirectJavascript = "redirect-javascript", Page;
    /// Redirects to a `data:` URL.
    RedirectData = "redirect-data", Page;
    /// Redirects to no URL at all.
    RedirectNowhere = "redirect-nowhere", Page;
    /// A status of a redirect without a `Location`.
    RedirectWithoutLocation = "redirect-without-location", Page;
    /// Redirects to a relative reference, which is a page.
    RedirectRelative = "redirect-relative", Page;
    /// A `Location` of 100 KB.
    RedirectLong = "redirect-long", Page;
    /// Two pages that refresh to each other.
    RefreshCircle = "refresh-circle", Page;

    /// A calendar whose every day links to the next and to the last.
    Calendar = "calendar", Page;
    /// Every link has another session id in its path.
    SessionIds = "session-ids", Page;
    /// Every link adds one more filter to the query.
    Facets = "facets", Page;
    /// A relative link that makes the path longer on each page.
    GrowingPath = "growing-path", Page;
    /// Pages without an end, all with the same body but for their links.
    SameBody = "same-body", Page;
    /// Pages without an end, each with 100 new links.
    EndlessPages = "endless-pages", Page;

    /// 1 GiB of a sitemap in gzip.
    SitemapBomb = "sitemap-bomb", Sitemap;
    /// Entities that expand to gigabytes.
    SitemapEntities = "sitemap-entities", Sitemap;
    /// An entity that names a file.
    SitemapExternalEntity = "sitemap-external-entity", Sitemap;
    /// An index of an index of an index, without an end.
    SitemapNested = "sitemap-nested", Sitemap;
    /// An index that lists itself.
    SitemapCircle = "sitemap-circle", Sitemap;
    /// An index of 10,000 files.
    SitemapManyFiles = "sitemap-many-files", Sitemap;
    /// A sitemap of 100 MB.
    SitemapLarge = "sitemap-large", Sitemap;
    /// A sitemap that comes a byte at a time.
    SitemapSlow = "sitemap-slow", Sitemap;

    /// A robots.txt of 100 MB.
    RobotsLarge = "robots-large", Robots;
    /// A robots.txt that is an HTML page with status 200.
    RobotsHtml = "robots-html", Robots;
    /// A robots.txt in UTF-16.
    RobotsUtf16 = "robots-utf-16", Robots;
    /// A robots.txt with a byte order mark, which disallows `/robots-bom/`.
    RobotsBom = "robots-bom", Robots;
    /// A robots.txt that answers 503.
    RobotsServerError = "robots-server-error", Robots;
    /// A robots.txt that answers 403.
    RobotsForbidden = "robots-forbidden", Robots;
    /// A robots.txt behind twelve redirects.
    RobotsRedirects = "robots-redirects", Robots;
    /// A robots.txt that redirects to itself.
    RobotsCircle = "robots-circle", Robots;
    /// A robots.txt that comes a byte at a time.
    RobotsSlow = "robots-slow", Robots;
    /// A robots.txt that never answers.
    RobotsNoAnswer = "robots-no-answer", Robots;

    /// 100,000 nested elements.
    DeepTree = "deep-tree", Page;
    /// 100,000 unclosed formatting elements, which a parser reopens.
    Misnested = "misnested", Page;
    /// An element with a million attributes.
    ManyAttributes = "many-attributes", Page;
    /// A tag of 9 MB.
    HugeTag = "huge-tag", Page;
    /// A million links.
    ManyLinks = "many-links", Page;
    /// NUL bytes everywhere.
    NulBytes = "nul-bytes", Page;
    /// Bytes that its charset does not know.
    BrokenCharset = "broken-charset", Page;
    /// An HTML document that calls itself a PNG image.
    HtmlAsImage = "html-as-image", Page;
    /// A PNG image that calls itself HTML.
    ImageAsHtml = "image-as-html", Page;
    /// A page whose style sheet imports another, and so on without an end.
    CssImports = "css-imports", Page;
    /// A page whose style sheet has 200,000 rules.
    CssBomb = "css-bomb", Page;
    /// A page with an image of 100 MB.
    HugeImage = "huge-image", Page;

    /// 429, `Retry-After: 1`.
    TooManyRequests = "too-many-requests", Page;
    /// 503, `Retry-After` as a date far away.
    RetryDate = "retry-date", Page;
    /// 429, `Retry-After` of more seconds than any clock counts.
    RetryAbsurd = "retry-absurd", Page;
    /// A challenge of a protection service in the place of every page.
    Challenge = "challenge", Site;
    /// Every page redirects to the login.
    LoginWall = "login-wall", Site;
}

impl Behaviour {
    /// The path of its entry.
    #[must_use]
    pub fn path(self) -> String {
        format!("/{}", self.name())
    }

    /// The behaviour that a path belongs to, and what follows its name.
    pub(super) fn of_path(path: &str) -> Option<(Self, &str)> {
        let rest = path.strip_prefix('/')?;
        let end = rest.find(['/', ';']).unwrap_or(rest.len());
        let (name, rest) = rest.split_at_checked(end)?;
        let behaviour = Self::ALL.iter().find(|known| known.name() == name)?;
        Some((*behaviour, rest))
    }
}
