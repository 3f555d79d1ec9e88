//! Inlinks: the links that point to a URL.

use crate::algorithms::by_place::ByPlace;
use crate::check::Evidence;
use crate::site::{LinkFact, PageFacts, Site, UrlId};

/// The inlinks of one URL.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Inlink<'a> {
    /// The first page that links to it.
    pub(crate) page: &'a PageFacts,
    /// Whether one of the links is not `nofollow`.
    pub(crate) followed: bool,
}

/// The inlinks of every URL, by target.
#[derive(Debug)]
pub(crate) struct Inlinks<'a>(ByPlace<Inlink<'a>>);

impl<'a> Inlinks<'a> {
    /// Links by the URL in the markup, before redirects.
    pub(crate) fn direct(site: &'a Site) -> Self {
        Self::collect(site, |_, link| Some(link.target))
    }

    /// Links from other pages, by the final URL after redirects.
    pub(crate) fn landed(site: &'a Site) -> Self {
        let mut landings = ByPlace::default();
        Self::collect(site, |page, link| {
            landings
                .get_or_find(link.target.index(), || site.urls.landing(link.target))
                .filter(|landing| *landing != page.id)
        })
    }

    fn collect(
        site: &'a Site,
        mut target: impl FnMut(&PageFacts, &LinkFact) -> Option<UrlId>,
    ) -> Self {
        let mut links: ByPlace<Inlink<'a>> = ByPlace::default();
        for (page, link) in site.links() {
            if let Some(target) = target(page, link) {
                let followed = !link.nofollow;
                let inlink = links.get_or_find(target.index(), || Inlink { page, followed });
                inlink.followed |= followed;
            }
        }
        Self(links)
    }

    /// The inlinks of this URL; `None` if it has none.
    pub(crate) fn to(&self, id: UrlId) -> Option<Inlink<'a>> {
        self.0.get(id.index()).copied()
    }
}

/// Evidence for a link of a page: a selector with the `href` as written, and the line.
pub(crate) fn link_evidence(site: &Site, link: &LinkFact) -> Evidence {
    const MAX_SELECTOR: usize = 500;
    let href = site.urls.href(link.href);
    let selector = format!("a[href=\"{}\"]", css_string(href));
    Evidence {
        selector: (selector.len() <= MAX_SELECTOR).then_some(selector),
        line: Some(link.line),
        ..Evidence::here()
    }
}

/// Escapes text for a CSS string (CSSOM, "serialize a string").
fn css_string(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:x} ", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hrefs_are_escaped_for_selectors() {
        assert_eq!(css_string("a\"b\\c\nd"), "a\\\"b\\\\c\\a d");
    }
}
