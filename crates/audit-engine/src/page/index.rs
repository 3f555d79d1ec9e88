//! The indexes of a page, built in one pass over the tree.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use url::Url;

use super::traits::{TraitReader, TraitTable};
use super::{Document, Link, LinkTarget, ResourceKind, ResourceRef, RobotsDirectives};
use crate::address::{SiteKey, without_fragment};
use crate::bounds::page::{MAX_ADDRESS_BYTES, MAX_BASE_BYTES, MAX_CANONICALS_READ};
use crate::dom::{Dom, ElementRef, NodeId};

/// Bytes that are kept in addition to each address.
const BESIDE_ADDRESS: usize = 100;

/// The remaining bytes for addresses.
#[derive(Debug)]
struct Room(Option<usize>);

impl Room {
    /// Reserves the bytes of an address. Fails if too few are left, or if an earlier address failed.
    fn take(&mut self, bytes: usize) -> Option<()> {
        let wanted = bytes.saturating_add(BESIDE_ADDRESS);
        self.0 = self.0.and_then(|left| left.checked_sub(wanted));
        self.0.map(|_| ())
    }
}

#[derive(Debug)]
pub(super) struct Index {
    pub(super) base: Url,
    pub(super) elements: Vec<NodeId>,
    pub(super) traits: TraitTable,
    by_name: ByName,
    by_id: ById,
    /// The elements of shadow trees by id. Their ids are not ids of the document.
    by_id_in_shadow: ById,
    pub(super) links: Vec<Link>,
    pub(super) resources: Vec<ResourceRef>,
    pub(super) robots: RobotsDirectives,
    pub(super) canonicals: Vec<Url>,
    /// Whether links, resources or canonical addresses were dropped.
    pub(super) are_addresses_cut: bool,
}

/// The elements of each name in document order, grouped by name.
#[derive(Debug, Default)]
struct ByName {
    nodes: Vec<NodeId>,
    /// The start of each name's group, in the order of [`Dom::names`], and the end.
    begins: Vec<usize>,
    /// The indexes of the names with their first bytes, sorted by name.
    sorted: Vec<(u64, usize)>,
}

impl ByName {
    fn new(dom: &Dom, elements: &[NodeId]) -> Self {
        let mut begins = vec![0; dom.names().len() + 1];
        let place = |id: &NodeId| dom.element(*id).map(ElementRef::name_place);
        for name in elements.iter().filter_map(place) {
            if let Some(count) = begins.get_mut(name + 1) {
                *count += 1;
            }
        }
        let mut sum = 0;
        for begin in &mut begins {
            sum += *begin;
            *begin = sum;
        }
        let mut next = begins.clone();
        let mut nodes = vec![dom.document(); elements.len()];
        for id in elements {
            let Some(next) = place(id).and_then(|name| next.get_mut(name)) else {
                continue;
            };
            if let Some(slot) = nodes.get_mut(*next) {
                *slot = *id;
            }
            *next += 1;
        }
        let mut sorted: Vec<(u64, usize)> = dom.names().map(beginning).zip(0..).collect();
        sorted.sort_unstable_by_key(|(beginning, place)| (*beginning, dom.name_at(*place)));
        Self {
            nodes,
            begins,
            sorted,
        }
    }

    fn get(&self, dom: &Dom, name: &str) -> &[NodeId] {
        // The first bytes almost always distinguish names.
        let wanted = beginning(name);
        let found = self.sorted.binary_search_by(|(begin, place)| {
            let by_beginning = begin.cmp(&wanted);
            by_beginning.then_with(|| dom.name_at(*place).cmp(name))
        });
        found
            .ok()
            .and_then(|at| self.sorted.get(at))
            .and_then(|(_, place)| {
                let (begin, end) = (self.begins.get(*place)?, self.begins.get(place + 1)?);
                self.nodes.get(*begin..*end)
            })
            .unwrap_or_default()
    }
}

/// The first eight bytes of a name as a number that sorts like the name.
fn beginning(name: &str) -> u64 {
    let mut bytes = [0; 8];
    for (byte, own) in bytes.iter_mut().zip(name.bytes()) {
        *byte = own;
    }
    u64::from_be_bytes(bytes)
}

/// The elements with an id, by the hash of the id and in document order.
#[derive(Debug, Default)]
struct ById(Vec<(u64, NodeId)>);

impl ById {
    /// The elements with this id in document order.
    fn with_id<'a, 'b>(
        &'a self,
        dom: &'a Dom,
        id: &'b str,
    ) -> impl Iterator<Item = ElementRef<'a>> + use<'a, 'b> {
        let wanted = hash(id);
        let begin = self.0.partition_point(|(hash, _)| *hash < wanted);
        let alike = self.0.get(begin..).unwrap_or_default().iter();
        alike
            .take_while(move |(hash, _)| *hash == wanted)
            .filter_map(|(_, node)| dom.element(*node))
            .filter(move |element| element.attr("id") == Some(id))
    }
}

