//! The indexes of a page, filled in one walk over the tree.

use std::collections::HashMap;

use html5ever::LocalName;
use url::Url;

use super::{Document, Link, LinkTarget, ResourceKind, ResourceRef, RobotsDirectives};
use crate::address::{SiteKey, without_fragment};
use crate::dom::{Dom, ElementRef, NodeId};

#[derive(Debug)]
pub(super) struct Index {
    pub(super) base: Url,
    pub(super) elements: Vec<NodeId>,
    pub(super) by_name: HashMap<LocalNameKey, Vec<NodeId>>,
    pub(super) by_id: HashMap<Box<str>, Vec<NodeId>>,
    pub(super) links: Vec<Link>,
    pub(super) resources: Vec<ResourceRef>,
    pub(super) robots: RobotsDirectives,
    pub(super) canonicals: Vec<Url>,
}

/// A local name that can be looked up by plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LocalNameKey(LocalName);

impl std::hash::Hash for LocalNameKey {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        str::hash(&self.0, state);
    }
}

impl std::borrow::Borrow<str> for LocalNameKey {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl Index {
    pub(super) fn build(dom: &Dom, document: &Document, site: &SiteKey) -> Self {
        let mut index = Self {
            base: document.url.clone(),
            elements: Vec::new(),
            by_name: HashMap::new(),
            by_id: HashMap::new(),
            links: Vec::new(),
            resources: Vec::new(),
            robots: RobotsDirectives::default(),
            canonicals: Vec::new(),
        };
        for id in dom.descendants(dom.document()) {
            let Some(element) = dom.element(id) else {
                continue;
            };
            index.elements.push(id);
            let name = element.local_name().clone();
            index
                .by_name
                .entry(LocalNameKey(name))
                .or_default()
                .push(id);
            if let Some(id_attribute) = element.attr("id").filter(|id| !id.is_empty()) {
                index
                    .by_id
                    .entry(Box::from(id_attribute))
                    .or_default()
                    .push(id);
            }
        }
        index.resolve(dom, document, site);
        index
    }

    fn named<'a>(&self, dom: &'a Dom, name: &str) -> Vec<ElementRef<'a>> {
        self.by_name
            .get(name)
            .map(Vec::as_slice)
            .unwrap_or_default()
            .iter()
            .filter_map(|id| dom.element(*id))
            .filter(|element| element.is_html())
            .collect()
    }

    /// Fills what depends on the base URL, which any `base` in the document decides.
    fn resolve(&mut self, dom: &Dom, document: &Document, site: &SiteKey) {
        if let Some(base) = self
            .named(dom, "base")
            .into_iter()
            .find_map(|base| base.attr("href"))
            .and_then(|href| document.url.join(href.trim()).ok())
            .filter(|base| matches!(base.scheme(), "http" | "https"))
        {
            self.base = base;
        }
        for meta in self.named(dom, "meta") {
            if let (Some(name), Some(content)) = (meta.attr("name"), meta.attr("content")) {
                self.robots.add_meta(name, content);
            }
        }
        for value in document.headers.get_all("x-robots-tag") {
            self.robots.add_header(value);
        }
        self.canonicals = self
            .named(dom, "link")
            .into_iter()
            .filter(|link| link.has_token("rel", "canonical") && link.closest("head").is_some())
            .filter_map(|link| link.attr("href"))
            .filter_map(|href| self.base.join(href.trim()).ok())
            .chain(link_header_canonicals(document))
            .collect();
        for id in &self.elements {
            let Some(element) = dom.element(*id) else {
                continue;
            };
            if let Some(link) = link(element, &self.base, site) {
                self.links.push(link);
            }
            self.resources.extend(resources(element, &self.base));
        }
    }
}

