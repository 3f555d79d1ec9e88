//! The text of an element that can be seen.

use super::text_block::is_text_seen;
use crate::dom::{ElementRef, NodeData, NodeId};
use crate::layout::{Clips, Flow, Layout};

/// Bytes of a text that are read.
const MAX_BYTES: usize = 2_000;

/// Nodes of an element that are read.
const MAX_NODES: usize = 2_000;

/// The visible text of an element without the words that a font shows as icons; parts that are not in one line of text
/// are separated by spaces. `None` if there is too much to read.
pub(crate) fn visible_text(
    layout: &Layout,
    clips: &Clips,
    element: ElementRef<'_>,
    is_skipped: impl Fn(ElementRef<'_>) -> bool,
) -> Option<String> {
    let dom = element.dom();
    let mut out = String::new();
    let mut open = vec![Step::Node(element.id())];
    let mut left = MAX_NODES;
    while let Some(step) = open.pop() {
        let id = match step {
            Step::Space => {
                out.push(' ');
                continue;
            }
            Step::Node(id) => id,
        };
        left = left.checked_sub(1)?;
        match dom.data(id) {
            Some(NodeData::Text(text)) => {
                let parent = dom.parent(id);
                if parent.is_some_and(|parent| shows_words(layout, clips, parent, text)) {
                    out.push_str(text);
                }
                if out.len() > MAX_BYTES {
                    return None;
                }
            }
            Some(NodeData::Element(inner)) => {
                if id != element.id() && is_skipped(inner) {
                    continue;
                }
                let flow = layout.style(id).map_or(Flow::Inline, |style| style.flow);
                let is_apart = flow != Flow::Inline || inner.is("br");
                if is_apart {
                    out.push(' ');
                    open.push(Step::Space);
                }
                let begin = open.len();
                open.extend(dom.children(id).map(Step::Node));
                if let Some(added) = open.get_mut(begin..) {
                    added.reverse();
                }
            }
            _ => {}
        }
    }
    Some(out)
}

enum Step {
    Node(NodeId),
    Space,
}

fn shows_words(layout: &Layout, clips: &Clips, parent: NodeId, text: &str) -> bool {
    is_text_seen(layout, clips, parent) && !layout.shows_icon(parent, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::layout::{BoxKind, ComputedStyle, LayoutBuilder, Rect, TextRun};
    use crate::view::Page;

    /// The visible text of the body of a page on which each element has a box and a line of text, 20 pixels for each
    /// letter wide.
    fn visible(html: &str) -> Option<String> {
        let page = Page::builder().html(html);
        let mut builder = LayoutBuilder::default();
        for (number, element) in page.elements().enumerate() {
            let number = u32::try_from(number).unwrap();
            let style = builder.style(&[i64::from(number)], || {
                ComputedStyle::read(|name| match name {
                    "display" => element.attr("data-display").unwrap_or("inline"),
                    "font-family" => element.attr("data-font").unwrap_or("serif"),
                    "font-size" => "20px",
                    _ => "",
                })
            });
            let width = element
                .attr("data-width")
                .map_or(500.0, |width| width.parse().unwrap());
            let rect = Rect::new([0.0, 0.0, width, 20.0]);
            builder.add(element.id(), BoxKind::Element, (rect, 0), style);
            let run = TextRun {
                rect,
                paint: 0,
                text: number,
                style,
            };
            builder.add_run(element.id(), run);
        }
        let layout = builder.finish();
        let clips = Clips::new(page.dom(), &layout);
        let body = page.body().unwrap();
        let text = visible_text(&layout, &clips, body, |inner| inner.is("select"))?;
        Some(crate::dom::normalize_space(&text))
    }

    #[test]
    fn parts_that_are_not_in_one_line_are_separated() {
        for (html, expected) in [
            ("Sa<b>ve</b>", "Save"),
            ("Save<br>all", "Save all"),
            (
                "Save<i data-display=inline-block>all</i>now",
                "Save all now",
            ),
            ("In <select><option>One</select>", "In"),
        ] {
            assert_eq!(visible(html).unwrap(), expected, "{html}");
        }
    }

    #[test]
    fn words_that_a_font_shows_as_icons_are_left_out() {
        for (html, expected) in [
            (
                "<i data-font='Material Symbols Outlined'>close</i>Close",
                "Close",
            ),
            ("<i data-width=20>search</i>Find", "Find"),
            ("<i data-width=20>an</i>ice", "anice"),
            ("<i data-width=20>two words</i>", "two words"),
        ] {
            assert_eq!(visible(html).unwrap(), expected, "{html}");
        }
    }

    #[test]
    fn a_text_that_is_too_long_is_not_read() {
        assert!(visible(&"x".repeat(MAX_BYTES - 10)).is_some());
        assert!(visible(&"x".repeat(MAX_BYTES + 1)).is_none());
        assert!(visible(&"<b></b>".repeat(MAX_NODES - 10)).is_some());
        assert!(visible(&"<b></b>".repeat(MAX_NODES + 1)).is_none());
    }
}