fn hash(id: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    id.hash(&mut hasher);
    hasher.finish()
}

impl Index {
    pub(super) fn build(dom: &Dom, document: &Document, site: &SiteKey) -> Self {
        let mut elements = Vec::with_capacity(dom.len() / 2);
        let (mut by_id, mut by_id_in_shadow) = (Vec::new(), Vec::new());
        let mut traits = TraitReader::new(dom);
        for node in dom.descendants(dom.document()) {
            let Some(element) = dom.element(node) else {
                continue;
            };
            elements.push(node);
            if let Some(id) = traits.read(element).filter(|id| !id.is_empty()) {
                let of_scope = match dom.scope(node) {
                    0 => &mut by_id,
                    _ => &mut by_id_in_shadow,
                };
                of_scope.push((hash(id), node));
            }
        }
        // Stable: elements with the same id remain in document order.
        by_id.sort_by_key(|(hash, _)| *hash);
        by_id_in_shadow.sort_by_key(|(hash, _)| *hash);
        let mut index = Self {
            base: document.url.clone(),
            by_name: ByName::new(dom, &elements),
            elements,
            traits: traits.finish(),
            by_id: ById(by_id),
            by_id_in_shadow: ById(by_id_in_shadow),
            links: Vec::new(),
            resources: Vec::new(),
            robots: RobotsDirectives::default(),
            canonicals: Vec::new(),
            are_addresses_cut: false,
        };
        index.resolve(dom, document, site);
        index
    }

    /// The elements with this local name in document order.
    pub(super) fn all(&self, dom: &Dom, name: &str) -> &[NodeId] {
        self.by_name.get(dom, name)
    }

    /// The elements with this id in document order.
    pub(super) fn with_id<'a, 'b>(
        &'a self,
        dom: &'a Dom,
        id: &'b str,
    ) -> impl Iterator<Item = ElementRef<'a>> + use<'a, 'b> {
        self.by_id.with_id(dom, id)
    }

    /// The first element with this id in the tree that `from` belongs to: the document, or a shadow tree.
    pub(super) fn referenced<'a>(
        &'a self,
        dom: &'a Dom,
        from: NodeId,
        id: &str,
    ) -> Option<ElementRef<'a>> {
        match dom.scope(from) {
            0 => self.with_id(dom, id).next(),
            scope => {
                let alike = || self.by_id_in_shadow.with_id(dom, id);
                let own = alike().find(|element| dom.scope(element.id()) == scope);
                // A snapshot does not say which tree a host's own children belong to.
                own.or_else(|| alike().next())
            }
        }
    }

    /// Whether two elements may have the same id.
    pub(super) fn may_repeat_ids(&self) -> bool {
        !self.by_id.0.is_sorted_by(|(a, _), (b, _)| a < b)
    }

    /// Every id with the number of its elements, in no particular order.
    pub(super) fn ids<'a>(&'a self, dom: &'a Dom) -> impl Iterator<Item = (&'a str, usize)> {
        self.by_id
            .0
            .chunk_by(|(a, _), (b, _)| a == b)
            .flat_map(move |alike| {
                let mut counts: Vec<(&str, usize)> = Vec::with_capacity(1);
                let ids = alike
                    .iter()
                    .filter_map(|(_, node)| dom.element(*node)?.attr("id"));
                for id in ids {
                    match counts.iter_mut().find(|(known, _)| *known == id) {
                        Some((_, count)) => *count += 1,
                        None => counts.push((id, 1)),
                    }
                }
                counts
            })
    }

    fn named<'a>(&self, dom: &'a Dom, name: &str) -> Vec<ElementRef<'a>> {
        self.all(dom, name)
            .iter()
            .filter_map(|id| dom.element(*id))
            .filter(|element| element.is_html())
            .collect()
    }

    /// Fills the indexes that depend on the base URL, which any `base` in the document may set.
    fn resolve(&mut self, dom: &Dom, document: &Document, site: &SiteKey) {
        if let Some(base) = self
            .named(dom, "base")
            .into_iter()
            .find_map(|base| base.attr("href"))
            .and_then(|href| document.url.join(href.trim()).ok())
            .filter(|base| matches!(base.scheme(), "http" | "https"))
            // Otherwise each link would be at least as long, and none could be requested.
            .filter(|base| base.as_str().len() <= MAX_BASE_BYTES)
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
        let links = self.named(dom, "link").into_iter();
        let mut canonicals = links
            .filter(|link| link.has_token("rel", "canonical") && link.closest("head").is_some())
            .filter_map(|link| link.attr("href"))
            .map(str::trim)
            // An empty reference would resolve to the page itself.
            .filter(|href| !href.is_empty())
            .filter_map(|href| self.base.join(href).ok())
            .chain(link_header_canonicals(document))
            .filter(is_web_address);
        self.canonicals = canonicals.by_ref().take(MAX_CANONICALS_READ).collect();
        let has_more = canonicals.next().is_some();
        drop(canonicals);
        let mut room = Room(Some(MAX_ADDRESS_BYTES));
        // Most elements have no address. Checked once for each name.
        let has_address: Vec<bool> = dom.names().map(may_have_address).collect();
        let anchors = self.all(dom, "a").len();
        let mut forms = Forms::with_room_for(anchors);
        for id in &self.elements {
            let Some(element) = dom.element(*id).filter(|element| {
                has_address
                    .get(element.name_place())
                    .is_some_and(|has_address| *has_address)
            }) else {
                continue;
            };
            if let Some(link) = forms.link(element, &self.base, site, &mut room) {
                self.links.push(link);
            }
            let resources = resources(element, &self.base).into_iter();
            self.resources.extend(
                resources.take_while(|found| room.take(found.url.as_str().len()).is_some()),
            );
        }
        self.are_addresses_cut = has_more || room.0.is_none();
    }
}

