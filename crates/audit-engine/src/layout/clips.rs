//! Where the content of elements can be seen: what is cut off, and what is scrolled to.

use super::{Flow, Layout, Overflow, Position, Rect};
use crate::dom::{Dom, ElementRef, NodeId};

/// Where an element can be seen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Clip {
    /// The part of the page in which it can be seen without scrolling a part of the page.
    pub(crate) seen: Rect,
    /// The innermost element that scrolls it; none if only the page does.
    pub(crate) scroller: Option<NodeId>,
    /// The part of the page in which it can be seen, or scrolled to by `scroller`.
    pub(crate) within: Rect,
    /// Whether it keeps its place in the window when the page is scrolled.
    pub(crate) is_fixed: bool,
}

/// Where the elements of a page can be seen.
///
/// An element is cut off by the elements between it and the box that it is placed in, which is not always that of its
/// parent (CSS Overflow Module Level 3, section 3; CSS Positioned Layout Module Level 3, section 2).
#[derive(Debug)]
pub(crate) struct Clips {
    clips: Vec<Clip>,
    /// By the index of an element.
    places: Vec<Place>,
}

/// What an element and its content are cut off by, as indexes of clips.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    own: usize,
    /// For content in the flow.
    flow: usize,
    /// For content that is placed absolutely.
    absolute: usize,
    /// For content that is fixed.
    fixed: usize,
    /// Whether opacity or a clip path hides the element.
    is_unseen: bool,
}

/// What is left of the page or above it cannot be scrolled to.
const PAGE: Rect = Rect {
    left: 0.0,
    top: 0.0,
    right: f32::MAX,
    bottom: f32::MAX,
};

const START: Clip = Clip {
    seen: PAGE,
    scroller: None,
    within: PAGE,
    is_fixed: false,
};

impl Clips {
    /// The clips of a page: one pass over its elements.
    pub(crate) fn new(dom: &Dom, layout: &Layout) -> Self {
        let fixed = Clip {
            is_fixed: true,
            ..START
        };
        let start = Place {
            fixed: 1,
            ..Place::default()
        };
        let mut found = Self {
            clips: vec![START, fixed],
            places: vec![start; dom.len()],
        };
        for id in dom.descendants(NodeId::DOCUMENT) {
            if let Some(element) = dom.element(id) {
                let parent = dom.parent(id).map(|parent| found.place(parent));
                let place = found.next(layout, element, parent.unwrap_or(start));
                if let Some(own) = found.places.get_mut(id.index()) {
                    *own = place;
                }
            }
        }
        found
    }

    fn place(&self, id: NodeId) -> Place {
        self.places.get(id.index()).copied().unwrap_or_default()
    }

    fn clip(&self, number: usize) -> Clip {
        self.clips.get(number).copied().unwrap_or(START)
    }

    /// Where an element can be seen.
    pub(crate) fn of(&self, id: NodeId) -> Clip {
        self.clip(self.place(id).own)
    }

    /// Whether opacity or a clip path of the element, or of one around it, hides it.
    pub(crate) fn is_unseen(&self, id: NodeId) -> bool {
        self.place(id).is_unseen
    }

    /// Where the content of an element in the flow can be seen.
    pub(crate) fn of_content(&self, id: NodeId) -> Clip {
        self.clip(self.place(id).flow)
    }

    fn next(&mut self, layout: &Layout, element: ElementRef<'_>, parent: Place) -> Place {
        let id = element.id();
        let styled = layout.box_of(id);
        let styled = styled.and_then(|found| Some((found, layout.style_of(found)?)));
        let Some((found, style)) = styled else {
            // Its content is placed as that of its parent.
            return Place {
                own: parent.flow,
                ..parent
            };
        };
        let own = match style.position {
            Position::Static | Position::Relative => parent.flow,
            Position::Absolute => parent.absolute,
            Position::Fixed => parent.fixed,
        };
        // The overflow of these two is that of the window.
        let is_cutting = style.overflow != Overflow::Visible
            && style.flow != Flow::Inline
            && !element.is("html")
            && !element.is("body");
        let flow = match is_cutting {
            true => self.cut(own, id, found.rect, style.overflow),
            false => own,
        };
        let holds_absolute = style.position != Position::Static || style.holds_fixed;
        Place {
            own,
            flow,
            absolute: if holds_absolute {
                flow
            } else {
                parent.absolute
            },
            fixed: if style.holds_fixed {
                flow
            } else {
                parent.fixed
            },
            is_unseen: parent.is_unseen || style.opacity <= 0.0 || style.is_cut_away(),
        }
    }

