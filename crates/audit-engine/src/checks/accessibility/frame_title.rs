//! Finds frames without an accessible name.

use crate::aria::explicit::explicit_role;
use crate::aria::focus::tabindex;
use crate::check::Outcome;
use crate::declare_check;
use crate::dom::ElementRef;
use crate::page::Traits;
use crate::view::Page;

declare_check! {
    /// ## What it checks
    /// Every `iframe` and `frame` that users can reach has an accessible name.
    ///
    /// ## Why it matters
    /// A screen reader announces frames by name, so that users can decide whether to enter. Without a name,
    /// users hear a URL or "frame" and must enter the frame to find out what it contains.
    ///
    /// ## How to fix it
    /// Name the content of the frame in `title`: `<iframe src="…" title="Map of the harbour">`. Add `hidden` to a
    /// frame without visible content, or `aria-hidden="true"` together with `tabindex="-1"`.
    ///
    /// ## Example
    /// ```html
    /// <html lang="en"><title>Harbour</title><iframe src="https://maps.example/harbour"></iframe></html>
    /// ```
    /// Use instead:
    /// ```html
    /// <html lang="en"><title>Harbour</title><iframe src="https://maps.example/harbour" title="Map of the harbour"></iframe></html>
    /// ```
    ///
    /// ## Limits
    /// The check does not evaluate whether the name describes the content. The `name` attribute is not an
    /// accessible name and does not count.
    ///
    /// ## Also known as
    /// - axe: `frame-title`
    /// - Lighthouse: `frame-title`
    /// - WCAG: Failure F68
    ///
    /// ## References
    /// - WCAG 2.2, success criterion 4.1.2 Name, Role, Value (A)
    /// - W3C ACT rule cae760, Iframe element has non-empty accessible name
    FRAME_TITLE {
        id: "frame-title",
        title: "Frames without an accessible name",
        dimension: Accessibility,
        scope: Page,
        severity: Serious,
        confidence: High,
        effort: Small,
        needs: [Dom],
        stability: Stable { since: "0.1.0" },
    } => Page(evaluate)
}

fn evaluate(page: &Page) -> Outcome {
    let tree = page.access_tree();
    let frames = page
        .elements_with(Traits::FRAME)
        .filter(|element| element.is("iframe") || element.is("frame"))
        .filter(|frame| is_reachable(*frame) && tree.is_exposed(*frame));
    Outcome::for_each(frames, |frame| {
        tree.named(frame, || match frame.attr("src") {
            Some(src) => format!(
                "The frame with the src \"{src}\" has no title and no other accessible name."
            ),
            None => "This frame has no title and no other accessible name.".to_owned(),
        })
    })
}

fn is_reachable(frame: ElementRef<'_>) -> bool {
    tabindex(frame).is_none_or(|index| index >= 0)
        && explicit_role(frame).is_none_or(|role| !role.is("none"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::testing::{assert_fails, assert_not_applicable, assert_passes};

    #[test]
    fn a_title_or_a_label_passes() {
        assert_passes(&FRAME_TITLE, "<iframe src=x title=Map></iframe>");
        assert_passes(&FRAME_TITLE, "<iframe src=x aria-label=Map></iframe>");
    }

    #[test]
    fn no_title_fails() {
        assert_fails(&FRAME_TITLE, "<iframe src=x name=map></iframe>", 1);
        assert_fails(&FRAME_TITLE, "<iframe src=x title=''>Map</iframe>", 1);
    }

    #[test]
    fn frames_of_a_frameset_are_checked() {
        let set = |frame| format!("<html><frameset cols='20%,80%'>{frame}</frameset></html>");
        assert_fails(&FRAME_TITLE, &set("<frame src=a name=a>"), 1);
        assert_passes(&FRAME_TITLE, &set("<frame src=a title='All classes'>"));
    }

    #[test]
    fn unreachable_frames_are_not_applicable() {
        for html in [
            "<iframe src=x style='display:none;visibility:hidden'></iframe>",
            "<iframe src=x aria-hidden=true></iframe>",
            "<iframe src=x tabindex=-1></iframe>",
            "<noscript><iframe src=x></iframe></noscript>",
        ] {
            assert_not_applicable(&FRAME_TITLE, html);
        }
    }
}
