//! A feed given as a sitemap: RSS 2.0, RSS 1.0 or Atom (sitemaps.org, "Syndication feed").

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use super::loc::{self, Bounded};
use super::markup::{Lines, prefix_of, resolved};
use super::{Document, Sitemap, SitemapKind};

/// Whether a document with this root element is a feed.
pub(super) fn is_root(local_name: &str) -> bool {
    matches!(local_name, "rss" | "RDF" | "feed")
}

/// Reads the first link of every item or entry. Invalid URLs are ignored without a problem: a feed is not a
/// sitemap, and an item need not have a link.
pub(super) fn read(document: &Document<'_>, sitemap: &mut Sitemap) -> SitemapKind {
    let mut reader = Reader::from_str(document.text);
    let config = reader.config_mut();
    config.expand_empty_elements = true;
    config.allow_dangling_amp = true;
    let mut feed = Feed {
        lines: Lines::new(document.text),
        depth: 0,
        item: None,
        is_in_link: false,
    };
    while !sitemap.too_many {
        feed.lines.advance_to(reader.buffer_position());
        match reader.read_event() {
            Ok(Event::Start(start)) => feed.start(&start),
            Ok(Event::End(_)) => feed.end(document, sitemap),
            Ok(Event::Text(text)) => feed.text(&text),
            Ok(Event::CData(text)) => feed.text(&text),
            Ok(Event::GeneralRef(reference)) => {
                if let Some(c) = resolved(&reference) {
                    feed.text(c.encode_utf8(&mut [0; 4]));
                }
            }
            Ok(Event::Eof) | Err(_) => break,
            Ok(
                Event::Empty(_)
                | Event::Comment(_)
                | Event::Decl(_)
                | Event::PI(_)
                | Event::DocType(_),
            ) => {}
        }
    }
    SitemapKind::Feed
}

struct Feed<'d> {
    lines: Lines<'d>,
    /// The number of open elements.
    depth: usize,
    item: Option<Item>,
    is_in_link: bool,
}

struct Item {
    depth: usize,
    line: usize,
    prefix: Option<String>,
    link: Option<Bounded>,
}

impl Feed<'_> {
    fn start(&mut self, start: &BytesStart<'_>) {
        self.depth = self.depth.saturating_add(1);
        let name = start.name();
        match (&mut self.item, name.local_name().as_ref()) {
            (None, "item" | "entry") => {
                self.item = Some(Item {
                    depth: self.depth,
                    line: self.lines.line,
                    prefix: prefix_of(name),
                    link: None,
                });
            }
            (Some(item), "link")
                if item.link.is_none()
                    && self.depth == item.depth.saturating_add(1)
                    && prefix_of(name) == item.prefix =>
            {
                let mut href = None;
                let mut is_page = true;
                for attribute in start.attributes().with_checks(false).flatten() {
                    match attribute.key.as_ref() {
                        "href" => href = Some(attribute.value.replace("&amp;", "&")),
                        "rel" => is_page = attribute.value.trim() == "alternate",
                        _ => {}
                    }
                }
                match href {
                    Some(href) if is_page => {
                        let mut link = Bounded::default();
                        link.push(&href);
                        item.link = Some(link);
                    }
                    // A link of another kind, such as `rel="self"`.
                    Some(_) => {}
                    None => {
                        item.link = Some(Bounded::default());
                        self.is_in_link = true;
                    }
                }
            }
            _ => {}
        }
    }

    fn text(&mut self, piece: &str) {
        if let (true, Some(link)) = (
            self.is_in_link,
            self.item.as_mut().and_then(|item| item.link.as_mut()),
        ) {
            link.push(piece);
        }
    }

    fn end(&mut self, document: &Document<'_>, sitemap: &mut Sitemap) {
        if let Some(item) = self.item.take_if(|item| item.depth == self.depth) {
            let link = item.link.filter(|link| !link.is_full());
            if let Some(link) = &link
                && loc::read(link.trimmed(), document.base).0.is_some()
            {
                sitemap.entry(link.trimmed(), None, item.line, true);
            }
        }
        self.is_in_link = false;
        self.depth = self.depth.saturating_sub(1);
    }
}
