//! Links and resources of a page.

use std::borrow::Cow;
use std::sync::Arc;

use url::Url;

use crate::algorithms::by_place::ByPlace;
use crate::dom::NodeId;

/// The target of an `href`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkTarget {
    /// An http(s) URL on the audited site, without the fragment. Links that differ only in their fragment share
    /// it.
    Internal(Arc<Url>),
    /// An http(s) URL on another site, without the fragment.
    External(Arc<Url>),
    /// Another scheme, in lower case, for example `mailto`.
    Other(Arc<str>),
    /// Not a URL.
    Invalid,
}

impl LinkTarget {
    /// The number of kept bytes.
    pub(super) fn len(&self) -> usize {
        match self {
            Self::Internal(url) | Self::External(url) => url.as_str().len(),
            Self::Other(scheme) => scheme.len(),
            Self::Invalid => 0,
        }
    }
}

/// A link: `a[href]` or `area[href]`.
#[derive(Debug, Clone)]
pub struct Link {
    /// The element. [`ParsedPage::href`](super::ParsedPage::href) has the attribute.
    pub node: NodeId,
    /// The index of its written form, in order of first occurrence on the page.
    pub(crate) form: u32,
    /// The index of its written form without the fragment, in order of first occurrence on the page.
    pub(crate) place: u32,
    /// The target, resolved against the document's base URL.
    pub target: LinkTarget,
    /// Whether `rel` has `nofollow`.
    pub nofollow: bool,
}

impl Link {
    /// The target as an http(s) URL, without the fragment.
    #[must_use]
    pub fn url(&self) -> Option<&Url> {
        match &self.target {
            LinkTarget::Internal(url) | LinkTarget::External(url) => Some(url),
            LinkTarget::Other(_) | LinkTarget::Invalid => None,
        }
    }
}

/// Cached results for the targets of a page's links.
#[derive(Debug)]
pub(crate) struct OfTargets<T>(ByPlace<T>);

impl<T> Default for OfTargets<T> {
    fn default() -> Self {
        Self(ByPlace::default())
    }
}

impl<T: Copy> OfTargets<T> {
    /// The result for the link's target. `find` computes it the first time.
    pub(crate) fn get(&mut self, link: &Link, find: impl FnOnce() -> T) -> T {
        match usize::try_from(link.place) {
            Ok(place) => *self.0.get_or_find(place, find),
            Err(_) => find(),
        }
    }
}

/// The fragment of a written URL in its normalized form: without white space at its end, tabs and line ends,
/// and percent-encoded where required (URL Standard, 4.4). None if it has none.
pub(super) fn fragment<'a>(href: &'a str, base: &Url) -> Option<Cow<'a, str>> {
    let (_, written) = href.split_once('#')?;
    let is_kept = |byte: u8| byte.is_ascii_graphic() && !matches!(byte, b'"' | b'<' | b'>' | b'`');
    if written.bytes().all(is_kept) {
        return Some(Cow::Borrowed(written));
    }
    let url = base.join(&format!("#{written}")).ok()?;
    url.fragment()
        .map(|fragment| Cow::Owned(fragment.to_owned()))
}

/// The kind of a resource that a page loads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ResourceKind {
    /// `script[src]` that a browser runs.
    Script,
    /// `link[rel=stylesheet]`.
    Stylesheet,
    /// `img[src]`, `input[type=image][src]`, `video[poster]`.
    Image,
    /// The background image of an element.
    Background,
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
    /// The image of `meta[property="og:image"]`. Browsers do not load it; other services show it.
    Preview {
        /// Whether it is written as an absolute URL, as the protocol requires.
        absolute: bool,
    },
}

impl ResourceKind {
    /// Whether it is only a preview image of the page.
    #[must_use]
    pub const fn is_preview(self) -> bool {
        matches!(self, Self::Preview { .. })
    }

    /// Whether pages show it as an image.
    #[must_use]
    pub const fn is_shown_image(self) -> bool {
        matches!(self, Self::Image | Self::Background)
    }

    /// A short stable name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Script => "script",
            Self::Stylesheet => "stylesheet",
            Self::Image => "image",
            Self::Background => "background",
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
    /// Its kind.
    pub kind: ResourceKind,
    /// The resolved http(s) URL without fragment.
    pub url: Url,
    /// Whether a browser loads it with the page; false for `loading=lazy` and `preload=none`.
    pub eager: bool,
}
