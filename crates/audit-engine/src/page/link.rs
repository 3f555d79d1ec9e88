//! Links and resources of a page.

use std::sync::Arc;

use url::Url;

use crate::dom::NodeId;

/// Where an `href` leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// An http(s) URL on the audited site, fragment kept.
    Internal(Arc<Url>),
    /// An http(s) URL elsewhere.
    External(Arc<Url>),
    /// Another scheme, in lower case, for example `mailto`.
    Other(Arc<str>),
    /// Not a URL.
    Invalid,
}

/// A link: `a[href]` or `area[href]`.
#[derive(Debug, Clone)]
pub struct Link {
    /// The element.
    pub node: NodeId,
    /// The attribute as written, of a long one the first 2,048 bytes. Links of a page that are written alike share it.
    pub href: Arc<str>,
    /// The place of the written form among those of the page, in the order of first occurrence.
    pub(crate) form: usize,
    /// Where it leads, resolved against the document's base.
    pub target: LinkTarget,
    /// Whether `rel` has `nofollow`.
    pub nofollow: bool,
}

impl Link {
    /// The http(s) URL it leads to.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        match &self.target {
            LinkTarget::Internal(url) | LinkTarget::External(url) => Some(url),
            LinkTarget::Other(_) | LinkTarget::Invalid => None,
        }
    }
}

/// What a page loads besides itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResourceKind {
    /// `script[src]` that a browser runs.
    Script,
    /// `link[rel=stylesheet]`.
    Stylesheet,
    /// `img[src]`, `input[type=image][src]`, `video[poster]`.
    Image,
    /// `iframe[src]`, `frame[src]`.
    Frame,
    /// `audio`, `video`, `source`, `track`.
    Media,
    /// `object[data]`, `embed[src]`.
    Plugin,
    /// `link[rel=preload][as=font]`.
    Font,
    /// `link[rel=icon]` and its relatives, `link[rel=manifest]`.
    Icon,
    /// The image of `meta[property="og:image"]`, which browsers do not load: others show it.
    Preview {
        /// Whether it is written as an absolute URL, as the protocol demands.
        absolute: bool,
    },
}

impl ResourceKind {
    /// Whether it only stands for the page elsewhere.
    #[must_use]
    pub const fn is_preview(self) -> bool {
        matches!(self, Self::Preview { .. })
    }

    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Stylesheet => "stylesheet",
            Self::Image => "image",
            Self::Frame => "frame",
            Self::Media => "media",
            Self::Plugin => "plugin",
            Self::Font => "font",
            Self::Icon => "icon",
            Self::Preview { .. } => "preview",
        }
    }
}

/// A reference to a resource.
#[derive(Debug, Clone)]
pub struct ResourceRef {
    /// The element.
    pub node: NodeId,
    /// What it is.
    pub kind: ResourceKind,
    /// The resolved http(s) URL without fragment.
    pub url: Url,
    /// Whether a browser loads it with the page; false for `loading=lazy` and `preload=none`.
    pub eager: bool,
}
