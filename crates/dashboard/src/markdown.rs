//! Markdown of our own as HTML. Nothing of an audited site is written with it.

use pulldown_cmark::{Event, HeadingLevel, Parser, Tag, TagEnd, html};

/// Markdown as HTML. Tags in it are shown as they were written, and no heading is as high as the page's own.
pub(crate) fn to_html(markdown: &str) -> String {
    let mut written = String::new();
    html::push_html(&mut written, Parser::new(markdown).map(without_markup));
    written
}

/// The lines of a doc comment without the space behind the slashes that they begin with.
pub(crate) fn unindented(markdown: &str) -> String {
    let lines = markdown.lines();
    let text: Vec<_> = lines
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    text.join("\n")
}

fn without_markup(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Html(tags) | Event::InlineHtml(tags) => Event::Text(tags),
        Event::Start(Tag::HtmlBlock) => Event::Start(Tag::Paragraph),
        Event::End(TagEnd::HtmlBlock) => Event::End(TagEnd::Paragraph),
        Event::Start(Tag::Heading {
            level: HeadingLevel::H1,
            id,
            classes,
            attrs,
        }) => Event::Start(Tag::Heading {
            level: HeadingLevel::H2,
            id,
            classes,
            attrs,
        }),
        Event::End(TagEnd::Heading(HeadingLevel::H1)) => {
            Event::End(TagEnd::Heading(HeadingLevel::H2))
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_text_and_headings_are_below_the_title() {
        assert_eq!(
            to_html("# A\n\n<script>alert(1)</script>\n\n`b` <i>c</i>"),
            "<h2>A</h2>\n<p>&lt;script&gt;alert(1)&lt;/script&gt;\n</p>\n<p><code>b</code> &lt;i&gt;c&lt;/i&gt;</p>\n"
        );
    }

    #[test]
    fn one_space_at_the_beginning_of_each_line_is_removed() {
        assert_eq!(unindented(" a\n\n  b\nc"), "a\n\n b\nc");
    }
}