/// Whether [`Forms::link`] or [`resources`] may find an address on elements with this name.
fn may_have_address(name: &str) -> bool {
    matches!(
        name,
        "a" | "area"
            | "script"
            | "img"
            | "iframe"
            | "frame"
            | "input"
            | "video"
            | "audio"
            | "embed"
            | "object"
            | "source"
            | "track"
            | "link"
            | "meta"
    )
}

/// The URL parser removes tabs, newlines and surrounding space itself.
fn join_http(base: &Url, reference: &str) -> Option<Url> {
    let url = base.join(reference).ok()?;
    matches!(url.scheme(), "http" | "https").then_some(url)
}

/// The written forms of a page's links. Forms that differ only in their fragment are resolved once.
struct Forms<'a> {
    known: HashMap<&'a str, Form>,
    without_fragment: HashMap<&'a str, u32>,
    targets: Vec<LinkTarget>,
}

#[derive(Clone, Copy)]
struct Form {
    number: u32,
    /// The index of its target.
    target: u32,
}

impl<'a> Forms<'a> {
    /// Capacity for the forms of this number of links, of which about half are repeated.
    fn with_room_for(links: usize) -> Self {
        Self {
            known: HashMap::with_capacity(links / 2),
            without_fragment: HashMap::with_capacity(links / 4),
            targets: Vec::with_capacity(links / 4),
        }
    }

    fn link(
        &mut self,
        element: ElementRef<'a>,
        base: &Url,
        site: &SiteKey,
        room: &mut Room,
    ) -> Option<Link> {
        if !(element.is("a") || element.is("area")) {
            return None;
        }
        let form = self.form(element.attr("href")?, base, site, room)?;
        Some(Link {
            node: element.id(),
            form: form.number,
            place: form.target,
            target: self
                .targets
                .get(usize::try_from(form.target).ok()?)?
                .clone(),
            nofollow: element.has_token("rel", "nofollow"),
        })
    }

    /// The written form. None if no further form can be kept.
    fn form(
        &mut self,
        written: &'a str,
        base: &Url,
        site: &SiteKey,
        room: &mut Room,
    ) -> Option<Form> {
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        let next = number(self.known.len());
        match self.known.entry(written) {
            Entry::Occupied(known) => Some(*known.get()),
            Entry::Vacant(new) => {
                room.take(0)?;
                let bare = without_written_fragment(written);
                let target = match self.without_fragment.entry(bare) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(new) => {
                        let found = target(bare, base, site);
                        room.take(found.len())?;
                        self.targets.push(found);
                        *new.insert(number(self.targets.len() - 1))
                    }
                };
                Some(*new.insert(Form {
                    number: next,
                    target,
                }))
            }
        }
    }
}

/// The written form without its fragment.
fn without_written_fragment(href: &str) -> &str {
    let Some((before, _)) = href.split_once('#') else {
        return href;
    };
    // White space is ignored at the end of an address, but not before the number sign.
    let end = if before.ends_with(|c: char| c <= ' ') {
        before.len() + 1
    } else {
        before.len()
    };
    href.get(..end).unwrap_or(href)
}