    /// The clip of the content of a box that cuts it off.
    fn cut(&mut self, own: usize, id: NodeId, rect: Rect, overflow: Overflow) -> usize {
        let around = self.clip(own);
        let seen = around.seen.and(rect);
        let clip = match overflow {
            Overflow::Scrolled => Clip {
                seen,
                scroller: Some(id),
                within: Rect::EVERYWHERE,
                ..around
            },
            Overflow::Hidden | Overflow::Visible => Clip {
                seen,
                within: around.within.and(rect),
                ..around
            },
        };
        self.clips.push(clip);
        self.clips.len() - 1
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::layout::{BoxKind, ComputedStyle, LayoutBuilder};
    use crate::view::Page;

    /// Elements with their box and styles in `data-box`: `LEFT TOP WIDTH HEIGHT; PROPERTY: VALUE; …`.
    fn clips(html: &str) -> (Page, Clips) {
        let page = Page::builder().html(html);
        let mut builder = LayoutBuilder::default();
        for (number, element) in page.elements().enumerate() {
            let mut parts = element
                .attr("data-box")
                .unwrap_or("0 0 1000 1000")
                .split(';');
            let numbers: Vec<f32> = (parts.next().unwrap().split_whitespace())
                .map(|number| number.parse().unwrap())
                .collect();
            let written: Vec<(&str, &str)> = parts
                .filter_map(|part| part.split_once(':'))
                .map(|(name, value)| (name.trim(), value.trim()))
                .collect();
            let key = i64::try_from(number).unwrap();
            let style = builder.style(&[key], || {
                ComputedStyle::read(|name| {
                    let found = written.iter().find(|(own, _)| *own == name);
                    found.map_or("", |(_, value)| value)
                })
            });
            let rect = Rect::new(numbers.try_into().unwrap());
            builder.add(element.id(), BoxKind::Element, (rect, 0), style);
        }
        let clips = Clips::new(page.dom(), &builder.finish());
        (page, clips)
    }

    #[rstest]
    #[case::in_the_flow("", Rect::new([10.0, 10.0, 50.0, 50.0]))]
    #[case::placed_further_out("position: absolute", PAGE)]
    #[case::fixed("position: fixed", PAGE)]
    fn an_element_is_cut_off_by_what_it_is_placed_in(#[case] own: &str, #[case] seen: Rect) {
        let (page, clips) = clips(&format!(
            "<div data-box='10 10 50 50; overflow-x: hidden'><p id=t data-box='0 0 900 20; {own}'>x</div>"
        ));
        let clip = clips.of(page.by_id("t").unwrap().id());
        assert_eq!((clip.seen, clip.scroller), (seen, None));
        assert_eq!(clip.is_fixed, own.contains("fixed"));
    }

    #[test]
    fn what_is_scrolled_to_is_within_its_scroller() {
        let (page, clips) = clips(
            "<div id=s data-box='0 0 100 100; overflow-y: auto; position: relative'><div data-box='0 0 80 900; overflow-x: clip'>\
             <p id=t data-box='0 500 90 20'>x<p id=a data-box='0 500 90 20; position: absolute'>x</div></div>",
        );
        let scroller = page.by_id("s").unwrap().id();
        let clip = clips.of(page.by_id("t").unwrap().id());
        assert_eq!(clip.scroller, Some(scroller));
        assert_eq!(clip.seen, Rect::new([0.0, 0.0, 80.0, 100.0]));
        assert_eq!(clip.within, Rect::new([0.0, 0.0, 80.0, 900.0]));
        let clip = clips.of(page.by_id("a").unwrap().id());
        assert_eq!(
            (clip.scroller, clip.within),
            (Some(scroller), Rect::EVERYWHERE)
        );
        assert_eq!(clips.of(scroller).scroller, None);
        assert_eq!(clips.of_content(scroller).scroller, Some(scroller));
    }

    #[test]
    fn a_moved_box_holds_what_is_fixed() {
        let (page, clips) = clips(
            "<div data-box='0 0 9 9; overflow-x: hidden; transform: matrix(1, 0, 0, 1, 0, 0)'><p id=t data-box='0 0 20 20; position: fixed'>",
        );
        let clip = clips.of(page.by_id("t").unwrap().id());
        assert_eq!(clip.seen, Rect::new([0.0, 0.0, 9.0, 9.0]));
        assert!(!clip.is_fixed);
    }

    #[test]
    fn what_is_faded_out_or_cut_away_is_unseen() {
        for (style, expected) in [
            ("opacity: 0", true),
            ("clip-path: inset(50%)", true),
            ("opacity: 0.5", false),
        ] {
            let (page, clips) = clips(&format!(
                "<div data-box='0 0 9 9; {style}'><p id=t data-box='0 0 9 9'>"
            ));
            let id = page.by_id("t").unwrap().id();
            assert_eq!(clips.is_unseen(id), expected, "{style}");
        }
    }
}