/// The URL parser drops tabs and newlines and strips outer space itself.
fn join_http(base: &Url, reference: &str) -> Option<Url> {
    let url = base.join(reference).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

fn link(element: ElementRef<'_>, base: &Url, site: &SiteKey) -> Option<Link> {
    if !(element.is("a") || element.is("area")) {
        return None;
    }
    let href = element.attr("href")?;
    let target = match base.join(href) {
        Err(_) => LinkTarget::Invalid,
        Ok(url) if matches!(url.scheme(), "http" | "https") => {
            if site.contains(&url) {
                LinkTarget::Internal(url)
            } else {
                LinkTarget::External(url)
            }
        }
        Ok(url) => LinkTarget::Other(url.scheme().to_owned()),
    };
    Some(Link {
        node: element.id(),
        href: href.to_owned(),
        target,
        nofollow: element.has_token("rel", "nofollow"),
    })
}

fn resources(element: ElementRef<'_>, base: &Url) -> Vec<ResourceRef> {
    if !element.is_html() {
        return Vec::new();
    }
    let lazy = element.attr_is("loading", "lazy");
    let (attribute, kind, eager) = match element.name() {
        "script" if runs_in_browsers(element) => ("src", ResourceKind::Script, true),
        "img" => ("src", ResourceKind::Image, !lazy),
        "iframe" | "frame" => ("src", ResourceKind::Frame, !lazy),
        "input" if element.attr_is("type", "image") => ("src", ResourceKind::Image, true),
        "video" => ("poster", ResourceKind::Image, true),
        "embed" => ("src", embedded_kind(element), true),
        "object" => ("data", embedded_kind(element), true),
        "source" | "track" if element.has_attr("src") => ("src", ResourceKind::Media, false),
        "link" => return link_resource(element, base),
        _ => return Vec::new(),
    };
    let mut found: Vec<_> = reference(element, attribute, kind, eager, base)
        .into_iter()
        .collect();
    if matches!(element.name(), "video" | "audio") {
        found.extend(reference(element, "src", ResourceKind::Media, false, base));
    }
    found
}

/// An embedded image is an image, whatever element embeds it.
fn embedded_kind(element: ElementRef<'_>) -> ResourceKind {
    let image = element
        .attr("type")
        .is_some_and(|kind| kind.trim().to_ascii_lowercase().starts_with("image/"));
    if image {
        ResourceKind::Image
    } else {
        ResourceKind::Plugin
    }
}

fn reference(
    element: ElementRef<'_>,
    attribute: &str,
    kind: ResourceKind,
    eager: bool,
    base: &Url,
) -> Option<ResourceRef> {
    let value = element
        .attr(attribute)
        .filter(|value| !value.trim().is_empty())?;
    let url = without_fragment(&join_http(base, value)?);
    Some(ResourceRef {
        node: element.id(),
        kind,
        url,
        eager,
    })
}

fn link_resource(element: ElementRef<'_>, base: &Url) -> Vec<ResourceRef> {
    let kind = if element.has_token("rel", "stylesheet") && !element.has_token("rel", "alternate") {
        ResourceKind::Stylesheet
    } else if element.has_token("rel", "preload") && element.attr_is("as", "font") {
        ResourceKind::Font
    } else if ["icon", "apple-touch-icon", "mask-icon", "manifest"]
        .iter()
        .any(|rel| element.has_token("rel", rel))
    {
        ResourceKind::Icon
    } else {
        return Vec::new();
    };
    reference(element, "href", kind, kind != ResourceKind::Icon, base)
        .into_iter()
        .collect()
}

/// Whether browsers run the script: no `type`, a JavaScript type, or `module` (HTML, "prepare the
/// script element"). Data blocks are none.
pub(super) fn runs_in_browsers(script: ElementRef<'_>) -> bool {
    match script.attr("type").map(str::trim) {
        None | Some("") => true,
        Some(kind) => {
            let kind = kind.to_ascii_lowercase();
            kind == "module" || kind.ends_with("javascript") || kind.ends_with("ecmascript")
        }
    }
}

/// `Link: <url>; rel="canonical"` (RFC 8288, RFC 6596).
fn link_header_canonicals(document: &Document) -> Vec<Url> {
    document
        .headers
        .get_all("link")
        .flat_map(split_link_values)
        .filter_map(|value| {
            let (target, parameters) = value.trim().strip_prefix('<')?.split_once('>')?;
            let canonical = parameters.split(';').any(|parameter| {
                parameter.split_once('=').is_some_and(|(name, value)| {
                    name.trim().eq_ignore_ascii_case("rel")
                        && value
                            .trim()
                            .trim_matches('"')
                            .split_ascii_whitespace()
                            .any(|rel| rel.eq_ignore_ascii_case("canonical"))
                })
            });
            canonical.then(|| document.url.join(target.trim()).ok())?
        })
        .collect()
}

/// Splits a `Link` field at the commas that stand outside of `<…>` and quotes.
fn split_link_values(field: &str) -> Vec<&str> {
    let (mut in_target, mut in_quotes) = (false, false);
    field
        .split(move |c| {
            match c {
                '"' if !in_target => in_quotes = !in_quotes,
                '<' if !in_quotes => in_target = true,
                '>' if !in_quotes => in_target = false,
                _ => {}
            }
            c == ',' && !in_target && !in_quotes
        })
        .collect()
}