fn target(href: &str, base: &Url, site: &SiteKey) -> LinkTarget {
    match base.join(href) {
        Err(_) => LinkTarget::Invalid,
        Ok(mut url) if matches!(url.scheme(), "http" | "https") => {
            url.set_fragment(None);
            if site.contains(&url) {
                LinkTarget::Internal(Arc::new(url))
            } else {
                LinkTarget::External(Arc::new(url))
            }
        }
        Ok(url) => LinkTarget::Other(Arc::from(url.scheme())),
    }
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
        "meta" => return preview(element, base).into_iter().collect(),
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

/// An embedded image is an image, whichever element embeds it.
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

/// The preview image of a shared page (The Open Graph protocol).
fn preview(meta: ElementRef<'_>, base: &Url) -> Option<ResourceRef> {
    let is_image = |name: &str| {
        ["og:image", "og:image:url", "og:image:secure_url"]
            .iter()
            .any(|known| meta.attr_is(name, known))
    };
    if !is_image("property") && !is_image("name") {
        return None;
    }
    let absolute = meta
        .attr("content")
        .is_some_and(|content| Url::parse(content).is_ok());
    reference(
        meta,
        "content",
        ResourceKind::Preview { absolute },
        false,
        base,
    )
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

/// Whether browsers run the script: no `type`, a JavaScript type, or `module` (HTML, "prepare the script
/// element"). Data blocks are not run.
pub(super) fn runs_in_browsers(script: ElementRef<'_>) -> bool {
    let language = || script.attr("language").filter(|name| !name.is_empty());
    match (script.attr("type"), language()) {
        (Some(""), _) | (None, None) => true,
        (Some(kind), _) => {
            let kind = kind.trim_matches([' ', '\t', '\n', '\x0C', '\r']);
            kind.eq_ignore_ascii_case("module") || is_javascript(kind)
        }
        (None, Some(language)) => is_javascript(&format!("text/{language}")),
    }
}

/// Whether it is a JavaScript MIME type without parameters (MIME Sniffing Standard, section 4.6).
fn is_javascript(kind: &str) -> bool {
    const OF_APPLICATION: [&str; 4] = ["ecmascript", "javascript", "x-ecmascript", "x-javascript"];
    const OF_TEXT: [&str; 12] = [
        "ecmascript",
        "javascript",
        "javascript1.0",
        "javascript1.1",
        "javascript1.2",
        "javascript1.3",
        "javascript1.4",
        "javascript1.5",
        "jscript",
        "livescript",
        "x-ecmascript",
        "x-javascript",
    ];
    let kind = kind.to_ascii_lowercase();
    match kind.split_once('/') {
        Some(("application", name)) => OF_APPLICATION.contains(&name),
        Some(("text", name)) => OF_TEXT.contains(&name),
        _ => false,
    }
}

/// Whether a search engine can follow the URL. It ignores others.
fn is_web_address(url: &Url) -> bool {
    matches!(url.scheme(), "http" | "https") && url.has_host()
}

/// `Link: <url>; rel="canonical"` (RFC 8288, RFC 6596).
fn link_header_canonicals(document: &Document) -> Vec<Url> {
    link_header(document, "canonical")
        .map(|(url, _)| url)
        .collect()
}

/// `Link: <url>; rel="alternate"; hreflang="de"`: the code as written, and the URL.
pub(super) fn link_header_alternates(
    document: &Document,
) -> impl Iterator<Item = (String, Url)> + '_ {
    link_header(document, "alternate").filter_map(|(url, parameters)| {
        let code = parameter(parameters, "hreflang")?;
        Some((code.to_owned(), url))
    })
}

/// The targets of `Link` headers with this relation, resolved, and their parameters.
fn link_header<'a>(
    document: &'a Document,
    relation: &'static str,
) -> impl Iterator<Item = (Url, &'a str)> {
    document
        .headers
        .get_all("link")
        .flat_map(split_link_values)
        .filter_map(move |value| {
            let (target, parameters) = value.trim().strip_prefix('<')?.split_once('>')?;
            let has_relation = parameter(parameters, "rel")?
                .split_ascii_whitespace()
                .any(|rel| rel.eq_ignore_ascii_case(relation));
            let url = document.url.join(target.trim()).ok();
            has_relation.then_some((url?, parameters))
        })
}

/// The value of a parameter. If it is repeated, the first applies (RFC 8288, section 3.3).
fn parameter<'a>(parameters: &'a str, name: &str) -> Option<&'a str> {
    parameters.split(';').find_map(|parameter| {
        let (found, value) = parameter.split_once('=')?;
        let is_it = found.trim().eq_ignore_ascii_case(name);
        is_it.then(|| value.trim().trim_matches('"'))
    })
}

/// Splits a `Link` field at the commas outside of `<…>` and quotes.
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
