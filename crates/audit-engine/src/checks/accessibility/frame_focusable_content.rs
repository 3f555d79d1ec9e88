//! Finds frames that keep the keyboard from their content.

use crate::aria::AccessTree;
use crate::aria::focus::tabindex;
use crate::check::{Outcome, Verdict};
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// A frame with a negative `tabindex` has no content that users reach with the Tab key.
    ///
    /// ## Why it matters
    /// The negative `tabindex` of a frame takes everything in it out of the focus order. Users who cannot use a
    /// pointer cannot reach its links and controls.
    ///
    /// ## How to fix it
    /// Remove the `tabindex` of the frame, or set it to `0`. If nobody needs the content, add `inert` to the frame.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Ferry</title><iframe tabindex="-1" title="Tickets" srcdoc="<a href='/tickets'>Buy</a>"></iframe></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Ferry</title><iframe tabindex="0" title="Tickets" srcdoc="<a href='/tickets'>Buy</a>"></iframe></html>
    /// ```
    ///
    /// ## Limits
    /// The check evaluates frames whose content is in `srcdoc`, and not those that load a document. It cannot tell
    /// for frames with `allow-scripts` or without `sandbox` whose content has scripts.
    ///
    /// ## Also known as
    /// - axe: `frame-focusable-content`
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 2.1.1 Keyboard (A)
    /// - W3C ACT rule akn7bn, Iframe with interactive elements is not excluded from tab-order
    FRAME_FOCUSABLE_CONTENT {
        id: "frame-focusable-content",
        title: "Frames with focusable content excluded from the tab order",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

/// The longest `srcdoc` that is read, in bytes, and the most frames of a page whose `srcdoc` is.
const MAX_SRCDOC_BYTES: usize = 64 * 1024;
const MAX_FRAMES: usize = 20;

/// Frames up to this width or height in pixels show nothing that users could reach.
const MAX_INVISIBLE_PIXELS: f64 = 1.0;

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let frames = page.elements_with(Traits::FRAME).filter_map(|frame| {
        let content = frame.attr("srcdoc")?;
        let applies = frame.is("iframe") && tabindex(frame).is_some() && is_reachable(&tree, frame);
        applies.then_some((frame, content))
    });
    let mut left = MAX_FRAMES;
    Outcome::for_each(frames, |(frame, content)| {
        if tabindex(frame).is_some_and(|index| index >= 0) {
            return Verdict::Pass;
        }
        if left == 0 || content.len() > MAX_SRCDOC_BYTES {
            return Verdict::CannotTell("The frame has too much content to be read.");
        }
        left -= 1;
        evaluate_frame(&tree, frame, content)
    })
}

fn is_reachable<'a>(tree: &AccessTree<'a>, frame: ElementRef<'a>) -> bool {
    let exposure = tree.exposure(frame);
    let is_invisible = |side: &str| {
        let pixels = frame
            .attr(side)
            .and_then(|side| side.trim().parse::<f64>().ok());
        pixels.is_some_and(|pixels| pixels <= MAX_INVISIBLE_PIXELS)
    };
    !exposure.hidden && !exposure.inert && !is_invisible("width") && !is_invisible("height")
}

fn evaluate_frame<'a>(tree: &AccessTree<'a>, frame: ElementRef<'a>, content: &str) -> Verdict {
    let page = tree.page();
    let inner = Page::new(
        page.document().clone(),
        page.site().clone(),
        content.to_owned(),
    );
    let inner_tree = inner.access_tree();
    let mut focusable = inner.elements().filter(|element| {
        inner_tree.is_tabbable(*element) && !inner_tree.exposure(*element).uncertain
    });
    let Some(first) = focusable.next() else {
        return Verdict::Pass;
    };
    let runs_scripts = inner.runs_scripts()
        && frame
            .attr("sandbox")
            .is_none_or(|_| frame.has_token("sandbox", "allow-scripts"));
    if runs_scripts {
        return Verdict::CannotTell("A script in the frame may change what is focusable.");
    }
    tree.failure(
        frame,
        format!(
            "The tabindex of this frame takes its content out of the focus order, and it contains a focusable {} element.",
            first.name()
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes, outcome};

    #[test]
    fn focusable_content_of_an_excluded_frame_fails() {
        for html in [
            "<iframe tabindex=-1 srcdoc=\"<a href='/'>Home</a>\"></iframe>",
            "<iframe tabindex=-2 srcdoc='<button>x</button>'></iframe>",
            "<iframe tabindex=-1 srcdoc='<p tabindex=0>x'></iframe>",
        ] {
            assert_fails(&FRAME_FOCUSABLE_CONTENT, html, 1);
        }
    }

    #[test]
    fn an_excluded_frame_without_focusable_content_passes() {
        for html in [
            "<iframe tabindex=-1 srcdoc='<p>x'></iframe>",
            "<iframe tabindex=-1 srcdoc=\"<a href='/' tabindex='-1'>Home</a>\"></iframe>",
            "<iframe tabindex=-1 srcdoc='<button hidden>x</button><input disabled>'></iframe>",
            "<iframe tabindex=-1 srcdoc='<style>a{display:none}</style><a href=/>x</a>'></iframe>",
        ] {
            assert_passes(&FRAME_FOCUSABLE_CONTENT, html);
        }
    }

    #[test]
    fn other_frames_are_not_applicable() {
        for html in [
            "<iframe srcdoc='<a href=/>x</a>'></iframe>",
            "<iframe tabindex=-1 inert srcdoc='<a href=/>x</a>'></iframe>",
            "<iframe tabindex=-1 hidden srcdoc='<a href=/>x</a>'></iframe>",
            "<iframe tabindex=-1 width=1 height=1 srcdoc='<a href=/>x</a>'></iframe>",
            "<iframe tabindex=-1 src=/x></iframe>",
        ] {
            assert_not_applicable(&FRAME_FOCUSABLE_CONTENT, html);
        }
    }

    #[test]
    fn a_frame_in_the_tab_order_passes() {
        let html = "<iframe tabindex=0 srcdoc='<a href=/>x</a>'></iframe>";
        assert_passes(&FRAME_FOCUSABLE_CONTENT, html);
    }

    #[test]
    fn content_with_scripts_and_too_much_content_cannot_tell() {
        let script = "<a href=/>x</a><script>y()</script>";
        let long = format!("<a href=/>{}</a>", "x".repeat(MAX_SRCDOC_BYTES));
        for content in [script, &long] {
            let html = format!("<iframe tabindex=-1 srcdoc='{content}'></iframe>");
            let outcome = outcome(&FRAME_FOCUSABLE_CONTENT, &html);
            assert!(matches!(outcome, Outcome::CannotTell(_)), "{outcome:?}");
        }
        let html = format!("<iframe tabindex=-1 sandbox srcdoc='{script}'></iframe>");
        assert_fails(&FRAME_FOCUSABLE_CONTENT, &html, 1);
    }

    #[test]
    fn the_frames_of_a_page_are_read_up_to_a_limit() {
        let frame = "<iframe tabindex=-1 srcdoc='<a href=/>x</a>'></iframe>";
        assert_fails(
            &FRAME_FOCUSABLE_CONTENT,
            &frame.repeat(MAX_FRAMES + 5),
            MAX_FRAMES,
        );
    }
}
