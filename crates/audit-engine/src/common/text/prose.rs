//! Prose: the visible text of a page outside code.

use crate::dom::{Descendants, Dom, ElementRef, NodeData, NodeId};
use crate::page::Traits;
use crate::page::text::is_boilerplate_by_name;
use crate::page::whitespace::is_blank;
use crate::view::Page;

/// A text node and its parent element.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Run<'a> {
    /// The text as written in the source.
    pub(crate) text: &'a str,
    /// The parent element.
    pub(crate) parent: ElementRef<'a>,
}

/// The runs of prose below a node, in document order, without navigation, headers, footers and asides.
pub(crate) struct Runs<'a> {
    page: &'a Page,
    walk: Descendants<'a>,
}

impl<'a> Iterator for Runs<'a> {
    type Item = Run<'a>;

    fn next(&mut self) -> Option<Run<'a>> {
        let dom = self.page.dom();
        loop {
            let id = self.walk.next()?;
            if let Some(element) = dom.element(id) {
                if is_around_main(element, self.page.traits(element)) {
                    self.walk.skip_children(id);
                }
                continue;
            }
            if let Some(run) = run(dom, id) {
                return Some(run);
            }
        }
    }
}

fn run(dom: &Dom, id: NodeId) -> Option<Run<'_>> {
    match dom.data(id)? {
        NodeData::Text(text) if !is_blank(text) => Some(Run {
            text,
            parent: dom.element(dom.parent(id)?)?,
        }),
        _ => None,
    }
}

fn is_around_main(element: ElementRef<'_>, traits: Traits) -> bool {
    traits.has(Traits::NOT_PROSE.or(Traits::HIDDEN)) || is_outside_main(element, traits)
}

fn is_outside_main(element: ElementRef<'_>, traits: Traits) -> bool {
    traits.has(Traits::AROUND_MAIN)
        || (traits.has(Traits::ROLE)
            && matches!(
                element.attr("role"),
                Some("navigation" | "banner" | "contentinfo" | "search" | "complementary")
            ))
        || is_boilerplate_by_name(element, traits)
}

/// All prose of the page.
pub(crate) fn all(page: &Page) -> impl Iterator<Item = Run<'_>> {
    let dom = page.dom();
    page.prose().iter().filter_map(|id| run(dom, *id))
}

/// The prose below an element, without navigation, headers, footers and asides.
pub(crate) fn main_part<'a>(page: &'a Page, root: ElementRef<'a>) -> Runs<'a> {
    Runs {
        page,
        walk: root.dom().descendants(root.id()),
    }
}

/// The elements below this one, without navigation, headers, footers and asides.
pub(crate) fn main_elements<'a>(
    page: &'a Page,
    root: ElementRef<'a>,
) -> impl Iterator<Item = ElementRef<'a>> {
    let dom = root.dom();
    let mut walk = dom.descendants(root.id());
    std::iter::from_fn(move || {
        loop {
            let id = walk.next()?;
            match dom.element(id) {
                Some(element) if is_outside_main(element, page.traits(element)) => {
                    walk.skip_children(id);
                }
                Some(element) => return Some(element),
                None => {}
            }
        }
    })
}

/// An excerpt of a text around a byte offset, with at most `characters` characters on each side.
pub(crate) fn excerpt(text: &str, around: usize, characters: usize) -> String {
    let (before, after) = text.split_at(text.floor_char_boundary(around));
    let start = before
        .char_indices()
        .rev()
        .nth(characters.saturating_sub(1))
        .map_or(0, |(index, _)| index);
    let end = after
        .char_indices()
        .nth(characters)
        .map_or(after.len(), |(index, _)| index);
    let joined = format!("{}{}", before.split_at(start).1, after.split_at(end).0);
    crate::dom::normalize_space(&joined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prose(html: &str) -> Vec<String> {
        let page = Page::builder().html(html);
        all(&page).map(|run| run.text.trim().to_owned()).collect()
    }

    #[test]
    fn code_and_hidden_text_are_not_prose() {
        let html = "<p>one <code>x</code> two<pre>y</pre><p hidden>z</p><tt>t</tt><style>a</style>";
        assert_eq!(prose(html), ["one", "two"]);
    }

    #[test]
    fn the_main_part_excludes_navigation() {
        let page = Page::builder().html("<nav>menu</nav><div role=search>s</div><p>text");
        let root = page.main_element().unwrap();
        let runs: Vec<_> = main_part(&page, root).map(|run| run.text).collect();
        assert_eq!(runs, ["text"]);
    }

    #[test]
    fn an_excerpt_is_cut_between_characters() {
        assert_eq!(excerpt("äöü x äöü", 7, 3), "öü x ä");
        assert_eq!(excerpt("ab", 0, 10), "ab");
    }
}
