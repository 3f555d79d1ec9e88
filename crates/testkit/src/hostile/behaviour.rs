//! The names of the behaviors of a hostile server.

/// Declares [`Behaviour`] with its list and its names.
macro_rules! behaviours {
    ($($(#[$doc:meta])* $variant:ident = $name:literal, $kind:ident;)*) => {
        /// A behavior of a hostile server. Each has its own path on the server, `/name`, and a kind that says
        /// where else it appears.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Behaviour {
            $($(#[$doc])* $variant,)*
        }

        impl Behaviour {
            /// Every behaviour.
            pub const ALL: &'static [Self] = &[$(Self::$variant,)*];

            /// The stable name, in lower-case letters and hyphens.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// Where it appears.
            #[must_use]
            pub const fn kind(self) -> Kind {
                match self {
                    $(Self::$variant => Kind::$kind,)*
                }
            }
        }
    };
}

/// Where a behavior appears.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// As a page that the start page links to.
    Page,
    /// As the robots.txt of the server.
    Robots,
    /// As a sitemap that robots.txt lists.
    Sitemap,
    /// As the whole site, the start page included.
    Site,
}

behaviours! {
    /// The headers arrive one byte at a time.
    SlowHead = "slow-head", Page;
    /// The body arrives one byte at a time and takes longer than a day.
    SlowBody = "slow-body", Page;
    /// No response, for as long as the client waits.
    NoAnswer = "no-answer", Page;
    /// The connection is closed without a response.
    Closed = "closed", Page;
    /// The connection is reset without a response.
    Reset = "reset", Page;
    /// The connection is reset in the middle of the body.
    ResetInBody = "reset-in-body", Page;
    /// Bytes that are not HTTP.
    Garbage = "garbage", Page;
    /// A document without headers, as before HTTP/1.0.
    Http09 = "http-0-9", Page;
    /// Endless header fields.
    EndlessHeaders = "endless-headers", Page;
    /// 5,000 header fields.
    ManyHeaders = "many-headers", Page;
    /// One header field of 1 MiB.
    LargeHeader = "large-header", Page;
    /// 2,000 cookies of 100 bytes.
    CookieFlood = "cookie-flood", Page;
    /// Endless interim responses (103), thousands per second.
    InformationalFlood = "informational-flood", Page;
    /// An endless body without a length.
    EndlessBody = "endless-body", Page;
    /// Endless chunks.
    EndlessChunks = "endless-chunks", Page;
    /// A chunk whose size is not a number.
    BrokenChunks = "broken-chunks", Page;
    /// A `Content-Length` larger than the body.
    LengthTooLong = "length-too-long", Page;
    /// A `Content-Length` smaller than the body.
    LengthTooShort = "length-too-short", Page;
    /// Two `Content-Length` fields that disagree.
    TwoLengths = "two-lengths", Page;
    /// Status 999.
    Status999 = "status-999", Page;

    /// A gzip stream that ends early.
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
    /// Ten nested codings.
    ManyCodings = "many-codings", Page;
    /// Declares gzip but is not compressed.
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
    /// Redirects to an invalid URL.
    RedirectNowhere = "redirect-nowhere", Page;
    /// A redirect status code without a `Location`.
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
    /// Endless pages with the same body except for their links.
    SameBody = "same-body", Page;
    /// Endless pages with 100 new links each.
    EndlessPages = "endless-pages", Page;

    /// 1 GiB of a sitemap in gzip.
    SitemapBomb = "sitemap-bomb", Sitemap;
    /// Entities that expand to gigabytes.
    SitemapEntities = "sitemap-entities", Sitemap;
    /// An entity that refers to a file.
    SitemapExternalEntity = "sitemap-external-entity", Sitemap;
    /// An index of an index of an index, endlessly.
    SitemapNested = "sitemap-nested", Sitemap;
    /// An index that lists itself.
    SitemapCircle = "sitemap-circle", Sitemap;
    /// An index of 10,000 files.
    SitemapManyFiles = "sitemap-many-files", Sitemap;
    /// A sitemap of 100 MB.
    SitemapLarge = "sitemap-large", Sitemap;
    /// A sitemap that arrives one byte at a time.
    SitemapSlow = "sitemap-slow", Sitemap;

    /// A robots.txt of 100 MB.
    RobotsLarge = "robots-large", Robots;
    /// A robots.txt that is an HTML page with status 200.
    RobotsHtml = "robots-html", Robots;
    /// A robots.txt in UTF-16.
    RobotsUtf16 = "robots-utf-16", Robots;
    /// A robots.txt with a byte order mark, which disallows `/robots-bom/`.
    RobotsBom = "robots-bom", Robots;
    /// A robots.txt with status code 503.
    RobotsServerError = "robots-server-error", Robots;
    /// A robots.txt with status code 403.
    RobotsForbidden = "robots-forbidden", Robots;
    /// A robots.txt after twelve redirects.
    RobotsRedirects = "robots-redirects", Robots;
    /// A robots.txt that redirects to itself.
    RobotsCircle = "robots-circle", Robots;
    /// A robots.txt that arrives one byte at a time.
    RobotsSlow = "robots-slow", Robots;
    /// A robots.txt without a response.
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
    /// Bytes that are invalid in the declared charset.
    BrokenCharset = "broken-charset", Page;
    /// An HTML document that is declared as a PNG image.
    HtmlAsImage = "html-as-image", Page;
    /// A PNG image that is declared as HTML.
    ImageAsHtml = "image-as-html", Page;
    /// A page whose style sheet imports another, endlessly.
    CssImports = "css-imports", Page;
    /// A page whose style sheet has 200,000 rules.
    CssBomb = "css-bomb", Page;
    /// A page with an image of 100 MB.
    HugeImage = "huge-image", Page;

    /// 429, `Retry-After: 1`.
    TooManyRequests = "too-many-requests", Page;
    /// 503, `Retry-After` as a date in the distant future.
    RetryDate = "retry-date", Page;
    /// 429, `Retry-After` with more seconds than any clock counts.
    RetryAbsurd = "retry-absurd", Page;
    /// A challenge page of a protection service instead of every page.
    Challenge = "challenge", Site;
    /// Every page redirects to the login.
    LoginWall = "login-wall", Site;
}

impl Behaviour {
    /// The path of its entry page.
    #[must_use]
    pub fn path(self) -> String {
        format!("/{}", self.name())
    }

    /// The behavior of a path, and the rest of the path after its name.
    pub(super) fn of_path(path: &str) -> Option<(Self, &str)> {
        let rest = path.strip_prefix('/')?;
        let end = rest.find(['/', ';']).unwrap_or(rest.len());
        let (name, rest) = rest.split_at_checked(end)?;
        let behaviour = Self::ALL.iter().find(|known| known.name() == name)?;
        Some((*behaviour, rest))
    }
}
